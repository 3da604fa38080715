"""Iterated elimination of dominated strategies in a matrix, step by step.

It says which pure strategy can be eliminated next and why another can't, and it undoes steps.
"""

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
"""The largest matrix, in cells, in which dominating mixed strategies are searched for; it would be slow in a larger one."""


class Step(NamedTuple):
    """A pure strategy that is eliminated, and what dominates it."""

    seat: int
    place: int
    """The index of the pure strategy among all of its player's."""
    by: tuple[tuple[int, Fraction], ...]
    """The dominating strategy: pure strategies by index with their probabilities, or one with probability 1."""
    strict: bool
    """True if it is better against everything, not only never worse and sometimes better."""


class NotStruck(NamedTuple):
    """The reason why a pure strategy is not dominated.

    Against an opponent's strategy it pays more than the strategy that comes nearest to dominating it.
    """

    by: int
    against: int | None
    """The opponent's strategy; None if the two pay the same against everything."""
    most: bool
    """True if no strategy pays as much against it."""


class Striking:
    """A matrix from which pure strategies are eliminated.

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
        denominator = lcm(*(payoff.denominator for row in table.payoffs for cell in row for payoff in cell))
        rows = [[int(cell[0] * denominator) for cell in row] for row in table.payoffs]
        self._worth = rows, [[int(row[column][1] * denominator) for row in table.payoffs] for column in range(len(table.columns))]
        """The payoffs of each player's strategies against each of the opponent's, scaled to whole numbers."""
        self._next: tuple[Step | None] | None = None

    def alive(self, seat: int) -> list[int]:
        """Return the indexes of a player's remaining pure strategies."""
        eliminated = {step.place for step in self.steps if step.seat == seat}
        return [strategy for strategy in range(len(self._worth[seat])) if strategy not in eliminated]

    @property
    def left(self) -> Matrix:
        """Return the matrix of what remains."""
        table, (rows, columns) = self.table, (self.alive(player) for player in (0, 1))
        cells = [[table.payoffs[row][column] for column in columns] for row in rows]
        return Matrix(table.names, [table.rows[row] for row in rows], [table.columns[column] for column in columns], cells)

    def next(self) -> Step | None:
        """Return the next step: strictly dominated first, rows before columns, from the top."""
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
        """Return how this pure strategy is dominated; None if it is not."""
        step = self._beaten(seat, place)
        return step if step is not None and step.strict else next(self._by_mix(seat, place), None) or step

    def why_not(self, seat: int, place: int) -> NotStruck | None:
        """Return why this pure strategy is not dominated; None if it is the only one."""
        others = [other for other in self.alive(seat) if other != place]
        if not others:
            return None
        payoffs, opponent_strategies = self._worth[seat], self.alive(1 - seat)
        nearest = max(others, key=lambda other: sum(payoffs[other][column] >= payoffs[place][column] for column in opponent_strategies))
        for column in opponent_strategies:
            if all(payoffs[other][column] < payoffs[place][column] for other in others):
                return NotStruck(nearest, column, most=True)
        better = (column for column in opponent_strategies if payoffs[nearest][column] < payoffs[place][column])
        return NotStruck(nearest, next(better, None), most=False)

    def strike(self, step: Step | None) -> Step | None:
        """Make a step, if there is one."""
        if step is not None:
            self.steps.append(step)
            self._next = None
        return step

    def undo(self) -> Step | None:
        """Undo the last step."""
        self._next = None
        return self.steps.pop() if self.steps else None

    def best(self, seat: int) -> list[set[int]]:
        """Return the remaining best responses to each pure strategy of the opponent."""
        payoffs, remaining = self._worth[seat], self.alive(seat)
        highest = [max(payoffs[strategy][column] for strategy in remaining) for column in range(len(payoffs[0]))]
        return [{strategy for strategy in remaining if payoffs[strategy][column] == payoff} for column, payoff in enumerate(highest)]

    def _by_one(self) -> Iterator[Step]:
        """Yield pure strategies that another pure strategy dominates."""
        for player in (0, 1):
            for strategy in self.alive(player):
                if (step := self._beaten(player, strategy)) is not None:
                    yield step

    def _beaten(self, seat: int, place: int) -> Step | None:
        """Return how another pure strategy dominates this one, strictly if possible."""
        payoffs, opponent_strategies = self._worth[seat], self.alive(1 - seat)
        own_payoffs, weak = [payoffs[place][column] for column in opponent_strategies], None
        for other in self.alive(seat):
            other_payoffs = [payoffs[other][column] for column in opponent_strategies]
            if other_payoffs != own_payoffs and all(map(int.__le__, own_payoffs, other_payoffs)):
                step = Step(seat, place, ((other, Fraction(1)),), all(map(int.__lt__, own_payoffs, other_payoffs)))
                if step.strict:
                    return step
                weak = weak or step
        return weak

    def _by_mix(self, seat: int | None = None, place: int | None = None) -> Iterator[Step]:
        """Yield pure strategies that a mixed strategy strictly dominates."""
        remaining = self.left
        if len(remaining.rows) * len(remaining.columns) > MIXED:
            return
        for current_player in (0, 1) if seat is None else (seat,):
            strategies = self.alive(current_player)
            for position in range(len(strategies)) if place is None else (strategies.index(place),):
                dominating = better_mix(remaining, current_player, position)
                if dominating is not None:
                    yield Step(current_player, strategies[position], _played(dominating, strategies), strict=True)


def _played(mix: Mix, places: Sequence[int]) -> tuple[tuple[int, Fraction], ...]:
    """Return the pure strategies of a mixed strategy with their positive probabilities."""
    return tuple([(strategy, probability) for strategy, probability in zip(places, mix, strict=True) if probability])
