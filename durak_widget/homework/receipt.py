"""Receipts: a student's answers to an assignment, stored as a small JSON text.

Grading computes everything again from the receipt. A receipt contains answers but no verdicts or points, so a forged receipt gains
nothing. The time of an answer comes from the clock of the student's computer, and is compared with the due time.
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
from durak_widget.errors import DurakError, short_repr
from durak_widget.homework.assignment import normalize_name, require_student_name
from durak_widget.json_store import file_lock, parse_json_bytes, read_bytes_if_exists, rename_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FORMAT: Final = "durak_widget.receipt/2"
_FORMAT_1: Final = "durak_widget.receipt/1"
_FORMER_KEYS: Final = {"given": "answer", "tries": "attempts"}
"""Renamed keys of an answer: each key of version 1, and the present key."""
MIME_TYPE: Final = "application/vnd.durak-widget.receipt+json"
MAX_BYTES: Final = 4 * 2**20
MAX_ANSWERS: Final = 100
MAX_ATTEMPTS: Final = 10**6
_MAX_ANSWER_LENGTH: Final = 200_000
"""The maximum length of one answer as JSON text, in characters."""
_MAX_NAME_LENGTH: Final = 200
_MAX_DEPTH: Final = 12
_TIME_PATTERN: Final = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z")
_DAY_PATTERN: Final = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]")


class StoredAnswer(NamedTuple):
    """A stored answer, with the number of attempts that the student has made so far."""

    answer: Any
    """The answer as JSON-compatible values, as returned by `Task.last_answer`."""
    attempt_count: int
    stored_at: str = ""
    """The UTC time when the answer was stored, by the student's computer; empty if unknown."""


class Receipt(NamedTuple):
    """A receipt: the answers to one assignment that a student's notebook has stored."""

    assignment: str
    edition: str
    student: str
    answers: Mapping[str, StoredAnswer]
    """The stored answers by question name."""

    def to_dict(self) -> dict[str, Any]:
        """Return this receipt (a student's stored answers) as JSON-compatible values.

        Answers that older versions stored have no time.
        """
        answers = {name: {"answer": stored.answer, "attempts": stored.attempt_count} for name, stored in self.answers.items()}
        times = {name: stored.stored_at for name, stored in self.answers.items() if stored.stored_at}
        header = {"format": FORMAT, "assignment": self.assignment, "edition": self.edition, "student": self.student}
        return {**header, **({"times": times} if times else {}), "answers": answers}

    def to_text(self) -> str:
        """Return this receipt (a student's stored answers) as JSON text, with a line per answer.

        >>> print(Receipt("econ431", "2027", "Ann", {"throw": StoredAnswer("1/2", 2)}).to_text(), end="")
        {"format": "durak_widget.receipt/2", "assignment": "econ431", "edition": "2027", "student": "Ann",
         "answers": {
          "throw": {"answer": "1/2", "attempts": 2}
         }}
        """
        header, answers = self.to_dict(), self.to_dict().pop("answers")
        header_text = ", ".join(f"{_to_json(key)}: {_to_json(value)}" for key, value in header.items() if key != "answers")
        rows = ",\n".join(f"  {_to_json(name)}: {_to_json(answer)}" for name, answer in answers.items())
        return f'{{{header_text},\n "answers": {{\n{rows}\n }}}}\n' if rows else f'{{{header_text},\n "answers": {{}}}}\n'


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def receipt_from_dict(data: object) -> Receipt:
    """Build a receipt (a student's stored answers) from parsed JSON.

    Raise a `DurakError` if the JSON data is not a valid receipt.

    >>> receipt_from_dict({"format": "durak_widget.receipt/2", "assignment": "econ431", "student": "Ann", "answers": {}}).edition
    ''
    >>> receipt_from_dict({"format": "durak_widget.receipt/9"})
    Traceback (most recent call last):
    durak_widget.errors.DurakError: it is not a receipt of this version: its format is 'durak_widget.receipt/9', not 'durak_widget.receipt/2'
    """
    if not isinstance(data, dict):
        raise DurakError("it is not a receipt: a receipt is a JSON object with a student's answers")
    data = update_receipt_dict(data)
    if data.get("format") != FORMAT:
        raise DurakError(f"it is not a receipt of this version: its format is {short_repr(data.get('format'))}, not {FORMAT!r}")
    assignment, edition, answers = data.get("assignment"), data.get("edition", ""), data.get("answers")
    for field, text in (("assignment", assignment), ("edition", edition)):
        if not isinstance(text, str) or len(text) > _MAX_NAME_LENGTH or (text and not text.isprintable()):
            raise DurakError(f"its {field} is not a short text: {short_repr(text)}")
    student = require_student_name(data.get("student"))
    if not isinstance(answers, dict) or len(answers) > MAX_ANSWERS:
        raise DurakError(f"its answers are not a JSON object of at most {MAX_ANSWERS} questions")
    times = data["times"] if isinstance(data.get("times"), dict) else {}
    stored_answers = {
        _require_question_name(name): _parse_stored_answer(name, answer_data)._replace(stored_at=parse_time_text(times.get(name)))
        for name, answer_data in answers.items()
    }
    return Receipt(str(assignment), str(edition), student, stored_answers)


