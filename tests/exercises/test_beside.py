"""A game beside a question: its picture and its words are on the page, in print and in what is handed out without a key; what is right is in none of them."""

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
def test_it_is_seen_before_and_after_and_where_no_key_is(game):
    """On the page, for print, and in every language of a question that was handed out."""
    quiz = lessons.Number("How many plans?", 2, beside=game)
    for one in (quiz, remove_key(quiz)):
        for code in LANGUAGES:
            one.language = code
            assert "data:image/svg+xml" in one.view_model()["picture"]
            assert "stay out" in one.view_model()["picture"]
            assert "data:image/svg+xml" in one.static_mimebundle()["text/html"]
    assert quiz.answer(2)
    assert "data:image/svg+xml" in quiz.view_model()["picture"]
    assert lessons.sealed(lessons.seal(quiz)).view_model()["picture"]


def test_what_is_shown_tells_no_answer():
    """No best response is marked in a matrix, as it is where one looks at it."""
    marked = render_matrix_svg(MatrixViewModel(TABLE, MatrixWording(TABLE, Translator()), pairs=True))
    assert lessons.Number("?", 2, beside=TABLE).draw_question_picture().svg != marked
    assert draw_game_beside(TABLE, "en").svg == render_matrix_svg(
        MatrixViewModel(TABLE, MatrixWording(TABLE, Translator()), pairs=True, marks=False)
    )


def wide(moves):
    """A tree of one choice."""
    return gametheory.build_tree(
        "",
        lambda where: (
            gametheory.TerminalNode((1,)) if where else gametheory.DecisionNode(0, "?", [(f"{one}", f"{one}") for one in range(moves)])
        ),
        player_count=1,
    )


@pytest.mark.parametrize("odd", ["entry", 7, wide(MAX_HISTORIES)])
def test_what_cannot_be_shown_is_refused(odd):
    """What is no game, and a tree that nobody could read off a picture; one with a place less is shown."""
    assert lessons.Choose("Who?", {"a": "", "b": ""}, "a", beside=wide(MAX_HISTORIES - 1)).draw_question_picture()
    with pytest.raises(DurakError, match="is what is shown beside the question"):
        lessons.Choose("Who?", {"a": "", "b": ""}, "a", beside=odd)
