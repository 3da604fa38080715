"""An assignment: who is asked what, and that an answer judges alike after it has been through a file."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from durak_widget import lessons
from durak_widget.errors import DurakError
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.homework.assignment import Assignment, Question, get_assignment, parse_edition, resolve_assignment
from support.classroom_kinds import ASSIGNMENT, KINDS, wrong

every = pytest.mark.parametrize("name", KINDS)


def told(task):
    """All that an instance asks, and what would be right."""
    table, matrix, tree = (getattr(task, name, None) for name in ("table", "matrix", "tree"))
    lies = getattr(tree, "payoffs", None) or getattr(matrix, "payoffs", None) or (table and (table.game.hands, table.game.trump))
    return task.question, repr(task.solution), repr(lies), json.dumps(task.view_model(), sort_keys=True)


def test_the_same_student_gets_the_same_again():
    """However the name is written; and the order in which instances are drawn plays no part."""
    for name in KINDS:
        one = told(ASSIGNMENT.create_exercise(name, "Ann Lee"))
        ASSIGNMENT.create_exercise("few", "Bob")
        assert told(ASSIGNMENT.create_exercise(name, "  ann\u00a0LEE ")) == one


def test_others_and_another_year_get_other_instances():
    """Not each student another one, but several."""
    for name in KINDS:
        seen = {told(ASSIGNMENT.create_exercise(name, f"student {number}")) for number in range(12)}
        years = {told(ASSIGNMENT.with_edition(year).create_exercise(name, "Ann")) for year in range(2020, 2032)}
        assert len(seen) > 1
        assert len(years) > 1


def test_an_answer_judges_alike_after_it_has_been_through_a_file():
    """Right or wrong: same verdict, same credit."""
    for name in KINDS:
        for given in ("right", "wrong"):
            task, again = ASSIGNMENT.create_exercise(name, "Ann"), ASSIGNMENT.create_exercise(name, "Ann")
            assert task.last_answer is None
            verdict = task.answer(task.solution if given == "right" else wrong(task, name))
            through = json.loads(json.dumps(task.last_answer))
            assert through is not None
            assert again.answer(through) == verdict
            assert verdict.right is (given == "right")
            assert again.last_answer == task.last_answer
            assert compute_credit(again) == compute_credit(task)
            assert (compute_credit(task) == 1) is verdict.right


def test_a_question_is_found_by_its_name_or_number_and_bears_it():
    """From 1 on."""
    assert ASSIGNMENT.create_exercise(3, "Ann").question == ASSIGNMENT.create_exercise("chosen", "Ann").question
    assert ASSIGNMENT.create_exercise("chosen", "Ann").view_model()["number"] == "3"
    for none in (0, 99, -1, "chosn", None, 1.5):
        with pytest.raises(DurakError, match="has no question"):
            ASSIGNMENT.create_exercise(none, "Ann")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (("a b", 1, "t", print), "small letters, digits and hyphens"),
        (("a", 0, "t", print), "give 1 to 1000"),
        (("a", 1, 7, print), "words are given"),
        (("a", 1, "t", "f"), "made by a function"),
    ],
)
def test_what_is_no_question_is_refused_in_a_sentence(question, said):
    """When the assignment is made, not when a student opens it."""
    with pytest.raises(DurakError, match=said):
        Assignment("a", "A", [Question(*question)])


def test_what_is_no_assignment_is_refused_in_a_sentence():
    """By its name, by code, without questions, with two of a name, or with what makes no exercise."""
    one = Question("a", 1, "A", lambda lots: lots)
    for made in (
        lambda: get_assignment("econ"),
        lambda: resolve_assignment(7),
        lambda: resolve_assignment("no_such_module:X"),
        lambda: resolve_assignment("json:X"),
    ):
        with pytest.raises(DurakError, match="assignment"):
            made()
    with pytest.raises(DurakError, match="1 to 100 questions"):
        Assignment("a", "A", [])
    with pytest.raises(DurakError, match="two questions"):
        Assignment("a", "A", [one, one])
    with pytest.raises(DurakError, match="it makes an exercise"):
        Assignment("a", "A", [one]).create_exercise(1, "Ann")
    for kind in ("", "bot"):
        with pytest.raises(DurakError, match=r"say kind='strategy' of lessons\.Strategy"):
            Assignment("a", "A", [Question("a", 1, "A", KINDS["strategy"][0], kind)]).create_exercise(1, "Ann")
    with pytest.raises(DurakError, match="an edition"):
        parse_edition("2027\n")


def test_one_of_your_own_is_found_where_it_is():
    """By itself, or by its module and name, in the year that is asked for."""
    assert resolve_assignment(ASSIGNMENT) is ASSIGNMENT
    assert resolve_assignment("support.classroom_kinds:ASSIGNMENT", "2027").edition == "2027"
    assert (
        repr(ASSIGNMENT.with_edition(2027))
        == f"<Assignment 'all-kinds', edition '2027': {len(KINDS)} questions, {ASSIGNMENT.points} points>"
    )


def test_the_classroom_comes_when_it_is_asked_for():
    """Lessons know its names, and load none of it."""
    code = "import sys; from durak_widget import lessons; assert 'mark' in dir(lessons); sys.exit(any('classroom' in name for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert lessons.Assignment is Assignment
    with pytest.raises(AttributeError, match="has no 'makr'"):
        _ = lessons.makr


def test_the_command_says_what_it_knows():
    """And what it does not."""
    run = lambda *words: subprocess.run(  # noqa: E731 - a command
        [sys.executable, "-m", "durak_widget.lessons", *words], capture_output=True, text=True, check=False
    )
    assert (run().returncode, run("--help").stdout.count("\n")) == (0, 5)
    found = run("makr")
    assert (found.returncode, found.stdout) == (2, "")
    assert "Did you mean 'mark'?" in found.stderr
