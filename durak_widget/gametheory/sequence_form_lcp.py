"""Finds one exact equilibrium of a two-player game by Lemke's algorithm.

The game needs perfect recall. The algorithm works on the sequence form, for any payoffs. Each action has a weight
(the probability that the player's own actions lead to it and play it) and a loss (by how much it pays less than the
best at its information set). Both depend linearly on the other actions (Koller, D., Megiddo, N. and von Stengel, B.
(1996): Efficient computation of equilibria for extensive two-person games), and at an equilibrium no action has
both. The weight of one action at each information set, its base, follows from the others. A base is the action
played most often after some rounds of fictitious play, which makes the path short. The path starts where only bases
are played, and every other action is taxed so highly that nobody plays it. It goes from corner to corner and ends
where the tax is 0. It cannot be unbounded: weights are always those of strategies, and only the tax keeps players
at the bases. All numbers are whole (Bareiss, E. H. (1968)). Ties are broken as if the right sides were perturbed by
powers of a tiny number. The result is proved by best responses.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.best_responses import best_response, edges, nash_conv, order_of
from durak_widget.gametheory.game_properties import in_decimals
from durak_widget.gametheory.mixed_to_behaviour import filled_up
from durak_widget.gametheory.strategy import Strategy, made
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError, forgets, require_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.tree import Tree

    Line = dict[int, int]
    """Whole numbers by action, as numbered in `edges`; 0 stands for no action."""

_ROUNDS: Final = 100
"""The largest number of rounds of fictitious play before the path starts."""
_TAX: Final = 0
"""The unknown for the tax; positive unknowns are weights of actions, negative ones their losses."""


def lemke(tree: Tree, start: Sequence[int] | None = None) -> Strategy:
    """Find an equilibrium of a two-player game with perfect recall, proved in fractions.

    `start` has the action from which the path starts, for each information set.

    >>> from durak_widget import gametheory
    >>> lemke(gametheory.textbook("myerson"))["holds black"]
    (Fraction(1, 3), Fraction(2, 3))
    >>> outside = gametheory.textbook("outside-option")
    >>> [gametheory.value(outside, lemke(outside), player) for player in (0, 1)]
    [Fraction(3, 1), Fraction(1, 1)]
    >>> lemke(gametheory.textbook("horse"))
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: Lemke's algorithm needs two seats, and this tree has 3
    """
    require_tree(tree)
    if tree.seats != 2:
        raise TreeError(f"Lemke's algorithm needs two seats, and this tree has {tree.seats}")
    if recall_problem := forgets(tree):
        raise TreeError(f"{recall_problem}; Lemke's algorithm needs a tree with perfect recall")
    bases = _learned(tree, min(_ROUNDS, 10 + len(tree.sets))) if start is None else list(start)
    Strategy.choosing(tree, bases)  # refuses invalid actions
    strategy = _strategy(tree, _Path(*_equations(tree, bases)).walked())
    if gain := nash_conv(tree, strategy):
        raise ArithmeticError(f"the path ended at what is no equilibrium: somebody gains {gain}")
    return strategy


def _strategy(tree: Tree, weights: Mapping[int, Fraction]) -> Strategy:
    """Convert the weights of actions to a strategy; actions not listed have weight 0."""
    offsets, rows = edges(tree), list[tuple[Fraction, ...] | None]()
    for infoset in range(len(tree.sets)):
        own_weights = [weights.get(action, Fraction(0)) for action in range(offsets[infoset] + 1, offsets[infoset + 1] + 1)]
        total = sum(own_weights)
        rows.append(tuple([weight / total for weight in own_weights]) if total else None)
    return filled_up(tree, rows)


def _learned(tree: Tree, rounds: int) -> list[int]:
    """Return the most frequent action of each information set in fictitious play.

    Brown, G. W. (1951). Later rounds count more, so that early ones lose their influence.
    """
    weights = [[1 / len(record.moves)] * len(record.moves) for record in tree.sets]
    for round_number in range(1, rounds + 1) if in_decimals(tree) else ():
        average = made(tree.sets, [tuple([weight / sum(row) for weight in row]) for row in weights])
        responses = [best_response(tree, average, player).strategy for player in (0, 1)]
        for infoset, record in enumerate(tree.sets):
            weights[infoset][responses[record.seat].rows[infoset].index(1)] += round_number
    return [row.index(max(row)) for row in weights]


def _equations(tree: Tree, bases: Sequence[int]) -> tuple[list[Line], list[int]]:
    """Return one equation for each action (with its constant at 0), and the bases.

    For a base it is its weight, in terms of the weights of other actions. For another action it is its loss, in terms
    of the other player's weights and the losses of bases.
    """
    offsets = edges(tree)
    base_of = [offsets[infoset] + 1 + action for infoset, action in enumerate(bases)]
    orders = order_of(tree, 0), order_of(tree, 1)
    rows: list[Line] = [{} for _ in range(offsets[-1] + 1)]
    payoff_rows = _paid(tree)
    for player, order in enumerate(orders):
        weights: dict[int, Line] = {0: {0: 1}}
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
                    gain_row = _by_others(_sum(own_rows.pop(action, {}), base_row, -1), orders[1 - player], base_of, offsets)
                    rows[action] |= {other_action: -coefficient for other_action, coefficient in gain_row.items()}
            own_rows[parent] = _sum(own_rows.get(parent, {}), base_row, 1)
    return rows, base_of


def _paid(tree: Tree) -> tuple[dict[int, Line], dict[int, Line]]:
    """Return, for each player, the immediate payoffs of pairs of last actions.

    They are whole numbers, weighted with the chance probabilities.
    """
    offsets = edges(tree)
    last_actions = [(0, 0)] * tree.histories
    probabilities = [Fraction(1)] * tree.histories
    cells: tuple[dict[tuple[int, int], Fraction], dict[tuple[int, int], Fraction]] = ({}, {})
    for node, (actor, index) in enumerate(zip(tree.actor, tree.info, strict=True)):
        first_action, second_action = last_actions[node]
        if actor == OVER:
            for player, payoff in enumerate(tree.payoffs[index]):
                key = (second_action, first_action) if player else (first_action, second_action)
                cells[player][key] = cells[player].get(key, Fraction(0)) + probabilities[node] * payoff
        for action, child in enumerate(tree.children(node)):
            probabilities[child], last_actions[child] = probabilities[node], last_actions[node]
            if actor == CHANCE:
                probabilities[child] *= tree.chances[index].probabilities[action]
            else:
                new_action = offsets[index] + 1 + action
                last_actions[child] = (first_action, new_action) if actor else (new_action, second_action)
    rows: tuple[dict[int, Line], dict[int, Line]] = ({}, {})
    for player, payoffs in enumerate(cells):
        denominator = lcm(*(payoff.denominator for payoff in payoffs.values()))
        for (own_action, other_action), payoff in payoffs.items():
            if payoff:
                rows[player].setdefault(own_action, {})[other_action] = int(payoff * denominator)
    return rows


def _sum(one: Line, other: Line, times: int) -> Line:
    """Return a row plus a multiple of another row."""
    return one | {action: one.get(action, 0) + times * coefficient for action, coefficient in other.items()}


def _by_others(line: Line, order: dict[int, int], base: Sequence[int], starts: Sequence[int]) -> Line:
    """Express a row by the weights of non-base actions only."""
    line = dict(line)
    for infoset, parent in reversed(order.items()):
        if coefficient := line.pop(base[infoset], 0):
            for action in range(starts[infoset] + 1, starts[infoset + 1] + 1):
                if action != base[infoset]:
                    line[action] = line.get(action, 0) - coefficient
            line[parent] = line.get(parent, 0) + coefficient
    return line


class _Path:
    """A Lemke path: equations solved for one basic unknown each, from corner to corner."""

    def __init__(self, equations: Sequence[Line], bases: Sequence[int]) -> None:
        count = len(equations) - 1
        base_set = set(bases)
        self.basis = [action if action in base_set else -action for action in range(1, count + 1)]
        """The basic unknown of each row."""
        self.others = [-unknown for unknown in self.basis] + [_TAX]
        """The nonbasic unknown of each column, which is 0."""
        self.lines = []
        """The rows: coefficients of the nonbasic unknowns on the left side, and the constant; all multiplied by `whole`."""
        for action in range(1, count + 1):
            row = [0] * (count + 2)
            for other, factor in equations[action].items():
                row[other - 1 if other else count + 1] = -factor if other else factor
            row[count] = 0 if action in base_set else -1
            self.lines.append(row)
        self.whole = 1
        self.start = self.basis[:]
        """The basic unknowns at the start."""

    def walked(self) -> dict[int, Fraction]:
        """Follow the path to its end, and return the unknowns that are not 0."""
        taxed_rows = [index for index, row_entries in enumerate(self.lines) if row_entries[-2]]
        if taxed_rows and min(self.lines[index][-1] for index in taxed_rows) < 0:
            start_row = min(taxed_rows, key=lambda index: (self.lines[index][-1], -index))
            leaving = self._exchanged(start_row, len(self.lines))
            while leaving != _TAX:
                column = self.others.index(-leaving)
                leaving = self._exchanged(self._leaving(column), column)
        return {unknown: Fraction(row_entries[-1], self.whole) for unknown, row_entries in zip(self.basis, self.lines, strict=True)}

    def _leaving(self, column: int) -> int:
        """Return the row whose unknown first becomes 0 when that of a column grows.

        If the tax is among several, it is the row of the tax.
        """
        tied_rows = [index for index, row in enumerate(self.lines) if row[column] > 0]
        if not tied_rows:
            raise ArithmeticError("the path runs away, which it cannot where nobody forgets")
        tied_rows = self._least(tied_rows, column, [row[-1] for row in self.lines])
        if len(tied_rows) > 1:
            for index in tied_rows:
                if self.basis[index] == _TAX:
                    return index
            row_of = {unknown: index for index, unknown in enumerate(self.basis)}
            column_of = {unknown: index for index, unknown in enumerate(self.others)}
            for unknown in self.start:  # breaks ties as tiny perturbations of the right sides do
                if unknown in column_of:
                    tied_rows = self._least(tied_rows, column, [row[column_of[unknown]] for row in self.lines])
                elif row_of[unknown] in tied_rows:
                    tied_rows.remove(row_of[unknown])
                if len(tied_rows) == 1:
                    break
        return tied_rows[0]

    def _least(self, tied: list[int], column: int, values: Sequence[int]) -> list[int]:
        """Return the rows with the smallest ratio of value to column entry."""
        smallest = [tied[0]]
        for index in tied[1:]:
            candidate, best = values[index] * self.lines[smallest[0]][column], values[smallest[0]] * self.lines[index][column]
            if candidate < best:
                smallest = [index]
            elif candidate == best:
                smallest.append(index)
        return smallest

    def _exchanged(self, row: int, column: int) -> int:
        """Pivot: solve a row for the unknown of a column, and return the unknown that leaves."""
        rows, denominator, pivot_row = self.lines, self.whole, self.lines[row]
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
            self.lines = [[-entry for entry in entries] for entries in rows]
        self.whole = abs(pivot)
        leaving, self.basis[row] = self.basis[row], self.others[column]
        self.others[column] = leaving
        return leaving