def update_receipt_dict(data: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a receipt's data from format 1 to the current format; copy other data as is.

    >>> update_receipt_dict({"format": "durak_widget.receipt/1", "answers": {"throw": {"given": "1/2", "tries": 2}}})["answers"]
    {'throw': {'answer': '1/2', 'attempts': 2}}
    """
    answers = data.get("answers")
    if data.get("format") != _FORMAT_1:
        return dict(data)
    if isinstance(answers, dict):
        answers = {name: rename_keys(answer, _FORMER_KEYS) if isinstance(answer, dict) else answer for name, answer in answers.items()}
    return {**data, "format": FORMAT, **({"answers": answers} if "answers" in data else {})}


def _require_question_name(name: object) -> str:
    if not isinstance(name, str) or not 0 < len(name) <= _MAX_NAME_LENGTH or not name.isprintable():
        raise DurakError(f"it has a question with an invalid name, {short_repr(name)}")
    return name


def _parse_stored_answer(name: str, data: object) -> StoredAnswer:
    """Parse one stored answer of a student; raise an error if the answer is invalid."""
    attempts = data.get("attempts", 1) if isinstance(data, dict) else None
    if not isinstance(data, dict) or type(attempts) is not int or not 0 < attempts <= MAX_ATTEMPTS or data.get("answer") is None:
        raise DurakError(f"its answer to {short_repr(name)} is not of the form {{'answer': …, 'attempts': 1}}")
    if _measure_depth(data["answer"]) > _MAX_DEPTH or len(_to_json(data["answer"])) > _MAX_ANSWER_LENGTH:
        raise DurakError(f"its answer to {short_repr(name)} is too large")
    try:
        json.dumps([name, data["answer"]], ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError):  # `dumps` fails for half of a surrogate pair, and for the number NaN
        raise DurakError(f"its answer to {short_repr(name)} has a part that cannot be written as JSON") from None
    return StoredAnswer(data["answer"], attempts)


def _measure_depth(value: object) -> int:
    """Return how deeply lists and dicts are nested in a value.

    Deeper values than allowed are not searched to the end.
    """
    depth, layer = 0, [value]
    while layer and depth <= _MAX_DEPTH:
        layer = list(
            chain.from_iterable(item.values() if isinstance(item, dict) else item for item in layer if isinstance(item, (dict, list)))
        )
        depth += 1
    return depth


def parse_receipt(data: bytes) -> Receipt:
    """Parse the bytes of a receipt file (a student's answers); raise an error if invalid."""
    if len(data) > MAX_BYTES:
        raise DurakError(f"it is larger than {MAX_BYTES >> 20} MB, too large for a receipt")
    parsed, is_complete = parse_json_bytes(data)
    if parsed is None or not is_complete:
        raise DurakError("it is not JSON text, or a part is missing")
    return receipt_from_dict(parsed)


def format_receipt_file_name(assignment: str, edition: str, student: str) -> str:
    """Return the name of a student's receipt file, valid on every operating system.

    >>> format_receipt_file_name("econ431", "2027", "Ann Lee"), format_receipt_file_name("econ431", "", "Анна")
    ('econ431-2027-ann-lee.receipt.json', 'econ431-анна.receipt.json')
    >>> format_receipt_file_name("econ431", "", "../../etc/passwd")
    'econ431-etc-passwd-3754d6cb3a38.receipt.json'
    """
    normal_name = normalize("NFC", normalize_name(student))
    short_name = "-".join("".join(char if char.isalnum() else " " for char in normal_name).split())[:40]
    student_part = (
        short_name
        if len(normal_name) == len(short_name) and all(char.isalnum() or char == " " for char in normal_name)
        else f"{short_name}-{sha256(normal_name.encode()).hexdigest()[:12]}"
    )
    edition_part = "-".join("".join(char if char.isalnum() else " " for char in edition.lower()).split())
    return "-".join([assignment, *([edition_part] if edition_part else []), student_part]) + ".receipt.json"


class ReceiptFile:
    """The file with a student's answers (receipt), which is rewritten after each answer."""

    def __init__(self, path: Path, receipt: Receipt) -> None:
        self.path = path
        self._lock = Path(gettempdir(), f"durak-{sha256(os.path.realpath(path).encode(errors='replace')).hexdigest()[:16]}")
        """The lock file, which is in another folder to keep the folder of the homework clean."""
        self._blank_receipt = receipt
        """A receipt that contains the student's name and the assignment, but no answers."""
        self.write_error = ""
        """The reason why the file can't be written; empty if it can."""
        self.set_aside_as: tuple[str, str] | None = None
        """The name that an unusable file has now, and the reason; None otherwise.

        It is the file's new name, or its old one if the file could not be renamed.
        """

    def load_answers(self) -> dict[str, StoredAnswer]:
        """Load a student's answers from the receipt file.

        A file that is unreadable, or that belongs to another student, is renamed.
        """
        try:
            return dict(self._load_receipt().answers)
        except FileNotFoundError:
            return {}
        except DurakError as error:
            self._set_aside(str(error))
        except (OSError, RecursionError) as error:
            self._set_aside(_format_error(error))
        return {}

    def _load_receipt(self) -> Receipt:
        """Load the student's answers (receipt); reject a file for another student or assignment."""
        data = read_bytes_if_exists(self.path, MAX_BYTES)
        if data is None:
            raise FileNotFoundError
        receipt = parse_receipt(data)
        own_receipt = self._blank_receipt
        if (receipt.assignment, receipt.edition, normalize_name(receipt.student)) != (
            own_receipt.assignment,
            own_receipt.edition,
            normalize_name(own_receipt.student),
        ):
            edition = f" {receipt.edition}" if receipt.edition else ""
            raise DurakError(f"it is for {receipt.student}, {receipt.assignment}{edition}")
        return receipt

    def _set_aside(self, reason: str) -> None:
        """Rename an unusable file of answers (receipt file), so that a new file can be written."""
        stem = self.path.name.removesuffix(".json")
        names: Iterable[str] = chain([f"{stem}.unreadable"], (f"{stem}.unreadable.{number}" for number in count(2)))
        try:
            new_path = next(path for path in map(self.path.with_name, names) if not path.exists() and not path.is_symlink())
            self.path.rename(new_path)
            self.set_aside_as = new_path.name, reason
        except OSError as error:
            self.set_aside_as, self.write_error = (self.path.name, reason), _format_error(error)

    def save_answers(self, answers: Mapping[str, StoredAnswer], *, changed_questions: Iterable[str]) -> bool:
        """Save a student's answers to the receipt file; return whether the file was written.

        Answers to questions outside `changed_questions` are not overwritten if another notebook has saved them.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with file_lock(str(self._lock)):
                saved: Mapping[str, StoredAnswer] = {}
                try:
                    saved = self._load_receipt().answers
                except FileNotFoundError:
                    pass
                except DurakError as error:
                    self._set_aside(str(error))
                merged = {**answers, **saved, **{name: answers[name] for name in changed_questions}}
                replace_text(self.path, self._blank_receipt._replace(answers=merged).to_text())
        except (OSError, RecursionError) as error:
            self.write_error = _format_error(error)
            return False
        self.write_error = ""
        return True


def _format_error(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or errno.errorcode[errno.EINVAL]


def format_current_time() -> str:
    """Return the current time in UTC, in the format of receipts.

    >>> parse_time_text(format_current_time()) == format_current_time()[:20]
    True
    """
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_time_text(value: object) -> str:
    """Return a time that a receipt file contains, or "" if the time is not valid.

    >>> parse_time_text("2027-03-01T21:15:00Z"), parse_time_text("2027-02-31T21:15:00Z"), parse_time_text("yesterday"), parse_time_text(None)
    ('2027-03-01T21:15:00Z', '', '', '')
    """
    if not isinstance(value, str) or not _TIME_PATTERN.fullmatch(value):
        return ""
    try:
        _parse_moment(value)
    except ValueError:
        return ""
    return value


def parse_due_time(due: object) -> datetime:
    """Parse the due time of an assignment; a date without a time means the end of that day.

    If the time zone is missing, the time zone of the grader's computer is used.

    >>> parse_due_time("2027-03-01").strftime("%H:%M:%S"), parse_due_time("2027-03-01T23:59+02:00").isoformat()
    ('23:59:59', '2027-03-01T23:59:00+02:00')
    >>> parse_due_time("on Monday")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: due must be a day, such as 2027-03-01, or a time, such as 2027-03-01T23:59, not 'on Monday'
    """
    try:
        if isinstance(due, str) and _DAY_PATTERN.fullmatch(due.strip()):
            return datetime.combine(datetime.fromisoformat(due.strip()), time(23, 59, 59)).astimezone()
        if isinstance(due, str):
            due = datetime.fromisoformat(re.sub("[Zz]$", "+00:00", due.strip()))
        if isinstance(due, datetime):
            return due if due.tzinfo else due.astimezone()
    except (ValueError, OverflowError, OSError):
        pass
    raise DurakError(f"due must be a day, such as 2027-03-01, or a time, such as 2027-03-01T23:59, not {short_repr(due)}")


def is_stored_after(stored_at: str, due: datetime) -> bool:
    """Return whether an answer was stored after the due time; False if the time is unknown.

    >>> due = parse_due_time("2027-03-01T23:59Z")
    >>> is_stored_after("2027-03-01T23:59:00Z", due), is_stored_after("2027-03-02T00:00:00Z", due), is_stored_after("", due)
    (False, True, False)
    """
    return bool(stored_at) and _parse_moment(stored_at) > due


def format_time(moment: str | datetime, due: datetime) -> str:
    """Format a time in the time zone of the assignment's due time.

    >>> format_time("2027-03-01T22:30:00Z", parse_due_time("2027-03-01T23:59+02:00"))
    '2027-03-02 00:30'
    """
    parsed = _parse_moment(moment) if isinstance(moment, str) else moment
    return parsed.astimezone(due.tzinfo).strftime("%Y-%m-%d %H:%M")


def _parse_moment(text: str) -> datetime:
    """Parse a time in UTC, in the format of receipts."""
    return datetime.fromisoformat(text.removesuffix("Z") + "+00:00")
