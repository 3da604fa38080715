"""How a world can have come about: which cards were dealt and which drawn, and what other seats swapped unseen."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.theory.course import Came, Drew, Proved, Swapped, faces_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random

    from durak_widget.theory.counting import Hand
    from durak_widget.theory.course import Course

Held = dict[int, list[int]]
"""The unseen cards of each seat but the viewer, as faces."""


class Past(NamedTuple):
    """A way in which a world can have come about."""

    dealt: Held
    """The unseen cards that each seat held when the game began."""
    faces: dict[int, int]
    """The face of each place of the talon."""
    swaps: dict[int, tuple[int, int]]
    """What others swapped away, by the ply of it."""


def one(course: Course, hands: Mapping[int, Hand], held: Held, faces: dict[int, int], rng: Random) -> Past:
    """A past of a world in which nobody else swapped, each as likely."""
    pieces = {seat: hands[seat].past(cards, rng) for seat, cards in held.items()}
    owns = []
    for event in _own(course):
        cards = faces_of(event.mask)
        rng.shuffle(cards)
        owns.append(cards)
    return _past(course, pieces, owns, faces)


def every(course: Course, hands: Mapping[int, Hand], held: Held, faces: dict[int, int]) -> Iterator[Past]:
    """All pasts of such a world, in a fixed order."""

    def seats(left: Sequence[int], pieces: dict[int, list[list[int]]]) -> Iterator[dict[int, list[list[int]]]]:
        if not left:
            yield pieces
            return
        for piece in hands[left[0]].pasts(held[left[0]]):
            yield from seats(left[1:], pieces | {left[0]: piece})

    def owns(left: Sequence[Drew]) -> Iterator[list[Sequence[int]]]:
        if not left:
            yield []
            return
        for order in permutations(faces_of(left[0].mask)):
            for rest in owns(left[1:]):
                yield [order, *rest]

    for pieces in seats(list(held), {}):
        for orders in owns(_own(course)):
            yield _past(course, pieces, orders, faces)


def _own(course: Course) -> list[Drew]:
    return [event for event in course.events if isinstance(event, Drew) and event.seat == course.sight.seat]


def _past(course: Course, pieces: Mapping[int, Sequence[Sequence[int]]], owns: Iterable[Sequence[int]], faces: dict[int, int]) -> Past:
    found = dict(faces)
    for seat, (_, *drawn) in pieces.items():
        for places, cards in zip(course.drawn[seat], drawn, strict=True):
            found |= zip(places, cards, strict=True)
    for event, cards in zip(_own(course), owns, strict=True):
        found |= zip(event.places, cards, strict=True)
    return Past({seat: list(dealt) for seat, (dealt, *_) in pieces.items()}, found, {})


class Search:
    """A search back through a game in which others swapped: for one past of a world, or the proof that it has none."""

    __slots__ = ("_dead", "course", "rng")

    def __init__(self, course: Course, rng: Random) -> None:
        self.course, self.rng = course, rng
        self._dead: set[object] = set()

    def past(self, held: Held, faces: dict[int, int]) -> Past | None:
        """One way in which a world can have come about; None if there is none."""
        return self._back(len(self.course.events), {seat: sorted(cards) for seat, cards in held.items()}, faces, {})

    def _back(self, i: int, held: Held, faces: dict[int, int], swaps: dict[int, tuple[int, int]]) -> Past | None:
        """Go back over the first so many events."""
        events = self.course.events
        held = {seat: cards[:] for seat, cards in held.items()}
        while i:
            i -= 1
            event = events[i]
            if isinstance(event, Proved):
                if any(event.mask >> face & 1 for face in held[event.seat]) != event.held:
                    return None
            elif isinstance(event, Came):
                held[event.seat].append(event.face)
            else:
                return self._choose(i, event, held, faces, swaps)
        return Past(held, faces, swaps)

    def _choose(self, i: int, event: Drew | Swapped, held: Held, faces: dict[int, int], swaps: dict[int, tuple[int, int]]) -> Past | None:
        given = {place: face for place, face in faces.items() if place >= self.course.begin.talon_count}
        key = i, *(tuple(sorted(cards)) for cards in held.values()), tuple(sorted(given.items()))
        if key in self._dead:
            return None
        way = self._swap(i, event, held, faces, swaps) if isinstance(event, Swapped) else self._draw(i, event, held, faces, swaps)
        if way is None:
            self._dead.add(key)
        return way

    def _draw(self, i: int, event: Drew, held: Held, faces: dict[int, int], swaps: dict[int, tuple[int, int]]) -> Past | None:
        mine = event.seat == self.course.sight.seat
        for cards in [tuple(faces_of(event.mask))] if mine else self._came(i, event.seat, held[event.seat], len(event.places), ()):
            before = held if mine else held | {event.seat: _without(held[event.seat], cards)}
            for order in self._orders(event.places, cards):
                way = self._back(i, before, faces | dict(zip(event.places, order, strict=True)), swaps)
                if way is not None:
                    return way
        return None

    def _swap(self, i: int, event: Swapped, held: Held, faces: dict[int, int], swaps: dict[int, tuple[int, int]]) -> Past | None:
        first, second = (faces[place] for place in event.given)
        knew = faces_of(event.knew)
        if first > second:
            return None
        places = [place for place in event.got if place not in self.course.faces]
        for cards in self._came(i, event.seat, held[event.seat], len(places), _without(knew, (first, second))):
            hand = [*_without(held[event.seat], cards), first, second]
            if any(hand.count(face) < knew.count(face) for face in knew):
                continue
            before = held | {event.seat: _without(hand, knew)}
            for order in self._orders(places, cards):
                found = faces | dict(zip(places, order, strict=True))
                way = self._back(i, before, found, swaps | {event.ply: (first, second)})
                if way is not None:
                    return way
        return None

    def _came(self, i: int, seat: int, hand: list[int], count: int, stay: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """What can have come into a hand just then: of some faces it held none before."""
        lacked = 0
        for event in reversed(self.course.events[:i]):
            if isinstance(event, Drew | Swapped) and event.seat == seat:
                break
            if isinstance(event, Proved) and event.seat == seat and not event.held:
                lacked |= event.mask
        free = _without(hand, stay)
        must = tuple(face for face in free if lacked >> face & 1)
        others = [face for face in free if not lacked >> face & 1]
        self.rng.shuffle(others)
        if len(must) <= count:
            for some in dict.fromkeys(combinations(others, count - len(must))):
                yield must + some

    def _orders(self, places: Sequence[int], cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """In which orders the cards may have lain at these places; where it cannot matter, one by chance."""
        if any(place >= self.course.begin.talon_count for place in places):
            yield from dict.fromkeys(permutations(cards))
            return
        order = list(cards)
        self.rng.shuffle(order)
        yield tuple(order)


def _without(cards: Sequence[int], gone: Iterable[int]) -> list[int]:
    """Some cards without others, each as often as it is there; what is not there is not missed."""
    left = list(cards)
    for face in gone:
        if face in left:
            left.remove(face)
    return left
