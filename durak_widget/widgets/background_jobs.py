"""Runs slow work and user-written code as background jobs, on separate threads.

A job may raise an error, hang, or end too late; the table still works.
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
    """A background job for one moment of the game; a result after this moment is ignored."""

    name: str
    """The name of the job, such as `bot` or `hint`; a new job replaces an old job with the same name."""
    key: Hashable
    """The key that identifies the moment of the game for which the job was created."""
    current_key: Callable[[], Hashable]
    """The function that returns the key of the present moment of the game."""
    work: Callable[[], _Result]
    """The function that does the slow work, on another thread."""
    on_result: Callable[[_Result], None]
    """The callback that gets the result of the work."""
    on_error: Callable[[Exception], None]
    """The callback that gets the error if the work raises one."""
    on_late: Callable[[], None]
    """The callback for work that takes too long; the work is not stopped, so it may still return a result."""
    worker: object = None
    """The object that does the work, such as a bot; two jobs with the same worker never run at the same time."""
    get_delay: Callable[[], float] = _no_delay
    """The function that returns how many seconds the job waits before its work begins."""

    @property
    def is_current(self) -> bool:
        """Return whether the game is still at the moment for which this job was created."""
        return self.key == self.current_key()


class JobStarter(Protocol):
    """The type of a function that starts a background job."""

    def __call__(self, work: Callable[[], Any], on_result: Callable[[Any], None]) -> object:
        """Start `work` in the background; `on_result` gets its result."""


class JobOutcome(NamedTuple):
    """What a background job returned: a result, or the error that its work raised.

    The error is a value here, because a coroutine cannot raise every error (such as StopIteration).
    """

    result: Any = None
    error: Exception | None = None


@dataclass(eq=False)
class _JobRun:
    """The state of a started background job: its asyncio task, and whether work has begun."""

    job: Job[Any]
    is_waiting: bool = True
    task: asyncio.Task[None] | None = None


class BackgroundJobs:
    """The background jobs of one table, which run on threads.

    The notebook's event loop starts the threads. Python cannot end a thread, so if a worker is still busy with a cancelled job, its next job has to
    wait.
    """

    late_after_seconds = 10.0
    """How many seconds a job may take before the table reports it as late."""

    def __init__(self, lock: RLock, on_outdated: Callable[[], None]) -> None:
        """Create a collection of background jobs without any job.

        All callbacks run while `lock` is held. `on_outdated` is called after a job whose result is no longer needed.
        """
        self._lock, self._on_outdated = lock, on_outdated
        self._loop = _get_running_loop()
        self._job_runs: dict[str, _JobRun] = {}
        self._threads: dict[Hashable, Future[JobOutcome]] = {}
        self._is_stopped = False

    def start(self, job: Job[Any]) -> bool:
        """Start a job in the background; return False if this is impossible without an event loop.

        If a job with the same name and key is already running, it goes on.
        """
        return self._schedule(self._start_on_loop, job)

    def cancel(self, name: str) -> None:
        """Cancel the job that has the given name, if there is one."""
        self._schedule(self._cancel_on_loop, name)

    def cancel_outdated(self) -> None:
        """Cancel all jobs that were created for an earlier moment of the game."""
        for name in tuple(self._job_runs):
            self._schedule(self._cancel_if_outdated, name)

    def restart_delay(self, name: str) -> None:
        """Restart the waiting time of the job with a given name, if the job is still waiting."""
        self._schedule(self._restart_if_waiting, name)

    def call_soon(self, callback: Callable[[], None]) -> bool:
        """Call a function soon, on the event loop; return False if there is no event loop."""
        return self._schedule(lambda _: callback(), None)

    def stop(self) -> None:
        """Cancel all jobs, and refuse to start new ones."""
        for name in tuple(self._job_runs):
            self.cancel(name)
        self._is_stopped = True

    def run_now(self, job: Job[Any]) -> None:
        """Run a job at once, on the current thread; a KeyboardInterrupt stops it."""
        try:
            outcome = JobOutcome(job.work())
        except Exception as error:  # noqa: BLE001 - user-written code can raise any exception
            outcome = JobOutcome(error=error)
        self._deliver_outcome(job, outcome)

    @property
    def has_event_loop(self) -> bool:
        """Return whether there is an event loop for jobs; in a plain script there is none."""
        return self._find_loop() is not None

    def _find_loop(self) -> asyncio.AbstractEventLoop | None:
        if self._loop is None or self._loop.is_closed():
            self._loop = _get_running_loop()
        return None if self._is_stopped else self._loop

    def _schedule(self, callback: Callable[[Any], None], argument: object) -> bool:
        """Call a function soon on the event loop; return False if there is no event loop."""
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
                outcome = await self._await_outcome(job)
            finally:
                late_task.cancel()
        finally:
            if self._job_runs.get(job.name) is run:  # A newer job with the same name may have replaced this job.
                del self._job_runs[job.name]
        self._deliver_outcome(job, outcome)
        await flush_messages()

    async def _await_outcome(self, job: Job[Any]) -> JobOutcome:
        worker = job.name if job.worker is None else id(job.worker)
        while worker in self._threads:
            await asyncio.wrap_future(self._threads[worker])  # Python can't cancel a thread, so this job waits until the thread ends.
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
        """Pass the outcome of a job to its callbacks, unless the job is outdated."""
        with self._lock:
            if not job.is_current:
                return self._on_outdated()
            error = outcome.error
            if error is None:
                try:
                    return job.on_result(outcome.result)
                except USER_CODE_EXCEPTIONS as raised:  # The callback can run user-written code, which can raise any exception.
                    error = to_reportable_error(raised)
            if job.is_current:
                return job.on_error(error)
            return _LOG.error("a function that handles the result of the job %s failed", job.name, exc_info=error)


def _start_thread(job: Job[Any]) -> Future[JobOutcome]:
    """Start the work of a job on a new thread; in Pyodide, without threads, do it at once."""
    future: Future[JobOutcome] = Future()
    future.set_running_or_notify_cancel()

    def work() -> None:
        future.set_result(_run_work(job.work))

    try:
        Thread(target=work, daemon=True, name=f"durak {job.name}").start()
    except RuntimeError:
        work()
    return future


def _run_work(work: Callable[[], object]) -> JobOutcome:
    """Do the work of a job; return the result of the work, or the error that the work raised."""
    try:
        return JobOutcome(work())
    except BaseException as error:  # noqa: BLE001 - user-written code can raise any exception
        return JobOutcome(error=to_reportable_error(error))


def _get_running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
