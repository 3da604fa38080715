"""Computes beliefs by Bayes' rule and checks for weak perfect Bayesian equilibrium.

On the path of play, beliefs follow from Bayes' rule. Off it, a *weak* equilibrium allows any belief (Mas-Colell, A.,
Whinston, M. D. and Green, J. R. (1995): Microeconomic theory, definition 9.C.3). Such beliefs may contradict each
other; the module `sequential_equilibrium` has a stricter concept. All computations are exact, and the player may
deviate to any continuation. To find a belief that supports a strategy at an information set, a linear program starts
with a few continuations. A continuation that is better than the strategy is added, until there is none or no belief
is left. If no belief is left, a mixture of the continuations is better at every node of the set.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import node_values, reach_probabilities
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.exact_lp import Tableau
from durak_widget.gametheory.strategy import pure_row
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError, describe_imperfect_recall, require_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

MAX_ROUNDS: Final = 200
"""The maximum number of continuation strategies that are compared at one information set before the
search for a belief gives up.
"""


class WeakPerfectBayesianResult(NamedTuple):
    """The result of checking a strategy for weak perfect Bayesian equilibrium, with a proof."""

    holds: bool | None
    """True if the strategy is a weak perfect Bayesian equilibrium; None if this is undecided."""
    beliefs: tuple[Belief, ...] = ()
    """Beliefs that prove the equilibrium: under each, no other continuation is better than the
    strategy. Empty if the strategy is not an equilibrium.
    """
    failing_infoset: int | None = None
    """The information set at which no belief supports the strategy, or at which this is undecided;
    None if the strategy is an equilibrium.
    """
    deviations: tuple[Deviation, ...] = ()
    """A mixture of continuations that is better than the strategy at the failing information set.

    It is better under the Bayesian belief on the path of play, and under every belief off the path.
    """


class NodeReach(NamedTuple):
    """The never-played actions on a node's path, and the probability of the other moves."""

    unplayed_actions: frozenset[tuple[int, int]]
    """The actions on the path that the strategy never takes, as pairs of information set and action."""
    probability: Fraction
    """The product of the probabilities of all other actions and of all chance moves on the path."""


def bayesian_beliefs(tree: Tree, strategy: Strategy) -> list[tuple[Number, ...] | None]:
    """Return the belief at each information set by Bayes' rule; None where play never gets.

    If the strategy has floats, so do the beliefs.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> both = Strategy.from_mapping(tree, {"strong": "beer", "weak": {"beer": Fraction(1, 9), "quiche": Fraction(8, 9)}})
    >>> bayesian_beliefs(tree, both)[both.find_infoset("sees beer")]
    (Fraction(81, 82), Fraction(1, 82))
    """
    require_tree(tree)
    reach, beliefs = reach_probabilities(tree, strategy), list[tuple["Number", ...] | None]()
    for nodes in list_infoset_nodes(tree):
        total = sum([reach[node] for node in nodes])
        beliefs.append(tuple([reach[node] / total for node in nodes]) if total else None)
    return beliefs


def evaluate_weak_perfect_bayesian(tree: Tree, strategy: Strategy) -> WeakPerfectBayesianResult:
    """Decide whether an exact strategy is a weak perfect Bayesian equilibrium.

    No continuation may be better at any information set, under beliefs that follow Bayes' rule on the path of play.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> horse = textbook("horse")
    >>> across = Strategy.from_mapping(horse, {"begins": "across", "One went across": "across", "One or Two went down": "right"})
    >>> evaluate_weak_perfect_bayesian(horse, across).beliefs
    ((Fraction(1, 1),), (Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 1),))
    >>> down = Strategy.from_mapping(horse, {"begins": "down", "One went across": "across", "One or Two went down": "left"})
    >>> evaluate_weak_perfect_bayesian(horse, down).failing_infoset == down.find_infoset("One went across")
    True
    """
    require_recall_and_exact_strategy(tree, strategy)
    bayes_beliefs, beliefs = bayesian_beliefs(tree, strategy), list["Belief"]()
    node_values_of = [node_values(tree, strategy, player) for player in range(tree.player_count)]
    for infoset, nodes in enumerate(list_infoset_nodes(tree)):
        belief_by_bayes = bayes_beliefs[infoset]
        corner_beliefs = (
            [tuple([Fraction(probability) for probability in belief_by_bayes])]
            if belief_by_bayes is not None
            else list_certain_beliefs(len(nodes))
        )
        result = BeliefSearch(tree, strategy, infoset, nodes, node_values_of[tree.infosets[infoset].player]).find_belief(corner_beliefs)
        if result.belief is None:
            return WeakPerfectBayesianResult(False if result.deviations else None, (), infoset, result.deviations)
        beliefs.append(result.belief)
    return WeakPerfectBayesianResult(True, tuple(beliefs))


