"""Test messages between a tree sketch and its page: all languages, any text, and hostile messages."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_widget import editor, gametheory
from durak_widget.editor.message_handlers import MESSAGE_HANDLERS
from durak_widget.editor.tree_draft import TreeDraft
from durak_widget.errors import DurakError
from durak_widget.i18n import Translator
from durak_widget.translated_errors import RefusedError
from editor.by_chance import scribble
from support.spoken import english

LANGUAGES = ("en", "lt", "ru")


def send_messages(sketch, *messages):
    """Send messages to the sketch, and return its messages to the page."""
    replies = []
    sketch.send = replies.append
    for message in messages:
        sketch._receive_message(sketch, message, [])
    return replies


def test_a_tree_can_be_drawn_by_messages_alone():
    """Each kind of message is used."""
    sketch = editor.Sketch()
    assert not send_messages(
        sketch,
        {"kind": "set_title", "text": "Signals"},
        {"kind": "rename_player", "player": 0, "text": "Sender"},
        {"kind": "add_player"},
        {"kind": "remove_player", "player": 2},
        {"kind": "add_chance_move", "id": 0},
        {"kind": "rename_action", "id": 1, "text": "strong"},
        {"kind": "set_probability", "id": 1, "text": "9/10"},
        {"kind": "set_actor", "id": 1, "player": 0},  # the first branch of an end
        {"kind": "add_action", "id": 1},
        {"kind": "shift_branch", "id": 3, "step": 1},
        {"kind": "set_label", "id": 1, "text": "strong"},
        {"kind": "copy", "id": 1},
        {"kind": "paste", "id": 2, "joined": True},
        {"kind": "split_infoset", "id": 2},
        {"kind": "join_infosets", "id": 1, "other": 2},
        {"kind": "undo"},
        {"kind": "select_node", "id": 1},
    )
    assert (sketch.draft.title, sketch.draft.names) == ("Signals", ("Sender", "Player 2"))
    assert sketch.draft.compute_chance_probabilities(0) == [Fraction(9, 10), Fraction(1, 10)]
    assert sketch.draft.get_actions(1) == sketch.draft.get_actions(2) == ("b", "a")
    assert (len(sketch.draft.list_infoset_nodes(1)), sketch.current_node) == (1, 1)
    for node in list(sketch.draft.nodes):
        if not sketch.draft.nodes[node].children:
            send_messages(sketch, {"kind": "set_payoffs", "id": node, "text": "1, -1"})
    (sent,) = send_messages(sketch, {"kind": "export", "format": "efg"})
    assert (sent["name"], sent["text"]) == ("signals.efg", sketch.efg)
    assert not send_messages(sketch, {"kind": "redo"}, {"kind": "remove_children", "id": 1}, {"kind": "remove_branch", "id": 2})
    assert not send_messages(sketch, *[{"kind": "undo"}] * (sketch.history.undo_count + 1))
    assert sketch.draft == TreeDraft()


REFUSED = {
    "a payoff": ({"kind": "set_payoffs", "id": 1, "text": "1; much"}, "sketch.refused.number", {"text": "much"}),
    "a probability": ({"kind": "set_probability", "id": 1, "text": "3/2"}, "board.refused.probability", {"text": "3/2"}),
    "a line": ({"kind": "join_infosets", "id": 1, "other": 2}, "sketch.refused.join_ends", {}),
    "a copy": ({"kind": "paste", "id": 1, "joined": False}, "sketch.refused.nothing_copied", {}),
    "a file": ({"kind": "export", "format": "python"}, "sketch.lacks.payoff", {"way": "a", "example": "1, 0"}),
}


def test_refusals_are_in_the_page_language():
    """Code gets the same in English."""
    for message, key, facts in REFUSED.values():
        for language in LANGUAGES:
            sketch = editor.Sketch(language=language)
            sketch.add_chance_move(0)
            assert send_messages(sketch, message) == [{"kind": "error", "text": Translator(language).translate(key, **facts)}]
            with pytest.raises(RefusedError) as refused:
                sketch.handle_message(message)
            assert str(refused.value) == Translator("en").translate(key, **facts)


def test_missing_parts_and_past_actions_are_described_in_every_language():
    """No text is a bare key or has an unfilled field."""
    for language in LANGUAGES:
        sketch = editor.Sketch(language=language)
        scribble(sketch, Random(4), 60)
        texts = [text["text"] for text in sketch.tree_draft_view["missing"]] + [
            sketch.tree_draft_view["last_step"],
            str(sketch),
            sketch.svg(),
        ]
        sketch.undo()
        texts.append(sketch.tree_draft_view["last_step"])
        assert not [
            text for text in texts if "sketch." in text or "{" in text.replace("{fill", "").replace("{stroke", "").partition("<style>")[0]
        ]
        sketch.language = "en"
        assert english("sketch.undone").match(sketch.tree_draft_view["last_step"])


WRONG = [
    None,
    "undo",
    {"kind": "dance"},
    {"kind": "add_action"},
    {"kind": "add_action", "id": "0"},
    {"kind": "add_action", "id": 0, "player": 7},
    {"kind": "add_action", "id": 0, "player": "one"},
    {"kind": "set_actor", "id": 0},
    {"kind": "set_payoffs", "id": 0, "text": 3},
    {"kind": "set_payoffs", "id": 0, "text": "1" * 300},
    {"kind": "rename_action", "id": 0, "text": "a\nb"},
    {"kind": "paste", "id": 0},
    {"kind": "join_infosets", "id": 0},
    {"kind": "export", "format": "exe"},
    {"kind": "shift_branch", "id": 0, "step": 0.5},
    {"kind": "rename_player", "player": 2, "text": "Ann"},
]


def test_malformed_messages_are_refused_and_change_nothing():
    """The error is in English, like all errors of programs."""
    for message in WRONG:
        sketch = editor.Sketch(language="lt")
        with pytest.raises(DurakError):
            sketch.handle_message(message)
        (reply,) = send_messages(sketch, message)
        assert reply["kind"] == "error"
        assert (sketch.draft, sketch.history.undo_count) == (TreeDraft(), 0)


TEXTS = st.text(max_size=40) | st.sampled_from(["1, -1", "1e99", "9" * 120, "1/0", "½ ½", "(1,2)", "−1;+1", "50 %, 2", "\u202e1, 2"])


@settings(max_examples=25)
@given(TEXTS, st.sampled_from(["set_payoffs", "rename_action", "set_probability", "set_label", "set_title", "rename_player"]))
def test_typed_text_is_accepted_or_refused_and_can_be_shown(text, kind):
    """Nothing breaks. Accepted text survives a file."""
    sketch = editor.Sketch()
    sketch.add_chance_move(0)
    sketch.set_actor(0, 0) if kind == "set_label" else None
    send_messages(sketch, {"kind": kind, "id": 0 if kind == "set_label" else 1, "player": 0, "text": text})
    json.dumps(sketch.tree_draft_view)
    json.dumps(sketch.focus_view)
    for node in sketch.draft.nodes[0].children:
        if None in sketch.draft.nodes[node].payoffs:
            sketch.set_payoffs(node, 1, 0)
    assert gametheory.from_efg(sketch.efg) == sketch.tree
    assert sketch.svg().startswith("<svg")
    sketch.close()


def test_the_widget_knows_every_kind_of_message():
    """It lists them by these names."""
    assert set(editor.Sketch.message_kinds) == set(MESSAGE_HANDLERS)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: editor.Sketch(colour="blue"), "Sketch has no option 'colour'"),
        (lambda: editor.Sketch(directon="down"), "Did you mean 'direction'"),
        (lambda: editor.Sketch(direction="up"), "'right', 'down'"),
        (lambda: editor.Sketch(editor.Sketch()), "is not a game tree"),
        (lambda: editor.Sketch("kuhn"), "'kuhn'"),
    ],
)
def test_unsuitable_arguments_are_refused_with_alternatives(make, message):
    """The message says what is accepted."""
    with pytest.raises(DurakError, match=message):
        make()


def test_notebook_output_has_a_picture_of_the_sketch():
    """Without a live widget it shows the picture, the text and what is missing."""
    sketch = editor.Sketch(gametheory.textbook("entry"))
    sketch.set_payoffs(2, None, None)
    data, _ = sketch._repr_mimebundle_()
    assert "<img" in data["text/html"] or "<svg" in data["text/html"]
    assert english("sketch.lacks.payoff", example="1, 0").search(data["text/plain"])
    sketch.direction = "down"
    assert sketch.drawing_view["direction"] == "down"
