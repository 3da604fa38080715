"""On a Dask cluster the results are the same, also when a worker dies, the cluster restarts, or its client is closed."""

from __future__ import annotations

import gc
import logging
import os
import warnings
from time import monotonic

import pytest

from durak_widget import DurakError
from durak_widget.parallel import TIMED_OUT, WORKER_DIED, Failed, WorkerPool, open_executor
from support import parallel_tasks as tasks
from support.small_cluster import small_cluster

distributed = pytest.importorskip("distributed")
# sockets of distributed's, of workers that were killed
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]


@pytest.fixture(scope="module", autouse=True)
def sockets():
    """Let the sockets of killed workers go before another test does, and fails for it."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(scope="module")
def cluster():
    """Two workers, which nobody kills."""
    with small_cluster() as one:
        yield one


@pytest.fixture
def client(cluster):
    """A client of its own for each test."""
    with distributed.Client(cluster, set_as_default=False) as one:
        yield one


@pytest.fixture
def pool(client):
    """The workers of the cluster."""
    with WorkerPool(client) as one:
        yield one


@pytest.fixture
def mortal_pool():
    """Three workers, of which two may die. Dask does not repeat what they were doing, as it does after three more deaths otherwise."""
    with (
        small_cluster(3, **{"distributed.scheduler.allowed-failures": 0}) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        WorkerPool(client) as one,
    ):
        yield one


def test_results_are_the_same_on_a_cluster(client, pool):
    """By the client and by its executor, on both workers; nothing is left on the cluster."""
    with WorkerPool(client.get_executor()) as by_executor:
        for one in (pool, by_executor):
            assert sorted(one.run_unordered(tasks.add, range(300), common=5)) == [(index, index + 5) for index in range(300)]
    assert pool.run(tasks.raise_at_three, range(5))[3] == Failed("ValueError", "three")
    assert len({process for _, process in pool.run(tasks.process_id, range(300))} | {os.getpid()}) == 3
    assert client.futures == {}


def test_a_killed_worker_costs_no_result(mortal_pool, tmp_path):
    """What it was doing is done again."""
    assert mortal_pool.run(tasks.kill_once, range(40), common=str(tmp_path / "killed")) == list(range(40))


def test_an_item_that_kills_its_worker_fails_alone(mortal_pool, tmp_path):
    """Nothing that was on that worker with it fails."""
    found = mortal_pool.run(tasks.kill_at, range(12), common=(str(tmp_path), 7))
    assert found.pop(7).kind == WORKER_DIED
    assert found == [item for item in range(12) if item != 7]
    assert len((tmp_path / "tries").read_text()) == 2


def test_a_task_that_never_ends_is_stopped(pool):
    """It has failed, and its worker does the others."""
    assert pool.run(tasks.hang_at_two, [1, 2, 3], seconds=1) == [1, Failed(TIMED_OUT, "it took longer than 1 seconds"), 3]


def test_who_stops_leaves_nothing_on_the_cluster(client, pool, tmp_path, caplog):
    """In the middle of tasks that do not end: they are cancelled."""
    # A result that arrives while its future is cancelled makes distributed log an error. pytest keeps that record until
    # the test ends, and with it the traceback, whose frames hold the result.
    caplog.set_level(logging.CRITICAL, logger="tornado.application")
    found = pool.run_unordered(tasks.wait_for_file, [0] * 20 + [1] * 80, common=str(tmp_path / "go"))
    assert next(found)[1] == 0
    found.close()
    deadline = monotonic() + 10
    while client.futures and monotonic() < deadline:  # the client's own thread releases them
        gc.collect()  # results that had come, but nobody asked for
    assert client.futures == {}
    (tmp_path / "go").touch()


def test_a_restart_costs_no_result(client, pool):
    """Somebody restarts the cluster in the middle."""
    found = pool.run_unordered(tasks.add, range(2000), common=1)
    before = [next(found) for _ in range(3)]
    client.restart()
    assert sorted([*before, *found]) == [(item, item + 1) for item in range(2000)]


def test_a_closed_client_is_replaced(client, pool):
    """In the middle: processes of this computer do the rest, and a warning says so."""
    found = pool.run_unordered(tasks.add, range(400), common=1)
    before = [next(found)]
    client.close()
    with pytest.warns(UserWarning, match=r"the executor can't go on .*do the rest"):
        assert sorted([*before, *found]) == [(item, item + 1) for item in range(400)]


def test_a_cluster_without_workers_is_waited_for():
    """Until one comes."""
    with small_cluster(0) as cluster, distributed.Client(cluster, set_as_default=False) as client, WorkerPool(client) as pool:
        found = pool.run_unordered(tasks.add, (cluster.scale(1) or item if item == 1 else item for item in range(5)), common=1)
        assert sorted(found) == [(item, item + 1) for item in range(5)]


def test_what_cannot_be_used_is_refused(monkeypatch):
    """An address at which nobody answers, and a client that does not wait."""
    connect = distributed.Client
    monkeypatch.setattr(distributed, "Client", lambda address, **named: connect(address, **{**named, "timeout": 0.3}))
    with pytest.raises(DurakError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:1'"), open_executor(None, "tcp://127.0.0.1:1"):
        pass
    client = connect.__new__(connect)
    client._asynchronous = True
    monkeypatch.setattr(connect, "asynchronous", property(lambda _: True))
    with pytest.raises(DurakError, match="is asynchronous"):
        WorkerPool(client)
