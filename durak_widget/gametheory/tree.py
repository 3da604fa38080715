"""Defines a game in extensive form as flat arrays.

The arrays say who moves at each node, what that player knows, where each action leads, and each terminal payoff.
Nodes are numbered level by level, the root is first, and siblings are next to each other. So a solver runs through
the arrays forwards or backwards and needs no pointers. The tree knows no cards: any finite game works. It can be
walked in parallel with another form of the same game.
"""

from __future__ import annotations

import sys
from array import array
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from durak_widget.errors import DurakError, quoted
from durak_widget.gametheory.player_labels import default_name, player_named

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

CHANCE: Final = -1
"""The actor of a history at which a chance move follows."""
OVER: Final = -2
"""The actor of a history at which the game is over."""
UNREADABLE: Final = "a payoff of more than a thousand digits is none that anybody could read"
"""The error message about a payoff with too many digits."""
Where = TypeVar("Where")


class TreeError(DurakError, ValueError):
    """A game that cannot be a tree, or a question that the tree cannot answer.

    >>> grow("", {"": Turn(0, "begins", [])}.__getitem__, seats=2)
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: Player 1 is to act and has no move; a game that is over is an end
    """


class InfoSet(NamedTuple):
    """An information set: what a player knows when they are to act.

    >>> grow("", {"": Turn(0, "begins", [("go", "end")]), "end": End((1, -1))}.__getitem__, seats=2).sets
    [InfoSet(seat=0, label='begins', moves=('go',))]
    """

    seat: int
    label: str
    """A description of what the player knows."""
    moves: tuple[str, ...]
    """The possible actions, in the order of the children."""


class Chance(NamedTuple):
    """A chance move: its outcomes and their probabilities."""

    moves: tuple[str, ...]
    probabilities: tuple[Fraction, ...]


class Turn(NamedTuple):
    """A history at which a player is to act.

    `knows` is equal at two histories exactly if the player cannot distinguish them. `moves` are pairs: the action and
    the state that it leads to.

    >>> states = {"": Turn(0, "begins", [("left", "l"), ("right", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> grow("", states.__getitem__, seats=2)
    <Tree: 3 histories, 2 terminals, 1 + 0 information sets>
    """

    seat: int
    knows: Hashable
    moves: Sequence[tuple[str, object]]


class Draw(NamedTuple):
    """A history at which chance decides.

    `moves` are triples: the outcome, its probability and the state that it leads to.

    >>> coin = {"": Draw([("heads", Fraction(1, 2), "h"), ("tails", Fraction(1, 2), "t")]), "h": End((1, -1)), "t": End((-1, 1))}
    >>> grow("", coin.__getitem__, seats=2)
    <Tree: 3 histories, 2 terminals, 0 + 0 information sets>
    """

    moves: Sequence[tuple[str, Fraction, object]]


class End(NamedTuple):
    """A history at which the game is over, with the payoff of each player.

    >>> grow("", {"": End((1, -1))}.__getitem__, seats=2).payoffs
    [(Fraction(1, 1), Fraction(-1, 1))]
    """

    payoffs: tuple[Fraction | int, ...]


def require_tree(what: object) -> None:
    """Refuse anything but a `Tree`.

    >>> require_tree("podkidnoy")
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: 'podkidnoy' is no tree of a game; analysis.build(rules) makes one, or gametheory.from_efg(text)
    """
    if not isinstance(what, Tree):
        raise TreeError(f"{quoted(what)} is no tree of a game; analysis.build(rules) makes one, or gametheory.from_efg(text)")


