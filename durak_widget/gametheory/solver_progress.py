"""How far a long computation has come, as a value and as one line of text."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Show: TypeAlias = "bool | Callable[[SolvingProgress], object] | None"
    """Nothing, a bar in the terminal or below the cell (True), or whatever is to be told."""


class SolvingProgress(NamedTuple):
    """How far it has come.

    >>> print(SolvingProgress(250, 1000, 0.0123, 1.5))
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


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """An interrupt from the keyboard waits until this ends, so that no step is left half done; whether one has come can be asked.

    >>> import signal
    >>> try:
    ...     with interrupts() as came:
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("done, and then:", came())
    ... except KeyboardInterrupt:
    ...     print("interrupted")
    done, and then: True
    interrupted
    """
    came: list[object] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # somebody else hears it
        yield lambda: False
        return
    signal.signal(signal.SIGINT, lambda *given: came.append(given))
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def tell(show: Show, progress: SolvingProgress, *, last: bool = False) -> None:
    """Tell whoever wants to know.

    >>> tell(print, SolvingProgress(4, 4, None, 0.0))
    [====================] 4 of 4, 0.0 s
    """
    if callable(show):
        show(progress)
    elif show:
        sys.stderr.write(f"\r{progress}" + "\n" * last)
        sys.stderr.flush()
