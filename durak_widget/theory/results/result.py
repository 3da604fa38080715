"""What all results have in common: a question, rows for a table, sentences, and a plot where one says more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from durak_widget.theory.results.plots import LIGHT, dressed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType

    from matplotlib.axes import Axes

    from durak_widget.theory.results.plots import Drawn, Dress

Row = dict[str, object]
"""A row of a table: `pandas.DataFrame(result.table())` takes a list of them."""


class Result(ABC):
    """A question and its answer. `print` it, make a table of it, or `result.plot()` it where it can be drawn."""

    question: ClassVar[str] = ""

    @abstractmethod
    def said(self) -> list[str]:
        """The answer in sentences."""

    @abstractmethod
    def table(self) -> list[Row]:
        """The answer in rows, for `pandas.DataFrame` and the like."""

    def markdown(self) -> list[str]:
        """The rows as lines of a page."""
        return markdown(self.table())

    def plot(self, ax: Axes | None = None) -> Drawn:
        """The answer drawn: by matplotlib (`pip install 'durak_widget[plot]'`), into these axes or a figure of its own."""
        with dressed(LIGHT) as plt:
            return self.draw(plt, ax, LIGHT)

    def draw(self, plt: ModuleType, ax: Axes | None, dress: Dress) -> Drawn:  # noqa: ARG002 - as those that have a plot take it
        """Draw it by pyplot, into these axes (one panel) or a figure of its own, in these colours; what was drawn on is returned."""
        raise TypeError(f"a {type(self).__name__} has no plot; its table has all that it says")

    @classmethod
    def has_plot(cls) -> bool:
        """Whether it can be drawn."""
        return cls.draw is not Result.draw

    def __str__(self) -> str:
        return "\n".join([self.question, *self.said(), *laid_out(self.table())])


def laid_out(rows: Sequence[Row]) -> list[str]:
    """A table as lines of text, a column under each name.

    >>> laid_out([{"cards": "6c", "value": Fraction(1, 2)}, {"cards": "6c 7c", "value": None}])
    ['cards  value', '6c     1/2', '6c 7c  -']
    """
    if not rows:
        return []
    cells = [list(map(str, rows[0])), *([cell(one) for one in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in cells]


def markdown(rows: Sequence[Row]) -> list[str]:
    """A result as lines of a page.

    >>> markdown([{"cards": "6c", "value": Fraction(1, 2)}])
    ['| cards | value |', '|---|---|', '| 6c | 1/2 |']
    """
    if not rows:
        return []
    cells = [list(map(str, rows[0])), ["---"] * len(rows[0]), *([cell(one) for one in row.values()] for row in rows)]
    lines = ["| " + " | ".join(line) + " |" for line in cells]
    lines[1] = lines[1].replace(" ", "")
    return lines


def cell(one: object) -> str:
    """What stands in a cell: numbers with a minus that is one, large ones in groups of three."""
    if one is None:
        return "-"
    if isinstance(one, bool):
        return "yes" if one else "no"
    if isinstance(one, int):
        return f"{one:,}"
    if isinstance(one, float):
        return f"{one:.3g}"
    return str(one).replace("-", "−") if isinstance(one, Fraction) else str(one)


def as_share(some: int, of: int) -> str:
    """A part of a whole, exactly and as a percentage.

    >>> as_share(16890, 63756)
    '16,890 of 63,756 (26.5 %)'
    """
    return f"{some:,} of {of:,} ({100 * some / of:.1f} %)" if of else "0 of 0"


def listed(words: Iterable[str]) -> str:
    """Words in a row.

    >>> listed(["c", "d", "h"])
    'c, d and h'
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
