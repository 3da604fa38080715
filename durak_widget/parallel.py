"""Runs a task on many items: in this process, in worker processes, or in an executor.

The results are the same in each case. The executor can be any `concurrent.futures.Executor`. The module also defines the command-line options
`--jobs` and `--dask`, which choose the workers.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import math
import os
import pickle
import queue
import subprocess
import sys
import warnings
from collections import deque
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from functools import lru_cache
from importlib import import_module
from itertools import islice
from operator import length_hint
from pathlib import Path
from threading import TIMEOUT_MAX, Lock, Thread, Timer
from time import monotonic, sleep
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget import safe_import_path
from durak_widget.errors import DurakError, as_whole_number, short_repr

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    Task = Callable[[Any, Any], Any]

VERSION: Final[str] = sys.modules[__name__.partition(".")[0]].__version__
"""The version of durak_widget in this process; a worker process with another version is not used.

Their results could be different.
"""
TIMED_OUT, WORKER_DIED = "TimedOut", "WorkerDied"
_CHUNKS_PER_WORKER: Final = 2  # While a worker runs one chunk of items, its next chunk already waits, so that the worker is never idle.
_WORKER_CODE: Final = "import sys; sys.path[:] = sys.argv[1:]; from durak_widget.parallel import serve; serve()"


class Failed(NamedTuple):
    """The result for an item on which a task failed: the kind of error, and its message.

    The task raised an error, took too long (`TIMED_OUT`), or ended its worker process twice (`WORKER_DIED`).
    """

    kind: str
    """The name of the error's class, or `TIMED_OUT` or `WORKER_DIED`."""
    message: str


class WorkerPool(contextlib.AbstractContextManager["WorkerPool"]):
    """A pool of workers that can run several tasks; its processes end when it is closed.

    `executor` is None (run in this process), a number of worker processes, an executor of `concurrent.futures`, or a Dask client. Worker processes
    do not import modules from `excluded_folder`.

    >>> with WorkerPool(2) as pool:
    ...     pool.run(max, [1, 2, 5], common=3), pool.run(int, [8, 40], common="17")
    ([3, 3, 5], [15, Failed(kind='ValueError', message='int() base must be >= 2 and <= 36, or 0')])
    """

    def __init__(self, executor: object = None, excluded_folder: str = os.devnull) -> None:
        self.executor: Executor | None = None
        self.uses_threads = isinstance(executor, ThreadPoolExecutor) and type(executor).__name__ != "InterpreterPoolExecutor"
        self.process_count = 0
        self._excluded_folder = excluded_folder
        self._worker_threads: list[_WorkerThread] = []
        self._requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._open_futures: set[Future[Any]] = set()
        count = 0 if executor is None else as_whole_number(executor)
        if getattr(executor, "asynchronous", False):
            raise DurakError("this Dask client is asynchronous; make one without asynchronous=True")
        if count is None and hasattr(executor, "get_executor"):
            executor = executor.get_executor()
        if isinstance(executor, Executor):
            self.executor = executor
        elif count is None or not 0 <= count <= 256:
            choices = "None (this process), a number of processes up to 256, an executor of concurrent.futures, or a client of Dask"
            raise DurakError(f"executor={short_repr(executor)} cannot run anything; give {choices}")
        else:
            self.use_processes(count)

    def run_unordered(
        self, task: Task, items: Iterable[object], *, common: object = None, seconds: float = math.inf
    ) -> Generator[tuple[int, Any], None, None]:
        """Run a task on each item; yield each item's index and result when the result is there.

        The result is `task(common, item)`. The pool takes items from the iterator only when a worker needs them. In a worker, the task may take up to
        `seconds` seconds for an item. To stop the run, close the generator: this cancels the remaining items and kills busy worker processes.
        """
        if not seconds > 0:
            raise DurakError(f"seconds={short_repr(seconds)} must be greater than 0: it is how long a task may take")
        return _TaskRun(self, task, items, common, seconds).iterate_results()

    def run(self, task: Task, items: Sequence[object], *, common: object = None, seconds: float = math.inf) -> list[Any]:
        """Run a task on each item, and return the results in order; a result may be `Failed`."""
        results = dict(self.run_unordered(task, items, common=common, seconds=seconds))
        return [results[index] for index in range(len(items))]

    def use_processes(self, count: int) -> None:
        """Use the given number of worker processes from now on, and no executor.

        These processes have their own import path, and the pool can kill one of them without the others.
        """
        self.executor, self.uses_threads = None, False
        self.process_count = 0 if sys.platform == "emscripten" else count  # Python in a browser can't start processes.

    def submit(self, pickled: bytes, items: bytes, seconds: float) -> Future[Any]:
        """Let a worker process run a pickled chunk of items; return a future for the results."""
        future: Future[Any] = Future()
        self._open_futures.add(future)
        future.add_done_callback(self._open_futures.discard)
        self._requests.put((future, pickled, items, seconds))
        if len(self._worker_threads) < self.process_count:
            self._worker_threads.append(_WorkerThread(self._requests, self._excluded_folder))
            self._worker_threads[-1].start()
        return future

    def cancel(self, futures: Iterable[Future[Any]]) -> None:
        """Cancel given futures, and kill the worker processes that work on them."""
        for future in list(futures):
            if not future.cancel() and not future.done():
                for thread in self._worker_threads:
                    thread.kill(future)

    def __exit__(self, *error: object) -> None:
        """End the worker processes; an executor stays open, because its owner has to close it."""
        self.process_count = 0
        self.cancel(self._open_futures)
        for _ in self._worker_threads:
            self._requests.put(None)
        while self._worker_threads:
            self._worker_threads.pop().join()


