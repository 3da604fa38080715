"""The blackboard: trees and matrices on the page, with solutions, pictures and LaTeX.

>>> from durak_widget import board, gametheory
>>> board.Tree(gametheory.textbook("entry")).tree.histories
5

`Tree` is a tree that unfolds, `Matrix` the strategic form alone. `picture`, `tikz` and `tabular` draw either for a page or for LaTeX.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from durak_widget.optional_dependencies import is_there, needing

if TYPE_CHECKING:
    from durak_widget.board.matrix_widget import Matrix as Matrix
    from durak_widget.board.static_export import picture as picture
    from durak_widget.board.static_export import tabular as tabular
    from durak_widget.board.static_export import tikz as tikz
    from durak_widget.board.tree_widget import Tree as Tree

__all__ = ["Matrix", "Tree", "picture", "tabular", "tikz"]

_HOMES: Final = {
    "Matrix": "matrix_widget",
    "Tree": "tree_widget",
    "picture": "static_export",
    "tabular": "static_export",
    "tikz": "static_export",
}
"""Which module has each public name. It is imported when you first ask for the name: a widget needs anywidget."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        listed = "" if name.startswith("_") else f"; it has {', '.join(__all__)}"  # tools ask for many private names
        msg = f"durak_widget.board has no {name!r}{listed}"
        raise AttributeError(msg)
    with needing():
        value: object = getattr(import_module(f"durak_widget.board.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__) if is_there("anywidget") else []
