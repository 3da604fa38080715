"""The base class of all exercises: it counts attempts, gives feedback and computes credit.

Exercise types from other packages may set some properties as plain attributes. If the user interrupts a student's function that runs
too long, the notebook shows a sentence instead of a traceback. The interrupt is still a `KeyboardInterrupt`, so later cells don't run.
"""

from __future__ import annotations

from abc import abstractmethod
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from importlib import import_module
from inspect import isabstract
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Protocol

from durak_widget.engine.moves import Refusal
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_form import AnswerPart, format_answer
from durak_widget.exercises.answer_parsing import format_name, require_text, translate_text
from durak_widget.exercises.notebook_display import NotebookDisplay
from durak_widget.exercises.overridable_property import settable
from durak_widget.exercises.student_progress import CHALLENGE_SUFFIX, record_results, require_exercise_name
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from durak_widget.engine.observation import Observation
    from durak_widget.exercises.answer_form import AnswerForm
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import PaperQuestion

_MAX_NUMBER_LENGTH: Final = 8
"""The maximum length of an exercise number, in characters."""
_MAX_SOLUTION_LENGTH: Final = 300
"""The maximum length of a solution that is written on one line, in characters."""


class Verdict(NamedTuple):
    """The verdict on an answer: whether it is correct, and sentences that say why.

    >>> bool(Verdict(False, ("Not yet.",))), str(Verdict(True, ("Right.", "Trumps beat all else.")))
    (False, 'Right. Trumps beat all else.')
    """

    right: bool
    sentences: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return " ".join(self.sentences)


class SandboxedProgram(Protocol):
    """A user's program that runs in the sandbox and chooses a player's moves."""

    name: str

    def choose_at(self, view: Any) -> Any:  # noqa: ANN401 - an observation or an information set; a move or probabilities
        """Return what the program chooses at `view`: a move, or a probability for each action.

        `view` is an observation of a game or an information set.
        """

    def choose(self, view: Observation, rng: Random) -> str:
        """Return the move that the program chooses when a player sees the observation `view`."""


