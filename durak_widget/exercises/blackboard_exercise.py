"""The base classes of exercises on a tree or matrix, and pictures of answers for print.

The user answers with the mouse, touch, the keyboard or code, and the answer is graded when they press
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

MOST_REASONS: Final = 3  # nobody reads more
WHOLE: Final = 150
"""The maximum size of a tree that is shown whole; of a larger one two levels are shown."""


class Asked(InParts[Given]):
    """A question without its widget: the key, the named mistakes, and what the page shows."""

    asks: ClassVar[str]
    """The kind of input on the view."""
    whole: ClassVar[bool] = False
    """True if it is graded as a whole, so that its parts have no marks."""
    in_words: ClassVar[bool] = False
    """True if its solution is a list of words that a teacher can read."""
    question: Text
    wanted: Sequence[int] = ()
    """The histories of a tree that must be visible."""
    seat: int | None = None
    """The player it is about; None if it is about several."""

    @abstractmethod
    def blank(self) -> Given:
        """Return an empty answer."""

    @abstractmethod
    def read(self, answer: object) -> Given:
        """Parse a whole answer from code.

        Raises a `DurakError` that says what a valid answer is.
        """

    @abstractmethod
    def take(self, given: Given, message: Mapping[str, object]) -> Given:
        """Return the answer after a user's action on the view.

        Raises a `DurakError` if the action is not possible.
        """

    @abstractmethod
    def judge(self, given: Given) -> Opinion:
        """Grade an answer; the marks are by part."""

    @abstractmethod
    def shown(self, given: Given, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:
        """Return what the view shows besides the question."""

    def plain(self, given: Given) -> object:
        """Return an answer as plain values, as `read` takes it."""
        return given

    def begun(self, given: Given) -> bool:  # noqa: ARG002 - of many questions, to do nothing is an answer
        """Return whether this is an answer; for many questions an empty one is."""
        return True

    def open(self, given: Given) -> Sequence[Text]:  # noqa: ARG002 - most are finished whenever somebody says so
        """Return notes on what is unfinished, without telling what is right."""
        return []

    def unread(self, given: Given) -> bool:  # noqa: ARG002 - what is clicked can be read
        """Return whether something is written, none of which can be read."""
        return False

    def stands(self, key: str, before: Given, now: Given) -> bool:  # noqa: ARG002 - where one thing hangs on the others, no mark does
        """Return whether a mark is still true after the answer has changed."""
        return before == now

    def ready_made(self) -> dict[str, Any] | None:
        """Return plain values of the question without its key and texts; None if not possible."""
        return None

    def on_sheet(self) -> HandWork | None:
        """Return the question for a printed sheet; None if it needs a screen."""
        return None

    def attempts(self) -> Sequence[Given]:
        """Return answers whose reasons cover most of the grading."""
        return [self.read(self.solution), self.blank()]

    def told(self, given: Given, marks: Mapping[str, str]) -> Sequence[ToldPart]:  # noqa: ARG002 - what has no parts has no marks
        """Describe an answer part by part: its location, its content and its mark."""
        return [ToldPart("", in_a_line(self.plain(given)))]

    def still(self, given: Given | None, marks: Mapping[str, str]) -> Still | None:  # noqa: ARG002 - see those that have one
        """Return a picture of the solved question, with this answer if there is one."""
        return None


class AtSeat(Aside, total=False):
    """Options of every exercise on a tree or a matrix."""

    you: int | None
    """The player that the question calls “you”.

    By default, if an author's question says “you”: the player it is about.
    """


class OnBoard(AtBoard, Task):
    """A question that is answered on a tree or a matrix below it."""

    def __init__(self, asked: Asked[Any], **more: Unpack[AtSeat]) -> None:
        super().__init__(why=more.get("why", ""), name=more.get("name", ""), language=more.get("language"), number=more.get("number", ""))
        self._asked = asked
        self._you = more.get("you")
        self._given = asked.blank()
        self._judged: Opinion | None = None
        self._last: object = None
        """The last graded or stored answer, as plain values."""
        self._marks: dict[str, str] = {}
        """The marks of the last verdict that are still true."""
        self._blind: Fraction | None = None
        """The share of the parts that a blind answer earns, if it does not count."""

    @property
    def asks(self) -> str:
        """Return the kind of input on the view."""
        return self._asked.asks

    @property
    def question(self) -> str:
        """Return the question."""
        return in_words(self._asked.question, Voice(self._language))

    @property
    def solution(self) -> Sequence[object] | Mapping[object, object]:
        """Return a right answer, as `answer` takes it."""
        self._require_solution_allowed()
        return self._asked.solution

    @property
    def given(self) -> object:
        """Return the last graded or stored answer, as plain values."""
        return self._last

    @property
    def marks(self) -> Mapping[str, str]:
        """Return the mark of each part of the last answer.

        It is `right`, `wrong`, or `follows` if it is only wrong because of another mistake.
        """
        return {} if self._judged is None else dict(self._judged.marks)

    @property
    def unreadable(self) -> bool:
        """Return whether its fields have texts, none of which is a number."""
        return self._last is not None and self._asked.unread(self._given)

    def beyond_guessing(self, blind: Fraction) -> Self:
        """Give credit only beyond the share of a blind answer, and make wrong parts cost.

        >>> from durak_widget import gametheory
        >>> from durak_widget.lessons import OnMatrix
        >>> penalty = gametheory.from_efg('EFG 2 R "?" { "A" "B" } p "" 1 1 "" { "l" "r" } 0 p "" 2 1 "" { "l" "r" } 0 t "" 1 "" { 1, -1 } t "" 2 "" { -1, 1 } p "" 2 1 "" { "l" "r" } 0 t "" 2 "" { -1, 1 } t "" 1 "" { 1, -1 }')
        >>> quiz = OnMatrix.fill(penalty).beyond_guessing(Fraction(1, 4))
        >>> [str(quiz.credit) for values in (["1"] * 4, ["1", "-1", "-1"], ["1", "-1", "-1", "1"]) if quiz.answer(values) is not None]
        ['0', '2/3', '1']
        """
        self._blind = blind
        return self

    @property
    def _part_done(self) -> Fraction:
        if self._judged is None:
            return Fraction(0)
        parsed = self._asked.read(self._last)
        return (
            self._asked.part_done(parsed, self.marks) if self._blind is None else self._asked.done_beyond(self._blind, parsed, self.marks)
        )

    @property
    def solution_line(self) -> str:
        """Return a right answer in one line, if it is a list of words."""
        return super().solution_line if self._asked.in_words else ""

    @property
    def over(self) -> bool:
        """Return whether it is solved or its solution is shown: then it takes no answer."""
        return self._state in ("right", "shown")

    def ready_made(self) -> dict[str, Any] | None:
        """Return the question without its key."""
        snapshot = self._asked.ready_made()
        return None if snapshot is None else {**snapshot, "asks": self.asks, "question": plain_words(self._asked.question)}

    def give(self, message: Mapping[str, object]) -> None:
        """Take a user's action on the view; it is graded on “Check”."""
        if self.over:
            return
        if not isinstance(message, Mapping):
            raise DurakError(f"the exercise does not know what is meant by {quoted(message)}")
        before, self._given = self._given, self._asked.take(self._given, message)
        is_still_true = self._asked.stands
        self._marks = {key: mark for key, mark in self._marks.items() if mark != "follows" and is_still_true(key, before, self._given)}
        self._changed()

    def judge(self) -> Verdict:
        """Grade the answer on the view, as “Check” does."""
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
        """Submit a whole answer, show it on the view, and return whether it is right and why."""
        self._given = self._asked.read(as_lists(answer))
        return self._judge_it()

    def recall(self, given: object) -> None:
        """Restore a stored answer."""
        self._given = self._asked.read(given)
        self._last = self._asked.plain(self._given)
        super().recall(given)

    def told_parts(self, answer: object = None) -> Sequence[AnswerPart]:
        """Describe an answer part by part with its marks; the right one if none is given."""
        parsed = self._asked.read(self.solution if answer is None else as_lists(answer))
        parts = self._asked.told(parsed, self._thought(answer, parsed))
        return [AnswerPart(self._said(part.where), self._said(part.said), part.mark) for part in parts]

    def pictured(self, answer: object = None) -> str:
        """Return a picture of the solved question with this answer as HTML."""
        self._require_solution_allowed()
        parsed = None if answer is None else self._asked.read(as_lists(answer))
        picture = self._asked.still(parsed, self._thought(answer, parsed))
        return "" if picture is None else self._dressed(picture).html(self._voice)

    def why_right(self) -> Sequence[str]:
        """Return sentences that explain the right answer."""
        reasons = self._asked.judge(self._asked.read(self.solution)).why[:MOST_REASONS]
        return [*map(self._text, reasons), *super().why_right()]

    def _thought(self, answer: object, given: object) -> Mapping[str, str]:
        """Return the mark of each part of an answer.

        There is none if answers are only stored or graded as a whole.
        """
        return {} if answer is None or self._keeps or self._asked.whole else self._asked.judge(given).marks

    def _dressed(self, still: Still) -> Still:
        """Return the picture with what a subclass adds."""
        return still

    def _said(self, one: object) -> str:
        """Return a fact, or several, as text."""
        if type(one) is tuple:
            return ", ".join(map(self._said, one))
        return self._text(one) if isinstance(one, (Fact, str)) else str(self._value(one))

    def _stands(self) -> object:
        """Return the answer on the view, as plain values."""
        return self._asked.plain(self._given)

    def _kept(self) -> Sequence[Text]:
        """Return notes about the stored answer: later changes, and what is unfinished."""
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
        """Return whether something was done on the view that is not stored."""
        return self._keeps and not self._state and (self._begun or self._last is not None)

    @property
    def _state(self) -> str:
        return "" if self._keeps and self._last not in (None, self._stands()) else super()._state

    def reveal(self) -> str:
        """Show the solution, also on the view."""
        self._require_solution_allowed()
        self._revealed, self._given = True, self._asked.read(self.solution)
        self._judged = self._asked.judge(self._given)
        self._marks = dict(self._judged.marks)
        self._changed()
        return str(self._verdict())

    def again(self) -> None:
        """Start again."""
        self._given, self._judged, self._last, self._marks = self._asked.blank(), None, None, {}
        self._forget()
        self._changed()

    @property
    def _found(self) -> tuple[bool, Sequence[Text]] | None:
        return None if self._judged is None else self._judged.told(self._tries, MOST_REASONS)

    # Sentences

    @property
    def asked_on_paper(self) -> str:
        """Return the question in the wording for paper."""
        return in_words(for_paper(self._asked.question), self.voice)

    @property
    def voice(self) -> Voice:
        """Return the translator for questions."""
        return Voice(self._language)

    @property
    def _voice(self) -> Voice:
        """Return the translator for reasons: they say “you” if the question does.

        A player whom the author has named still keeps that name.
        """
        player = self._you if self._you is not None else self._asked.seat if says_you(self.question) else None
        return Voice(self._language, me=player)

    @abstractmethod
    def _called(self, thing: object) -> str:
        """Return the name of a move, strategy or information set in the view's language."""

    def _text(self, text: Text) -> str:
        return super()._text(self._worded(text) if isinstance(text, Fact) else text)

    def _worded(self, fact: Fact) -> Fact:
        return Fact(fact.key, {name: self._value(value) for name, value in fact.facts.items()})

    def _value(self, one: object) -> object:
        if isinstance(one, Fact):
            return self._worded(one)
        if type(one) is tuple:
            return tuple(map(self._value, one))
        return self._called(one) if isinstance(one, (Way, BranchSaid, StepSaid, KnownSaid, PlanOf)) else one

    # View

    def shown(self) -> dict[str, object]:
        """Return what the view shows, as plain values."""
        return {"asks": self.asks, **({"kept": True} if self._keeps else {}), **self._asked.shown(self._given, self._marks, over=self.over)}

    def sheet(self) -> dict[str, object]:
        """Return what the page above the view shows."""
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
        """Return the question; the picture of the tree or matrix is below it, without the answer."""
        body = f"<p><b>{escape(self.question)}</b></p><p>{escape(self._to_answer)}</p>"
        attribute = "" if self._keeps else f' data-answer="{self._fingerprint()}"'
        return {"text/html": f'<div class="durak-picture"{attribute}>{body}</div>', "text/plain": self.question}

    def _fingerprint(self) -> str:
        """Return a checksum that changes with the answer and its reasons, but does not tell them."""
        reasons = [self._text(reason) for sample in self._asked.attempts() for reason in self._asked.judge(sample).why]
        return f"{crc32(repr([self.solution, reasons]).encode()):08x}"


