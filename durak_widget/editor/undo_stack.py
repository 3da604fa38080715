"""The states of an editor for undo and redo; the number of states is not limited."""

from __future__ import annotations

from typing import Generic, TypeVar

State = TypeVar("State")


class UndoStack(Generic[State]):
    """The current state of an editor, with earlier states for undo and later ones for redo.

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
        """Add a new state after an edit; states that were undone are dropped."""
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
