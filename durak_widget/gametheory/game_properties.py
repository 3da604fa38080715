"""Finds the properties of a game, such as recall and subgames, and which solvers suit it.

A subgame begins at a chance node, or at a node that is alone in its information set. No information set may be partly
inside a subgame. The results are keys and numbers, which other modules put into words. Error messages take their
suggestions from here, so they never suggest a method that rejects the game too.
"""

from __future__ import annotations

import math
from copy import copy
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.gametheory.strategic_form import MAX_CELLS, count_pure_strategies
from durak_widget.gametheory.strategy import build_unchecked_strategy
from durak_widget.gametheory.tree import (
    CHANCE,
    TERMINAL,
    ChanceNode,
    DecisionNode,
    TerminalNode,
    TreeError,
    build_tree,
    describe_imperfect_recall,
    require_tree,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

MAX_PURE_PYTHON_HISTORIES: Final = 20_000
"""The maximum number of histories for which solvers in plain Python are used."""
_METHOD_ADVICE: Final[dict[SuitableMethod, str]] = {
    "backward": "use gametheory.solve(tree, 'backward')",
    "lp": "use gametheory.solve(tree)",
    "plans": "use gametheory.solve(tree, 'plans')",
    "matrix": "use gametheory.solve(tree) without a method",
    "answers": "use gametheory.solve(tree) without a method",
    "values": "use gametheory.solve(tree) without a method",
}
Recall = Literal["perfect", "imperfect", "absent-minded"]
"""How much a player remembers of what they knew and did: the kind of the player's recall.

An absent-minded player does not even know whether they have been at the same information set before.
"""
PayoffSum = Literal["zero", "constant", "general"]
"""The kind of payoff sum in a game: 0 at every terminal node, another constant at every terminal node, or neither."""


class PlayerRecall(NamedTuple):
    """The kind of recall of one player."""

    recall: Recall
    infoset: int | None = None
    """The first information set that shows imperfect recall: the player has forgotten something there, or can reach
    it twice.
    """


class GameProperties(NamedTuple):
    """The properties of a game.

    >>> from durak_widget import gametheory
    >>> find_game_properties(gametheory.textbook("outside-option"))
    GameProperties(player_count=2, player_recalls=(PlayerRecall(recall='perfect', infoset=None), PlayerRecall(recall='perfect', infoset=None)), payoff_sum='general', constant_sum=None, has_observed_actions=False, has_perfect_information=False, has_chance_moves=False, subgame_roots=(0, 2))
    """

    player_count: int
    player_recalls: tuple[PlayerRecall, ...]
    """The kind of recall of each player."""
    payoff_sum: PayoffSum
    constant_sum: Fraction | None
    """The sum of the payoffs at every terminal node; None if the sum is not constant."""
    has_observed_actions: bool
    """True if every player observes all actions of all players, so that backward induction applies under perfect
    recall.
    """
    has_perfect_information: bool
    """True if every move is observed, also chance moves, so that each information set has exactly one node."""
    has_chance_moves: bool
    """True if the game has chance moves."""
    subgame_roots: tuple[int, ...]
    """The root node of each subgame; the root of the whole game comes first."""

    @property
    def recall(self) -> Recall:
        """Return the weakest kind of recall that any player has."""
        ranks: tuple[Recall, ...] = ("absent-minded", "imperfect", "perfect")
        return next(
            rank for rank in ranks if rank == "perfect" or any(player_recall.recall == rank for player_recall in self.player_recalls)
        )


def find_game_properties(tree: Tree) -> GameProperties:
    """Return the properties of a game.

    >>> from durak_widget import gametheory
    >>> [find_game_properties(gametheory.textbook(name)).recall for name in ("kuhn", "driver")], find_game_properties(gametheory.textbook("kuhn")).payoff_sum
    (['perfect', 'absent-minded'], 'zero')
    """
    require_tree(tree)
    totals = {sum(payoffs, Fraction(0)) for payoffs in tree.payoffs}
    total = None if len(totals) > 1 else next(iter(totals))
    decisions = sum(actor >= 0 for actor in tree.actor)
    return GameProperties(
        tree.player_count,
        find_player_recalls(tree),
        "general" if total is None else "constant" if total else "zero",
        total,
        has_observed_actions(tree),
        decisions == len(tree.infosets),
        CHANCE in tree.actor,
        find_subgame_roots(tree),
    )


def find_player_recalls(tree: Tree) -> tuple[PlayerRecall, ...]:
    """Return the kind of recall of each player.

    >>> from durak_widget import gametheory
    >>> find_player_recalls(gametheory.textbook("driver"))
    (PlayerRecall(recall='absent-minded', infoset=0),)
    """
    forgotten: list[int | None] = [None] * tree.player_count
    twice: list[int | None] = [None] * tree.player_count
    last_own_actions: dict[int, tuple[int, int] | None] = {}
    actions_on_path: list[dict[int, tuple[int, int]]] = [{}] * tree.history_count
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        own_actions = actions_on_path[node]
        if actor >= 0 and last_own_actions.setdefault(infoset, own_actions.get(actor)) != own_actions.get(actor):
            if forgotten[actor] is None:
                forgotten[actor] = infoset
            if twice[actor] is None and _has_visited_infoset(tree, node):
                twice[actor] = infoset
        for action, child in enumerate(tree.children(node)):
            actions_on_path[child] = own_actions | {actor: (infoset, action)} if actor >= 0 else own_actions
    return tuple(
        [
            PlayerRecall("absent-minded", repeated)
            if repeated is not None
            else PlayerRecall("perfect" if infoset is None else "imperfect", infoset)
            for infoset, repeated in zip(forgotten, twice, strict=True)
        ]
    )


def _has_visited_infoset(tree: Tree, node: int) -> bool:
    """Return whether the path to a node already passes through the node's information set."""
    infoset, ancestor = tree.infoset_of[node], tree.parent[node]
    while ancestor >= 0:
        if tree.actor[ancestor] >= 0 and tree.infoset_of[ancestor] == infoset:
            return True
        ancestor = tree.parent[ancestor]
    return False


def to_zero_sum(tree: Tree) -> Tree:
    """Return a zero-sum game that is equivalent to a constant-sum game.

    The constant is subtracted from the second player's payoffs. Nodes and information sets are unchanged, so each
    strategy of one game is a strategy of the other game.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> pie = build_tree("", {"": DecisionNode(0, "cuts", [("half", "h"), ("all", "a")]), "h": TerminalNode((5, 5)), "a": TerminalNode((9, 1))}.__getitem__, player_count=2)
    >>> from durak_widget import gametheory
    >>> gametheory.solve(to_zero_sum(pie), "plans").value
    Fraction(9, 1)
    """
    require_tree(tree)
    totals = {sum(payoffs, Fraction(0)) for payoffs in tree.payoffs}
    if tree.player_count != 2 or len(totals) > 1:
        raise TreeError(
            "a constant can only be subtracted in a game of two players whose payoffs always add up to the same number; here they do not"
        )
    (total,) = totals
    result = copy(tree)
    result.payoffs = [(first_payoff, second_payoff - total) for first_payoff, second_payoff in tree.payoffs]
    return result


def normalize_payoffs(tree: Tree) -> Tree:
    """Return a game with each player's payoffs scaled to the range from 0 to 1.

    This does not change the equilibria, and then no payoff is too large for a float or too close to another payoff.

    >>> from durak_widget import gametheory
    >>> normalize_payoffs(gametheory.textbook("entry")).payoffs
    [(Fraction(1, 1), Fraction(2, 5)), (Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 1))]
    """
    require_tree(tree)
    ranges = [
        (min(player_payoffs), (max(player_payoffs) - min(player_payoffs)) or Fraction(1))
        for player_payoffs in zip(*tree.payoffs, strict=True)
    ]
    result = copy(tree)
    result.payoffs = [
        tuple([Fraction(payoff - lowest) / span for payoff, (lowest, span) in zip(payoffs, ranges, strict=True)])
        for payoffs in tree.payoffs
    ]
    return result


SuitableMethod = Literal["backward", "lp", "plans", "matrix", "answers", "values"]
"""The key of the solution method that suits a game best.

In this order, the keys mean: backward induction; a linear program; the double oracle method, which needs no floats;
equilibria of the strategic form; best responses; only values.
"""


def find_suitable_method(tree: Tree) -> SuitableMethod:
    """Return the key of the solution method that suits a game best.

    >>> from durak_widget import gametheory
    >>> [find_suitable_method(gametheory.textbook(name)) for name in ("entry", "kuhn", "beer-quiche", "horse", "driver")]
    ['backward', 'lp', 'matrix', 'answers', 'values']
    """
    if describe_imperfect_recall(tree) is not None:
        return "values"
    if has_observed_actions(tree):
        return "backward"
    if is_zero_sum(tree) and payoffs_fit_floats(tree):
        return "lp"
    if is_zero_sum(tree) and tree.history_count <= MAX_PURE_PYTHON_HISTORIES:
        return "plans"
    return (
        "matrix" if tree.player_count == 2 and count_pure_strategies(tree, 0) * count_pure_strategies(tree, 1) <= MAX_CELLS else "answers"
    )


def is_method_applicable(tree: Tree, method: str) -> bool:
    """Return whether a method of `gametheory.solve` works on a game.

    >>> from durak_widget import gametheory
    >>> [is_method_applicable(gametheory.textbook("kuhn"), method) for method in ("lp", "backward")]
    [True, False]
    """
    return describe_imperfect_recall(tree) is None and (has_observed_actions(tree) if method == "backward" else is_zero_sum(tree))


def suggest_method(tree: Tree) -> str:
    """Return a phrase that suggests a solution method for a game, for use in error messages.

    >>> from durak_widget import gametheory
    >>> suggest_method(gametheory.textbook("entry"))
    "use gametheory.solve(tree, 'backward')"
    """
    return _METHOD_ADVICE[find_suitable_method(tree)]


def is_zero_sum(tree: Tree) -> bool:
    """Return whether a game is a two-player zero-sum game."""
    return tree.player_count == 2 and not any(sum(payoffs) for payoffs in tree.payoffs)


def has_value(tree: Tree) -> bool:
    """Return whether a game is a two-player constant-sum game, and so has a value.

    >>> from durak_widget import gametheory
    >>> has_value(gametheory.textbook("kuhn")), has_value(gametheory.textbook("entry"))
    (True, False)
    """
    return tree.player_count == 2 and len({sum(payoffs) for payoffs in tree.payoffs}) == 1


def payoffs_fit_floats(tree: Tree) -> bool:
    """Return whether all payoffs of a game fit into floats, as zero-sum solvers require."""
    try:
        return all(math.isfinite(float(payoff)) for payoffs in tree.payoffs for payoff in payoffs)
    except OverflowError:
        return False


def has_observed_actions(tree: Tree) -> bool:
    """Return whether all players' actions in a game are observed.

    If they are, and all players have perfect recall, backward induction applies.

    >>> from durak_widget import gametheory
    >>> has_observed_actions(gametheory.textbook("entry")), has_observed_actions(gametheory.textbook("horse"))
    (True, False)
    """
    last_actions: dict[int, int] = {}
    last_action_at = [0] * tree.history_count
    for node, (actor, infoset, first_child, child_count) in enumerate(
        zip(tree.actor, tree.infoset_of, tree.first_child, tree.child_count, strict=True)
    ):
        if actor >= 0:
            if last_actions.setdefault(infoset, last_action_at[node]) != last_action_at[node]:
                return False
            last_action_at[first_child : first_child + child_count] = [(infoset << 16) + action + 1 for action in range(child_count)]
        elif actor == CHANCE:
            last_action_at[first_child : first_child + child_count] = [last_action_at[node]] * child_count
    return True


def find_subgame_roots(tree: Tree) -> tuple[int, ...]:
    """Return the root nodes of all subgames; the root of the whole game comes first.

    Subgames without any decision are left out.

    >>> from durak_widget import gametheory
    >>> [find_subgame_roots(gametheory.textbook(name)) for name in ("entry", "outside-option", "kuhn")]
    [(0, 1), (0, 2), (0,)]
    """
    require_tree(tree)
    depth = [0] * tree.history_count
    for node in range(1, tree.history_count):
        depth[node] = depth[tree.parent[node]] + 1
    ancestors: dict[int, int] = {}
    node_counts: dict[int, int] = {}
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        if actor >= 0:
            ancestors[infoset] = _find_common_ancestor(tree, depth, ancestors.get(infoset, node), node)
            node_counts[infoset] = node_counts.get(infoset, 0) + 1
    min_depths: list[int | None] = [None] * tree.history_count
    """For each node: the smallest depth of the last common ancestor of an information set at or below it; None for none."""
    roots = []
    for node in reversed(range(tree.history_count)):
        actor, infoset = tree.actor[node], tree.infoset_of[node]
        depths = [child_depth for child in tree.children(node) if (child_depth := min_depths[child]) is not None]
        if actor >= 0:
            depths.append(depth[ancestors[infoset]])
        min_depths[node] = min(depths, default=None)
        is_root = bool(depths) and min(depths) >= depth[node] and (actor == CHANCE or node_counts[infoset] == 1)
        if is_root or not node:
            roots.append(node)
    return tuple(reversed(roots))


def _find_common_ancestor(tree: Tree, depth: Sequence[int], first: int, second: int) -> int:
    """Return the deepest common ancestor of two nodes."""
    while first != second:
        if depth[first] < depth[second]:
            first, second = second, first
        first = tree.parent[first]
    return first


class Subtree(NamedTuple):
    """The part of a tree below one node, as an independent tree."""

    tree: Tree
    infosets: tuple[int, ...]
    """For each information set of the subtree: the index of that information set in the whole tree."""

    def restrict(self, strategy: Strategy) -> Strategy:
        """Return the part of a strategy for the whole tree that applies to the subtree."""
        return build_unchecked_strategy(self.tree.infosets, [strategy.rows[infoset] for infoset in self.infosets])


def extract_subtree(tree: Tree, root: int = 0, terminal_payoffs: Mapping[int, Sequence[Fraction]] | None = None) -> Subtree:
    """Return the part of a tree that begins at a given node, as an independent tree.

    `terminal_payoffs` maps nodes that become terminal nodes to their payoffs.

    >>> from durak_widget import gametheory
    >>> entry = gametheory.textbook("entry")
    >>> extract_subtree(entry, 1)
    Subtree(tree=<Tree: 3 histories, 2 terminals, 0 + 1 information sets>, infosets=(1,))
    >>> extract_subtree(entry, 0, {1: (2, 2)}).tree.payoffs
    [(Fraction(2, 1), Fraction(2, 1)), (Fraction(1, 1), Fraction(5, 1))]
    """
    terminal_payoffs_of = {} if terminal_payoffs is None else terminal_payoffs
    infosets: dict[int, None] = {}

    def describe_node(node: int) -> DecisionNode | ChanceNode | TerminalNode:
        """Convert a node of the whole tree to the kind of node that `build_tree` needs."""
        infoset, children = tree.infoset_of[node], tree.children(node)
        if node in terminal_payoffs_of:
            return TerminalNode(tuple(terminal_payoffs_of[node]))
        if tree.actor[node] == TERMINAL:
            return TerminalNode(tree.payoffs[infoset])
        if tree.actor[node] == CHANCE:
            chance_move = tree.chance_moves[infoset]
            return ChanceNode(list(zip(chance_move.actions, chance_move.probabilities, children, strict=True)))
        infosets[infoset] = None
        return DecisionNode(tree.actor[node], infoset, list(zip(tree.infosets[infoset].actions, children, strict=True)))

    subtree = build_tree(root, describe_node, player_count=tree.player_count, title=tree.title, names=tree.names)
    subtree.infosets = [tree.infosets[infoset] for infoset in infosets]
    return Subtree(subtree, tuple(infosets))
