"""Finds one exact equilibrium of a two-player game by Lemke's algorithm.

The game needs perfect recall. The algorithm works on the sequence form, for any payoffs. Each action has a weight
(the probability that the player's own actions lead to it and play it) and a loss (by how much it pays less than the
best at its information set). Both depend linearly on the other actions (Koller, D., Megiddo, N. and von Stengel, B.
(1996): Efficient computation of equilibria for extensive two-person games), and at an equilibrium no action has both.
The weight of one action at each information set, its base, follows from the others. A base is the action played most
often after some rounds of fictitious play, which makes the path short. The path starts where only bases are played,
and every other action is taxed so highly that nobody plays it. It goes from corner to corner and ends where the tax
is 0. It cannot be unbounded: weights are always those of strategies, and only the tax keeps players at the bases. All
numbers are whole (Bareiss, E. H. (1968)). Ties are broken as if the right-hand sides were perturbed by powers of a
tiny number. Best responses prove the result.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.best_responses import action_offsets, best_response, find_previous_actions, nash_conv
from durak_widget.gametheory.game_properties import payoffs_fit_floats
from durak_widget.gametheory.mixed_to_behaviour import complete_with_best_responses
from durak_widget.gametheory.strategy import Strategy, build_unchecked_strategy
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError, describe_imperfect_recall, require_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.tree import Tree

    SparseRow = dict[int, int]
    """A sparse row of an equation: the whole-number coefficients by action; key 0 stands for no action."""

_MAX_LEARNING_ROUNDS: Final = 100
"""The maximum number of rounds of fictitious play that choose the start of Lemke's path."""
_TAX_UNKNOWN: Final = 0
"""The index of the extra unknown (tax) in Lemke's algorithm. Positive indices are weights of actions, and negative
ones are losses.
"""


def find_lemke_equilibrium(tree: Tree, base_actions: Sequence[int] | None = None) -> Strategy:
    """Find an equilibrium of a two-player game with perfect recall, proved in fractions.

    `base_actions` has the action from which the path starts, for each information set.

    >>> from durak_widget import gametheory
    >>> find_lemke_equilibrium(gametheory.textbook("myerson"))["holds black"]
    (Fraction(1, 3), Fraction(2, 3))
    >>> outside = gametheory.textbook("outside-option")
    >>> [gametheory.value(outside, find_lemke_equilibrium(outside), player) for player in (0, 1)]
    [Fraction(3, 1), Fraction(1, 1)]
    >>> find_lemke_equilibrium(gametheory.textbook("horse"))
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: Lemke's algorithm needs two players, and this tree has 3
    """
    require_tree(tree)
    if tree.player_count != 2:
        raise TreeError(f"Lemke's algorithm needs two players, and this tree has {tree.player_count}")
    if recall_problem := describe_imperfect_recall(tree):
        raise TreeError(f"{recall_problem}. Lemke's algorithm needs a tree with perfect recall")
    bases = _learn_base_actions(tree, min(_MAX_LEARNING_ROUNDS, 10 + len(tree.infosets))) if base_actions is None else list(base_actions)
    Strategy.from_choices(tree, bases)  # Building this strategy raises an error if `base_actions` has an invalid action
    strategy = _weights_to_strategy(tree, _LemkePath(*_build_equations(tree, bases)).follow())
    if gain := nash_conv(tree, strategy):
        raise ArithmeticError(f"the path did not end at an equilibrium: a player gains {gain}")
    return strategy


def _weights_to_strategy(tree: Tree, weights: Mapping[int, Fraction]) -> Strategy:
    """Convert the weights of actions to a strategy; an action that is not listed has weight 0."""
    offsets, rows = action_offsets(tree), list[tuple[Fraction, ...] | None]()
    for infoset in range(len(tree.infosets)):
        own_weights = [weights.get(action, Fraction(0)) for action in range(offsets[infoset] + 1, offsets[infoset + 1] + 1)]
        total = sum(own_weights)
        rows.append(tuple([weight / total for weight in own_weights]) if total else None)
    return complete_with_best_responses(tree, rows)


def _learn_base_actions(tree: Tree, rounds: int) -> list[int]:
    """Return the action that fictitious play chooses most often at each information set.

    See Brown, G. W. (1951). Later rounds have more weight, so that early ones lose their influence.
    """
    weights = [[1 / len(record.actions)] * len(record.actions) for record in tree.infosets]
    for round_number in range(1, rounds + 1) if payoffs_fit_floats(tree) else ():
        average = build_unchecked_strategy(tree.infosets, [tuple([weight / sum(row) for weight in row]) for row in weights])
        responses = [best_response(tree, average, player).strategy for player in (0, 1)]
        for infoset, record in enumerate(tree.infosets):
            weights[infoset][responses[record.player].rows[infoset].index(1)] += round_number
    return [row.index(max(row)) for row in weights]


