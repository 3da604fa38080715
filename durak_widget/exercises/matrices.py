"""What an exercise on a matrix is about: plans and payoffs, of a tree or written down; and its cells and plans as they are named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.gametheory.player_labels import player_number
from durak_widget.gametheory.strategic_form import Matrix, matrix
from durak_widget.gametheory.strategic_form import matrix_of as written
from durak_widget.gametheory.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.strategic_form import Plan

MOST: Final = 64
"""So many plans may each have on whom something is asked."""
Cell = tuple[int, int]
"""A row and a column, by their places."""


def matrix_given(
    source: object, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ()
) -> Matrix:
    r"""The matrix of a tree, of `analysis.matrix`, or of payoffs: rows of numbers, which the other loses, or of pairs.

    >>> print(matrix_given([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob")))
    Ann \ Bob | silent | talks
    silent    | 3, 3   | 0, 5
    talks     | 5, 0   | 1, 1
    """
    if isinstance(source, (Matrix, Tree)):
        found = source if isinstance(source, Matrix) else matrix(source)
    else:
        found = written(source, rows=rows, columns=columns, names=tuple(names) or ("Row", "Column"))
    if max(len(found.rows), len(found.columns)) > MOST:
        raise DurakError(f"something is asked on a matrix of at most {MOST} × {MOST} cells, and this one is {found!r}; take a smaller game")
    return found


def place_of(plans: Sequence[Plan], plan: object) -> int:
    """The place of a plan, by its words or its number.

    >>> place_of([*matrix_given([[1], [2]], rows=["up", "down"]).rows], "down")
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

    >>> named_cell(matrix_given([[1, -1], [-1, 1]], rows=["heads", "tails"]), ("tails", 0))
    (1, 0)
    """
    if not isinstance(cell, (list, tuple)) or len(cell) != 2:
        raise DurakError(f"a cell is named by its row and its column, as in (0, 1), not by {quoted(cell)}")
    return place_of(table.rows, cell[0]), place_of(table.columns, cell[1])


def seat_of(table: Matrix, seat: object) -> int:
    """Whose rows or columns: 0 or 1, or a name.

    >>> seat_of(matrix_given([[1]], names=("Ann", "Bob")), "Bob")
    1
    """
    named = player_number(table.names, seat)
    number = whole_number(seat) if named is None else named
    if number not in (0, 1):
        raise DurakError(f"the rows are of {table.names[0]} (0), the columns of {table.names[1]} (1), and {quoted(seat)} is neither")
    return number
