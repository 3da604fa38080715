"""Reports how far a long computation has come, as an object and as one line of text."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    ProgressListener: TypeAlias = "bool | Callable[[SolvingProgress], object] | None"
    """The listener to progress: None, True (shows a progress bar in the terminal or below the cell), or a function to call."""


class SolvingProgress(NamedTuple):
    """The progress of a long computation, such as the number of iterations done.

    >>> print(SolvingProgress(250, 1000, 0.0123, 1.5))
    [=====>              ] 250 of 1,000, exploitability 0.0123, 1.5 s
    """

    done: int
    total: int
    exploitability: float | None
    seconds: float

    def __str__(self) -> str:
        length = 20 * self.done // max(self.total, 1)
        bar = ("=" * length + ">")[:20].ljust(20)
        exploitability_text = "" if self.exploitability is None else f", exploitability {self.exploitability:.3g}"
        return f"[{bar}] {self.done:,} of {self.total:,}{exploitability_text}, {self.seconds:.1f} s"


@contextmanager
def defer_keyboard_interrupts() -> Iterator[Callable[[], bool]]:
    """Defer keyboard interrupts until a `with` block ends, so that the whole block runs.

    The context's value is a function that returns whether an interrupt has come.

    >>> import signal
    >>> try:
    ...     with defer_keyboard_interrupts() as is_interrupted:
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
    # Another program has set its own handler for keyboard interrupts, so leave it in place
    if previous_handler is not signal.default_int_handler:
        yield lambda: False
        return
    signal.signal(signal.SIGINT, lambda *arguments: received.append(arguments))
    try:
        yield lambda: bool(received)
    finally:
        signal.signal(signal.SIGINT, previous_handler)
    if received:
        raise KeyboardInterrupt


def report_progress(listener: ProgressListener, progress: SolvingProgress, *, last: bool = False) -> None:
    """Report progress to a listener function, or as a progress bar if `listener` is True.

    >>> report_progress(print, SolvingProgress(4, 4, None, 0.0))
    [====================] 4 of 4, 0.0 s
    """
    if callable(listener):
        listener(progress)
    elif listener:
        sys.stderr.write(f"\r{progress}" + "\n" * last)
        sys.stderr.flush()
