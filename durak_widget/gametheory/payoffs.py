"""A matrix from what somebody writes down: rows of numbers, or of pairs, with names for its rows and columns."""

from __future__ import annotations

from fractions import Fraction
from numbers import Number as AnyNumber
from typing import TYPE_CHECKING, Final

from durak_widget.errors import quoted
from durak_widget.gametheory.number_parsing import exactly
from durak_widget.gametheory.strategic_form import Matrix, Plan
from durak_widget.gametheory.tree import UNREADABLE, TreeError, readable

if TYPE_CHECKING:
    from collections.abc import Sequence

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def matrix_of(
    payoffs: object, *, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ("Row", "Column")
) -> Matrix:
    r"""The matrix of these payoffs: rows of numbers, which are what the rows win and the columns lose, or rows of pairs.

    >>> print(matrix_of([[(3, 2), (0, 0)], [(0, 0), ("1/2", 3)]], rows=["opera", "match"], columns=["opera", "match"], names=("Ann", "Bob")))
    Ann \ Bob | opera | match
    opera     | 3, 2  | 0, 0
    match     | 0, 0  | 1/2, 3
    >>> print(matrix_of([[1, -1], [-1, 1]]))
    Row \ Column | a  | b
    A            | 1  | -1
    B            | -1 | 1
    """
    table = [_listed(row, "a row of the matrix is a list of numbers, or of pairs") for row in _listed(payoffs, _ASKED)]
    if not table or not table[0]:
        raise TreeError("a matrix has a row and a column at least; this one is empty")
    if len({len(row) for row in table}) > 1:
        raise TreeError(f"the rows of a matrix are of one length; these have {', '.join(str(len(row)) for row in table)} cells")
    cells = [[_cell(cell) for cell in row] for row in table]
    called = _called(names, 2, "players", ("Row", "Column"))
    named = [
        [Plan(name, name, {}) for name in _called(given, many, what, _some(many, upper=upper))]
        for given, many, what, upper in ((rows, len(cells), "rows", True), (columns, len(cells[0]), "columns", False))
    ]
    return Matrix(called, named[0], named[1], cells)


_ASKED: Final = "payoffs are a list of rows, such as [[1, -1], [-1, 1]], or with a pair in each cell"


def number_of(value: object) -> Fraction:
    """The payoff that somebody wrote: a decimal is what it looks like, not the nearest float; what nobody could write down is refused.

    >>> number_of(0.1), number_of("-3/4"), number_of("2,5")
    (Fraction(1, 10), Fraction(-3, 4), Fraction(5, 2))
    """
    number = Fraction(value) if type(value) in {int, Fraction} else exactly(value)  # type: ignore[call-overload]
    if number is None:
        raise TreeError(f"a payoff is a number or a fraction, such as 3, -1 or '1/2', not {quoted(value)}")
    if not readable(number):
        raise TreeError(UNREADABLE)
    return number


def _cell(cell: object) -> tuple[Fraction, Fraction]:
    """What a cell is worth to each."""
    if isinstance(cell, (str, AnyNumber)):
        one = number_of(cell)
        return one, -one
    pair = _listed(cell, "a cell is a number, or a pair of numbers: what it is worth to the row, and to the column")
    if len(pair) != 2:
        raise TreeError(f"a cell is a number, or a pair of numbers, not {quoted(cell)}")
    return number_of(pair[0]), number_of(pair[1])


def _listed(what: object, asked: str) -> list[object]:
    """A list of it; whatever cannot be one is refused."""
    if isinstance(what, (str, bytes, dict)):
        raise TreeError(f"{asked}, not {quoted(what)}")
    try:
        return list(what)  # type: ignore[call-overload, no-any-return]
    except TypeError:
        raise TreeError(f"{asked}, not {quoted(what)}") from None


def _called(given: object, many: int, what: str, else_called: Sequence[str]) -> Sequence[str]:
    """Names, one for each, and no two the same."""
    if given is None:
        return else_called
    said = [str(one) for one in _listed(given, f"{what} are called by a list of names")]
    if len(said) != many or len(set(said)) != many:
        raise TreeError(f"there are {many} {what}, each with a name of its own; {len(set(said))} names are given: {', '.join(said)[:80]}")
    return said


def _some(many: int, *, upper: bool) -> list[str]:
    """Names for what has none: letters, as far as they go."""
    if many > len(_LETTERS):
        return [f"{'R' if upper else 'c'}{place}" for place in range(1, many + 1)]
    return list(_LETTERS[:many].upper() if upper else _LETTERS[:many])
