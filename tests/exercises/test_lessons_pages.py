"""Test exercise pages: they show what Python sends, and answers are judged as from code."""

from __future__ import annotations

import pytest

from durak_widget.errors import DurakError
from durak_widget.exercises.exercise_widget import ExerciseWidget
from durak_widget.lessons import Choose, Drill, Pick
from support.asked import THROWING, RecordingPage


def test_the_page_can_change_the_language() -> None:
    """The page gets everything again."""
    quiz = Choose("?", {"a": "", "b": ""}, right="a")
    page = quiz._page = ExerciseWidget(quiz)
    quiz.language = "lt"
    assert (page.language, page.words["check"]) == ("lt", "Tikrinti")
    with pytest.raises(DurakError, match="there are no words in 'xx'"):
        quiz.language = "xx"


def test_answers_from_the_page_are_judged_as_from_code() -> None:
    """Test an answer, the solution and a new start. Other messages are refused."""
    quiz = Pick.moves(THROWING, "throw")
    page = quiz._page = RecordingPage(quiz)
    page._receive_message(None, {"kind": "answer", "answer": ["7h", "Kd"]}, [])
    assert (page.exercise_view["state"], page.exercise_view["attempt_count"], quiz.check()) == ("wrong", 1, False)
    page._receive_message(None, {"kind": "answer", "answer": ["7h", "7s", "9s"]}, [])
    assert (page.exercise_view["state"], page.exercise_view["attempt_count"], quiz.check()) == ("right", 2, True)
    page._receive_message(None, {"kind": "restart"}, [])
    assert (page.exercise_view["state"], page.exercise_view["answer"], quiz.check()) == ("", [], False)
    page._receive_message(None, {"kind": "reveal"}, [])
    assert (page.exercise_view["state"], page.exercise_view["answer"], quiz.check()) == ("shown", ["7h", "7s", "9s"], False)
    for odd in ({"kind": "next"}, {"kind": "answer", "answer": ["2c"]}, {"kind": "answer"}, "restart", None):
        page._receive_message(None, odd, [])
    assert len(page.told) == 5
    assert "2c is not among the cards" in page.told[1]["text"]


def test_the_page_cannot_change_the_sheet() -> None:
    """Only Python can."""
    page = ExerciseWidget(Choose("?", {"a": "", "b": ""}, right="a"))
    before = dict(page.exercise_view)
    page.set_state({"exercise_view": {"state": "right"}, "language": "ru"})
    assert (page.exercise_view, page.language) == (before, "en")


def test_a_drill_page_goes_to_the_next_question() -> None:
    """It shows the number of right answers in a row."""
    drill = Drill("beats", seed=1)
    page = drill._page = RecordingPage(drill)
    page._receive_message(None, {"kind": "answer", "answer": drill.solution}, [])
    assert (page.exercise_view["state"], page.exercise_view["streak"], page.exercise_view["level"]) == ("right", 1, 1)
    page._receive_message(None, {"kind": "next"}, [])
    assert (page.exercise_view["state"], page.exercise_view["streak"]) == ("", 1)
    assert not hasattr(page, "told")
    drill.language = "ru"
    assert page.words["check"] == "Проверить"
    assert page.exercise_view["question"].startswith("Выберите")
