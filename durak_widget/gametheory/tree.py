"""Defines a game in extensive form (a game tree) as flat arrays.

The arrays say who acts at each node, which information set it is in, which nodes follow, and which payoffs terminal
nodes have. Nodes are numbered level by level from the root, and siblings are next to each other. So a solver can loop
through the arrays forwards or backwards and needs no pointers. Any finite game can be represented, not only card
games.
"""

from __future__ import annotations

import sys
from array import array
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from durak_widget.errors import DurakError, short_repr
from durak_widget.gametheory.player_labels import default_name, format_player_name

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

CHANCE: Final = -1
"""The value of `Tree.actor` at a history at which chance moves."""
TERMINAL: Final = -2
"""The value of `Tree.actor` at a history at which the game is over."""
PAYOFF_TOO_LONG: Final = "a payoff has more than a thousand digits, which nobody could read; give a shorter number"
"""The error message for a payoff with too many digits."""
State = TypeVar("State")


class TreeError(DurakError, ValueError):
    """An error in a tree, or a computation that is not possible for a tree.

    >>> build_tree("", {"": DecisionNode(0, "begins", [])}.__getitem__, player_count=2)
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: Player 1 acts here but has no move; if the game is over, make this a terminal node
    """


class InfoSet(NamedTuple):
    """An information set: the nodes that a player cannot distinguish when it is their turn.

    >>> build_tree("", {"": DecisionNode(0, "begins", [("go", "end")]), "end": TerminalNode((1, -1))}.__getitem__, player_count=2).infosets
    [InfoSet(player=0, label='begins', actions=('go',))]
    """

    player: int
    label: str
    """A text that describes what the player knows at the information set."""
    actions: tuple[str, ...]
    """The names of the possible actions, in the order of the child nodes."""


class ChanceMove(NamedTuple):
    """The possible outcomes of a chance move, and their probabilities."""

    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...]


class DecisionNode(NamedTuple):
    """A history at which a player acts.

    Two histories have equal `knowledge` exactly if the player cannot distinguish them. `actions` are pairs of an
    action and the state that it leads to.

    >>> states = {"": DecisionNode(0, "begins", [("left", "l"), ("right", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}
    >>> build_tree("", states.__getitem__, player_count=2)
    <Tree: 3 histories, 2 terminals, 1 + 0 information sets>
    """

    player: int
    knowledge: Hashable
    actions: Sequence[tuple[str, object]]


class ChanceNode(NamedTuple):
    """A history at which chance decides.

    `actions` are triples: the outcome, its probability and the state that it leads to.

    >>> coin = {"": ChanceNode([("heads", Fraction(1, 2), "h"), ("tails", Fraction(1, 2), "t")]), "h": TerminalNode((1, -1)), "t": TerminalNode((-1, 1))}
    >>> build_tree("", coin.__getitem__, player_count=2)
    <Tree: 3 histories, 2 terminals, 0 + 0 information sets>
    """

    actions: Sequence[tuple[str, Fraction, object]]


class TerminalNode(NamedTuple):
    """A history at which the game is over, with the payoff of each player.

    >>> build_tree("", {"": TerminalNode((1, -1))}.__getitem__, player_count=2).payoffs
    [(Fraction(1, 1), Fraction(-1, 1))]
    """

    payoffs: tuple[Fraction | int, ...]


def require_tree(value: object) -> None:
    """Raise an error if a value is not a `Tree`.

    >>> require_tree("podkidnoy")
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: 'podkidnoy' is not a game tree; make one with analysis.build_game_tree(rules) or gametheory.from_efg(text)
    """
    if not isinstance(value, Tree):
        raise TreeError(
            f"{short_repr(value)} is not a game tree; make one with analysis.build_game_tree(rules) or gametheory.from_efg(text)"
        )


