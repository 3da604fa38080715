"""Finds the properties of a game, such as recall and subgames, and the solvers for it.

A subgame begins at a chance node, or at a node where the player knows that they are there. No information set
may be partly inside it. The answers are keys and numbers, which other modules put into words. An error that
suggests another method asks here, so that it never suggests one that refuses this game too.
"""

from __future__ import annotations

import math
from copy import copy
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.gametheory.strategic_form import CELLS, how_many
from durak_widget.gametheory.strategy import made
from durak_widget.gametheory.tree import CHANCE, OVER, Draw, End, TreeError, Turn, forgets, grow, require_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

PLAIN: Final = 20_000
"""The maximum number of histories for solvers in plain Python."""
_SAID: Final[dict[Fit, str]] = {
    "backward": "gametheory.solve(tree, 'backward') takes it",
    "lp": "gametheory.solve(tree) takes it",
    "plans": "gametheory.solve(tree, 'plans') takes it",
    "matrix": "gametheory.solve(tree), without a method, answers it",
    "answers": "gametheory.solve(tree), without a method, answers it",
    "values": "gametheory.solve(tree), without a method, answers it",
}
Recall = Literal["perfect", "imperfect", "absent-minded"]
"""Whether a player remembers everything, or not.

Perfect recall; imperfect recall; or absent-minded, who does not even know that they have been asked already.
"""
Sums = Literal["zero", "constant", "general"]
"""The sum of the payoffs at the terminal nodes: always 0, always the same, or not."""


class Remembers(NamedTuple):
    """The recall of one player."""

    recall: Recall
    place: int | None = None
    """The first information set at which the player has forgotten something, or can be twice."""


class Kind(NamedTuple):
    """The properties of a game.

    >>> from durak_widget import gametheory
    >>> kind_of_tree(gametheory.textbook("outside-option"))
    Kind(seats=2, memories=(Remembers(recall='perfect', place=None), Remembers(recall='perfect', place=None)), sums='general', total=None, seen=False, known=False, chance=False, begins=(0, 2))
    """

    seats: int
    memories: tuple[Remembers, ...]
    """The recall of each player."""
    sums: Sums
    total: Fraction | None
    """The sum of the payoffs at every terminal node; None if it is not constant."""
    seen: bool
    """Whether all actions are observed, so that backward induction applies if there is perfect recall."""
    known: bool
    """Whether chance moves are observed too: each information set has one node."""
    chance: bool
    """Whether there are chance moves."""
    begins: tuple[int, ...]
    """The nodes at which subgames begin; first the root, at which the whole game begins."""

    @property
    def recall(self) -> Recall:
        """Return the recall of the most forgetful player."""
        ranks: tuple[Recall, ...] = ("absent-minded", "imperfect", "perfect")
        return next(rank for rank in ranks if rank == "perfect" or any(player_recall.recall == rank for player_recall in self.memories))


def kind_of_tree(tree: Tree) -> Kind:
    """Return the properties of a game.

    >>> from durak_widget import gametheory
    >>> [kind_of_tree(gametheory.textbook(name)).recall for name in ("kuhn", "driver")], kind_of_tree(gametheory.textbook("kuhn")).sums
    (['perfect', 'absent-minded'], 'zero')
    """
    require_tree(tree)
    totals = {sum(payoffs, Fraction(0)) for payoffs in tree.payoffs}
    total = None if len(totals) > 1 else next(iter(totals))
    decisions = sum(actor >= 0 for actor in tree.actor)
    return Kind(
        tree.seats,
        memories(tree),
        "general" if total is None else "constant" if total else "zero",
        total,
        moves_are_seen(tree),
        decisions == len(tree.sets),
        CHANCE in tree.actor,
        subgames(tree),
    )


def memories(tree: Tree) -> tuple[Remembers, ...]:
    """Return the recall of each player.

    >>> from durak_widget import gametheory
    >>> memories(gametheory.textbook("driver"))
    (Remembers(recall='absent-minded', place=0),)
    """
    forgotten: list[int | None] = [None] * tree.seats
    twice: list[int | None] = [None] * tree.seats
    last_own_actions: dict[int, tuple[int, int] | None] = {}
    actions_on_path: list[dict[int, tuple[int, int]]] = [{}] * tree.histories
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True)):
        own_actions = actions_on_path[node]
        if actor >= 0 and last_own_actions.setdefault(infoset, own_actions.get(actor)) != own_actions.get(actor):
            if forgotten[actor] is None:
                forgotten[actor] = infoset
            if twice[actor] is None and _been(tree, node):
                twice[actor] = infoset
        for action, child in enumerate(tree.children(node)):
            actions_on_path[child] = own_actions | {actor: (infoset, action)} if actor >= 0 else own_actions
    return tuple(
        [
            Remembers("absent-minded", repeated)
            if repeated is not None
            else Remembers("perfect" if infoset is None else "imperfect", infoset)
            for infoset, repeated in zip(forgotten, twice, strict=True)
        ]
    )