class Task(NotebookDisplay):
    """The base class of exercises, which students answer with clicks or from code."""

    assignment_kind: ClassVar[str] = ""
    """The name of this exercise type in assignments (`Question.kind`); if empty, `kind` is used."""
    example_answer: ClassVar[str] = ""
    """An example of an answer, written as Python code."""
    is_single_click: ClassVar[bool] = False
    """True if a single click is the whole answer."""
    answer_form: AnswerForm | None = None
    """The format for checking answers without a key; None if this exercise always needs a key."""
    takes_code: ClassVar[bool] = False
    """True if the answer can be a program."""

    def __init__(self, *, why: Text, name: str, language: str | None, number: int | str = "") -> None:
        super().__init__(language)
        self._explanation, self.name = require_text(why), require_exercise_name(name) if name else ""
        self._number = str(require_text(format_name(number)))[:_MAX_NUMBER_LENGTH]
        self._callbacks: list[Callable[[Verdict], object]] = []
        self._is_grading_deferred = False
        self.warning: Text = ""
        """A warning that is shown with a stored answer."""
        self.is_closed = False
        """True if the exercise accepts no more answers, as during grading."""
        self.offline_hint_key = "lesson.picture"
        """The message id of the hint that says how to start the exercise when no Python is running."""
        self._reset_attempts()

    def _reset_attempts(self) -> None:
        """Set the number of attempts to 0, and forget whether the solution was shown."""
        self._attempt_count, self._is_revealed, self._is_solved = 0, False, False

    @property
    @abstractmethod
    def question(self) -> str:
        """Return the text of this exercise's question."""

    @property
    @abstractmethod
    def solution(self) -> Sequence[object] | Mapping[object, object]:
        """Return a correct answer in the form that the method `answer` accepts."""

    @abstractmethod
    def answer(self, answer: object) -> Verdict:
        """Submit an answer to this exercise, and return the verdict with reasons.

        The front end displays both.
        """

    @abstractmethod
    def reveal(self) -> str:
        """Return the solution, and display it to the student."""

    @abstractmethod
    def restart(self) -> None:
        """Reset the exercise to its starting state."""

    @property
    @abstractmethod
    def _result(self) -> tuple[bool, Sequence[Text]] | None:
        """Return whether the last answer is correct, with reasons; None if it is not graded yet."""

    @property
    def last_answer(self) -> object:
        """Return the last answer as JSON-compatible values, or None if there is no answer.

        Another exercise that was created in the same way accepts these values as its answer.
        """
        return None

    def defer_grading(self) -> None:
        """Reset the exercise, and store all later answers without grading them.

        Until the answers are graded, the exercise shows neither whether an answer is correct nor a correct answer.
        """
        self._is_grading_deferred = True
        self.restart()

    def restore_answer(self, answer: object) -> None:  # noqa: ARG002 - subclasses use it
        """Restore a stored answer, which has the format of `last_answer`."""
        self._attempt_count = max(self._attempt_count, 1)
        self._refresh()

    def show_warning(self, warning: Text) -> None:
        """Show a warning beside a stored answer; an empty text removes the warning."""
        self.warning = warning
        self._refresh()

    @property
    def has_unsaved_changes(self) -> bool:
        """Return whether the student has started or changed an answer without storing it."""
        return False

    @property
    def is_unreadable(self) -> bool:
        """Return whether the last answer contains text, but no part of it can be read."""
        return False

    @property
    def is_grading_deferred(self) -> bool:
        """Return whether answers are stored without grading, as after `defer_grading`."""
        return self._is_grading_deferred

    def _require_solution_allowed(self) -> None:
        """Raise an error if answers are stored without grading, since the solution is then secret."""
        if self._is_grading_deferred:
            raise RefusedError("class.no_solution")

    @property
    def attempt_count(self) -> int:
        """Return the number of attempts since the start or the last `restart`."""
        return self._attempt_count

    @property
    def is_revealed(self) -> bool:
        """Return whether the solution was shown since the start or the last `restart`.

        Answers after that don't count.
        """
        return self._is_revealed

    def check(self) -> bool:
        """Return whether the student solved the exercise without seeing the solution first."""
        return self._is_solved and self._state == "right"

    # --- Called by homework and grading ---

    def to_paper_question(self) -> PaperQuestion | None:
        """Return the question for a printed sheet; None if the exercise needs a screen."""
        return None

    def to_snapshot(self) -> dict[str, Any] | None:
        """Return the question without its answer key, as JSON-compatible values.

        Return None if this exercise can't be handed out in this way.
        """
        return None

    @classmethod
    def from_snapshot(cls, snapshot: Mapping[str, Any]) -> Task:
        """Build an exercise from a snapshot, as returned by `to_snapshot`.

        Raises a `DurakError` that says which value is not valid.
        """
        raise DurakError(f"{cls.__name__} cannot be made from a snapshot: {short_repr(snapshot)}")

    @settable
    def credit(self) -> Fraction | float:
        """Return the credit for the last answer, from 0 to 1.

        The credit is 0 if answers are stored without grading, or if the solution was shown.

        >>> from durak_widget.lessons import Pick
        >>> quiz = Pick.beaters("Tc", of="9c Jc Ah 6s Ts", trump="s")
        >>> [str(quiz.credit) for given in ("9c", "Jc", "Jc 6s", "Jc 6s Ah", "Jc 6s Ts") if quiz.answer(given) is not None]
        ['0', '1/3', '2/3', '1/3', '1']
        """
        if self.last_answer is None or self.is_revealed:
            return Fraction(0)
        if self.check():
            return Fraction(1)
        return Fraction(0) if self._is_grading_deferred else self._partial_credit

    @property
    def _partial_credit(self) -> Fraction:
        """Return the partial credit for a wrong answer; by default, 0."""
        return Fraction(0)

    @settable
    def answer_count(self) -> int | None:
        """Return the number of possible answers; None if it is unknown.

        >>> from durak_widget.lessons import Choose, Pick, Sort
        >>> [quiz.answer_count for quiz in (Pick("Which?", "7c 8c 9c", "7c"), Sort("6c 7c 8c 9c", trump=None), Choose("Who?", {"a": "", "b": ""}, right="a"))]
        [8, 24, 2]
        """
        return None

    def answers_to_seal(self) -> list[tuple[str, dict[str, object]]]:
        """Return the correct answer and typical wrong answers, to encrypt them for later checks.

        Each is a text with the data that a student who gives this answer may see. The list is empty if no answer can be known in advance.
        """
        return []

    @settable
    def mistake_name(self) -> str:
        """Return the name of the mistake that explains the last answer, such as `number.large`.

        The name is empty if the answer is correct, or if no known mistake explains it.

        >>> from durak_widget.lessons import Number
        >>> quiz = Number("How likely?", "1/10", mistakes={"with_replacement": "2/25"})
        >>> for given in ("2/25", "1/3", "1/10"):
        ...     _ = quiz.answer(given)
        ...     print(repr(quiz.mistake_name))
        'number.with_replacement'
        'number.large'
        ''
        """
        result = self._result
        if result is None or result[0]:
            return ""
        keys = (
            reason.key if isinstance(reason, TranslatableText) else f"refusal.{reason.code}" if isinstance(reason, Refusal) else ""
            for reason in result[1]
        )
        return next((key.removeprefix("lesson.") for key in keys if key), "")

    def answer_from_code(self, code: SandboxedProgram) -> object:
        """Convert a user's program to a value that the method `answer` accepts."""
        return code

    def find_code_error(self, code: SandboxedProgram) -> str:  # noqa: ARG002 - exercises with `takes_code` use it
        """Run a user's program once; return its error message, or "" if it has no error.

        The message does not say how well the program plays.
        """
        return ""

    def is_graded_later(self, answer: object) -> bool:  # noqa: ARG002 - exercises with `takes_code` use it
        """Return whether an answer is only stored now and graded later.

        Such an answer is the text of a program that does not run here.
        """
        return False

    @settable
    def is_reproducible(self) -> bool:
        """Return whether the last answer would get the same credit if it were graded again.

        The result is False if a clock can affect the credit, for example if not all games of a bot were played.
        """
        return not getattr(getattr(self, "score", None), "faults", ())

    @settable
    def solution_line(self) -> str:
        """Return a correct answer as one short line of text, or "" if that is impossible."""
        items = self.solution if isinstance(self.solution, (list, tuple)) else []
        line = ", ".join(map(str, items))
        return line if all(isinstance(item, str) for item in items) and len(line) <= _MAX_SOLUTION_LENGTH else ""

    def describe_answer_parts(self, answer: object = None) -> Sequence[AnswerPart]:
        """Describe each part of `answer`, or of a correct answer if `answer` is None."""
        return [AnswerPart("", format_answer(self.solution if answer is None else answer))]

    def render_answer_picture(self, answer: object = None) -> str:  # noqa: ARG002 - exercises with a picture use it
        """Return HTML of the question's picture, with `answer` drawn if the picture can show it.

        Return "" if the question has no picture.
        """
        return ""

    def explain_solution(self) -> Sequence[str]:
        """Return sentences that explain the correct answer."""
        self._require_solution_allowed()
        return [self._translate(self._explanation)] if self._explanation else []

    @settable
    def mistake_messages(self) -> Mapping[str, str]:
        """Return the feedback sentence for each wrong answer that a typical mistake leads to."""
        return {}

    def on_answer(self, callback: Callable[[Verdict], object]) -> None:
        """Register a function that is called with the verdict after each answer."""
        if not callable(callback):
            raise DurakError(f"on_answer needs a function, such as print, not {short_repr(callback)}")
        self._callbacks.append(callback)

    def _record_answer(self, *, right: bool, counts_as_attempt: bool = True) -> Verdict:
        """Record an answer, call the functions that `on_answer` registered, return the verdict.

        The front end displays the new state. The answer does not count as an attempt after the solution was shown, or if
        `counts_as_attempt` is False.
        """
        self._attempt_count += counts_as_attempt and not self._is_revealed
        self._is_solved = right and not self._is_revealed
        verdict = self._build_verdict()
        try:
            for callback in tuple(self._callbacks):
                callback(verdict)
        finally:
            self._refresh()
        return verdict

    def _on_first_display(self) -> None:
        """Start recording the student's results when a notebook first displays the exercise."""
        if not self._is_grading_deferred:
            record_results(self)

    @property
    def _header_fields(self) -> dict[str, object]:
        """Return what the heading of the exercise shows, such as the exercise's number."""
        return {
            **({"is_grading_deferred": True} if self._is_grading_deferred else {}),
            **({"number": self._number} if self._number else {}),
            **({"challenge": True} if self.name.endswith(CHALLENGE_SUFFIX) else {}),
        }

    @property
    def _voice(self) -> Translator:
        """Return the translator for the exercise's texts."""
        return Translator(self._language)

    def _translate(self, text: Text) -> str:
        """Translate a text into the exercise's language."""
        return translate_text(text, self._voice)

    @property
    def number(self) -> str:
        """Return the number that the heading of this exercise displays."""
        return self._number

    @number.setter
    def number(self, number: int | str) -> None:
        self._number = str(require_text(format_name(number)))[:_MAX_NUMBER_LENGTH]
        self._refresh()

    @property
    def _offline_hint(self) -> str:
        """Return the note below the exercise's picture for readers without a running Python."""
        return self._voice.translate(self.offline_hint_key)

    @property
    def _state(self) -> str:
        """Return the state of the last answer: `right`, `wrong`, `shown`, `saved`, or "" for none."""
        if self._is_grading_deferred:
            return "saved" if self._attempt_count else ""
        result = self._result
        return "" if result is None else "wrong" if not result[0] else "shown" if self._is_revealed else "right"

    def _verdict_heading(self, *, right: bool) -> str:
        """Return the message id of a verdict's heading, such as `lesson.right`."""
        if not right:
            return "lesson.not_right" if self.is_closed else "lesson.not_yet"
        return "lesson.solution" if self._is_revealed else "lesson.right"

    def _build_verdict(self) -> Verdict:
        """Build the verdict on the last answer, in the exercise's language."""
        if self._is_grading_deferred and self._attempt_count:
            texts = [*self._describe_stored_answer(), *([self.warning] if self.warning else [])]
            return Verdict(self._state == "right", tuple(map(self._translate, texts)))
        if self._is_grading_deferred or self._result is None:
            return Verdict(False, ())
        right, reasons = self._result
        texts = [TranslatableText(self._verdict_heading(right=right)), *reasons, *([self._explanation] if right else [])]
        return Verdict(right, tuple(self._translate(text) for text in texts if text))

    def _describe_stored_answer(self) -> Sequence[Text]:
        """Return the feedback on an answer that is stored without grading."""
        return [TranslatableText("class.kept"), TranslatableText("class.kept.later")]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.question!r}, {'solved' if self._is_solved else f'{self._attempt_count} tries'}>"


