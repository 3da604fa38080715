"""A matrix written by clicks in the notebook: Python holds it and says what is missing; the page shows it, and says what a person types."""

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
    """A matrix, and what was done last, as a sentence."""

    draft: MatrixDraft
    did: Fact


class MatrixSketch(Dressed, Pictured):
    """A game of rows and columns to write by hand: from nothing, or from a matrix; every step can be taken back.

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
        """Begin from nothing, or from what `board.Matrix` takes, of up to 20 × 20."""
        self._dress(look, "game", "layout")
        sides = [Voice(self.language).say(f"sketch.side.{seat}") for seat in (0, 1)]
        draft = MatrixDraft(names=(sides[0], sides[1])) if game is None else draft_of_matrix(a_matrix(game))
        self.steps = Strokes(MatrixStroke(draft, Fact("sketch.did.begun")))
        self._did, self._turn = self.steps.now.did, 0
        self._reword()
        super().__init__(layout=layout)
        self.observe(lambda _: self._reword(), "language")

    # What there is

    @property
    def draft(self) -> MatrixDraft:
        """The matrix as it is now, whole or not."""
        return self.steps.now.draft

    @property
    def lacks(self) -> list[str]:
        """What is missing, in sentences."""
        return blanks_said(self.draft)

    @property
    def matrix(self) -> Matrix:
        """The matrix that was written; refused in a sentence while something is missing."""
        return matrix_of_draft(self.draft)

    @property
    def python(self) -> str:
        """An expression of Python that shows the matrix again; it needs `board`, and `Fraction` where a number is not whole."""
        return python_of_matrix(self.matrix)

    def svg(self) -> str:
        """The matrix as a picture that needs nothing else."""
        table = self.matrix
        return matrix_svg.drawn(Grid(table, Saying(table, Voice(self.language)), pairs=True))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the matrix into a file, as its name ends: `.py` as a cell of Python, `.nfg` for Gambit, `.svg` as a picture."""
        keep_text(path, MATRIX_FORMS[require_ending(path, MATRIX_FORMS, "a matrix")](self))

    # What can be done

    def put(self, row: int, column: int, *worth: object) -> None:
        """What a cell is worth: two numbers, or a text with both; one alone the second player loses; None for what is not said yet."""
        given = worth[0] if len(worth) == 1 and isinstance(worth[0], str) else worth
        self._take(deeds.put(self.draft, row, column, given), "pay")

    def add(self, seat: int, name: str = "") -> None:
        """One plan more: a row (seat 0), or a column (seat 1)."""
        self._take(deeds.add_plan(self.draft, seat, name), "plan")

    def drop(self, seat: int, place: int) -> None:
        """One plan less."""
        whose, at = self.draft.a_plan(seat, place)
        self._take(deeds.drop_plan(self.draft, whose, at), "remove", move=self.draft.plans[whose][at])

    def shift(self, seat: int, place: int, by: int) -> None:
        """Write a row, or a column, so many places later, or earlier."""
        self._take(deeds.shift_plan(self.draft, seat, place, by), "shift_plan")

    def rename(self, seat: int, place: int, name: str) -> None:
        """Call a plan otherwise."""
        self._take(deeds.name_plan(self.draft, seat, place, name), "rename_plan")

    def player(self, seat: int, name: str) -> None:
        """Call a player so."""
        draft = deeds.name_side(self.draft, seat, name)
        self._take(draft, "players", names=draft.names)

    def undo(self) -> bool:
        """Take the last step back; whether there was one."""
        did = self.steps.now.did
        if not self.steps.undo():
            return False
        self._show(Fact("sketch.undone", {"did": did}))
        return True

    def redo(self) -> bool:
        """Do again what was taken back last; whether there was anything."""
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
        """Tell the page what there is now."""
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
                "cells": [[_typed(cell) for cell in line] for line in draft.cells],
                "lacks": listed,
                "more": voice.say("sketch.lacks.others", count=more) if more else "",
            },
        )

    def export(self, what: str) -> None:
        """Send the page a text of the matrix."""
        ending = MATRIX_EXPORTS[what]
        self.send({"kind": "export", "what": what, "name": f"matrix{ending}", "text": MATRIX_FORMS[ending](self)})

    def hear(self, message: object) -> None:
        """What a person means is done."""
        said, does = message_parsing.of_kind(message, WRITES)
        does(self, said)

    def went_wrong(self, error: Exception) -> None:
        """Say it beside the matrix."""
        self.send({"kind": "error", "said": said_of(error, self.language)})

    def _reword(self) -> None:
        """Another language is spoken now."""
        self.set_trait("words", screen(self.language))
        self.paint()

    def _still(self) -> dict[str, str]:
        seen = f"<pre>{escape(str(self))}</pre>" if self.lacks else image(self.svg(), str(self))
        return standing_for(seen, Voice(self.language).say("sketch.picture"), str(self))

    def __str__(self) -> str:
        head = f"{self.draft.names[0]} \\ {self.draft.names[1]} | {' | '.join(self.draft.plans[1])}"
        lines = [" | ".join([plan, *map(_typed, line)]) for plan, line in zip(self.draft.plans[0], self.draft.cells, strict=True)]
        return "\n".join([head, *lines, *blanks_said(self.draft, self.language)])

    def __repr__(self) -> str:
        missing = len(self.lacks)
        rows, columns = map(len, self.draft.plans)
        return f"<MatrixSketch: {rows} × {columns}{f'; missing: {missing}' if missing else ''}>"


