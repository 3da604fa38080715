"""Holds the base classes of exercises on a tree or matrix, and the picture of an answer for print.

The user answers with the mouse, touch, the keyboard or code, and the answer is judged when they press
“Check”. An answered question is shown in its parts, with a static picture of the answer.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, cast
from zlib import crc32

from durak_widget.board import matrix_svg
from durak_widget.board.matrix_view_model import Grid, Saying
from durak_widget.board.strategic_form_panel import saying_of
from durak_widget.board.tree_expansion import Unfolded
from durak_widget.board.tree_svg import TreePicture
from durak_widget.board.tree_view_model import nodes_of
from durak_widget.board.tree_wording import Names, beginning, outline
from durak_widget.engine.table_svg import image
from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.exercises.answer_form import AnswerPart, as_lists, in_a_line
from durak_widget.exercises.answer_parsing import in_words, says_you
from durak_widget.exercises.base_exercise import Task
from durak_widget.exercises.blackboard_serialization import plain_words
from durak_widget.exercises.exercise import Aside, Given, InParts, Opinion
from durak_widget.exercises.node_and_cell_lookup import BranchSaid, KnownSaid, PlanOf, StepSaid, Way
from durak_widget.exercises.notebook_display import AtBoard, blank_sheet
from durak_widget.exercises.paper_form import for_paper
from durak_widget.i18n import Fact, Voice
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Self, Unpack

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.exercises.paper_form import HandWork
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.gametheory.tree import Tree

MOST_REASONS: Final = 3  # so many are read
WHOLE: Final = 150
"""A tree of no more histories is shown whole; of another two levels."""


class Asked(InParts[Given]):
    """What is asked, without the widget on which it is: what is right, which mistake is which, what the page shows of it."""

    asks: ClassVar[str]
    """What kind of thing is done on the view."""
    whole: ClassVar[bool] = False
    """Whether it is judged as a whole, so that no part of it has a mark."""
    in_words: ClassVar[bool] = False
    """Whether its solution is a row of words that a teacher can read."""
    question: Text
    wanted: Sequence[int] = ()
    """The histories of a tree that must be seen."""
    seat: int | None = None
    """The seat that is asked about; None where several are."""

    @abstractmethod
    def blank(self) -> Given:
        """Nothing has been done yet."""

    @abstractmethod
    def read(self, answer: object) -> Given:
        """A whole answer from code; a `DurakError` says what would be one."""

    @abstractmethod
    def take(self, given: Given, message: Mapping[str, object]) -> Given:
        """Somebody has done this on the view; a `DurakError` says what cannot be done."""

    @abstractmethod
    def judge(self, given: Given) -> Opinion:
        """What is right and wrong about it; the marks by what they stand at."""

    @abstractmethod
    def shown(self, given: Given, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:
        """What the view is told, besides what is asked."""

    def plain(self, given: Given) -> object:
        """An answer as plain values, as `read` takes it."""
        return given

    def begun(self, given: Given) -> bool:  # noqa: ARG002 - of many questions, to do nothing is an answer
        """Whether that is an answer at all."""
        return True

    def open(self, given: Given) -> Sequence[Text]:  # noqa: ARG002 - most are finished whenever somebody says so
        """What anybody can see is left to do, which tells nothing of what is right."""
        return []

    def unread(self, given: Given) -> bool:  # noqa: ARG002 - what is clicked can be read
        """Whether something is written, and nothing of it can be read."""
        return False

    def stands(self, key: str, before: Given, now: Given) -> bool:  # noqa: ARG002 - where one thing hangs on the others, no mark does
        """Whether a mark is still true of what is now given."""
        return before == now

    def ready_made(self) -> dict[str, Any] | None:
        """Plain values by which it is asked elsewhere, without what is right there, and without its words; see `ready`."""
        return None

    def on_sheet(self) -> HandWork | None:
        """What is done by hand on a printed sheet; None of what needs a screen."""
        return None

    def attempts(self) -> Sequence[Given]:
        """Answers whose reasons tell most of what is judged here."""
        return [self.read(self.solution), self.blank()]

    def told(self, given: Given, marks: Mapping[str, str]) -> Sequence[ToldPart]:  # noqa: ARG002 - what has no parts has no marks
        """An answer in its parts: where each stands, what is answered there, and what was thought of it."""
        return [ToldPart("", in_a_line(self.plain(given)))]

    def still(self, given: Given | None, marks: Mapping[str, str]) -> Still | None:  # noqa: ARG002 - see those that have one
        """What there is to be drawn once it is over, and on it that answer, where there is one."""
        return None


class AtSeat(Aside, total=False):
    """What may be said of every exercise on a tree or a matrix besides."""

    you: int | None
    """The seat that the question calls “you”; nothing said: the one that is asked about, if an author's question says “you”."""


