"""Solve two-player zero-sum games exactly in plain Python, by the double oracle method (McMahan, Gordon and Blum 2003).

Both players mix a few of their pure strategies. The matrix of these is solved exactly. Then each player looks in the whole tree for a best
response to what the other mixes, and adds it. When no best response gains anything, the mixes are an equilibrium. All numbers are whole.
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
    """The number of the move at each information set of the tree; 0 at those of the other player."""
    Fixed = Mapping[int, int]
    """Information sets at which a player may make only one move, with the number of that move."""


class Equilibrium(NamedTuple):
    """What `double_oracle` finds."""

    strategy: Strategy
    value: Fraction
    """What the first player gets, if nothing is fixed the value of the game."""


class IntegerForm:
    """The sequence form of a two-player zero-sum game in whole numbers: what each pair of last moves pays.

    Moves are numbered as in `edges`: 0 stands for no move yet.

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
        self.unit = lcm(*{one.denominator for one in payoffs.values()})
        """All payoffs are multiplied by this."""
        count = self.starts[-1] + 1
        self.against: tuple[list[list[tuple[int, int]]], ...] = [[] for _ in range(count)], [[] for _ in range(count)]
        """For each player and each last move of the other player: pairs of the player's own last move and what the player gets."""
        for (first, second), payoff in payoffs.items():
            if pays := payoff.numerator * (self.unit // payoff.denominator):
                self.against[0][second].append((first, pays))
                self.against[1][first].append((second, -pays))

    def gains(self, seat: int, weights: Mapping[int, int]) -> list[int]:
        """Return what each move of a player pays at once, if the moves of the other player have these weights."""
        gains, against = [0] * (self.starts[-1] + 1), self.against[seat]
        for move, weight in weights.items():
            for own, pays in against[move]:
                gains[own] += weight * pays
        return gains

    def best_response(self, seat: int, gains: list[int], fixed: Fixed) -> tuple[int, PureStrategy]:
        """Return the most that a player can get from these gains, and the pure strategy that gets it; adds later gains to earlier ones."""
        starts, chosen = self.starts, [0] * len(self.tree.sets)
        for place, before in reversed(self.orders[seat].items()):
            mine = gains[starts[place] + 1 : starts[place + 1] + 1]
            best = fixed[place] if place in fixed else mine.index(max(mine))
            chosen[place] = best
            gains[before] += mine[best]
        return gains[0], chosen

    def moves_made(self, seat: int, chosen: PureStrategy) -> list[int]:
        """Return the moves of a pure strategy where the player's own earlier moves lead, 0 among them."""
        moves, reached = [0], {0}
        for place, before in self.orders[seat].items():
            if before in reached:
                move = self.starts[place] + 1 + chosen[place]
                moves.append(move)
                reached.add(move)
        return moves

    def behaviour(self, weights: tuple[Mapping[int, int], Mapping[int, int]]) -> Strategy:
        """Return the strategy that gives the moves of both players these weights; the first move is certain where a player's own moves never lead."""
        sets, starts = self.tree.sets, self.starts
        rows: list[tuple[Fraction, ...]] = []
        for one, (start, end) in zip(sets, pairwise(starts), strict=True):
            mine = [weights[one.seat].get(move, 0) for move in range(start + 1, end + 1)]
            total = sum(mine)
            rows.append(tuple([Fraction(weight, total) for weight in mine] if total else map(Fraction, [1] + [0] * (len(mine) - 1))))
        return made(sets, rows)


def double_oracle(tree: Tree, fixed: tuple[Fixed, Fixed] = ({}, {}), form: IntegerForm | None = None) -> Equilibrium:
    """Find an equilibrium of a two-player zero-sum game with perfect recall, exactly; `fixed` holds a player to one move at some information sets.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> double_oracle(textbook("pennies")).strategy.rows
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
    """
    form = IntegerForm(tree) if form is None else form
    first = [[held.get(place, 0) for place in range(len(tree.sets))] for held in fixed]
    moves = tuple([[form.moves_made(seat, chosen)] for seat, chosen in enumerate(first)])
    matrix: list[list[int]] = [[_meet(form, moves[0][0], moves[1][0])]]
    while True:
        mixes, value = _solve_matrix(matrix, form.unit)
        weights, wholes = zip(*(_weights(mix, made) for mix, made in zip(mixes, moves, strict=True)), strict=True)
        better = False
        for seat, sign in ((0, 1), (1, -1)):
            gets, chosen = form.best_response(seat, form.gains(seat, weights[1 - seat]), fixed[seat])
            if gets * value.denominator != sign * value.numerator * wholes[1 - seat] * form.unit:
                better = True
                new = form.moves_made(seat, chosen)
                moves[seat].append(new)
                gains = form.gains(1 - seat, dict.fromkeys(new, 1))
                pays = [-sign * sum([gains[move] for move in other]) for other in moves[1 - seat]]
                if seat == 0:
                    matrix.append(pays)
                else:
                    for row, one in zip(matrix, pays, strict=True):
                        row.append(one)
        if not better:
            return Equilibrium(form.behaviour((weights[0], weights[1])), value)


def best_pure_strategy(tree: Tree, seat: int, end: float | None = None) -> Strategy:
    """Find the pure strategy of a player that guarantees most, exactly; the strategy of the other player is a best mix against it.

    Branch and bound: where the player mixes at the equilibrium, fix one move after the other there, and go on with what promises most.
    It gives up at the time `end` of `time.perf_counter`.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> best_pure_strategy(textbook("kuhn"), 0)["holds the jack"]
    (Fraction(1, 1), Fraction(0, 1))
    """
    form, count = IntegerForm(tree), 0

    def bounded(held: dict[int, int]) -> tuple[Fraction, int, dict[int, int], Strategy]:
        nonlocal count
        count += 1
        found = double_oracle(tree, (held, {}) if seat == 0 else ({}, held), form)
        return found.value * (-1 if seat == 0 else 1), count, held, found.strategy

    waiting = [bounded({})]
    while True:
        _, _, held, strategy = heappop(waiting)  # the other player gets least against it
        mixed = next((place for place in form.orders[seat] if strategy.rows[place].count(0) < len(strategy.rows[place]) - 1), None)
        if mixed is None:
            return strategy
        if end is not None and perf_counter() > end:
            raise TreeError("the best pure strategy was not found in time; the tree is too large for it, or needs more seconds")
        for move in range(len(strategy.rows[mixed])):
            heappush(waiting, bounded({**held, mixed: move}))


def _payoffs(tree: Tree, starts: list[int]) -> dict[tuple[int, int], Fraction]:
    """Return what the first player gets after each pair of last moves, times the probability that chance lets it come there."""
    last = [(0, 0)] * tree.histories
    drawn = [Fraction(1)] * tree.histories
    counts: dict[tuple[tuple[int, int], Fraction, int], int] = {}
    for here, (who, place, child, count) in enumerate(zip(tree.actor, tree.info, tree.first, tree.count, strict=True)):
        below = slice(child, child + count)
        if who == OVER:
            end = (last[here], drawn[here], place)
            counts[end] = counts.get(end, 0) + 1
        elif who == CHANCE:
            last[below] = [last[here]] * count
            drawn[below] = [drawn[here] * one for one in tree.chances[place].probabilities]
        else:
            first, second = last[here]
            moves = range(starts[place] + 1, starts[place + 1] + 1)
            last[below] = [(first, move) if who else (move, second) for move in moves]
            drawn[below] = [drawn[here]] * count
    found: dict[tuple[int, int], Fraction] = {}
    for (pair, likely, place), times in counts.items():
        if payoff := tree.payoffs[place][0]:
            found[pair] = found.get(pair, Fraction(0)) + times * likely * payoff
    return found


def _meet(form: IntegerForm, first: Sequence[int], second: Sequence[int]) -> int:
    """Return what the first player gets if these moves of two pure strategies meet."""
    gains = form.gains(0, dict.fromkeys(second, 1))
    return sum([gains[move] for move in first])


def _solve_matrix(matrix: Sequence[Sequence[int]], unit: int) -> tuple[tuple[Sequence[Fraction], Sequence[Fraction]], Fraction]:
    """Return how the players mix the rows and the columns of a matrix, and its value."""
    least = min(map(min, matrix))
    common = gcd(unit, *(one for row in matrix for one in row))
    table = Tableau([[(one - least) // common + 1 for one in row] for row in matrix])
    columns = table.best().weights
    rows = table.prices()
    total = sum(columns, Fraction(0))
    value = ((1 / total - 1) * common + least) / unit
    return ([one / total for one in rows], [one / total for one in columns]), value


def _weights(mix: Sequence[Fraction], moves: Sequence[Sequence[int]]) -> tuple[dict[int, int], int]:
    """Return the weight of each move in a mix of pure strategies, as whole numbers, and the weight that is certain."""
    whole = lcm(*(one.denominator for one in mix))
    weights: dict[int, int] = {}
    for share, own in zip(mix, moves, strict=True):
        if share:
            weight = share.numerator * (whole // share.denominator)
            for move in own:
                weights[move] = weights.get(move, 0) + weight
    return weights, whole
