"""Outcome sampling: regret learned from single plays, for games whose tree is never built.

Lanctot, Waugh, Zinkevich and Bowling (2009). It is told of a game as `grow` is, by a function that says of each place whose move it is;
it plays that game over and over, and keeps numbers only for what the seats knew where it came. Plain Python, any number of seats: for two
in a zero-sum game the average comes near an equilibrium, slowly.
"""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Generic, TypeVar

from durak_widget.gametheory.best_responses import in_floats
from durak_widget.gametheory.solver_progress import SolvingProgress, interrupts, tell
from durak_widget.gametheory.strategy import Strategy, StrategyError
from durak_widget.gametheory.tree import OVER, Draw, End, Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from durak_widget.gametheory.solver_progress import Show
    from durak_widget.gametheory.tree import Tree

Where = TypeVar("Where")


class OutcomeSampling(Generic[Where]):
    """Learns a game by playing it: the same seed, and it learns the same.

    >>> places = {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> learned = OutcomeSampling("", places.__getitem__, seats=2, seed=1).run(2000)
    >>> max(learned.likely(0, "begins")) > 0.9, learned.likely(0, "begins")[0] > 0.9
    (True, True)
    """

    __slots__ = ("_random", "_regrets", "_sums", "exploring", "interrupted", "iterations", "look", "root", "seats", "seconds")

    def __init__(
        self, root: Where, look: Callable[[Where], Turn | Draw | End], *, seats: int, seed: int = 0, exploring: float = 0.6
    ) -> None:
        if not 0 < exploring <= 1:
            raise StrategyError(f"exploring={exploring} is how often a seat that learns tries any move: more than 0, at most 1")
        self.root, self.look, self.seats, self.exploring = root, look, seats, exploring
        self.iterations, self.seconds, self.interrupted = 0, 0.0, False
        self._random = Random(seed)
        self._regrets: dict[tuple[int, Hashable], list[float]] = {}
        self._sums: dict[tuple[int, Hashable], list[float]] = {}

    def run(self, iterations: int = 10_000, *, seconds: float | None = None, progress: Show = None) -> OutcomeSampling[Where]:
        """Go on for so many iterations, in each of which every seat learns from one play; an interrupt from the keyboard ends it too."""
        goal, began, before = self.iterations + iterations, perf_counter(), self.seconds
        every = max(iterations // 20, 1)
        self.interrupted = False
        try:
            while self.iterations < goal and (seconds is None or self.seconds - before < seconds):
                with interrupts():
                    for seat in range(self.seats):
                        self._play(seat)
                    self.iterations += 1
                self.seconds = before + perf_counter() - began
                if self.iterations % every == 0 or self.iterations == goal:
                    tell(progress, SolvingProgress(self.iterations, goal, None, self.seconds), last=self.iterations == goal)
        except KeyboardInterrupt:
            self.interrupted = True
        return self

    def _play(self, learner: int) -> None:
        """One play, of which one seat learns."""
        random, path = self._random.random, []
        where, mine, others, sampled = self.root, 1.0, 1.0, 1.0
        while not isinstance(found := self.look(where), End):
            if isinstance(found, Draw):
                way = _drawn(random(), [float(one[1]) for one in found.moves])
                likely = float(found.moves[way][1])
                others, sampled = others * likely, sampled * likely
            else:
                key = (found.seat, found.knows)
                row = self._now(key, len(found.moves))
                if found.seat == learner:
                    even = self.exploring / len(row)
                    tried = [even + (1 - self.exploring) * one for one in row]
                else:
                    tried = row
                way = _drawn(random(), tried)
                path.append((key, row, way, tried[way], mine, others, sampled))
                if found.seat == learner:
                    mine *= row[way]
                else:
                    others *= row[way]
                sampled *= tried[way]
            where = found.moves[way][-1]  # type: ignore[assignment]
        worth = in_floats([found.payoffs[learner]])[0]
        for key, row, way, tried_way, my_reach, their_reach, reach in reversed(path):
            corrected = worth / tried_way  # of the move that was made; what was not made counts as 0, which is right on average
            worth = row[way] * corrected
            if key[0] == learner:
                regrets, sums = self._regrets[key], self._sums[key]
                weight = their_reach / reach
                for move, one in enumerate(row):
                    regrets[move] += weight * ((corrected if move == way else 0.0) - worth)
                    sums[move] += my_reach * one / reach

    def _now(self, key: tuple[int, Hashable], moves: int) -> list[float]:
        """The probabilities by which a seat plays now: in proportion to what it regrets not to have done."""
        regrets = self._regrets.get(key)
        if regrets is None:
            regrets = self._regrets[key] = [0.0] * moves
            self._sums[key] = [0.0] * moves
        positive = [one if one > 0 else 0.0 for one in regrets]
        total = sum(positive)
        return [one / total for one in positive] if total > 0 else [1 / moves] * moves

    def likely(self, seat: int, knows: Hashable) -> tuple[float, ...]:
        """The probabilities, on average, of a seat's moves where it knows this."""
        sums = self._sums.get((seat, knows))
        if sums is None:
            raise StrategyError(f"play never came to where seat {seat} knows {knows!r}: let it run on")
        total = sum(sums)
        return tuple([one / total for one in sums]) if total > 0 else (1 / len(sums),) * len(sums)

    def __len__(self) -> int:
        """At how many information sets it has been."""
        return len(self._sums)

    def strategy(self, tree: Tree) -> Strategy:
        """What it has learned as a strategy of the tree of the same game; uniform where it has never been."""
        rows: list[tuple[float, ...]] = [(1 / len(one.moves),) * len(one.moves) for one in tree.sets]
        wheres: list[Where] = [self.root]
        for here, who in enumerate(tree.actor):
            if who == OVER:
                continue
            found = self.look(wheres[here])
            if isinstance(found, Turn) and (found.seat, found.knows) in self._sums:
                rows[tree.info[here]] = self.likely(found.seat, found.knows)
            wheres.extend([] if isinstance(found, End) else [one[-1] for one in found.moves])  # type: ignore[misc]
        return Strategy(tree, rows)

    def __repr__(self) -> str:
        return f"<OutcomeSampling: {self.iterations:,} iterations, {len(self):,} information sets, {self.seconds:.3g} s>"


def look_at(tree: Tree) -> Callable[[int], Turn | Draw | End]:
    """A tree that is there, told as a game that is not: a place is a history, and what a seat knows an information set's number.

    >>> from durak_widget.gametheory.tree import grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> look_at(tree)(0)
    Turn(seat=0, knows=0, moves=[('l', 1), ('r', 2)])
    """

    def look(here: int) -> Turn | Draw | End:
        who, place = tree.actor[here], tree.info[here]
        if who == OVER:
            return End(tree.payoffs[place])
        if who >= 0:
            return Turn(who, place, list(zip(tree.sets[place].moves, tree.children(here), strict=True)))
        return Draw(list(zip(*tree.chances[place], tree.children(here), strict=True)))

    return look


def _drawn(number: float, likely: list[float]) -> int:
    """One of the places, drawn by these probabilities with a number between 0 and 1."""
    for place, one in enumerate(likely):
        number -= one
        if number < 0:
            return place
    return max(range(len(likely)), key=likely.__getitem__)  # rounding left a trifle
