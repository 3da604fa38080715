"""Files of questions that are handed out for sealed editions, without solutions.

Where a passphrase stays with the teacher, each student gets a file with the questions and no key.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import path_of
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.base_exercise import kind_called
from durak_widget.exercises.blackboard_serialization import plain_words, words_again
from durak_widget.exercises.exercise import Exercise
from durak_widget.homework import exercise_snapshot as papers
from durak_widget.homework.assignment import Assignment, Question, known_as, student_name
from durak_widget.homework.keyless_exercise import Sealed
from durak_widget.homework.receipt import file_name
from durak_widget.json_store import content, parsed_bytes
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from os import PathLike
    from random import Random

    from durak_widget.exercises.base_exercise import Task

FORMAT: Final = "durak_widget.questions/1"
"""Format of the file, by which it is recognized and skipped among submissions."""
ENDING: Final = ".questions.json"
_MOST_BYTES: Final = 2**25


def questions_file(assignment: Assignment, student: str) -> str:
    """Return the name of the file with a student's questions.

    >>> questions_file(Assignment("sums", "Sums", [Question("one", 1, "A sum", lambda lots: None)], "2027"), "Ann Lee")
    'sums-2027-ann-lee.questions.json'
    """
    return file_name(assignment.name, assignment.edition, student).removesuffix(".receipt.json") + ENDING


def ready_made(assignment: Assignment, student: str) -> str:
    """Return a student's questions as the text of a file, without random seeds or keys.

    An exercise that can't be handed out in this way is refused.
    """
    question_dicts: list[dict[str, Any]] = []
    for number, question in enumerate(assignment.questions, 1):
        exercise = assignment.task(question.name, student)
        snapshot = (
            papers.plain(papers.paper_of(exercise))
            if isinstance(exercise, Exercise) and exercise.on_paper is not None
            else exercise.ready_made()
        )
        if snapshot is None:
            raise RefusedError("class.word.screen", number=str(number))
        kind = (exercise.called or exercise.kind) if snapshot.get("kind") is None else "paper"
        question_dicts.append(
            {
                "name": question.name,
                "points": question.points,
                "title": plain_words(question.title),
                "kind": question.kind,
                "as": kind,
                "asked": snapshot,
            }
        )
    head = {
        "assignment": assignment.name,
        "edition": assignment.edition,
        "student": student_name(student),
        "title": plain_words(assignment.title),
    }
    content = {**head, "questions": question_dicts}
    text = json.dumps({"format": FORMAT, "sum": _sum(content), **content}, ensure_ascii=False, indent=None, separators=(", ", ": "))
    return text + "\n"


def _sum(whole: dict[str, Any]) -> str:
    """Return a checksum that reveals a file that was cut or changed by mistake."""
    return sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:16]


class ReadyMade(Assignment):
    """A student's assignment from a file: it stores answers, and the teacher grades them."""

    def __init__(self, found: dict[str, Any], file: str) -> None:
        """Load the data of a file; `RefusedError` says that it was changed."""
        try:
            stored_questions = found["questions"]
            questions = [
                Question(stored["name"], stored["points"], words_again(stored["title"]), _undrawn, stored["kind"])
                for stored in stored_questions
            ]
            super().__init__(found["assignment"], words_again(found["title"]), questions, found["edition"])
            self.student = student_name(found["student"])
        except (TypeError, KeyError, DurakError):
            raise RefusedError("class.word.broken", file=file) from None
        self._asked, self._file = stored_questions, file

    def task(self, question: object, student: str) -> Task:
        """Return the exercise from the file, in the form that stores answers."""
        if known_as(student) != known_as(self.student):
            raise RefusedError("class.word.theirs", file=self._file, student=self.student, edition=self.edition)
        index = self.place(question)
        try:
            snapshot, kind = self._asked[index]["asked"], self._asked[index]["as"]
            exercise: Task = (
                Sealed(papers.checked(snapshot), later=True) if kind == "paper" else kind_called(kind).from_ready_made(snapshot)
            )
        except (TypeError, KeyError, AttributeError, DurakError):
            raise RefusedError("class.word.broken", file=self._file) from None
        if not exercise.keeps:
            exercise.keep()
        exercise.number = index + 1
        return exercise


def _undrawn(lots: Random) -> Task:  # noqa: ARG001 - nothing is drawn
    raise DurakError("these questions were handed out ready-made: nothing is drawn here")


def taken_up(path: str | PathLike[str], student: str, edition: str = "") -> ReadyMade:
    """Load a student's questions from the file in which they were handed out."""
    name = path_of(path)
    displayed_name = Path(name).name
    try:
        data = content(Path(name), _MOST_BYTES)
    except OSError as error:
        raise RefusedError("class.word.missing", file=displayed_name, why=error.strerror or type(error).__name__) from None
    if data is None:
        raise RefusedError("class.word.missing", file=displayed_name, why=name)
    parsed, is_complete = parsed_bytes(data)
    if not isinstance(parsed, dict) or not is_complete or parsed.get("format") != FORMAT:
        raise RefusedError("class.word.broken", file=displayed_name)
    fields = {key: value for key, value in parsed.items() if key not in ("format", "sum")}
    if parsed.get("sum") != _sum(fields):
        raise RefusedError("class.word.broken", file=displayed_name)
    assignment = ReadyMade(fields, displayed_name)
    if known_as(student) != known_as(assignment.student) or edition not in ("", assignment.edition):
        raise RefusedError("class.word.theirs", file=displayed_name, student=assignment.student, edition=assignment.edition or quoted(""))
    return assignment
