"""Learns a strategy by outcome sampling: regrets from single plays, without a tree.

Lanctot, Waugh, Zinkevich and Bowling (2009). The game is given by a function that returns what follows at a state,
as for `grow`. It is played over and over, and numbers are stored only for the information sets that were visited.
It needs only Python and works for any number of players. In a two-player zero-sum game the average strategy slowly
approaches an equilibrium.
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
    """A learner that plays a game; the same seed gives the same result.

    >>> states = {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> learned = OutcomeSampling("", states.__getitem__, seats=2, seed=1).run(2000)
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
        """Run this many iterations; in each, every player learns from one play.

        A keyboard interrupt ends the run early.
        """
        goal, began, earlier_seconds = self.iterations + iterations, perf_counter(), self.seconds
        progress_interval = max(iterations // 20, 1)
        self.interrupted = False
        try:
            while self.iterations < goal and (seconds is None or self.seconds - earlier_seconds < seconds):
                with interrupts():
                    for player in range(self.seats):
                        self._play(player)
                    self.iterations += 1
                self.seconds = earlier_seconds + perf_counter() - began
                if self.iterations % progress_interval == 0 or self.iterations == goal:
                    tell(progress, SolvingProgress(self.iterations, goal, None, self.seconds), last=self.iterations == goal)
        except KeyboardInterrupt:
            self.interrupted = True
        return self

    def _play(self, learner: int) -> None:
        """Play the game once and update the learner's regrets."""
        random, path = self._random.random, []
        state, own_reach, others_reach, sample_reach = self.root, 1.0, 1.0, 1.0
        while not isinstance(expanded := self.look(state), End):
            if isinstance(expanded, Draw):
                chosen = _drawn(random(), [float(entry[1]) for entry in expanded.moves])
                chance_probability = float(expanded.moves[chosen][1])
                others_reach, sample_reach = others_reach * chance_probability, sample_reach * chance_probability
            else:
                key = (expanded.seat, expanded.knows)
                row = self._now(key, len(expanded.moves))
                if expanded.seat == learner:
                    uniform_share = self.exploring / len(row)
                    sampling_row = [uniform_share + (1 - self.exploring) * probability for probability in row]
                else:
                    sampling_row = row
                chosen = _drawn(random(), sampling_row)
                path.append((key, row, chosen, sampling_row[chosen], own_reach, others_reach, sample_reach))
                if expanded.seat == learner:
                    own_reach *= row[chosen]
                else:
                    others_reach *= row[chosen]
                sample_reach *= sampling_row[chosen]
            state = expanded.moves[chosen][-1]  # type: ignore[assignment]
        estimate = in_floats([expanded.payoffs[learner]])[0]
        for key, row, chosen, sampling_probability, reach_before, others_reach_before, sample_reach_before in reversed(path):
            corrected = estimate / sampling_probability  # the estimate for an action that was not sampled is 0: this is unbiased
            estimate = row[chosen] * corrected
            if key[0] == learner:
                regrets, sums = self._regrets[key], self._sums[key]
                weight = others_reach_before / sample_reach_before
                for action, probability in enumerate(row):
                    regrets[action] += weight * ((corrected if action == chosen else 0.0) - estimate)
                    sums[action] += reach_before * probability / sample_reach_before

    def _now(self, key: tuple[int, Hashable], moves: int) -> list[float]:
        """Return the current probabilities: in proportion to the positive regrets."""
        regrets = self._regrets.get(key)
        if regrets is None:
            regrets = self._regrets[key] = [0.0] * moves
            self._sums[key] = [0.0] * moves
        positive = [regret if regret > 0 else 0.0 for regret in regrets]
        total = sum(positive)
        return [share / total for share in positive] if total > 0 else [1 / moves] * moves

    def likely(self, seat: int, knows: Hashable) -> tuple[float, ...]:
        """Return the average probabilities of a player's actions at an information set."""
        sums = self._sums.get((seat, knows))
        if sums is None:
            raise StrategyError(f"play never came to where seat {seat} knows {knows!r}: let it run on")
        total = sum(sums)
        return tuple([share / total for share in sums]) if total > 0 else (1 / len(sums),) * len(sums)

    def __len__(self) -> int:
        """Return the number of information sets that were visited."""
        return len(self._sums)

    def strategy(self, tree: Tree) -> Strategy:
        """Return the average strategy for the tree of the same game.

        It is uniform at information sets that were never visited.
        """
        rows: list[tuple[float, ...]] = [(1 / len(record.moves),) * len(record.moves) for record in tree.sets]
        states: list[Where] = [self.root]
        for node, actor in enumerate(tree.actor):
            if actor == OVER:
                continue
            expanded = self.look(states[node])
            if isinstance(expanded, Turn) and (expanded.seat, expanded.knows) in self._sums:
                rows[tree.info[node]] = self.likely(expanded.seat, expanded.knows)
            states.extend([] if isinstance(expanded, End) else [entry[-1] for entry in expanded.moves])  # type: ignore[misc]
        return Strategy(tree, rows)

    def __repr__(self) -> str:
        return f"<OutcomeSampling: {self.iterations:,} iterations, {len(self):,} information sets, {self.seconds:.3g} s>"


def look_at(tree: Tree) -> Callable[[int], Turn | Draw | End]:
    """Return a function that describes the game of a tree, as `grow` takes it.

    A state is a history, and the knowledge is the index of an information set.

    >>> from durak_widget.gametheory.tree import grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> look_at(tree)(0)
    Turn(seat=0, knows=0, moves=[('l', 1), ('r', 2)])
    """

    def expand(node: int) -> Turn | Draw | End:
        actor, index = tree.actor[node], tree.info[node]
        if actor == OVER:
            return End(tree.payoffs[index])
        if actor >= 0:
            return Turn(actor, index, list(zip(tree.sets[index].moves, tree.children(node), strict=True)))
        return Draw(list(zip(*tree.chances[index], tree.children(node), strict=True)))

    return expand


def _drawn(number: float, likely: list[float]) -> int:
    """Return an index sampled by these probabilities, given a random number from 0 to 1."""
    for index, probability in enumerate(likely):
        number -= probability
        if number < 0:
            return index
    return max(range(len(likely)), key=likely.__getitem__)  # the probabilities add up to slightly less than 1
