"""Files with a student's questions but no solutions, for editions that have a passphrase.

If an edition has a passphrase that only the teacher knows, each student gets a file with the questions and without an answer key.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import require_path
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.base_exercise import find_exercise_class
from durak_widget.exercises.blackboard_serialization import parse_translations, translate_to_all_languages
from durak_widget.exercises.exercise import Exercise
from durak_widget.homework import exercise_snapshot
from durak_widget.homework.assignment import Assignment, Question, normalize_name, require_student_name
from durak_widget.homework.keyless_exercise import KeylessExercise
from durak_widget.homework.receipt import format_receipt_file_name
from durak_widget.json_store import parse_json_bytes, read_bytes_if_exists, rename_keys
from durak_widget.translated_errors import RefusedError, explain_error

if TYPE_CHECKING:
    from os import PathLike
    from random import Random

    from durak_widget.exercises.base_exercise import Task

FORMAT: Final = "durak_widget.questions/2"
"""The format name in each file of questions, with the version of the format."""
_FORMAT_1: Final = "durak_widget.questions/1"
_FORMER_KEYS: Final = {"as": "exercise_kind", "asked": "exercise"}
"""Renamed keys of a question: each key of version 1, and the present key."""
QUESTIONS_FILE_SUFFIX: Final = ".questions.json"
_MAX_BYTES: Final = 2**25


def format_questions_file_name(assignment: Assignment, student: str) -> str:
    """Return the name of the file that contains a student's questions.

    >>> format_questions_file_name(Assignment("sums", "Sums", [Question("one", 1, "A sum", lambda lots: None)], "2027"), "Ann Lee")
    'sums-2027-ann-lee.questions.json'
    """
    return format_receipt_file_name(assignment.name, assignment.edition, student).removesuffix(".receipt.json") + QUESTIONS_FILE_SUFFIX


def format_questions_file(assignment: Assignment, student: str) -> str:
    """Return a student's questions as JSON text, without random seeds or answer keys.

    Raises a `RefusedError` for an exercise that can't be handed out in this way.
    """
    question_dicts: list[dict[str, Any]] = []
    for number, question in enumerate(assignment.questions, 1):
        exercise = assignment.create_exercise(question.name, student)
        snapshot = (
            exercise_snapshot.snapshot_to_dict(exercise_snapshot.take_snapshot(exercise))
            if isinstance(exercise, Exercise) and exercise.answer_form is not None
            else exercise.to_snapshot()
        )
        if snapshot is None:
            raise RefusedError("class.word.screen", number=str(number))
        kind = (exercise.assignment_kind or exercise.kind) if snapshot.get("kind") is None else "paper"
        question_dicts.append(
            {
                "name": question.name,
                "points": question.points,
                "title": translate_to_all_languages(question.title),
                "kind": question.kind,
                "exercise_kind": kind,
                "exercise": snapshot,
            }
        )
    header = {
        "assignment": assignment.name,
        "edition": assignment.edition,
        "student": require_student_name(student),
        "title": translate_to_all_languages(assignment.title),
    }
    content = {**header, "questions": question_dicts}
    text = json.dumps(
        {"format": FORMAT, "sum": _compute_checksum(content), **content}, ensure_ascii=False, indent=None, separators=(", ", ": ")
    )
    return text + "\n"


def _compute_checksum(fields: dict[str, Any]) -> str:
    """Return a checksum that detects whether a file was truncated or accidentally changed."""
    return sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:16]


class HandedOutAssignment(Assignment):
    """A student's assignment that was loaded from a file of questions without answer keys.

    Its exercises store answers without grading them.
    """

    def __init__(self, data: dict[str, Any], displayed_name: str) -> None:
        """Load the assignment from the data of a file; raise an error if the data was changed."""
        try:
            stored_questions = [rename_keys(stored, _FORMER_KEYS) for stored in data["questions"]]
            questions = [
                Question(stored["name"], stored["points"], parse_translations(stored["title"]), _refuse_to_draw, stored["kind"])
                for stored in stored_questions
            ]
            super().__init__(data["assignment"], parse_translations(data["title"]), questions, data["edition"])
            self.student = require_student_name(data["student"])
        except (AttributeError, TypeError, KeyError, DurakError):
            raise RefusedError("class.word.broken", file=displayed_name) from None
        self._stored_questions, self._displayed_name = stored_questions, displayed_name

    def create_exercise(self, question: object, student: str) -> Task:
        """Create an exercise from the file of questions, to store answers without grading."""
        if normalize_name(student) != normalize_name(self.student):
            raise RefusedError("class.word.theirs", file=self._displayed_name, student=self.student, edition=self.edition)
        index = self.find_question_index(question)
        try:
            snapshot, exercise_kind = self._stored_questions[index]["exercise"], self._stored_questions[index]["exercise_kind"]
            exercise: Task = (
                KeylessExercise(exercise_snapshot.snapshot_from_dict(snapshot), hides_result=True)
                if exercise_kind == "paper"
                else find_exercise_class(exercise_kind).from_snapshot(snapshot)
            )
        except (TypeError, KeyError, AttributeError, DurakError):
            raise RefusedError("class.word.broken", file=self._displayed_name) from None
        if not exercise.is_grading_deferred:
            exercise.defer_grading()
        exercise.number = index + 1
        return exercise


def _refuse_to_draw(rng: Random) -> Task:  # noqa: ARG001 - the function always raises
    """Raise an error, since an assignment from a file can't draw other random questions."""
    raise DurakError("this file has fixed questions, made with a passphrase; new ones cannot be drawn from it")


def is_questions_format(name: object) -> bool:
    """Return whether `name` is the name of a format for files of questions.

    >>> is_questions_format("durak_widget.questions/1"), is_questions_format("durak_widget.receipt/2")
    (True, False)
    """
    return name in (FORMAT, _FORMAT_1)


def load_questions_file(path: str | PathLike[str], student: str, edition: str = "") -> HandedOutAssignment:
    """Load a student's questions from a file that the teacher has handed out."""
    name = require_path(path)
    displayed_name = Path(name).name
    try:
        data = read_bytes_if_exists(Path(name), _MAX_BYTES)
    except OSError as error:
        raise RefusedError("class.word.missing", file=displayed_name, why=explain_error(error)) from None
    if data is None:
        raise RefusedError("class.word.missing", file=displayed_name, why=name)
    parsed, is_complete = parse_json_bytes(data)
    if not isinstance(parsed, dict) or not is_complete or not is_questions_format(parsed.get("format")):
        raise RefusedError("class.word.broken", file=displayed_name)
    fields = {key: value for key, value in parsed.items() if key not in ("format", "sum")}
    if parsed.get("sum") != _compute_checksum(fields):
        raise RefusedError("class.word.broken", file=displayed_name)
    assignment = HandedOutAssignment(fields, displayed_name)
    if normalize_name(student) != normalize_name(assignment.student) or edition not in ("", assignment.edition):
        raise RefusedError(
            "class.word.theirs", file=displayed_name, student=assignment.student, edition=assignment.edition or short_repr("")
        )
    return assignment
