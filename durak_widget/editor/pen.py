"""How a sketch is changed: a copy of it that may be written on, out of which the next comes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from durak_widget.editor.tree_draft import MOST, ROOT, DrawnSet, GameDraft, Place
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable


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
