"""Sharing work: many things, each done by itself, wherever there is somebody to do them; what comes of them is the same wherever that is."""

from __future__ import annotations

import math
import os
import sys
import warnings
from collections import deque
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import islice
from operator import length_hint
from typing import TYPE_CHECKING, Any, Final

from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.work.clusters import ClusterCrew, is_client
from durak_widget.work.crews import BrokenCrewError, Chunk, Crew, ExecutorCrew, News, cores
from durak_widget.work.processes import OwnCrew, OwnProcesses
from durak_widget.work.workers import Failed, Lost, Order, done_one

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from types import TracebackType

__all__ = ["Failed", "Hands", "Lost", "Pace", "every_value", "share"]

_AHEAD: Final = 2
"""So many chunks a worker are given out: one in work, and one that it finds when that is done."""
_TRIES: Final = 3
"""So often a worker may fall over a thing before that is lost."""
_MOST: Final = 256
_LOOKED: Final = 0.5
"""So many seconds nothing may be heard before whoever works is asked whether it still does."""


class Pace:
    """How many things make a chunk: at first one, then so many as take about a second.

    A worker says by its own clock how long a chunk took. Chunks grow no faster than eightfold, since the first things may be the quick ones. Where it is known how many
    are left, a chunk is never so large that some workers have nothing to do while others end: at most half of what would be one's share, or a twentieth of a second.

    >>> pace = Pace()
    >>> pace.size(1000, 2)
    1
    >>> pace.note(1, 0.001)
    >>> pace.size(1000, 2), pace.size(None, 2)
    (8, 8)
    >>> for _ in range(3):
    ...     pace.note(pace.size(None, 2), pace.size(None, 2) * 0.001)
    >>> pace.size(None, 2), pace.size(1000, 2), pace.size(12, 2), pace.size(None, 10_000)
    (1000, 250, 50, 4096)
    """

    second: Final = 1.0
    """So long a chunk should take."""
    least: Final = 0.05
    """So long a chunk may take at the end: what is handed out in smaller ones costs more than is waited for."""
    worker: Final = 0.002
    """So much longer for each worker: who hands out chunks to ten thousand hands out some hundred a second all the same."""

    def __init__(self) -> None:
        self._each = 0.0
        self._largest = 0

    def note(self, many: int, seconds: float) -> None:
        """So many things took so long."""
        each = max(seconds, 1e-7) / many
        self._each = (self._each + each) / 2 if self._largest else each
        self._largest = max(self._largest, many)

    def size(self, left: int | None, workers: int) -> int:
        """How many the next chunk holds, if so many are left (None: nobody knows)."""
        if not self._largest:
            return 1
        many = min(round(max(self.second, self.worker * workers) / self._each), 8 * self._largest)
        if left is not None:
            many = min(many, max(math.ceil(left / (_AHEAD * workers)), round(self.least / self._each)))
        return max(1, many)


def share(
    work: Callable[[Any, Any], object],
    things: Iterable[object],
    *,
    executor: object = None,
    common: object = None,
    seconds: float = math.inf,
    apart: str = os.devnull,
    path: Sequence[str] | None = None,
) -> Generator[tuple[int, Any], None, None]:
    """`work(common, thing)` of each thing, wherever the executor says: its place among the things and what came of it, in the order in which they come.

    The executor: None, and each is done here, one after another; a whole number of processes of this package's own; an executor of `concurrent.futures`; a client of Dask.
    What came of a thing is what `work` gave; `Failed`, where it raised an error; `Lost`, where processes fell over it three times, or where it took longer than so many
    seconds (done here, nothing is ever late). Every place comes exactly once.

    Things are taken from an iterator only when they are handed out. If it has a `__length_hint__`, the last chunks are small.

    Where an executor is broken, shut down or out of reach, the rest is done by processes of this package's own, and a warning says so. Who closes what this gives, or leaves
    it, ends what is in work and cancels what is not begun.

    `apart` and `path` are for processes of this package's own: a folder in which none looks for modules; and where they look for them instead of where this one does.

    >>> list(share(max, [1, 5], common=3)), sorted(share(int, [8, 40], common="17", executor=1))
    ([(0, 3), (1, 5)], [(0, 15), (1, Failed(kind='ValueError', said='int() base must be >= 2 and <= 36, or 0'))])
    >>> share(max, [1, 5], executor="tcp://127.0.0.1:8786")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: executor='tcp://127.0.0.1:8786' is nobody who works: None does it all here, a whole number in so many processes, ...
    """
    hands = Hands(executor, apart, path)
    return _closing(hands, hands.share(work, things, common=common, seconds=seconds))


