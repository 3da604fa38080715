"""The card table beside a tree: shows a node's position of Durak, to look at and play on."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from ipywidgets import HTML, Box, Layout  # type: ignore[import-untyped]

from durak_widget.analysis.deal_enumeration import Origin
from durak_widget.analysis.game_at_node import game_of
from durak_widget.board.message_parsing import history
from durak_widget.board.view_protocols import TreeView
from durak_widget.gametheory.tree import CHANCE
from durak_widget.i18n import Fact
from durak_widget.table.table_widget import Table
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import Played
    from durak_widget.gametheory.tree import Tree
    from durak_widget.i18n import Voice

_SAID: Final = "margin:0 0 6px;font-size:14px;line-height:1.4;white-space:normal"
"""The CSS of the sentence above the table."""


class Line(NamedTuple):
    """A line of play to show on the table at one of its moments."""

    end: int
    """The node to which it leads."""
    ply: int
    """The number of its moves played at first; the table's arrows lead back and forward."""
    seat: int
    """The seat at the bottom of the table."""
    said: str
    """A sentence about what there is to see."""


class AskedBeside:
    """The question asked on a tree, as the table beside it knows it.

    While it is open, the table gives no hints, takes no other game and no other player.
    """

    brief = decided = False

    def __init__(self, again: Callable[[], None]) -> None:
        self.again = again

    def hint(self) -> Fact:
        """Refuse a hint, because the table could answer the question."""
        return Fact("board.refused.asked")

    def verdict(self, voice: Voice) -> None:
        """Return nothing: the tree grades the answer."""


class TreeInARoom(TreeView, Protocol):
    """A tree widget with the settings that the table beside it takes over."""

    layout: Any
    theme: str
    four_colors: bool
    hands: str


