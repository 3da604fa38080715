"""The matrix editor: a notebook widget in which a user types a matrix game.

Python stores the draft and lists what it lacks; the page displays the draft and sends what the user types.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import traitlets

from durak_widget.atomic_files import save_text
from durak_widget.board import matrix_svg, message_parsing
from durak_widget.board.matrix_view_model import MatrixViewModel, MatrixWording
from durak_widget.board.picture_files import require_ending
from durak_widget.editor import matrix_draft
from durak_widget.editor.export_formats import format_python_number, format_python_text
from durak_widget.editor.matrix_draft import (
    MatrixDraft,
    describe_incomplete_cells,
    draft_from_matrix,
    find_incomplete_cells,
    matrix_from_draft,
)
from durak_widget.editor.refused_text import RefusedText
from durak_widget.editor.undo_stack import UndoStack
from durak_widget.engine.table_svg import render_image
from durak_widget.gametheory.bimatrix_equilibria import to_matrix
from durak_widget.gametheory.gambit_files import to_nfg
from durak_widget.i18n import TranslatableText, Translator, get_front_end_texts
from durak_widget.translated_errors import error_to_text
from durak_widget.widgets.base_widget import LanguageThemeMixin, StaticPictureWidget, build_picture_bundle, load_front_end_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction
    from os import PathLike

    from ipywidgets import Layout  # type: ignore[import-untyped]

    from durak_widget.gametheory.strategic_form import Matrix

_MAX_LISTED_ITEMS: Final = 3


class MatrixEditStep(NamedTuple):
    """The matrix draft after one edit, and a sentence that describes this edit."""

    draft: MatrixDraft
    description: TranslatableText


class MatrixSketch(LanguageThemeMixin, StaticPictureWidget):
    """A matrix editor for a game that you type yourself; every step can be undone.

    >>> from durak_widget import board, editor
    >>> sketch = editor.MatrixSketch()
    >>> for row, line in enumerate(("3, 3", "0 5"), start=0):
    ...     sketch.set_cell(row, row, line)
    >>> sketch
    <MatrixSketch: 2 × 2; missing: 2>
    >>> sketch.set_cell(0, 1, 0, 5); sketch.set_cell(1, 0, "5; 0")
    >>> print(sketch.python)
    board.Matrix([[(3, 3), (0, 5)], [(5, 0), (0, 5)]], rows=["A", "B"], columns=["a", "b"], names=("Row", "Column"))
    """

    _esm = load_front_end_file("sketch.js")
    _css = load_front_end_file("sketch.css")

    matrix_draft_view = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self, game: Matrix | Sequence[Sequence[object]] | None = None, *, layout: Layout | dict[str, str] | None = None, **settings: object
    ) -> None:
        """Start with an empty matrix, or with a given game of at most 20 × 20 cells.

        `game` can be anything that `board.Matrix` accepts.
        """
        self._apply_settings(settings, "game", "layout")
        names = [Translator(self.language).translate(f"sketch.side.{player}") for player in (0, 1)]
        draft = MatrixDraft(names=(names[0], names[1])) if game is None else draft_from_matrix(to_matrix(game))
        self.history = UndoStack(MatrixEditStep(draft, TranslatableText("sketch.did.begun")))
        self._shown_description, self._step_count = self.history.current.description, 0
        self.refused_text = RefusedText()
        self._apply_language()
        super().__init__(layout=layout)
        self.observe(lambda _: self._apply_language(), "language")

    @property
    def draft(self) -> MatrixDraft:
        """Return the draft of the matrix in its current state, finished or not."""
        return self.history.current.draft

    @property
    def missing_items(self) -> list[str]:
        """Return a sentence about each matrix cell that lacks a payoff."""
        return describe_incomplete_cells(self.draft)

    @property
    def matrix(self) -> Matrix:
        """Return the finished matrix; raise an error if a payoff is missing."""
        return matrix_from_draft(self.draft)

    @property
    def python(self) -> str:
        """Return Python code for an expression that shows the matrix in a notebook.

        It needs `board`, and `Fraction` if a number is not whole.
        """
        return format_python_matrix(self.matrix)

    def svg(self) -> str:
        """Return the matrix as a self-contained SVG picture."""
        complete_matrix = self.matrix
        return matrix_svg.render_matrix_svg(
            MatrixViewModel(complete_matrix, MatrixWording(complete_matrix, Translator(self.language)), pairs=True)
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Save the matrix to a file; the ending of the file name chooses the format.

        The endings are `.py` for a cell of Python, `.nfg` for Gambit and `.svg` for a picture.
        """
        save_text(path, MATRIX_EXPORT_FORMATS[require_ending(path, MATRIX_EXPORT_FORMATS, "a matrix")](self))

    # --- Edits of the matrix ---

    def set_cell(self, row: int, column: int, *payoffs: object) -> None:
        """Set the payoffs of a matrix cell, given as numbers or as one line of text.

        If there is only one number, the second player gets its negative. None stands for a payoff that is not known
        yet.
        """
        entered = payoffs[0] if len(payoffs) == 1 and isinstance(payoffs[0], str) else payoffs
        self._record_edit(matrix_draft.set_cell(self.draft, row, column, entered), "pay")

    def paste_table(self, row: int, column: int, text: str) -> None:
        r"""Set the payoffs of cells from a given one on, as one step.

        `text` is a table as spreadsheets copy it: tabs separate cells, and each line is a row. Rows and columns are added if needed.

        >>> sketch = MatrixSketch()
        >>> sketch.paste_table(0, 0, "3,3\t0,5\t1\n5 0\t1 1\t0")
        >>> sketch
        <MatrixSketch: 2 × 3>
        """
        table = matrix_draft.split_table(text)
        draft = matrix_draft.paste_table(self.draft, row, column, table)
        self._record_edit(draft, "table", rows=len(table), columns=max(map(len, table)))

    def add_strategy(self, player: int, name: str = "") -> None:
        """Add a strategy to the matrix: a row (player 0) or a column (player 1)."""
        self._record_edit(matrix_draft.add_strategy(self.draft, player, name), "plan")

    def remove_strategy(self, player: int, strategy: int) -> None:
        """Remove a strategy from the matrix."""
        side, index = self.draft.require_strategy(player, strategy)
        self._record_edit(matrix_draft.remove_strategy(self.draft, side, index), "remove", move=self.draft.strategies[side][index])

    def shift_strategy(self, player: int, strategy: int, offset: int) -> None:
        """Move a row down or a column to the right by `offset` places.

        A negative offset moves a row up or a column to the left.
        """
        self._record_edit(matrix_draft.shift_strategy(self.draft, player, strategy, offset), "shift_plan")

    def rename_strategy(self, player: int, strategy: int, name: str) -> None:
        """Rename a row or a column of the matrix."""
        self._record_edit(matrix_draft.rename_strategy(self.draft, player, strategy, name), "rename_plan")

    def rename_player(self, player: int, name: str) -> None:
        """Rename a player of the matrix game."""
        draft = matrix_draft.rename_player(self.draft, player, name)
        self._record_edit(draft, "players", names=draft.names)

    def undo(self) -> bool:
        """Undo the last step of editing; return whether there was a step to undo."""
        undone = self.history.current.description
        if not self.history.undo():
            return False
        self._show_step(TranslatableText("sketch.undone", {"did": undone}))
        return True

    def redo(self) -> bool:
        """Redo the step that was undone last; return whether there was a step to redo."""
        if not self.history.redo():
            return False
        self._show_step(self.history.current.description)
        return True

    def _record_edit(self, draft: MatrixDraft, message_key: str, **facts: object) -> None:
        """Record an edit as a step that can be undone; ignore an edit that changes nothing."""
        if draft != self.draft:
            self.history.push(MatrixEditStep(draft, TranslatableText(f"sketch.did.{message_key}", facts)))
            self._show_step(self.history.current.description)

    # --- Messages to and from the page ---

    def _show_step(self, description: TranslatableText) -> None:
        """Show the draft on the page, with a sentence about the last step."""
        self._shown_description = description
        self._step_count += 1
        self.refused_text.forget()
        self.refresh()

    def refresh(self) -> None:
        """Send the matrix draft in its current state to the page."""
        draft, voice = self.draft, Translator(self.language)
        missing = list(find_incomplete_cells(draft))
        listed = [
            {"row": row, "column": column, "text": voice.translate(fact.key, **fact.facts)}
            for row, column, fact in missing[:_MAX_LISTED_ITEMS]
        ]
        more = len(missing) - len(listed)
        self.set_trait(
            "matrix_draft_view",
            {
                "version": self._step_count,
                "can_undo": self.history.undo_count > 0,
                "can_redo": self.history.redo_count > 0,
                "last_step": voice.translate(self._shown_description.key, **self._shown_description.facts),
                "names": list(draft.names),
                "strategies": [list(strategy_names) for strategy_names in draft.strategies],
                "cells": [[_format_cell(cell) for cell in row_cells] for row_cells in draft.cells],
                "missing": listed,
                "more_missing": voice.translate("sketch.lacks.others", count=more) if more else "",
            },
        )

    def send_export(self, format_name: str) -> None:
        """Send the page the matrix as text in the format that the page requested."""
        ending = MATRIX_EXPORT_ENDINGS[format_name]
        self.send({"kind": "export", "format": format_name, "name": f"matrix{ending}", "text": MATRIX_EXPORT_FORMATS[ending](self)})

    def handle_message(self, message: object) -> None:
        """Handle a message that the page sent."""
        fields, handler = message_parsing.find_by_kind(message, MESSAGE_HANDLERS)
        with self.refused_text.watch(fields):
            handler(self, fields)

    def report_error(self, error: Exception) -> None:
        """Show an error message beside the matrix."""
        self.send({"kind": "error", "text": error_to_text(error, self.language)})

    def _apply_language(self) -> None:
        """Send the editor's texts to the page in the current language."""
        self.set_trait("words", get_front_end_texts(self.language))
        self.refresh()

    def _build_static_bundle(self) -> dict[str, str]:
        """Build what a saved notebook shows: a picture if the matrix is finished, otherwise text."""
        picture = f"<pre>{escape(str(self))}</pre>" if self.missing_items else render_image(self.svg(), str(self))
        return build_picture_bundle(picture, Translator(self.language).translate("sketch.picture"), str(self))

    def __str__(self) -> str:
        header = f"{self.draft.names[0]} \\ {self.draft.names[1]} | {' | '.join(self.draft.strategies[1])}"
        lines = [
            " | ".join([strategy, *map(_format_cell, cells)])
            for strategy, cells in zip(self.draft.strategies[0], self.draft.cells, strict=True)
        ]
        return "\n".join([header, *lines, *describe_incomplete_cells(self.draft, self.language)])

    def __repr__(self) -> str:
        missing = len(self.missing_items)
        rows, columns = map(len, self.draft.strategies)
        return f"<MatrixSketch: {rows} × {columns}{f'; missing: {missing}' if missing else ''}>"


