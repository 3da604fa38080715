"""Finds the decisions at which a strategy loses most, in a two-player zero-sum game.

A repair changes a single decision: one action is taken with a share `t`, otherwise the strategy is followed. The module
finds how much more the strategy guarantees with the best repair of each decision.

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

from durak_widget.gametheory.best_responses import edges
from durak_widget.gametheory.strategy import made, pure_row
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

    Rows = Sequence[tuple[Number, ...]]

_ALIKE: Final = 1e-12
"""The difference below which floats are taken as equal."""


class Repair(NamedTuple):
    """A change of a single decision, and the gain by that change alone."""

    place: int
    """The information set."""
    move: int
    """The action that is to be taken there more often."""
    share: Number
    """The share of the time that it is taken; otherwise the strategy is followed."""
    saves: Number
    """The increase of the guaranteed value."""


class Answer(NamedTuple):
    """A response of the opponent to a strategy, with the effect of single decisions."""

    rows: Rows
    """The rows of both players."""
    worth: Number
    """The value of the strategy against this response."""
    slopes: dict[tuple[int, int], Number]
    """For pairs of information set and action: the gain against this response if that action were certain.

    Pairs that are not listed change nothing.
    """


class Repairs:
    """The cost of single decisions of a player's strategy, and the best response against it."""

    __slots__ = ("_answers", "_likely", "_payoffs", "_rows", "_starts", "_tree", "_zero", "asked", "seat", "worth")

    def __init__(self, tree: Tree, strategy: Strategy, seat: int) -> None:
        strategy.require_sets(tree.sets)
        self._tree, self._rows, self.seat = tree, strategy.rows, seat
        number_type = type(tree.payoffs[0][0]) if strategy.exact else float
        self._payoffs = [number_type(payoffs[seat]) for payoffs in tree.payoffs]
        self._likely = [[number_type(probability) for probability in chance_move.probabilities] for chance_move in tree.chances]
        self._zero: Number = number_type(0)
        self._starts = edges(tree)
        self.asked = 0
        """The number of best responses that were computed."""
        first_response = self._answer(strategy.rows)
        self.worth: Number = first_response.worth
        """The value that the strategy guarantees."""
        self._answers = [first_response]

    @property
    def punished(self) -> Strategy:
        """Return the player's strategy with the opponent's best response to it.

        The response also punishes trembles.
        """
        return made(self._tree.sets, self._answers[0].rows)

    def error(self, samples: Mapping[int, int]) -> float:
        """Return the standard error of the guaranteed value.

        The rows must be frequencies of that many samples each. It is correct as long as the best response stays the same.
        """
        slopes, rows, infosets = self._answers[0].slopes, self._rows, self._tree.sets
        spread = [
            rows[infoset][action] * slopes.get((infoset, action), self._zero) ** 2 / sample_count
            for infoset, sample_count in samples.items()
            if infosets[infoset].seat == self.seat
            for action in range(len(rows[infoset]))
        ]
        return sqrt(sum(spread))

    def best(self) -> Iterator[Repair]:
        """Iterate over the best repair of each information set, those with the largest gain first.

        Repairs that alone gain nothing are left out.
        """
        waiting: list[tuple[Number, int, int]] = []
        for (infoset, action), slope in self._answers[0].slopes.items():
            if slope > 0:
                waiting.append((-self._bound(infoset, action)[0], infoset, action))
        heapify(waiting)
        finished: set[int] = set()
        exact = not isinstance(self._zero, float)
        while waiting:
            negative_bound, infoset, action = heappop(waiting)
            if infoset in finished:
                continue
            bound, share = self._bound(infoset, action)
            if bound - self.worth <= (0 if exact else _ALIKE):
                continue
            if bound < -negative_bound:
                heappush(waiting, (-bound, infoset, action))
                continue
            response = self._answer(self._repaired(infoset, action, share))
            if response.worth < bound:
                self._answers.append(self._lines(response.rows))
                new_bound = self._bound(infoset, action)[0]
                if exact or new_bound < bound - _ALIKE:
                    heappush(waiting, (-new_bound, infoset, action))
                    continue
            finished.add(infoset)
            yield Repair(infoset, action, share, response.worth - self.worth)

    def _repaired(self, place: int, move: int, share: Number) -> Rows:
        """Return the rows with the share given to that action."""
        rows = list(self._rows)
        rows[place] = tuple([(1 - share) * probability + (share if index == move else 0) for index, probability in enumerate(rows[place])])
        return rows

    def _bound(self, place: int, move: int) -> tuple[Number, Number]:
        """Return an upper bound on the guaranteed value with this repair, and the best share.

        The bound uses the responses that are known so far.
        """
        lines = [(response.worth, response.slopes.get((place, move), self._zero)) for response in self._answers]
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
            if lowest[0] + share * lowest[1] >= crossing - (_ALIKE if isinstance(crossing, float) else 0) or lowest[1] == 0:
                return lowest[0] + share * lowest[1], share
            if lowest[1] > 0:
                rising = lowest
            else:
                falling = lowest

    # Responses

    def _answer(self, rows: Rows) -> Answer:
        """Return the best response to these rows that also punishes trembles."""
        self.asked += 1
        tree, opponent, offsets = self._tree, 1 - self.seat, self._starts
        actors, first_children, infoset_of, payoffs = tree.actor, tree.first, tree.info, self._payoffs
        zero = self._zero
        reach: list[Number] = [zero] * tree.histories
        tremble_reach: list[Number] = [zero] * tree.histories
        reach[0] = zero + 1
        last_actions = [0] * tree.histories
        gains, tremble_gains = [zero] * (offsets[-1] + 1), [zero] * (offsets[-1] + 1)
        previous_actions: dict[int, int] = {}
        for node in range(tree.histories):
            node_weight, tremble_weight = reach[node], tremble_reach[node]
            if not node_weight and not tremble_weight:
                continue
            actor, infoset, next_child, previous_action = actors[node], infoset_of[node], first_children[node], last_actions[node]
            if actor == OVER:
                gains[previous_action] -= node_weight * payoffs[infoset]
                tremble_gains[previous_action] -= tremble_weight * payoffs[infoset]
            elif actor == opponent:
                previous_actions.setdefault(infoset, previous_action)
                for action in range(offsets[infoset] + 1, offsets[infoset + 1] + 1):
                    reach[next_child], tremble_reach[next_child], last_actions[next_child] = node_weight, tremble_weight, action
                    next_child += 1
            elif actor == CHANCE:
                for probability in self._likely[infoset]:
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
        for infoset, record in enumerate(tree.sets):
            if record.seat == opponent and infoset not in previous_actions:
                response_rows[infoset] = pure_row(0, len(record.moves))
        for infoset in reversed(previous_actions):
            actions = range(offsets[infoset] + 1, offsets[infoset + 1] + 1)
            best = max(actions, key=lambda action: (gains[action], tremble_gains[action]))
            gains[previous_actions[infoset]] += gains[best]
            tremble_gains[previous_actions[infoset]] += tremble_gains[best]
            response_rows[infoset] = pure_row(best - actions[0], len(actions))
        if rows is self._rows:
            return self._lines(response_rows)
        return Answer(response_rows, -gains[0], {})

    def _lines(self, rows: Rows) -> Answer:
        """Return the value of the strategy against the opponent's rows, and its slopes.

        The slopes say how the value changes with each single decision.
        """
        tree, own_player = self._tree, self.seat
        actors, first_children, infoset_of, count = tree.actor, tree.first, tree.info, tree.count
        own_rows = self._rows
        reach: list[Number] = [self._zero] * tree.histories
        is_reached = bytearray(tree.histories)
        reach[0], is_reached[0] = self._zero + 1, 1
        for node in range(tree.histories):
            actor = actors[node]
            if not is_reached[node] or actor == OVER:
                continue
            weight, next_child = reach[node], first_children[node]
            row = self._likely[infoset_of[node]] if actor == CHANCE else (own_rows if actor == own_player else rows)[infoset_of[node]]
            for probability in row:
                if probability:
                    is_reached[next_child] = 1
                    reach[next_child] = weight * probability
                elif actor == own_player and weight:
                    is_reached[next_child] = 1
                next_child += 1
        values: list[Number] = [self._zero] * tree.histories
        slopes: dict[tuple[int, int], Number] = {}
        for node in reversed(range(tree.histories)):
            if not is_reached[node]:
                continue
            actor, infoset = actors[node], infoset_of[node]
            if actor == OVER:
                values[node] = self._payoffs[infoset]
                continue
            row = self._likely[infoset] if actor == CHANCE else (own_rows if actor == own_player else rows)[infoset]
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
            row if record.seat == own_player else opponent_row for record, row, opponent_row in zip(tree.sets, own_rows, rows, strict=True)
        ]
        return Answer(combined_rows, values[0], slopes)
