"""A notebook widget in which a matrix is written by hand.

Python holds the draft and says what is missing; the page shows it and sends what the user types.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import traitlets

from durak_widget.atomic_files import keep_text
from durak_widget.board import matrix_svg, message_parsing
from durak_widget.board.matrix_view_model import Grid, Saying
from durak_widget.board.picture_files import require_ending
from durak_widget.editor import matrix_draft as deeds
from durak_widget.editor.export_formats import number_in_python, text_in_python
from durak_widget.editor.matrix_draft import MatrixDraft, blanks, blanks_said, draft_of_matrix, matrix_of_draft
from durak_widget.editor.undo_stack import Strokes
from durak_widget.engine.table_svg import image
from durak_widget.gametheory.bimatrix_equilibria import a_matrix
from durak_widget.gametheory.gambit_files import to_nfg
from durak_widget.i18n import Fact, Voice, screen
from durak_widget.translated_errors import said_of
from durak_widget.widgets.base_widget import Dressed, Pictured, built, standing_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction
    from os import PathLike

    from ipywidgets import Layout  # type: ignore[import-untyped]

    from durak_widget.gametheory.strategic_form import Matrix

_LISTED: Final = 3


class MatrixStroke(NamedTuple):
    """One step of editing: the draft and a sentence about the edit."""

    draft: MatrixDraft
    did: Fact


class MatrixSketch(Dressed, Pictured):
    """A game of rows and columns to write by hand; every step can be taken back.

    >>> from durak_widget import board, editor
    >>> sketch = editor.MatrixSketch()
    >>> for row, line in enumerate(("3, 3", "0 5"), start=0):
    ...     sketch.put(row, row, line)
    >>> sketch
    <MatrixSketch: 2 × 2; missing: 2>
    >>> sketch.put(0, 1, 0, 5); sketch.put(1, 0, "5; 0")
    >>> print(sketch.python)
    board.Matrix([[(3, 3), (0, 5)], [(5, 0), (0, 5)]], rows=["A", "B"], columns=["a", "b"], names=("Row", "Column"))
    """

    _esm = built("sketch.js")
    _css = built("sketch.css")

    cells = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self, game: Matrix | Sequence[Sequence[object]] | None = None, *, layout: Layout | dict[str, str] | None = None, **look: object
    ) -> None:
        """Start from nothing, or from what `board.Matrix` takes, up to 20 × 20."""
        self._dress(look, "game", "layout")
        names = [Voice(self.language).say(f"sketch.side.{player}") for player in (0, 1)]
        draft = MatrixDraft(names=(names[0], names[1])) if game is None else draft_of_matrix(a_matrix(game))
        self.steps = Strokes(MatrixStroke(draft, Fact("sketch.did.begun")))
        self._did, self._turn = self.steps.now.did, 0
        self._reword()
        super().__init__(layout=layout)
        self.observe(lambda _: self._reword(), "language")

    @property
    def draft(self) -> MatrixDraft:
        """Return the matrix as it is now, complete or not."""
        return self.steps.now.draft

    @property
    def lacks(self) -> list[str]:
        """Return what is missing, in sentences."""
        return blanks_said(self.draft)

    @property
    def matrix(self) -> Matrix:
        """Return the matrix; refuse a draft in which something is missing."""
        return matrix_of_draft(self.draft)

    @property
    def python(self) -> str:
        """Return a Python expression that shows the matrix.

        It needs `board`, and `Fraction` if a number is not whole.
        """
        return python_of_matrix(self.matrix)

    def svg(self) -> str:
        """Return the matrix as a self-contained SVG picture."""
        complete_matrix = self.matrix
        return matrix_svg.drawn(Grid(complete_matrix, Saying(complete_matrix, Voice(self.language)), pairs=True))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the matrix to a file, in the format of its ending.

        The endings are `.py` for a cell of Python, `.nfg` for Gambit and `.svg` for a picture.
        """
        keep_text(path, MATRIX_FORMS[require_ending(path, MATRIX_FORMS, "a matrix")](self))

    # Edits

    def put(self, row: int, column: int, *worth: object) -> None:
        """Set the payoffs of a cell: two numbers, or a text with both.

        If there is only one number, the second player gets its negative. A payoff that is None is not known yet.
        """
        entered = worth[0] if len(worth) == 1 and isinstance(worth[0], str) else worth
        self._take(deeds.put(self.draft, row, column, entered), "pay")

    def add(self, seat: int, name: str = "") -> None:
        """Add a strategy: a row (player 0) or a column (player 1)."""
        self._take(deeds.add_plan(self.draft, seat, name), "plan")

    def drop(self, seat: int, place: int) -> None:
        """Remove a strategy."""
        side, index = self.draft.a_plan(seat, place)
        self._take(deeds.drop_plan(self.draft, side, index), "remove", move=self.draft.plans[side][index])

    def shift(self, seat: int, place: int, by: int) -> None:
        """Move a row or a column by some positions; negative numbers move it back."""
        self._take(deeds.shift_plan(self.draft, seat, place, by), "shift_plan")

    def rename(self, seat: int, place: int, name: str) -> None:
        """Rename a strategy."""
        self._take(deeds.name_plan(self.draft, seat, place, name), "rename_plan")

    def player(self, seat: int, name: str) -> None:
        """Rename a player."""
        draft = deeds.name_side(self.draft, seat, name)
        self._take(draft, "players", names=draft.names)

    def undo(self) -> bool:
        """Take the last step back and return whether there was one."""
        undone = self.steps.now.did
        if not self.steps.undo():
            return False
        self._show(Fact("sketch.undone", {"did": undone}))
        return True

    def redo(self) -> bool:
        """Do the step that was taken back last again; return whether there was one."""
        if not self.steps.redo():
            return False
        self._show(self.steps.now.did)
        return True

    def _take(self, draft: MatrixDraft, did: str, **facts: object) -> None:
        if draft != self.draft:
            self.steps.take(MatrixStroke(draft, Fact(f"sketch.did.{did}", facts)))
            self._show(self.steps.now.did)

    # The page

    def _show(self, did: Fact) -> None:
        self._did = did
        self._turn += 1
        self.paint()

    def paint(self) -> None:
        """Send the current draft to the page."""
        draft, voice = self.draft, Voice(self.language)
        missing = list(blanks(draft))
        listed = [{"row": row, "column": column, "said": voice.say(fact.key, **fact.facts)} for row, column, fact in missing[:_LISTED]]
        more = len(missing) - len(listed)
        self.set_trait(
            "cells",
            {
                "turn": self._turn,
                "undo": self.steps.past > 0,
                "redo": self.steps.undone > 0,
                "did": voice.say(self._did.key, **self._did.facts),
                "names": list(draft.names),
                "plans": [list(plans) for plans in draft.plans],
                "cells": [[_typed(cell) for cell in row_cells] for row_cells in draft.cells],
                "lacks": listed,
                "more": voice.say("sketch.lacks.others", count=more) if more else "",
            },
        )

    def export(self, what: str) -> None:
        """Send the page the matrix as a text."""
        ending = MATRIX_EXPORTS[what]
        self.send({"kind": "export", "what": what, "name": f"matrix{ending}", "text": MATRIX_FORMS[ending](self)})

    def hear(self, message: object) -> None:
        """Do what a message from the page asks for."""
        fields, handler = message_parsing.of_kind(message, WRITES)
        handler(self, fields)

    def went_wrong(self, error: Exception) -> None:
        """Show an error beside the matrix."""
        self.send({"kind": "error", "said": said_of(error, self.language)})

    def _reword(self) -> None:
        """Send the words of the new language to the page."""
        self.set_trait("words", screen(self.language))
        self.paint()

    def _still(self) -> dict[str, str]:
        picture = f"<pre>{escape(str(self))}</pre>" if self.lacks else image(self.svg(), str(self))
        return standing_for(picture, Voice(self.language).say("sketch.picture"), str(self))

    def __str__(self) -> str:
        head = f"{self.draft.names[0]} \\ {self.draft.names[1]} | {' | '.join(self.draft.plans[1])}"
        lines = [" | ".join([strategy, *map(_typed, cells)]) for strategy, cells in zip(self.draft.plans[0], self.draft.cells, strict=True)]
        return "\n".join([head, *lines, *blanks_said(self.draft, self.language)])

    def __repr__(self) -> str:
        missing = len(self.lacks)
        rows, columns = map(len, self.draft.plans)
        return f"<MatrixSketch: {rows} × {columns}{f'; missing: {missing}' if missing else ''}>"


