"""Eliminates dominated strategies from a matrix step by step, with undo.

It finds the pure strategy to eliminate next, and explains why another one cannot be eliminated.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.bimatrix_equilibria import find_dominating_mixture
from durak_widget.gametheory.strategic_form import Matrix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.gametheory.bimatrix_equilibria import MixtureProbabilities

MAX_CELLS_FOR_MIXED: Final = 144
"""The maximum number of matrix cells for which the program searches for dominating mixed strategies, which is slow."""


class EliminationStep(NamedTuple):
    """A step of iterated elimination: an eliminated pure strategy and what dominates it."""

    player: int
    strategy: int
    """The index of the eliminated strategy among all pure strategies of its player, also eliminated ones."""
    dominated_by: tuple[tuple[int, Fraction], ...]
    """The dominating strategy, as pairs of a pure strategy's index and its probability; a pure strategy is a single
    pair.
    """
    is_strict: bool
    """True if the dominating strategy pays more against every strategy of the opponent (strict dominance)."""


class NotDominated(NamedTuple):
    """The proof that a pure strategy is not dominated.

    It pays more than the strategy that comes nearest to dominating it, against at least one strategy of the opponent.
    """

    nearest_strategy: int
    opponent_strategy: int | None
    """An opponent's strategy against which this pure strategy pays more than `nearest_strategy`; None if the payoffs of
    both are always equal.
    """
    is_best_response: bool
    """True if this pure strategy is the only best response to `opponent_strategy`."""


class IteratedElimination:
    """A matrix from which dominated pure strategies are eliminated step by step.

    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> striking = IteratedElimination(matrix_from_payoffs([[(3, 3), (0, 5)], [(5, 0), (1, 1)]]))
    >>> while striking.eliminate(striking.find_next_step()):
    ...     pass
    >>> [(step.player, step.strategy, step.is_strict) for step in striking.steps], striking.remaining_matrix
    ([(0, 0, True), (1, 0, True)], <Matrix: 1 × 1>)
    """

    def __init__(self, table: Matrix) -> None:
        self.table = table
        self.steps: list[EliminationStep] = []
        denominator = lcm(*(payoff.denominator for row in table.payoffs for cell in row for payoff in cell))
        rows = [[int(cell[0] * denominator) for cell in row] for row in table.payoffs]
        self._scaled_payoffs = rows, [[int(row[column][1] * denominator) for row in table.payoffs] for column in range(len(table.columns))]
        """Each player's payoffs for each strategy against each opponent strategy, scaled to integers."""
        self._next_step: tuple[EliminationStep | None] | None = None

    def remaining_strategies(self, player: int) -> list[int]:
        """Return the indexes of a player's pure strategies that are not eliminated."""
        eliminated = {step.strategy for step in self.steps if step.player == player}
        return [strategy for strategy in range(len(self._scaled_payoffs[player])) if strategy not in eliminated]

    @property
    def remaining_matrix(self) -> Matrix:
        """Return the matrix without the eliminated strategies."""
        table, (rows, columns) = self.table, (self.remaining_strategies(player) for player in (0, 1))
        cells = [[table.payoffs[row][column] for column in columns] for row in rows]
        return Matrix(table.names, [table.rows[row] for row in rows], [table.columns[column] for column in columns], cells)

    def find_next_step(self) -> EliminationStep | None:
        """Return the next elimination step.

        Strict dominance comes before weak dominance, and rows come before columns. The result is cached.
        """
        if self._next_step is None:
            self._next_step = (self._search_next_step(),)
        return self._next_step[0]

    def _search_next_step(self) -> EliminationStep | None:
        """Search for a strictly dominated strategy, or else for a weakly dominated one."""
        weak_step = None
        for step in self._iterate_pure_dominations():
            if step.is_strict:
                return step
            weak_step = weak_step or step
        return next(self._iterate_mixed_dominations(), None) or weak_step

    def find_domination(self, player: int, strategy: int) -> EliminationStep | None:
        """Return the step that eliminates a pure strategy, or None if no strategy dominates it."""
        step = self._find_pure_domination(player, strategy)
        return step if step is not None and step.is_strict else next(self._iterate_mixed_dominations(player, strategy), None) or step

    def explain_not_dominated(self, player: int, strategy: int) -> NotDominated | None:
        """Return why a pure strategy is not dominated; None if the player has no other strategy."""
        other_strategies = [other for other in self.remaining_strategies(player) if other != strategy]
        if not other_strategies:
            return None
        payoffs, opponent_strategies = self._scaled_payoffs[player], self.remaining_strategies(1 - player)
        nearest = max(
            other_strategies, key=lambda other: sum(payoffs[other][column] >= payoffs[strategy][column] for column in opponent_strategies)
        )
        for column in opponent_strategies:
            if all(payoffs[other][column] < payoffs[strategy][column] for other in other_strategies):
                return NotDominated(nearest, column, is_best_response=True)
        better = (column for column in opponent_strategies if payoffs[nearest][column] < payoffs[strategy][column])
        return NotDominated(nearest, next(better, None), is_best_response=False)

    def eliminate(self, step: EliminationStep | None) -> EliminationStep | None:
        """Eliminate the strategy that `step` names; if `step` is None, do nothing."""
        if step is not None:
            self.steps.append(step)
            self._next_step = None
        return step

    def undo(self) -> EliminationStep | None:
        """Undo the last elimination step."""
        self._next_step = None
        return self.steps.pop() if self.steps else None

    def find_best_responses(self, player: int) -> list[set[int]]:
        """Return a player's best responses to each opponent strategy, without eliminated ones."""
        payoffs, remaining = self._scaled_payoffs[player], self.remaining_strategies(player)
        highest = [max(payoffs[strategy][column] for strategy in remaining) for column in range(len(payoffs[0]))]
        return [{strategy for strategy in remaining if payoffs[strategy][column] == payoff} for column, payoff in enumerate(highest)]

    def _iterate_pure_dominations(self) -> Iterator[EliminationStep]:
        """Yield an elimination step for each pure strategy that another pure strategy dominates."""
        for player in (0, 1):
            for strategy in self.remaining_strategies(player):
                if (step := self._find_pure_domination(player, strategy)) is not None:
                    yield step

    def _find_pure_domination(self, player: int, strategy: int) -> EliminationStep | None:
        """Find a pure strategy that dominates a given pure strategy; prefer strict dominance."""
        payoffs, opponent_strategies = self._scaled_payoffs[player], self.remaining_strategies(1 - player)
        own_payoffs, weak = [payoffs[strategy][column] for column in opponent_strategies], None
        for other in self.remaining_strategies(player):
            other_payoffs = [payoffs[other][column] for column in opponent_strategies]
            if other_payoffs != own_payoffs and all(map(int.__le__, own_payoffs, other_payoffs)):
                step = EliminationStep(player, strategy, ((other, Fraction(1)),), all(map(int.__lt__, own_payoffs, other_payoffs)))
                if step.is_strict:
                    return step
                weak = weak or step
        return weak

    def _iterate_mixed_dominations(self, player: int | None = None, strategy: int | None = None) -> Iterator[EliminationStep]:
        """Yield an elimination step for each pure strategy that a mixed one strictly dominates."""
        remaining = self.remaining_matrix
        if len(remaining.rows) * len(remaining.columns) > MAX_CELLS_FOR_MIXED:
            return
        for current_player in (0, 1) if player is None else (player,):
            strategies = self.remaining_strategies(current_player)
            for position in range(len(strategies)) if strategy is None else (strategies.index(strategy),):
                dominating = find_dominating_mixture(remaining, current_player, position)
                if dominating is not None:
                    yield EliminationStep(current_player, strategies[position], _get_support(dominating, strategies), is_strict=True)


def _get_support(mixed_strategy: MixtureProbabilities, strategies: Sequence[int]) -> tuple[tuple[int, Fraction], ...]:
    """Return the index and the probability of each pure strategy in a mixed strategy."""
    return tuple([(strategy, probability) for strategy, probability in zip(strategies, mixed_strategy, strict=True) if probability])
