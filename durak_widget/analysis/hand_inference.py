"""Infers what one player can know about the unseen cards from the history of a game.

A player who was asked whether to throw in held a card of a rank on the table. One who could have been asked
and was not held none. Between two refills a hand gains no unseen card. So everything that is proved between
them is kept together, as one period of the game. The module follows the public side of each bout (who may
throw in, what is on the table, who acts next) without knowing any hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.cards import FACE_COUNT, ONE_DECK_MASK, Card, add_cards, bit_indices, subtract_cards
from durak_widget.engine.compiled_rules import EFFECTIVE_FACES, SAME_RANK_MASKS, compile_rules, trump_mask
from durak_widget.engine.history import BoutEnd
from durak_widget.engine.moves import KIND_OF_VERB
from durak_widget.engine.state import PHASE_THROW_IN
from durak_widget.errors import DurakError
from durak_widget.rules import deal_and_trump

if TYPE_CHECKING:
    from collections.abc import Collection

    from durak_widget.engine.compiled_rules import CompiledRules
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import ObservationData

PASS: Final = KIND_OF_VERB["pass"]
TAKE: Final = KIND_OF_VERB["take"]
SHOW: Final = KIND_OF_VERB["show"]
SWAP: Final = KIND_OF_VERB["swap"]
THROW_IN_ANSWERS: Final = frozenset((KIND_OF_VERB["throw"], PASS))
"""The kinds of moves that a seat may make when the game asks the seat to throw in a card or to pass."""


class HandPeriod:
    """The time from one hand's draw of unseen cards to the hand's next such draw.

    It records which unseen cards the hand played then, and what is proved of those that it kept to the end.
    """

    __slots__ = ("absent_faces", "played", "present_masks")

    played: list[int]
    """The faces of the cards that the seat played or showed, without cards that others had already seen in its hand."""
    absent_faces: int
    """A mask of card faces that the hand is proved not to have among its unseen cards when the period ends."""
    present_masks: list[int]
    """Masks of card faces; when the period ends, the hand is proved to have at least one unseen card of each mask."""

    def __init__(self) -> None:
        self.played, self.absent_faces, self.present_masks = [], 0, []

    def with_absent_faces(self, mask: int) -> HandPeriod:
        """Return a copy of the period in which the hand also lacks the faces in `mask`."""
        period = HandPeriod()
        period.played, period.absent_faces, period.present_masks = self.played, self.absent_faces | mask, self.present_masks[:]
        period.simplify()
        return period

    def simplify(self) -> None:
        """Remove each proved fact that follows from the other proved facts."""
        open_masks = {mask & ~self.absent_faces for mask in self.present_masks}
        self.present_masks = sorted(
            mask for mask in open_masks if not any(narrower != mask and narrower & ~mask == 0 for narrower in open_masks)
        )


class UnseenDraw(NamedTuple):
    """A seat's draw of unseen cards, with the talon slots from which the cards came.

    `own_cards` are the drawn cards if the observing seat drew them.
    """

    seat: int
    slots: tuple[int, ...]
    own_cards: int = 0


class CardRevealed(NamedTuple):
    """An event in which a seat reveals a card of its hand that was unseen before."""

    seat: int
    face: int


class UnseenSwap(NamedTuple):
    """An event in which another seat exchanges unseen cards with the talon."""

    seat: int
    ply: int
    taken_slots: tuple[int, ...]
    """The talon slots from which the seat took cards."""
    returned_slots: tuple[int, ...]
    """The talon slots into which the seat put cards."""
    known_before: int
    """The cards that the observing seat knew to be in the hand before the swap."""
    absent_before: int
    """A mask of card faces that were not among the hand's unseen cards before the swap."""


class HandFact(NamedTuple):
    """A proved fact: none, or at least one, of a hand's unseen cards had a face in `mask`."""

    seat: int
    mask: int
    is_held: bool