def _format_cell(cell: tuple[Fraction | None, Fraction | None]) -> str:
    """Format the payoffs of a cell as a person would type them."""
    if cell == (None, None):
        return ""
    exact = ["?" if payoff is None else str(payoff) for payoff in cell]
    return ", ".join(exact)


def format_python_matrix(matrix: Matrix) -> str:
    """Format a matrix as a Python expression that shows it in a notebook.

    >>> from durak_widget import board, gametheory
    >>> format_python_matrix(gametheory.matrix(gametheory.textbook("pennies")))[:43]
    'board.Matrix([[(1, -1), (-1, 1)], [(-1, 1),'
    """
    lines = [
        ", ".join(f"({format_python_number(row_payoff)}, {format_python_number(column_payoff)})" for row_payoff, column_payoff in row)
        for row in matrix.payoffs
    ]
    rows, columns, names = (
        ", ".join(map(format_python_text, labels))
        for labels in (
            [strategy.short_label for strategy in matrix.rows],
            [strategy.short_label for strategy in matrix.columns],
            matrix.names,
        )
    )
    cells = ", ".join(f"[{row}]" for row in lines)
    return f"board.Matrix([{cells}], rows=[{rows}], columns=[{columns}], names=({names}))"


def _format_notebook_cell(sketch: MatrixSketch) -> str:
    """Format the matrix as Python code with imports, to paste into a notebook."""
    fractions = any(payoff.denominator != 1 for row in sketch.matrix.payoffs for cell in row for payoff in cell)
    imports = ["from fractions import Fraction"] * fractions + ["from durak_widget import board"]
    return "\n".join([*imports, "", sketch.python, ""])


