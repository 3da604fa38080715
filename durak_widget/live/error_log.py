"""Writes errors to standard error, but so few that nobody can fill the disk with them."""

from __future__ import annotations

import logging
import os
import sys
from collections import deque
from contextlib import suppress
from time import monotonic
from typing import Final

MAX_BYTES: Final = 1_000_000
"""How long the file with the errors may become."""
RECORDS_A_MINUTE: Final = 30
"""How many errors are written in any minute."""
_MAX_MESSAGE: Final = 200
_MAX_TRACEBACK: Final = 3000
"""How many characters of a traceback are written; its end says the most."""


class ErrorLogHandler(logging.Handler):
    """Writes short records, and only a few of them a minute, until the file has a megabyte."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._times: deque[float] = deque(maxlen=RECORDS_A_MINUTE)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or leave it out."""
        now = monotonic()
        if len(self._times) == RECORDS_A_MINUTE and now - self._times[0] < 60:
            return
        self._times.append(now)
        try:
            write_error(format_record(record))
        except Exception:  # noqa: BLE001 - an error that cannot be written must not cause another one
            self.handleError(record)


def format_record(record: logging.LogRecord) -> str:
    r"""Return a record as it is written: one line, and the end of its traceback.

    >>> format_record(logging.LogRecord("tornado", logging.WARNING, "", 0, "bad address %s", ("\n" * 9999,), None)).count("\n")
    0
    """
    message = f"{record.levelname} {record.name}: {record.getMessage()[:_MAX_MESSAGE]}"
    line = "".join(character if character.isprintable() else "?" for character in message)[:_MAX_MESSAGE]
    if not record.exc_info:
        return line
    return f"{line}\n{logging.Formatter().formatException(record.exc_info)[-_MAX_TRACEBACK:]}"


def write_error(text: str) -> None:
    """Write a text to the standard error, unless that is a file that is long already."""
    with suppress(OSError, ValueError):
        if os.fstat(sys.stderr.fileno()).st_size + len(text.encode()) >= MAX_BYTES:
            return
    with suppress(OSError):  # The disk may be full
        print(text, file=sys.stderr, flush=True)  # noqa: T201 - this is where errors go


def limit_error_log() -> None:
    """Let all loggers of this process write through one `ErrorLogHandler`."""
    logging.basicConfig(handlers=[ErrorLogHandler()], level=logging.WARNING, force=True)
    logging.captureWarnings(capture=True)
