"""The base class of exercises about cards, which students answer with clicks or from code.

An exercise needs no notebook: its widget (see `exercise_widget`) is created when it is first displayed. A tree or a matrix can be shown
beside the question, as a picture and as text.
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
from durak_widget.board.matrix_view_model import MatrixViewModel, MatrixWording
from durak_widget.board.tree_wording import take_first_lines
from durak_widget.cards import Card
from durak_widget.engine.table_svg import Picture, draw_card_row, render_card_row, render_image
from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.exercises.answer_form import BLANK_LINE_HTML, BLANK_LINE_TEXT, AnswerPart
from durak_widget.exercises.answer_parsing import require_game, require_text, resolve_seat
from durak_widget.exercises.base_exercise import Task, partial_share
from durak_widget.exercises.lesson_opponents import choose_opponents
from durak_widget.exercises.notebook_display import empty_view_model
from durak_widget.exercises.paper_form import (
    AnswerBlank,
    PaperPicture,
    PaperQuestion,
    adapt_for_paper,
    build_table,
    draw_board_for_print,
    make_labels,
)
from durak_widget.gametheory.strategic_form import Matrix
from durak_widget.gametheory.tree import Tree
from durak_widget.i18n import Translator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Unpack

    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_form import AnswerForm
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict

_MAX_REASONS: Final = 4
"""The maximum number of reasons in the feedback, so that it stays short enough to read."""
MAX_HISTORIES: Final = 300
"""The largest number of nodes in a tree that is still legible in a picture."""


class ExerciseOptions(TypedDict, total=False):
    """The options of every exercise."""

    why: Text
    """The explanation that is shown with the correct answer."""
    language: str
    """The language of the exercise: `en`, `ru` or `lt`."""
    name: str
    """The name under which progress is stored, such as `01/what-beats-what`; it may be empty."""
    number: int | str
    """The exercise number that the page shows."""


class PositionOptions(ExerciseOptions, total=False):
    """The options of an exercise about a card position."""

    game: Game | None
    """The game whose current position is shown."""
    after: Game | None
    """The game whose position is shown after the student has answered."""
    seat: int | None
    """The seat from which the position is seen; by default the seat that moves next."""
    beside: object
    """A tree or a matrix that is shown beside the question."""
    hand: bool
    """True if the student picks cards from the hand, which the picture then leaves out."""


class AnswerGrade(NamedTuple):
    """The grade of an answer, before its reasons are translated."""

    marks: Mapping[str, str]
    """The grading mark of each card or option: `right` or `wrong`."""
    reasons: Sequence[Text]
    """The reasons for the grade, the most helpful first."""
    is_right: bool
    retry_reasons: Sequence[Text] = ()
    """The reasons that are shown instead of `reasons`, from the second attempt on."""

    def reasons_for_attempt(self, attempt_count: int, max_reasons: int) -> tuple[bool, Sequence[Text]]:
        """Return whether the answer is correct, and at most `max_reasons` sentences that say why."""
        return self.is_right, ((self.retry_reasons if attempt_count > 1 else ()) or self.reasons)[:max_reasons]


class Exercise(Task):
    """The base class of `Pick`, `Sort`, `Choose` and `Predict`: a question about cards."""

    def __init__(self, question: Text, **more: Unpack[PositionOptions]) -> None:
        """Set up a question for the student; the question may be about the position of a game."""
        known_options = PositionOptions.__annotations__
        for name in more:
            if name not in known_options:
                raise DurakError(
                    f"{type(self).__name__.removesuffix('Exercise')} has no option {name!r}.{suggest_nearest(name, known_options)}"
                )
        super().__init__(why=more.get("why", ""), name=more.get("name", ""), language=more.get("language"), number=more.get("number", ""))
        game, after = more.get("game"), more.get("after")
        self._question = require_text(question)
        self._game, self._game_after = (None if position is None else require_game(position).copy() for position in (game, after))
        self._seat = 0 if self._game is None else resolve_seat(self._game, more.get("seat"))
        self._opponent_keys: tuple[tuple[int, str], ...] = ()
        """The named opponents who sit at the table in the picture and in the sentences."""
        self.seat_lesson_opponents(self.name)
        self._game_beside = None if more.get("beside") is None else require_drawable_game(more["beside"])
        self._answer: list[str] = []
        self._answer_grade: AnswerGrade | None = None
        self._are_cards_hand = bool(more.get("hand", False))

    def seat_lesson_opponents(self, exercise_name: str) -> None:
        """Name the other players in picture and sentences as in a lesson; `Player 2` elsewhere."""
        game = self._game or self._game_after
        opponents = {} if game is None else choose_opponents(exercise_name, game.seats, self._seat)
        self._opponent_keys = tuple(sorted(opponents.items()))

    def defer_grading(self) -> None:
        """Reset the exercise, and store all later answers without grading them.

        Homework names everybody in the same way, as its texts do.
        """
        self._opponent_keys = ()
        super().defer_grading()

    # --- Defined by subclasses ---

    @abstractmethod
    def _items(self) -> Mapping[str, Text]:
        """Return a dict of the cards or options to choose from, with the text of each option."""

    @abstractmethod
    def _grade(self, answer: Sequence[str]) -> AnswerGrade:
        """Grade an answer."""

    @abstractmethod
    def _compute_solution(self) -> list[str]:
        """Return a correct answer."""

    def _parse_answer(self, answer: object) -> list[str]:
        """Convert an answer given in code to the form in which the front end sends answers.

        Raises a `DurakError` that says what a valid answer is.
        """
        return self._required_answer_form.parse(answer, list(self._items()))

    @property
    def _required_answer_form(self) -> AnswerForm:
        """Return the format of answers; raise an error if this type of exercise has no format."""
        if self.answer_form is None:
            raise NotImplementedError(f"{type(self).__name__} does not say how to answer it; its answer_form must be an AnswerForm")
        return self.answer_form

    def answers_to_seal(self) -> list[tuple[str, dict[str, object]]]:
        """Return the correct answer as text, to encrypt it for later checks.

        It comes with the data that a student who gives this answer may see.
        """
        return [(self._required_answer_form.to_canonical_text(self.solution), {"right": True})]

    @property
    def question(self) -> str:
        """Return the text of the question."""
        return self._translate(self._question)

    @property
    def solution(self) -> list[str]:
        """Return a correct answer in the form that the method `answer` accepts."""
        self._require_solution_allowed()
        return self._compute_solution()

    @property
    def last_answer(self) -> object:
        """Return the last answer as JSON-compatible values: cards, an option or a number."""
        if not self._attempt_count and self._answer_grade is None:
            return None
        return list(self._answer) if self.answer_form is None else self.answer_form.to_plain_data(self._answer)

    def answer(self, answer: object) -> Verdict:
        """Submit an answer to this exercise, and return the verdict with reasons.

        The front end displays both.
        """
        self._answer = self._parse_answer(answer)
        self._answer_grade = None if self._is_grading_deferred else self._grade(self._answer)
        return self._record_answer(right=self._answer_grade is not None and self._answer_grade.is_right)

    def describe_answer_parts(self, answer: object = None) -> Sequence[AnswerPart]:
        """Describe an answer, which can be cards, the texts of options, or a number.

        Describe a correct answer if `answer` is None.

        >>> from durak_widget.lessons import Choose
        >>> [part.text for part in Choose("Who wins?", {"a": "", "b": ""}, right="b", named={"a": "Ann", "b": "Bob"}).describe_answer_parts()]
        ['Bob']
        """
        chosen, items = self.solution if answer is None else self._parse_answer(answer), self._items()
        signs = Translator(self._language, cards="signs")
        texts = [
            self._translate(items[item]) if items.get(item) else signs.name_card(Card(item)) if item in items else item for item in chosen
        ]
        return [AnswerPart("", ", ".join(texts))]

    def render_answer_picture(self, answer: object = None) -> str:  # noqa: ARG002 - the picture does not depend on the answer
        """Return HTML with a picture of the question's card position, or of its cards."""
        cards = [Card(item) for item, text in self._items().items() if not text]
        return self._render_picture(self._game) + (self._draw_card_row(cards) if cards and self._game is None else "")

    def explain_solution(self) -> Sequence[str]:
        """Return sentences that explain the correct answer."""
        reasons = self._grade(self.solution).reasons[:_MAX_REASONS]
        return [*map(self._translate, reasons), *super().explain_solution()]

    def restore_answer(self, answer: object) -> None:
        """Restore a stored answer to the exercise."""
        self._answer = self._parse_answer(answer)
        super().restore_answer(answer)

    def reveal(self) -> str:
        """Display the solution to the student."""
        self._require_solution_allowed()
        self._is_revealed, self._answer = True, self._compute_solution()
        self._answer_grade = self._grade(self._answer)
        self._refresh()
        return str(self._build_verdict())

    def restart(self) -> None:
        """Reset the exercise to its starting state."""
        self._answer, self._answer_grade = [], None
        self._reset_attempts()
        self._refresh()

    @property
    def _result(self) -> tuple[bool, Sequence[Text]] | None:
        return None if self._answer_grade is None else self._answer_grade.reasons_for_attempt(self._attempt_count, _MAX_REASONS)

    @property
    def _voice(self) -> Translator:
        return Translator(self._language, own_seat=None if self._game is None else self._seat, opponent_keys=self._opponent_keys)

    def explain_items(self) -> dict[str, str]:
        """Return why each card or option is correct or wrong, in the exercise's language.

        Cards and options without a reason are left out.

        >>> from durak_widget.lessons import Choose
        >>> Choose("Who wins?", {"The first": "There is no prize.", "Nobody": ""}, right="Nobody").explain_items()
        {'The first': 'There is no prize.'}
        """
        self._require_solution_allowed()
        return {item: self._translate(text) for item, text in self._item_reasons().items() if text}

    def _item_reasons(self) -> Mapping[str, Text]:
        """Return why each card or option is correct or wrong; empty by default."""
        return {}

    @property
    def resulting_positions(self) -> Mapping[str, Game]:
        """Return a dict with the position after each possible answer, if positions are shown."""
        return {}

    def draw_resulting_positions(self) -> dict[str, Picture]:
        """Return a picture of the position after each possible answer, if positions are shown."""
        return {item: self._draw_position(game) for item, game in self.resulting_positions.items()}

    def to_paper_question(self) -> PaperQuestion | None:
        """Return the question for a printed sheet.

        The sheet has the card position, and then cards with boxes to tick, options with letters, or a line for a number.
        """
        form, items = self.answer_form, self._items()
        if form is None or not form.paper_kind:
            return None
        names, cards = list(items), [Card(item) for item, text in items.items() if not text]
        options = tuple((label, self._translate(text)) for label, text in zip(make_labels(len(items)), items.values(), strict=True) if text)
        blank = AnswerBlank(field_kind={"number": "work", "sort": "line"}.get(form.paper_kind, "drawn"), options=options)
        return PaperQuestion(
            self._translate(adapt_for_paper(self._question)),
            self._voice.translate(f"lesson.hand.{form.paper_kind}"),
            lambda: (
                *self._draw_for_paper(show_hand=not (cards and self._are_cards_hand)),
                *([PaperPicture.from_svg(*self._draw_cards_to_tick(cards))] if cards else []),
            ),
            (blank,),
            lambda blank_texts: form.parse_handwritten(blank_texts[""], names) if blank_texts[""] else None,
            lambda: {"": form.format_handwritten(self.solution, names)},
        )

    def _draw_for_paper(self, *, show_hand: bool) -> list[PaperPicture]:
        """Draw for print what is shown with the question: a card position, a tree or a matrix."""
        if self._game is None:
            return [] if self._game_beside is None else [draw_game_for_paper(self._game_beside, self._language)]
        picture = Picture(
            self._game.view(self._seat).without_legal_moves(),
            language=self._language,
            show_hand=show_hand,
            names=self._opponent_keys,
            for_print=True,
        )
        return [PaperPicture.from_svg(picture.svg, str(picture), 140)]

    def _draw_cards_to_tick(self, cards: Sequence[Card]) -> tuple[str, str]:
        """Draw cards for print, each with a letter and a box to tick."""
        return draw_card_row(cards, language=self._language, tick_labels=make_labels(len(cards)))

    def view_model(self) -> dict[str, object]:
        """Return what the front end displays for this exercise, as JSON-compatible values.

        >>> from durak_widget.lessons import Pick
        >>> Pick.beaters("Tc", of="9c Jc", trump="h").view_model()["items"]
        [['9c', ''], ['Jc', '']]
        """
        # After a solved exercise, display the position to which the correct move leads
        shown_game = self._game_after if self._state in ("right", "shown") and self._game_after else self._game
        return {
            **empty_view_model(self.kind),
            **self._header_fields,
            "question": self.question,
            "picture": self._render_picture(shown_game, show_hand=not self._are_cards_hand) + self._render_picture_text(shown_game),
            "items": [[item, self._translate(text) if text else ""] for item, text in self._items().items()],
            "trump": None if self._game is None or self._game.trump is None else str(self._game.trump),
            "answer": self._answer,
            "marks": dict(self._answer_grade.marks) if self._answer_grade else {},
            "feedback": list(self._build_verdict().sentences),
            "state": self._state,
            "attempt_count": self._attempt_count,
            **self._extra_view_fields(),
        }

    def _extra_view_fields(self) -> dict[str, object]:
        """Return data for the front end that only this type of exercise has; empty by default."""
        return {}

    def _draw_position(self, game: Game, *, show_hand: bool = True) -> Picture:
        """Draw a position of the game as the player who answers the question sees it."""
        view = game.view(self._seat).without_legal_moves()
        return Picture(view, language=self._language, show_hand=show_hand, names=self._opponent_keys)

    def draw_question_picture(self) -> Picture | GamePicture | None:
        """Draw what is shown with the question: a card position, a tree, a matrix, or nothing."""
        if self._game is not None:
            return self._draw_position(self._game, show_hand=not self._are_cards_hand)
        return None if self._game_beside is None else draw_game_beside(self._game_beside, self._language)

    def _render_picture(self, game: Game | None, *, show_hand: bool = True) -> str:
        """Return HTML with a picture of `game`, or of the tree or matrix beside the question."""
        if game is None:
            return "" if self._game_beside is None else draw_game_beside(self._game_beside, self._language).html
        return self._draw_position(game, show_hand=show_hand)._repr_mimebundle_()["text/html"]

    def _render_picture_text(self, game: Game | None) -> str:
        """Return a text description of the picture, for screens too small to show the picture."""
        picture = (
            self._draw_position(game)
            if game is not None
            else None
            if self._game_beside is None
            else draw_game_beside(self._game_beside, self._language)
        )
        return "" if picture is None else render_text_details(str(picture), self._voice)

    def static_mimebundle(self) -> dict[str, str]:
        """Return the question and its options for print and for pages without a running Python."""
        answers = [self._translate(text) for text in self._items().values() if text]
        cards = [Card(item) for item, text in self._items().items() if not text]
        options = f"<ul>{''.join(f'<li>{escape(answer)}</li>' for answer in answers)}</ul>" if answers else ""
        if cards and self._game is None:  # The picture of the position already shows the hand, so its cards are not listed again
            options = self._draw_card_row(cards)
        # The hint comes first: below a large picture nobody would see that the picture does not react
        body = f"<p>▶ {escape(self._offline_hint)}</p><p><b>{escape(self.question)}</b></p>{self._render_picture(self._game)}{self._render_print_extras()}{options}"
        attribute = "" if self._is_grading_deferred else f' data-answer="{self._compute_fingerprint()}"'
        html = f'<div class="durak-picture"{attribute}>{body}</div>'
        entries = [*answers, *map(self._voice.name_card, cards)]
        line = [BLANK_LINE_TEXT] if self._is_handwritten else []
        return {"text/html": html, "text/plain": "\n".join([self.question, *(f"- {item}" for item in entries), *line])}

    def _render_print_extras(self) -> str:
        """Return HTML with a line for a handwritten answer; "" if the answer is not handwritten."""
        return BLANK_LINE_HTML if self._is_handwritten else ""

    @property
    def _is_handwritten(self) -> bool:
        """Return whether answers to this exercise can be written by hand."""
        return self.answer_form is not None and self.answer_form.is_handwritten

    def _draw_card_row(self, cards: Sequence[Card]) -> str:
        """Draw the cards of a question that has no card position."""
        return render_card_row(cards, language=self._language)

    def _compute_fingerprint(self) -> str:
        """Return a checksum of the correct answer, the feedback and the legal moves.

        The checksum does not reveal the answer.
        """
        reasons = [self._translate(reason) for sample in self._sample_answers() for reason in self._grade(sample).reasons]
        states = [
            (game.actor, game.legal_moves(), game.throwers_passed, game.limit, str(game.outcome))
            for game in (self._game, self._game_after)
            if game
        ]
        return f"{crc32(repr([self._compute_solution(), reasons, states]).encode()):08x}"

    def _sample_answers(self) -> list[list[str]]:
        """Return sample answers, which together produce most of the possible feedback."""
        return [self._compute_solution(), *([list(self._items())] if self._items() else [])]


