"""Base classes of exercises that are answered on a game tree or a payoff matrix.

The user answers with the mouse, by touch, with the keyboard or in code, and presses “Check” to have the answer graded. An answered
question is described part by part, with a static picture of the answer.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, cast
from zlib import crc32

from durak_widget.board import matrix_svg
from durak_widget.board.matrix_view_model import MatrixViewModel, MatrixWording
from durak_widget.board.strategic_form_panel import build_matrix_wording
from durak_widget.board.tree_expansion import TreeExpansion
from durak_widget.board.tree_svg import TreePicture
from durak_widget.board.tree_view_model import build_drawing
from durak_widget.board.tree_wording import TreeWording, format_outline, take_first_lines
from durak_widget.engine.table_svg import render_image
from durak_widget.errors import DurakError, as_whole_number, short_repr, suggest_nearest
from durak_widget.exercises.answer_form import AnswerPart, convert_to_lists, format_answer
from durak_widget.exercises.answer_parsing import is_addressed_to_player, translate_text
from durak_widget.exercises.base_exercise import Task
from durak_widget.exercises.blackboard_serialization import translate_to_all_languages
from durak_widget.exercises.exercise import AnswerGrade, AnswerT, ExerciseOptions, QuestionWithParts
from durak_widget.exercises.node_and_cell_lookup import ActionReference, BranchReference, InfoSetReference, PathReference, StrategyReference
from durak_widget.exercises.notebook_display import BoardDisplay, empty_view_model
from durak_widget.exercises.paper_form import adapt_for_paper
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Self, Unpack

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.exercises.paper_form import BoardPaperForm
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.gametheory.tree import Tree

MAX_REASONS: Final = 3  # Students would not read a longer list of reasons
MAX_FULLY_SHOWN_HISTORIES: Final = 150
"""A picture of a tree with more nodes than this shows only two levels."""


class BoardQuestion(QuestionWithParts[AnswerT]):
    """A question that students answer on a game tree or payoff matrix.

    The class does not depend on the widget that displays the tree or matrix.
    """

    question_kind: ClassVar[str]
    """The name of the question type, which decides what the student may click."""
    is_graded_as_whole: ClassVar[bool] = False
    """True if only the whole answer is graded, so that answer parts get no grading marks."""
    has_text_solution: ClassVar[bool] = False
    """True if the solution is a list of texts, such as the names of actions."""
    question: Text
    required_nodes: Sequence[int] = ()
    """The tree nodes that must be visible for this question."""
    player: int | None = None
    """The player whom the question asks about; None if it asks about several players."""

    @abstractmethod
    def empty_answer(self) -> AnswerT:
        """Return an empty answer to this question."""

    @abstractmethod
    def parse_answer(self, answer: object) -> AnswerT:
        """Parse a complete answer, given as Python values.

        Raises a `DurakError` that says what a valid answer is.
        """

    @abstractmethod
    def apply_message(self, previous_answer: AnswerT, message: Mapping[str, object]) -> AnswerT:
        """Return the new answer after a user's action on the tree or matrix.

        Raises a `DurakError` if the action is not possible.
        """

    @abstractmethod
    def grade(self, answer: AnswerT) -> AnswerGrade:
        """Grade an answer as a whole, and give each part of the answer a grading mark."""

    @abstractmethod
    def view_fields(self, answer: AnswerT, marks: Mapping[str, str], *, is_over: bool) -> dict[str, object]:
        """Return an answer and its grading marks, as data for the tree or matrix widget."""

    def to_plain_data(self, answer: AnswerT) -> object:
        """Convert an answer to JSON-compatible values that `parse_answer` accepts."""
        return answer

    def is_started(self, answer: AnswerT) -> bool:  # noqa: ARG002 - for many questions, the empty answer is valid
        """Return whether the student has started an answer; by default, always return True."""
        return True

    def describe_missing_parts(self, answer: AnswerT) -> Sequence[Text]:  # noqa: ARG002 - most answers have no required parts
        """Return notes on unfinished parts of an answer, without giving the solution away."""
        return []

    def is_unreadable(self, answer: AnswerT) -> bool:  # noqa: ARG002 - clicked answers are always readable
        """Return whether the student wrote an answer, but no part of it can be read."""
        return False

    def is_mark_still_valid(self, key: str, old_answer: AnswerT, new_answer: AnswerT) -> bool:  # noqa: ARG002 - by default, marks depend on the whole answer
        """Return whether the grading mark of an answer part still applies to a changed answer."""
        return old_answer == new_answer

    def to_snapshot(self) -> dict[str, Any] | None:
        """Return the question without its answer key, as JSON-compatible values.

        Return None if this type of question can't be handed out without its key.
        """
        return None

    def to_paper(self) -> BoardPaperForm | None:
        """Return the question for a printed sheet; None if the question needs a screen."""
        return None

    def sample_answers(self) -> Sequence[AnswerT]:
        """Return sample answers that together produce most of the possible feedback."""
        return [self.parse_answer(self.solution), self.empty_answer()]

    def describe_parts(self, answer: AnswerT, marks: Mapping[str, str]) -> Sequence[PartDescription]:  # noqa: ARG002 - by default, there are no marks
        """Describe each part of an answer: location, content, and grading mark."""
        return [PartDescription("", format_answer(self.to_plain_data(answer)))]

    def build_picture(self, answer: AnswerT | None, marks: Mapping[str, str]) -> BoardPicture | None:  # noqa: ARG002 - questions with a picture use it
        """Return a picture of the solved question, with the student's answer if there is one."""
        return None


