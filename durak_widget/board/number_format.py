"""Numbers as they stand on a blackboard: exact fractions as they are, and whatever is rounded marked by ≈; and the way back for a probability that is set.

What is exact and short is told exactly (`-1/3`); everything else is rounded to three digits and marked (`≈0.349`), so that a number without ≈ can be
relied on. In a sentence the hyphen is a minus (`−1/3`). What a person types is read where all numbers are (`gametheory/number_parsing.py`), also with the ≈.
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
"""A fraction of more characters is told as a decimal."""
_MOST: Final = 40
"""A text of more characters is no probability that a person typed."""
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number_written(number: Number, language: str = "en") -> str:
    """A number as it is shown: exact where that is short, otherwise rounded and marked by ≈.

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
    except OverflowError:  # what no float holds; an author may have written it
        power = int(abs(int(number)).bit_length() * 0.30103)
        return f"≈{'-' * (number < 0)}10{str(power).translate(_RAISED)}"


def number_said(number: Number, language: str = "en") -> str:
    """A number as it is shown, in a sentence: with a minus, not a hyphen.

    >>> from fractions import Fraction
    >>> number_said(Fraction(-1, 3)), number_said(Fraction(123456, 678901)), number_said(-0.5)
    ('−1/3', '≈0.182', '≈−0.5')
    """
    return number_written(number, language).replace("-", "−")


def in_few_digits(number: float, language: str = "en") -> str:
    """A number in three or so digits.

    >>> in_few_digits(0.5), in_few_digits(2 / 3), in_few_digits(12.3456), in_few_digits(0.00025), in_few_digits(1e15)
    ('0.5', '0.667', '12.3', '2.5·10⁻⁴', '1·10¹⁵')
    """
    if number and not 1e-3 <= abs(number) < 1e9:
        digits, _, power = f"{number:.1e}".partition("e")
        said = f"{digits.removesuffix('.0')}·10{str(int(power)).translate(_RAISED)}"
    else:
        places = 3 if abs(number) < 10 else 1
        said = f"{number:.{places}f}".rstrip("0").rstrip(".")
    return said.replace(".", Voice(language).say("number.point"))


def probability(text: object) -> Fraction:
    """The probability that a person has typed, or that code gives; refused in a sentence where it is none.

    >>> [probability(one) for one in ("1/3", ",5", "50 %", "½", 0.1)]
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
    """What was typed, as a sentence may quote it."""
    said = text if isinstance(text, str) else type(text).__name__
    said = " ".join(said[: _MOST + 1].split())
    return said if len(said) <= _MOST else said[: _MOST - 1] + "…"
