"""How a world can have come about: which cards were dealt and which drawn, and what other seats swapped unseen."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.hand_inference import Came, Drew, Proved, Swapped, faces_of
from durak_widget.engine.compiled_rules import kit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random

    from durak_widget.analysis.deal_counting import Hand
    from durak_widget.analysis.hand_inference import Course

STEPS: Final = 3_000
"""So many steps back a search goes for one layout before it gives it up."""
Held = dict[int, list[int]]
"""The unseen cards of each seat but the viewer, as faces."""


Dealt = tuple[list[int], dict[int, int]]
"""What a seat was dealt unseen, and what it drew from which place."""
Event = Drew | Came | Swapped | Proved


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
    """A search back through a game in which others swapped: for one past of a layout, or the proof that it has none.

    What seats do to each other goes through the cards that swaps put into the talon. Before the first of those was drawn again, the past of each seat
    is a matter of its own.
    """

    __slots__ = ("_budget", "_dead", "_free", "_memory", "_steps", "_taken", "course", "rng")

    def __init__(self, course: Course, rng: Random) -> None:
        self.course, self.rng = course, rng
        begin, lost = course.begin.talon_count, 0
        self._steps: dict[int, list[tuple[Event, int, int]]] = {seat: [] for seat in range(len(course.known)) if seat != course.sight.seat}
        """What concerns each other seat, when, and the cards of which the viewer had lost sight by then: the talon of the beginning does not hold them."""
        self._taken = [event for event in _own(course) if any(place >= begin for place in event.places)]
        self._free = len(course.events)
        """So many events came before anybody else drew what a swap had put back."""
        for i, event in enumerate(course.events):
            if event.seat in self._steps:
                self._steps[event.seat].append((event, i, lost))
                if any(place >= begin and place not in course.faces for place in _places(event)):
                    self._free = min(self._free, i)
            if isinstance(event, Swapped) and not kit_of(course.sight.rules).twins:
                lost |= event.knew
        self._budget = STEPS
        self._memory: dict[object, Dealt | None] = {}
        self._dead: set[object] = set()

    def past(self, held: Held, faces: dict[int, int]) -> Past | None:
        """One way in which a layout can have come about; None if there is none, or none is found in so many steps."""
        for mine in self._mine(self._taken, faces):
            way = self._back({seat: len(steps) for seat, steps in self._steps.items()}, held, mine)
            if way is not None:
                return way
        return None

    def _mine(self, taken: Sequence[Drew], faces: dict[int, int]) -> Iterator[dict[int, int]]:
        """Which of the cards that the viewer drew lay at which of the places that swaps had filled."""
        if not taken:
            yield faces
            return
        for order in dict.fromkeys(permutations(faces_of(taken[0].mask))):
            yield from self._mine(taken[1:], faces | dict(zip(taken[0].places, order, strict=True)))

    def _back(self, left: dict[int, int], held: Held, faces: dict[int, int]) -> Past | None:
        """Go back over what is left, the last of it first, as long as seats draw what others may have put back."""
        last = {seat: self._steps[seat][count - 1] for seat, count in left.items() if count}
        seat = max(last, key=lambda one: last[one][1], default=-1)
        if not self._ordered(faces):
            return None
        if seat < 0 or last[seat][1] < self._free:
            return self._alone(left, held, faces)
        event, _, lost = last[seat]
        count = left[seat] - 1
        if isinstance(event, Proved):
            fits = any(event.mask >> face & 1 for face in held[seat]) == event.held
            return self._back(left | {seat: count}, held, faces) if fits else None
        if isinstance(event, Came):
            return self._back(left | {seat: count}, held | {seat: [*held[seat], event.face]}, faces)
        key = tuple(left.items()), tuple(tuple(sorted(cards)) for cards in held.values()), self._given(faces)
        if key in self._dead:
            return None
        for hand, drawn in self._choices(seat, count, event, tuple(held[seat]), lost, faces):
            self._budget -= 1
            if self._budget < 0:
                return None
            way = self._back(left | {seat: count}, held | {seat: hand}, faces | drawn)
            if way is not None:
                return way
        self._dead.add(key)
        return None

    def _given(self, faces: dict[int, int]) -> tuple[tuple[int, int], ...]:
        """What swaps put back, as far as it is settled."""
        return tuple(sorted((place, face) for place, face in faces.items() if place >= self.course.begin.talon_count))

    def _ordered(self, faces: dict[int, int]) -> bool:
        """Whether each swap put its cards down in card order."""
        pairs = [event.given for event in self.course.events if isinstance(event, Swapped)]
        return all(faces[one] <= faces[other] for one, other in pairs if one in faces and other in faces)

    def _alone(self, left: dict[int, int], held: Held, faces: dict[int, int]) -> Past | None:
        """The past of each seat by itself."""
        dealt, found, given = {}, dict(faces), self._given(faces)
        for seat, cards in held.items():
            way = self._seat(seat, left[seat], tuple(sorted(cards)), faces, given)
            if way is None:
                return None
            dealt[seat], drawn = way
            found |= drawn
        for event in _own(self.course):
            if event not in self._taken:
                cards = faces_of(event.mask)
                self.rng.shuffle(cards)
                found |= zip(event.places, cards, strict=True)
        swaps = {event.ply: (faces[event.given[0]], faces[event.given[1]]) for event in self.course.events if isinstance(event, Swapped)}
        return Past(dealt, found, swaps)

    def _seat(self, seat: int, i: int, hand: tuple[int, ...], faces: dict[int, int], given: object) -> Dealt | None:
        """What a seat was dealt and drew, going back over its first so many steps."""
        while i:
            i -= 1
            event, _, lost = self._steps[seat][i]
            if isinstance(event, Proved):
                if any(event.mask >> face & 1 for face in hand) != event.held:
                    return None
            elif isinstance(event, Came):
                hand = (*hand, event.face)
            else:
                key = seat, i, tuple(sorted(hand)), given
                if key not in self._memory:
                    self._memory[key] = None
                    for before, drawn in self._choices(seat, i, event, hand, lost, faces):
                        way = self._seat(seat, i, tuple(before), faces, given)
                        if way is not None:
                            self._memory[key] = way[0], way[1] | drawn
                            break
                return self._memory[key]
        return list(hand), {}

    def _choices(
        self, seat: int, i: int, event: Drew | Swapped, hand: tuple[int, ...], lost: int, faces: dict[int, int]
    ) -> Iterator[tuple[list[int], dict[int, int]]]:
        """What can have come with a draw or a swap: the hand before it, and what lay at which place."""
        course, begin = self.course, self.course.begin.talon_count
        places = [place for place in _places(event) if place not in course.faces]
        settled = [faces[place] for place in places if place in faces]
        fresh = [place for place in places if place not in faces]
        rest = _without(hand, settled)
        if len(rest) + len(settled) != len(hand):
            return
        given = [faces[place] for place in event.given] if isinstance(event, Swapped) else []
        knew = faces_of(event.knew) if isinstance(event, Swapped) else []
        back = any(place >= begin for place in fresh)
        lacked = self._lacked(seat, i)
        free = [face for face in _without(rest, _without(knew, given)) if back or not lost >> face & 1]
        must = tuple(face for face in free if lacked >> face & 1)
        others = [face for face in free if not lacked >> face & 1]
        self.rng.shuffle(others)
        for some in dict.fromkeys(combinations(others, len(fresh) - len(must))) if len(must) <= len(fresh) else ():
            before = _without(rest, must + some) + given
            if any(before.count(face) < knew.count(face) for face in knew):
                continue
            for order in dict.fromkeys(permutations(must + some)) if back else [self.rng.sample(must + some, len(fresh))]:
                yield _without(before, knew), dict(zip(fresh, order, strict=True))

    def _lacked(self, seat: int, i: int) -> int:
        """The faces of which the seat held none unseen just before that step."""
        lacked = 0
        for event, _, _ in reversed(self._steps[seat][:i]):
            if isinstance(event, Drew | Swapped):
                break
            if isinstance(event, Proved) and not event.held:
                lacked |= event.mask
        return lacked


def _places(event: Event) -> tuple[int, ...]:
    """The places from which cards came with that."""
    return event.places if isinstance(event, Drew) else event.got if isinstance(event, Swapped) else ()


def _without(cards: Sequence[int], gone: Iterable[int]) -> list[int]:
    """Some cards without others, each as often as it is there; what is not there is not missed."""
    left = list(cards)
    for face in gone:
        if face in left:
            left.remove(face)
    return left