def _typed(cell: tuple[Fraction | None, Fraction | None]) -> str:
    """Return the payoffs of a cell as someone would type them."""
    if cell == (None, None):
        return ""
    exact = ["?" if payoff is None else str(payoff) for payoff in cell]
    return ", ".join(exact)


def python_of_matrix(table: Matrix) -> str:
    """Return a Python expression that shows a matrix.

    >>> from durak_widget import board, gametheory
    >>> python_of_matrix(gametheory.matrix(gametheory.textbook("pennies")))[:43]
    'board.Matrix([[(1, -1), (-1, 1)], [(-1, 1),'
    """
    lines = [
        ", ".join(f"({number_in_python(row_payoff)}, {number_in_python(column_payoff)})" for row_payoff, column_payoff in row)
        for row in table.payoffs
    ]
    rows, columns, names = (
        ", ".join(map(text_in_python, labels))
        for labels in ([strategy.words for strategy in table.rows], [strategy.words for strategy in table.columns], table.names)
    )
    cells = ", ".join(f"[{row}]" for row in lines)
    return f"board.Matrix([{cells}], rows=[{rows}], columns=[{columns}], names=({names}))"


def _cell_of(sketch: MatrixSketch) -> str:
    fractions = any(payoff.denominator != 1 for row in sketch.matrix.payoffs for cell in row for payoff in cell)
    imports = ["from fractions import Fraction"] * fractions + ["from durak_widget import board"]
    return "\n".join([*imports, "", sketch.python, ""])


