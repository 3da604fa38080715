"""Background jobs: run slow work and user-written code on separate threads.

A job that raises an error, hangs or ends too late does no harm.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol, TypeVar

from durak_widget.errors import USER_CODE_EXCEPTIONS, to_reportable_error
from durak_widget.widgets.notebook_hosts import flush_messages

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from threading import RLock

_LOG: Final = logging.getLogger("durak_widget")
_Result = TypeVar("_Result")


def _no_delay() -> float:
    return 0


@dataclass(frozen=True, eq=False)
class Job(Generic[_Result]):
    """A background job for one moment of the game; its result is dropped after that moment."""

    name: str
    """The name of the job, such as `bot` or `hint`; a new job replaces an earlier job with the same name."""
    key: Hashable
    """The key of the moment of the game for which the job was started."""
    current_key: Callable[[], Hashable]
    """A function that returns the key of the game's current moment."""
    work: Callable[[], _Result]
    """The function that does the work, outside the event loop."""
    on_result: Callable[[_Result], None]
    """The function that is called with the result of the work."""
    on_error: Callable[[Exception], None]
    """The function that is called with an error that the work raised."""
    on_late: Callable[[], None]
    """The function that is called when the work takes too long; the work may still end later."""
    worker: object = None
    """The object that does the work, such as a bot; of the jobs that share a worker, only one runs at a time."""
    get_delay: Callable[[], float] = _no_delay
    """A function that returns how many seconds to wait before the work begins."""

    @property
    def is_current(self) -> bool:
        """Return whether the game is still at the moment for which the job was started."""
        return self.key == self.current_key()


class JobStarter(Protocol):
    """A function that starts a background job, which runs as long as its result is needed."""

    def __call__(self, work: Callable[[], Any], on_result: Callable[[Any], None]) -> object:
        """Start the work in the background, and pass the result to `on_result`."""


class JobOutcome(NamedTuple):
    """The outcome of a background job: a result, or the error that the work raised.

    Some errors cannot be raised in a coroutine, such as StopIteration.
    """

    result: Any = None
    error: Exception | None = None


@dataclass(eq=False)
class _JobRun:
    """A background job that has been started, with its asyncio task."""

    job: Job[Any]
    is_waiting: bool = True
    task: asyncio.Task[None] | None = None