def aside(more: Mapping[str, Any], whose: str, seats: int = 2) -> AtSeat:
    """Return the options of an exercise, or raise an error for an unknown one.

    >>> aside({"nmae": "11/x"}, "OnTree")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: OnTree has no option 'nmae'. Did you mean 'name'?
    """
    known_options = AtSeat.__annotations__
    for name in more:
        if name not in known_options:
            raise DurakError(f"{whose} has no option {name!r}.{nearest(name, known_options)}")
    addressed = more.get("you")
    if addressed is not None and whole_number(addressed) not in range(seats):
        seat_range = f", from 0 to {seats - 1}" if seats > 1 else ": here it can only be 0"
        raise DurakError(f"you={quoted(addressed)} is the seat that the question speaks to{seat_range}")
    return cast("AtSeat", dict(more))


class ToldPart(NamedTuple):
    """A part of an answer in facts: its location, its content and its mark."""

    where: object
    said: object
    """A value that a sentence takes, or a tuple of several."""
    mark: str = ""


class Still(NamedTuple):
    """A picture of a tree, of a matrix of payoffs, or of both, with an answer on the tree."""

    tree: Tree | None = None
    table: Matrix | None = None
    values: Mapping[int, str] = {}
    """The values of histories."""
    labels: Mapping[int, str] = {}
    """The labels of histories."""
    lit: frozenset[int] = frozenset()
    """The histories on the highlighted path."""
    plans: Tree | None = None
    """The tree whose strategies the matrix has."""

    def html(self, voice: Voice) -> str:
        """Return its pictures as HTML without scripts.

        >>> from durak_widget.gametheory.strategic_form import matrix_of
        >>> from durak_widget.i18n import Voice
        >>> Still(table=matrix_of([[1, -1], [-1, 1]])).html(Voice())[:9]
        '<img alt='
        """
        tree_html = "" if self.tree is None else self._drawn(Names(self.tree, voice.language))
        if self.table is None:
            return tree_html
        wording = Saying(self.table, voice) if self.plans is None else saying_of(Names(self.plans, voice.language), self.table)
        grid = Grid(self.table, wording, marks=False)
        return tree_html + image(matrix_svg.drawn(grid), beginning(matrix_svg.lettered(grid)))

    def _drawn(self, names: Names) -> str:
        """Draw the tree with as many levels as the view shows at first."""
        tree = names.tree
        expansion = Unfolded(tree, len(tree.levels) if tree.histories <= WHOLE else 2)
        overlay = {
            "value": [[self.values[node].replace("-", "−")] if node in self.values else [] for node in expansion.shown],
            "lit": sorted(self.lit),
        }
        view_model = {
            "title": names.title,
            "direction": "right",
            "seats": names.seats,
            "labels": {"nodes": {str(node): [label] for node, label in self.labels.items()}, "branches": {}},
            "chance": names.spoken.say("tree.chance"),
            **nodes_of(expansion, names),
        }
        description = outline(view_model, overlay, names)
        return image(TreePicture(view_model, overlay, description, language=names.spoken.language).svg, beginning(description))
