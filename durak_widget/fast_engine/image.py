"""The rules of a game as bytes for the kernel: what the kit holds, in the places that the kernel's own file names."""

from __future__ import annotations

from itertools import product
from struct import pack_into
from typing import TYPE_CHECKING, Final
from zlib import adler32

from durak_widget.cards import FACES, ONE_DECK, face_of, folded
from durak_widget.engine.cheapest_move import DEAR, face_prices
from durak_widget.engine.compiled_rules import SAME_RANK, kit_of
from durak_widget.rules import attack, deal_and_trump, deck_and_beating, scoring, turns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.rules.ruleset import Rules

SUITS: Final = (0, 1, 2, 3, None)
NOBODY: Final = 7


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
