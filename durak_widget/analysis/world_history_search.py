"""Finds how a game can have led to a possible world: the cards dealt, drawn and swapped."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.hand_inference import CardRevealed, HandFact, UnseenDraw, UnseenSwap, list_faces
from durak_widget.engine.compiled_rules import compile_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random

    from durak_widget.analysis.deal_counting import HandCounter
    from durak_widget.analysis.hand_inference import GameInference

MAX_STEPS: Final = 3_000
"""The maximum number of steps in the search for one history that leads to a card layout."""
UnseenHands = dict[int, list[int]]
"""The unseen cards of each seat other than the observer, as card faces."""


SeatHistory = tuple[list[int], dict[int, int]]
"""The unseen cards that were dealt to a seat, and the card that the seat drew from each talon slot."""
Event = UnseenDraw | CardRevealed | UnseenSwap | HandFact


class WorldHistory(NamedTuple):
    """A possible history of a world: the cards dealt, the talon, and the swapped cards."""

    dealt_hands: UnseenHands
    """The unseen cards that each seat held at the start of the game."""
    face_of_slot: dict[int, int]
    """The face of the card that was in each talon slot."""
    swapped_cards: dict[int, tuple[int, int]]
    """The cards that other seats swapped into the talon, by the number of the move."""


def sample_history(
    inference: GameInference, hand_counters: Mapping[int, HandCounter], unseen_hands: UnseenHands, face_of_slot: dict[int, int], rng: Random
) -> WorldHistory:
    """Return a random history of a world in which only the observer may have swapped cards."""
    draws_by_seat = {seat: hand_counters[seat].sample_history(cards, rng) for seat, cards in unseen_hands.items()}
    own_draws = []
    for event in _own_draws(inference):
        cards = list_faces(event.own_cards)
        rng.shuffle(cards)
        own_draws.append(cards)
    return _make_history(inference, draws_by_seat, own_draws, face_of_slot)


def all_histories(
    inference: GameInference, hand_counters: Mapping[int, HandCounter], unseen_hands: UnseenHands, face_of_slot: dict[int, int]
) -> Iterator[WorldHistory]:
    """Yield all histories of a world in which only the observer may have swapped cards."""

    def histories_of_seats(remaining: Sequence[int], draws_by_seat: dict[int, list[list[int]]]) -> Iterator[dict[int, list[list[int]]]]:
        """Yield all combinations of the histories of several seats."""
        if not remaining:
            yield draws_by_seat
            return
        for seat_draws in hand_counters[remaining[0]].all_histories(unseen_hands[remaining[0]]):
            yield from histories_of_seats(remaining[1:], draws_by_seat | {remaining[0]: seat_draws})

    def orders_of_own_draws(remaining: Sequence[UnseenDraw]) -> Iterator[list[Sequence[int]]]:
        """Yield every combination of the orders in which the observer may have drawn their cards."""
        if not remaining:
            yield []
            return
        for order in permutations(list_faces(remaining[0].own_cards)):
            for later_orders in orders_of_own_draws(remaining[1:]):
                yield [order, *later_orders]

    for draws_by_seat in histories_of_seats(list(unseen_hands), {}):
        for orders in orders_of_own_draws(_own_draws(inference)):
            yield _make_history(inference, draws_by_seat, orders, face_of_slot)


def _own_draws(inference: GameInference) -> list[UnseenDraw]:
    """Return the draws of the observing seat."""
    return [event for event in inference.events if isinstance(event, UnseenDraw) and event.seat == inference.sight.seat]


def _make_history(
    inference: GameInference,
    draws_by_seat: Mapping[int, Sequence[Sequence[int]]],
    own_draws: Iterable[Sequence[int]],
    face_of_slot: dict[int, int],
) -> WorldHistory:
    """Build a world's history from the draws of all seats."""
    all_faces = dict(face_of_slot)
    for seat, (_, *drawn) in draws_by_seat.items():
        for slots, cards in zip(inference.drawn_slots[seat], drawn, strict=True):
            all_faces |= zip(slots, cards, strict=True)
    for event, cards in zip(_own_draws(inference), own_draws, strict=True):
        all_faces |= zip(event.slots, cards, strict=True)
    return WorldHistory({seat: list(dealt) for seat, (dealt, *_) in draws_by_seat.items()}, all_faces, {})


