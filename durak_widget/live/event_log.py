"""Keeps the events of a live class session in a file, one JSON line each.

The session can start again from this file. An event is either in the file as a whole line, or it has not happened. A line that was
only partly written, because the process ended or the disk was full, is cut off before anything else is appended.
"""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import require_path
from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import BinaryIO

    from durak_widget.live.question import JsonObject

_SYNCED_EVENTS: Final = frozenset({"session", "ask", "stop", "result", "reveal", "end"})
"""The events after which the log waits until the disk has the line; a power cut can lose only what came after them."""
_PRIVATE_MODE: Final = 0o600
_SESSION_START: Final = b'{"event":"session",'
_MAX_FIRST_LINE: Final = 4096
"""A maximum for the size of the first line, which says what session it is."""
_LOCK_POSITION: Final = 1 << 30
"""Windows locks bytes, which nobody else can read then; this byte is behind the end of any log."""


class LogError(DurakError):
    """The error for a log that cannot be read, or for an event that could not be saved.

    Nothing has changed then. The cause of an event that could not be saved is an `OSError`, such as a full disk.
    """


class EventLog:
    r"""An append-only file of events; `events` are those it had when it was opened.

    Without a file, the events are only in memory.

    >>> log = EventLog()
    >>> log.append({"event": "join", "name": "Ann"})
    {'event': 'join', 'name': 'Ann'}
    >>> log.to_text()
    '{"event":"join","name":"Ann"}\n'
    """

    def __init__(self, file: BinaryIO | None = None) -> None:
        """Read the events of an unbuffered file, and cut off a last line that is not whole."""
        self._file = io.BytesIO() if file is None else file
        self.problem: OSError | None = None
        """Why the last event could not be saved; None if it was saved."""
        data = self._read_bytes()
        self.events, self._size = _parse_lines(data)
        self._has_rest = self._size < len(data)
        """Whether the file has a part of a line after the last event."""
        try:
            self._cut_off_rest()
        except OSError as error:
            raise LogError(f"the last line of the log is not whole and cannot be cut off: {error.strerror}") from error

    @classmethod
    def open(cls, path: str | PathLike[str]) -> EventLog:
        """Open the log of a session in a file, or make the file; only its owner can read it.

        Raise `LogError` if the file is anything else than the log of a session, which is then not changed, or if another process has
        opened it.
        """
        name = require_path(path)
        try:
            file = _open_file(name)
        except OSError as error:
            raise LogError(f"the log {name} cannot be opened: {error.strerror}") from error
        try:
            _require_own_file(file, name)
            _lock(file, name)
            _require_session(file, name)
            return cls(file)
        except OSError as error:
            file.close()
            raise LogError(f"the log {name} cannot be read: {error.strerror}") from error
        except BaseException:
            file.close()
            raise

    @classmethod
    def from_text(cls, text: str) -> EventLog:
        r"""Make a log in memory from the text of another log.

        >>> EventLog.from_text('{"event":"end"}\n{"event":"jo').events
        [{'event': 'end'}]
        """
        return cls(io.BytesIO(text.encode("utf-8", "replace")))

    @classmethod
    def from_events(cls, events: Iterable[JsonObject]) -> EventLog:
        """Make a log in memory from a list of events."""
        return cls(io.BytesIO(b"".join(map(_encode_event, events))))

    def append(self, event: JsonObject) -> JsonObject:
        """Save an event, and return it as it will be read from the file.

        Raise `LogError` if it could not be saved whole, and `TypeError` or `ValueError` if it is not JSON. The log is then as before.
        """
        line = _encode_event(event)
        try:
            self._cut_off_rest()
            self._file.seek(self._size)
            self._has_rest = True
            self._write(line)
            if event.get("event") in _SYNCED_EVENTS:
                self._sync()
        except OSError as error:
            self.problem = error
            with suppress(OSError):  # If even this fails, the next event tries again
                self._cut_off_rest()
            raise LogError(f"an event of the session could not be saved: {error.strerror or error}") from error
        self._size += len(line)
        self._has_rest, self.problem = False, None
        saved: JsonObject = json.loads(line)
        return saved

    def to_text(self) -> str:
        """Return all events in the log as text."""
        return self._read_bytes()[: self._size].decode("utf-8")

    def __enter__(self) -> EventLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read_bytes(self) -> bytes:
        self._file.seek(0)
        return self._file.read()

    def _cut_off_rest(self) -> None:
        """Cut off a part of a line after the last event."""
        if self._has_rest:
            self._file.truncate(self._size)
            self._has_rest = False

    def _write(self, line: bytes) -> None:
        """Write a whole line; a raw file may take only a part of it at once."""
        rest = memoryview(line)
        while rest:
            written = self._file.write(rest)
            if not written:
                raise OSError("the file takes no more bytes")
            rest = rest[written:]
        self._file.flush()

    def _sync(self) -> None:
        with suppress(io.UnsupportedOperation):  # A log in memory is on no disk
            os.fsync(self._file.fileno())


