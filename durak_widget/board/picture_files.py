"""Save pictures of trees and matrices as files. The file name's ending chooses the format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import path_of
from durak_widget.errors import DurakError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from os import PathLike

_KINDS: Final = (".svg", ".tex")
_NOT_WRITTEN: Final = (".pdf", ".png")
"""Formats that people ask for, and that a browser can make from an `.svg`."""


def require_ending(path: str | PathLike[str], endings: Collection[str], what: str) -> str:
    """Return the one of `endings` that the file name has, or refuse the name.

    `what` names the content in the error message.

    >>> require_ending("game.EFG", (".efg", ".svg"), "a sketch")
    '.efg'
    >>> require_ending("game.doc", (".efg", ".svg"), "a sketch")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a sketch is saved as .efg or .svg, and 'game.doc' ends otherwise
    """
    name = path_of(path)
    for ending in endings:
        if name.lower().endswith(ending):
            return ending
    if not name.lower().endswith(_NOT_WRITTEN):
        *first_endings, last_ending = endings
        raise DurakError(f"{what} is saved as {', '.join(first_endings)} or {last_ending}, and {quoted(name)} ends otherwise")
    stem = Path(name).name[:-4]  # quoting the whole path could cut it off
    latex = f" For LaTeX, save it as {quoted(f'{stem}.tex')}, or include the .svg by Inkscape" if ".tex" in endings else ""
    raise DurakError(
        f"{quoted(Path(name).name)} was not saved: durak_widget draws no PDF or PNG. Save it as {quoted(f'{stem}.svg')}, "
        f"open that file in a browser and print it to PDF. Word and LibreOffice take .svg too.{latex}"
    )


def saved(path: str | PathLike[str], svg: Callable[[], str], latex: Callable[[], str]) -> Path:
    """Write a picture as SVG or LaTeX, by the file name's ending, and return the path.

    An existing file is overwritten.

    >>> saved("tree.bmp", str, str)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a picture is saved as .svg or .tex, and 'tree.bmp' ends otherwise
    """
    kind = require_ending(path, _KINDS, "a picture")
    file = Path(path)
    if not file.parent.is_dir():
        raise DurakError(f"there is no folder {quoted(str(file.parent))}; make it first, or save elsewhere")
    file.write_text(svg() if kind == ".svg" else latex(), encoding="utf-8", newline="\n")
    return file
