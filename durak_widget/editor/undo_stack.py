"""The history of an editor's states for undo and redo, with no limit of length."""

from __future__ import annotations

from typing import Generic, TypeVar

State = TypeVar("State")


class UndoStack(Generic[State]):
    """An editor's current state, with earlier states for undo and later states for redo.

    >>> steps = UndoStack("empty")
    >>> steps.push("a line"); steps.push("two lines")
    >>> steps.undo(), steps.current, steps.redo(), steps.redo(), steps.current
    (True, 'a line', True, False, 'two lines')
    """

    def __init__(self, initial_state: State) -> None:
        self.current = initial_state
        self._undo_states: list[State] = []
        self._redo_states: list[State] = []

    @property
    def undo_count(self) -> int:
        """Return how many steps of editing can be undone."""
        return len(self._undo_states)

    @property
    def redo_count(self) -> int:
        """Return how many undone steps can be redone."""
        return len(self._redo_states)

    def push(self, state: State) -> None:
        """Set a new current state; steps that were undone can then no longer be redone."""
        self._undo_states.append(self.current)
        self._redo_states.clear()
        self.current = state

    def undo(self) -> bool:
        """Undo the last step of editing; return whether there was a step to undo."""
        if not self._undo_states:
            return False
        self._redo_states.append(self.current)
        self.current = self._undo_states.pop()
        return True

    def redo(self) -> bool:
        """Redo the step that was undone last; return whether there was a step to redo."""
        if not self._redo_states:
            return False
        self._undo_states.append(self.current)
        self.current = self._redo_states.pop()
        return True
