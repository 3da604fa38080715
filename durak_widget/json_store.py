"""A small JSON file of named entries that several notebooks and threads can change safely.

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
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import parse_json_text, replace_text, write_new_file
from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Entry = dict[str, Any]

_LITE_DRIVE: Final = Path("/drive")
"""The folder in which JupyterLite keeps notebooks.

The browser keeps it; every other folder there is lost when the page closes.
"""
_VERSION: Final = 2
"""The version of new files. In version 1, `entries` was called `exercises`, and some keys of entries had other names."""
_MAX_BYTES: Final = 2**27
"""The largest size of the file in bytes; the file of a million entries is half as large."""
_LOCK_TIMEOUT: Final = 5.0
"""The number of seconds to wait for the lock of the file."""
_MAX_DIGITS: Final = 640
"""The largest number of digits in a number; Python itself may reject longer numbers."""
_THREAD_LOCK: Final = Lock()


def get_data_folder() -> Path:
    """Return the folder in which the user's data files are stored.

    It is `DURAK_WIDGET_HOME` if that is set, else `.durak_widget` in the student's own folder, or on the drive of JupyterLite.
    """
    try:
        own = _LITE_DRIVE if sys.platform == "emscripten" and _LITE_DRIVE.is_dir() else Path.home()
        return Path(os.environ.get("DURAK_WIDGET_HOME") or own / ".durak_widget")
    except RuntimeError:
        raise DurakError("there is no home folder to remember progress in; set DURAK_WIDGET_HOME, or give a path") from None


def rename_keys(data: Mapping[str, Any], former_keys: Mapping[str, str]) -> dict[str, Any]:
    """Return a dict in which each former key has its present name.

    >>> rename_keys({"tries": 2, "solved": True}, {"tries": "attempts"})
    {'attempts': 2, 'solved': True}
    """
    return {former_keys.get(key, key): value for key, value in data.items()}


class JsonStore:
    """The entries of a JSON file as they were last read, and methods to change them.

    Invalid entries are left out, and a copy of the file is kept. A file of a newer version keeps its invalid entries.
    """

    def __init__(
        self, path: Path, is_valid_entry: Callable[[str, object], bool], former_keys: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Store the file's path, and a function that returns whether an entry is valid.

        `former_keys` gives the present name of each key that entries of version 1 may have.
        """
        self._path, self._is_valid_entry, self._former_keys = path, is_valid_entry, former_keys
        self._content: dict[str, Any] = {"version": _VERSION, "entries": {}}
        self.entries: dict[str, Entry] = {}
        """The valid entries of the file."""
        self.backup_path: Path | None = None
        """The path of the copy that was made of an unreadable file; None if there is none."""

    def read(self) -> None:
        """Read the file again; keep a copy of it if some of its content is unreadable."""
        if self._read_file() is None:
            return
        try:
            self.change(lambda _: False)
        except DurakError:
            if not self.entries:
                raise
            warnings.warn(f"not all of {self._path.name} could be read", stacklevel=3)

    def change(self, edit: Callable[[dict[str, Entry]], bool]) -> bool:
        """Change the entries in the file, while the file is locked for other programs.

        `edit` gets the entries as they are in the file now, and returns whether it has changed them. It replaces entries
        and does not alter them.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            real_path = os.path.realpath(self._path)  # A link in this folder was made by the user, for example to a shared folder
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
            warnings.warn(f"not all of {self._path.name} could be read; as it was, it is kept as {self.backup_path.name}", stacklevel=4)
        return changed

    def _update_version_1(self, content: dict[str, Any]) -> dict[str, Any]:
        """Return the content of a file of version 1 with the names of the present version."""
        entries = content.get("exercises")
        if isinstance(entries, dict):
            entries = {name: rename_keys(entry, self._former_keys) if isinstance(entry, dict) else entry for name, entry in entries.items()}
        others = {key: value for key, value in content.items() if key != "exercises"}
        return {**others, "version": _VERSION, "entries": entries}

    def _accept_content(self, new_content: dict[str, Any]) -> None:
        """Accept the entries that were read from the file or written to the file."""
        self._content = new_content
        self.entries = {name: entry for name, entry in new_content["entries"].items() if self._is_valid_entry(name, entry)}

    def _read_file(self) -> bytes | None:
        """Read the file if it exists; return its bytes if some of its content is unreadable."""
        try:
            data = read_bytes_if_exists(self._path)
        except OSError as error:
            raise self._build_error("read from", error) from None
        if data is None:
            return None
        content_read, is_complete = parse_json_bytes(data)
        if isinstance(content_read, dict) and content_read.get("version", 1) == 1:
            content_read = self._update_version_1(content_read)
        is_newer = isinstance(content_read, dict) and content_read["version"] != _VERSION
        if not isinstance(content_read, dict) or not isinstance(content_read.get("entries"), dict):
            if is_newer:
                raise self._build_error("read from", OSError(errno.EINVAL, "a newer version of durak_widget has written it"))
            return data  # The entries that were read earlier stay in use
        self._accept_content(content_read)
        if is_newer or len(self.entries) == len(content_read["entries"]):
            return None if is_complete else data
        self._content = {**content_read, "entries": dict(self.entries)}
        return data

    def _back_up(self, data: bytes) -> None:
        """Copy the file's bytes to a new file with an unused name."""
        endings = chain([".unreadable"], map(".unreadable.{}".format, count(2)))
        aside = next(path for path in map(self._path.with_suffix, endings) if not os.path.lexists(path))
        write_new_file(str(aside), data)
        self.backup_path = aside

    def _build_error(self, doing: str, error: Exception) -> DurakError:
        """Return an error that says how to handle a file that can't be used."""
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return DurakError(f"progress cannot be {doing} {self._path.name[:80]}: {reason}; give another path, as in Progress('my.json')")


def read_bytes_if_exists(path: Path, max_bytes: int = _MAX_BYTES) -> bytes | None:
    """Return the bytes of a file, or None if it does not exist.

    Only a regular file within the size limit is opened.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        if status.st_size > max_bytes:
            raise OSError(errno.EFBIG, f"it is larger than {max_bytes >> 20} MB")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def parse_json_bytes(data: bytes) -> tuple[object, bool]:
    """Return the JSON value in some bytes, and whether all of the bytes could be read.

    The value is None if nothing could be read.
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
    """Hold the lock of a file, so that other threads and programs wait.

    In a folder without locks, other programs are not kept away. Nor is another notebook, in a browser without a server.
    """
    deadline = monotonic() + _LOCK_TIMEOUT
    if not _THREAD_LOCK.acquire(timeout=_LOCK_TIMEOUT):
        raise TimeoutError(errno.ETIMEDOUT, "another thread holds it")
    try:
        lock_file = _open_lock_file(path)
        try:
            while lock_file is not None and not _try_lock(lock_file):
                if monotonic() > deadline:
                    raise TimeoutError(errno.ETIMEDOUT, "another program holds it")
                sleep(0.002)
            yield
        finally:
            if lock_file is not None:
                os.close(lock_file)
    finally:
        _THREAD_LOCK.release()


def _open_lock_file(path: str) -> int | None:
    """Open a file that is used as a lock; return None if that is impossible."""
    file_path = Path(path)
    try:
        return os.open(file_path.with_name(f".{file_path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:  # Without a lock file, writing the data file will raise an error
        return None


def _try_lock(file: int) -> bool:
    """Lock an open file; return False if another program has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - only on Windows

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - as above

            if hasattr(fcntl, "flock"):  # JupyterLite has only an empty module in its place
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except (OSError, ImportError):  # The operating system or the folder does not support locks
        pass
    return True
