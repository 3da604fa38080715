"""Parses what is typed into an editor: numbers, products, payoffs in one line, and names."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import isfinite, prod
from numbers import Number, Rational, Real
from typing import Final

from durak_widget.board.tree_wording import plain_name
from durak_widget.errors import quoted
from durak_widget.gametheory.number_parsing import beyond_writing, exactly, writing
from durak_widget.gametheory.tree import readable
from durak_widget.translated_errors import RefusedError

_TIMES: Final = re.compile(r"\s*[*·×⋅∙]\s*")
_LARGE: Final = re.compile(r"[+−-]?(?:\d{100,}|\d+(?:[.,]\d*)?e\+?\d{3,})", re.IGNORECASE)
_LONGEST: Final = 200
_SHORT: Final = 40
_CALLED: Final = 80
"""The most characters in the name of an action, an information set or a player."""
_APART: Final = (r"\s*;\s*", r",\s+", r"\s+", r",")
"""Separators of payoffs; the first that gives one number for each player is used."""
_BARE: Final = re.compile(r"^\s*[(\[]\s*(.*?)\s*[)\]]\s*$")


def number(given: object) -> Fraction:
    """Return a number that was typed or given by code; refuse anything else with a sentence.

    >>> [str(number(text)) for text in ("1/3", "0,5", " −2", "3·1/4", "2 * -3", 7)]
    ['1/3', '1/2', '-2', '3/4', '-6', '7']
    >>> number("a lot")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “a lot” is no number. Write it as 1/3, 0.5 or −2.
    """
    text = writing(given)
    parsed = None if text is None or len(text) > _LONGEST else read(text)
    if parsed is None or not readable(parsed):
        raise RefusedError(f"sketch.refused.{'digits' if _is_large(given) else 'number'}", text=quoted_short(given))
    return parsed


def _is_large(given: object) -> bool:
    """Return whether this is a number with more digits than anybody would write."""
    if isinstance(given, str):
        return bool(_LARGE.fullmatch(given.strip())) or (len(given) <= _LONGEST and beyond_writing(given))
    finite = (
        given.is_finite() if isinstance(given, Decimal) else isinstance(given, Rational) or (isinstance(given, Real) and isfinite(given))
    )
    return finite and not isinstance(given, bool)


def read(text: str) -> Fraction | None:
    """Return the number, or product of numbers, that a text is; None if it is neither.

    >>> read("2*1/3"), read("1, 2")
    (Fraction(2, 3), None)
    """
    single = exactly(text)
    if single is not None:
        return single
    factors = [exactly(part) for part in _TIMES.split(text)]
    known = [factor for factor in factors if factor is not None]
    return prod(known, start=Fraction(1)) if len(known) == len(factors) > 1 else None


def payoffs(text: str, seats: int) -> tuple[Fraction, ...]:
    """Return the payoffs of all players from one line.

    They are separated by semicolons, commas or spaces.

    >>> [[str(payoff) for payoff in payoffs(text, 2)] for text in ("1, -1", "0,5 1/3", "1,-1", "(2; 1 1/2)", "0,5, 0")]
    [['1', '-1'], ['1/2', '1/3'], ['1', '-1'], ['2', '3/2'], ['1/2', '0']]
    >>> payoffs("1", 2)
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “1” does not say what each player gets. Write a number for each, such as 1, 0.
    """
    bracketed = _BARE.match(text)
    inner = (bracketed[1] if bracketed else text).strip()
    splits = [re.split(separator, inner) if seats > 1 else [inner] for separator in _APART]
    candidates = [parts for parts in splits if len(parts) == seats]
    for parts in candidates:
        if all(read(part) is not None for part in parts):
            return tuple(map(number, parts))
    if candidates:
        return tuple(map(number, candidates[0]))  # raises the error that names the part which is not a number
    raise RefusedError("sketch.refused.payoffs", text=quoted_short(text), example=example(seats))


def example(seats: int) -> str:
    """Return payoffs as someone might type them.

    >>> example(3)
    '1, 0, 2'
    """
    return ", ".join((["1", "0", "2"] * seats)[:seats])


def name(text: object, *, empty: bool = False) -> str:
    """Return a name as one line; refuse one that is too long, or empty unless `empty` is true.

    >>> name("  bet  two ")
    'bet two'
    >>> name(" ")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: A name has at least one letter.
    """
    label = plain_name(text if isinstance(text, str) else str(text))
    if not label and not empty:
        raise RefusedError("sketch.refused.nameless")
    if len(label) > _CALLED:
        raise RefusedError("sketch.refused.long", most=_CALLED)
    return label


def quoted_short(given: object) -> str:
    """Return what was typed or given by code, short enough to quote in a sentence.

    >>> quoted_short("  a   lot "), quoted_short([]), quoted_short(float("nan")), quoted_short(10**5000)
    ('a lot', '[]', 'nan', '…')
    """
    try:
        full_text = str(given) if isinstance(given, (str, Number)) else quoted(given)
    except ValueError:  # a number with more digits than Python converts to text
        full_text = "…"
    short_text = " ".join(full_text[: 4 * _SHORT].split())
    short_text = short_text.encode("utf-8", "replace").decode()  # half of a surrogate pair could not be sent to the page
    return short_text if len(short_text) <= _SHORT else short_text[: _SHORT - 1] + "…"
