"""Test that marks are the same in other processes, executors and clusters, also for sandboxed code."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from multiprocessing import get_context

import pytest

from durak_widget import DurakError, lessons
from durak_widget.grading.command_line import main
from durak_widget.homework.assignment import Assignment, Question
from support.classroom_handing import SMALL, answers, receipt, write_files
from support.classroom_kinds import coins
from support.small_cluster import small_cluster

CODED = Assignment("coded", "Coded", [Question("strategy", 4, "A strategy", lambda lots: lessons.Strategy(coins(lots)), "strategy")])
BAD = {"code": "def choose(view):\n    return 1 / 0"}
GOOD = {"code": "def choose(view):\n    return view.moves[0]"}


@pytest.fixture(scope="module")
def submissions(tmp_path_factory):
    """Return the answers of two students, and of two who gave code."""
    folder = tmp_path_factory.mktemp("by_others")
    answers_by_student = {
        name: answers(name, right, SMALL) for name, right in {"Ann": lambda _: True, "Žydrė": lambda place: place % 2}.items()
    }
    plain = write_files(
        folder / "plain",
        **{f"f{place}_json": receipt(name, record, SMALL) for place, (name, record) in enumerate(answers_by_student.items())},
    )
    given = {name: {"strategy": {"answer": record, "attempts": 1}} for name, record in {"Bob": BAD, "Cid": GOOD}.items()}
    coded = write_files(folder / "coded", **{f"{name}_json": receipt(name, record, CODED) for name, record in given.items()})
    return [(plain, "support.classroom_handing:SMALL"), (coded, "test_marking_executors:CODED")]


def mark_rows(submissions, **how):
    """Return all rows and messages."""
    found = [lessons.mark(folder, assignment, anew=True, **how) for folder, assignment in submissions]
    return [(mark.rows, mark.problems) for mark in found]


@pytest.fixture(scope="module")
def expected_rows(submissions):
    """Return the rows of marking in this process."""
    return mark_rows(submissions, jobs=0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["threads", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("processes", "cluster"))])
def test_other_executors_give_the_same_marks(submissions, expected_rows, kind):
    """Test `concurrent.futures` and Dask, whose workers are daemons. Sandboxed code raises or chooses there."""
    assert "ZeroDivisionError" in expected_rows[1][0][0].explanation
    with small_cluster() if kind == "cluster" else nullcontext() as cluster:
        kinds = {
            "processes": lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn")),
            "threads": lambda: ThreadPoolExecutor(2),
        }
        with cluster.get_client() if kind == "cluster" else kinds[kind]() as executor:
            assert mark_rows(submissions, executor=executor) == expected_rows


def test_jobs_and_executor_together_are_refused(submissions, capsys):
    """Python and the command refuse them, and an address without a cluster."""
    with pytest.raises(DurakError, match="jobs=2 or executor=2, not both"):
        mark_rows(submissions, jobs=2, executor=2)
    assert main(["mark", str(submissions[0][0]), "--jobs", "1", "--dask", "tcp://127.0.0.1:1"]) == 1
    assert "not both" in capsys.readouterr().err
