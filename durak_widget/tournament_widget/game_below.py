"""A tournament and, once one of its games is looked at, a table with that game below it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final, Protocol

from ipywidgets import HTML, Box, Layout  # type: ignore[import-untyped]

from durak_widget.table.table_widget import Table

if TYPE_CHECKING:
    from durak_widget.engine.game import Game

_SAID: Final = "margin:10px 0 6px;font-size:14px;line-height:1.4;white-space:normal;overflow-wrap:anywhere"


class Shows(Protocol):
    """What stands above the table, and whose language and colours that takes over."""

    language: str
    theme: str


class GameBelow:
    """The box that holds both."""

    def __init__(self, above: Shows) -> None:
        self._above = above
        self.table: Table | None = None
        self.number: int | None = None
        """The game that lies there."""
        self._said: HTML | None = None
        self._box: Box | None = None

    def lay(self, number: int, game: Game, said: str) -> None:
        """Lay a game at its beginning, to be looked at move by move, with who sits where above it."""
        game.goto(0)
        self.number = number
        if self.table is None:
            self.table = Table(
                game,
                dict.fromkeys(range(game.seats), "you"),
                covers=False,
                keep=False,
                hands="open",
                language=self._above.language,
                theme=self._above.theme,
                layout={"width": "auto"},
            )
            self._said = HTML(layout=Layout(width="auto", height="auto", margin="0"))
        else:
            self.table.game = game
        self.say(said)
        self._fill()

    def say(self, said: str) -> None:
        """Above the table, who plays."""
        if self._said is not None:
            self._said.value = f'<p lang="{self._above.language}" style="{_SAID}">{escape(said)}</p>'

    def follow(self) -> None:
        """Have the table speak the language that is spoken above it, in its colours."""
        if self.table is not None:
            self.table.language, self.table.theme = self._above.language, self._above.theme

    def clear(self) -> None:
        """Take the table away."""
        gone = self._said, self.table
        self._said = self.table = self.number = None
        self._fill()
        for one in gone:
            if one is not None:
                one.close()

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Both as one output of a notebook."""
        if self._box is None:
            self._box = Box(layout=Layout(display="flex", flex_flow="column", align_items="stretch", overflow="visible", width="100%"))
            self._fill()
        data = self._box._repr_mimebundle_() or {}
        return {kind: one for kind, one in data.items() if not kind.startswith("text/")}, {}

    def close(self) -> None:
        """Let go of both, and of the box."""
        self.clear()
        if self._box is not None:
            self._box.close()
            self._box = None

    def _fill(self) -> None:
        held = tuple(one for one in (self._above, self._said, self.table) if one is not None)
        if self._box is not None and self._box.children != held:
            self._box.children = held
