"""What a session needs of others: how the table looks, and who sets a task at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from durak_widget.game.moves import Move
    from durak_widget.widget.hints import Hint
    from durak_widget.words import Fact


class Setter(Protocol):
    """Who sets a task at a table, instead of a game."""

    def again(self) -> None:
        """Lay the position again."""

    def hint(self) -> Move | Fact | Hint:
        """A move that serves the task, with its thought and reason where there are some; or why there is none to name."""


class Look(Protocol):
    """As much of how a table looks as changes what is shown and when."""

    @property
    def language(self) -> str:
        """The language that is spoken."""

    @property
    def memory(self) -> bool:
        """Whether the viewer is helped to remember."""

    @property
    def pace(self) -> int:
        """How long a bot seems to think, in ms."""

    @property
    def door(self) -> bool | list[str]:
        """Whether the rules lie open from the start; or the presets that are offered first."""
