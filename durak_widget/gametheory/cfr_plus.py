"""Computes an approximate equilibrium of a two-player zero-sum game with CFR+.

In CFR+ (Tammelin 2014) the regret of an action never falls below 0, the players learn in turn, and later iterations
have more weight. Here it runs on the sequence form. One product with the payoff matrix gives the values of a player's
actions against the other player. The player's information sets are then updated level by level. No node is visited,
so the time of an iteration depends on the length of the arrays.

The module needs numpy, which makes it much faster than `cfr_plus_without_numpy`: 3 times on a Durak tree of 200
histories, 16 times on one of 2,300, 30 to 40 times on those of 10,000 and more (`python -m benchmarks numpy_pairs`).
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from durak_widget.gametheory.sequence_form import SequenceForm
from durak_widget.gametheory.solver_progress import SolvingProgress, defer_keyboard_interrupts, report_progress

if TYPE_CHECKING:
    from durak_widget.gametheory.sequence_form import Floats
    from durak_widget.gametheory.solver_progress import ProgressListener
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree


class CFR:
    """A CFR+ computation that can be interrupted, continued and pickled.

    >>> from durak_widget.gametheory import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> cfr = CFR(tree).run(10)
    >>> cfr.run(90).iterations, cfr.exploitability() < 0.01
    (100, True)
    """

    __slots__ = (
        "_probabilities",
        "_realization_plans",
        "_regrets",
        "_strategy_sums",
        "interrupted",
        "iterations",
        "seconds",
        "sequence_form",
    )

    def __init__(self, tree: Tree | SequenceForm) -> None:
        self.sequence_form = tree if isinstance(tree, SequenceForm) else SequenceForm(tree)
        self.iterations = 0
        """The number of iterations done so far."""
        self.seconds = 0.0
        """The running time of all iterations so far, in seconds."""
        self.interrupted = False
        """True if the user interrupted the last run from the keyboard."""
        sides = self.sequence_form.sides
        self._regrets: list[Floats] = [np.zeros(side.sequence_count - 1) for side in sides]
        self._strategy_sums: list[Floats] = [np.zeros(side.sequence_count) for side in sides]
        self._probabilities: list[Floats] = [side.uniform_probabilities for side in sides]
        self._realization_plans: list[Floats] = [side.to_realization_plan(side.uniform_probabilities) for side in sides]

    def run(
        self,
        iterations: int = 1000,
        *,
        until: float | None = None,
        seconds: float | None = None,
        progress: ProgressListener = None,
        every: int | None = None,
    ) -> CFR:
        """Run more CFR+ iterations until the exploitability target or the time limit is reached.

        A keyboard interrupt ends the run too, and what was learned is kept. The exploitability is computed, and
        progress reported, after every `every` iterations; by default, this happens twenty times.
        """
        every = every or max(iterations // 20, 1)
        goal, began, before = self.iterations + iterations, perf_counter(), self.seconds
        self.interrupted = False
        try:
            while self.iterations < goal:
                with defer_keyboard_interrupts() as is_interrupted:
                    for _ in range(min(every - self.iterations % every, goal - self.iterations)):
                        self._iterate()
                        self.seconds = before + perf_counter() - began
                        if seconds is not None and self.seconds - before >= seconds:
                            goal = self.iterations
                        if is_interrupted() or self.iterations == goal:
                            break
                exploitability = self.exploitability() if until is not None or progress else None
                is_last = self.iterations >= goal or (until is not None and exploitability is not None and exploitability <= until)
                report_progress(progress, SolvingProgress(self.iterations, goal, exploitability, self.seconds), last=is_last)
                if is_last:
                    break
        except KeyboardInterrupt:
            self.interrupted = True
        self.seconds = before + perf_counter() - began
        return self

    def _iterate(self) -> None:
        """Run one CFR+ iteration: update the first player's strategy, then the second player's."""
        time = self.iterations + 1
        for player, side in enumerate(self.sequence_form.sides):
            if side.sequence_count == 1:  # A player without information sets has no regrets to update
                continue
            self._strategy_sums[player] += time * self._realization_plans[player]
            gains, probabilities, regrets = (
                self.sequence_form.compute_gains(player, self._realization_plans[1 - player]),
                self._probabilities[player],
                self._regrets[player],
            )
            action_gains = gains[1:]
            for level in reversed(side.levels):
                level_gains = action_gains[level.action_slice]
                level_values = np.add.reduceat(probabilities[level.action_slice] * level_gains, level.first_actions)
                regrets[level.action_slice] += level_gains - level_values[level.infoset_of_action]
                gains[level.group_parents] += np.add.reduceat(level_values, level.group_starts)
            np.maximum(regrets, 0.0, out=regrets)
            self._probabilities[player] = side.to_probabilities(regrets)
            self._realization_plans[player] = side.to_realization_plan(self._probabilities[player])
        self.iterations = time

    def _average_probabilities(self) -> list[Floats]:
        """Return each player's average action probabilities over all iterations."""
        return [side.to_probabilities(sums[1:]) for side, sums in zip(self.sequence_form.sides, self._strategy_sums, strict=True)]

    def strategy(self) -> Strategy:
        """Return both players' average strategies, in which later iterations have more weight.

        The average strategy approaches an equilibrium, but the latest strategy may not.
        """
        return self.sequence_form.to_strategy(self._average_probabilities())

    def exploitability(self) -> float:
        """Return the exploitability of the average strategies, as the mean over both players."""
        lower, upper = self.sequence_form.compute_bounds(
            [
                side.to_realization_plan(probabilities)
                for side, probabilities in zip(self.sequence_form.sides, self._average_probabilities(), strict=True)
            ]
        )
        return (upper - lower) / 2

    def __repr__(self) -> str:
        return f"<CFR: {self.iterations:,} iterations, {self.seconds:.3g} s, exploitability {self.exploitability():.3g}>"
