"""Linear programs of matrices, exactly: the corners of what a player may mix, and the best of them.

All of it lives on one shape, the mixes `y` with `y ≥ 0` and `M y ≤ 1`, where every entry of `M` is a positive whole number: the best-response
polytope of a game (von Stengel, B. (2002): Computing equilibria for two-person games). Its tableau holds whole numbers alone, so that nothing
is ever rounded (Bareiss, E. H. (1968)), and ties are broken as if the right side were moved by powers of something tiny, so that it never goes in circles.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Corner(NamedTuple):
    """A corner of such a shape."""

    weights: tuple[Fraction, ...]
    """The mix, before it is made to add up to 1."""
    idle: frozenset[int]
    """Which weights are nothing."""
    tight: frozenset[int]
    """Which rows are used up: the best answers to it."""


class Tableau:
    """The equations `M y + s = 1`, solved for as many of their unknowns as there are rows: those of the basis.

    Where the `right` side is given it stands for the ones: whole numbers, none below 0; then the matrix may have zeros and negative numbers too,
    as long as no mix that is allowed can grow without end.

    >>> table = Tableau([[2, 1], [1, 3]])
    >>> table.corner().weights, table.best().weights
    ((Fraction(0, 1), Fraction(0, 1)), (Fraction(2, 5), Fraction(1, 5)))
    >>> table.prices()
    (Fraction(2, 5), Fraction(1, 5))
    >>> Tableau([[-2, 1], [1, 1]], [0, 1]).best([0, 1]).weights
    (Fraction(1, 3), Fraction(2, 3))
    """

    __slots__ = ("basis", "columns", "lines", "whole")

    def __init__(self, matrix: Sequence[Sequence[int]], right: Sequence[int] | None = None) -> None:
        """With a matrix of positive whole numbers; nothing is mixed yet."""
        rows, self.columns = len(matrix), len(matrix[0])
        sides = [1] * rows if right is None else right
        self.lines = [
            [*row, *(int(place == other) for other in range(rows)), side]
            for place, (row, side) in enumerate(zip(matrix, sides, strict=True))
        ]
        """A line for each row, of whole numbers: the coefficients of `y`, then of `s`, then the right side; all are `whole` times too large."""
        self.whole = 1
        self.basis = list(range(self.columns, self.columns + rows))
        """For each line, the unknown that it is solved for."""

    def copy(self) -> Tableau:
        """Another one just like it."""
        other = Tableau.__new__(Tableau)
        other.lines, other.whole, other.basis, other.columns = self.lines, self.whole, self.basis[:], self.columns
        return other

    def leaving(self, enters: int) -> int | None:
        """The line whose unknown is the first to be nothing when another grows; None where none ever is."""
        tied = [place for place, line in enumerate(self.lines) if line[enters] > 0]
        for column in (-1, *range(self.columns, self.columns + len(self.lines))):  # the right side, then what tiny shifts of it do
            if len(tied) <= 1:
                break
            ratios = [Fraction(self.lines[place][column], self.lines[place][enters]) for place in tied]
            least = min(ratios)
            tied = [place for place, ratio in zip(tied, ratios, strict=True) if ratio == least]
        return tied[0] if tied else None

    def enter(self, enters: int) -> bool:
        """Take an unknown into the basis for the one that goes; whether that could be done."""
        line = self.leaving(enters)
        if line is None:
            return False
        self._pivot(line, enters)
        return True

    def _pivot(self, at: int, enters: int) -> None:
        chosen = self.lines[at]
        pivot, whole = chosen[enters], self.whole
        self.lines = [
            line if place == at else [(pivot * one - line[enters] * other) // whole for one, other in zip(line, chosen, strict=True)]
            for place, line in enumerate(self.lines)
        ]
        self.whole = pivot
        self.basis[at] = enters

    def corner(self) -> Corner:
        """The corner at which it stands."""
        values = [0] * (self.columns + len(self.lines))
        for line, unknown in zip(self.lines, self.basis, strict=True):
            values[unknown] = line[-1]
        weights, slacks = values[: self.columns], values[self.columns :]
        return Corner(
            tuple([Fraction(one, self.whole) for one in weights]),
            frozenset(place for place, one in enumerate(weights) if not one),
            frozenset(place for place, one in enumerate(slacks) if not one),
        )

    def best(self, aim: Sequence[int] | None = None) -> Corner:
        """Go to a corner of the largest sum; with an `aim`, of the largest sum of so many times each weight."""
        while max(gains := self._gains(aim)) > 0:
            self.enter(gains.index(max(gains)))
        return self.corner()

    def prices(self, aim: Sequence[int] | None = None) -> tuple[Fraction, ...]:
        """At the best corner: what each row is worth, which is the best answer of who chooses among the rows."""
        return tuple([Fraction(-gain, self.whole) for gain in self._gains(aim)[self.columns :]])

    def _gains(self, aim: Sequence[int] | None = None) -> list[int]:
        """By how much the sum grows with each unknown, `whole` times."""
        times = [1] * self.columns if aim is None else aim
        gains = [self.whole * one for one in times] + [0] * len(self.lines)
        for line, unknown in zip(self.lines, self.basis, strict=True):
            if unknown < self.columns:
                for place in range(len(gains)):
                    gains[place] -= times[unknown] * line[place]
        return gains


def corners(matrix: Sequence[Sequence[int]]) -> list[Corner]:
    """All corners but the one at which nothing is mixed.

    >>> [tuple(map(str, corner.weights)) for corner in corners([[2, 1], [1, 3]])]
    [('1/2', '0'), ('0', '1/3'), ('2/5', '1/5')]
    """
    start = Tableau(matrix)
    seen = {frozenset(start.basis)}
    found: dict[tuple[Fraction, ...], Corner] = {}
    waiting = [start]
    for here in waiting:
        for nearby in _neighbours(here):
            basis = frozenset(nearby.basis)
            if basis not in seen:
                seen.add(basis)
                waiting.append(nearby)
                corner = nearby.corner()
                if any(corner.weights):
                    found[corner.weights] = corner
    return list(found.values())


def _neighbours(here: Tableau) -> Iterator[Tableau]:
    basic = set(here.basis)
    for enters in range(here.columns + len(here.lines)):
        if enters not in basic:
            other = here.copy()
            if other.enter(enters):
                yield other


def most_corners(dimension: int, facets: int) -> int:
    """How many corners a shape of so many dimensions and facets can have (McMullen, P. (1970): the upper bound theorem).

    >>> most_corners(2, 6), most_corners(3, 6), most_corners(10, 20)
    (6, 8, 4004)
    """
    up, down = -(-dimension // 2), dimension // 2
    return comb(facets - up, facets - dimension) + comb(facets - down - 1, facets - dimension)
