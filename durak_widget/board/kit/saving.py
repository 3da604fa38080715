"""As which file is a picture saved? The end of its name says it: for a page, for LaTeX, for paper, for a slide."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_widget.board.kit.printed import printed
from durak_widget.errors import DurakError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

PRINTED: Final = (".pdf", ".png")
"""What matplotlib makes."""
KINDS: Final = (".svg", ".tex", *PRINTED)


def saved(path: str | PathLike[str], svg: Callable[[], str], latex: Callable[[], str]) -> Path:
    """Write a picture as the file of that name, in the form that the name ends in; what was there is overwritten.

    >>> saved("tree.bmp", str, str)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a picture is saved as .svg, .tex, .pdf or .png, and 'tree.bmp' ends in none of these
    """
    if not isinstance(path, (str, PathLike)):
        raise DurakError(f"a picture is saved under the name of a file, such as 'tree.pdf', not {quoted(path)}")
    file = Path(path)
    kind = file.suffix.lower()
    if kind not in KINDS:
        raise DurakError(f"a picture is saved as .svg, .tex, .pdf or .png, and {quoted(str(path))} ends in none of these")
    if not file.parent.is_dir():
        raise DurakError(f"there is no folder {quoted(str(file.parent))}; make it first, or save elsewhere")
    if kind in PRINTED:
        printed(svg(), file)
    else:
        file.write_text(svg() if kind == ".svg" else latex(), encoding="utf-8", newline="\n")
    return file
