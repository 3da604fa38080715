"""Tasks give the same results wherever they run, a worker that dies takes no other result with it, and stopping is quick."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from threading import Timer
from threading import enumerate as all_threads
from types import SimpleNamespace

import pytest

from durak_widget import DurakError, parallel
from durak_widget.parallel import TIMED_OUT, WORKER_DIED, Failed, WorkerPool, open_executor
from support import parallel_tasks as tasks

ROOT = Path(__file__).resolve().parents[1]


def process_pool(count=2):
    """Return a pool of spawned processes: forking a process with threads may hang."""
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"))


class OneByOneExecutor(Executor):
    """An executor of an unknown class."""

    def submit(self, function, /, *args, **named):
        """Run the task at once."""
        future = Future()
        try:
            future.set_result(function(*args, **named))
        except Exception as error:  # noqa: BLE001 - as every executor does
            future.set_exception(error)
        return future


EXECUTORS = {
    "here": lambda: None,
    "2 processes": lambda: 2,
    "ProcessPoolExecutor": process_pool,
    "ThreadPoolExecutor": lambda: ThreadPoolExecutor(2),
    "another executor": OneByOneExecutor,
}


@pytest.fixture(params=EXECUTORS)
def pool(request):
    """Return a pool of each kind of workers."""
    executor = EXECUTORS[request.param]()
    with WorkerPool(executor) as found:
        yield found
    if isinstance(executor, Executor):
        executor.shutdown()


def run_items(task, items, common=None, executor=None, **how):
    """Return the results of these items in a new pool."""
    with WorkerPool(executor) as pool:
        return dict(pool.run_unordered(task, items, common=common, **how))


def test_results_are_the_same_everywhere(pool):
    """For many items, an iterator, none, and one that raises an error."""
    assert sorted(pool.run_unordered(tasks.add, range(100), common=5)) == [(index, index + 5) for index in range(100)]
    assert pool.run(tasks.add, [3, 1], common=1, seconds=60) == [4, 2]
    assert dict(pool.run_unordered(tasks.add, iter([3, 1]), common=0)) == {0: 3, 1: 1}
    assert pool.run(tasks.add, []) == []
    assert pool.run(tasks.raise_at_three, range(5)) == [0, 1, 2, Failed("ValueError", "three"), 4]


@pytest.mark.parametrize("executor", ["2 processes", "ProcessPoolExecutor"])
def test_a_result_that_cannot_be_pickled_fails_alone(executor):
    """No other fails with it."""
    executor = EXECUTORS[executor]()
    found = run_items(tasks.unpicklable, range(5), executor=executor)
    assert found.pop(3).kind == "TypeError"
    assert found == {0: 0, 1: 1, 2: 2, 4: 4}
    if isinstance(executor, Executor):
        executor.shutdown()


def test_items_are_read_when_a_worker_needs_them(pool):
    """Of ten thousand, only the first chunks have been read when the first result comes."""
    read = []

    def items():
        for item in range(10_000):
            read.append(item)
            yield item

    found = pool.run_unordered(tasks.add, items(), common=0)
    next(found)
    assert len(read) <= 2 * 8
    found.close()


def test_values_that_are_no_executor_are_refused():
    """The error says at once what would be one."""
    for wrong in ("tcp://127.0.0.1:1", -1, 257, 2.5, object, [2]):
        with pytest.raises(DurakError, match=r"concurrent\.futures.*Dask"):
            WorkerPool(wrong)
        with pytest.raises(DurakError, match="greater than 0"):
            WorkerPool().run_unordered(tasks.add, [1], seconds=0)


def test_a_killed_process_loses_no_result(tmp_path):
    """What it was doing is done again."""
    assert run_items(tasks.kill_once, range(40), str(tmp_path / "killed"), 2) == {item: item for item in range(40)}


def test_any_process_may_be_killed_from_outside(tmp_path):
    """A signal arrives in the middle of a task."""
    with WorkerPool(2) as pool:
        found = pool.run_unordered(tasks.wait_for_file, [0, *range(1, 20)], common=str(tmp_path / "go"))
        assert next(found) == (0, 0)
        killed = [thread._process for thread in pool._worker_threads]
        for process in killed:
            process.kill()
            process.wait()
        (tmp_path / "go").touch()
        assert sorted(found) == [(item, item) for item in range(1, 20)]
        assert killed


@pytest.mark.parametrize("executor", ["2 processes", "ProcessPoolExecutor"])
def test_an_item_that_kills_its_process_is_tried_twice_and_fails_alone(executor, tmp_path):
    """The error has its cause. A broken `ProcessPoolExecutor` is replaced by worker processes, with a warning."""
    common = (str(tmp_path), 17)
    if executor == "2 processes":
        found = run_items(tasks.kill_at, range(40), common, 2)
        assert "exit code -9" in found[17].message or os.name != "posix"
    else:
        with process_pool() as broken, pytest.warns(UserWarning, match=r"can't go on \(BrokenProcessPool.*do the rest"):
            found = run_items(tasks.kill_at, range(40), common, broken)
    assert found.pop(17).kind == WORKER_DIED
    assert found == {item: item for item in range(40) if item != 17}
    assert len((tmp_path / "tries").read_text()) == 2


def test_an_executor_that_is_shut_down_is_replaced():
    """Before the first task or later, nothing is lost, and a warning names the replacement."""
    for first in (0, 3):
        threads = ThreadPoolExecutor(1)
        with WorkerPool(threads) as pool:
            found = pool.run_unordered(tasks.add, range(30), common=1)
            before = [next(found) for _ in range(first)]
            threads.shutdown(wait=False, cancel_futures=True)
            with pytest.warns(UserWarning, match=r"can't go on .*do the rest"):
                assert sorted([*before, *found]) == [(item, item + 1) for item in range(30)]


class RestartedExecutor(Executor):
    """Dask's executor after a restart of its cluster: earlier tasks are neither done nor cancelled."""

    def __init__(self):
        self._client = SimpleNamespace(status="running", generation=0, nthreads=lambda: {"worker": 1})
        Timer(0.2, lambda: setattr(self._client, "generation", 1)).start()

    def submit(self, function, *given):
        """Run the task at once after the restart."""
        future = Future()
        if self._client.generation:
            future.set_result(function(*given))
        return future


