"""Stores named entries in a small JSON file, which several notebooks can change safely.

A lock makes sure that no notebook or thread overwrites the changes of another.
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
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import parse_json_text, replace_text, write_new_file
from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Entry = dict[str, Any]

_LITE_DRIVE: Final = Path("/drive")
"""The folder in which JupyterLite stores notebooks.

The browser keeps only this folder; all other folders are lost when the page is closed.
"""
_VERSION: Final = 2
"""The version of the format in which new files are written. In version 1, `entries` was called `exercises`, and some keys of entries had
other names."""
_MAX_BYTES: Final = 2**27
"""The maximum size in bytes of a file that is read; a file with a million entries has half this size."""
_LOCK_TIMEOUT: Final = 5.0
"""How many seconds a program waits if another program has locked the file."""
_MAX_DIGITS: Final = 640
"""The maximum number of digits of a number in the file, because Python may refuse longer numbers."""
_THREAD_LOCK: Final = Lock()


def get_data_folder() -> Path:
    """Return the folder for a user's data files, such as results of games and progress.

    It is the environment variable `DURAK_WIDGET_HOME` if this is set, and otherwise `.durak_widget` in the user's home folder, or in
    JupyterLite's folder.
    """
    try:
        home = _LITE_DRIVE if sys.platform == "emscripten" and _LITE_DRIVE.is_dir() else Path.home()
        return Path(os.environ.get("DURAK_WIDGET_HOME") or home / ".durak_widget")
    except RuntimeError:
        raise DurakError("there is no home folder to store your progress in; set DURAK_WIDGET_HOME, or give a path") from None


def rename_keys(data: Mapping[str, Any], former_keys: Mapping[str, str]) -> dict[str, Any]:
    """Return a copy of a dict in which each former name of a key is replaced by its new name.

    >>> rename_keys({"tries": 2, "solved": True}, {"tries": "attempts"})
    {'attempts': 2, 'solved': True}
    """
    replaced = {former_keys[key] for key in data if key in former_keys}
    return {former_keys.get(key, key): value for key, value in data.items() if key in former_keys or key not in replaced}


class JsonStore:
    """A JSON file with named entries; invalid entries are ignored.

    If the file has invalid entries, the store makes a copy of the file and then removes them. From a file of a newer version it removes nothing.
    """

    def __init__(
        self, path: Path, is_valid_entry: Callable[[str, object], bool], former_keys: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Create an object for a JSON file, without reading the file.

        `is_valid_entry` decides, from an entry's name and value, whether the entry is valid. `former_keys` gives the present
        name of each key that entries of version 1 may have.
        """
        self._path, self._is_valid_entry, self._former_keys = path, is_valid_entry, former_keys
        self._content: dict[str, Any] = {"version": _VERSION, "entries": {}}
        self.entries: dict[str, Entry] = {}
        """The valid entries of the file, as they were last read."""
        self.backup_path: Path | None = None
        """The path of the copy that the store made of a damaged file; None if it made no copy."""

    def read(self) -> None:
        """Read the file; if it is damaged, save a copy of it first, because it may be rewritten."""
        if self._read_file() is None:
            return
        try:
            self.change(lambda _: False)
        except DurakError:
            if not self.entries:
                raise
            warnings.warn(f"some of {self._path.name} could not be read", stacklevel=3)

    def change(self, edit: Callable[[dict[str, Entry]], bool]) -> bool:
        """Change entries of the file while it is locked; return whether an entry changed.

        `edit` gets the entries that are now in the file, and returns whether it has changed them. It must replace an entry, and not modify it.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            real_path = os.path.realpath(self._path)  # This may be a link that the user made, for example to a shared folder.
            with file_lock(real_path):
                damaged = self._read_file()
                if damaged is not None:
                    self._back_up(damaged)
                new_content = {**self._content, "entries": dict(self._content["entries"])}
                changed = edit(new_content["entries"])
                if changed or damaged is not None:
                    replace_text(real_path, json.dumps(new_content, indent=1, sort_keys=True) + "\n")
                    self._accept_content(new_content)
        except (OSError, RecursionError) as error:
            raise self._build_error("written to", error) from None
        if damaged is not None and self.backup_path is not None:
            warnings.warn(f"some of {self._path.name} could not be read; the old file is now {self.backup_path.name}", stacklevel=4)
        return changed

    def _update_version_1(self, content: dict[str, Any]) -> dict[str, Any]:
        """Convert the content of a version 1 file to the present names of keys."""
        entries = content.get("exercises")
        if isinstance(entries, dict):
            entries = {name: rename_keys(entry, self._former_keys) if isinstance(entry, dict) else entry for name, entry in entries.items()}
        others = {key: value for key, value in content.items() if key != "exercises"}
        return {**others, "version": _VERSION, "entries": entries}

    def _accept_content(self, new_content: dict[str, Any]) -> None:
        """Store the file's new content in this object, and collect its valid entries."""
        self._content = new_content
        self.entries = {name: entry for name, entry in new_content["entries"].items() if self._is_valid_entry(name, entry)}

    def _read_file(self) -> bytes | None:
        """Read the file if it exists; if it is damaged, return its bytes, to be copied."""
        try:
            data = read_bytes_if_exists(self._path)
        except OSError as error:
            raise self._build_error("read from", error) from None
        if data is None:
            return None
        content_read, is_complete = parse_json_bytes(data)
        if isinstance(content_read, dict) and "entries" not in content_read and content_read.get("version", 1) == 1:
            content_read = self._update_version_1(content_read)
        is_newer = isinstance(content_read, dict) and content_read.get("version", _VERSION) != _VERSION
        if not isinstance(content_read, dict) or not isinstance(content_read.get("entries"), dict):
            if is_newer:
                raise self._build_error("read from", OSError(errno.EINVAL, "a newer version of durak_widget has written it"))
            return data  # The file is unreadable, so the store keeps the entries that it read earlier.
        self._accept_content(content_read)
        if is_newer or len(self.entries) == len(content_read["entries"]):
            return None if is_complete else data
        self._content = {**content_read, "entries": dict(self.entries)}
        return data

    def _back_up(self, data: bytes) -> None:
        """Write the bytes of a damaged file to a new file beside it."""
        endings = chain([".unreadable"], map(".unreadable.{}".format, count(2)))
        free_path = next(path for path in map(self._path.with_suffix, endings) if not os.path.lexists(path))
        write_new_file(str(free_path), data)
        self.backup_path = free_path

    def _build_error(self, doing: str, error: Exception) -> DurakError:
        """Build an error that says why the file can't be used and what the user can do about it."""
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return DurakError(f"progress cannot be {doing} {self._path.name[:80]}: {reason}; give another path, as in Progress('my.json')")


