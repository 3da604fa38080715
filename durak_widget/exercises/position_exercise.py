"""The position exercise: a card table on which the student has to reach a goal."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from durak_widget.bots.bot import PERSON_NAME
from durak_widget.engine.moves import Move
from durak_widget.engine.narration import format_played_move
from durak_widget.engine.table_svg import Picture
from durak_widget.errors import DurakError
from durak_widget.exercises.answer_parsing import parse_moves, require_game, resolve_seat, translate_text
from durak_widget.exercises.base_exercise import Task
from durak_widget.exercises.goals import require_goal
from durak_widget.exercises.lesson_opponents import choose_opponents
from durak_widget.exercises.notebook_display import TableDisplay, empty_view_model, require_opponents
from durak_widget.i18n import TranslatableText, Translator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.exercises.goals import Goal, GoalOutcome, GoalReachability
    from durak_widget.table.players import Player


_MAX_REASON_LENGTH: Final = 90
"""The maximum length of a reason that the card table displays, in characters."""


class Position(TableDisplay, Task):
    """An exercise in which the student plays from a position to reach a goal.

    The other seats are bots. By default a bot makes its first legal move.

    >>> from durak_widget import Game
    >>> from durak_widget.exercises import goals
    >>> game = Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1)
    >>> task = Position(game, goals.beat_all(trumps=False), solution=["beat 7c 9c"])
    >>> print(task.question)
    Beat everything without a trump.
    >>> print(task.answer("beat 7c Ah"))
    Not yet. The ace of hearts is a trump.
    >>> task.restart(); bool(task.answer("beat 7c 9c")), task.check()
    (True, True)
    """

    assignment_kind = "position"

    def __init__(
        self,
        game: Game,
        goal: Goal,
        *,
        solution: Sequence[Move | str],
        seat: int | None = None,
        others: Mapping[int, Player] | None = None,
        why: Text = "",
        name: str = "",
        number: int | str = "",
        language: str | None = None,
        **table_options: Any,  # noqa: ANN401 - options of `Table`
    ) -> None:
        """Set up the exercise, and check that the author's solution reaches the exercise's goal."""
        if require_game(game).actor is None:
            raise DurakError("the game is over, so there is nothing to play for; give a position in which a player must move")
        super().__init__(why=why, name=name, language=language, number=number)
        self._start_game, self._goal = game.copy(), require_goal(goal)
        self._reachability: GoalReachability | None = getattr(goal, "reachability", None)
        self._seat = resolve_seat(game, seat)
        self._opponents: dict[int, Player] = {**dict.fromkeys(range(game.seats), "first"), **require_opponents(others)}
        self._goal_outcome: GoalOutcome = None
        self._deciding_ply = 0
        self._table_game: Game | None = None
        self._judged_state: tuple[Game, tuple[Move, ...]] | None = None
        """The game and the moves that were last graded."""
        self._reachable_by_moves: dict[tuple[Move, ...], bool | None] = {}
        self._solution_moves: tuple[Move, ...] = ()
        self._stored_moves: list[str] | None = None
        self._table_options = table_options
        self._solution = parse_moves(solution)
        self._check_solution()

    def _check_solution(self) -> None:
        """Play the author's solution on a card table; raise an error if the goal is not reached."""
        from durak_widget.table.table_widget import Table  # noqa: PLC0415 - only position exercises need a table

        seats: dict[int, Player] = {**self._opponents, self._seat: "you"}
        # By default show only the student's hand, whatever the user's settings are; the author may change this
        faces = choose_opponents(self.name, self._start_game.seats, self._seat)
        shown_as = {seat: key for seat, key in faces.items() if seats[seat] not in (None, PERSON_NAME)}
        table_options = {"hands": "own", "shown_as": shown_as, **self._table_options}
        self._attach_table(Table(self._start_game.copy(), seats, seed=0, language=self._language, **table_options))
        self.table.on_move(lambda _: self._on_move())
        self.table.task = self
        self._set_up_position()
        verdict = self.answer(self._solution)
        if not verdict:
            raise DurakError(
                f"the solution {', '.join(self._solution)} does not reach the goal: {str(verdict) or 'the game is not decided then'}"
            )
        if len(self._list_own_moves()) < len(self._solution):
            unplayed = ", ".join(self._solution[len(self._list_own_moves()) :])
            raise DurakError(
                f"the solution reaches the goal too early: {unplayed} comes after it; end the solution there, or give a later goal"
            )
        self._solution_moves = self.table.game.moves
        self.restart()

    @property
    def question(self) -> str:
        """Return the sentence that tells the student the goal of the exercise."""
        return self._translate(self._goal.text)

    @property
    def solution(self) -> list[str]:
        """Return moves that reach the goal, in the form that the method `answer` accepts."""
        self._require_solution_allowed()
        return list(self._solution)

    def hint(self) -> Move | TranslatableText:
        """Return a helpful move: the next move of the solution, or another move towards the goal.

        If there is no such move, return a sentence that says why.
        """
        if self._is_grading_deferred:
            return TranslatableText("class.no_hint")
        game = self.table.game
        if game is not self._table_game or self._goal_outcome is not None:
            return TranslatableText("table.goal_reached" if self._goal_outcome and self._goal_outcome[0] else "table.again_first")
        moves = game.moves
        if moves == self._solution_moves[: len(moves)] and len(moves) < len(self._solution_moves):
            return self._solution_moves[len(moves)]
        move = self._reachability.find_move(game, self._seat) if self._reachability else None
        return move or TranslatableText("table.no_way_known")

    @property
    def last_answer(self) -> object:
        """Return the student's moves in the last game that reached or missed the goal."""
        return self._stored_moves

    def _list_own_moves(self) -> list[str]:
        """Return the moves that the student has made in the current game."""
        return [str(played) for played in self.table.game.history if played.seat == self._seat]

    def answer(self, answer: object) -> Verdict:
        """Play the student's next moves at the card table; bots play the other seats."""
        moves = parse_moves(answer)
        if self._is_grading_deferred and self.is_decided:  # A student may replace a stored answer that is not graded yet
            self.restart()
        self._let_opponents_move()
        for move in moves:
            if self._goal_outcome is not None:
                break
            self.table.play(Move(move))
            self._let_opponents_move()
        return self._build_verdict()

    def _let_opponents_move(self) -> None:
        """Let the bots move until the student's turn, or until the goal is reached or missed."""
        while self._goal_outcome is None and self.table.step():
            pass

    def defer_grading(self) -> None:
        """Reset the exercise, and store all later answers without grading them.

        The check whether the goal can be reached is switched off, because it would give the answer away.
        """
        self._reachability = None
        self.table.shown_as = {}  # Homework names everybody in the same way, as its texts do
        super().defer_grading()

    @property
    def has_unsaved_changes(self) -> bool:
        """Return whether the student has started a game whose result is not decided yet."""
        return self._is_grading_deferred and self._goal_outcome is None and bool(self._list_own_moves())

    def restore_answer(self, answer: object) -> None:
        """Show a stored game by playing its moves again at the card table."""
        moves = parse_moves(answer)
        self.restart()
        try:
            self.answer(moves)
        except DurakError:
            self.restart()
            raise
        self._stored_moves, self._attempt_count = moves, 1
        super().restore_answer(answer)

    def reveal(self) -> str:
        """Play the solution at the card table."""
        self._require_solution_allowed()
        self._set_up_position()
        self._is_revealed = True
        self.answer(self._solution)
        self._refresh()
        return str(self._build_verdict())

    def restart(self) -> None:
        """Reset the card table to the starting position."""
        if not self._is_grading_deferred or self._stored_moves is None:  # Keep a stored game until the student finishes another game
            self._reset_attempts()
            self._stored_moves = None
        self._set_up_position()

    def _set_up_position(self) -> None:
        """Set up the starting position on the card table."""
        self.table.game = self._start_game.copy()
        self._table_game = self.table.game
        self._on_scene_change()

    def _on_scene_change(self) -> None:
        self._update_goal_outcome()
        self._refresh()

    def _update_goal_outcome(self) -> None:
        """Find the first move of the current game that reached or missed the goal."""
        game = self.table.game
        state = (game, game.moves if game is self._table_game else ())
        if self._judged_state is not None and self._judged_state[0] is game and self._judged_state[1] == state[1]:
            return
        self._judged_state, self._goal_outcome, self._deciding_ply = state, None, 0
        history = game.history if game is self._table_game else ()
        before, was_open = self._start_game, bool(history) and self._is_goal_reachable(self._start_game)
        for ply, played in enumerate(history, 1):
            after = game.copy()
            after.goto(ply)
            self._goal_outcome, self._deciding_ply = self._goal.judge(after, self._seat, played), ply
            if self._goal_outcome is None:
                is_open = self._is_goal_reachable(after)
                if self._reachability and was_open and is_open is False:
                    self._goal_outcome = (
                        False,
                        self._reachability.explain_missed_goal(before, game.moves[ply - 1], self.table.opponent_keys),
                    )
                was_open = was_open if is_open is None else is_open
            if self._goal_outcome is not None:
                break
            before = after

    @property
    def is_single_move(self) -> bool:
        """Return whether the solution consists of a single move by the student."""
        return len(self._solution) == 1

    @property
    def is_decided(self) -> bool:
        """Return whether the student has reached or missed the goal, which ends the exercise."""
        self._update_goal_outcome()
        return self._goal_outcome is not None

    def verdict(self, voice: Translator) -> tuple[bool | None, str] | None:
        """Return whether the student reached the goal, and a sentence; None during the game.

        If answers are stored without grading, the result does not say whether the goal is reached.
        """
        if not self.is_decided or self._goal_outcome is None:
            return None
        if self._is_grading_deferred:
            return None, voice.translate("class.kept")
        right, reason = self._goal_outcome
        return right, " ".join([voice.translate(self._verdict_heading(right=right)), *self._table_sentences(reason, voice, is_right=right)])

    def _is_short(self, reason: Text) -> bool:
        """Return whether an explanation is short enough to be shown on the card table."""
        return 0 < len(self._translate(reason)) <= _MAX_REASON_LENGTH if reason else False

    def _table_sentences(self, reason: Text, voice: Translator, *, is_right: bool) -> list[str]:
        """Return the sentences that follow the heading “Right” or “Not yet” on the card table.

        They are the reason, if it is short, and otherwise advice on how to continue.
        """
        if self._is_short(reason):
            return [translate_text(reason, voice)]
        return [] if is_right or self.is_closed else [voice.translate("lesson.ask_why" if reason else "lesson.try_it_again")]

    @property
    def _can_ask_why(self) -> bool:
        """Return whether the exercise has an explanation that the card table does not display."""
        right, reason = self._goal_outcome or (True, "")
        has_more_reasons = (bool(reason) and not self._is_short(reason)) or (right and bool(self._explanation))
        return self._goal_outcome is not None and has_more_reasons and not self._is_grading_deferred and not self.is_closed

    def _is_goal_reachable(self, game: Game) -> bool | None:
        """Return whether the student can still reach the exercise's goal; None if unknown."""
        if game.moves not in self._reachable_by_moves:
            self._reachable_by_moves[game.moves] = self._reachability.is_reachable(game, self._seat) if self._reachability else None
        return self._reachable_by_moves[game.moves]

    def _on_move(self) -> None:
        """Count an attempt if the last move, by any player, reached or missed the goal."""
        if self._goal_outcome is not None and self._deciding_ply == self.table.game.ply:
            self._stored_moves = self._list_own_moves()
            self._record_answer(right=self._goal_outcome[0] and not self._is_grading_deferred)

    @property
    def _result(self) -> tuple[bool, Sequence[Text]] | None:
        return None if self._goal_outcome is None or self._is_grading_deferred else (self._goal_outcome[0], [self._goal_outcome[1]])

    @property
    def _voice(self) -> Translator:
        return Translator(self._language, own_seat=self._seat, opponent_keys=self.table.opponent_keys)

    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays above the card table."""
        return {
            **empty_view_model(self.kind),
            **self._header_fields,
            "question": self.question,
            "feedback": list(self._build_verdict().sentences) or self._describe_progress(),
            "state": self._state,
            "attempt_count": self._attempt_count,
            **({"can_ask_why": True} if self._can_ask_why else {}),
            "has_begun": bool(self.table.game.history) or self.table.game is not self._table_game,
        }

    @property
    def seat(self) -> int:
        """Return the student's seat at the card table."""
        return self._seat

    def draw_question_picture(self) -> Picture:
        """Draw the starting position as the student's seat sees it."""
        return Picture(self._start_game.view(self._seat).without_legal_moves(), language=self._language, names=self.table.opponent_keys)

    def render_answer_picture(self, answer: object = None) -> str:  # noqa: ARG002 - the picture shows the starting position
        """Return HTML of the starting position as the student's seat sees it."""
        return self.draw_question_picture()._repr_mimebundle_()["text/html"]

    def _describe_progress(self) -> list[str]:
        """Say if the goal can still be reached; then describe all moves since the student's last."""
        history = self.table.game.history
        last_own_ply = max((ply for ply, played in enumerate(history) if played.seat == self._seat), default=None)
        if last_own_ply is None:
            return []
        is_unknown = self._reachability is not None and self._is_goal_reachable(self.table.game) is None
        praise = "lesson.goal.found" if self._has_found_move() else "lesson.goal.open"
        return [
            *([] if is_unknown else [self._translate(TranslatableText(praise))]),
            *(format_played_move(played, self._voice) for played in history[last_own_ply:]),
        ]

    def _has_found_move(self) -> bool:
        """Return whether the student has just made the decisive move, and only the end is left."""
        return False

    def static_mimebundle(self) -> dict[str, str]:
        """Return the exercise's goal as HTML and text, without a picture of the card table."""
        return {"text/html": f'<div class="durak-picture"><p><b>{escape(self.question)}</b></p></div>', "text/plain": self.question}