def belief_bounds(tree: Tree, strategy: Strategy, infoset: int) -> tuple[tuple[Fraction, Fraction], ...] | None:
    """Return the range of each node's probability in the beliefs that make a strategy optimal.

    A belief supports the strategy, or makes it optimal, if no continuation is better under this belief. Return None if
    there is no such belief, or if the search gave up.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> horse = textbook("horse")
    >>> across = Strategy.from_mapping(horse, {"begins": "across", "One went across": "across", "One or Two went down": "right"})
    >>> [tuple(map(str, bounds)) for bounds in belief_bounds(horse, across, across.find_infoset("One or Two went down"))]
    [('0', '1/3'), ('2/3', '1')]
    """
    require_recall_and_exact_strategy(tree, strategy)
    belief_by_bayes, nodes = bayesian_beliefs(tree, strategy)[infoset], list_infoset_nodes(tree)[infoset]
    search = BeliefSearch(tree, strategy, infoset, nodes, node_values(tree, strategy, tree.infosets[infoset].player))
    corner_beliefs = (
        [tuple([Fraction(probability) for probability in belief_by_bayes])]
        if belief_by_bayes is not None
        else list_certain_beliefs(len(nodes))
    )
    if search.find_belief(corner_beliefs).belief is None:
        return None
    if belief_by_bayes is not None:
        return tuple([(probability, probability) for probability in corner_beliefs[0]])
    bounds = []
    for index in range(len(nodes)):
        max_of_others, max_of_node = (
            search.maximize_weight(corner_beliefs, [int((other_index == index) is is_own) for other_index in range(len(nodes))])
            for is_own in (False, True)
        )
        if max_of_others is None or max_of_node is None:
            return None
        bounds.append((1 - max_of_others, max_of_node))
    return tuple(bounds)


def list_certain_beliefs(node_count: int) -> list[Belief]:
    """Return, for each of `node_count` nodes, the belief that gives this node probability 1.

    All beliefs are mixtures of these.

    >>> list_certain_beliefs(2)
    [(Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1))]
    """
    return [pure_row(index, node_count) for index in range(node_count)]


def compute_node_reaches(tree: Tree, strategy: Strategy) -> list[NodeReach]:
    """Return the never-played actions on each node's path, and the probability of the others.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> beer = Strategy.from_mapping(tree, {"strong": "beer", "weak": "beer"})
    >>> [(sorted(trace.unplayed_actions), str(trace.probability)) for trace in compute_node_reaches(tree, beer)[:4]]
    [([], '1'), ([], '9/10'), ([], '1/10'), ([], '9/10')]
    """
    reaches_of = [NodeReach(frozenset(), Fraction(1))] * tree.history_count
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        unplayed, probability = reaches_of[node]
        for action, child in enumerate(tree.children(node)):
            choice_probability = tree.chance_moves[infoset].probabilities[action] if actor == CHANCE else strategy.rows[infoset][action]
            if choice_probability or actor == CHANCE:
                reaches_of[child] = NodeReach(unplayed, probability * Fraction(choice_probability))
            else:
                reaches_of[child] = NodeReach(unplayed | {(infoset, action)}, probability)
    return reaches_of


