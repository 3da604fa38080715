"""Encodes rules, states and moves for the fast engine, and decodes its states and moves.

Rules and states become bytes, and a move becomes a number. The offsets come from the layout that the WebAssembly file declares.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from operator import and_
from struct import Struct, pack_into, unpack_from
from typing import TYPE_CHECKING, Any, Final
from zlib import adler32

from durak_widget.cards import FACES, ONE_DECK, Card, bits_of, face_of, folded, plainly
from durak_widget.engine.cheapest_move import DEAR, face_prices
from durak_widget.engine.compiled_rules import SAME_RANK, kit_of
from durak_widget.engine.moves import ATTACK_SEVERAL, VERBS, Move
from durak_widget.engine.state import copies, copies_held
from durak_widget.rules import attack, deal_and_trump, deck_and_beating, scoring, turns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.state import State
    from durak_widget.rules.ruleset import Rules
    from durak_widget.rules.scoring import Outcome

MASKS: Final = ("ranks", "table", "tableTwice", "discard", "discardTwice")
NUMBERS: Final = (
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
"""The first fields of a state, as in `frontend/fast_engine/state.ts`: 8-byte masks, then 4-byte numbers."""
_HEAD: Final = Struct(f"<{len(MASKS)}Q{len(NUMBERS)}i")
NO_SUIT: Final = 4
_RANKS: Final = 13
_JOKERS: Final = 52
_SAME: Final = {
    **{
        name: name
        for name in ("bout", "attacker", "defender", "limit", "attacks", "beats", "unbeaten", "newest", "passed", "began", "shown")
    },
    **{name: name for name in ("emptied", "places", "swapped", "ply", "phase")},
    "seatsIn": "seats_in",
}
"""The fields that are the same in both engines: fast engine's name to slot of `State`."""

# Moves
_CARD: Final = 5
_FIRST: Final = 17
SUITS: Final = (0, 1, 2, 3, None)
NOBODY: Final = 7


def moment(state: State, layout: Mapping[str, int]) -> bytes:
    """Return a state as bytes for the fast engine; `layout` gives the offsets."""
    repeatable = state.past
    buffer = bytearray(layout["STATE_SIZE"] + layout["STRIDE"] * len(repeatable))
    talon, table, discard = [face_of(bit) for bit in state.talon], plainly(state.table), plainly(state.discard)
    outcome = state.outcome
    numbers = (  # as `NUMBERS` names them
        *(NO_SUIT if state.suit is None else state.suit, _place(state.face_up, state), _place(state.hidden, state), 0, len(talon)),
        *(state.bout, state.attacker, state.defender, state.limit, len(state.attacks), state.unbeaten, state.newest),
        *(seats_row(state.throwers), state.passed, state.taking, state.began, len(state.shown), len(state.emptied), state.swapped_now),
        *(state.seats_in, len(state.places), state.ply, state.phase, NOBODY if state.actor is None else state.actor),
        *((0, 0, NOBODY, 0) if outcome is None else _ended(outcome)),
        *(len(repeatable), 0),
    )
    _HEAD.pack_into(buffer, 0, state.ranks & ONE_DECK, table & ONE_DECK, table >> FACES, discard & ONE_DECK, discard >> FACES, *numbers)
    has_two_decks = state.kit.twins
    _lay_hands(buffer, state.hands, layout["HANDS"], layout["HANDS_TWICE"] if has_two_decks else 0)
    _lay_hands(buffer, list(map(and_, state.seen, state.hands)), layout["SEEN"], layout["SEEN_TWICE"] if has_two_decks else 0)
    for name, values in {
        "TALON": talon,
        "SHOWN": [number for pair in state.shown for number in pair],
        "EMPTIED": state.emptied,
        "PLACES": state.places,
        "SWAPPED": state.swapped,
    }.items():
        if values:
            buffer[layout[name] : layout[name] + len(values)] = bytes(values)
    pack_into(f"<{len(state.attacks)}H", buffer, layout["ATTACKS"], *state.attacks)
    pack_into(f"<{len(state.beats)}h", buffer, layout["BEATS"], *state.beats)
    for index, (attacker, *hands) in enumerate(repeatable):
        offset = layout["STATE_SIZE"] + layout["STRIDE"] * index
        _lay_hands(buffer, hands, offset, offset + layout["HANDS_TWICE"] - layout["HANDS"] if has_two_decks else 0)
        pack_into("<Q", buffer, offset + layout["PAST_ATTACKER"], attacker)
    return bytes(buffer)


def _place(bit: int, state: State) -> int:
    """Return the position of a card in the talon; -1 for no card."""
    return state.talon.index(bit) if bit else -1


