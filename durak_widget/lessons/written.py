"""Numbers as a person writes them into a field of a tree or a matrix: one, or one for each player."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, NamedTuple

from durak_widget.errors import DurakError, quoted

_LONGEST: Final = 60
_ONE: Final = re.compile(r"([+-]?)(\d*)(?:[.,](\d+))?(?:/(\d+))?(%?)")
_ROUNDED: Final = 2
"""With so many decimals a number may be a rounded one."""


class Written(NamedTuple):
    """A number, and how far it may be from what is meant: half a unit of its last decimal."""

    value: Fraction
    slack: Fraction = Fraction(0)

    def means(self, value: Fraction) -> bool:
        """Whether it is that number, or that number rounded.

        >>> from fractions import Fraction
        >>> Written(Fraction(33, 100), Fraction(1, 200)).means(Fraction(1, 3)), Written(Fraction(1, 3)).means(Fraction(33, 100))
        (True, False)
        """
        return abs(self.value - value) <= self.slack


def number_of(text: str) -> Written | None:
    """A number in any writing; None where it is none.

    >>> [str(number_of(text).value) for text in (" −1 / 2", "0,25", ".5", "50 %")], number_of("a half"), number_of("0.33").slack
    (['-1/2', '1/4', '1/2', '1/2'], None, Fraction(1, 200))
    """
    found = _ONE.fullmatch(re.sub(r"\s", "", text[: _LONGEST + 1]).replace("−", "-").replace("–", "-"))
    if found is None or len(text) > _LONGEST:
        return None
    sign, whole, decimals, below, percent = found.groups()
    digits = whole + (decimals or "")
    if not (digits and digits.isascii()) or (below is not None and (decimals or not below.isascii() or not int(below))):
        return None
    unit = Fraction(1, 10 ** len(decimals or "")) / int(below or 1) / (100 if percent else 1)
    places = len(decimals or "") + 2 * bool(percent)
    slack = unit / 2 if not below and places >= _ROUNDED and decimals else Fraction(0)
    return Written(int(digits) * unit * (-1 if sign == "-" else 1), slack)


def numbers_of(text: str, count: int) -> tuple[Written, ...] | None:
    """So many numbers, or one alone, which is the first; None where they cannot be read.

    >>> [[str(one.value) for one in numbers_of(text, 2)] for text in ("1, -1", "0,5; -0,5", "(1 -1)", "1/3", "1 / 3")]
    [['1', '-1'], ['1/2', '-1/2'], ['1', '-1'], ['1/3'], ['1/3']]
    >>> numbers_of("1, 2, 3", 2)
    """
    bare = text.strip().strip("()[]{}").strip()
    for joint in (r"[;|]", r",", r"(?<![/\s])\s+(?![/\s%])"):
        parts = re.split(joint, bare) if count > 1 else []
        read = [number_of(part) for part in parts]
        if len(parts) == count and None not in read:
            return tuple(one for one in read if one is not None)
    alone = number_of(bare)
    return None if alone is None else (alone,)


def text_of_numbers(numbers: object) -> str:
    """What somebody gives from code, as it would be typed: a text, a number, or several.

    >>> text_of_numbers((1, Fraction(-1, 2))), text_of_numbers(0.25), text_of_numbers("1/2")
    ('1; -1/2', '0.25', '1/2')
    """
    if isinstance(numbers, str):
        return numbers[: _LONGEST + 1]
    if isinstance(numbers, (list, tuple)) and len(numbers) < _LONGEST:
        return "; ".join(map(text_of_numbers, numbers))
    try:
        return f"{numbers:.12f}".rstrip("0").rstrip(".") if isinstance(numbers, float) else str(Fraction(numbers))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise DurakError(f"a value is given as a number or a text, such as '1/2' or '1, -1', not as {quoted(numbers)}") from None


def said(worth: tuple[Fraction, ...]) -> str:
    """Numbers as they stand at the end of a tree.

    >>> said((Fraction(1), Fraction(-1, 2)))
    '1, -1/2'
    """
    return ", ".join(map(str, worth))
