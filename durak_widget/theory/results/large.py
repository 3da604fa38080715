"""The largest game that was solved exactly: how long it took, and what memory."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar

from durak_widget.theory.results.miniature import Miniature, Worth, worth
from durak_widget.theory.results.result import Result, Row


@dataclass(frozen=True)
class Largest(Result):
    """What `largest` finds."""

    question: ClassVar[str] = "How large a game can be solved to the last digit?"

    worth: Worth
    memory: float | None
    """The gigabytes that the process needed at most; None where the system does not say."""

    def said(self) -> list[str]:
        """The answer in sentences."""
        one = self.worth
        memory = "" if self.memory is None else f", {self.memory:.1f} GB"
        return [
            f"{one.miniature}: worth exactly {one.value} to who attacks first",
            f"{one.histories:,} histories, {' + '.join(f'{sets:,}' for sets in one.infosets)} information sets",
            f"built, solved and checked in {one.seconds:.0f} s{memory}",
        ]

    def table(self) -> list[Row]:
        """Nothing more than is said."""
        return []


def largest(*, game: str = "econ431 cdhs 67 4 c at most 1", limit: int = 10_000_000) -> Largest:
    """A game built, solved by a linear program, and its certificate checked: some minutes and gigabytes for the one that is meant.

    >>> found = largest(game="podkidnoy cd 678 3 c")
    >>> found.worth.value, found.worth.histories
    (Fraction(1, 4), 16035)
    """
    return Largest(worth(Miniature.of(game), limit=limit), _memory())


def _memory() -> float | None:
    """The most that this process has needed so far, in gigabytes."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - not everywhere

    if not hasattr(resource, "getrusage"):  # JupyterLite puts an empty module in its place
        return None
    kilobytes: float = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / 2**20 / (1024 if sys.platform == "darwin" else 1)
