"""Who does the work: a crew is given chunks of things and says what came of them. Here those of `concurrent.futures`, processes or threads of somebody's."""

from __future__ import annotations

import os
import pickle
import queue
import sys
from abc import ABC, abstractmethod
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from threading import Event
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError
from durak_widget.work.workers import Outcomes, chunk_done, one_after_another, pickled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.work.workers import Order

_SMALL: Final = 2**15
"""An order of at most so many bytes goes with every chunk; a larger one only to workers that ask for it."""


class Chunk:
    """Some of the things, given to a worker at once."""

    def __init__(self, places: Sequence[int], things: Sequence[object], falls: int = 0) -> None:
        self.places, self.things, self.falls = list(places), list(things), falls
        self.alone = False
        """Whether nothing else is out while this is."""

    def halves(self) -> list[Chunk]:
        """Two chunks in its place, or itself where it holds a single thing."""
        half = len(self.things) // 2
        if not half:
            return [self]
        return [Chunk(self.places[part], self.things[part], self.falls) for part in (slice(half), slice(half, None))]

    def singles(self) -> list[Chunk]:
        """A chunk for each of its things."""
        return [Chunk([place], [thing], self.falls) for place, thing in zip(self.places, self.things, strict=True)]


class News(NamedTuple):
    """What is heard of a chunk: the values of the first of its things, and what is to be done about the others."""

    chunk: Chunk
    came: Outcomes
    """Whose `rest` may say here too: "fell" (with its worker), "slow" (one of them was late, and nobody knows which), "again", or "here"."""
    falls: int = 0


class BrokenCrewError(DurakError):
    """Nobody of this crew works any more."""


class Crew(ABC):
    """Workers that are given one order."""

    jams = False
    """Whether a worker that falls takes chunks with it that are not to blame: one that is under suspicion is then given alone."""

    @abstractmethod
    def count(self) -> int:
        """How many work at the same time."""

    @abstractmethod
    def give(self, chunk: Chunk) -> None:
        """Have it done; a `BrokenCrewError` where nobody is left to do it."""

    @abstractmethod
    def news(self, seconds: float) -> News | None:
        """The next that is heard, within so many seconds; a `BrokenCrewError` as above."""

    @abstractmethod
    def drop(self) -> None:
        """Nothing more is wanted: what is not begun is not done."""


class ExecutorCrew(Crew):
    """The workers of somebody's `concurrent.futures.Executor`."""

    def __init__(self, executor: Executor, order: Order, *, threads: bool) -> None:
        self._executor, self._order, self._threads = executor, order, threads
        self._told = None if threads or len(order.sealed()) > _SMALL else order.sealed()
        self._key = "" if threads else order.key
        self._out: dict[Future[Outcomes] | Future[bytes], Chunk] = {}
        self._heard: queue.SimpleQueue[Future[Outcomes] | Future[bytes]] = queue.SimpleQueue()
        self._stopped = Event()
        self._wanted: set[int] = set()

    def count(self) -> int:
        """As many as the executor says, or as there are cores."""
        return int(getattr(self._executor, "_max_workers", 0) or cores())

    def give(self, chunk: Chunk) -> None:
        """Submit it, as what stands in this process's memory to threads, else as bytes."""
        future: Future[Outcomes] | Future[bytes]
        try:
            if self._threads:
                future = self._executor.submit(one_after_another, self._order, chunk.things, self._stopped)
            else:
                told = self._order.sealed() if id(chunk) in self._wanted else self._told
                self._wanted.discard(id(chunk))
                future = self._executor.submit(chunk_done, self._key, told, pickled(chunk.things), self._order.seconds)
        except (RuntimeError, OSError) as error:  # it was shut down, is broken, or can begin no process
            raise BrokenCrewError(_of(error)) from error
        self._out[future] = chunk
        future.add_done_callback(self._heard.put)

    def news(self, seconds: float) -> News | None:
        """The next future that is done."""
        try:
            future = self._heard.get(timeout=seconds)
        except queue.Empty:
            return None
        chunk = self._out.pop(future)
        try:
            found = future.result()
        except CancelledError:
            return News(chunk, Outcomes([], 0.0, "again"))
        except (BrokenExecutor, Exception) as error:
            raise BrokenCrewError(_of(error)) from error
        came: Outcomes = pickle.loads(found) if isinstance(found, bytes) else found  # noqa: S301 - from whoever was asked to work
        if came.rest == "wanted":
            self._wanted.add(id(chunk))
            came = came._replace(rest="again")
        return News(chunk, came)

    def drop(self) -> None:
        """Cancel what is not begun; a thread ends after the thing that it works at."""
        self._stopped.set()
        for future in self._out:
            future.cancel()
        self._out.clear()


def _of(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
