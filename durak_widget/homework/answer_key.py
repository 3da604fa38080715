"""A teacher's key: a student's questions with their solutions, each worked out when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Final

from durak_widget.homework.answer_hashes import possible, tells
from durak_widget.homework.assignment import assignment_of, student_name
from durak_widget.i18n import Voice
from durak_widget.widgets import user_defaults

if TYPE_CHECKING:
    from durak_widget.exercises.answer_form import AnswerPart
    from durak_widget.exercises.base_exercise import Task
    from durak_widget.homework.assignment import Assignment

_WIDEST: Final = 100
_CODE: Final = "homework.answer("


class Key:
    """The solutions of one student's questions: `key[3]` is the third with its solution, `print(key.told(3))` says it in words."""

    def __init__(self, assignment: Assignment, student: str, language: str | None) -> None:
        self.assignment, self.student = assignment, student_name(student)
        self._language = user_defaults.language() if language is None else language
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
        asked, answer, mistakes = task.question, task.solution_line, task.mistakes_said
        head = self._voice.say("class.sheet.answer")
        parts = [f"{head}: {answer}"] if answer else [f"{head}:", *map(_part_line, task.told_parts())]
        said = [asked, *parts, self._in_code(question, task.solution), task.reveal()]
        if mistakes:
            said += [f"{self._voice.say('class.sheet.mistakes')}:", *(f"  {value}  {why}" for value, why in mistakes.items())]
        if task.answers is not None:
            key = "class.sheet.sealed" if tells(task) else "class.sheet.unsealed"
            said.append(self._voice.say(key, count=str(possible(task))))
        return "\n".join(line if line.startswith(_CODE) else _wrapped(line) for line in "\n".join(said).splitlines())

    def _in_code(self, question: int | str, solution: object) -> str:
        """Return the line of code that gives this answer, whole in one line."""
        name = self.assignment.questions[self.assignment.place(question)].name
        return f"{_CODE}{json.dumps(name)}, {_literal(solution)})"

    def __repr__(self) -> str:
        parts = (f"{place}. {self.told(place)}" for place in range(1, len(self.assignment.questions) + 1))
        return "\n\n".join(parts)


def _part_line(part: AnswerPart) -> str:
    """Return a part of an answer in a line: where it stands, and what stands there."""
    return f"  {part.where}: {part.said}" if part.where else f"  {part.said}"


def _literal(value: object) -> str:
    """Return an answer as Python writes it.

    >>> from fractions import Fraction
    >>> _literal({3: ("1", Fraction(1, 2)), "a": [True, None]})
    "{3: ['1', '1/2'], 'a': [True, None]}"
    """
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_literal(key)}: {_literal(one)}' for key, one in value.items())}}}"
    if isinstance(value, (list, tuple)) and not isinstance(value, str):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value) if isinstance(value, (bool, int, str)) or value is None else repr(str(value))


def _wrapped(line: str) -> str:
    """In lines that stay whole: notebooks break what is printed wherever it ends."""
    return fill(line, _WIDEST, subsequent_indent="    " if line.startswith(" ") else "", break_on_hyphens=False, break_long_words=False)


def key(assignment: Assignment | str, *, student: str, edition: str = "", language: str | None = None, word: object = None) -> Key:
    """The solutions of a student's questions, for whoever marks them; where they are drawn by a `word`, for whoever has it, or the file that keeps it.

    >>> print(key("econ431", student="Guest", edition="2027").told("how-likely").splitlines()[2])
    Answer: 101/143
    """
    return Key(assignment_of(assignment, edition).opened(word), student, language)