def _closing(hands: Hands, shared: Iterator[tuple[int, Any]]) -> Generator[tuple[int, Any], None, None]:
    with hands:
        yield from shared


def every_value(work: Callable[[Any, Any], Any], things: Iterable[object], *, executor: object = None, common: object = None) -> list[Any]:
    """What `work(common, thing)` gives for each thing, in the order of the things, where none may fail: the first that does is raised.

    >>> every_value(max, [1, 5], executor=1, common=3)
    [3, 5]
    >>> every_value(int, [40], executor=1, common="17")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: ValueError: int() base must be >= 2 and <= 36, or 0
    """
    if executor is None:
        return [work(common, thing) for thing in things]
    found: dict[int, Any] = {}
    shared = share(work, things, executor=executor, common=common)
    try:
        for place, one in shared:
            if isinstance(one, Failed):
                raise DurakError(f"{one.kind}: {one.said}")
            if isinstance(one, Lost):
                raise DurakError(f"the processes that worked at thing {place} fell, again and again")
            found[place] = one
    finally:
        shared.close()
    return [found[place] for place in range(len(found))]


class Hands:
    """Whoever works, until it is closed: processes of this package's own are kept from one call to the next.

    >>> with Hands(2) as hands:
    ...     hands.each(max, [1, 2, 5], common=3), hands.each(min, [1, 2, 5], common=3)
    ([3, 3, 5], [1, 2, 3])
    """

    def __init__(self, executor: object = None, apart: str = os.devnull, path: Sequence[str] | None = None) -> None:
        """As `share` has it."""
        self._apart, self._path = apart, path
        self._foreign: Any = None
        jobs = 0 if executor is None else whole_number(executor)
        if jobs is None and type(executor).__module__.partition(".")[0] == "distributed":
            executor = getattr(executor, "_client", executor)  # what client.get_executor() gives
        if jobs is None and (is_client(executor) or isinstance(executor, Executor)):
            self._foreign = executor
        elif jobs is None or jobs < 0:
            raise DurakError(
                f"executor={quoted(executor)} is nobody who works: None does it all here, a whole number in so many processes, "
                "an executor of concurrent.futures or a distributed.Client (of Dask) with its workers"
            )
        elif jobs > _MOST:
            raise DurakError(f"executor={quoted(executor)} is too many processes for one machine: at most {_MOST}")
        self._own = None if self._foreign is not None or not jobs or _alone() else self._processes(jobs)

    def _processes(self, jobs: int) -> OwnProcesses:
        return OwnProcesses(jobs, self._apart, self._path)

    def share(
        self, work: Callable[[Any, Any], object], things: Iterable[object], *, common: object = None, seconds: float = math.inf
    ) -> Generator[tuple[int, Any], None, None]:
        """As the function `share`, by these."""
        if not seconds > 0:
            raise DurakError(f"seconds={quoted(seconds)} is how long each thing may take: a number greater than 0")
        return _Shared(self, Order(work, common, seconds), things).all()

    def each(
        self, work: Callable[[Any, Any], object], things: Sequence[object], *, common: object = None, seconds: float = math.inf
    ) -> list[Any]:
        """What came of each thing, in the order of the things."""
        found = dict(self.share(work, things, common=common, seconds=seconds))
        return [found[place] for place in range(len(things))]

    def crew(self, order: Order) -> Crew | None:
        """Who carries out an order; None where it is done here."""
        if self._foreign is None and self._own is None:
            return None
        if _threads(self._foreign):
            return ExecutorCrew(self._foreign, order, threads=True)
        if not order.sealed() or order.of_a_notebook:
            if order.of_a_notebook:
                _warn("what is to be done is defined in a notebook, which no other process finds: it is done here; pip install cloudpickle")
            return None
        if self._foreign is None:
            return None if self._own is None else OwnCrew(self._own, order)
        return ClusterCrew(self._foreign, order) if is_client(self._foreign) else ExecutorCrew(self._foreign, order, threads=False)

    def instead(self, order: Order, why: BrokenCrewError) -> Crew | None:
        """Who carries it out now that those are gone, and from now on: processes of this package's own."""
        many = 0 if _alone() else cores()
        _warn(
            f"the workers that were given are gone ({why}); the rest is done {f'by {many} processes of this machine' if many else 'here'}"
        )
        self._foreign, self._own = None, self._processes(many) if many else None
        return self.crew(order)

    def close(self) -> None:
        """End the processes of this package's own; an executor or a client is whoever's it was."""
        if self._own is not None:
            self._own.close()

    def __enter__(self) -> Hands:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _alone() -> bool:
    """Whether no process can be started where this runs, as in a browser."""
    return sys.platform == "emscripten"


