"""The options of the deal, the trump suit and the turn-up, and swaps with the talon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from durak_widget.cards import FACES, ONE_DECK, RED_JOKER, SPADES, SUIT_MASKS, SUIT_NAMES, SUITS, face_of
from durak_widget.i18n import Suit
from durak_widget.rules import deck_and_beating, seating
from durak_widget.rules.option import choice, number, refuse


@dataclass(frozen=True)
class Dealing(deck_and_beating.Pack, seating.Seating):
    """The options of the deal."""

    hand_size: int = number(6, "Each player is dealt {n} card{s}, and draws back up to {n} while there is a talon.")
    deal: Literal["hand", "all", "all_but_one"] = choice(
        "hand",
        {
            "hand": "A hand to each player; the rest is the talon.",
            "all": "The whole deck is dealt out; there is no talon.",
            "all_but_one": "The whole deck is dealt out but for one card, which shows the trump suit and stays out of play.",
        },
    )


@dataclass(frozen=True)
class Trumping(deck_and_beating.Beating, Dealing):
    """The options of the trump suit."""

    trump: Literal["turn_up", "none", "c", "d", "h", "s"] = choice(
        "turn_up",
        {
            "turn_up": "A card turned up after the deal shows the trump suit.",
            "none": "There are no trumps.",
            **{s: f"{name.capitalize()} are always trumps; nothing is turned up." for s, name in SUIT_NAMES.items()},
        },
    )
    turn_up: Literal["bottom", "top", "aside"] = choice(
        "bottom",
        {
            "bottom": "The turned-up card lies under the talon and is drawn last.",
            "top": "The turned-up card lies on top of the talon and is drawn first.",
            "aside": "The turned-up card only shows the trump suit and stays out of play.",
        },
    )
    hidden_trump: bool = choice(
        False,
        {
            False: "The trump suit stays the same all game.",
            True: "A second card lies face down under the turned-up one; when that is drawn, the hidden card shows a new trump suit.",
        },
    )


def check_trump(rules: Trumping) -> None:
    """Require a trump suit in the deck, and a place under the talon for a hidden trump."""
    fixed_suit_index, suits = fixed_suit(rules), deck_and_beating.suits(rules)
    if fixed_suit_index is not None and SUITS[fixed_suit_index] not in suits:
        problem = f"the deck has no {SUIT_NAMES[rules.trump]} (suits={suits!r})"
        raise refuse(
            "trump",
            rules.trump,
            problem,
            f"add {rules.trump!r} to suits, or choose a trump suit among them",
            "trump_suit",
            suit=Suit(rules.trump),
        )
    if fixed_suit_index is not None and fixed_suit_index not in deck_and_beating.trump_suits(rules):
        problem = "spades cannot be trumps where only spades beat spades (spades_by_spades=True)"
        raise refuse("trump", rules.trump, problem, "choose another trump suit, or say spades_by_spades=False", "spades")
    if not rules.hidden_trump:
        return
    if rules.trump != "turn_up":
        raise refuse(
            "hidden_trump",
            True,
            f"it replaces a turned-up trump, and trump={rules.trump!r} turns nothing up",
            "say trump='turn_up'",
            "hidden_fixed",
        )
    if rules.turn_up != "bottom":
        raise refuse(
            "hidden_trump",
            True,
            f"it lies under the turned-up card, and turn_up={rules.turn_up!r} puts that elsewhere",
            "say turn_up='bottom'",
            "hidden_place",
        )
    talon = deck_and_beating.size(rules) - dealt_cards(rules)
    if not leaves_talon(rules) or talon < 2:
        problem = f"it needs a talon of at least two cards, and after the deal there would be {max(talon, 0) if leaves_talon(rules) else 0}"
        raise refuse("hidden_trump", True, problem, "say deal='hand' with fewer players, smaller hands or a larger deck", "hidden_talon")


def ineffective_trump_options(rules: Trumping) -> set[str]:
    """Return the options that have no effect with the others."""
    ineffective = set() if has_trumps(rules) else {"low_trump_beats_ace"}
    if not (turns_up(rules) and leaves_talon(rules)):
        ineffective |= {"turn_up", "hidden_trump"}
    return ineffective


def fixed_suit(rules: Trumping) -> int | None:
    """Return the index of the suit that is trump without a turn-up; None if there is none."""
    return SUITS.index(rules.trump) if rules.trump in SUITS else None


def has_trumps(rules: Trumping) -> bool:
    """Return whether there can be a trump suit."""
    return rules.trump != "none"


def turns_up(rules: Trumping) -> bool:
    """Return whether a card is turned up to show the trump suit."""
    return rules.trump == "turn_up"


def place_of_turn_up(rules: Trumping) -> str:
    """Return the place of the turn-up: `bottom` or `top` of the talon, or `aside`."""
    return "aside" if leaves_one_over(rules) else rules.turn_up


def shows_aside(rules: Trumping) -> bool:
    """Return whether the card that shows the trump suit is out of play."""
    return place_of_turn_up(rules) == "aside"


def index_of_turn_up(rules: Trumping, talon: int, *, hides: bool) -> int:
    """Return the index of the turn-up, from the top of the talon.

    `talon` is the number of cards in the talon, and `hides` says whether there is a hidden card under the turn-up.
    """
    return 0 if place_of_turn_up(rules) == "top" else talon - 1 - hides


def hides_one(rules: Trumping) -> bool:
    """Return whether a hidden trump is under the turn-up."""
    return rules.hidden_trump


def can_show(rules: Trumping) -> int:
    """Return the mask (both copies) of the cards that can show a trump suit.

    Jokers cannot, and neither can spades where only spades beat spades.
    """
    faces = deck_and_beating.faces(rules) & ((1 << RED_JOKER) - 1)
    if SPADES not in deck_and_beating.trump_suits(rules):
        faces &= ~SUIT_MASKS[SPADES]
    return faces | faces << FACES


class TurnedUp(NamedTuple):
    """The trump suit, and the card that shows it."""

    suit: int | None
    """The index of the trump suit in `SUITS`."""
    turn_up: int
    """The bit of the face-up card, or 0."""
    hidden: int
    """The bit of the face-down card under it, or 0."""
    aside: int
    """The bit of a card that is out of play from the deal on, or 0."""
    held: int
    """The bit of a card in a hand that shows the suit, or 0."""
    talon: tuple[int, ...]
    """The bits of the cards to draw, first on top."""


def suit_of(bit: int) -> int:
    """Return the suit, by its index in `SUITS`, of a mask with one bit.

    >>> suit_of(1 << 14), suit_of(1 << 14 + 54)
    (1, 1)
    """
    return face_of(bit) // 13


def _exchange(deck: list[int], place: int, others: range, able: int) -> bool:
    """Exchange a card for the nearest of the others that can show a suit, if needed.

    The result says whether such a card is at the place now.
    """
    if deck[place] & able:
        return True
    for other in others:
        if deck[other] & able:
            deck[place], deck[other] = deck[other], deck[place]
            return True
    return False


def show(rules: Trumping, deck: list[int], able: int) -> TurnedUp:
    """Turn up the trump of a deck before the deal, with an exchange of cards where needed.

    An exchange changes the order of the deck.
    """
    dealt, last_index = dealt_cards(rules), len(deck) - 1
    talon, aside = tuple(deck[dealt:]), 0
    if leaves_one_over(rules):
        talon, aside = (), deck[last_index]
    if rules.trump != "turn_up":
        return TurnedUp(fixed_suit(rules), 0, 0, aside, 0, talon)
    if aside:
        is_shown = _exchange(deck, last_index, range(last_index - 1, -1, -1), able)
        return (
            TurnedUp(suit_of(deck[last_index]), deck[last_index], 0, deck[last_index], 0, ())
            if is_shown
            else TurnedUp(None, 0, 0, aside, 0, ())
        )
    if not talon:
        card_in_hand = next((bit for bit in reversed(deck) if bit & able), 0)
        return TurnedUp(suit_of(card_in_hand) if card_in_hand else None, 0, 0, 0, card_in_hand, ())
    if rules.hidden_trump:
        _exchange(deck, last_index, range(last_index - 2, dealt - 1, -1), able)
        is_shown = _exchange(deck, last_index - 1, range(last_index - 2, dealt - 1, -1), able)
        return TurnedUp(
            suit_of(deck[last_index - 1]) if is_shown else None, deck[last_index - 1], deck[last_index], 0, 0, tuple(deck[dealt:])
        )
    index, others = (
        (dealt, range(dealt + 1, last_index + 1)) if rules.turn_up == "top" else (last_index, range(last_index - 1, dealt - 1, -1))
    )
    if not _exchange(deck, index, others, able):
        return TurnedUp(None, 0, 0, 0, 0, talon)
    if rules.turn_up == "aside":
        return TurnedUp(suit_of(deck[last_index]), deck[last_index], 0, deck[last_index], 0, tuple(deck[dealt:last_index]))
    return TurnedUp(suit_of(deck[index]), deck[index], 0, 0, 0, tuple(deck[dealt:]))


def lowest(hands: list[int], order: list[int], suit: int | None) -> int | None:
    """Return the first seat in order with the lowest trump dealt; None without trumps."""
    if suit is None:
        return None
    holder, lowest_yet, suited = None, ONE_DECK, SUIT_MASKS[suit]
    for seat in order:
        trumps = (hands[seat] | hands[seat] >> FACES) & suited
        lowest_trump = trumps & -trumps
        if 0 < lowest_trump < lowest_yet:
            holder, lowest_yet = seat, lowest_trump
    return holder


def check_dealing(rules: Dealing) -> None:
    """Require a deck large enough for the deal, and a card for each player."""
    cards, players = deck_and_beating.size(rules), seating.seats(rules)
    if rules.deal == "hand":
        if players * rules.hand_size > cards:
            problem = f"{players} players with {rules.hand_size} card{'s' * (rules.hand_size != 1)} each need {players * rules.hand_size} cards, and the deck holds {cards}"
            fix = f"say hand_size={cards // players} or less, fewer players, or more ranks, suits or decks"
            if cards < players:
                fix = "take more ranks, suits or decks, or fewer players"
            raise refuse(
                "hand_size", rules.hand_size, problem, fix, "hand_size", players=players, need=players * rules.hand_size, cards=cards
            )
        return
    dealt = cards - (rules.deal == "all_but_one")
    if dealt < players:
        problem = f"only {dealt} card{'s' * (dealt != 1)} would be dealt, and each of the {players} players needs one"
        raise refuse("deal", rules.deal, problem, "take more ranks, suits or decks, or fewer players", "deal")


def ineffective_dealing_options(rules: Dealing) -> set[str]:
    """Return the options that have no effect with the others."""
    return set() if has_talon(rules) else {"hand_size"}


def hand_size(rules: Dealing) -> int:
    """Return the number of cards to which a hand is refilled."""
    return rules.hand_size


def has_talon(rules: Dealing) -> bool:
    """Return whether hands are dealt and the rest is the talon."""
    return rules.deal == "hand"


def dealt_cards(rules: Dealing) -> int:
    """Return the number of cards that are dealt to the players."""
    if rules.deal == "hand":
        return seating.seats(rules) * rules.hand_size
    return deck_and_beating.size(rules) - (rules.deal == "all_but_one")


def leaves_talon(rules: Dealing) -> bool:
    """Return whether there are cards left to draw after the deal."""
    return rules.deal == "hand" and dealt_cards(rules) < deck_and_beating.size(rules)


def leaves_one_over(rules: Dealing) -> bool:
    """Return whether the last card is out of play from the deal on."""
    return rules.deal == "all_but_one"


def hands(rules: Dealing, deck: list[int], dealer: int) -> list[int]:
    """Return the hand of each seat as a mask, dealt one card at a time from the dealer's left."""
    players, dealt = seating.seats(rules), dealt_cards(rules)
    by_turn = [sum(deck[offset:dealt:players]) for offset in range(players)]
    first = players - 1 - dealer
    return by_turn[first:] + by_turn[:first]


@dataclass(frozen=True)
class Exchange(Dealing):
    """The options of swapping cards with the talon."""

    swaps: int = number(
        0,
        "Before opening a bout, a player may exchange two cards with the talon, {n} time{s} in a game.",
        zero="Cards are never exchanged with the talon.",
    )


def check_exchange(rules: Exchange) -> None:
    """Require a talon for swaps."""
    if rules.swaps and not has_talon(rules):
        raise refuse(
            "swaps",
            rules.swaps,
            "cards are exchanged with the talon, and all of them are dealt out here",
            "say deal='hand', or swaps=0",
            "swaps",
        )


def times(rules: Exchange) -> int:
    """Return how often in a game each player may swap."""
    return rules.swaps
