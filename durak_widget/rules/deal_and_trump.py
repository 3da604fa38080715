"""The rule options about the deal, the trump suit, the turn-up card, and talon swaps.

The turn-up card is the face-up card that shows the trump suit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from durak_widget.cards import FACE_COUNT, ONE_DECK_MASK, RED_JOKER, SPADES, SUIT_MASKS, SUIT_NAMES, SUITS, face_from_bit
from durak_widget.i18n import Suit
from durak_widget.rules import deck_and_beating, seating
from durak_widget.rules.option import build_option_error, declare_choice, declare_number


@dataclass(frozen=True)
class DealOptions(deck_and_beating.DeckOptions, seating.SeatingOptions):
    """The rule options about dealing the cards."""

    hand_size: int = declare_number(6, "Each player gets {n} card{s}, and draws back up to {n} until the talon is empty.")
    deal: Literal["hand", "all", "all_but_one"] = declare_choice(
        "hand",
        {
            "hand": "Each player gets a hand of cards. The rest is the talon.",
            "all": "All cards are dealt, so there is no talon.",
            "all_but_one": "All cards but one are dealt. The last card shows the trump suit and stays out of play.",
        },
    )


@dataclass(frozen=True)
class TrumpOptions(deck_and_beating.BeatingOptions, DealOptions):
    """The rule options about the trump suit."""

    trump: Literal["turn_up", "none", "c", "d", "h", "s"] = declare_choice(
        "turn_up",
        {
            "turn_up": "A card turned up after the deal shows the trump suit.",
            "none": "There are no trumps.",
            **{s: f"{name.capitalize()} are always trumps. No card is turned up." for s, name in SUIT_NAMES.items()},
        },
    )
    turn_up: Literal["bottom", "top", "aside"] = declare_choice(
        "bottom",
        {
            "bottom": "The turned-up card lies under the talon and is drawn last.",
            "top": "The turned-up card lies on top of the talon and is drawn first.",
            "aside": "The turned-up card only shows the trump suit and stays out of play.",
        },
    )
    hidden_trump: bool = declare_choice(
        False,
        {
            False: "The trump suit stays the same for the whole game.",
            True: "A hidden card lies under the turned-up card. When the turned-up card is drawn, the hidden card shows a new trump suit.",
        },
    )


def check_trump(rules: TrumpOptions) -> None:
    """Raise an error if the rules ask for an impossible trump suit or hidden trump card."""
    fixed_suit_index, suits = fixed_trump_suit(rules), deck_and_beating.deck_suits(rules)
    if fixed_suit_index is not None and SUITS[fixed_suit_index] not in suits:
        problem = f"the deck has no {SUIT_NAMES[rules.trump]} (suits={suits!r})"
        raise build_option_error(
            "trump",
            rules.trump,
            problem,
            f"add {rules.trump!r} to suits, or choose a trump suit among them",
            "trump_suit",
            suit=Suit(rules.trump),
        )
    if fixed_suit_index is not None and fixed_suit_index not in deck_and_beating.possible_trump_suits(rules):
        problem = "spades cannot be trumps if only spades beat spades (spades_by_spades=True)"
        raise build_option_error("trump", rules.trump, problem, "choose another trump suit, or use spades_by_spades=False", "spades")
    if not rules.hidden_trump:
        return
    if rules.trump != "turn_up":
        raise build_option_error(
            "hidden_trump",
            True,
            f"it replaces a turned-up trump, but with trump={rules.trump!r} no card is turned up",
            "use trump='turn_up'",
            "hidden_fixed",
        )
    if rules.turn_up != "bottom":
        raise build_option_error(
            "hidden_trump",
            True,
            f"it is under the turned-up card, but with turn_up={rules.turn_up!r} that card is somewhere else",
            "use turn_up='bottom'",
            "hidden_place",
        )
    talon = deck_and_beating.deck_size(rules) - dealt_card_count(rules)
    if not has_talon_after_deal(rules) or talon < 2:
        problem = f"it needs a talon of at least two cards, but after the deal there would be {max(talon, 0) if has_talon_after_deal(rules) else 0}"
        raise build_option_error(
            "hidden_trump", True, problem, "use deal='hand' with fewer players, smaller hands or a larger deck", "hidden_talon"
        )


def find_ineffective_trump_options(rules: TrumpOptions) -> set[str]:
    """Return the names of trump options that have no effect because of other options."""
    ineffective = set() if has_trumps(rules) else {"low_trump_beats_ace"}
    if not (has_turn_up(rules) and has_talon_after_deal(rules)):
        ineffective |= {"turn_up", "hidden_trump"}
    return ineffective


def fixed_trump_suit(rules: TrumpOptions) -> int | None:
    """Return the suit that is trump in every game, as an index; None if the trump suit varies."""
    return SUITS.index(rules.trump) if rules.trump in SUITS else None


def has_trumps(rules: TrumpOptions) -> bool:
    """Return whether games under these rules can have a trump suit."""
    return rules.trump != "none"


def has_turn_up(rules: TrumpOptions) -> bool:
    """Return whether the dealer turns up a card to show the trump suit."""
    return rules.trump == "turn_up"


def turn_up_location(rules: TrumpOptions) -> str:
    """Return where the turn-up card is: `bottom` or `top` of the talon, or `aside`."""
    return "aside" if leaves_last_card_aside(rules) else rules.turn_up


def is_turn_up_aside(rules: TrumpOptions) -> bool:
    """Return whether the face-up card that shows the trump suit is out of play."""
    return turn_up_location(rules) == "aside"


def turn_up_index(rules: TrumpOptions, talon_size: int, *, has_hidden_card: bool) -> int:
    """Return the index of the turn-up card in the talon, counted from the top.

    `talon_size` is the number of cards in the talon. `has_hidden_card` is True if a hidden card is under the turn-up card.
    """
    return 0 if turn_up_location(rules) == "top" else talon_size - 1 - has_hidden_card


def has_hidden_trump(rules: TrumpOptions) -> bool:
    """Return whether the rules put a hidden trump card under the turn-up card."""
    return rules.hidden_trump


def trump_showing_mask(rules: TrumpOptions) -> int:
    """Return the bit mask of all cards that can show a trump suit.

    In a game with two decks, both copies of a card are included. Jokers cannot show a trump suit. Spades cannot do so either if only
    spades beat spades.
    """
    faces = deck_and_beating.deck_faces(rules) & ((1 << RED_JOKER) - 1)
    if SPADES not in deck_and_beating.possible_trump_suits(rules):
        faces &= ~SUIT_MASKS[SPADES]
    return faces | faces << FACE_COUNT


class TrumpReveal(NamedTuple):
    """The trump suit of a deal, the card that shows the trump suit, and the talon."""

    trump_suit: int | None
    """The trump suit, as an index in `SUITS`; None if the game has no trumps."""
    turn_up: int
    """The bit of the face-up card that shows the trump suit; 0 if there is none."""
    hidden_card: int
    """The bit of the face-down card under the turn-up card; 0 if there is none."""
    card_aside: int
    """The bit of the card that stays out of play after the deal; 0 if there is none."""
    card_in_hand: int
    """The bit of the dealt card that shows the trump suit if there is no talon; otherwise 0."""
    talon: tuple[int, ...]
    """The talon cards as bits, top card first."""


def suit_from_bit(bit: int) -> int:
    """Return the suit of a card that is given as a bit; the result is an index in `SUITS`.

    >>> suit_from_bit(1 << 14), suit_from_bit(1 << 14 + 54)
    (1, 1)
    """
    return face_from_bit(bit) // 13


def _ensure_showing_card(deck: list[int], index: int, replacement_indexes: range, showing_mask: int) -> bool:
    """If the card at `index` can't show a trump suit, swap it with the next card that can.

    Return True if the card that is then at `index` can show a trump suit.
    """
    if deck[index] & showing_mask:
        return True
    for other_index in replacement_indexes:
        if deck[other_index] & showing_mask:
            deck[index], deck[other_index] = deck[other_index], deck[index]
            return True
    return False


def reveal_trump(rules: TrumpOptions, deck: list[int], showing_mask: int) -> TrumpReveal:
    """Find the trump suit of a shuffled deck, and the card that shows it.

    If that card cannot show a trump suit, the function exchanges it for another card, which changes the order of the deck.
    """
    dealt, last_index = dealt_card_count(rules), len(deck) - 1
    talon, aside = tuple(deck[dealt:]), 0
    if leaves_last_card_aside(rules):
        talon, aside = (), deck[last_index]
    if rules.trump != "turn_up":
        return TrumpReveal(fixed_trump_suit(rules), 0, 0, aside, 0, talon)
    if aside:
        is_shown = _ensure_showing_card(deck, last_index, range(last_index - 1, -1, -1), showing_mask)
        return (
            TrumpReveal(suit_from_bit(deck[last_index]), deck[last_index], 0, deck[last_index], 0, ())
            if is_shown
            else TrumpReveal(None, 0, 0, aside, 0, ())
        )
    if not talon:
        card_in_hand = next((bit for bit in reversed(deck) if bit & showing_mask), 0)
        return TrumpReveal(suit_from_bit(card_in_hand) if card_in_hand else None, 0, 0, 0, card_in_hand, ())
    if rules.hidden_trump:
        _ensure_showing_card(deck, last_index, range(last_index - 2, dealt - 1, -1), showing_mask)
        is_shown = _ensure_showing_card(deck, last_index - 1, range(last_index - 2, dealt - 1, -1), showing_mask)
        return TrumpReveal(
            suit_from_bit(deck[last_index - 1]) if is_shown else None, deck[last_index - 1], deck[last_index], 0, 0, tuple(deck[dealt:])
        )
    index, replacement_indexes = (
        (dealt, range(dealt + 1, last_index + 1)) if rules.turn_up == "top" else (last_index, range(last_index - 1, dealt - 1, -1))
    )
    if not _ensure_showing_card(deck, index, replacement_indexes, showing_mask):
        return TrumpReveal(None, 0, 0, 0, 0, talon)
    if rules.turn_up == "aside":
        return TrumpReveal(suit_from_bit(deck[last_index]), deck[last_index], 0, deck[last_index], 0, tuple(deck[dealt:last_index]))
    return TrumpReveal(suit_from_bit(deck[index]), deck[index], 0, 0, 0, tuple(deck[dealt:]))


def find_lowest_trump_holder(hands: list[int], order: list[int], suit: int | None) -> int | None:
    """Return the seat whose hand has the lowest trump; None if no hand has a trump.

    If two seats have copies of this card, the seat that comes first in `order` is the result.
    """
    if suit is None:
        return None
    holder, lowest_yet, suited = None, ONE_DECK_MASK, SUIT_MASKS[suit]
    for seat in order:
        trumps = (hands[seat] | hands[seat] >> FACE_COUNT) & suited
        lowest_trump = trumps & -trumps
        if 0 < lowest_trump < lowest_yet:
            holder, lowest_yet = seat, lowest_trump
    return holder


def check_dealing(rules: DealOptions) -> None:
    """Raise an error if the deck has too few cards for the hands of all players."""
    cards, players = deck_and_beating.deck_size(rules), seating.seat_count(rules)
    if rules.deal == "hand":
        if players * rules.hand_size > cards:
            problem = f"{players} players with {rules.hand_size} card{'s' * (rules.hand_size != 1)} each need {players * rules.hand_size} cards, but the deck has {cards}"
            fix = f"use hand_size={cards // players} or less, fewer players, or more ranks, suits or decks"
            if cards < players:
                fix = "use more ranks, suits or decks, or fewer players"
            raise build_option_error(
                "hand_size", rules.hand_size, problem, fix, "hand_size", players=players, need=players * rules.hand_size, cards=cards
            )
        return
    dealt = cards - (rules.deal == "all_but_one")
    if dealt < players:
        problem = f"only {dealt} card{'s' * (dealt != 1)} would be dealt, but each of the {players} players needs one"
        raise build_option_error("deal", rules.deal, problem, "use more ranks, suits or decks, or fewer players", "deal")


def find_ineffective_dealing_options(rules: DealOptions) -> set[str]:
    """Return the names of dealing options that have no effect because of other options."""
    return set() if is_rest_the_talon(rules) else {"hand_size"}


def hand_size(rules: DealOptions) -> int:
    """Return how many cards each player is dealt; later, players draw up to this number."""
    return rules.hand_size


def is_rest_the_talon(rules: DealOptions) -> bool:
    """Return whether the cards that are left after the deal form a talon."""
    return rules.deal == "hand"


def dealt_card_count(rules: DealOptions) -> int:
    """Return the number of cards that the deal gives to all players together."""
    if rules.deal == "hand":
        return seating.seat_count(rules) * rules.hand_size
    return deck_and_beating.deck_size(rules) - (rules.deal == "all_but_one")


def has_talon_after_deal(rules: DealOptions) -> bool:
    """Return whether a talon of at least one card is left after the deal."""
    return rules.deal == "hand" and dealt_card_count(rules) < deck_and_beating.deck_size(rules)


def leaves_last_card_aside(rules: DealOptions) -> bool:
    """Return whether the last card of the deck is not dealt and stays out of play."""
    return rules.deal == "all_but_one"


def deal_hands(rules: DealOptions, deck: list[int], dealer: int) -> list[int]:
    """Deal the cards one by one from the dealer's left; return each hand as a bit mask."""
    players, dealt = seating.seat_count(rules), dealt_card_count(rules)
    by_turn = [sum(deck[offset:dealt:players]) for offset in range(players)]
    first = players - 1 - dealer
    return by_turn[first:] + by_turn[:first]


@dataclass(frozen=True)
class SwapOptions(DealOptions):
    """The rule options about swapping cards with the talon."""

    swaps: int = declare_number(
        0,
        "Before starting a bout, a player can swap two cards with the talon, {n} time{s} in a game.",
        zero_sentence="Players can't swap cards with the talon.",
    )


def check_exchange(rules: SwapOptions) -> None:
    """Raise an error if the rules allow swaps with the talon but have no talon."""
    if rules.swaps and not is_rest_the_talon(rules):
        raise build_option_error(
            "swaps",
            rules.swaps,
            "cards are swapped with the talon, but here all cards are dealt",
            "use deal='hand', or swaps=0",
            "swaps",
        )


def max_swaps(rules: SwapOptions) -> int:
    """Return how often each player may swap cards with the talon in one game."""
    return rules.swaps
