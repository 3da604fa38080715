"""Defines the base class of everything that is asked: attempts, solved or not, and the sentences.

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
"""So long may the number of an exercise be."""
_LONGEST: Final = 300
"""So long a solution is read in a line."""


class Verdict(NamedTuple):
    """What became of an answer: true if it was right, and the reasons in words.

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
    """Somebody's program that runs apart from here: it is shown views, and says what it chooses."""

    name: str

    def at(self, view: Any) -> Any:  # noqa: ANN401 - a view or an information set; a move or probabilities
        """Tell what it chooses there: a move, or how likely each is."""

    def choose(self, view: View, rng: Random) -> str:
        """Tell the move that it makes."""


class Task(Displayed):
    """Something to be done, on the page or from code."""

    called: ClassVar[str] = ""
    """What it is called where an assignment says what is done (`Question.kind`); nothing: by its `kind`."""
    example: ClassVar[str] = ""
    """An answer as code writes it, where one shows how that is done."""
    at_once: ClassVar[bool] = False
    """Whether one click is the whole answer."""
    on_paper: AnswerForm | None = None
    """How it is answered where its key is not; None of what is not handed out without its key."""
    takes_code: ClassVar[bool] = False
    """Whether a program may answer it."""

    def __init__(self, *, why: Text, name: str, language: str | None, number: int | str = "") -> None:
        super().__init__(language)
        self._why, self.name = author_text(why), checked_name(name) if name else ""
        self._number = str(author_text(name_given(number)))[:_NUMBER]
        self._callbacks: list[Callable[[Verdict], object]] = []
        self._keeps = False
        self.caution: Text = ""
        """What is to be said besides of an answer that is kept."""
        self.closed = False
        """Whether no other answer can be given any more, as when it is marked."""
        self.to_answer = "lesson.picture"
        """The words for what is to be run where nothing is live."""
        self._forget()

    def _forget(self) -> None:
        self._tries, self._revealed, self._solved = 0, False, False

    @property
    @abstractmethod
    def question(self) -> str:
        """What is asked."""

    @property
    @abstractmethod
    def solution(self) -> Sequence[object] | Mapping[object, object]:
        """A right answer, as `answer` takes it."""

    @abstractmethod
    def answer(self, answer: object) -> Verdict:
        """Give an answer, which is shown on the page too, and hear what is right or wrong about it and why."""

    @abstractmethod
    def reveal(self) -> str:
        """Show the solution, on the page too."""

    @abstractmethod
    def again(self) -> None:
        """Begin anew."""

    @property
    @abstractmethod
    def _found(self) -> tuple[bool, Sequence[Text]] | None:
        """Whether what was answered is right, and why; None while nothing is decided."""

    @property
    def given(self) -> object:
        """The last answer as plain values, which another exercise of the same making takes as its `answer`; None while there is none."""
        return None

    def keep(self) -> None:
        """From now on answers are kept and nothing is said of them, nor of what would be right: they are judged when they are marked."""
        self._keeps = True
        self.again()

    def recall(self, given: object) -> None:  # noqa: ARG002 - see each kind
        """What was kept before stands there again; see `given`."""
        self._tries = max(self._tries, 1)
        self._changed()

    def warn(self, caution: Text) -> None:
        """Say this of an answer that is kept, such as that it cannot be saved; nothing, if all is well again."""
        self.caution = caution
        self._changed()

    @property
    def loose(self) -> bool:
        """Whether something was begun, or changed since, that is not kept."""
        return False

    @property
    def unreadable(self) -> bool:
        """Whether the last answer holds something, and nothing of it can be read."""
        return False

    @property
    def keeps(self) -> bool:
        """Whether answers are only kept; see `keep`."""
        return self._keeps

    def _require_solution_allowed(self) -> None:
        """Refuse to tell what is right, where answers are kept."""
        if self._keeps:
            raise RefusedError("class.no_solution")

    @property
    def tries(self) -> int:
        """How many answers were given since the beginning, or since `again`."""
        return self._tries

    @property
    def revealed(self) -> bool:
        """Whether the solution was shown since the beginning, or since `again`: what is answered after that does not count."""
        return self._revealed

    def check(self) -> bool:
        """Whether the last answer was right, and the solution was not shown before."""
        return self._solved and self._state == "right"

    # What a classroom asks of every kind

    def by_hand(self) -> ByHand | None:
        """The question as it is asked on a printed sheet; None of what needs a screen."""
        return None

    def ready_made(self) -> dict[str, Any] | None:
        """Plain values by which it is asked elsewhere, without what is right there; None where it is not handed out so."""
        return None

    @classmethod
    def from_ready_made(cls, plain: Mapping[str, Any]) -> Task:
        """Ask what `ready_made` has told; a `DurakError` says what is not as it was written."""
        raise DurakError(f"{cls.__name__} is not handed out so: {quoted(plain)}")

    @settable
    def credit(self) -> Fraction | float:
        """How much of the task the last answer has done, from 0 to 1; nothing where answers are only kept, or the solution was shown.

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
        """How much of it is done by an answer that is not right: nothing, where it has no parts."""
        return Fraction(0)

    @settable
    def answers(self) -> int | None:
        """How many answers somebody would have to try who knows what is asked; None where nobody has counted them.

        >>> from durak_widget.lessons import Choose, Pick, Sort
        >>> [one.answers for one in (Pick("Which?", "7c 8c 9c", "7c"), Sort("6c 7c 8c 9c", trump=None), Choose("Who?", {"a": "", "b": ""}, right="a"))]
        [8, 24, 2]
        """
        return None

    def to_seal(self) -> list[tuple[str, dict[str, object]]]:
        """Tell the right answer as it is sealed, and mistakes that have a name, each with what its seal tells; nothing where none can be known by itself."""
        return []

    @settable
    def mistake(self) -> str:
        """The mistake of the last answer by its name, as the words know it; nothing where it is right, or no mistake of a name is proved.

        >>> from durak_widget.lessons import Number
        >>> quiz = Number("How likely?", "1/10", mistakes={"with_replacement": "2/25"})
        >>> for given in ("2/25", "1/3", "1/10"):
        ...     _ = quiz.answer(given)
        ...     print(repr(quiz.mistake))
        'number.with_replacement'
        'number.large'
        ''
        """
        found = self._found
        if found is None or found[0]:
            return ""
        keys = (why.key if isinstance(why, Fact) else f"refusal.{why.code}" if isinstance(why, Refusal) else "" for why in found[1])
        return next((key.removeprefix("lesson.") for key in keys if key), "")

    def as_answer(self, code: WalledCode) -> object:
        """Give a program as `answer` takes it, where it `takes_code`."""
        return code

    def try_out(self, code: WalledCode) -> str:  # noqa: ARG002 - see those that take code
        """Run a program once, and say what is wrong with it; nothing of how good it is."""
        return ""

    def lays_by(self, answer: object) -> bool:  # noqa: ARG002 - see those that take code
        """Whether that is an answer which is only laid by till it is marked, such as the text of a program that is not run here."""
        return False

    @settable
    def lasting(self) -> bool:
        """Whether the last answer is worth the same whenever it is given: not where a clock may have had a say, as in games that were not all played."""
        return not getattr(getattr(self, "score", None), "faults", ())

    @settable
    def solution_line(self) -> str:
        """A right answer in a line of words; nothing where it is long, or is none."""
        items = self.solution if isinstance(self.solution, (list, tuple)) else []
        line = ", ".join(map(str, items))
        return line if all(isinstance(one, str) for one in items) and len(line) <= _LONGEST else ""

    def told_parts(self, answer: object = None) -> Sequence[AnswerPart]:
        """Tell an answer in words, part by part; the right one, if none is given."""
        return [AnswerPart("", in_a_line(self.solution if answer is None else answer))]

    def pictured(self, answer: object = None) -> str:  # noqa: ARG002 - see those that have a picture
        """Draw what is asked about, once it is over, and on it that answer, as HTML; nothing where words are enough."""
        return ""

    def why_right(self) -> Sequence[str]:
        """Say why the right answer is right."""
        self._require_solution_allowed()
        return [self._text(self._why)] if self._why else []

    @settable
    def mistakes_said(self) -> Mapping[str, str]:
        """What is said of each wrong answer whose mistake has a name."""
        return {}

    def on_answer(self, callback: Callable[[Verdict], object]) -> None:
        """Call back with the verdict after each answer."""
        if not callable(callback):
            raise DurakError(f"a verdict is told to a function, such as print, not to {quoted(callback)}")
        self._callbacks.append(callback)

    def _answered(self, *, right: bool, counts: bool = True) -> Verdict:
        """One more answer counts, unless the solution has been shown or it is no try; whoever asked to hear of it hears, and then the page: what it is told is kept is kept."""
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
        """What is done in a notebook is remembered there; what is only kept has a receipt of its own."""
        if not self._keeps:
            remembered(self)

    @property
    def _numbered(self) -> dict[str, object]:
        """What its page bears besides: its number, and a star where it is a challenge."""
        return {
            **({"kept": True} if self._keeps else {}),
            **({"number": self._number} if self._number else {}),
            **({"challenge": True} if self.name.endswith(CHALLENGE) else {}),
        }

    # In words

    @property
    def _voice(self) -> Voice:
        return Voice(self._language)

    def _text(self, text: Text) -> str:
        return in_words(text, self._voice)

    @property
    def number(self) -> str:
        """The number that it bears on its page."""
        return self._number

    @number.setter
    def number(self, number: int | str) -> None:
        self._number = str(author_text(name_given(number)))[:_NUMBER]
        self._changed()

    @property
    def _to_answer(self) -> str:
        """What is said below a picture of it, where nothing is live."""
        return self._voice.say(self.to_answer)

    @property
    def _state(self) -> str:
        if self._keeps:
            return "kept" if self._tries else ""
        found = self._found
        return "" if found is None else "wrong" if not found[0] else "shown" if self._revealed else "right"

    def _head(self, *, right: bool) -> str:
        """The first words of a verdict."""
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
        """What is said of an answer that is kept."""
        return [Fact("class.kept"), Fact("class.kept.later")]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.question!r}, {'solved' if self._solved else f'{self._tries} tries'}>"


@cache
def _load_every_kind() -> None:
    """Import the module of every exercise: `lessons` imports each only when it is asked for."""
    lessons = import_module("durak_widget.lessons")
    for name in lessons.__all__:
        getattr(lessons, name)


def kind_called(name: object) -> type[Task]:
    """The kind of exercise that an assignment calls so; `Task` itself, which says nothing of any, where there is none.

    >>> kind_called("bot").takes_code, kind_called("tree").takes_code, kind_called("a song") is Task
    (True, False, True)
    """
    _load_every_kind()
    waiting: list[type[Task]] = [Task]  # type: ignore[type-abstract] # what is asked of a kind is asked of its class
    for one in waiting:  # the kinds before the kinds of these
        waiting += one.__subclasses__()
    found = [one for one in waiting[1:] if name and not isabstract(one) and name == (one.called or one.kind)]
    ours = [one for one in found if one.__module__.startswith("durak_widget.")]  # nobody takes the name of one of these
    return [*ours, *found, waiting[0]][0]


def most_of(done: int, of: int) -> Fraction:
    """So many parts of so many, as far as an answer can have done them that is not right: all of it is for whoever is right.

    >>> str(most_of(2, 3)), str(most_of(3, 3)), str(most_of(-1, 3)), str(most_of(1, 0))
    ('2/3', '2/3', '0', '0')
    """
    return min(max(Fraction(done, max(of, 1)), Fraction(0)), Fraction(of - 1, of) if of else Fraction(0))


class StoppedError(KeyboardInterrupt):
    """An interrupt: cells that were to run after it do not, and the notebook shows its sentence instead of what only programmers read."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it."""
        return [str(self)]


@contextmanager
def may_be_stopped(voice: Voice) -> Iterator[None]:
    """While a function of somebody's own is asked: a Python that is asking it can be stopped by whoever runs it, and by nobody else.

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
