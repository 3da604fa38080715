"""What an exercise on a matrix is about: plans and payoffs, of a tree or written down; and its cells and plans as they are named."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.theory.forms import Matrix, Plan, matrix
from durak_widget.theory.tree import Tree

if TYPE_CHECKING:
    from durak_widget.words import Seat

MOST: Final = 64
"""So many plans may each have on whom something is asked."""
Cell = tuple[int, int]
"""A row and a column, by their places."""


def matrix_of(source: object, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ()) -> Matrix:
    r"""The matrix of a tree, of `theory.matrix`, or of payoffs: rows of numbers, which the other loses, or of pairs.

    >>> print(matrix_of([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob")))
    Ann \ Bob | silent | talks
    silent    | 3, 3   | 0, 5
    talks     | 5, 0   | 1, 1
    """
    found = source if isinstance(source, Matrix) else matrix(source) if isinstance(source, Tree) else None
    if found is None:
        cells = _payoffs(source)
        above = [str(one) for one in columns or range(1, len(cells[0]) + 1)]
        beside = [str(one) for one in rows or range(1, len(cells) + 1)]
        if len(above) != len(cells[0]) or len(beside) != len(cells):
            raise DurakError(
                f"a matrix of {len(cells)} × {len(cells[0])} cells has so many names of rows and columns, not {len(beside)} and {len(above)}"
            )
        found = Matrix(tuple(names) or ("seat 0", "seat 1"), _plans(beside), _plans(above), cells)
    if max(len(found.rows), len(found.columns)) > MOST:
        raise DurakError(f"something is asked on a matrix of at most {MOST} × {MOST} cells, and this one is {found!r}; take a smaller game")
    return found


def _plans(names: Sequence[str]) -> list[Plan]:
    return [Plan(one, one, {}) for one in names]


def _payoffs(source: object) -> list[list[tuple[Fraction, Fraction]]]:
    """Payoffs as somebody wrote them down."""
    if not isinstance(source, Sequence) or not source or not all(isinstance(row, Sequence) and row for row in source):
        raise DurakError(
            f"a matrix is that of a tree, or rows of payoffs as in [[1, -1], [-1, 1]] or [[(3, 3), (0, 5)], …], not {quoted(source)}"
        )
    if len({len(row) for row in source}) > 1:
        raise DurakError("each row of a matrix has as many cells as the others")
    try:
        return [
            [(Fraction(cell[0]), Fraction(cell[1])) if isinstance(cell, Sequence) else (Fraction(cell), -Fraction(cell)) for cell in row]
            for row in source
        ]
    except (TypeError, ValueError, IndexError, ZeroDivisionError, OverflowError):
        raise DurakError("what stands in a matrix is a number, which the other loses, or a pair of numbers, as in (3, 3)") from None


def place_of(plans: Sequence[Plan], plan: object) -> int:
    """The place of a plan, by its words or its number.

    >>> place_of([Plan("up", "up", {}), Plan("down", "down", {})], "down")
    1
    """
    number, known = whole_number(plan), [one.words for one in plans]
    if number is not None and 0 <= number < len(plans):
        return number
    if isinstance(plan, str) and plan in known:
        return known.index(plan)
    raise DurakError(
        f"there is no plan {quoted(plan)}; they are {', '.join(map(quoted, known[:8]))}, or numbers from 0.{nearest(plan, known)}"
    )


def plans_of(table: Matrix, seat: int) -> tuple[Plan, ...]:
    """The plans of a seat."""
    return table.columns if seat else table.rows


def named_cell(table: Matrix, cell: object) -> Cell:
    """A cell by the places or the words of its row and column.

    >>> named_cell(matrix_of([[1, -1], [-1, 1]], rows=["heads", "tails"]), ("tails", 0))
    (1, 0)
    """
    if not isinstance(cell, (list, tuple)) or len(cell) != 2:
        raise DurakError(f"a cell is named by its row and its column, as in (0, 1), not by {quoted(cell)}")
    return place_of(table.rows, cell[0]), place_of(table.columns, cell[1])


def seat_of(table: Matrix, seat: object) -> int:
    """Whose rows or columns: 0 or 1, or a name.

    >>> seat_of(matrix_of([[1]], names=("Ann", "Bob")), "Bob")
    1
    """
    number = table.names.index(seat) if isinstance(seat, str) and seat in table.names else whole_number(seat)
    if number not in (0, 1):
        raise DurakError(f"the rows are of {table.names[0]} (0), the columns of {table.names[1]} (1), and {quoted(seat)} is neither")
    return number


def who(table: Matrix, seat: int) -> Seat | str:
    """A player, by its name where it has one."""
    from durak_widget.lessons.places import named  # noqa: PLC0415 - to keep what cells are free of sentences

    return named(table.names, seat)
