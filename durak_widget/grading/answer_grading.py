"""Grading of one answer: the student's instance is rebuilt, and credit is from 0 to 1.

The exercise itself says how much of the task is done, why, and which mistake was made. Code in an answer runs in the
sandbox.
"""

from __future__ import annotations

import ast
import warnings
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import ENDINGS, DurakError
from durak_widget.exercises.paper_form import read_by_hand
from durak_widget.homework.assignment import assignment_of
from durak_widget.i18n import Voice, language
from durak_widget.sandbox.code_runner import Confined, Limits
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from durak_widget.exercises.base_exercise import Task
    from durak_widget.grading.submissions import Given
    from durak_widget.homework.assignment import Assignment

_LONGEST: Final = 2000
_SURE: Final = {"__future__", "collections", "fractions", "functools", "itertools", "math", "operator", "typing"}
"""Modules that a program may import and still choose the same again."""
_UNSURE: Final = {"__import__", "eval", "exec", "frozenset", "globals", "hash", "id", "set", "vars"}
"""Names whose values differ between processes; sets differ by their order."""


class How(NamedTuple):
    """The settings by which answers are graded."""

    assignment: Assignment | str
    """A name if one finds the assignment, since its parts may not pass to another process."""
    edition: str
    language: str
    runs_code: bool
    limits: Limits
    questions: tuple[str, ...] = ()
    """Names of the questions that were asked; empty if all were."""
    word: str | None = None
    """Passphrase by which the questions were drawn; None if there is none."""

    @property
    def asked(self) -> Assignment:
        """Return the assignment with the questions that were asked."""
        assignment = assignment_of(self.assignment, self.edition).opened(self.word)
        return assignment.chosen(self.questions) if self.questions else assignment


class Answered(NamedTuple):
    """An answer of a student to a question, which is given by its index."""

    student: str
    place: int
    given: Given


class AnswerWorth(NamedTuple):
    """The grade of an answer: credit from 0 to 1, the mistake and the reason.

    Also the sandbox protections that were missing while its code ran.
    """

    credit: Fraction
    mistake: str
    said: str
    missing: frozenset[str] = frozenset()
    lasting: bool = False
    """True if grading again gives the same; False if a clock or chance may matter."""
    unread: bool = False
    """True if there is no credit because the answer is unreadable."""
    odd: str = ""
    """Message about unreadable parts of an answer whose other parts are readable."""


class _Unread(str):
    """A message about an answer that can't be read."""

    __slots__ = ()


def judged(how: How, answered: Answered) -> AnswerWorth:
    """Return the grade of an answer.

    If an answer in a cell can't be read or run, the answer in the receipt is graded.
    """
    assignment, voice, first_problem = how.asked, Voice(how.language), ""
    missing: set[str] = set()
    for answer in (answered.given.given, answered.given.other):
        if answer is None:
            continue
        try:
            exercise = assignment.task(answered.place + 1, answered.student)
            exercise.language, exercise.closed = how.language, True
            problem, verdict, unreadable_parts = _judge(how, exercise, answer, voice, missing)
            if not problem:
                explanation = _line(" ".join(part for part in (verdict or voice.say("class.mark.open"), unreadable_parts) if part))
                is_unreadable = exercise.unreadable
                # an unreadable answer is graded again every time, so that it is reported again
                is_reproducible = not first_problem and not is_unreadable and not unreadable_parts and _lasts(exercise, answer)
                return AnswerWorth(
                    credit(exercise),
                    exercise.mistake,
                    explanation,
                    frozenset(missing),
                    is_reproducible,
                    unread=is_unreadable,
                    odd=_line(unreadable_parts),
                )
        except ENDINGS as error:  # an answer that fails must not stop the grading of others
            problem = voice.say("class.mark.failed", kind=type(error).__name__[:60])
        first_problem = first_problem or problem
    return AnswerWorth(
        Fraction(0), "", _line(first_problem or voice.say("class.mark.none")), frozenset(missing), unread=isinstance(first_problem, _Unread)
    )