def _ended(outcome: Outcome) -> tuple[int, int, int, int]:
    """Return the masks of winners and losers, the fool and the number of epaulettes."""
    won, lost = (sum(1 << seat for seat in seats) for seats in (outcome.winners, outcome.losers))
    return won, lost, NOBODY if outcome.fool is None else outcome.fool, outcome.epaulettes


def _lay_hands(made: bytearray, hands: list[int], at: int, twice: int) -> None:
    """Write hands as masks of faces; second copies go to `twice`, unless that is 0."""
    if not twice:
        pack_into(f"<{len(hands)}Q", made, at, *map(folded, hands))
        return
    masks = list(map(plainly, hands))
    pack_into(f"<{len(hands)}Q", made, at, *[mask & ONE_DECK for mask in masks])
    pack_into(f"<{len(hands)}Q", made, twice, *[mask >> FACES for mask in masks])


def read_moment(made: bytes, layout: Mapping[str, int], seats: int) -> dict[str, Any]:
    """Return the fields of an encoded state by name.

    Of two copies of a card, one mask bit means the first copy. The talon is a list of faces.
    """
    fields: dict[str, Any] = dict(zip((*MASKS, *NUMBERS), _HEAD.unpack_from(made), strict=True))
    attack_count = fields["laid"]
    lists = {"hands": ("HANDS", "HANDS_TWICE"), "seen": ("SEEN", "SEEN_TWICE")}
    for name, (once, twice) in lists.items():
        masks = [unpack_from(f"<{seats}Q", made, layout[offset_name]) for offset_name in (once, twice)]
        fields[name] = [first | second << FACES for first, second in zip(*masks, strict=True)]
    for name in ("table", "discard"):
        fields[name] |= fields[f"{name}Twice"] << FACES
    shown = made[layout["SHOWN"] : layout["SHOWN"] + 2 * fields["shown"]]
    return {
        **fields,
        "talon": list(made[layout["TALON"] + fields["drawn"] : layout["TALON"] + fields["end"]]),
        "attacks": list(unpack_from(f"<{attack_count}H", made, layout["ATTACKS"])),
        "beats": list(unpack_from(f"<{attack_count}h", made, layout["BEATS"])),
        "shown": tuple(zip(shown[::2], shown[1::2], strict=True)),
        "emptied": tuple(made[layout["EMPTIED"] : layout["EMPTIED"] + fields["emptied"]]),
        "places": tuple(made[layout["PLACES"] : layout["PLACES"] + fields["places"]]),
        "swapped": tuple(made[layout["SWAPPED"] : layout["SWAPPED"] + seats]),
    }


def read_past(made: bytes, layout: Mapping[str, int], kit: Kit) -> tuple[tuple[int, ...], ...]:
    """Return the starts of bouts that can repeat, as in `State.past`.

    With one deck no second copies are written.
    """
    twice, seats, starts = layout["HANDS_TWICE"] - layout["HANDS"], f"<{kit.players}Q", []
    for offset in range(layout["STATE_SIZE"], len(made), layout["STRIDE"]):
        once, second = unpack_from(seats, made, offset), unpack_from(seats, made, offset + twice) if kit.twins else (0,) * kit.players
        (attacker,) = unpack_from("<Q", made, offset + layout["PAST_ATTACKER"])
        starts.append(
            (attacker, *(first_copies | second_copies << FACES for first_copies, second_copies in zip(once, second, strict=True)))
        )
    return tuple(starts)


