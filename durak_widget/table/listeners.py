"""Who is told of every move, and in which order."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from durak_widget.errors import ENDINGS, DurakError, quoted, tellable

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.observation import Played

    Listener = Callable[[Played], object]


class Listeners:
    """Whoever asked to be told. One who plays on when told of a move does so after all have heard of that one.

    >>> heard = []
    >>> listeners = Listeners(failed=print)
    >>> listeners.add(heard.append)
    >>> listeners.note("attack 7c"); listeners.tell(); heard
    ['attack 7c']
    """

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        """Nobody listens yet; what a listener raises is told to `failed`."""
        self._failed = failed
        self._listeners: list[Listener] = []
        self._untold: deque[Played] = deque()
        self._telling = False

    def add(self, listener: Listener) -> None:
        """From now on this one is told."""
        if not callable(listener):
            raise DurakError(f"on_move takes a function of one move, not {quoted(listener)}")
        self._listeners.append(listener)

    def remove(self, listener: Listener) -> None:
        """This one is told no more."""
        if listener not in self._listeners:
            raise DurakError(f"{quoted(listener)} is not called back, so it cannot be removed")
        self._listeners.remove(listener)

    def note(self, played: Played) -> None:
        """A move has been made, of which they will be told."""
        self._untold.append(played)

    def tell(self) -> None:
        """Tell them what they have not been told; who is being told already goes on with this after that."""
        if self._telling:
            return
        self._telling = True
        try:
            while self._untold:
                played = self._untold.popleft()
                for listener in tuple(self._listeners):
                    self._call(listener, played)
        finally:
            self._telling = False

    def _call(self, listener: Listener, played: Played) -> None:
        try:
            listener(played)
        except ENDINGS as error:  # somebody else's code may raise anything
            self._failed(tellable(error))
