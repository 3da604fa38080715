"""Parses what users type into an editor: numbers, products, names, and lists of payoffs."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import isfinite, prod
from numbers import Number, Rational, Real
from typing import Final

from durak_widget.board.tree_wording import clean_name
from durak_widget.errors import short_repr
from durak_widget.gametheory.number_parsing import format_number, is_too_large_to_write, parse_exact_number
from durak_widget.gametheory.tree import is_printable
from durak_widget.translated_errors import RefusedError

_MULTIPLICATION_SIGN: Final = re.compile(r"\s*[*·×⋅∙]\s*")
_LARGE_NUMBER: Final = re.compile(r"[+−-]?(?:\d{100,}|\d+(?:[.,]\d*)?e\+?\d{3,})", re.IGNORECASE)
_MAX_NUMBER_LENGTH: Final = 200
_MAX_QUOTED_LENGTH: Final = 40
_MAX_NAME_LENGTH: Final = 80
"""The maximum number of characters in a name of an action, an information set or a player."""
_SEPARATORS: Final = (r"\s*;\s*", r",\s+", r"\s+", r",")
"""The separators that a user may type between payoffs. The parser tries them in this order, until one gives a number for
each player.
"""
_BRACKETED: Final = re.compile(r"^\s*[(\[]\s*(.*?)\s*[)\]]\s*$")
_PAIR: Final = re.compile(r"(?<!\w)\([^()]*[,;][^()]*\)")
"""Matches the payoffs of a cell in brackets, but not a binomial coefficient such as C(15,4)."""


def parse_number(value: object) -> Fraction:
    """Parse a number that a user typed or passed to a function; reject any other value.

    >>> [str(parse_number(text)) for text in ("1/3", "0,5", " −2", "3·1/4", "2 * -3", 7)]
    ['1/3', '1/2', '-2', '3/4', '-6', '7']
    >>> parse_number("a lot")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “a lot” isn't a number. Write a number such as 1/3, 0.5 or −2.
    """
    text = format_number(value)
    parsed = None if text is None or len(text) > _MAX_NUMBER_LENGTH else parse_number_or_product(text)
    if parsed is None or not is_printable(parsed):
        raise RefusedError(f"sketch.refused.{'digits' if _is_large(value) else 'number'}", text=quote_input(value))
    return parsed


def _is_large(value: object) -> bool:
    """Return whether a value is a number, but with too many digits to accept."""
    if isinstance(value, str):
        return bool(_LARGE_NUMBER.fullmatch(value.strip())) or (len(value) <= _MAX_NUMBER_LENGTH and is_too_large_to_write(value))
    finite = (
        value.is_finite() if isinstance(value, Decimal) else isinstance(value, Rational) or (isinstance(value, Real) and isfinite(value))
    )
    return finite and not isinstance(value, bool)


def parse_number_or_product(text: str) -> Fraction | None:
    """Parse a number or a product of numbers as a fraction; return None for any other text.

    >>> parse_number_or_product("2*1/3"), parse_number_or_product("1, 2")
    (Fraction(2, 3), None)
    """
    if len(_PAIR.findall(text)) > 1:  # several cells; without this check, "(2,1) (0,0)" would be a product of decimal numbers
        return None
    single = parse_exact_number(text)
    if single is not None:
        return single
    factors = [parse_exact_number(part) for part in _MULTIPLICATION_SIGN.split(text)]
    known = [factor for factor in factors if factor is not None]
    return prod(known, start=Fraction(1)) if len(known) == len(factors) > 1 else None


def parse_payoffs(text: str, player_count: int) -> tuple[Fraction, ...]:
    """Parse a line of text that contains one payoff for each player.

    The payoffs are separated by semicolons, commas or spaces.

    >>> [[str(payoff) for payoff in parse_payoffs(text, 2)] for text in ("1, -1", "0,5 1/3", "1,-1", "(2; 1 1/2)", "0,5, 0")]
    [['1', '-1'], ['1/2', '1/3'], ['1', '-1'], ['2', '3/2'], ['1/2', '0']]
    >>> parse_payoffs("1", 2)
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “1” doesn't say what each player gets. Write a number for each player, such as 1, 0.
    """
    bracketed = _BRACKETED.match(text)
    inner = (bracketed[1] if bracketed else text).strip()
    splits = [re.split(separator, inner) if player_count > 1 else [inner] for separator in _SEPARATORS]
    candidates = [parts for parts in splits if len(parts) == player_count]
    for parts in candidates:
        if all(parse_number_or_product(part) is not None for part in parts):
            return tuple(map(parse_number, parts))
    if candidates:
        return tuple(map(parse_number, candidates[0]))  # `parse_number` raises an error that quotes the invalid part
    raise RefusedError("sketch.refused.payoffs", text=quote_input(text), example=format_example_payoffs(player_count))


def format_example_payoffs(player_count: int) -> str:
    """Return example payoffs for a message that explains what to type.

    >>> format_example_payoffs(3)
    '1, 0, 2'
    """
    return ", ".join((["1", "0", "2"] * player_count)[:player_count])


def parse_name(text: object, *, allow_empty: bool = False) -> str:
    """Clean a name to one line; raise an error for a name that is too long.

    An empty name is allowed only with `allow_empty`.

    >>> parse_name("  bet  two ")
    'bet two'
    >>> parse_name(" ")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: A name needs at least one letter.
    """
    label = clean_name(text if isinstance(text, str) else str(text))
    if not label and not allow_empty:
        raise RefusedError("sketch.refused.nameless")
    if len(label) > _MAX_NAME_LENGTH:
        raise RefusedError("sketch.refused.long", most=_MAX_NAME_LENGTH)
    return label


def quote_input(value: object) -> str:
    """Shorten an invalid value that a user typed, so that an error message can quote it.

    >>> quote_input("  a   lot "), quote_input([]), quote_input(float("nan")), quote_input(10**5000)
    ('a lot', '[]', 'nan', '…')
    """
    try:
        full_text = str(value) if isinstance(value, (str, Number)) else short_repr(value)
    except ValueError:  # Python refuses to convert an integer with too many digits to text
        full_text = "…"
    short_text = " ".join(full_text[: 4 * _MAX_QUOTED_LENGTH].split())
    short_text = short_text.encode("utf-8", "replace").decode()  # Unpaired surrogates cannot be encoded for the page, so replace them
    return short_text if len(short_text) <= _MAX_QUOTED_LENGTH else short_text[: _MAX_QUOTED_LENGTH - 1] + "…"
