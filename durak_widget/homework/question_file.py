"""Questions that are handed out ready-made, where a word stays with the teacher: a file for each student with what is asked, and nothing of what is right."""

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
"""What comes back with homework is known by it, and looked over."""
ENDING: Final = ".questions.json"
_MOST_BYTES: Final = 2**25


def questions_file(assignment: Assignment, student: str) -> str:
    """The name of the file with a student's questions.

    >>> questions_file(Assignment("sums", "Sums", [Question("one", 1, "A sum", lambda lots: None)], "2027"), "Ann Lee")
    'sums-2027-ann-lee.questions.json'
    """
    return file_name(assignment.name, assignment.edition, student).removesuffix(".receipt.json") + ENDING


def ready_made(assignment: Assignment, student: str) -> str:
    """The questions of a student as a text: what is asked of each, as it is shown, and neither lots nor keys.

    What needs more than can be handed out so is refused in a sentence.
    """
    made: list[dict[str, Any]] = []
    for number, question in enumerate(assignment.questions, 1):
        task = assignment.task(question.name, student)
        asked = papers.plain(papers.paper_of(task)) if isinstance(task, Exercise) and task.on_paper is not None else task.ready_made()
        if asked is None:
            raise RefusedError("class.word.screen", number=str(number))
        kind = (task.called or task.kind) if asked.get("kind") is None else "paper"
        made.append(
            {
                "name": question.name,
                "points": question.points,
                "title": plain_words(question.title),
                "kind": question.kind,
                "as": kind,
                "asked": asked,
            }
        )
    head = {
        "assignment": assignment.name,
        "edition": assignment.edition,
        "student": student_name(student),
        "title": plain_words(assignment.title),
    }
    whole = {**head, "questions": made}
    text = json.dumps({"format": FORMAT, "sum": _sum(whole), **whole}, ensure_ascii=False, indent=None, separators=(", ", ": "))
    return text + "\n"


def _sum(whole: dict[str, Any]) -> str:
    """By this a file is known that was cut or changed by mistake."""
    return sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:16]


class ReadyMade(Assignment):
    """An assignment of one student as it was handed out: its questions keep answers, and are marked by whoever has the word."""

    def __init__(self, found: dict[str, Any], file: str) -> None:
        """Take what a file holds; a `RefusedError` says that it is not as it was handed out."""
        try:
            asked = found["questions"]
            questions = [Question(one["name"], one["points"], words_again(one["title"]), _undrawn, one["kind"]) for one in asked]
            super().__init__(found["assignment"], words_again(found["title"]), questions, found["edition"])
            self.student = student_name(found["student"])
        except (TypeError, KeyError, DurakError):
            raise RefusedError("class.word.broken", file=file) from None
        self._asked, self._file = asked, file

    def task(self, question: object, student: str) -> Task:
        """What was handed out there, in the form that keeps answers."""
        if known_as(student) != known_as(self.student):
            raise RefusedError("class.word.theirs", file=self._file, student=self.student, edition=self.edition)
        place = self.place(question)
        try:
            asked, kind = self._asked[place]["asked"], self._asked[place]["as"]
            task: Task = Sealed(papers.checked(asked), later=True) if kind == "paper" else kind_called(kind).from_ready_made(asked)
        except (TypeError, KeyError, AttributeError, DurakError):
            raise RefusedError("class.word.broken", file=self._file) from None
        if not task.keeps:
            task.keep()
        task.number = place + 1
        return task


def _undrawn(lots: Random) -> Task:  # noqa: ARG001 - nothing is drawn
    raise DurakError("these questions were handed out ready-made: nothing is drawn here")


def taken_up(path: str | PathLike[str], student: str, edition: str = "") -> ReadyMade:
    """The questions of a student from the file in which they were handed out."""
    name = path_of(path)
    file = Path(name).name
    try:
        data = content(Path(name), _MOST_BYTES)
    except OSError as error:
        raise RefusedError("class.word.missing", file=file, why=error.strerror or type(error).__name__) from None
    if data is None:
        raise RefusedError("class.word.missing", file=file, why=name)
    found, whole = parsed_bytes(data)
    if not isinstance(found, dict) or not whole or found.get("format") != FORMAT:
        raise RefusedError("class.word.broken", file=file)
    told = {key: value for key, value in found.items() if key not in ("format", "sum")}
    if found.get("sum") != _sum(told):
        raise RefusedError("class.word.broken", file=file)
    made = ReadyMade(told, file)
    if known_as(student) != known_as(made.student) or edition not in ("", made.edition):
        raise RefusedError("class.word.theirs", file=file, student=made.student, edition=made.edition or quoted(""))
    return made