class BoardOptions(ExerciseOptions, total=False):
    """The options of every exercise on a tree or a matrix."""

    you: int | None
    """The player whom the question calls “you”.

    By default, if an author's question says “you”: the player it is about.
    """


class BoardExercise(BoardDisplay, Task):
    """An exercise that is answered on a tree or a matrix shown below the question."""

    def __init__(self, board_question: BoardQuestion[Any], **more: Unpack[BoardOptions]) -> None:
        super().__init__(why=more.get("why", ""), name=more.get("name", ""), language=more.get("language"), number=more.get("number", ""))
        self._board_question = board_question
        self._addressed_player = more.get("you")
        self._answer = board_question.empty_answer()
        self._answer_grade: AnswerGrade | None = None
        self._last_answer: object = None
        """The last graded or stored answer, as plain values."""
        self._marks: dict[str, str] = {}
        """The marks of the last grading that still apply to the current answer."""
        self._guess_share: Fraction | None = None
        """The share of parts expected from blind guessing, which earns no credit; None if guessing may earn credit."""

    @property
    def question_kind(self) -> str:
        """Return the name of the question type, which decides what the widget shows."""
        return self._board_question.question_kind

    @property
    def question(self) -> str:
        """Return the text of the question."""
        return translate_text(self._board_question.question, Translator(self._language))

    @property
    def solution(self) -> Sequence[object] | Mapping[object, object]:
        """Return a correct answer in the form that the method `answer` accepts."""
        self._require_solution_allowed()
        return self._board_question.solution

    @property
    def last_answer(self) -> object:
        """Return the last graded or stored answer as JSON-compatible values."""
        return self._last_answer

    @property
    def marks(self) -> Mapping[str, str]:
        """Return the grading mark of each part of the last answer.

        A mark is `right`, `wrong`, or `follows` if the part is wrong only because of another mistake.
        """
        return {} if self._answer_grade is None else dict(self._answer_grade.marks)

    @property
    def is_unreadable(self) -> bool:
        """Return whether the answer's fields contain texts, but none of them is a number."""
        return self._last_answer is not None and self._board_question.is_unreadable(self._answer)

    def discount_guessing(self, guess_share: Fraction) -> Self:
        """Change grading so that blind guessing earns no credit and wrong parts cost credit.

        `guess_share` is the share of parts that a blind guess is expected to get right.

        >>> from durak_widget import gametheory
        >>> from durak_widget.lessons import OnMatrix
        >>> penalty = gametheory.from_efg('EFG 2 R "?" { "A" "B" } p "" 1 1 "" { "l" "r" } 0 p "" 2 1 "" { "l" "r" } 0 t "" 1 "" { 1, -1 } t "" 2 "" { -1, 1 } p "" 2 1 "" { "l" "r" } 0 t "" 2 "" { -1, 1 } t "" 1 "" { 1, -1 }')
        >>> quiz = OnMatrix.fill(penalty).discount_guessing(Fraction(1, 4))
        >>> [str(quiz.credit) for values in (["1"] * 4, ["1", "-1", "-1"], ["1", "-1", "-1", "1"]) if quiz.answer(values) is not None]
        ['0', '2/3', '1']
        """
        self._guess_share = guess_share
        return self

    @property
    def _partial_credit(self) -> Fraction:
        if self._answer_grade is None:
            return Fraction(0)
        parsed = self._board_question.parse_answer(self._last_answer)
        return (
            self._board_question.compute_partial_credit(parsed, self.marks)
            if self._guess_share is None
            else self._board_question.compute_credit_beyond_guessing(self._guess_share, parsed, self.marks)
        )

    @property
    def solution_line(self) -> str:
        """Return a correct answer as one line of text, or "" if it can't be written in one line."""
        return super().solution_line if self._board_question.has_text_solution else ""

    @property
    def is_over(self) -> bool:
        """Return whether the exercise is over: it is solved, or its solution was shown."""
        return self._state in ("right", "shown")

    def to_snapshot(self) -> dict[str, Any] | None:
        """Return the question without its answer key, as JSON-compatible values."""
        snapshot = self._board_question.to_snapshot()
        return (
            None
            if snapshot is None
            else {**snapshot, "asks": self.question_kind, "question": translate_to_all_languages(self._board_question.question)}
        )

    def handle_answer(self, message: Mapping[str, object]) -> None:
        """Change the answer according to a user's action on the tree or matrix."""
        if self.is_over:
            return
        if not isinstance(message, Mapping):
            raise DurakError(f"the exercise does not understand the message {short_repr(message)}")
        before, self._answer = self._answer, self._board_question.apply_message(self._answer, message)
        is_still_true = self._board_question.is_mark_still_valid
        self._marks = {key: mark for key, mark in self._marks.items() if mark != "follows" and is_still_true(key, before, self._answer)}
        self._refresh()

    def grade_current_answer(self) -> Verdict:
        """Grade the answer on the tree or matrix, as the “Check” button does."""
        if not self.is_over:
            return self._grade_answer()
        return self._build_verdict()

    def _grade_answer(self) -> Verdict:
        """Grade the current answer, or only store it if grading is deferred; return the verdict."""
        if self._is_grading_deferred and not self._board_question.is_started(self._answer):
            raise RefusedError("class.kept.nothing")
        self._last_answer = self._board_question.to_plain_data(self._answer)
        if self._is_grading_deferred:
            return self._record_answer(right=False)
        self._answer_grade = self._board_question.grade(self._answer)
        self._marks = dict(self._answer_grade.marks)
        return self._record_answer(right=self._answer_grade.is_right)

    def answer(self, answer: object) -> Verdict:
        """Submit a complete answer, show it on the tree or matrix, and return the verdict."""
        self._answer = self._board_question.parse_answer(convert_to_lists(answer))
        return self._grade_answer()

    def restore_answer(self, answer: object) -> None:
        """Restore a stored answer to the exercise."""
        self._answer = self._board_question.parse_answer(answer)
        self._last_answer = self._board_question.to_plain_data(self._answer)
        super().restore_answer(answer)

    def describe_answer_parts(self, answer: object = None) -> Sequence[AnswerPart]:
        """Describe each part of `answer`, or of a correct answer if `answer` is None."""
        parsed = self._board_question.parse_answer(self.solution if answer is None else convert_to_lists(answer))
        parts = self._board_question.describe_parts(parsed, self._part_marks(answer, parsed))
        return [AnswerPart(self._format_fact_value(part.location), self._format_fact_value(part.content), part.mark) for part in parts]

    def render_answer_picture(self, answer: object = None) -> str:
        """Return HTML of a picture of the solved question, with the given answer."""
        self._require_solution_allowed()
        parsed = None if answer is None else self._board_question.parse_answer(convert_to_lists(answer))
        picture = self._board_question.build_picture(parsed, self._part_marks(answer, parsed))
        return "" if picture is None else self._complete_picture(picture).to_html(self._voice)

    def explain_solution(self) -> Sequence[str]:
        """Return sentences that explain the correct answer."""
        reasons = self._board_question.grade(self._board_question.parse_answer(self.solution)).reasons[:MAX_REASONS]
        return [*map(self._translate, reasons), *super().explain_solution()]

    def _part_marks(self, answer: object, parsed_answer: object) -> Mapping[str, str]:
        """Return the grading mark of each part of an answer.

        There are no marks if answers are stored without grading or graded only as a whole.
        """
        return (
            {}
            if answer is None or self._is_grading_deferred or self._board_question.is_graded_as_whole
            else self._board_question.grade(parsed_answer).marks
        )

    def _complete_picture(self, picture: BoardPicture) -> BoardPicture:
        """Return the picture of an answer; subclasses add details to the picture."""
        return picture

    def _format_fact_value(self, value: object) -> str:
        """Translate a value, or a tuple of values, into the exercise's language."""
        if type(value) is tuple:
            return ", ".join(map(self._format_fact_value, value))
        return self._translate(value) if isinstance(value, (TranslatableText, str)) else str(self._localize_value(value))

    def _plain_answer(self) -> object:
        """Return the current answer on the tree or matrix as JSON-compatible values."""
        return self._board_question.to_plain_data(self._answer)

    def _describe_stored_answer(self) -> Sequence[Text]:
        """Return notes on a stored answer: later changes, and parts that are unfinished."""
        if self._last_answer is None:
            return super()._describe_stored_answer()
        if self._last_answer != self._plain_answer():
            return [TranslatableText("screen.keep.changed")]
        head, *rest = super()._describe_stored_answer()
        return [head, *self._board_question.describe_missing_parts(self._answer), *rest]

    @property
    def _is_started(self) -> bool:
        """Return whether the current answer differs from the empty answer."""
        return self._plain_answer() != self._board_question.to_plain_data(self._board_question.empty_answer())

    @property
    def has_unsaved_changes(self) -> bool:
        """Return whether the student has changed the tree or matrix without storing the answer."""
        return self._is_grading_deferred and not self._state and (self._is_started or self._last_answer is not None)

    @property
    def _state(self) -> str:
        return "" if self._is_grading_deferred and self._last_answer not in (None, self._plain_answer()) else super()._state

    def reveal(self) -> str:
        """Show the solution in the text of the exercise and on the tree or matrix."""
        self._require_solution_allowed()
        self._is_revealed, self._answer = True, self._board_question.parse_answer(self.solution)
        self._answer_grade = self._board_question.grade(self._answer)
        self._marks = dict(self._answer_grade.marks)
        self._refresh()
        return str(self._build_verdict())

    def restart(self) -> None:
        """Reset the exercise to its starting state."""
        self._answer, self._answer_grade, self._last_answer, self._marks = self._board_question.empty_answer(), None, None, {}
        self._reset_attempts()
        self._refresh()

    @property
    def _result(self) -> tuple[bool, Sequence[Text]] | None:
        return None if self._answer_grade is None else self._answer_grade.reasons_for_attempt(self._attempt_count, MAX_REASONS)

    @property
    def question_for_paper(self) -> str:
        """Return the wording of the question for a printed sheet."""
        return translate_text(adapt_for_paper(self._board_question.question), self.voice)

    @property
    def voice(self) -> Translator:
        """Return the translator for the text of the question."""
        return Translator(self._language)

    @property
    def _voice(self) -> Translator:
        """Return the translator for feedback, which calls a player “you” if the question does.

        A player to whom the author has given a name keeps that name.
        """
        player = (
            self._addressed_player
            if self._addressed_player is not None
            else self._board_question.player
            if is_addressed_to_player(self.question)
            else None
        )
        return Translator(self._language, own_seat=player)

    @abstractmethod
    def _format_name(self, value: object) -> str:
        """Return the name of a move, strategy or information set in the exercise's language."""

    def _translate(self, text: Text) -> str:
        return super()._translate(self._localize_fact(text) if isinstance(text, TranslatableText) else text)

    def _localize_fact(self, fact: TranslatableText) -> TranslatableText:
        """In a text, replace placeholders by the names of nodes, moves and strategies."""
        return TranslatableText(fact.key, {name: self._localize_value(value) for name, value in fact.facts.items()})

    def _localize_value(self, value: object) -> object:
        """In a value, replace placeholders by the names of nodes, moves and strategies."""
        if isinstance(value, TranslatableText):
            return self._localize_fact(value)
        if type(value) is tuple:
            return tuple(map(self._localize_value, value))
        return (
            self._format_name(value)
            if isinstance(value, (PathReference, BranchReference, ActionReference, InfoSetReference, StrategyReference))
            else value
        )

    def to_message(self) -> dict[str, object]:
        """Return the exercise's state, as data for the tree or matrix widget."""
        return {
            "question_kind": self.question_kind,
            **({"is_grading_deferred": True} if self._is_grading_deferred else {}),
            **self._board_question.view_fields(self._answer, self._marks, is_over=self.is_over),
        }

    def view_model(self) -> dict[str, object]:
        """Return what the exercise displays above its tree or matrix, as JSON-compatible values."""
        return {
            **empty_view_model(self.kind),
            **self._header_fields,
            "question": self.question,
            "feedback": list(self._build_verdict().sentences),
            "state": self._state,
            "attempt_count": self._attempt_count,
            "has_begun": self._is_started,
        }

    def static_mimebundle(self) -> dict[str, str]:
        """Return the static version of the question, without the tree or matrix below it."""
        body = f"<p><b>{escape(self.question)}</b></p><p>{escape(self._offline_hint)}</p>"
        attribute = "" if self._is_grading_deferred else f' data-answer="{self._fingerprint()}"'
        return {"text/html": f'<div class="durak-picture"{attribute}>{body}</div>', "text/plain": self.question}

    def _fingerprint(self) -> str:
        """Return a checksum of the correct answer and the feedback, which reveals neither."""
        reasons = [
            self._translate(reason)
            for sample in self._board_question.sample_answers()
            for reason in self._board_question.grade(sample).reasons
        ]
        return f"{crc32(repr([self.solution, reasons]).encode()):08x}"


