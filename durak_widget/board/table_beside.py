"""The table beside a tree: the position of a history of Durak, laid where one can look at it and play it on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ipywidgets import Box, Layout  # type: ignore[import-untyped]

from durak_widget.board.messages import history
from durak_widget.board.refusing import RefusedError
from durak_widget.theory.deals import Origin
from durak_widget.theory.moments import game_of
from durak_widget.theory.tree import CHANCE
from durak_widget.widget.table import Table

if TYPE_CHECKING:
    from durak_widget.board.needs import View
    from durak_widget.game.game import Game
    from durak_widget.game.view import Played
    from durak_widget.theory.tree import Tree


class Beside:
    """A tree and, once it is asked for, a table beside it; below it where there is little room."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._table: Table | None = None
        self._box: Box | None = None
        self._node = 0

    @property
    def table(self) -> Table:
        """The table, made when it is first asked for."""
        if self._table is None:
            view = self._view
            self._node = _moment(view.tree, view.at)
            game = self._game(self._node)
            self._table = Table(
                game,
                {0: "you", 1: "you"},
                covers=False,
                keep=False,
                hands=view.hands,
                language=view.language,
                theme=view.theme,
                four_colors=view.four_colors,
            )
            self._table.on_move(self._moved)
            self._table.layout = Layout(flex="1 1 420px", min_width="0", width="auto")
            self._fill()
        return self._table

    def lay(self, node: object) -> None:
        """Lay the position of a history on it."""
        place = history(self._view.tree, node)
        game = self._game(place)
        self._view.look(place)
        if self._table is None:
            self.table  # noqa: B018 - it is made at that position
        else:
            self._node, self._table.game = place, game

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
        """It speaks the language of the tree, and shows the hands that are shown there."""
        if self._table is not None:
            for name in ("language", "theme", "four_colors", "hands"):
                setattr(self._table, name, getattr(self._view, name))

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Both as one output of a notebook."""
        if self._box is None:
            self._view.layout = Layout(flex="1 1 520px", min_width="0", width="auto")  # else it is as wide as its words
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
        for one in (self._table, self._box):
            if one is not None:
                one.close()
        self._table = self._box = None

    def _game(self, node: int) -> Game:
        """The game that stands at a history; where none can, that is said."""
        tree = self._view.tree
        if not isinstance(tree.origin, Origin):
            raise RefusedError("board.refused.no_table")
        if tree.actor[node] == CHANCE:
            raise RefusedError("board.refused.chance")
        return game_of(tree, node)

    def _fill(self) -> None:
        if self._box is not None:
            self._box.children = [one for one in (self._view, self._table) if one is not None]


def _moment(tree: Tree, node: int) -> int:
    """That history, or the first after it at which chance does not act."""
    while tree.actor[node] == CHANCE:
        node = tree.first[node]
    return node
