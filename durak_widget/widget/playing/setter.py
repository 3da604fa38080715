"""What a session needs of others: how the table looks, and who sets a task at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from durak_widget.game.moves import Move
    from durak_widget.widget.hints import Hint
    from durak_widget.words import Fact, Voice


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


class Shows(Protocol):
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

    @property
    def steps(self) -> bool:
        """Whether bots wait for a word before each move."""

    @property
    def hands(self) -> str:
        """Which hands lie open: one's `own`, all (`open`), or none (`hidden`)."""

    @property
    def covers(self) -> bool:
        """Whether a hand is covered between two people at one screen."""

    @property
    def four_colors(self) -> bool:
        """Whether clubs are green and diamonds blue."""
