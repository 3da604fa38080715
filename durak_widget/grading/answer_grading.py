"""Grading of one answer to a question, of which each student has their own random version.

The exercise itself computes the credit, the reasons and the mistake. Code in an answer runs in the sandbox.
"""

from __future__ import annotations

import ast
import warnings
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import USER_CODE_EXCEPTIONS, DurakError, to_reportable_error
from durak_widget.exercises.paper_form import parse_paper_answer
from durak_widget.homework.assignment import resolve_assignment
from durak_widget.i18n import Translator, get_language
from durak_widget.sandbox.code_runner import Limits, SandboxedBot
from durak_widget.translated_errors import RefusedError, explain_error

if TYPE_CHECKING:
    from durak_widget.exercises.base_exercise import Task
    from durak_widget.grading.submissions import CountedAnswer
    from durak_widget.homework.assignment import Assignment

_MAX_MESSAGE_LENGTH: Final = 2000
_DETERMINISTIC_MODULES: Final = {"__future__", "collections", "fractions", "functools", "itertools", "math", "operator", "typing"}
"""The modules that a program may import and still be regarded as deterministic."""
_NONDETERMINISTIC_NAMES: Final = {"__import__", "eval", "exec", "frozenset", "globals", "hash", "id", "set", "vars"}
"""Names that make the package treat a program as nondeterministic, such as `set`, whose order can vary."""


class GradingSettings(NamedTuple):
    """The settings that apply to the grading of all answers in a folder."""

    assignment: Assignment | str
    """The assignment; or only its name, for an assignment that can be found by name.

    Not every assignment object can be sent to another process.
    """
    edition: str
    language: str
    runs_code: bool
    limits: Limits
    questions: tuple[str, ...] = ()
    """The names of the questions that the school class was asked; empty if it was asked all questions."""
    passphrase: str | None = None
    """The passphrase on which the random questions depend; None if this edition of the assignment has no passphrase."""

    @property
    def drawable_assignment(self) -> Assignment:
        """Return the assignment with only the questions that the school class was asked."""
        assignment = resolve_assignment(self.assignment, self.edition).unlock(self.passphrase)
        return assignment.select_questions(self.questions) if self.questions else assignment


class SubmittedAnswer(NamedTuple):
    """A student's answer to one question of an assignment."""

    student: str
    question_index: int
    counted_answer: CountedAnswer


class GradedAnswer(NamedTuple):
    """The grade of an answer: credit from 0 to 1, the mistake and an explanation.

    It also names the sandbox protections that were missing while a program ran.
    """

    credit: Fraction
    mistake_name: str
    explanation: str
    missing_protections: frozenset[str] = frozenset()
    is_reproducible: bool = False
    """True if this grade is certain to be the same when the answer is graded again.

    It is False if a clock or chance can affect the grade.
    """
    is_unreadable: bool = False
    """True if the answer gets no credit because the package can't read it."""
    unreadable_message: str = ""
    """A message about the unreadable parts of an answer, the rest of which is readable."""


class _UnreadableMessage(str):
    """A message about an answer that can't be read."""

    __slots__ = ()


def grade_answer(settings: GradingSettings, submitted: SubmittedAnswer) -> GradedAnswer:
    """Grade a student's answer to one question.

    If the answer in a notebook cell can't be read or run, the answer in the receipt is graded.
    """
    assignment, voice, first_problem = settings.drawable_assignment, Translator(settings.language), ""
    missing: set[str] = set()
    for answer in (submitted.counted_answer.answer, submitted.counted_answer.fallback_answer):
        if answer is None:
            continue
        try:
            exercise = assignment.create_exercise(submitted.question_index + 1, submitted.student)
            exercise.language, exercise.is_closed = settings.language, True
            problem, verdict, unreadable_parts = _grade_with_exercise(settings, exercise, answer, voice, missing)
            if not problem:
                explanation = _clean_message(
                    " ".join(part for part in (verdict or voice.translate("class.mark.open"), unreadable_parts) if part)
                )
                is_unreadable = exercise.is_unreadable
                # Never cache the grade of an unreadable answer, so that each grading run reports it again
                is_reproducible = not first_problem and not is_unreadable and not unreadable_parts and _is_reproducible(exercise, answer)
                return GradedAnswer(
                    compute_credit(exercise),
                    exercise.mistake_name,
                    explanation,
                    frozenset(missing),
                    is_reproducible,
                    is_unreadable=is_unreadable,
                    unreadable_message=_clean_message(unreadable_parts),
                )
        except USER_CODE_EXCEPTIONS as error:  # An error in one answer must not stop the grading of other answers
            problem = voice.translate("class.mark.failed", kind=explain_error(to_reportable_error(error)))
        first_problem = first_problem or problem
    return GradedAnswer(
        Fraction(0),
        "",
        _clean_message(first_problem or voice.translate("class.mark.none")),
        frozenset(missing),
        is_unreadable=isinstance(first_problem, _UnreadableMessage),
    )


