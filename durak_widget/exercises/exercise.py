"""Defines the base class of an exercise: a question answered on the page or in code, with reasons.

An exercise needs no notebook: its widget (see `exercise_widget`) is made when it is first displayed. A tree
or a matrix can be shown beside the question, as a picture and in words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, ClassVar, Final, Generic, NamedTuple, TypedDict, TypeVar
from zlib import crc32

from durak_widget.board import matrix_svg
from durak_widget.board.matrix_view_model import Grid, Saying
from durak_widget.board.tree_wording import beginning
from durak_widget.cards import Card
from durak_widget.engine.table_svg import Picture, drawn_row, image, row
from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.exercises.answer_form import LINE, TO_WRITE_ON, AnswerPart
from durak_widget.exercises.answer_parsing import author_text, game_given, seat_asked
from durak_widget.exercises.base_exercise import Task, most_of
from durak_widget.exercises.notebook_display import blank_sheet
from durak_widget.exercises.paper_form import Blank, ByHand, DrawnByHand, for_paper, grid, letters_for, printed_board
from durak_widget.gametheory.strategic_form import Matrix
from durak_widget.gametheory.tree import Tree
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Unpack

    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_form import AnswerForm
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict

_MOST_REASONS: Final = 4
"""So many reasons are read; more would not be."""
MOST: Final = 300
"""A tree of so many places is still read off a picture."""


class Aside(TypedDict, total=False):
    """What may be said of every exercise besides."""

    why: Text
    """What is said once it is answered rightly."""
    language: str
    """`en`, `ru` or `lt`."""
    name: str
    """Under which its success is remembered, such as `01/what-beats-what`; without one it is not."""
    number: int | str
    """The number that it bears on its page."""


class Setting(Aside, total=False):
    """What an exercise about a position is told besides."""

    game: Game | None
    """The position, which is shown."""
    after: Game | None
    """The position that is shown once the answer is known."""
    seat: int | None
    """Whose eyes see it; the seat to act, if none is named."""
    beside: object
    """A tree or a matrix that is shown beside the question, where it is about a game."""
    hand: bool
    """The cards of the question are the hand of that seat, so that the picture need not show it."""


class Opinion(NamedTuple):
    """What an exercise thinks of an answer, before it is put into words."""

    marks: Mapping[str, str]
    """Of single items: `right` or `wrong`."""
    why: Sequence[Text]
    """The reasons, the most telling first."""
    right: bool
    again: Sequence[Text] = ()
    """What is said instead of these reasons from the second try on."""

    def told(self, tries: int, most: int) -> tuple[bool, Sequence[Text]]:
        """Whether it is right, and so many of the reasons that are said at this try."""
        return self.right, ((self.again if tries > 1 else ()) or self.why)[:most]


class Exercise(Task):
    """A question with an answer. See its kinds: `Pick`, `Sort`, `Choose`, `Predict`."""

    def __init__(self, question: Text, **more: Unpack[Setting]) -> None:
        """Ask a question, about a position if one is given."""
        known = Setting.__annotations__
        for name in more:
            if name not in known:
                raise DurakError(f"{type(self).__name__} has no option {name!r}.{nearest(name, known)}")
        super().__init__(why=more.get("why", ""), name=more.get("name", ""), language=more.get("language"), number=more.get("number", ""))
        game, after = more.get("game"), more.get("after")
        self._question = author_text(question)
        self._game, self._after = (None if one is None else game_given(one).copy() for one in (game, after))
        self._seat = 0 if self._game is None else seat_asked(self._game, more.get("seat"))
        self._beside = None if more.get("beside") is None else game_beside(more["beside"])
        self._given: list[str] = []
        self._judged: Opinion | None = None
        self._is_hand = bool(more.get("hand", False))

    # What each kind of exercise knows

    @abstractmethod
    def _items(self) -> Mapping[str, Text]:
        """What can be picked or ordered, in the order in which it is shown; a card has no words of its own."""

    @abstractmethod
    def _judge(self, given: Sequence[str]) -> Opinion:
        """What is right and wrong about an answer."""

    @abstractmethod
    def _solution(self) -> list[str]:
        """A right answer."""

    def _read(self, answer: object) -> list[str]:
        """An answer from code as the page would give it; a `DurakError` says what would be one."""
        return self._form.read(answer, list(self._items()))

    @property
    def _form(self) -> AnswerForm:
        if self.on_paper is None:
            raise NotImplementedError(f"{type(self).__name__} does not say how it is answered: on_paper is an AnswerForm")
        return self.on_paper

    def to_seal(self) -> list[tuple[str, dict[str, object]]]:
        """Tell the right answer as it is sealed, with what its seal tells."""
        return [(self._form.text(self.solution), {"right": True})]

    # From code

    @property
    def question(self) -> str:
        """What is asked."""
        return self._text(self._question)

    @property
    def solution(self) -> list[str]:
        """A right answer, as `answer` takes it."""
        self._require_solution_allowed()
        return self._solution()

    @property
    def given(self) -> object:
        """The last answer as plain values: the cards, the option, the number."""
        if not self._tries and self._judged is None:
            return None
        return list(self._given) if self.on_paper is None else self.on_paper.plain(self._given)

    def answer(self, answer: object) -> Verdict:
        """Give an answer, which is shown on the page too, and hear what is right or wrong about it and why."""
        self._given = self._read(answer)
        self._judged = None if self._keeps else self._judge(self._given)
        return self._answered(right=self._judged is not None and self._judged.right)

    def told_parts(self, answer: object = None) -> Sequence[AnswerPart]:
        """Tell an answer in words: cards by their signs, the words that are clicked, a number as it was written; the right one, if none is given.

        >>> from durak_widget.lessons import Choose
        >>> [part.said for part in Choose("Who wins?", {"a": "", "b": ""}, right="b", named={"a": "Ann", "b": "Bob"}).told_parts()]
        ['Bob']
        """
        given, items = self.solution if answer is None else self._read(answer), self._items()
        signs = Voice(self._language, cards="signs")
        said = [self._text(items[one]) if items.get(one) else signs.name(Card(one)) if one in items else one for one in given]
        return [AnswerPart("", ", ".join(said))]

    def pictured(self, answer: object = None) -> str:  # noqa: ARG002 - the position is the same whatever was answered
        """Draw the position that is asked about, or the cards."""
        cards = [Card(item) for item, text in self._items().items() if not text]
        return self._picture(self._game) + (self._strip(cards) if cards and self._game is None else "")

    def why_right(self) -> Sequence[str]:
        """Say why the right answer is right."""
        reasons = self._judge(self.solution).why[:_MOST_REASONS]
        return [*map(self._text, reasons), *super().why_right()]

    def recall(self, given: object) -> None:
        """What was kept before stands there again."""
        self._given = self._read(given)
        super().recall(given)

    def reveal(self) -> str:
        """Show the solution, on the page too."""
        self._require_solution_allowed()
        self._revealed, self._given = True, self._solution()
        self._judged = self._judge(self._given)
        self._changed()
        return str(self._verdict())

    def again(self) -> None:
        """Begin anew."""
        self._given, self._judged = [], None
        self._forget()
        self._changed()

    @property
    def _found(self) -> tuple[bool, Sequence[Text]] | None:
        return None if self._judged is None else self._judged.told(self._tries, _MOST_REASONS)

    @property
    def _voice(self) -> Voice:
        return Voice(self._language, me=None if self._game is None else self._seat)

    @property
    def ways(self) -> Mapping[str, Game]:
        """The positions to which answers lead, where these are shown."""
        return {}

    # On paper

    def by_hand(self) -> ByHand | None:
        """The question on a printed sheet: its position, cards with boxes to be ticked, answers with letters, or a line for a number."""
        form, items = self.on_paper, self._items()
        if form is None or not form.hand:
            return None
        names, cards = list(items), [Card(item) for item, text in items.items() if not text]
        options = tuple((label, self._text(text)) for label, text in zip(letters_for(len(items)), items.values(), strict=True) if text)
        blank = Blank(room={"number": "work", "sort": "line"}.get(form.hand, "drawn"), options=options)
        return ByHand(
            self._text(for_paper(self._question)),
            self._voice.say(f"lesson.hand.{form.hand}"),
            lambda: (
                *self._printed_first(hand=not (cards and self._is_hand)),
                *([DrawnByHand.of(*self._ticked(cards))] if cards else []),
            ),
            (blank,),
            lambda written: form.from_hand(written[""], names) if written[""] else None,
            lambda: {"": form.in_hand(self.solution, names)},
        )

    def _printed_first(self, *, hand: bool) -> list[DrawnByHand]:
        """The position, or the game it is about, where one is shown; without the hand where that is what is picked from."""
        if self._game is None:
            return [] if self._beside is None else [printed_beside(self._beside, self._language)]
        picture = Picture(self._game.view(self._seat).silent(), language=self._language, hand=hand, on_paper=True)
        return [DrawnByHand.of(picture.svg, str(picture), 140)]

    def _ticked(self, cards: Sequence[Card]) -> tuple[str, str]:
        """Cards with letters and boxes to be ticked."""
        return drawn_row(cards, language=self._language, ticked=letters_for(len(cards)))

    # What is shown

    def sheet(self) -> dict[str, object]:
        """What the page shows, as plain values.

        >>> from durak_widget.lessons import Pick
        >>> Pick.beaters("Tc", of="9c Jc", trump="h").sheet()["items"]
        [['9c', ''], ['Jc', '']]
        """
        now = self._after if self._state in ("right", "shown") and self._after else self._game  # what came of it, once that is known
        return {
            **blank_sheet(self.kind),
            **self._numbered,
            "question": self.question,
            "picture": self._picture(now, hand=not self._is_hand) + self._told(now),
            "items": [[item, self._text(text) if text else ""] for item, text in self._items().items()],
            "trump": None if self._game is None or self._game.trump is None else str(self._game.trump),
            "given": self._given,
            "marks": dict(self._judged.marks) if self._judged else {},
            "said": list(self._verdict().said),
            "state": self._state,
            "tries": self._tries,
            **self._seen(),
        }

    def _seen(self) -> dict[str, object]:
        """What else is to be seen of this kind."""
        return {}

    def _picture_of(self, game: Game, *, hand: bool = True) -> Picture:
        """A position as whoever is asked sees it."""
        return Picture(game.view(self._seat).silent(), language=self._language, hand=hand)

    def shown_first(self) -> Picture | GamePicture | None:
        """What is shown before it is answered: the position, or the game it is about; None where nothing is."""
        if self._game is not None:
            return self._picture_of(self._game, hand=not self._is_hand)
        return None if self._beside is None else drawn_beside(self._beside, self._language)

    def _picture(self, game: Game | None, *, hand: bool = True) -> str:
        """What is seen, as an image; without the hand where that is what is picked from."""
        if game is None:
            return "" if self._beside is None else drawn_beside(self._beside, self._language).html
        return self._picture_of(game, hand=hand)._repr_mimebundle_()["text/html"]

    def _told(self, game: Game | None) -> str:
        """What is seen in words, for screens on which the image is too small to be read."""
        seen = self._picture_of(game) if game is not None else None if self._beside is None else drawn_beside(self._beside, self._language)
        return "" if seen is None else told_below(str(seen), self._voice)

    def static(self) -> dict[str, str]:
        """The question with what can be chosen: for print, for GitHub, and where nothing is live."""
        answers = [self._text(text) for text in self._items().values() if text]
        cards = [Card(item) for item, text in self._items().items() if not text]
        below = f"<ul>{''.join(f'<li>{escape(answer)}</li>' for answer in answers)}</ul>" if answers else ""
        if cards and self._game is None:  # a hand is part of its position's picture
            below = self._strip(cards)
        shown = f"<p><b>{escape(self.question)}</b></p>{self._picture(self._game)}{self._printed()}{below}<p>{escape(self._to_answer)}</p>"
        mark = "" if self._keeps else f' data-answer="{self._fingerprint()}"'
        html = f'<div class="durak-picture"{mark}>{shown}</div>'
        listed = [*answers, *map(self._voice.name, cards)]
        line = [LINE] if self._written else []
        return {"text/html": html, "text/plain": "\n".join([self.question, *(f"- {item}" for item in listed), *line])}

    def _printed(self) -> str:
        """What else stands there for print: a line, where the answer is written by hand."""
        return TO_WRITE_ON if self._written else ""

    @property
    def _written(self) -> bool:
        """Whether the answer is written by hand."""
        return self.on_paper is not None and self.on_paper.written

    def _strip(self, cards: Sequence[Card]) -> str:
        """Cards that lie in no position, as an image."""
        return row(cards, language=self._language)

    def _fingerprint(self) -> str:
        """A fingerprint of the answer, its reasons, and what may be done in what is shown: it tells nobody what is right, but changes with it."""
        reasons = [self._text(why) for given in self._attempts() for why in self._judge(given).why]
        shown = [
            (game.actor, game.legal_moves(), game.throwers_passed, game.limit, str(game.outcome))
            for game in (self._game, self._after)
            if game
        ]
        return f"{crc32(repr([self._solution(), reasons, shown]).encode()):08x}"

    def _attempts(self) -> list[list[str]]:
        """Answers whose reasons tell most of what is judged here."""
        return [self._solution(), *([list(self._items())] if self._items() else [])]


def told_below(told: str, voice: Voice) -> str:
    """What a picture shows, in words that unfold below it.

    >>> told_below("You attack.", Voice())
    '<details class="dk-told"><summary>In words</summary><p>You attack.</p></details>'
    """
    lines = "<br>".join(map(escape, told.splitlines()))
    return f'<details class="dk-told"><summary>{escape(voice.say("lesson.in_words"))}</summary><p>{lines}</p></details>' if lines else ""


Given = TypeVar("Given")
"""What somebody has done so far."""


class InParts(ABC, Generic[Given]):
    """What is asked in parts, such as fields or groups."""

    fields: ClassVar[bool] = False
    """Whether it is asked in so many places: each right one counts, and one that follows from another's mistake is not held against anybody twice."""
    guessed: ClassVar[bool] = False
    """Whether it is one of few things, at each place or among others: a wrong one takes back a right one, so that guessing and marking everything earn next to nothing."""

    @property
    @abstractmethod
    def solution(self) -> Sequence[object] | Mapping[object, object]:
        """A right answer, as `read` takes it."""

    def part_done(self, given: Given, marks: Mapping[str, str]) -> Fraction:  # noqa: ARG002 - most are worth what their marks are
        """How much of it an answer has done that is not right: nothing, where it is not asked in parts."""
        if not self.fields and not self.guessed:
            return Fraction(0)
        count, of = Counter(marks.values()), len(self.solution)
        done = count["right"] + (count["follows"] if self.fields else 0) - (count["wrong"] if self.guessed else 0)
        return most_of(done, max(of, len(marks)) if self.fields else of)

    def wrong_costs(self) -> Fraction:
        """Return how many right parts a wrong one takes back, so that the best blind answer to this very question gains nothing: one, if nothing else is known."""
        return Fraction(1)

    def followed(self, given: Given, marks: Mapping[str, str]) -> int:  # noqa: ARG002 - see those in which something follows
        """Return how many parts that follow rightly from a mistake count as right."""
        return 0

    def legible(self, given: Given, marks: Mapping[str, str]) -> Mapping[str, str]:  # noqa: ARG002 - what is clicked can be read
        """Return the marks of those parts that can be read: one that cannot is worth no less than an empty one."""
        return marks

    def done_beyond(self, blind: Fraction, given: Given, marks: Mapping[str, str]) -> Fraction:
        """Return how much an answer that is not right has done beyond the share that blind answers earn: 0 for that share, 1 for all."""
        count, of = Counter(self.legible(given, marks).values()), len(self.solution)
        done = Fraction(count["right"] + self.followed(given, marks) - self.wrong_costs() * count["wrong"], of)
        return min(max((done - blind) / (1 - blind), Fraction(0)), Fraction(of - 1, of))