class BackgroundJobs:
    """The background jobs of a table; the notebook's event loop starts each job on a thread.

    A thread cannot be ended. A worker that still works at a cancelled job gets no new job before that has ended: the new one is late.
    """

    late_after_seconds = 10.0
    """The number of seconds after which a job is reported as late."""

    def __init__(self, lock: RLock, on_outdated: Callable[[], None]) -> None:
        """Create an empty set of jobs for a table.

        Callbacks run under the lock. `on_outdated` is called after a job whose result nobody wants any more.
        """
        self._lock, self._on_outdated = lock, on_outdated
        self._loop = _get_running_loop()
        self._job_runs: dict[str, _JobRun] = {}
        self._threads: dict[Hashable, Future[JobOutcome]] = {}
        self._is_stopped = False

    def start(self, job: Job[Any]) -> bool:
        """Start a job and return True; in a script, which has no event loop, return False.

        If the same job is running already, it goes on.
        """
        return self._schedule(self._start_on_loop, job)

    def cancel(self, name: str) -> None:
        """Cancel the job with a given name."""
        self._schedule(self._cancel_on_loop, name)

    def cancel_outdated(self) -> None:
        """Cancel all jobs that were started for an earlier moment of the game."""
        for name in tuple(self._job_runs):
            self._schedule(self._cancel_if_outdated, name)

    def restart_delay(self, name: str) -> None:
        """Restart the delay before the job with a given name, if its work has not begun."""
        self._schedule(self._restart_if_waiting, name)

    def call_soon(self, callback: Callable[[], None]) -> bool:
        """Call a function on the event loop from any thread; return False without an event loop."""
        return self._schedule(lambda _: callback(), None)

    def stop(self) -> None:
        """Cancel all jobs, and never start a job again."""
        for name in tuple(self._job_runs):
            self.cancel(name)
        self._is_stopped = True

    def run_now(self, job: Job[Any]) -> None:
        """Run a job now, on the current thread; a KeyboardInterrupt also stops the job."""
        try:
            ended = JobOutcome(job.work())
        except Exception as error:  # noqa: BLE001 - it may be somebody else's code
            ended = JobOutcome(error=error)
        self._deliver_outcome(job, ended)

    # Methods that run on the notebook's event loop

    @property
    def has_event_loop(self) -> bool:
        """Return whether there is an event loop that can run jobs; a script has no event loop."""
        return self._find_loop() is not None

    def _find_loop(self) -> asyncio.AbstractEventLoop | None:
        if self._loop is None or self._loop.is_closed():
            self._loop = _get_running_loop()
        return None if self._is_stopped else self._loop

    def _schedule(self, callback: Callable[[Any], None], argument: object) -> bool:
        loop = self._find_loop()
        if loop is None:
            return False
        loop.call_soon_threadsafe(callback, argument)
        return True

    def _start_on_loop(self, job: Job[Any]) -> None:
        run = self._job_runs.get(job.name)
        if self._is_stopped or not job.is_current or (run is not None and run.job.key == job.key):
            return
        self._cancel_on_loop(job.name)
        run = self._job_runs[job.name] = _JobRun(job)
        run.task = asyncio.get_running_loop().create_task(self._run_job(run))

    def _cancel_on_loop(self, name: str) -> None:
        run = self._job_runs.pop(name, None)
        if run is not None and run.task is not None:
            run.task.cancel()

    def _cancel_if_outdated(self, name: str) -> None:
        run = self._job_runs.get(name)
        if run is not None and not run.job.is_current:
            self._cancel_on_loop(name)

    def _restart_if_waiting(self, name: str) -> None:
        run = self._job_runs.get(name)
        if run is not None and run.is_waiting:
            self._cancel_on_loop(name)
            self._start_on_loop(run.job)

    async def _run_job(self, run: _JobRun) -> None:
        job = run.job
        try:
            await asyncio.sleep(job.get_delay())
            run.is_waiting = False
            late_task = asyncio.get_running_loop().create_task(self._report_late(job))
            try:
                ended = await self._await_outcome(job)
            finally:
                late_task.cancel()
        finally:
            if self._job_runs.get(job.name) is run:  # A newer job with the same name may have replaced this job
                del self._job_runs[job.name]
        self._deliver_outcome(job, ended)
        await flush_messages()

    async def _await_outcome(self, job: Job[Any]) -> JobOutcome:
        worker = job.name if job.worker is None else id(job.worker)
        while worker in self._threads:
            await asyncio.wrap_future(self._threads[worker])  # A thread can't be cancelled, so wait until the thread ends
            self._threads = {name: thread for name, thread in self._threads.items() if not thread.done()}
        thread = self._threads[worker] = _start_thread(job)
        return await asyncio.wrap_future(thread)

    async def _report_late(self, job: Job[Any]) -> None:
        await asyncio.sleep(self.late_after_seconds)
        with self._lock:
            if job.is_current:
                job.on_late()
        await flush_messages()

    def _deliver_outcome(self, job: Job[Any], outcome: JobOutcome) -> None:
        with self._lock:
            if not job.is_current:
                return self._on_outdated()
            error = outcome.error
            if error is None:
                try:
                    return job.on_result(outcome.result)
                except USER_CODE_EXCEPTIONS as raised:  # The user may have written the code that is called here
                    error = to_reportable_error(raised)
            if job.is_current:
                return job.on_error(error)
            return _LOG.error("what came of the job %s was heard, and then something failed", job.name, exc_info=error)


def _start_thread(job: Job[Any]) -> Future[JobOutcome]:
    """Start the work on its own thread; if there are no threads (in Pyodide), do it now."""
    ended: Future[JobOutcome] = Future()
    ended.set_running_or_notify_cancel()

    def work() -> None:
        ended.set_result(_run_work(job.work))

    try:
        Thread(target=work, daemon=True, name=f"durak {job.name}").start()
    except RuntimeError:
        work()
    return ended


def _run_work(work: Callable[[], object]) -> JobOutcome:
    """Return the outcome of the work; any exception, even SystemExit, becomes an error value."""
    try:
        return JobOutcome(work())
    except BaseException as error:  # noqa: BLE001 - it may be somebody else's code
        return JobOutcome(error=to_reportable_error(error))


def _get_running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