def _is_reproducible(exercise: Task, answer: Any) -> bool:  # noqa: ANN401 - any value
    """Return whether grading an answer again is certain to give the same grade."""
    return exercise.is_reproducible and (not isinstance(answer, dict) or "code" not in answer or is_deterministic_program(answer["code"]))


def _clean_message(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text[:_MAX_MESSAGE_LENGTH])


def _grade_with_exercise(
    settings: GradingSettings,
    exercise: Task,
    answer: Any,  # noqa: ANN401 - any value
    voice: Translator,
    missing: set[str],
) -> tuple[str, str, str]:
    """Grade an answer; return three texts: a problem, the verdict, a note on unreadable parts.

    A text that does not apply is empty.

    A program never runs in the exercise's own process.
    """
    try:
        if not (isinstance(answer, dict) and "code" in answer):
            return _grade_values(exercise, answer, voice)
        if not exercise.takes_code:
            return _UnreadableMessage(voice.translate("class.mark.no_code")), "", ""
        if not settings.runs_code:
            return voice.translate("class.code.unasked"), "", ""
        with SandboxedBot(answer["code"], settings.limits) as code:
            try:
                return "", str(exercise.answer(exercise.answer_from_code(code))), ""
            except DurakError:
                if code.error is None:
                    raise
                return code.error.to_text(settings.language), "", ""
            finally:
                missing |= code.missing_restrictions
    except DurakError as error:
        return _UnreadableMessage(voice.translate("class.mark.unread", said=_explain_unreadable(error, voice))), "", ""


def _explain_unreadable(error: DurakError, voice: Translator) -> str:
    """Return the reason why an answer is unreadable, without saying that it is unreadable."""
    if not isinstance(error, RefusedError):
        return str(error)
    short_key = f"{error.key}.marked"
    return voice.translate(short_key if short_key in get_language("en").sentences else error.key, **error.facts)


def _grade_values(exercise: Task, raw_answer: Any, voice: Translator) -> tuple[str, str, str]:  # noqa: ANN401 - any value
    """Grade an answer that is not a program.

    If an answer typed from paper has unreadable parts, its readable parts are graded, if the question has parts.
    """
    answer, unreadable_parts = parse_paper_answer(exercise, raw_answer)
    if answer is None:
        return voice.translate("class.mark.none"), "", ""
    messages = " ".join(voice.translate(part.message.key, **part.message.facts) for part in unreadable_parts)
    try:
        return "", str(exercise.answer(answer)), messages
    except DurakError:
        if not unreadable_parts:
            raise
        message = voice.translate("lesson.hand.whole", said=_explain_unreadable(unreadable_parts[0].error, voice))
        return _UnreadableMessage(voice.translate("class.mark.unread", said=message)), "", ""


def is_deterministic_program(code: str) -> bool:
    r"""Return whether a program is certain to make the same choices in every run.

    >>> is_deterministic_program("def choose(view, rng):\n    return rng.choice(view.legal_moves())")
    True
    >>> is_deterministic_program("import random\ndef choose(view):\n    return random.choice(view.legal_moves())")
    False
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Style warnings about the student's code must not be shown to the teacher
            nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in nodes:
        imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        imported += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
        is_nondeterministic = isinstance(node, (ast.Set, ast.SetComp)) or (
            isinstance(node, ast.Name) and node.id in _NONDETERMINISTIC_NAMES
        )
        if is_nondeterministic or not all(name.partition(".")[0] in _DETERMINISTIC_MODULES for name in imported):
            return False
    return True


def compute_credit(exercise: Task) -> Fraction:
    """Return the credit for a student's last answer; 0 if they have looked at the solution.

    >>> from durak_widget.lessons import Pick
    >>> quiz = Pick.beaters("Tc", of="9c Jc Ah 6s Ts", trump="s")
    >>> [str(compute_credit(quiz)) for cards in ("9c", "Jc", "Jc 6s", "Jc 6s Ah", "Jc 6s Ts") if quiz.answer(cards) is not None]
    ['0', '1/3', '2/3', '1/3', '1']
    """
    if exercise.is_revealed:
        return Fraction(0)
    share: Fraction | float | None = exercise.credit  # Exercise types of other packages may give no credit, so that `credit` is None
    if share is None:
        share = Fraction(int(exercise.last_answer is not None and exercise.check()))
    return min(max(Fraction(share).limit_denominator(10**6), Fraction(0)), Fraction(1))
