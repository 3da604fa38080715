"""Defines the receipt: who was asked what, and what they answered, as a small JSON text.

Grading works everything out again from the receipt. It holds answers but no verdicts or points, so a forged
receipt gains nothing. The time of an answer comes only from the clock of the student's computer. It is
compared with the deadline.
"""

from __future__ import annotations

import errno
import json
import os
import re
from datetime import datetime, time, timezone
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unicodedata import normalize

from durak_widget.atomic_files import replace_text
from durak_widget.errors import DurakError, quoted
from durak_widget.homework.assignment import known_as, student_name
from durak_widget.json_store import content, file_lock, parsed_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FORMAT: Final = "durak_widget.receipt/1"
MIME: Final = "application/vnd.durak-widget.receipt+json"
MOST_BYTES: Final = 4 * 2**20
MOST_ANSWERS: Final = 100
MOST_TRIES: Final = 10**6
_MOST_GIVEN: Final = 200_000
"""So many characters of JSON one answer may be."""
_LONGEST: Final = 200
_DEEPEST: Final = 12
_TIME: Final = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z")
_DAY: Final = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]")


class Kept(NamedTuple):
    """An answer, and how many were given before it and with it."""

    given: Any
    """Plain values, as `Task.given` tells them."""
    tries: int
    at: str = ""
    """When it was kept, by the clock of that computer; nothing where that is not known."""


class Receipt(NamedTuple):
    """What a student's notebook has kept."""

    assignment: str
    edition: str
    student: str
    answers: Mapping[str, Kept]
    """By the names of questions."""

    def plain(self) -> dict[str, Any]:
        """A receipt as JSON has it; of whatever was kept without a time, as all was before, none stands there."""
        answers = {name: {"given": one.given, "tries": one.tries} for name, one in self.answers.items()}
        times = {name: one.at for name, one in self.answers.items() if one.at}
        whose = {"format": FORMAT, "assignment": self.assignment, "edition": self.edition, "student": self.student}
        return {**whose, **({"times": times} if times else {}), "answers": answers}

    def text(self) -> str:
        """A receipt as a text, one line for each answer.

        >>> print(Receipt("econ431", "2027", "Ann", {"throw": Kept("1/2", 2)}).text(), end="")
        {"format": "durak_widget.receipt/1", "assignment": "econ431", "edition": "2027", "student": "Ann",
         "answers": {
          "throw": {"given": "1/2", "tries": 2}
         }}
        """
        head, answers = self.plain(), self.plain().pop("answers")
        said = ", ".join(f"{_json(key)}: {_json(value)}" for key, value in head.items() if key != "answers")
        rows = ",\n".join(f"  {_json(name)}: {_json(one)}" for name, one in answers.items())
        return f'{{{said},\n "answers": {{\n{rows}\n }}}}\n' if rows else f'{{{said},\n "answers": {{}}}}\n'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def receipt_of(found: object) -> Receipt:
    """A receipt that was read somewhere, however it came there; a `DurakError` says what is wrong with it.

    >>> receipt_of({"format": "durak_widget.receipt/1", "assignment": "econ431", "student": "Ann", "answers": {}}).edition
    ''
    >>> receipt_of({"format": "durak_widget.receipt/9"})
    Traceback (most recent call last):
    durak_widget.errors.DurakError: it is no receipt of this version: its format is 'durak_widget.receipt/9', not 'durak_widget.receipt/1'
    """
    if not isinstance(found, dict):
        raise DurakError("it is no receipt: that is a JSON object with the answers of a student")
    if found.get("format") != FORMAT:
        raise DurakError(f"it is no receipt of this version: its format is {quoted(found.get('format'))}, not {FORMAT!r}")
    assignment, edition, answers = found.get("assignment"), found.get("edition", ""), found.get("answers")
    for what, text in (("assignment", assignment), ("edition", edition)):
        if not isinstance(text, str) or len(text) > _LONGEST or (text and not text.isprintable()):
            raise DurakError(f"its {what} is no short text: {quoted(text)}")
    student = student_name(found.get("student"))
    if not isinstance(answers, dict) or len(answers) > MOST_ANSWERS:
        raise DurakError(f"its answers are no JSON object of at most {MOST_ANSWERS} questions")
    times = found["times"] if isinstance(found.get("times"), dict) else {}
    kept = {_name(name): _kept(name, one)._replace(at=time_read(times.get(name))) for name, one in answers.items()}
    return Receipt(str(assignment), str(edition), student, kept)


def _name(name: object) -> str:
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST or not name.isprintable():
        raise DurakError(f"a question of it is called {quoted(name)}")
    return name