def _been(tree: Tree, here: int) -> bool:
    """Return whether the path to a node has another node of the same information set."""
    infoset, ancestor = tree.info[here], tree.parent[here]
    while ancestor >= 0:
        if tree.actor[ancestor] >= 0 and tree.info[ancestor] == infoset:
            return True
        ancestor = tree.parent[ancestor]
    return False


def lessened(tree: Tree) -> Tree:
    """Return a constant-sum game as a zero-sum game.

    The constant is subtracted from the second player's payoffs.
    Nodes and information sets stay, so a strategy of the one game is a strategy of the other.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> pie = grow("", {"": Turn(0, "cuts", [("half", "h"), ("all", "a")]), "h": End((5, 5)), "a": End((9, 1))}.__getitem__, seats=2)
    >>> from durak_widget import gametheory
    >>> gametheory.solve(lessened(pie), "plans").value
    Fraction(9, 1)
    """
    require_tree(tree)
    totals = {sum(payoffs, Fraction(0)) for payoffs in tree.payoffs}
    if tree.seats != 2 or len(totals) > 1:
        raise TreeError("a constant can be taken away where two play and their payoffs always add up to as much, and here they do not")
    (total,) = totals
    result = copy(tree)
    result.payoffs = [(first_payoff, second_payoff - total) for first_payoff, second_payoff in tree.payoffs]
    return result


def measured(tree: Tree) -> Tree:
    """Return the game with each player's payoffs scaled to the range from 0 to 1.

    Equilibria stay the same, and no payoff is too large for a float or too near to another.

    >>> from durak_widget import gametheory
    >>> measured(gametheory.textbook("entry")).payoffs
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


Fit = Literal["backward", "lp", "plans", "matrix", "answers", "values"]
"""The best method for a game.

