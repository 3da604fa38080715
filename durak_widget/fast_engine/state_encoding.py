"""Encodes rules, states and moves for the fast engine, and decodes its states and moves.

Rules and states become bytes, and a move becomes a number. The offsets come from the layout that the
WebAssembly file declares.
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
"""What a moment begins with, as `frontend/fast_engine/state.ts` has it: masks of eight bytes, then numbers of four."""
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
"""What a moment has as a state has it, by its name here and there."""

# Moves
_CARD: Final = 5
_FIRST: Final = 17
SUITS: Final = (0, 1, 2, 3, None)
NOBODY: Final = 7


def moment(state: State, layout: Mapping[str, int]) -> bytes:
    """A state as the kernel has it; `layout` says where what is."""
    past = state.past
    made = bytearray(layout["STATE_SIZE"] + layout["STRIDE"] * len(past))
    talon, table, discard = [face_of(bit) for bit in state.talon], plainly(state.table), plainly(state.discard)
    outcome = state.outcome
    numbers = (  # as `NUMBERS` names them
        *(NO_SUIT if state.suit is None else state.suit, _place(state.face_up, state), _place(state.hidden, state), 0, len(talon)),
        *(state.bout, state.attacker, state.defender, state.limit, len(state.attacks), state.unbeaten, state.newest),
        *(seats_row(state.throwers), state.passed, state.taking, state.began, len(state.shown), len(state.emptied), state.swapped_now),
        *(state.seats_in, len(state.places), state.ply, state.phase, NOBODY if state.actor is None else state.actor),
        *((0, 0, NOBODY, 0) if outcome is None else _ended(outcome)),
        *(len(past), 0),
    )
    _HEAD.pack_into(made, 0, state.ranks & ONE_DECK, table & ONE_DECK, table >> FACES, discard & ONE_DECK, discard >> FACES, *numbers)
    twins = state.kit.twins
    _lay_hands(made, state.hands, layout["HANDS"], layout["HANDS_TWICE"] if twins else 0)
    _lay_hands(made, list(map(and_, state.seen, state.hands)), layout["SEEN"], layout["SEEN_TWICE"] if twins else 0)
    for name, values in {
        "TALON": talon,
        "SHOWN": [number for pair in state.shown for number in pair],
        "EMPTIED": state.emptied,
        "PLACES": state.places,
        "SWAPPED": state.swapped,
    }.items():
        if values:
            made[layout[name] : layout[name] + len(values)] = bytes(values)
    pack_into(f"<{len(state.attacks)}H", made, layout["ATTACKS"], *state.attacks)
    pack_into(f"<{len(state.beats)}h", made, layout["BEATS"], *state.beats)
    for place, (attacker, *hands) in enumerate(past):
        at = layout["STATE_SIZE"] + layout["STRIDE"] * place
        _lay_hands(made, hands, at, at + layout["HANDS_TWICE"] - layout["HANDS"] if twins else 0)
        pack_into("<Q", made, at + layout["PAST_ATTACKER"], attacker)
    return bytes(made)


def _place(bit: int, state: State) -> int:
    """Where in the talon a card lies; -1 for none."""
    return state.talon.index(bit) if bit else -1


def _ended(outcome: Outcome) -> tuple[int, int, int, int]:
    """Who has won and who has lost, as masks, the fool and its epaulettes."""
    won, lost = (sum(1 << seat for seat in seats) for seats in (outcome.winners, outcome.losers))
    return won, lost, NOBODY if outcome.fool is None else outcome.fool, outcome.epaulettes


def _lay_hands(made: bytearray, hands: list[int], at: int, twice: int) -> None:
    """Write hands as masks of faces there; where `twice` is not 0, those of second copies there."""
    if not twice:
        pack_into(f"<{len(hands)}Q", made, at, *map(folded, hands))
        return
    masks = list(map(plainly, hands))
    pack_into(f"<{len(hands)}Q", made, at, *[mask & ONE_DECK for mask in masks])
    pack_into(f"<{len(hands)}Q", made, twice, *[mask >> FACES for mask in masks])


def read_moment(made: bytes, layout: Mapping[str, int], seats: int) -> dict[str, Any]:
    """What stands in a moment, by the names of `State`; masks have the copies counted from the first, the talon is faces."""
    found: dict[str, Any] = dict(zip((*MASKS, *NUMBERS), _HEAD.unpack_from(made), strict=True))
    laid = found["laid"]
    lists = {"hands": ("HANDS", "HANDS_TWICE"), "seen": ("SEEN", "SEEN_TWICE")}
    for name, (once, twice) in lists.items():
        masks = [unpack_from(f"<{seats}Q", made, layout[one]) for one in (once, twice)]
        found[name] = [one | two << FACES for one, two in zip(*masks, strict=True)]
    for name in ("table", "discard"):
        found[name] |= found[f"{name}Twice"] << FACES
    shown = made[layout["SHOWN"] : layout["SHOWN"] + 2 * found["shown"]]
    return {
        **found,
        "talon": list(made[layout["TALON"] + found["drawn"] : layout["TALON"] + found["end"]]),
        "attacks": list(unpack_from(f"<{laid}H", made, layout["ATTACKS"])),
        "beats": list(unpack_from(f"<{laid}h", made, layout["BEATS"])),
        "shown": tuple(zip(shown[::2], shown[1::2], strict=True)),
        "emptied": tuple(made[layout["EMPTIED"] : layout["EMPTIED"] + found["emptied"]]),
        "places": tuple(made[layout["PLACES"] : layout["PLACES"] + found["places"]]),
        "swapped": tuple(made[layout["SWAPPED"] : layout["SWAPPED"] + seats]),
    }


def read_past(made: bytes, layout: Mapping[str, int], kit: Kit) -> tuple[tuple[int, ...], ...]:
    """The starts of bouts that may come again, as `State.past` has them; with one deck nothing is written of second copies."""
    twice, seats, found = layout["HANDS_TWICE"] - layout["HANDS"], f"<{kit.players}Q", []
    for at in range(layout["STATE_SIZE"], len(made), layout["STRIDE"]):
        once, second = unpack_from(seats, made, at), unpack_from(seats, made, at + twice) if kit.twins else (0,) * kit.players
        (attacker,) = unpack_from("<Q", made, at + layout["PAST_ATTACKER"])
        found.append((attacker, *(one | two << FACES for one, two in zip(once, second, strict=True))))
    return tuple(found)


@lru_cache(maxsize=4096)
def move_number(move: Move) -> int:
    """A move as the kernel counts it; see `frontend/fast_engine/moves.ts`.

    >>> move_numbered(move_number(Move("beat 7c 9c")))
    Move('beat 7c 9c')
    """
    number = move.kind | max(move.code, 0) << 4
    if move.kind != ATTACK_SEVERAL:
        return number | max(move.target, 0) << 13
    for place, card in enumerate(move.cards):
        face = card.code % FACES
        suit = face // _RANKS if face < _JOKERS else face - _JOKERS
        number |= (suit << 3 | card.code // FACES) << _FIRST + _CARD * place
    return number | len(move.cards) << 13


@lru_cache(maxsize=4096)
def move_numbered(number: int) -> Move:
    """The move that a number of the kernel means."""
    kind, code, target = number & 15, number >> 4 & 511, number >> 13 & 63
    if kind == ATTACK_SEVERAL:
        last = code % FACES
        parts = [number >> _FIRST + _CARD * place & 31 for place in range(number >> 13 & 15)]
        faces = [_RANKS * (part >> 3) + last % _RANKS if last < _JOKERS else _JOKERS + (part >> 3) for part in parts]
        return Move.of("attack", *(Card.of(FACES * (part & 7) + face) for part, face in zip(parts, faces, strict=True)))
    verb = VERBS[kind]
    if verb in ("pass", "take"):
        return Move.of(verb)
    return Move.of(verb, *([Card.of(target)] if verb in ("beat", "swap") else []), Card.of(code))


def state_read(made: bytes, layout: Mapping[str, int], before: State) -> State:
    """The state that a moment of the kernel is, in a game that was at that state before.

    Of two copies of a card it is not said which lies where; what a seat can follow of cards that it swapped away is not in it.
    """
    kit = before.kit
    found = read_moment(made, layout, kit.players)
    state = before.copy()
    used, laid = 0, []
    for mask in (found["table"], found["discard"], plainly(before.aside), *found["hands"]):
        some = copies(mask, used)
        used |= some
        laid.append(some)
    state.table, state.discard, state.aside, *state.hands = laid
    talon = []
    for face in found["talon"]:
        talon.append(1 << face + FACES if used >> face & 1 else 1 << face)
        used |= talon[-1]
    state.lay_talon(tuple(talon))
    state.set_trump(None if found["suit"] == NO_SUIT else found["suit"])
    up, hidden = found["faceUp"] - found["drawn"], found["hidden"] - found["drawn"]
    state.face_up = talon[up] if up >= 0 else 0
    state.hidden = talon[hidden] if hidden >= 0 else 0
    if before.face_up:
        state.turn_up = state.face_up
    state.seen = [copies_held(mask, hand) for mask, hand in zip(found["seen"], state.hands, strict=True)]
    state.ranks = sum(1 << bit | 1 << bit + FACES for bit in bits_of(found["ranks"]))
    for name, slot in _SAME.items():
        setattr(state, slot, found[name])
    state.taking, state.swapped_now = bool(found["taking"]), bool(found["swappedNow"])
    state.throwers = kit.throwers(state.attacker, state.defender, state.newest, state.seats_in) if found["throwers"] else ()
    state.past = read_past(made, layout, kit)
    state.actor = None if found["actor"] == NOBODY else found["actor"]
    state.legal = None
    return state


def rules_image(rules: Rules, layout: Mapping[str, int]) -> bytes:
    """The image of a rule set; `layout` says where the kernel looks for what."""
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
        kit, rules = self.kit, self.kit.rules
        fixed = deal_and_trump.fixed_suit(rules)
        numbers = {
            "PLAYERS": kit.players,
            "TWINS": kit.twins,
            "HAND_SIZE": kit.hand_size,
            "BEATEN_NEEDED": kit.beaten_needed,
            "AFTER_TAKE": kit.after_take,
            "CARD_VOIDS_PASSES": kit.card_voids_passes,
            "NEWEST_FIRST": kit.newest_first,
            "TRANSFERS": kit.transfers,
            "SHOWS": kit.shows,
            "TRANSFER_FROM": kit.transfer_from,
            "SEVERAL": kit.several,
            "SWAPS": kit.swaps,
            "AT_ONCE": kit.at_once,
            "TIMES_TO_DRAW": kit.times_to_draw,
            "DECLARES": kit.declared != 0,
            "DECK_SIZE": len(kit.deck),
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
        self._put("MOST", "2i", *(min(most, len(kit.deck)) for most in kit.most))

    def _cards(self) -> None:
        kit, layout = self.kit, self.layout
        self._put("ALL_FACES", "Q", folded(kit.all_cards))
        self._put("TWICE", "Q", kit.all_cards >> FACES)
        self._put("CAN_SHOW", "Q", folded(kit.can_show))
        self._put("SAME_RANK", f"{len(SAME_RANK)}Q", *(mask & ONE_DECK for mask in SAME_RANK))
        for place, suit in enumerate(SUITS):
            self._put(
                "BEATERS", f"{FACES}Q", *(mask & ONE_DECK for mask in deck_and_beating.beaters(kit.rules, suit)), at=8 * FACES * place
            )
            self._put("REACH", f"{FACES}Q", *(mask & ONE_DECK for mask in kit.beating(suit)[0]), at=8 * FACES * place)
            costs = face_prices(kit.rules, suit)
            self._put("PRICE", f"{FACES}H", *costs, at=2 * FACES * place)
            plain = sum(1 << face for face, cost in enumerate(costs) if cost == deck_and_beating.rank_of(face))
            classes = [
                sum(1 << face for face, cost in enumerate(costs) if cost == one and not plain >> face & 1) for one in sorted(set(costs))
            ]
            self._put("PLAIN", "Q", plain, at=8 * place)
            self._put(
                "CHEAPEST",
                f"{layout['CLASSES']}Q",
                *[mask for mask in classes if mask],
                *[0] * (layout["CLASSES"] - sum(map(bool, classes))),
                at=8 * layout["CLASSES"] * place,
            )
        for face, codes in enumerate(kit.plays):
            self._put("PLAYS", f"{1 + len(codes)}H", len(codes), *codes, at=12 * face)
        self._put("DECK", f"{len(kit.deck)}B", *map(face_of, kit.deck))

    def _seats(self) -> None:
        kit, rules, seats = self.kit, self.kit.rules, range(self.kit.players)
        self._put("SIDE", f"{len(seats)}B", *kit.side)
        for group in range(1 << len(seats)):
            out = tuple(seat for seat in seats if not group >> seat & 1)
            self._put("OVER_WITH", "B", kit.over_with[group], at=group)
            self._put("OVER_ONCE_OUT", "B", bool(out) and kit.over(group, out), at=group)
            self._put("WON_WITH", "B", self._winners(group, out or (0,)), at=group)
            self._put("OPPONENT", f"{len(seats)}B", *map(_seat, kit.opponent[group]), at=8 * group)
            self._put("NEXT_IN", f"{len(seats)}B", *map(_seat, kit.next_in[group]), at=8 * group)
        for seat in seats:
            self._put("WON_FIRST", "B", self._winners(~(1 << seat), (seat,)), at=seat)
        for taken, attacker, defender in product((0, 1), seats, seats):
            self._put("DRAWS", "I", seats_row(kit.draws[taken][attacker][defender]), at=4 * (taken << 6 | attacker << 3 | defender))
        newest = seats if kit.newest_first else range(1)
        for group, last, defender, attacker in product(range(1 << len(seats)), newest, seats, seats):
            if attacker != defender:
                asked = attack.asked(rules, attacker, defender, last if kit.newest_first else attacker, group)
                self._put("THROWERS", "I", seats_row(asked), at=4 * (attacker | defender << 3 | last << 6 | group << 9))

    def _winners(self, group: int, out: tuple[int, ...]) -> int:
        """The mask of the seats that have won with these in and these out."""
        rules, seats = self.kit.rules, range(self.kit.players)
        left = group & (1 << len(seats)) - 1
        return sum(1 << seat for seat in scoring.outcome(rules, left, out, [0] * len(seats), 0, ()).winners)


def _seat(seat: int | None) -> int:
    return NOBODY if seat is None else seat


def seats_row(seats: Sequence[int]) -> int:
    """Some seats in their order as one number: how many in its four lowest bits, then three bits a seat."""
    return len(seats) | sum(seat << 4 + 3 * place for place, seat in enumerate(seats))
