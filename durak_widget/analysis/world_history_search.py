"""Finds histories of a possible world: cards dealt and drawn, and cards swapped unseen."""

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
"""Maximum number of steps of a search for one layout."""
Held = dict[int, list[int]]
"""Unseen cards of each seat but the viewer, as faces."""


Dealt = tuple[list[int], dict[int, int]]
"""Cards that a seat was dealt unseen, and the card that it drew from each slot."""
Event = Drew | Came | Swapped | Proved


class Past(NamedTuple):
    """History that leads to a possible world."""

    dealt: Held
    """Unseen cards that each seat held at the start of the game."""
    faces: dict[int, int]
    """Face of each talon slot."""
    swaps: dict[int, tuple[int, int]]
    """Cards that other seats swapped into the talon, by ply."""


def one(course: Course, hands: Mapping[int, Hand], held: Held, faces: dict[int, int], rng: Random) -> Past:
    """Return a random history of a world in which nobody else swapped, all equally likely."""
    draws_by_seat = {seat: hands[seat].past(cards, rng) for seat, cards in held.items()}
    own_draws = []
    for event in _own(course):
        cards = faces_of(event.mask)
        rng.shuffle(cards)
        own_draws.append(cards)
    return _past(course, draws_by_seat, own_draws, faces)


def every(course: Course, hands: Mapping[int, Hand], held: Held, faces: dict[int, int]) -> Iterator[Past]:
    """Yield all histories of such a world, in a fixed order."""

    def histories_of_seats(remaining: Sequence[int], draws_by_seat: dict[int, list[list[int]]]) -> Iterator[dict[int, list[list[int]]]]:
        if not remaining:
            yield draws_by_seat
            return
        for seat_draws in hands[remaining[0]].pasts(held[remaining[0]]):
            yield from histories_of_seats(remaining[1:], draws_by_seat | {remaining[0]: seat_draws})

    def orders_of_own_draws(remaining: Sequence[Drew]) -> Iterator[list[Sequence[int]]]:
        if not remaining:
            yield []
            return
        for order in permutations(faces_of(remaining[0].mask)):
            for later_orders in orders_of_own_draws(remaining[1:]):
                yield [order, *later_orders]

    for draws_by_seat in histories_of_seats(list(held), {}):
        for orders in orders_of_own_draws(_own(course)):
            yield _past(course, draws_by_seat, orders, faces)


def _own(course: Course) -> list[Drew]:
    return [event for event in course.events if isinstance(event, Drew) and event.seat == course.sight.seat]


def _past(course: Course, pieces: Mapping[int, Sequence[Sequence[int]]], owns: Iterable[Sequence[int]], faces: dict[int, int]) -> Past:
    all_faces = dict(faces)
    for seat, (_, *drawn) in pieces.items():
        for slots, cards in zip(course.drawn[seat], drawn, strict=True):
            all_faces |= zip(slots, cards, strict=True)
    for event, cards in zip(_own(course), owns, strict=True):
        all_faces |= zip(event.places, cards, strict=True)
    return Past({seat: list(dealt) for seat, (dealt, *_) in pieces.items()}, all_faces, {})


