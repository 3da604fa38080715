"""Parses numbers and arithmetic: `1/2`, `0,5`, `50 %`, `1 1/2`, `15·9!`, `C(15,4)`.

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
"""The largest length of a number's text."""
TELLING: Final = 2
"""The significant digits that a rounded number needs: 0.33 may stand for 1/3, and 0.3 may not."""
_RECKONED: Final = 12
"""The digits of a decimal that are reliable: a computer has worked out more, and the last may be wrong."""
_OF_A_FLOAT: Final = 2**30
"""A fraction whose denominator is a larger power of two was made from a float."""
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
"""The largest size of a numerator or denominator, also of intermediate results: about 300 digits."""
_COUNTED: Final = 1000
"""The largest argument of factorials and binomial coefficients."""
_LONGEST_SUM: Final = 120
_TIMES: Final = dict.fromkeys(map(ord, "·⋅∙•×✕✖∗"), "*")
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_RAISED_DIGITS: Final = re.compile("[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_SUM: Final = re.compile(r"[-+*/^!()]|\bchoose\b|[0-9] ?[xXхХC] ?[0-9]")
_ALONE: Final = r"[1-9][0-9]{0,2}(?:[ '][0-9]{3})+(?![0-9])|[0-9]+(?:\.[0-9]+)?"
_NUMBER: Final = re.compile(rf" *({_ALONE}(?:[.,][0-9]+)*|[.,][0-9]+)")
_AMONG: Final = re.compile(rf" *({_ALONE}|\.[0-9]+)")
"""A number as an argument of a function: there a comma separates arguments and is not part of a number."""
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
    """A number as a person wrote it."""

    value: Fraction
    grain: Fraction = Fraction(0)
    """The unit of the last digit; 0 if the number is exact, as fractions and whole numbers are."""
    digits: int = 0
    """The number of significant digits, if it may be rounded."""

    def rounds(self, true: Fraction) -> bool:
        """Return whether the exact value, rounded as this number is, can be written so.

        >>> [written] = readings("27.8 %")
        >>> written.rounds(Fraction(5, 18)), written.rounds(Fraction(2, 7))
        (True, False)
        """
        return abs(true - self.value) <= self.grain / 2

    def may_stand_for(self, true: Fraction) -> bool:
        """Return whether this is the exact value rounded, with enough significant digits.

        >>> [[reading.may_stand_for(Fraction(1, 3)) for reading in readings(text)] for text in ("0.33", "0.3", "1/3")]
        [[True], [False], [False]]
        """
        return self.digits >= TELLING and self.rounds(true)

    def means(self, true: Fraction) -> bool:
        """Return whether this is the exact value, or may stand for it.

        A fraction is exact; a decimal may have been rounded.

        >>> [[reading.means(Fraction(1, 3)) for reading in readings(text)] for text in ("0.33", "1/3", "33/100")]
        [[True], [True], [False]]
        """
        return self.value == true or self.may_stand_for(true)


def readings(text: str) -> tuple[Written, ...]:
    """Return the possible values of a typed number; none if it is not a number.

    >>> [str(reading.value) for text in ("1/2", " 3 / 4", "0,5", ".5", "50 %", "1 1/2", "½", "1,234") for reading in readings(text)]
    ['1/2', '3/4', '1/2', '1/2', '1/2', '3/2', '1/2', '617/500', '1234']
    >>> [str(reading.value) for text in ("15*21*362880", "(15/18)^5", "C(15,4)", "1 - 5/18") for reading in readings(text)]
    ['114307200', '3125/7776', '1365', '13/18']
    >>> readings("a half"), readings("1/0"), readings("9^9^9")
    ((), (), ())
    """
    try:
        return tuple(dict.fromkeys(_read(text)))
    except NotReckonedError:
        return ()


def beyond_writing(text: str) -> bool:
    """Return whether this is arithmetic with a result too large to write out.

    Such a result is not computed.

    >>> beyond_writing("9^9^9"), beyond_writing("2000!"), beyond_writing("9!"), beyond_writing("a half")
    (True, True, False, False)
    """
    try:
        _read(text)
    except NotReckonedError:
        return True
    return False


def writing(number: object) -> str | None:
    """Format a number as a person would type it.

    A text stays as it is, and a Python number is written with all its digits. Return None for anything else.

    >>> writing(" 1/2"), writing(Fraction(1, 2)), writing(0.5), writing(Decimal("0.50")), writing(7), writing(True), writing([])
    (' 1/2', '1/2', '0.5', '0.50', '7', None, None)
    """
    if isinstance(number, str):
        return number
    if isinstance(number, Fraction) and number.denominator > _OF_A_FLOAT and not number.denominator & (number.denominator - 1):
        number = float(number)  # as in Fraction(37 / 42): that fraction comes from a float
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
    """Format a real number with all its digits, but no more than its type holds (`float32`)."""
    short, full = str(number), repr(float(number))
    return short if _DECIMAL.fullmatch(short.lstrip("-")) and float(number) == float(type(number)(short)) else full  # type: ignore[call-arg] # as it was written


def exactly(given: object) -> Fraction | None:
    """Parse a text or a Python number exactly; return None if it is not a number.

    A decimal is what it looks like, not the nearest float.

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
    unsigned = expression = re.sub(r"^[=≈~] ?", "", plain[: percent.start()] if percent else plain)
    sign, unsigned = (-1 if unsigned[:1] == "-" else 1), re.sub(r"^[+-] ?", "", unsigned)
    found = [*_decimal(unsigned), *_whole(unsigned, rounded=percent is not None), *_fraction(unsigned)]
    if not found and not any(map(_broken, text)):
        found, sign = _summed(expression), 1
    scale = Fraction(sign, 100 if percent else 1)
    return [Written(reading.value * scale, reading.grain * abs(scale), reading.digits) for reading in found]


def _summed(text: str) -> list[Written]:
    """Evaluate arithmetic, with ambiguous numbers read in each of the two ways."""
    found = []
    for reading_index in (0, -1):

        def parse_operand(operand_text: str, reading_index: int = reading_index) -> Reckoned | None:
            operand_readings = [*_decimal(operand_text), *_whole(operand_text, rounded=False)]
            return (
                Reckoned(
                    operand_readings[reading_index].value,
                    operand_readings[reading_index].digits if operand_readings[reading_index].grain else 0,
                )
                if operand_readings
                else None
            )

        result = reckoned(text, parse_operand)
        found += [Written(result.value, _unit(result), result.digits)] if result is not None else []
    return found


def _unit(one: Reckoned) -> Fraction:
    """Return the unit of the last significant digit; 0 if the result is exact."""
    if not one.digits or not one.value:
        return Fraction(0)
    power, size = 0, abs(one.value)
    while size >= 10:
        power, size = power + 1, size / 10
    while size < 1:
        power, size = power - 1, size * 10
    return Fraction(10) ** (power - one.digits + 1)


def _plain(text: str) -> str:
    """Replace special characters by simple ones, and spaces by single spaces."""
    parts = []
    for character in text:
        if _broken(character):
            parts.append(" " + unicodedata.normalize("NFKC", character))
        elif character.isspace():
            parts.append(" ")
        elif unicodedata.category(character) == "Nd":
            parts.append(str(unicodedata.digit(character)))
        elif unicodedata.category(character) != "Cf":  # format characters, such as direction marks and joiners, are invisible
            parts.append(character)
    return " ".join("".join(parts).translate(_SIGNS).split())


def _broken(character: str) -> bool:
    """Return whether this character is a fraction."""
    return unicodedata.decomposition(character).startswith("<fraction>")


def _decimal(text: str) -> list[Written]:
    match = _DECIMAL.fullmatch(text) or _POWER.fullmatch(text)
    if match is None:
        return []
    whole, *decimals, power = match.groups()
    decimal_digits = decimals[0] if decimals else ""
    if not whole + decimal_digits:
        return []
    digits = _digits(whole) + decimal_digits
    exponent = int(power or 0) - len(decimal_digits)
    is_exact = not decimal_digits and power is None  # "5." is five, at the end of a sentence
    value, significant = int(digits) * Fraction(10) ** exponent, len(digits.lstrip("0"))
    unit = Fraction(0) if is_exact else max(Fraction(10) ** exponent, value / 10**_RECKONED if significant > _RECKONED else Fraction(0))
    return [Written(value, unit, significant)]


def _whole(text: str, *, rounded: bool) -> list[Written]:
    """Parse a whole number; in percent, a whole number may have been rounded."""
    if _COUNT.fullmatch(text) is None:
        return []
    digits = _digits(text)
    return [Written(Fraction(int(digits)), Fraction(int(rounded)), len(digits.lstrip("0")))]


def _fraction(text: str) -> list[Written]:
    """Parse a fraction, or a whole number with a fraction."""
    found = []
    if match := _BROKEN.fullmatch(text):
        numerator, denominator = (int(_digits(part)) for part in match.groups())
        found += [Written(Fraction(numerator, denominator))] if denominator else []
    if match := _MIXED.fullmatch(text):
        whole, numerator, denominator = (int(_digits(part)) for part in match.groups())
        found += [Written(whole + Fraction(numerator, denominator))] if numerator < denominator else []
    return found


def _digits(text: str) -> str:
    return re.sub(r"[^0-9]", "", text)


class NotReckonedError(ValueError):
    """A number that is too large to write out."""


class Reckoned(NamedTuple):
    """The result of arithmetic."""

    value: Fraction
    digits: int = 0
    """The significant digits of the least precise decimal in it; 0 if everything in it is exact."""


def reckoned(text: str, number: Callable[[str], Reckoned | None]) -> Reckoned | None:
    """Evaluate arithmetic whose numbers are parsed by `number`.

    Return None if the text is not arithmetic, or has no value.

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
    plain = _RAISED_DIGITS.sub(lambda match: f"^({match[0].translate(_RAISED)})", text.translate(_TIMES))
    if len(plain) > _LONGEST_SUM or not _SUM.search(plain):
        return None
    try:
        return _Sum(plain, number).whole()
    except (_NoSumError, ZeroDivisionError):
        return None


class _NoSumError(ValueError):
    """A text that is not arithmetic."""


class _Sum:
    """A recursive-descent parser of arithmetic; operators that bind tighter are parsed deeper."""

    def __init__(self, text: str, number: Callable[[str], Reckoned | None]) -> None:
        self._text, self._number, self._at, self._among = text, number, 0, 0

    def whole(self) -> Reckoned:
        result = self._added()
        if self._text[self._at :].strip():
            raise _NoSumError
        return result

    def _taken(self, pattern: re.Pattern[str], among: set[str] | None = None) -> str:
        """Consume the next sign, word or number if it is allowed; else return an empty text."""
        match = pattern.match(self._text, self._at)
        if match is None or (among is not None and match[1] not in among):
            return ""
        self._at = match.end()
        return match[1]

    def _added(self) -> Reckoned:
        result = self._multiplied()
        while sign := self._taken(_SIGN, {"+", "-"}):
            other = self._multiplied()
            result = _short(result.value + other.value if sign == "+" else result.value - other.value, result, other)
        return result

    def _multiplied(self) -> Reckoned:
        result, last_sign = self._signed(), ""
        while True:
            sign = self._taken(_SIGN, {"*", "/"}) or ("*" if self._taken(_WORD, _TIMES_TOO) else "")
            next_sign = _SIGN.match(self._text, self._at)
            if not sign and not (next_sign and next_sign[1] == "("):
                return result
            if last_sign == sign == "/":  # 1/2/3 is ambiguous
                raise _NoSumError
            last_sign, other = sign, self._signed()
            result = _short(result.value / other.value if sign == "/" else result.value * other.value, result, other)

    def _signed(self) -> Reckoned:
        sign = self._taken(_SIGN, {"+", "-"})
        result = self._raised()
        return result._replace(value=-result.value) if sign == "-" else result

    def _raised(self) -> Reckoned:
        result = self._counted()
        if not self._taken(_SIGN, {"^", "**"}):
            return result
        exponent = self._signed()
        power, base = exponent.value, result.value
        if power.denominator != 1 or (not base and power <= 0):
            raise _NoSumError
        if abs(power) * max(base.numerator.bit_length() - 1, base.denominator.bit_length() - 1) > BITS:
            raise NotReckonedError(f"{base}^{power} is too large")
        if base in (0, 1, -1):
            power = Fraction(2 - int(power) % 2)  # gives the same result as any other even or odd power
        return _short(base ** int(power), result)

    def _counted(self) -> Reckoned:
        result = self._one()
        while self._taken(_SIGN, {"!"}):
            result = _count(factorial, result)
        if self._taken(_WORD, _CHOOSE):
            result = _count(comb, result, self._one())
        return result

    def _one(self) -> Reckoned:
        if self._taken(_SIGN, {"("}):
            depth, self._among = self._among, 0
            result = self._added()
            self._among = depth
            self._close()
            return result
        if word := self._taken(_WORD):
            return self._called(word.rpartition(".")[2])
        text = self._taken(_AMONG if self._among else _NUMBER)
        found_number = self._number(text) if text else None
        if found_number is None:
            raise _NoSumError
        return found_number

    def _called(self, word: str) -> Reckoned:
        """Parse a call of a counting function, given its name."""
        argument_count, function = _COUNTS.get(word, (0, factorial))
        if not argument_count or not self._taken(_SIGN, {"("}):
            raise _NoSumError
        self._among += 1
        arguments = [self._added()]
        while len(arguments) < argument_count and self._taken(_SIGN, {",", ";"}):
            arguments.append(self._added())
        self._among -= 1
        self._close()
        if len(arguments) != argument_count:
            raise _NoSumError
        return _count(function, *arguments)

    def _close(self) -> None:
        if not self._taken(_SIGN, {")"}):
            raise _NoSumError


def _count(count: Callable[..., int], *given: Reckoned) -> Reckoned:
    """Apply a factorial or binomial function to whole numbers."""
    values = [value.value for value in given]
    if any(value.denominator != 1 or value < 0 for value in values):
        raise _NoSumError
    if max(values) > _COUNTED:
        raise NotReckonedError(f"of {max(values)} things nothing is counted")
    return _short(Fraction(count(*map(int, values))), *given)


def _short(value: Fraction, *of: Reckoned) -> Reckoned:
    """Return a result as precise as its least precise operand; refuse one that is too large."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > BITS:
        raise NotReckonedError(f"{value.numerator.bit_length()} bits are too many")
    return Reckoned(value, min((operand.digits for operand in of if operand.digits), default=0))
