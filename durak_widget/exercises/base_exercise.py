"""The base class of all exercises: attempts, whether it is solved, and the sentences.

An exercise type that is written elsewhere may set some properties as plain attributes. If the user interrupts
a student's function that runs too long, the notebook shows a sentence instead of a traceback. It is still a
`KeyboardInterrupt`, so later cells don't run.
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
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_form import AnswerPart, in_a_line
from durak_widget.exercises.answer_parsing import author_text, in_words, name_given
from durak_widget.exercises.notebook_display import Displayed
from durak_widget.exercises.overridable_property import settable
from durak_widget.exercises.student_progress import CHALLENGE, checked_name, remembered
from durak_widget.i18n import Fact, Voice
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from durak_widget.engine.observation import View
    from durak_widget.exercises.answer_form import AnswerForm
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import ByHand

_NUMBER: Final = 8
"""The maximum length of the number of an exercise."""
_LONGEST: Final = 300
"""The maximum length of a solution that is written in one line."""


class Verdict(NamedTuple):
    """The result of an answer: true if it was right, and the reasons as sentences.

    >>> bool(Verdict(False, ("Not yet.",))), str(Verdict(True, ("Right.", "Trumps beat all else.")))
    (False, 'Right. Trumps beat all else.')
    """

    right: bool
    said: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return " ".join(self.said)


class WalledCode(Protocol):
    """A user's program that runs in the sandbox: it gets views and returns choices."""

    name: str

    def at(self, view: Any) -> Any:  # noqa: ANN401 - a view or an information set; a move or probabilities
        """Return its choice at a view or information set: a move, or probabilities."""

    def choose(self, view: View, rng: Random) -> str:
        """Return the move that it makes."""


