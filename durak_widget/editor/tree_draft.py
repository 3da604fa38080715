"""Defines the unfinished tree that the editor works on, as an immutable value.

A draft holds nodes, information sets and players, complete or not. No edit changes a draft: an edit works on
a copy that may be written to, and the next draft is made from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.board.message_parsing import MessageError
from durak_widget.board.tree_wording import plain_name
from durak_widget.errors import quoted, whole_number
from durak_widget.gametheory.player_labels import default_name, is_unnamed
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.i18n import Seat
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MOST: Final = 2_000
"""The most nodes that a draft can have; nobody draws more by hand."""
ROOT: Final = 0


class Place(NamedTuple):
    """A node of the draft: who acts there and what follows."""

    up: int = -1
    actor: int = OVER
    """The player to act, `CHANCE`, or `OVER` if nothing follows yet."""
    known: int = -1
    """The number of its information set; -1 if no player acts."""
    below: tuple[int, ...] = ()
    moves: tuple[str, ...] = ()
    """The names of chance moves; the actions of a player belong to the information set."""
    likely: tuple[Fraction | None, ...] = ()
    """The probability of each chance move; those that are None share the rest."""
    worth: tuple[Fraction | None, ...] = ()
    """The payoff of each player at a terminal node; None if it is not typed yet."""


class DrawnSet(NamedTuple):
    """An information set of the draft; its actions are the same at each of its nodes."""

    seat: int
    label: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameDraft:
    """The draft of a tree at one moment; equal to another if all its parts are equal.

    >>> GameDraft().seats, GameDraft().places[0].worth, GameDraft() == GameDraft()
    (2, (None, None), True)
    """

    places: Mapping[int, Place] = field(default_factory=lambda: {ROOT: Place(worth=(None, None))})
    """Each node by its number, which it keeps as long as it exists; the root is 0."""
    sets: Mapping[int, DrawnSet] = field(default_factory=dict)
    names: tuple[str, ...] = (default_name(0), default_name(1))
    """The name of each player; `Player 1` and so on by default."""
    title: str = ""
    free: int = 1
    """The number of the next new node or information set."""

    @property
    def seats(self) -> int:
        """Return the number of players."""
        return len(self.names)

    def a_place(self, node: object) -> int:
        """Return the number of a node; refuse anything else.

        >>> GameDraft().a_place(7)
        Traceback (most recent call last):
        durak_widget.board.message_parsing.MessageError: 7 is no place of this sketch; there are 0
        """
        number = whole_number(node)
        if number is None or number not in self.places:
            examples = ", ".join(map(str, list(self.places)[:12]))
            raise MessageError(f"{quoted(node)} is no place of this sketch; there are {examples}{' …' if len(self.places) > 12 else ''}")
        return number

    def a_player(self, seat: object) -> int:
        """Return the number of a player; refuse anything else."""
        number = whole_number(seat)
        if number is None or not 0 <= number < self.seats:
            raise MessageError(f"{quoted(seat)} is no seat of this sketch; the seats are 0 to {self.seats - 1}")
        return number

    def moves(self, node: int) -> tuple[str, ...]:
        """Return the actions at a node."""
        record = self.places[node]
        return self.sets[record.known].moves if record.actor >= 0 else record.moves

    def move_to(self, node: int) -> str:
        """Return the name of the branch that leads to a node."""
        parent = self.places[node].up
        return self.moves(parent)[self.places[parent].below.index(node)]

    def members(self, node: int) -> list[int]:
        """Return all nodes in the information set of this node, itself among them.

        A chance node or a terminal node is alone.
        """
        infoset = self.places[node].known
        return [node] if infoset < 0 else [other for other, record in self.places.items() if record.known == infoset]

    def order(self, top: int = ROOT) -> Iterator[int]:
        """Yield the nodes below and including `top`, parents first, branch by branch."""
        stack = [top]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(self.places[node].below)

    def shares(self, node: int) -> list[Fraction | None]:
        """Return the probability of each branch of a chance node; None if unknown.

        Branches without a typed probability share the rest equally; they are None if nothing is left.

        >>> from durak_widget.editor import tree_edits
        >>> draft, _ = tree_edits.add_chance(GameDraft(), 0)
        >>> draft.shares(0), tree_edits.set_likely(draft, 1, "1/3")[0].shares(0)
        ([Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 3), Fraction(2, 3)])
        """
        probabilities = self.places[node].likely
        rest, blanks = 1 - sum((typed for typed in probabilities if typed is not None), Fraction(0)), probabilities.count(None)
        share = rest / blanks if blanks and rest >= 0 else None
        return [share if typed is None else typed for typed in probabilities]

    def player(self, seat: int) -> Seat | str:
        """Return a player as a sentence names them."""
        name = self.names[seat]
        return Seat(seat) if is_unnamed(name, seat) else plain_name(name)

    def way(self, node: int) -> str:
        """Return a node as a sentence names it: the actions that lead there; empty for the root."""
        actions = list[str]()
        while node != ROOT:
            actions.append(plain_name(self.move_to(node)) or "?")
            node = self.places[node].up
        return ", ".join(reversed(actions))


def shown_names(draft: GameDraft) -> tuple[str, ...]:
    """Return the names of the players; empty for a player without a name of their own.

    The page numbers the players without names.
    """
    return tuple(["" if is_unnamed(name, player) else name for player, name in enumerate(draft.names)])


def acts(actor: int) -> bool:
    """Return whether a player or chance acts there."""
    return actor >= CHANCE


class Pen:
    """Builds the next draft; the draft before it stays as it is.

    >>> before = GameDraft()
    >>> pen = Pen(before)
    >>> pen.grow(0), pen.done().places[1].up, len(before.places)
    (1, 0, 1)
    """

    def __init__(self, draft: GameDraft) -> None:
        self.draft = draft
        self.places, self.sets = dict(draft.places), dict(draft.sets)
        self._free = draft.free

    def done(self) -> GameDraft:
        """Return the next draft, without information sets that have no node left."""
        used = {node_record.known for node_record in self.places.values()}
        infosets = {infoset: record for infoset, record in self.sets.items() if infoset in used}
        return replace(self.draft, places=self.places, sets=infosets, free=self._free)

    def change(self, node: int, **facts: Any) -> None:  # noqa: ANN401 - whatever a place has
        """Change fields of a node."""
        self.places[node] = self.places[node]._replace(**facts)

    def number(self) -> int:
        """Return a number that no node or information set has had."""
        self._free += 1
        return self._free - 1

    def a_set(self, known: DrawnSet) -> int:
        """Add an information set and return its number."""
        infoset = self.number()
        self.sets[infoset] = known
        return infoset

    def grow(self, up: int) -> int:
        """Add a terminal node as the last child of a node and return its number."""
        if len(self.places) >= MOST:
            raise RefusedError("sketch.refused.many", most=f"{MOST:,}")
        node = self.number()
        self.places[node] = Place(up, worth=(None,) * self.draft.seats)
        self.change(up, below=(*self.places[up].below, node))
        return node

    def gone(self, tops: Iterable[int]) -> None:
        """Remove these nodes with all that follows them."""
        stack = [node for node in tops if node in self.places]
        while stack:
            stack += self.places.pop(stack.pop()).below

    def end(self, node: int) -> None:
        """Make a node terminal again: nothing follows it and it has no payoffs yet."""
        self.gone(self.places[node].below)
        self.places[node] = Place(self.places[node].up, worth=(None,) * self.draft.seats)

    def drop(self, at: int, node: int) -> None:
        """Remove a branch of a node with all that follows it.

        The actions of an information set are not changed.
        """
        record = self.places[node]
        self.gone([record.below[at]])
        children = record.below[:at] + record.below[at + 1 :]
        if not children:
            self.end(node)
        elif record.moves:
            self.change(
                node,
                below=children,
                moves=record.moves[:at] + record.moves[at + 1 :],
                likely=record.likely[:at] + record.likely[at + 1 :],
            )
        else:
            self.change(node, below=children)

    def copy(self, whence: GameDraft, top: int, to: int, *, joined: bool) -> None:
        """Copy the subtree below a node of a draft, perhaps of an earlier one, to a terminal node.

        Nodes in one information set there are in one here. If `joined` is true, a copy is in the same information set
        as its original.
        """
        infosets: dict[int, int] = {}
        stack = [(top, to)]
        while stack:
            source_node, target_node = stack.pop()
            record = whence.places[source_node]
            infoset = record.known
            if infoset >= 0:
                is_shared = joined and self.sets.get(infoset) == whence.sets[infoset]
                if infoset not in infosets:
                    infosets[infoset] = infoset if is_shared else self.a_set(whence.sets[infoset])
                infoset = infosets[infoset]
            self.change(target_node, actor=record.actor, known=infoset, moves=record.moves, likely=record.likely, worth=self._worth(record))
            stack += [(child, self.grow(target_node)) for child in record.below]

    def _worth(self, place: Place) -> tuple[object, ...]:
        """Return the payoffs of a terminal node, adapted to the number of players now."""
        player_count = self.draft.seats
        return () if place.below else (*place.worth, *(None,) * player_count)[:player_count]


def alone(draft: GameDraft, **facts: Any) -> GameDraft:  # noqa: ANN401 - whatever a sketch has
    """Return the draft with other names or another title; its nodes stay as they are."""
    return replace(draft, **facts)


def top_of(draft: GameDraft, node: int) -> int:
    """Return the node to show when a node is removed: its parent."""
    return max(draft.places[node].up, ROOT)