def _threads(executor: object) -> bool:
    """Whether its workers share this process's memory; those of an `InterpreterPoolExecutor` do not."""
    return isinstance(executor, ThreadPoolExecutor) and type(executor).__name__ != "InterpreterPoolExecutor"


def _warn(said: str) -> None:
    warnings.warn(said, stacklevel=2)


class _Shared:
    """One order, and the things for it: what is not yet handed out, what is out, and what is to be given again."""

    def __init__(self, hands: Hands, order: Order, things: Iterable[object]) -> None:
        self._hands, self._order = hands, order
        self._fresh, self._place = iter(things), 0
        self._again: deque[Chunk] = deque()
        self._suspects: deque[Chunk] = deque()
        """What fell with a worker where others may have been to blame: given last, and alone."""
        self._out: set[Chunk] = set()
        self._pace = Pace()

    def all(self) -> Generator[tuple[int, Any], None, None]:
        """Everything that comes, and where nobody works any more, what is left, done here."""
        crew = self._hands.crew(self._order)
        try:
            while crew is not None:
                try:
                    self._give(crew)
                    if not self._out:
                        return
                    news = crew.news(_LOOKED)
                except BrokenCrewError as error:
                    crew.drop()
                    self._again.extendleft(self._out)
                    self._out.clear()
                    crew = self._hands.instead(self._order, error)
                    continue
                if news is not None and news.chunk in self._out:
                    yield from self._heard(news, crew)
        finally:
            if crew is not None:
                crew.drop()
        while (chunk := self._next(1, None)) is not None:
            yield from self._here(chunk)

    def _give(self, crew: Crew) -> None:
        """Hand out as much as there should be."""
        workers = crew.count()
        while len(self._out) < _AHEAD * workers and not any(chunk.alone for chunk in self._out if crew.jams):
            left = length_hint(self._fresh, -1)
            chunk = self._next(self._pace.size(None if left < 0 else left, workers), crew)
            if chunk is None:
                return
            try:
                crew.give(chunk)
            except BrokenCrewError:
                self._again.appendleft(chunk)
                raise
            self._out.add(chunk)

    def _next(self, size: int, crew: Crew | None) -> Chunk | None:
        """The next to be given: what has to be done again, then what is new, then what is under suspicion."""
        if self._again:
            return self._again.popleft()
        if things := list(islice(self._fresh, size)):
            self._place += len(things)
            return Chunk(range(self._place - len(things), self._place), things)
        if self._suspects and not (crew is not None and self._out):
            chunk = self._suspects.popleft()
            chunk.alone = True
            return chunk
        return None

    def _heard(self, news: News, crew: Crew) -> Iterator[tuple[int, Any]]:
        """What came of a chunk, and what becomes of the rest of it."""
        chunk, (values, seconds, rest, _) = news.chunk, news.came
        places = chunk.places[: len(values)]
        del chunk.places[: len(values)], chunk.things[: len(values)]
        if rest != "more":
            self._out.discard(chunk)
        if values:
            self._pace.note(len(values), seconds)
        over: list[tuple[int, Any]] = []
        if rest == "late":
            over = [(chunk.places.pop(0), Lost(late=True))]
            del chunk.things[0]
        if rest in ("", "again", "late") and chunk.things:
            (self._suspects if chunk.alone else self._again).append(chunk)
            chunk.alone = False
        elif rest == "slow":
            self._again.extend(chunk.singles())
        elif rest == "fell":
            over = self._fell(chunk, news.falls, crew)
        yield from zip(places, values, strict=True)
        yield from over
        if rest in ("here", "unknown"):
            if rest == "unknown":
                _warn(f"a worker cannot do this ({news.came.said}), and it is done here; install there what is installed here")
            yield from self._here(chunk)

    def _fell(self, chunk: Chunk, falls: int, crew: Crew) -> list[tuple[int, Any]]:
        """What is lost with a worker that fell: a thing over which that happens again and again; all else is given again, by halves."""
        chunk.falls += falls
        sure = len(chunk.things) == 1 and (chunk.alone or not crew.jams)
        if sure and chunk.falls >= _TRIES:
            return [(chunk.places[0], Lost(late=False))]
        for one in chunk.halves():
            if not sure:  # more than one was there, who may not have been to blame
                one.falls = min(one.falls, 1)
            (self._suspects if crew.jams else self._again).append(one)
        return []

    def _here(self, chunk: Chunk) -> Iterator[tuple[int, Any]]:
        for place, thing in zip(chunk.places, chunk.things, strict=True):
            yield place, done_one(self._order.work, self._order.common, thing)
