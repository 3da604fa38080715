"""Writing of grading results: never over submissions, and never through a link.

A link may be one that a student has made.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import is_way_out, path_of, replace_text
from durak_widget.errors import DurakError, quoted
from durak_widget.safe_import_path import is_inside

if TYPE_CHECKING:
    from os import PathLike

MARKS: Final = b"\xef\xbb\xbfstudent,"
"""First bytes of a gradebook file."""
PAGE: Final = b"<!doctype html>\n<html lang="
"""First bytes of a page."""


def place_of(path: str | PathLike[str]) -> str:
    """Return the absolute path of a file, with links in its folder resolved, but not itself."""
    name = os.path.abspath(path_of(path))  # noqa: PTH100 - a path may be given as a text
    return os.path.join(os.path.realpath(os.path.dirname(name)), os.path.basename(name))  # noqa: PTH118, PTH119, PTH120 - as above


def require_writable(path: str | PathLike[str], folder: str | PathLike[str], kind: bytes) -> None:
    """Refuse a file that can't or must not be written, before the grading starts.

    `kind` is the first bytes of a file that may be replaced inside the folder of submissions.
    """
    name, location = path_of(path), place_of(path)
    if not os.path.isdir(os.path.dirname(location)):  # noqa: PTH112, PTH120 - as above
        raise DurakError(f"there is no folder for {quoted(name)}; make it, or write elsewhere")
    if os.path.islink(location) and not is_way_out(location):  # noqa: PTH114 - as above
        raise DurakError(f"{_called(name)} is a link, which somebody else may have laid there; write to another file")
    if location == place_of(folder) and os.path.isfile(location):  # noqa: PTH113 - as above
        raise DurakError(f"{quoted(name)} is what is to be marked; write to another file")
    if is_inside(os.path.dirname(os.path.abspath(name)), path_of(folder)) or _laid_in(name, folder):  # noqa: PTH100, PTH120 - as above
        _require_own_file(name, location, folder, kind)
    try:
        if os.path.exists(location):  # noqa: PTH110 - as above
            open(location, "ab").close()  # noqa: PTH123 - as above
    except OSError as error:
        raise _unwritten(name, error) from None


def _laid_in(name: str, folder: str | PathLike[str]) -> bool:
    """Return whether a path leads through that folder, wherever its links lead."""
    inner, outer = (os.path.abspath(path) for path in (name, path_of(folder)))  # noqa: PTH100 - as above
    return inner.startswith(os.path.join(outer, ""))  # noqa: PTH118 - as above


def _require_own_file(name: str, place: str, folder: str | PathLike[str], kind: bytes) -> None:
    """Refuse a file among the submissions, unless it is an earlier output and no link."""
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
    """Return the quoted name of a file without its folders, since a path may be long."""
    return quoted(os.path.basename(name))  # noqa: PTH119 - as above


def write_output(path: str | PathLike[str], text: str) -> None:
    """Write a file, or raise an error that says why not."""
    try:
        replace_text(path, text)
    except OSError as error:
        raise _unwritten(path_of(path), error) from None


def _unwritten(name: str, error: OSError) -> DurakError:
    return DurakError(
        f"{quoted(name)} cannot be written: {error.strerror or type(error).__name__}; close it elsewhere, or name another file"
    )