def _open_file(name: str) -> BinaryIO:
    """Open a file or make a new one, without following links or waiting for pipes."""
    flags = os.O_RDWR
    for flag in ("O_BINARY", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"):
        flags |= getattr(os, flag, 0)
    try:
        descriptor = os.open(name, flags)
    except FileNotFoundError:
        descriptor = os.open(name, flags | os.O_CREAT | os.O_EXCL, _PRIVATE_MODE)
    try:
        return os.fdopen(descriptor, "r+b", buffering=0)
    except BaseException:
        os.close(descriptor)
        raise


def _require_own_file(file: BinaryIO, name: str) -> None:
    """Require a regular file of this user, and let only its owner read it."""
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise LogError(f"{name} is not a file; choose another path for the log")
    if sys.platform != "win32":
        if status.st_uid != os.geteuid():
            raise LogError(f"the file {name} belongs to another user; choose another path for the log")
        with suppress(OSError):  # Some disks, such as USB sticks, know no permissions
            os.fchmod(file.fileno(), _PRIVATE_MODE)


def _lock(file: BinaryIO, name: str) -> None:
    """Lock a log until the file is closed or the process ends.

    If another process has locked it, raise `LogError`.
    """
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - only on Windows

            file.seek(_LOCK_POSITION)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - not on Windows

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if sys.platform != "win32" and not isinstance(error, (BlockingIOError, PermissionError)):
            return  # Some network disks have no locks
        raise LogError(f"another session is using the log {name}; end that session first, or choose another file") from error


def _require_session(file: BinaryIO, name: str) -> None:
    """Raise `LogError` if a file is neither empty nor the log of a session.

    So no other file is ever cut off.

    The only line of a new session may be torn.
    """
    file.seek(0)
    line, newline, _ = file.read(_MAX_FIRST_LINE).partition(b"\n")
    if newline:
        event = _parse_line(line)
        is_session = event is not None and event["event"] == "session"
    else:
        is_session = len(line) < _MAX_FIRST_LINE and line[: len(_SESSION_START)] == _SESSION_START[: len(line)]
    if not is_session:
        raise LogError(f"the file {name} is not the log of a class session; choose another file")


def _encode_event(event: JsonObject) -> bytes:
    """Encode an event as a line; half of an emoji, which UTF-8 does not have, is escaped."""
    try:
        text = json.dumps(event, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return f"{text}\n".encode()
    except UnicodeEncodeError:
        return f"{json.dumps(event, allow_nan=False, separators=(',', ':'))}\n".encode()


def _parse_lines(data: bytes) -> tuple[list[JsonObject], int]:
    """Return the events in the bytes of a log, and the length of the lines that are whole."""
    events: list[JsonObject] = []
    size = 0
    lines = data.split(b"\n")[:-1]
    for number, line in enumerate(lines, 1):
        event = _parse_line(line)
        if event is None:
            if any(_parse_line(later) is not None for later in lines[number:]):
                raise LogError(f"line {number} of the log is not an event; if you changed the file, undo that, or else delete the line")
            break  # After a power cut, the end of a file can be any bytes
        events.append(event)
        size += len(line) + 1
    return events, size


def _parse_line(line: bytes) -> JsonObject | None:
    """Return the event in a line; None if the line is not an event."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("event"), str) else None
