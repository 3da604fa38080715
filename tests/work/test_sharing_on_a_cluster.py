"""Work is shared on a cluster of Dask: workers fall, the scheduler is begun again, the client is closed, and nothing is lost."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

import work_done
from durak_widget import DurakError
from durak_widget.work import asked, clusters
from durak_widget.work.sharing import Failed, Lost, share
from durak_widget.work.workers import Order
from small_cluster import small_cluster

distributed = pytest.importorskip("distributed")
ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of distributed's, of workers that were killed


@pytest.fixture(scope="module")
def cluster():
    """Two workers, processes of one thread each; one over which a task fell is not tried with that again, so that tests need not wait for three."""
    with small_cluster(**{"distributed.scheduler.allowed-failures": 0}) as one:
        yield one


@pytest.fixture
def client(cluster):
    """A client of its own for each test."""
    with distributed.Client(cluster, set_as_default=False) as one:
        yield one


def test_on_a_cluster_the_same_comes_of_it(client):
    """By the client, and by the executor that it gives: each place once."""
    for executor in (client, client.get_executor()):
        assert sorted(share(work_done.plus, range(300), common=5, executor=executor)) == [(place, place + 5) for place in range(300)]
    assert dict(share(work_done.raises_at_three, range(5), executor=client))[3] == Failed("ValueError", "three")
    assert dict(share(lambda common, thing: common * thing, [2, 3], common=2, executor=client)) == {0: 4, 1: 6}
    assert len({process for _, (_, process) in share(work_done.pid, range(300), executor=client)} | {os.getpid()}) == 3
    assert client.futures == {}


def test_a_killed_worker_takes_nothing_with_it(client, tmp_path):
    """A worker is killed in the middle of a chunk: everything comes."""
    assert sorted(share(work_done.kills_once, range(40), common=str(tmp_path / "fell"), executor=client)) == [(n, n) for n in range(40)]


def test_what_kills_its_worker_is_lost_alone(client):
    """Each time one thing kills its worker: it is lost, and nothing that was on that worker with it."""
    found = dict(share(work_done.kills_at, range(12), common=7, executor=client))
    assert found == {**{thing: thing for thing in range(12)}, 7: Lost(late=False)}


def test_what_never_ends_is_left_by_its_worker(client):
    """A thing that takes too long is lost, and was late."""
    assert dict(share(work_done.hangs_at_two, [1, 2, 3], executor=client, seconds=1)) == {0: 1, 1: Lost(late=True), 2: 3}


def test_whoever_leaves_a_cluster_leaves_no_task(client, tmp_path):
    """In the middle: what is out is cancelled, and nothing is kept for this client."""
    things = [0] * 20 + [1] * 80  # before one of nought has come, whichever worker is there by then, none is given that waits
    shared = share(work_done.waits, things, common=str(tmp_path / "go"), executor=client)
    assert next(shared)[1] == 0
    shared.close()
    assert client.futures == {}
    (tmp_path / "go").touch()


def test_a_restart_loses_nothing(client, tmp_path):
    """`client.restart()` in the middle, by whoever else has the cluster: what was out is given again."""
    shared = share(work_done.plus, range(2000), common=1, executor=client)
    found = [next(shared) for _ in range(3)]
    client.restart()
    found += shared
    assert sorted(found) == [(thing, thing + 1) for thing in range(2000)]


def test_a_closed_client_is_replaced(cluster):
    """In the middle: processes of this machine do the rest, and a warning says so."""
    with distributed.Client(cluster, set_as_default=False) as one:
        shared = share(work_done.plus, range(400), common=1, executor=one)
        found = [next(shared)]
        one.close()
        with pytest.warns(UserWarning, match=r"gone \(.*client is closed.*\); the rest is done by \d+ processes"):
            found += shared
    assert sorted(found) == [(thing, thing + 1) for thing in range(400)]


def begun(port, *, scheduler=True):
    """A process of a cluster, as `dask scheduler` and `dask worker` begin them."""
    told = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]),
        "DASK_DISTRIBUTED__ADMIN__TICK__LIMIT": "60s",
    }
    where = f"tcp://127.0.0.1:{port}"
    words = (
        ["scheduler", "--host", where, "--no-dashboard"]
        if scheduler
        else ["worker", where, "--no-nanny", "--no-dashboard", "--nthreads", "1"]
    )
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "dask", *words], env=told, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )


@pytest.mark.long
def test_a_scheduler_may_be_killed_and_begun_again(tmp_path):
    """At the same address, with new workers: the client finds it, and everything that was out is given again."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    running = [begun(port), begun(port, scheduler=False)]
    try:
        with distributed.Client(f"tcp://127.0.0.1:{port}", set_as_default=False, timeout=30) as one:
            shared = share(work_done.waits, range(30), common=str(tmp_path / "go"), executor=one)
            found = []
            thread = Thread(target=lambda: found.extend(shared), daemon=True)
            thread.start()
            while not (tmp_path / "go.begun").exists():
                thread.join(0.05)
            for process in running:
                process.kill()
                process.wait()
            (tmp_path / "go").touch()
            running = [begun(port), begun(port, scheduler=False)]
            thread.join(60)
        assert sorted(found) == [(thing, thing) for thing in range(30)]
    finally:
        for process in running:
            process.kill()
            process.wait()


