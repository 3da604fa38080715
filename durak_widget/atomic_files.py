"""Files that hold something dear: written beside and put in place in one step, so that none is ever half written."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from time import time
from typing import TYPE_CHECKING, Any, Final

from durak_widget.errors import DurakError, quoted

if TYPE_CHECKING:
    from os import PathLike

_DEEPEST: Final = 100
"""Nothing that this package writes is nested deeper; in a browser, Python falls at some thousand levels and cannot catch that."""
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"|\Z)|[\[\]{}]', re.DOTALL)
_PRIVATE: Final = 0o600
_OLD: Final = 24 * 3600.0
"""Whatever was written beside so many seconds ago, its process is no more."""


def path_of(path: str | bytes | PathLike[str] | PathLike[bytes]) -> str:
    """The name of a file, as a text; a number, which Python takes for an open file, names none.

    >>> path_of(b"my.durak")
    'my.durak'
    >>> path_of(1)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a file is named by a text or a path, as in 'my.durak', not by 1
    """
    try:
        name = os.fsdecode(path)
        if b"\0" not in os.fsencode(name):
            return name
    except (TypeError, UnicodeError):
        pass
    raise DurakError(f"a file is named by a text or a path, as in 'my.durak', not by {quoted(path)}")


def read_json(text: str | bytes, **hooks: Any) -> Any:  # noqa: ANN401 - whatever JSON may hold
    """Return what a JSON text holds; a `ValueError` for what is none, and for what is nested deeper than anything of ours.

    `hooks` are those of `json.loads`, such as `parse_int`.

    >>> read_json('{"a": [1]}')
    {'a': [1]}
    >>> read_json("[" * 20000)
    Traceback (most recent call last):
    ValueError: it is nested more than 100 deep
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text))
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth > _DEEPEST:
                raise ValueError(f"it is nested more than {_DEEPEST} deep")
        elif token[0] in "]}":
            depth -= 1
    return json.loads(text, **hooks)


def write_new(path: str, data: bytes, mode: int = 0o666) -> None:
    """Write a file that is not there yet, through to the disk; where that fails, nothing is left of it. `mode` says who may read it, less what the user's mask takes."""
    file = open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115 - pathlib costs every import 5 ms; closed before it is removed, as Windows wants it
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        os.unlink(path)  # noqa: PTH108 - as above
        raise


def keep_text(path: str | bytes | PathLike[str] | PathLike[bytes], text: str) -> None:
    """Replace a text as `replace_text` does; what is in the way is said in a sentence.

    >>> keep_text("no such folder/my.txt", "once")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: nothing could be kept in 'no such folder/my.txt': No such file or directory; name another place
    """
    try:
        replace_text(path, text)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise DurakError(f"nothing could be kept in {quoted(path_of(path))}: {why}; name another place") from None


def is_way_out(place: str) -> bool:
    """Whether that is one of the links by which the system names what a process has open, such as `/dev/stdout`, and leads to no file: a pipe, or a terminal.

    >>> is_way_out(__file__)
    False
    """
    if os.path.realpath(os.path.dirname(place)) not in ("/dev", os.path.realpath("/proc/self/fd")):  # noqa: PTH120 - as above
        return False
    try:
        mode = os.stat(place).st_mode  # noqa: PTH116 - as above
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def replace_text(path: str | bytes | PathLike[str] | PathLike[bytes], text: str, *, private: bool = False) -> None:
    """Let a file hold this text: all of it, or what it held before. A link is refused, wherever it leads, but for `/dev/stdout` and its like; what is no plain file, such as a pipe, is written to.

    Nobody else can read a `private` file, where the system knows such rights.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "my.txt")
    >>> replace_text(path, "once"); replace_text(path, "again"); path.read_text()
    'again'
    """
    place, data = os.path.abspath(path_of(path)), text.encode("utf-8")  # noqa: PTH100 - as above
    try:
        mode = os.lstat(place).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and stat.S_ISLNK(mode) and not is_way_out(place):  # somebody else may have laid it there
        raise OSError(errno.ELOOP, "it is a link, and links are not followed", place)
    if mode is not None and not stat.S_ISREG(mode):
        with open(place, "wb") as file:  # noqa: PTH123 - as above
            file.write(data)
        return
    if mode is not None and not os.access(place, os.W_OK):  # whoever protects a file means that it stays
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), place)
    folder = os.path.dirname(place)  # noqa: PTH120 - as above
    _sweep(folder)
    beside = os.path.join(folder, f".{os.urandom(12).hex()}.new")  # noqa: PTH118 - as above
    write_new(beside, data, mode=_PRIVATE if private else 0o666)
    try:
        if mode is not None or private:
            os.chmod(beside, _PRIVATE if mode is None or private else stat.S_IMODE(mode))  # noqa: PTH101 - as above
        os.replace(beside, place)  # noqa: PTH105 - as above
    except BaseException:
        os.unlink(beside)  # noqa: PTH108 - as above
        raise


_swept: set[str] = set()
"""The folders that were looked through."""


def _sweep(folder: str) -> None:
    """Remove what processes that were killed while they wrote have left there, more than a day ago; each folder is looked through once."""
    if folder in _swept:
        return
    _swept.add(folder)
    try:
        with os.scandir(folder) as found:
            left = [one.path for one in found if _is_left(one.name) and one.stat(follow_symlinks=False).st_mtime < time() - _OLD]
        for one in left:
            os.unlink(one)  # noqa: PTH108 - as above
    except OSError:  # then it stays
        pass


def _is_left(name: str) -> bool:
    return len(name) == 29 and name[0] == "." and name.endswith(".new") and not name[1:25].strip("0123456789abcdef")
