"""The teacher's answer key for one student: questions with solutions, computed on demand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Final

from durak_widget.homework.answer_hashes import can_check_immediately, count_possible_answers
from durak_widget.homework.assignment import require_student_name, resolve_assignment
from durak_widget.i18n import Translator
from durak_widget.widgets import user_defaults

if TYPE_CHECKING:
    from durak_widget.exercises.answer_form import AnswerPart
    from durak_widget.exercises.base_exercise import Task
    from durak_widget.homework.assignment import Assignment

_LINE_WIDTH: Final = 100
_CODE_PREFIX: Final = "homework.answer("


class Key:
    """The answer key for one student's questions, for the teacher.

    `key[3]` is the third question with its solution; `print(key.format_solution(3))` shows it as text.
    """

    def __init__(self, assignment: Assignment, student: str, language: str | None) -> None:
        self.assignment, self.student = assignment, require_student_name(student)
        self._language = user_defaults.get_language() if language is None else language
        self._voice = Translator(self._language)

    def _build_exercise(self, question: int | str) -> Task:
        """Create the exercise of a student's question, in the language of the answer key."""
        exercise = self.assignment.create_exercise(question, self.student)
        exercise.language = self._language
        return exercise

    def __getitem__(self, question: int | str) -> Task:
        exercise = self._build_exercise(question)
        exercise.reveal()
        return exercise

    def format_solution(self, question: int | str) -> str:
        """Return a question as text with its answer, the explanation and typical mistakes."""
        exercise = self._build_exercise(question)
        prompt, answer, mistakes = exercise.question, exercise.solution_line, exercise.mistake_messages
        heading = self._voice.translate("class.sheet.answer")
        parts = [f"{heading}: {answer}"] if answer else [f"{heading}:", *map(_format_part, exercise.describe_answer_parts())]
        lines = [prompt, *parts, self._format_code_line(question, exercise.solution), exercise.reveal()]
        if mistakes:
            lines += [
                f"{self._voice.translate('class.sheet.mistakes')}:",
                *(f"  {value}  {message}" for value, message in mistakes.items()),
            ]
        if exercise.answer_count is not None:
            key = "class.sheet.sealed" if can_check_immediately(exercise) else "class.sheet.unsealed"
            lines.append(self._voice.translate(key, count=str(count_possible_answers(exercise))))
        return "\n".join(line if line.startswith(_CODE_PREFIX) else _wrap_line(line) for line in "\n".join(lines).splitlines())

    told = format_solution  # The former name of the method, which older notebooks for teachers still call

    def _format_code_line(self, question: int | str, solution: object) -> str:
        """Return the line of Python code with which a student would submit the solution."""
        name = self.assignment.questions[self.assignment.find_question_index(question)].name
        return f"{_CODE_PREFIX}{json.dumps(name)}, {_format_literal(solution)})"

    def __repr__(self) -> str:
        parts = (f"{number}. {self.format_solution(number)}" for number in range(1, len(self.assignment.questions) + 1))
        return "\n\n".join(parts)


def _format_part(part: AnswerPart) -> str:
    """Format a part of an answer as one line of text: first its location, if it has one."""
    return f"  {part.location}: {part.text}" if part.location else f"  {part.text}"


def _format_literal(value: object) -> str:
    """Format an answer as a Python literal.

    >>> from fractions import Fraction
    >>> _format_literal({3: ("1", Fraction(1, 2)), "a": [True, None]})
    "{3: ['1', '1/2'], 'a': [True, None]}"
    """
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_format_literal(key)}: {_format_literal(item)}' for key, item in value.items())}}}"
    if isinstance(value, (list, tuple)) and not isinstance(value, str):
        return f"[{', '.join(map(_format_literal, value))}]"
    return repr(value) if isinstance(value, (bool, int, str)) or value is None else repr(str(value))


def _wrap_line(line: str) -> str:
    """Wrap a line of text between words, since notebooks would also break lines inside words."""
    return fill(line, _LINE_WIDTH, subsequent_indent="    " if line.startswith(" ") else "", break_on_hyphens=False, break_long_words=False)


def key(assignment: Assignment | str, *, student: str, edition: str = "", language: str | None = None, word: object = None) -> Key:
    """Return the answer key for one student's questions, for the teacher.

    If a passphrase seeds the questions, `word` is the passphrase or the file that stores it.

    >>> print(key("econ431", student="Guest", edition="2027").format_solution("how-likely").splitlines()[2])
    Answer: 101/143
    """
    return Key(resolve_assignment(assignment, edition).unlock(word), student, language)