class Tree:
    """A game in extensive form: a game tree with chance moves and information sets.

    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> tree
    <Tree: 3 histories, 2 terminals, 1 + 0 information sets>
    >>> tree.infosets[0].actions, [tree.payoffs[tree.infoset_of[node]] for node in tree.children(0)]
    (('l', 'r'), [(Fraction(1, 1), Fraction(-1, 1)), (Fraction(0, 1), Fraction(0, 1))])
    """

    __slots__ = (
        "actor",
        "chance_moves",
        "child_count",
        "first_child",
        "infoset_of",
        "infosets",
        "level_starts",
        "names",
        "origin",
        "parent",
        "payoffs",
        "player_count",
        "title",
    )

    def __init__(self, player_count: int, title: str = "", names: Sequence[str] = ()) -> None:
        self.player_count, self.title = player_count, title
        self.names = tuple(names) or tuple(map(default_name, range(player_count)))
        """The names of the players."""
        self.actor = array("b")
        """For each history: the index of the player who acts, `CHANCE` or `TERMINAL`."""
        self.parent = array("i")
        """For each history: the index of its parent; -1 for the root."""
        self.first_child = array("i")
        """For each history: the index of its first child; the other children follow directly."""
        self.child_count = array("i")
        """For each history: the number of its children (histories one action longer)."""
        self.infoset_of = array("i")
        """For each history: its index in `infosets`, `chance_moves` or `payoffs`, depending on the actor."""
        self.level_starts: list[int] = []
        """The index of the first history at each depth, and finally the number of histories."""
        self.infosets: list[InfoSet] = []
        self.chance_moves: list[ChanceMove] = []
        self.payoffs: list[tuple[Fraction, ...]] = []
        self.origin: object = None
        """The rules and deals from which the card position at a history can be rebuilt, or None."""

    @property
    def history_count(self) -> int:
        """Return the number of histories, including the root and the terminal histories."""
        return len(self.actor)

    @property
    def terminal_count(self) -> int:
        """Return the number of terminal histories."""
        return self.actor.count(TERMINAL)

    @property
    def infoset_counts(self) -> tuple[int, ...]:
        """Return the number of information sets of each player."""
        return tuple(sum(record.player == player for record in self.infosets) for player in range(self.player_count))

    def children(self, history: int) -> range:
        """Return the children of a history: the histories that continue it by one action."""
        first = self.first_child[history]
        return range(first, first + self.child_count[history])

    def last_action(self, history: int) -> str:
        """Return the last action of a history: the one that leads to it from its parent."""
        parent = self.parent[history]
        if parent < 0:
            raise TreeError("the root has no move before it; ask about another node")
        child_index, index = history - self.first_child[parent], self.infoset_of[parent]
        return (self.chance_moves[index] if self.actor[parent] == CHANCE else self.infosets[index]).actions[child_index]

    def actions_from_root(self, history: int) -> tuple[str, ...]:
        """Return all actions that lead to a history, starting at the root."""
        actions = []
        while self.parent[history] >= 0:
            actions.append(self.last_action(history))
            history = self.parent[history]
        return tuple(reversed(actions))

    def __eq__(self, other: object) -> bool:
        """Return whether two trees are equal, however their information sets are numbered."""
        if not isinstance(other, Tree):
            return NotImplemented
        own_shape = (self.player_count, self.title, self.names, self.actor, self.child_count)
        if own_shape != (other.player_count, other.title, other.names, other.actor, other.child_count):
            return False
        their_infosets, own_infosets = [-1] * len(self.infosets), [-1] * len(other.infosets)
        for actor, own_index, their_index in zip(self.actor, self.infoset_of, other.infoset_of, strict=True):
            if actor == TERMINAL:
                is_same = self.payoffs[own_index] == other.payoffs[their_index]
            elif actor == CHANCE:
                is_same = self.chance_moves[own_index] == other.chance_moves[their_index]
            elif their_infosets[own_index] < 0:
                is_same = own_infosets[their_index] < 0 and self.infosets[own_index] == other.infosets[their_index]
                their_infosets[own_index], own_infosets[their_index] = their_index, own_index
            else:
                is_same = their_infosets[own_index] == their_index
            if not is_same:
                return False
        return True

    def __hash__(self) -> int:
        return hash((self.player_count, self.title, self.history_count))

    def __repr__(self) -> str:
        counts = " + ".join(map(str, self.infoset_counts))
        return f"<Tree: {self.history_count:,} histories, {self.terminal_count:,} terminals, {counts} information sets>"