class OnBoard(AtBoard, Task):
    """A question that is answered on a tree or a matrix below it."""

    def __init__(self, asked: Asked[Any], **more: Unpack[AtSeat]) -> None:
        super().__init__(why=more.get("why", ""), name=more.get("name", ""), language=more.get("language"), number=more.get("number", ""))
        self._asked = asked
        self._you = more.get("you")
        self._given = asked.blank()
        self._judged: Opinion | None = None
        self._last: object = None
        """What was judged or kept last, as plain values."""
        self._marks: dict[str, str] = {}
        """Those of the last verdict, but where something has been done since."""
        self._blind: Fraction | None = None
        """The share of the parts that blind answers earn, where it does not count."""

    @property
    def asks(self) -> str:
        """What kind of thing is done on the view."""
        return self._asked.asks

    @property
    def question(self) -> str:
        """What is asked."""
        return in_words(self._asked.question, Voice(self._language))

    @property
    def solution(self) -> Sequence[object] | Mapping[object, object]:
        """A right answer, as `answer` takes it."""
        self._require_solution_allowed()
        return self._asked.solution

    @property
    def given(self) -> object:
        """What was judged or kept last, as plain values."""
        return self._last

    @property
    def marks(self) -> Mapping[str, str]:
        """What was thought of each part of the last answer: `right`, `wrong`, or `follows` where only what it hangs on is wrong."""
        return {} if self._judged is None else dict(self._judged.marks)

    @property
    def unreadable(self) -> bool:
        """Whether something is written in its fields, and in none of them a number."""
        return self._last is not None and self._asked.unread(self._given)

    def beyond_guessing(self, blind: Fraction) -> Self:
        """Count for an answer in parts only what it earns beyond a share that blind answers earn; wrong parts then cost what a guess would gain.

        >>> from durak_widget import gametheory
        >>> from durak_widget.lessons import OnMatrix
        >>> penalty = gametheory.from_efg('EFG 2 R "?" { "A" "B" } p "" 1 1 "" { "l" "r" } 0 p "" 2 1 "" { "l" "r" } 0 t "" 1 "" { 1, -1 } t "" 2 "" { -1, 1 } p "" 2 1 "" { "l" "r" } 0 t "" 2 "" { -1, 1 } t "" 1 "" { 1, -1 }')
        >>> quiz = OnMatrix.fill(penalty).beyond_guessing(Fraction(1, 4))
        >>> [str(quiz.credit) for given in (["1"] * 4, ["1", "-1", "-1"], ["1", "-1", "-1", "1"]) if quiz.answer(given) is not None]
        ['0', '2/3', '1']
        """
        self._blind = blind
        return self

    @property
    def _part_done(self) -> Fraction:
        if self._judged is None:
            return Fraction(0)
        given = self._asked.read(self._last)
        return self._asked.part_done(given, self.marks) if self._blind is None else self._asked.done_beyond(self._blind, given, self.marks)

    @property
    def solution_line(self) -> str:
        """A right answer in a line of words, where it is a row of words."""
        return super().solution_line if self._asked.in_words else ""

    @property
    def over(self) -> bool:
        """Whether it is solved, or its solution is shown: then nothing is done any more."""
        return self._state in ("right", "shown")

    def ready_made(self) -> dict[str, Any] | None:
        """What is drawn and asked, without what is right there."""
        found = self._asked.ready_made()
        return None if found is None else {**found, "asks": self.asks, "question": plain_words(self._asked.question)}

    def give(self, message: Mapping[str, object]) -> None:
        """Somebody has done something on the view; it is judged when it is checked."""
        if self.over:
            return
        if not isinstance(message, Mapping):
            raise DurakError(f"the exercise does not know what is meant by {quoted(message)}")
        before, self._given = self._given, self._asked.take(self._given, message)
        stands = self._asked.stands
        self._marks = {key: mark for key, mark in self._marks.items() if mark != "follows" and stands(key, before, self._given)}
        self._changed()

    def judge(self) -> Verdict:
        """Judge what stands on the view now, as “Check” does."""
        if not self.over:
            return self._judge_it()
        return self._verdict()

    def _judge_it(self) -> Verdict:
        if self._keeps and not self._asked.begun(self._given):
            raise RefusedError("class.kept.nothing")
        self._last = self._asked.plain(self._given)
        if self._keeps:
            return self._answered(right=False)
        self._judged = self._asked.judge(self._given)
        self._marks = dict(self._judged.marks)
        return self._answered(right=self._judged.right)

    def answer(self, answer: object) -> Verdict:
        """Give a whole answer, which is shown on the view too, and hear what is right or wrong about it and why."""
        self._given = self._asked.read(as_lists(answer))
        return self._judge_it()

    def recall(self, given: object) -> None:
        """What was kept before stands there again."""
        self._given = self._asked.read(given)
        self._last = self._asked.plain(self._given)
        super().recall(given)

    def told_parts(self, answer: object = None) -> Sequence[AnswerPart]:
        """Tell an answer in words, part by part, each with what is thought of it; the right one, if none is given."""
        given = self._asked.read(self.solution if answer is None else as_lists(answer))
        parts = self._asked.told(given, self._thought(answer, given))
        return [AnswerPart(self._said(part.where), self._said(part.said), part.mark) for part in parts]

    def pictured(self, answer: object = None) -> str:
        """Draw what is asked about as it is once it is over, and on it that answer."""
        self._require_solution_allowed()
        given = None if answer is None else self._asked.read(as_lists(answer))
        still = self._asked.still(given, self._thought(answer, given))
        return "" if still is None else self._dressed(still).html(self._voice)

    def why_right(self) -> Sequence[str]:
        """Say why the right answer is right."""
        reasons = self._asked.judge(self._asked.read(self.solution)).why[:MOST_REASONS]
        return [*map(self._text, reasons), *super().why_right()]

    def _thought(self, answer: object, given: object) -> Mapping[str, str]:
        """What is thought of the parts of an answer, where each is judged by itself; nothing where answers are only kept."""
        return {} if answer is None or self._keeps or self._asked.whole else self._asked.judge(given).marks

    def _dressed(self, still: Still) -> Still:
        """That, with what is known of it besides."""
        return still

    def _said(self, one: object) -> str:
        """A fact, or several, as words."""
        if type(one) is tuple:
            return ", ".join(map(self._said, one))
        return self._text(one) if isinstance(one, (Fact, str)) else str(self._value(one))

    def _stands(self) -> object:
        """What stands on the view now, as plain values."""
        return self._asked.plain(self._given)

    def _kept(self) -> Sequence[Text]:
        """What was changed since is not kept yet; of what is kept, what is left to do."""
        if self._last is None:
            return super()._kept()
        if self._last != self._stands():
            return [Fact("screen.keep.changed")]
        head, *rest = super()._kept()
        return [head, *self._asked.open(self._given), *rest]

    @property
    def _begun(self) -> bool:
        return self._stands() != self._asked.plain(self._asked.blank())

    @property
    def loose(self) -> bool:
        """Whether something was done on the view, or changed since, that is not kept."""
        return self._keeps and not self._state and (self._begun or self._last is not None)

    @property
    def _state(self) -> str:
        return "" if self._keeps and self._last not in (None, self._stands()) else super()._state

    def reveal(self) -> str:
        """Show the solution, on the view too."""
        self._require_solution_allowed()
        self._revealed, self._given = True, self._asked.read(self.solution)
        self._judged = self._asked.judge(self._given)
        self._marks = dict(self._judged.marks)
        self._changed()
        return str(self._verdict())

    def again(self) -> None:
        """Begin anew."""
        self._given, self._judged, self._last, self._marks = self._asked.blank(), None, None, {}
        self._forget()
        self._changed()

    @property
    def _found(self) -> tuple[bool, Sequence[Text]] | None:
        return None if self._judged is None else self._judged.told(self._tries, MOST_REASONS)

    # In words

    @property
    def asked_on_paper(self) -> str:
        """What is asked, in the words for paper."""
        return in_words(for_paper(self._asked.question), self.voice)

    @property
    def voice(self) -> Voice:
        """How questions are said."""
        return Voice(self._language)

    @property
    def _voice(self) -> Voice:
        """Reasons say “you” where the question does; a player whom the author has named is called by that name all the same."""
        you = self._you if self._you is not None else self._asked.seat if says_you(self.question) else None
        return Voice(self._language, me=you)

    @abstractmethod
    def _called(self, thing: object) -> str:
        """What a move, a plan, or what a seat knows is called in the language of the view."""

    def _text(self, text: Text) -> str:
        return super()._text(self._worded(text) if isinstance(text, Fact) else text)

    def _worded(self, fact: Fact) -> Fact:
        return Fact(fact.key, {name: self._value(one) for name, one in fact.facts.items()})

    def _value(self, one: object) -> object:
        if isinstance(one, Fact):
            return self._worded(one)
        if type(one) is tuple:
            return tuple(map(self._value, one))
        return self._called(one) if isinstance(one, (Way, BranchSaid, StepSaid, KnownSaid, PlanOf)) else one

    # What is shown

    def shown(self) -> dict[str, object]:
        """What the view shows of it, as plain values."""
        return {"asks": self.asks, **({"kept": True} if self._keeps else {}), **self._asked.shown(self._given, self._marks, over=self.over)}

    def sheet(self) -> dict[str, object]:
        """What the page above the view shows."""
        return {
            **blank_sheet(self.kind),
            **self._numbered,
            "question": self.question,
            "said": list(self._verdict().said),
            "state": self._state,
            "tries": self._tries,
            "begun": self._begun,
        }

    def static(self) -> dict[str, str]:
        """The question; the picture of the tree or the matrix, without the answer, stands below it."""
        shown = f"<p><b>{escape(self.question)}</b></p><p>{escape(self._to_answer)}</p>"
        mark = "" if self._keeps else f' data-answer="{self._fingerprint()}"'
        return {"text/html": f'<div class="durak-picture"{mark}>{shown}</div>', "text/plain": self.question}

    def _fingerprint(self) -> str:
        """A fingerprint of the answer and its reasons: it tells nobody what is right, but changes with it."""
        reasons = [self._text(why) for given in self._asked.attempts() for why in self._asked.judge(given).why]
        return f"{crc32(repr([self.solution, reasons]).encode()):08x}"


