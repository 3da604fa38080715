"""Solves linear programs exactly: vertices, optimal solutions and dual prices.

All programs have the feasible set `y ≥ 0` and `M y ≤ 1`, where every entry of `M` is a positive whole number. This is
the best-response polytope of a game (von Stengel, B. (2002): Computing equilibria for two-person games). The tableau
contains only whole numbers, so nothing is rounded (Bareiss, E. H. (1968)). Ties are broken as if the right-hand side
were perturbed by powers of a tiny number, so the simplex method never cycles.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Vertex(NamedTuple):
    """A vertex of the feasible set of a linear program."""

    weights: tuple[Fraction, ...]
    """The values of the unknowns at the vertex; they are not yet scaled to add up to 1."""
    zero_variables: frozenset[int]
    """The indices of the unknowns that are 0 at the vertex."""
    binding_constraints: frozenset[int]
    """The indices of the constraints that hold with equality at the vertex; in a matrix game these are the best
    responses.
    """


class Tableau:
    """A simplex tableau: the equations `M y + s = 1`, solved for the current basic variables.

    `right_side` replaces the ones by other whole numbers, none below 0. The matrix may then also contain zeros and
    negative numbers, as long as the feasible set is bounded.

    >>> tableau = Tableau([[2, 1], [1, 3]])
    >>> tableau.current_vertex().weights, tableau.maximize().weights
    ((Fraction(0, 1), Fraction(0, 1)), (Fraction(2, 5), Fraction(1, 5)))
    >>> tableau.dual_prices()
    (Fraction(2, 5), Fraction(1, 5))
    >>> Tableau([[-2, 1], [1, 1]], [0, 1]).maximize([0, 1]).weights
    (Fraction(1, 3), Fraction(2, 3))
    """

    __slots__ = ("basis", "column_count", "denominator", "rows")

    def __init__(self, matrix: Sequence[Sequence[int]], right_side: Sequence[int] | None = None) -> None:
        """Start at the vertex where all unknowns are 0, for a matrix of positive whole numbers."""
        rows, self.column_count = len(matrix), len(matrix[0])
        right_sides = [1] * rows if right_side is None else right_side
        self.rows = [
            [*row, *(int(index == column) for column in range(rows)), bound]
            for index, (row, bound) in enumerate(zip(matrix, right_sides, strict=True))
        ]
        """The equations as rows of whole numbers, multiplied by `denominator`.

        A row has first the coefficients of `y`, then those of `s`, then the right-hand side.
        """
        self.denominator = 1
        self.basis = list(range(self.column_count, self.column_count + rows))
        """The index of the basic variable of each row."""

    def copy(self) -> Tableau:
        """Return an independent copy of the tableau."""
        other = Tableau.__new__(Tableau)
        other.rows, other.denominator, other.basis, other.column_count = self.rows, self.denominator, self.basis[:], self.column_count
        return other

    def find_leaving_row(self, entering: int) -> int | None:
        """Return the row whose basic variable reaches 0 first when a given variable grows.

        Return None if no basic variable ever reaches 0.
        """
        tied_rows = [index for index, row in enumerate(self.rows) if row[entering] > 0]
        # If several rows have the lowest ratio, decide as if the right-hand sides were changed by tiny amounts
        # (lexicographic rule)
        for column in (-1, *range(self.column_count, self.column_count + len(self.rows))):
            if len(tied_rows) <= 1:
                break
            ratios = [Fraction(self.rows[index][column], self.rows[index][entering]) for index in tied_rows]
            least = min(ratios)
            tied_rows = [index for index, ratio in zip(tied_rows, ratios, strict=True) if ratio == least]
        return tied_rows[0] if tied_rows else None

    def pivot_in(self, entering: int) -> bool:
        """Move a variable into the basis, in exchange for a variable that leaves the basis.

        Return whether there was a variable to leave the basis.
        """
        leaving_row = self.find_leaving_row(entering)
        if leaving_row is None:
            return False
        self._pivot(leaving_row, entering)
        return True

    def _pivot(self, leaving_row: int, entering: int) -> None:
        """Exchange a basic variable for another one, in whole numbers without rounding."""
        pivot_row = self.rows[leaving_row]
        pivot, old_denominator = pivot_row[entering], self.denominator
        self.rows = [
            row
            if index == leaving_row
            else [
                (pivot * entry - row[entering] * pivot_entry) // old_denominator for entry, pivot_entry in zip(row, pivot_row, strict=True)
            ]
            for index, row in enumerate(self.rows)
        ]
        self.denominator = pivot
        self.basis[leaving_row] = entering

    def current_vertex(self) -> Vertex:
        """Return the vertex that belongs to the current basis."""
        values = [0] * (self.column_count + len(self.rows))
        for row, variable in zip(self.rows, self.basis, strict=True):
            values[variable] = row[-1]
        weights, slacks = values[: self.column_count], values[self.column_count :]
        return Vertex(
            tuple([Fraction(weight, self.denominator) for weight in weights]),
            frozenset(index for index, weight in enumerate(weights) if not weight),
            frozenset(index for index, slack in enumerate(slacks) if not slack),
        )

    def maximize(self, objective: Sequence[int] | None = None) -> Vertex:
        """Pivot to a vertex that maximizes a weighted sum of the variables; return this vertex.

        The `objective` has the coefficient of each variable; by default, all are 1.
        """
        while max(gains := self._compute_reduced_costs(objective)) > 0:
            self.pivot_in(gains.index(max(gains)))
        return self.current_vertex()

    def dual_prices(self, objective: Sequence[int] | None = None) -> tuple[Fraction, ...]:
        """Return the dual price of each constraint of the linear program at the optimal vertex.

        Scaled so that they add up to 1, they are the optimal strategy of the player who chooses the rows.
        """
        return tuple([Fraction(-gain, self.denominator) for gain in self._compute_reduced_costs(objective)[self.column_count :]])

    def _compute_reduced_costs(self, objective: Sequence[int] | None = None) -> list[int]:
        """Return the reduced cost of each variable, multiplied by `denominator`."""
        coefficients = [1] * self.column_count if objective is None else objective
        gains = [self.denominator * coefficient for coefficient in coefficients] + [0] * len(self.rows)
        for row, variable in zip(self.rows, self.basis, strict=True):
            if variable < self.column_count:
                for index in range(len(gains)):
                    gains[index] -= coefficients[variable] * row[index]
        return gains


def enumerate_vertices(matrix: Sequence[Sequence[int]]) -> list[Vertex]:
    """Return all vertices of a polytope, except the vertex at which all unknowns are 0.

    >>> [tuple(map(str, vertex.weights)) for vertex in enumerate_vertices([[2, 1], [1, 3]])]
    [('1/2', '0'), ('0', '1/3'), ('2/5', '1/5')]
    """
    start = Tableau(matrix)
    seen = {frozenset(start.basis)}
    vertices: dict[tuple[Fraction, ...], Vertex] = {}
    waiting = [start]
    for tableau in waiting:
        for neighbour in _iterate_neighbours(tableau):
            basis = frozenset(neighbour.basis)
            if basis not in seen:
                seen.add(basis)
                waiting.append(neighbour)
                vertex = neighbour.current_vertex()
                if any(vertex.weights):
                    vertices[vertex.weights] = vertex
    return list(vertices.values())


def _iterate_neighbours(tableau: Tableau) -> Iterator[Tableau]:
    """Yield a tableau for each vertex that is one pivot step away from the current vertex."""
    basic_variables = set(tableau.basis)
    for variable in range(tableau.column_count + len(tableau.rows)):
        if variable not in basic_variables:
            neighbour = tableau.copy()
            if neighbour.pivot_in(variable):
                yield neighbour


def max_vertex_count(dimension: int, facets: int) -> int:
    """Return the most vertices that a polytope of given dimension and facet count can have.

    See McMullen, P. (1970): the upper bound theorem.

    >>> max_vertex_count(2, 6), max_vertex_count(3, 6), max_vertex_count(10, 20)
    (6, 8, 4004)
    """
    rounded_up, rounded_down = -(-dimension // 2), dimension // 2
    return comb(facets - rounded_up, facets - dimension) + comb(facets - rounded_down - 1, facets - dimension)
