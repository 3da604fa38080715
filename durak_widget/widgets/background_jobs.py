"""Jobs: whatever takes time beside the table or is somebody else's code; one that raises, hangs or comes too late harms nothing."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol, TypeVar

from durak_widget.errors import ENDINGS, tellable
from durak_widget.widgets.notebook_hosts import sent

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from threading import RLock

_LOG: Final = logging.getLogger("durak_widget")
_Result = TypeVar("_Result")


def _at_once() -> float:
    return 0


@dataclass(frozen=True, eq=False)
class Job(Generic[_Result]):
    """Something to be done, for a moment; when that has passed, nobody hears what came of it."""

    name: str
    """What it is, such as `bot` or `hint`: a new job of a name takes the place of the one before."""
    key: Hashable
    """The moment for which it is done."""
    now: Callable[[], Hashable]
    """Which moment it is now."""
    work: Callable[[], _Result]
    """What is done, off the loop."""
    heard: Callable[[_Result], None]
    """Who hears what came of it."""
    failed: Callable[[Exception], None]
    """Who hears that it raised."""
    late: Callable[[], None]
    """Who hears that it has not ended; it may still do."""
    by: object = None
    """Who does it, if not everybody with such a job does it alone: nobody is asked two things at once."""
    pause: Callable[[], float] = _at_once
    """For how many seconds one rests before."""

    @property
    def stands(self) -> bool:
        """Whether it is still its moment."""
        return self.key == self.now()


class Works(Protocol):
    """Who has something done beside the table, for as long as that is wanted."""

    def __call__(self, work: Callable[[], Any], heard: Callable[[Any], None]) -> object:
        """Have it done."""


class Ended(NamedTuple):
    """What came of a job. An error is a value here: some cannot be thrown into a coroutine, a StopIteration among them."""

    result: Any = None
    error: Exception | None = None


@dataclass(eq=False)
class _Run:
    """A job that is being seen to."""

    job: Job[Any]
    resting: bool = True
    task: asyncio.Task[None] | None = None


class Jobs:
    """The jobs of a table, seen to on the loop of its notebook: each works on a thread of its own, so that nobody is kept waiting.

    A thread cannot be ended. So whoever still works at a job that was dropped is asked nothing new before that has ended: it is late.
    """

    patience = 10.0
    """After so many seconds a job is late."""

    def __init__(self, lock: RLock, wake: Callable[[], None]) -> None:
        """Whoever hears something does so under the lock; `wake` is called after a job that nobody wanted to hear of any more."""
        self._lock, self._wake = lock, wake
        self._loop = _running_loop()
        self._runs: dict[str, _Run] = {}
        self._threads: dict[Hashable, Future[Ended]] = {}
        self._ended = False

    def start(self, job: Job[Any]) -> bool:
        """See to a job; the same one, asked for again, goes on. False where nothing runs by itself: in a script without a loop."""
        return self._on_loop(self._begin, job)

    def drop(self, name: str) -> None:
        """Nobody wants to hear of the job of that name any more."""
        self._on_loop(self._forget, name)

    def drop_past(self) -> None:
        """Something has happened: nobody wants to hear any more of jobs whose moment is past."""
        for name in tuple(self._runs):
            self._on_loop(self._forget_past, name)

    def hurry(self, name: str) -> None:
        """There is another pace: who rests before that job rests anew."""
        self._on_loop(self._rest_anew, name)

    def soon(self, what: Callable[[], None]) -> bool:
        """Have this done on the loop, from whichever thread; False where nothing runs by itself."""
        return self._on_loop(lambda _: what(), None)

    def end(self) -> None:
        """Nothing is done any more, whatever happens."""
        for name in tuple(self._runs):
            self.drop(name)
        self._ended = True

    def do(self, job: Job[Any]) -> None:
        """Do a job here and now; whoever stops the program stops it too."""
        try:
            ended = Ended(job.work())
        except Exception as error:  # noqa: BLE001 - it may be somebody else's code
            ended = Ended(error=error)
        self._hear(job, ended)

    # On the loop

    @property
    def run(self) -> bool:
        """Whether anything runs by itself; in a script without a loop nothing does."""
        return self._running() is not None

    def _running(self) -> asyncio.AbstractEventLoop | None:
        if self._loop is None or self._loop.is_closed():
            self._loop = _running_loop()
        return None if self._ended else self._loop

    def _on_loop(self, what: Callable[[Any], None], about: object) -> bool:
        loop = self._running()
        if loop is None:
            return False
        loop.call_soon_threadsafe(what, about)
        return True

    def _begin(self, job: Job[Any]) -> None:
        run = self._runs.get(job.name)
        if self._ended or not job.stands or (run is not None and run.job.key == job.key):
            return
        self._forget(job.name)
        run = self._runs[job.name] = _Run(job)
        run.task = asyncio.get_running_loop().create_task(self._see_to(run))

    def _forget(self, name: str) -> None:
        run = self._runs.pop(name, None)
        if run is not None and run.task is not None:
            run.task.cancel()

    def _forget_past(self, name: str) -> None:
        run = self._runs.get(name)
        if run is not None and not run.job.stands:
            self._forget(name)

    def _rest_anew(self, name: str) -> None:
        run = self._runs.get(name)
        if run is not None and run.resting:
            self._forget(name)
            self._begin(run.job)

    async def _see_to(self, run: _Run) -> None:
        job = run.job
        try:
            await asyncio.sleep(job.pause())
            run.resting = False
            late = asyncio.get_running_loop().create_task(self._call_late(job))
            try:
                ended = await self._worked(job)
            finally:
                late.cancel()
        finally:
            if self._runs.get(job.name) is run:  # what now follows may be the next of its name
                del self._runs[job.name]
        self._hear(job, ended)
        await sent()

    async def _worked(self, job: Job[Any]) -> Ended:
        who = job.name if job.by is None else id(job.by)
        while who in self._threads:
            await asyncio.wrap_future(self._threads[who])  # which nobody can cut short
            self._threads = {name: thread for name, thread in self._threads.items() if not thread.done()}
        thread = self._threads[who] = _begun(job)
        return await asyncio.wrap_future(thread)

    async def _call_late(self, job: Job[Any]) -> None:
        await asyncio.sleep(self.patience)
        with self._lock:
            if job.stands:
                job.late()
        await sent()

    def _hear(self, job: Job[Any], ended: Ended) -> None:
        with self._lock:
            if not job.stands:
                return self._wake()
            error = ended.error
            if error is None:
                try:
                    return job.heard(ended.result)
                except ENDINGS as raised:  # who hears may be somebody else's code too
                    error = tellable(raised)
            if job.stands:
                return job.failed(error)
            return _LOG.error("what came of the job %s was heard, and then something failed", job.name, exc_info=error)


def _begun(job: Job[Any]) -> Future[Ended]:
    """The work, on a thread of its own; where there are no threads (Pyodide), here and now."""
    ended: Future[Ended] = Future()
    ended.set_running_or_notify_cancel()

    def work() -> None:
        ended.set_result(_done(job.work))

    try:
        Thread(target=work, daemon=True, name=f"durak {job.name}").start()
    except RuntimeError:
        work()
    return ended


def _done(work: Callable[[], object]) -> Ended:
    """What comes of it, whatever it does: also an exit is told."""
    try:
        return Ended(work())
    except BaseException as error:  # noqa: BLE001 - it may be somebody else's code
        return Ended(error=tellable(error))


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