def build_tree(
    root: State,
    expand: Callable[[State], DecisionNode | ChanceNode | TerminalNode],
    *,
    player_count: int,
    title: str = "",
    names: Sequence[str] = (),
    label_infoset: Callable[[int, Hashable], str] | None = None,
    limit: int | None = None,
) -> Tree:
    """Build the tree of a game by expanding its states from the root.

    `expand` returns what follows at a state: a `DecisionNode`, a `ChanceNode` or a `TerminalNode`. `label_infoset`
    describes what a player knows. As soon as the tree has more than `limit` histories, the function raises an error.

    >>> states = {"": ChanceNode([("heads", Fraction(1, 2), "h"), ("tails", Fraction(1, 2), "t")]), "h": TerminalNode((1, -1)), "t": TerminalNode((-1, 1))}
    >>> build_tree("", states.__getitem__, player_count=2).chance_moves
    [ChanceMove(actions=('heads', 'tails'), probabilities=(Fraction(1, 2), Fraction(1, 2)))]
    """
    tree = Tree(player_count, title, names)
    infoset_indices: dict[tuple[int, Hashable], int] = {}
    chance_indices: dict[ChanceMove, int] = {}
    index_by_payoffs: dict[tuple[Fraction | int, ...], int] = {}
    payoff_indices: dict[tuple[Fraction, ...], int] = {}
    # While the tree is built, histories are numbered in the order of a depth-first search
    actor, parent, child_count, infoset_of = array("b"), array("i"), array("i"), array("i")
    depths, max_depth, max_histories = array("i"), 0, sys.maxsize if limit is None else limit
    waiting: list[tuple[State, int, int]] = [(root, -1, 0)]
    while waiting:
        state, parent_node, node_depth = waiting.pop()
        node, expanded = len(actor), expand(state)
        if node >= max_histories:
            raise TreeError(f"the tree has more than {max_histories:,} histories; give a higher limit, or take a smaller game")
        parent.append(parent_node)
        depths.append(node_depth)
        max_depth = max(max_depth, node_depth)
        if isinstance(expanded, DecisionNode):
            actor.append(expanded.player)
            infoset_of.append(_find_or_add_infoset(tree, infoset_indices, expanded, label_infoset))
        elif isinstance(expanded, TerminalNode):
            actor.append(TERMINAL)
            child_count.append(0)
            index = index_by_payoffs.get(expanded.payoffs)
            if index is None:
                exact_payoffs = tuple(map(Fraction, expanded.payoffs))
                if len(exact_payoffs) != player_count:
                    raise TreeError(
                        f"a terminal node needs a payoff for each of the {player_count} players, but has {len(exact_payoffs)}: {exact_payoffs}"
                    )
                if not all(map(is_printable, exact_payoffs)):
                    raise TreeError(PAYOFF_TOO_LONG)
                index = index_by_payoffs[expanded.payoffs] = payoff_indices.setdefault(exact_payoffs, len(payoff_indices))
            infoset_of.append(index)
            continue
        else:
            actor.append(CHANCE)
            chance_move = ChanceMove(
                tuple([action_entry[0] for action_entry in expanded.actions]),
                tuple([Fraction(action_entry[1]) for action_entry in expanded.actions]),
            )
            if sum(chance_move.probabilities) != 1 or min(chance_move.probabilities) < 0:
                raise TreeError(
                    f"the probabilities of a chance move must be at least 0 and add up to 1, not {sum(chance_move.probabilities)}"
                )
            infoset_of.append(chance_indices.setdefault(chance_move, len(chance_indices)))
        successors: list[tuple[object, int, int]] = [(action_entry[-1], node, node_depth + 1) for action_entry in expanded.actions]
        child_count.append(len(successors))
        successors.reverse()
        waiting += successors  # type: ignore[arg-type]
    tree.chance_moves, tree.payoffs = list(chance_indices), list(payoff_indices)
    _number_by_levels(tree, max_depth, depths, parent, actor, child_count, infoset_of)
    return tree


def _find_or_add_infoset(
    tree: Tree,
    infoset_indices: dict[tuple[int, Hashable], int],
    decision: DecisionNode,
    label_infoset: Callable[[int, Hashable], str] | None,
) -> int:
    """Return the index of an information set; add the set to the tree if it is new.

    An information set must have the same actions at each of its histories.
    """
    key, actions = (decision.player, decision.knowledge), tuple([action for action, _ in decision.actions])
    infoset = infoset_indices.setdefault(key, len(infoset_indices))
    if infoset == len(tree.infosets):
        if not actions:
            raise TreeError(
                f"{format_player_name(tree.names, decision.player)} acts here but has no move; if the game is over, make this a terminal node"
            )
        tree.infosets.append(
            InfoSet(
                decision.player,
                str(decision.knowledge) if label_infoset is None else label_infoset(decision.player, decision.knowledge),
                actions,
            )
        )
    elif tree.infosets[infoset].actions != actions:
        raise TreeError(
            f"{format_player_name(tree.names, decision.player)} knows the same in two histories but has different moves: {tree.infosets[infoset].actions} and {actions}"
        )
    return infoset


