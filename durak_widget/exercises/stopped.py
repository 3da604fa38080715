"""Somebody has stopped a function that thought for too long: it is told in a sentence, and is an interrupt to everything else."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.i18n import Voice


class StoppedError(KeyboardInterrupt):
    """An interrupt: cells that were to run after it do not, and the notebook shows its sentence instead of what only programmers read."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it."""
        return [str(self)]


@contextmanager
def may_be_stopped(voice: Voice) -> Iterator[None]:
    """While a function of somebody's own is asked: a Python that is asking it can be stopped by whoever runs it, and by nobody else.

    >>> from durak_widget.i18n import Voice
    >>> try:
    ...     with may_be_stopped(Voice()):
    ...         raise KeyboardInterrupt
    ... except KeyboardInterrupt as stopped:
    ...     print(stopped)
    Your function was stopped while it was choosing, and nothing was judged. If it would never have ended, look for a loop that nothing ends.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedError(voice.say("lesson.stopped")) from None
