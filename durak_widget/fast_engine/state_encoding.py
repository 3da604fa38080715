"""Encodes rules, states and moves for the fast engine, and decodes its states and moves.

The module encodes rules and states as bytes, and a move as a number. The offsets of fields come from the layout that the WebAssembly file
declares.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from operator import and_
from struct import Struct, pack_into, unpack_from
from typing import TYPE_CHECKING, Any, Final
from zlib import adler32

from durak_widget.cards import FACE_COUNT, ONE_DECK_MASK, Card, bit_indices, face_from_bit, merge_copies, normalize_copies
from durak_widget.engine.cheapest_move import TRUMP_COST, compute_face_prices
from durak_widget.engine.compiled_rules import SAME_RANK_MASKS, compile_rules
from durak_widget.engine.moves import ATTACK_SEVERAL, VERBS, Move
from durak_widget.engine.state import assign_unused_copies, find_copies_in_hand
from durak_widget.rules import attack, deal_and_trump, deck_and_beating, scoring, turns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.engine.compiled_rules import CompiledRules
    from durak_widget.engine.state import State
    from durak_widget.rules.ruleset import Rules
    from durak_widget.rules.scoring import Outcome

MASK_FIELDS: Final = ("ranks", "table", "tableTwice", "discard", "discardTwice")
NUMBER_FIELDS: Final = (
    *(
        "suit",
        "faceUp",
        "hidden",
        "drawn",
        "end",
        "bout",
        "attacker",
        "defender",
        "limit",
        "laid",
        "unbeaten",
        "newest",
        "throwers",
        "passed",
    ),
    *("taking", "began", "shown", "emptied", "swappedNow", "seatsIn", "places", "ply", "phase", "actor", "winners", "losers", "fool"),
    *("epaulettes", "past", "overflow"),
)
"""The names of the 4-byte numbers in an encoded state, in the order of `frontend/fast_engine/state.ts`.

