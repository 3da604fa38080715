"""Equilibria marked in a matrix: both payoffs at once, each cell with who leaves it; none may be right."""

from __future__ import annotations

import pytest

from durak_widget.errors import DurakError
from durak_widget.lessons import OnMatrix

SEXES = [[(3, 2), (0, 0)], [(0, 0), (2, 3)]]
PENNIES = [[1, -1], [-1, 1]]


def test_a_click_on_either_payoff_marks_the_cell_and_another_takes_it_back():
    """The page is told that both are marked."""
    quiz = OnMatrix.equilibria(SEXES)
    quiz.handle_answer({"seat": 1, "row": 0, "column": 0})
    assert quiz.to_message()["marked"] == [[0, 0, 0], [1, 0, 0]]
    assert quiz.to_message()["whole"] is True
    quiz.handle_answer({"seat": 0, "row": 0, "column": 0})
    assert quiz.to_message()["marked"] == []


def test_each_cell_is_right_or_left_by_somebody():
    """A part is worth a part; a wrong cell takes back a right one; the mark stands on both payoffs, and goes with its cell."""
    quiz = OnMatrix.equilibria(SEXES)
    assert "Equilibria still to be found: 1." in str(quiz.answer([("A", "a")]))
    assert str(quiz.credit) == "1/2"
    assert "mark it" in str(quiz.answer([(0, 0)]))
    assert "is left: Row gets 3 by “A”, and 0 by staying." in str(quiz.answer([(0, 0), (1, 0)]))
    assert quiz.credit == 0
    assert quiz.to_message()["marks"] == {"0,0,0": "right", "1,0,0": "right", "0,1,0": "wrong", "1,1,0": "wrong"}
    quiz.handle_answer({"row": 1, "column": 0})
    assert quiz.to_message()["marks"] == {"0,0,0": "right", "1,0,0": "right"}
    assert quiz.answer(quiz.solution)
    assert quiz.last_answer == [[0, 0], [1, 1]]


def test_none_may_be_right():
    """To mark nothing is then the answer, and all else is none."""
    quiz = OnMatrix.equilibria(PENNIES)
    assert "is left" in str(quiz.answer([(0, 0)]))
    assert quiz.credit == 0
    assert "without mixing there is no equilibrium" in str(quiz.answer([]))
    assert quiz.credit == 1


def test_where_several_are_equally_good_nobody_leaves():
    """A payoff that another plan brings as well is no reason to go away."""
    assert OnMatrix.equilibria([[(1, 1), (1, 1)]]).solution == [(0, 0), (0, 1)]


def test_what_is_no_cell_is_refused():
    """In a sentence; what stands there stays."""
    for odd in ["A", 7, [(0,)], [(0, 5)], [("Z", "a")]]:
        quiz = OnMatrix.equilibria(SEXES)
        with pytest.raises(DurakError):
            quiz.answer(odd)
        assert quiz.last_answer is None
