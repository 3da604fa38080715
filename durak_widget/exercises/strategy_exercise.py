"""An exercise whose answer is a strategy, graded by the payoff that the strategy loses.

    Strategy(tree, player=0, at_most=0)         loses no more against any opponent (two players, zero-sum)
    Strategy(tree, player=0, against=strategy)  loses no more against known strategies (any game)
    Strategy(tree, player=None)                 all players: the average gain from deviating alone (any game)
    Strategy(…, live=True)                      shows the loss at every change, not only on “Check”

The student sets a strategy on the tree (`view.strategy`; `grade_current_answer()` grades it) or gives it to `answer`: as a table
`{"label": "move", 3: {"bet": "1/3", "fold": "2/3"}}`, a function of an observation that returns a move or `{move: probability}`, a bot
or its name, or a `gametheory.Strategy`. `.loss` is the payoff that the strategy loses, `.punishing_profile` has the strategies with
which it loses most, and `.costliest_game` is that play as a game of Durak. `.credit` is 1 if the strategy is correct, and otherwise 1 −
(loss ÷ loss of the starting strategy).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from durak_widget.analysis.deal_enumeration import TreeOrigin
from durak_widget.analysis.game_at_node import restore_game
from durak_widget.board.number_format import format_number_in_sentence
from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.exercises.answer_form import format_as_typed, parse_number
from durak_widget.exercises.answer_parsing import question_or_default
from durak_widget.exercises.base_exercise import Task, explain_interrupt
from durak_widget.exercises.blackboard_exercise import BoardExercise, BoardPicture, BoardQuestion, PartDescription, require_known_options
from durak_widget.exercises.blackboard_serialization import parse_translations, translate_to_all_languages, tree_from_dict, tree_to_dict
from durak_widget.exercises.exercise import AnswerGrade
from durak_widget.exercises.node_and_cell_lookup import (
    ActionReference,
    BranchReference,
    InfoSetReference,
    PathReference,
    build_tree_wording,
    describe_tree_player,
    format_reference,
    name_infoset,
)
from durak_widget.exercises.notebook_display import NotebookDisplay
from durak_widget.exercises.paper_form import INVALID_GROUP_KEY, AnswerBlank, BoardPaperForm, make_labels
from durak_widget.exercises.strategy_input import complete_row, parse_row, parse_strategy, strategy_to_table, undo_percent_rounding
from durak_widget.exercises.strategy_loss import StrategyEvaluator, find_mistake_node, find_node_after_loss, restore_losing_game
from durak_widget.exercises.tree_exercise import build_tree_paper_question, create_tree_view
from durak_widget.gametheory.strategy import Strategy as Profile
from durak_widget.gametheory.tree import require_tree
from durak_widget.i18n import TranslatableText
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.board.tree_wording import TreeWording
    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import SandboxedProgram, Verdict
    from durak_widget.exercises.paper_form import BlankTexts, PaperQuestion
    from durak_widget.exercises.strategy_loss import StrategyLoss
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import InfoSet, Tree


class StrategyQuestion(BoardQuestion[Profile]):
    """A question that asks for one player's strategy or for a strategy profile."""

    question_kind: ClassVar[str] = "strategy"
    is_graded_as_whole: ClassVar[bool] = True

    def __init__(self, tree: Tree, player: int | None, max_loss: Number, known_profile: Profile | None, question: Text) -> None:
        self.tree, self.player, self.max_loss = tree, player, max_loss
        self.evaluator = StrategyEvaluator(tree, player, known_profile)
        self.shown_loss: StrategyLoss | None = None
        self.graded_loss: Number | None = None
        self._starting_strategy: Profile | None = None
        facts = {"most": format_number_in_sentence(max_loss), **({} if player is None else {"who": describe_tree_player(tree, player)})}
        kind = "all" if player is None else "answer" if known_profile is not None else "one"
        self.question = question_or_default(question, TranslatableText(f"lesson.strategy.{kind}{'.most' if max_loss else ''}", facts))

    def empty_answer(self) -> Profile:
        """Return the strategy that the tree shows at first.

        It is uniform, unless the uniform strategy is already correct.
        """
        if self._starting_strategy is None:
            self._starting_strategy = self._with_known_strategies(self.evaluator.make_starting_strategy(self.max_loss))
        return self._starting_strategy

    def start_uniform(self) -> None:
        """Show the uniform strategy at first, even if it is already a correct answer.

        Another starting strategy would reveal that the uniform strategy is correct.
        """
        self._starting_strategy = self._with_known_strategies(Profile.uniform(self.tree))

    def _with_known_strategies(self, strategy: Profile) -> Profile:
        """Combine the student's strategy with strategies that the question gives to other players."""
        known_profile = self.evaluator.known_profile
        return strategy if known_profile is None or self.player is None else known_profile.replace_player(self.player, strategy)

    def parse_answer(self, answer: object) -> Profile:
        """Parse an answer, which may be a table, a function, a bot or a strategy."""
        return self._with_known_strategies(parse_strategy(self.tree, self.player, answer))

    def apply_message(self, previous_answer: Profile, message: Mapping[str, object]) -> Profile:  # noqa: ARG002 - the widget handles the message
        """Raise an error, since the tree widget itself stores the strategy."""
        raise DurakError("set a strategy on the tree itself: drag or type a probability at one of its moves")

    def to_plain_data(self, answer: Profile) -> object:
        """Return the probabilities at each information set as JSON-compatible values."""
        return strategy_to_table(self.tree, self.player, answer)

    def grade(self, answer: Profile) -> AnswerGrade:
        """Grade a strategy by its lost payoff, and explain where the strategy loses most."""
        self.shown_loss, self.graded_loss = self._compute_losses(answer)
        if (
            self.graded_loss > self.max_loss
            and (rounded := undo_percent_rounding(self.tree, answer)) != answer
            and self.evaluator.compute_graded_loss(rounded) <= self.max_loss
        ):
            answer, (self.shown_loss, self.graded_loss) = rounded, self._compute_losses(rounded)
        facts: dict[str, object] = {
            "who": describe_tree_player(self.tree, self.shown_loss.guarantee.player),
            "lost": format_number_in_sentence(self.shown_loss.amount),
            "got": format_number_in_sentence(self.shown_loss.guarantee.guaranteed_value),
            "worth": format_number_in_sentence(self.shown_loss.guarantee.guaranteed_value + self.shown_loss.amount),
        }
        kind = "all" if self.player is None else "answer" if self.evaluator.known_profile is not None else "one"
        if self.graded_loss <= self.max_loss + (0 if answer.exact else 1e-9):
            return AnswerGrade({}, [TranslatableText(f"lesson.strategy.right.{kind}{'.most' if self.graded_loss else ''}", facts)], True)
        reasons: list[Text] = [TranslatableText(f"lesson.strategy.loses.{kind}", facts)]
        if self.shown_loss.infoset >= 0:
            infoset_label, better = (
                InfoSetReference(self.shown_loss.infoset),
                ActionReference(self.shown_loss.infoset, self.shown_loss.better_action),
            )
            reasons.append(TranslatableText("lesson.strategy.leak", {"label": infoset_label, "better": better}))
        if self.shown_loss.terminal >= 0:
            reasons.append(TranslatableText("lesson.strategy.line", {"moves": PathReference(self.shown_loss.terminal)}))
        return AnswerGrade({}, reasons, False)

    def _compute_losses(self, strategy: Profile) -> tuple[StrategyLoss, Number]:
        """Return the payoff that a strategy loses, with details, and the loss used for the grade.

        For a strategy profile, the grade depends on the average loss of the players.
        """
        loss = self.evaluator.find_loss(strategy)
        return loss, loss.amount if self.player is not None else self.evaluator.compute_graded_loss(strategy)

    @property
    def solution(self) -> dict[object, object]:
        """Return a correct strategy for the question's players, as a table."""
        rows = self.evaluator.optimal_strategy.rows
        return {
            infoset: record.actions[rows[infoset].index(1)]
            if max(rows[infoset]) == 1
            else {move: str(probability) for move, probability in zip(record.actions, rows[infoset], strict=True)}
            for infoset, record in enumerate(self.tree.infosets)
            if self.player in (None, record.player)
        }

    def describe_parts(self, answer: Profile, marks: Mapping[str, str]) -> Sequence[PartDescription]:  # noqa: ARG002 - a strategy is graded as a whole
        """Describe the strategy at each information set.

        It is described by one action, or by several actions with their probabilities.
        """
        parts_by_infoset = []
        for infoset, record in enumerate(self.tree.infosets):
            if self.player in (None, record.player):
                row = answer.rows[infoset]
                parts = tuple(
                    ActionReference(infoset, move)
                    if probability == 1
                    else TranslatableText(
                        "lesson.strategy.likely", {"move": ActionReference(infoset, move), "likely": format_number_in_sentence(probability)}
                    )
                    for move, probability in enumerate(row)
                    if probability
                )
                parts_by_infoset.append(PartDescription(InfoSetReference(infoset), parts))
        return parts_by_infoset

    def build_picture(self, answer: Profile | None, marks: Mapping[str, str]) -> BoardPicture:  # noqa: ARG002 - the picture shows only the question
        """Return a picture of the question's tree."""
        return BoardPicture(self.tree)

    def compute_credit(self) -> Number:
        """Return the credit for the last graded strategy, from 0 to 1."""
        return Fraction(0) if self.graded_loss is None else self.credit_for_loss(self.graded_loss)

    def credit_for_loss(self, graded_loss: Number) -> Number:
        """Return the credit, from 0 to 1, for a strategy that loses the payoff `graded_loss`."""
        if graded_loss <= self.max_loss:
            return Fraction(1)
        earned = 1 - graded_loss / self.evaluator.compute_reference_loss(self.max_loss)
        return earned if earned > 0 else Fraction(0)

    def view_fields(self, answer: Profile, marks: Mapping[str, str], *, is_over: bool) -> dict[str, object]:  # noqa: ARG002
        """Return the player and the payoff that a strategy may lose, as data for the front end."""
        return {
            "player": self.player,
            "at_most": format_number_in_sentence(self.max_loss),
            **({} if self.evaluator.known_profile is None else {"against": True}),
        }

    def describe_score(self, graded_loss: Number) -> Text:
        """Return a sentence on the payoff that a strategy loses, and on the student's credit."""
        if graded_loss <= self.max_loss:
            return TranslatableText("lesson.strategy.done", {"lost": format_number_in_sentence(graded_loss)})
        return TranslatableText(
            "lesson.strategy.score",
            {"lost": format_number_in_sentence(graded_loss), "percent": str(int(100 * self.credit_for_loss(graded_loss)))},
        )

    def sample_answers(self) -> list[Profile]:
        """Return only one sample answer: the strategy that the tree shows at first."""
        return [self.empty_answer()]


