"""Computes beliefs by Bayes' rule and checks for weak perfect Bayesian equilibrium.

On the path of play, beliefs follow from Bayes' rule. Off it, a *weak* equilibrium allows any belief
(Mas-Colell, A., Whinston, M. D. and Green, J. R. (1995): Microeconomic theory, definition 9.C.3). Such
beliefs may contradict each other; for *sequential* equilibrium see `sequential_equilibrium`. Everything is
exact, for any continuation of the player. To find a belief that supports a strategy at an information set, a
linear program starts with a few continuations. Any continuation that does better is added, until none does
better or no belief is left. If no belief is left, a mixture of the continuations does better at every node of the set.
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
"""The maximum number of continuations in the program of one information set; then the search gives up."""


class WeaklyPerfect(NamedTuple):
    """The answer whether a strategy is a weak perfect Bayesian equilibrium, with a proof."""

    holds: bool | None
    """None if it was not decided."""
    beliefs: tuple[Belief, ...] = ()
    """If it is one: a belief for each information set by which no continuation is better."""
    against: int | None = None
    """If it is not: the information set at which no belief supports the strategy; if undecided, the one that is open."""
    better: tuple[Better, ...] = ()
    """A mixture of continuations that is better there.

    It is better by Bayes' belief on the path of play, and by any belief off it.
    """


class Trace(NamedTuple):
    """The unplayed actions on the way to a node, and the probability of the rest of the way."""

    idle: frozenset[tuple[int, int]]
    """The actions on the way that the strategy never takes, as pairs of information set and action."""
    likely: Fraction
    """The product of the probabilities of all other actions and chance moves on the way."""


def bayes(tree: Tree, strategy: Strategy) -> list[tuple[Number, ...] | None]:
    """Return the belief at each information set by Bayes' rule; None off the path of play.

    If the strategy has floats, so do the beliefs.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> both = Strategy.of(tree, {"strong": "beer", "weak": {"beer": Fraction(1, 9), "quiche": Fraction(8, 9)}})
    >>> bayes(tree, both)[both.place("sees beer")]
    (Fraction(81, 82), Fraction(1, 82))
    """
    require_tree(tree)
    reach, beliefs = reaches(tree, strategy), list[tuple["Number", ...] | None]()
    for nodes in members(tree):
        total = sum([reach[node] for node in nodes])
        beliefs.append(tuple([reach[node] / total for node in nodes]) if total else None)
    return beliefs


def weakly_perfect(tree: Tree, strategy: Strategy) -> WeaklyPerfect:
    """Decide whether an exact strategy is a weak perfect Bayesian equilibrium.

    At each information set no continuation may be better for the player, by beliefs that follow Bayes' rule on the
    path of play.

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
    bayes_beliefs, beliefs = bayes(tree, strategy), list["Belief"]()
    node_values_of = [worths(tree, strategy, player) for player in range(tree.seats)]
    for infoset, nodes in enumerate(members(tree)):
        belief_by_bayes = bayes_beliefs[infoset]
        corner_beliefs = (
            [tuple([Fraction(probability) for probability in belief_by_bayes])] if belief_by_bayes is not None else anything(len(nodes))
        )
        result = Onward(tree, strategy, infoset, nodes, node_values_of[tree.sets[infoset].seat]).believed(corner_beliefs)
        if result.belief is None:
            return WeaklyPerfect(False if result.better else None, (), infoset, result.better)
        beliefs.append(result.belief)
    return WeaklyPerfect(True, tuple(beliefs))


