"""Widgets that show game trees and matrices in a notebook, with solutions and export.

`Tree` is a widget for a game tree whose nodes open and fold, and `Matrix` is one for a strategic form alone.
`save_picture` saves a tree or matrix to a file; `tikz` and `tabular` return LaTeX.

>>> from durak_widget import board, gametheory
>>> board.Tree(gametheory.textbook("entry")).tree.history_count
5
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.lazy_imports import make_lazy_attributes

if TYPE_CHECKING:
    from durak_widget.board.matrix_widget import MatrixWidget as Matrix
    from durak_widget.board.static_export import save_picture as save_picture
    from durak_widget.board.static_export import tabular as tabular
    from durak_widget.board.static_export import tikz as tikz
    from durak_widget.board.tree_widget import TreeWidget as Tree

__all__ = ["Matrix", "Tree", "save_picture", "tabular", "tikz"]

_MODULE_OF_NAME: Final = {
    "Matrix": "matrix_widget:MatrixWidget",
    "Tree": "tree_widget:TreeWidget",
    "save_picture": "static_export",
    "tabular": "static_export",
    "tikz": "static_export",
}
"""The name of the module that defines each public name of this package."""

_REQUIRED_PACKAGES: Final = dict.fromkeys(__all__, ("anywidget",))
"""The optional packages that each public name of this package requires. `dir` lists a name only if its packages are
installed.
"""

__getattr__, __dir__ = make_lazy_attributes(__name__, _MODULE_OF_NAME, needs=_REQUIRED_PACKAGES)
