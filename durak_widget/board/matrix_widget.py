"""The matrix widget, for the strategic form of a tree or for a game given by payoffs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import traitlets

from durak_widget.board import matrix_view_model, message_parsing
from durak_widget.board.latex_export import build_matrix_document
from durak_widget.board.matrix_svg import format_matrix_text, render_matrix_svg
from durak_widget.board.matrix_view_model import MatrixViewModel, MatrixWording
from durak_widget.board.message_parsing import MessageError
from durak_widget.board.picture_files import write_picture
from durak_widget.board.strategic_form_panel import build_matrix_wording, build_strategic_form, require_small_matrix
from durak_widget.board.tree_wording import TreeWording, take_first_lines
from durak_widget.board.view_protocols import forward_answer, question_to_message
from durak_widget.engine.table_svg import render_image
from durak_widget.errors import short_repr
from durak_widget.gametheory.bimatrix_equilibria import to_matrix
from durak_widget.gametheory.strategic_form import DominatedStrategy
from durak_widget.gametheory.tree import Tree
from durak_widget.i18n import Translator, get_front_end_texts
from durak_widget.translated_errors import error_to_text
from durak_widget.widgets.base_widget import LanguageThemeMixin, StaticPictureWidget, build_picture_bundle, load_front_end_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path

    from ipywidgets import Layout  # type: ignore[import-untyped]

    from durak_widget.board.iterated_elimination import EliminationStep
    from durak_widget.board.view_protocols import ViewQuestion
    from durak_widget.gametheory.bimatrix_equilibria import Equilibria
    from durak_widget.gametheory.strategic_form import Matrix as Form

_MESSAGE_HANDLERS = {**matrix_view_model.MESSAGE_HANDLERS, "answer": forward_answer}
"""The function that handles each kind of message from the page about a separate matrix, without a tree."""


class MatrixWidget(LanguageThemeMixin, StaticPictureWidget):
    r"""A widget for a matrix game: eliminate dominated strategies, list equilibria.

    The game is a tree (from `analysis.build_game_tree` or `gametheory.from_efg`), a matrix (from
    `gametheory.matrix`), or a list of payoffs: rows of numbers (zero-sum) or of pairs.

    >>> from durak_widget import board
    >>> view = board.Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob"))
    >>> print(view.eliminate())
    Ann: silent is strictly dominated by talks
    >>> print(view)
    Ann \ Bob | silent | talks
    talks     | 5*, 0  | 1*, 1°
    * best response of Ann; ° best response of Bob
    1. For Ann, “talks” strictly dominates “silent”: it always pays more, whatever Bob does.
    >>> view.eliminate("talks", player=1)
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: For Bob, “talks” isn't dominated. Against “talks” it pays 1, and every other strategy pays less.
    """

    _esm = load_front_end_file("board.js")
    _css = load_front_end_file("board.css")
    message_kinds = _MESSAGE_HANDLERS.keys()

    matrix_view = traitlets.Dict(read_only=True).tag(sync=True)
    question_view = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        game: Tree | Form | Sequence[Sequence[object]],
        *,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        names: Sequence[str] = ("Row", "Column"),
        pairs: bool = False,
        question: ViewQuestion | None = None,
        layout: Layout | dict[str, str] | None = None,
        **settings: object,
    ) -> None:
        """Show a matrix of at most 64 × 64 cells, given as a game, a tree or payoffs.

        With `pairs`, each cell shows both payoffs even in a zero-sum game. `question` is a question that an exercise
        asks about the matrix.
        """
        self._apply_settings(settings, "rows", "columns", "names", "pairs", "layout")
        self._tree = game if isinstance(game, Tree) else None
        table = to_matrix(game, rows=rows, columns=columns, names=names) if self._tree is None else build_strategic_form(self._tree)
        require_small_matrix(len(table.rows), len(table.columns))
        self._question = question
        self.grid = MatrixViewModel(table, self._build_wording(table), pairs=pairs)
        self._apply_language()
        super().__init__(layout=layout)
        self.observe(lambda _: self._apply_language(), "language")

    # --- Dominated strategies ---

    def eliminate(self, strategy: str | int | None = None, *, player: int | None = None) -> DominatedStrategy:
        """Eliminate a given dominated strategy, by default the next one; return the step.

        A strategy is given by its name, or by its index from 0. If both players have a strategy with this name,
        `player` says whose it is.
        """
        step = self.grid.eliminate() if strategy is None else self.grid.eliminate(*self._find_strategy(strategy, player))
        self.refresh("matrix")
        return self._step_to_dominated_strategy(step)

    def undo(self) -> DominatedStrategy | None:
        """Undo the last elimination step and return the step; None if there was nothing to undo."""
        step = self.grid.undo()
        self.refresh("matrix")
        return None if step is None else self._step_to_dominated_strategy(step)

    @property
    def eliminations(self) -> tuple[DominatedStrategy, ...]:
        """Return all eliminations of dominated strategies so far, the first one first."""
        return tuple(map(self._step_to_dominated_strategy, self.grid.elimination.steps))

    @property
    def remaining_matrix(self) -> Form:
        """Return the matrix without the eliminated strategies."""
        return self.grid.elimination.remaining_matrix

    # --- Best responses, equilibria, and the selected cell ---

    def mark_best_responses(self, on: bool = True) -> None:  # noqa: FBT001, FBT002 - True to mark, False to remove the marks
        """Mark all best responses in the matrix, or remove the marks."""
        self.grid.marks = on
        self.refresh("matrix")

    def list_equilibria(self) -> Equilibria:
        """Return all equilibria of the matrix, and show the list below the matrix."""
        self.grid.list_equilibria(True)
        self.refresh("matrix")
        return self.grid.equilibria

    def select_cell(self, row: str | int | None = None, column: str | int | None = None) -> None:
        """Select the matrix cell in a given row and column; by default, clear the selection."""
        if row is None or column is None:
            self.grid.select_cell()
        else:
            self.grid.select_cell(self._find_strategy(row, 0)[1], self._find_strategy(column, 1)[1])
        self.refresh("matrix")

    @property
    def selected_cell(self) -> tuple[int, int] | None:
        """Return the row and column index of the selected cell; None if no cell is selected."""
        return self.grid.selected_cell

    @property
    def table(self) -> Form:
        """Return the whole matrix, including eliminated strategies, as a `gametheory` matrix."""
        return self.grid.table

    @property
    def question(self) -> ViewQuestion | None:
        """Return the question that an exercise asks about the matrix, or None."""
        return self._question

    @question.setter
    def question(self, question: ViewQuestion | None) -> None:
        self._question = question
        self.refresh()

    # --- Pictures and text ---

    def svg(self) -> str:
        """Return the matrix as a self-contained SVG picture."""
        return render_matrix_svg(self.grid)

    def tabular(self) -> str:
        """Return a LaTeX file of the matrix without eliminated strategies; mark best responses."""
        return build_matrix_document(self.grid)

    def save(self, path: str | PathLike[str]) -> Path:
        """Save a picture of the matrix as SVG or LaTeX; the file's ending chooses the format."""
        return write_picture(path, self.svg, self.tabular)

    def __str__(self) -> str:
        return format_matrix_text(self.grid)

    def __repr__(self) -> str:
        return f"<Matrix: {len(self.table.rows)} × {len(self.table.columns)}>"

    def _build_static_bundle(self) -> dict[str, str]:
        """Build a static picture and text of the matrix, for print, GitHub and saved pages."""
        return build_picture_bundle(
            render_image(self.svg(), take_first_lines(str(self))), Translator(self.language).translate("matrix.picture"), str(self)
        )

    # --- Messages to and from the page ---

    def refresh(self, *parts: str) -> None:
        """Send the given parts (`matrix`, `question`) to the page; by default, both."""
        sent_parts = parts or ("matrix", "question")
        self.grid.question_state = question_to_message(self._question)
        if "question" in sent_parts:
            self.set_trait("question_view", self.grid.question_state)
        if "matrix" in sent_parts:
            self.set_trait("matrix_view", self.grid.to_message())

    def handle_message(self, message: object) -> None:
        """Handle a message that the page sent."""
        checked, handler = message_parsing.find_by_kind(message, _MESSAGE_HANDLERS)
        if handler is forward_answer:
            forward_answer(self.question, checked)
            self.refresh("question")
        else:
            matrix_view_model.handle_message(self.grid, checked)
        self.refresh("matrix")

    def report_error(self, error: Exception) -> None:
        """Show an error message beside the matrix."""
        self.send({"kind": "error", "text": error_to_text(error, self.language)})

    def _apply_language(self) -> None:
        """Describe the matrix in the widget's current language."""
        self.grid.wording = self._build_wording(self.grid.table)
        self.set_trait("words", get_front_end_texts(self.language))
        self.refresh()

    def _build_wording(self, table: Form) -> MatrixWording:
        """Build the object that describes the matrix in the widget's current language."""
        return (
            MatrixWording(table, Translator(self.language))
            if self._tree is None
            else build_matrix_wording(TreeWording(self._tree, self.language), table)
        )

    def _step_to_dominated_strategy(self, step: EliminationStep) -> DominatedStrategy:
        """Convert an elimination step to a `DominatedStrategy`, which names the strategies."""
        wording = self.grid.wording
        return DominatedStrategy(
            step.player,
            wording.names[step.player],
            wording.format_strategy(step.player, step.strategy),
            wording.format_mixed_strategy(step.player, step.dominated_by),
            is_strict=step.is_strict,
        )

    def _find_strategy(self, strategy: str | int, player: int | None) -> tuple[int, int]:
        """Find a pure strategy by name or index; return the player and the strategy's index."""
        players = (0, 1) if player is None else (player,)
        if isinstance(strategy, str):
            names_by_player = [
                (candidate, [strategy_name.short for strategy_name in self.grid.wording.strategy_names[candidate]])
                for candidate in players
                if candidate in (0, 1)
            ]
            matches = [(candidate, names.index(strategy)) for candidate, names in names_by_player if strategy in names]
            if not matches:
                all_names = [names for _, player_names in names_by_player for names in player_names]
                raise MessageError(f"there is no pure strategy {short_repr(strategy)}; there are {', '.join(all_names)[:200]}")
            if len(matches) > 1:
                raise MessageError(
                    f"both players have a pure strategy {short_repr(strategy)}; add player=0 for the row, or player=1 for the column"
                )
            return matches[0]
        if player is None:
            raise MessageError(f"the pure strategy {short_repr(strategy)} needs a player; add player=0 for a row, or player=1 for a column")
        return self.grid.parse_strategy(player, strategy)
