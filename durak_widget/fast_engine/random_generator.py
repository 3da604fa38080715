"""The random generator of the fast engine in Python: SplitMix64."""

from __future__ import annotations

from typing import Final

_64: Final = (1 << 64) - 1


def stirred(number: int) -> int:
    """Return a 64-bit hash of a number: every input bit affects every output bit.

    >>> hex(stirred(1))
    '0x5692161d100b05e5'
    """
    x = number & _64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _64
    return x ^ x >> 31


class SplitMix:
    """A SplitMix64 generator, determined by its seed alone.

    >>> chance = SplitMix(1)
    >>> [chance.below(6) for _ in range(6)]
    [3, 4, 5, 2, 2, 4]
    """

    __slots__ = ("seed",)

    def __init__(self, seed: int) -> None:
        self.seed = seed & _64

    def bits(self) -> int:
        """Return the next 64 random bits."""
        self.seed = self.seed + 0x9E3779B97F4A7C15 & _64
        return stirred(self.seed)

    def below(self, limit: int) -> int:
        """Return a uniform random number below `limit`.

        Numbers that would make some results more likely are drawn again (Lemire 2019).
        """
        product = (self.bits() >> 32) * limit
        if product & 0xFFFFFFFF < limit:
            threshold = (1 << 32) % limit
            while product & 0xFFFFFFFF < threshold:
                product = (self.bits() >> 32) * limit
        return product >> 32

    def shuffle(self, cards: list[int]) -> None:
        """Shuffle the cards uniformly, in place."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