def aside(more: Mapping[str, Any], whose: str, seats: int = 2) -> AtSeat:
    """What may be said of an exercise besides; a name that is not among that is refused.

    >>> aside({"nmae": "11/x"}, "OnTree")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: OnTree has no option 'nmae'. Did you mean 'name'?
    """
    known = AtSeat.__annotations__
    for name in more:
        if name not in known:
            raise DurakError(f"{whose} has no option {name!r}.{nearest(name, known)}")
    you = more.get("you")
    if you is not None and whole_number(you) not in range(seats):
        which = f", from 0 to {seats - 1}" if seats > 1 else ": here it can only be 0"
        raise DurakError(f"you={quoted(you)} is the seat that the question speaks to{which}")
    return cast("AtSeat", dict(more))


class ToldPart(NamedTuple):
    """A part of an answer in facts: where it stands, what is answered there, what was thought of it."""

    where: object
    said: object
    """What a sentence takes, or several of these in a tuple."""
    mark: str = ""


class Still(NamedTuple):
    """A tree, or a matrix of payoffs, or both, to be drawn as they are; and what is written on the tree."""

    tree: Tree | None = None
    table: Matrix | None = None
    values: Mapping[int, str] = {}
    """What histories are worth."""
    labels: Mapping[int, str] = {}
    """What stands beside histories."""
    lit: frozenset[int] = frozenset()
    """The histories on the way that is shown."""
    plans: Tree | None = None
    """The tree whose plans the matrix has."""

    def html(self, voice: Voice) -> str:
        """Pictures of it, in which nothing runs.

        >>> from durak_widget.gametheory.strategic_form import matrix_of
        >>> from durak_widget.i18n import Voice
        >>> Still(table=matrix_of([[1, -1], [-1, 1]])).html(Voice())[:9]
        '<img alt='
        """
        drawn_tree = "" if self.tree is None else self._drawn(Names(self.tree, voice.language))
        if self.table is None:
            return drawn_tree
        saying = Saying(self.table, voice) if self.plans is None else saying_of(Names(self.plans, voice.language), self.table)
        grid = Grid(self.table, saying, marks=False)
        return drawn_tree + image(matrix_svg.drawn(grid), beginning(matrix_svg.lettered(grid)))

    def _drawn(self, names: Names) -> str:
        """The tree, in which as much is open as one would open."""
        tree = names.tree
        unfolded = Unfolded(tree, len(tree.levels) if tree.histories <= WHOLE else 2)
        written = {
            "value": [[self.values[one].replace("-", "−")] if one in self.values else [] for one in unfolded.shown],
            "lit": sorted(self.lit),
        }
        told = {
            "title": names.title,
            "direction": "right",
            "seats": names.seats,
            "labels": {"nodes": {str(one): [label] for one, label in self.labels.items()}, "branches": {}},
            "chance": names.spoken.say("tree.chance"),
            **nodes_of(unfolded, names),
        }
        said = outline(told, written, names)
        return image(TreePicture(told, written, said, language=names.spoken.language).svg, beginning(said))
