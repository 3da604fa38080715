"""How are the cards dealt?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from durak_widget.rules import pack, seating
from durak_widget.rules.option import choice, number, refuse


@dataclass(frozen=True)
class Dealing(pack.Pack, seating.Seating):
    """The deal."""

    hand_size: int = number(6, "Each player is dealt {n} card{s}, and draws back up to {n} while there is a talon.")
    deal: Literal["hand", "all", "all_but_one"] = choice(
        "hand",
        {
            "hand": "A hand to each player; the rest is the talon.",
            "all": "The whole deck is dealt out; there is no talon.",
            "all_but_one": "The whole deck is dealt out but for one card, which shows the trump suit and stays out of play.",
        },
    )


def check_dealing(rules: Dealing) -> None:
    """The deck must hold what is dealt, and everybody gets a card."""
    cards, players = pack.size(rules), seating.seats(rules)
    if rules.deal == "hand":
        if players * rules.hand_size > cards:
            wrong = f"{players} players with {rules.hand_size} card{'s' * (rules.hand_size != 1)} each need {players * rules.hand_size} cards, and the deck holds {cards}"
            mend = f"say hand_size={cards // players} or less, fewer players, or more ranks, suits or decks"
            if cards < players:
                mend = "take more ranks, suits or decks, or fewer players"
            raise refuse(
                "hand_size", rules.hand_size, wrong, mend, "hand_size", players=players, need=players * rules.hand_size, cards=cards
            )
        return
    dealt = cards - (rules.deal == "all_but_one")
    if dealt < players:
        wrong = f"only {dealt} card{'s' * (dealt != 1)} would be dealt, and each of the {players} players needs one"
        raise refuse("deal", rules.deal, wrong, "take more ranks, suits or decks, or fewer players", "deal")


def ineffective_dealing_options(rules: Dealing) -> set[str]:
    """The options that have no effect under the others."""
    return set() if has_talon(rules) else {"hand_size"}


def hand_size(rules: Dealing) -> int:
    """How many cards a hand is refilled to."""
    return rules.hand_size


def has_talon(rules: Dealing) -> bool:
    """Whether hands are dealt, and what is left is the talon."""
    return rules.deal == "hand"


def dealt_cards(rules: Dealing) -> int:
    """How many cards go to the players."""
    if rules.deal == "hand":
        return seating.seats(rules) * rules.hand_size
    return pack.size(rules) - (rules.deal == "all_but_one")


def leaves_talon(rules: Dealing) -> bool:
    """Whether cards are left to draw from."""
    return rules.deal == "hand" and dealt_cards(rules) < pack.size(rules)


def leaves_one_over(rules: Dealing) -> bool:
    """Whether the last card is kept out of play from the deal on."""
    return rules.deal == "all_but_one"


def hands(rules: Dealing, deck: list[int], dealer: int) -> list[int]:
    """The hand of each seat as a mask: cards one at a time, clockwise, from the dealer's left."""
    players, dealt = seating.seats(rules), dealt_cards(rules)
    by_turn = [sum(deck[k:dealt:players]) for k in range(players)]
    first = players - 1 - dealer
    return by_turn[first:] + by_turn[:first]
