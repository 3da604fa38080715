"""The undo and redo history of an editor, without a limit."""

from __future__ import annotations

from typing import Generic, TypeVar

State = TypeVar("State")


class Strokes(Generic[State]):
    """A current state with the states before it and the states taken back.

    >>> steps = Strokes("empty")
    >>> steps.take("a line"); steps.take("two lines")
    >>> steps.undo(), steps.now, steps.redo(), steps.redo(), steps.now
    (True, 'a line', True, False, 'two lines')
    """

    def __init__(self, first: State) -> None:
        self.now = first
        self._past: list[State] = []
        self._undone: list[State] = []

    @property
    def past(self) -> int:
        """Return how many steps can be taken back."""
        return len(self._past)

    @property
    def undone(self) -> int:
        """Return how many steps that were taken back can be done again."""
        return len(self._undone)

    def take(self, state: State) -> None:
        """Make this the current state; steps that were taken back are forgotten."""
        self._past.append(self.now)
        self._undone.clear()
        self.now = state

    def undo(self) -> bool:
        """Take one step back and return whether there was one."""
        if not self._past:
            return False
        self._undone.append(self.now)
        self.now = self._past.pop()
        return True

    def redo(self) -> bool:
        """Do the step that was taken back last again; return whether there was one."""
        if not self._undone:
            return False
        self._past.append(self.now)
        self.now = self._undone.pop()
        return True
