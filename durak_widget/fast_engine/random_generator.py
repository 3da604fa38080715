"""Implements the random number generator SplitMix64, which the fast engine uses too."""

from __future__ import annotations

from typing import Final

_MASK_64: Final = (1 << 64) - 1


def mix_bits(number: int) -> int:
    """Hash a number to 64 bits, so that every input bit affects every output bit.

    >>> hex(mix_bits(1))
    '0x5692161d100b05e5'
    """
    x = number & _MASK_64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _MASK_64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _MASK_64
    return x ^ x >> 31


class SplitMix64:
    """The random number generator SplitMix64; the same seed always gives the same numbers.

    >>> rng = SplitMix64(1)
    >>> [rng.random_below(6) for _ in range(6)]
    [3, 4, 5, 2, 2, 4]
    """

    __slots__ = ("seed",)

    def __init__(self, seed: int) -> None:
        self.seed = seed & _MASK_64

    def next_bits(self) -> int:
        """Return the next 64 random bits of the generator."""
        self.seed = self.seed + 0x9E3779B97F4A7C15 & _MASK_64
        return mix_bits(self.seed)

    def random_below(self, limit: int) -> int:
        """Return a random whole number from 0 to `limit` - 1; all have the same probability.

        The method rejects some random bits, because otherwise some results would have a higher probability (Lemire 2019).
        """
        product = (self.next_bits() >> 32) * limit
        if product & 0xFFFFFFFF < limit:
            threshold = (1 << 32) % limit
            while product & 0xFFFFFFFF < threshold:
                product = (self.next_bits() >> 32) * limit
        return product >> 32

    def shuffle(self, cards: list[int]) -> None:
        """Shuffle a list of cards in place; all orders have the same probability."""
        for last in range(len(cards) - 1, 0, -1):
            random_index = self.random_below(last + 1)
            cards[last], cards[random_index] = cards[random_index], cards[last]