def _number_by_levels(tree: Tree, max_depth: int, depths: array[int], *arrays: array[int]) -> None:
    """Renumber the histories of a tree by depth: the root first, then its children, and so on.

    Histories of one level stay in the order in which they were found, so siblings are next to each other.
    """
    sizes = [0] * (max_depth + 1)
    for node_depth in depths:
        sizes[node_depth] += 1
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    tree.level_starts = starts
    next_free, new_number = starts[:], array("i", bytes(4 * len(depths)))
    for old_node, node_depth in enumerate(depths):
        new_number[old_node] = next_free[node_depth]
        next_free[node_depth] += 1
    parent, actor, child_count, infoset_of = arrays
    tree.parent, tree.actor, tree.child_count, tree.infoset_of = (
        array(values.typecode, bytes(values.itemsize * len(values))) for values in arrays
    )
    for old_node, node in enumerate(new_number):
        tree.parent[node] = new_number[parent[old_node]] if parent[old_node] >= 0 else -1
        tree.actor[node], tree.child_count[node], tree.infoset_of[node] = actor[old_node], child_count[old_node], infoset_of[old_node]
    first = 1
    for children in tree.child_count:
        tree.first_child.append(first)
        first += children


def is_printable(payoff: Fraction) -> bool:
    """Return whether a payoff is short enough to be printed.

    >>> is_printable(Fraction(1, 3)), is_printable(Fraction(10**5000))
    (True, False)
    """
    return max(abs(payoff.numerator), payoff.denominator) < 10**1000


def describe_imperfect_recall(tree: Tree) -> str | None:
    """Describe an information set where a player has forgotten something, or return None.

    Return None if every player has perfect recall.

    >>> states = {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": DecisionNode(0, "!", [("c", "c")]), "b": DecisionNode(0, "!", [("c", "c")]), "c": TerminalNode((0, 0))}
    >>> describe_imperfect_recall(build_tree("", states.__getitem__, player_count=2))
    "Player 1 forgets what they knew or did before '!'"
    """
    last_before: list[tuple[int, int] | None] = [None] * len(tree.infosets)
    seen = bytearray(len(tree.infosets))
    last_actions: list[tuple[tuple[int, int] | None, ...]] = [(None,) * tree.player_count]
    for node in range(tree.history_count):
        player = tree.actor[node]
        if player >= 0:
            infoset, last_own = tree.infoset_of[node], last_actions[node][player]
            if seen[infoset] and last_before[infoset] != last_own:
                label = tree.infosets[infoset].label
                infoset_name = repr(label) if label.strip() else "a choice without a name"
                return f"{format_player_name(tree.names, player)} forgets what they knew or did before {infoset_name}"
            seen[infoset], last_before[infoset] = 1, last_own
        for move in range(tree.child_count[node]):
            last_actions.append(
                last_actions[node]
                if player < 0
                else (*last_actions[node][:player], (tree.infoset_of[node], move), *last_actions[node][player + 1 :])
            )
    return None


OtherNode = TypeVar("OtherNode")


def walk_in_parallel(
    tree: Tree, root: OtherNode, children_of: Callable[[int, OtherNode], Sequence[OtherNode]]
) -> Iterator[tuple[int, int, OtherNode]]:
    """Visit the information sets of a tree together with another form of the same game.

    Yield each information set (an index), its first history, and the corresponding node of the other form. `children_of`
    returns the other form's children of a node, in the order of the tree's own actions. Only histories that lead to an
    information set are visited.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> states = {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((0,)), "b": DecisionNode(0, "!", [("c", "a")])}
    >>> tree = build_tree("", states.__getitem__, player_count=1)
    >>> list(walk_in_parallel(tree, "root", lambda history, other_node: [f"{other_node}, {action}" for action in tree.infosets[tree.infoset_of[history]].actions]))
    [(0, 0, 'root'), (1, 2, 'root, b')]
    """
    first_node: dict[int, int] = {}
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        if actor >= 0:
            first_node.setdefault(infoset, node)
    nodes_on_paths, infoset_at = set(first_node.values()), {node: infoset for infoset, node in first_node.items()}
    for node in first_node.values():
        parent = tree.parent[node]
        while parent >= 0 and parent not in nodes_on_paths:
            nodes_on_paths.add(parent)
            parent = tree.parent[parent]
    waiting = [(0, root)] if nodes_on_paths else []
    while waiting:
        node, other_node = waiting.pop()
        if node in infoset_at:
            yield infoset_at[node], node, other_node
        waiting += [
            (child, other_child)
            for child, other_child in zip(tree.children(node), children_of(node, other_node), strict=True)
            if child in nodes_on_paths
        ]
