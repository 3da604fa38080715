"""Draw a game tree or type a matrix by hand: `Sketch` and `MatrixSketch`.

>>> from durak_widget import editor, gametheory
>>> editor.Sketch(gametheory.textbook("entry")).tree == gametheory.textbook("entry")
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from durak_widget.optional_dependencies import is_there, needing

if TYPE_CHECKING:
    from durak_widget.editor.matrix_editor_widget import MatrixSketch as MatrixSketch
    from durak_widget.editor.tree_editor_widget import Sketch as Sketch

__all__ = ["MatrixSketch", "Sketch"]

_HOMES: Final = {
    "MatrixSketch": "matrix_editor_widget",
    "Sketch": "tree_editor_widget",
}
"""Which module has each public name. It is imported when you first ask for the name: a widget needs anywidget."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        listed = "" if name.startswith("_") else f"; it has {', '.join(__all__)}"  # tools ask for many private names
        msg = f"durak_widget.editor has no {name!r}{listed}"
        raise AttributeError(msg)
    with needing():
        value: object = getattr(import_module(f"durak_widget.editor.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__) if is_there("anywidget") else []