def _build_equations(tree: Tree, base_actions: Sequence[int]) -> tuple[list[SparseRow], list[int]]:
    """Build a linear equation for each action, given one base action per information set.

    Return the equations, and the index of each base action in the list of all actions. The base actions are those
    from which Lemke's path starts.

    The equation of a base action gives its weight, in terms of the weights of other actions. The equation of any
    other action gives its loss, in terms of the other player's weights and the losses of base actions.
    """
    offsets = action_offsets(tree)
    base_of = [offsets[infoset] + 1 + action for infoset, action in enumerate(base_actions)]
    orders = find_previous_actions(tree, 0), find_previous_actions(tree, 1)
    rows: list[SparseRow] = [{} for _ in range(offsets[-1] + 1)]
    payoff_rows = _compute_payoff_rows(tree)
    for player, order in enumerate(orders):
        weights: dict[int, SparseRow] = {0: {0: 1}}
        for infoset, parent in order.items():
            other_actions = [action for action in range(offsets[infoset] + 1, offsets[infoset + 1] + 1) if action != base_of[infoset]]
            weights |= {action: {action: 1} for action in other_actions}
            row = rows[base_of[infoset]] = weights[base_of[infoset]] = weights[parent] | dict.fromkeys(other_actions, -1)
            for action, factor in row.items():
                if action:
                    rows[action][base_of[infoset]] = -factor
        own_rows = payoff_rows[player]
        for infoset, parent in reversed(order.items()):
            base_row = own_rows.pop(base_of[infoset], {})
            for action in range(offsets[infoset] + 1, offsets[infoset + 1] + 1):
                if action != base_of[infoset]:
                    gain_row = _eliminate_bases(_add_multiple(own_rows.pop(action, {}), base_row, -1), orders[1 - player], base_of, offsets)
                    rows[action] |= {other_action: -coefficient for other_action, coefficient in gain_row.items()}
            own_rows[parent] = _add_multiple(own_rows.get(parent, {}), base_row, 1)
    return rows, base_of


def _compute_payoff_rows(tree: Tree) -> tuple[dict[int, SparseRow], dict[int, SparseRow]]:
    """Return each player's payoff for each combination of both players' last actions.

    The payoffs are weighted by chance probabilities and scaled to whole numbers.
    """
    offsets = action_offsets(tree)
    last_actions = [(0, 0)] * tree.history_count
    probabilities = [Fraction(1)] * tree.history_count
    cells: tuple[dict[tuple[int, int], Fraction], dict[tuple[int, int], Fraction]] = ({}, {})
    for node, (actor, index) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        first_action, second_action = last_actions[node]
        if actor == TERMINAL:
            for player, payoff in enumerate(tree.payoffs[index]):
                key = (second_action, first_action) if player else (first_action, second_action)
                cells[player][key] = cells[player].get(key, Fraction(0)) + probabilities[node] * payoff
        for action, child in enumerate(tree.children(node)):
            probabilities[child], last_actions[child] = probabilities[node], last_actions[node]
            if actor == CHANCE:
                probabilities[child] *= tree.chance_moves[index].probabilities[action]
            else:
                new_action = offsets[index] + 1 + action
                last_actions[child] = (first_action, new_action) if actor else (new_action, second_action)
    rows: tuple[dict[int, SparseRow], dict[int, SparseRow]] = ({}, {})
    for player, payoffs in enumerate(cells):
        denominator = lcm(*(payoff.denominator for payoff in payoffs.values()))
        for (own_action, other_action), payoff in payoffs.items():
            if payoff:
                rows[player].setdefault(own_action, {})[other_action] = int(payoff * denominator)
    return rows


def _add_multiple(row: SparseRow, added_row: SparseRow, factor: int) -> SparseRow:
    """Return the sum of a sparse row and a multiple of another sparse row."""
    return row | {action: row.get(action, 0) + factor * coefficient for action, coefficient in added_row.items()}


def _eliminate_bases(row: SparseRow, order: dict[int, int], bases: Sequence[int], offsets: Sequence[int]) -> SparseRow:
    """Eliminate the weights of base actions (where Lemke's path starts) from an equation.

    Such a weight is the weight of the player's action before, minus the weights of the other actions.
    """
    row = dict(row)
    for infoset, parent in reversed(order.items()):
        if coefficient := row.pop(bases[infoset], 0):
            for action in range(offsets[infoset] + 1, offsets[infoset + 1] + 1):
                if action != bases[infoset]:
                    row[action] = row.get(action, 0) - coefficient
            row[parent] = row.get(parent, 0) + coefficient
    return row


