"""The matrix widget: the strategic form of a tree, or a game given by its payoffs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import traitlets

from durak_widget.board import matrix_view_model, message_parsing
from durak_widget.board.latex_export import grid_page
from durak_widget.board.matrix_svg import drawn, lettered
from durak_widget.board.matrix_view_model import Grid, Saying
from durak_widget.board.message_parsing import MessageError
from durak_widget.board.picture_files import saved
from durak_widget.board.strategic_form_panel import form_of, require_small_matrix, saying_of
from durak_widget.board.tree_wording import Names, beginning
from durak_widget.board.view_protocols import give, question_shown
from durak_widget.engine.table_svg import image
from durak_widget.errors import quoted
from durak_widget.gametheory.bimatrix_equilibria import a_matrix
from durak_widget.gametheory.strategic_form import Dominated
from durak_widget.gametheory.tree import Tree
from durak_widget.i18n import Voice, screen
from durak_widget.translated_errors import said_of
from durak_widget.widgets.base_widget import Dressed, Pictured, built, standing_for

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path

    from ipywidgets import Layout  # type: ignore[import-untyped]

    from durak_widget.board.iterated_elimination import Step
    from durak_widget.board.view_protocols import Questioner
    from durak_widget.gametheory.bimatrix_equilibria import Equilibria
    from durak_widget.gametheory.strategic_form import Matrix as Form

_MEANINGS = {**matrix_view_model.DEEDS, "give": give}
"""The handler of each kind of message that a matrix alone understands."""


class Matrix(Dressed, Pictured):
    r"""A game of rows and columns: eliminate dominated strategies, list equilibria.

    Made from a tree (`analysis.build`, `gametheory.from_efg`), from `gametheory.matrix(tree)`, or from payoffs: rows
    of numbers (zero-sum) or of pairs.

    >>> from durak_widget import board
    >>> view = board.Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob"))
    >>> print(view.strike())
    Ann: silent is strictly dominated by talks
    >>> print(view)
    Ann \ Bob | silent | talks
    talks     | 5*, 0  | 1*, 1°
    * best response of Ann; ° best response of Bob
    1. Ann: silent is strictly dominated by talks: worse whatever Bob does.
    >>> view.strike("talks", seat=1)
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: Bob: talks is not dominated: against talks nothing is worth as much (1).
    """

    _esm = built("board.js")
    _css = built("board.css")
    kinds = _MEANINGS.keys()
    sent: ClassVar = {"told_matrix": "matrix", "told_task": "task"}

    told_matrix = traitlets.Dict(read_only=True).tag(sync=True)
    told_task = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        game: Tree | Form | Sequence[Sequence[object]],
        *,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        names: Sequence[str] = ("Row", "Column"),
        pairs: bool = False,
        task: Questioner | None = None,
        layout: Layout | dict[str, str] | None = None,
        **look: object,
    ) -> None:
        """Show a game of up to 64 × 64 pure strategies.

        With `pairs`, both payoffs are shown even in a zero-sum game. `task` is a question asked on the matrix.
        """
        self._dress(look, "rows", "columns", "names", "pairs", "layout")
        self._tree = game if isinstance(game, Tree) else None
        table = a_matrix(game, rows=rows, columns=columns, names=names) if self._tree is None else form_of(self._tree)
        require_small_matrix(len(table.rows), len(table.columns))
        self._task = task
        self.grid = Grid(table, self._saying(table), pairs=pairs)
        self._reword()
        super().__init__(layout=layout)
        self.observe(lambda _: self._reword(), "language")

    # Elimination

    def strike(self, plan: str | int | None = None, *, seat: int | None = None) -> Dominated:
        """Eliminate the next dominated strategy, or this one; return what dominates it.

        Give a strategy by its name or its index from 0. Say whose it is with `seat` if both players have one of that
        name.
        """
        step = self.grid.strike() if plan is None else self.grid.strike(*self._plan(plan, seat))
        self.paint("matrix")
        return self._dominated(step)

    def undo(self) -> Dominated | None:
        """Undo the last elimination; return None if there was none."""
        step = self.grid.undo()
        self.paint("matrix")
        return None if step is None else self._dominated(step)

    @property
    def steps(self) -> tuple[Dominated, ...]:
        """Return the eliminations so far, in order."""
        return tuple(map(self._dominated, self.grid.striking.steps))

    @property
    def left(self) -> Form:
        """Return the matrix without the eliminated strategies."""
        return self.grid.striking.left

    # Marks, equilibria, the selected cell

    def best(self, on: bool = True) -> None:  # noqa: FBT001, FBT002 - marked or not
        """Mark best responses, or remove the marks."""
        self.grid.marks = on
        self.paint("matrix")

    def equilibria(self) -> Equilibria:
        """Return all equilibria, and list them below the matrix."""
        self.grid.list_them(True)
        self.paint("matrix")
        return self.grid.equilibria

    def select(self, row: str | int | None = None, column: str | int | None = None) -> None:
        """Select a cell by the names or indexes of its strategies; without arguments, none."""
        if row is None or column is None:
            self.grid.select()
        else:
            self.grid.select(self._plan(row, 0)[1], self._plan(column, 1)[1])
        self.paint("matrix")

    @property
    def selected(self) -> tuple[int, int] | None:
        """Return the row and the column of the selected cell."""
        return self.grid.selected

    @property
    def table(self) -> Form:
        """Return the whole matrix, as `gametheory.matrix` returns it."""
        return self.grid.table

    @property
    def task(self) -> Questioner | None:
        """Return the question asked on this matrix, if there is one."""
        return self._task

    @task.setter
    def task(self, task: Questioner | None) -> None:
        self._task = task
        self.paint()

    # Pictures and text

    def svg(self) -> str:
        """Return the matrix as a self-contained SVG picture."""
        return drawn(self.grid)

    def tabular(self) -> str:
        """Return the remaining matrix as a LaTeX file, with best responses underlined."""
        return grid_page(self.grid)

    def save(self, path: str | PathLike[str]) -> Path:
        """Save the matrix as a picture: .svg or .tex, by the ending of the name."""
        return saved(path, self.svg, self.tabular)

    def __str__(self) -> str:
        return lettered(self.grid)

    def __repr__(self) -> str:
        return f"<Matrix: {len(self.table.rows)} × {len(self.table.columns)}>"

    def _still(self) -> dict[str, str]:
        """Return the picture and the text for print, for GitHub, and where no widget is live."""
        return standing_for(image(self.svg(), beginning(str(self))), Voice(self.language).say("matrix.picture"), str(self))

    # The page

    def paint(self, *parts: str) -> None:
        """Update these parts on the page, `matrix` or `task`; without arguments, both."""
        wanted = parts or ("matrix", "task")
        self.grid.task = question_shown(self._task)
        if "task" in wanted:
            self.set_trait("told_task", self.grid.task)
        if "matrix" in wanted:
            self.set_trait("told_matrix", self.grid.told())

    def hear(self, message: object) -> None:
        """Do what a message asks for."""
        checked, handler = message_parsing.of_kind(message, _MEANINGS)
        if handler is give:
            give(self.task, checked)
            self.paint("task")
        else:
            matrix_view_model.do(self.grid, checked)
        self.paint("matrix")

    def went_wrong(self, error: Exception) -> None:
        """Show an error beside the matrix."""
        self.send({"kind": "error", "said": said_of(error, self.language)})

    def _reword(self) -> None:
        """Switch to the current language."""
        self.grid.saying = self._saying(self.grid.table)
        self.set_trait("words", screen(self.language))
        self.paint()

    def _saying(self, table: Form) -> Saying:
        return Saying(table, Voice(self.language)) if self._tree is None else saying_of(Names(self._tree, self.language), table)

    def _dominated(self, step: Step) -> Dominated:
        wording = self.grid.saying
        return Dominated(
            step.seat, wording.names[step.seat], wording.plan(step.seat, step.place), wording.mix(step.seat, step.by), strict=step.strict
        )

    def _plan(self, plan: str | int, seat: int | None) -> tuple[int, int]:
        """Return the player and the index of a pure strategy, given by name or index."""
        players = (0, 1) if seat is None else (seat,)
        if isinstance(plan, str):
            heads = [(candidate, [head.said for head in self.grid.saying.heads[candidate]]) for candidate in players if candidate in (0, 1)]
            matches = [(candidate, names.index(plan)) for candidate, names in heads if plan in names]
            if not matches:
                all_names = [names for _, player_names in heads for names in player_names]
                raise MessageError(f"there is no plan {quoted(plan)}; there are {', '.join(all_names)[:200]}")
            if len(matches) > 1:
                raise MessageError(f"both players have a plan {quoted(plan)}; say seat=0 for the row, seat=1 for the column")
            return matches[0]
        if seat is None:
            raise MessageError(f"plan {quoted(plan)} of whom? say seat=0 for a row, seat=1 for a column")
        return self.grid.a_plan(seat, plan)
