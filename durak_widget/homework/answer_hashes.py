"""Seals for answers: slow salted hashes by which a check recognizes unknown answers.

A seal is made with `hashlib.scrypt` (16 MB a guess, and slow) and a salt of its question's own. It holds a right
answer or the value that a named mistake gives. Only a guess that matches opens the seal and shows what it holds. No
seals are made where all answers could be tried: see `possible` and `MANY`.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.atomic_files import read_json
from durak_widget.errors import DurakError, quoted

if TYPE_CHECKING:
    from durak_widget.exercises.base_exercise import Task

MANY: Final = 10_000
"""Smallest number of possible answers for which a check may say if one is right.

A person can't type them all, and a program needs some minutes or more.
"""
_COST, _BLOCK, _MEMORY = 2**14, 8, 2**26
_SEALS: Final = 12
"""Number of seals of every question: right answers, up to eleven mistakes, and random fillers."""
_BEFORE: Final = 4
"""Number of seals of a question in files that older versions handed out."""
_ROW: Final = 256
"""Multiple of bytes to which the content of a seal is padded, so that its length reveals nothing."""
TAG: Final = 16


class Seals(NamedTuple):
    """The salt and the seals of one question's answers."""

    salt: bytes
    notes: tuple[tuple[bytes, bytes], ...]
    """The tag of each seal, by which a guess is recognized, and its encrypted content."""

    def opened(self, guess: str) -> dict[str, Any] | None:
        """Return the content of the seal that this guess opens, or None."""
        tag, key = _stretched(guess, self.salt)
        for seal_tag, content in self.notes:
            if seal_tag == tag:
                return _read(_mixed(content, key))
        return None


def there_is_scrypt() -> bool:
    """Return whether this Python can make and open seals: some are built without scrypt."""
    return hasattr(hashlib, "scrypt")


def possible(exercise: Task) -> int:
    """Return how many answers somebody would have to try who knows the question.

    >>> from durak_widget.lessons import Choose, Number, Pick, Sort
    >>> [possible(quiz) for quiz in (Pick("Which?", "7c 8c 9c", "7c"), Sort("6c 7c 8c 9c", trump=None), Choose("Who?", {"a": "", "b": ""}, right="a"))]
    [8, 24, 2]
    >>> [possible(Number("How many?", number)) for number in (12, "6/29", "3583/4807", 475020)]
    [13, 255, 900000, 475021]
    """
    count = exercise.answers
    if not isinstance(count, int):
        raise DurakError(f"{type(exercise).__name__} has no answers that could be sealed: nobody has counted them")
    return count


def tells(exercise: Task) -> bool:
    """Return whether a check may say at once if an answer is right.

    That is so if there are too many answers to try them all.

    >>> from durak_widget.lessons import Number
    >>> tells(Number("How many?", 475020)), tells(Number("How many?", 475020, tolerance=10_000)), tells(Number("How likely?", "5/18"))
    (True, False, False)
    """
    return possible(exercise) >= MANY and bool(exercise.to_seal())


def sealed_answers(exercise: Task) -> Seals | None:
    """Return the seals of an exercise, or None if none can be made.

    None is returned if there are too few possible answers, or if this Python has no scrypt.

    >>> from durak_widget.lessons import Number
    >>> seals = sealed_answers(Number("How likely?", "3583/4807", mistakes={"contrary": "1224/4807"}))
    >>> [seals.opened(guess) for guess in ("254629e-6", "500000e-6")]
    [{'value': '1224/4807', 'named': 'contrary'}, None]
    """
    if not tells(exercise) or not there_is_scrypt():
        return None
    salt = os.urandom(16)
    contents = exercise.to_seal()[:_SEALS]
    encoded_contents = [json.dumps(content, ensure_ascii=False).encode() for _, content in contents]
    padded_length = -(-max(map(len, encoded_contents)) // _ROW) * _ROW
    notes = [(os.urandom(TAG), os.urandom(padded_length)) for _ in range(_SEALS - len(contents))]
    for (answer, _), encoded_content in zip(contents, encoded_contents, strict=True):
        tag, key = _stretched(answer, salt)
        notes.append((tag, _mixed(encoded_content.ljust(padded_length), key)))
    return Seals(salt, tuple(sorted(notes)))


def _stretched(guess: str, salt: bytes) -> tuple[bytes, bytes]:
    """Derive a tag and an encryption key from a guess, slowly."""
    derived = hashlib.scrypt(guess.encode(), salt=salt, n=_COST, r=_BLOCK, p=1, maxmem=_MEMORY, dklen=TAG + 32)
    return derived[:TAG], derived[TAG:]


def _mixed(text: bytes, key: bytes) -> bytes:
    """Encrypt or decrypt bytes with a key that is used for nothing else."""
    stream = hashlib.shake_256(key).digest(len(text))
    return bytes([byte ^ key_byte for byte, key_byte in zip(text, stream, strict=True)])


def _read(text: bytes) -> dict[str, Any] | None:
    """Parse the decrypted content of a seal; return None if it is not ours."""
    try:
        data = read_json(text)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def checked(seals: object) -> Seals:
    """Build seals from plain data of unknown origin, or refuse them."""
    try:
        salt, notes = seals["salt"], seals["notes"]  # type: ignore[index]
        parsed = Seals(bytes.fromhex(salt), tuple((bytes.fromhex(tag), bytes.fromhex(content)) for tag, content in notes))
    except (TypeError, KeyError, ValueError):
        parsed = Seals(b"", ())
    if (
        len(parsed.salt) != TAG
        or len(parsed.notes) not in (_BEFORE, _SEALS)
        or any(len(tag) != TAG or not 0 < len(content) <= 64 * _ROW for tag, content in parsed.notes)
    ):
        raise DurakError(f"these are no seals: {quoted(seals)}")
    return parsed


def plain(seals: Seals) -> dict[str, object]:
    """Return seals as plain data."""
    return {"salt": seals.salt.hex(), "notes": [[tag.hex(), content.hex()] for tag, content in seals.notes]}
