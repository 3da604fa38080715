"""Work is shared: whoever does it, the same comes of it, each place once, and nothing is left behind."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from threading import enumerate as threads

import pytest

import work_done
from durak_widget import DurakError
from durak_widget.work import sharing, workers
from durak_widget.work.sharing import Failed, Hands, Lost, Pace, share

ROOT = Path(__file__).resolve().parents[2]


def pool(jobs=2):
    """Processes of `concurrent.futures`, begun as everywhere from Python 3.14 on: a fork of threads may hang."""
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))


@pytest.fixture(params=["here", "own", "processes", "threads"])
def executor(request):
    """Each kind of whoever works, but a cluster."""
    if request.param in ("here", "own"):
        yield {"here": None, "own": 2}[request.param]
        return
    with pool() if request.param == "processes" else ThreadPoolExecutor(2) as one:
        yield one


def test_everywhere_the_same_comes_of_it(executor):
    """A hundred things, an iterator of them, none, and one that raises: every place once, with what is right for it."""
    assert sorted(share(work_done.plus, range(100), common=5, executor=executor)) == [(place, place + 5) for place in range(100)]
    assert dict(share(work_done.plus, iter([3, 1]), common="".__len__(), executor=executor, seconds=60)) == {0: 3, 1: 1}
    assert list(share(work_done.plus, [], executor=executor)) == []
    found = dict(share(work_done.raises_at_three, range(5), executor=executor))
    assert found == {0: 0, 1: 1, 2: 2, 3: Failed("ValueError", "three"), 4: 4}


def test_things_are_taken_when_they_are_handed_out(executor):
    """Of ten thousand, no more than a few chunks have been looked at when the first comes: what others do meanwhile can be left out."""
    looked = []

    def things():
        for thing in range(10_000):
            looked.append(thing)
            yield thing

    shared = share(work_done.plus, things(), common=0, executor=executor)
    next(shared)
    assert len(looked) <= 8
    shared.close()


def test_a_large_order_is_sent_to_whoever_asks_for_it():
    """What is common to all and is large goes to a worker of a pool once, not with every chunk; it comes to the same."""
    with pool(1) as one:
        common = list(range(20_000))
        assert dict(share(len_of, range(4), common=common, executor=one)) == dict.fromkeys(range(4), 20_000)


def len_of(common, _):
    """How large it is."""
    return len(common)


@pytest.mark.parametrize("wrong", ["tcp://127.0.0.1:1", -1, 2.5, object, [2]])
def test_who_does_not_work_is_refused_at_once(wrong):
    """In a sentence that says who would."""
    with pytest.raises(DurakError, match=r"is nobody who works: None .* concurrent\.futures .*Dask"):
        share(work_done.plus, [1], executor=wrong)
    with pytest.raises(DurakError, match="greater than 0"):
        share(work_done.plus, [1], seconds=0)


def test_a_killed_process_of_its_own_takes_nothing_with_it(tmp_path):
    """It is killed in the middle; another does what it had."""
    found = share(work_done.kills_once, range(40), common=str(tmp_path / "fell"), executor=2)
    assert sorted(found) == [(thing, thing) for thing in range(40)]


@pytest.mark.parametrize("kind", ["own", "processes"])
def test_what_kills_its_process_is_lost_alone(kind):
    """Each time one thing kills its process: nothing comes of it, and of all others what should; a pool that broke over it is replaced, with a word."""
    if kind == "own":
        found = dict(share(work_done.kills_at, range(40), common=17, executor=2))
    else:
        with pool() as one, pytest.warns(UserWarning, match=r"gone \(BrokenProcessPool.*rest is done by \d+ processes"):
            found = dict(share(work_done.kills_at, range(40), common=17, executor=one))
    assert found == {**{thing: thing for thing in range(40)}, 17: Lost(late=False)}


def test_an_executor_that_was_shut_down_is_replaced():
    """Before anything, or in the middle: a warning, and nothing is lost."""
    for first in (0, 3):
        one = ThreadPoolExecutor(1)
        shared = share(work_done.plus, range(30), common=1, executor=one)
        found = [next(shared) for _ in range(first)]
        one.shutdown(wait=False, cancel_futures=True)
        with pytest.warns(UserWarning, match="after shutdown"):
            found += shared
        assert sorted(found) == [(thing, thing + 1) for thing in range(30)]


def test_what_never_ends_is_stopped(executor):
    """A thing that takes too long is lost, and was late; those around it are done. Here nobody can stop it, so there is nothing to see."""
    if executor is None:
        return
    found = dict(share(work_done.hangs_at_two, [1, 2, 3, 4, 5], executor=executor, seconds=1.5))
    assert found == {0: 1, 1: Lost(late=True), 2: 3, 3: 4, 4: 5}


def test_whoever_leaves_it_leaves_nothing_behind(tmp_path):
    """In the middle of work that never ends: no thread, and no process that is at work; a call later finds processes again, and when all is closed none is left."""
    with Hands(2) as hands:
        shared = hands.share(work_done.waits, range(50), common=str(tmp_path / "go"))
        assert next(shared) == (0, 0)
        busy = list(hands._own._busy)
        assert busy
        shared.close()
        assert hands._own._busy == set()
        assert [one for one in busy if one.lives and one not in hands._own._free] == []
        assert [one.name for one in threads() if one.name.startswith("durak-")] == []
        assert hands.each(work_done.plus, [1, 2], common=1) == [2, 3]
        busy += hands._own._free
    assert [one for one in busy if one._process.poll() is None] == []


def test_processes_are_kept_between_two_orders():
    """The second call finds those of the first: nothing is begun again."""
    with Hands(1) as hands:
        first, second = (hands.each(work_done.pid, [1, 2]) for _ in range(2))
    assert first == second


def test_chunks_become_as_large_as_a_second_and_small_at_the_end():
    """Things of a millisecond: from one to a thousand, by no more than eight times; near the end no worker is left with more than half a share."""
    pace, sizes, left = Pace(), [], 20_000
    while left:
        sizes.append(min(left, pace.size(left, 4)))
        left -= sizes[-1]
        pace.note(sizes[-1], sizes[-1] * 0.001)
    assert sizes[:5] == [1, 8, 64, 512, 1000]
    assert all(later <= 8 * sooner for sooner, later in pairwise(sizes))
    assert max(sizes[-8:]) <= 100
    assert sum(one < 50 for one in sizes[3:]) <= 1
    slow = Pace()
    slow.note(1, 5.0)
    assert slow.size(1000, 4) == 1


NOTEBOOK = """
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from durak_widget.work.sharing import share
class Thing:
    def __init__(self, number): self.number = number
