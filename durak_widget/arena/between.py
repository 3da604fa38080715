"""The points of one against another, and between which bounds they would lie if very many deals were played."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, log, sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

OPEN: Final = 0.025
"""So much of what is possible is left below the interval, and as much above."""


@dataclass(frozen=True)
class Between:
    """The points of one against another, in hundredths, with their 95 % interval.

    >>> share = Between.of([2.0, 2.0, 2.0], [2, 2, 2])
    >>> print(share)
    100 (46 to 100)
    """

    mean: float
    low: float
    high: float
    units: int
    """In how many deals they met."""
    played: float
    """How many games they played."""

    @property
    def give(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.mean:.0f} ({self.low:.0f} to {self.high:.0f})"

    def turned(self) -> Between:
        """What the other has of it."""
        return Between(100 - self.mean, 100 - self.high, 100 - self.low, self.units, self.played)

    @staticmethod
    def of(points: Sequence[float], games: Sequence[float]) -> Between:
        """What deals say, each its points and out of how many: the interval of all ways to weigh the deals, with half a deal won and half a deal lost added.

        Where each deal is won or lost whole, that is the interval of Jeffreys; it never closes, however alike the deals went. One deal says nothing of how
        others would go.
        """
        units, played = len(points), sum(games)
        if not units:
            return Between(50.0, 0.0, 100.0, 0, 0.0)
        mean = min(1.0, max(0.0, sum(points) / played))
        if units == 1:
            return Between(100 * mean, 0.0, 100.0, 1, played)
        weights = [units * some / played for some in games]
        shares = [some / out_of for some, out_of in zip(points, games, strict=True)]
        total = units + 1.0
        middle = (sum(weight * share for weight, share in zip(weights, shares, strict=True)) + 0.5) / total
        spread = sum((weight * (share - middle)) ** 2 for weight, share in zip(weights, shares, strict=True))
        spread = (spread + 0.5 * middle**2 + 0.5 * (1 - middle) ** 2) / (total * (total + 1))
        low, high = _bounds(middle, spread)
        return Between(100 * mean, 100 * min(low, mean), 100 * max(high, mean), units, played)


def _bounds(mean: float, variance: float) -> tuple[float, float]:
    """Where the middle 95 % of a beta distribution lie that has this mean and variance; of a normal one where no beta has them."""
    if 0 < mean < 1 and 0 < variance < mean * (1 - mean):
        size = mean * (1 - mean) / variance - 1
        return beta_point(OPEN, size * mean, size * (1 - mean)), beta_point(1 - OPEN, size * mean, size * (1 - mean))
    give = 1.96 * sqrt(variance)
    return min(1.0, max(0.0, mean - give)), max(0.0, min(1.0, mean + give))


def beta_point(below: float, a: float, b: float) -> float:
    """The point below which so much of a beta distribution lies.

    >>> round(beta_point(0.025, 3.5, 0.5), 3), round(beta_point(0.5, 2.0, 2.0), 3)
    (0.464, 0.5)
    """
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if _beta_below(middle, a, b) < below:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta_below(x: float, a: float, b: float) -> float:
    """How much of a beta distribution lies below x: by the continued fraction (Abramowitz and Stegun 26.5.8)."""
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_below(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    tiny, c, d = 1e-300, 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d or tiny)
    found = d
    for m in range(1, 500):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + term * d or tiny)
            c = 1 + term / c or tiny
            found *= c * d
        if abs(c * d - 1) < 1e-10:
            break
    return front * found
