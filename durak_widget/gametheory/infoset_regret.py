"""Finds the decisions that cost a strategy most in a two-player zero-sum game.

A repair changes a single decision: one action is taken with probability `t`, and otherwise the strategy is followed.
The module finds how much more the strategy guarantees with the best repair of each decision.

The guaranteed value is the minimum over all responses of the opponent. Against one response, the value is linear in
`t`. The minimum of such lines bounds the gain of a repair. So the most promising repair is taken, the best response to
the repaired strategy is found, and its lines are added. If that response does not reduce the bound, the repair is
proved, and no other is better (cutting planes, best first: J. E. Kelley, *The cutting-plane method for solving convex
programs*, 1960).

Of several best responses, one is taken that also punishes trembles (R. Selten, 1975): it gains most if one decision of
the strategy is made at random. It is found with numbers `a + b ε` for an ε smaller than any fraction.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import action_offsets
from durak_widget.gametheory.strategy import build_unchecked_strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

    StrategyRows = Sequence[tuple[Number, ...]]

_TOLERANCE: Final = 1e-12
"""The largest difference at which two floating-point numbers are treated as equal."""


class DecisionImprovement(NamedTuple):
    """A change of a single decision, and the gain from making only this change."""

    infoset: int
    """The index of the information set at which the decision changes."""
    action: int
    """The index of the action that the player should take more often."""
    share: Number
    """The probability of taking the new action; with the remaining probability, the player follows the strategy."""
    gain: Number
    """The increase of the value that the strategy guarantees."""


class OpponentResponse(NamedTuple):
    """The opponent's best response, and how much each action gains against this response."""

    rows: StrategyRows
    """The probabilities of both players' actions, in one row for each information set."""
    value: Number
    """The player's expected payoff if the opponent plays this response."""
    slopes: dict[tuple[int, int], Number]
    """For each action at each information set: the player's gain against this response from always taking that
    action.

    A pair that is not listed changes nothing.
    """


