"""Every step of a sketch, to be taken back and done again: as many as there were."""

from __future__ import annotations

from typing import Generic, TypeVar

State = TypeVar("State")


class Strokes(Generic[State]):
    """What there is, what was before, and what was taken back.

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
        """How many steps can be taken back."""
        return len(self._past)

    @property
    def undone(self) -> int:
        """How many of those that were taken back can be done again."""
        return len(self._undone)

    def take(self, state: State) -> None:
        """Another step; what was taken back before is forgotten."""
        self._past.append(self.now)
        self._undone.clear()
        self.now = state

    def undo(self) -> bool:
        """Take a step back; whether there was one."""
        if not self._past:
            return False
        self._undone.append(self.now)
        self.now = self._past.pop()
        return True

    def redo(self) -> bool:
        """Do again what was taken back last; whether there was anything."""
        if not self._undone:
            return False
        self._past.append(self.now)
        self.now = self._undone.pop()
        return True
