"""Finds the cheapest move, by prices that say how much each card is worth to keep.

The careful bot asks this about a view. Here only moves and cards are needed, so that a search can ask the
same about a state.
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
"""What a trump costs beyond its rank: more than all plain cards that could do the same together."""
JOKER: Final = 2 * DEAR


def opening(legal: Sequence[Move], price: Price, trump: str | None) -> Move:
    """The lowest card, or all of that rank that cost no more, but first a swap of two plain ones; a suit of one's choice is the trump suit, which is harder to beat."""
    swaps = [move for move in legal if move.verb == "swap" and dearest(move, price) < DEAR]
    if swaps:
        return min(swaps, key=lambda move: sum(map(price, move.cards)))
    attacks = [move for move in legal if move.verb == "attack"]
    return min(attacks, key=lambda move: (dearest(move, price), -len(move.cards), _plainly(move.cards, trump)))


def throwing(legal: Sequence[Move], price: Price, trump: str | None, *, talon: bool) -> Move:
    """The cheapest card that fits, but as long as there is a talon no trump."""
    *throws, keep = legal
    cheapest = min(throws, key=lambda move: (dearest(move, price), _plainly(move.cards, trump)))
    return keep if talon and dearest(cheapest, price) >= DEAR else cheapest


def defending(legal: Sequence[Move], price: Price, hand: Iterable[Card], unbeaten: Iterable[Card]) -> tuple[int, Move]:
    """Of transferring, showing and beating all that lies there what costs least, and what that is; taking, for nothing, where none of it can be done."""
    ways = [(price(move.cards[0]), move) for move in legal if move.verb == "transfer"]
    ways += [(0, move) for move in legal if move.verb == "show"]
    plan = beats_for_all(legal, price, hand, unbeaten)
    if plan:
        ways.append((sum(price(move.cards[1]) for move in plan), plan[0]))
    return min(ways, key=lambda way: way[0], default=(0, legal[-1]))


def beats_for_all(legal: Iterable[Move], price: Price, hand: Iterable[Card], unbeaten: Iterable[Card]) -> list[Move]:
    """How to beat all these cards, the one with the fewest answers first and each as cheaply as it goes; empty if that leaves one over."""
    held, todo = list(hand), list(unbeaten)
    beats = [move for move in legal if move.verb == "beat"]
    plan: list[Move] = []
    while todo:
        answers = [[move for move in beats if move.cards[0] is attack and move.cards[1].face in held] for attack in todo]
        fewest = min(answers, key=lambda moves: len({move.cards[1].face for move in moves}))
        if not fewest:
            return []
        cheapest = min(fewest, key=lambda move: price(move.cards[1]))
        held.remove(cheapest.cards[1].face)
        todo.remove(cheapest.cards[0])
        plan.append(cheapest)
    return plan


def dearest(move: Move, price: Price) -> int:
    """What the dearest card of a move costs."""
    return max(map(price, move.cards))


def _plainly(cards: Iterable[Card], trump: str | None) -> int:
    """How many of these cards do not count as trumps."""
    return sum(card.suit != trump for card in cards)


@lru_cache(maxsize=512)
def face_prices(rules: Rules, suit: int | None) -> tuple[int, ...]:
    """What each face costs with this trump suit; one of any suit one likes is as good as a trump.

    >>> from durak_widget import Card, Rules
    >>> price = face_prices(Rules(), 2)
    >>> [price[Card(text).code] for text in ("7d", "Ac", "6h", "Xr")]
    [5, 12, 1004, 2000]
    """
    chosen = deck_and_beating.covered(rules) if suit is not None else 0
    return tuple(
        JOKER if face >= RED_JOKER else deck_and_beating.rank_of(face) + DEAR * (face // 13 == suit or chosen >> face & 1)
        for face in range(54)
    )