class Beside:
    """A tree and, after the first use, a table beside it; below it if there is little space."""

    def __init__(self, view: TreeInARoom) -> None:
        self._view = view
        self._table: Table | None = None
        self._box: Box | None = None
        self._frame: Box | None = None
        """The box with the table, and the sentence about a line above it."""
        self._said: HTML | None = None
        self._line: Line | None = None
        """The line that is on the table; None if a position is."""
        self._asked = AskedBeside(self._again)
        self._began = 0, 0
        """The node opened last, and the moment of its game shown first."""
        self._chosen = False
        """True if the table was asked for; then it stays."""
        self._node = 0

    @property
    def table(self) -> Table:
        """Return the table, made at the first call."""
        if self._table is None:
            self._chosen = True
            self._put(_moment(self._view.tree, self._view.at))
            self._fill()
        assert self._table is not None  # noqa: S101 - as has just been made
        return self._table

    def _put(self, node: int, ply: int | None = None) -> None:
        """Show the game of a node, at its end or at one of its moments; make a table if needed."""
        game = self._game(node)
        if ply is not None:
            game.goto(ply)
        self._node, self._began = node, (node, game.ply)
        if self._table is None:
            self._table = self._made(game)
            self.follow()
        else:
            self._table.game = game

    def _again(self) -> None:
        """Restart from the position that was opened last."""
        self._put(*self._began)
        if self._line is None:
            self._view.look(self._node)

    def _made(self, game: Game) -> Table:
        """Create a table for that game, on which the user plays all seats."""
        view = self._view
        table = Table(
            game,
            dict.fromkeys(range(game.seats), "you"),
            covers=False,
            keep=False,
            hands=view.hands,
            language=view.language,
            theme=view.theme,
            four_colors=view.four_colors,
            layout={"width": "auto"},
        )
        table.on_move(self._moved)
        return table

    def lay(self, node: object) -> None:
        """Open the position of a node on the table."""
        number = history(self._view.tree, node)
        self._put(number)
        self._view.look(number)
        self._chosen = True
        self._say(None)

    def walk(self, line: Line | None) -> None:
        """Show a line on the table, or remove it.

        A table that was there before then shows the current node again.
        """
        previous, removed = self._line, None
        if line is None:
            removed = self._leave() if previous is not None else None
        elif previous is None or previous[:3] != line[:3]:
            self._put(line.end, line.ply)
            assert self._table is not None  # noqa: S101 - as has just been made
            self._table.seat = line.seat
        self._say(line)
        if removed is not None:
            removed.close()  # only now: the page fails if it has to show a closed widget

    def _leave(self) -> Table | None:
        """Leave the line; return its table if that is to be removed."""
        if self._table is not None and self._chosen:
            self._put(_moment(self._view.tree, self._view.at))
            return None
        removed, self._table = self._table, None
        return removed

    def _say(self, line: Line | None) -> None:
        """Show the sentence of a line above the table, or remove it."""
        self._line, removed = line, None
        if line is not None:
            markup = f'<p lang="{self._view.language}" style="{_SAID}">{escape(line.said)}</p>'
            if self._said is None:
                self._said = HTML(markup, layout=Layout(width="auto", height="auto", margin="0"))
            self._said.value = markup
        else:
            removed, self._said = self._said, None
        self._fill()
        if removed is not None:
            removed.close()

    def _moved(self, played: Played) -> None:
        """Follow a move at the table in the tree; forced moves don't lead to a new node."""
        tree, node = self._view.tree, self._node
        if self._table is None or tree.actor[node] != played.seat:
            return
        moves = tree.sets[tree.info[node]].moves
        if str(played) in moves and game_of(tree, node).moves == self._table.game.moves[:-1]:
            self._node = tree.first[node] + moves.index(str(played))
            self._view.look(self._node)

    def follow(self) -> None:
        """Give the table the tree's settings, and no help while a question is asked."""
        if self._table is not None:
            for name in ("language", "theme", "four_colors", "hands"):
                setattr(self._table, name, getattr(self._view, name))
            task = self._view.task
            self._table.task = None if task is None or task.over else self._asked

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return both widgets as one notebook output."""
        if self._box is None:
            layout = self._view.layout
            if layout.width is None and layout.flex is None:
                layout.flex, layout.min_width, layout.width = "1 1 520px", "0", "auto"
            self._box = Box(
                layout=Layout(
                    display="flex", flex_flow="row wrap", grid_gap="12px", align_items="flex-start", overflow="visible", width="100%"
                )
            )
            self._fill()
        data = self._box._repr_mimebundle_() or {}
        return {mime_type: value for mime_type, value in data.items() if not mime_type.startswith("text/")}, {}

    def close(self) -> None:
        """Close the table and the boxes around it."""
        for widget in (self._said, self._table, self._frame, self._box):
            if widget is not None:
                widget.close()
        self._said = self._table = self._frame = self._box = self._line = None

    def _game(self, node: int) -> Game:
        """Return the game at a node; refuse a node that has none."""
        tree = self._view.tree
        if not isinstance(tree.origin, Origin):
            raise RefusedError("board.refused.no_table")
        if tree.actor[node] == CHANCE:
            raise RefusedError("board.refused.chance")
        return game_of(tree, node)

    def _fill(self) -> None:
        """Put the tree into its box, and the table in its frame if there is one."""
        if self._box is None:
            return
        if self._table is not None and self._frame is None:
            self._frame = Box(
                layout=Layout(display="flex", flex_flow="column", flex="1 1 420px", min_width="0", width="auto", overflow="visible")
            )
        if self._frame is not None:
            _hold(self._frame, [widget for widget in (self._said, self._table) if widget is not None])
        _hold(self._box, [self._view, *([self._frame] if self._frame is not None and self._table is not None else [])])


def _hold(box: Box, held: list[Any]) -> None:
    """Set the children of a box only if they change, because the page repaints them."""
    if box.children != tuple(held):
        box.children = held


def _moment(tree: Tree, node: int) -> int:
    """Return the node, or the first node after it where chance doesn't act."""
    while tree.actor[node] == CHANCE:
        node = tree.first[node]
    return node
