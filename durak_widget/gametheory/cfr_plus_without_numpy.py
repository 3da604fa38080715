"""CFR+ in plain Python, so that a board can learn where numpy is not installed; it learns the same as `cfr_plus.CFR`, iteration for iteration.

Lesson 13 needs it: the lessons in a browser and on Binder have no numpy.
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
    """The part of `CFR` that a board needs.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> cfr = PlainCFR(textbook("kuhn")).run(100)
    >>> cfr.iterations, cfr.exploitability() < 0.01
    (100, True)
    """

    def __init__(self, tree: Tree) -> None:
        require_two_player_zero_sum(tree, "CFR+")
        in_floats((one[0] for one in tree.payoffs), tree)
        self.tree, self.iterations, self.seconds = tree, 0, 0.0
        form = IntegerForm(tree)
        self._against = [[[(own, pays / form.unit) for own, pays in pairs] for pairs in side] for side in form.against]
        self._sets = [
            [(before, form.starts[place] + 1, form.starts[place + 1] + 1) for place, before in order.items()] for order in form.orders
        ]
        """Of each player's information sets, earlier ones first: the player's last move before it, its first move, and the move after its last."""
        self._starts = form.starts
        count = form.starts[-1] + 1
        self._regrets, self._sums, self._likely = [0.0] * count, [0.0] * count, [1.0] * count
        for low, high in pairwise(form.starts):
            self._likely[low + 1 : high + 1] = [1 / (high - low)] * (high - low)
        self._weights = [self._weights_of(seat, self._likely) for seat in (0, 1)]

    def run(self, iterations: int = 1000, *, seconds: float | None = None) -> PlainCFR:
        """Go on for that many iterations, or until the time is over."""
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
        return made(self.tree.sets, [tuple(average[low + 1 : high + 1]) for low, high in pairwise(self._starts)])

    def exploitability(self) -> float:
        """Return half the gap between what the average strategies of the two players guarantee."""
        average, total = self._average(), 0.0
        for seat in (0, 1):
            gains = self._gains(seat, self._weights_of(1 - seat, average))
            for before, first, end in reversed(self._sets[seat]):
                gains[before] += max(gains[first:end])
            total += gains[0]
        return total / 2

    def _iterate(self) -> None:
        """Let both players learn once; the second learns from what the first has just learned."""
        self.iterations += 1
        time, likely, regrets, sums = self.iterations, self._likely, self._regrets, self._sums
        for seat in (0, 1):
            weights, gains = self._weights[seat], self._gains(seat, self._weights[1 - seat])
            for before, first, end in reversed(self._sets[seat]):
                value = sum([likely[move] * gains[move] for move in range(first, end)])
                gains[before] += value
                total = 0.0
                for move in range(first, end):
                    sums[move] += time * weights[move]
                    regret = regrets[move] + gains[move] - value
                    regrets[move] = regret = max(regret, 0.0)
                    total += regret
                for move in range(first, end):
                    likely[move] = regrets[move] / total if total else 1 / (end - first)
            self._weights[seat] = self._weights_of(seat, likely)

    def _gains(self, seat: int, weights: list[float]) -> list[float]:
        """Return what each move of a player pays at once, if the moves of the other player have these weights."""
        gains = [0.0] * len(weights)
        for weight, pairs in zip(weights, self._against[seat], strict=True):
            if weight:
                for own, pays in pairs:
                    gains[own] += weight * pays
        return gains

    def _weights_of(self, seat: int, likely: list[float]) -> list[float]:
        """Return the product of the probabilities of each move of a player and of the player's moves before it."""
        weights = [0.0] * len(likely)
        weights[0] = 1.0
        for before, first, end in self._sets[seat]:
            if weight := weights[before]:
                for move in range(first, end):
                    weights[move] = weight * likely[move]
        return weights

    def _average(self) -> list[float]:
        """Return the average probability of each move."""
        average = [1.0] * len(self._sums)
        for low, high in pairwise(self._starts):
            total = sum(self._sums[low + 1 : high + 1])
            for move in range(low + 1, high + 1):
                average[move] = self._sums[move] / total if total else 1 / (high - low)
        return average
