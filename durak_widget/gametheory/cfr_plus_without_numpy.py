"""Runs CFR+ in plain Python, for environments without numpy.

It makes the same iterations as `cfr_plus.CFR`. Lesson 13 needs it: the lessons in a browser and on Binder have no numpy.
"""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING

from durak_widget.gametheory.best_responses import convert_payoffs_to_floats, require_two_player_zero_sum
from durak_widget.gametheory.double_oracle_solver import IntegerSequenceForm
from durak_widget.gametheory.strategy import build_unchecked_strategy

if TYPE_CHECKING:
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree


class PurePythonCFR:
    """A CFR+ computation in plain Python, with the methods of `CFR` that a tree widget calls.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> cfr = PurePythonCFR(textbook("kuhn")).run(100)
    >>> cfr.iterations, cfr.exploitability() < 0.01
    (100, True)
    """

    def __init__(self, tree: Tree) -> None:
        require_two_player_zero_sum(tree, "CFR+")
        convert_payoffs_to_floats((payoffs[0] for payoffs in tree.payoffs), tree)
        self.tree, self.iterations, self.seconds = tree, 0, 0.0
        sequence_form = IntegerSequenceForm(tree)
        self._payoff_pairs = [
            [[(own_action, payoff / sequence_form.denominator) for own_action, payoff in pairs] for pairs in side]
            for side in sequence_form.payoff_pairs
        ]
        self._infosets = [
            [
                (previous_action, sequence_form.action_offsets[infoset] + 1, sequence_form.action_offsets[infoset + 1] + 1)
                for infoset, previous_action in previous_actions.items()
            ]
            for previous_actions in sequence_form.previous_actions
        ]
        """For each player's information sets, in order of play: the player's previous action, and the range of action indices."""
        self._action_offsets = sequence_form.action_offsets
        count = sequence_form.action_offsets[-1] + 1
        self._regrets, self._strategy_sums, self._probabilities = [0.0] * count, [0.0] * count, [1.0] * count
        for start, end in pairwise(sequence_form.action_offsets):
            self._probabilities[start + 1 : end + 1] = [1 / (end - start)] * (end - start)
        self._reach_weights = [self._compute_reach_weights(player, self._probabilities) for player in (0, 1)]

    def run(self, iterations: int = 1000, *, seconds: float | None = None) -> PurePythonCFR:
        """Run a number of CFR+ iterations, or fewer if the time limit is reached first."""
        goal, began, before = self.iterations + iterations, perf_counter(), self.seconds
        while self.iterations < goal:
            self._iterate()
            self.seconds = before + perf_counter() - began
            if seconds is not None and self.seconds - before >= seconds:
                break
        return self

    def strategy(self) -> Strategy:
        """Return both players' average strategies, in which later iterations have more weight."""
        average = self._average_probabilities()
        return build_unchecked_strategy(
            self.tree.infosets, [tuple(average[start + 1 : end + 1]) for start, end in pairwise(self._action_offsets)]
        )

    def exploitability(self) -> float:
        """Return the exploitability of the average strategies, as the mean over both players."""
        average, total = self._average_probabilities(), 0.0
        for player in (0, 1):
            gains = self._compute_immediate_gains(player, self._compute_reach_weights(1 - player, average))
            for previous_action, first, end in reversed(self._infosets[player]):
                gains[previous_action] += max(gains[first:end])
            total += gains[0]
        return total / 2

    def _iterate(self) -> None:
        """Run one CFR+ iteration: update the first player's strategy, then the second player's."""
        self.iterations += 1
        time, probabilities, regrets, sums = self.iterations, self._probabilities, self._regrets, self._strategy_sums
        for player in (0, 1):
            weights, gains = self._reach_weights[player], self._compute_immediate_gains(player, self._reach_weights[1 - player])
            for previous_action, first, end in reversed(self._infosets[player]):
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
            self._reach_weights[player] = self._compute_reach_weights(player, probabilities)

    def _compute_immediate_gains(self, player: int, weights: list[float]) -> list[float]:
        """Return the payoffs that follow each action of a player if the player does not act again.

        A weight is the probability that the opponent's own choices, taken alone, lead to an action.
        """
        gains = [0.0] * len(weights)
        for weight, pairs in zip(weights, self._payoff_pairs[player], strict=True):
            if weight:
                for own_action, payoff in pairs:
                    gains[own_action] += weight * payoff
        return gains

    def _compute_reach_weights(self, player: int, probabilities: list[float]) -> list[float]:
        """Return, for each action, the probability that a player's own choices lead to it.

        This is the product of the action's probability and the probabilities of the player's earlier actions.
        """
        weights = [0.0] * len(probabilities)
        weights[0] = 1.0
        for previous_action, first, end in self._infosets[player]:
            if weight := weights[previous_action]:
                for action in range(first, end):
                    weights[action] = weight * probabilities[action]
        return weights

    def _average_probabilities(self) -> list[float]:
        """Return each action's average probability over all iterations."""
        average = [1.0] * len(self._strategy_sums)
        for start, end in pairwise(self._action_offsets):
            total = sum(self._strategy_sums[start + 1 : end + 1])
            for action in range(start + 1, end + 1):
                average[action] = self._strategy_sums[action] / total if total else 1 / (end - start)
        return average
