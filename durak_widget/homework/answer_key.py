"""The teacher's answer key: a student's questions with solutions, worked out on demand."""

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
    """The solutions of one student's questions.

    `key[3]` is the third question with its solution; `print(key.told(3))` shows it as text.
    """

    def __init__(self, assignment: Assignment, student: str, language: str | None) -> None:
        self.assignment, self.student = assignment, student_name(student)
        self._language = user_defaults.language() if language is None else language
        self._voice = Voice(self._language)

    def _made(self, question: int | str) -> Task:
        exercise = self.assignment.task(question, self.student)
        exercise.language = self._language
        return exercise

    def __getitem__(self, question: int | str) -> Task:
        exercise = self._made(question)
        exercise.reveal()
        return exercise

    def told(self, question: int | str) -> str:
        """Return a question, its answer, the reasons, and the value of each named mistake as text."""
        exercise = self._made(question)
        prompt, answer, mistakes = exercise.question, exercise.solution_line, exercise.mistakes_said
        heading = self._voice.say("class.sheet.answer")
        parts = [f"{heading}: {answer}"] if answer else [f"{heading}:", *map(_part_line, exercise.told_parts())]
        lines = [prompt, *parts, self._in_code(question, exercise.solution), exercise.reveal()]
        if mistakes:
            lines += [f"{self._voice.say('class.sheet.mistakes')}:", *(f"  {value}  {message}" for value, message in mistakes.items())]
        if exercise.answers is not None:
            key = "class.sheet.sealed" if tells(exercise) else "class.sheet.unsealed"
            lines.append(self._voice.say(key, count=str(possible(exercise))))
        return "\n".join(line if line.startswith(_CODE) else _wrapped(line) for line in "\n".join(lines).splitlines())

    def _in_code(self, question: int | str, solution: object) -> str:
        """Return the line of code that gives this answer."""
        name = self.assignment.questions[self.assignment.place(question)].name
        return f"{_CODE}{json.dumps(name)}, {_literal(solution)})"

    def __repr__(self) -> str:
        parts = (f"{number}. {self.told(number)}" for number in range(1, len(self.assignment.questions) + 1))
        return "\n\n".join(parts)


def _part_line(part: AnswerPart) -> str:
    """Return a part of an answer as a line: its location and its value."""
    return f"  {part.where}: {part.said}" if part.where else f"  {part.said}"


def _literal(value: object) -> str:
    """Return an answer as a Python literal.

    >>> from fractions import Fraction
    >>> _literal({3: ("1", Fraction(1, 2)), "a": [True, None]})
    "{3: ['1', '1/2'], 'a': [True, None]}"
    """
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_literal(key)}: {_literal(item)}' for key, item in value.items())}}}"
    if isinstance(value, (list, tuple)) and not isinstance(value, str):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value) if isinstance(value, (bool, int, str)) or value is None else repr(str(value))


def _wrapped(line: str) -> str:
    """Wrap a line of text, since notebooks break long output at any letter."""
    return fill(line, _WIDEST, subsequent_indent="    " if line.startswith(" ") else "", break_on_hyphens=False, break_long_words=False)


def key(assignment: Assignment | str, *, student: str, edition: str = "", language: str | None = None, word: object = None) -> Key:
    """Return the solutions of a student's questions, for the teacher.

    If a passphrase draws the questions, `word` is that passphrase or the file that keeps it.

    >>> print(key("econ431", student="Guest", edition="2027").told("how-likely").splitlines()[2])
    Answer: 101/143
    """
    return Key(assignment_of(assignment, edition).opened(word), student, language)
