"""Holds the options of the deal, the trump suit and the turned-up card, and swaps with the talon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from durak_widget.cards import FACES, ONE_DECK, RED_JOKER, SPADES, SUIT_MASKS, SUIT_NAMES, SUITS, face_of
from durak_widget.i18n import Suit
from durak_widget.rules import deck_and_beating, seating
from durak_widget.rules.option import choice, number, refuse


@dataclass(frozen=True)
class Dealing(deck_and_beating.Pack, seating.Seating):
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


@dataclass(frozen=True)
class Trumping(deck_and_beating.Beating, Dealing):
    """The trump suit."""

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
    """A fixed trump suit must be in the deck and can be one; a hidden trump needs its place under the talon."""
    fixed, suits = fixed_suit(rules), deck_and_beating.suits(rules)
    if fixed is not None and SUITS[fixed] not in suits:
        wrong = f"the deck has no {SUIT_NAMES[rules.trump]} (suits={suits!r})"
        raise refuse(
            "trump",
            rules.trump,
            wrong,
            f"add {rules.trump!r} to suits, or choose a trump suit among them",
            "trump_suit",
            suit=Suit(rules.trump),
        )
    if fixed is not None and fixed not in deck_and_beating.trump_suits(rules):
        wrong = "spades cannot be trumps where only spades beat spades (spades_by_spades=True)"
        raise refuse("trump", rules.trump, wrong, "choose another trump suit, or say spades_by_spades=False", "spades")
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
        wrong = f"it needs a talon of at least two cards, and after the deal there would be {max(talon, 0) if leaves_talon(rules) else 0}"
        raise refuse("hidden_trump", True, wrong, "say deal='hand' with fewer players, smaller hands or a larger deck", "hidden_talon")


def ineffective_trump_options(rules: Trumping) -> set[str]:
    """The options that have no effect under the others."""
    none = set() if has_trumps(rules) else {"low_trump_beats_ace"}
    if not (turns_up(rules) and leaves_talon(rules)):
        none |= {"turn_up", "hidden_trump"}
    return none


def fixed_suit(rules: Trumping) -> int | None:
    """The suit, by its place in `SUITS`, that is trump without being turned up; None if there is none such."""
    return SUITS.index(rules.trump) if rules.trump in SUITS else None


def has_trumps(rules: Trumping) -> bool:
    """Whether there can be a trump suit."""
    return rules.trump != "none"


def turns_up(rules: Trumping) -> bool:
    """Whether a card is turned up to show the trump suit."""
    return rules.trump == "turn_up"


def place_of_turn_up(rules: Trumping) -> str:
    """Where the turn-up lies: `bottom` or `top` of the talon, or `aside`."""
    return "aside" if leaves_one_over(rules) else rules.turn_up


def shows_aside(rules: Trumping) -> bool:
    """Whether the card that shows the trump suit is out of play."""
    return place_of_turn_up(rules) == "aside"


def index_of_turn_up(rules: Trumping, talon: int, *, hides: bool) -> int:
    """The place, from the top of a talon of so many cards, of the card that lies face up in it and perhaps hides another."""
    return 0 if place_of_turn_up(rules) == "top" else talon - 1 - hides


def hides_one(rules: Trumping) -> bool:
    """Whether a hidden trump lies under the turn-up."""
    return rules.hidden_trump


def can_show(rules: Trumping) -> int:
    """The mask (both copies) of the cards that can show a trump suit: no joker, and no spade where only spades beat spades."""
    faces = deck_and_beating.faces(rules) & ((1 << RED_JOKER) - 1)
    if SPADES not in deck_and_beating.trump_suits(rules):
        faces &= ~SUIT_MASKS[SPADES]
    return faces | faces << FACES


class TurnedUp(NamedTuple):
    """How the trump suit is shown."""

    suit: int | None
    """The trump suit by its place in `SUITS`."""
    turn_up: int
    """The bit of the card that lies face up, or 0."""
    hidden: int
    """The bit of the card that lies face down under it, or 0."""
    aside: int
    """The bit of a card that is out of play from the deal on, or 0."""
    held: int
    """The bit of a card that shows the suit from a hand, or 0."""
    talon: tuple[int, ...]
    """The bits of the cards to draw, first on top."""


def suit_of(bit: int) -> int:
    """The suit, by its place in `SUITS`, of a card given as its bit.

    >>> suit_of(1 << 14), suit_of(1 << 14 + 54)
    (1, 1)
    """
    return face_of(bit) // 13


def _exchange(deck: list[int], place: int, others: range, able: int) -> bool:
    """Exchange the card at the place with the nearest of the others that can show a suit; whether one can stands there."""
    if deck[place] & able:
        return True
    for other in others:
        if deck[other] & able:
            deck[place], deck[other] = deck[other], deck[place]
            return True
    return False


def show(rules: Trumping, deck: list[int], able: int) -> TurnedUp:
    """Turn up the trump of a deck that is about to be dealt; the deck is put in order where an exchange is needed."""
    dealt, last = dealt_cards(rules), len(deck) - 1
    talon, aside = tuple(deck[dealt:]), 0
    if leaves_one_over(rules):
        talon, aside = (), deck[last]
    if rules.trump != "turn_up":
        return TurnedUp(fixed_suit(rules), 0, 0, aside, 0, talon)
    if aside:
        shows = _exchange(deck, last, range(last - 1, -1, -1), able)
        return TurnedUp(suit_of(deck[last]), deck[last], 0, deck[last], 0, ()) if shows else TurnedUp(None, 0, 0, aside, 0, ())
    if not talon:
        held = next((bit for bit in reversed(deck) if bit & able), 0)
        return TurnedUp(suit_of(held) if held else None, 0, 0, 0, held, ())
    if rules.hidden_trump:
        _exchange(deck, last, range(last - 2, dealt - 1, -1), able)
        shows = _exchange(deck, last - 1, range(last - 2, dealt - 1, -1), able)
        return TurnedUp(suit_of(deck[last - 1]) if shows else None, deck[last - 1], deck[last], 0, 0, tuple(deck[dealt:]))
    place, others = (dealt, range(dealt + 1, last + 1)) if rules.turn_up == "top" else (last, range(last - 1, dealt - 1, -1))
    if not _exchange(deck, place, others, able):
        return TurnedUp(None, 0, 0, 0, 0, talon)
    if rules.turn_up == "aside":
        return TurnedUp(suit_of(deck[last]), deck[last], 0, deck[last], 0, tuple(deck[dealt:last]))
    return TurnedUp(suit_of(deck[place]), deck[place], 0, 0, 0, tuple(deck[dealt:]))


def lowest(hands: list[int], order: list[int], suit: int | None) -> int | None:
    """The first seat of the order that holds the lowest trump dealt; None if nobody holds a trump."""
    if suit is None:
        return None
    holder, lowest_yet, suited = None, ONE_DECK, SUIT_MASKS[suit]
    for seat in order:
        held = (hands[seat] | hands[seat] >> FACES) & suited
        least = held & -held
        if 0 < least < lowest_yet:
            holder, lowest_yet = seat, least
    return holder


def check_dealing(rules: Dealing) -> None:
    """The deck must hold what is dealt, and everybody gets a card."""
    cards, players = deck_and_beating.size(rules), seating.seats(rules)
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
    return deck_and_beating.size(rules) - (rules.deal == "all_but_one")


def leaves_talon(rules: Dealing) -> bool:
    """Whether cards are left to draw from."""
    return rules.deal == "hand" and dealt_cards(rules) < deck_and_beating.size(rules)


def leaves_one_over(rules: Dealing) -> bool:
    """Whether the last card is kept out of play from the deal on."""
    return rules.deal == "all_but_one"


def hands(rules: Dealing, deck: list[int], dealer: int) -> list[int]:
    """The hand of each seat as a mask: cards one at a time, clockwise, from the dealer's left."""
    players, dealt = seating.seats(rules), dealt_cards(rules)
    by_turn = [sum(deck[k:dealt:players]) for k in range(players)]
    first = players - 1 - dealer
    return by_turn[first:] + by_turn[:first]


@dataclass(frozen=True)
class Exchange(Dealing):
    """Swapping cards with the talon."""

    swaps: int = number(
        0,
        "Before opening a bout, a player may exchange two cards with the talon, {n} time{s} in a game.",
        zero="Cards are never exchanged with the talon.",
    )


def check_exchange(rules: Exchange) -> None:
    """Swaps need a talon."""
    if rules.swaps and not has_talon(rules):
        raise refuse(
            "swaps",
            rules.swaps,
            "cards are exchanged with the talon, and all of them are dealt out here",
            "say deal='hand', or swaps=0",
            "swaps",
        )


def times(rules: Exchange) -> int:
    """How often in a game each player may swap."""
    return rules.swaps
