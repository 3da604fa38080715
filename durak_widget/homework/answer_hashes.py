"""What a check may know of an answer without knowing it: slow salted hashes, and what is said once an answer has opened one.

A seal is made with `hashlib.scrypt` (16 MB a guess, and slow) and a salt of its question's own. It holds a right answer, or what a named mistake gives: a
guess that fits opens it, and only then it tells what it holds. Where somebody could try all answers, none is made: see `possible` and `MANY`.
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
"""Of so many answers a check may say whether one is right: nobody types them all, and a program needs some minutes and more."""
_COST, _BLOCK, _MEMORY = 2**14, 8, 2**26
_SEALS: Final = 12
"""So many seals a question has, whatever they hold: what is right, up to eleven mistakes, and nothing at all."""
_BEFORE: Final = 4
"""So many had what was handed out before."""
_ROW: Final = 256
"""What a seal holds is filled up to a multiple of this, so that its length tells nothing."""
TAG: Final = 16


class Seals(NamedTuple):
    """What is known of the answers of one question."""

    salt: bytes
    notes: tuple[tuple[bytes, bytes], ...]
    """Of each seal how it is known that it fits, and what it holds, encrypted with what fits."""

    def opened(self, guess: str) -> dict[str, Any] | None:
        """What the seal holds that this guess opens; None if it opens none."""
        tag, key = _stretched(guess, self.salt)
        for other, box in self.notes:
            if other == tag:
                return _read(_mixed(box, key))
        return None


def there_is_scrypt() -> bool:
    """Whether this Python can make and open seals: some are built without it."""
    return hasattr(hashlib, "scrypt")


def possible(exercise: Task) -> int:
    """How many answers somebody would have to try who knows what is asked.

    >>> from durak_widget.lessons import Choose, Number, Pick, Sort
    >>> [possible(one) for one in (Pick("Which?", "7c 8c 9c", "7c"), Sort("6c 7c 8c 9c", trump=None), Choose("Who?", {"a": "", "b": ""}, right="a"))]
    [8, 24, 2]
    >>> [possible(Number("How many?", right)) for right in (12, "6/29", "3583/4807", 475020)]
    [13, 255, 900000, 475021]
    """
    found = exercise.answers
    if not isinstance(found, int):
        raise DurakError(f"{type(exercise).__name__} has no answers that could be sealed: nobody has counted them")
    return found


def tells(exercise: Task) -> bool:
    """Whether a check may say at once if an answer is right: where nobody tries all there are.

    >>> from durak_widget.lessons import Number
    >>> tells(Number("How many?", 475020)), tells(Number("How many?", 475020, tolerance=10_000)), tells(Number("How likely?", "5/18"))
    (True, False, False)
    """
    return possible(exercise) >= MANY and bool(exercise.to_seal())


def sealed_answers(exercise: Task) -> Seals | None:
    """The seals of an exercise; None where there are too few answers, or this Python can make none.

    >>> from durak_widget.lessons import Number
    >>> seals = sealed_answers(Number("How likely?", "3583/4807", mistakes={"contrary": "1224/4807"}))
    >>> [seals.opened(guess) for guess in ("254629e-6", "500000e-6")]
    [{'value': '1224/4807', 'named': 'contrary'}, None]
    """
    if not tells(exercise) or not there_is_scrypt():
        return None
    salt = os.urandom(16)
    held = exercise.to_seal()[:_SEALS]
    texts = [json.dumps(what, ensure_ascii=False).encode() for _, what in held]
    length = -(-max(map(len, texts)) // _ROW) * _ROW
    notes = [(os.urandom(TAG), os.urandom(length)) for _ in range(_SEALS - len(held))]
    for (answer, _), text in zip(held, texts, strict=True):
        tag, key = _stretched(answer, salt)
        notes.append((tag, _mixed(text.ljust(length), key)))
    return Seals(salt, tuple(sorted(notes)))


def _stretched(guess: str, salt: bytes) -> tuple[bytes, bytes]:
    """A tag and a key, which take long to work out."""
    found = hashlib.scrypt(guess.encode(), salt=salt, n=_COST, r=_BLOCK, p=1, maxmem=_MEMORY, dklen=TAG + 32)
    return found[:TAG], found[TAG:]


def _mixed(text: bytes, key: bytes) -> bytes:
    """Encrypted or decrypted with a key that is used for nothing else."""
    stream = hashlib.shake_256(key).digest(len(text))
    return bytes([one ^ other for one, other in zip(text, stream, strict=True)])


def _read(text: bytes) -> dict[str, Any] | None:
    """What a seal held; None of what is none of ours."""
    try:
        found = read_json(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def checked(seals: object) -> Seals:
    """Seals that came from somewhere else."""
    try:
        salt, notes = seals["salt"], seals["notes"]  # type: ignore[index]
        found = Seals(bytes.fromhex(salt), tuple((bytes.fromhex(tag), bytes.fromhex(box)) for tag, box in notes))
    except (TypeError, KeyError, ValueError):
        found = Seals(b"", ())
    if (
        len(found.salt) != TAG
        or len(found.notes) not in (_BEFORE, _SEALS)
        or any(len(tag) != TAG or not 0 < len(box) <= 64 * _ROW for tag, box in found.notes)
    ):
        raise DurakError(f"these are no seals: {quoted(seals)}")
    return found


def plain(seals: Seals) -> dict[str, object]:
    """Seals as plain values."""
    return {"salt": seals.salt.hex(), "notes": [[tag.hex(), box.hex()] for tag, box in seals.notes]}
