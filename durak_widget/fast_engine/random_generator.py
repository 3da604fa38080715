"""The chance of the kernel, counted out in Python: SplitMix64, the same numbers on every machine."""

from __future__ import annotations

from typing import Final

_64: Final = (1 << 64) - 1


def stirred(number: int) -> int:
    """A number in which every bit of another has its say.

    >>> hex(stirred(1))
    '0x5692161d100b05e5'
    """
    x = number & _64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _64
    return x ^ x >> 31


class SplitMix:
    """A generator that only its seed decides.

    >>> chance = SplitMix(1)
    >>> [chance.below(6) for _ in range(6)]
    [3, 4, 5, 2, 2, 4]
    """

    __slots__ = ("seed",)

    def __init__(self, seed: int) -> None:
        self.seed = seed & _64

    def bits(self) -> int:
        """The next 64 bits."""
        self.seed = self.seed + 0x9E3779B97F4A7C15 & _64
        return stirred(self.seed)

    def below(self, limit: int) -> int:
        """A number below that, each as likely: where the upper half of the bits does not fall evenly, it is drawn again."""
        product = (self.bits() >> 32) * limit
        if product & 0xFFFFFFFF < limit:
            uneven = (1 << 32) % limit
            while product & 0xFFFFFFFF < uneven:
                product = (self.bits() >> 32) * limit
        return product >> 32

    def shuffle(self, cards: list[int]) -> None:
        """Put them in an order by chance, each as likely."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
