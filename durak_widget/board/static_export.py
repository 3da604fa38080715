"""Exports a game without showing a widget: as a picture, as TikZ, or as a LaTeX table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.board.matrix_widget import MatrixWidget
from durak_widget.board.tree_widget import TreeWidget
from durak_widget.errors import DurakError, short_repr
from durak_widget.gametheory.strategy import Strategy
from durak_widget.gametheory.tree import Tree as Game
from durak_widget.gametheory.tree import require_tree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path

    from durak_widget.gametheory.strategic_form import Matrix as Form
    from durak_widget.gametheory.zero_sum_solver import Solution


def tikz(tree: Game, strategy: Strategy | Solution | None = None, **settings: object) -> str:
    r"""Return a whole tree as a LaTeX file, drawn with TikZ.

    If you give a strategy or a solution, its probabilities are written on the branches. The other arguments are the
    settings of `board.Tree`.

    >>> from durak_widget import gametheory
    >>> text = tikz(gametheory.textbook("pennies"))
    >>> text.splitlines()[5], text.count("\\draw[branch"), text.count("\\draw[together")
    ('\\usepackage{tikz}', 6, 1)
    """
    view = _build_view(tree, strategy, settings)
    try:
        return view.tikz(whole=True)
    finally:
        view.close()


def tabular(game: Game | Form | Sequence[Sequence[object]], **settings: object) -> str:
    r"""Return a matrix, or the strategic form of a tree, as a LaTeX table.

    The other arguments are those of `board.Matrix`.

    >>> print(tabular([[1, -1], [-1, 1]]).splitlines()[9])
    Row & A & 1* & \ensuremath{-1}\ensuremath{^\circ} \\ \cline{3-4}
    """
    view = MatrixWidget(game, **settings)  # type: ignore[arg-type]
    try:
        return view.tabular()
    finally:
        view.close()


def save_picture(
    game: Game | Form | Sequence[Sequence[object]],
    path: str | PathLike[str],
    strategy: Strategy | Solution | None = None,
    **settings: object,
) -> Path:
    """Save a whole tree, or a matrix, as a picture; return the file's path.

    The ending of the name chooses the format: .svg or .tex.

    >>> from tempfile import TemporaryDirectory
    >>> from durak_widget import gametheory
    >>> with TemporaryDirectory() as folder:
    ...     save_picture(gametheory.textbook("beer-quiche"), f"{folder}/beer.tex").name
    'beer.tex'
    """
    if not isinstance(game, Game):
        if strategy is not None:
            raise DurakError("only a tree can show a strategy, and this is a matrix; leave the strategy out, or give the tree")
        matrix = MatrixWidget(game, **settings)  # type: ignore[arg-type]
        try:
            return matrix.save(path)
        finally:
            matrix.close()
    view = _build_view(game, strategy, settings)
    try:
        return view.save(path, whole=True)
    finally:
        view.close()


def _build_view(tree: Game, strategy: Strategy | Solution | None, settings: dict[str, object]) -> TreeWidget:
    """Build a tree widget that shows a given strategy, or the strategy of a given solution."""
    require_tree(tree)
    if strategy is None or not isinstance(strategy, Strategy):
        if strategy is not None and not hasattr(strategy, "strategy"):
            raise DurakError(
                f"a tree can show a strategy or a solution, such as gametheory.solve(tree) returns, not {short_repr(strategy)}"
            )
        return TreeWidget(tree, strategy, **settings)  # type: ignore[arg-type]
    view = TreeWidget(tree, **settings)  # type: ignore[arg-type]
    view.strategy = strategy
    return view
