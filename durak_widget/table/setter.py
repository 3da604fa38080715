"""Who sets a task at a table, instead of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.engine.moves import Move
    from durak_widget.i18n import Fact, Voice
    from durak_widget.table.two_step_hints import Hint

    Says = Callable[[Voice], Sequence[str]]
    """Who says what is worth saying of what was done last."""


class Setter(Protocol):
    """Who sets a task at a table, instead of a game."""

    def again(self) -> None:
        """Lay the position again."""

    def hint(self) -> Move | Fact | Hint:
        """A move that serves the task, with its thought and reason where there are some; or why there is none to name."""

    @property
    def brief(self) -> bool:
        """Whether one move decides it: there is nothing to go back and forth in."""

    @property
    def decided(self) -> bool:
        """Whether it is done or missed: then the table rests."""

    def verdict(self, voice: Voice) -> tuple[bool | None, str] | None:
        """Whether it is done (None where that is not said), and that in a few words; None while nothing is decided."""
