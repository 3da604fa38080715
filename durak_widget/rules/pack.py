"""Which cards are in the deck?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from durak_widget.cards import BLACK_JOKER, FACES, RANKS, RED_JOKER, SUITS
from durak_widget.rules.option import choice, letters


@dataclass(frozen=True)
class Pack:
    """The deck."""

    ranks: str = letters("6789TJQKA", RANKS, "The ranks, from the lowest: {}.")
    suits: str = letters("cdhs", SUITS, "The suits: {}.")
    jokers: Literal[0, 2] = choice(
        0,
        {0: "No jokers.", 2: "A red and a black joker in each deck: each beats any card of its colour, and nothing beats it."},
    )
    decks: Literal[1, 2] = choice(1, {1: "One deck.", 2: "Two decks shuffled together."})


@lru_cache(maxsize=128)  # it is asked for at every move
def faces(rules: Pack) -> int:
    """The mask of the faces in the deck."""
    suited = sum(1 << (13 * SUITS.index(s) + RANKS.index(r)) for s in rules.suits for r in rules.ranks)
    return suited | (1 << RED_JOKER | 1 << BLACK_JOKER if rules.jokers else 0)


def deck(rules: Pack) -> list[int]:
    """The deck in card order, copies side by side, each card as the bit of its mask."""
    mask = faces(rules)
    return [1 << (face + FACES * copy) for face in range(FACES) if mask >> face & 1 for copy in range(rules.decks)]


def size(rules: Pack) -> int:
    """How many cards the deck holds."""
    return (len(rules.ranks) * len(rules.suits) + rules.jokers) * rules.decks


def ranks(rules: Pack) -> str:
    """The ranks in the deck, from the lowest."""
    return rules.ranks


def suits(rules: Pack) -> str:
    """The suits in the deck, in card order."""
    return rules.suits


def lowest_rank(rules: Pack) -> str:
    """The lowest rank of the deck."""
    return rules.ranks[0]


def two_decks(rules: Pack) -> bool:
    """Whether a card can be there twice."""
    return rules.decks == 2
