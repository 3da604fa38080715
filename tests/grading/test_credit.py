"""Test credit: the right part counts, a right answer earns everything, and marking everything earns nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import gametheory
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.lessons import Choose, Number, OnMatrix, OnTree, Pick, Strategy
from support.asked import coins
from support.classroom_kinds import ASSIGNMENT, KINDS, wrong

PAYOFFS = [[(3, 3), (0, 5)], [(5, 0), (1, 1)]]


@pytest.mark.slow
def test_credit_is_between_nothing_and_all():
    """Thirty students: unanswered earns nothing, wrong less than all, right all."""
    for name in KINDS:
        for number in range(30):
            task = ASSIGNMENT.create_exercise(name, f"student {number}")
            assert compute_credit(task) == 0
            task.answer(wrong(task, name))
            assert 0 <= compute_credit(task) < 1
            task = ASSIGNMENT.create_exercise(name, f"student {number}")
            task.answer(task.solution)
            assert (compute_credit(task), task.mistake_name) == (1, "")


@pytest.mark.parametrize(
    ("task", "given", "earned"),
    [
        (lambda: OnTree.values(coins(seen=True)), {1: "-1"}, "1/3"),
        (lambda: OnTree.values(coins(seen=True)), ["-1", "7", "-1"], "1/3"),
        (lambda: OnTree.values(coins(seen=True)), ["7", "7", "-1"], "1/3"),
        (lambda: OnMatrix.fill(coins()), ["1", "0", "0", "1"], "1/2"),
        (lambda: OnMatrix.strike(PAYOFFS), [(0, 0)], "1/2"),
        (lambda: OnMatrix.strike(PAYOFFS), [(0, 0), (1, 1)], "0"),
        (lambda: OnMatrix.best(PAYOFFS), [(0, 1, 0)], "1/4"),
        (lambda: OnMatrix.best(PAYOFFS), [(seat, row, column) for seat in (0, 1) for row in (0, 1) for column in (0, 1)], "0"),
        (lambda: OnTree.sets(coins()), [], "0"),
        (lambda: OnTree.sets(coins()), [[0, 1]], "0"),
        (lambda: Pick("Which?", "6c 7c 8c 9c", "6c 7c"), "6c 7c 8c 9c", "0"),
        (lambda: Pick("Which?", "6c 7c 8c 9c", ""), "6c", "0"),
        (lambda: Pick("Which?", "6c 7c 8c 9c", "6c 7c"), "6c 7c 8c", "1/2"),
        (lambda: Choose("Who?", {"a": "", "b": ""}, right="a"), "b", "0"),
        (lambda: Number("How many?", 7), "8", "0"),
        (lambda: Strategy(coins()), {0: {"heads": "3/4", "tails": "1/4"}}, "1/2"),
    ],
)
def test_the_right_part_of_an_answer_earns_credit(task, given, earned):
    """Consistent values after a mistake count. In lists, wrong items cancel right ones."""
    answered = task()
    answered.answer(given)
    assert compute_credit(answered) == Fraction(earned)


def test_a_shown_solution_earns_nothing():
    """A right answer after it earns nothing either."""
    quiz = Number("How many?", 7)
    quiz.reveal()
    quiz.answer("7")
    assert compute_credit(quiz) == 0


def test_mistakes_have_names():
    """Test numbers, boards and cards. Right and missing answers have none."""
    quiz = OnMatrix.fill(coins())
    assert quiz.mistake_name == ""
    quiz.answer(["x"])
    assert quiz.mistake_name == "matrix.fill.unread"
    quiz = Pick.beaters("Tc", of="9c Jc", trump="h")
    quiz.answer("9c")
    assert quiz.mistake_name.startswith("refusal.")
    quiz = OnTree.values(gametheory.from_efg('EFG 2 R "?" { "A" "B" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1, -1 } t "" 2 "" { 3, -3 }'))
    quiz.answer(["1"])
    assert quiz.mistake_name == "tree.wrong.least"
