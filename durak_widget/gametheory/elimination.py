"""Solve systems of linear equations in floats, by Gaussian elimination.

Plain Python is enough: with numpy the path of logit equilibria takes half the time on the textbook games and on trees of up to 140 moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST: Final = 150
"""How many equations a system may have: one of 150 takes a thirtieth of a second, and a path needs hundreds."""


class LinearSystem:
    """Equations whose left sides are known, split into a lower and an upper triangle; the pivot is the largest number of its column.

    >>> system = LinearSystem([[0.0, 2.0], [1.0, 1.0]])
    >>> system.sign, system.solved([4.0, 5.0])
    (-1.0, [3.0, 2.0])
    >>> LinearSystem([[1.0, 1.0], [2.0, 2.0]]).solved([1.0, 2.0]) is None
    True
    """

    def __init__(self, lines: Sequence[Sequence[float]]) -> None:
        rows, self.sign = [list(line) for line in lines], 1.0
        """The sign of the determinant; 0 where there is no solution, or more than one."""
        self.order = list(range(len(rows)))
        """Which equation stands in each line."""
        for at in range(len(rows)):
            best = max(range(at, len(rows)), key=lambda line: abs(rows[line][at]))
            if best != at:
                rows[at], rows[best], self.sign = rows[best], rows[at], -self.sign
                self.order[at], self.order[best] = self.order[best], self.order[at]
            pivot, rest = rows[at][at], rows[at][at + 1 :]
            if not pivot:
                self.sign = 0.0
                break
            if pivot < 0:
                self.sign = -self.sign
            for line in rows[at + 1 :]:
                if line[at]:
                    times = line[at] / pivot
                    line[at:] = [times, *[one - times * other for one, other in zip(line[at + 1 :], rest, strict=True)]]
        self.rows = rows

    def solved(self, right: Sequence[float]) -> list[float] | None:
        """Return the unknowns for these right sides; None where the determinant is 0."""
        if not self.sign:
            return None
        found = list[float]()
        for line, equation in zip(self.rows, self.order, strict=True):
            found.append(right[equation] - sum([times * one for times, one in zip(line, found, strict=False)]))
        for at in reversed(range(len(found))):
            line = self.rows[at]
            found[at] = (found[at] - sum([times * one for times, one in zip(line[at + 1 :], found[at + 1 :], strict=True)])) / line[at]
        return found