def test_a_scheduler_that_does_not_come_back_is_replaced(monkeypatch, tmp_path):
    """After some seconds the rest is done by processes of this machine."""
    monkeypatch.setattr(clusters, "BACK", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    running = [begun(port), begun(port, scheduler=False)]
    try:
        with distributed.Client(f"tcp://127.0.0.1:{port}", set_as_default=False, timeout=30) as one:
            shared = share(work_done.plus, range(500), common=1, executor=one)
            found = [next(shared)]
            for process in running:
                process.kill()
                process.wait()
            with pytest.warns(UserWarning, match=r"not come back within 0\.5 seconds\); the rest is done by"):
                found += shared
        assert sorted(found) == [(thing, thing + 1) for thing in range(500)]
    finally:
        for process in running:
            process.kill()
            process.wait()


class Counted:
    """A client whose cluster grows, shrinks, and has nobody for a while."""

    asynchronous, status, scheduler, futures = False, "running", SimpleNamespace(ncores=None), {}

    def __init__(self):
        self.workers = iter([{"a": 1, "b": 2}, {"a": 1}, {}])

    def sync(self, *_, **__):
        """What the scheduler says next."""
        return next(self.workers)


def test_workers_are_counted_again_as_they_come_and_go(monkeypatch):
    """By their threads; with none, one is reckoned with, so that there is something to do for whoever comes."""
    monkeypatch.setattr(clusters, "_COUNTED", -1)
    crew = clusters.ClusterCrew(Counted(), Order(work_done.plus, 1))
    assert [crew.count(), crew.count(), crew.count()] == [3, 1, 1]
    client = Counted()
    client.asynchronous = True
    with pytest.raises(DurakError, match="is asynchronous"):
        clusters.ClusterCrew(client, Order(work_done.plus, 1))


def test_an_address_at_which_nobody_answers_is_told(monkeypatch):
    """In a sentence; and so is whoever says two things at once."""
    monkeypatch.setattr(clusters, "_ANSWERS", 0.3)
    with (
        pytest.raises(DurakError, match=r"no scheduler of Dask answers at 'tcp://127\.0\.0\.1:1'"),
        asked.asked_executor(None, "tcp://127.0.0.1:1"),
    ):
        pass
    with pytest.raises(DurakError, match="two answers"), asked.asked_executor(2, "tcp://127.0.0.1:1"):
        pass
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(DurakError, match=r"pip install 'durak_widget\[arena\]'"), asked.asked_executor(None, "tcp://127.0.0.1:1"):
        pass