Backward induction; a linear program; the double oracle method, which needs no floats; equilibria of the strategic form;
best responses; or only values.
"""


def fit(tree: Tree) -> Fit:
    """Return the best method for a game.

    >>> from durak_widget import gametheory
    >>> [fit(gametheory.textbook(name)) for name in ("entry", "kuhn", "beer-quiche", "horse", "driver")]
    ['backward', 'lp', 'matrix', 'answers', 'values']
    """
    if forgets(tree) is not None:
        return "values"
    if moves_are_seen(tree):
        return "backward"
    if zero_sum(tree) and in_decimals(tree):
        return "lp"
    if zero_sum(tree) and tree.histories <= PLAIN:
        return "plans"
    return "matrix" if tree.seats == 2 and how_many(tree, 0) * how_many(tree, 1) <= CELLS else "answers"


def method_takes(tree: Tree, method: str) -> bool:
    """Return whether a method of `gametheory.solve` works on this kind of game.

    >>> from durak_widget import gametheory
    >>> [method_takes(gametheory.textbook("kuhn"), method) for method in ("lp", "backward")]
    [True, False]
    """
    return forgets(tree) is None and (moves_are_seen(tree) if method == "backward" else zero_sum(tree))


def instead(tree: Tree) -> str:
    """Return which method works on a game, as the end of an error message.

    >>> from durak_widget import gametheory
    >>> instead(gametheory.textbook("entry"))
    "gametheory.solve(tree, 'backward') takes it"
    """
    return _SAID[fit(tree)]


def zero_sum(tree: Tree) -> bool:
    """Return whether it is a two-player zero-sum game."""
    return tree.seats == 2 and not any(sum(payoffs) for payoffs in tree.payoffs)


def has_value(tree: Tree) -> bool:
    """Return whether the game has a value, as every two-player constant-sum game has.

    >>> from durak_widget import gametheory
    >>> has_value(gametheory.textbook("kuhn")), has_value(gametheory.textbook("entry"))
    (True, False)
    """
    return tree.seats == 2 and len({sum(payoffs) for payoffs in tree.payoffs}) == 1


def in_decimals(tree: Tree) -> bool:
    """Return whether a float can hold every payoff, as solvers of zero-sum games need."""
    try:
        return all(math.isfinite(float(payoff)) for payoffs in tree.payoffs for payoff in payoffs)
    except OverflowError:
        return False


def moves_are_seen(tree: Tree) -> bool:
    """Return whether all players' actions are observed.

    Then backward induction applies if there is perfect recall.

    >>> from durak_widget import gametheory
    >>> moves_are_seen(gametheory.textbook("entry")), moves_are_seen(gametheory.textbook("horse"))
    (True, False)
    """
    last_actions: dict[int, int] = {}
    last_action_at = [0] * tree.histories
    for node, (actor, infoset, first_child, child_count) in enumerate(zip(tree.actor, tree.info, tree.first, tree.count, strict=True)):
        if actor >= 0:
            if last_actions.setdefault(infoset, last_action_at[node]) != last_action_at[node]:
                return False
            last_action_at[first_child : first_child + child_count] = [(infoset << 16) + action + 1 for action in range(child_count)]
        elif actor == CHANCE:
            last_action_at[first_child : first_child + child_count] = [last_action_at[node]] * child_count
    return True


def subgames(tree: Tree) -> tuple[int, ...]:
    """Return the roots of all subgames, the root of the game first.

    Subgames with nothing left to decide do not count.

    >>> from durak_widget import gametheory
    >>> [subgames(gametheory.textbook(name)) for name in ("entry", "outside-option", "kuhn")]
    [(0, 1), (0, 2), (0,)]
    """
    require_tree(tree)
    depth = [0] * tree.histories
    for node in range(1, tree.histories):
        depth[node] = depth[tree.parent[node]] + 1
    ancestors: dict[int, int] = {}
    node_counts: dict[int, int] = {}
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if actor >= 0:
            ancestors[infoset] = _fork(tree, depth, ancestors.get(infoset, node), node)
            node_counts[infoset] = node_counts.get(infoset, 0) + 1
    min_depths: list[int | None] = [None] * tree.histories
    """For each node: the least depth of the common ancestors of the information sets at and below it, or None."""
    roots = []
    for node in reversed(range(tree.histories)):
        actor, infoset = tree.actor[node], tree.info[node]
        depths = [child_depth for child in tree.children(node) if (child_depth := min_depths[child]) is not None]
        if actor >= 0:
            depths.append(depth[ancestors[infoset]])
        min_depths[node] = min(depths, default=None)
        is_root = bool(depths) and min(depths) >= depth[node] and (actor == CHANCE or node_counts[infoset] == 1)
        if is_root or not node:
            roots.append(node)
    return tuple(reversed(roots))


def _fork(tree: Tree, depth: Sequence[int], one: int, other: int) -> int:
    """Return the last node that is on the paths to both nodes."""
    while one != other:
        if depth[one] < depth[other]:
            one, other = other, one
        one = tree.parent[one]
    return one


class Cut(NamedTuple):
    """A part of a tree, as a tree of its own."""

    tree: Tree
    places: tuple[int, ...]
    """The index that each of its information sets has in the whole tree."""

    def restricted(self, strategy: Strategy) -> Strategy:
        """Return the part of a strategy of the whole tree that belongs to this part."""
        return made(self.tree.sets, [strategy.rows[infoset] for infoset in self.places])


def cut(tree: Tree, root: int = 0, worths: Mapping[int, Sequence[Fraction]] | None = None) -> Cut:
    """Return the tree from a node on.

    `worths` has nodes that become terminal nodes, with their payoffs.

    >>> from durak_widget import gametheory
    >>> entry = gametheory.textbook("entry")
    >>> cut(entry, 1)
    Cut(tree=<Tree: 3 histories, 2 terminals, 0 + 1 information sets>, places=(1,))
    >>> cut(entry, 0, {1: (2, 2)}).tree.payoffs
    [(Fraction(2, 1), Fraction(2, 1)), (Fraction(1, 1), Fraction(5, 1))]
    """
    terminal_payoffs_of = {} if worths is None else worths
    infosets: dict[int, None] = {}

    def describe_node(node: int) -> Turn | Draw | End:
        infoset, children = tree.info[node], tree.children(node)
        if node in terminal_payoffs_of:
            return End(tuple(terminal_payoffs_of[node]))
        if tree.actor[node] == OVER:
            return End(tree.payoffs[infoset])
        if tree.actor[node] == CHANCE:
            chance_move = tree.chances[infoset]
            return Draw(list(zip(chance_move.moves, chance_move.probabilities, children, strict=True)))
        infosets[infoset] = None
        return Turn(tree.actor[node], infoset, list(zip(tree.sets[infoset].moves, children, strict=True)))

    subtree = grow(root, describe_node, seats=tree.seats, title=tree.title, names=tree.names)
    subtree.sets = [tree.sets[infoset] for infoset in infosets]
    return Cut(subtree, tuple(infosets))