def require_known_options(options: Mapping[str, Any], class_name: str, player_count: int = 2) -> BoardOptions:
    """Return the options of an exercise, or raise an error for an unknown option.

    >>> require_known_options({"nmae": "11/x"}, "OnTree")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: OnTree has no option 'nmae'. Did you mean 'name'?
    """
    known_options = BoardOptions.__annotations__
    for name in options:
        if name not in known_options:
            raise DurakError(f"{class_name} has no option {name!r}.{suggest_nearest(name, known_options)}")
    addressed = options.get("you")
    if addressed is not None and as_whole_number(addressed) not in range(player_count):
        seat_range = f", from 0 to {player_count - 1}" if player_count > 1 else ": here it can only be 0"
        raise DurakError(f"you must be the seat that the question speaks to{seat_range}; it cannot be {short_repr(addressed)}")
    return cast("BoardOptions", dict(options))


class PartDescription(NamedTuple):
    """The description of one part of an answer, with texts that are not translated yet."""

    location: object
    content: object
    """The content of the answer part: a value to translate, or a tuple of such values."""
    mark: str = ""


class BoardPicture(NamedTuple):
    """A picture of a tree, a payoff matrix or both, with an answer shown on the tree."""

    tree: Tree | None = None
    matrix: Matrix | None = None
    values: Mapping[int, str] = {}
    """The text of the value to draw at each tree node, by node number."""
    labels: Mapping[int, str] = {}
    """The label to draw at each tree node, by node number."""
    highlighted_nodes: frozenset[int] = frozenset()
    """The tree nodes on the path that the picture highlights."""
    strategy_tree: Tree | None = None
    """The tree whose strategies are the rows and columns of the matrix."""

    def to_html(self, voice: Translator) -> str:
        """Return pictures of the tree and of the matrix as HTML without scripts.

        >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
        >>> from durak_widget.i18n import Translator
        >>> BoardPicture(matrix=matrix_from_payoffs([[1, -1], [-1, 1]])).to_html(Translator())[:9]
        '<img alt='
        """
        tree_html = "" if self.tree is None else self._draw_tree(TreeWording(self.tree, voice.language))
        if self.matrix is None:
            return tree_html
        wording = (
            MatrixWording(self.matrix, voice)
            if self.strategy_tree is None
            else build_matrix_wording(TreeWording(self.strategy_tree, voice.language), self.matrix)
        )
        matrix_view_model = MatrixViewModel(self.matrix, wording, marks=False)
        return tree_html + render_image(
            matrix_svg.render_matrix_svg(matrix_view_model), take_first_lines(matrix_svg.format_matrix_text(matrix_view_model))
        )

    def _draw_tree(self, wording: TreeWording) -> str:
        """Draw the tree down to the level that the tree widget shows at first."""
        tree = wording.tree
        expansion = TreeExpansion(tree, len(tree.level_starts) if tree.history_count <= MAX_FULLY_SHOWN_HISTORIES else 2)
        overlay = {
            "values": [[self.values[node].replace("-", "−")] if node in self.values else [] for node in expansion.shown_nodes],
            "highlighted_nodes": sorted(self.highlighted_nodes),
        }
        view_model = {
            "title": wording.title,
            "direction": "right",
            "players": wording.player_names,
            "labels": {"nodes": {str(node): [label] for node, label in self.labels.items()}, "branches": {}},
            "chance": wording.voice.translate("tree.chance"),
            **build_drawing(expansion, wording),
        }
        description = format_outline(view_model, overlay, wording)
        return render_image(
            TreePicture(view_model, overlay, description, language=wording.voice.language).svg, take_first_lines(description)
        )
