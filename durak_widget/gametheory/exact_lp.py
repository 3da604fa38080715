"""Solves linear programs of matrices exactly: vertices, optimal solutions and dual prices.

All programs have the feasible set `y ≥ 0` and `M y ≤ 1`, where every entry of `M` is a positive whole number. This is
the best-response polytope of a game (von Stengel, B. (2002): Computing equilibria for two-person games). The tableau
holds whole numbers only, so nothing is ever rounded (Bareiss, E. H. (1968)). Ties are broken as if the right side were
perturbed by powers of a tiny number, so the simplex method never cycles.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Corner(NamedTuple):
    """A vertex of the feasible set."""

    weights: tuple[Fraction, ...]
    """The solution `y`, before it is scaled to add up to 1."""
    idle: frozenset[int]
    """The indices of the weights that are 0."""
    tight: frozenset[int]
    """The rows that hold with equality: the best responses to the vertex."""


class Tableau:
    """The equations `M y + s = 1`, solved for the variables of the current basis.

    `right` replaces the ones: whole numbers, none below 0. Then the matrix may have zeros and negative numbers too, as
    long as the feasible set is bounded.

    >>> tableau = Tableau([[2, 1], [1, 3]])
    >>> tableau.corner().weights, tableau.best().weights
    ((Fraction(0, 1), Fraction(0, 1)), (Fraction(2, 5), Fraction(1, 5)))
    >>> tableau.prices()
    (Fraction(2, 5), Fraction(1, 5))
    >>> Tableau([[-2, 1], [1, 1]], [0, 1]).best([0, 1]).weights
    (Fraction(1, 3), Fraction(2, 3))
    """

    __slots__ = ("basis", "columns", "lines", "whole")

    def __init__(self, matrix: Sequence[Sequence[int]], right: Sequence[int] | None = None) -> None:
        """Start at the vertex 0, with a matrix of positive whole numbers."""
        rows, self.columns = len(matrix), len(matrix[0])
        right_sides = [1] * rows if right is None else right
        self.lines = [
            [*row, *(int(index == column) for column in range(rows)), bound]
            for index, (row, bound) in enumerate(zip(matrix, right_sides, strict=True))
        ]
        """A row of whole numbers for each equation, `whole` times too large.

        First the coefficients of `y`, then those of `s`, then the right side.
        """
        self.whole = 1
        self.basis = list(range(self.columns, self.columns + rows))
        """The basic variable of each row."""

    def copy(self) -> Tableau:
        """Return a copy."""
        other = Tableau.__new__(Tableau)
        other.lines, other.whole, other.basis, other.columns = self.lines, self.whole, self.basis[:], self.columns
        return other

    def leaving(self, enters: int) -> int | None:
        """Return the row whose basic variable is the first to become 0 when another grows.

        Return None if none ever does.
        """
        tied_rows = [index for index, row in enumerate(self.lines) if row[enters] > 0]
        for column in (-1, *range(self.columns, self.columns + len(self.lines))):  # the right side, then its perturbations
            if len(tied_rows) <= 1:
                break
            ratios = [Fraction(self.lines[index][column], self.lines[index][enters]) for index in tied_rows]
            least = min(ratios)
            tied_rows = [index for index, ratio in zip(tied_rows, ratios, strict=True) if ratio == least]
        return tied_rows[0] if tied_rows else None

    def enter(self, enters: int) -> bool:
        """Move a variable into the basis, for the one that leaves.

        Return whether there is one that leaves.
        """
        leaving_row = self.leaving(enters)
        if leaving_row is None:
            return False
        self._pivot(leaving_row, enters)
        return True

    def _pivot(self, at: int, enters: int) -> None:
        pivot_row = self.lines[at]
        pivot, old_denominator = pivot_row[enters], self.whole
        self.lines = [
            row
            if index == at
            else [(pivot * entry - row[enters] * pivot_entry) // old_denominator for entry, pivot_entry in zip(row, pivot_row, strict=True)]
            for index, row in enumerate(self.lines)
        ]
        self.whole = pivot
        self.basis[at] = enters

    def corner(self) -> Corner:
        """Return the vertex of the current basis."""
        values = [0] * (self.columns + len(self.lines))
        for row, variable in zip(self.lines, self.basis, strict=True):
            values[variable] = row[-1]
        weights, slacks = values[: self.columns], values[self.columns :]
        return Corner(
            tuple([Fraction(weight, self.whole) for weight in weights]),
            frozenset(index for index, weight in enumerate(weights) if not weight),
            frozenset(index for index, slack in enumerate(slacks) if not slack),
        )

    def best(self, aim: Sequence[int] | None = None) -> Corner:
        """Go to a vertex that maximizes the sum of the weights, and return it.

        An `aim` has a coefficient for each weight of the sum.
        """
        while max(gains := self._gains(aim)) > 0:
            self.enter(gains.index(max(gains)))
        return self.corner()

    def prices(self, aim: Sequence[int] | None = None) -> tuple[Fraction, ...]:
        """Return the dual price of each row at the optimal vertex.

        Scaled to 1, these are the optimal strategy of the player who chooses the rows.
        """
        return tuple([Fraction(-gain, self.whole) for gain in self._gains(aim)[self.columns :]])

    def _gains(self, aim: Sequence[int] | None = None) -> list[int]:
        """Return the growth of the objective with each variable, times `whole`."""
        coefficients = [1] * self.columns if aim is None else aim
        gains = [self.whole * coefficient for coefficient in coefficients] + [0] * len(self.lines)
        for row, variable in zip(self.lines, self.basis, strict=True):
            if variable < self.columns:
                for index in range(len(gains)):
                    gains[index] -= coefficients[variable] * row[index]
        return gains


def corners(matrix: Sequence[Sequence[int]]) -> list[Corner]:
    """Return all vertices but 0.

    >>> [tuple(map(str, vertex.weights)) for vertex in corners([[2, 1], [1, 3]])]
    [('1/2', '0'), ('0', '1/3'), ('2/5', '1/5')]
    """
    start = Tableau(matrix)
    seen = {frozenset(start.basis)}
    vertices: dict[tuple[Fraction, ...], Corner] = {}
    waiting = [start]
    for tableau in waiting:
        for neighbour in _neighbours(tableau):
            basis = frozenset(neighbour.basis)
            if basis not in seen:
                seen.add(basis)
                waiting.append(neighbour)
                vertex = neighbour.corner()
                if any(vertex.weights):
                    vertices[vertex.weights] = vertex
    return list(vertices.values())


def _neighbours(here: Tableau) -> Iterator[Tableau]:
    basic_variables = set(here.basis)
    for variable in range(here.columns + len(here.lines)):
        if variable not in basic_variables:
            neighbour = here.copy()
            if neighbour.enter(variable):
                yield neighbour


def most_corners(dimension: int, facets: int) -> int:
    """Return the maximum number of vertices of a polytope with so many dimensions and facets.

    See McMullen, P. (1970): the upper bound theorem.

    >>> most_corners(2, 6), most_corners(3, 6), most_corners(10, 20)
    (6, 8, 4004)
    """
    rounded_up, rounded_down = -(-dimension // 2), dimension // 2
    return comb(facets - rounded_up, facets - dimension) + comb(facets - rounded_down - 1, facets - dimension)
