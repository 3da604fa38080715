"""What can a seat have from one of its information sets on, and is there a belief by which nothing is better than what its strategy does there?

The answer is exact. A belief is looked for by a linear program that knows a few ways to go on at first; whatever is better by the belief that it
finds is told to it, until nothing is, or until no belief is left. Then a mix of those ways is better at every history of the set at once.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.exact_lp import Tableau
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

Belief = tuple[Fraction, ...]
"""How likely each history of an information set is to whoever stands there; in the order of their numbers."""
ROUNDS: Final = 200
"""So many ways to go on are told to the program of one information set; after that it says nothing."""


class Better(NamedTuple):
    """A way to go on that is better than the strategy: where it is one of a mix, this is how likely it is."""

    likely: Fraction
    moves: dict[int, int]
    """What it does, at the information set and at those of the seat that follow; where it says nothing, it does as the strategy does."""


class Believed(NamedTuple):
    """What was found out about one information set."""

    belief: Belief | None
    """By which nothing is better than the strategy; None where there is none, or none was found."""
    better: tuple[Better, ...] = ()
    """Where there is none: a mix of ways to go on that is better at whichever history one is. Empty where it was not decided."""


def members(tree: Tree) -> list[list[int]]:
    """The histories of each information set.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> members(textbook("horse"))
    [[0], [1, 5], [2]]
    """
    found: list[list[int]] = [[] for _ in tree.sets]
    for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if who >= 0:
            found[place].append(here)
    return found


def best_by_some(worth: Sequence[Sequence[Fraction]]) -> list[int]:
    """Which moves are best by some belief, where this is what each is worth at each history: the others are worse than a mix, whatever is believed.

    >>> best_by_some([[3, 0], [0, 3], [1, 1]]), best_by_some([[3, 0], [0, 3], [2, 2]])
    ([0, 1], [0, 1, 2])
    """
    gains = [[[one - own for one, own in zip(line, mine, strict=True)] for line in worth] for mine in worth]
    return [move for move, one in enumerate(gains) if minimax(one).value <= 0]


class Onward:
    """What the seat of one information set can have from there on, while all others play by an exact strategy.

    >>> from durak_widget.gametheory.best_responses import worths
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> duel = Strategy.of(tree, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"})
    >>> place = duel.place("sees quiche")
    >>> onward = Onward(tree, duel, place, members(tree)[place], worths(tree, duel, 1))
    >>> onward.believed(((1, 0), (0, 1))).belief
    (Fraction(1, 2), Fraction(1, 2))
    >>> onward.most(((1, 0), (0, 1)), (1, 0))
    Fraction(1, 2)
    """

    def __init__(self, tree: Tree, strategy: Strategy, place: int, nodes: Sequence[int], worth: Sequence[Number]) -> None:
        """`nodes` are the histories of the set, `worth` is what each history of the tree is worth to its seat by the strategy."""
        self.tree, self.strategy, self.place, self.nodes = tree, strategy, place, nodes
        self.seat = tree.sets[place].seat
        self.now = [Fraction(worth[node]) for node in nodes]
        """What the strategy brings from each history on."""
        self.ways: list[dict[int, int]] = []
        self.gains: list[list[Fraction]] = []
        """Of each of these ways to go on: what it brings at each history more than the strategy."""

    def answer(self, belief: Sequence[Number]) -> tuple[Number, dict[int, int]]:
        """The most that the seat can have by a belief, and how."""
        tree, strategy = self.tree, self.strategy
        gains: dict[tuple[int, int] | None, Number] = {}
        before: dict[int, tuple[int, int] | None] = {}
        waiting: list[tuple[int, Number, tuple[int, int] | None]] = [
            (node, likely, None) for node, likely in zip(self.nodes, belief, strict=True) if likely
        ]
        for here, weight, last in waiting:
            who, place = tree.actor[here], tree.info[here]
            if who == OVER:
                gains[last] = gains.get(last, 0) + weight * tree.payoffs[place][self.seat]
            elif who == self.seat:
                before.setdefault(place, last)
                waiting += [(child, weight, (place, move)) for move, child in enumerate(tree.children(here))]
            else:
                row = tree.chances[place].probabilities if who == CHANCE else strategy.rows[place]
                waiting += [(child, weight * likely, last) for likely, child in zip(row, tree.children(here), strict=True) if likely]
        moves = {}
        for place, last in reversed(before.items()):  # an earlier one was met before
            mine = [gains.get((place, move), 0) for move in range(len(tree.sets[place].moves))]
            moves[place] = mine.index(max(mine))
            gains[last] = gains.get(last, 0) + max(mine)
        return gains.get(None, 0), moves

    def brings(self, moves: Mapping[int, int]) -> list[Fraction]:
        """What a way to go on brings at each history of the set more than the strategy does."""
        return [self._has(node, moves) - now for node, now in zip(self.nodes, self.now, strict=True)]

    def _has(self, node: int, moves: Mapping[int, int]) -> Fraction:
        tree, total = self.tree, Fraction(0)
        waiting: list[tuple[int, Number]] = [(node, Fraction(1))]
        for here, weight in waiting:
            who, place = tree.actor[here], tree.info[here]
            if who == OVER:
                total += Fraction(weight) * tree.payoffs[place][self.seat]
            elif who == self.seat and place in moves:
                waiting.append((tree.first[here] + moves[place], weight))
            else:
                row = tree.chances[place].probabilities if who == CHANCE else self.strategy.rows[place]
                waiting += [(child, weight * likely) for likely, child in zip(row, tree.children(here), strict=True) if likely]
        return total

    def gain(self, belief: Sequence[Fraction]) -> Fraction:
        """What the seat could have more by a belief than its strategy brings it."""
        return Fraction(self.answer(belief)[0]) - _sum(belief, self.now)

    def believed(self, corners: Sequence[Sequence[Fraction | int]], aim: Sequence[int] | None = None, rounds: int = ROUNDS) -> Believed:
        """A mix of these corner beliefs by which nothing is better than the strategy, or a mix of ways to go on that is better by all of them.

        Of several beliefs one that has much of the corners at which the `aim` is large.
        """
        for _ in range(rounds):
            table, scales = self._table(corners)
            weights = table.best(aim).weights
            if not any(weights):
                prices = [price * scale for price, scale in zip(table.prices(aim), scales, strict=False)]
                return Believed(None, tuple([Better(one / sum(prices), way) for one, way in zip(prices, self.ways, strict=True) if one]))
            belief = self._mixed(weights, corners)
            if not self._learned(belief):
                return Believed(belief)
        return Believed(None)

    def most(self, corners: Sequence[Sequence[Fraction | int]], aim: Sequence[int], rounds: int = ROUNDS) -> Fraction | None:
        """How large the aim, a sum of so many times the corners' weights, can be by a belief that fits; one has to be there. None where it was not decided."""
        for _ in range(rounds):
            weights = self._table(corners)[0].best(aim).weights
            most = _sum(weights, aim)
            if not most or not self._learned(self._mixed(weights, corners)):
                return most
        return None

    def _table(self, corners: Sequence[Sequence[Fraction | int]]) -> tuple[Tableau, list[Fraction]]:
        """The program: no way that is known gains by what is believed, and the corners' weights are 1 at most. By what each line was multiplied."""
        lines, scales = list[list[int]](), list[Fraction]()
        for gains in self.gains:
            line = [_sum(corner, gains) for corner in corners]
            scale = lcm(*(one.denominator for one in line))
            whole = [int(one * scale) for one in line]
            common = gcd(*whole) or 1
            lines.append([one // common for one in whole])
            scales.append(Fraction(scale, common))
        return Tableau([*lines, [1] * len(corners)], [0] * len(lines) + [1]), scales

    def _mixed(self, weights: Sequence[Fraction], corners: Sequence[Sequence[Fraction | int]]) -> Belief:
        """The belief that these weights of the corners make."""
        total = sum(weights)
        return tuple([_sum(weights, one) / total for one in zip(*corners, strict=True)])

    def _learned(self, belief: Belief) -> bool:
        """Whether something is better by this belief: then that is kept."""
        value, way = self.answer(belief)
        if value <= _sum(belief, self.now):
            return False
        self.ways.append(way)
        self.gains.append(self.brings(way))
        return True


def _sum(ones: Sequence[Fraction | int], others: Sequence[Fraction | int]) -> Fraction:
    """The sum of the products."""
    return Fraction(sum([one * other for one, other in zip(ones, others, strict=True) if one and other]))
