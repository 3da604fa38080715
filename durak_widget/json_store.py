"""A small JSON file of named entries that several kernels and threads may change at once.

Nothing that they write is lost.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
import warnings
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import read_json, replace_text, write_new
from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Entry = dict[str, Any]

_DRIVE: Final = Path("/drive")
"""The folder of JupyterLite's notebooks.

The browser keeps it; every other folder there is lost when the page closes.
"""
_VERSION: Final = 1
_MOST_BYTES: Final = 2**27
"""Size limit; a million entries need half of that."""
_PATIENCE: Final = 5.0
"""Seconds to wait for the lock."""
_DIGITS: Final = 640
"""Digits of the longest number; Python itself may refuse longer ones."""
_THREADS: Final = Lock()


def home() -> Path:
    """Return the folder of the file.

    It is `DURAK_WIDGET_HOME` if that is set, else `.durak_widget` in the student's own folder, or on the drive of JupyterLite.
    """
    try:
        own = _DRIVE if sys.platform == "emscripten" and _DRIVE.is_dir() else Path.home()
        return Path(os.environ.get("DURAK_WIDGET_HOME") or own / ".durak_widget")
    except RuntimeError:
        raise DurakError("there is no home folder to remember progress in; set DURAK_WIDGET_HOME, or give a path") from None


class Store:
    """The entries of such a file as they last were, and the way to change them.

    Invalid entries are left out, and a copy of the file is kept. A file of a newer version keeps its invalid entries.
    """

    def __init__(self, path: Path, sound: Callable[[str, object], bool]) -> None:
        """Take the path of the file, and a function that says whether an entry is valid."""
        self._path, self._sound = path, sound
        self._kept: dict[str, Any] = {"version": _VERSION, "exercises": {}}
        self.entries: dict[str, Entry] = {}
        """The valid entries."""
        self.aside: Path | None = None
        """The copy of a file that could not be read."""

    def read(self) -> None:
        """Read the file again; keep a copy if something in it can't be read."""
        if self._read() is None:
            return
        try:
            self.change(lambda _: False)
        except DurakError:
            if not self.entries:
                raise
            warnings.warn(f"not all of {self._path.name} could be read", stacklevel=3)

    def change(self, edit: Callable[[dict[str, Entry]], bool]) -> bool:
        """Change the entries in the file, while no other program can.

        `edit` gets the entries as they are in the file now, and returns whether it has changed them. It replaces entries
        and does not alter them.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            real_path = os.path.realpath(self._path)  # here a link is the user's own, to a shared folder
            with file_lock(real_path):
                damaged = self._read()
                if damaged is not None:
                    self._set_aside(damaged)
                new_content = {**self._kept, "exercises": dict(self._kept["exercises"])}
                changed = edit(new_content["exercises"])
                if changed or damaged is not None:
                    replace_text(real_path, json.dumps(new_content, indent=1, sort_keys=True) + "\n")
                    self._take(new_content)
        except (OSError, RecursionError) as error:
            raise self._refusal("written to", error) from None
        if damaged is not None and self.aside is not None:
            warnings.warn(f"not all of {self._path.name} could be read; as it was, it is kept as {self.aside.name}", stacklevel=4)
        return changed

    def _take(self, kept: dict[str, Any]) -> None:
        """Accept a content of the file."""
        self._kept = kept
        self.entries = {name: entry for name, entry in kept["exercises"].items() if self._sound(name, entry)}

    def _read(self) -> bytes | None:
        """Read the file, if it exists; return its bytes if something in it can't be read."""
        try:
            data = content(self._path)
        except OSError as error:
            raise self._refusal("read from", error) from None
        if data is None:
            return None
        content_read, is_complete = parsed_bytes(data)
        is_newer = isinstance(content_read, dict) and content_read.get("version", _VERSION) != _VERSION
        if not isinstance(content_read, dict) or not isinstance(content_read.get("exercises"), dict):
            if is_newer:
                raise self._refusal("read from", OSError(errno.EINVAL, "a newer version of durak_widget has written it"))
            return data  # the entries known so far stay valid
        self._take(content_read)
        if is_newer or len(self.entries) == len(content_read["exercises"]):
            return None if is_complete else data
        self._kept = {**content_read, "exercises": dict(self.entries)}
        return data

    def _set_aside(self, data: bytes) -> None:
        """Copy the file to a name that does not exist yet."""
        endings = chain([".unreadable"], map(".unreadable.{}".format, count(2)))
        aside = next(path for path in map(self._path.with_suffix, endings) if not os.path.lexists(path))
        write_new(str(aside), data)
        self.aside = aside

    def _refusal(self, doing: str, error: Exception) -> DurakError:
        """Return the error for a file that can't be used."""
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return DurakError(f"progress cannot be {doing} {self._path.name[:80]}: {reason}; give another path, as in Progress('my.json')")


def content(path: Path, most: int = _MOST_BYTES) -> bytes | None:
    """Return the bytes of a file, or None if it does not exist.

    Only a regular file within the size limit is opened.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        if status.st_size > most:
            raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MB")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def parsed_bytes(data: bytes) -> tuple[object, bool]:
    """Return the JSON value of some bytes, and whether all of them could be read.

    The value is None if nothing could be read.
    """
    try:
        text, is_complete = data.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        text, is_complete = data.decode("utf-8-sig", errors="replace"), False
    try:
        return read_json(text, parse_int=lambda digits: int(digits) if len(digits) <= _DIGITS else digits), is_complete
    except (ValueError, RecursionError):
        return None, False


@contextmanager
def file_lock(path: str) -> Iterator[None]:
    """Hold the lock of a file, against other threads and other programs.

    In a folder without locks, other programs are not kept away. Nor is another notebook, in a browser without a server.
    """
    deadline = monotonic() + _PATIENCE
    if not _THREADS.acquire(timeout=_PATIENCE):
        raise TimeoutError(errno.ETIMEDOUT, "another thread holds it")
    try:
        lock_file = _opened(path)
        try:
            while lock_file is not None and not _locked(lock_file):
                if monotonic() > deadline:
                    raise TimeoutError(errno.ETIMEDOUT, "another program holds it")
                sleep(0.002)
            yield
        finally:
            if lock_file is not None:
                os.close(lock_file)
    finally:
        _THREADS.release()


def _opened(path: str) -> int | None:
    """Open a file to be locked; return None if that is impossible."""
    file_path = Path(path)
    try:
        return os.open(file_path.with_name(f".{file_path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:  # writing the file itself will raise the error
        return None


def _locked(file: int) -> bool:
    """Lock an open file; return False if another program has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - only on Windows

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - as above

            if hasattr(fcntl, "flock"):  # JupyterLite puts an empty module in its place
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except (OSError, ImportError):  # this system or folder has no locks
        pass
    return True
