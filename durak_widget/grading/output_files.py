"""Files that marking writes: over nothing that students have handed in, and through no link, which may be one of theirs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import is_way_out, path_of, replace_text
from durak_widget.errors import DurakError, quoted
from durak_widget.safe_import_path import is_inside

if TYPE_CHECKING:
    from os import PathLike

MARKS: Final = b"\xef\xbb\xbfstudent,"
"""How a table of marks begins."""
PAGE: Final = b"<!doctype html>\n<html lang="
"""How a page begins."""


def place_of(path: str | PathLike[str]) -> str:
    """Where a file lies by the path that is given: not where it leads, if it is a link."""
    name = os.path.abspath(path_of(path))  # noqa: PTH100 - a path may be given as a text
    return os.path.join(os.path.realpath(os.path.dirname(name)), os.path.basename(name))  # noqa: PTH118, PTH119, PTH120 - as above


def require_writable(path: str | PathLike[str], folder: str | PathLike[str], kind: bytes) -> None:
    """Refuse a file that cannot be written, or may not be, before all is marked for it: `kind` is how what it may replace in the folder of homework begins."""
    name, place = path_of(path), place_of(path)
    if not os.path.isdir(os.path.dirname(place)):  # noqa: PTH112, PTH120 - as above
        raise DurakError(f"there is no folder for {quoted(name)}; make it, or write elsewhere")
    if os.path.islink(place) and not is_way_out(place):  # noqa: PTH114 - as above
        raise DurakError(f"{_called(name)} is a link, which somebody else may have laid there; write to another file")
    if place == place_of(folder) and os.path.isfile(place):  # noqa: PTH113 - as above
        raise DurakError(f"{quoted(name)} is what is to be marked; write to another file")
    if is_inside(os.path.dirname(os.path.abspath(name)), path_of(folder)) or _laid_in(name, folder):  # noqa: PTH100, PTH120 - as above
        _require_own_file(name, place, folder, kind)
    try:
        if os.path.exists(place):  # noqa: PTH110 - as above
            open(place, "ab").close()  # noqa: PTH123 - as above
    except OSError as error:
        raise _unwritten(name, error) from None


def _laid_in(name: str, folder: str | PathLike[str]) -> bool:
    """Whether a path leads through that folder, wherever links on it lead."""
    inner, outer = (os.path.abspath(one) for one in (name, path_of(folder)))  # noqa: PTH100 - as above
    return inner.startswith(os.path.join(outer, ""))  # noqa: PTH118 - as above


def _require_own_file(name: str, place: str, folder: str | PathLike[str], kind: bytes) -> None:
    """Refuse what lies among homework, unless it is of the kind that is written, and lies really there."""
    if not is_inside(place, path_of(folder)):
        raise DurakError(
            f"{_called(name)} lies behind a link, which somebody may have handed in; write outside of the folder that is marked"
        )
    try:
        with open(place, "rb") as file:  # noqa: PTH123 - as above
            if file.read(len(kind)) == kind:
                return
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unwritten(name, error) from None
    raise DurakError(f"{_called(name)} was handed in, and is not written over; write outside of the folder that is marked")


def _called(name: str) -> str:
    """A file by its own name: a path may be long, and its end says which."""
    return quoted(os.path.basename(name))  # noqa: PTH119 - as above


def write_output(path: str | PathLike[str], text: str) -> None:
    """Write it, or say in a sentence why not."""
    try:
        replace_text(path, text)
    except OSError as error:
        raise _unwritten(path_of(path), error) from None


def _unwritten(name: str, error: OSError) -> DurakError:
    return DurakError(
        f"{quoted(name)} cannot be written: {error.strerror or type(error).__name__}; close it elsewhere, or name another file"
    )