class _LemkePath:
    """Lemke's path from vertex to vertex, as linear equations solved for the basic unknowns."""

    def __init__(self, equations: Sequence[SparseRow], bases: Sequence[int]) -> None:
        count = len(equations) - 1
        base_set = set(bases)
        self.basis = [action if action in base_set else -action for action in range(1, count + 1)]
        """For each row of the equations: the basic unknown for which it is solved."""
        self.nonbasic = [-unknown for unknown in self.basis] + [_TAX_UNKNOWN]
        """For each column of the equations: its nonbasic unknown, whose value is 0."""
        self.rows = []
        """The rows: coefficients of the nonbasic unknowns on the left-hand side, and the constant; all multiplied by `denominator`."""
        for action in range(1, count + 1):
            row = [0] * (count + 2)
            for other, factor in equations[action].items():
                row[other - 1 if other else count + 1] = -factor if other else factor
            row[count] = 0 if action in base_set else -1
            self.rows.append(row)
        self.denominator = 1
        self.initial_basis = self.basis[:]
        """The basic unknowns at the start of the path."""

    def follow(self) -> dict[int, Fraction]:
        """Follow Lemke's path to its end, and return the basic unknowns with their values."""
        taxed_rows = [index for index, row_entries in enumerate(self.rows) if row_entries[-2]]
        if taxed_rows and min(self.rows[index][-1] for index in taxed_rows) < 0:
            start_row = min(taxed_rows, key=lambda index: (self.rows[index][-1], -index))
            leaving = self._pivot(start_row, len(self.rows))
            while leaving != _TAX_UNKNOWN:
                column = self.nonbasic.index(-leaving)
                leaving = self._pivot(self._choose_leaving_row(column), column)
        return {unknown: Fraction(row_entries[-1], self.denominator) for unknown, row_entries in zip(self.basis, self.rows, strict=True)}

    def _choose_leaving_row(self, column: int) -> int:
        """Return the row whose basic unknown reaches 0 first when the unknown of a column grows.

        If several unknowns reach 0 at once and the tax is one of them, return the row of the tax.
        """
        tied_rows = [index for index, row in enumerate(self.rows) if row[column] > 0]
        if not tied_rows:
            raise ArithmeticError("the path goes to infinity, which is impossible with perfect recall")
        tied_rows = self._find_minimum_ratio_rows(tied_rows, column, [row[-1] for row in self.rows])
        if len(tied_rows) > 1:
            for index in tied_rows:
                if self.basis[index] == _TAX_UNKNOWN:
                    return index
            row_of = {unknown: index for index, unknown in enumerate(self.basis)}
            column_of = {unknown: index for index, unknown in enumerate(self.nonbasic)}
            # Decide ties as if the right-hand sides were changed by tiny amounts, so that the path cannot run in circles
            for unknown in self.initial_basis:
                if unknown in column_of:
                    tied_rows = self._find_minimum_ratio_rows(tied_rows, column, [row[column_of[unknown]] for row in self.rows])
                elif row_of[unknown] in tied_rows:
                    tied_rows.remove(row_of[unknown])
                if len(tied_rows) == 1:
                    break
        return tied_rows[0]

    def _find_minimum_ratio_rows(self, tied: list[int], column: int, values: Sequence[int]) -> list[int]:
        """Return the rows with the smallest ratio of a given value to the row's entry in a column."""
        smallest = [tied[0]]
        for index in tied[1:]:
            candidate, best = values[index] * self.rows[smallest[0]][column], values[smallest[0]] * self.rows[index][column]
            if candidate < best:
                smallest = [index]
            elif candidate == best:
                smallest.append(index)
        return smallest

    def _pivot(self, row: int, column: int) -> int:
        """Solve a row's equation for a column's unknown; return the unknown that leaves the basis."""
        rows, denominator, pivot_row = self.rows, self.denominator, self.rows[row]
        pivot = pivot_row[column]
        for index, entries in enumerate(rows):
            factor = entries[column]
            if index == row:
                continue
            if factor:
                rows[index] = [
                    (pivot * entry - factor * pivot_entry) // denominator for entry, pivot_entry in zip(entries, pivot_row, strict=True)
                ]
                rows[index][column] = -factor
            elif pivot != denominator:
                rows[index] = [pivot * entry // denominator for entry in entries]
        pivot_row[column] = denominator
        if pivot < 0:
            self.rows = [[-entry for entry in entries] for entries in rows]
        self.denominator = abs(pivot)
        leaving, self.basis[row] = self.basis[row], self.nonbasic[column]
        self.nonbasic[column] = leaving
        return leaving
