"""Shows the Durak position of a tree node on a card table, where users can play on."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from ipywidgets import HTML, Box, Layout  # type: ignore[import-untyped]

from durak_widget.analysis.deal_enumeration import TreeOrigin
from durak_widget.analysis.game_at_node import restore_game
from durak_widget.board.message_parsing import parse_history
from durak_widget.board.view_protocols import TreeView
from durak_widget.gametheory.tree import CHANCE
from durak_widget.i18n import TranslatableText
from durak_widget.table.table_widget import Table
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import PlayedMove
    from durak_widget.gametheory.tree import Tree
    from durak_widget.i18n import Translator

_SENTENCE_CSS: Final = "margin:0 0 6px;font-size:14px;line-height:1.4;white-space:normal"
"""The CSS style of the sentence above the card table."""


class LineOfPlay(NamedTuple):
    """A sequence of moves on the card table, and how the card table shows the sequence."""

    end_node: int
    """The tree node that the last move leads to."""
    ply: int
    """The number of moves after which the table first shows the position; the table's arrows step to other positions.
    """
    seat: int
    """The number of the player whose cards are at the bottom of the card table."""
    sentence: str
    """The sentence above the card table that tells the user what to look at."""


class TreeQuestionOnTable:
    """Stops hints on the card table beside a tree while a question about the tree is open.

    While the question is open, the card table gives no hints, and its game and its player cannot be changed.
    """

    is_single_move = is_decided = False

    def __init__(self, restart: Callable[[], None]) -> None:
        self.restart = restart

    def hint(self) -> TranslatableText:
        """Return a message that refuses a hint, because a hint might reveal the answer."""
        return TranslatableText("board.refused.asked")

    def verdict(self, voice: Translator) -> None:
        """Return None, because the tree widget grades answers and the card table does not."""


class TreeViewWithTable(TreeView, Protocol):
    """The interface of a tree widget whose settings are copied to the card table beside it."""

    layout: Any
    theme: str
    four_colors: bool
    card_letters: str
    hands: str


class CardTablePanel:
    """A tree widget and the card table beside it, which is created at its first use."""

    def __init__(self, view: TreeViewWithTable) -> None:
        self._view = view
        self._card_table: Table | None = None
        self._outer_box: Box | None = None
        self._table_box: Box | None = None
        """The box that contains the table and the sentence above it."""
        self._sentence: HTML | None = None
        self._line: LineOfPlay | None = None
        """The sequence of moves on the card table; None if the table shows a single position."""
        self._table_question = TreeQuestionOnTable(self._restart)
        self._start = 0, 0
        """The node that the table opened last, and the position of its game that was shown first."""
        self._is_requested = False
        """True if the user asked for the card table; the table then stays open."""
        self._node = 0

    @property
    def table(self) -> Table:
        """Return the card table beside the tree; create it at the first call."""
        if self._card_table is None:
            self._is_requested = True
            self._show_game(_skip_chance(self._view.tree, self._view.current_node))
            self._fill_boxes()
        assert self._card_table is not None  # noqa: S101 - created just above
        return self._card_table

    def _show_game(self, node: int, ply: int | None = None) -> None:
        """Show a tree node's Durak game on the card table, by default at the node's own position.

        If `ply` is given, show the game after its first `ply` moves.
        """
        game = self._get_game(node)
        if ply is not None:
            game.goto(ply)
        self._node, self._start = node, (node, game.ply)
        if self._card_table is None:
            self._card_table = self._create_table(game)
            self.sync_settings()
        else:
            self._card_table.game = game

    def _restart(self) -> None:
        """Reset the card table to the last position that was opened on it."""
        self._show_game(*self._start)
        if self._line is None:
            self._view.go_to(self._node)

    def _create_table(self, game: Game) -> Table:
        """Create a card table on which the user plays all players of the given game."""
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
            card_letters=view.card_letters,
            layout={"width": "auto"},
        )
        table.on_move(self._follow_move)
        return table

    def open_node(self, node: object) -> None:
        """Show the Durak position of a tree node on the card table."""
        number = parse_history(self._view.tree, node)
        self._show_game(number)
        self._view.go_to(number)
        self._is_requested = True
        self._show_sentence(None)

    def show_line(self, line: LineOfPlay | None) -> None:
        """Show a sequence of moves on the card table; if `line` is None, remove the sequence.

        After None, a card table that was already open shows the current node again.
        """
        previous, removed = self._line, None
        if line is None:
            removed = self._leave_line() if previous is not None else None
        elif previous is None or previous[:3] != line[:3]:
            self._show_game(line.end_node, line.ply)
            assert self._card_table is not None  # noqa: S101 - created just above
            self._card_table.seat = line.seat
        self._show_sentence(line)
        if removed is not None:
            removed.close()  # Only now: the page cannot show a closed widget, so the box must no longer contain it

    def _leave_line(self) -> Table | None:
        """Stop showing a sequence of moves; return the card table if the caller must close it.

        Otherwise, return None.
        """
        if self._card_table is not None and self._is_requested:
            self._show_game(_skip_chance(self._view.tree, self._view.current_node))
            return None
        removed, self._card_table = self._card_table, None
        return removed

    def _show_sentence(self, line: LineOfPlay | None) -> None:
        """Show the sentence about the moves in `line` above the card table; for None, remove it."""
        self._line, removed = line, None
        if line is not None:
            markup = f'<p lang="{self._view.language}" style="{_SENTENCE_CSS}">{escape(line.sentence)}</p>'
            if self._sentence is None:
                self._sentence = HTML(markup, layout=Layout(width="auto", height="auto", margin="0"))
            self._sentence.value = markup
        else:
            removed, self._sentence = self._sentence, None
        self._fill_boxes()
        if removed is not None:
            removed.close()

    def _follow_move(self, played: PlayedMove) -> None:
        """Make the tree's current node follow a move that the user made on the card table.

        A forced move has no tree node, so the tree stays at its node.
        """
        tree, node = self._view.tree, self._node
        if self._card_table is None or tree.actor[node] != played.seat:
            return
        moves = tree.infosets[tree.infoset_of[node]].actions
        if str(played) in moves and restore_game(tree, node).moves == self._card_table.game.moves[:-1]:
            self._node = tree.first_child[node] + moves.index(str(played))
            self._view.go_to(self._node)

    def sync_settings(self) -> None:
        """Copy the tree widget's settings to the card table; block hints if a question is open."""
        if self._card_table is not None:
            for name in ("language", "theme", "four_colors", "card_letters", "hands"):
                setattr(self._card_table, name, getattr(self._view, name))
            question = self._view.question
            self._card_table.task = None if question is None or question.is_over else self._table_question

    def build_live_bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Build one notebook output that contains the tree and the card table."""
        if self._outer_box is None:
            layout = self._view.layout
            if layout.width is None and layout.flex is None:
                layout.flex, layout.min_width, layout.width = "1 1 520px", "0", "auto"
            self._outer_box = Box(
                layout=Layout(
                    display="flex", flex_flow="row wrap", grid_gap="12px", align_items="flex-start", overflow="visible", width="100%"
                )
            )
            self._fill_boxes()
        data = self._outer_box._repr_mimebundle_() or {}
        return {mime_type: value for mime_type, value in data.items() if not mime_type.startswith("text/")}, {}

    def close(self) -> None:
        """Close the card table and the boxes around it."""
        for widget in (self._sentence, self._card_table, self._table_box, self._outer_box):
            if widget is not None:
                widget.close()
        self._sentence = self._card_table = self._table_box = self._outer_box = self._line = None

    def _get_game(self, node: int) -> Game:
        """Return the Durak game at a tree node; raise an error for a node without a position."""
        tree = self._view.tree
        if not isinstance(tree.origin, TreeOrigin):
            raise RefusedError("board.refused.no_table")
        if tree.actor[node] == CHANCE:
            raise RefusedError("board.refused.chance")
        return restore_game(tree, node)

    def _fill_boxes(self) -> None:
        """Put the tree, and the card table if there is one, into the layout boxes of the page."""
        if self._outer_box is None:
            return
        if self._card_table is not None and self._table_box is None:
            self._table_box = Box(
                layout=Layout(display="flex", flex_flow="column", flex="1 1 420px", min_width="0", width="auto", overflow="visible")
            )
        if self._table_box is not None:
            _set_children(self._table_box, [widget for widget in (self._sentence, self._card_table) if widget is not None])
        _set_children(
            self._outer_box, [self._view, *([self._table_box] if self._table_box is not None and self._card_table is not None else [])]
        )


def _set_children(box: Box, children: list[Any]) -> None:
    """Set a box's children unless they are unchanged, because any change redraws all of them."""
    if box.children != tuple(children):
        box.children = children


def _skip_chance(tree: Tree, node: int) -> int:
    """Skip chance nodes: follow the first branch of each, and return the first other node."""
    while tree.actor[node] == CHANCE:
        node = tree.first_child[node]
    return node