class GameInference:
    """Infers what one seat can know about other hands and the talon from what that seat saw.

    A slot is a card of the talon at the start, counted from the top. A card that a swap puts into the talon
    gets a new slot.
    """

    sight: ObservationData
    initial_sight: ObservationData
    """What the observing seat saw at the start of the game."""
    periods: list[list[HandPeriod]]
    """For each seat, what is proved about its unseen cards in each period between two draws."""
    drawn_slots: list[list[tuple[int, ...]]]
    """For each seat and each of its draws of unseen cards, the talon slots from which the seat drew."""
    known_cards: list[int]
    """The cards that the observing seat knows to be in each hand; the observer's own entry is not updated."""
    face_of_slot: dict[int, int]
    """The card face in each talon slot whose card is known."""
    talon_slots: list[int]
    """The talon slots whose cards are not drawn yet, top slot first."""
    events: list[UnseenDraw | CardRevealed | UnseenSwap | HandFact]
    """The events that moved unseen cards or proved a fact about such cards, in the order of play."""
    period_after_swap: dict[int, int]
    """For each other seat that swapped with the talon, the index of the first period after that seat's last swap."""
    assumptions: Collection[str]
    _bout: PublicBout
    _hidden_slot: int
    _turn_up_slot: int
    _slot_count: int

    __slots__ = tuple(__annotations__)

    def __init__(self, sight: ObservationData, assumptions: Collection[str] = ()) -> None:
        self.sight, self.initial_sight, self.assumptions = sight, sight.first_observation or sight, assumptions
        start = self.initial_sight
        assert start.known_hands is not None  # noqa: S101 - whoever asks has seen to it
        self.known_cards, seats = list(start.known_hands), range(len(start.counts))
        self.periods, self.drawn_slots = [[HandPeriod()] for _ in seats], [[] for _ in seats]
        self.talon_slots, self.face_of_slot, self._slot_count = (
            list(range(start.talon_count)),
            dict(start.known_talon_cards),
            start.talon_count,
        )
        self.events, self.period_after_swap = [], {}
        is_in_talon = start.turn_up is not None and deal_and_trump.turn_up_location(sight.rules) != "aside"
        self._turn_up_slot = (
            deal_and_trump.turn_up_index(sight.rules, start.talon_count, has_hidden_card=start.has_hidden_card) if is_in_talon else -1
        )
        self._hidden_slot = start.talon_count - 1 if start.has_hidden_card else -1
        self._bout = PublicBout(start)
        if start.attacks and start.outcome is None:
            self._record_throw_in_facts(self._seat_asked_to_throw_in(0))
        self._replay()
        for period in (period for seat_periods in self.periods for period in seat_periods):
            period.simplify()

    def _replay(self) -> None:
        """Replay the game move by move, and infer in which hands the unseen cards can be."""
        sight, bout = self.sight, self._bout
        ends = {end[0]: BoutEnd(*end) for end in sight.bout_ends[len(self.initial_sight.bout_ends) :]}
        own_draws = dict(sight.own_draws)
        suits = {end.bout: end.trump_suit for end in ends.values()}
        for ply, (seat, move) in enumerate(zip(sight.actors, sight.moves, strict=True), 1):
            if move is None or move.kind == SWAP:
                self._apply_swap(seat, move, ply, own_draws.get(ply, 0))
                continue
            self._apply_move(seat, move, suits.get(bout.number, sight.trump_suit))
            if self.talon_slots or not bout.remove_finished_seats():
                self._record_throw_in_facts(self._seat_asked_to_throw_in(ply))
            if ply in ends:
                self._apply_bout_end(ends[ply], own_draws.get(ply, 0))
                if ply < len(sight.moves) or sight.outcome is None:
                    bout.start_next_bout(sight.actors[ply] if ply < len(sight.moves) else sight.attacker)

    @property
    def has_unseen_swaps(self) -> bool:
        """Return whether a seat other than the observer has swapped cards with the talon."""
        return bool(self.period_after_swap)

    # --- Proved facts about hands ---

    def _seat_asked_to_throw_in(self, ply: int) -> int | None:
        """Return the seat that was asked to throw in cards after `ply` moves, or None."""
        sight = self.sight
        if ply < len(sight.moves):
            move = sight.moves[ply]
            return sight.actors[ply] if move is not None and move.kind in THROW_IN_ANSWERS else None
        return sight.actor if sight.phase == PHASE_THROW_IN else None

    def _record_throw_in_facts(self, asked_seat: int | None) -> None:
        """Record which hands can and cannot throw in, given the seat that the game asked.

        A seat that the game skipped has no card that fits, and the asked seat has at least one.
        """
        fitting_faces = self._bout.table_ranks
        for seat in self._bout.seats_asked_to_throw_in():
            if seat == asked_seat:
                self._record_fact(seat, fitting_faces, is_held=True)
                return
            self._record_fact(seat, fitting_faces, is_held=False)

    def _record_fact(self, seat: int, mask: int, *, is_held: bool) -> None:
        """Record that a hand has none of the faces in `mask`, or at least one if `is_held`."""
        if seat == self.sight.seat:
            return
        if not is_held:
            self.periods[seat][-1].absent_faces |= mask
        elif self._is_known_to_hold(seat, mask):
            return
        else:
            self.periods[seat][-1].present_masks.append(mask)
        self.events.append(HandFact(seat, mask, is_held))

    def _is_known_to_hold(self, seat: int, mask: int) -> bool:
        """Return whether the observing seat knows that a hand has a card face in `mask`."""
        return (self.known_cards[seat] & mask) != 0

    def _reveal_card(self, seat: int, face: int) -> None:
        """Record that a seat revealed a card that was unseen before.

        If a proved fact says that the hand has one of several cards, and this card is among them, remove the fact.
        """
        period = self.periods[seat][-1]
        period.played.append(face)
        period.present_masks = [mask for mask in period.present_masks if not mask >> face & 1]
        self.events.append(CardRevealed(seat, face))

    # --- Events of the game ---

    def _apply_move(self, seat: int, move: Move, suit: int | None) -> None:
        """Update what is known after a move that all players saw."""
        bout, is_other_seat = self._bout, seat != self.sight.seat
        if move.kind == PASS and "passed" in self.assumptions:
            self._record_fact(seat, bout.table_ranks & ~trump_mask(suit), is_held=False)
        if move.kind == TAKE and "took" in self.assumptions and len(bout.unbeaten) == 1:
            self._record_fact(seat, bout.compiled.get_beating_tables(suit)[0][bout.unbeaten[0]] & ONE_DECK_MASK, is_held=False)
        for card in (move.cards[-1:] if move.verb == "beat" else move.cards) if is_other_seat else ():
            bit = 1 << card.face_code
            if not self.known_cards[seat] & bit:
                self._reveal_card(seat, card.face_code)
                if move.kind == SHOW:
                    self.known_cards[seat] = add_cards(self.known_cards[seat], bit)
            elif move.kind != SHOW:
                self.known_cards[seat] = subtract_cards(self.known_cards[seat], bit)
        bout.apply_move(seat, move)

    def _apply_bout_end(self, end: BoutEnd, own_cards: int) -> None:
        """Apply the end of a bout: move the table cards, let seats draw, remove finished seats."""
        bout = self._bout
        if end.taken:
            bout.hand_counts[end.defender] += len(bout.table_faces)
            for face in bout.table_faces:
                self.known_cards[end.defender] = add_cards(self.known_cards[end.defender], 1 << face)
        if end.turned_cards:
            if self._hidden_slot >= 0:
                self.face_of_slot[self._hidden_slot] = Card(end.turned_cards[-1]).code
            self._turn_up_slot, self._hidden_slot = self._hidden_slot, -1
        for seat, count in end.draw_counts:
            slots, self.talon_slots = tuple(self.talon_slots[:count]), self.talon_slots[count:]
            bout.hand_counts[seat] += count
            self._apply_draw(seat, slots, own_cards if seat == self.sight.seat else 0)
        bout.remove_seats(end.seats_out)

    def _apply_draw(self, seat: int, slots: tuple[int, ...], own_cards: int = 0) -> None:
        """Record that a seat draws; known cards of the talon become known cards of the hand."""
        unseen = []
        for slot in slots:
            if slot not in self.face_of_slot:
                unseen.append(slot)
                continue
            bit = 1 << self.face_of_slot[slot]
            self.known_cards[seat] = add_cards(self.known_cards[seat], bit)
            own_cards = subtract_cards(own_cards, bit)
        if unseen:
            self.events.append(UnseenDraw(seat, tuple(unseen), own_cards))
            self.periods[seat].append(HandPeriod())
            self.drawn_slots[seat].append(tuple(unseen))

    def _apply_swap(self, seat: int, move: Move | None, ply: int, own_cards: int) -> None:
        """Apply a swap between a hand and the talon, by the observing seat or another seat."""
        face_down_slots = [slot for slot in self.talon_slots if slot not in (self._turn_up_slot, self._hidden_slot)]
        top_index = self.talon_slots.index(face_down_slots[0])
        taken_slots, returned_slots = tuple(face_down_slots[:2]), (self._slot_count, self._slot_count + 1)
        self._slot_count += 2
        self.talon_slots = [
            *self.talon_slots[:top_index],
            *face_down_slots[2:],
            *returned_slots,
            *self.talon_slots[top_index + len(face_down_slots) :],
        ]
        if move is not None:
            self._apply_draw(seat, taken_slots, own_cards)
            self.face_of_slot |= {slot: card.face_code for slot, card in zip(returned_slots, move.cards, strict=True)}
            return
        self.events.append(UnseenSwap(seat, ply, taken_slots, returned_slots, self.known_cards[seat], self.periods[seat][-1].absent_faces))
        self.known_cards[seat] = 0
        self.periods[seat].append(HandPeriod())
        self.drawn_slots[seat].append(())
        self.period_after_swap[seat] = len(self.drawn_slots[seat])
        for slot in taken_slots:
            if slot in self.face_of_slot:
                self.known_cards[seat] = add_cards(self.known_cards[seat], 1 << self.face_of_slot[slot])


