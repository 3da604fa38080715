"""Editors in which you draw a game tree (`Sketch`) or type a matrix (`MatrixSketch`).

>>> from durak_widget import editor, gametheory
>>> editor.Sketch(gametheory.textbook("entry")).tree == gametheory.textbook("entry")
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.lazy_imports import make_lazy_attributes

if TYPE_CHECKING:
    from durak_widget.editor.matrix_editor_widget import MatrixSketch as MatrixSketch
    from durak_widget.editor.tree_editor_widget import Sketch as Sketch

__all__ = ["MatrixSketch", "Sketch"]

_MODULE_OF_NAME: Final = {
    "MatrixSketch": "matrix_editor_widget",
    "Sketch": "tree_editor_widget",
}
"""The name of the module that defines each public name of this package."""

_REQUIRED_PACKAGES: Final = dict.fromkeys(__all__, ("anywidget",))
"""The optional packages that each public name of this package requires. `dir` lists a name only if its packages are
installed.
"""

__getattr__, __dir__ = make_lazy_attributes(__name__, _MODULE_OF_NAME, needs=_REQUIRED_PACKAGES)
