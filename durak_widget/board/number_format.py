"""Formats numbers for the page and parses probabilities that people type.

A short exact number is shown exactly (`-1/3`). Any other number is rounded to three digits and marked (`≈0.349`), so
a number without ≈ is exact. In a sentence the hyphen becomes a minus sign (`−1/3`). Typed numbers are parsed in
`gametheory/number_parsing.py`, also with the ≈.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.number_parsing import format_number, parse_exact_number
from durak_widget.i18n import Translator
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from fractions import Fraction

    from durak_widget.gametheory.strategy import Number

MAX_FRACTION_LENGTH: Final = 11
"""The maximum length, in characters, of a fraction; a longer one is shown as a decimal."""
_MAX_INPUT_LENGTH: Final = 40
"""The maximum length, in characters, of a typed probability."""
_SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def format_short_number(number: Number, language: str = "en") -> str:
    """Format a number exactly if the result is short; otherwise round it and add the sign ≈.

    >>> from fractions import Fraction
    >>> format_short_number(Fraction(-1, 3)), format_short_number(0.34871), format_short_number(0.34871, "lt"), format_short_number(0.000034), format_short_number(Fraction(1, 3**30)), format_short_number(1.0)
    ('-1/3', '≈0.349', '≈0,349', '≈3.4·10⁻⁵', '≈4.9·10⁻¹⁵', '1')
    """
    if isinstance(number, float):
        if number in (0.0, 1.0, -1.0):
            return str(int(number))
    elif max(abs(number.numerator), number.denominator) < 10**MAX_FRACTION_LENGTH and len(exact := str(number)) <= MAX_FRACTION_LENGTH:
        return exact
    try:
        return "≈" + format_rounded(float(number), language)
    except OverflowError:  # A payoff may be too large for a float
        power = int(abs(int(number)).bit_length() * 0.30103)
        return f"≈{'-' * (number < 0)}10{str(power).translate(_SUPERSCRIPTS)}"


def format_number_in_sentence(number: Number, language: str = "en") -> str:
    """Format a number for use in a sentence, with a minus sign instead of a hyphen.

    >>> from fractions import Fraction
    >>> format_number_in_sentence(Fraction(-1, 3)), format_number_in_sentence(Fraction(123456, 678901)), format_number_in_sentence(-0.5)
    ('−1/3', '≈0.182', '≈−0.5')
    """
    return format_short_number(number, language).replace("-", "−")


def format_rounded(number: float, language: str = "en") -> str:
    """Format a number rounded to about three digits.

    >>> format_rounded(0.5), format_rounded(2 / 3), format_rounded(12.3456), format_rounded(0.00025), format_rounded(1e15)
    ('0.5', '0.667', '12.3', '2.5·10⁻⁴', '1·10¹⁵')
    """
    if number and not 1e-3 <= abs(number) < 1e9:
        digits, _, power = f"{number:.1e}".partition("e")
        formatted = f"{digits.removesuffix('.0')}·10{str(int(power)).translate(_SUPERSCRIPTS)}"
    else:
        decimals = 3 if abs(number) < 10 else 1
        formatted = f"{number:.{decimals}f}".rstrip("0").rstrip(".")
    return formatted.replace(".", Translator(language).translate("number.point"))


def parse_probability(text: object) -> Fraction:
    """Parse a probability from a user's text or from Python; raise an error if it is invalid.

    >>> [parse_probability(typed) for typed in ("1/3", ",5", "50 %", "½", 0.1)]
    [Fraction(1, 3), Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), Fraction(1, 10)]
    >>> parse_probability("half")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “half” isn't a number. Write a number such as 1/2, 0.5 or 50%.
    >>> parse_probability("1.2")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “1.2” isn't a probability. Write a number from 0 to 1, such as 1/2 or 50%.
    """
    typed = format_number(text)
    number = parse_exact_number(typed) if typed is not None and len(typed) <= _MAX_INPUT_LENGTH else None
    if number is None:
        raise RefusedError("board.refused.number", text=_shorten_input(text))
    if not 0 <= number <= 1:
        raise RefusedError("board.refused.probability", text=_shorten_input(text))
    return number


def _shorten_input(text: object) -> str:
    """Shorten a typed text that an error message quotes."""
    short_text = text if isinstance(text, str) else type(text).__name__
    short_text = " ".join(short_text[: _MAX_INPUT_LENGTH + 1].split())
    return short_text if len(short_text) <= _MAX_INPUT_LENGTH else short_text[: _MAX_INPUT_LENGTH - 1] + "…"
