"""Marks are the same to the digit whoever judges the answers, code behind walls too: processes of the package's own, an executor, a cluster."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from multiprocessing import get_context

import pytest

from durak_widget import DurakError, lessons
from durak_widget.grading.command_line import main
from durak_widget.homework.assignment import Assignment, Question
from support.classroom_handing import SMALL, answers, receipt, write
from support.classroom_kinds import coins
from support.small_cluster import small_cluster

CODED = Assignment("coded", "Coded", [Question("strategy", 4, "A strategy", lambda lots: lessons.Strategy(coins(lots)), "strategy")])
BAD = {"code": "def choose(view):\n    return 1 / 0"}
GOOD = {"code": "def choose(view):\n    return view.moves[0]"}


@pytest.fixture(scope="module")
def handed(tmp_path_factory):
    """Two students' answers, right and wrong; and two who gave code, which runs behind walls."""
    folder = tmp_path_factory.mktemp("by_others")
    kept = {name: answers(name, right, SMALL) for name, right in {"Ann": lambda _: True, "Žydrė": lambda place: place % 2}.items()}
    plain = write(folder / "plain", **{f"f{place}_json": receipt(name, one, SMALL) for place, (name, one) in enumerate(kept.items())})
    given = {name: {"strategy": {"answer": one, "attempts": 1}} for name, one in {"Bob": BAD, "Cid": GOOD}.items()}
    coded = write(folder / "coded", **{f"{name}_json": receipt(name, one, CODED) for name, one in given.items()})
    return [(plain, "support.classroom_handing:SMALL"), (coded, "test_marking_by_others:CODED")]


def marked(handed, **how):
    """All rows, and what was said beside them."""
    found = [lessons.mark(folder, assignment, anew=True, **how) for folder, assignment in handed]
    return [(one.rows, one.problems) for one in found]


@pytest.fixture(scope="module")
def usual(handed):
    """As it is marked here."""
    return marked(handed, jobs=0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["threads", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("processes", "cluster"))])
def test_somebody_elses_workers_give_the_same_marks(handed, usual, kind):
    """Of `concurrent.futures`, or of Dask, whose workers are daemons: the walls around code stand there too, which raises or chooses."""
    assert "ZeroDivisionError" in usual[1][0][0].explanation
    with small_cluster() if kind == "cluster" else nullcontext() as cluster:
        kinds = {
            "processes": lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn")),
            "threads": lambda: ThreadPoolExecutor(2),
        }
        with cluster.get_client() if kind == "cluster" else kinds[kind]() as one:
            assert marked(handed, executor=one) == usual


def test_two_answers_to_who_marks_are_refused(handed, capsys):
    """`jobs` and an executor at once, in Python and on the command line; and an address at which no cluster is."""
    with pytest.raises(DurakError, match="two answers to who marks"):
        marked(handed, jobs=2, executor=2)
    assert main(["mark", str(handed[0][0]), "--jobs", "1", "--dask", "tcp://127.0.0.1:1"]) == 1
    assert "not both" in capsys.readouterr().err
