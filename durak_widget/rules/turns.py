"""The rule options about the order of turns: who attacks first, and who draws cards first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from durak_widget.rules import deal_and_trump
from durak_widget.rules.option import declare_choice
from durak_widget.rules.seating import seat_count, seats_clockwise, side_of_seat


@dataclass(frozen=True)
class TurnOptions(deal_and_trump.TrumpOptions):
    """The rule options about who attacks first in a game and who draws cards first."""

    first_attacker: Literal["lowest_trump", "left_of_dealer"] = declare_choice(
        "lowest_trump",
        {
            "lowest_trump": "In the first game, the player with the lowest trump attacks first.",
            "left_of_dealer": "In the first game, the player after the dealer attacks first.",
        },
    )
    next_attacker: Literal["right_of_fool", "lowest_trump", "left_of_dealer"] = declare_choice(
        "right_of_fool",
        {
            "right_of_fool": "In the next game of a match, the player before the fool attacks first.",
            "lowest_trump": "In the next game of a match, the player with the lowest trump attacks first.",
            "left_of_dealer": "In the next game of a match, the player after the dealer attacks first.",
        },
    )
    draw_order: Literal["attacker_first", "loser_first"] = declare_choice(
        "attacker_first",
        {
            "attacker_first": "After a bout, the attacker draws first, then the others clockwise. The defender draws last.",
            "loser_first": "After a bout, its loser draws first, then the attacker and the others clockwise. A defender who didn't lose draws last.",
        },
    )


def _find_opener(method: str, hands: list[int], suit: int | None, dealer: int) -> int:
    """Return the first attacker: the seat with the lowest trump, or the one after the dealer."""
    order = seats_clockwise(dealer, len(hands))
    holder = deal_and_trump.find_lowest_trump_holder(hands, order, suit) if method == "lowest_trump" else None
    return order[0] if holder is None else holder


def does_lowest_trump_open(rules: TurnOptions) -> bool:
    """Return whether the player with the lowest trump attacks first in the first game.

    If not, the player after the dealer attacks first.
    """
    return rules.first_attacker == "lowest_trump"


def find_first_attacker(rules: TurnOptions, hands: list[int], suit: int | None, dealer: int) -> int:
    """Return the seat that attacks first in the first game of a match."""
    return _find_opener(rules.first_attacker, hands, suit, dealer)


def find_next_attacker(rules: TurnOptions, hands: list[int], suit: int | None, dealer: int, fool: int | None) -> int:
    """Return the seat that attacks first in the next game of a match.

    `fool` is the seat that was the fool in the previous game, or None.
    """
    if rules.next_attacker != "right_of_fool":
        return _find_opener(rules.next_attacker, hands, suit, dealer)
    if fool is None:
        return find_first_attacker(rules, hands, suit, dealer)
    side = side_of_seat(rules)
    return next(seat for seat in seats_clockwise(fool, seat_count(rules))[-2::-1] if side[seat] != side[fool])


def find_ineffective_turn_options(rules: TurnOptions) -> set[str]:
    """Return the names of turn options that have no effect because of other options."""
    return set() if deal_and_trump.has_talon_after_deal(rules) else {"draw_order"}


def list_draw_order(rules: TurnOptions, attacker: int, defender: int, *, taken: bool) -> tuple[int, ...]:
    """Return the seats in the order in which they draw cards after a bout."""
    helpers = [seat for seat in seats_clockwise(attacker, seat_count(rules))[:-1] if seat != defender]
    order = [attacker, *helpers, defender]
    loser = defender if taken else attacker
    return tuple(dict.fromkeys([loser, *order] if rules.draw_order == "loser_first" else order))