class Tree:
    """A game in extensive form.

    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> tree
    <Tree: 3 histories, 2 terminals, 1 + 0 information sets>
    >>> tree.sets[0].moves, [tree.payoffs[tree.info[node]] for node in tree.children(0)]
    (('l', 'r'), [(Fraction(1, 1), Fraction(-1, 1)), (Fraction(0, 1), Fraction(0, 1))])
    """

    __slots__ = ("actor", "chances", "count", "first", "info", "levels", "names", "origin", "parent", "payoffs", "seats", "sets", "title")

    def __init__(self, seats: int, title: str = "", names: Sequence[str] = ()) -> None:
        self.seats, self.title = seats, title
        self.names = tuple(names) or tuple(map(default_name, range(seats)))
        """The players' names."""
        self.actor = array("b")
        """For each history: the player to act, `CHANCE` or `OVER`."""
        self.parent = array("i")
        """For each history: its parent; -1 for the root."""
        self.first = array("i")
        """For each history: its first child; the other children follow it."""
        self.count = array("i")
        """For each history: the number of its children."""
        self.info = array("i")
        """For each history: its index in `sets`, in `chances` or in `payoffs`, depending on the actor."""
        self.levels: list[int] = []
        """The first history of each level, and last the number of histories."""
        self.sets: list[InfoSet] = []
        self.chances: list[Chance] = []
        self.payoffs: list[tuple[Fraction, ...]] = []
        self.origin: object = None
        """The source from which the position of a history can be rebuilt, or None."""

    @property
    def histories(self) -> int:
        """Return the number of histories, including the root and the terminal ones."""
        return len(self.actor)

    @property
    def terminals(self) -> int:
        """Return the number of terminal histories."""
        return self.actor.count(OVER)

    @property
    def infosets(self) -> tuple[int, ...]:
        """Return the number of information sets of each player."""
        return tuple(sum(record.seat == player for record in self.sets) for player in range(self.seats))

    def children(self, history: int) -> range:
        """Return the histories that continue this one by one action."""
        first = self.first[history]
        return range(first, first + self.count[history])

    def move_to(self, history: int) -> str:
        """Return the action that led to this history from its parent."""
        parent = self.parent[history]
        if parent < 0:
            raise TreeError("no move led to the root; ask for that of another history")
        child_index, index = history - self.first[parent], self.info[parent]
        return (self.chances[index] if self.actor[parent] == CHANCE else self.sets[index]).moves[child_index]

    def moves_to(self, history: int) -> tuple[str, ...]:
        """Return all actions that led to this history, starting at the root."""
        actions = []
        while self.parent[history] >= 0:
            actions.append(self.move_to(history))
            history = self.parent[history]
        return tuple(reversed(actions))

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same game, however its information sets are numbered."""
        if not isinstance(other, Tree):
            return NotImplemented
        own_shape = (self.seats, self.title, self.names, self.actor, self.count)
        if own_shape != (other.seats, other.title, other.names, other.actor, other.count):
            return False
        their_infosets, own_infosets = [-1] * len(self.sets), [-1] * len(other.sets)
        for actor, own_index, their_index in zip(self.actor, self.info, other.info, strict=True):
            if actor == OVER:
                is_same = self.payoffs[own_index] == other.payoffs[their_index]
            elif actor == CHANCE:
                is_same = self.chances[own_index] == other.chances[their_index]
            elif their_infosets[own_index] < 0:
                is_same = own_infosets[their_index] < 0 and self.sets[own_index] == other.sets[their_index]
                their_infosets[own_index], own_infosets[their_index] = their_index, own_index
            else:
                is_same = their_infosets[own_index] == their_index
            if not is_same:
                return False
        return True

    def __hash__(self) -> int:
        return hash((self.seats, self.title, self.histories))

    def __repr__(self) -> str:
        counts = " + ".join(map(str, self.infosets))
        return f"<Tree: {self.histories:,} histories, {self.terminals:,} terminals, {counts} information sets>"


def grow(
    root: Where,
    look: Callable[[Where], Turn | Draw | End],
    *,
    seats: int,
    title: str = "",
    names: Sequence[str] = (),
    say: Callable[[int, Hashable], str] | None = None,
    limit: int | None = None,
) -> Tree:
    """Build the tree of a game.

    `look` returns what follows at a state: a `Turn`, a `Draw` or an `End`. `say` describes what a player knows. A tree
    of more histories than `limit` is refused as soon as the limit is passed.

    >>> states = {"": Draw([("heads", Fraction(1, 2), "h"), ("tails", Fraction(1, 2), "t")]), "h": End((1, -1)), "t": End((-1, 1))}
    >>> grow("", states.__getitem__, seats=2).chances
    [Chance(moves=('heads', 'tails'), probabilities=(Fraction(1, 2), Fraction(1, 2)))]
    """
    tree = Tree(seats, title, names)
    infoset_indices: dict[tuple[int, Hashable], int] = {}
    chance_indices: dict[Chance, int] = {}
    index_by_payoffs: dict[tuple[Fraction | int, ...], int] = {}
    payoff_indices: dict[tuple[Fraction, ...], int] = {}
    actor, parent, child_count, infoset_of = array("b"), array("i"), array("i"), array("i")  # numbered in the order found, depth first
    depths, max_depth, max_histories = array("i"), 0, sys.maxsize if limit is None else limit
    waiting: list[tuple[Where, int, int]] = [(root, -1, 0)]
    while waiting:
        state, parent_node, node_depth = waiting.pop()
        node, expanded = len(actor), look(state)
        if node >= max_histories:
            raise TreeError(f"the tree has more than {max_histories:,} histories; give it a higher limit, or take a smaller game")
        parent.append(parent_node)
        depths.append(node_depth)
        max_depth = max(max_depth, node_depth)
        if isinstance(expanded, Turn):
            actor.append(expanded.seat)
            infoset_of.append(_set_of(tree, infoset_indices, expanded, say))
        elif isinstance(expanded, End):
            actor.append(OVER)
            child_count.append(0)
            index = index_by_payoffs.get(expanded.payoffs)
            if index is None:
                exact_payoffs = tuple(map(Fraction, expanded.payoffs))
                if len(exact_payoffs) != seats:
                    raise TreeError(
                        f"an end is worth something to each of the {seats} seats, and {len(exact_payoffs)} payoffs are given: {exact_payoffs}"
                    )
                if not all(map(readable, exact_payoffs)):
                    raise TreeError(UNREADABLE)
                index = index_by_payoffs[expanded.payoffs] = payoff_indices.setdefault(exact_payoffs, len(payoff_indices))
            infoset_of.append(index)
            continue
        else:
            actor.append(CHANCE)
            chance_move = Chance(
                tuple([action_entry[0] for action_entry in expanded.moves]),
                tuple([Fraction(action_entry[1]) for action_entry in expanded.moves]),
            )
            if sum(chance_move.probabilities) != 1 or min(chance_move.probabilities) < 0:
                raise TreeError(f"the probabilities of chance must be at least 0 and add up to 1, not {sum(chance_move.probabilities)}")
            infoset_of.append(chance_indices.setdefault(chance_move, len(chance_indices)))
        successors: list[tuple[object, int, int]] = [(action_entry[-1], node, node_depth + 1) for action_entry in expanded.moves]
        child_count.append(len(successors))
        successors.reverse()
        waiting += successors  # type: ignore[arg-type]
    tree.chances, tree.payoffs = list(chance_indices), list(payoff_indices)
    _by_levels(tree, max_depth, depths, parent, actor, child_count, infoset_of)
    return tree


def _set_of(tree: Tree, sets: dict[tuple[int, Hashable], int], turn: Turn, say: Callable[[int, Hashable], str] | None) -> int:
    """Return the index of an information set, adding it to the tree if it is new.

    An information set must have the same actions at each of its histories.
    """
    key, actions = (turn.seat, turn.knows), tuple([action for action, _ in turn.moves])
    infoset = sets.setdefault(key, len(sets))
    if infoset == len(tree.sets):
        if not actions:
            raise TreeError(f"{player_named(tree.names, turn.seat)} is to act and has no move; a game that is over is an end")
        tree.sets.append(InfoSet(turn.seat, str(turn.knows) if say is None else say(turn.seat, turn.knows), actions))
    elif tree.sets[infoset].moves != actions:
        raise TreeError(
            f"{player_named(tree.names, turn.seat)} knows the same in two histories and has other moves: {tree.sets[infoset].moves} and {actions}"
        )
    return infoset


def _by_levels(tree: Tree, deepest: int, depth: array[int], *found: array[int]) -> None:
    """Number the histories level by level.

    Histories of one level stay in the order in which they were found, so siblings are next to each other.
    """
    sizes = [0] * (deepest + 1)
    for node_depth in depth:
        sizes[node_depth] += 1
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    tree.levels = starts
    next_free, new_number = starts[:], array("i", bytes(4 * len(depth)))
    for old_node, node_depth in enumerate(depth):
        new_number[old_node] = next_free[node_depth]
        next_free[node_depth] += 1
    parent, actor, child_count, infoset_of = found
    tree.parent, tree.actor, tree.count, tree.info = (array(values.typecode, bytes(values.itemsize * len(values))) for values in found)
    for old_node, node in enumerate(new_number):
        tree.parent[node] = new_number[parent[old_node]] if parent[old_node] >= 0 else -1
        tree.actor[node], tree.count[node], tree.info[node] = actor[old_node], child_count[old_node], infoset_of[old_node]
    first = 1
    for children in tree.count:
        tree.first.append(first)
        first += children


def readable(worth: Fraction) -> bool:
    """Return whether a payoff has few enough digits to be written down.

    >>> readable(Fraction(1, 3)), readable(Fraction(10**5000))
    (True, False)
    """
    return max(abs(worth.numerator), worth.denominator) < 10**1000


def forgets(tree: Tree) -> str | None:
    """Describe a place where a player forgets what they knew or did.

    Return None if every player has perfect recall.

    >>> states = {"": Turn(0, "?", [("a", "a"), ("b", "b")]), "a": Turn(0, "!", [("c", "c")]), "b": Turn(0, "!", [("c", "c")]), "c": End((0, 0))}
    >>> forgets(grow("", states.__getitem__, seats=2))
    "Player 1 forgets what they knew or did before '!'"
    """
    last_before: list[tuple[int, int] | None] = [None] * len(tree.sets)
    seen = bytearray(len(tree.sets))
    last_actions: list[tuple[tuple[int, int] | None, ...]] = [(None,) * tree.seats]
    for node in range(tree.histories):
        player = tree.actor[node]
        if player >= 0:
            infoset, last_own = tree.info[node], last_actions[node][player]
            if seen[infoset] and last_before[infoset] != last_own:
                label = tree.sets[infoset].label
                infoset_name = repr(label) if label.strip() else "a choice without a name"
                return f"{player_named(tree.names, player)} forgets what they knew or did before {infoset_name}"
            seen[infoset], last_before[infoset] = 1, last_own
        for move in range(tree.count[node]):
            last_actions.append(
                last_actions[node]
                if player < 0
                else (*last_actions[node][:player], (tree.info[node], move), *last_actions[node][player + 1 :])
            )
    return None


There = TypeVar("There")


def side_by_side(tree: Tree, root: There, below: Callable[[int, There], Sequence[There]]) -> Iterator[tuple[int, int, There]]:
    """Walk the tree in parallel with another form of the same game.

    Yield each information set (an index), its first history, and the corresponding node of the other form. `below`
    returns the other form's children of a node, in the order of the tree's own actions. Only histories that lead to an
    information set are visited.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> states = {"": Turn(0, "?", [("a", "a"), ("b", "b")]), "a": End((0,)), "b": Turn(0, "!", [("c", "a")])}
    >>> tree = grow("", states.__getitem__, seats=1)
    >>> list(side_by_side(tree, "root", lambda history, other_node: [f"{other_node}, {action}" for action in tree.sets[tree.info[history]].moves]))
    [(0, 0, 'root'), (1, 2, 'root, b')]
    """
    first_node: dict[int, int] = {}
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if actor >= 0:
            first_node.setdefault(infoset, node)
    wanted, infoset_at = set(first_node.values()), {node: infoset for infoset, node in first_node.items()}
    for node in first_node.values():
        parent = tree.parent[node]
        while parent >= 0 and parent not in wanted:
            wanted.add(parent)
            parent = tree.parent[parent]
    waiting = [(0, root)] if wanted else []
    while waiting:
        node, other_node = waiting.pop()
        if node in infoset_at:
            yield infoset_at[node], node, other_node
        waiting += [
            (child, other_child) for child, other_child in zip(tree.children(node), below(node, other_node), strict=True) if child in wanted
        ]
