"""A number as somebody types it who does not know the right one: so it is read, sealed, and checked by its seals."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from durak_widget.exercises.answer_parsing import author_text
from durak_widget.exercises.odds import NAMED
from durak_widget.exercises.on_paper import AnswerForm, Heard
from durak_widget.gametheory.number_parsing import beyond_writing, exactly, readings, writing
from durak_widget.i18n import Fact
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.number_parsing import Written

DIGITS: Final = 6
"""So many digits of a decimal are needed: with fewer, decimals would be quicker to try than fractions."""
_DECIMALS: Final = 900_000
"""So many of them there are for each place of the point."""


class TypedNumber(AnswerForm):
    """A number in any usual writing.

    >>> TypedNumber().read(["1/2"], []), TypedNumber().fits({}), TypedNumber().fits({"9c": {}})
    (['1/2'], True, False)
    """

    one = True
    written = True
    hand = "number"

    def read(self, answer: object, items: Sequence[str]) -> list[str]:  # noqa: ARG002 - there is nothing to choose from
        """Read a number as it was written; from the page it comes in a list."""
        text = writing(answer[0] if isinstance(answer, list) and len(answer) == 1 else answer)
        if text is None or not readings(text):
            raise RefusedError("lesson.number.too_large" if text is not None and beyond_writing(text) else "lesson.number.unreadable")
        return [text.strip()]

    def from_hand(self, text: str, items: Sequence[str]) -> object:
        """Read a number as it was written."""
        return self.read(text, items)[0]

    def in_hand(self, given: Sequence[str], items: Sequence[str]) -> str:  # noqa: ARG002 - as above
        """Tell a number as it is written."""
        return given[0]

    def fits(self, items: Mapping[str, Mapping[str, str]]) -> bool:
        """Whether there is nothing to choose from."""
        return not items

    def checked(self, given: Sequence[str], opened: Callable[[str], Mapping[str, Any] | None]) -> Heard:
        """Say whether it is right, or a mistake of a name, in any of its writings that tell enough."""
        meant = readings(given[0])
        for one in meant:
            for guess in guesses(one):
                if (found := opened(guess)) and (value := exactly(found.get("value"))) is not None:
                    return _heard(found, fits=any(other.means(value) for other in meant), cut=bool(one.grain))
        if all(one.grain and one.digits < DIGITS for one in meant):
            return Heard("", [Fact("class.kept.coarse", {"count": DIGITS})])
        return Heard("wrong", [Fact("class.not_yet")])


def _heard(found: Mapping[str, Any], *, fits: bool, cut: bool) -> Heard:
    """What is said of a number that is right, or a mistake, or nearly either: six digits opened it, and the rest may differ."""
    if found.get("right") is True:
        if fits:
            return Heard("right", [Fact("class.right")])
        return Heard("wrong", [Fact("class.not_yet"), *([Fact("lesson.number.cut")] if cut else [])])
    named = found.get("named")
    said: Text = Fact(f"lesson.number.{named}") if isinstance(named, str) and named in NAMED else ""
    if not said and isinstance(found.get("said"), (str, dict)):
        said = author_text(found["said"])
    return Heard("wrong", [Fact("class.not_yet"), *([said] if said and fits else [])])


def count_up_to(right: Fraction, tolerance: Fraction) -> int:
    """How many numbers somebody would try: whole ones up to the right one; fractions with no larger denominator (3/π² of all pairs have no common divisor), or decimals of enough digits.

    >>> [count_up_to(Fraction(right), Fraction(0)) for right in (12, "6/29", "3583/4807", 475020)]
    [13, 255, 900000, 475021]
    """
    size = max(abs(right), Fraction(1))
    if tolerance:
        return int(size / tolerance) + 1
    if right.denominator == 1:
        return int(abs(right)) + 1
    return min(int(Fraction(304, 1000) * right.denominator * right.denominator * size), _DECIMALS)


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
