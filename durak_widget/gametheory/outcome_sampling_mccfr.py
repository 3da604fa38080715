"""Learns a strategy by outcome-sampling MCCFR, which samples single plays of a game.

The method is by Lanctot, Waugh, Zinkevich and Bowling (2009). The game is given by a function that expands a state,
as for `build_tree`. It is played many times, and regrets are stored only for the information sets that were visited.
The module needs only Python and works for any number of players. In a two-player zero-sum game the average strategy
slowly approaches an equilibrium.
"""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Generic, TypeVar

from durak_widget.gametheory.best_responses import convert_payoffs_to_floats
from durak_widget.gametheory.solver_progress import SolvingProgress, defer_keyboard_interrupts, report_progress
from durak_widget.gametheory.strategy import Strategy, StrategyError
from durak_widget.gametheory.tree import TERMINAL, ChanceNode, DecisionNode, TerminalNode

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from durak_widget.gametheory.solver_progress import ProgressListener
    from durak_widget.gametheory.tree import Tree

State = TypeVar("State")


class OutcomeSampling(Generic[State]):
    """A learner that samples many plays of a game; the same seed gives the same result.

    >>> states = {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}
    >>> learned = OutcomeSampling("", states.__getitem__, player_count=2, seed=1).run(2000)
    >>> max(learned.average_probabilities(0, "begins")) > 0.9, learned.average_probabilities(0, "begins")[0] > 0.9
    (True, True)
    """

    __slots__ = (
        "_random",
        "_regrets",
        "_strategy_sums",
        "expand",
        "exploration_rate",
        "interrupted",
        "iterations",
        "player_count",
        "root",
        "seconds",
    )

    def __init__(
        self,
        root: State,
        expand: Callable[[State], DecisionNode | ChanceNode | TerminalNode],
        *,
        player_count: int,
        seed: int = 0,
        exploration_rate: float = 0.6,
    ) -> None:
        if not 0 < exploration_rate <= 1:
            raise StrategyError(
                f"exploration_rate must be a number more than 0 and at most 1, not {exploration_rate}: it is how often a learning player tries a random move"
            )
        self.root, self.expand, self.player_count, self.exploration_rate = root, expand, player_count, exploration_rate
        self.iterations, self.seconds, self.interrupted = 0, 0.0, False
        self._random = Random(seed)
        self._regrets: dict[tuple[int, Hashable], list[float]] = {}
        self._strategy_sums: dict[tuple[int, Hashable], list[float]] = {}

    def run(self, iterations: int = 10_000, *, seconds: float | None = None, progress: ProgressListener = None) -> OutcomeSampling[State]:
        """Run a number of iterations; in each of them, every player learns from one sampled play.

        A keyboard interrupt ends the run early.
        """
        goal, began, earlier_seconds = self.iterations + iterations, perf_counter(), self.seconds
        progress_interval = max(iterations // 20, 1)
        self.interrupted = False
        try:
            while self.iterations < goal and (seconds is None or self.seconds - earlier_seconds < seconds):
                with defer_keyboard_interrupts():
                    for player in range(self.player_count):
                        self._play_once(player)
                    self.iterations += 1
                self.seconds = earlier_seconds + perf_counter() - began
                if self.iterations % progress_interval == 0 or self.iterations == goal:
                    report_progress(progress, SolvingProgress(self.iterations, goal, None, self.seconds), last=self.iterations == goal)
        except KeyboardInterrupt:
            self.interrupted = True
        return self

    def _play_once(self, learner: int) -> None:
        """Play the game once, and update the regrets and average strategy of one player."""
        random, path = self._random.random, []
        state, own_reach, others_reach, sample_reach = self.root, 1.0, 1.0, 1.0
        while not isinstance(expanded := self.expand(state), TerminalNode):
            if isinstance(expanded, ChanceNode):
                chosen = _sample_index(random(), [float(entry[1]) for entry in expanded.actions])
                chance_probability = float(expanded.actions[chosen][1])
                others_reach, sample_reach = others_reach * chance_probability, sample_reach * chance_probability
            else:
                key = (expanded.player, expanded.knowledge)
                row = self._current_probabilities(key, len(expanded.actions))
                if expanded.player == learner:
                    uniform_share = self.exploration_rate / len(row)
                    sampling_row = [uniform_share + (1 - self.exploration_rate) * probability for probability in row]
                else:
                    sampling_row = row
                chosen = _sample_index(random(), sampling_row)
                path.append((key, row, chosen, sampling_row[chosen], own_reach, others_reach, sample_reach))
                if expanded.player == learner:
                    own_reach *= row[chosen]
                else:
                    others_reach *= row[chosen]
                sample_reach *= sampling_row[chosen]
            state = expanded.actions[chosen][-1]  # type: ignore[assignment]
        estimate = convert_payoffs_to_floats([expanded.payoffs[learner]])[0]
        for key, row, chosen, sampling_probability, reach_before, others_reach_before, sample_reach_before in reversed(path):
            corrected = estimate / sampling_probability  # This division makes the estimate of the action's value unbiased
            estimate = row[chosen] * corrected
            if key[0] == learner:
                regrets, sums = self._regrets[key], self._strategy_sums[key]
                weight = others_reach_before / sample_reach_before
                for action, probability in enumerate(row):
                    regrets[action] += weight * ((corrected if action == chosen else 0.0) - estimate)
                    sums[action] += reach_before * probability / sample_reach_before

    def _current_probabilities(self, key: tuple[int, Hashable], action_count: int) -> list[float]:
        """Return the current action probabilities, which are proportional to positive regrets."""
        regrets = self._regrets.get(key)
        if regrets is None:
            regrets = self._regrets[key] = [0.0] * action_count
            self._strategy_sums[key] = [0.0] * action_count
        positive = [regret if regret > 0 else 0.0 for regret in regrets]
        total = sum(positive)
        return [share / total for share in positive] if total > 0 else [1 / action_count] * action_count

    def average_probabilities(self, player: int, knowledge: Hashable) -> tuple[float, ...]:
        """Return a player's average action probabilities at an information set."""
        sums = self._strategy_sums.get((player, knowledge))
        if sums is None:
            raise StrategyError(f"play has never reached the node where player {player} knows {knowledge!r}; run more iterations")
        total = sum(sums)
        return tuple([share / total for share in sums]) if total > 0 else (1 / len(sums),) * len(sums)

    def __len__(self) -> int:
        """Return the number of information sets that sampled plays have reached so far."""
        return len(self._strategy_sums)

    def strategy(self, tree: Tree) -> Strategy:
        """Convert the learned average strategy to a strategy of the game tree.

        It is uniform at information sets that were never visited.
        """
        rows: list[tuple[float, ...]] = [(1 / len(record.actions),) * len(record.actions) for record in tree.infosets]
        states: list[State] = [self.root]
        for node, actor in enumerate(tree.actor):
            if actor == TERMINAL:
                continue
            expanded = self.expand(states[node])
            if isinstance(expanded, DecisionNode) and (expanded.player, expanded.knowledge) in self._strategy_sums:
                rows[tree.infoset_of[node]] = self.average_probabilities(expanded.player, expanded.knowledge)
            states.extend([] if isinstance(expanded, TerminalNode) else [entry[-1] for entry in expanded.actions])  # type: ignore[misc]
        return Strategy(tree, rows)

    def __repr__(self) -> str:
        return f"<OutcomeSampling: {self.iterations:,} iterations, {len(self):,} information sets, {self.seconds:.3g} s>"


def make_expand_function(tree: Tree) -> Callable[[int], DecisionNode | ChanceNode | TerminalNode]:
    """Return a function that describes the nodes of a tree, to pass to `build_tree`.

    A state is the number of a history, and `knowledge` is the index of an information set.

    >>> from durak_widget.gametheory.tree import build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> make_expand_function(tree)(0)
    DecisionNode(player=0, knowledge=0, actions=[('l', 1), ('r', 2)])
    """

    def expand(node: int) -> DecisionNode | ChanceNode | TerminalNode:
        actor, index = tree.actor[node], tree.infoset_of[node]
        if actor == TERMINAL:
            return TerminalNode(tree.payoffs[index])
        if actor >= 0:
            return DecisionNode(actor, index, list(zip(tree.infosets[index].actions, tree.children(node), strict=True)))
        return ChanceNode(list(zip(*tree.chance_moves[index], tree.children(node), strict=True)))

    return expand


def _sample_index(number: float, probabilities: list[float]) -> int:
    """Sample an index with given probabilities, using a random number between 0 and 1."""
    for index, probability in enumerate(probabilities):
        number -= probability
        if number < 0:
            return index
    return max(range(len(probabilities)), key=probabilities.__getitem__)  # Rounding can make the sum of the probabilities less than 1
