"""What a check may know of an answer without knowing it: slow salted hashes, and what is said once an answer has opened one.

A seal is made with `hashlib.scrypt` (16 MB a guess, and slow) and a salt of its question's own. It holds a right answer, or what a named mistake gives: a
guess that fits opens it, and only then it tells what it holds. Where somebody could try all answers, none is made: see `possible` and `MANY`.
"""

from __future__ import annotations

import hashlib
import json
import os
from fractions import Fraction
from math import factorial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import DurakError, quoted
from durak_widget.lessons.numbers.number import Number
from durak_widget.lessons.picking.asking import Choose, Pick, Sort
from durak_widget.words import Fact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.games.matrices.written import Written
    from durak_widget.lessons.kit.exercise import Exercise

MANY: Final = 10_000
"""Of so many answers a check may say whether one is right: nobody types them all, and a program needs some minutes and more."""
DIGITS: Final = 6
"""So many digits of a decimal are needed: with fewer, decimals would be quicker to try than fractions."""
_DECIMALS: Final = 900_000
"""So many of them there are for each place of the point."""
_COST, _BLOCK, _MEMORY = 2**14, 8, 2**26
_SEALS: Final = 4
"""So many seals a question has, whatever they hold: what is right, up to three mistakes, and nothing at all."""
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


def possible(exercise: Exercise) -> int:
    """How many answers somebody would have to try who knows what is asked.

    >>> [possible(one) for one in (Pick("Which?", "7c 8c 9c", "7c"), Sort("6c 7c 8c 9c", trump=None), Choose("Who?", {"a": "", "b": ""}, right="a"))]
    [8, 24, 2]
    >>> [possible(Number("How many?", right)) for right in (12, "6/29", "3583/4807", 475020)]
    [13, 255, 900000, 475021]
    """
    match exercise:
        case Pick():
            return 1 << len(exercise._items())
        case Sort():
            return factorial(len(exercise._items()))
        case Choose():
            return len(exercise._items())
        case Number():
            return _numbers(exercise)
        case _:
            raise DurakError(f"{type(exercise).__name__} has no answers that could be sealed: a Pick, a Sort, a Choose or a Number has")


def _numbers(exercise: Number) -> int:
    """Whole numbers up to the right one; fractions with no larger denominator (3/π² of all pairs have no common divisor), or decimals of enough digits."""
    right, size = exercise.right, max(abs(exercise.right), Fraction(1))
    if exercise.tolerance:
        return int(size / exercise.tolerance) + 1
    if right.denominator == 1:
        return int(abs(right)) + 1
    return min(int(Fraction(304, 1000) * right.denominator * right.denominator * size), _DECIMALS)


def tells(exercise: Exercise) -> bool:
    """Whether a check may say at once if an answer is right: where nobody tries all there are.

    >>> tells(Number("How many?", 475020)), tells(Number("How many?", 475020, tolerance=10_000)), tells(Number("How likely?", "5/18"))
    (True, False, False)
    """
    return possible(exercise) >= MANY and not (isinstance(exercise, Number) and exercise.tolerance)


def sealed_answers(exercise: Exercise) -> Seals | None:
    """The seals of an exercise; None where there are too few answers, or this Python can make none.

    >>> seals = sealed_answers(Number("How likely?", "3583/4807", mistakes={"contrary": "1224/4807"}))
    >>> [seals.opened(canonical(Fraction(guess))) for guess in ("1224/4807", "1/2")]
    [{'value': '1224/4807', 'named': 'contrary'}, None]
    """
    if not tells(exercise) or not there_is_scrypt():
        return None
    salt = os.urandom(16)
    held = _held(exercise)
    texts = [json.dumps(what, ensure_ascii=False).encode() for _, what in held]
    length = -(-max(map(len, texts)) // _ROW) * _ROW
    notes = [(os.urandom(TAG), os.urandom(length)) for _ in range(_SEALS - len(held))]
    for (answer, _), text in zip(held, texts, strict=True):
        tag, key = _stretched(answer, salt)
        notes.append((tag, _mixed(text.ljust(length), key)))
    return Seals(salt, tuple(sorted(notes)))


def _held(exercise: Exercise) -> list[tuple[str, dict[str, object]]]:
    """The right answer and some mistakes, each with what its seal says."""
    if not isinstance(exercise, Number):
        return [(joined(exercise.kind, exercise.solution), {"right": True})]
    held: list[tuple[str, dict[str, object]]] = [(canonical(exercise.right), {"value": str(exercise.right), "right": True})]
    for name, value in exercise.mistakes.items():
        said = exercise.said_of(name)
        named = {"named": name} if isinstance(said, Fact) else {"said": said}
        if canonical(value) not in [one for one, _ in held] and len(held) < _SEALS:
            held.append((canonical(value), {"value": str(value), **named}))
    return held


def joined(kind: str, given: Sequence[str]) -> str:
    """The cards of an answer as they are sealed: in their order where that is asked for."""
    return " ".join(given if kind == "sort" else sorted(given))


def canonical(value: Fraction) -> str:
    """A number as it is sealed: rounded to so many digits, so that the fraction and its decimals open the same.

    >>> canonical(Fraction(6, 29)), canonical(Fraction(-475020)), canonical(Fraction(0))
    ('206897e-6', '-475020e0', '0')
    """
    if not value:
        return "0"
    power, size = 0, abs(value)
    while size >= 10**DIGITS:
        power, size = power + 1, size / 10
    while size < 10 ** (DIGITS - 1):
        power, size = power - 1, size * 10
    digits = int(size + Fraction(1, 2))
    if digits == 10**DIGITS:
        power, digits = power + 1, digits // 10
    return f"{'-' if value < 0 else ''}{digits}e{power}"


def guesses(one: Written) -> list[str]:
    """What to try of a number as it was written: of a decimal also the next one, since its last digit may have been cut off."""
    if not one.grain:
        return [canonical(one.value)]
    if one.digits < DIGITS:
        return []
    size = abs(one.value)
    step = Fraction(10) ** int(canonical(size).partition("e")[2] or 0)
    further = (size + step) * (-1 if one.value < 0 else 1)
    return list(dict.fromkeys([canonical(one.value), canonical(further)]))


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
        found = json.loads(text)
    except (ValueError, RecursionError):
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
        or len(found.notes) != _SEALS
        or any(len(tag) != TAG or not 0 < len(box) <= 64 * _ROW for tag, box in found.notes)
    ):
        raise DurakError(f"these are no seals: {quoted(seals)}")
    return found


def plain(seals: Seals) -> dict[str, object]:
    """Seals as plain values."""
    return {"salt": seals.salt.hex(), "notes": [[tag.hex(), box.hex()] for tag, box in seals.notes]}
