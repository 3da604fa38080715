"""The order of turns: who attacks first, and who draws first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from durak_widget.rules import deal_and_trump
from durak_widget.rules.option import choice
from durak_widget.rules.seating import clockwise, seats, sides


@dataclass(frozen=True)
class Turns(deal_and_trump.Trumping):
    """The options of the order of turns."""

    first_attacker: Literal["lowest_trump", "left_of_dealer"] = choice(
        "lowest_trump",
        {
            "lowest_trump": "In a first game, whoever holds the lowest trump attacks first.",
            "left_of_dealer": "In a first game, the player after the dealer attacks first.",
        },
    )
    next_attacker: Literal["right_of_fool", "lowest_trump", "left_of_dealer"] = choice(
        "right_of_fool",
        {
            "right_of_fool": "In the next game of a match, the player before the fool attacks first.",
            "lowest_trump": "In the next game of a match, whoever holds the lowest trump attacks first.",
            "left_of_dealer": "In the next game of a match, the player after the dealer attacks first.",
        },
    )
    draw_order: Literal["attacker_first", "loser_first"] = choice(
        "attacker_first",
        {
            "attacker_first": "After a bout the attacker draws first, then the others clockwise, the defender last.",
            "loser_first": "After a bout its loser draws first, then the attacker and the others clockwise, the defender last.",
        },
    )


def _opens(how: str, hands: list[int], suit: int | None, dealer: int) -> int:
    order = clockwise(dealer, len(hands))
    holder = deal_and_trump.lowest(hands, order, suit) if how == "lowest_trump" else None
    return order[0] if holder is None else holder


def lowest_trump_opens(rules: Turns) -> bool:
    """Return whether the lowest trump attacks first in a first game.

    Otherwise it is the player after the dealer.
    """
    return rules.first_attacker == "lowest_trump"


def opens_first_game(rules: Turns, hands: list[int], suit: int | None, dealer: int) -> int:
    """Return the seat that attacks first in a first game."""
    return _opens(rules.first_attacker, hands, suit, dealer)


def opens_next_game(rules: Turns, hands: list[int], suit: int | None, dealer: int, fool: int | None) -> int:
    """Return the seat that attacks first in the next game of a match.

    `fool` is the seat that lost the game before as the fool, or None.
    """
    if rules.next_attacker != "right_of_fool":
        return _opens(rules.next_attacker, hands, suit, dealer)
    if fool is None:
        return opens_first_game(rules, hands, suit, dealer)
    side = sides(rules)
    return next(seat for seat in clockwise(fool, seats(rules))[-2::-1] if side[seat] != side[fool])


def ineffective_turn_options(rules: Turns) -> set[str]:
    """Return the options that have no effect with the others."""
    return set() if deal_and_trump.leaves_talon(rules) else {"draw_order"}


def draws(rules: Turns, attacker: int, defender: int, *, taken: bool) -> tuple[int, ...]:
    """Return the seats in the order in which they draw after a bout."""
    others = [seat for seat in clockwise(attacker, seats(rules))[:-1] if seat != defender]
    order = [attacker, *others, defender]
    loser = defender if taken else attacker
    return tuple(dict.fromkeys([loser, *order] if rules.draw_order == "loser_first" else order))
