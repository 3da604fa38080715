"""A teacher's key: a student's questions with their solutions, each worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Final

from durak_widget.classroom.asking.assignment import assignment_of
from durak_widget.classroom.asking.lots import named
from durak_widget.classroom.handing.sealing import possible, tells
from durak_widget.lessons.boards.on_board import OnBoard
from durak_widget.lessons.kit.exercise import Exercise
from durak_widget.lessons.numbers.number import Number
from durak_widget.lessons.picking.asking import Choose
from durak_widget.widget import habits
from durak_widget.words import Voice

if TYPE_CHECKING:
    from durak_widget.classroom.asking.assignment import Assignment
    from durak_widget.lessons.kit.task import Task

_LONGEST: Final = 300
_WIDEST: Final = 100


class Key:
    """The solutions of one student's questions: `key[3]` is the third with its solution, `print(key.told(3))` says it in words."""

    def __init__(self, assignment: Assignment, student: str, language: str | None) -> None:
        self.assignment, self.student = assignment, named(student)
        self._language = habits.language() if language is None else language
        self._voice = Voice(self._language)

    def _made(self, question: int | str) -> Task:
        task = self.assignment.task(question, self.student)
        task.language = self._language
        return task

    def __getitem__(self, question: int | str) -> Task:
        task = self._made(question)
        task.reveal()
        return task

    def told(self, question: int | str) -> str:
        """The question, its answer and why, and what each mistake that is named would give."""
        task = self._made(question)
        asked, answer = task.question, "" if isinstance(task, OnBoard) and task.asks != "path" else _short(task.solution)
        if isinstance(task, Choose):
            answer = task._text(task._items()[answer])  # in the words that are clicked
        said = [asked, *([f"{self._voice.say('class.sheet.answer')}: {answer}"] if answer else []), task.reveal()]
        if isinstance(task, Number) and task.mistakes:
            said += [f"{self._voice.say('class.sheet.mistakes')}:"]
            said += [f"  {value}  {task._text(task.said_of(name))}" for name, value in task.mistakes.items()]
        if isinstance(task, Exercise):
            key = "class.sheet.sealed" if tells(task) else "class.sheet.unsealed"
            said.append(self._voice.say(key, count=str(possible(task))))
        return "\n".join(_wrapped(line) for line in "\n".join(said).splitlines())

    def __repr__(self) -> str:
        parts = (f"{place}. {self.told(place)}" for place in range(1, len(self.assignment.questions) + 1))
        return "\n\n".join(parts)


def _short(solution: object) -> str:
    """A solution in a line; nothing where it is long, or no row of words."""
    items = solution if isinstance(solution, (list, tuple)) else []
    text = ", ".join(map(str, items))
    return text if not isinstance(solution, Mapping) and all(isinstance(one, str) for one in items) and len(text) <= _LONGEST else ""


def _wrapped(line: str) -> str:
    """In lines that stay whole: notebooks break what is printed wherever it ends."""
    return fill(line, _WIDEST, subsequent_indent="    " if line.startswith(" ") else "", break_on_hyphens=False, break_long_words=False)


def key(assignment: Assignment | str, *, student: str, edition: str = "", language: str | None = None) -> Key:
    """The solutions of a student's questions, for whoever marks them.

    >>> print(key("econ431", student="Guest", edition="2027").told("how-likely").splitlines()[2])
    Answer: 101/143
    """
    return Key(assignment_of(assignment, edition), student, language)