class StrategyExercise(BoardExercise):
    """An exercise to find a strategy that loses no payoff, or at most an allowed amount.

    >>> from durak_widget import gametheory
    >>> def look(where):
    ...     if len(where) == 2:
    ...         return gametheory.TerminalNode((1, -1) if where[0] == where[1] else (-1, 1))
    ...     return gametheory.DecisionNode(len(where), "a coin", [("heads", where + "h"), ("tails", where + "t")])
    >>> quiz = StrategyExercise(gametheory.build_tree("", look, player_count=2, names=("Even", "Odd")), player=0)
    >>> print(quiz.answer({0: {"heads": "3/4", "tails": "1/4"}}))
    Not yet. Against a player who knows this strategy, Even gets only −1/2. The best strategy guarantees 0, so this one loses 1/2. The best change: at “a coin”, play “tails” more often. The loss is greatest when the game goes like this: heads, tails.
    >>> quiz.loss, quiz.credit
    (Fraction(1, 2), Fraction(1, 2))
    >>> print(quiz.answer(lambda view: {"heads": "50%", "tails": 0.5}))
    Right. On average, this strategy pays Even at least 0, whatever the other player does. No strategy guarantees more.
    >>> quiz.check(), quiz.credit
    (True, Fraction(1, 1))
    """

    assignment_kind = "strategy"
    takes_code = True

    def __init__(
        self,
        tree: Tree,
        player: int | None = 0,
        at_most: Number | str = 0,
        *,
        against: object = None,
        live: bool = False,
        question: Text = "",
        **more: Any,  # noqa: ANN401 - checked by `require_known_options`
    ) -> None:
        """Ask the student for a strategy; `at_most` is the payoff that it may lose.

        `against` gives known strategies of the other players.
        """
        require_tree(tree)
        number = None if player is None else as_whole_number(player)
        if player is not None and (number is None or number not in range(tree.player_count)):
            raise DurakError(f"there is no player {short_repr(player)}; the players are 0 to {tree.player_count - 1}")
        allowed_loss = parse_number(format_as_typed(at_most))
        if allowed_loss is None or allowed_loss.value < 0:
            raise DurakError(
                f"at_most must be a number from 0 on, such as '1/10', not {short_repr(at_most)}: it is how much the strategy may lose"
            )
        if against is not None and number is None:
            raise DurakError("against known strategies only one player answers; give the player, player=0")
        known_strategies = None if against is None else parse_strategy(tree, None, against)
        self._strategy_question = StrategyQuestion(tree, number, allowed_loss.value, known_strategies, question)
        super().__init__(self._strategy_question, **require_known_options(more, "Strategy", tree.player_count))
        self.tree, self._is_loss_shown_live = tree, live is True

    def answer(self, answer: object) -> Verdict:
        """Grade a strategy and show it on the tree."""
        with explain_interrupt(self._voice):
            verdict = super().answer(answer)
        self._show_result()
        return verdict

    def answer_from_code(self, code: SandboxedProgram) -> object:
        """Return a student's program as a function that chooses a move, or gives probabilities."""
        return code.choose_at

    def find_code_error(self, code: SandboxedProgram) -> str:
        """Run a student's program at every information set, so that any error is raised now."""
        self._strategy_question.parse_answer(code.choose_at)
        return ""

    def is_graded_later(self, answer: object) -> bool:
        """Return whether an answer is the text of a program, which can only be graded later."""
        return isinstance(answer, Mapping) and answer.keys() == {"code"} and isinstance(answer["code"], str)

    def restore_answer(self, answer: object) -> None:
        """Restore a stored answer; a program's text is not shown on the tree."""
        if self.is_graded_later(answer):
            Task.restore_answer(self, answer)
        else:
            super().restore_answer(answer)

    def grade_current_answer(self) -> Verdict:
        """Grade the strategy that the student has set on the tree."""
        if self._view is not None and not self.is_over and (tree_strategy := self.view.strategy) is not None:
            self._answer = tree_strategy
        verdict = super().grade_current_answer()
        self._show_result()
        return verdict

    def reveal(self) -> str:
        """Show a strategy that loses no payoff, both on the tree and in the exercise's text."""
        text = super().reveal()
        self._show_result()
        return text

    def restart(self) -> None:
        """Reset the exercise to its starting state."""
        self._strategy_question.shown_loss = self._strategy_question.graded_loss = None
        super().restart()
        self._show_result()

    def defer_grading(self) -> None:
        """Reset the exercise, and store all later answers without grading them.

        The starting strategy and the loss at each change are no longer shown, because they would give the answer away.
        """
        self._is_loss_shown_live = False
        self._strategy_question.start_uniform()
        super().defer_grading()

    def _show_result(self) -> None:
        """Show the graded strategy, a best response and the strategy's worst mistake on the tree.

        The tree's card table shows the play that costs the strategy most.
        """
        if self._view is None:
            return
        self.view.strategy = self._answer
        loss = self._strategy_question.shown_loss
        if loss is None:
            self.view.mark_best_responses(None)
        if loss is not None and not self.is_over:
            if self._strategy_question.player is not None and self._strategy_question.evaluator.known_profile is None:
                self.view.mark_best_responses(1 - self._strategy_question.player)
            if loss.terminal >= 0:
                self.view.go_to(find_mistake_node(self.tree, loss))
        self._show_costliest_play()

    def _show_costliest_play(self) -> None:
        """Show on the card table the Durak game in which the graded strategy loses most.

        Nothing is shown for a strategy that loses no more than allowed.
        """
        loss = self._strategy_question.shown_loss
        if self._view is None or not isinstance(self.tree.origin, TreeOrigin):
            return
        if loss is None or self.is_over or loss.terminal <= 0:
            self.view.show_line_on_table(None)
            return
        from durak_widget.board.card_table_panel import LineOfPlay  # noqa: PLC0415 - import this only if there is a tree widget

        after = find_node_after_loss(
            self.tree,
            loss,
            after_response=self._strategy_question.evaluator.known_profile is None and self._strategy_question.player is not None,
        )
        before = self.tree.parent[after]
        facts = {
            "who": describe_tree_player(self.tree, loss.guarantee.player),
            "other": describe_tree_player(self.tree, self.tree.actor[before]),
            "move": BranchReference(after),
            "end": format_number_in_sentence(self.tree.payoffs[self.tree.infoset_of[loss.terminal]][loss.guarantee.player]),
            "lost": format_number_in_sentence(loss.amount),
        }
        is_own_move = self.tree.actor[before] == loss.guarantee.player
        comment = self._translate(TranslatableText(f"lesson.strategy.laid.{'own' if is_own_move else 'other'}", facts))
        self.view.show_line_on_table(LineOfPlay(loss.terminal, len(restore_game(self.tree, before).moves), loss.guarantee.player, comment))

    def _propagate_language(self) -> None:
        super()._propagate_language()
        self._show_costliest_play()

    def _plain_answer(self) -> object:
        """Return the strategy on the tree as JSON-compatible values."""
        tree_strategy = None if self._view is None else self.view.strategy
        return self._strategy_question.to_plain_data(self._answer if tree_strategy is None else tree_strategy)

    def to_message(self) -> dict[str, object]:
        """Return the data for the tree widget, with a score if the graded strategy is shown."""
        question, tree_strategy = self._strategy_question, self._answer if self._view is None else self.view.strategy
        graded_loss = question.graded_loss if tree_strategy == self._answer else None
        if graded_loss is None and self._is_loss_shown_live and tree_strategy is not None:
            graded_loss = question.evaluator.compute_graded_loss(tree_strategy)
        return {**super().to_message(), **({} if graded_loss is None else {"score": self._translate(question.describe_score(graded_loss))})}

    def _fingerprint(self) -> str:
        """Return a checksum of the correct answer and the feedback.

        Computing it must not change the result of the last grading, so that result is restored.
        """
        last_grading = self._strategy_question.shown_loss, self._strategy_question.graded_loss
        fingerprint = super()._fingerprint()
        self._strategy_question.shown_loss, self._strategy_question.graded_loss = last_grading
        return fingerprint

    def to_paper_question(self) -> PaperQuestion | None:
        """Return the printed tree, with a box for each action of the question's players."""
        return build_tree_paper_question(
            self,
            self.tree,
            build_probability_form(
                self.tree, self._strategy_question.player, self._language, lambda: self._strategy_question.evaluator.optimal_strategy.rows
            ),
        )

    def to_snapshot(self) -> dict[str, Any]:
        """Return the question (tree, player, allowed loss) as JSON-compatible values.

        The values include strategies of other players that the question states.
        """
        question, known_profile = self._strategy_question, self._strategy_question.evaluator.known_profile
        known_table = None if known_profile is None else strategy_to_table(self.tree, None, known_profile)
        fields = {
            "seat": question.player,
            "at_most": str(question.max_loss),
            "against": known_table,
            "question": translate_to_all_languages(question.question),
        }
        return {"tree": tree_to_dict(self.tree), **fields}

    @classmethod
    def from_snapshot(cls, snapshot: Mapping[str, Any]) -> StrategyExercise:
        """Build the exercise from a snapshot, as returned by `to_snapshot`."""
        question, at_most = parse_translations(snapshot.get("question")), str(snapshot.get("at_most"))
        return cls(tree_from_dict(snapshot.get("tree")), snapshot.get("seat"), at_most, against=snapshot.get("against"), question=question)

    def _format_name(self, value: object) -> str:
        return format_reference(build_tree_wording(self.tree, self._language), value)

    def _create_view(self) -> Any:  # noqa: ANN401 - the widget is imported only when needed
        view = create_tree_view(self.tree, self._language)
        view.question = self  # For a tree with a question, the widget hides the best response, which would reveal the answer
        view.strategy = self._answer
        view.go_to(
            next((node for node, actor in enumerate(self.tree.actor) if actor >= 0 and self._strategy_question.player in (None, actor)), 0)
        )
        # The text above the tree says whether the shown strategy is stored
        view.observe(lambda _: NotebookDisplay._refresh(self), "solution_view")
        return view

    @property
    def loss(self) -> Number | None:
        """Return how much payoff the last graded strategy loses; None before the first grading."""
        return self._strategy_question.graded_loss

    @property
    def credit(self) -> Number:
        """Return the credit for the last answer, from 0 to 1.

        The credit is 1 if the strategy is a correct answer, and otherwise 1 − (its loss ÷ loss of the starting strategy). The starting
        strategy is uniform. If the uniform strategy is already correct, the starting strategy is the first action everywhere;
        if that is correct too, the loss is divided by the largest possible loss.
        """
        return self._strategy_question.compute_credit()

    @property
    def punishing_profile(self) -> Profile | None:
        """Return a strategy profile in which the last graded strategy loses payoff.

        Return None if no strategy was graded.
        """
        return None if self._strategy_question.shown_loss is None else self._strategy_question.shown_loss.profile

    @property
    def costliest_line(self) -> tuple[str, ...]:
        """Return the sequence of moves on which the last graded strategy loses most payoff."""
        return (
            () if (loss := self._strategy_question.shown_loss) is None or loss.terminal < 0 else self.tree.actions_from_root(loss.terminal)
        )

    @property
    def costliest_game(self) -> Game | None:
        """Return the Durak game in which the last graded strategy loses most, or else None."""
        return restore_losing_game(self.tree, self._strategy_question.shown_loss)


