"""Defines the messages that a student's page may send, and refuses all others.

This is an allow-list: a message has one of a few kinds, exactly the fields of its kind, and at most 4,096 bytes.
"""

from __future__ import annotations

import json
import unicodedata
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Final

from durak_widget.live.question import LANGUAGES
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.live.question import JsonObject

MAX_MESSAGE_BYTES: Final = 4096
"""The maximum size in bytes of a message from a student's page."""
MAX_NAME_LENGTH: Final = 30
"""The maximum length of a student's name, in characters."""
_MAX_MARKS: Final = 2
"""The maximum number of combining marks in a row; more of them would cover the lines above and below a name."""
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159")
"""Characters that count as letters, symbols or marks but show nothing."""
_EMOJI_SELECTORS: Final = frozenset("\ufe0e\ufe0f")
"""Characters that choose between a black and a coloured emoji; they mean something only after a symbol."""
_VARIATION_SELECTORS: Final = frozenset(map(chr, [*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
_LOOK_ALIKES: Final = str.maketrans(
    "авеіјкмнорсԛѕтухһԁԝӏ" + "αβεζηικμνορτυχ" + "ı",
    "abeijkmhopcqstyxhdwl" + "abezhikmnoptyx" + "i",
)
"""Cyrillic and Greek letters that look like a Latin one, in lower case or as a capital, and the dotless i."""
_MAX_DEPTH: Final = 8
"""The maximum nesting depth of a message."""
_MAX_BITS: Final = 1000
"""The maximum size of a whole number in a message; a float cannot hold larger ones."""

HELLO_FIELDS: Final[Mapping[str, Mapping[str, type]]] = {"join": {"name": str, "language": str}, "resume": {"key": str, "language": str}}
"""The fields of the first message of a connection, by its kind."""
SEAT_FIELDS: Final[Mapping[str, Mapping[str, type]]] = {
    "answer": {"question": int, "answer": object},
    "language": {"language": str},
    "rename": {"name": str},
    "ping": {},
}
"""The fields of all later messages, by kind."""
REASONS: Final = (
    "malformed",
    "unknown_kind",
    "too_long",
    "stale_question",
    "not_open",
    "bad_answer",
    "too_fast",
    "removed",
    "not_saved",
    "name",
    "full",
    "busy",
    "closed",
    "ended",
    "unknown_key",
)
"""Why a message can be refused; the sentence for each is in `i18n`, with the key `live.refused.<reason>`."""


class MessageError(RefusedError):
    """The error for a message that is refused; `reason` is one of `REASONS`.

    >>> error = MessageError("too_fast")
    >>> sorted(error.to_message("en"))
    ['kind', 'reason', 'text']
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"live.refused.{reason}")

    def to_message(self, language: str, question: int | None = None) -> JsonObject:
        """Return the message to the student's page, with a sentence in the page's language."""
        return build_refusal(self.reason, self.to_text(language), question)


def build_refusal(reason: str, text: str, question: int | None = None) -> JsonObject:
    """Return the message to a student's page that says why its message was refused."""
    return {"kind": "refused", "reason": reason, "text": text, **({} if question is None else {"question": question})}


def parse_hello(message: object) -> JsonObject:
    """Return the first message of a connection, which is `join` or `resume`.

    Raise `MessageError` if it is anything else. `message` is text, bytes, or parsed JSON. An unknown language becomes "".

    >>> parse_hello('{"kind":"join","name":"Ann","language":"xx"}')
    {'kind': 'join', 'name': 'Ann', 'language': ''}
    """
    hello = _check_fields(message, HELLO_FIELDS)
    return {**hello, "language": hello["language"] if hello["language"] in LANGUAGES else ""}


def parse_message(message: object) -> JsonObject:
    """Return a message of a page that has joined; raise `MessageError` if it is not allowed.

    `message` is text, bytes, or parsed JSON.

    >>> parse_message(b'{"kind":"answer","question":2,"answer":{"choice":1}}')
    {'kind': 'answer', 'question': 2, 'answer': {'choice': 1}}
    >>> parse_message({"kind": "stop"})
    Traceback (most recent call last):
    durak_widget.live.messages.MessageError: ...
    """
    return _check_fields(message, SEAT_FIELDS)


def clean_name(name: str) -> str:
    r"""Return a name without invisible characters, piles of accents and double spaces.

    Raise `MessageError` if nothing that people can see is left, or if it is too long.

    >>> clean_name("  Ann \u202e\n Lee ")
    'Ann Lee'
    """
    spaced = " ".join(name.split())
    visible = "".join(filter(_is_allowed, spaced))
    composed = unicodedata.normalize("NFC", " ".join(visible.split()))
    cleaned = _drop_needless_marks(composed)
    if len(cleaned) > MAX_NAME_LENGTH or not any(unicodedata.category(character)[0] in "LNPS" for character in cleaned):
        raise MessageError("name")
    return cleaned


def _is_allowed(character: str) -> bool:
    """Return whether a name may have a character, which must be whole and visible."""
    return character not in _INVISIBLE and not unicodedata.category(character).startswith("C")


def _drop_needless_marks(name: str) -> str:
    """Leave out combining marks at the start, every third in a row, and most selectors."""
    kept, mark_count = list[str](), _MAX_MARKS
    for character in name:
        if character in _VARIATION_SELECTORS:
            if character in _EMOJI_SELECTORS and kept and unicodedata.category(kept[-1]) == "So":
                kept.append(character)
            continue
        is_mark = unicodedata.category(character) in {"Mn", "Me"}
        mark_count = mark_count + 1 if is_mark else 0
        if mark_count <= _MAX_MARKS:
            kept.append(character)
    return "".join(kept).strip()


@lru_cache(maxsize=8192)  # The names of a class are compared again and again
def fold_name(name: str) -> str:
    """Return a name as names are compared: equal for two names that look alike.

    >>> fold_name("\N{CYRILLIC CAPITAL LETTER A}nn") == fold_name("ANN")
    True
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    shown = "".join(character for character in folded if character not in _VARIATION_SELECTORS)
    return shown.translate(_LOOK_ALIKES)


def _check_fields(message: object, fields_by_kind: Mapping[str, Mapping[str, type]]) -> JsonObject:
    """Return a message with exactly the fields of its kind, or raise `MessageError`."""
    if isinstance(message, (str, bytes)):
        message = _parse_text(message)
    if not isinstance(message, dict) or not isinstance(message.get("kind"), str):
        raise MessageError("malformed")
    kind = message["kind"]
    if kind not in fields_by_kind:
        raise MessageError("unknown_kind")
    fields = fields_by_kind[kind]
    if len(message) != len(fields) + 1 or any(name not in message or not _has_type(message[name], fields[name]) for name in fields):
        raise MessageError("malformed")
    _check_size(message)
    return message


def _has_type(value: object, wanted: type) -> bool:
    """Return whether a field has its type; True is not a whole number here."""
    return isinstance(value, wanted) and not (wanted is int and isinstance(value, bool))


def _parse_text(text: str | bytes) -> object:
    """Parse the text of a message."""
    if len(text) > MAX_MESSAGE_BYTES:
        raise MessageError("too_long")
    try:
        data = text.encode() if isinstance(text, str) else text
        if len(data) > MAX_MESSAGE_BYTES:
            raise MessageError("too_long")
        return json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        if isinstance(error, MessageError):
            raise
        raise MessageError("malformed") from None


def _check_size(message: JsonObject) -> None:
    """Refuse deep nesting, huge or infinite numbers, halves of characters, and long messages."""
    waiting: list[tuple[object, int]] = [(message, 0)]
    size = 0
    while waiting:
        value, depth = waiting.pop()
        if depth > _MAX_DEPTH:
            raise MessageError("malformed")
        if isinstance(value, dict):
            waiting += [(item, depth + 1) for pair in value.items() for item in pair]
            if not all(isinstance(key, str) for key in value):
                raise MessageError("malformed")
        elif isinstance(value, list):
            waiting += [(item, depth + 1) for item in value]
        elif isinstance(value, str):
            size += len(value)
            if any("\ud800" <= character <= "\udfff" for character in value):
                raise MessageError("malformed")
        elif isinstance(value, float):
            if not isfinite(value):
                raise MessageError("malformed")
        elif isinstance(value, int):
            if value.bit_length() > _MAX_BITS:
                raise MessageError("malformed")
        elif value is not None:
            raise MessageError("malformed")
        size += 1
        if size > MAX_MESSAGE_BYTES:
            raise MessageError("too_long")
