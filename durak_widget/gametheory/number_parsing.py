"""Numbers as people write them: `1/2`, `0,5`, `.5`, `50 %`, `1 1/2`, `½`, `15·9!`; read exactly, with what their last digit leaves open.

Whoever reads a number reads it here: authors' payoffs, probabilities set on a tree, answers of exercises. What may mean two numbers is read as both:
`1,234` is a decimal in one country and a thousand and more in another; who wants one number takes the first, the decimal. What is no number as it
stands may be a sum of some, see `reckoned`: it is as exact as what it is made of, and with a decimal in it as rough as one of so many digits.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Final, NamedTuple

from durak_widget.gametheory.reckoned import NotReckonedError, Reckoned, reckoned

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