def _typed(cell: tuple[Fraction | None, Fraction | None]) -> str:
    """What stands in a cell, as one would type it."""
    if cell == (None, None):
        return ""
    exact = ["?" if worth is None else str(worth) for worth in cell]
    return ", ".join(exact)


def python_of_matrix(table: Matrix) -> str:
    """An expression of Python that shows a matrix.

    >>> from durak_widget import board, gametheory
    >>> python_of_matrix(gametheory.matrix(gametheory.textbook("pennies")))[:43]
    'board.Matrix([[(1, -1), (-1, 1)], [(-1, 1),'
    """
    lines = [", ".join(f"({number_in_python(one)}, {number_in_python(other)})" for one, other in line) for line in table.payoffs]
    rows, columns, names = (
        ", ".join(map(text_in_python, said))
        for said in ([plan.words for plan in table.rows], [plan.words for plan in table.columns], table.names)
    )
    cells = ", ".join(f"[{line}]" for line in lines)
    return f"board.Matrix([{cells}], rows=[{rows}], columns=[{columns}], names=({names}))"


def _cell_of(sketch: MatrixSketch) -> str:
    fractions = any(worth.denominator != 1 for line in sketch.matrix.payoffs for cell in line for worth in cell)
    imports = ["from fractions import Fraction"] * fractions + ["from durak_widget import board"]
    return "\n".join([*imports, "", sketch.python, ""])


MATRIX_FORMS: Final[dict[str, Callable[[MatrixSketch], str]]] = {
    ".py": _cell_of,
    ".nfg": lambda sketch: to_nfg(sketch.matrix),
    ".svg": MatrixSketch.svg,
}
"""What a matrix can be saved as; another kind of file is a line here."""
MATRIX_EXPORTS: Final = {"nfg": ".nfg", "python": ".py", "svg": ".svg"}
"""What the page may ask for as a text."""


def _plan(message: Mapping[str, Any]) -> tuple[int, int]:
    return message_parsing.whole(message, "seat"), message_parsing.whole(message, "place")


WRITES: Final[dict[str, Callable[[MatrixSketch, Mapping[str, Any]], object]]] = {
    "put": lambda sketch, said: sketch.put(
        message_parsing.whole(said, "row"), message_parsing.whole(said, "column"), message_parsing.text(said, "text")
    ),
    "add": lambda sketch, said: sketch.add(message_parsing.whole(said, "seat")),
    "drop": lambda sketch, said: sketch.drop(*_plan(said)),
    "shift": lambda sketch, said: sketch.shift(*_plan(said), message_parsing.whole(said, "step")),
    "plan": lambda sketch, said: sketch.rename(*_plan(said), message_parsing.text(said, "text")),
    "player": lambda sketch, said: sketch.player(message_parsing.whole(said, "seat"), message_parsing.text(said, "text")),
    "undo": lambda sketch, _: sketch.undo(),
    "redo": lambda sketch, _: sketch.redo(),
    "export": lambda sketch, said: sketch.export(message_parsing.one_of(said, "what", MATRIX_EXPORTS)),
}
"""Every kind of message that a matrix understands which is written by hand."""
MatrixSketch.kinds = WRITES.keys()