def belief_bounds(tree: Tree, strategy: Strategy, place: int) -> tuple[tuple[Fraction, Fraction], ...] | None:
    """Return the range of supporting probabilities for each node of an information set.

    A belief supports the strategy if no continuation is better by it. Return None if no belief does, or if the search
    was given up.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> horse = textbook("horse")
    >>> across = Strategy.of(horse, {"begins": "across", "One went across": "across", "One or Two went down": "right"})
    >>> [tuple(map(str, bounds)) for bounds in belief_bounds(horse, across, across.place("One or Two went down"))]
    [('0', '1/3'), ('2/3', '1')]
    """
    require_perfect_recall(tree, strategy)
    belief_by_bayes, nodes = bayes(tree, strategy)[place], members(tree)[place]
    search = Onward(tree, strategy, place, nodes, worths(tree, strategy, tree.sets[place].seat))
    corner_beliefs = (
        [tuple([Fraction(probability) for probability in belief_by_bayes])] if belief_by_bayes is not None else anything(len(nodes))
    )
    if search.believed(corner_beliefs).belief is None:
        return None
    if belief_by_bayes is not None:
        return tuple([(probability, probability) for probability in corner_beliefs[0]])
    bounds = []
    for index in range(len(nodes)):
        max_of_others, max_of_node = (
            search.most(corner_beliefs, [int((other_index == index) is is_own) for other_index in range(len(nodes))])
            for is_own in (False, True)
        )
        if max_of_others is None or max_of_node is None:
            return None
        bounds.append((1 - max_of_others, max_of_node))
    return tuple(bounds)


def anything(many: int) -> list[Belief]:
    """Return the beliefs on so many nodes that are certain of one node.

    All beliefs are mixtures of these.

    >>> anything(2)
    [(Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1))]
    """
    return [pure_row(index, many) for index in range(many)]


def traces(tree: Tree, strategy: Strategy) -> list[Trace]:
    """Return for each node the unplayed actions on the way, and the probability of the rest.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> beer = Strategy.of(tree, {"strong": "beer", "weak": "beer"})
    >>> [(sorted(trace.idle), str(trace.likely)) for trace in traces(tree, beer)[:4]]
    [([], '1'), ([], '9/10'), ([], '1/10'), ([], '9/10')]
    """
    reaches_of = [Trace(frozenset(), Fraction(1))] * tree.histories
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True)):
        unplayed, probability = reaches_of[node]
        for action, child in enumerate(tree.children(node)):
            choice_probability = tree.chances[infoset].probabilities[action] if actor == CHANCE else strategy.rows[infoset][action]
            if choice_probability or actor == CHANCE:
                reaches_of[child] = Trace(unplayed, probability * Fraction(choice_probability))
            else:
                reaches_of[child] = Trace(unplayed | {(infoset, action)}, probability)
    return reaches_of


def trembled(come: Sequence[Trace]) -> list[Belief]:
    """Return corner beliefs whose mixtures include every limit of beliefs under trembles.

    A node whose unplayed actions are more than those of another node has probability 0 in the limit, whatever the
    trembles. Nodes with the same unplayed actions have probabilities in the ratio of `Trace.likely`.

    >>> slip, other = (0, 1), (1, 1)
    >>> traces_ = [Trace(frozenset({slip}), Fraction(1, 2)), Trace(frozenset({slip}), Fraction(1, 4)), Trace(frozenset({slip, other}), Fraction(1)), Trace(frozenset({other}), Fraction(1))]
    >>> [tuple(map(str, belief)) for belief in trembled(traces_)]
    [('2/3', '1/3', '0', '0'), ('0', '0', '0', '1')]
    """
    unplayed_sets = list(dict.fromkeys(reach.idle for reach in come if reach.likely))
    corner_beliefs = []
    for unplayed in unplayed_sets:
        if not any(smaller < unplayed for smaller in unplayed_sets):
            total = sum([reach.likely for reach in come if reach.idle == unplayed], Fraction(0))
            corner_beliefs.append(tuple([reach.likely / total if reach.idle == unplayed else Fraction(0) for reach in come]))
    return corner_beliefs or anything(len(come))


def require_perfect_recall(tree: Tree, strategy: Strategy) -> None:
    """Refuse a game with imperfect recall, and a strategy that is not exact.

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
    if problem := forgets(tree):
        raise TreeError(f"beliefs are asked for where everybody remembers, and {problem}")


Belief = tuple[Fraction, ...]
"""The probability of each node of an information set, given that play comes there; in the order of their numbers."""


class Better(NamedTuple):
    """A continuation that is better than the strategy, with its probability in a mixture."""

    likely: Fraction
    moves: dict[int, int]
    """The action at the information set and at the player's later ones; elsewhere the strategy is followed."""


class Believed(NamedTuple):
    """The result of the search for a belief at one information set."""

    belief: Belief | None
    """A belief by which no continuation is better than the strategy; None if there is none, or none was found."""
    better: tuple[Better, ...] = ()
    """If there is none: a mixture of continuations that is better at every node of the set.

    Empty if it was not decided.
    """