def list_tremble_beliefs(node_reaches: Sequence[NodeReach]) -> list[Belief]:
    """Return beliefs whose mixtures include every limit of beliefs under trembles.

    A node whose unplayed actions include all those of another node, and more, has probability 0 in the limit, whatever
    the trembles. Nodes with the same unplayed actions have probabilities in the ratio of `NodeReach.probability`.

    >>> slip, other = (0, 1), (1, 1)
    >>> traces_ = [NodeReach(frozenset({slip}), Fraction(1, 2)), NodeReach(frozenset({slip}), Fraction(1, 4)), NodeReach(frozenset({slip, other}), Fraction(1)), NodeReach(frozenset({other}), Fraction(1))]
    >>> [tuple(map(str, belief)) for belief in list_tremble_beliefs(traces_)]
    [('2/3', '1/3', '0', '0'), ('0', '0', '0', '1')]
    """
    unplayed_sets = list(dict.fromkeys(reach.unplayed_actions for reach in node_reaches if reach.probability))
    corner_beliefs = []
    for unplayed in unplayed_sets:
        if not any(smaller < unplayed for smaller in unplayed_sets):
            total = sum([reach.probability for reach in node_reaches if reach.unplayed_actions == unplayed], Fraction(0))
            corner_beliefs.append(
                tuple([reach.probability / total if reach.unplayed_actions == unplayed else Fraction(0) for reach in node_reaches])
            )
    return corner_beliefs or list_certain_beliefs(len(node_reaches))


def require_recall_and_exact_strategy(tree: Tree, strategy: Strategy) -> None:
    """Raise an error if a game has imperfect recall, or if a strategy has floats.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> require_recall_and_exact_strategy(driver, Strategy.uniform(driver))
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: beliefs need a tree with perfect recall, and Driver forgets what they knew or did before 'at an exit'
    """
    require_tree(tree)
    strategy.require_same_infosets(tree.infosets)
    if not strategy.exact:
        raise TreeError(
            "beliefs are computed in fractions, but this strategy has floats. gametheory.solver_selection.find_exact_near(tree, strategy) looks for an exact strategy near it"
        )
    if problem := describe_imperfect_recall(tree):
        raise TreeError(f"beliefs need a tree with perfect recall, and {problem}")


Belief = tuple[Fraction, ...]
"""The probability of each node of an information set, given that play reaches the set; the nodes
are in the order of their numbers.
"""


class Deviation(NamedTuple):
    """A pure strategy for the rest of a game, with its probability in a mixed strategy."""

    probability: Fraction
    actions: dict[int, int]
    """The player's actions at the examined information set and at later ones; elsewhere the player follows the strategy."""


class BeliefSearchResult(NamedTuple):
    """The result of the search for a belief at one information set."""

    belief: Belief | None
    """A belief under which no continuation is better than the strategy; None if no such belief
    exists or none was found.
    """
    deviations: tuple[Deviation, ...] = ()
    """If no belief supports the strategy: a mixture of continuations that is better than the strategy at every node
    of the information set.

    It is empty if the question was not decided.
    """


def list_infoset_nodes(tree: Tree) -> list[list[int]]:
    """Return the nodes of each information set of a tree.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> list_infoset_nodes(textbook("horse"))
    [[0], [1, 5], [2]]
    """
    nodes: list[list[int]] = [[] for _ in tree.infosets]
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        if actor >= 0:
            nodes[infoset].append(node)
    return nodes


def find_undominated_actions(action_values: Sequence[Sequence[Fraction]]) -> list[int]:
    """Return the actions at an information set that are best under at least one belief.

    `action_values` has the values of each action at the nodes of the set. All other actions are strictly dominated by a mixture.

    >>> find_undominated_actions([[3, 0], [0, 3], [1, 1]]), find_undominated_actions([[3, 0], [0, 3], [2, 2]])
    ([0, 1], [0, 1, 2])
    """
    gains = [
        [[value - own_value for value, own_value in zip(values, own_values, strict=True)] for values in action_values]
        for own_values in action_values
    ]
    return [action for action, gain in enumerate(gains) if minimax(gain).value <= 0]


