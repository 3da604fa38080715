"""Numbers as people write them on a blackboard: fractions where they are exact and short, short decimals where they are not; and the way back."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.board.refusing import RefusedError
from durak_widget.words import Voice

if TYPE_CHECKING:
    from durak_widget.theory.strategy import Number

LONGEST: Final = 11
"""A fraction of more characters is told as a decimal."""
_MOST: Final = 40
"""A text of more characters is no number that a person typed."""
_NUMBER: Final = re.compile(r"([+-]?)(\d{1,20})?(?:[.,](\d{1,20}))?(?:/(\d{1,20}))?(%)?")
_SIGNS: Final = str.maketrans(
    {
        "−": "-",
        "–": "-",
        "⁄": "/",
        "÷": "/",
        "½": "1/2",
        "⅓": "1/3",
        "⅔": "2/3",
        "¼": "1/4",
        "¾": "3/4",
        "⅕": "1/5",
        "⅙": "1/6",
        "⅛": "1/8",
    }
)
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def written(number: Number, language: str = "en") -> str:
    """A number as it is shown: exact where that is short, otherwise rounded and marked by ≈.

    >>> written(Fraction(-1, 3)), written(0.34871), written(0.34871, "lt"), written(0.000034), written(1.0)
    ('-1/3', '≈0.349', '≈0,349', '≈3.4·10⁻⁵', '1')
    """
    if isinstance(number, float):
        if number in (0.0, 1.0, -1.0):
            return str(int(number))
    elif max(abs(number.numerator), number.denominator) < 10**LONGEST and len(exact := str(number)) <= LONGEST:
        return exact
    try:
        return "≈" + short(float(number), language)
    except OverflowError:  # an author may write payoffs that no float can hold
        return f"≈{'-' * (number < 0)}10{str(magnitude(number)).translate(_RAISED)}"


def magnitude(number: Number) -> int:
    """About how many digits a large number has before its point.

    >>> magnitude(Fraction(-(10**400)))
    400
    """
    return int(int(abs(Fraction(number))).bit_length() * 0.30103)


def short(number: float, language: str = "en") -> str:
    """A number in three or so digits.

    >>> short(0.5), short(2 / 3), short(12.3456), short(0.00025)
    ('0.5', '0.667', '12.3', '2.5·10⁻⁴')
    """
    if number and abs(number) < 1e-3:
        digits, _, power = f"{number:.1e}".partition("e")
        said = f"{digits.removesuffix('.0')}·10{str(int(power)).translate(_RAISED)}"
    else:
        places = 3 if abs(number) < 10 else 1
        said = f"{number:.{places}f}".rstrip("0").rstrip(".")
    return said.replace(".", Voice(language).say("number.point"))


def read(text: object) -> Fraction:
    """The number that a person has typed: a fraction, a decimal with a point or a comma, percents; refused in a sentence where it is none.

    >>> [read(one) for one in ("1/2", " 0.5", ",5", "50 %", "½", 0.1)]
    [Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), Fraction(1, 10)]
    >>> read("half")
    Traceback (most recent call last):
    durak_widget.board.refusing.RefusedError: “half” is no number. Write it as 1/2, 0.5 or 50 %.
    """
    if isinstance(text, (int, float, Fraction)) and not isinstance(text, bool):
        text = str(text)  # a float as it is written, so that 0.1 is a tenth
    if isinstance(text, str) and len(text) <= _MOST:
        found = _NUMBER.fullmatch("".join(text.translate(_SIGNS).split()))
        if found and (number := _found(*found.groups())) is not None:
            return number
    raise RefusedError("board.refused.number", text=_quoted(text))


def probability(text: object) -> Fraction:
    """The probability that a person has typed.

    >>> probability("1/3")
    Fraction(1, 3)
    >>> probability("1.2")
    Traceback (most recent call last):
    durak_widget.board.refusing.RefusedError: “1.2” is no probability: it must be from 0 to 1, such as 1/2 or 50 %.
    """
    number = read(text)
    if not 0 <= number <= 1:
        raise RefusedError("board.refused.probability", text=_quoted(text))
    return number


def _found(sign: str, whole: str | None, part: str | None, below: str | None, percent: str | None) -> Fraction | None:
    """The number of these digits; None where they are none."""
    if (whole is None and part is None) or (below is not None and int(below) == 0):
        return None
    number = Fraction(f"{whole or 0}.{part or 0}") / int(below or 1) / (100 if percent else 1)
    return -number if sign == "-" else number


def _quoted(text: object) -> str:
    """What was typed, as a sentence may quote it."""
    said = text if isinstance(text, str) else type(text).__name__
    said = " ".join(said[: _MOST + 1].split())
    return said if len(said) <= _MOST else said[: _MOST - 1] + "…"