@cache
def _load_every_kind() -> None:
    """Import all exercise modules, so that all exercise classes exist."""
    lessons = import_module("durak_widget.lessons")
    for name in lessons.__all__:
        getattr(lessons, name)


def find_exercise_class(kind: object) -> type[Task]:
    """Return the exercise class for a kind of question; return `Task` for an unknown kind.

    >>> find_exercise_class("bot").takes_code, find_exercise_class("tree").takes_code, find_exercise_class("a song") is Task
    (True, False, True)
    """
    _load_every_kind()
    classes: list[type[Task]] = [Task]  # type: ignore[type-abstract] # only class attributes are read
    for exercise_class in classes:  # Breadth-first search: each class comes before its subclasses
        classes += exercise_class.__subclasses__()
    matching = [
        exercise_class
        for exercise_class in classes[1:]
        if kind and not isabstract(exercise_class) and kind == (exercise_class.assignment_kind or exercise_class.kind)
    ]
    # Prefer the exercise types of this package, so that another package can't replace one of them by using the same name
    built_in = [exercise_class for exercise_class in matching if exercise_class.__module__.startswith("durak_widget.")]
    return [*built_in, *matching, classes[0]][0]


def partial_share(done_count: int, total: int) -> Fraction:
    """Return `done_count / total`, but less than 1, since only a correct answer earns 1.

    >>> str(partial_share(2, 3)), str(partial_share(3, 3)), str(partial_share(-1, 3)), str(partial_share(1, 0))
    ('2/3', '2/3', '0', '0')
    """
    return min(max(Fraction(done_count, max(total, 1)), Fraction(0)), Fraction(total - 1, total) if total else Fraction(0))


class FunctionInterruptedError(KeyboardInterrupt):
    """A keyboard interrupt that shows a sentence instead of a traceback and stops later cells."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that a notebook shows instead of a traceback."""
        return [str(self)]


@contextmanager
def explain_interrupt(voice: Translator) -> Iterator[None]:
    """Show a sentence instead of a traceback if the user interrupts a running function.

    >>> from durak_widget.i18n import Translator
    >>> try:
    ...     with explain_interrupt(Translator()):
    ...         raise KeyboardInterrupt
    ... except KeyboardInterrupt as stopped:
    ...     print(stopped)
    Your function was stopped while it was choosing a move, so nothing was marked. If it never finishes, look for an endless loop.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise FunctionInterruptedError(voice.translate("lesson.stopped")) from None