class Search:
    """Backward search through a game with swaps, for one history of a layout.

    It finds a history, or proves that there is none. Seats affect each other only through the cards that
    swaps put into the talon. Before the first of those was drawn again, each seat's history is independent.
    """

    __slots__ = ("_budget", "_dead", "_free", "_memory", "_steps", "_taken", "course", "rng")

    def __init__(self, course: Course, rng: Random) -> None:
        self.course, self.rng = course, rng
        talon_count, lost_cards = course.begin.talon_count, 0
        self._steps: dict[int, list[tuple[Event, int, int]]] = {seat: [] for seat in range(len(course.known)) if seat != course.sight.seat}
        """Events of each other seat, with their index and the cards that the viewer had lost track of: the first talon has none of them."""
        self._taken = [event for event in _own(course) if any(slot >= talon_count for slot in event.places)]
        self._free = len(course.events)
        """Index of the first event in which another seat drew a card that a swap had put into the talon."""
        for i, event in enumerate(course.events):
            if event.seat in self._steps:
                self._steps[event.seat].append((event, i, lost_cards))
                if any(slot >= talon_count and slot not in course.faces for slot in _places(event)):
                    self._free = min(self._free, i)
            if isinstance(event, Swapped) and not kit_of(course.sight.rules).twins:
                lost_cards |= event.knew
        self._budget = STEPS
        self._memory: dict[object, Dealt | None] = {}
        self._dead: set[object] = set()

    def past(self, held: Held, faces: dict[int, int]) -> Past | None:
        """Return a history that leads to a layout; None if there is none or none is found in time."""
        for assigned_faces in self._mine(self._taken, faces):
            history = self._back({seat: len(seat_events) for seat, seat_events in self._steps.items()}, held, assigned_faces)
            if history is not None:
                return history
        return None

    def _mine(self, taken: Sequence[Drew], faces: dict[int, int]) -> Iterator[dict[int, int]]:
        """Yield the possible faces of the slots that swaps filled and the viewer drew from."""
        if not taken:
            yield faces
            return
        for order in dict.fromkeys(permutations(faces_of(taken[0].mask))):
            yield from self._mine(taken[1:], faces | dict(zip(taken[0].places, order, strict=True)))

    def _back(self, left: dict[int, int], held: Held, faces: dict[int, int]) -> Past | None:
        """Search back through the remaining events, the last one first.

        It goes back as long as seats may draw cards that others have put into the talon.
        """
        last_event = {seat: self._steps[seat][events_before - 1] for seat, events_before in left.items() if events_before}
        seat = max(last_event, key=lambda candidate: last_event[candidate][1], default=-1)
        if not self._ordered(faces):
            return None
        if seat < 0 or last_event[seat][1] < self._free:
            return self._alone(left, held, faces)
        event, _, lost_cards = last_event[seat]
        events_before = left[seat] - 1
        if isinstance(event, Proved):
            is_consistent = any(event.mask >> face & 1 for face in held[seat]) == event.held
            return self._back(left | {seat: events_before}, held, faces) if is_consistent else None
        if isinstance(event, Came):
            return self._back(left | {seat: events_before}, held | {seat: [*held[seat], event.face]}, faces)
        key = tuple(left.items()), tuple(tuple(sorted(cards)) for cards in held.values()), self._given(faces)
        if key in self._dead:
            return None
        for hand, drawn in self._choices(seat, events_before, event, tuple(held[seat]), lost_cards, faces):
            self._budget -= 1
            if self._budget < 0:
                return None
            history = self._back(left | {seat: events_before}, held | {seat: hand}, faces | drawn)
            if history is not None:
                return history
        self._dead.add(key)
        return None

    def _given(self, faces: dict[int, int]) -> tuple[tuple[int, int], ...]:
        """Return the cards that swaps put into the talon, as far as they are known."""
        return tuple(sorted((slot, face) for slot, face in faces.items() if slot >= self.course.begin.talon_count))

    def _ordered(self, faces: dict[int, int]) -> bool:
        """Return whether each swap put its cards into the talon in card order."""
        pairs = [event.given for event in self.course.events if isinstance(event, Swapped)]
        return all(faces[slot] <= faces[next_slot] for slot, next_slot in pairs if slot in faces and next_slot in faces)

    def _alone(self, left: dict[int, int], held: Held, faces: dict[int, int]) -> Past | None:
        """Return a history by finding each seat's history on its own."""
        dealt, all_faces, returned_cards = {}, dict(faces), self._given(faces)
        for seat, cards in held.items():
            seat_history = self._seat(seat, left[seat], tuple(sorted(cards)), faces, returned_cards)
            if seat_history is None:
                return None
            dealt[seat], drawn_faces = seat_history
            all_faces |= drawn_faces
        for event in _own(self.course):
            if event not in self._taken:
                cards = faces_of(event.mask)
                self.rng.shuffle(cards)
                all_faces |= zip(event.places, cards, strict=True)
        swaps = {event.ply: (faces[event.given[0]], faces[event.given[1]]) for event in self.course.events if isinstance(event, Swapped)}
        return Past(dealt, all_faces, swaps)

    def _seat(self, seat: int, i: int, hand: tuple[int, ...], faces: dict[int, int], given: object) -> Dealt | None:
        """Return what a seat was dealt and drew in its first events."""
        while i:
            i -= 1
            event, _, lost_cards = self._steps[seat][i]
            if isinstance(event, Proved):
                if any(event.mask >> face & 1 for face in hand) != event.held:
                    return None
            elif isinstance(event, Came):
                hand = (*hand, event.face)
            else:
                key = seat, i, tuple(sorted(hand)), given
                if key not in self._memory:
                    self._memory[key] = None
                    for hand_before, drawn_faces in self._choices(seat, i, event, hand, lost_cards, faces):
                        seat_history = self._seat(seat, i, tuple(hand_before), faces, given)
                        if seat_history is not None:
                            self._memory[key] = seat_history[0], seat_history[1] | drawn_faces
                            break
                return self._memory[key]
        return list(hand), {}

    def _choices(
        self, seat: int, i: int, event: Drew | Swapped, hand: tuple[int, ...], lost: int, faces: dict[int, int]
    ) -> Iterator[tuple[list[int], dict[int, int]]]:
        """Yield the possible hands before a draw or swap, with the faces of its slots."""
        inference, talon_count = self.course, self.course.begin.talon_count
        slots = [slot for slot in _places(event) if slot not in inference.faces]
        known_faces = [faces[slot] for slot in slots if slot in faces]
        unknown_slots = [slot for slot in slots if slot not in faces]
        other_cards = _without(hand, known_faces)
        if len(other_cards) + len(known_faces) != len(hand):
            return
        returned_faces = [faces[slot] for slot in event.given] if isinstance(event, Swapped) else []
        known_before = faces_of(event.knew) if isinstance(event, Swapped) else []
        may_take_returned = any(slot >= talon_count for slot in unknown_slots)
        absent_faces = self._lacked(seat, i)
        possible_faces = [
            face for face in _without(other_cards, _without(known_before, returned_faces)) if may_take_returned or not lost >> face & 1
        ]
        required_faces = tuple(face for face in possible_faces if absent_faces >> face & 1)
        optional_faces = [face for face in possible_faces if not absent_faces >> face & 1]
        self.rng.shuffle(optional_faces)
        for chosen in (
            dict.fromkeys(combinations(optional_faces, len(unknown_slots) - len(required_faces)))
            if len(required_faces) <= len(unknown_slots)
            else ()
        ):
            hand_before = _without(other_cards, required_faces + chosen) + returned_faces
            if any(hand_before.count(face) < known_before.count(face) for face in known_before):
                continue
            for order in (
                dict.fromkeys(permutations(required_faces + chosen))
                if may_take_returned
                else [self.rng.sample(required_faces + chosen, len(unknown_slots))]
            ):
                yield _without(hand_before, known_before), dict(zip(unknown_slots, order, strict=True))

    def _lacked(self, seat: int, i: int) -> int:
        """Return the faces of which the seat held no unseen card just before an event."""
        absent_faces = 0
        for event, _, _ in reversed(self._steps[seat][:i]):
            if isinstance(event, Drew | Swapped):
                break
            if isinstance(event, Proved) and not event.held:
                absent_faces |= event.mask
        return absent_faces


def _places(event: Event) -> tuple[int, ...]:
    """Return the slots from which an event took cards."""
    return event.places if isinstance(event, Drew) else event.got if isinstance(event, Swapped) else ()


def _without(cards: Sequence[int], gone: Iterable[int]) -> list[int]:
    """Return the cards without others, each as often as it occurs; missing cards are ignored."""
    remaining = list(cards)
    for face in gone:
        if face in remaining:
            remaining.remove(face)
    return remaining
