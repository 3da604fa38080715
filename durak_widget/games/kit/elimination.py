"""How is a square system of linear equations solved in floats: by numpy where it is large and numpy is there, else by elimination in plain Python?

The one place where that is chosen: whoever asks for a system knows nothing of numpy, and small ones come out alike with it and without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from durak_widget.games.kit.needed import is_there, needing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SMALL: Final = 16
"""A system of so many equations is solved in plain Python whatever is there: to tell numpy of it takes as long."""
LARGEST: Final = 120
"""Without numpy no larger one is solved."""


class LinearSystem(Protocol):
    """Equations whose left sides are known."""

    @property
    def sign(self) -> float:
        """Of the determinant: 1, -1, or 0 where it has no solution, or many."""

    def solved(self, right: Sequence[float]) -> list[float] | None:
        """The unknowns by these right sides; None where the determinant is 0."""


class _Plain:
    """By elimination with the largest pivot of each column: lower and upper triangle in one table."""

    def __init__(self, lines: Sequence[Sequence[float]]) -> None:
        rows, self.sign = [list(line) for line in lines], 1.0
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
        if not self.sign:
            return None
        found = list[float]()
        for line, equation in zip(self.rows, self.order, strict=True):
            found.append(right[equation] - sum([times * one for times, one in zip(line, found, strict=False)]))
        for at in reversed(range(len(found))):
            line = self.rows[at]
            found[at] = (found[at] - sum([times * one for times, one in zip(line[at + 1 :], found[at + 1 :], strict=True)])) / line[at]
        return found


def linear_systems(size: int) -> Callable[[Sequence[Sequence[float]]], LinearSystem]:
    """What solves systems of so many equations; where that asks for numpy, and it is not there, one sentence says so.

    >>> system = linear_systems(2)([[0.0, 2.0], [1.0, 1.0]])
    >>> system.sign, system.solved([4.0, 5.0])
    (-1.0, [3.0, 2.0])
    >>> linear_systems(2)([[1.0, 1.0], [2.0, 2.0]]).solved([1.0, 2.0]) is None
    True
    """
    if size <= SMALL or (size <= LARGEST and not is_there("numpy")):
        return _Plain
    with needing():
        import numpy as np  # noqa: PLC0415 - not needed where systems are small

    class ByNumpy:
        """By LAPACK."""

        def __init__(self, lines: Sequence[Sequence[float]]) -> None:
            self.table: Any = np.array(lines)

        @property
        def sign(self) -> float:
            return float(np.linalg.slogdet(self.table)[0])

        def solved(self, right: Sequence[float]) -> list[float] | None:
            try:
                found: list[float] = np.linalg.solve(self.table, np.array(right)).tolist()
            except np.linalg.LinAlgError:
                return None
            return found

    return ByNumpy


def solvable(size: int) -> bool:
    """Whether systems of so many equations can be solved with what is there.

    >>> solvable(LARGEST), solvable(10_000) == is_there("numpy")
    (True, True)
    """
    return size <= LARGEST or is_there("numpy")
