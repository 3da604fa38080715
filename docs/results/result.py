"""Defines the result that every computation returns: sentences and a table."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = dict[str, object]
"""A row of a table: the value in each column, by the name of the column."""


class Result(NamedTuple):
    """The result of a computation: sentences, and the rows of a table."""

    sentences: list[str]
    rows: list[Row]

    def __str__(self) -> str:
        return "\n".join([*self.sentences, *aligned(self.rows)])


def aligned(rows: Sequence[Row]) -> list[str]:
    """Format a table as lines of text with aligned columns.

    >>> aligned([{"cards": "6c", "value": Fraction(-1, 2)}, {"cards": "6c 7c", "value": 1200}])
    ['cards  value', '6c     −1/2', '6c 7c  1,200']
    """
    if not rows:
        return []
    lines = [list(rows[0]), *([cell(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def markdown(rows: Sequence[Row]) -> list[str]:
    """Format a table as lines of Markdown.

    >>> markdown([{"cards": "6c", "value": Fraction(1, 2)}])
    ['| cards | value |', '|---|---|', '| 6c | 1/2 |']
    """
    if not rows:
        return []
    lines = [list(rows[0]), *([cell(value) for value in row.values()] for row in rows)]
    head, *body = [f"| {' | '.join(line)} |" for line in lines]
    return [head, "|---" * len(rows[0]) + "|", *body]


def cell(value: object) -> str:
    """Format a value for a table."""
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.3g}"
    return str(value).replace("-", "−") if isinstance(value, Fraction) else str(value)


def share(part: int, whole: int) -> str:
    """Format a part of a whole, as exact numbers and as a percentage.

    >>> share(16890, 63756)
    '16,890 of 63,756 (26.5 %)'
    """
    return f"{part:,} of {whole:,} ({100 * part / whole:.1f} %)" if whole else "0 of 0"
