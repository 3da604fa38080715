"""What is a card worth to whoever holds it, as a number to compare?"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_widget.cards import RED_JOKER
from durak_widget.rules import deck_and_beating

if TYPE_CHECKING:
    from durak_widget.rules.ruleset import Rules

DEAR: Final = 1000
"""What a trump costs beyond its rank: more than all plain cards that could do the same together."""
JOKER: Final = 2 * DEAR


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