class BeliefSearch:
    """A search for beliefs that make a strategy optimal at an information set.

    All other players follow the strategy, which must be exact.

    >>> from durak_widget.gametheory.best_responses import node_values
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> duel = Strategy.from_mapping(tree, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"})
    >>> place = duel.find_infoset("sees quiche")
    >>> search = BeliefSearch(tree, duel, place, list_infoset_nodes(tree)[place], node_values(tree, duel, 1))
    >>> search.find_belief(((1, 0), (0, 1))).belief
    (Fraction(1, 2), Fraction(1, 2))
    >>> search.maximize_weight(((1, 0), (0, 1)), (1, 0))
    Fraction(1, 2)
    """

    def __init__(self, tree: Tree, strategy: Strategy, infoset: int, nodes: Sequence[int], node_values: Sequence[Number]) -> None:
        """Start a search for beliefs under which a strategy is optimal at an information set.

        `nodes` are the nodes of the information set. `node_values` has the value of each node of the tree, under the
        strategy, for the player of this information set.
        """
        self.tree, self.strategy, self.infoset, self.nodes = tree, strategy, infoset, nodes
        self.player = tree.infosets[infoset].player
        self.current_values = [Fraction(node_values[node]) for node in nodes]
        """The player's value at each node of the information set under the strategy."""
        self.continuations: list[dict[int, int]] = []
        self.gains: list[list[Fraction]] = []
        """For each continuation: how much more than the strategy it gives the player at each node of the information set."""

    def find_best_continuation(self, belief: Sequence[Number]) -> tuple[Number, dict[int, int]]:
        """Return a player's highest payoff under a belief, and the actions that achieve it."""
        tree, strategy = self.tree, self.strategy
        action_gains: dict[tuple[int, int] | None, Number] = {}
        previous_actions: dict[int, tuple[int, int] | None] = {}
        waiting: list[tuple[int, Number, tuple[int, int] | None]] = [
            (set_node, probability, None) for set_node, probability in zip(self.nodes, belief, strict=True) if probability
        ]
        for node, weight, previous_action in waiting:
            actor, infoset = tree.actor[node], tree.infoset_of[node]
            if actor == TERMINAL:
                action_gains[previous_action] = action_gains.get(previous_action, 0) + weight * tree.payoffs[infoset][self.player]
            elif actor == self.player:
                previous_actions.setdefault(infoset, previous_action)
                waiting += [(child, weight, (infoset, action)) for action, child in enumerate(tree.children(node))]
            else:
                row = tree.chance_moves[infoset].probabilities if actor == CHANCE else strategy.rows[infoset]
                waiting += [
                    (child, weight * choice_probability, previous_action)
                    for choice_probability, child in zip(row, tree.children(node), strict=True)
                    if choice_probability
                ]
        actions = {}
        # The value of an action depends on later actions, so actions at later information sets are chosen first
        for infoset, previous_action in reversed(previous_actions.items()):
            own_gains = [action_gains.get((infoset, action), 0) for action in range(len(tree.infosets[infoset].actions))]
            actions[infoset] = own_gains.index(max(own_gains))
            action_gains[previous_action] = action_gains.get(previous_action, 0) + max(own_gains)
        return action_gains.get(None, 0), actions

    def compute_gains(self, actions: Mapping[int, int]) -> list[Fraction]:
        """Return the player's gain from given `actions` at each node of the information set."""
        return [
            self._compute_value(node, actions) - current_value for node, current_value in zip(self.nodes, self.current_values, strict=True)
        ]

    def _compute_value(self, node: int, actions: Mapping[int, int]) -> Fraction:
        """Return the player's expected payoff from a node on, if the player takes given actions."""
        tree, total = self.tree, Fraction(0)
        waiting: list[tuple[int, Number]] = [(node, Fraction(1))]
        for current, weight in waiting:
            actor, infoset = tree.actor[current], tree.infoset_of[current]
            if actor == TERMINAL:
                total += Fraction(weight) * tree.payoffs[infoset][self.player]
            elif actor == self.player and infoset in actions:
                waiting.append((tree.first_child[current] + actions[infoset], weight))
            else:
                row = tree.chance_moves[infoset].probabilities if actor == CHANCE else self.strategy.rows[infoset]
                waiting += [
                    (child, weight * probability) for probability, child in zip(row, tree.children(current), strict=True) if probability
                ]
        return total

    def compute_best_gain(self, belief: Sequence[Fraction]) -> Fraction:
        """Return the most that a player can gain, under a given belief, by leaving the strategy."""
        return Fraction(self.find_best_continuation(belief)[0]) - _dot_product(belief, self.current_values)

    def find_belief(
        self, corner_beliefs: Sequence[Sequence[Fraction | int]], objective: Sequence[int] | None = None, max_rounds: int = MAX_ROUNDS
    ) -> BeliefSearchResult:
        """Search for a mixture of given beliefs that makes the strategy optimal.

        If there is none, `belief` is None, and `deviations` has a mixture of continuations that is better under all
        given beliefs. If the search gave up, both are empty. Of several supporting beliefs, prefer one that gives much
        weight to given beliefs with a large entry in `objective`.
        """
        for _ in range(max_rounds):
            tableau, row_scales = self._build_program(corner_beliefs)
            weights = tableau.maximize(objective).weights
            if not any(weights):
                dual_prices = [
                    dual_price * row_scale for dual_price, row_scale in zip(tableau.dual_prices(objective), row_scales, strict=False)
                ]
                return BeliefSearchResult(
                    None,
                    tuple(
                        [
                            Deviation(dual_price / sum(dual_prices), continuation)
                            for dual_price, continuation in zip(dual_prices, self.continuations, strict=True)
                            if dual_price
                        ]
                    ),
                )
            belief = self._mix_beliefs(weights, corner_beliefs)
            if not self._add_better_continuation(belief):
                return BeliefSearchResult(belief)
        return BeliefSearchResult(None)

    def maximize_weight(
        self, corner_beliefs: Sequence[Sequence[Fraction | int]], objective: Sequence[int], max_rounds: int = MAX_ROUNDS
    ) -> Fraction | None:
        """Return the maximum of a linear objective over beliefs that make the strategy optimal.

        Return None if the search is not completed in the given number of rounds.

        The objective is a weighted sum of the weights of the given corner beliefs. At least one belief must support
        the strategy.
        """
        for _ in range(max_rounds):
            weights = self._build_program(corner_beliefs)[0].maximize(objective).weights
            highest = _dot_product(weights, objective)
            if not highest or not self._add_better_continuation(self._mix_beliefs(weights, corner_beliefs)):
                return highest
        return None

    def _build_program(self, corner_beliefs: Sequence[Sequence[Fraction | int]]) -> tuple[Tableau, list[Fraction]]:
        """Build the linear program that finds beliefs which make the strategy optimal.

        Also return the factor by which each row is scaled.

        No known continuation may be better under the belief, and the weights of the corner beliefs add up to at most
        1.
        """
        rows, scales = list[list[int]](), list[Fraction]()
        for gains in self.gains:
            row_gains = [_dot_product(corner_belief, gains) for corner_belief in corner_beliefs]
            scale = lcm(*(gain.denominator for gain in row_gains))
            numbers = [int(gain * scale) for gain in row_gains]
            divisor = gcd(*numbers) or 1
            rows.append([number // divisor for number in numbers])
            scales.append(Fraction(scale, divisor))
        return Tableau([*rows, [1] * len(corner_beliefs)], [0] * len(rows) + [1]), scales

    def _mix_beliefs(self, weights: Sequence[Fraction], corner_beliefs: Sequence[Sequence[Fraction | int]]) -> Belief:
        """Return the average of given beliefs, weighted by given weights."""
        total = sum(weights)
        return tuple([_dot_product(weights, probabilities) / total for probabilities in zip(*corner_beliefs, strict=True)])

    def _add_better_continuation(self, belief: Belief) -> bool:
        """Look for a continuation that is better than the strategy under a belief, and store it.

        Return whether there is such a continuation.
        """
        value, continuation = self.find_best_continuation(belief)
        if value <= _dot_product(belief, self.current_values):
            return False
        self.continuations.append(continuation)
        self.gains.append(self.compute_gains(continuation))
        return True


def _dot_product(left: Sequence[Fraction | int], right: Sequence[Fraction | int]) -> Fraction:
    """Return the dot product of two vectors of numbers."""
    return Fraction(sum([first * second for first, second in zip(left, right, strict=True) if first and second]))
