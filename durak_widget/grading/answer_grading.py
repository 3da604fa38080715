"""Grades one answer: rebuilds the student's instance with its key, and gives credit from 0 to 1.

The exercise itself says how much of the task is done, why, and which mistake was made. Code in an answer runs
in the sandbox.
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
"""What a program may import that is to choose the same again."""
_UNSURE: Final = {"__import__", "eval", "exec", "frozenset", "globals", "hash", "id", "set", "vars"}
"""What differs from one process to the next; sets by their order."""


class How(NamedTuple):
    """How answers are judged."""

    assignment: Assignment | str
    """As a text where that finds it: it may be made of what cannot be carried to another process."""
    edition: str
    language: str
    runs_code: bool
    limits: Limits
    questions: tuple[str, ...] = ()
    """Those that were asked, where they are not all."""
    word: str | None = None
    """By which they were drawn, where one stays with the teacher."""

    @property
    def asked(self) -> Assignment:
        """The assignment with its questions."""
        whole = assignment_of(self.assignment, self.edition).opened(self.word)
        return whole.chosen(self.questions) if self.questions else whole


class Answered(NamedTuple):
    """An answer of a student to a question, by its place."""

    student: str
    place: int
    given: Given


class AnswerWorth(NamedTuple):
    """What an answer is worth, from 0 to 1, the mistake by its name, why, and which walls were missing around its code."""

    credit: Fraction
    mistake: str
    said: str
    missing: frozenset[str] = frozenset()
    lasting: bool = False
    """Whether it is worth the same whenever it is judged: not where a clock or chance may have had a say."""
    unread: bool = False
    """Whether it is worth nothing since it is no answer that can be read."""
    odd: str = ""
    """What is said of those parts of it that cannot be read, where others can."""


class _Unread(str):
    """What is said of an answer that cannot be read."""

    __slots__ = ()


def judged(how: How, answered: Answered) -> AnswerWorth:
    """What an answer is worth; where what stands in a cell cannot be read or run, what the receipt has."""
    assignment, voice, first = how.asked, Voice(how.language), ""
    missing: set[str] = set()
    for given in (answered.given.given, answered.given.other):
        if given is None:
            continue
        try:
            task = assignment.task(answered.place + 1, answered.student)
            task.language, task.closed = how.language, True
            trouble, verdict, odd = _judge(how, task, given, voice, missing)
            if not trouble:
                said = _line(" ".join(part for part in (verdict or voice.say("class.mark.open"), odd) if part))
                unread = task.unreadable
                lasts = not first and not unread and not odd and _lasts(task, given)  # so that it is said again that it cannot be read
                return AnswerWorth(credit(task), task.mistake, said, frozenset(missing), lasts, unread=unread, odd=_line(odd))
        except ENDINGS as error:  # whatever an answer brings about, everything else is marked
            trouble = voice.say("class.mark.failed", kind=type(error).__name__[:60])
        first = first or trouble
    return AnswerWorth(Fraction(0), "", _line(first or voice.say("class.mark.none")), frozenset(missing), unread=isinstance(first, _Unread))


def _lasts(task: Task, given: Any) -> bool:  # noqa: ANN401 - whatever was given
    """Whether that answer is worth the same another time."""
    return task.lasting and (not isinstance(given, dict) or "code" not in given or chooses_alike(given["code"]))


def _line(said: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in said[:_LONGEST])


def _judge(how: How, task: Task, given: Any, voice: Voice, missing: set[str]) -> tuple[str, str, str]:  # noqa: ANN401 - whatever was given
    """What is wrong with an answer, so that it cannot be judged, or else the verdict, and what of it cannot be read. Code is never handed to the exercise: it would run it here."""
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
    """Return why an answer cannot be read, without saying again that it cannot."""
    if not isinstance(error, RefusedError):
        return str(error)
    short = f"{error.key}.marked"
    return voice.say(short if short in language("en").sentences else error.key, **error.facts)


def _of_values(task: Task, given: Any, voice: Voice) -> tuple[str, str, str]:  # noqa: ANN401 - whatever was given
    """What comes of an answer that is no code; of what was typed off a sheet, what can be read of it counts, where the question has parts."""
    answer, odd = read_by_hand(task, given)
    if answer is None:
        return voice.say("class.mark.none"), "", ""
    told = " ".join(voice.say(one.fact.key, **one.fact.facts) for one in odd)
    try:
        return "", str(task.answer(answer)), told
    except DurakError:
        if not odd:
            raise
        whole = voice.say("lesson.hand.whole", said=_why_unread(odd[0].why, voice))
        return _Unread(voice.say("class.mark.unread", said=whole)), "", ""


def chooses_alike(code: str) -> bool:
    r"""Whether a program has nothing in it by which it might choose otherwise another time: no chance, clock or order of its own.

    >>> chooses_alike("def choose(view, rng):\n    return rng.choice(view.legal_moves())")
    True
    >>> chooses_alike("import random\ndef choose(view):\n    return random.choice(view.legal_moves())")
    False
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python thinks of somebody's style
            nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in nodes:
        named = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        named += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
        odd = isinstance(node, (ast.Set, ast.SetComp)) or (isinstance(node, ast.Name) and node.id in _UNSURE)
        if odd or not all(name.partition(".")[0] in _SURE for name in named):
            return False
    return True


def credit(task: Task) -> Fraction:
    """How much of the task its last answer has done; nothing, where its solution was shown.

    >>> from durak_widget.lessons import Pick
    >>> quiz = Pick.beaters("Tc", of="9c Jc Ah 6s Ts", trump="s")
    >>> [str(credit(quiz)) for given in ("9c", "Jc", "Jc 6s", "Jc 6s Ah", "Jc 6s Ts") if quiz.answer(given) is not None]
    ['0', '1/3', '2/3', '1/3', '1']
    """
    if task.revealed:
        return Fraction(0)
    done: Fraction | float | None = task.credit  # None says nothing: a kind of somebody's own may have it so
    if done is None:
        done = Fraction(int(task.given is not None and task.check()))
    return min(max(Fraction(done).limit_denominator(10**6), Fraction(0)), Fraction(1))
