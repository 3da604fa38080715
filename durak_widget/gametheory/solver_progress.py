"""Reports the progress of a long computation, as a value and as one line of text."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Show: TypeAlias = "bool | Callable[[SolvingProgress], object] | None"
    """No listener (None), a progress bar in the terminal or below the cell (True), or a function to call."""


class SolvingProgress(NamedTuple):
    """The progress of a computation.

    >>> print(SolvingProgress(250, 1000, 0.0123, 1.5))
    [=====>              ] 250 of 1,000, exploitability 0.0123, 1.5 s
    """

    done: int
    of: int
    exploitability: float | None
    seconds: float

    def __str__(self) -> str:
        length = 20 * self.done // max(self.of, 1)
        bar = ("=" * length + ">")[:20].ljust(20)
        exploitability_text = "" if self.exploitability is None else f", exploitability {self.exploitability:.3g}"
        return f"[{bar}] {self.done:,} of {self.of:,}{exploitability_text}, {self.seconds:.1f} s"


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """Defer a keyboard interrupt until this context ends, so that no step is left half done.

    The context's value is a function that returns whether an interrupt has come.

    >>> import signal
    >>> try:
    ...     with interrupts() as is_interrupted:
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("done, and then:", is_interrupted())
    ... except KeyboardInterrupt:
    ...     print("interrupted")
    done, and then: True
    interrupted
    """
    received: list[object] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    previous_handler = signal.getsignal(signal.SIGINT)
    if previous_handler is not signal.default_int_handler:  # another handler takes the interrupt
        yield lambda: False
        return
    signal.signal(signal.SIGINT, lambda *arguments: received.append(arguments))
    try:
        yield lambda: bool(received)
    finally:
        signal.signal(signal.SIGINT, previous_handler)
    if received:
        raise KeyboardInterrupt


def tell(show: Show, progress: SolvingProgress, *, last: bool = False) -> None:
    """Report progress to the listener.

    >>> tell(print, SolvingProgress(4, 4, None, 0.0))
    [====================] 4 of 4, 0.0 s
    """
    if callable(show):
        show(progress)
    elif show:
        sys.stderr.write(f"\r{progress}" + "\n" * last)
        sys.stderr.flush()
