"""Parses numbers and arithmetic as people write them: `1/2`, `0,5`, `50 %`, `1 1/2`, `15·9!`, `C(15,4)`.

All numbers typed by people are read here: payoffs, probabilities, answers. They are read exactly, and the
precision of the last digit is kept. An ambiguous text has several readings: `1,234` is a decimal or more than
a thousand. A caller who wants one number takes the first, the decimal. Arithmetic is as exact as its
operands: with a decimal in it, it is as imprecise as a decimal of that many digits. Results too large to
write out are refused before they are computed.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from fractions import Fraction
from math import comb, factorial, perm
from numbers import Rational, Real
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST: Final = 120
"""So many characters of a number are read."""
TELLING: Final = 2
"""A rounded number tells enough with so many digits: 0.33 may stand for 1/3, and 0.3 may not."""
_RECKONED: Final = 12
"""Of a decimal with more digits than these a computer has reckoned the last, which may be wrong."""
_OF_A_FLOAT: Final = 2**30
"""A fraction whose denominator is so large a power of two was made of a float."""
_MINUS: Final = dict.fromkeys(map(ord, "‐‑‒–—−﹣－"), "-")
_SLASH: Final = dict.fromkeys(map(ord, "⁄∕÷／"), "/")
_SIGNS: Final = {**_MINUS, **_SLASH, ord("٪"): "%", ord("％"): "%", ord("’"): "'", ord("，"): ",", ord("．"): "."}
_PERCENT: Final = re.compile(r"\s*(?:%|per ?cents?|pct|proc(?:ent\w*)?|проц(?:ент\w*)?)\.?$", re.IGNORECASE)
_SPACED: Final = r"[1-9][0-9]{0,2}(?:[ '][0-9]{3})+"
_COMMAS: Final = r"[1-9][0-9]{0,2}(?:,[0-9]{3})+"
_WHOLE: Final = rf"(?:{_SPACED}|{_COMMAS}|[0-9]+)"
_DECIMAL: Final = re.compile(rf"({_SPACED}(?=[.,])|{_COMMAS}(?=\.)|[0-9]*(?=[.,]))[.,]([0-9]*)(?:e([+-]?[0-9]{{1,2}}))?", re.IGNORECASE)
_POWER: Final = re.compile(r"([0-9]+)e([+-]?[0-9]{1,2})", re.IGNORECASE)
_COUNT: Final = re.compile(_WHOLE)
_BROKEN: Final = re.compile(rf"({_WHOLE}) ?/ ?({_WHOLE})")
_MIXED: Final = re.compile(rf"({_WHOLE})(?: ?\+ ?| )({_WHOLE}) ?/ ?({_WHOLE})")
BITS: Final = 1024
"""So large may a number be on the way, above and below the line: some three hundred digits."""
_COUNTED: Final = 1000
"""Of so many things is counted at most."""
_LONGEST_SUM: Final = 120
_TIMES: Final = dict.fromkeys(map(ord, "·⋅∙•×✕✖∗"), "*")
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_RAISED_DIGITS: Final = re.compile("[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
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


class Written(NamedTuple):
    """A number as somebody wrote it."""

    value: Fraction
    grain: Fraction = Fraction(0)
    """What one more in its last digit would add; 0 where it is exact, as fractions and whole numbers are."""
    digits: int = 0
    """How many digits tell of its size, of one that may be rounded."""

    def rounds(self, true: Fraction) -> bool:
        """Whether that number, rounded as this one is written, may be written so.

        >>> [one] = readings("27.8 %")
        >>> one.rounds(Fraction(5, 18)), one.rounds(Fraction(2, 7))
        (True, False)
        """
        return abs(true - self.value) <= self.grain / 2

    def may_stand_for(self, true: Fraction) -> bool:
        """Whether it is that number rounded, and tells enough of it.

        >>> [[one.may_stand_for(Fraction(1, 3)) for one in readings(text)] for text in ("0.33", "0.3", "1/3")]
        [[True], [False], [False]]
        """
        return self.digits >= TELLING and self.rounds(true)

    def means(self, true: Fraction) -> bool:
        """Whether it is that number, or may stand for it: a fraction is exact, a decimal may have been rounded.

        >>> [[one.means(Fraction(1, 3)) for one in readings(text)] for text in ("0.33", "1/3", "33/100")]
        [[True], [True], [False]]
        """
        return self.value == true or self.may_stand_for(true)


def readings(text: str) -> tuple[Written, ...]:
    """What a number may mean that was typed; nothing if it is no number.

    >>> [str(one.value) for text in ("1/2", " 3 / 4", "0,5", ".5", "50 %", "1 1/2", "½", "1,234") for one in readings(text)]
    ['1/2', '3/4', '1/2', '1/2', '1/2', '3/2', '1/2', '617/500', '1234']
    >>> [str(one.value) for text in ("15*21*362880", "(15/18)^5", "C(15,4)", "1 - 5/18") for one in readings(text)]
    ['114307200', '3125/7776', '1365', '13/18']
    >>> readings("a half"), readings("1/0"), readings("9^9^9")
    ((), (), ())
    """
    try:
        return tuple(dict.fromkeys(_read(text)))
    except NotReckonedError:
        return ()


def beyond_writing(text: str) -> bool:
    """Whether that is a sum of numbers which comes to more than anybody could write out, so that it is not reckoned.

    >>> beyond_writing("9^9^9"), beyond_writing("2000!"), beyond_writing("9!"), beyond_writing("a half")
    (True, True, False, False)
    """
    try:
        _read(text)
    except NotReckonedError:
        return True
    return False


def writing(number: object) -> str | None:
    """A number as one would type it: a text as it is, a number of Python's by all its digits; None for what is neither.

    >>> writing(" 1/2"), writing(Fraction(1, 2)), writing(0.5), writing(Decimal("0.50")), writing(7), writing(True), writing([])
    (' 1/2', '1/2', '0.5', '0.50', '7', None, None)
    """
    if isinstance(number, str):
        return number
    if isinstance(number, Fraction) and number.denominator > _OF_A_FLOAT and not number.denominator & (number.denominator - 1):
        number = float(number)  # as in Fraction(37 / 42): nobody has written that fraction
    if isinstance(number, bool):
        return None
    try:
        if isinstance(number, Rational):
            return str(Fraction(int(number.numerator), int(number.denominator)))
        if isinstance(number, Decimal):
            return str(number)
        return _digits_of(number) if isinstance(number, Real) else None
    except (ValueError, OverflowError):
        return None


def _digits_of(number: Real) -> str:
    """All its digits, and of a number that holds fewer (numpy's `float32`) no more than it holds."""
    short, whole = str(number), repr(float(number))
    return short if _DECIMAL.fullmatch(short.lstrip("-")) and float(number) == float(type(number)(short)) else whole  # type: ignore[call-arg] # as it was written


def exactly(given: object) -> Fraction | None:
    """The number that somebody gave, exactly: a text, or a number of Python's, where a decimal is what it looks like; None for what is no number.

    >>> exactly("0,1"), exactly(0.1), exactly(" −3/4"), exactly(2), exactly("half"), exactly(float("nan")), exactly(None)
    (Fraction(1, 10), Fraction(1, 10), Fraction(-3, 4), Fraction(2, 1), None, None, None)
    """
    text = writing(given)
    found = readings(text) if text is not None else ()
    return found[0].value if found else None


def _read(text: str) -> list[Written]:
    plain = _plain(text) if len(text) <= 4 * _LONGEST else ""
    if not plain or len(plain) > _LONGEST:
        return []
    percent = _PERCENT.search(plain)
    bare = whole = re.sub(r"^[=≈~] ?", "", plain[: percent.start()] if percent else plain)
    sign, bare = (-1 if bare[:1] == "-" else 1), re.sub(r"^[+-] ?", "", bare)
    found = [*_decimal(bare), *_whole(bare, rounded=percent is not None), *_fraction(bare)]
    if not found and not any(map(_broken, text)):
        found, sign = _summed(whole), 1
    scale = Fraction(sign, 100 if percent else 1)
    return [Written(one.value * scale, one.grain * abs(scale), one.digits) for one in found]


def _summed(text: str) -> list[Written]:
    """What a sum comes to, its numbers read in the one way and in the other."""
    found = []
    for which in (0, -1):

        def number(one: str, which: int = which) -> Reckoned | None:
            read = [*_decimal(one), *_whole(one, rounded=False)]
            return Reckoned(read[which].value, read[which].digits if read[which].grain else 0) if read else None

        one = reckoned(text, number)
        found += [Written(one.value, _unit(one), one.digits)] if one is not None else []
    return found


def _unit(one: Reckoned) -> Fraction:
    """What one more would add in the last of as many digits as are told; 0 where it is exact."""
    if not one.digits or not one.value:
        return Fraction(0)
    power, size = 0, abs(one.value)
    while size >= 10:
        power, size = power + 1, size / 10
    while size < 1:
        power, size = power - 1, size * 10
    return Fraction(10) ** (power - one.digits + 1)


def _plain(text: str) -> str:
    """A number's text in the simplest characters, with no space but single ones."""
    parts = []
    for character in text:
        if _broken(character):
            parts.append(" " + unicodedata.normalize("NFKC", character))
        elif character.isspace():
            parts.append(" ")
        elif unicodedata.category(character) == "Nd":
            parts.append(str(unicodedata.digit(character)))
        elif unicodedata.category(character) != "Cf":  # marks of direction, and what joins words, are not seen
            parts.append(character)
    return " ".join("".join(parts).translate(_SIGNS).split())


def _broken(character: str) -> bool:
    """Whether that is a fraction in one character."""
    return unicodedata.decomposition(character).startswith("<fraction>")


def _decimal(text: str) -> list[Written]:
    match = _DECIMAL.fullmatch(text) or _POWER.fullmatch(text)
    if match is None:
        return []
    whole, *places, power = match.groups()
    after = places[0] if places else ""
    if not whole + after:
        return []
    digits = _digits(whole) + after
    exponent = int(power or 0) - len(after)
    exact = not after and power is None  # "5." is five, at the end of a sentence
    value, tells = int(digits) * Fraction(10) ** exponent, len(digits.lstrip("0"))
    grain = Fraction(0) if exact else max(Fraction(10) ** exponent, value / 10**_RECKONED if tells > _RECKONED else Fraction(0))
    return [Written(value, grain, tells)]


def _whole(text: str, *, rounded: bool) -> list[Written]:
    """A whole number is exact; of whole per cents a fraction may have been rounded off."""
    if _COUNT.fullmatch(text) is None:
        return []
    digits = _digits(text)
    return [Written(Fraction(int(digits)), Fraction(int(rounded)), len(digits.lstrip("0")))]


def _fraction(text: str) -> list[Written]:
    """A fraction, and a whole number with one."""
    found = []
    if match := _BROKEN.fullmatch(text):
        over, under = (int(_digits(part)) for part in match.groups())
        found += [Written(Fraction(over, under))] if under else []
    if match := _MIXED.fullmatch(text):
        whole, over, under = (int(_digits(part)) for part in match.groups())
        found += [Written(whole + Fraction(over, under))] if over < under else []
    return found


def _digits(text: str) -> str:
    return re.sub(r"[^0-9]", "", text)


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
    durak_widget.gametheory.number_parsing.NotReckonedError: 9^387420489 is too large
    """
    plain = _RAISED_DIGITS.sub(lambda found: f"^({found[0].translate(_RAISED)})", text.translate(_TIMES))
    if len(plain) > _LONGEST_SUM or not _SUM.search(plain):
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
