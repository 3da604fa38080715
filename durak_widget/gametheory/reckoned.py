"""Sums as people write them, reckoned exactly and within limits: `15*21*362880`, `(15/18)^5`, `9!`, `C(15,4)`, `15 choose 4`, `3·2²`.

What is too large to be written out by a person is refused before it is reckoned: no power of a power keeps anybody waiting.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb, factorial, perm
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

BITS: Final = 1024
"""So large may a number be on the way, above and below the line: some three hundred digits."""
_COUNTED: Final = 1000
"""Of so many things is counted at most."""
_LONGEST: Final = 120
_TIMES: Final = dict.fromkeys(map(ord, "·⋅∙•×✕✖∗"), "*")
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_POWER: Final = re.compile("[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_SUM: Final = re.compile(r"[-+*/^!()]|\bchoose\b|[0-9] ?[xXхХC] ?[0-9]")
_ALONE: Final = r"[1-9][0-9]{0,2}(?:[ '][0-9]{3})+(?![0-9])|[0-9]+(?:\.[0-9]+)?"
_NUMBER: Final = re.compile(rf" *({_ALONE}(?:[.,][0-9]+)*|[.,][0-9]+)")
_AMONG: Final = re.compile(rf" *({_ALONE}|\.[0-9]+)")
"""Where a comma parts two things that are counted with, it is in no number."""
_SIGN: Final = re.compile(r" *(\*\*|[-+*/^!(),;])")
_WORD: Final = re.compile(r" *([A-Za-zСХх]+(?:\.[a-z]+)?)")
_CHOOSE: Final = {"choose", "C", "С"}
_TIMES_TOO: Final = {"x", "X", "х", "Х"}
_COUNTS: Final[dict[str, tuple[int, Callable[..., int]]]] = {
    **dict.fromkeys(("C", "С", "comb", "binom", "choose", "binomial"), (2, comb)),
    "perm": (2, perm),
    "factorial": (1, factorial),
}


class NotReckonedError(ValueError):
    """A number that nobody could write out."""


class Reckoned(NamedTuple):
    """What a sum comes to."""

    value: Fraction
    digits: int = 0
    """As many digits as the roughest decimal in it has; 0 where all in it is exact."""


def reckoned(text: str, number: Callable[[str], Reckoned | None]) -> Reckoned | None:
    """What a sum comes to, whose numbers are read by `number`; None where it is none, or nothing that can be reckoned.

    >>> def number(text):
    ...     return Reckoned(Fraction(text.replace(" ", "")))
    >>> [str(reckoned(text, number).value) for text in ("15*21*362 880", "(15/18)^5", "9!", "C(15,4)", "15 choose 4", "1 - 5/18", "3·2²", "2(1+1)", "-2^2")]
    ['114307200', '3125/7776', '362880', '1365', '1365', '13/18', '12', '4', '-4']
    >>> reckoned("1/0", number), reckoned("a half", number), reckoned("2 3", number)
    (None, None, None)
    >>> reckoned("9^9^9", number)
    Traceback (most recent call last):
    durak_widget.gametheory.reckoned.NotReckonedError: 9^387420489 is too large
    """
    plain = _POWER.sub(lambda found: f"^({found[0].translate(_RAISED)})", text.translate(_TIMES))
    if len(plain) > _LONGEST or not _SUM.search(plain):
        return None
    try:
        return _Sum(plain, number).whole()
    except (_NoSumError, ZeroDivisionError):
        return None


class _NoSumError(ValueError):
    """What is no sum."""


class _Sum:
    """A sum that is gone through from the left; what binds more is further down."""

    def __init__(self, text: str, number: Callable[[str], Reckoned | None]) -> None:
        self._text, self._number, self._at, self._among = text, number, 0, 0

    def whole(self) -> Reckoned:
        found = self._added()
        if self._text[self._at :].strip():
            raise _NoSumError
        return found

    def _taken(self, pattern: re.Pattern[str], among: set[str] | None = None) -> str:
        """The next sign, word or number, if it is one of these; nothing else."""
        found = pattern.match(self._text, self._at)
        if found is None or (among is not None and found[1] not in among):
            return ""
        self._at = found.end()
        return found[1]

    def _added(self) -> Reckoned:
        found = self._multiplied()
        while sign := self._taken(_SIGN, {"+", "-"}):
            other = self._multiplied()
            found = _short(found.value + other.value if sign == "+" else found.value - other.value, found, other)
        return found

    def _multiplied(self) -> Reckoned:
        found, before = self._signed(), ""
        while True:
            sign = self._taken(_SIGN, {"*", "/"}) or ("*" if self._taken(_WORD, _TIMES_TOO) else "")
            after = _SIGN.match(self._text, self._at)
            if not sign and not (after and after[1] == "("):
                return found
            if before == sign == "/":  # nobody can say what 1/2/3 is
                raise _NoSumError
            before, other = sign, self._signed()
            found = _short(found.value / other.value if sign == "/" else found.value * other.value, found, other)

    def _signed(self) -> Reckoned:
        sign = self._taken(_SIGN, {"+", "-"})
        found = self._raised()
        return found._replace(value=-found.value) if sign == "-" else found

    def _raised(self) -> Reckoned:
        found = self._counted()
        if not self._taken(_SIGN, {"^", "**"}):
            return found
        other = self._signed()
        power, base = other.value, found.value
        if power.denominator != 1 or (not base and power <= 0):
            raise _NoSumError
        if abs(power) * max(base.numerator.bit_length() - 1, base.denominator.bit_length() - 1) > BITS:
            raise NotReckonedError(f"{base}^{power} is too large")
        if base in (0, 1, -1):
            power = Fraction(2 - int(power) % 2)  # as any other even or odd one
        return _short(base ** int(power), found)

    def _counted(self) -> Reckoned:
        found = self._one()
        while self._taken(_SIGN, {"!"}):
            found = _count(factorial, found)
        if self._taken(_WORD, _CHOOSE):
            found = _count(comb, found, self._one())
        return found

    def _one(self) -> Reckoned:
        if self._taken(_SIGN, {"("}):
            among, self._among = self._among, 0
            found = self._added()
            self._among = among
            self._close()
            return found
        if word := self._taken(_WORD):
            return self._called(word.rpartition(".")[2])
        text = self._taken(_AMONG if self._among else _NUMBER)
        found_number = self._number(text) if text else None
        if found_number is None:
            raise _NoSumError
        return found_number

    def _called(self, word: str) -> Reckoned:
        """In how many ways something can be chosen, by its name."""
        many, count = _COUNTS.get(word, (0, factorial))
        if not many or not self._taken(_SIGN, {"("}):
            raise _NoSumError
        self._among += 1
        given = [self._added()]
        while len(given) < many and self._taken(_SIGN, {",", ";"}):
            given.append(self._added())
        self._among -= 1
        self._close()
        if len(given) != many:
            raise _NoSumError
        return _count(count, *given)

    def _close(self) -> None:
        if not self._taken(_SIGN, {")"}):
            raise _NoSumError


def _count(count: Callable[..., int], *given: Reckoned) -> Reckoned:
    """A factorial or its like of whole numbers."""
    whole = [one.value for one in given]
    if any(one.denominator != 1 or one < 0 for one in whole):
        raise _NoSumError
    if max(whole) > _COUNTED:
        raise NotReckonedError(f"of {max(whole)} things nothing is counted")
    return _short(Fraction(count(*map(int, whole))), *given)


def _short(value: Fraction, *of: Reckoned) -> Reckoned:
    """A number that is not too large, as rough as the roughest that it comes from."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > BITS:
        raise NotReckonedError(f"{value.numerator.bit_length()} bits are too many")
    return Reckoned(value, min((one.digits for one in of if one.digits), default=0))