def build_probability_form(
    tree: Tree, player: int | None, language: str, solve_rows: Callable[[], Sequence[Sequence[Number]]]
) -> BoardPaperForm:
    """Build the printed form with one box for each action of `player`, or of all players.

    Each information set has a capital letter. `solve_rows` returns the probabilities of a correct answer.
    """
    wording = build_tree_wording(tree, language)
    asked_infosets = [infoset for infoset, record in enumerate(tree.infosets) if player in (None, record.player)]
    letter_of_infoset = dict(zip(asked_infosets, map(str.upper, make_labels(len(asked_infosets))), strict=True))
    moves = [(infoset, move) for infoset in asked_infosets for move in range(len(tree.infosets[infoset].actions))]
    labels = make_labels(len(moves))
    nodes = enumerate(zip(tree.actor, tree.infoset_of, strict=True))
    letter_of_node = {node: letter_of_infoset[info] for node, (actor, info) in nodes if actor >= 0 and info in letter_of_infoset}
    heading_of_infoset = {
        infoset: f"{letter_of_infoset[infoset]}. {_format_infoset_heading(wording, infoset, is_single_player=player is not None)}"
        for infoset in asked_infosets
    }
    blanks = tuple(
        AnswerBlank(label, str(wording.describe_actions(infoset)[move]["text"]), "box", group_heading=heading_of_infoset[infoset])
        for label, (infoset, move) in zip(labels, moves, strict=True)
    )

    def parse_texts(blank_texts: BlankTexts) -> object:
        typed_by_infoset: dict[int, dict[str, str]] = {}
        for label, (infoset, move) in zip(labels, moves, strict=True):
            if blank_texts[label]:
                typed_by_infoset.setdefault(infoset, {})[tree.infosets[infoset].actions[move]] = blank_texts[label]
        return {infoset: _parse_handwritten_row(tree.infosets[infoset], texts) for infoset, texts in typed_by_infoset.items()} or None

    def write_solution() -> BlankTexts:
        rows = solve_rows()
        return {label: str(rows[infoset][move]) for label, (infoset, move) in zip(labels, moves, strict=True)}

    return BoardPaperForm(letter_of_node, blanks, parse_texts, write_solution)


def _format_infoset_heading(wording: TreeWording, infoset: int, *, is_single_player: bool) -> str:
    """Return the heading of an information set; name the player unless `is_single_player`."""
    player_name, name = wording.player_names[wording.tree.infosets[infoset].player], name_infoset(wording, infoset)
    return name if name and (is_single_player or name == player_name) else f"{player_name}: {name}" if name else player_name


def _parse_handwritten_row(record: InfoSet, typed: Mapping[str, str]) -> dict[str, str]:
    """Parse handwritten probabilities at an information set; raise an error for invalid ones."""
    row = complete_row(record.actions, typed)
    try:
        parse_row(record, row)
    except DurakError:
        raise RefusedError(INVALID_GROUP_KEY, text=", ".join(typed.values())[:40]) from None
    return row