def render_text_details(text: str, voice: Translator) -> str:
    """Return a picture's description in words as HTML that the reader can unfold.

    >>> render_text_details("You attack.", Translator())
    '<details class="dk-text-description"><summary>In words</summary><p>You attack.</p></details>'
    """
    lines = "<br>".join(map(escape, text.splitlines()))
    return (
        f'<details class="dk-text-description"><summary>{escape(voice.translate("lesson.in_words"))}</summary><p>{lines}</p></details>'
        if lines
        else ""
    )


AnswerT = TypeVar("AnswerT")
"""The type of a question's answer."""


class QuestionWithParts(ABC, Generic[AnswerT]):
    """The base class of questions whose answers have parts, such as fields or groups."""

    has_fields: ClassVar[bool] = False
    """True if the answer has a fixed number of fields.

    Each right one counts, and one that follows from another mistake is not counted as wrong again.
    """
    is_guessable: ClassVar[bool] = False
    """True if parts of the answer can be guessed; then each wrong part cancels a correct one."""

    @property
    @abstractmethod
    def solution(self) -> Sequence[object] | Mapping[object, object]:
        """Return a correct answer in the form that the method `parse_answer` accepts."""

    def compute_partial_credit(self, answer: AnswerT, marks: Mapping[str, str]) -> Fraction:  # noqa: ARG002 - by default, the marks are enough
        """Return the partial credit for a wrong answer; 0 if the question has no parts."""
        if not self.has_fields and not self.is_guessable:
            return Fraction(0)
        count, total = Counter(marks.values()), len(self.solution)
        credited_count = count["right"] + (count["follows"] if self.has_fields else 0) - (count["wrong"] if self.is_guessable else 0)
        return partial_share(credited_count, max(total, len(marks)) if self.has_fields else total)

    def compute_wrong_part_penalty(self) -> Fraction:
        """Return how many correct parts lose their credit because of one wrong part.

        With this penalty, the best blind guess earns nothing. The default is 1.
        """
        return Fraction(1)

    def count_consistent_parts(self, answer: AnswerT, marks: Mapping[str, str]) -> int:  # noqa: ARG002 - questions with such parts use it
        """Return how many wrong parts earn credit because they follow from an earlier mistake."""
        return 0

    def select_legible_marks(self, answer: AnswerT, marks: Mapping[str, str]) -> Mapping[str, str]:  # noqa: ARG002 - clicked answers are always readable
        """Return the grading marks without those of answer parts that can't be read."""
        return marks

    def compute_credit_beyond_guessing(self, guess_share: Fraction, answer: AnswerT, marks: Mapping[str, str]) -> Fraction:
        """Return the credit for a wrong answer, minus the share that blind guesses earn.

        The credit is 0 for the share that a blind guess gets right, and 1 for all parts.
        """
        count, total = Counter(self.select_legible_marks(answer, marks).values()), len(self.solution)
        right_share = Fraction(
            count["right"] + self.count_consistent_parts(answer, marks) - self.compute_wrong_part_penalty() * count["wrong"], total
        )
        return min(max((right_share - guess_share) / (1 - guess_share), Fraction(0)), Fraction(total - 1, total))


