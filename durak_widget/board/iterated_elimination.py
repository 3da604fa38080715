"""Striking out dominated plans of a matrix one after another, as on a blackboard: which may go next, why another may not, and back again."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.bimatrix_equilibria import better_mix
from durak_widget.gametheory.strategic_form import Matrix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.gametheory.bimatrix_equilibria import Mix

MIXED: Final = 144
"""In a matrix of so many cells mixes that dominate are looked for too; in a larger one it would take too long."""


class Step(NamedTuple):
    """A plan that is struck out, and what it is dominated by."""

    seat: int
    place: int
    """Of the plan, among all plans of its seat."""
    by: tuple[tuple[int, Fraction], ...]
    """The plan that is better, by its place, and how likely it is: 1, or less where a mix of several is better."""
    strict: bool
    """Whether that is better whatever the other seat does, not only never worse and sometimes better."""


class NotStruck(NamedTuple):
    """Why a plan is not struck out: against one of the other seat's plans it is worth more than the plan that comes nearest to dominating it."""

    by: int
    against: int | None
    """None where the two are worth the same against everything."""
    most: bool
    """Whether nothing is worth as much against that."""


class Striking:
    """A matrix from which plans are struck out.

    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> striking = Striking(matrix_of([[(3, 3), (0, 5)], [(5, 0), (1, 1)]]))
    >>> while striking.strike(striking.next()):
    ...     pass
    >>> [(step.seat, step.place, step.strict) for step in striking.steps], striking.left
    ([(0, 0, True), (1, 0, True)], <Matrix: 1 × 1>)
    """

    def __init__(self, table: Matrix) -> None:
        self.table = table
        self.steps: list[Step] = []
        whole = lcm(*(one.denominator for row in table.payoffs for cell in row for one in cell))
        rows = [[int(cell[0] * whole) for cell in row] for row in table.payoffs]
        self._worth = rows, [[int(row[at][1] * whole) for row in table.payoffs] for at in range(len(table.columns))]
        """What each plan is worth to its seat against each of the other, all multiplied by one number."""
        self._next: tuple[Step | None] | None = None

    def alive(self, seat: int) -> list[int]:
        """The places of the plans of a seat that are not struck out."""
        gone = {step.place for step in self.steps if step.seat == seat}
        return [place for place in range(len(self._worth[seat])) if place not in gone]

    @property
    def left(self) -> Matrix:
        """What is not struck out."""
        table, (rows, columns) = self.table, (self.alive(seat) for seat in (0, 1))
        cells = [[table.payoffs[row][column] for column in columns] for row in rows]
        return Matrix(table.names, [table.rows[row] for row in rows], [table.columns[column] for column in columns], cells)

    def next(self) -> Step | None:
        """The plan that may go next: a strictly dominated one before others, rows before columns, from the top."""
        if self._next is None:
            self._next = (self._look(),)
        return self._next[0]

    def _look(self) -> Step | None:
        weak = None
        for step in self._by_one():
            if step.strict:
                return step
            weak = weak or step
        return next(self._by_mix(), None) or weak

    def of(self, seat: int, place: int) -> Step | None:
        """How this plan is dominated; None where it is not."""
        found = self._beaten(seat, place)
        return found if found is not None and found.strict else next(self._by_mix(seat, place), None) or found

    def why_not(self, seat: int, place: int) -> NotStruck | None:
        """Why this plan is not dominated; None where it is the only one."""
        others = [other for other in self.alive(seat) if other != place]
        if not others:
            return None
        mine, theirs = self._worth[seat], self.alive(1 - seat)
        nearest = max(others, key=lambda other: sum(mine[other][at] >= mine[place][at] for at in theirs))
        for at in theirs:
            if all(mine[other][at] < mine[place][at] for other in others):
                return NotStruck(nearest, at, most=True)
        better = (at for at in theirs if mine[nearest][at] < mine[place][at])
        return NotStruck(nearest, next(better, None), most=False)

    def strike(self, step: Step | None) -> Step | None:
        """Strike it out, if there is anything to strike."""
        if step is not None:
            self.steps.append(step)
            self._next = None
        return step

    def undo(self) -> Step | None:
        """Take the last step back."""
        self._next = None
        return self.steps.pop() if self.steps else None

    def best(self, seat: int) -> list[set[int]]:
        """For each plan of the other seat: the plans of this one that are worth most against it, of those that are left."""
        mine, alive = self._worth[seat], self.alive(seat)
        tops = [max(mine[place][at] for place in alive) for at in range(len(mine[0]))]
        return [{place for place in alive if mine[place][at] == top} for at, top in enumerate(tops)]

    def _by_one(self) -> Iterator[Step]:
        """Plans that another one dominates."""
        for seat in (0, 1):
            for place in self.alive(seat):
                if (found := self._beaten(seat, place)) is not None:
                    yield found

    def _beaten(self, seat: int, place: int) -> Step | None:
        """How another plan alone dominates this one: strictly if one does."""
        mine, theirs = self._worth[seat], self.alive(1 - seat)
        here, weak = [mine[place][at] for at in theirs], None
        for other in self.alive(seat):
            there = [mine[other][at] for at in theirs]
            if there != here and all(map(int.__le__, here, there)):
                step = Step(seat, place, ((other, Fraction(1)),), all(map(int.__lt__, here, there)))
                if step.strict:
                    return step
                weak = weak or step
        return weak

    def _by_mix(self, seat: int | None = None, place: int | None = None) -> Iterator[Step]:
        """Plans that a mix of others strictly dominates."""
        left = self.left
        if len(left.rows) * len(left.columns) > MIXED:
            return
        for whose in (0, 1) if seat is None else (seat,):
            alive = self.alive(whose)
            for at in range(len(alive)) if place is None else (alive.index(place),):
                mix = better_mix(left, whose, at)
                if mix is not None:
                    yield Step(whose, alive[at], _played(mix, alive), strict=True)


def _played(mix: Mix, places: Sequence[int]) -> tuple[tuple[int, Fraction], ...]:
    """What a mix plays, and how likely."""
    return tuple([(place, likely) for place, likely in zip(places, mix, strict=True) if likely])