def members(tree: Tree) -> list[list[int]]:
    """Return the nodes of each information set.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> members(textbook("horse"))
    [[0], [1, 5], [2]]
    """
    nodes: list[list[int]] = [[] for _ in tree.sets]
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if actor >= 0:
            nodes[infoset].append(node)
    return nodes


def best_by_some(worth: Sequence[Sequence[Fraction]]) -> list[int]:
    """Return the actions that are best by some belief.

    `worth` has the values of each action at the nodes of the set. All other actions are strictly dominated by a mixture.

    >>> best_by_some([[3, 0], [0, 3], [1, 1]]), best_by_some([[3, 0], [0, 3], [2, 2]])
    ([0, 1], [0, 1, 2])
    """
    gains = [[[value - own_value for value, own_value in zip(values, own_values, strict=True)] for values in worth] for own_values in worth]
    return [action for action, gain in enumerate(gains) if minimax(gain).value <= 0]


class Onward:
    """A search for beliefs that support a strategy at an information set.

    All other players follow the strategy, which must be exact.

    >>> from durak_widget.gametheory.best_responses import worths
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> duel = Strategy.of(tree, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"})
    >>> place = duel.place("sees quiche")
    >>> search = Onward(tree, duel, place, members(tree)[place], worths(tree, duel, 1))
    >>> search.believed(((1, 0), (0, 1))).belief
    (Fraction(1, 2), Fraction(1, 2))
    >>> search.most(((1, 0), (0, 1)), (1, 0))
    Fraction(1, 2)
    """

    def __init__(self, tree: Tree, strategy: Strategy, place: int, nodes: Sequence[int], worth: Sequence[Number]) -> None:
        """Start without known continuations.

        `nodes` are those of the set. `worth` is the value of each node of the tree for its player under the strategy.
        """
        self.tree, self.strategy, self.place, self.nodes = tree, strategy, place, nodes
        self.seat = tree.sets[place].seat
        self.now = [Fraction(worth[node]) for node in nodes]
        """The player's value of each node of the set under the strategy."""
        self.ways: list[dict[int, int]] = []
        self.gains: list[list[Fraction]] = []
        """For each continuation: its gain over the strategy at each node."""

    def answer(self, belief: Sequence[Number]) -> tuple[Number, dict[int, int]]:
        """Return the highest value that the player can get by a belief, and how."""
        tree, strategy = self.tree, self.strategy
        action_gains: dict[tuple[int, int] | None, Number] = {}
        previous_actions: dict[int, tuple[int, int] | None] = {}
        waiting: list[tuple[int, Number, tuple[int, int] | None]] = [
            (set_node, probability, None) for set_node, probability in zip(self.nodes, belief, strict=True) if probability
        ]
        for node, weight, previous_action in waiting:
            actor, infoset = tree.actor[node], tree.info[node]
            if actor == OVER:
                action_gains[previous_action] = action_gains.get(previous_action, 0) + weight * tree.payoffs[infoset][self.seat]
            elif actor == self.seat:
                previous_actions.setdefault(infoset, previous_action)
                waiting += [(child, weight, (infoset, action)) for action, child in enumerate(tree.children(node))]
            else:
                row = tree.chances[infoset].probabilities if actor == CHANCE else strategy.rows[infoset]
                waiting += [
                    (child, weight * choice_probability, previous_action)
                    for choice_probability, child in zip(row, tree.children(node), strict=True)
                    if choice_probability
                ]
        actions = {}
        for infoset, previous_action in reversed(previous_actions.items()):  # earlier ones were met first
            own_gains = [action_gains.get((infoset, action), 0) for action in range(len(tree.sets[infoset].moves))]
            actions[infoset] = own_gains.index(max(own_gains))
            action_gains[previous_action] = action_gains.get(previous_action, 0) + max(own_gains)
        return action_gains.get(None, 0), actions

    def brings(self, moves: Mapping[int, int]) -> list[Fraction]:
        """Return the gain of a continuation over the strategy at each node of the set."""
        return [self._has(node, moves) - current_value for node, current_value in zip(self.nodes, self.now, strict=True)]

    def _has(self, node: int, moves: Mapping[int, int]) -> Fraction:
        tree, total = self.tree, Fraction(0)
        waiting: list[tuple[int, Number]] = [(node, Fraction(1))]
        for current, weight in waiting:
            actor, infoset = tree.actor[current], tree.info[current]
            if actor == OVER:
                total += Fraction(weight) * tree.payoffs[infoset][self.seat]
            elif actor == self.seat and infoset in moves:
                waiting.append((tree.first[current] + moves[infoset], weight))
            else:
                row = tree.chances[infoset].probabilities if actor == CHANCE else self.strategy.rows[infoset]
                waiting += [
                    (child, weight * probability) for probability, child in zip(row, tree.children(current), strict=True) if probability
                ]
        return total

    def gain(self, belief: Sequence[Fraction]) -> Fraction:
        """Return the most that the player can gain over the strategy by a belief."""
        return Fraction(self.answer(belief)[0]) - _sum(belief, self.now)

    def believed(self, corners: Sequence[Sequence[Fraction | int]], aim: Sequence[int] | None = None, rounds: int = ROUNDS) -> Believed:
        """Return a mixture of the corner beliefs that supports the strategy, if there is one.

        Otherwise return a mixture of continuations that is better by all of them. Of several beliefs, prefer one that gives
        much weight to the corners at which the `aim` is large.
        """
        for _ in range(rounds):
            tableau, row_scales = self._table(corners)
            weights = tableau.best(aim).weights
            if not any(weights):
                dual_prices = [dual_price * row_scale for dual_price, row_scale in zip(tableau.prices(aim), row_scales, strict=False)]
                return Believed(
                    None,
                    tuple(
                        [
                            Better(dual_price / sum(dual_prices), continuation)
                            for dual_price, continuation in zip(dual_prices, self.ways, strict=True)
                            if dual_price
                        ]
                    ),
                )
            belief = self._mixed(weights, corners)
            if not self._learned(belief):
                return Believed(belief)
        return Believed(None)

    def most(self, corners: Sequence[Sequence[Fraction | int]], aim: Sequence[int], rounds: int = ROUNDS) -> Fraction | None:
        """Return the highest value of the aim by a supporting belief; None if it was not decided.

        The aim is a weighted sum of the weights of the corners. There must be a supporting belief.
        """
        for _ in range(rounds):
            weights = self._table(corners)[0].best(aim).weights
            highest = _sum(weights, aim)
            if not highest or not self._learned(self._mixed(weights, corners)):
                return highest
        return None

    def _table(self, corners: Sequence[Sequence[Fraction | int]]) -> tuple[Tableau, list[Fraction]]:
        """Build the linear program, and return it with the scale of each row.

        No known continuation may gain by the belief, and the weights of the corners add up to at most 1.
        """
        rows, scales = list[list[int]](), list[Fraction]()
        for gains in self.gains:
            row_gains = [_sum(corner_belief, gains) for corner_belief in corners]
            scale = lcm(*(gain.denominator for gain in row_gains))
            numbers = [int(gain * scale) for gain in row_gains]
            divisor = gcd(*numbers) or 1
            rows.append([number // divisor for number in numbers])
            scales.append(Fraction(scale, divisor))
        return Tableau([*rows, [1] * len(corners)], [0] * len(rows) + [1]), scales

    def _mixed(self, weights: Sequence[Fraction], corners: Sequence[Sequence[Fraction | int]]) -> Belief:
        """Return the mixture of the corner beliefs with these weights."""
        total = sum(weights)
        return tuple([_sum(weights, probabilities) / total for probabilities in zip(*corners, strict=True)])

    def _learned(self, belief: Belief) -> bool:
        """Add a continuation that is better by this belief.

        Return whether there is one.
        """
        value, continuation = self.answer(belief)
        if value <= _sum(belief, self.now):
            return False
        self.ways.append(continuation)
        self.gains.append(self.brings(continuation))
        return True


def _sum(ones: Sequence[Fraction | int], others: Sequence[Fraction | int]) -> Fraction:
    """Return the sum of the products."""
    return Fraction(sum([first * second for first, second in zip(ones, others, strict=True) if first and second]))
