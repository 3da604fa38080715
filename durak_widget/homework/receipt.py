"""The receipt: a student's answers to an assignment, as a small JSON text.

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
"""Largest number of characters of one answer in JSON."""
_LONGEST: Final = 200
_DEEPEST: Final = 12
_TIME: Final = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z")
_DAY: Final = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]")


class Kept(NamedTuple):
    """A stored answer, and how many answers there were up to it."""

    given: Any
    """Answer as plain data, as `Task.given` returns it."""
    tries: int
    at: str = ""
    """Time of storing by the student's computer; empty if unknown."""


class Receipt(NamedTuple):
    """The answers that a student's notebook has stored."""

    assignment: str
    edition: str
    student: str
    answers: Mapping[str, Kept]
    """Stored answers by the names of the questions."""

    def plain(self) -> dict[str, Any]:
        """Return the receipt as plain data for JSON.

        Answers that older versions stored have no time.
        """
        answers = {name: {"given": stored.given, "tries": stored.tries} for name, stored in self.answers.items()}
        times = {name: stored.at for name, stored in self.answers.items() if stored.at}
        header = {"format": FORMAT, "assignment": self.assignment, "edition": self.edition, "student": self.student}
        return {**header, **({"times": times} if times else {}), "answers": answers}

    def text(self) -> str:
        """Return the receipt as text, with one line for each answer.

        >>> print(Receipt("econ431", "2027", "Ann", {"throw": Kept("1/2", 2)}).text(), end="")
        {"format": "durak_widget.receipt/1", "assignment": "econ431", "edition": "2027", "student": "Ann",
         "answers": {
          "throw": {"given": "1/2", "tries": 2}
         }}
        """
        header, answers = self.plain(), self.plain().pop("answers")
        header_text = ", ".join(f"{_json(key)}: {_json(value)}" for key, value in header.items() if key != "answers")
        rows = ",\n".join(f"  {_json(name)}: {_json(answer)}" for name, answer in answers.items())
        return f'{{{header_text},\n "answers": {{\n{rows}\n }}}}\n' if rows else f'{{{header_text},\n "answers": {{}}}}\n'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def receipt_of(found: object) -> Receipt:
    """Build a receipt from parsed JSON of any origin; `DurakError` says if it is invalid.

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
    for field, text in (("assignment", assignment), ("edition", edition)):
        if not isinstance(text, str) or len(text) > _LONGEST or (text and not text.isprintable()):
            raise DurakError(f"its {field} is no short text: {quoted(text)}")
    student = student_name(found.get("student"))
    if not isinstance(answers, dict) or len(answers) > MOST_ANSWERS:
        raise DurakError(f"its answers are no JSON object of at most {MOST_ANSWERS} questions")
    times = found["times"] if isinstance(found.get("times"), dict) else {}
    stored_answers = {
        _name(name): _kept(name, answer_data)._replace(at=time_read(times.get(name))) for name, answer_data in answers.items()
    }
    return Receipt(str(assignment), str(edition), student, stored_answers)


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
    except (ValueError, TypeError):  # an incomplete surrogate pair, or NaN
        raise DurakError(f"its answer to {quoted(name)} holds what cannot be written") from None
    return Kept(one["given"], tries)


def _depth(value: object) -> int:
    """Return how deeply values are nested, up to the limit."""
    depth, layer = 0, [value]
    while layer and depth <= _DEEPEST:
        layer = list(
            chain.from_iterable(item.values() if isinstance(item, dict) else item for item in layer if isinstance(item, (dict, list)))
        )
        depth += 1
    return depth


def receipt_from(data: bytes) -> Receipt:
    """Parse a receipt from the bytes of a file; `DurakError` says if it is invalid."""
    if len(data) > MOST_BYTES:
        raise DurakError(f"it is larger than {MOST_BYTES >> 20} MB, and a receipt is a small text")
    parsed, is_complete = parsed_bytes(data)
    if parsed is None or not is_complete:
        raise DurakError("it is no JSON text, or not all of it")
    return receipt_of(parsed)


def file_name(assignment: str, edition: str, student: str) -> str:
    """Return the name of a student's receipt file, which is valid on every system.

    >>> file_name("econ431", "2027", "Ann Lee"), file_name("econ431", "", "Анна")
    ('econ431-2027-ann-lee.receipt.json', 'econ431-анна.receipt.json')
    >>> file_name("econ431", "", "../../etc/passwd")
    'econ431-etc-passwd-3754d6cb3a38.receipt.json'
    """
    normal_name = normalize("NFC", known_as(student))
    short_name = "-".join("".join(char if char.isalnum() else " " for char in normal_name).split())[:40]
    student_part = (
        short_name
        if len(normal_name) == len(short_name) and all(char.isalnum() or char == " " for char in normal_name)
        else f"{short_name}-{sha256(normal_name.encode()).hexdigest()[:12]}"
    )
    edition_part = "-".join("".join(char if char.isalnum() else " " for char in edition.lower()).split())
    return "-".join([assignment, *([edition_part] if edition_part else []), student_part]) + ".receipt.json"


class Drawer:
    """The file of one receipt: read once, and replaced completely after each answer."""

    def __init__(self, path: Path, receipt: Receipt) -> None:
        self.path = path
        self._lock = Path(gettempdir(), f"durak-{sha256(os.path.realpath(path).encode(errors='replace')).hexdigest()[:16]}")
        """Lock file in another folder, so that the folder to hand in has no extra file."""
        self._mine = receipt
        """Receipt without answers, which says whose file this is."""
        self.trouble = ""
        """Reason why the file can't be written; empty if it can."""
        self.aside: tuple[str, str] | None = None
        """New name of a file that was set aside, and the reason; None if there is none."""

    def read(self) -> dict[str, Kept]:
        """Return the answers in the file.

        A file that is unreadable or another student's is set aside.
        """
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
        receipt = receipt_from(data)
        own_receipt = self._mine
        if (receipt.assignment, receipt.edition, known_as(receipt.student)) != (
            own_receipt.assignment,
            own_receipt.edition,
            known_as(own_receipt.student),
        ):
            edition = f" {receipt.edition}" if receipt.edition else ""
            raise DurakError(f"it is of {receipt.student}, {receipt.assignment}{edition}")
        return receipt

    def _set_aside(self, why: str) -> None:
        """Rename the file to an unused name, unchanged."""
        stem = self.path.name.removesuffix(".json")
        names: Iterable[str] = chain([f"{stem}.unreadable"], (f"{stem}.unreadable.{number}" for number in count(2)))
        try:
            new_path = next(path for path in map(self.path.with_name, names) if not path.exists() and not path.is_symlink())
            self.path.rename(new_path)
            self.aside = new_path.name, why
        except OSError as error:
            self.aside, self.trouble = (self.path.name, why), _why(error)

    def write(self, answers: Mapping[str, Kept], *, own: Iterable[str]) -> bool:
        """Save the answers; return whether that was possible.

        For questions that are not in `own`, answers that another notebook has saved since stay.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with file_lock(str(self._lock)):
                saved: Mapping[str, Kept] = {}
                try:
                    saved = self._read().answers
                except FileNotFoundError:
                    pass
                except DurakError as error:
                    self._set_aside(str(error))
                merged = {**answers, **saved, **{name: answers[name] for name in own}}
                replace_text(self.path, self._mine._replace(answers=merged).text())
        except (OSError, RecursionError) as error:
            self.trouble = _why(error)
            return False
        self.trouble = ""
        return True


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or errno.errorcode[errno.EINVAL]


def kept_now() -> str:
    """Return the current time in UTC, in the format of receipts.

    >>> time_read(kept_now()) == kept_now()[:20]
    True
    """
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def time_read(found: object) -> str:
    """Return a time from a receipt, or an empty text if it is not valid.

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
    """Return the due time: the end of a day, or a time.

    Without a time zone, that of the grader's computer is used.

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
    """Return whether an answer was stored after that time; False if its time is unknown.

    >>> due = due_time("2027-03-01T23:59Z")
    >>> kept_after("2027-03-01T23:59:00Z", due), kept_after("2027-03-02T00:00:00Z", due), kept_after("", due)
    (False, True, False)
    """
    return bool(at) and _moment(at) > due


def time_said(at: str | datetime, due: datetime) -> str:
    """Format a time in the time zone of the due time.

    >>> time_said("2027-03-01T22:30:00Z", due_time("2027-03-01T23:59+02:00"))
    '2027-03-02 00:30'
    """
    parsed = _moment(at) if isinstance(at, str) else at
    return parsed.astimezone(due.tzinfo).strftime("%Y-%m-%d %H:%M")


def _moment(at: str) -> datetime:
    return datetime.fromisoformat(at.removesuffix("Z") + "+00:00")