if __name__ == "__main__":
    many = 3
    for executor in (2, ProcessPoolExecutor(1, mp_context=get_context("spawn"))):
        found = dict(share(lambda common, thing: Thing(many * thing.number), [Thing(1), Thing(2)], executor=executor))
        print([(type(one) is Thing, one.number) for one in (found[0], found[1])])
    executor.shutdown()
"""


def test_what_a_notebook_defines_goes_to_other_processes(tmp_path):
    """A lambda that closes over something, and a class, both of `__main__`: they go there, and what comes back is of the same class."""
    script = tmp_path / "notebook.py"
    script.write_text(NOTEBOOK)
    done = subprocess.run(
        [sys.executable, "-W", "error", script], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[(True, 3), (True, 6)]\n" * 2, "")


def test_another_version_does_nothing_elsewhere(monkeypatch):
    """A worker that has another version of this package might do it otherwise: it says so, and it is done here."""
    with pool(1) as one:
        monkeypatch.setattr(workers, "VERSION", "0")
        with pytest.warns(UserWarning, match=r"cannot do this \(DurakError: durak_widget .* there, 0 here\)"):
            assert dict(share(work_done.plus, [1, 2], common=1, executor=one)) == {0: 2, 1: 3}


def test_without_cloudpickle_it_is_done_here_and_said(monkeypatch):
    """Where nothing carries what only this process knows, nothing fails: a warning names what to install."""
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.warns(UserWarning, match="pip install cloudpickle"):
        assert list(share(lambda common, thing: common + thing, [1, 2], common=1, executor=2)) == [(0, 2), (1, 3)]


def test_where_there_are_no_processes_all_is_done_here(monkeypatch):
    """As in a browser."""
    monkeypatch.setattr(sharing.sys, "platform", "emscripten")
    assert list(share(work_done.plus, [1, 2], common=1, executor=7)) == [(0, 2), (1, 3)]
