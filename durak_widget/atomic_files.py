"""Writes files safely: a complete temporary file replaces the old file in one step.

So a reader never sees a file that is only partly written.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from time import time
from typing import TYPE_CHECKING, Any, Final

from durak_widget.errors import DurakError, short_repr

if TYPE_CHECKING:
    from os import PathLike

_MAX_DEPTH: Final = 100
"""The maximum nesting depth of a JSON text that this package reads or writes.

In a browser, Python crashes at a few thousand levels, and the program can't catch this.
"""
_TOKEN_PATTERN: Final = re.compile(r'"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"|\Z)|[\[\]{}]', re.DOTALL)
_PRIVATE_MODE: Final = 0o600
_STALE_AFTER_SECONDS: Final = 24 * 3600.0
"""Temporary files older than this (in seconds) are deleted, because the process that made them must have ended."""


def require_path(path: str | bytes | PathLike[str] | PathLike[bytes]) -> str:
    """Return a file path as a string; raise an error if the value is not a path.

    The function refuses a number, because Python would use it as the number of an open file.

    >>> require_path(b"my.durak")
    'my.durak'
    >>> require_path(1)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: the name of a file must be a text or a path, as in 'my.durak', not 1
    """
    try:
        name = os.fsdecode(path)
        if b"\0" not in os.fsencode(name):
            return name
    except (TypeError, UnicodeError):
        pass
    raise DurakError(f"the name of a file must be a text or a path, as in 'my.durak', not {short_repr(path)}")


def parse_json_text(text: str | bytes, **hooks: Any) -> Any:  # noqa: ANN401 - whatever JSON may hold
    """Parse a JSON text; raise `ValueError` if the text is malformed or nested too deeply.

    `hooks` are keyword arguments of `json.loads`, such as `parse_int`.

    >>> parse_json_text('{"a": [1]}')
    {'a': [1]}
    >>> parse_json_text("[" * 20000)
    Traceback (most recent call last):
    ValueError: it is nested more than 100 levels deep
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text))
    depth = 0
    for token in _TOKEN_PATTERN.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth > _MAX_DEPTH:
                raise ValueError(f"it is nested more than {_MAX_DEPTH} levels deep")
        elif token[0] in "]}":
            depth -= 1
    return json.loads(text, **hooks)


def write_new_file(path: str, data: bytes, mode: int = 0o666) -> None:
    """Write a file that must not exist yet, and wait until its data is on the disk.

    If writing fails, the function deletes the file. `mode` has the permissions, from which the process's umask is removed.
    """
    file = open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115 - pathlib costs every import 5 ms; closed before it is removed, as Windows wants it
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        os.unlink(path)  # noqa: PTH108 - as above
        raise


def save_text(path: str | bytes | PathLike[str] | PathLike[bytes], text: str) -> None:
    """Write a text file in one step, like `replace_text`, but raise errors written for users.

    >>> save_text("no such folder/my.txt", "once")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: cannot write 'no such folder/my.txt': No such file or directory; choose another file
    """
    try:
        replace_text(path, text)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DurakError(f"cannot write {short_repr(require_path(path))}: {reason}; choose another file") from None


def is_output_stream(path: str) -> bool:
    """Return whether a path leads to an open pipe or terminal, as `/dev/stdout` does.

    >>> is_output_stream(__file__)
    False
    """
    if os.path.realpath(os.path.dirname(path)) not in ("/dev", os.path.realpath("/proc/self/fd")):  # noqa: PTH120 - as above
        return False
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - as above
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def replace_text(path: str | bytes | PathLike[str] | PathLike[bytes], text: str, *, private: bool = False) -> None:
    """Replace the text of a file in one step: if writing fails, the old file stays unchanged.

    The function refuses links, except output streams such as `/dev/stdout`. It writes directly to a pipe or another special file. If the system
    supports this, only the user can read a `private` file.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "my.txt")
    >>> replace_text(path, "once"); replace_text(path, "again"); path.read_text()
    'again'
    """
    absolute_path, data = os.path.abspath(require_path(path)), text.encode("utf-8")  # noqa: PTH100 - as above
    try:
        mode = os.lstat(absolute_path).st_mode
    except FileNotFoundError:
        mode = None
    # The link may be from another user, who wants a different file to be overwritten.
    if mode is not None and stat.S_ISLNK(mode) and not is_output_stream(absolute_path):
        raise OSError(errno.ELOOP, "it is a link, and links are not followed", absolute_path)
    if mode is not None and not stat.S_ISREG(mode):
        with open(absolute_path, "wb") as file:  # noqa: PTH123 - as above
            file.write(data)
        return
    if mode is not None and not os.access(absolute_path, os.W_OK):  # This file is write-protected, so it must not be replaced.
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), absolute_path)
    folder = os.path.dirname(absolute_path)  # noqa: PTH120 - as above
    _remove_leftovers(folder)
    temporary_path = os.path.join(folder, f".{os.urandom(12).hex()}.new")  # noqa: PTH118 - as above
    write_new_file(temporary_path, data, mode=_PRIVATE_MODE if private else 0o666)
    try:
        if mode is not None or private:
            os.chmod(temporary_path, _PRIVATE_MODE if mode is None or private else stat.S_IMODE(mode))  # noqa: PTH101 - as above
        os.replace(temporary_path, absolute_path)  # noqa: PTH105 - as above
    except BaseException:
        os.unlink(temporary_path)  # noqa: PTH108 - as above
        raise


_cleaned_folders: set[str] = set()
"""The folders in which this process has already deleted old temporary files."""


def _remove_leftovers(folder: str) -> None:
    """Delete the temporary files that killed processes left; do this once for each folder."""
    if folder in _cleaned_folders:
        return
    _cleaned_folders.add(folder)
    try:
        with os.scandir(folder) as entries:
            leftovers = [
                entry.path
                for entry in entries
                if _is_leftover(entry.name) and entry.stat(follow_symlinks=False).st_mtime < time() - _STALE_AFTER_SECONDS
            ]
        for entry in leftovers:
            os.unlink(entry)  # noqa: PTH108 - as above
    except OSError:  # A temporary file that can't be deleted does no harm.
        pass


def _is_leftover(name: str) -> bool:
    """Return whether a file name is that of a temporary file that this module writes."""
    return len(name) == 29 and name[0] == "." and name.endswith(".new") and not name[1:25].strip("0123456789abcdef")