def _kept(name: str, one: object) -> Kept:
    tries = one.get("tries", 1) if isinstance(one, dict) else None
    if not isinstance(one, dict) or type(tries) is not int or not 0 < tries <= MOST_TRIES or one.get("given") is None:
        raise DurakError(f"its answer to {quoted(name)} is not of the form {{'given': …, 'tries': 1}}")
    if _depth(one["given"]) > _DEEPEST or len(_json(one["given"])) > _MOST_GIVEN:
        raise DurakError(f"its answer to {quoted(name)} is larger than any answer can be")
    try:
        json.dumps([name, one["given"]], ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError):  # half a sign, or no number
        raise DurakError(f"its answer to {quoted(name)} holds what cannot be written") from None
    return Kept(one["given"], tries)


def _depth(value: object) -> int:
    """How deep values lie in one another, as far as it matters."""
    depth, layer = 0, [value]
    while layer and depth <= _DEEPEST:
        layer = list(chain.from_iterable(one.values() if isinstance(one, dict) else one for one in layer if isinstance(one, (dict, list))))
        depth += 1
    return depth


def receipt_from(data: bytes) -> Receipt:
    """A receipt from the bytes of a file; a `DurakError` says what is wrong with it."""
    if len(data) > MOST_BYTES:
        raise DurakError(f"it is larger than {MOST_BYTES >> 20} MB, and a receipt is a small text")
    found, whole = parsed_bytes(data)
    if found is None or not whole:
        raise DurakError("it is no JSON text, or not all of it")
    return receipt_of(found)


def file_name(assignment: str, edition: str, student: str) -> str:
    """What the receipt of a student is called: safe as the name of a file wherever it is carried.

    >>> file_name("econ431", "2027", "Ann Lee"), file_name("econ431", "", "Анна")
    ('econ431-2027-ann-lee.receipt.json', 'econ431-анна.receipt.json')
    >>> file_name("econ431", "", "../../etc/passwd")
    'econ431-etc-passwd-3754d6cb3a38.receipt.json'
    """
    known = normalize("NFC", known_as(student))
    plain = "-".join("".join(sign if sign.isalnum() else " " for sign in known).split())[:40]
    own = (
        plain
        if len(known) == len(plain) and all(sign.isalnum() or sign == " " for sign in known)
        else f"{plain}-{sha256(known.encode()).hexdigest()[:12]}"
    )
    year = "-".join("".join(sign if sign.isalnum() else " " for sign in edition.lower()).split())
    return "-".join([assignment, *([year] if year else []), own]) + ".receipt.json"


class Drawer:
    """The file of one receipt: read once, and written after each answer, so that it is whole at any time."""

    def __init__(self, path: Path, receipt: Receipt) -> None:
        self.path = path
        self._lock = Path(gettempdir(), f"durak-{sha256(os.path.realpath(path).encode(errors='replace')).hexdigest()[:16]}")
        """Elsewhere, so that a folder that is handed in holds nothing but what is meant to."""
        self._mine = receipt
        """Whose it is."""
        self.trouble = ""
        """Why nothing can be written."""
        self.aside: tuple[str, str] | None = None
        """Under which name a file was set aside, and why."""

    def read(self) -> dict[str, Kept]:
        """The answers in the file; what is none of this student's, or cannot be read, is set aside."""
        try:
            return dict(self._read().answers)
        except FileNotFoundError:
            return {}
        except DurakError as error:
            self._set_aside(str(error))
        except (OSError, RecursionError) as error:
            self._set_aside(_why(error))
        return {}

    def _read(self) -> Receipt:
        data = content(self.path, MOST_BYTES)
        if data is None:
            raise FileNotFoundError
        found = receipt_from(data)
        mine = self._mine
        if (found.assignment, found.edition, known_as(found.student)) != (mine.assignment, mine.edition, known_as(mine.student)):
            edition = f" {found.edition}" if found.edition else ""
            raise DurakError(f"it is of {found.student}, {found.assignment}{edition}")
        return found

    def _set_aside(self, why: str) -> None:
        """Keep the file as it was under a name that nothing has yet."""
        stem = self.path.name.removesuffix(".json")
        names: Iterable[str] = chain([f"{stem}.unreadable"], (f"{stem}.unreadable.{number}" for number in count(2)))
        try:
            there = next(one for one in map(self.path.with_name, names) if not one.exists() and not one.is_symlink())
            self.path.rename(there)
            self.aside = there.name, why
        except OSError as error:
            self.aside, self.trouble = (self.path.name, why), _why(error)

    def write(self, answers: Mapping[str, Kept], *, own: Iterable[str]) -> bool:
        """Put the answers there; of those that are not `own`, what another notebook may have written since stays. Whether it could be done."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with file_lock(str(self._lock)):
                there: Mapping[str, Kept] = {}
                try:
                    there = self._read().answers
                except FileNotFoundError:
                    pass
                except DurakError as error:
                    self._set_aside(str(error))
                kept = {**answers, **there, **{name: answers[name] for name in own}}
                replace_text(self.path, self._mine._replace(answers=kept).text())
        except (OSError, RecursionError) as error:
            self.trouble = _why(error)
            return False
        self.trouble = ""
        return True


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or errno.errorcode[errno.EINVAL]


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
