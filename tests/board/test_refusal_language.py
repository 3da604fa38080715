"""Test the language of refusals on the board: trees and matrices follow the same rule."""

from __future__ import annotations

import pytest

from durak_widget import board, gametheory
from durak_widget.errors import DurakError
from durak_widget.i18n import Translator
from durak_widget.translated_errors import RefusedError
from support.spoken import english

LANGUAGES = ("en", "lt", "ru")


def tree(language):
    """Return a board of Kuhn's poker."""
    return board.Tree(gametheory.textbook("kuhn"), language=language)


def matrix(language):
    """Return a board of matching pennies, which has no dominated strategy."""
    return board.Matrix([[1, -1], [-1, 1]], language=language)


# the request from code, the message from the page, and the sentence
REFUSED = {
    "no strategy to answer": (
        tree,
        lambda view: view.mark_best_responses(0),
        {"kind": "mark_best_responses", "player": 0},
        "board.refused.nothing",
    ),
    "no table for poker": (tree, lambda view: view.open_on_table(0), {"kind": "open_table", "id": 0}, "board.refused.no_table"),
    "nothing to strike": (matrix, lambda view: view.eliminate(), {"kind": "eliminate"}, "matrix.nothing"),
}


def test_refusals_are_in_the_page_language_and_code_gets_english():
    """Trees and matrices do the same."""
    for made, asked, message, key in REFUSED.values():
        for language in LANGUAGES:
            view, sent = made(language), []
            with pytest.raises(RefusedError) as refused:
                asked(view)
            assert str(refused.value) == Translator("en").translate(key)
            view.send = sent.append
            view._receive_message(view, message, [])
            assert sent == [{"kind": "error", "text": Translator(language).translate(key)}]


def test_names_in_a_refusal_keep_their_language():
    """Only the sentence is translated."""
    for language in LANGUAGES:
        view, sent = matrix(language), []
        view.send = sent.append
        view._receive_message(view, {"kind": "eliminate", "player": 0, "strategy": 1}, [])
        assert "B" in sent[0]["text"]
        with pytest.raises(RefusedError, match=english("matrix.kept.most", plan="B", against="b", payoff="1")):
            view.eliminate("B")


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (tree, {"kind": "select_node", "id": 99}),
        (tree, {"kind": "dance"}),
        (matrix, {"kind": "select_cell", "row": 9, "column": 0}),
        (matrix, {"kind": "dance"}),
    ],
)
def test_malformed_messages_are_refused_in_english(made, message):
    """No page sends them, and programs get English errors."""
    messages = []
    for language in LANGUAGES:
        view = made(language)
        with pytest.raises(DurakError) as refused:
            view.handle_message(message)
        view.send = lambda sent_message: messages.append(sent_message["text"])
        view._receive_message(view, message, [])
        assert messages[-1] == str(refused.value)
    assert len(set(messages)) == 1