class HistorySearch:
    """Finds out how the cards of a layout moved in a game with swaps, by searching backwards.

    It finds a history, or proves that there is none. Seats affect each other only through the cards that
    swaps put into the talon. Before the first of those was drawn again, each seat's history is independent.
    """

    __slots__ = (
        "_events_by_seat",
        "_failed_keys",
        "_first_dependent",
        "_own_draws_of_swapped",
        "_result_by_key",
        "_steps_left",
        "inference",
        "rng",
    )

    def __init__(self, inference: GameInference, rng: Random) -> None:
        self.inference, self.rng = inference, rng
        talon_count, lost_cards = inference.initial_sight.talon_count, 0
        self._events_by_seat: dict[int, list[tuple[Event, int, int]]] = {
            seat: [] for seat in range(len(inference.known_cards)) if seat != inference.sight.seat
        }
        """The events of each other seat, with their index and the cards that the observer had lost track of; the initial talon has none of
        these cards."""
        self._own_draws_of_swapped = [event for event in _own_draws(inference) if any(slot >= talon_count for slot in event.slots)]
        self._first_dependent = len(inference.events)
        """The index of the first event in which another seat drew a card that had been put into the talon by a swap."""
        for i, event in enumerate(inference.events):
            if event.seat in self._events_by_seat:
                self._events_by_seat[event.seat].append((event, i, lost_cards))
                if any(slot >= talon_count and slot not in inference.face_of_slot for slot in _source_slots(event)):
                    self._first_dependent = min(self._first_dependent, i)
            if isinstance(event, UnseenSwap) and not compile_rules(inference.sight.rules).has_two_decks:
                lost_cards |= event.known_before
        self._steps_left = MAX_STEPS
        self._result_by_key: dict[object, SeatHistory | None] = {}
        self._failed_keys: set[object] = set()

    def find_history(self, unseen_hands: UnseenHands, face_of_slot: dict[int, int]) -> WorldHistory | None:
        """Return a history that leads to a card layout, or None if the search finds none in time."""
        for assigned_faces in self._assign_own_draws(self._own_draws_of_swapped, face_of_slot):
            history = self._search_back(
                {seat: len(seat_events) for seat, seat_events in self._events_by_seat.items()}, unseen_hands, assigned_faces
            )
            if history is not None:
                return history
        return None

    def _assign_own_draws(self, own_draws: Sequence[UnseenDraw], face_of_slot: dict[int, int]) -> Iterator[dict[int, int]]:
        """Yield all orders of the observer's drawn cards in the talon slots that swaps filled."""
        if not own_draws:
            yield face_of_slot
            return
        for order in dict.fromkeys(permutations(list_faces(own_draws[0].own_cards))):
            yield from self._assign_own_draws(own_draws[1:], face_of_slot | dict(zip(own_draws[0].slots, order, strict=True)))

    def _search_back(self, events_left: dict[int, int], unseen_hands: UnseenHands, face_of_slot: dict[int, int]) -> WorldHistory | None:
        """Search for a history, backwards from the last event of the game.

        It goes back as long as seats may draw cards that others have put into the talon.
        """
        last_event = {seat: self._events_by_seat[seat][events_before - 1] for seat, events_before in events_left.items() if events_before}
        seat = max(last_event, key=lambda candidate: last_event[candidate][1], default=-1)
        if not self._has_ordered_swaps(face_of_slot):
            return None
        if seat < 0 or last_event[seat][1] < self._first_dependent:
            return self._finish_independently(events_left, unseen_hands, face_of_slot)
        event, _, lost_cards = last_event[seat]
        events_before = events_left[seat] - 1
        if isinstance(event, HandFact):
            is_consistent = any(event.mask >> face & 1 for face in unseen_hands[seat]) == event.is_held
            return self._search_back(events_left | {seat: events_before}, unseen_hands, face_of_slot) if is_consistent else None
        if isinstance(event, CardRevealed):
            return self._search_back(
                events_left | {seat: events_before}, unseen_hands | {seat: [*unseen_hands[seat], event.face]}, face_of_slot
            )
        key = tuple(events_left.items()), tuple(tuple(sorted(cards)) for cards in unseen_hands.values()), self._returned_cards(face_of_slot)
        if key in self._failed_keys:
            return None
        for hand, drawn in self._possible_sources(seat, events_before, event, tuple(unseen_hands[seat]), lost_cards, face_of_slot):
            self._steps_left -= 1
            if self._steps_left < 0:
                return None
            history = self._search_back(events_left | {seat: events_before}, unseen_hands | {seat: hand}, face_of_slot | drawn)
            if history is not None:
                return history
        self._failed_keys.add(key)
        return None

    def _returned_cards(self, face_of_slot: dict[int, int]) -> tuple[tuple[int, int], ...]:
        """Return the known cards in talon slots that swaps filled, as (slot, card) pairs."""
        return tuple(sorted((slot, face) for slot, face in face_of_slot.items() if slot >= self.inference.initial_sight.talon_count))

    def _has_ordered_swaps(self, face_of_slot: dict[int, int]) -> bool:
        """Return whether the two cards that each swap put into the talon are in card order.

        A swap always puts its cards into the talon in this order.
        """
        pairs = [event.returned_slots for event in self.inference.events if isinstance(event, UnseenSwap)]
        return all(
            face_of_slot[slot] <= face_of_slot[next_slot] for slot, next_slot in pairs if slot in face_of_slot and next_slot in face_of_slot
        )

    def _finish_independently(
        self, events_left: dict[int, int], unseen_hands: UnseenHands, face_of_slot: dict[int, int]
    ) -> WorldHistory | None:
        """Complete a history by finding the history of each seat independently."""
        dealt, all_faces, returned_cards = {}, dict(face_of_slot), self._returned_cards(face_of_slot)
        for seat, cards in unseen_hands.items():
            seat_history = self._search_seat(seat, events_left[seat], tuple(sorted(cards)), face_of_slot, returned_cards)
            if seat_history is None:
                return None
            dealt[seat], drawn_faces = seat_history
            all_faces |= drawn_faces
        for event in _own_draws(self.inference):
            if event not in self._own_draws_of_swapped:
                cards = list_faces(event.own_cards)
                self.rng.shuffle(cards)
                all_faces |= zip(event.slots, cards, strict=True)
        swaps = {
            event.ply: (face_of_slot[event.returned_slots[0]], face_of_slot[event.returned_slots[1]])
            for event in self.inference.events
            if isinstance(event, UnseenSwap)
        }
        return WorldHistory(dealt, all_faces, swaps)

    def _search_seat(
        self, seat: int, event_index: int, hand: tuple[int, ...], face_of_slot: dict[int, int], returned_cards: object
    ) -> SeatHistory | None:
        """Return the cards that a seat was dealt and drew before an event, or None if impossible."""
        while event_index:
            event_index -= 1
            event, _, lost_cards = self._events_by_seat[seat][event_index]
            if isinstance(event, HandFact):
                if any(event.mask >> face & 1 for face in hand) != event.is_held:
                    return None
            elif isinstance(event, CardRevealed):
                hand = (*hand, event.face)
            else:
                key = seat, event_index, tuple(sorted(hand)), returned_cards
                if key not in self._result_by_key:
                    self._result_by_key[key] = None
                    for hand_before, drawn_faces in self._possible_sources(seat, event_index, event, hand, lost_cards, face_of_slot):
                        seat_history = self._search_seat(seat, event_index, tuple(hand_before), face_of_slot, returned_cards)
                        if seat_history is not None:
                            self._result_by_key[key] = seat_history[0], seat_history[1] | drawn_faces
                            break
                return self._result_by_key[key]
        return list(hand), {}

    def _possible_sources(
        self,
        seat: int,
        event_index: int,
        event: UnseenDraw | UnseenSwap,
        hand: tuple[int, ...],
        lost_cards: int,
        face_of_slot: dict[int, int],
    ) -> Iterator[tuple[list[int], dict[int, int]]]:
        """Yield each possible hand before a draw or swap, with the cards taken from the talon."""
        inference, talon_count = self.inference, self.inference.initial_sight.talon_count
        slots = [slot for slot in _source_slots(event) if slot not in inference.face_of_slot]
        known_faces = [face_of_slot[slot] for slot in slots if slot in face_of_slot]
        unknown_slots = [slot for slot in slots if slot not in face_of_slot]
        other_cards = _remove_cards(hand, known_faces)
        if len(other_cards) + len(known_faces) != len(hand):
            return
        returned_faces = [face_of_slot[slot] for slot in event.returned_slots] if isinstance(event, UnseenSwap) else []
        known_before = list_faces(event.known_before) if isinstance(event, UnseenSwap) else []
        may_take_returned = any(slot >= talon_count for slot in unknown_slots)
        absent_faces = self._absent_faces(seat, event_index)
        possible_faces = [
            face
            for face in _remove_cards(other_cards, _remove_cards(known_before, returned_faces))
            if may_take_returned or not lost_cards >> face & 1
        ]
        required_faces = tuple(face for face in possible_faces if absent_faces >> face & 1)
        optional_faces = [face for face in possible_faces if not absent_faces >> face & 1]
        self.rng.shuffle(optional_faces)
        for chosen in (
            dict.fromkeys(combinations(optional_faces, len(unknown_slots) - len(required_faces)))
            if len(required_faces) <= len(unknown_slots)
            else ()
        ):
            hand_before = _remove_cards(other_cards, required_faces + chosen) + returned_faces
            if any(hand_before.count(face) < known_before.count(face) for face in known_before):
                continue
            for order in (
                dict.fromkeys(permutations(required_faces + chosen))
                if may_take_returned
                else [self.rng.sample(required_faces + chosen, len(unknown_slots))]
            ):
                yield _remove_cards(hand_before, known_before), dict(zip(unknown_slots, order, strict=True))

    def _absent_faces(self, seat: int, event_index: int) -> int:
        """Return a mask of the card faces missing among a seat's unseen cards before an event."""
        absent_faces = 0
        for event, _, _ in reversed(self._events_by_seat[seat][:event_index]):
            if isinstance(event, UnseenDraw | UnseenSwap):
                break
            if isinstance(event, HandFact) and not event.is_held:
                absent_faces |= event.mask
        return absent_faces


def _source_slots(event: Event) -> tuple[int, ...]:
    """Return the talon slots from which an event took cards."""
    return event.slots if isinstance(event, UnseenDraw) else event.taken_slots if isinstance(event, UnseenSwap) else ()


def _remove_cards(cards: Sequence[int], removed: Iterable[int]) -> list[int]:
    """Remove one copy of each given card from a list, if the list contains the card."""
    remaining = list(cards)
    for face in removed:
        if face in remaining:
            remaining.remove(face)
    return remaining