class GamePicture(NamedTuple):
    """What is seen of a game."""

    svg: str
    said: str

    @property
    def html(self) -> str:
        """The picture as an image, in which nothing runs."""
        return image(self.svg, self.said)

    def __str__(self) -> str:
        return self.said


def game_beside(game: object) -> Tree | Matrix:
    """A game that can be shown beside a question.

    >>> game_beside("entry")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: beside='entry' is what is shown beside the question: a tree of at most 300 places, or a matrix, such as gametheory.textbook("entry")
    """
    if not isinstance(game, (Tree, Matrix)) or (isinstance(game, Tree) and game.histories > MOST):
        raise DurakError(
            f"beside={quoted(game)} is what is shown beside the question: a tree of at most {MOST} places, or a matrix, "
            'such as gametheory.textbook("entry")'
        )
    return game


@lru_cache(maxsize=64)
def drawn_beside(game: Tree | Matrix, language: str) -> GamePicture:
    r"""How a game is drawn in a language; nothing in it is solved.

    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> print(drawn_beside(matrix_of([[1, -1], [-1, 1]]), "en").said.splitlines()[0])
    Row \ Column | a     | b
    """
    if isinstance(game, Matrix):
        grid = Grid(game, Saying(game, Voice(language)), pairs=True, marks=False)
        return GamePicture(matrix_svg.drawn(grid), beginning(matrix_svg.lettered(grid)))
    from durak_widget.board.tree_widget import Tree as View  # noqa: PLC0415 - a widget, which is asked for only where something is shown

    view = View(game, depth=len(game.levels), language=language)
    try:
        return GamePicture(view.svg(whole=True), beginning(str(view)))
    finally:
        view.close()  # nobody looks at it any more


def printed_beside(game: Tree | Matrix, language: str) -> DrawnByHand:
    """How a game is printed on a sheet: a tree on white, a matrix as a table.

    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> "<td>1, −1</td>" in printed_beside(matrix_of([[1, -1], [-1, 1]]), "en").html
    True
    """
    if isinstance(game, Tree):
        return printed_board(*drawn_beside(game, language))
    saying = Saying(game, Voice(language))
    told = Grid(game, saying, pairs=True, marks=False)
    rows, columns = ([escape(saying.plan(seat, place)) for place in range(len(saying.heads[seat]))] for seat in (0, 1))
    cells = [
        [escape(", ".join(text for text, _ in matrix_svg.payoffs_of(told, row, column, 0))) for column in range(len(columns))]
        for row in range(len(rows))
    ]
    return grid(columns, list(zip(rows, cells, strict=True)), corner=f"{escape(saying.names[1])} →<br>{escape(saying.names[0])} ↓")
