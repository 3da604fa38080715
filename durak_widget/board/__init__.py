"""Trees and matrices on the page, with solutions, pictures and LaTeX.

`Tree` is a widget for a game tree that unfolds, `Matrix` one for a strategic form alone. `picture`, `tikz` and
`tabular` draw either for a file or for LaTeX.

>>> from durak_widget import board, gametheory
>>> board.Tree(gametheory.textbook("entry")).tree.histories
5

`Tree` is a tree that unfolds, `Matrix` the strategic form alone. `picture`, `tikz` and `tabular` draw either for a page or for LaTeX.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.lazy_imports import lazy_names

if TYPE_CHECKING:
    from durak_widget.board.matrix_widget import Matrix as Matrix
    from durak_widget.board.static_export import picture as picture
    from durak_widget.board.static_export import tabular as tabular
    from durak_widget.board.static_export import tikz as tikz
    from durak_widget.board.tree_widget import Tree as Tree

__all__ = ["Matrix", "Tree", "picture", "tabular", "tikz"]

_MODULES: Final = {
    "Matrix": "matrix_widget",
    "Tree": "tree_widget",
    "picture": "static_export",
    "tabular": "static_export",
    "tikz": "static_export",
}
"""The module that defines each public name."""

_NEEDS: Final = dict.fromkeys(__all__, ("anywidget",))
"""The packages that each name needs. `dir` lists a name only if they are installed."""

__getattr__, __dir__ = lazy_names(__name__, _MODULES, needs=_NEEDS)
