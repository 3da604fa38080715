"""How far a long computation has come, as a value and as one line of text."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    Show: TypeAlias = "bool | Callable[[Progress], object] | None"
    """Nothing, a bar in the terminal or below the cell (True), or whatever is to be told."""


class Progress(NamedTuple):
    """How far it has come.

    >>> print(Progress(250, 1000, 0.0123, 1.5))
    [=====>              ] 250 of 1,000, exploitability 0.0123, 1.5 s
    """

    done: int
    of: int
    exploitability: float | None
    seconds: float

    def __str__(self) -> str:
        long = 20 * self.done // max(self.of, 1)
        bar = ("=" * long + ">")[:20].ljust(20)
        good = "" if self.exploitability is None else f", exploitability {self.exploitability:.3g}"
        return f"[{bar}] {self.done:,} of {self.of:,}{good}, {self.seconds:.1f} s"


def tell(show: Show, progress: Progress, *, last: bool = False) -> None:
    """Tell whoever wants to know.

    >>> tell(print, Progress(4, 4, None, 0.0))
    [====================] 4 of 4, 0.0 s
    """
    if callable(show):
        show(progress)
    elif show:
        sys.stderr.write(f"\r{progress}" + "\n" * last)
        sys.stderr.flush()