def list_faces(mask: int) -> list[int]:
    """Return the card faces in a mask, in card order; two copies of a face are listed twice."""
    return sorted(code % FACE_COUNT for code in bit_indices(mask))


class PublicBout:
    """The public information about the current bout, updated with each move of a game."""

    compiled: CompiledRules
    number: int
    attacker: int
    defender: int
    newest: int
    limit: int
    seats_at_start: int
    passed: int
    taking: bool
    seats_in: int
    places: tuple[int, ...]
    emptied: tuple[int, ...]
    throwers: tuple[int, ...]
    table_ranks: int
    """A mask of all card faces whose rank is on the table."""
    attack_count: int
    """The number of attacking cards on the table."""
    unbeaten: list[int]
    """The unbeaten cards on the table, each as a card face; a joker may be played as another face."""
    table_faces: list[int]
    """The card faces on the table."""
    hand_counts: list[int]
    """The number of cards in each hand."""

    __slots__ = tuple(__annotations__)

    def __init__(self, sight: ObservationData) -> None:
        self.compiled = compiled = compile_rules(sight.rules)
        self.hand_counts = list(sight.counts)
        self.number, self.attacker, self.defender, self.newest = sight.bout, sight.attacker, sight.defender, sight.newest_card_seat
        self.limit, self.seats_at_start, self.passed, self.taking = sight.limit, sight.seats_at_bout_start, sight.passed, sight.taking
        self.seats_in, self.places, self.emptied = sight.seats_in, sight.places, sight.emptied_seats
        self.throwers = compiled.find_throwers(self.attacker, self.defender, self.newest, self.seats_in) if sight.outcome is None else ()
        self.table_ranks, self.attack_count, self.unbeaten, self.table_faces = 0, len(sight.attacks), [], []
        for attack, beat in zip(sight.attacks, sight.beats, strict=True):
            self._put_on_table(attack)
            if beat < 0:
                self.unbeaten.append(EFFECTIVE_FACES[attack])
            else:
                self._put_on_table(beat)

    def _put_on_table(self, code: int) -> None:
        """Record that a card lies on the table: its face and its rank."""
        self.table_ranks |= SAME_RANK_MASKS[code] & ONE_DECK_MASK
        self.table_faces.append(code % FACE_COUNT)

    def start_next_bout(self, attacker: int) -> None:
        """Start the next bout with its attacker and defender."""
        compiled = self.compiled
        self.number += 1
        self.attacker = self.newest = attacker
        self.seats_at_start = self.seats_in
        self.defender, self.throwers = compiled.bout_roles[self.seats_in][attacker]
        self.limit = min(compiled.attack_limits[self.number > 1], self.hand_counts[self.defender])
        self.table_ranks = self.attack_count = self.passed = 0
        self.unbeaten, self.table_faces, self.emptied, self.taking = [], [], (), False

    def apply_move(self, seat: int, move: Move) -> None:
        """Update the bout after a move; the played cards must already have left the hand.

        A swap does not change the bout; `GameInference` handles it.
        """
        compiled, verb = self.compiled, move.verb
        if move.kind == PASS:
            self.passed |= 1 << seat
        elif move.kind == TAKE:
            self.taking, self.passed = True, 0
        elif verb == "beat":
            self.unbeaten.remove(move.target)
            self._put_on_table(move.code)
            self._remove_from_hand(seat)
            if compiled.card_cancels_passes:
                self.passed = 0
        elif move.kind == SHOW:
            self._pass_on()
        elif verb in ("attack", "throw", "transfer"):
            for card in move.cards:
                self._put_on_table(card.code)
                self.unbeaten.append(EFFECTIVE_FACES[card.code])
                self.attack_count += 1
                self._remove_from_hand(seat)
            self.newest = seat
            if verb == "transfer":
                self._pass_on()
            elif verb == "throw":
                if compiled.card_cancels_passes:
                    self.passed = 0
                if compiled.is_newest_asked_first:
                    self.throwers = compiled.find_throwers(self.attacker, self.defender, self.newest, self.seats_in)
        else:
            raise DurakError(
                f"the effect of {verb!r} on a bout is not defined; add it to Bout.follow in durak_widget/analysis/hand_inference.py"
            )

    def _remove_from_hand(self, seat: int) -> None:
        """Subtract one card from a seat's hand count; record the seat if its hand is now empty."""
        self.hand_counts[seat] -= 1
        if not self.hand_counts[seat]:
            self.emptied += (seat,)

    def _pass_on(self) -> None:
        """Make the defender the attacker after a transfer, with the next player as defender."""
        compiled, next_defender = self.compiled, self.compiled.next_opponent[self.seats_at_start][self.defender]
        assert next_defender is not None  # noqa: S101 - a bout has two sides
        self.limit = min(compiled.attack_limits[self.number > 1], self.hand_counts[next_defender])
        self.attacker, self.defender, self.passed = self.defender, next_defender, 0
        self.throwers = compiled.find_throwers(self.attacker, self.defender, self.newest, self.seats_in)

    def remove_seats(self, seats: tuple[int, ...]) -> None:
        """Remove given seats from the game, in the order in which they go out."""
        self.places += seats
        for seat in seats:
            self.seats_in &= ~(1 << seat)

    def remove_finished_seats(self) -> bool:
        """Remove seats that go out during the bout; return whether the game is over then.

        With an empty talon, a seat may be out as soon as it plays its last card.
        """
        finished = tuple(seat for seat in self.emptied if self.seats_in >> seat & 1) if self.compiled.goes_out_at_once else ()
        if not finished:
            return False
        self.remove_seats(finished)
        self.throwers = self.compiled.find_throwers(self.attacker, self.defender, self.newest, self.seats_in)
        return self.compiled.is_over(self.seats_in, self.places)

    def seats_asked_to_throw_in(self) -> tuple[int, ...]:
        """Return the seats that the game may ask to throw in, in the order of asking."""
        compiled = self.compiled
        is_asking = (
            compiled.can_throw_after_take
            if self.taking
            else (not self.unbeaten or self.attack_count - len(self.unbeaten) >= compiled.min_beaten_to_throw)
        )
        if not is_asking or self.attack_count >= self.limit:
            return ()
        return tuple(seat for seat in self.throwers if not self.passed >> seat & 1)