def test_tasks_lost_by_a_cluster_restart_are_done_again():
    """Dask may leave a future pending forever."""
    with WorkerPool(RestartedExecutor()) as pool:
        assert pool.run(tasks.add, range(5), common=1) == [1, 2, 3, 4, 5]


@pytest.mark.slow
def test_a_task_that_never_ends_is_stopped(pool):
    """It has failed, and the others are done. Tasks in this process have no limit."""
    if pool.executor is None and not pool.process_count:
        return
    found = pool.run(tasks.hang_at_two, [1, 2, 3, 4, 5], seconds=1)
    assert found == [1, Failed(TIMED_OUT, "it took longer than 1 seconds"), 3, 4, 5]


def test_stopping_leaves_nothing_behind(tmp_path):
    """Endless tasks are killed at once, the pool can be used again, and closing it ends all processes and threads."""
    with WorkerPool(2) as pool:
        found = pool.run_unordered(tasks.wait_for_file, range(50), common=str(tmp_path / "go"))
        assert next(found) == (0, 0)
        processes = {thread._process for thread in pool._worker_threads}
        found.close()
        assert pool.run(tasks.add, [1, 2], common=1) == [2, 3]
        processes |= {thread._process for thread in pool._worker_threads} - {None}
    assert processes
    assert all(process.poll() is not None for process in processes)
    assert [thread.name for thread in all_threads() if thread.name.startswith("durak-worker")] == []


def test_a_closed_pool_finishes_in_this_process():
    """A generator that outlives its pool still gives every result."""
    with WorkerPool(1) as pool:
        found = pool.run_unordered(tasks.add, range(30), common=1)
        before = [next(found)]
    assert sorted([*before, *found]) == [(item, item + 1) for item in range(30)]


SCRIPT = """
import sys
from support import parallel_tasks as tasks
from durak_widget.parallel import WorkerPool
with WorkerPool(2) as pool:
    for _ in pool.run_unordered(tasks.wait_for_file, range(50), common=sys.argv[1]):
        print("begun", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="a signal for one process")
def test_ctrl_c_stops_within_a_second(tmp_path):
    """Every worker is busy with a task that never ends."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    script = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "go")],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert script.stdout.readline() == "begun\n"
    began = time.monotonic()
    script.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in script.communicate(timeout=60)[1]
    assert time.monotonic() - began < 1


def test_processes_stay_for_the_next_run():
    """The second run finds the process of the first."""
    with WorkerPool(1) as pool:
        assert pool.run(tasks.process_id, [1, 2]) == pool.run(tasks.process_id, [1, 2])


def test_chunks_take_a_second_and_get_small_at_the_end(monkeypatch):
    """One item at first, then at most eight times more; at the end no worker has more than half its share."""
    sizes = []

    def run_chunk(_task, _common, items, _seconds):
        sizes.append(len(items))
        return list(items), len(items) * 0.001

    class Four(OneByOneExecutor):
        _max_workers = 4

    monkeypatch.setattr(
        parallel,
        "_run_pickled",
        lambda pickled, items, seconds, _: run_chunk(*parallel._load_task(pickled), parallel.pickle.loads(items), seconds),
    )
    assert len(run_items(tasks.add, range(20_000), 0, Four())) == 20_000
    assert sum(sizes) == 20_000
    assert sizes[0] == 1
    assert max(sizes) == 1000
    assert all(later <= 8 * max(sizes[: place + 1]) for place, later in enumerate(sizes[1:]))
    assert max(sizes[-8:]) <= 100


