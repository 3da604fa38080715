"""Sealed answers: encrypted data that only a guess of the right answer can open.

A sealed answer is encrypted with a key that `hashlib.scrypt` derives from the answer (slowly, with 16 MB for each guess) and from a
salt of the question. It is a correct answer, or the value that a known mistake leads to. Only a guess that equals the answer decrypts
the data. No answers are sealed if a program could try all possible answers: see `count_possible_answers` and `MIN_SEALABLE_ANSWERS`.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.atomic_files import parse_json_text
from durak_widget.errors import DurakError, short_repr
from durak_widget.json_store import rename_keys

if TYPE_CHECKING:
    from durak_widget.exercises.base_exercise import Task

MIN_SEALABLE_ANSWERS: Final = 10_000
"""The minimum number of possible answers at which an exercise may show whether an answer is correct.

A person can't type them all, and a program needs at least some minutes.
"""
_SCRYPT_COST, _SCRYPT_BLOCK_SIZE, _SCRYPT_MAX_MEMORY = 2**14, 8, 2**26
_SEAL_COUNT: Final = 12
"""The number of sealed answers per question.

They are the correct answer, up to eleven mistakes, and random fillers.
"""
_OLD_SEAL_COUNT: Final = 4
"""The number of sealed answers per question in files of older package versions."""
_PADDING_MULTIPLE: Final = 256
"""Encrypted data is padded to a multiple of this many bytes, to hide its length."""
TAG_LENGTH: Final = 16


class Seals(NamedTuple):
    """The encrypted answers of one question, with the salt for deriving their keys."""

    salt: bytes
    entries: tuple[tuple[bytes, bytes], ...]
    """Each encrypted answer as a tag and data; only a guess with the same tag can decrypt it."""

    def open_seal(self, guess: str) -> dict[str, Any] | None:
        """Return the data of the encrypted answer that equals a guess; None if none does."""
        tag, key = _derive_tag_and_key(guess, self.salt)
        for seal_tag, content in self.entries:
            if seal_tag == tag:
                return _parse_seal_content(_xor_with_keystream(content, key))
        return None


def has_scrypt() -> bool:
    """Return whether this Python has scrypt (needed to encrypt answers); some builds lack it."""
    return hasattr(hashlib, "scrypt")


def count_possible_answers(exercise: Task) -> int:
    """Return how many answers a person must try to be sure to find the correct one.

    >>> from durak_widget.lessons import Choose, Number, Pick, Sort
    >>> [count_possible_answers(quiz) for quiz in (Pick("Which?", "7c 8c 9c", "7c"), Sort("6c 7c 8c 9c", trump=None), Choose("Who?", {"a": "", "b": ""}, right="a"))]
    [8, 24, 2]
    >>> [count_possible_answers(Number("How many?", number)) for number in (12, "6/29", "3583/4807", 475020)]
    [13, 255, 900000, 475021]
    """
    count = exercise.answer_count
    if not isinstance(count, int):
        raise DurakError(f"{type(exercise).__name__} has no answers that can be sealed: the number of its possible answers is not known")
    return count


def can_check_immediately(exercise: Task) -> bool:
    """Return whether a student may learn immediately whether an answer is correct.

    The exercise must have too many possible answers for a student to try them all.

    >>> from durak_widget.lessons import Number
    >>> can_check_immediately(Number("How many?", 475020)), can_check_immediately(Number("How many?", 475020, tolerance=10_000)), can_check_immediately(Number("How likely?", "5/18"))
    (True, False, False)
    """
    return count_possible_answers(exercise) >= MIN_SEALABLE_ANSWERS and bool(exercise.answers_to_seal())


def seal_answers(exercise: Task) -> Seals | None:
    """Return the encrypted answers of an exercise, or None if that is unsafe or impossible.

    The result is None if there are too few possible answers, or if this Python has no scrypt.

    >>> from durak_widget.lessons import Number
    >>> seals = seal_answers(Number("How likely?", "3583/4807", mistakes={"contrary": "1224/4807"}))
    >>> [seals.open_seal(guess) for guess in ("254629e-6", "500000e-6")]
    [{'value': '1224/4807', 'named': 'contrary'}, None]
    """
    if not can_check_immediately(exercise) or not has_scrypt():
        return None
    salt = os.urandom(16)
    contents = exercise.answers_to_seal()[:_SEAL_COUNT]
    encoded_contents = [json.dumps(content, ensure_ascii=False).encode() for _, content in contents]
    padded_length = -(-max(map(len, encoded_contents)) // _PADDING_MULTIPLE) * _PADDING_MULTIPLE
    entries = [(os.urandom(TAG_LENGTH), os.urandom(padded_length)) for _ in range(_SEAL_COUNT - len(contents))]
    for (answer, _), encoded_content in zip(contents, encoded_contents, strict=True):
        tag, key = _derive_tag_and_key(answer, salt)
        entries.append((tag, _xor_with_keystream(encoded_content.ljust(padded_length), key)))
    return Seals(salt, tuple(sorted(entries)))


def _derive_tag_and_key(guess: str, salt: bytes) -> tuple[bytes, bytes]:
    """Derive a tag and an encryption key from a guess, slowly, to make guessing expensive."""
    derived = hashlib.scrypt(
        guess.encode(), salt=salt, n=_SCRYPT_COST, r=_SCRYPT_BLOCK_SIZE, p=1, maxmem=_SCRYPT_MAX_MEMORY, dklen=TAG_LENGTH + 32
    )
    return derived[:TAG_LENGTH], derived[TAG_LENGTH:]


def _xor_with_keystream(text: bytes, key: bytes) -> bytes:
    """Encrypt or decrypt bytes with a key that is used only once."""
    stream = hashlib.shake_256(key).digest(len(text))
    return bytes([byte ^ key_byte for byte, key_byte in zip(text, stream, strict=True)])


def _parse_seal_content(text: bytes) -> dict[str, Any] | None:
    """Parse the decrypted data of a sealed answer; return None if its format is unknown."""
    try:
        data = parse_json_text(text)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def seals_from_dict(seals: object) -> Seals:
    """Build sealed (encrypted) answers from the values that `seals_to_dict` returned."""
    try:
        data = rename_keys(seals, {"notes": "entries"})  # type: ignore[arg-type]  # the name in texts of version 1
        salt, entries = data["salt"], data["entries"]
        parsed = Seals(bytes.fromhex(salt), tuple((bytes.fromhex(tag), bytes.fromhex(content)) for tag, content in entries))
    except (AttributeError, TypeError, KeyError, ValueError):
        parsed = Seals(b"", ())
    if (
        len(parsed.salt) != TAG_LENGTH
        or len(parsed.entries) not in (_OLD_SEAL_COUNT, _SEAL_COUNT)
        or any(len(tag) != TAG_LENGTH or not 0 < len(content) <= 64 * _PADDING_MULTIPLE for tag, content in parsed.entries)
    ):
        raise DurakError(f"these are not seals: {short_repr(seals)}")
    return parsed


def seals_to_dict(seals: Seals) -> dict[str, object]:
    """Return sealed (encrypted) answers as JSON-compatible values."""
    return {"salt": seals.salt.hex(), "entries": [[tag.hex(), content.hex()] for tag, content in seals.entries]}
