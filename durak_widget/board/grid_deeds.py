"""What each message of the page means to a matrix, alone or beside a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board import message_parsing
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from durak_widget.board.matrix_view_model import Grid

    Does = Callable[[Grid, Mapping[str, Any]], object]

DEEDS: Final[dict[str, Does]] = {
    "cell": lambda grid, said: grid.select(said.get("row"), said.get("column")),
    "strike": lambda grid, said: grid.strike(said.get("seat"), said.get("place")),
    "unstrike": lambda grid, _: grid.undo(),
    "marks": lambda grid, said: setattr(grid, "marks", message_parsing.flag(said, "on")),
    "pairs": lambda grid, said: setattr(grid, "pairs", message_parsing.flag(said, "on")),
    "equilibria": lambda grid, said: grid.list_them(message_parsing.flag(said, "on")),
    "mix": lambda grid, said: grid.show(said.get("place")),
}
"""Every kind of message that a matrix understands."""

_TELLS: Final = {"strike", "marks", "equilibria", "mix"}
"""What would answer a task by itself."""


def do(grid: Grid, message: Mapping[str, Any]) -> None:
    """Do what a person means; what would give away what is asked here is refused.

    >>> from durak_widget.board.matrix_view_model import Grid
    >>> from durak_widget.board.saying import Saying
    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> from durak_widget.i18n import Voice
    >>> table = matrix_of([[1, -1], [-1, 1]])
    >>> grid = Grid(table, Saying(table, Voice()))
    >>> do(grid, {"kind": "cell", "row": 0, "column": 1})
    >>> grid.selected
    (0, 1)
    """
    kind = message["kind"]
    if grid.task and kind in _TELLS:
        raise RefusedError("matrix.asked")
    DEEDS[kind](grid, message)