MATRIX_FORMS: Final[dict[str, Callable[[MatrixSketch], str]]] = {
    ".py": _cell_of,
    ".nfg": lambda sketch: to_nfg(sketch.matrix),
    ".svg": MatrixSketch.svg,
}
"""The function that makes the text of each file format, by ending."""
MATRIX_EXPORTS: Final = {"nfg": ".nfg", "python": ".py", "svg": ".svg"}
"""The file ending of each text that the page may ask for."""


def _plan(message: Mapping[str, Any]) -> tuple[int, int]:
    return message_parsing.whole(message, "seat"), message_parsing.whole(message, "place")


WRITES: Final[dict[str, Callable[[MatrixSketch, Mapping[str, Any]], object]]] = {
    "put": lambda sketch, message: sketch.put(
        message_parsing.whole(message, "row"), message_parsing.whole(message, "column"), message_parsing.text(message, "text")
    ),
    "add": lambda sketch, message: sketch.add(message_parsing.whole(message, "seat")),
    "drop": lambda sketch, message: sketch.drop(*_plan(message)),
    "shift": lambda sketch, message: sketch.shift(*_plan(message), message_parsing.whole(message, "step")),
    "plan": lambda sketch, message: sketch.rename(*_plan(message), message_parsing.text(message, "text")),
    "player": lambda sketch, message: sketch.player(message_parsing.whole(message, "seat"), message_parsing.text(message, "text")),
    "undo": lambda sketch, _: sketch.undo(),
    "redo": lambda sketch, _: sketch.redo(),
    "export": lambda sketch, message: sketch.export(message_parsing.one_of(message, "what", MATRIX_EXPORTS)),
}
"""The handler of each kind of message."""
MatrixSketch.kinds = WRITES.keys()
