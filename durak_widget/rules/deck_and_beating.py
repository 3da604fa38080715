"""The rule options about the deck, which card beats which, and cards played in any suit.

The engine computes only once for each card which cards beat it, as a bit mask, so unusual rules cost no time during play. A card that may be
played in a suit of the player's choice is called a Weli.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from durak_widget.cards import BLACK_JOKER, FACE_COUNT, RANKS, RED_JOKER, SPADES, SUITS, Card, bit_indices, encode_played_card
from durak_widget.rules.option import build_option_error, declare_choice, declare_letters

_FREE_SUIT_CARDS = {"off": (), "sixes": ("6c", "6d", "6h", "6s"), "bells": ("6d",)}


@dataclass(frozen=True)
class DeckOptions:
    """The rule options about the cards of the deck: ranks, suits, jokers, and number of decks."""

    ranks: str = declare_letters("6789TJQKA", RANKS, "The ranks, from the lowest: {}.")
    suits: str = declare_letters("cdhs", SUITS, "The suits: {}.")
    jokers: Literal[0, 2] = declare_choice(
        0,
        {0: "No jokers.", 2: "Each deck has a red and a black joker. A joker beats any card of its colour, and nothing beats a joker."},
    )
    decks: Literal[1, 2] = declare_choice(1, {1: "One deck.", 2: "Two decks, shuffled together."})


@dataclass(frozen=True)
class BeatingOptions(DeckOptions):
    """The rule options about which card beats which card."""

    spades_by_spades: bool = declare_choice(
        False,
        {
            False: "Spades are a suit like any other.",
            True: "Only a higher spade beats a spade; trumps don't. Spades are never trumps.",
        },
    )
    low_trump_beats_ace: bool = declare_choice(
        False,
        {False: "No other trump beats the ace of trumps.", True: "The lowest trump of the deck beats the ace of trumps."},
    )


def check_beating(rules: BeatingOptions) -> None:
    """Raise an error if the rules let the lowest trump beat an ace but the deck has no aces."""
    ranks = deck_ranks(rules)
    if rules.low_trump_beats_ace and "A" not in ranks:
        raise build_option_error(
            "low_trump_beats_ace",
            True,
            f"the deck has no aces (ranks={ranks!r})",
            "add 'A' to ranks, or use low_trump_beats_ace=False",
            "aces",
        )


def do_only_spades_beat_spades(rules: BeatingOptions) -> bool:
    """Return whether no trump beats a spade."""
    return rules.spades_by_spades


def does_low_trump_beat_ace(rules: BeatingOptions) -> bool:
    """Return whether the lowest trump beats the ace of trumps."""
    return rules.low_trump_beats_ace


def has_jokers(rules: DeckOptions) -> bool:
    """Return whether the deck has jokers."""
    return rules.jokers > 0


def possible_trump_suits(rules: BeatingOptions) -> tuple[int, ...]:
    """Return the suits that may be trumps, as indexes in `SUITS`."""
    return (0, 1, 2) if rules.spades_by_spades else (0, 1, 2, 3)


def does_beat(rules: BeatingOptions, trump: int | None, defending_face: int, attacking_face: int) -> bool:
    """Return whether the defending card beats the attacking card, given their face codes."""
    if attacking_face >= RED_JOKER:
        return False
    suit, higher = attacking_face // 13, defending_face > attacking_face
    if rules.spades_by_spades and suit == SPADES:
        return higher and defending_face < RED_JOKER
    if defending_face >= RED_JOKER:
        return Card.from_code(defending_face).color == Card.from_code(attacking_face).color
    if defending_face // 13 == suit:
        return higher or (
            rules.low_trump_beats_ace
            and suit == trump
            and Card.from_code(attacking_face).rank == "A"
            and Card.from_code(defending_face).rank == lowest_rank(rules)
        )
    return defending_face // 13 == trump


def beater_masks(rules: BeatingOptions, trump: int | None) -> list[int]:
    """Return the cards that beat each card, as bit masks indexed by face code."""
    deck = list(bit_indices(deck_faces(rules)))
    first_copies = [
        sum(1 << defending_code for defending_code in deck if does_beat(rules, trump, defending_code, attacking_code))
        for attacking_code in range(FACE_COUNT)
    ]
    return [mask | mask << FACE_COUNT for mask in first_copies]


def reason_not_to_beat(rules: BeatingOptions, trump: int | None, defending_face: int, attacking_face: int) -> str | None:
    """Return a reason code that says why a card does not beat another; None if it does."""
    if does_beat(rules, trump, defending_face, attacking_face):
        return None
    if attacking_face >= RED_JOKER:
        return "nothing_beats_joker"
    if rules.spades_by_spades and attacking_face // 13 == SPADES:
        return "too_low" if defending_face // 13 == SPADES else "only_spades_beat_spades"
    if defending_face >= RED_JOKER:
        return "joker_wrong_colour"
    return "too_low" if defending_face // 13 == attacking_face // 13 else "wrong_suit"


def find_beating_rule(defending_face: int, attacking_face: int) -> str:
    """Return why a card beats an attacking card: `joker`, `higher`, `low_trump` or `trump`."""
    if defending_face >= RED_JOKER:
        return "joker"
    if defending_face // 13 == attacking_face // 13:
        return "higher" if defending_face > attacking_face else "low_trump"
    return "trump"


@lru_cache(maxsize=128)
def deck_faces(rules: DeckOptions) -> int:
    """Return the bit mask of the different cards in the deck; ignore second copies."""
    suited = sum(1 << (13 * SUITS.index(suit) + RANKS.index(rank)) for suit in rules.suits for rank in rules.ranks)
    return suited | (1 << RED_JOKER | 1 << BLACK_JOKER if rules.jokers else 0)


def build_deck(rules: DeckOptions) -> list[int]:
    """Return the unshuffled deck as card bits, in card order; both copies are together."""
    mask = deck_faces(rules)
    return [1 << (face + FACE_COUNT * copy) for face in range(FACE_COUNT) if mask >> face & 1 for copy in range(rules.decks)]


def deck_size(rules: DeckOptions) -> int:
    """Return the number of cards in the deck."""
    return (len(rules.ranks) * len(rules.suits) + rules.jokers) * rules.decks


def deck_ranks(rules: DeckOptions) -> str:
    """Return the ranks in the deck as letters, lowest first."""
    return rules.ranks


def deck_suits(rules: DeckOptions) -> str:
    """Return the suits in the deck as letters, in card order."""
    return rules.suits


def lowest_rank(rules: DeckOptions) -> str:
    """Return the lowest rank in the deck."""
    return rules.ranks[0]


def has_two_decks(rules: DeckOptions) -> bool:
    """Return whether the deck has two copies of each card."""
    return rules.decks == 2


@dataclass(frozen=True)
class FreeSuitOptions(DeckOptions):
    """The rule options about cards that a player may play in a suit of their choice."""

    weli: Literal["off", "sixes", "bells"] = declare_choice(
        "off",
        {
            "off": "Every card is played in its own suit.",
            "sixes": "You can play a six in any suit. It stays a six.",
            "bells": "You can play the six of diamonds (bells) in any suit. It stays a six.",
        },
    )


def check_free_suits(rules: FreeSuitOptions) -> None:
    """Raise an error if the deck lacks the cards that may be played in any suit."""
    ranks, suits = deck_ranks(rules), deck_suits(rules)
    if rules.weli != "off" and "6" not in ranks:
        raise build_option_error(
            "weli", rules.weli, f"the deck has no sixes (ranks={ranks!r})", "add '6' to ranks, or use weli='off'", "sixes"
        )
    if rules.weli == "bells" and "d" not in suits:
        raise build_option_error(
            "weli",
            rules.weli,
            f"the deck has no six of diamonds (suits={suits!r})",
            "add 'd' to suits, or use weli='sixes' or weli='off'",
            "six_of_diamonds",
        )


def free_suit_faces(rules: FreeSuitOptions) -> int:
    """Return the bit mask of the cards that a player may play in a suit of their choice."""
    return sum(1 << Card(text).code for text in _FREE_SUIT_CARDS[rules.weli]) & deck_faces(rules)


def list_played_codes(rules: FreeSuitOptions) -> list[tuple[int, ...]]:
    """Return the codes of the cards that each card may be played as, indexed by face code.

    Most cards may only be played as themselves.
    """
    suit_indexes = [SUITS.index(letter) for letter in deck_suits(rules)]
    chosen_suit_faces = free_suit_faces(rules)
    return [
        tuple(encode_played_card(face, suit) for suit in suit_indexes) if chosen_suit_faces >> face & 1 else (face,)
        for face in range(FACE_COUNT)
    ]


def faces_playable_as(rules: FreeSuitOptions, mask: int) -> int:
    """Return the cards of the deck that may be played as a card in a given bit mask.

    The result is a bit mask too.
    """
    return sum(
        1 << face
        for face, codes in enumerate(list_played_codes(rules))
        if any(mask >> Card.from_code(code).effective_face & 1 for code in codes)
    ) & deck_faces(rules)


def rank_index(face: int) -> int:
    """Return a card's rank as a number: 0 for a two, up to 12 for an ace, and 13 for a joker.

    >>> rank_index(0), rank_index(25), rank_index(53)
    (0, 12, 13)
    """
    return face % 13 if face < 4 * len(RANKS) else len(RANKS)
