"""Computes beliefs by Bayes' rule and checks for weak perfect Bayesian equilibrium.

On the path of play, beliefs follow from Bayes' rule. Off it, a *weak* equilibrium allows any belief
(Mas-Colell, A., Whinston, M. D. and Green, J. R. (1995): Microeconomic theory, definition 9.C.3). Such
beliefs may contradict each other; for *sequential* equilibrium see `sequential_equilibrium`. Everything is
exact, for any continuation of the player. To find a belief that supports a strategy at an information set, a
linear program starts with a few continuations. Any continuation that does better is added, until none does
better or no belief is left. If no belief is left, a mix of them does better at every node of the set.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import reaches, worths
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.exact_lp import Tableau
from durak_widget.gametheory.strategy import pure_row
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError, forgets, require_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

ROUNDS: Final = 200
"""So many ways to go on are told to the program of one information set; after that it says nothing."""


class WeaklyPerfect(NamedTuple):
    """Whether a strategy is a weak perfect Bayesian equilibrium, and by which beliefs."""

    holds: bool | None
    """None where it was not decided."""
    beliefs: tuple[Belief, ...] = ()
    """Where it holds: one for each information set, by which nothing there is better."""
    against: int | None = None
    """Where it does not: the information set at which no belief helps; where it was not decided, the one that is left open."""
    better: tuple[Better, ...] = ()
    """What is better there: a mix of ways to go on, by what is believed where play comes, by any belief elsewhere."""


class Trace(NamedTuple):
    """How a history comes about under a strategy."""

    idle: frozenset[tuple[int, int]]
    """The moves on the way that the strategy never makes: of which information set, which."""
    likely: Fraction
    """How likely all the others are together."""


def bayes(tree: Tree, strategy: Strategy) -> list[tuple[Number, ...] | None]:
    """What Bayes' rule says at each information set; None where play never comes. Of floats it makes floats.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> both = Strategy.of(tree, {"strong": "beer", "weak": {"beer": Fraction(1, 9), "quiche": Fraction(8, 9)}})
    >>> bayes(tree, both)[both.place("sees beer")]
    (Fraction(81, 82), Fraction(1, 82))
    """
    require_tree(tree)
    likely, found = reaches(tree, strategy), list[tuple["Number", ...] | None]()
    for nodes in members(tree):
        total = sum([likely[node] for node in nodes])
        found.append(tuple([likely[node] / total for node in nodes]) if total else None)
    return found


def weakly_perfect(tree: Tree, strategy: Strategy) -> WeaklyPerfect:
    """Whether an exact strategy is a weak perfect Bayesian equilibrium: nobody has anything better to do anywhere, by beliefs that Bayes' rule gives where play comes.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> horse = textbook("horse")
    >>> across = Strategy.of(horse, {"begins": "across", "One went across": "across", "One or Two went down": "right"})
    >>> weakly_perfect(horse, across).beliefs
    ((Fraction(1, 1),), (Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 1),))
    >>> down = Strategy.of(horse, {"begins": "down", "One went across": "across", "One or Two went down": "left"})
    >>> weakly_perfect(horse, down).against == down.place("One went across")
    True
    """
    require_perfect_recall(tree, strategy)
    known, beliefs = bayes(tree, strategy), list["Belief"]()
    worth = [worths(tree, strategy, seat) for seat in range(tree.seats)]
    for place, nodes in enumerate(members(tree)):
        sure = known[place]
        corners = [tuple([Fraction(one) for one in sure])] if sure is not None else anything(len(nodes))
        found = Onward(tree, strategy, place, nodes, worth[tree.sets[place].seat]).believed(corners)
        if found.belief is None:
            return WeaklyPerfect(False if found.better else None, (), place, found.better)
        beliefs.append(found.belief)
    return WeaklyPerfect(True, tuple(beliefs))


def belief_bounds(tree: Tree, strategy: Strategy, place: int) -> tuple[tuple[Fraction, Fraction], ...] | None:
    """How little and how much each history of an information set may be believed in, so that nothing there is better; None where no belief will do, or too much would have to be tried.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> horse = textbook("horse")
    >>> across = Strategy.of(horse, {"begins": "across", "One went across": "across", "One or Two went down": "right"})
    >>> [tuple(map(str, one)) for one in belief_bounds(horse, across, across.place("One or Two went down"))]
    [('0', '1/3'), ('2/3', '1')]
    """
    require_perfect_recall(tree, strategy)
    sure, nodes = bayes(tree, strategy)[place], members(tree)[place]
    onward = Onward(tree, strategy, place, nodes, worths(tree, strategy, tree.sets[place].seat))
    corners = [tuple([Fraction(one) for one in sure])] if sure is not None else anything(len(nodes))
    if onward.believed(corners).belief is None:
        return None
    if sure is not None:
        return tuple([(one, one) for one in corners[0]])
    found = []
    for at in range(len(nodes)):
        others, most = (onward.most(corners, [int((one == at) is mine) for one in range(len(nodes))]) for mine in (False, True))
        if others is None or most is None:
            return None
        found.append((1 - others, most))
    return tuple(found)


def anything(many: int) -> list[Belief]:
    """The corners of all beliefs on so many histories: to be sure of one.

    >>> anything(2)
    [(Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1))]
    """
    return [pure_row(one, many) for one in range(many)]


def traces(tree: Tree, strategy: Strategy) -> list[Trace]:
    """How each history comes about under a strategy.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> beer = Strategy.of(tree, {"strong": "beer", "weak": "beer"})
    >>> [(sorted(one.idle), str(one.likely)) for one in traces(tree, beer)[:4]]
    [([], '1'), ([], '9/10'), ([], '1/10'), ([], '9/10')]
    """
    found = [Trace(frozenset(), Fraction(1))] * tree.histories
    for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        idle, likely = found[here]
        for move, child in enumerate(tree.children(here)):
            one = tree.chances[place].probabilities[move] if who == CHANCE else strategy.rows[place][move]
            if one or who == CHANCE:
                found[child] = Trace(idle, likely * Fraction(one))
            else:
                found[child] = Trace(idle | {(place, move)}, likely)
    return found


def trembled(come: Sequence[Trace]) -> list[Belief]:
    """The corners of some beliefs on these histories among which are all that trembling hands can lead to.

    Whatever the hands, a history that takes all the slips of another and more is believed in no longer in the end; and those that take the same slips are as likely to one another as
    what else leads there.

    >>> slip, other = (0, 1), (1, 1)
    >>> come = [Trace(frozenset({slip}), Fraction(1, 2)), Trace(frozenset({slip}), Fraction(1, 4)), Trace(frozenset({slip, other}), Fraction(1)), Trace(frozenset({other}), Fraction(1))]
    >>> [tuple(map(str, one)) for one in trembled(come)]
    [('2/3', '1/3', '0', '0'), ('0', '0', '0', '1')]
    """
    kinds = list(dict.fromkeys(one.idle for one in come if one.likely))
    corners = []
    for kind in kinds:
        if not any(other < kind for other in kinds):
            total = sum([one.likely for one in come if one.idle == kind], Fraction(0))
            corners.append(tuple([one.likely / total if one.idle == kind else Fraction(0) for one in come]))
    return corners or anything(len(come))


def require_perfect_recall(tree: Tree, strategy: Strategy) -> None:
    """Refuse a game with imperfect recall, and a strategy that is not in exact fractions.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> require_perfect_recall(driver, Strategy.uniform(driver))
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: beliefs are asked for where everybody remembers, and ...
    """
    require_tree(tree)
    strategy.require_sets(tree.sets)
    if not strategy.exact:
        raise TreeError(
            "what may be believed is decided in fractions, and this strategy has floats; exact_beside(tree, strategy) looks for an exact one beside it"
        )
    if said := forgets(tree):
        raise TreeError(f"beliefs are asked for where everybody remembers, and {said}")


Belief = tuple[Fraction, ...]
"""How likely each history of an information set is to whoever stands there; in the order of their numbers."""


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
