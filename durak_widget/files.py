"""Files that hold something dear: written beside and put in place in one step, so that none is ever half written."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError, quoted

if TYPE_CHECKING:
    from os import PathLike


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


def write_new(path: str, data: bytes) -> None:
    """Write a file that is not there yet, through to the disk; where that fails, nothing is left of it."""
    file = open(path, "xb")  # noqa: PTH123, SIM115 - pathlib costs every import 5 ms; closed before it is removed, as Windows wants it
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        os.unlink(path)  # noqa: PTH108 - as above
        raise


def keep_text(path: str | bytes | PathLike[str] | PathLike[bytes], text: str) -> None:
    """The same as `replace_text`; what is in the way is said in a sentence.

    >>> keep_text("no such folder/my.txt", "once")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: nothing could be kept in 'no such folder/my.txt': No such file or directory
    """
    try:
        replace_text(path, text)
    except OSError as error:
        raise DurakError(f"nothing could be kept in {quoted(path_of(path))}: {error.strerror or type(error).__name__}") from None


def replace_text(path: str | bytes | PathLike[str] | PathLike[bytes], text: str) -> None:
    """Let a file hold this text: all of it, or what it held before. A link stays one; what is no plain file, such as a pipe, is written to.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "my.txt")
    >>> replace_text(path, "once"); replace_text(path, "again"); path.read_text()
    'again'
    """
    place, data = os.path.realpath(path_of(path)), text.encode("utf-8")
    try:
        mode = os.stat(place).st_mode  # noqa: PTH116 - as above
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(place, "wb") as file:  # noqa: PTH123 - as above
            file.write(data)
        return
    if mode is not None and not os.access(place, os.W_OK):  # whoever protects a file means that it stays
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), place)
    beside = os.path.join(os.path.dirname(place), f".{os.urandom(12).hex()}.new")  # noqa: PTH118, PTH120 - as above
    write_new(beside, data)
    try:
        if mode is not None:
            os.chmod(beside, stat.S_IMODE(mode))  # noqa: PTH101 - as above
        os.replace(beside, place)  # noqa: PTH105 - as above
    except BaseException:
        os.unlink(beside)  # noqa: PTH108 - as above
        raise