class Task(Displayed):
    """An exercise that is answered on the page or from code."""

    called: ClassVar[str] = ""
    """The name of this kind in assignments (`Question.kind`); if empty, its `kind`."""
    example: ClassVar[str] = ""
    """An example of an answer as code writes it."""
    at_once: ClassVar[bool] = False
    """True if one click is the whole answer."""
    on_paper: AnswerForm | None = None
    """How it is answered without a key; None if it is never handed out without its key."""
    takes_code: ClassVar[bool] = False
    """True if a program may answer it."""

    def __init__(self, *, why: Text, name: str, language: str | None, number: int | str = "") -> None:
        super().__init__(language)
        self._why, self.name = author_text(why), checked_name(name) if name else ""
        self._number = str(author_text(name_given(number)))[:_NUMBER]
        self._callbacks: list[Callable[[Verdict], object]] = []
        self._keeps = False
        self.caution: Text = ""
        """A warning that is added to the sentences about a stored answer."""
        self.closed = False
        """True if no other answer can be given any more, as during grading."""
        self.to_answer = "lesson.picture"
        """The message id of the sentence that says what to run if nothing is live."""
        self._forget()

    def _forget(self) -> None:
        self._tries, self._revealed, self._solved = 0, False, False

    @property
    @abstractmethod
    def question(self) -> str:
        """Return the question."""

    @property
    @abstractmethod
    def solution(self) -> Sequence[object] | Mapping[object, object]:
        """Return a right answer, as `answer` takes it."""

    @abstractmethod
    def answer(self, answer: object) -> Verdict:
        """Submit an answer, show it on the page, and return whether it is right and why."""

    @abstractmethod
    def reveal(self) -> str:
        """Show the solution, also on the page."""

    @abstractmethod
    def again(self) -> None:
        """Start again."""

    @property
    @abstractmethod
    def _found(self) -> tuple[bool, Sequence[Text]] | None:
        """Return whether the answer is right, and the reasons; None if nothing is decided."""

    @property
    def given(self) -> object:
        """Return the last answer as plain values, or None.

        Another exercise that was made the same way takes these values as its `answer`.
        """
        return None

    def keep(self) -> None:
        """Store answers from now on without grading them.

        Until they are graded, the exercise tells neither whether an answer is right nor what would be right.
        """
        self._keeps = True
        self.again()

    def recall(self, given: object) -> None:  # noqa: ARG002 - see each kind
        """Restore a stored answer, see `given`."""
        self._tries = max(self._tries, 1)
        self._changed()

    def warn(self, caution: Text) -> None:
        """Show a warning with a stored answer; an empty text removes it."""
        self.caution = caution
        self._changed()

    @property
    def loose(self) -> bool:
        """Return whether something was started or changed that is not stored."""
        return False

    @property
    def unreadable(self) -> bool:
        """Return whether the last answer has content, none of which can be read."""
        return False

    @property
    def keeps(self) -> bool:
        """Return whether answers are only stored; see `keep`."""
        return self._keeps

    def _require_solution_allowed(self) -> None:
        """Raise an error if answers are only stored: then the solution stays secret."""
        if self._keeps:
            raise RefusedError("class.no_solution")

    @property
    def tries(self) -> int:
        """Return the number of answers since the start, or since `again`."""
        return self._tries

    @property
    def revealed(self) -> bool:
        """Return whether the solution was shown since the start, or since `again`.

        Answers after that don't count.
        """
        return self._revealed

    def check(self) -> bool:
        """Return whether the last answer was right and the solution was not shown before."""
        return self._solved and self._state == "right"

    # For homework and grading

    def by_hand(self) -> ByHand | None:
        """Return the question for a printed sheet; None if it needs a screen."""
        return None

    def ready_made(self) -> dict[str, Any] | None:
        """Return plain values of the question without its key.

        None if this exercise is not handed out in this way.
        """
        return None

    @classmethod
    def from_ready_made(cls, plain: Mapping[str, Any]) -> Task:
        """Build the exercise from the values of `ready_made`.

        Raises a `DurakError` that says which value is not valid.
        """
        raise DurakError(f"{cls.__name__} is not handed out so: {quoted(plain)}")

    @settable
    def credit(self) -> Fraction | float:
        """Return the credit of the last answer, from 0 to 1.

        It is 0 if answers are only stored or the solution was shown.

        >>> from durak_widget.lessons import Pick
        >>> quiz = Pick.beaters("Tc", of="9c Jc Ah 6s Ts", trump="s")
        >>> [str(quiz.credit) for given in ("9c", "Jc", "Jc 6s", "Jc 6s Ah", "Jc 6s Ts") if quiz.answer(given) is not None]
        ['0', '1/3', '2/3', '1/3', '1']
        """
        if self.given is None or self.revealed:
            return Fraction(0)
        if self.check():
            return Fraction(1)
        return Fraction(0) if self._keeps else self._part_done

    @property
    def _part_done(self) -> Fraction:
        """Return the credit of a wrong answer; 0 if the exercise has no parts."""
        return Fraction(0)

    @settable
    def answers(self) -> int | None:
        """Return the number of answers a student could try; None if nobody has counted them.

        >>> from durak_widget.lessons import Choose, Pick, Sort
        >>> [quiz.answers for quiz in (Pick("Which?", "7c 8c 9c", "7c"), Sort("6c 7c 8c 9c", trump=None), Choose("Who?", {"a": "", "b": ""}, right="a"))]
        [8, 24, 2]
        """
        return None

    def to_seal(self) -> list[tuple[str, dict[str, object]]]:
        """Return the right answer and the named mistakes in the form that is sealed.

        Each comes with the data that its seal hides. The list is empty if no answer can be known in advance.
        """
        return []

    @settable
    def mistake(self) -> str:
        """Return the message id of the last answer's mistake.

        It is empty if the answer is right, or no named mistake is proved.

        >>> from durak_widget.lessons import Number
        >>> quiz = Number("How likely?", "1/10", mistakes={"with_replacement": "2/25"})
        >>> for given in ("2/25", "1/3", "1/10"):
        ...     _ = quiz.answer(given)
        ...     print(repr(quiz.mistake))
        'number.with_replacement'
        'number.large'
        ''
        """
        result = self._found
        if result is None or result[0]:
            return ""
        keys = (
            reason.key if isinstance(reason, Fact) else f"refusal.{reason.code}" if isinstance(reason, Refusal) else ""
            for reason in result[1]
        )
        return next((key.removeprefix("lesson.") for key in keys if key), "")

    def as_answer(self, code: WalledCode) -> object:
        """Return a program in the form that `answer` takes, if it `takes_code`."""
        return code

    def try_out(self, code: WalledCode) -> str:  # noqa: ARG002 - see those that take code
        """Run a program once and describe its error; return "" if it has none.

        This does not tell how good the program is.
        """
        return ""

    def lays_by(self, answer: object) -> bool:  # noqa: ARG002 - see those that take code
        """Return whether this answer is only stored until it is graded.

        That is so for the text of a program that is not run here.
        """
        return False

    @settable
    def lasting(self) -> bool:
        """Return whether the last answer gets the same credit whenever it is given.

        False where the clock can matter, as with games that were not all played.
        """
        return not getattr(getattr(self, "score", None), "faults", ())

    @settable
    def solution_line(self) -> str:
        """Return a right answer in one line; "" if it is too long, or there is none."""
        items = self.solution if isinstance(self.solution, (list, tuple)) else []
        line = ", ".join(map(str, items))
        return line if all(isinstance(item, str) for item in items) and len(line) <= _LONGEST else ""

    def told_parts(self, answer: object = None) -> Sequence[AnswerPart]:
        """Describe an answer part by part; the right one if none is given."""
        return [AnswerPart("", in_a_line(self.solution if answer is None else answer))]

    def pictured(self, answer: object = None) -> str:  # noqa: ARG002 - see those that have a picture
        """Return a picture of the question with this answer as HTML; "" if words are enough."""
        return ""

    def why_right(self) -> Sequence[str]:
        """Return sentences that explain the right answer."""
        self._require_solution_allowed()
        return [self._text(self._why)] if self._why else []

    @settable
    def mistakes_said(self) -> Mapping[str, str]:
        """Return the sentence for each wrong answer whose mistake has a name."""
        return {}

    def on_answer(self, callback: Callable[[Verdict], object]) -> None:
        """Call `callback` with the verdict after each answer."""
        if not callable(callback):
            raise DurakError(f"a verdict is told to a function, such as print, not to {quoted(callback)}")
        self._callbacks.append(callback)

    def _answered(self, *, right: bool, counts: bool = True) -> Verdict:
        """Count an answer, call the callbacks, then update the page, and return the verdict.

        It does not count after the solution was shown, or if `counts` is False.
        """
        self._tries += counts and not self._revealed
        self._solved = right and not self._revealed
        verdict = self._verdict()
        try:
            for callback in tuple(self._callbacks):
                callback(verdict)
        finally:
            self._changed()
        return verdict

    def _first_displayed(self) -> None:
        """Restore progress in a notebook; stored answers have their own receipt."""
        if not self._keeps:
            remembered(self)

    @property
    def _numbered(self) -> dict[str, object]:
        """Return the number, the challenge star and the stored flag for the page."""
        return {
            **({"kept": True} if self._keeps else {}),
            **({"number": self._number} if self._number else {}),
            **({"challenge": True} if self.name.endswith(CHALLENGE) else {}),
        }

    # Sentences

    @property
    def _voice(self) -> Voice:
        return Voice(self._language)

    def _text(self, text: Text) -> str:
        return in_words(text, self._voice)

    @property
    def number(self) -> str:
        """Return the number that its page shows."""
        return self._number

    @number.setter
    def number(self, number: int | str) -> None:
        self._number = str(author_text(name_given(number)))[:_NUMBER]
        self._changed()

    @property
    def _to_answer(self) -> str:
        """Return the sentence below its picture where nothing is live."""
        return self._voice.say(self.to_answer)

    @property
    def _state(self) -> str:
        if self._keeps:
            return "kept" if self._tries else ""
        result = self._found
        return "" if result is None else "wrong" if not result[0] else "shown" if self._revealed else "right"

    def _head(self, *, right: bool) -> str:
        """Return the message id of the first words of a verdict."""
        if not right:
            return "lesson.not_right" if self.closed else "lesson.not_yet"
        return "lesson.solution" if self._revealed else "lesson.right"

    def _verdict(self) -> Verdict:
        if self._keeps and self._tries:
            texts = [*self._kept(), *([self.caution] if self.caution else [])]
            return Verdict(self._state == "right", tuple(map(self._text, texts)))
        if self._keeps or self._found is None:
            return Verdict(False, ())
        right, reasons = self._found
        texts = [Fact(self._head(right=right)), *reasons, *([self._why] if right else [])]
        return Verdict(right, tuple(self._text(text) for text in texts if text))

    def _kept(self) -> Sequence[Text]:
        """Return sentences about an answer that is only stored."""
        return [Fact("class.kept"), Fact("class.kept.later")]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.question!r}, {'solved' if self._solved else f'{self._tries} tries'}>"


