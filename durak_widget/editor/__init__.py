"""Draw a game tree or type a matrix by hand: `Sketch` and `MatrixSketch`.

>>> from durak_widget import editor, gametheory
>>> editor.Sketch(gametheory.textbook("entry")).tree == gametheory.textbook("entry")
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.lazy_imports import lazy_names

if TYPE_CHECKING:
    from durak_widget.editor.matrix_editor_widget import MatrixSketch as MatrixSketch
    from durak_widget.editor.tree_editor_widget import Sketch as Sketch

__all__ = ["MatrixSketch", "Sketch"]

_MODULES: Final = {
    "MatrixSketch": "matrix_editor_widget",
    "Sketch": "tree_editor_widget",
}
"""The module of each public name."""

_NEEDS: Final = dict.fromkeys(__all__, ("anywidget",))
"""The packages that each name needs. `dir` lists a name only if they are found."""

__getattr__, __dir__ = lazy_names(__name__, _MODULES, needs=_NEEDS)