class _Chunk(NamedTuple):
    """Some items that a worker gets together, to save time for communication."""

    indices: Sequence[int]
    items: Sequence[object]
    first_failure: Failed | None = None
    """If this is the second attempt, the error of the first attempt; otherwise None."""
    generation: int = 0
    """How often the Dask cluster had been restarted when the chunk was submitted."""


class _TaskRun:
    """One run of a task on items, with the chunks (groups of items) in progress and to repeat."""

    def __init__(self, pool: WorkerPool, task: Task, items: Iterable[object], common: object, seconds: float) -> None:
        self._pool, self._task, self._common = pool, task, common
        self._seconds, self._runs_here, self._pickled = seconds, False, b""
        self._items, self._taken_count = iter(items), 0
        self._item_seconds, self._largest_chunk = 0.0, 0
        self._in_work: dict[Future[Any], _Chunk] = {}
        self._done: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        self._waiting: deque[_Chunk] = deque()
        self._suspects: deque[_Chunk] = deque()
        """The items whose worker died; they run last, each in a chunk of its own."""

    def iterate_results(self) -> Generator[tuple[int, Any], None, None]:
        """Yield each item's index and result as soon as the result is there."""
        try:
            while not self._runs_here and (self._pool.executor is not None or self._pool.process_count):
                self._submit_chunks(self._pool.executor)
                if self._in_work:
                    yield from self._next_results()
                elif not self._waiting and not self._suspects:
                    break
        finally:
            self._pool.cancel(self._in_work)
        while self._in_work:  # The pool was closed during the run, so this process does the remaining work.
            self._waiting.append(self._in_work.popitem()[1])
        while chunk := self._next_chunk(1):
            # This item has already ended a worker process; it could also end this process, so it is not run again.
            has_died = chunk.first_failure is not None and chunk.first_failure.kind == WORKER_DIED
            for index, item in zip(chunk.indices, chunk.items, strict=True):
                yield index, chunk.first_failure if has_died else _call_task(self._task, self._common, item)

    def _submit_chunks(self, executor: Executor | None) -> None:
        """Submit chunks of items until each worker has one chunk in progress and one waiting."""
        count = self._pool.process_count or _count_workers(executor)
        while len(self._in_work) < _CHUNKS_PER_WORKER * count and (chunk := self._next_chunk(self._chunk_size(count))):
            try:
                if executor is not None and self._pool.uses_threads:
                    future: Future[Any] = executor.submit(_run_chunk, self._task, self._common, chunk.items, self._seconds)
                else:
                    self._pickled = self._pickled or _pickle_value((VERSION, self._task, self._common))
                    arguments = self._pickled, _pickle_value(chunk.items), self._seconds
                    future = self._pool.submit(*arguments) if executor is None else executor.submit(_run_pickled, *arguments, os.urandom(8))
            except Exception as error:  # noqa: BLE001 - it is shut down, broken or out of reach, or something can't be pickled
                self._waiting.appendleft(chunk)
                self._replace_workers(error)
                return
            self._in_work[future] = chunk._replace(generation=_get_generation(executor))
            future.add_done_callback(self._done.put)

    def _next_chunk(self, size: int) -> _Chunk | None:
        """Return the next chunk of items to submit; None if no chunk can be submitted now."""
        if self._waiting:
            return self._waiting.popleft()
        if items := list(islice(self._items, size)):
            self._taken_count += len(items)
            return _Chunk(range(self._taken_count - len(items), self._taken_count), items)
        if self._suspects and (self._pool.process_count or not self._in_work):
            return self._suspects.popleft()
        return None

    def _chunk_size(self, workers: int) -> int:
        """Return how many items the next chunk should have, so that it takes about a second.

        The chunks are smaller at the beginning, and near the end, so that all workers finish at the same time.
        """
        if not self._largest_chunk:
            return 1
        # With many workers the chunks must be longer, because this process can't submit thousands of chunks per second.
        chunk_seconds = max(min(1.0, self._seconds / 4), 0.002 * workers)
        size = min(round(chunk_seconds / self._item_seconds), 8 * self._largest_chunk)
        if (items_left := length_hint(self._items, -1)) >= 0:
            size = min(size, max(math.ceil(items_left / (_CHUNKS_PER_WORKER * workers)), round(0.05 / self._item_seconds)))
        return max(1, size)

    def _next_results(self) -> Iterable[tuple[int, Any]]:
        """Wait until a worker has finished a chunk of items, and return the results of the items."""
        try:
            future = self._done.get(timeout=0.5)  # Windows handles Ctrl-C only between two waits, so each wait has a timeout.
            chunk = self._in_work.pop(future)
        except queue.Empty:
            self._requeue_lost_chunks()
            return []
        except KeyError:
            return []
        try:
            outcome = future.result()
        except Exception as error:  # noqa: BLE001 - an executor may raise anything
            if not _is_worker_death(error):  # The chunk was cancelled, for example because the Dask scheduler was restarted.
                self._waiting.append(chunk._replace(first_failure=chunk.first_failure or _to_failed(error)))
                if chunk.first_failure:
                    self._replace_workers(error)
                return []
            outcome = Failed(WORKER_DIED, str(error))
        if isinstance(outcome, Failed):
            return self._retry_items(chunk, outcome)
        results, seconds = outcome
        item_seconds = max(seconds, 1e-7) / len(results)
        self._item_seconds = (self._item_seconds + item_seconds) / 2 if self._largest_chunk else item_seconds
        self._largest_chunk = max(self._largest_chunk, len(results))
        if not self._pool.uses_threads:
            results = [_unpickle_result(result) if isinstance(result, bytes) else result for result in results]
        return zip(chunk.indices, results, strict=True)

    def _requeue_lost_chunks(self) -> None:
        """Submit chunks again that were in progress when the Dask cluster was restarted.

        Dask may never finish the futures of these chunks.
        """
        generation = _get_generation(self._pool.executor)
        for future in [future for future, chunk in self._in_work.items() if chunk.generation != generation]:
            self._waiting.append(self._in_work.pop(future))
            future.cancel()

    def _retry_items(self, chunk: _Chunk, failure: Failed) -> list[tuple[int, Failed]]:
        """Submit each item of a failed chunk again, alone; return the items that failed for good.

        These are items that failed twice, and a single item that timed out.
        """
        if chunk.first_failure or (failure.kind == TIMED_OUT and len(chunk.items) == 1):
            return [(index, failure) for index in chunk.indices]
        self._suspects += [_Chunk([index], [item], failure) for index, item in zip(chunk.indices, chunk.items, strict=True)]
        return []

    def _replace_workers(self, error: Exception) -> None:
        """Replace workers that raise errors by local processes; if these fail, use this process."""
        chunks = list(self._in_work.values())
        self._pool.cancel(self._in_work)
        self._in_work = {}
        if _is_worker_death(error):
            died = Failed(WORKER_DIED, str(error))
            self._suspects += [
                _Chunk([index], [item], chunk.first_failure or died)
                for chunk in chunks
                for index, item in zip(chunk.indices, chunk.items, strict=True)
            ]
        else:
            self._waiting.extendleft(chunks)
        reason = ": ".join(_to_failed(error))
        if self._pool.executor is not None and not isinstance(error, pickle.PicklingError):
            warnings.warn(f"the executor can't go on ({reason}); {count_cores()} processes of this computer do the rest", stacklevel=2)
            self._pool.use_processes(count_cores())
        else:
            warnings.warn(f"this runs in one process, because other processes can't run it ({reason})", stacklevel=2)
            self._runs_here = True


