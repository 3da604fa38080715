"""Saves pictures of trees and matrices; the file's ending decides the format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import require_path
from durak_widget.errors import DurakError, short_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from os import PathLike

_PICTURE_ENDINGS: Final = (".svg", ".tex")
_UNSUPPORTED_ENDINGS: Final = (".pdf", ".png")
"""Endings of picture files that users expect but that cannot be saved; a browser can convert an `.svg` file to these
formats.
"""


def require_ending(path: str | PathLike[str], endings: Collection[str], content: str) -> str:
    """Return the ending of a file name; raise an error if it is not one of `endings`.

    `content` says in the error message what was to be saved.

    >>> require_ending("game.EFG", (".efg", ".svg"), "a sketch")
    '.efg'
    >>> require_ending("game.doc", (".efg", ".svg"), "a sketch")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: the file name of a sketch must end with .efg or .svg, and 'game.doc' does not
    """
    name = require_path(path)
    for ending in endings:
        if name.lower().endswith(ending):
            return ending
    if not name.lower().endswith(_UNSUPPORTED_ENDINGS):
        *first_endings, last_ending = endings
        raise DurakError(
            f"the file name of {content} must end with {', '.join(first_endings)} or {last_ending}, and {short_repr(name)} does not"
        )
    stem = Path(name).name[:-4]  # Quote only the file name, because a long path would be cut off before the file name
    latex = f" For LaTeX, save it as {short_repr(f'{stem}.tex')}, or include the .svg by Inkscape" if ".tex" in endings else ""
    raise DurakError(
        f"{short_repr(Path(name).name)} was not saved: durak_widget draws no PDF or PNG. Save it as {short_repr(f'{stem}.svg')}, "
        f"open that file in a browser and print it to PDF. Word and LibreOffice take .svg too.{latex}"
    )


def write_picture(path: str | PathLike[str], svg: Callable[[], str], latex: Callable[[], str]) -> Path:
    """Write a picture as SVG or LaTeX, depending on the file's ending; return the path.

    An existing file is overwritten.

    >>> write_picture("tree.bmp", str, str)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: the file name of a picture must end with .svg or .tex, and 'tree.bmp' does not
    """
    kind = require_ending(path, _PICTURE_ENDINGS, "a picture")
    file = Path(path)
    if not file.parent.is_dir():
        raise DurakError(f"there is no folder {short_repr(str(file.parent))}; make it first, or save to another folder")
    file.write_text(svg() if kind == ".svg" else latex(), encoding="utf-8", newline="\n")
    return file
