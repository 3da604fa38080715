"""Solves two-player zero-sum games exactly with the double oracle method.

The method is by McMahan, Gordon and Blum (2003). At first, both players mix only a few pure strategies, and the
matrix of these strategies is solved exactly. Then each player's best response to the other player's mixture, in the
whole tree, is added to the matrix. When no best response gains anything, the mixtures are an equilibrium. The module
is plain Python and computes in whole numbers.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from math import gcd, lcm
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.best_responses import action_offsets, find_previous_actions
from durak_widget.gametheory.exact_lp import Tableau
from durak_widget.gametheory.strategy import build_unchecked_strategy
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

    PureStrategy = list[int]
    """A pure strategy: the index of the action at each information set of the tree, and 0 at the other player's sets."""
    FixedActions = Mapping[int, int]
    """The information sets at which a player may take only one action, each with the index of the allowed action."""


class DoubleOracleResult(NamedTuple):
    """The result of `double_oracle`: optimal strategies of both players, and the game's value."""

    strategy: Strategy
    value: Fraction
    """The first player's expected payoff. It is the value of the game unless some actions were
    fixed in advance.
    """


class IntegerSequenceForm:
    """The sequence form of a two-player zero-sum game, with payoffs in whole numbers.

    It has a payoff for each pair of the two players' last actions. Actions are numbered as in `action_offsets`, where
    0 means that the player has not acted yet.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> form = IntegerSequenceForm(textbook("pennies"))
    >>> form.denominator, form.payoff_pairs[0][3], form.best_response(0, form.compute_immediate_gains(0, {0: 1, 3: 1}), {})
    (1, [(1, 1), (2, -1)], (1, [0, 0]))
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.action_offsets = action_offsets(tree)
        self.previous_actions = find_previous_actions(tree, 0), find_previous_actions(tree, 1)
        payoffs = _compute_sequence_payoffs(tree, self.action_offsets)
        self.denominator = lcm(*{fraction.denominator for fraction in payoffs.values()})
        """The common denominator of all payoffs, by which they are multiplied to get whole numbers."""
        count = self.action_offsets[-1] + 1
        self.payoff_pairs: tuple[list[list[tuple[int, int]]], ...] = [[] for _ in range(count)], [[] for _ in range(count)]
        """For each player and each possible last action of the opponent: pairs of the player's own last action and the player's payoff."""
        for (first, second), payoff in payoffs.items():
            if integer_payoff := payoff.numerator * (self.denominator // payoff.denominator):
                self.payoff_pairs[0][second].append((first, integer_payoff))
                self.payoff_pairs[1][first].append((second, -integer_payoff))

    def compute_immediate_gains(self, player: int, weights: Mapping[int, int]) -> list[int]:
        """Return the payoffs after each action of a player if the player does not act again.

        `weights` has a weight for each action of the opponent. A weight is proportional to the probability that the
        opponent's own choices, taken alone, lead to an action.
        """
        gains, pairs_of = [0] * (self.action_offsets[-1] + 1), self.payoff_pairs[player]
        for action, weight in weights.items():
            for own_action, payoff in pairs_of[action]:
                gains[own_action] += weight * payoff
        return gains

    def best_response(self, player: int, gains: list[int], fixed: FixedActions) -> tuple[int, PureStrategy]:
        """Return a player's highest payoff, and a pure strategy that achieves it.

        The list `gains` comes from `compute_immediate_gains`; it is changed, because later gains are added to earlier
        ones.
        """
        offsets, pure_strategy = self.action_offsets, [0] * len(self.tree.infosets)
        for infoset, previous_action in reversed(self.previous_actions[player].items()):
            own_gains = gains[offsets[infoset] + 1 : offsets[infoset + 1] + 1]
            best = fixed[infoset] if infoset in fixed else own_gains.index(max(own_gains))
            pure_strategy[infoset] = best
            gains[previous_action] += own_gains[best]
        return gains[0], pure_strategy

    def list_played_actions(self, player: int, pure_strategy: PureStrategy) -> list[int]:
        """Return the numbers of the actions that a player may take with a pure strategy.

        The list starts with 0, which stands for no action.
        """
        actions, reached = [0], {0}
        for infoset, previous_action in self.previous_actions[player].items():
            if previous_action in reached:
                action = self.action_offsets[infoset] + 1 + pure_strategy[infoset]
                actions.append(action)
                reached.add(action)
        return actions

    def to_behaviour_strategy(self, weights: tuple[Mapping[int, int], Mapping[int, int]]) -> Strategy:
        """Convert the weights of both players' actions to a behaviour strategy.

        At information sets that a player's own actions never reach, the first action has probability 1.
        """
        infosets, offsets = self.tree.infosets, self.action_offsets
        rows: list[tuple[Fraction, ...]] = []
        for record, (start, end) in zip(infosets, pairwise(offsets), strict=True):
            own_weights = [weights[record.player].get(action, 0) for action in range(start + 1, end + 1)]
            total = sum(own_weights)
            rows.append(
                tuple([Fraction(weight, total) for weight in own_weights] if total else map(Fraction, [1] + [0] * (len(own_weights) - 1)))
            )
        return build_unchecked_strategy(infosets, rows)


def double_oracle(
    tree: Tree, fixed: tuple[FixedActions, FixedActions] = ({}, {}), sequence_form: IntegerSequenceForm | None = None
) -> DoubleOracleResult:
    """Find an exact equilibrium of a two-player zero-sum game with perfect recall.

    With `fixed`, a player has only one action at some information sets.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> double_oracle(textbook("pennies")).strategy.rows
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
    """
    sequence_form = IntegerSequenceForm(tree) if sequence_form is None else sequence_form
    first = [[fixed_actions.get(infoset, 0) for infoset in range(len(tree.infosets))] for fixed_actions in fixed]
    played_actions = tuple([[sequence_form.list_played_actions(player, pure_strategy)] for player, pure_strategy in enumerate(first)])
    matrix: list[list[int]] = [[_compute_match_payoff(sequence_form, played_actions[0][0], played_actions[1][0])]]
    while True:
        mixtures, value = _solve_matrix(matrix, sequence_form.denominator)
        weights, weight_sums = zip(
            *(_compute_action_weights(mixture, action_lists) for mixture, action_lists in zip(mixtures, played_actions, strict=True)),
            strict=True,
        )
        is_improved = False
        for player, sign in ((0, 1), (1, -1)):
            total_gain, pure_strategy = sequence_form.best_response(
                player, sequence_form.compute_immediate_gains(player, weights[1 - player]), fixed[player]
            )
            if total_gain * value.denominator != sign * value.numerator * weight_sums[1 - player] * sequence_form.denominator:
                is_improved = True
                new_actions = sequence_form.list_played_actions(player, pure_strategy)
                played_actions[player].append(new_actions)
                gains = sequence_form.compute_immediate_gains(1 - player, dict.fromkeys(new_actions, 1))
                payoffs = [-sign * sum([gains[action] for action in other_actions]) for other_actions in played_actions[1 - player]]
                if player == 0:
                    matrix.append(payoffs)
                else:
                    for row, payoff in zip(matrix, payoffs, strict=True):
                        row.append(payoff)
        if not is_improved:
            return DoubleOracleResult(sequence_form.to_behaviour_strategy((weights[0], weights[1])), value)


def find_best_pure_strategy(tree: Tree, player: int, deadline: float | None = None) -> Strategy:
    """Find a player's pure strategy with the highest guaranteed payoff, in exact numbers.

    The result also has a best mixed response of the other player. The method is branch and bound: it fixes one action
    after another at information sets where the player mixes, and continues with the most promising choice. It gives
    up when `time.perf_counter` reaches `deadline`.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> find_best_pure_strategy(textbook("kuhn"), 0)["holds the jack"]
    (Fraction(1, 1), Fraction(0, 1))
    """
    sequence_form, count = IntegerSequenceForm(tree), 0

    def solve_with_fixed(fixed_actions: dict[int, int]) -> tuple[Fraction, int, dict[int, int], Strategy]:
        """Solve the game in which the player must take `fixed_actions`.

        Return the solution as an entry of the heap `waiting`.
        """
        nonlocal count
        count += 1
        result = double_oracle(tree, (fixed_actions, {}) if player == 0 else ({}, fixed_actions), sequence_form)
        return result.value * (-1 if player == 0 else 1), count, fixed_actions, result.strategy

    waiting = [solve_with_fixed({})]
    while True:
        _, _, fixed_actions, strategy = heappop(waiting)  # Try the candidates with the highest upper bound first
        mixed_infoset = next(
            (
                infoset
                for infoset in sequence_form.previous_actions[player]
                if strategy.rows[infoset].count(0) < len(strategy.rows[infoset]) - 1
            ),
            None,
        )
        if mixed_infoset is None:
            return strategy
        if deadline is not None and perf_counter() > deadline:
            raise TreeError(
                "the search for the best pure strategy ran out of time. The tree is too large, or the search needs more seconds"
            )
        for action in range(len(strategy.rows[mixed_infoset])):
            heappush(waiting, solve_with_fixed({**fixed_actions, mixed_infoset: action}))


def _compute_sequence_payoffs(tree: Tree, offsets: list[int]) -> dict[tuple[int, int], Fraction]:
    """Return the first player's payoff for each combination of both players' last actions.

    Each payoff is weighted by the chance probability of the paths to it.
    """
    last_actions = [(0, 0)] * tree.history_count
    chance_probabilities = [Fraction(1)] * tree.history_count
    counts: dict[tuple[tuple[int, int], Fraction, int], int] = {}
    for node, (actor, infoset, first_child, child_count) in enumerate(
        zip(tree.actor, tree.infoset_of, tree.first_child, tree.child_count, strict=True)
    ):
        children = slice(first_child, first_child + child_count)
        if actor == TERMINAL:
            outcome = (last_actions[node], chance_probabilities[node], infoset)
            counts[outcome] = counts.get(outcome, 0) + 1
        elif actor == CHANCE:
            last_actions[children] = [last_actions[node]] * child_count
            chance_probabilities[children] = [
                chance_probabilities[node] * chance_probability for chance_probability in tree.chance_moves[infoset].probabilities
            ]
        else:
            first, second = last_actions[node]
            own_actions = range(offsets[infoset] + 1, offsets[infoset + 1] + 1)
            last_actions[children] = [(first, action) if actor else (action, second) for action in own_actions]
            chance_probabilities[children] = [chance_probabilities[node]] * child_count
    payoffs: dict[tuple[int, int], Fraction] = {}
    for (last_pair, probability, infoset), outcome_count in counts.items():
        if payoff := tree.payoffs[infoset][0]:
            payoffs[last_pair] = payoffs.get(last_pair, Fraction(0)) + outcome_count * probability * payoff
    return payoffs


def _compute_match_payoff(sequence_form: IntegerSequenceForm, first: Sequence[int], second: Sequence[int]) -> int:
    """Return the first player's payoff if both players play given pure strategies.

    Each strategy is given as a list of actions.
    """
    gains = sequence_form.compute_immediate_gains(0, dict.fromkeys(second, 1))
    return sum([gains[action] for action in first])


def _solve_matrix(matrix: Sequence[Sequence[int]], unit: int) -> tuple[tuple[Sequence[Fraction], Sequence[Fraction]], Fraction]:
    """Return the optimal mixtures of a matrix game's rows and columns, and the game's value."""
    min_payoff = min(map(min, matrix))
    divisor = gcd(unit, *(payoff for row in matrix for payoff in row))
    tableau = Tableau([[(payoff - min_payoff) // divisor + 1 for payoff in row] for row in matrix])
    columns = tableau.maximize().weights
    rows = tableau.dual_prices()
    total = sum(columns, Fraction(0))
    value = ((1 / total - 1) * divisor + min_payoff) / unit
    return ([weight / total for weight in rows], [weight / total for weight in columns]), value


def _compute_action_weights(mixture: Sequence[Fraction], played_actions: Sequence[Sequence[int]]) -> tuple[dict[int, int], int]:
    """Return the weight of each action in a mixture of pure strategies, as a whole number.

    Also return the weight that corresponds to probability 1.
    """
    certain_weight = lcm(*(share.denominator for share in mixture))
    weights: dict[int, int] = {}
    for share, actions in zip(mixture, played_actions, strict=True):
        if share:
            weight = share.numerator * (certain_weight // share.denominator)
            for action in actions:
                weights[action] = weights.get(action, 0) + weight
    return weights, certain_weight
