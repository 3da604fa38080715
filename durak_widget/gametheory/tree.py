"""Defines a game in extensive form as flat arrays, and walks it beside another form of the same game.

The arrays say who moves at each node, what that player knows, where each move leads, and each terminal
payoff. Nodes are numbered level by level, the root is first, and siblings are next to each other. So a solver
runs through the arrays forwards or backwards and needs no pointers. The tree knows no cards: any finite game
works.
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
"""Nobody acts: what follows is drawn by chance."""
OVER: Final = -2
"""The game is over."""
UNREADABLE: Final = "a payoff of more than a thousand digits is none that anybody could read"
Where = TypeVar("Where")


class TreeError(DurakError, ValueError):
    """A game that cannot be a tree, or a tree of which something was asked that it does not have.

    >>> grow("", {"": Turn(0, "begins", [])}.__getitem__, seats=2)
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: Player 1 is to act and has no move; a game that is over is an end
    """


class InfoSet(NamedTuple):
    """What a seat knows when it is to act: one information set.

    >>> grow("", {"": Turn(0, "begins", [("go", "end")]), "end": End((1, -1))}.__getitem__, seats=2).sets
    [InfoSet(seat=0, label='begins', moves=('go',))]
    """

    seat: int
    label: str
    """What the seat knows, in words."""
    moves: tuple[str, ...]
    """What it may do, in the order of the children."""


class Chance(NamedTuple):
    """What chance may do, and how likely each is."""

    moves: tuple[str, ...]
    probabilities: tuple[Fraction, ...]


class Turn(NamedTuple):
    """A history at which a seat is to act: what it knows (equal exactly where it knows the same), and where its moves lead.

    >>> places = {"": Turn(0, "begins", [("left", "l"), ("right", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> grow("", places.__getitem__, seats=2)
    <Tree: 3 histories, 2 terminals, 1 + 0 information sets>
    """

    seat: int
    knows: Hashable
    moves: Sequence[tuple[str, object]]


class Draw(NamedTuple):
    """A history at which chance decides: each way with its probability.

    >>> coin = {"": Draw([("heads", Fraction(1, 2), "h"), ("tails", Fraction(1, 2), "t")]), "h": End((1, -1)), "t": End((-1, 1))}
    >>> grow("", coin.__getitem__, seats=2)
    <Tree: 3 histories, 2 terminals, 0 + 0 information sets>
    """

    moves: Sequence[tuple[str, Fraction, object]]


class End(NamedTuple):
    """A history at which the game is over: what it is worth to each seat.

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
        """What each seat is called."""
        self.actor = array("b")
        """Of each history: the seat to act, `CHANCE` or `OVER`."""
        self.parent = array("i")
        """Of each history: the one it continues; -1 of the root."""
        self.first = array("i")
        """Of each history: its first child; the others follow it."""
        self.count = array("i")
        """Of each history: how many children it has."""
        self.info = array("i")
        """Of each history: its place in `sets`, in `chances` or in `payoffs`."""
        self.levels: list[int] = []
        """The first history of each level, and at the end the number of all."""
        self.sets: list[InfoSet] = []
        self.chances: list[Chance] = []
        self.payoffs: list[tuple[Fraction, ...]] = []
        self.origin: object = None
        """What it was made from, so that whoever needs the moment of a history can go back to it; None where nobody can."""

    @property
    def histories(self) -> int:
        """How many histories there are, the root and the ends among them."""
        return len(self.actor)

    @property
    def terminals(self) -> int:
        """How many histories are ends."""
        return self.actor.count(OVER)

    @property
    def infosets(self) -> tuple[int, ...]:
        """How many information sets each seat has."""
        return tuple(sum(one.seat == seat for one in self.sets) for seat in range(self.seats))

    def children(self, history: int) -> range:
        """The histories that continue this one by one move."""
        first = self.first[history]
        return range(first, first + self.count[history])

    def move_to(self, history: int) -> str:
        """The move that led to this history from the one before."""
        before = self.parent[history]
        if before < 0:
            raise TreeError("no move led to the root; ask for that of another history")
        place, info = history - self.first[before], self.info[before]
        return (self.chances[info] if self.actor[before] == CHANCE else self.sets[info]).moves[place]

    def moves_to(self, history: int) -> tuple[str, ...]:
        """All moves that led to this history, from the root on."""
        made = []
        while self.parent[history] >= 0:
            made.append(self.move_to(history))
            history = self.parent[history]
        return tuple(reversed(made))

    def __eq__(self, other: object) -> bool:
        """Whether it is the same game said in the same words, however its information sets are numbered."""
        if not isinstance(other, Tree):
            return NotImplemented
        mine = (self.seats, self.title, self.names, self.actor, self.count)
        if mine != (other.seats, other.title, other.names, other.actor, other.count):
            return False
        there, back = [-1] * len(self.sets), [-1] * len(other.sets)
        for actor, one, two in zip(self.actor, self.info, other.info, strict=True):
            if actor == OVER:
                same = self.payoffs[one] == other.payoffs[two]
            elif actor == CHANCE:
                same = self.chances[one] == other.chances[two]
            elif there[one] < 0:
                same = back[two] < 0 and self.sets[one] == other.sets[two]
                there[one], back[two] = two, one
            else:
                same = there[one] == two
            if not same:
                return False
        return True

    def __hash__(self) -> int:
        return hash((self.seats, self.title, self.histories))

    def __repr__(self) -> str:
        sets = " + ".join(map(str, self.infosets))
        return f"<Tree: {self.histories:,} histories, {self.terminals:,} terminals, {sets} information sets>"


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
    """The tree of a game: `look` says of each place whose move it is and what follows; `say` puts what a seat knows into words.

    A tree of more histories than `limit` is refused as soon as there is one too many.

    >>> places = {"": Draw([("heads", Fraction(1, 2), "h"), ("tails", Fraction(1, 2), "t")]), "h": End((1, -1)), "t": End((-1, 1))}
    >>> grow("", places.__getitem__, seats=2).chances
    [Chance(moves=('heads', 'tails'), probabilities=(Fraction(1, 2), Fraction(1, 2)))]
    """
    tree = Tree(seats, title, names)
    sets: dict[tuple[int, Hashable], int] = {}
    chances: dict[Chance, int] = {}
    worths: dict[tuple[Fraction | int, ...], int] = {}
    payoffs: dict[tuple[Fraction, ...], int] = {}
    actor, parent, count, info = array("b"), array("i"), array("i"), array("i")  # in the order found: depth first
    depth, deepest, most = array("i"), 0, sys.maxsize if limit is None else limit
    waiting: list[tuple[Where, int, int]] = [(root, -1, 0)]
    while waiting:
        where, before, deep = waiting.pop()
        here, found = len(actor), look(where)
        if here >= most:
            raise TreeError(f"the tree has more than {most:,} histories; give it a higher limit, or take a smaller game")
        parent.append(before)
        depth.append(deep)
        deepest = max(deepest, deep)
        if isinstance(found, Turn):
            actor.append(found.seat)
            info.append(_set_of(tree, sets, found, say))
        elif isinstance(found, End):
            actor.append(OVER)
            count.append(0)
            place = worths.get(found.payoffs)
            if place is None:
                worth = tuple(map(Fraction, found.payoffs))
                if len(worth) != seats:
                    raise TreeError(f"an end is worth something to each of the {seats} seats, and {len(worth)} payoffs are given: {worth}")
                if not all(map(readable, worth)):
                    raise TreeError(UNREADABLE)
                place = worths[found.payoffs] = payoffs.setdefault(worth, len(payoffs))
            info.append(place)
            continue
        else:
            actor.append(CHANCE)
            drawn = Chance(tuple([one[0] for one in found.moves]), tuple([Fraction(one[1]) for one in found.moves]))
            if sum(drawn.probabilities) != 1 or min(drawn.probabilities) < 0:
                raise TreeError(f"the probabilities of chance must be at least 0 and add up to 1, not {sum(drawn.probabilities)}")
            info.append(chances.setdefault(drawn, len(chances)))
        below: list[tuple[object, int, int]] = [(one[-1], here, deep + 1) for one in found.moves]
        count.append(len(below))
        below.reverse()
        waiting += below  # type: ignore[arg-type]
    tree.chances, tree.payoffs = list(chances), list(payoffs)
    _by_levels(tree, deepest, depth, parent, actor, count, info)
    return tree


def _set_of(tree: Tree, sets: dict[tuple[int, Hashable], int], turn: Turn, say: Callable[[int, Hashable], str] | None) -> int:
    """The place of an information set, which has the same moves wherever the seat knows the same."""
    key, moves = (turn.seat, turn.knows), tuple([name for name, _ in turn.moves])
    place = sets.setdefault(key, len(sets))
    if place == len(tree.sets):
        if not moves:
            raise TreeError(f"{player_named(tree.names, turn.seat)} is to act and has no move; a game that is over is an end")
        tree.sets.append(InfoSet(turn.seat, str(turn.knows) if say is None else say(turn.seat, turn.knows), moves))
    elif tree.sets[place].moves != moves:
        raise TreeError(
            f"{player_named(tree.names, turn.seat)} knows the same in two histories and has other moves: {tree.sets[place].moves} and {moves}"
        )
    return place


def _by_levels(tree: Tree, deepest: int, depth: array[int], *found: array[int]) -> None:
    """Number the histories level by level; those of one level stay in the order in which they were found, so that siblings stand together."""
    sizes = [0] * (deepest + 1)
    for deep in depth:
        sizes[deep] += 1
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    tree.levels = starts
    free, number = starts[:], array("i", bytes(4 * len(depth)))
    for here, deep in enumerate(depth):
        number[here] = free[deep]
        free[deep] += 1
    parent, actor, count, info = found
    tree.parent, tree.actor, tree.count, tree.info = (array(one.typecode, bytes(one.itemsize * len(one))) for one in found)
    for here, place in enumerate(number):
        tree.parent[place] = number[parent[here]] if parent[here] >= 0 else -1
        tree.actor[place], tree.count[place], tree.info[place] = actor[here], count[here], info[here]
    first = 1
    for children in tree.count:
        tree.first.append(first)
        first += children


def readable(worth: Fraction) -> bool:
    """Whether a payoff has so few digits that it can be written down.

    >>> readable(Fraction(1, 3)), readable(Fraction(10**5000))
    (True, False)
    """
    return max(abs(worth.numerator), worth.denominator) < 10**1000


def forgets(tree: Tree) -> str | None:
    """Where a seat forgets what it knew or did, in words; None where everybody has perfect recall.

    >>> places = {"": Turn(0, "?", [("a", "a"), ("b", "b")]), "a": Turn(0, "!", [("c", "c")]), "b": Turn(0, "!", [("c", "c")]), "c": End((0, 0))}
    >>> forgets(grow("", places.__getitem__, seats=2))
    "Player 1 forgets what they knew or did before '!'"
    """
    lasts: list[tuple[int, int] | None] = [None] * len(tree.sets)
    known = bytearray(len(tree.sets))
    last: list[tuple[tuple[int, int] | None, ...]] = [(None,) * tree.seats]
    for here in range(tree.histories):
        seat = tree.actor[here]
        if seat >= 0:
            place, before = tree.info[here], last[here][seat]
            if known[place] and lasts[place] != before:
                label = tree.sets[place].label
                where = repr(label) if label.strip() else "a choice without a name"
                return f"{player_named(tree.names, seat)} forgets what they knew or did before {where}"
            known[place], lasts[place] = 1, before
        for move in range(tree.count[here]):
            last.append(last[here] if seat < 0 else (*last[here][:seat], (tree.info[here], move), *last[here][seat + 1 :]))
    return None


There = TypeVar("There")


def side_by_side(tree: Tree, root: There, below: Callable[[int, There], Sequence[There]]) -> Iterator[tuple[int, int, There]]:
    """Of each information set of the tree its place, its first history, and what stands there in the other writing.

    `below` says what follows a history there, in the order of the tree's own moves. Only what leads to an information set is gone through.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "?", [("a", "a"), ("b", "b")]), "a": End((0,)), "b": Turn(0, "!", [("c", "a")])}
    >>> tree = grow("", places.__getitem__, seats=1)
    >>> list(side_by_side(tree, "root", lambda history, there: [f"{there}, {move}" for move in tree.sets[tree.info[history]].moves]))
    [(0, 0, 'root'), (1, 2, 'root, b')]
    """
    first: dict[int, int] = {}
    for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if who >= 0:
            first.setdefault(place, here)
    wanted, at = set(first.values()), {here: place for place, here in first.items()}
    for here in first.values():
        before = tree.parent[here]
        while before >= 0 and before not in wanted:
            wanted.add(before)
            before = tree.parent[before]
    waiting = [(0, root)] if wanted else []
    while waiting:
        here, there = waiting.pop()
        if here in at:
            yield at[here], here, there
        waiting += [(child, other) for child, other in zip(tree.children(here), below(here, there), strict=True) if child in wanted]