@lru_cache(maxsize=4096)
def move_number(move: Move) -> int:
    """Return the number of a move in the fast engine; see `frontend/fast_engine/moves.ts`.

    >>> move_numbered(move_number(Move("beat 7c 9c")))
    Move('beat 7c 9c')
    """
    number = move.kind | max(move.code, 0) << 4
    if move.kind != ATTACK_SEVERAL:
        return number | max(move.target, 0) << 13
    for index, card in enumerate(move.cards):
        face = card.code % FACES
        suit = face // _RANKS if face < _JOKERS else face - _JOKERS
        number |= (suit << 3 | card.code // FACES) << _FIRST + _CARD * index
    return number | len(move.cards) << 13


@lru_cache(maxsize=4096)
def move_numbered(number: int) -> Move:
    """Return the move with this number in the fast engine."""
    kind, code, target = number & 15, number >> 4 & 511, number >> 13 & 63
    if kind == ATTACK_SEVERAL:
        last = code % FACES
        parts = [number >> _FIRST + _CARD * index & 31 for index in range(number >> 13 & 15)]
        faces = [_RANKS * (part >> 3) + last % _RANKS if last < _JOKERS else _JOKERS + (part >> 3) for part in parts]
        return Move.of("attack", *(Card.of(FACES * (part & 7) + face) for part, face in zip(parts, faces, strict=True)))
    verb = VERBS[kind]
    if verb in ("pass", "take"):
        return Move.of(verb)
    return Move.of(verb, *([Card.of(target)] if verb in ("beat", "swap") else []), Card.of(code))


def state_read(made: bytes, layout: Mapping[str, int], before: State) -> State:
    """Return the state that the bytes encode, given an earlier state of the same game.

    The bytes don't say which of two copies lies where, nor which swapped cards a seat can follow.
    """
    compiled = before.kit
    fields = read_moment(made, layout, compiled.players)
    state = before.copy()
    used, piles = 0, []
    for mask in (fields["table"], fields["discard"], plainly(before.aside), *fields["hands"]):
        copies_used = copies(mask, used)
        used |= copies_used
        piles.append(copies_used)
    state.table, state.discard, state.aside, *state.hands = piles
    talon = []
    for face in fields["talon"]:
        talon.append(1 << face + FACES if used >> face & 1 else 1 << face)
        used |= talon[-1]
    state.lay_talon(tuple(talon))
    state.set_trump(None if fields["suit"] == NO_SUIT else fields["suit"])
    turn_up_index, hidden_index = fields["faceUp"] - fields["drawn"], fields["hidden"] - fields["drawn"]
    state.face_up = talon[turn_up_index] if turn_up_index >= 0 else 0
    state.hidden = talon[hidden_index] if hidden_index >= 0 else 0
    if before.face_up:
        state.turn_up = state.face_up
    state.seen = [copies_held(mask, hand) for mask, hand in zip(fields["seen"], state.hands, strict=True)]
    state.ranks = sum(1 << bit | 1 << bit + FACES for bit in bits_of(fields["ranks"]))
    for name, slot in _SAME.items():
        setattr(state, slot, fields[name])
    state.taking, state.swapped_now = bool(fields["taking"]), bool(fields["swappedNow"])
    state.throwers = compiled.throwers(state.attacker, state.defender, state.newest, state.seats_in) if fields["throwers"] else ()
    state.past = read_past(made, layout, compiled)
    state.actor = None if fields["actor"] == NOBODY else fields["actor"]
    state.legal = None
    return state


def rules_image(rules: Rules, layout: Mapping[str, int]) -> bytes:
    """Return rules as bytes for the fast engine; `layout` gives the offsets."""
    return _Image(kit_of(rules), layout).made()


class _Image:
    def __init__(self, kit: Kit, layout: Mapping[str, int]) -> None:
        self.kit, self.layout = kit, layout
        self.bytes = bytearray(layout["IMAGE_SIZE"])

    def made(self) -> bytes:
        self._numbers()
        self._cards()
        self._seats()
        self._put("MARKS", "II", self.layout["MAGIC"], self.layout["LAYOUT"])
        self._put("SIZE", "I", len(self.bytes))
        self._put("CHECKSUM", "I", adler32(self.bytes[self.layout["PLAYERS"] :]))
        return bytes(self.bytes)

    def _put(self, name: str, form: str, *values: int, at: int = 0) -> None:
        pack_into(f"<{form}", self.bytes, self.layout[name] + at, *values)

    def _numbers(self) -> None:
        compiled, rules = self.kit, self.kit.rules
        fixed = deal_and_trump.fixed_suit(rules)
        numbers = {
            "PLAYERS": compiled.players,
            "TWINS": compiled.twins,
            "HAND_SIZE": compiled.hand_size,
            "BEATEN_NEEDED": compiled.beaten_needed,
            "AFTER_TAKE": compiled.after_take,
            "CARD_VOIDS_PASSES": compiled.card_voids_passes,
            "NEWEST_FIRST": compiled.newest_first,
            "TRANSFERS": compiled.transfers,
            "SHOWS": compiled.shows,
            "TRANSFER_FROM": compiled.transfer_from,
            "SEVERAL": compiled.several,
            "SWAPS": compiled.swaps,
            "AT_ONCE": compiled.at_once,
            "TIMES_TO_DRAW": compiled.times_to_draw,
            "DECLARES": compiled.declared != 0,
            "DECK_SIZE": len(compiled.deck),
            "DEALT": deal_and_trump.dealt_cards(rules),
            "ONE_OVER": deal_and_trump.leaves_one_over(rules),
            "TRUMP": self.layout["TURNED_UP"] if deal_and_trump.turns_up(rules) else 4 if fixed is None else fixed,
            "TURN_UP": 2 if deal_and_trump.shows_aside(rules) else int(deal_and_trump.index_of_turn_up(rules, 2, hides=False) == 0),
            "HIDES": deal_and_trump.hides_one(rules),
            "LOWEST_FIRST": turns.lowest_trump_opens(rules),
            "FIRST_OUT": scoring.first_out_wins(rules),
            "DEAR": DEAR,
        }
        for name, number in numbers.items():
            self._put(name, "i", number)
        self._put("MOST", "2i", *(min(limit, len(compiled.deck)) for limit in compiled.most))

    def _cards(self) -> None:
        compiled, layout = self.kit, self.layout
        self._put("ALL_FACES", "Q", folded(compiled.all_cards))
        self._put("TWICE", "Q", compiled.all_cards >> FACES)
        self._put("CAN_SHOW", "Q", folded(compiled.can_show))
        self._put("SAME_RANK", f"{len(SAME_RANK)}Q", *(mask & ONE_DECK for mask in SAME_RANK))
        for index, suit in enumerate(SUITS):
            self._put(
                "BEATERS", f"{FACES}Q", *(mask & ONE_DECK for mask in deck_and_beating.beaters(compiled.rules, suit)), at=8 * FACES * index
            )
            self._put("REACH", f"{FACES}Q", *(mask & ONE_DECK for mask in compiled.beating(suit)[0]), at=8 * FACES * index)
            costs = face_prices(compiled.rules, suit)
            self._put("PRICE", f"{FACES}H", *costs, at=2 * FACES * index)
            plain = sum(1 << face for face, cost in enumerate(costs) if cost == deck_and_beating.rank_of(face))
            classes = [
                sum(1 << face for face, cost in enumerate(costs) if cost == group_cost and not plain >> face & 1)
                for group_cost in sorted(set(costs))
            ]
            self._put("PLAIN", "Q", plain, at=8 * index)
            self._put(
                "CHEAPEST",
                f"{layout['CLASSES']}Q",
                *[mask for mask in classes if mask],
                *[0] * (layout["CLASSES"] - sum(map(bool, classes))),
                at=8 * layout["CLASSES"] * index,
            )
        for face, codes in enumerate(compiled.plays):
            self._put("PLAYS", f"{1 + len(codes)}H", len(codes), *codes, at=12 * face)
        self._put("DECK", f"{len(compiled.deck)}B", *map(face_of, compiled.deck))

    def _seats(self) -> None:
        compiled, rules, seats = self.kit, self.kit.rules, range(self.kit.players)
        self._put("SIDE", f"{len(seats)}B", *compiled.side)
        for group in range(1 << len(seats)):
            out = tuple(seat for seat in seats if not group >> seat & 1)
            self._put("OVER_WITH", "B", compiled.over_with[group], at=group)
            self._put("OVER_ONCE_OUT", "B", bool(out) and compiled.over(group, out), at=group)
            self._put("WON_WITH", "B", self._winners(group, out or (0,)), at=group)
            self._put("OPPONENT", f"{len(seats)}B", *map(_seat, compiled.opponent[group]), at=8 * group)
            self._put("NEXT_IN", f"{len(seats)}B", *map(_seat, compiled.next_in[group]), at=8 * group)
        for seat in seats:
            self._put("WON_FIRST", "B", self._winners(~(1 << seat), (seat,)), at=seat)
        for taken, attacker, defender in product((0, 1), seats, seats):
            self._put("DRAWS", "I", seats_row(compiled.draws[taken][attacker][defender]), at=4 * (taken << 6 | attacker << 3 | defender))
        newest = seats if compiled.newest_first else range(1)
        for group, newest_seat, defender, attacker in product(range(1 << len(seats)), newest, seats, seats):
            if attacker != defender:
                throwers = attack.asked(rules, attacker, defender, newest_seat if compiled.newest_first else attacker, group)
                self._put("THROWERS", "I", seats_row(throwers), at=4 * (attacker | defender << 3 | newest_seat << 6 | group << 9))

    def _winners(self, group: int, out: tuple[int, ...]) -> int:
        """Return the mask of the seats that have won when `group` is in and `out` are out."""
        rules, seats = self.kit.rules, range(self.kit.players)
        seats_in = group & (1 << len(seats)) - 1
        return sum(1 << seat for seat in scoring.outcome(rules, seats_in, out, [0] * len(seats), 0, ()).winners)


def _seat(seat: int | None) -> int:
    return NOBODY if seat is None else seat


def seats_row(seats: Sequence[int]) -> int:
    """Return seats in order as one number: the count in four bits, then three bits for each."""
    return len(seats) | sum(seat << 4 + 3 * index for index, seat in enumerate(seats))
