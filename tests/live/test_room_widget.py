"""Test the widget of a room: languages, messages, and what the page may change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import durak_widget
from durak_widget.live.pages import get_words
from durak_widget.live.question import LANGUAGES, find_question_class
from durak_widget.live.room_widget import RoomWidget

OFFERED = json.loads((Path(durak_widget.__file__).parent / "frontend/src/live/projector/questions.json").read_text(encoding="utf-8"))
SPECS = [*OFFERED["games"], *OFFERED["numbers"]]


@pytest.fixture
def widget():
    """Return a widget that keeps what it sends."""
    widget = RoomWidget({"revision": 1, "phase": "lobby", "language": "en"})
    widget.sent = []
    widget.send = widget.sent.append
    yield widget
    widget.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_labels_follow_the_language_of_the_session(widget, language):
    """A new state brings the labels of its language with it."""
    widget.state = {"revision": 2, "phase": "lobby", "language": language}
    assert (widget.language, widget.words) == (language, get_words(language, "live.board."))


def test_the_page_gets_the_labels_before_the_state(widget):
    """No state is painted with the labels of another language."""
    order = []
    widget.observe(lambda change: order.append(change["name"]), ["words", "language", "state"])
    widget.state = {"revision": 2, "phase": "lobby", "language": "ru"}
    assert set(order) == {"words", "language", "state"}


def test_an_unknown_language_changes_no_labels(widget):
    """A state of a newer version cannot leave the page without words."""
    widget.state = {"revision": 2, "phase": "lobby", "language": "xx"}
    assert (widget.language, widget.words["main.stop"]) == ("en", get_words("en", "live.board.")["main.stop"])


def test_the_owner_gets_the_commands_of_the_page(widget):
    """The widget passes messages on, and does not answer them itself."""
    heard = []
    widget.on_msg(lambda _, message, __: heard.append(message))
    message = {"kind": "command", "command": {"do": "stop"}, "id": 7}
    widget._handle_custom_msg(message, [])
    assert (heard, widget.sent) == ([message], [])


@pytest.mark.parametrize("message", [{"kind": "other"}, {}, "stop", None])
def test_an_unknown_message_gets_an_answer(widget, message):
    """The page is told why nothing happens."""
    widget._handle_custom_msg(message, [])
    assert [reply["kind"] for reply in widget.sent] == ["error"]


def test_the_page_cannot_change_the_state(widget):
    """Only Python says what the session is like."""
    before = widget.get_state(["state", "connected", "language", "words"])
    widget.set_state({"state": {}, "connected": False, "language": "lt", "words": {}})
    assert widget.get_state(["state", "connected", "language", "words"]) == before


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.get("textbook", spec["kind"]))
def test_every_question_of_the_list_can_be_asked(spec):
    """The page offers no question that the session refuses, and names each in all languages."""
    seed = {"seed": 7} if spec["kind"].endswith("_price") else {}  # the page draws one
    assert find_question_class(spec).prepare({**spec, **seed})
    for language in LANGUAGES:
        assert get_words(language, "live.board.")[f"ask.{spec.get('textbook', spec['kind'])}"]
