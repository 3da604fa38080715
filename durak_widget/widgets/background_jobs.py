"""Background jobs: slow work and other people's code, run on threads.

A job that raises an error, hangs or ends too late does no harm.
"""

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
    """Work for one moment of the table; its result is dropped if that moment has passed."""

    name: str
    """Its kind, such as `bot` or `hint`; a new job replaces an earlier one of the same name."""
    key: Hashable
    """The moment for which it is done."""
    now: Callable[[], Hashable]
    """Returns the current moment."""
    work: Callable[[], _Result]
    """The work, done off the event loop."""
    heard: Callable[[_Result], None]
    """Called with the result."""
    failed: Callable[[Exception], None]
    """Called with the error that the work raised."""
    late: Callable[[], None]
    """Called when the work takes too long; it may still end."""
    by: object = None
    """Whatever does the work, if several jobs share it: it works at one job at a time."""
    pause: Callable[[], float] = _at_once
    """Returns how many seconds to wait before the work begins."""

    @property
    def stands(self) -> bool:
        """Return whether the moment of the job is still the current one."""
        return self.key == self.now()


class Works(Protocol):
    """A callable that starts a background job, for as long as its result is wanted."""

    def __call__(self, work: Callable[[], Any], heard: Callable[[Any], None]) -> object:
        """Start the work."""


class Ended(NamedTuple):
    """The outcome of a job, with an error as a value.

    Some errors cannot be raised in a coroutine, such as StopIteration.
    """

    result: Any = None
    error: Exception | None = None


@dataclass(eq=False)
class _Run:
    """A job that has been started."""

    job: Job[Any]
    resting: bool = True
    task: asyncio.Task[None] | None = None


class Jobs:
    """The background jobs of a table: the notebook's event loop starts them on threads.

    A thread cannot be ended. A worker that still works at a cancelled job gets no new job before that has ended: the new one is late.
    """

    patience = 10.0
    """Seconds after which a job is late."""

    def __init__(self, lock: RLock, wake: Callable[[], None]) -> None:
        """Create the jobs of a table.

        Callbacks run under the lock. `wake` is called after a job whose result nobody wants any more.
        """
        self._lock, self._wake = lock, wake
        self._loop = _running_loop()
        self._runs: dict[str, _Run] = {}
        self._threads: dict[Hashable, Future[Ended]] = {}
        self._ended = False

    def start(self, job: Job[Any]) -> bool:
        """Start a job and return True; return False without an event loop, such as in a script.

        If the same job is running already, it goes on.
        """
        return self._on_loop(self._begin, job)

    def drop(self, name: str) -> None:
        """Cancel the job of that name."""
        self._on_loop(self._forget, name)

    def drop_past(self) -> None:
        """Cancel all jobs whose moment has passed."""
        for name in tuple(self._runs):
            self._on_loop(self._forget_past, name)

    def hurry(self, name: str) -> None:
        """Restart the delay before the job of that name, if its work has not begun."""
        self._on_loop(self._rest_anew, name)

    def soon(self, what: Callable[[], None]) -> bool:
        """Call a function on the event loop, from any thread; return False without a loop."""
        return self._on_loop(lambda _: what(), None)

    def end(self) -> None:
        """Cancel all jobs and start no more."""
        for name in tuple(self._runs):
            self.drop(name)
        self._ended = True

    def do(self, job: Job[Any]) -> None:
        """Run a job now, on this thread; a KeyboardInterrupt stops it too."""
        try:
            ended = Ended(job.work())
        except Exception as error:  # noqa: BLE001 - it may be somebody else's code
            ended = Ended(error=error)
        self._hear(job, ended)

    # On the loop

    @property
    def run(self) -> bool:
        """Return whether there is an event loop to run jobs on; a script has none."""
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
            late_task = asyncio.get_running_loop().create_task(self._call_late(job))
            try:
                ended = await self._worked(job)
            finally:
                late_task.cancel()
        finally:
            if self._runs.get(job.name) is run:  # another job of this name may have taken its place
                del self._runs[job.name]
        self._hear(job, ended)
        await sent()

    async def _worked(self, job: Job[Any]) -> Ended:
        worker = job.name if job.by is None else id(job.by)
        while worker in self._threads:
            await asyncio.wrap_future(self._threads[worker])  # a thread cannot be cancelled
            self._threads = {name: thread for name, thread in self._threads.items() if not thread.done()}
        thread = self._threads[worker] = _begun(job)
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
                except ENDINGS as raised:  # the callback may be somebody else's code too
                    error = tellable(raised)
            if job.stands:
                return job.failed(error)
            return _LOG.error("what came of the job %s was heard, and then something failed", job.name, exc_info=error)


def _begun(job: Job[Any]) -> Future[Ended]:
    """Start the work on a thread of its own; without threads (Pyodide), do it at once."""
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
    """Return the outcome of the work, whatever it raises: even an exit becomes an error."""
    try:
        return Ended(work())
    except BaseException as error:  # noqa: BLE001 - it may be somebody else's code
        return Ended(error=tellable(error))


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