def _is_worker_death(error: Exception) -> bool:
    """Return whether an error says that a worker process has died."""
    # `KilledWorker` is a class of Dask, which may not be installed, so the function compares the name.
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


def _get_generation(executor: Executor | None) -> int:
    """Return how often a Dask executor's cluster has been restarted; 0 for other executors."""
    return getattr(getattr(executor, "_client", None), "generation", 0)


def _count_workers(executor: Executor | None) -> int:
    """Return the number of workers that an executor has now."""
    client: Any = getattr(executor, "_client", None)  # A Dask cluster can get or lose workers at any time.
    if getattr(client, "status", "") == "running":
        with contextlib.suppress(Exception):
            return int(sum(client.nthreads().values())) or 1
    return int(getattr(executor, "_max_workers", 0) or count_cores())


class _WorkerThread(Thread):
    """A thread that controls one worker process, and replaces the process when it has ended."""

    def __init__(self, requests: queue.SimpleQueue[Any], excluded_folder: str) -> None:
        super().__init__(daemon=True, name="durak-worker")
        self._requests, self._excluded_folder = requests, excluded_folder
        self._process: Any = None
        self._future: Future[Any] | None = None
        self._lock, self._pickled = Lock(), b""

    def run(self) -> None:
        """Pass requests to the worker process until the pool is closed."""
        while (request := self._requests.get()) is not None:
            future, pickled, items, seconds = request
            answer = None
            try:
                with self._lock:
                    if not future.set_running_or_notify_cancel():
                        continue
                    self._future = future
                    self._start_process()
                if pickled is not self._pickled:  # A separate request loads the task, so that loading does not count as time of an item.
                    self._pickled = pickled
                    answer = self._ask((pickled, b""), 120)
                answer = answer or self._ask((pickled, items), seconds)
            except Exception as error:  # noqa: BLE001 - whatever importing somebody's module may raise
                future.set_exception(error)
            else:
                future.set_result(answer)
        self._end_process()

    def _start_process(self) -> None:
        """Start the worker process if it is not running."""
        if self._process is not None and self._process.poll() is None:
            return
        self._end_process()
        path, package = safe_import_path.build_worker_path(self._excluded_folder), str(Path(__file__).resolve().parents[1])
        path = path if package in path else [package, *path]
        # These environment variables could make the worker's Python load other modules or run other code.
        dropped_prefixes = ("COV_", "COVERAGE_", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONINSPECT")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(dropped_prefixes)}
        self._process = subprocess.Popen(  # noqa: S603 - this Python, with the text above
            [sys.executable, *safe_import_path.START_OPTIONS, "-B", "-c", _WORKER_CODE, *path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )

    def _ask(self, request: tuple[bytes, bytes], seconds: float) -> Any:  # noqa: ANN401 - results of a chunk
        """Send a request to the worker process, and return its answer.

        If the process ends or takes too long, return a `Failed`. If it reports an error, raise an error.
        """
        began = monotonic()
        timer = Timer(min(seconds, TIMEOUT_MAX), self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            pickle.dump(request, self._process.stdin)
            self._process.stdin.flush()
            answer = pickle.load(self._process.stdout)  # noqa: S301 - our own worker's
        except (OSError, EOFError, pickle.UnpicklingError):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(0.5)  # The exit code of a process that ends on its own says more than the exit code of a killed one.
            code = self._end_process()
            if monotonic() - began >= seconds:
                return Failed(TIMED_OUT, f"it took longer than {seconds:g} seconds")
            return Failed(WORKER_DIED, f"its worker process ended with exit code {code}")
        finally:
            timer.cancel()
        if isinstance(answer, Failed):
            raise OSError(": ".join(answer))
        return answer

    def kill(self, future: Future[Any]) -> None:
        """Kill the worker process if it is working on a given future."""
        with self._lock:
            if self._future is future and (process := self._process) is not None:
                process.kill()

    def _end_process(self) -> int | None:
        """Kill the worker process, and return its exit code."""
        process, self._process, self._pickled = self._process, None, b""
        if process is None:
            return None
        with contextlib.suppress(OSError), process:  # When the `with` block ends, it closes the pipes of the process.
            process.kill()
        return int(process.wait())


def serve() -> None:
    """Run this process as a worker: for each request, load a task or run it on some items."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # A task that reads from stdin must not read the requests.
    os.dup2(2, 1)  # Texts that a task prints must not get mixed up with the answers.
    process, parent = os.getpid(), os.getppid()

    def end_with_parent() -> None:
        """End this worker process as soon as its parent process has ended, even during a task."""
        while os.getppid() == parent:
            sleep(1)
        os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            pickled, items = pickle.load(requests)  # noqa: S301 - from the process that started this one
            try:
                _load_task(pickled)
                answer = _run_pickled(pickled, items) if items else None
            except Exception as error:  # noqa: BLE001 - whatever importing somebody's module may raise
                answer = _to_failed(error)
            if os.getpid() != process:  # This is the child process of a task that has forked.
                os._exit(0)
            pickle.dump(answer, answers)
            answers.flush()


def _run_pickled(pickled: bytes, items: bytes, seconds: float = math.inf, _: bytes = b"") -> tuple[list[Any], float] | Failed:
    """Unpickle a task and a chunk of items, and run the task; this runs in a worker process.

    The last argument is different at each call, because otherwise Dask would not run the same chunk again.
    """
    task, common = _load_task(pickled)
    return _run_chunk(lambda common, item: pickle.dumps(task(common, item)), common, pickle.loads(items), seconds)  # noqa: S301 - as above


@lru_cache(maxsize=8)
def _load_task(pickled: bytes) -> tuple[Task, object]:
    """Unpickle a task; raise an error if it is from another version of durak_widget."""
    version, task, common = pickle.loads(pickled)  # noqa: S301 - as above
    if version != VERSION:
        raise DurakError(f"a worker has durak_widget {VERSION} and not {version}")
    return task, common


def _run_chunk(task: Task, common: object, items: Sequence[object], seconds: float) -> tuple[list[Any], float] | Failed:
    """Run a task on the items of a chunk; return the results, and how many seconds this took."""
    results: list[Any] = []
    began = monotonic()

    def run(*ignored: type[BaseException]) -> None:
        """Run the task on each item of the chunk."""
        with contextlib.suppress(*ignored):
            results.extend(_call_task(task, common, item) for item in items)

    if seconds == math.inf:
        run()
        return results, monotonic() - began
    thread = Thread(target=run, args=(KeyboardInterrupt,), daemon=True, name="durak-task")
    thread.start()
    thread.join(min(seconds, TIMEOUT_MAX))
    if thread.is_alive():  # Python can't kill a thread, but this exception, raised in the thread, ends loops of Python code.
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(KeyboardInterrupt))
        return Failed(TIMED_OUT, f"it took longer than {seconds:g} seconds")
    ended = Failed("KeyboardInterrupt", "the task ended its thread")
    return ended if len(results) < len(items) else (results, monotonic() - began)


def _call_task(task: Task, common: object, item: object) -> object:
    """Run a task on one item; if the task raises an error, return a `Failed`."""
    try:
        return task(common, item)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, GeneratorExit)):
            raise
        return _to_failed(error)


def _to_failed(error: BaseException) -> Failed:
    """Convert an error to a `Failed` result."""
    with contextlib.suppress(Exception):  # In a user-written error class, even the method `__str__` can raise an error.
        return Failed(type(error).__name__, str(error)[:200])
    return Failed(type(error).__name__, "")


class _Pickler(pickle.Pickler):
    """A pickler that refuses functions and classes defined in a notebook or script.

    Other processes can't import them.
    """

    def reducer_override(self, value: object) -> Any:  # noqa: ANN401 - the base class has it so
        """Raise an error for a function or class that is defined in a notebook or script."""
        if isinstance(value, (FunctionType, type)) and value.__module__ == "__main__":
            raise pickle.PicklingError(f"{value.__name__} is defined in a notebook or script; put it into a module")
        return NotImplemented


def _pickle_value(value: object) -> bytes:
    """Pickle a value; raise `PicklingError` if other processes could not unpickle it."""
    file = io.BytesIO()
    try:
        _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    except Exception as error:
        raise pickle.PicklingError(_to_failed(error).message) from error
    return file.getvalue()


def _unpickle_result(pickled: bytes) -> object:
    """Unpickle the result for an item; if this fails, return a `Failed`."""
    try:
        return pickle.loads(pickled)  # noqa: S301 - from our own worker
    except Exception as error:  # noqa: BLE001 - somebody's class may fail to load
        return _to_failed(error)


def count_cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def add_worker_options(parser: ArgumentParser, default: str = "0") -> None:
    """Add the options `--jobs` and `--dask` to a command.

    The help text of `--jobs` contains `default`.
    """
    parser.add_argument("--jobs", type=int, metavar="N", help=f"how many processes do the work ({default}); 0: only this one")
    parser.add_argument("--dask", metavar="ADDRESS", help="the workers of a Dask cluster do it, for example tcp://127.0.0.1:8786")


@contextlib.contextmanager
def open_executor(jobs: int | None, dask: str | None) -> Iterator[object]:
    """Open the executor that a command's options `--jobs` and `--dask` ask for."""
    if dask is None:
        yield jobs
        return
    if jobs is not None:
        raise DurakError(f"give --jobs {jobs} or --dask {dask}, not both")
    try:
        client = import_module("distributed").Client(dask, timeout=10, set_as_default=False)
    except ImportError:
        raise DurakError("--dask needs Dask: pip install 'durak_widget[arena]'") from None
    except (OSError, ValueError) as error:
        raise DurakError(f"no Dask scheduler answers at {dask!r} ({error}); check the address, for example tcp://127.0.0.1:8786") from error
    with client:
        yield client