class GamePicture(NamedTuple):
    """An SVG picture of a tree or matrix, with a text description."""

    svg: str
    description: str

    @property
    def html(self) -> str:
        """Return the picture as an HTML image without scripts."""
        return render_image(self.svg, self.description)

    def __str__(self) -> str:
        return self.description


def require_drawable_game(game: object) -> Tree | Matrix:
    """Return the tree or matrix, or raise an error if it can't be shown beside a question.

    >>> require_drawable_game("entry")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: beside must be a tree of at most 300 nodes, or a matrix, such as gametheory.textbook("entry"), to show beside the question, not 'entry'
    """
    if not isinstance(game, (Tree, Matrix)) or (isinstance(game, Tree) and game.history_count > MAX_HISTORIES):
        raise DurakError(
            f'beside must be a tree of at most {MAX_HISTORIES} nodes, or a matrix, such as gametheory.textbook("entry"), to show beside the question, not {short_repr(game)}'
        )
    return game


@lru_cache(maxsize=64)
def draw_game_beside(game: Tree | Matrix, language: str) -> GamePicture:
    r"""Draw a tree or matrix with texts in one language, without its solution.

    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> print(draw_game_beside(matrix_from_payoffs([[1, -1], [-1, 1]]), "en").description.splitlines()[0])
    Row \ Column | a     | b
    """
    if isinstance(game, Matrix):
        matrix_view_model = MatrixViewModel(game, MatrixWording(game, Translator(language)), pairs=True, marks=False)
        return GamePicture(
            matrix_svg.render_matrix_svg(matrix_view_model), take_first_lines(matrix_svg.format_matrix_text(matrix_view_model))
        )
    from durak_widget.board.tree_widget import TreeWidget  # noqa: PLC0415 - import the widget only if a picture is needed

    view = TreeWidget(game, depth=len(game.level_starts), language=language)
    try:
        return GamePicture(view.svg(whole=True), take_first_lines(str(view)))
    finally:
        view.close()


def draw_game_for_paper(game: Tree | Matrix, language: str) -> PaperPicture:
    """Draw a game for a printed sheet: a tree on a white background, or a matrix as a table.

    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> "<td>1, −1</td>" in draw_game_for_paper(matrix_from_payoffs([[1, -1], [-1, 1]]), "en").html
    True
    """
    if isinstance(game, Tree):
        return draw_board_for_print(*draw_game_beside(game, language))
    wording = MatrixWording(game, Translator(language))
    matrix_view_model = MatrixViewModel(game, wording, pairs=True, marks=False)
    rows, columns = (
        [escape(wording.format_strategy(player, index)) for index in range(len(wording.strategy_names[player]))] for player in (0, 1)
    )
    cells = [
        [escape(", ".join(text for text, _ in matrix_svg.format_cell(matrix_view_model, row, column, 0))) for column in range(len(columns))]
        for row in range(len(rows))
    ]
    return build_table(columns, list(zip(rows, cells, strict=True)), corner=f"{escape(wording.names[1])} →<br>{escape(wording.names[0])} ↓")
