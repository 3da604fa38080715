"""Sets of cards as bit masks: which bits are set, and how sets are put together and taken apart, where a card may be there twice.

Bit `code` of a mask is a face, as `cards` numbers them; the second copy of a face (two decks) is 54 bits higher.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

FACES: Final = 54
"""How many faces there are: 52 and two jokers."""
ONE_DECK: Final = (1 << FACES) - 1
"""Every face once."""
SUIT_MASKS: Final = tuple(sum(1 << (13 * s + r) for r in range(13)) for s in range(4))
"""The faces of each suit, by the suit's place in `SUITS`, each once."""


def face_of(bit: int) -> int:
    """The code of a card given as the bit of a mask, either copy.

    >>> face_of(1 << 3), face_of(1 << 57)
    (3, 3)
    """
    return (bit.bit_length() - 1) % FACES


def bits_of(mask: int) -> Iterator[int]:
    """The set bits of a mask, lowest first, each as its number.

    >>> list(bits_of(0b10110))
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def folded(mask: int) -> int:
    """The faces of a mask, each once: both copies of a face read as one.

    >>> folded(1 << 3 | 1 << 57) == 1 << 3
    True
    """
    return (mask | mask >> FACES) & ONE_DECK


def plainly(mask: int) -> int:
    """The mask with its copies counted from the first, so that equal hands have equal masks."""
    high = mask >> FACES
    return mask if not high else folded(mask) | (mask & high) << FACES


def minus(mask: int, taken: int) -> int:
    """A mask without some cards, where a card may be there twice; copies are counted from the first in both.

    >>> minus(0b110 | 0b110 << 54, 0b010) == 0b110 | 0b100 << 54
    True
    """
    twice = mask >> FACES
    once = mask & ONE_DECK & ~twice
    return once & ~taken | twice & ~(taken >> FACES) | (twice & ~taken) << FACES


def plus(mask: int, added: int) -> int:
    """Two masks together, where a card may be there twice; copies are counted from the first in both.

    >>> plus(0b110, 0b010) == 0b110 | 0b010 << 54
    True
    """
    return (mask | added) & ONE_DECK | (mask >> FACES | added >> FACES | mask & added & ONE_DECK) << FACES
