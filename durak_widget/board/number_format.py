"""Formats numbers for the page and parses probabilities that people type.

A short exact number is shown exactly (`-1/3`). Any other number is rounded to three digits and marked (`≈0.349`), so
a number without ≈ is exact. In a sentence the hyphen becomes a minus sign (`−1/3`). Typed numbers are parsed in
`gametheory/number_parsing.py`, also with the ≈.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.number_parsing import exactly, writing
from durak_widget.i18n import Voice
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from fractions import Fraction

    from durak_widget.gametheory.strategy import Number

LONGEST: Final = 11
"""The largest length of a fraction; a longer one is shown as a decimal."""
_MOST: Final = 40
"""The largest length of a typed probability."""
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number_written(number: Number, language: str = "en") -> str:
    """Format a number: exactly if that is short, otherwise rounded and marked by ≈.

    >>> from fractions import Fraction
    >>> number_written(Fraction(-1, 3)), number_written(0.34871), number_written(0.34871, "lt"), number_written(0.000034), number_written(Fraction(1, 3**30)), number_written(1.0)
    ('-1/3', '≈0.349', '≈0,349', '≈3.4·10⁻⁵', '≈4.9·10⁻¹⁵', '1')
    """
    if isinstance(number, float):
        if number in (0.0, 1.0, -1.0):
            return str(int(number))
    elif max(abs(number.numerator), number.denominator) < 10**LONGEST and len(exact := str(number)) <= LONGEST:
        return exact
    try:
        return "≈" + in_few_digits(float(number), language)
    except OverflowError:  # an author may have entered a number that no float can hold
        power = int(abs(int(number)).bit_length() * 0.30103)
        return f"≈{'-' * (number < 0)}10{str(power).translate(_RAISED)}"


def number_said(number: Number, language: str = "en") -> str:
    """Format a number for a sentence, with a minus sign instead of a hyphen.

    >>> from fractions import Fraction
    >>> number_said(Fraction(-1, 3)), number_said(Fraction(123456, 678901)), number_said(-0.5)
    ('−1/3', '≈0.182', '≈−0.5')
    """
    return number_written(number, language).replace("-", "−")


def in_few_digits(number: float, language: str = "en") -> str:
    """Format a number with about three digits.

    >>> in_few_digits(0.5), in_few_digits(2 / 3), in_few_digits(12.3456), in_few_digits(0.00025), in_few_digits(1e15)
    ('0.5', '0.667', '12.3', '2.5·10⁻⁴', '1·10¹⁵')
    """
    if number and not 1e-3 <= abs(number) < 1e9:
        digits, _, power = f"{number:.1e}".partition("e")
        formatted = f"{digits.removesuffix('.0')}·10{str(int(power)).translate(_RAISED)}"
    else:
        decimals = 3 if abs(number) < 10 else 1
        formatted = f"{number:.{decimals}f}".rstrip("0").rstrip(".")
    return formatted.replace(".", Voice(language).say("number.point"))


def probability(text: object) -> Fraction:
    """Parse a probability that a person typed, or that code gives; refuse anything else.

    >>> [probability(typed) for typed in ("1/3", ",5", "50 %", "½", 0.1)]
    [Fraction(1, 3), Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), Fraction(1, 10)]
    >>> probability("half")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “half” is no number. Write it as 1/2, 0.5 or 50 %.
    >>> probability("1.2")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “1.2” is no probability: it must be from 0 to 1, such as 1/2 or 50 %.
    """
    typed = writing(text)
    number = exactly(typed) if typed is not None and len(typed) <= _MOST else None
    if number is None:
        raise RefusedError("board.refused.number", text=_quoted(text))
    if not 0 <= number <= 1:
        raise RefusedError("board.refused.probability", text=_quoted(text))
    return number


def _quoted(text: object) -> str:
    """Shorten what was typed, so that a sentence can quote it."""
    shown = text if isinstance(text, str) else type(text).__name__
    shown = " ".join(shown[: _MOST + 1].split())
    return shown if len(shown) <= _MOST else shown[: _MOST - 1] + "…"
