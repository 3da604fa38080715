"""When was an answer kept, and was that after it was due? Told by the clock of the computer on which it was answered, and by no other."""

from __future__ import annotations

import re
from datetime import datetime, time, timezone
from typing import Final

from durak_widget.errors import DurakError, quoted

_TIME: Final = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z")
_DAY: Final = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]")


def kept_now() -> str:
    """The time as receipts have it, in UTC.

    >>> time_read(kept_now()) == kept_now()[:20]
    True
    """
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def time_read(found: object) -> str:
    """A time that stands in a receipt; nothing, where it is none: whoever keeps answers need not have a clock.

    >>> time_read("2027-03-01T21:15:00Z"), time_read("2027-02-31T21:15:00Z"), time_read("yesterday"), time_read(None)
    ('2027-03-01T21:15:00Z', '', '', '')
    """
    if not isinstance(found, str) or not _TIME.fullmatch(found):
        return ""
    try:
        _moment(found)
    except ValueError:
        return ""
    return found


def due_time(due: object) -> datetime:
    """When homework is due: a day, to its end, or a time; by the clock of whoever marks, where no other zone is said.

    >>> due_time("2027-03-01").strftime("%H:%M:%S"), due_time("2027-03-01T23:59+02:00").isoformat()
    ('23:59:59', '2027-03-01T23:59:00+02:00')
    >>> due_time("on Monday")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: due='on Monday' is no time: give a day, such as 2027-03-01, or a time, such as 2027-03-01T23:59
    """
    try:
        if isinstance(due, str) and _DAY.fullmatch(due.strip()):
            return datetime.combine(datetime.fromisoformat(due.strip()), time(23, 59, 59)).astimezone()
        if isinstance(due, str):
            due = datetime.fromisoformat(re.sub("[Zz]$", "+00:00", due.strip()))
        if isinstance(due, datetime):
            return due if due.tzinfo else due.astimezone()
    except (ValueError, OverflowError, OSError):
        pass
    raise DurakError(f"due={quoted(due)} is no time: give a day, such as 2027-03-01, or a time, such as 2027-03-01T23:59")


def kept_after(at: str, due: datetime) -> bool:
    """Whether an answer was kept after that; not where nothing says when.

    >>> due = due_time("2027-03-01T23:59Z")
    >>> kept_after("2027-03-01T23:59:00Z", due), kept_after("2027-03-02T00:00:00Z", due), kept_after("", due)
    (False, True, False)
    """
    return bool(at) and _moment(at) > due


def time_said(at: str | datetime, due: datetime) -> str:
    """A time as it is told, in the zone of what is due.

    >>> time_said("2027-03-01T22:30:00Z", due_time("2027-03-01T23:59+02:00"))
    '2027-03-02 00:30'
    """
    moment = _moment(at) if isinstance(at, str) else at
    return moment.astimezone(due.tzinfo).strftime("%Y-%m-%d %H:%M")


def _moment(at: str) -> datetime:
    return datetime.fromisoformat(at.removesuffix("Z") + "+00:00")
