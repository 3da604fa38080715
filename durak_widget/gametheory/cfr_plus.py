"""Computes an approximate equilibrium of a two-player zero-sum game with CFR+.

In CFR+ (Tammelin 2014) the regret of an action never falls below 0, the players learn in turn, and a later
iteration counts for more. Here it runs on the sequence form. One product with the payoff matrix gives the values
of a player's actions against the other player. The player's information sets are then updated level by level.
No node is visited, so the time of an iteration depends on the length of the arrays.

numpy is needed because it is much faster than `plain_cfr`: 3 times on a Durak tree of 200 histories, 16 times on
one of 2,300, 30 to 40 times on those of 10,000 and more (`python -m benchmarks numpy_pairs`).
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from durak_widget.gametheory.sequence_form import SequenceForm
from durak_widget.gametheory.solver_progress import SolvingProgress, interrupts, tell

if TYPE_CHECKING:
    from durak_widget.gametheory.sequence_form import Floats
    from durak_widget.gametheory.solver_progress import Show
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree


class CFR:
    """A CFR+ run on a tree, which can be continued, interrupted and pickled.

    >>> from durak_widget.gametheory import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> cfr = CFR(tree).run(10)
    >>> cfr.run(90).iterations, cfr.exploitability() < 0.01
    (100, True)
    """

    __slots__ = ("_likely", "_plans", "_regrets", "_sums", "form", "interrupted", "iterations", "seconds")

    def __init__(self, tree: Tree | SequenceForm) -> None:
        self.form = tree if isinstance(tree, SequenceForm) else SequenceForm(tree)
        self.iterations = 0
        """The number of iterations so far."""
        self.seconds = 0.0
        """The time that they took."""
        self.interrupted = False
        """Whether the last run was ended from the keyboard."""
        sides = self.form.sides
        self._regrets: list[Floats] = [np.zeros(side.size - 1) for side in sides]
        self._sums: list[Floats] = [np.zeros(side.size) for side in sides]
        self._likely: list[Floats] = [side.uniform for side in sides]
        self._plans: list[Floats] = [side.plan(side.uniform) for side in sides]

    def run(
        self,
        iterations: int = 1000,
        *,
        until: float | None = None,
        seconds: float | None = None,
        progress: Show = None,
        every: int | None = None,
    ) -> CFR:
        """Run more iterations, until the exploitability or the time limit is reached.

        An interrupt from the keyboard ends the run too, and keeps what was learned. The exploitability and the progress
        are looked at after each `every` iterations, by default twenty times in all.
        """
        every = every or max(iterations // 20, 1)
        goal, began, before = self.iterations + iterations, perf_counter(), self.seconds
        self.interrupted = False
        try:
            while self.iterations < goal:
                with interrupts() as is_interrupted:
                    for _ in range(min(every - self.iterations % every, goal - self.iterations)):
                        self._iterate()
                        self.seconds = before + perf_counter() - began
                        if seconds is not None and self.seconds - before >= seconds:
                            goal = self.iterations
                        if is_interrupted() or self.iterations == goal:
                            break
                exploitability = self.exploitability() if until is not None or progress else None
                is_last = self.iterations >= goal or (until is not None and exploitability is not None and exploitability <= until)
                tell(progress, SolvingProgress(self.iterations, goal, exploitability, self.seconds), last=is_last)
                if is_last:
                    break
        except KeyboardInterrupt:
            self.interrupted = True
        self.seconds = before + perf_counter() - began
        return self

    def _iterate(self) -> None:
        """Update both players once, the second after the first."""
        time = self.iterations + 1
        for player, side in enumerate(self.form.sides):
            if side.size == 1:  # a player without decisions learns nothing
                continue
            self._sums[player] += time * self._plans[player]
            gains, probabilities, regrets = self.form.gains(player, self._plans[1 - player]), self._likely[player], self._regrets[player]
            action_gains = gains[1:]
            for level in reversed(side.levels):
                level_gains = action_gains[level.moves]
                level_values = np.add.reduceat(probabilities[level.moves] * level_gains, level.begins)
                regrets[level.moves] += level_gains - level_values[level.owner]
                gains[level.parents] += np.add.reduceat(level_values, level.groups)
            np.maximum(regrets, 0.0, out=regrets)
            self._likely[player] = side.likely(regrets)
            self._plans[player] = side.plan(self._likely[player])
        self.iterations = time

    def _average(self) -> list[Floats]:
        """Return the average probabilities of the actions of each player."""
        return [side.likely(sums[1:]) for side, sums in zip(self.form.sides, self._sums, strict=True)]

    def strategy(self) -> Strategy:
        """Return the average strategy of both players; later iterations count for more.

        The average comes near an equilibrium. The latest strategy need not.
        """
        return self.form.strategy(self._average())

    def exploitability(self) -> float:
        """Return half the gap between what the average strategies guarantee."""
        lower, upper = self.form.bounds(
            [side.plan(probabilities) for side, probabilities in zip(self.form.sides, self._average(), strict=True)]
        )
        return (upper - lower) / 2

    def __repr__(self) -> str:
        return f"<CFR: {self.iterations:,} iterations, {self.seconds:.3g} s, exploitability {self.exploitability():.3g}>"