@cache
def _load_every_kind() -> None:
    """Import all exercise modules, since `lessons` imports each only on request."""
    lessons = import_module("durak_widget.lessons")
    for name in lessons.__all__:
        getattr(lessons, name)


def kind_called(name: object) -> type[Task]:
    """Return the exercise class of this kind in an assignment; `Task` if there is none.

    >>> kind_called("bot").takes_code, kind_called("tree").takes_code, kind_called("a song") is Task
    (True, False, True)
    """
    _load_every_kind()
    classes: list[type[Task]] = [Task]  # type: ignore[type-abstract] # only class attributes are read
    for exercise_class in classes:  # breadth first: a class comes before its subclasses
        classes += exercise_class.__subclasses__()
    matching = [
        exercise_class
        for exercise_class in classes[1:]
        if name and not isabstract(exercise_class) and name == (exercise_class.called or exercise_class.kind)
    ]
    # other packages cannot take over the name of a built-in kind
    built_in = [exercise_class for exercise_class in matching if exercise_class.__module__.startswith("durak_widget.")]
    return [*built_in, *matching, classes[0]][0]


def most_of(done: int, of: int) -> Fraction:
    """Return `done` of `of` parts as a share below 1, since only a right answer earns all.

    >>> str(most_of(2, 3)), str(most_of(3, 3)), str(most_of(-1, 3)), str(most_of(1, 0))
    ('2/3', '2/3', '0', '0')
    """
    return min(max(Fraction(done, max(of, 1)), Fraction(0)), Fraction(of - 1, of) if of else Fraction(0))


class StoppedError(KeyboardInterrupt):
    """An interrupt shown as one sentence without a traceback; later cells don't run."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that a notebook shows."""
        return [str(self)]


@contextmanager
def may_be_stopped(voice: Voice) -> Iterator[None]:
    """Replace the traceback of an interrupt with a sentence while a user's function runs.

    >>> from durak_widget.i18n import Voice
    >>> try:
    ...     with may_be_stopped(Voice()):
    ...         raise KeyboardInterrupt
    ... except KeyboardInterrupt as stopped:
    ...     print(stopped)
    Your function was stopped while it was choosing, and nothing was judged. If it would never have ended, look for a loop that nothing ends.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedError(voice.say("lesson.stopped")) from None