def _lasts(task: Task, given: Any) -> bool:  # noqa: ANN401 - whatever was given
    """Return whether grading this answer again would give the same."""
    return task.lasting and (not isinstance(given, dict) or "code" not in given or chooses_alike(given["code"]))


def _line(said: str) -> str:
    return "".join(char if char.isprintable() else " " for char in said[:_LONGEST])


def _judge(how: How, task: Task, given: Any, voice: Voice, missing: set[str]) -> tuple[str, str, str]:  # noqa: ANN401 - whatever was given
    """Return the problem that prevents grading, else the verdict and the unreadable parts.

    The answer's code is never handed to the exercise, which would run it in this process.
    """
    try:
        if not (isinstance(given, dict) and "code" in given):
            return _of_values(task, given, voice)
        if not task.takes_code:
            return _Unread(voice.say("class.mark.no_code")), "", ""
        if not how.runs_code:
            return voice.say("class.code.unasked"), "", ""
        with Confined(given["code"], how.limits) as code:
            try:
                return "", str(task.answer(task.as_answer(code))), ""
            except DurakError:
                if code.trouble is None:
                    raise
                return code.trouble.said(how.language), "", ""
            finally:
                missing |= code.missing
    except DurakError as error:
        return _Unread(voice.say("class.mark.unread", said=_why_unread(error, voice))), "", ""


def _why_unread(error: DurakError, voice: Voice) -> str:
    """Return why an answer is unreadable, without repeating that it is."""
    if not isinstance(error, RefusedError):
        return str(error)
    short_key = f"{error.key}.marked"
    return voice.say(short_key if short_key in language("en").sentences else error.key, **error.facts)


def _of_values(task: Task, given: Any, voice: Voice) -> tuple[str, str, str]:  # noqa: ANN401 - whatever was given
    """Grade an answer that is not code.

    Of an answer typed from paper, the readable parts count if the question has parts.
    """
    answer, unreadable_parts = read_by_hand(task, given)
    if answer is None:
        return voice.say("class.mark.none"), "", ""
    messages = " ".join(voice.say(part.fact.key, **part.fact.facts) for part in unreadable_parts)
    try:
        return "", str(task.answer(answer)), messages
    except DurakError:
        if not unreadable_parts:
            raise
        message = voice.say("lesson.hand.whole", said=_why_unread(unreadable_parts[0].why, voice))
        return _Unread(voice.say("class.mark.unread", said=message)), "", ""


def chooses_alike(code: str) -> bool:
    r"""Return whether a program always chooses the same: no chance, clock or set order.

    >>> chooses_alike("def choose(view, rng):\n    return rng.choice(view.legal_moves())")
    True
    >>> chooses_alike("import random\ndef choose(view):\n    return random.choice(view.legal_moves())")
    False
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # style warnings about the student's code
            nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in nodes:
        imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        imported += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
        is_nondeterministic = isinstance(node, (ast.Set, ast.SetComp)) or (isinstance(node, ast.Name) and node.id in _UNSURE)
        if is_nondeterministic or not all(name.partition(".")[0] in _SURE for name in imported):
            return False
    return True


def credit(task: Task) -> Fraction:
    """Return how much of the exercise is done by its last answer; 0 if the solution was shown.

    >>> from durak_widget.lessons import Pick
    >>> quiz = Pick.beaters("Tc", of="9c Jc Ah 6s Ts", trump="s")
    >>> [str(credit(quiz)) for cards in ("9c", "Jc", "Jc 6s", "Jc 6s Ah", "Jc 6s Ts") if quiz.answer(cards) is not None]
    ['0', '1/3', '2/3', '1/3', '1']
    """
    if task.revealed:
        return Fraction(0)
    share: Fraction | float | None = task.credit  # an exercise type of others may have None
    if share is None:
        share = Fraction(int(task.given is not None and task.check()))
    return min(max(Fraction(share).limit_denominator(10**6), Fraction(0)), Fraction(1))
