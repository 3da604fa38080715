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


class Pen:
    """Writes the next sketch; the one before stays as it is.

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
        """The next sketch; information sets that have no place any more are gone."""
        used = {place.known for place in self.places.values()}
        sets = {number: known for number, known in self.sets.items() if number in used}
        return replace(self.draft, places=self.places, sets=sets, free=self._free)

    def change(self, node: int, **facts: Any) -> None:  # noqa: ANN401 - whatever a place has
        """Change what is known of a place."""
        self.places[node] = self.places[node]._replace(**facts)

    def number(self) -> int:
        """A number that nothing has had."""
        self._free += 1
        return self._free - 1

    def a_set(self, known: DrawnSet) -> int:
        """A new information set."""
        place = self.number()
        self.sets[place] = known
        return place

    def grow(self, up: int) -> int:
        """A new end, the last of what follows a place."""
        if len(self.places) >= MOST:
            raise RefusedError("sketch.refused.many", most=f"{MOST:,}")
        node = self.number()
        self.places[node] = Place(up, worth=(None,) * self.draft.seats)
        self.change(up, below=(*self.places[up].below, node))
        return node

    def gone(self, tops: Iterable[int]) -> None:
        """Take these places away, with all that follows them."""
        waiting = [one for one in tops if one in self.places]
        while waiting:
            waiting += self.places.pop(waiting.pop()).below

    def end(self, node: int) -> None:
        """Make a place an end again: nothing follows it, and it is worth nothing yet."""
        self.gone(self.places[node].below)
        self.places[node] = Place(self.places[node].up, worth=(None,) * self.draft.seats)

    def drop(self, at: int, node: int) -> None:
        """Take a branch of a place away, with what follows it; of its name, which a set has, nothing is done."""
        place = self.places[node]
        self.gone([place.below[at]])
        below = place.below[:at] + place.below[at + 1 :]
        if not below:
            self.end(node)
        elif place.moves:
            self.change(
                node,
                below=below,
                moves=place.moves[:at] + place.moves[at + 1 :],
                likely=place.likely[:at] + place.likely[at + 1 :],
            )
        else:
            self.change(node, below=below)

    def copy(self, whence: GameDraft, top: int, to: int, *, joined: bool) -> None:
        """Grow at an end what follows a place of a sketch, perhaps of an earlier one.

        What could not be told apart there cannot be here; nor can a copy and what it is of, where the two are to be joined.
        """
        sets: dict[int, int] = {}
        waiting = [(top, to)]
        while waiting:
            there, here = waiting.pop()
            place = whence.places[there]
            known = place.known
            if known >= 0:
                kept = joined and self.sets.get(known) == whence.sets[known]
                if known not in sets:
                    sets[known] = known if kept else self.a_set(whence.sets[known])
                known = sets[known]
            self.change(here, actor=place.actor, known=known, moves=place.moves, likely=place.likely, worth=self._worth(place))
            waiting += [(child, self.grow(here)) for child in place.below]

    def _worth(self, place: Place) -> tuple[object, ...]:
        """What an end is worth, where there may be more players now, or fewer."""
        seats = self.draft.seats
        return () if place.below else (*place.worth, *(None,) * seats)[:seats]


def alone(draft: GameDraft, **facts: Any) -> GameDraft:  # noqa: ANN401 - whatever a sketch has
    """The sketch with something else that concerns no place: names, title."""
    return replace(draft, **facts)


def top_of(draft: GameDraft, node: int) -> int:
    """Where one looks when a place is taken away: the one before it."""
    return max(draft.places[node].up, ROOT)
