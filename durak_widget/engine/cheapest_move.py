"""The cheapest move, by prices that measure how useful each card is to keep.

The careful bot uses this for a view. It needs only moves and cards, so a search can use the same for a state.
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

DEAR: Final = 1000
"""The extra price of a trump: more than all plain cards that could do the same together."""
JOKER: Final = 2 * DEAR


def opening(legal: Sequence[Move], price: Price, trump: str | None) -> Move:
    """Choose the cheapest opening: the lowest card, or all of its rank that cost no more.

    A swap of two plain cards comes first. In a suit of one's choice the card is played as a trump, which is harder to beat.
    """
    swaps = [move for move in legal if move.verb == "swap" and dearest(move, price) < DEAR]
    if swaps:
        return min(swaps, key=lambda move: sum(map(price, move.cards)))
    attacks = [move for move in legal if move.verb == "attack"]
    return min(attacks, key=lambda move: (dearest(move, price), -len(move.cards), _plainly(move.cards, trump)))


def throwing(legal: Sequence[Move], price: Price, trump: str | None, *, talon: bool) -> Move:
    """Choose the cheapest card to throw in, but no trump while there is a talon."""
    *throws, pass_move = legal
    cheapest = min(throws, key=lambda move: (dearest(move, price), _plainly(move.cards, trump)))
    return pass_move if talon and dearest(cheapest, price) >= DEAR else cheapest


def defending(legal: Sequence[Move], price: Price, hand: Iterable[Card], unbeaten: Iterable[Card]) -> tuple[int, Move]:
    """Choose the cheapest of transferring, showing and beating all cards.

    The price comes first in the result. If none of these is possible, the move is to take, with price 0.
    """
    options = [(price(move.cards[0]), move) for move in legal if move.verb == "transfer"]
    options += [(0, move) for move in legal if move.verb == "show"]
    beats = beats_for_all(legal, price, hand, unbeaten)
    if beats:
        options.append((sum(price(move.cards[1]) for move in beats), beats[0]))
    return min(options, key=lambda option: option[0], default=(0, legal[-1]))


def beats_for_all(legal: Iterable[Move], price: Price, hand: Iterable[Card], unbeaten: Iterable[Card]) -> list[Move]:
    """Plan how to beat all these cards cheaply, the one with the fewest answers first.

    It is empty if a card would stay unbeaten.
    """
    cards_left, cards_to_beat = list(hand), list(unbeaten)
    beats = [move for move in legal if move.verb == "beat"]
    plan: list[Move] = []
    while cards_to_beat:
        answers = [[move for move in beats if move.cards[0] is attack and move.cards[1].face in cards_left] for attack in cards_to_beat]
        candidates = min(answers, key=lambda moves: len({move.cards[1].face for move in moves}))
        if not candidates:
            return []
        cheapest = min(candidates, key=lambda move: price(move.cards[1]))
        cards_left.remove(cheapest.cards[1].face)
        cards_to_beat.remove(cheapest.cards[0])
        plan.append(cheapest)
    return plan


def dearest(move: Move, price: Price) -> int:
    """Return the price of the most expensive card of a move."""
    return max(map(price, move.cards))


def _plainly(cards: Iterable[Card], trump: str | None) -> int:
    """Count the cards that do not count as trumps."""
    return sum(card.suit != trump for card in cards)


@lru_cache(maxsize=512)
def face_prices(rules: Rules, suit: int | None) -> tuple[int, ...]:
    """Return the price of each face with this trump suit.

    A card that may be played in a chosen suit costs as much as a trump.

    >>> from durak_widget import Card, Rules
    >>> price = face_prices(Rules(), 2)
    >>> [price[Card(text).code] for text in ("7d", "Ac", "6h", "Xr")]
    [5, 12, 1004, 2000]
    """
    free_suit_faces = deck_and_beating.covered(rules) if suit is not None else 0
    return tuple(
        JOKER if face >= RED_JOKER else deck_and_beating.rank_of(face) + DEAR * (face // 13 == suit or free_suit_faces >> face & 1)
        for face in range(54)
    )
