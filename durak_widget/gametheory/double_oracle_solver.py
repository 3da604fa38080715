"""Solves two-player zero-sum games exactly with the double oracle method.

See McMahan, Gordon and Blum (2003). Both players mix a few of their pure strategies. The matrix of these is solved
exactly. Then each player finds a best response in the whole tree to the mixture of the other player, and adds it.
When no best response gains anything, the mixtures are an equilibrium. It is plain Python, in whole numbers.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from math import gcd, lcm
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.best_responses import edges, order_of
from durak_widget.gametheory.exact_lp import Tableau
from durak_widget.gametheory.strategy import made
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

    PureStrategy = list[int]
    """The action index at each information set of the tree; 0 at those of the other player."""
    Fixed = Mapping[int, int]
    """Information sets at which a player may take only one action, with the index of that action."""


class Equilibrium(NamedTuple):
    """The result of `double_oracle`."""

    strategy: Strategy
    value: Fraction
    """The first player's payoff; if nothing is fixed, the value of the game."""


class IntegerForm:
    """The sequence form of a two-player zero-sum game in whole numbers.

    It has a payoff for each pair of last actions. Actions are numbered as in `edges`: 0 stands for no action yet.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> form = IntegerForm(textbook("pennies"))
    >>> form.unit, form.against[0][3], form.best_response(0, form.gains(0, {0: 1, 3: 1}), {})
    (1, [(1, 1), (2, -1)], (1, [0, 0]))
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.starts = edges(tree)
        self.orders = order_of(tree, 0), order_of(tree, 1)
        payoffs = _payoffs(tree, self.starts)
        self.unit = lcm(*{fraction.denominator for fraction in payoffs.values()})
        """The common denominator: all payoffs are multiplied by this."""
        count = self.starts[-1] + 1
        self.against: tuple[list[list[tuple[int, int]]], ...] = [[] for _ in range(count)], [[] for _ in range(count)]
        """For each player and each last action of the opponent: pairs of the player's own last action and payoff."""
        for (first, second), payoff in payoffs.items():
            if integer_payoff := payoff.numerator * (self.unit // payoff.denominator):
                self.against[0][second].append((first, integer_payoff))
                self.against[1][first].append((second, -integer_payoff))

    def gains(self, seat: int, weights: Mapping[int, int]) -> list[int]:
        """Return the immediate gains of a player's actions.

        The actions of the other player have these weights.
        """
        gains, pairs_of = [0] * (self.starts[-1] + 1), self.against[seat]
        for action, weight in weights.items():
            for own_action, payoff in pairs_of[action]:
                gains[own_action] += weight * payoff
        return gains

    def best_response(self, seat: int, gains: list[int], fixed: Fixed) -> tuple[int, PureStrategy]:
        """Return the highest total gain, and the pure strategy that gets it.

        It changes `gains`: later gains are added to earlier ones.
        """
        offsets, pure_strategy = self.starts, [0] * len(self.tree.sets)
        for infoset, previous_action in reversed(self.orders[seat].items()):
            own_gains = gains[offsets[infoset] + 1 : offsets[infoset + 1] + 1]
            best = fixed[infoset] if infoset in fixed else own_gains.index(max(own_gains))
            pure_strategy[infoset] = best
            gains[previous_action] += own_gains[best]
        return gains[0], pure_strategy

    def moves_made(self, seat: int, chosen: PureStrategy) -> list[int]:
        """Return the actions of a pure strategy that the player's own actions lead to, 0 included."""
        actions, reached = [0], {0}
        for infoset, previous_action in self.orders[seat].items():
            if previous_action in reached:
                action = self.starts[infoset] + 1 + chosen[infoset]
                actions.append(action)
                reached.add(action)
        return actions

    def behaviour(self, weights: tuple[Mapping[int, int], Mapping[int, int]]) -> Strategy:
        """Return the behaviour strategy in which the actions of both players have these weights.

        Where a player's own actions never lead, the first action is certain.
        """
        infosets, offsets = self.tree.sets, self.starts
        rows: list[tuple[Fraction, ...]] = []
        for record, (start, end) in zip(infosets, pairwise(offsets), strict=True):
            own_weights = [weights[record.seat].get(action, 0) for action in range(start + 1, end + 1)]
            total = sum(own_weights)
            rows.append(
                tuple([Fraction(weight, total) for weight in own_weights] if total else map(Fraction, [1] + [0] * (len(own_weights) - 1)))
            )
        return made(infosets, rows)


def double_oracle(tree: Tree, fixed: tuple[Fixed, Fixed] = ({}, {}), form: IntegerForm | None = None) -> Equilibrium:
    """Find an equilibrium of a two-player zero-sum game with perfect recall, exactly.

    `fixed` allows a player only one action at some information sets.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> double_oracle(textbook("pennies")).strategy.rows
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
    """
    form = IntegerForm(tree) if form is None else form
    first = [[fixed_actions.get(infoset, 0) for infoset in range(len(tree.sets))] for fixed_actions in fixed]
    played_actions = tuple([[form.moves_made(player, pure_strategy)] for player, pure_strategy in enumerate(first)])
    matrix: list[list[int]] = [[_meet(form, played_actions[0][0], played_actions[1][0])]]
    while True:
        mixtures, value = _solve_matrix(matrix, form.unit)
        weights, weight_sums = zip(
            *(_weights(mixture, action_lists) for mixture, action_lists in zip(mixtures, played_actions, strict=True)), strict=True
        )
        is_improved = False
        for player, sign in ((0, 1), (1, -1)):
            total_gain, pure_strategy = form.best_response(player, form.gains(player, weights[1 - player]), fixed[player])
            if total_gain * value.denominator != sign * value.numerator * weight_sums[1 - player] * form.unit:
                is_improved = True
                new_actions = form.moves_made(player, pure_strategy)
                played_actions[player].append(new_actions)
                gains = form.gains(1 - player, dict.fromkeys(new_actions, 1))
                payoffs = [-sign * sum([gains[action] for action in other_actions]) for other_actions in played_actions[1 - player]]
                if player == 0:
                    matrix.append(payoffs)
                else:
                    for row, payoff in zip(matrix, payoffs, strict=True):
                        row.append(payoff)
        if not is_improved:
            return Equilibrium(form.behaviour((weights[0], weights[1])), value)


def best_pure_strategy(tree: Tree, seat: int, end: float | None = None) -> Strategy:
    """Find the pure strategy of a player that guarantees most, exactly.

    The other player gets a best mixed response to it. The method is branch and bound: fix one action after another at an
    information set where the player mixes, and go on with the most promising choice. It gives up when
    `time.perf_counter` reaches `end`.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> best_pure_strategy(textbook("kuhn"), 0)["holds the jack"]
    (Fraction(1, 1), Fraction(0, 1))
    """
    sequence_form, count = IntegerForm(tree), 0

    def solve_with_fixed(fixed_actions: dict[int, int]) -> tuple[Fraction, int, dict[int, int], Strategy]:
        nonlocal count
        count += 1
        result = double_oracle(tree, (fixed_actions, {}) if seat == 0 else ({}, fixed_actions), sequence_form)
        return result.value * (-1 if seat == 0 else 1), count, fixed_actions, result.strategy

    waiting = [solve_with_fixed({})]
    while True:
        _, _, fixed_actions, strategy = heappop(waiting)  # the opponent gets least against it
        mixed_infoset = next(
            (infoset for infoset in sequence_form.orders[seat] if strategy.rows[infoset].count(0) < len(strategy.rows[infoset]) - 1), None
        )
        if mixed_infoset is None:
            return strategy
        if end is not None and perf_counter() > end:
            raise TreeError("the best pure strategy was not found in time; the tree is too large for it, or needs more seconds")
        for action in range(len(strategy.rows[mixed_infoset])):
            heappush(waiting, solve_with_fixed({**fixed_actions, mixed_infoset: action}))


def _payoffs(tree: Tree, starts: list[int]) -> dict[tuple[int, int], Fraction]:
    """Return the first player's payoff for each pair of last actions.

    Each is weighted by the probability that chance leads there.
    """
    last_actions = [(0, 0)] * tree.histories
    chance_probabilities = [Fraction(1)] * tree.histories
    counts: dict[tuple[tuple[int, int], Fraction, int], int] = {}
    for node, (actor, infoset, first_child, child_count) in enumerate(zip(tree.actor, tree.info, tree.first, tree.count, strict=True)):
        children = slice(first_child, first_child + child_count)
        if actor == OVER:
            outcome = (last_actions[node], chance_probabilities[node], infoset)
            counts[outcome] = counts.get(outcome, 0) + 1
        elif actor == CHANCE:
            last_actions[children] = [last_actions[node]] * child_count
            chance_probabilities[children] = [
                chance_probabilities[node] * chance_probability for chance_probability in tree.chances[infoset].probabilities
            ]
        else:
            first, second = last_actions[node]
            own_actions = range(starts[infoset] + 1, starts[infoset + 1] + 1)
            last_actions[children] = [(first, action) if actor else (action, second) for action in own_actions]
            chance_probabilities[children] = [chance_probabilities[node]] * child_count
    payoffs: dict[tuple[int, int], Fraction] = {}
    for (last_pair, probability, infoset), outcome_count in counts.items():
        if payoff := tree.payoffs[infoset][0]:
            payoffs[last_pair] = payoffs.get(last_pair, Fraction(0)) + outcome_count * probability * payoff
    return payoffs


def _meet(form: IntegerForm, first: Sequence[int], second: Sequence[int]) -> int:
    """Return the first player's payoff when two pure strategies with these actions meet."""
    gains = form.gains(0, dict.fromkeys(second, 1))
    return sum([gains[action] for action in first])


def _solve_matrix(matrix: Sequence[Sequence[int]], unit: int) -> tuple[tuple[Sequence[Fraction], Sequence[Fraction]], Fraction]:
    """Return the optimal mixture of the rows and of the columns of a matrix, and its value."""
    min_payoff = min(map(min, matrix))
    divisor = gcd(unit, *(payoff for row in matrix for payoff in row))
    tableau = Tableau([[(payoff - min_payoff) // divisor + 1 for payoff in row] for row in matrix])
    columns = tableau.best().weights
    rows = tableau.prices()
    total = sum(columns, Fraction(0))
    value = ((1 / total - 1) * divisor + min_payoff) / unit
    return ([weight / total for weight in rows], [weight / total for weight in columns]), value


def _weights(mix: Sequence[Fraction], moves: Sequence[Sequence[int]]) -> tuple[dict[int, int], int]:
    """Return the weight of each action in a mixture of pure strategies, in whole numbers.

    Also return the weight that stands for certainty.
    """
    certain_weight = lcm(*(share.denominator for share in mix))
    weights: dict[int, int] = {}
    for share, actions in zip(mix, moves, strict=True):
        if share:
            weight = share.numerator * (certain_weight // share.denominator)
            for action in actions:
                weights[action] = weights.get(action, 0) + weight
    return weights, certain_weight
