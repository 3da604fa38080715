"""Test equilibria marked in a matrix: a mark covers both payoffs, and each wrong cell gets its reason."""

from __future__ import annotations

import pytest

from durak_widget.errors import DurakError
from durak_widget.lessons import OnMatrix
from support.spoken import english, english_text

SEXES = [[(3, 2), (0, 0)], [(0, 0), (2, 3)]]
PENNIES = [[1, -1], [-1, 1]]


def test_a_click_on_either_payoff_marks_and_unmarks_the_cell():
    """The page gets both marks."""
    quiz = OnMatrix.equilibria(SEXES)
    quiz.handle_answer({"player": 1, "row": 0, "column": 0})
    assert quiz.to_message()["marked"] == [[0, 0, 0], [1, 0, 0]]
    assert quiz.to_message()["marks_whole_cells"] is True
    quiz.handle_answer({"player": 0, "row": 0, "column": 0})
    assert quiz.to_message()["marked"] == []


def test_each_cell_is_right_or_names_the_player_who_would_deviate():
    """Parts earn credit, wrong cells cancel right ones, and marks disappear with their cell."""
    quiz = OnMatrix.equilibria(SEXES)
    assert english_text("lesson.matrix.cells.missing.one", count="1") in str(quiz.answer([("A", "a")]))
    assert str(quiz.credit) == "1/2"
    assert english("lesson.matrix.cells.missed", row="B", column="b").search(str(quiz.answer([(0, 0)])))
    assert english("lesson.matrix.cells.left", who="Row", more="3", better="A", mine="0").search(str(quiz.answer([(0, 0), (1, 0)])))
    assert quiz.credit == 0
    assert quiz.to_message()["marks"] == {"0,0,0": "right", "1,0,0": "right", "0,1,0": "wrong", "1,1,0": "wrong"}
    quiz.handle_answer({"row": 1, "column": 0})
    assert quiz.to_message()["marks"] == {"0,0,0": "right", "1,0,0": "right"}
    assert quiz.answer(quiz.solution)
    assert quiz.last_answer == [[0, 0], [1, 1]]


def test_no_cell_may_be_the_right_answer():
    """Marking nothing is then right, and everything else is wrong."""
    quiz = OnMatrix.equilibria(PENNIES)
    assert english("lesson.matrix.cells.left").search(str(quiz.answer([(0, 0)])))
    assert quiz.credit == 0
    assert english("lesson.matrix.cells.none").search(str(quiz.answer([])))
    assert quiz.credit == 1


def test_equally_good_strategies_are_no_reason_to_deviate():
    """The payoff must be strictly better."""
    assert OnMatrix.equilibria([[(1, 1), (1, 1)]]).solution == [(0, 0), (0, 1)]


def test_invalid_cells_are_refused():
    """A message says why, and the marks stay."""
    for odd in ["A", 7, [(0,)], [(0, 5)], [("Z", "a")]]:
        quiz = OnMatrix.equilibria(SEXES)
        with pytest.raises(DurakError):
            quiz.answer(odd)
        assert quiz.last_answer is None