NOTEBOOK = """
import os, warnings
from concurrent.futures import ThreadPoolExecutor
from durak_widget.parallel import WorkerPool
from support import parallel_tasks as tasks
def mine(common, item):
    return os.getpid()
class Thing:
    def __add__(self, other): return os.getpid()
    __radd__ = __add__
def code(common, item):
    return common
for executor in (2, ThreadPoolExecutor(1)):
    for task, items, common in ((mine, [1, 2], None), (tasks.add, [Thing(), Thing()], 1), (tasks.add, [1, 2], Thing())):
        with warnings.catch_warnings(record=True) as said, WorkerPool(executor) as pool:
            warnings.simplefilter("always")
            print(pool.run(task, items, common=common) == [os.getpid()] * 2, [str(one.message) for one in said])
with WorkerPool(1) as pool:  # a student's text may well say __main__, and is no code of the notebook's
    print(pool.run(tasks.process_id, ['if __name__ == "__main__": pass'])[0][1] != os.getpid())
"""


def test_functions_of_a_notebook_run_in_this_process(tmp_path):
    """Other processes can't import `__main__`; one sentence says so. Threads can run it."""
    script = tmp_path / "notebook.py"
    script.write_text(NOTEBOOK)
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    done = subprocess.run([sys.executable, script], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.stderr == ""
    assert [line.count("this runs in one process") for line in lines] == [1, 1, 1, 0, 0, 0, 0]
    assert [line.count("is defined in a notebook") for line in lines] == [1, 1, 1, 0, 0, 0, 0]
    assert all(line.startswith("True") for line in lines)


def test_a_worker_of_another_version_is_not_used(monkeypatch):
    """Its results could differ, so local processes do the work."""
    with process_pool(1) as other, WorkerPool(other) as pool:
        pool.run(tasks.add, [1], common=1)
        monkeypatch.setattr(parallel, "VERSION", "0")
        with pytest.warns(UserWarning, match=r"a worker has durak_widget .* and not 0"):
            assert pool.run(tasks.add, [1, 2], common=1) == [2, 3]


def test_without_processes_everything_runs_here(monkeypatch):
    """In a browser there are none. If none can be started, a warning says so."""

    def refuse(*_, **__):
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(parallel.subprocess, "Popen", refuse)
    with WorkerPool(2) as pool, pytest.warns(UserWarning, match="no more processes"):
        assert pool.run(tasks.add, [1, 2], common=1) == [2, 3]
    monkeypatch.setattr(parallel.sys, "platform", "emscripten")
    assert run_items(tasks.add, [1, 2], 1, 7) == {0: 2, 1: 3}


def test_a_command_accepts_jobs_or_dask():
    """`--jobs` and `--dask` exclude each other."""
    with open_executor(2, None) as executor:
        assert executor == 2
    with pytest.raises(DurakError, match="not both"), open_executor(2, "tcp://127.0.0.1:1"):
        pass


class UnspeakableError(Exception):
    """An error without a text."""

    def __str__(self) -> str:
        raise ValueError


class Unloadable:
    """A value that can be pickled but not loaded."""

    def __reduce__(self) -> tuple[object, ...]:
        return int, ("x",)


def misbehave(_: object, item: object) -> object:
    """Run a task that fails in a different way for some items."""
    if item == "says nothing":
        raise UnspeakableError
    if item == "can't be loaded":
        return Unloadable()
    if item == "reads input":
        return input()
    if item == "forks":
        os.fork()
    return item


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system can't fork")
def test_an_item_that_misbehaves_fails_alone() -> None:
    """All other results come, each with its index. This one is right or has its error."""
    for item in ("says nothing", "can't be loaded", "reads input", "forks"):
        items = [item, *range(5)]
        with WorkerPool(1) as pool:
            found = pool.run(misbehave, items)
        assert found[1:] == [0, 1, 2, 3, 4]
        kinds = {"says nothing": "UnspeakableError", "can't be loaded": "ValueError", "reads input": "EOFError"}
        assert found[0] == "forks" if item == "forks" else found[0].kind == kinds[item]


class BreaksOnce(ThreadPoolExecutor):
    """An executor that breaks while a chunk is done for the second time."""

    def __init__(self) -> None:
        super().__init__(1)
        self.calls = 0

    def submit(self, *_given: object, **_more: object) -> Future[object]:
        """Fail the first chunk, keep the second running, then be broken."""
        self.calls += 1
        if self.calls > 2:
            raise BrokenExecutor("no more")
        future: Future[object] = Future()
        if self.calls == 1:
            future.set_exception(BrokenExecutor("its worker died"))
        return future


def test_results_are_not_lost_while_an_executor_breaks() -> None:
    """Each item has a result, whatever happens to the executor."""
    with pytest.warns(UserWarning, match="the executor can't go on"), WorkerPool(BreaksOnce()) as pool:
        found = pool.run(max, [1, 2, 3, 4], common=3)
    assert [result for result in found if not isinstance(result, Failed)] == found
