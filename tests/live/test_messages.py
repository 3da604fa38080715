"""Tests of the allow-list: a page may send a few kinds of message, and all others are refused with a reason."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget.i18n import Translator
from durak_widget.live.messages import MAX_MESSAGE_BYTES, REASONS, MessageError, clean_name, fold_name, parse_hello, parse_message
from durak_widget.live.question import LANGUAGES

ANSWER = {"kind": "answer", "question": 1, "answer": {"choice": 1}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | st.sampled_from(["kind", "answer", "question"]), inner)
    ),
    max_leaves=20,
)


def _reason(message, parse=parse_message) -> str:
    with pytest.raises(MessageError) as caught:
        parse(message)
    return caught.value.reason


@pytest.mark.parametrize(
    "message",
    [ANSWER, {"kind": "language", "language": "lt"}, {"kind": "rename", "name": "Ann"}, {"kind": "ping"}, {**ANSWER, "answer": None}],
)
def test_allowed_messages(message):
    """Each kind of the list is accepted, as JSON, text and bytes."""
    assert parse_message(message) == parse_message(json.dumps(message)) == parse_message(json.dumps(message).encode()) == message


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (None, "malformed"),
        ([], "malformed"),
        ("", "malformed"),
        (b"\xff", "malformed"),
        ("{", "malformed"),
        ("[" * 4000, "malformed"),
        ('{"kind":"ping","kind2":1}', "malformed"),
        ({}, "malformed"),
        ({"kind": 1}, "malformed"),
        ({"kind": ["ping"]}, "malformed"),
        ({"kind": "stop"}, "unknown_kind"),
        ({"kind": "join", "name": "Ann", "language": "en"}, "unknown_kind"),
        ({"kind": "answer", "question": 1}, "malformed"),
        ({"kind": "answer", "question": "1", "answer": 1}, "malformed"),
        ({"kind": "answer", "question": True, "answer": 1}, "malformed"),
        ({**ANSWER, "seat": 3}, "malformed"),
        ({**ANSWER, "answer": float("nan")}, "malformed"),
        ('{"kind":"answer","question":1,"answer":NaN}', "malformed"),
        ('{"kind":"answer","question":1,"answer":1e999}', "malformed"),
        ('{"kind":"answer","question":1,"answer":"\\ud800"}', "malformed"),
        ({**ANSWER, "answer": 10**400}, "malformed"),
        ({**ANSWER, "answer": [[[[[[[[[[1]]]]]]]]]]}, "malformed"),
        ({**ANSWER, "answer": {1: 2}}, "malformed"),
        ({**ANSWER, "answer": object()}, "malformed"),
        (json.dumps({**ANSWER, "answer": "x" * 5000}), "too_long"),
        ({**ANSWER, "answer": "x" * 5000}, "too_long"),
        ({**ANSWER, "answer": [0] * 5000}, "too_long"),
        (json.dumps({**ANSWER, "answer": "ž" * 3000}, ensure_ascii=False), "too_long"),
    ],
)
def test_refused_messages(message, reason):
    """All else is refused, with the reason."""
    assert _reason(message) == reason


def test_the_longest_message_is_accepted():
    """A message may have 4,096 bytes, and not one more."""
    empty = json.dumps({**ANSWER, "answer": ""})
    longest = json.dumps({**ANSWER, "answer": "x" * (MAX_MESSAGE_BYTES - len(empty))})
    assert parse_message(longest)["kind"] == "answer"
    assert _reason(longest + " ") == "too_long"


@given(JSON)
def test_any_json_is_accepted_or_refused(value):
    """No JSON value causes another error, whether it is a message, an answer or text."""
    for message in (value, {**ANSWER, "answer": value}, {"kind": value}, json.dumps(value), str(value)):
        for parse in (parse_message, parse_hello):
            try:
                assert parse(message)["kind"]
            except MessageError as error:  # noqa: PERF203 - each message may be refused
                assert error.reason in REASONS


@given(st.binary(max_size=5000))
def test_any_bytes_are_accepted_or_refused(data):
    """No bytes cause another error."""
    try:
        parse_message(data)
    except MessageError as error:
        assert error.reason in REASONS


def test_the_first_message_joins_or_resumes():
    """A connection begins with a name or a key; an unknown language is left open."""
    assert parse_hello({"kind": "join", "name": "Ann", "language": "ru"})["language"] == "ru"
    assert not parse_hello({"kind": "resume", "key": "abc", "language": "xx"})["language"]
    assert _reason(ANSWER, parse_hello) == "unknown_kind"
    assert _reason({"kind": "join", "name": "Ann"}, parse_hello) == "malformed"


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("Ann", "Ann"),
        ("  Ann\t\n Lee ", "Ann Lee"),
        ("A\u0000n\u202en\u200b", "Ann"),
        ("Žilvinas", "Žilvinas"),
        ("x" * 30, "x" * 30),
        ("A\u200d\u0301", "\u00c1"),
        ("Zoe\u0301\u0301\u0301\u0301\u0301", "Zo\u00e9\u0301\u0301"),
        ("\u0301\u0301Ann", "Ann"),
        ("A\u3164n\u115f\u1160n\u2800\uffa0", "Ann"),
        ("A\ufe0fnn\U000e0101", "Ann"),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("\u2764\ufe0f\ufe0f", "\u2764\ufe0f"),
        ("7", "7"),
        ("?!", "?!"),
        ("नेहा", "नेहा"),
    ],
)
def test_names_are_cleaned(name, cleaned):
    """Control characters and needless spaces are left out."""
    assert clean_name(name) == cleaned


@pytest.mark.parametrize(
    "name", ["", "   ", "\u0000\u200b", "x" * 31, "\ud800", "\u3164", "\u2800 \uffa0", "\u0301", "\ufe0f", "\u115f\u1160"]
)
def test_impossible_names_are_refused(name):
    """A name has 1 to 30 characters."""
    with pytest.raises(MessageError) as caught:
        clean_name(name)
    assert caught.value.reason == "name"


@given(st.text(st.characters(categories=["L", "M", "N", "S", "Z", "Cf"]), max_size=40))
def test_a_clean_name_stays_as_it_is(name):
    """A name that was cleaned is not changed by cleaning it once more, and has no pile of accents."""
    try:
        cleaned = clean_name(name)
    except MessageError:
        return
    assert clean_name(cleaned) == cleaned
    marks = "".join("m" if unicodedata.category(character) in {"Mn", "Me"} else "-" for character in cleaned)
    assert "mmm" not in marks.replace("mm\ufe0f", "")


@pytest.mark.parametrize(
    ("name", "look_alike"),
    [
        ("Ann", "Аnn"),
        ("Ann", "ann"),
        ("Ann", "Ａｎｎ"),
        ("Nick", "Νick"),
        ("Zoë", "Zoё"),
        ("Tom", "Том"),
        ("Straße", "STRASSE"),
        ("\u2764", "\u2764\ufe0f"),
    ],
)
def test_names_that_look_alike_are_compared_as_equal(name, look_alike):
    """Letters of other alphabets and wide letters make no other name."""
    assert fold_name(clean_name(name)) == fold_name(clean_name(look_alike))


def test_different_names_are_different():
    """Usual names of one alphabet do not get mixed up."""
    names = ["Ева", "Вера", "Рома", "Нина", "Ann", "Anna", "Лев", "Олег", "Νίκη", "Žana", "Zana"]
    assert len({fold_name(name) for name in names}) == len(names)


@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_has_a_sentence_in_each_language(reason):
    """A refused student reads why in their own language."""
    sentences = {MessageError(reason).to_message(language, 7)["text"] for language in LANGUAGES}
    assert len(sentences) == len(LANGUAGES)
    assert Translator("en").translate(f"live.refused.{reason}") in sentences
