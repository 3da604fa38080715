"""The options of the deck: its cards, which card beats which, and cards of a chosen suit.

Which cards beat a given card is computed once for each card, as a mask. So unusual rules cost no time during play. Some cards (Weli) may
be played in a suit of the player's choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from durak_widget.cards import BLACK_JOKER, FACES, RANKS, RED_JOKER, SPADES, SUITS, Card, bits_of, played_code
from durak_widget.rules.option import choice, letters, refuse

_COVERED = {"off": (), "sixes": ("6c", "6d", "6h", "6s"), "bells": ("6d",)}


@dataclass(frozen=True)
class Pack:
    """The options of the deck."""

    ranks: str = letters("6789TJQKA", RANKS, "The ranks, from the lowest: {}.")
    suits: str = letters("cdhs", SUITS, "The suits: {}.")
    jokers: Literal[0, 2] = choice(
        0,
        {0: "No jokers.", 2: "A red and a black joker in each deck: each beats any card of its colour, and nothing beats it."},
    )
    decks: Literal[1, 2] = choice(1, {1: "One deck.", 2: "Two decks shuffled together."})


@dataclass(frozen=True)
class Beating(Pack):
    """The options of beating."""

    spades_by_spades: bool = choice(
        False,
        {
            False: "Spades are a suit like the others.",
            True: "A spade is beaten only by a higher spade, never by a trump; spades are never trumps.",
        },
    )
    low_trump_beats_ace: bool = choice(
        False,
        {False: "No other trump beats the ace of trumps.", True: "The lowest trump of the deck beats the ace of trumps."},
    )


def check_beating(rules: Beating) -> None:
    """Require aces in the deck if the low trump beats the ace."""
    known = ranks(rules)
    if rules.low_trump_beats_ace and "A" not in known:
        raise refuse(
            "low_trump_beats_ace",
            True,
            f"the deck has no aces (ranks={known!r})",
            "add 'A' to ranks, or say low_trump_beats_ace=False",
            "aces",
        )


def trump_suits(rules: Beating) -> tuple[int, ...]:
    """Return the suits that may be trumps, by their index in `SUITS`."""
    return (0, 1, 2) if rules.spades_by_spades else (0, 1, 2, 3)


def beats(rules: Beating, trump: int | None, d: int, a: int) -> bool:
    """Return whether card `d` beats card `a`, both by the code that they count as."""
    if a >= RED_JOKER:
        return False
    suit, higher = a // 13, d > a
    if rules.spades_by_spades and suit == SPADES:
        return higher and d < RED_JOKER
    if d >= RED_JOKER:
        return Card.of(d).color == Card.of(a).color
    if d // 13 == suit:
        return higher or (rules.low_trump_beats_ace and suit == trump and Card.of(a).rank == "A" and Card.of(d).rank == lowest_rank(rules))
    return d // 13 == trump


def beaters(rules: Beating, trump: int | None) -> list[int]:
    """Return, for each face, the mask (both copies) of the cards in the deck that beat it."""
    deck = list(bits_of(faces(rules)))
    first_copies = [
        sum(1 << defending_code for defending_code in deck if beats(rules, trump, defending_code, attacking_code))
        for attacking_code in range(FACES)
    ]
    return [mask | mask << FACES for mask in first_copies]


def why_not(rules: Beating, trump: int | None, d: int, a: int) -> str | None:
    """Return the code of the reason why `d` does not beat `a`; None if it does."""
    if beats(rules, trump, d, a):
        return None
    if a >= RED_JOKER:
        return "nothing_beats_joker"
    if rules.spades_by_spades and a // 13 == SPADES:
        return "too_low" if d // 13 == SPADES else "only_spades_beat_spades"
    if d >= RED_JOKER:
        return "joker_wrong_colour"
    return "too_low" if d // 13 == a // 13 else "wrong_suit"


def why(d: int, a: int) -> str:
    """Return the rule by which `d` beats `a`: `joker`, `higher`, `low_trump` or `trump`."""
    if d >= RED_JOKER:
        return "joker"
    if d // 13 == a // 13:
        return "higher" if d > a else "low_trump"
    return "trump"


@lru_cache(maxsize=128)  # called at every move
def faces(rules: Pack) -> int:
    """Return the mask of the faces in the deck."""
    suited = sum(1 << (13 * SUITS.index(suit) + RANKS.index(rank)) for suit in rules.suits for rank in rules.ranks)
    return suited | (1 << RED_JOKER | 1 << BLACK_JOKER if rules.jokers else 0)


def deck(rules: Pack) -> list[int]:
    """Return the deck in card order, copies side by side, each card as a bit."""
    mask = faces(rules)
    return [1 << (face + FACES * copy) for face in range(FACES) if mask >> face & 1 for copy in range(rules.decks)]


def size(rules: Pack) -> int:
    """Return the number of cards in the deck."""
    return (len(rules.ranks) * len(rules.suits) + rules.jokers) * rules.decks


def ranks(rules: Pack) -> str:
    """Return the ranks in the deck, from the lowest."""
    return rules.ranks


def suits(rules: Pack) -> str:
    """Return the suits in the deck, in card order."""
    return rules.suits


def lowest_rank(rules: Pack) -> str:
    """Return the lowest rank of the deck."""
    return rules.ranks[0]


def two_decks(rules: Pack) -> bool:
    """Return whether each card can be there twice."""
    return rules.decks == 2


@dataclass(frozen=True)
class Declaring(Pack):
    """The options of cards with a suit of the player's choice."""

    weli: Literal["off", "sixes", "bells"] = choice(
        "off",
        {
            "off": "Every card is played in its own suit.",
            "sixes": "A six is played in a suit of the player's choice; it stays a six.",
            "bells": "The six of diamonds (bells) is played in a suit of the player's choice; it stays a six.",
        },
    )


def check_declaring(rules: Declaring) -> None:
    """Require the card of the option in the deck."""
    known, present = ranks(rules), suits(rules)
    if rules.weli != "off" and "6" not in known:
        raise refuse("weli", rules.weli, f"the deck has no sixes (ranks={known!r})", "add '6' to ranks, or say weli='off'", "sixes")
    if rules.weli == "bells" and "d" not in present:
        raise refuse(
            "weli",
            rules.weli,
            f"the deck has no six of diamonds (suits={present!r})",
            "add 'd' to suits, or say weli='sixes' or weli='off'",
            "six_of_diamonds",
        )


def covered(rules: Declaring) -> int:
    """Return the mask of the faces that are played in a suit of the player's choice."""
    return sum(1 << Card(text).code for text in _COVERED[rules.weli]) & faces(rules)


def plays(rules: Declaring) -> list[tuple[int, ...]]:
    """Return, for each face, the codes it may be played as, by suit: mostly only its own."""
    suit_indexes = [SUITS.index(letter) for letter in suits(rules)]
    chosen_suit_faces = covered(rules)
    return [tuple(played_code(face, suit) for suit in suit_indexes) if chosen_suit_faces >> face & 1 else (face,) for face in range(FACES)]


def playable_as(rules: Declaring, mask: int) -> int:
    """Return the faces of the deck that may be played as one of these."""
    return sum(1 << face for face, codes in enumerate(plays(rules)) if any(mask >> Card.of(code).counts & 1 for code in codes)) & faces(
        rules
    )


def rank_of(face: int) -> int:
    """Return the rank of a face as a number: 0 for the two … 12 for the ace, 13 for a joker.

    >>> rank_of(0), rank_of(25), rank_of(53)
    (0, 12, 13)
    """
    return face % 13 if face < 4 * len(RANKS) else len(RANKS)
