"""What is typed into a sketch: numbers as people write them, products too, and the payoffs of all players in one line."""

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
"""So many letters the name of a move, a set or a player has at most."""
_APART: Final = (r"\s*;\s*", r",\s+", r"\s+", r",")
"""What may stand between two payoffs: the first of these that gives as many numbers as there are players."""
_BARE: Final = re.compile(r"^\s*[(\[]\s*(.*?)\s*[)\]]\s*$")


def number(given: object) -> Fraction:
    """A number that a person has typed, or that code gives; refused in a sentence where it is none.

    >>> [str(number(one)) for one in ("1/3", "0,5", " −2", "3·1/4", "2 * -3", 7)]
    ['1/3', '1/2', '-2', '3/4', '-6', '7']
    >>> number("a lot")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “a lot” is no number. Write it as 1/3, 0.5 or −2.
    """
    text = writing(given)
    found = None if text is None or len(text) > _LONGEST else read(text)
    if found is None or not readable(found):
        raise RefusedError(f"sketch.refused.{'digits' if _is_large(given) else 'number'}", text=quoted_short(given))
    return found


def _is_large(given: object) -> bool:
    """Whether that is a number, but one of more digits than anybody would write."""
    if isinstance(given, str):
        return bool(_LARGE.fullmatch(given.strip())) or (len(given) <= _LONGEST and beyond_writing(given))
    finite = (
        given.is_finite() if isinstance(given, Decimal) else isinstance(given, Rational) or (isinstance(given, Real) and isfinite(given))
    )
    return finite and not isinstance(given, bool)


def read(text: str) -> Fraction | None:
    """The number that a text is, a product too; None where it is none.

    >>> read("2*1/3"), read("1, 2")
    (Fraction(2, 3), None)
    """
    whole = exactly(text)
    if whole is not None:
        return whole
    factors = [exactly(part) for part in _TIMES.split(text)]
    known = [one for one in factors if one is not None]
    return prod(known, start=Fraction(1)) if len(known) == len(factors) > 1 else None


def payoffs(text: str, seats: int) -> tuple[Fraction, ...]:
    """The payoffs of all players, typed in one line: with a semicolon, a comma or a space between them.

    >>> [[str(one) for one in payoffs(text, 2)] for text in ("1, -1", "0,5 1/3", "1,-1", "(2; 1 1/2)", "0,5, 0")]
    [['1', '-1'], ['1/2', '1/3'], ['1', '-1'], ['2', '3/2'], ['1/2', '0']]
    >>> payoffs("1", 2)
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “1” does not say what each player gets. Write a number for each, such as 1, 0.
    """
    bare = _BARE.match(text)
    inner = (bare[1] if bare else text).strip()
    ways = [re.split(apart, inner) if seats > 1 else [inner] for apart in _APART]
    fitting = [parts for parts in ways if len(parts) == seats]
    for parts in fitting:
        if all(read(part) is not None for part in parts):
            return tuple(map(number, parts))
    if fitting:
        return tuple(map(number, fitting[0]))  # which of them is no number, it says
    raise RefusedError("sketch.refused.payoffs", text=quoted_short(text), example=example(seats))


def example(seats: int) -> str:
    """Payoffs as one might type them.

    >>> example(3)
    '1, 0, 2'
    """
    return ", ".join((["1", "0", "2"] * seats)[:seats])


def name(text: object, *, empty: bool = False) -> str:
    """What something is called: one line, not endless; nothing only where that may be.

    >>> name("  bet  two ")
    'bet two'
    >>> name(" ")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: A name has at least one letter.
    """
    said = plain_name(text if isinstance(text, str) else str(text))
    if not said and not empty:
        raise RefusedError("sketch.refused.nameless")
    if len(said) > _CALLED:
        raise RefusedError("sketch.refused.long", most=_CALLED)
    return said


def quoted_short(given: object) -> str:
    """What was typed, or given by code, as a sentence may quote it.

    >>> quoted_short("  a   lot "), quoted_short([]), quoted_short(float("nan")), quoted_short(10**5000)
    ('a lot', '[]', 'nan', '…')
    """
    try:
        told = str(given) if isinstance(given, (str, Number)) else quoted(given)
    except ValueError:  # a number of more digits than Python tells
        told = "…"
    said = " ".join(told[: 4 * _SHORT].split())
    said = said.encode("utf-8", "replace").decode()  # half a sign could not be told to the page
    return said if len(said) <= _SHORT else said[: _SHORT - 1] + "…"