They come after the 8-byte masks of `MASK_FIELDS`.
"""
_HEADER_FORMAT: Final = Struct(f"<{len(MASK_FIELDS)}Q{len(NUMBER_FIELDS)}i")
NO_SUIT: Final = 4
_RANK_COUNT: Final = 13
_FIRST_JOKER: Final = 52
_SHARED_FIELDS: Final = {
    **{name: name for name in ("bout", "attacker", "defender", "limit", "attacks", "beats", "passed", "places", "ply", "phase")},
    "unbeaten": "unbeaten_count",
    "newest": "newest_card_seat",
    "began": "seats_at_bout_start",
    "shown": "shown_trumps",
    "emptied": "emptied_seats",
    "swapped": "swap_counts",
    "seatsIn": "seats_in",
}
"""The fields that have the same values in both engines, from the name in the fast engine to the name in `State`."""

_CARD_BITS: Final = 5
_CARDS_OFFSET: Final = 17
TRUMP_SUITS: Final = (0, 1, 2, 3, None)
NO_SEAT: Final = 7


def encode_state(state: State, layout: Mapping[str, int]) -> bytes:
    """Encode a state as bytes for the fast engine; `layout` has the offsets of the fields."""
    repeatable = state.repeatable_positions
    buffer = bytearray(layout["STATE_SIZE"] + layout["STRIDE"] * len(repeatable))
    talon, table, discard = [face_from_bit(bit) for bit in state.talon], normalize_copies(state.table), normalize_copies(state.discard)
    outcome = state.outcome
    numbers = (  # List the numbers in the order of `NUMBER_FIELDS`.
        *(
            NO_SUIT if state.trump_suit is None else state.trump_suit,
            _talon_index(state.drawable_turn_up, state),
            _talon_index(state.hidden_card, state),
            0,
            len(talon),
        ),
        *(state.bout, state.attacker, state.defender, state.limit, len(state.attacks), state.unbeaten_count, state.newest_card_seat),
        *(
            encode_seat_order(state.throwers),
            state.passed,
            state.taking,
            state.seats_at_bout_start,
            len(state.shown_trumps),
            len(state.emptied_seats),
            state.has_swapped,
        ),
        *(state.seats_in, len(state.places), state.ply, state.phase, NO_SEAT if state.actor is None else state.actor),
        *((0, 0, NO_SEAT, 0) if outcome is None else _encode_outcome(outcome)),
        *(len(repeatable), 0),
    )
    _HEADER_FORMAT.pack_into(
        buffer,
        0,
        state.matching_rank_mask & ONE_DECK_MASK,
        table & ONE_DECK_MASK,
        table >> FACE_COUNT,
        discard & ONE_DECK_MASK,
        discard >> FACE_COUNT,
        *numbers,
    )
    has_two_decks = state.compiled_rules.has_two_decks
    _write_hands(buffer, state.hands, layout["HANDS"], layout["HANDS_TWICE"] if has_two_decks else 0)
    _write_hands(buffer, list(map(and_, state.publicly_seen, state.hands)), layout["SEEN"], layout["SEEN_TWICE"] if has_two_decks else 0)
    for name, values in {
        "TALON": talon,
        "SHOWN": [number for pair in state.shown_trumps for number in pair],
        "EMPTIED": state.emptied_seats,
        "PLACES": state.places,
        "SWAPPED": state.swap_counts,
    }.items():
        if values:
            buffer[layout[name] : layout[name] + len(values)] = bytes(values)
    pack_into(f"<{len(state.attacks)}H", buffer, layout["ATTACKS"], *state.attacks)
    pack_into(f"<{len(state.beats)}h", buffer, layout["BEATS"], *state.beats)
    for index, (attacker, *hands) in enumerate(repeatable):
        offset = layout["STATE_SIZE"] + layout["STRIDE"] * index
        _write_hands(buffer, hands, offset, offset + layout["HANDS_TWICE"] - layout["HANDS"] if has_two_decks else 0)
        pack_into("<Q", buffer, offset + layout["PAST_ATTACKER"], attacker)
    return bytes(buffer)


def _talon_index(bit: int, state: State) -> int:
    """Return the index of a card (given as a bit) in the talon; return -1 if the bit is 0."""
    return state.talon.index(bit) if bit else -1


def _encode_outcome(outcome: Outcome) -> tuple[int, int, int, int]:
    """Encode a result as four numbers: winners (mask), losers (mask), fool, and epaulettes."""
    won, lost = (sum(1 << seat for seat in seats) for seats in (outcome.winners, outcome.losers))
    return won, lost, NO_SEAT if outcome.fool is None else outcome.fool, outcome.epaulettes


def _write_hands(buffer: bytearray, hands: list[int], offset: int, second_copies_offset: int) -> None:
    """Write hands as bit masks into a buffer.

    The masks of second copies go to `second_copies_offset`, unless this is 0 because the deck has only one copy of each card.
    """
    if not second_copies_offset:
        pack_into(f"<{len(hands)}Q", buffer, offset, *map(merge_copies, hands))
        return
    masks = list(map(normalize_copies, hands))
    pack_into(f"<{len(hands)}Q", buffer, offset, *[mask & ONE_DECK_MASK for mask in masks])
    pack_into(f"<{len(hands)}Q", buffer, second_copies_offset, *[mask >> FACE_COUNT for mask in masks])


def decode_state_fields(data: bytes, layout: Mapping[str, int], seats: int) -> dict[str, Any]:
    """Decode an encoded state into a dict of its fields.

    If a pile has only one of two copies of a card, its mask has the bit of the first copy. The talon is a list of face codes.
    """
    fields: dict[str, Any] = dict(zip((*MASK_FIELDS, *NUMBER_FIELDS), _HEADER_FORMAT.unpack_from(data), strict=True))
    attack_count = fields["laid"]
    lists = {"hands": ("HANDS", "HANDS_TWICE"), "seen": ("SEEN", "SEEN_TWICE")}
    for name, (once, twice) in lists.items():
        masks = [unpack_from(f"<{seats}Q", data, layout[offset_name]) for offset_name in (once, twice)]
        fields[name] = [first | second << FACE_COUNT for first, second in zip(*masks, strict=True)]
    for name in ("table", "discard"):
        fields[name] |= fields[f"{name}Twice"] << FACE_COUNT
    shown_trumps = data[layout["SHOWN"] : layout["SHOWN"] + 2 * fields["shown"]]
    return {
        **fields,
        "talon": list(data[layout["TALON"] + fields["drawn"] : layout["TALON"] + fields["end"]]),
        "attacks": list(unpack_from(f"<{attack_count}H", data, layout["ATTACKS"])),
        "beats": list(unpack_from(f"<{attack_count}h", data, layout["BEATS"])),
        "shown": tuple(zip(shown_trumps[::2], shown_trumps[1::2], strict=True)),
        "emptied": tuple(data[layout["EMPTIED"] : layout["EMPTIED"] + fields["emptied"]]),
        "places": tuple(data[layout["PLACES"] : layout["PLACES"] + fields["places"]]),
        "swapped": tuple(data[layout["SWAPPED"] : layout["SWAPPED"] + seats]),
    }


def decode_repeatable_positions(data: bytes, layout: Mapping[str, int], compiled: CompiledRules) -> tuple[tuple[int, ...], ...]:
    """Decode the earlier positions that may occur again, from an encoded state.

    If the game has only one deck, the encoded state has no masks of second copies.
    """
    twice, seats, starts = layout["HANDS_TWICE"] - layout["HANDS"], f"<{compiled.player_count}Q", []
    for offset in range(layout["STATE_SIZE"], len(data), layout["STRIDE"]):
        once, second = (
            unpack_from(seats, data, offset),
            unpack_from(seats, data, offset + twice) if compiled.has_two_decks else (0,) * compiled.player_count,
        )
        (attacker,) = unpack_from("<Q", data, offset + layout["PAST_ATTACKER"])
        starts.append(
            (attacker, *(first_copies | second_copies << FACE_COUNT for first_copies, second_copies in zip(once, second, strict=True)))
        )
    return tuple(starts)


@lru_cache(maxsize=4096)
def encode_move(move: Move) -> int:
    """Encode a move as a number for the fast engine, as `move_encoding.ts` there defines it.

    >>> decode_move(encode_move(Move("beat 7c 9c")))
    Move('beat 7c 9c')
    """
    number = move.kind | max(move.code, 0) << 4
    if move.kind != ATTACK_SEVERAL:
        return number | max(move.target, 0) << 13
    for index, card in enumerate(move.cards):
        face = card.code % FACE_COUNT
        suit = face // _RANK_COUNT if face < _FIRST_JOKER else face - _FIRST_JOKER
        number |= (suit << 3 | card.code // FACE_COUNT) << _CARDS_OFFSET + _CARD_BITS * index
    return number | len(move.cards) << 13


@lru_cache(maxsize=4096)
def decode_move(number: int) -> Move:
    """Decode a move from its number in the fast engine."""
    kind, code, target = number & 15, number >> 4 & 511, number >> 13 & 63
    if kind == ATTACK_SEVERAL:
        last = code % FACE_COUNT
        parts = [number >> _CARDS_OFFSET + _CARD_BITS * index & 31 for index in range(number >> 13 & 15)]
        faces = [_RANK_COUNT * (part >> 3) + last % _RANK_COUNT if last < _FIRST_JOKER else _FIRST_JOKER + (part >> 3) for part in parts]
        return Move.from_cards("attack", *(Card.from_code(FACE_COUNT * (part & 7) + face) for part, face in zip(parts, faces, strict=True)))
    verb = VERBS[kind]
    if verb in ("pass", "take"):
        return Move.from_cards(verb)
    return Move.from_cards(verb, *([Card.from_code(target)] if verb in ("beat", "swap") else []), Card.from_code(code))


def decode_state(data: bytes, layout: Mapping[str, int], earlier_state: State) -> State:
    """Decode a state from bytes; `earlier_state` is an earlier state of the same game.

    The bytes do not contain which of two copies is where, or which swapped cards a seat can still locate.
    """
    compiled = earlier_state.compiled_rules
    fields = decode_state_fields(data, layout, compiled.player_count)
    state = earlier_state.copy()
    used, piles = 0, []
    for mask in (fields["table"], fields["discard"], normalize_copies(earlier_state.card_aside), *fields["hands"]):
        copies_used = assign_unused_copies(mask, used)
        used |= copies_used
        piles.append(copies_used)
    state.table, state.discard, state.card_aside, *state.hands = piles
    talon = []
    for face in fields["talon"]:
        talon.append(1 << face + FACE_COUNT if used >> face & 1 else 1 << face)
        used |= talon[-1]
    state.set_talon(tuple(talon))
    state.set_trump(None if fields["suit"] == NO_SUIT else fields["suit"])
    turn_up_index, hidden_index = fields["faceUp"] - fields["drawn"], fields["hidden"] - fields["drawn"]
    state.drawable_turn_up = talon[turn_up_index] if turn_up_index >= 0 else 0
    state.hidden_card = talon[hidden_index] if hidden_index >= 0 else 0
    if earlier_state.drawable_turn_up:
        state.turn_up = state.drawable_turn_up
    state.publicly_seen = [find_copies_in_hand(mask, hand) for mask, hand in zip(fields["seen"], state.hands, strict=True)]
    state.matching_rank_mask = sum(1 << bit | 1 << bit + FACE_COUNT for bit in bit_indices(fields["ranks"]))
    for name, slot in _SHARED_FIELDS.items():
        setattr(state, slot, fields[name])
    state.taking, state.has_swapped = bool(fields["taking"]), bool(fields["swappedNow"])
    state.throwers = (
        compiled.find_throwers(state.attacker, state.defender, state.newest_card_seat, state.seats_in) if fields["throwers"] else ()
    )
    state.repeatable_positions = decode_repeatable_positions(data, layout, compiled)
    state.actor = None if fields["actor"] == NO_SEAT else fields["actor"]
    state.legal_moves = None
    return state


def encode_rules(rules: Rules, layout: Mapping[str, int]) -> bytes:
    """Encode rules as bytes for the fast engine; `layout` has the offsets of the fields."""
    return _RulesEncoder(compile_rules(rules), layout).encode()


class _RulesEncoder:
    """Encodes one rule set as bytes for the fast engine."""

    def __init__(self, compiled: CompiledRules, layout: Mapping[str, int]) -> None:
        self.compiled, self.layout = compiled, layout
        self.bytes = bytearray(layout["IMAGE_SIZE"])

    def encode(self) -> bytes:
        self._write_numbers()
        self._write_cards()
        self._write_seats()
        self._write("MARKS", "II", self.layout["MAGIC"], self.layout["LAYOUT"])
        self._write("SIZE", "I", len(self.bytes))
        self._write("CHECKSUM", "I", adler32(self.bytes[self.layout["PLAYERS"] :]))
        return bytes(self.bytes)

    def _write(self, name: str, format_codes: str, *values: int, offset: int = 0) -> None:
        pack_into(f"<{format_codes}", self.bytes, self.layout[name] + offset, *values)

    def _write_numbers(self) -> None:
        compiled, rules = self.compiled, self.compiled.rules
        fixed = deal_and_trump.fixed_trump_suit(rules)
        numbers = {
            "PLAYERS": compiled.player_count,
            "TWINS": compiled.has_two_decks,
            "HAND_SIZE": compiled.hand_size,
            "BEATEN_NEEDED": compiled.min_beaten_to_throw,
            "AFTER_TAKE": compiled.can_throw_after_take,
            "CARD_VOIDS_PASSES": compiled.card_cancels_passes,
            "NEWEST_FIRST": compiled.is_newest_asked_first,
            "TRANSFERS": compiled.has_transfers,
            "SHOWS": compiled.can_transfer_by_showing,
            "TRANSFER_FROM": compiled.first_transfer_bout,
            "SEVERAL": compiled.can_open_with_several,
            "SWAPS": compiled.max_swaps,
            "AT_ONCE": compiled.goes_out_at_once,
            "TIMES_TO_DRAW": compiled.repetitions_to_tie,
            "DECLARES": compiled.free_suit_faces != 0,
            "DECK_SIZE": len(compiled.deck),
            "DEALT": deal_and_trump.dealt_card_count(rules),
            "ONE_OVER": deal_and_trump.leaves_last_card_aside(rules),
            "TRUMP": self.layout["TURNED_UP"] if deal_and_trump.has_turn_up(rules) else 4 if fixed is None else fixed,
            "TURN_UP": 2
            if deal_and_trump.is_turn_up_aside(rules)
            else int(deal_and_trump.turn_up_index(rules, 2, has_hidden_card=False) == 0),
            "HIDES": deal_and_trump.has_hidden_trump(rules),
            "LOWEST_FIRST": turns.does_lowest_trump_open(rules),
            "FIRST_OUT": scoring.does_first_out_win(rules),
            "DEAR": TRUMP_COST,
        }
        for name, number in numbers.items():
            self._write(name, "i", number)
        self._write("MOST", "2i", *(min(limit, len(compiled.deck)) for limit in compiled.attack_limits))

    def _write_cards(self) -> None:
        compiled, layout = self.compiled, self.layout
        self._write("ALL_FACES", "Q", merge_copies(compiled.deck_mask))
        self._write("TWICE", "Q", compiled.deck_mask >> FACE_COUNT)
        self._write("CAN_SHOW", "Q", merge_copies(compiled.trump_showing_mask))
        self._write("SAME_RANK", f"{len(SAME_RANK_MASKS)}Q", *(mask & ONE_DECK_MASK for mask in SAME_RANK_MASKS))
        for index, suit in enumerate(TRUMP_SUITS):
            self._write(
                "BEATERS",
                f"{FACE_COUNT}Q",
                *(mask & ONE_DECK_MASK for mask in deck_and_beating.beater_masks(compiled.rules, suit)),
                offset=8 * FACE_COUNT * index,
            )
            self._write(
                "REACH",
                f"{FACE_COUNT}Q",
                *(mask & ONE_DECK_MASK for mask in compiled.get_beating_tables(suit)[0]),
                offset=8 * FACE_COUNT * index,
            )
            costs = compute_face_prices(compiled.rules, suit)
            self._write("PRICE", f"{FACE_COUNT}H", *costs, offset=2 * FACE_COUNT * index)
            plain = sum(1 << face for face, cost in enumerate(costs) if cost == deck_and_beating.rank_index(face))
            classes = [
                sum(1 << face for face, cost in enumerate(costs) if cost == group_cost and not plain >> face & 1)
                for group_cost in sorted(set(costs))
            ]
            self._write("PLAIN", "Q", plain, offset=8 * index)
            self._write(
                "CHEAPEST",
                f"{layout['CLASSES']}Q",
                *[mask for mask in classes if mask],
                *[0] * (layout["CLASSES"] - sum(map(bool, classes))),
                offset=8 * layout["CLASSES"] * index,
            )
        for face, codes in enumerate(compiled.played_codes):
            self._write("PLAYS", f"{1 + len(codes)}H", len(codes), *codes, offset=12 * face)
        self._write("DECK", f"{len(compiled.deck)}B", *map(face_from_bit, compiled.deck))

    def _write_seats(self) -> None:
        compiled, rules, seats = self.compiled, self.compiled.rules, range(self.compiled.player_count)
        self._write("SIDE", f"{len(seats)}B", *compiled.side_of_seat)
        for group in range(1 << len(seats)):
            out = tuple(seat for seat in seats if not group >> seat & 1)
            self._write("OVER_WITH", "B", compiled.is_over_with[group], offset=group)
            self._write("OVER_ONCE_OUT", "B", bool(out) and compiled.is_over(group, out), offset=group)
            self._write("WON_WITH", "B", self._find_winners(group, out or (0,)), offset=group)
            self._write("OPPONENT", f"{len(seats)}B", *map(_encode_seat, compiled.next_opponent[group]), offset=8 * group)
            self._write("NEXT_IN", f"{len(seats)}B", *map(_encode_seat, compiled.next_seat_in[group]), offset=8 * group)
        for seat in seats:
            self._write("WON_FIRST", "B", self._find_winners(~(1 << seat), (seat,)), offset=seat)
        for taken, attacker, defender in product((0, 1), seats, seats):
            self._write(
                "DRAWS",
                "I",
                encode_seat_order(compiled.draw_orders[taken][attacker][defender]),
                offset=4 * (taken << 6 | attacker << 3 | defender),
            )
        newest = seats if compiled.is_newest_asked_first else range(1)
        for group, newest_seat, defender, attacker in product(range(1 << len(seats)), newest, seats, seats):
            if attacker != defender:
                throwers = attack.order_throwers(
                    rules, attacker, defender, newest_seat if compiled.is_newest_asked_first else attacker, group
                )
                self._write(
                    "THROWERS", "I", encode_seat_order(throwers), offset=4 * (attacker | defender << 3 | newest_seat << 6 | group << 9)
                )

    def _find_winners(self, seat_mask: int, seats_out: tuple[int, ...]) -> int:
        """Return the bit mask of the winners in a final state, given who is in and who is out."""
        rules, seats = self.compiled.rules, range(self.compiled.player_count)
        seats_in = seat_mask & (1 << len(seats)) - 1
        return sum(1 << seat for seat in scoring.build_outcome(rules, seats_in, seats_out, [0] * len(seats), 0, ()).winners)


def _encode_seat(seat: int | None) -> int:
    return NO_SEAT if seat is None else seat


def encode_seat_order(seats: Sequence[int]) -> int:
    """Encode a sequence of seats as one number: its length in 4 bits, then 3 bits per seat."""
    return len(seats) | sum(seat << 4 + 3 * index for index, seat in enumerate(seats))
