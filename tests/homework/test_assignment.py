"""Test assignments: who gets which question, and that answers are judged the same after a file."""

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


def question_and_key(task):
    """Return everything that an instance asks, and its right answer."""
    table, matrix, tree = (getattr(task, name, None) for name in ("table", "matrix", "tree"))
    lies = getattr(tree, "payoffs", None) or getattr(matrix, "payoffs", None) or (table and (table.game.hands, table.game.trump))
    return task.question, repr(task.solution), repr(lies), json.dumps(task.view_model(), sort_keys=True)


def test_the_same_student_gets_the_same_questions_again():
    """The spelling of the name and the order of drawing do not matter."""
    for name in KINDS:
        first = question_and_key(ASSIGNMENT.create_exercise(name, "Ann Lee"))
        ASSIGNMENT.create_exercise("few", "Bob")
        assert question_and_key(ASSIGNMENT.create_exercise(name, "  ann\u00a0LEE ")) == first


def test_other_students_and_years_get_other_instances():
    """Several instances exist, but not one per student."""
    for name in KINDS:
        seen = {question_and_key(ASSIGNMENT.create_exercise(name, f"student {number}")) for number in range(12)}
        years = {question_and_key(ASSIGNMENT.with_edition(year).create_exercise(name, "Ann")) for year in range(2020, 2032)}
        assert len(seen) > 1
        assert len(years) > 1


def test_an_answer_is_judged_the_same_after_a_file():
    """Right and wrong ones keep their verdict and credit."""
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


def test_a_question_is_found_by_its_name_or_number():
    """Numbers start at 1, and the exercise carries both."""
    assert ASSIGNMENT.create_exercise(3, "Ann").question == ASSIGNMENT.create_exercise("chosen", "Ann").question
    assert ASSIGNMENT.create_exercise("chosen", "Ann").view_model()["number"] == "3"
    for none in (0, 99, -1, "chosn", None, 1.5):
        with pytest.raises(DurakError, match="has no question"):
            ASSIGNMENT.create_exercise(none, "Ann")


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (("a b", 1, "t", print), "small letters, digits and hyphens"),
        (("a", 0, "t", print), "1 to 1000"),
        (("a", 1, 7, print), "text for each language"),
        (("a", 1, "t", "f"), "function"),
    ],
)
def test_invalid_questions_are_refused_when_the_assignment_is_made(question, sentence):
    """Students never see them."""
    with pytest.raises(DurakError, match=sentence):
        Assignment("a", "A", [Question(*question)])


def test_invalid_assignments_are_refused():
    """Test names, code, no questions, repeated names, and questions that make no exercise."""
    question = Question("a", 1, "A", lambda lots: lots)
    for make in (
        lambda: get_assignment("econ"),
        lambda: resolve_assignment(7),
        lambda: resolve_assignment("no_such_module:X"),
        lambda: resolve_assignment("json:X"),
    ):
        with pytest.raises(DurakError, match="assignment"):
            make()
    with pytest.raises(DurakError, match="1 to 100 questions"):
        Assignment("a", "A", [])
    with pytest.raises(DurakError, match="two questions"):
        Assignment("a", "A", [question, question])
    with pytest.raises(DurakError, match="exercise"):
        Assignment("a", "A", [question]).create_exercise(1, "Ann")
    for kind in ("", "bot"):
        with pytest.raises(DurakError, match="kind='strategy'"):
            Assignment("a", "A", [Question("a", 1, "A", KINDS["strategy"][0], kind)]).create_exercise(1, "Ann")
    with pytest.raises(DurakError, match="edition"):
        parse_edition("2027\n")


def test_a_custom_assignment_is_found():
    """It is given as an object, or by module and name, in the right year."""
    assert resolve_assignment(ASSIGNMENT) is ASSIGNMENT
    assert resolve_assignment("support.classroom_kinds:ASSIGNMENT", "2027").edition == "2027"
    assert (
        repr(ASSIGNMENT.with_edition(2027))
        == f"<Assignment 'all-kinds', edition '2027': {len(KINDS)} questions, {ASSIGNMENT.points} points>"
    )


def test_homework_modules_are_loaded_on_demand():
    """`lessons` lists their names without loading them."""
    code = "import sys; from durak_widget import lessons; assert 'mark' in dir(lessons); sys.exit(any('classroom' in name for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert lessons.Assignment is Assignment
    with pytest.raises(AttributeError, match="has no 'makr'"):
        _ = lessons.makr


def test_the_command_lists_what_it_knows():
    """It also says what it doesn't know."""
    run = lambda *words: subprocess.run(  # noqa: E731 - a command
        [sys.executable, "-m", "durak_widget.lessons", *words], capture_output=True, text=True, check=False
    )
    assert (run().returncode, run("--help").stdout.count("\n")) == (0, 5)
    found = run("makr")
    assert (found.returncode, found.stdout) == (2, "")
    assert "Did you mean 'mark'?" in found.stderr
