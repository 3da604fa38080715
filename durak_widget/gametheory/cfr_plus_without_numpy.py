"""Runs CFR+ in plain Python, where numpy is not installed.

It makes the same iterations as `cfr_plus.CFR`. Lesson 13 needs it: the lessons in a browser and on Binder have no numpy.
"""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING

from durak_widget.gametheory.best_responses import in_floats, require_two_player_zero_sum
from durak_widget.gametheory.double_oracle_solver import IntegerForm
from durak_widget.gametheory.strategy import made

if TYPE_CHECKING:
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree


class PlainCFR:
    """The part of `CFR` that a board needs, in plain Python.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> cfr = PlainCFR(textbook("kuhn")).run(100)
    >>> cfr.iterations, cfr.exploitability() < 0.01
    (100, True)
    """

    def __init__(self, tree: Tree) -> None:
        require_two_player_zero_sum(tree, "CFR+")
        in_floats((payoffs[0] for payoffs in tree.payoffs), tree)
        self.tree, self.iterations, self.seconds = tree, 0, 0.0
        sequence_form = IntegerForm(tree)
        self._against = [
            [[(own_action, payoff / sequence_form.unit) for own_action, payoff in pairs] for pairs in side]
            for side in sequence_form.against
        ]
        self._sets = [
            [
                (previous_action, sequence_form.starts[infoset] + 1, sequence_form.starts[infoset + 1] + 1)
                for infoset, previous_action in previous_actions.items()
            ]
            for previous_actions in sequence_form.orders
        ]
        """For each player's information sets in order: the previous action, the first action, and the one after the last."""
        self._starts = sequence_form.starts
        count = sequence_form.starts[-1] + 1
        self._regrets, self._sums, self._likely = [0.0] * count, [0.0] * count, [1.0] * count
        for start, end in pairwise(sequence_form.starts):
            self._likely[start + 1 : end + 1] = [1 / (end - start)] * (end - start)
        self._weights = [self._weights_of(player, self._likely) for player in (0, 1)]

    def run(self, iterations: int = 1000, *, seconds: float | None = None) -> PlainCFR:
        """Run that many iterations, or until the time is over."""
        goal, began, before = self.iterations + iterations, perf_counter(), self.seconds
        while self.iterations < goal:
            self._iterate()
            self.seconds = before + perf_counter() - began
            if seconds is not None and self.seconds - before >= seconds:
                break
        return self

    def strategy(self) -> Strategy:
        """Return the average strategy of both players; later iterations count for more."""
        average = self._average()
        return made(self.tree.sets, [tuple(average[start + 1 : end + 1]) for start, end in pairwise(self._starts)])

    def exploitability(self) -> float:
        """Return half the gap between what the average strategies of the two players guarantee."""
        average, total = self._average(), 0.0
        for player in (0, 1):
            gains = self._gains(player, self._weights_of(1 - player, average))
            for previous_action, first, end in reversed(self._sets[player]):
                gains[previous_action] += max(gains[first:end])
            total += gains[0]
        return total / 2

    def _iterate(self) -> None:
        """Update both players once, the second after the first."""
        self.iterations += 1
        time, probabilities, regrets, sums = self.iterations, self._likely, self._regrets, self._sums
        for player in (0, 1):
            weights, gains = self._weights[player], self._gains(player, self._weights[1 - player])
            for previous_action, first, end in reversed(self._sets[player]):
                value = sum([probabilities[action] * gains[action] for action in range(first, end)])
                gains[previous_action] += value
                total = 0.0
                for action in range(first, end):
                    sums[action] += time * weights[action]
                    regret = regrets[action] + gains[action] - value
                    regrets[action] = regret = max(regret, 0.0)
                    total += regret
                for action in range(first, end):
                    probabilities[action] = regrets[action] / total if total else 1 / (end - first)
            self._weights[player] = self._weights_of(player, probabilities)

    def _gains(self, seat: int, weights: list[float]) -> list[float]:
        """Return the immediate gains of a player's actions.

        The actions of the other player have these weights.
        """
        gains = [0.0] * len(weights)
        for weight, pairs in zip(weights, self._against[seat], strict=True):
            if weight:
                for own_action, payoff in pairs:
                    gains[own_action] += weight * payoff
        return gains

    def _weights_of(self, seat: int, likely: list[float]) -> list[float]:
        """Return the reach weight of each action of a player.

        It is the product of its probability and those of the player's actions before it.
        """
        weights = [0.0] * len(likely)
        weights[0] = 1.0
        for previous_action, first, end in self._sets[seat]:
            if weight := weights[previous_action]:
                for action in range(first, end):
                    weights[action] = weight * likely[action]
        return weights

    def _average(self) -> list[float]:
        """Return the average probability of each move."""
        average = [1.0] * len(self._sums)
        for start, end in pairwise(self._starts):
            total = sum(self._sums[start + 1 : end + 1])
            for action in range(start + 1, end + 1):
                average[action] = self._sums[action] / total if total else 1 / (end - start)
        return average
