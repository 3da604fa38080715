"""A game while it is drawn: its places, its information sets, its players, whole or not; a value, which no edit changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board.message_parsing import MessageError
from durak_widget.board.tree_wording import plain_name
from durak_widget.errors import quoted, whole_number
from durak_widget.gametheory.player_labels import default_name, is_unnamed
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.i18n import Seat

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST: Final = 2_000
"""So many places a sketch has at most: nobody draws more by hand."""
ROOT: Final = 0


class Place(NamedTuple):
    """One place of the tree: whose move it is there, and what follows."""

    up: int = -1
    actor: int = OVER
    """The seat to act, `CHANCE`, or `OVER` where nothing follows yet."""
    known: int = -1
    """The number of its information set; -1 where no seat acts."""
    below: tuple[int, ...] = ()
    moves: tuple[str, ...] = ()
    """What chance may do; the moves of a seat belong to its information set."""
    likely: tuple[Fraction | None, ...] = ()
    """How likely chance does each, where somebody has said so; the others share what is left."""
    worth: tuple[Fraction | None, ...] = ()
    """What an end is worth to each seat, as far as somebody has said so."""


class DrawnSet(NamedTuple):
    """One information set: whose, what it is called, and its moves, which are the same at each of its places."""

    seat: int
    label: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameDraft:
    """A sketch at one moment; equal to another where all of it is.

    >>> GameDraft().seats, GameDraft().places[0].worth, GameDraft() == GameDraft()
    (2, (None, None), True)
    """

    places: Mapping[int, Place] = field(default_factory=lambda: {ROOT: Place(worth=(None, None))})
    """Each place by its number, which it keeps as long as it is there; the root is 0."""
    sets: Mapping[int, DrawnSet] = field(default_factory=dict)
    names: tuple[str, ...] = (default_name(0), default_name(1))
    """What each player is called; `Player 1` and the like where nobody has said."""
    title: str = ""
    free: int = 1
    """The number that is given next, to a place or a set."""

    @property
    def seats(self) -> int:
        """How many players there are."""
        return len(self.names)

    def a_place(self, node: object) -> int:
        """The number of a place; another is refused.

        >>> GameDraft().a_place(7)
        Traceback (most recent call last):
        durak_widget.board.message_parsing.MessageError: 7 is no place of this sketch; there are 0
        """
        number = whole_number(node)
        if number is None or number not in self.places:
            there = ", ".join(map(str, list(self.places)[:12]))
            raise MessageError(f"{quoted(node)} is no place of this sketch; there are {there}{' …' if len(self.places) > 12 else ''}")
        return number

    def a_player(self, seat: object) -> int:
        """The number of a seat; another is refused."""
        number = whole_number(seat)
        if number is None or not 0 <= number < self.seats:
            raise MessageError(f"{quoted(seat)} is no seat of this sketch; the seats are 0 to {self.seats - 1}")
        return number

    def moves(self, node: int) -> tuple[str, ...]:
        """What may be done at a place."""
        place = self.places[node]
        return self.sets[place.known].moves if place.actor >= 0 else place.moves

    def move_to(self, node: int) -> str:
        """What the branch that leads to a place is called."""
        up = self.places[node].up
        return self.moves(up)[self.places[up].below.index(node)]

    def members(self, node: int) -> list[int]:
        """All places that a seat cannot tell from this one, itself among them; of chance and of ends itself alone."""
        known = self.places[node].known
        return [node] if known < 0 else [one for one, place in self.places.items() if place.known == known]

    def order(self, top: int = ROOT) -> Iterator[int]:
        """The places from one on, each before what follows it, branch by branch."""
        waiting = [top]
        while waiting:
            here = waiting.pop()
            yield here
            waiting += reversed(self.places[here].below)

    def shares(self, node: int) -> list[Fraction | None]:
        """How likely each way of chance is: as somebody has said, and what is left in equal parts; None where nothing is left.

        >>> from durak_widget.editor import tree_edits
        >>> draft, _ = tree_edits.add_chance(GameDraft(), 0)
        >>> draft.shares(0), tree_edits.set_likely(draft, 1, "1/3")[0].shares(0)
        ([Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 3), Fraction(2, 3)])
        """
        likely = self.places[node].likely
        left, blanks = 1 - sum((one for one in likely if one is not None), Fraction(0)), likely.count(None)
        share = left / blanks if blanks and left >= 0 else None
        return [share if one is None else one for one in likely]

    # As sentences name them

    def player(self, seat: int) -> Seat | str:
        """A player, as a sentence names it."""
        name = self.names[seat]
        return Seat(seat) if is_unnamed(name, seat) else plain_name(name)

    def way(self, node: int) -> str:
        """A place, as a sentence names it: by the moves that lead there; nothing of the root."""
        moves = list[str]()
        while node != ROOT:
            moves.append(plain_name(self.move_to(node)) or "?")
            node = self.places[node].up
        return ", ".join(reversed(moves))


def shown_names(draft: GameDraft) -> tuple[str, ...]:
    """The names of the players, none where nobody has given one: the page then counts them."""
    return tuple(["" if is_unnamed(name, seat) else name for seat, name in enumerate(draft.names)])


def acts(actor: int) -> bool:
    """Whether anybody acts there, chance too."""
    return actor >= CHANCE
