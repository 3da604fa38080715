"""Test games shown beside a question: on the page, in print and handed out, without the right answer."""

from __future__ import annotations

import pytest

from durak_widget import gametheory, lessons
from durak_widget.board.matrix_svg import render_matrix_svg
from durak_widget.board.matrix_view_model import MatrixViewModel, MatrixWording
from durak_widget.errors import DurakError
from durak_widget.exercises.exercise import MAX_HISTORIES, draw_game_beside
from durak_widget.homework.keyless_exercise import remove_key
from durak_widget.i18n import LANGUAGES, Translator

ENTRY = gametheory.textbook("entry")
TABLE = gametheory.matrix(ENTRY)


@pytest.mark.parametrize("game", [ENTRY, TABLE])
def test_the_game_is_shown_before_and_after_answering_and_without_a_key(game):
    """Test the page, print, and every language of a question handed out."""
    quiz = lessons.Number("How many plans?", 2, beside=game)
    for task in (quiz, remove_key(quiz)):
        for code in LANGUAGES:
            task.language = code
            assert "data:image/svg+xml" in task.view_model()["picture"]
            assert "stay out" in task.view_model()["picture"]
            assert "data:image/svg+xml" in task.static_mimebundle()["text/html"]
    assert quiz.answer(2)
    assert "data:image/svg+xml" in quiz.view_model()["picture"]
    assert lessons.sealed(lessons.seal(quiz)).view_model()["picture"]


def test_the_game_shown_does_not_reveal_the_answer():
    """Its matrix marks no best response, as a matrix board would."""
    marked = render_matrix_svg(MatrixViewModel(TABLE, MatrixWording(TABLE, Translator()), pairs=True))
    assert lessons.Number("?", 2, beside=TABLE).draw_question_picture().svg != marked
    assert draw_game_beside(TABLE, "en").svg == render_matrix_svg(
        MatrixViewModel(TABLE, MatrixWording(TABLE, Translator()), pairs=True, marks=False)
    )


def wide_tree(moves):
    """Return a tree of one choice with this many moves."""
    return gametheory.build_tree(
        "",
        lambda where: (
            gametheory.TerminalNode((1,)) if where else gametheory.DecisionNode(0, "?", [(f"{move}", f"{move}") for move in range(moves)])
        ),
        player_count=1,
    )


@pytest.mark.parametrize("odd", ["entry", 7, wide_tree(MAX_HISTORIES)])
def test_unreadable_games_are_refused(odd):
    """Test other values, and a tree too large for a picture. One node fewer is shown."""
    assert lessons.Choose("Who?", {"a": "", "b": ""}, "a", beside=wide_tree(MAX_HISTORIES - 1)).draw_question_picture()
    with pytest.raises(DurakError, match="beside the question"):
        lessons.Choose("Who?", {"a": "", "b": ""}, "a", beside=odd)