MATRIX_EXPORT_FORMATS: Final[dict[str, Callable[[MatrixSketch], str]]] = {
    ".py": _format_notebook_cell,
    ".nfg": lambda sketch: to_nfg(sketch.matrix),
    ".svg": MatrixSketch.svg,
}
"""The function that writes a matrix in each file format; the keys are endings of file names."""
MATRIX_EXPORT_ENDINGS: Final = {"nfg": ".nfg", "python": ".py", "svg": ".svg"}
"""The ending of the file name for each export format that the page can request."""


def _get_strategy(message: Mapping[str, Any]) -> tuple[int, int]:
    """Return the numbers of a player and a strategy from a message of the page."""
    return message_parsing.get_whole_number(message, "player"), message_parsing.get_whole_number(message, "index")


MESSAGE_HANDLERS: Final[dict[str, Callable[[MatrixSketch, Mapping[str, Any]], object]]] = {
    "set_cell": lambda sketch, message: sketch.set_cell(
        message_parsing.get_whole_number(message, "row"),
        message_parsing.get_whole_number(message, "column"),
        message_parsing.get_text(message, "text"),
    ),
    "paste_table": lambda sketch, message: sketch.paste_table(
        message_parsing.get_whole_number(message, "row"),
        message_parsing.get_whole_number(message, "column"),
        message_parsing.get_table_text(message, "text"),
    ),
    "add_strategy": lambda sketch, message: sketch.add_strategy(message_parsing.get_whole_number(message, "player")),
    "remove_strategy": lambda sketch, message: sketch.remove_strategy(*_get_strategy(message)),
    "shift_strategy": lambda sketch, message: sketch.shift_strategy(
        *_get_strategy(message), message_parsing.get_whole_number(message, "step")
    ),
    "rename_strategy": lambda sketch, message: sketch.rename_strategy(*_get_strategy(message), message_parsing.get_text(message, "text")),
    "rename_player": lambda sketch, message: sketch.rename_player(
        message_parsing.get_whole_number(message, "player"), message_parsing.get_text(message, "text")
    ),
    "undo": lambda sketch, _: sketch.undo(),
    "redo": lambda sketch, _: sketch.redo(),
    "export": lambda sketch, message: sketch.send_export(message_parsing.get_choice(message, "format", MATRIX_EXPORT_ENDINGS)),
}
"""The function that handles each kind of message from the page about a matrix editor."""
MatrixSketch.message_kinds = MESSAGE_HANDLERS.keys()
