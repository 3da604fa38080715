"""The table beside a tree: the position of a history of Durak, laid where one can look at it and play it on."""

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
"""How what is said above the table looks in a notebook."""


class Line(NamedTuple):
    """One way in which the game may go, to be laid on the table at one of its moments."""

    end: int
    """The history to which it leads."""
    ply: int
    """How many of its moves are made where one begins to look; the table's own arrows lead back and on."""
    seat: int
    """Who sits at the bottom."""
    said: str
    """What there is to see, in a sentence."""


class AskedBeside:
    """What is asked on a tree, as the table beside it knows it: nothing there answers it, and no other game and nobody else comes to that table meanwhile."""

    brief = decided = False

    def __init__(self, again: Callable[[], None]) -> None:
        self.again = again

    def hint(self) -> Fact:
        """The tree itself would say no more."""
        return Fact("board.refused.asked")

    def verdict(self, voice: Voice) -> None:
        """What is asked is judged on the tree."""


class TreeInARoom(TreeView, Protocol):
    """A tree in the notebook, with what a table beside it takes over."""

    layout: Any
    theme: str
    four_colors: bool
    hands: str


class Beside:
    """A tree and, once it is asked for, a table beside it; below it where there is little room."""

    def __init__(self, view: TreeInARoom) -> None:
        self._view = view
        self._table: Table | None = None
        self._box: Box | None = None
        self._frame: Box | None = None
        """Where the table stands, with what is said of a line above it."""
        self._said: HTML | None = None
        self._line: Line | None = None
        """The line that lies on the table; None where a position does."""
        self._asked = AskedBeside(self._again)
        self._began = 0, 0
        """The history that was laid last, and at which of its moments."""
        self._chosen = False
        """Whether somebody has asked for the table, which is then there to stay."""
        self._node = 0

    @property
    def table(self) -> Table:
        """The table, made when it is first asked for."""
        if self._table is None:
            self._chosen = True
            self._put(_moment(self._view.tree, self._view.at))
            self._fill()
        assert self._table is not None  # noqa: S101 - as has just been made
        return self._table

    def _put(self, node: int, ply: int | None = None) -> None:
        """The game of a history lies on the table, at its end or at one of its moments; the table is made when there is none."""
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
        """What was laid last, from its beginning."""
        self._put(*self._began)
        if self._line is None:
            self._view.look(self._node)

    def _made(self, game: Game) -> Table:
        """A table for that game, on which all seats are played by whoever looks at the tree."""
        view = self._view
        made = Table(
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
        made.on_move(self._moved)
        return made

    def lay(self, node: object) -> None:
        """Lay the position of a history on it."""
        place = history(self._view.tree, node)
        self._put(place)
        self._view.look(place)
        self._chosen = True
        self._say(None)

    def walk(self, line: Line | None) -> None:
        """Lay a line on it, or take it away: then a table that was there before has the position that is looked at."""
        before, gone = self._line, None
        if line is None:
            gone = self._leave() if before is not None else None
        elif before is None or before[:3] != line[:3]:
            self._put(line.end, line.ply)
            assert self._table is not None  # noqa: S101 - as has just been made
            self._table.seat = line.seat
        self._say(line)
        if gone is not None:
            gone.close()  # it stands nowhere any more: a page that is to show what is closed fails

    def _leave(self) -> Table | None:
        """The line is looked at no more: the table that goes with it."""
        if self._table is not None and self._chosen:
            self._put(_moment(self._view.tree, self._view.at))
            return None
        gone, self._table = self._table, None
        return gone

    def _say(self, line: Line | None) -> None:
        """Above the table, what there is to see; without a line, nothing."""
        self._line, gone = line, None
        if line is not None:
            said = f'<p lang="{self._view.language}" style="{_SAID}">{escape(line.said)}</p>'
            if self._said is None:
                self._said = HTML(said, layout=Layout(width="auto", height="auto", margin="0"))
            self._said.value = said
        else:
            gone, self._said = self._said, None
        self._fill()
        if gone is not None:
            gone.close()

    def _moved(self, played: Played) -> None:
        """A move at the table leads on in the tree; moves that are forced there lead nowhere new."""
        tree, here = self._view.tree, self._node
        if self._table is None or tree.actor[here] != played.seat:
            return
        moves = tree.sets[tree.info[here]].moves
        if str(played) in moves and game_of(tree, here).moves == self._table.game.moves[:-1]:
            self._node = tree.first[here] + moves.index(str(played))
            self._view.look(self._node)

    def follow(self) -> None:
        """Have the table speak the tree's language, show the hands that it shows, and help nobody while something is asked there."""
        if self._table is not None:
            for name in ("language", "theme", "four_colors", "hands"):
                setattr(self._table, name, getattr(self._view, name))
            task = self._view.task
            self._table.task = None if task is None or task.over else self._asked

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Both as one output of a notebook."""
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
        return {kind: one for kind, one in data.items() if not kind.startswith("text/")}, {}

    def close(self) -> None:
        """Clear the table, and what holds both."""
        for one in (self._said, self._table, self._frame, self._box):
            if one is not None:
                one.close()
        self._said = self._table = self._frame = self._box = self._line = None

    def _game(self, node: int) -> Game:
        """The game that stands at a history; where none can, that is said."""
        tree = self._view.tree
        if not isinstance(tree.origin, Origin):
            raise RefusedError("board.refused.no_table")
        if tree.actor[node] == CHANCE:
            raise RefusedError("board.refused.chance")
        return game_of(tree, node)

    def _fill(self) -> None:
        """The tree, and the table in its frame where there is one."""
        if self._box is None:
            return
        if self._table is not None and self._frame is None:
            self._frame = Box(
                layout=Layout(display="flex", flex_flow="column", flex="1 1 420px", min_width="0", width="auto", overflow="visible")
            )
        if self._frame is not None:
            _hold(self._frame, [one for one in (self._said, self._table) if one is not None])
        _hold(self._box, [self._view, *([self._frame] if self._frame is not None and self._table is not None else [])])


def _hold(box: Box, held: list[Any]) -> None:
    """Nothing is put where it is already: it would be painted anew."""
    if box.children != tuple(held):
        box.children = held


def _moment(tree: Tree, node: int) -> int:
    """The history that is shown, or the first after it at which chance does not act."""
    while tree.actor[node] == CHANCE:
        node = tree.first[node]
    return node
