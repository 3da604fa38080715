"""The base class of exercises that are answered on the page or in code, with reasons.

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
"""The maximum number of reasons; nobody reads more."""
MOST: Final = 300
"""The maximum number of histories of a tree that a picture can show legibly."""


class Aside(TypedDict, total=False):
    """Options of every exercise."""

    why: Text
    """The explanation that is shown with the right answer."""
    language: str
    """`en`, `ru` or `lt`."""
    name: str
    """The name under which progress is stored, such as `01/what-beats-what`; may be empty."""
    number: int | str
    """The number that its page shows."""


class Setting(Aside, total=False):
    """Options of an exercise about a position."""

    game: Game | None
    """The position that is shown."""
    after: Game | None
    """The position that is shown once the answer is known."""
    seat: int | None
    """The seat from which the position is seen; by default the seat to act."""
    beside: object
    """A tree or a matrix that is shown beside the question."""
    hand: bool
    """True if the cards of the question are the hand of that seat: then the picture omits it."""


class Opinion(NamedTuple):
    """The grade of an answer, before it is put into words."""

    marks: Mapping[str, str]
    """`right` or `wrong`, by item."""
    why: Sequence[Text]
    """The reasons, the most helpful first."""
    right: bool
    again: Sequence[Text] = ()
    """The reasons that replace these from the second attempt on."""

    def told(self, tries: int, most: int) -> tuple[bool, Sequence[Text]]:
        """Return whether the answer is right, and at most `most` reasons for this attempt."""
        return self.right, ((self.again if tries > 1 else ()) or self.why)[:most]


class Exercise(Task):
    """A question with an answer; its subclasses are `Pick`, `Sort`, `Choose`, `Predict`."""

    def __init__(self, question: Text, **more: Unpack[Setting]) -> None:
        """Ask a question, about a position if one is given."""
        known_options = Setting.__annotations__
        for name in more:
            if name not in known_options:
                raise DurakError(f"{type(self).__name__} has no option {name!r}.{nearest(name, known_options)}")
        super().__init__(why=more.get("why", ""), name=more.get("name", ""), language=more.get("language"), number=more.get("number", ""))
        game, after = more.get("game"), more.get("after")
        self._question = author_text(question)
        self._game, self._after = (None if position is None else game_given(position).copy() for position in (game, after))
        self._seat = 0 if self._game is None else seat_asked(self._game, more.get("seat"))
        self._beside = None if more.get("beside") is None else game_beside(more["beside"])
        self._given: list[str] = []
        self._judged: Opinion | None = None
        self._is_hand = bool(more.get("hand", False))

    # Defined by each kind of exercise

    @abstractmethod
    def _items(self) -> Mapping[str, Text]:
        """Return what can be picked or sorted, in the order shown; cards have no text."""

    @abstractmethod
    def _judge(self, given: Sequence[str]) -> Opinion:
        """Grade an answer."""

    @abstractmethod
    def _solution(self) -> list[str]:
        """Return a right answer."""

    def _read(self, answer: object) -> list[str]:
        """Return an answer from code in the form that the page sends.

        Raises a `DurakError` that says what a valid answer is.
        """
        return self._form.read(answer, list(self._items()))

    @property
    def _form(self) -> AnswerForm:
        if self.on_paper is None:
            raise NotImplementedError(f"{type(self).__name__} does not say how it is answered: on_paper is an AnswerForm")
        return self.on_paper

    def to_seal(self) -> list[tuple[str, dict[str, object]]]:
        """Return the right answer in the form that is sealed, with the sealed data."""
        return [(self._form.text(self.solution), {"right": True})]

    # From code

    @property
    def question(self) -> str:
        """Return the question."""
        return self._text(self._question)

    @property
    def solution(self) -> list[str]:
        """Return a right answer, as `answer` takes it."""
        self._require_solution_allowed()
        return self._solution()

    @property
    def given(self) -> object:
        """Return the last answer as plain values: the cards, the option, the number."""
        if not self._tries and self._judged is None:
            return None
        return list(self._given) if self.on_paper is None else self.on_paper.plain(self._given)

    def answer(self, answer: object) -> Verdict:
        """Submit an answer, show it on the page, and return whether it is right and why."""
        self._given = self._read(answer)
        self._judged = None if self._keeps else self._judge(self._given)
        return self._answered(right=self._judged is not None and self._judged.right)

    def told_parts(self, answer: object = None) -> Sequence[AnswerPart]:
        """Describe an answer: card signs, the texts of options, or a number as it was written.

        Describes the right answer if none is given.

        >>> from durak_widget.lessons import Choose
        >>> [part.said for part in Choose("Who wins?", {"a": "", "b": ""}, right="b", named={"a": "Ann", "b": "Bob"}).told_parts()]
        ['Bob']
        """
        chosen, items = self.solution if answer is None else self._read(answer), self._items()
        signs = Voice(self._language, cards="signs")
        texts = [self._text(items[item]) if items.get(item) else signs.name(Card(item)) if item in items else item for item in chosen]
        return [AnswerPart("", ", ".join(texts))]

    def pictured(self, answer: object = None) -> str:  # noqa: ARG002 - the position is the same whatever was answered
        """Return a picture of the position, or of the cards, as HTML."""
        cards = [Card(item) for item, text in self._items().items() if not text]
        return self._picture(self._game) + (self._strip(cards) if cards and self._game is None else "")

    def why_right(self) -> Sequence[str]:
        """Return sentences that explain the right answer."""
        reasons = self._judge(self.solution).why[:_MOST_REASONS]
        return [*map(self._text, reasons), *super().why_right()]

    def recall(self, given: object) -> None:
        """Restore a stored answer."""
        self._given = self._read(given)
        super().recall(given)

    def reveal(self) -> str:
        """Show the solution, also on the page."""
        self._require_solution_allowed()
        self._revealed, self._given = True, self._solution()
        self._judged = self._judge(self._given)
        self._changed()
        return str(self._verdict())

    def again(self) -> None:
        """Start again."""
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
        """Return the positions after each answer, if the exercise shows them."""
        return {}

    # On paper

    def by_hand(self) -> ByHand | None:
        """Return the question for a printed sheet.

        It has its position, and cards with boxes to tick, options with letters, or a line for a number.
        """
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
        """Draw the position, or the game beside it; `hand` False omits the hand."""
        if self._game is None:
            return [] if self._beside is None else [printed_beside(self._beside, self._language)]
        picture = Picture(self._game.view(self._seat).silent(), language=self._language, hand=hand, on_paper=True)
        return [DrawnByHand.of(picture.svg, str(picture), 140)]

    def _ticked(self, cards: Sequence[Card]) -> tuple[str, str]:
        """Draw cards with letters and boxes to tick."""
        return drawn_row(cards, language=self._language, ticked=letters_for(len(cards)))

    # View

    def sheet(self) -> dict[str, object]:
        """Return what the page shows, as plain values.

        >>> from durak_widget.lessons import Pick
        >>> Pick.beaters("Tc", of="9c Jc", trump="h").sheet()["items"]
        [['9c', ''], ['Jc', '']]
        """
        shown_game = self._after if self._state in ("right", "shown") and self._after else self._game  # the result
        return {
            **blank_sheet(self.kind),
            **self._numbered,
            "question": self.question,
            "picture": self._picture(shown_game, hand=not self._is_hand) + self._told(shown_game),
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
        """Return the extra view fields of this kind."""
        return {}

    def _picture_of(self, game: Game, *, hand: bool = True) -> Picture:
        """Draw a position as the asked seat sees it."""
        return Picture(game.view(self._seat).silent(), language=self._language, hand=hand)

    def shown_first(self) -> Picture | GamePicture | None:
        """Draw the position or the game beside the question; None if there is neither."""
        if self._game is not None:
            return self._picture_of(self._game, hand=not self._is_hand)
        return None if self._beside is None else drawn_beside(self._beside, self._language)

    def _picture(self, game: Game | None, *, hand: bool = True) -> str:
        """Return the picture as HTML; without the hand if the student picks from it."""
        if game is None:
            return "" if self._beside is None else drawn_beside(self._beside, self._language).html
        return self._picture_of(game, hand=hand)._repr_mimebundle_()["text/html"]

    def _told(self, game: Game | None) -> str:
        """Return the picture in words, for screens that are too small for it."""
        picture = (
            self._picture_of(game) if game is not None else None if self._beside is None else drawn_beside(self._beside, self._language)
        )
        return "" if picture is None else told_below(str(picture), self._voice)

    def static(self) -> dict[str, str]:
        """Return the question and its options for print, for GitHub, and where nothing is live."""
        answers = [self._text(text) for text in self._items().values() if text]
        cards = [Card(item) for item, text in self._items().items() if not text]
        options = f"<ul>{''.join(f'<li>{escape(answer)}</li>' for answer in answers)}</ul>" if answers else ""
        if cards and self._game is None:  # a hand is already part of the picture
            options = self._strip(cards)
        body = f"<p><b>{escape(self.question)}</b></p>{self._picture(self._game)}{self._printed()}{options}<p>{escape(self._to_answer)}</p>"
        attribute = "" if self._keeps else f' data-answer="{self._fingerprint()}"'
        html = f'<div class="durak-picture"{attribute}>{body}</div>'
        entries = [*answers, *map(self._voice.name, cards)]
        line = [LINE] if self._written else []
        return {"text/html": html, "text/plain": "\n".join([self.question, *(f"- {item}" for item in entries), *line])}

    def _printed(self) -> str:
        """Return HTML that only print needs: a line, if the answer is written by hand."""
        return TO_WRITE_ON if self._written else ""

    @property
    def _written(self) -> bool:
        """Return whether the answer is written by hand."""
        return self.on_paper is not None and self.on_paper.written

    def _strip(self, cards: Sequence[Card]) -> str:
        """Draw cards that are not part of a position."""
        return row(cards, language=self._language)

    def _fingerprint(self) -> str:
        """Return a checksum that changes with the answer, its reasons and the legal moves.

        It does not tell what is right.
        """
        reasons = [self._text(reason) for sample in self._attempts() for reason in self._judge(sample).why]
        states = [
            (game.actor, game.legal_moves(), game.throwers_passed, game.limit, str(game.outcome))
            for game in (self._game, self._after)
            if game
        ]
        return f"{crc32(repr([self._solution(), reasons, states]).encode()):08x}"

    def _attempts(self) -> list[list[str]]:
        """Return answers whose reasons cover most of the grading."""
        return [self._solution(), *([list(self._items())] if self._items() else [])]


def told_below(told: str, voice: Voice) -> str:
    """Return a picture's description as words that unfold below it.

    >>> told_below("You attack.", Voice())
    '<details class="dk-told"><summary>In words</summary><p>You attack.</p></details>'
    """
    lines = "<br>".join(map(escape, told.splitlines()))
    return f'<details class="dk-told"><summary>{escape(voice.say("lesson.in_words"))}</summary><p>{lines}</p></details>' if lines else ""


Given = TypeVar("Given")
"""The type of an answer."""


class InParts(ABC, Generic[Given]):
    """A question that has parts, such as fields or groups."""

    fields: ClassVar[bool] = False
    """True if it has a fixed number of fields.

    Each right one counts, and one that follows from another mistake is not counted as wrong again.
    """
    guessed: ClassVar[bool] = False
    """True if parts can be guessed: a wrong part takes back a right one."""

    @property
    @abstractmethod
    def solution(self) -> Sequence[object] | Mapping[object, object]:
        """Return a right answer, as `read` takes it."""

    def part_done(self, given: Given, marks: Mapping[str, str]) -> Fraction:  # noqa: ARG002 - most are worth what their marks are
        """Return the credit of a wrong answer; 0 if the question has no parts."""
        if not self.fields and not self.guessed:
            return Fraction(0)
        count, total = Counter(marks.values()), len(self.solution)
        done = count["right"] + (count["follows"] if self.fields else 0) - (count["wrong"] if self.guessed else 0)
        return most_of(done, max(total, len(marks)) if self.fields else total)

    def wrong_costs(self) -> Fraction:
        """Return how many right parts one wrong part cancels.

        With this penalty the best blind answer to this question gains nothing. By default 1.
        """
        return Fraction(1)

    def followed(self, given: Given, marks: Mapping[str, str]) -> int:  # noqa: ARG002 - see those in which something follows
        """Return how many parts count as right because they follow correctly from a mistake."""
        return 0

    def legible(self, given: Given, marks: Mapping[str, str]) -> Mapping[str, str]:  # noqa: ARG002 - what is clicked can be read
        """Return the marks of the parts that can be read: an unreadable part counts as empty."""
        return marks

    def done_beyond(self, blind: Fraction, given: Given, marks: Mapping[str, str]) -> Fraction:
        """Return the credit of a wrong answer beyond the share of a blind answer.

        The result is 0 at the blind share and 1 for all.
        """
        count, total = Counter(self.legible(given, marks).values()), len(self.solution)
        right_share = Fraction(count["right"] + self.followed(given, marks) - self.wrong_costs() * count["wrong"], total)
        return min(max((right_share - blind) / (1 - blind), Fraction(0)), Fraction(total - 1, total))


class GamePicture(NamedTuple):
    """A picture of a game with its description."""

    svg: str
    said: str

    @property
    def html(self) -> str:
        """Return the picture as an image without scripts."""
        return image(self.svg, self.said)

    def __str__(self) -> str:
        return self.said


def game_beside(game: object) -> Tree | Matrix:
    """Return the tree or matrix, or raise an error if it cannot be shown beside a question.

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
    r"""Draw a game in a language, without any solution.

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
        view.close()


def printed_beside(game: Tree | Matrix, language: str) -> DrawnByHand:
    """Draw a game for a printed sheet: a tree on white, a matrix as a table.

    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> "<td>1, −1</td>" in printed_beside(matrix_of([[1, -1], [-1, 1]]), "en").html
    True
    """
    if isinstance(game, Tree):
        return printed_board(*drawn_beside(game, language))
    saying = Saying(game, Voice(language))
    table = Grid(game, saying, pairs=True, marks=False)
    rows, columns = ([escape(saying.plan(player, index)) for index in range(len(saying.heads[player]))] for player in (0, 1))
    cells = [
        [escape(", ".join(text for text, _ in matrix_svg.payoffs_of(table, row, column, 0))) for column in range(len(columns))]
        for row in range(len(rows))
    ]
    return grid(columns, list(zip(rows, cells, strict=True)), corner=f"{escape(saying.names[1])} →<br>{escape(saying.names[0])} ↓")
