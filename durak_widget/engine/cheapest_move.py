"""Finds the cheapest move; the price of a card tells how useful it is to keep that card.

The careful bot calls these functions with an observation. They need only moves and cards, so a search can also call them with a state.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_widget.cards import RED_JOKER
from durak_widget.rules import deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from durak_widget.cards import Card
    from durak_widget.engine.moves import Move
    from durak_widget.rules.ruleset import Rules

    Price = Callable[[Card], int]

TRUMP_COST: Final = 1000
"""The extra price of a trump: one trump costs more than all the non-trumps that a player could use instead."""
JOKER_COST: Final = 2 * TRUMP_COST


def choose_opening(legal: Sequence[Move], price: Price, trump: str | None) -> Move:
    """Choose the cheapest opening attack; if several are equally cheap, play the most cards.

    If the player may swap two cards that are not trumps, the function chooses the swap. A card that may be played in any suit is played as
    a trump, which is harder to beat.
    """
    swaps = [move for move in legal if move.verb == "swap" and highest_price(move, price) < TRUMP_COST]
    if swaps:
        return min(swaps, key=lambda move: sum(map(price, move.cards)))
    attacks = [move for move in legal if move.verb == "attack"]
    return min(attacks, key=lambda move: (highest_price(move, price), -len(move.cards), _count_non_trumps(move.cards, trump)))


def choose_throw(legal: Sequence[Move], price: Price, trump: str | None, *, has_talon: bool) -> Move:
    """Choose the cheapest card to throw in; pass to keep trumps while the talon has cards."""
    *throws, pass_move = legal
    cheapest = min(throws, key=lambda move: (highest_price(move, price), _count_non_trumps(move.cards, trump)))
    return pass_move if has_talon and highest_price(cheapest, price) >= TRUMP_COST else cheapest


def choose_defense(legal: Sequence[Move], price: Price, hand: Iterable[Card], unbeaten: Iterable[Card]) -> tuple[int, Move]:
    """Return the price and the first move of the cheapest defence.

    A defence is to transfer the attack, to show a trump, or to beat all cards. If none of these is possible, the move is to take, with
    price 0.
    """
    options = [(price(move.cards[0]), move) for move in legal if move.verb == "transfer"]
    options += [(0, move) for move in legal if move.verb == "show"]
    beats = plan_beats(legal, price, hand, unbeaten)
    if beats:
        options.append((sum(price(move.cards[1]) for move in beats), beats[0]))
    return min(options, key=lambda option: option[0], default=(0, legal[-1]))


def plan_beats(legal: Iterable[Move], price: Price, hand: Iterable[Card], unbeaten: Iterable[Card]) -> list[Move]:
    """Plan how to beat all attacking cards cheaply, beginning with the hardest one to beat.

    The plan is empty if a card would stay unbeaten.
    """
    cards_left, cards_to_beat = list(hand), list(unbeaten)
    beats = [move for move in legal if move.verb == "beat"]
    plan: list[Move] = []
    while cards_to_beat:
        beats_by_attack = [
            [move for move in beats if move.cards[0] is attack and move.cards[1].face in cards_left] for attack in cards_to_beat
        ]
        candidates = min(beats_by_attack, key=lambda moves: len({move.cards[1].face for move in moves}))
        if not candidates:
            return []
        cheapest = min(candidates, key=lambda move: price(move.cards[1]))
        cards_left.remove(cheapest.cards[1].face)
        cards_to_beat.remove(cheapest.cards[0])
        plan.append(cheapest)
    return plan


def highest_price(move: Move, price: Price) -> int:
    """Return the price of the most expensive card of a move."""
    return max(map(price, move.cards))


def _count_non_trumps(cards: Iterable[Card], trump: str | None) -> int:
    """Count the cards that are not trumps."""
    return sum(card.suit != trump for card in cards)


@lru_cache(maxsize=512)
def compute_face_prices(rules: Rules, trump_suit: int | None) -> tuple[int, ...]:
    """Compute how expensive each card face is to play, given the trump suit.

    A card that may be played in a chosen suit costs as much as a trump.

    >>> from durak_widget import Card, Rules
    >>> price = compute_face_prices(Rules(), 2)
    >>> [price[Card(text).code] for text in ("7d", "Ac", "6h", "Xr")]
    [5, 12, 1004, 2000]
    """
    free_suit_faces = deck_and_beating.free_suit_faces(rules) if trump_suit is not None else 0
    return tuple(
        JOKER_COST
        if face >= RED_JOKER
        else deck_and_beating.rank_index(face) + TRUMP_COST * (face // 13 == trump_suit or free_suit_faces >> face & 1)
        for face in range(54)
    )
