"""Test Dask clusters: results are the same, also if a worker dies, the cluster restarts or its client closes."""

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
# sockets of killed workers
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]


@pytest.fixture(scope="module", autouse=True)
def closed_sockets():
    """Wait until the sockets of killed workers are closed, so that no later test fails for them."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(scope="module")
def cluster():
    """Return a cluster of two workers."""
    with small_cluster() as dask_cluster:
        yield dask_cluster


@pytest.fixture
def client(cluster):
    """Return a new client for each test."""
    with distributed.Client(cluster, set_as_default=False) as dask_client:
        yield dask_client


@pytest.fixture
def pool(client):
    """Return a pool of the cluster's workers."""
    with WorkerPool(client) as worker_pool:
        yield worker_pool


@pytest.fixture
def killable_pool():
    """Return a pool of three workers, of which two may die. Dask does not repeat their tasks."""
    with (
        small_cluster(3, **{"distributed.scheduler.allowed-failures": 0}) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        WorkerPool(client) as worker_pool,
    ):
        yield worker_pool


def test_results_are_the_same_on_a_cluster(client, pool):
    """Client and executor use both workers, and nothing is left on the cluster."""
    with WorkerPool(client.get_executor()) as by_executor:
        for executor in (pool, by_executor):
            assert sorted(executor.run_unordered(tasks.add, range(300), common=5)) == [(index, index + 5) for index in range(300)]
    assert pool.run(tasks.raise_at_three, range(5))[3] == Failed("ValueError", "three")
    assert len({process for _, process in pool.run(tasks.process_id, range(300))} | {os.getpid()}) == 3
    assert client.futures == {}


def test_a_killed_worker_loses_no_result(killable_pool, tmp_path):
    """What it was doing is done again."""
    assert killable_pool.run(tasks.kill_once, range(40), common=str(tmp_path / "killed")) == list(range(40))


def test_an_item_that_kills_its_worker_fails_alone(killable_pool, tmp_path):
    """Other tasks of that worker do not fail."""
    found = killable_pool.run(tasks.kill_at, range(12), common=(str(tmp_path), 7))
    assert found.pop(7).kind == WORKER_DIED
    assert found == [item for item in range(12) if item != 7]
    assert len((tmp_path / "tries").read_text()) == 2


def test_a_task_that_never_ends_is_stopped(pool):
    """It has failed, and its worker does the others."""
    assert pool.run(tasks.hang_at_two, [1, 2, 3], seconds=1) == [1, Failed(TIMED_OUT, "it took longer than 1 seconds"), 3]


def test_stopping_leaves_nothing_on_the_cluster(client, pool, tmp_path, caplog):
    """Endless tasks are cancelled."""
    # A result that arrives while its future is cancelled makes distributed log an error. pytest keeps that record until
    # the test ends, and with it the traceback, whose frames hold the result.
    caplog.set_level(logging.CRITICAL, logger="tornado.application")
    found = pool.run_unordered(tasks.wait_for_file, [0] * 20 + [1] * 80, common=str(tmp_path / "go"))
    assert next(found)[1] == 0
    found.close()
    deadline = monotonic() + 10
    while client.futures and monotonic() < deadline:  # the client's own thread releases them
        gc.collect()  # results that had come but were not requested
    assert client.futures == {}
    (tmp_path / "go").touch()


def test_a_restart_loses_no_result(client, pool):
    """The cluster restarts in the middle."""
    found = pool.run_unordered(tasks.add, range(2000), common=1)
    before = [next(found) for _ in range(3)]
    client.restart()
    assert sorted([*before, *found]) == [(item, item + 1) for item in range(2000)]


def test_a_closed_client_is_replaced(client, pool):
    """Local processes do the rest, and a warning says so."""
    found = pool.run_unordered(tasks.add, range(400), common=1)
    before = [next(found)]
    client.close()
    with pytest.warns(UserWarning, match=r"the executor can't go on .*do the rest"):
        assert sorted([*before, *found]) == [(item, item + 1) for item in range(400)]


def test_a_cluster_without_workers_is_waited_for():
    """The pool waits until a worker comes."""
    with small_cluster(0) as cluster, distributed.Client(cluster, set_as_default=False) as client, WorkerPool(client) as pool:
        found = pool.run_unordered(tasks.add, (cluster.scale(1) or item if item == 1 else item for item in range(5)), common=1)
        assert sorted(found) == [(item, item + 1) for item in range(5)]


def test_unusable_clusters_are_refused(monkeypatch):
    """Test an address without an answer, and an asynchronous client."""
    connect = distributed.Client
    monkeypatch.setattr(distributed, "Client", lambda address, **named: connect(address, **{**named, "timeout": 0.3}))
    with pytest.raises(DurakError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:1'"), open_executor(None, "tcp://127.0.0.1:1"):
        pass
    client = connect.__new__(connect)
    client._asynchronous = True
    monkeypatch.setattr(connect, "asynchronous", property(lambda _: True))
    with pytest.raises(DurakError, match="is asynchronous"):
        WorkerPool(client)
