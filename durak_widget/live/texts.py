"""Translates sentences and formats numbers for students' pages and the projector."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_widget.i18n import Translator, get_language

if TYPE_CHECKING:
    from collections.abc import Hashable

_NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"
_MINUS: Final = "\N{MINUS SIGN}"
_MAX_DENOMINATOR: Final = 100
"""The largest denominator of a payoff that is also shown as a fraction."""
_MAX_EXACT_LENGTH: Final = 9
"""The maximum length, in characters, of a fraction, and of the whole part of a decimal."""

_BREAK_PATTERN: Final = re.compile(r"(?<=\d) (?=%)|(?<=\w) (?=[−=] [\dq(])|(?<=\w [−=]) (?=[\dq(])")
"""The spaces at which a line must not break: before a percent sign, and inside a short formula."""

_make_translator = lru_cache(Translator)


@lru_cache(maxsize=8192)  # A class of 300 gets thousands of sentences at once, and most of them are equal
def translate(language: str, key: str, /, **facts: Hashable) -> str:
    """Return a text of the catalogue in a language; equal calls are remembered.

    >>> translate("lt", "live.exercise.right")
    'Teisingai.'
    """
    return keep_together(_make_translator(language).translate(key, **facts).replace("….", "…"))


def keep_together(text: str) -> str:
    r"""Return a text whose percentages and short formulas don't break across lines.

    >>> keep_together("25 %, 6q − 1 or q = 1/4")
    '25\xa0%, 6q\xa0−\xa01 or q\xa0=\xa01/4'
    """
    return _BREAK_PATTERN.sub(_NO_BREAK_SPACE, text)


def format_rounded(value: Fraction, language: str, digits: int = 2) -> str:
    """Format a number as a decimal with at most `digits` places.

    >>> format_rounded(Fraction(3, 2), "en"), format_rounded(Fraction(-1, 3), "lt"), format_rounded(Fraction(20), "en")
    ('1.5', '−0,33', '20')
    """
    numerator, denominator = value.numerator, value.denominator
    scaled = (2 * abs(numerator) * 10**digits + denominator) // (2 * denominator)
    whole, rest = divmod(scaled, 10**digits)
    text = f"{whole}{get_language(language).point}{rest:0{digits}}".rstrip("0") if rest else str(whole)
    return f"{_MINUS}{text}" if numerator < 0 and scaled else text


def format_decimal(value: Fraction, language: str, digits: int = 2) -> str:
    r"""Format a number as a decimal with at most `digits` places; `≈` says that it is rounded.

    >>> format_decimal(Fraction(1, 3), "lt"), format_decimal(Fraction(-5, 2), "en"), format_decimal(Fraction(40), "en")
    ('≈\xa00,33', '−2.5', '40')
    """
    text = format_rounded(value, language, digits)
    return text if (10**digits) % value.denominator == 0 else f"≈{_NO_BREAK_SPACE}{text}"


@lru_cache(maxsize=4096)
def format_payoff(exact: str, language: str) -> str:
    r"""Format an exact payoff as a decimal.

    rA short fraction comes before a rounded decimal.

    >>> [format_payoff(exact, "en") for exact in ("2", "-1/4", "1/3", "12345/100003")]
    ['2', '−0.25', '1/3 ≈\xa00.33', '≈\xa00.12']
    """
    value = Fraction(exact)
    if abs(value) >= 10**_MAX_EXACT_LENGTH:
        from durak_widget.board.number_format import format_number_in_sentence  # noqa: PLC0415 - only huge numbers need it

        return format_number_in_sentence(value, language)
    decimal = format_decimal(value, language)
    has_fraction = decimal.startswith("≈") and value.denominator <= _MAX_DENOMINATOR and len(exact) <= _MAX_EXACT_LENGTH
    return f"{exact.replace('-', _MINUS)} {decimal}" if has_fraction else decimal


def format_percent(share: Fraction, language: str) -> str:
    r"""Format a share as a whole percentage; 0% and 100% mean nobody and everybody.

    >>> format_percent(Fraction(2, 3), "en"), format_percent(Fraction(1, 900), "lt")
    ('67%', '<1\xa0%')
    """
    percent, sign = round(100 * share), get_percent_sign(language)
    if 0 < share < 1 and percent in (0, 100):
        return f"<1{sign}" if percent == 0 else f">99{sign}"
    return f"{percent}{sign}"


def get_percent_sign(language: str) -> str:
    """Return the sign after a percentage, with the space before it that the language has."""
    return "%" if language == "en" else f"{_NO_BREAK_SPACE}%"