class DecisionImprovementSearch:
    """A search for single decisions whose change improves a player's strategy most."""

    __slots__ = (
        "_action_offsets",
        "_chance_probabilities",
        "_payoffs",
        "_responses",
        "_strategy_rows",
        "_tree",
        "_zero",
        "player",
        "response_count",
        "value",
    )

    def __init__(self, tree: Tree, strategy: Strategy, player: int) -> None:
        strategy.require_same_infosets(tree.infosets)
        self._tree, self._strategy_rows, self.player = tree, strategy.rows, player
        number_type = type(tree.payoffs[0][0]) if strategy.exact else float
        self._payoffs = [number_type(payoffs[player]) for payoffs in tree.payoffs]
        self._chance_probabilities = [
            [number_type(probability) for probability in chance_move.probabilities] for chance_move in tree.chance_moves
        ]
        self._zero: Number = number_type(0)
        self._action_offsets = action_offsets(tree)
        self.response_count = 0
        """The number of opponent best responses computed so far."""
        first_response = self._find_response(strategy.rows)
        self.value: Number = first_response.value
        """The value that the player's strategy guarantees."""
        self._responses = [first_response]

    @property
    def worst_case_strategy(self) -> Strategy:
        """Return one strategy that has the player's actions and the opponent's best response.

        Of several best responses, it is one that also punishes trembles.
        """
        return build_unchecked_strategy(self._tree.infosets, self._responses[0].rows)

    def standard_error(self, sample_counts: Mapping[int, int]) -> float:
        """Return the standard error of the value that the player's strategy guarantees.

        The probabilities must be frequencies in samples of the given sizes. The error is correct as long as the best
        response stays the same.
        """
        slopes, rows, infosets = self._responses[0].slopes, self._strategy_rows, self._tree.infosets
        spread = [
            rows[infoset][action] * slopes.get((infoset, action), self._zero) ** 2 / sample_count
            for infoset, sample_count in sample_counts.items()
            if infosets[infoset].player == self.player
            for action in range(len(rows[infoset]))
        ]
        return sqrt(sum(spread))

    def iterate_improvements(self) -> Iterator[DecisionImprovement]:
        """Yield the best change of each single decision, in decreasing order of gain.

        Changes that gain nothing are left out.
        """
        waiting: list[tuple[Number, int, int]] = []
        for (infoset, action), slope in self._responses[0].slopes.items():
            if slope > 0:
                waiting.append((-self._bound_repair(infoset, action)[0], infoset, action))
        heapify(waiting)
        finished: set[int] = set()
        exact = not isinstance(self._zero, float)
        while waiting:
            negative_bound, infoset, action = heappop(waiting)
            if infoset in finished:
                continue
            bound, share = self._bound_repair(infoset, action)
            if bound - self.value <= (0 if exact else _TOLERANCE):
                continue
            if bound < -negative_bound:
                heappush(waiting, (-bound, infoset, action))
                continue
            response = self._find_response(self._build_repaired_rows(infoset, action, share))
            if response.value < bound:
                self._responses.append(self._linearize_response(response.rows))
                new_bound = self._bound_repair(infoset, action)[0]
                if exact or new_bound < bound - _TOLERANCE:
                    heappush(waiting, (-new_bound, infoset, action))
                    continue
            finished.add(infoset)
            yield DecisionImprovement(infoset, action, share, response.value - self.value)

    def _build_repaired_rows(self, infoset: int, action: int, share: Number) -> StrategyRows:
        """Return a copy of the strategy in which one action has a higher probability.

        The action is taken with probability `share`; otherwise, the player follows the strategy.
        """
        rows = list(self._strategy_rows)
        rows[infoset] = tuple(
            [(1 - share) * probability + (share if index == action else 0) for index, probability in enumerate(rows[infoset])]
        )
        return rows

    def _bound_repair(self, infoset: int, action: int) -> tuple[Number, Number]:
        """Return how much a strategy can guarantee at most if one action becomes more probable.

        Also return how much more probable the action must become. The bound uses the opponent's responses that are
        known so far.
        """
        lines = [(response.value, response.slopes.get((infoset, action), self._zero)) for response in self._responses]
        rising = min(lines)
        falling = min(lines, key=lambda line: (line[0] + line[1], -line[1]))
        if rising[1] <= 0:
            return rising[0], self._zero
        if falling[1] >= 0:
            return falling[0] + falling[1], self._zero + 1
        while True:
            share = (falling[0] - rising[0]) / (rising[1] - falling[1])
            crossing = rising[0] + share * rising[1]
            lowest = min(lines, key=lambda line: line[0] + share * line[1])
            if lowest[0] + share * lowest[1] >= crossing - (_TOLERANCE if isinstance(crossing, float) else 0) or lowest[1] == 0:
                return lowest[0] + share * lowest[1], share
            if lowest[1] > 0:
                rising = lowest
            else:
                falling = lowest

    def _find_response(self, rows: StrategyRows) -> OpponentResponse:
        """Return a best response of the opponent that also exploits tiny mistakes (trembles)."""
        self.response_count += 1
        tree, opponent, offsets = self._tree, 1 - self.player, self._action_offsets
        actors, first_children, infoset_of, payoffs = tree.actor, tree.first_child, tree.infoset_of, self._payoffs
        zero = self._zero
        reach: list[Number] = [zero] * tree.history_count
        tremble_reach: list[Number] = [zero] * tree.history_count
        reach[0] = zero + 1
        last_actions = [0] * tree.history_count
        gains, tremble_gains = [zero] * (offsets[-1] + 1), [zero] * (offsets[-1] + 1)
        previous_actions: dict[int, int] = {}
        for node in range(tree.history_count):
            node_weight, tremble_weight = reach[node], tremble_reach[node]
            if not node_weight and not tremble_weight:
                continue
            actor, infoset, next_child, previous_action = actors[node], infoset_of[node], first_children[node], last_actions[node]
            if actor == TERMINAL:
                gains[previous_action] -= node_weight * payoffs[infoset]
                tremble_gains[previous_action] -= tremble_weight * payoffs[infoset]
            elif actor == opponent:
                previous_actions.setdefault(infoset, previous_action)
                for action in range(offsets[infoset] + 1, offsets[infoset + 1] + 1):
                    reach[next_child], tremble_reach[next_child], last_actions[next_child] = node_weight, tremble_weight, action
                    next_child += 1
            elif actor == CHANCE:
                for probability in self._chance_probabilities[infoset]:
                    reach[next_child], tremble_reach[next_child], last_actions[next_child] = (
                        node_weight * probability,
                        tremble_weight * probability,
                        previous_action,
                    )
                    next_child += 1
            else:
                row = rows[infoset]
                tremble_share = node_weight / len(row)
                for probability in row:
                    if probability:
                        reach[next_child], tremble_reach[next_child], last_actions[next_child] = (
                            node_weight * probability,
                            tremble_weight * probability + tremble_share,
                            previous_action,
                        )
                    else:
                        tremble_reach[next_child], last_actions[next_child] = tremble_share, previous_action
                    next_child += 1
        response_rows = list(rows)
        for infoset, record in enumerate(tree.infosets):
            if record.player == opponent and infoset not in previous_actions:
                response_rows[infoset] = pure_row(0, len(record.actions))
        for infoset in reversed(previous_actions):
            actions = range(offsets[infoset] + 1, offsets[infoset + 1] + 1)
            best = max(actions, key=lambda action: (gains[action], tremble_gains[action]))
            gains[previous_actions[infoset]] += gains[best]
            tremble_gains[previous_actions[infoset]] += tremble_gains[best]
            response_rows[infoset] = pure_row(best - actions[0], len(actions))
        if rows is self._strategy_rows:
            return self._linearize_response(response_rows)
        return OpponentResponse(response_rows, -gains[0], {})

    def _linearize_response(self, rows: StrategyRows) -> OpponentResponse:
        """Return the player's payoff against a given response, and the gain by each other action.

        The gains are the slopes of the value in each action's probability.
        """
        tree, own_player = self._tree, self.player
        actors, first_children, infoset_of, count = tree.actor, tree.first_child, tree.infoset_of, tree.child_count
        own_rows = self._strategy_rows
        reach: list[Number] = [self._zero] * tree.history_count
        is_reached = bytearray(tree.history_count)
        reach[0], is_reached[0] = self._zero + 1, 1
        for node in range(tree.history_count):
            actor = actors[node]
            if not is_reached[node] or actor == TERMINAL:
                continue
            weight, next_child = reach[node], first_children[node]
            row = (
                self._chance_probabilities[infoset_of[node]]
                if actor == CHANCE
                else (own_rows if actor == own_player else rows)[infoset_of[node]]
            )
            for probability in row:
                if probability:
                    is_reached[next_child] = 1
                    reach[next_child] = weight * probability
                elif actor == own_player and weight:
                    is_reached[next_child] = 1
                next_child += 1
        values: list[Number] = [self._zero] * tree.history_count
        slopes: dict[tuple[int, int], Number] = {}
        for node in reversed(range(tree.history_count)):
            if not is_reached[node]:
                continue
            actor, infoset = actors[node], infoset_of[node]
            if actor == TERMINAL:
                values[node] = self._payoffs[infoset]
                continue
            row = self._chance_probabilities[infoset] if actor == CHANCE else (own_rows if actor == own_player else rows)[infoset]
            child_values = values[first_children[node] : first_children[node] + count[node]]
            total = sum(
                [probability * child_value for probability, child_value in zip(row, child_values, strict=True) if probability], self._zero
            )
            values[node] = total
            if actor == own_player and (weight := reach[node]):
                for action, child_value in enumerate(child_values):
                    if child_value != total:
                        slopes[infoset, action] = slopes.get((infoset, action), self._zero) + weight * (child_value - total)
        combined_rows = [
            row if record.player == own_player else opponent_row
            for record, row, opponent_row in zip(tree.infosets, own_rows, rows, strict=True)
        ]
        return OpponentResponse(combined_rows, values[0], slopes)