def read_bytes_if_exists(path: Path, max_bytes: int = _MAX_BYTES) -> bytes | None:
    """Return the bytes of a file; return None if the file does not exist.

    Raise an error if it is not a regular file, or if it is too large.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        if status.st_size > max_bytes:
            raise OSError(errno.EFBIG, f"it is larger than {max_bytes >> 20} MB")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def parse_json_bytes(data: bytes) -> tuple[object, bool]:
    """Parse bytes as JSON; return the value, and whether all bytes were valid UTF-8 text.

    If the bytes are not JSON, the value is None.
    """
    try:
        text, is_complete = data.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        text, is_complete = data.decode("utf-8-sig", errors="replace"), False
    try:
        return parse_json_text(text, parse_int=lambda digits: int(digits) if len(digits) <= _MAX_DIGITS else digits), is_complete
    except (ValueError, RecursionError):
        return None, False


@contextmanager
def file_lock(path: str) -> Iterator[None]:
    """Lock a file in a `with` block, so that other threads and programs have to wait.

    If the folder does not support locks, or in a browser without a server, other programs and notebooks do not wait.
    """
    deadline = monotonic() + _LOCK_TIMEOUT
    if not _THREAD_LOCK.acquire(timeout=_LOCK_TIMEOUT):
        raise TimeoutError(errno.ETIMEDOUT, "another thread has locked it")
    try:
        lock_file = _open_lock_file(path)
        try:
            while lock_file is not None and not _try_lock(lock_file):
                if monotonic() > deadline:
                    raise TimeoutError(errno.ETIMEDOUT, "another program has locked it")
                sleep(0.002)
            yield
        finally:
            if lock_file is not None:
                os.close(lock_file)
    finally:
        _THREAD_LOCK.release()


def _open_lock_file(path: str) -> int | None:
    """Open the lock file that belongs to a file; return None if this is impossible."""
    file_path = Path(path)
    try:
        return os.open(file_path.with_name(f".{file_path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:  # Go on without a lock; if the data file can't be written either, the user gets an error for that file.
        return None


def _try_lock(file: int) -> bool:
    """Try to lock an open file; return False if another program has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - only on Windows

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - as above

            if hasattr(fcntl, "flock"):  # In JupyterLite, the module `fcntl` is empty.
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except (OSError, ImportError):  # The operating system or the folder does not support locks.
        pass
    return True
