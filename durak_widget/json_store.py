"""A small file of entries by name that several kernels and threads may change at once, and of which nothing is lost."""

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
"""What JupyterLite's notebooks lie on. It is kept by the browser; every other folder there is gone when the page is."""
_VERSION: Final = 1
_MOST_BYTES: Final = 2**27
"""A million entries are half of that."""
_PATIENCE: Final = 5.0
"""So many seconds somebody else may hold the file."""
_DIGITS: Final = 640
"""Longer numbers may be refused by Python itself."""
_THREADS: Final = Lock()


def home() -> Path:
    """The folder of the file: `DURAK_WIDGET_HOME` if that is set, else `.durak_widget` in the student's own folder: in JupyterLite on its drive."""
    try:
        own = _DRIVE if sys.platform == "emscripten" and _DRIVE.is_dir() else Path.home()
        return Path(os.environ.get("DURAK_WIDGET_HOME") or own / ".durak_widget")
    except RuntimeError:
        raise DurakError("there is no home folder to remember progress in; set DURAK_WIDGET_HOME, or give a path") from None


class Store:
    """The entries of such a file as they last were, and the way to change them.

    What is no `sound` entry is left out, and the file as it was is kept beside; in a file of a newer version it is left alone.
    """

    def __init__(self, path: Path, sound: Callable[[str, object], bool]) -> None:
        self._path, self._sound = path, sound
        self._kept: dict[str, Any] = {"version": _VERSION, "exercises": {}}
        self.entries: dict[str, Entry] = {}
        """What can be read of it."""
        self.aside: Path | None = None
        """Where the file is kept that could not be read."""

    def read(self) -> None:
        """Look at the file again; what cannot be read of it is set aside."""
        if self._read() is None:
            return
        try:
            self.change(lambda _: False)
        except DurakError:
            if not self.entries:
                raise
            warnings.warn(f"not all of {self._path.name} could be read", stacklevel=3)

    def change(self, edit: Callable[[dict[str, Entry]], bool]) -> bool:
        """Change the entries as they stand in the file now, with nobody else at it, if the edit says that it has; they are replaced, not altered."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            place = os.path.realpath(self._path)  # a link is one's own here, to a folder that one shares
            with file_lock(place):
                damaged = self._read()
                if damaged is not None:
                    self._set_aside(damaged)
                kept = {**self._kept, "exercises": dict(self._kept["exercises"])}
                changed = edit(kept["exercises"])
                if changed or damaged is not None:
                    replace_text(place, json.dumps(kept, indent=1, sort_keys=True) + "\n")
                    self._take(kept)
        except (OSError, RecursionError) as error:
            raise self._refusal("written to", error) from None
        if damaged is not None and self.aside is not None:
            warnings.warn(f"not all of {self._path.name} could be read; as it was, it is kept as {self.aside.name}", stacklevel=4)
        return changed

    def _take(self, kept: dict[str, Any]) -> None:
        self._kept = kept
        self.entries = {name: one for name, one in kept["exercises"].items() if self._sound(name, one)}

    def _read(self) -> bytes | None:
        """Take what the file holds, if there is one; all of it, where something in it cannot be read."""
        try:
            data = content(self._path)
        except OSError as error:
            raise self._refusal("read from", error) from None
        if data is None:
            return None
        kept, whole = parsed_bytes(data)
        newer = isinstance(kept, dict) and kept.get("version", _VERSION) != _VERSION
        if not isinstance(kept, dict) or not isinstance(kept.get("exercises"), dict):
            if newer:
                raise self._refusal("read from", OSError(errno.EINVAL, "a newer version of durak_widget has written it"))
            return data  # what was known before goes on
        self._take(kept)
        if newer or len(self.entries) == len(kept["exercises"]):
            return None if whole else data
        self._kept = {**kept, "exercises": dict(self.entries)}
        return data

    def _set_aside(self, data: bytes) -> None:
        """Keep the file as it was, under a name that nothing has yet."""
        endings = chain([".unreadable"], map(".unreadable.{}".format, count(2)))
        aside = next(one for one in map(self._path.with_suffix, endings) if not os.path.lexists(one))
        write_new(str(aside), data)
        self.aside = aside

    def _refusal(self, doing: str, error: Exception) -> DurakError:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return DurakError(f"progress cannot be {doing} {self._path.name[:80]}: {why}; give another path, as in Progress('my.json')")


def content(path: Path, most: int = _MOST_BYTES) -> bytes | None:
    """What is in the file, if there is one; only a plain file of a sensible size is opened."""
    try:
        there = path.stat()
        if not stat.S_ISREG(there.st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        if there.st_size > most:
            raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MB")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def parsed_bytes(data: bytes) -> tuple[object, bool]:
    """What these bytes say, None if nothing; and whether each of them could be read."""
    try:
        text, whole = data.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        text, whole = data.decode("utf-8-sig", errors="replace"), False
    try:
        return read_json(text, parse_int=lambda digits: int(digits) if len(digits) <= _DIGITS else digits), whole
    except (ValueError, RecursionError):
        return None, False


@contextmanager
def file_lock(path: str) -> Iterator[None]:
    """With the lock of that file: nobody else has it, in this program or another. Whoever ends, however, gives it back.

    In a folder that knows no locks, other programs are not kept away; nor is, in a browser without a server, another notebook.
    """
    until = monotonic() + _PATIENCE
    if not _THREADS.acquire(timeout=_PATIENCE):
        raise TimeoutError(errno.ETIMEDOUT, "another thread holds it")
    try:
        lock = _opened(path)
        try:
            while lock is not None and not _locked(lock):
                if monotonic() > until:
                    raise TimeoutError(errno.ETIMEDOUT, "another program holds it")
                sleep(0.002)
            yield
        finally:
            if lock is not None:
                os.close(lock)
    finally:
        _THREADS.release()


def _opened(path: str) -> int | None:
    """A file beside, to be locked; None where there can be none."""
    place = Path(path)
    try:
        return os.open(place.with_name(f".{place.name}.lock"), os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:  # what may not be written will say so itself
        return None


def _locked(file: int) -> bool:
    """Lock it, unless somebody else has."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - one system has the one, others the other

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - as above

            if hasattr(fcntl, "flock"):  # JupyterLite puts an empty module in its place
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except (OSError, ImportError):  # there are no locks here
        pass
    return True
