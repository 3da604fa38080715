"""Safe writing of grading results, without overwriting submissions or following links.

A student may have created a link in the folder.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import is_output_stream, replace_text, require_path
from durak_widget.errors import DurakError, short_repr
from durak_widget.safe_import_path import is_inside

if TYPE_CHECKING:
    from os import PathLike

GRADEBOOK_START: Final = b"\xef\xbb\xbfstudent,"
"""The first bytes of every gradebook file, by which an earlier gradebook is recognized."""
PAGE_START: Final = b"<!doctype html>\n<html lang="
"""The first bytes of every HTML page, by which an earlier page is recognized."""


def resolve_parent_links(path: str | PathLike[str]) -> str:
    """Return a file's absolute path; if the file itself is a link, the link is not followed.

    Links in the path of the file's folder are resolved.
    """
    name = os.path.abspath(require_path(path))  # noqa: PTH100 - a path may be a string
    return os.path.join(os.path.realpath(os.path.dirname(name)), os.path.basename(name))  # noqa: PTH118, PTH119, PTH120 - as above


def require_writable(path: str | PathLike[str], folder: str | PathLike[str], replaceable_start: bytes) -> None:
    """Raise an error, before grading starts, if an output file can't or should not be written.

    Inside the folder of submissions, only a file that starts with `replaceable_start` may be replaced.
    """
    name, location = require_path(path), resolve_parent_links(path)
    if not os.path.isdir(os.path.dirname(location)):  # noqa: PTH112, PTH120 - as above
        raise DurakError(f"there is no folder for {short_repr(name)}; make it, or write to another folder")
    if os.path.islink(location) and not is_output_stream(location):  # noqa: PTH114 - as above
        raise DurakError(f"{_quote_file_name(name)} is a link, which could come from a student; write to another file")
    if location == resolve_parent_links(folder) and os.path.isfile(location):  # noqa: PTH113 - as above
        raise DurakError(f"{short_repr(name)} is the file to be marked; write to another file")
    if is_inside(os.path.dirname(os.path.abspath(name)), require_path(folder)) or _is_path_through(name, folder):  # noqa: PTH100, PTH120 - as above
        _require_own_file(name, location, folder, replaceable_start)
    try:
        if os.path.exists(location):  # noqa: PTH110 - as above
            open(location, "ab").close()  # noqa: PTH123 - as above
    except OSError as error:
        raise _make_write_error(name, error) from None


def _is_path_through(name: str, folder: str | PathLike[str]) -> bool:
    """Return whether a path is inside a folder, without resolving links."""
    inner, outer = (os.path.abspath(path) for path in (name, require_path(folder)))  # noqa: PTH100 - as above
    return inner.startswith(os.path.join(outer, ""))  # noqa: PTH118 - as above


def _require_own_file(name: str, location: str, folder: str | PathLike[str], replaceable_start: bytes) -> None:
    """Raise an error if writing an output file would overwrite a student's submission."""
    if not is_inside(location, require_path(folder)):
        raise DurakError(
            f"{_quote_file_name(name)} is behind a link, which could come from a student; write outside the folder that you mark"
        )
    try:
        with open(location, "rb") as file:  # noqa: PTH123 - as above
            if file.read(len(replaceable_start)) == replaceable_start:
                return
    except FileNotFoundError:
        return
    except OSError as error:
        raise _make_write_error(name, error) from None
    raise DurakError(f"{_quote_file_name(name)} was handed in, so it is not overwritten; write outside the folder that you mark")


def _quote_file_name(name: str) -> str:
    """Return a file's name in quotation marks, without folders, since a path may be too long."""
    return short_repr(os.path.basename(name))  # noqa: PTH119 - as above


def write_output(path: str | PathLike[str], text: str) -> None:
    """Write a file; raise an error with the reason if that fails."""
    try:
        replace_text(path, text)
    except OSError as error:
        raise _make_write_error(require_path(path), error) from None


def _make_write_error(name: str, error: OSError) -> DurakError:
    return DurakError(
        f"cannot write {short_repr(name)}: {error.strerror or type(error).__name__}; if another program has it open, close it there, or choose another file"
    )
