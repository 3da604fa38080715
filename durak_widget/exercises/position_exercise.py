"""Defines the position exercise: a card table with a goal to reach."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from durak_widget.engine.narration import deed
from durak_widget.engine.table_svg import Picture
from durak_widget.errors import DurakError
from durak_widget.exercises.answer_parsing import game_given, in_words, moves_given, seat_asked
from durak_widget.exercises.base_exercise import Task
from durak_widget.exercises.goals import goal_of
from durak_widget.exercises.notebook_display import AtTable, blank_sheet, others_of
from durak_widget.i18n import Fact, Voice
from durak_widget.table.players import called_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.exercises.goals import Ahead, Finding, Goal
    from durak_widget.table.players import Player


_SHORT: Final = 90
"""The largest number of characters of a reason that is also shown on the table."""


class Position(AtTable, Task):
    """An exercise to play from a position towards a goal.

    The other seats are bots. By default a bot makes its first legal move.

    >>> from durak_widget import Game
    >>> from durak_widget.exercises import goals
    >>> game = Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1)
    >>> task = Position(game, goals.beat_all(trumps=False), solution=["beat 7c 9c"])
    >>> print(task.question)
    Beat everything without a trump.
    >>> print(task.answer("beat 7c Ah"))
    Not yet. The ace of hearts is a trump.
    >>> task.again(); bool(task.answer("beat 7c 9c")), task.check()
    (True, True)
    """

    called = "position"

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
        **look: Any,  # noqa: ANN401 - whatever a Table takes
    ) -> None:
        """Set the exercise; its solution is played at once and must reach the goal."""
        if game_given(game).actor is None:
            raise DurakError("the game is over: there is nothing to play for; set a position in which somebody is to act")
        super().__init__(why=why, name=name, language=language, number=number)
        self._start, self._goal = game.copy(), goal_of(goal)
        self._ahead: Ahead | None = getattr(goal, "ahead", None)
        self._seat = seat_asked(game, seat)
        self._others: dict[int, Player] = {**dict.fromkeys(range(game.seats), "first"), **others_of(others)}
        self._finding: Finding = None
        self._found_at = 0
        self._laid: Game | None = None
        self._judged: tuple[Game, tuple[Move, ...]] | None = None
        """The game and the moves that were judged last."""
        self._open: dict[tuple[Move, ...], bool | None] = {}
        self._shown: tuple[Move, ...] = ()
        self._line: list[str] | None = None
        self._looks = look
        self._solution = moves_given(solution)
        self._prove()

    def _prove(self) -> None:
        """Check that the author's solution reaches the goal against these opponents."""
        from durak_widget.table.table_widget import Table  # noqa: PLC0415 - only what is played needs a table

        seats: dict[int, Player] = {**self._others, self._seat: "you"}
        table_options = {"hands": "own", **self._looks}  # the author decides which hands are open, not the user's settings
        self._lay_table(Table(self._start.copy(), seats, seed=0, language=self._language, **table_options))
        self.table.on_move(lambda _: self._moved())
        self.table.task = self
        self._lay()
        verdict = self.answer(self._solution)
        if not verdict:
            raise DurakError(
                f"the solution {', '.join(self._solution)} does not reach the goal: {str(verdict) or 'nothing is decided then'}"
            )
        if len(self._mine()) < len(self._solution):
            unplayed = ", ".join(self._solution[len(self._mine()) :])
            raise DurakError(
                f"the goal is reached before the solution is played to its end: {unplayed} is left; end it there, or set a goal that comes later"
            )
        self._shown = self.table.game.moves
        self.again()

    # From code

    @property
    def question(self) -> str:
        """Return the sentence that states the goal."""
        return self._text(self._goal.text)

    @property
    def solution(self) -> list[str]:
        """Return moves that reach the goal, as `answer` takes them."""
        self._require_solution_allowed()
        return list(self._solution)

    def hint(self) -> Move | Fact:
        """Return the next move of the solution, or another move that still leads to the goal.

        If there is none, return a sentence that says why.
        """
        if self._keeps:
            return Fact("class.no_hint")
        game = self.table.game
        if game is not self._laid or self._finding is not None:
            return Fact("table.goal_reached" if self._finding and self._finding[0] else "table.again_first")
        moves = game.moves
        if moves == self._shown[: len(moves)] and len(moves) < len(self._shown):
            return self._shown[len(moves)]
        move = self._ahead.way(game, self._seat) if self._ahead else None
        return move or Fact("table.no_way_known")

    @property
    def given(self) -> object:
        """Return the student's own moves in the last decided game."""
        return self._line

    def _mine(self) -> list[str]:
        """Return the student's own moves so far."""
        return [str(played) for played in self.table.game.course if played.seat == self._seat]

    def answer(self, answer: object) -> Verdict:
        """Play one or several moves at the table; the opponents move in between."""
        moves = moves_given(answer)
        if self._keeps and self.decided:  # a stored answer can be changed
            self.again()
        self._others_move()
        for move in moves:
            if self._finding is not None:
                break
            self.table.play(move)
            self._others_move()
        return self._verdict()

    def _others_move(self) -> None:
        while self._finding is None and self.table.step():
            pass

    def keep(self) -> None:
        """Store answers from now on instead of judging them.

        The check whether the goal can be reached is switched off, because it would give the answer away.
        """
        self._ahead = None
        super().keep()

    @property
    def loose(self) -> bool:
        """Return whether a game was started that is not over, and so is not stored."""
        return self._keeps and self._finding is None and bool(self._mine())

    def recall(self, given: object) -> None:
        """Play a stored game at the table again, and store it."""
        line = moves_given(given)
        self.again()
        try:
            self.answer(line)
        except DurakError:
            self.again()
            raise
        self._line, self._tries = line, 1
        super().recall(given)

    def reveal(self) -> str:
        """Play the solution at the table."""
        self._require_solution_allowed()
        self._lay()
        self._revealed = True
        self.answer(self._solution)
        self._changed()
        return str(self._verdict())

    def again(self) -> None:
        """Set the position up again."""
        if not self._keeps or self._line is None:  # a stored game stays stored until another one is over
            self._forget()
            self._line = None
        self._lay()

    def _lay(self) -> None:
        self.table.game = self._start.copy()
        self._laid = self.table.game
        self._looked()

    # What happens at the table

    def _looked(self) -> None:
        self._judge()
        self._changed()

    def _judge(self) -> None:
        """Find the first move that reached or missed the goal; moves taken back don't count."""
        game = self.table.game
        state = (game, game.moves if game is self._laid else ())
        if self._judged is not None and self._judged[0] is game and self._judged[1] == state[1]:
            return
        self._judged, self._finding, self._found_at = state, None, 0
        course = game.course if game is self._laid else ()
        before, was_open = self._start, bool(course) and self._is_open(self._start)
        for ply, played in enumerate(course, 1):
            after = game.copy()
            after.goto(ply)
            self._finding, self._found_at = self._goal.judge(after, self._seat, played), ply
            if self._finding is None:
                is_open = self._is_open(after)
                if self._ahead and was_open and is_open is False:
                    self._finding = False, self._ahead.gone(before, game.moves[ply - 1], called_of(self.table.players))
                was_open = was_open if is_open is None else is_open
            if self._finding is not None:
                break
            before = after

    @property
    def brief(self) -> bool:
        """Return whether one move decides."""
        return len(self._solution) == 1

    @property
    def decided(self) -> bool:
        """Return whether the goal is reached or missed, so that the game is over."""
        self._judge()
        return self._finding is not None

    def verdict(self, voice: Voice) -> tuple[bool | None, str] | None:
        """Return whether the goal is reached and a short sentence; None while undecided.

        If answers are stored, it does not say whether the goal is reached.
        """
        if not self.decided or self._finding is None:
            return None
        if self._keeps:
            return None, voice.say("class.kept")
        right, why = self._finding
        return right, " ".join([voice.say(self._head(right=right)), *self._on_felt(why, voice, right=right)])

    def _is_short(self, why: Text) -> bool:
        """Return whether a reason is short enough for the table."""
        return 0 < len(self._text(why)) <= _SHORT if why else False

    def _on_felt(self, why: Text, voice: Voice, *, right: bool) -> list[str]:
        """Return the sentences that the table shows after the first words.

        They are the reason, if it is short, or else how to go on.
        """
        if self._is_short(why):
            return [in_words(why, voice)]
        return [] if right or self.closed else [voice.say("lesson.ask_why" if why else "lesson.try_it_again")]

    @property
    def _asks_why(self) -> bool:
        """Return whether there is more to say than the table shows, so that the user may ask why."""
        right, why = self._finding or (True, "")
        more = (bool(why) and not self._is_short(why)) or (right and bool(self._why))
        return self._finding is not None and more and not self._keeps and not self.closed

    def _is_open(self, game: Game) -> bool | None:
        """Return whether the goal can still be reached; None if unknown."""
        if game.moves not in self._open:
            self._open[game.moves] = self._ahead.open(game, self._seat) if self._ahead else None
        return self._open[game.moves]

    def _moved(self) -> None:
        """Count the attempt if the last move decided it; the mover may be any seat."""
        if self._finding is not None and self._found_at == self.table.game.ply:
            self._line = self._mine()
            self._answered(right=self._finding[0] and not self._keeps)

    @property
    def _found(self) -> tuple[bool, Sequence[Text]] | None:
        return None if self._finding is None or self._keeps else (self._finding[0], [self._finding[1]])

    @property
    def _voice(self) -> Voice:
        return Voice(self._language, me=self._seat, people=called_of(self.table.players))

    def sheet(self) -> dict[str, object]:
        """Return the content of the page above the table."""
        return {
            **blank_sheet(self.kind),
            **self._numbered,
            "question": self.question,
            "said": list(self._verdict().said) or self._so_far(),
            "state": self._state,
            "tries": self._tries,
            **({"asked_why": True} if self._asks_why else {}),
            "begun": bool(self.table.game.course) or self.table.game is not self._laid,
        }

    def pictured(self, answer: object = None) -> str:  # noqa: ARG002 - it is the beginning that is drawn
        """Draw the starting position as the student sees it."""
        picture = Picture(self._start.view(self._seat).silent(), language=self._language)
        return picture._repr_mimebundle_()["text/html"]

    def _so_far(self) -> list[str]:
        """Return what was played since the student's last move, and that the goal is still open."""
        course = self.table.game.course
        last = max((ply for ply, played in enumerate(course) if played.seat == self._seat), default=None)
        if last is None:
            return []
        unknown = self._ahead is not None and self._is_open(self.table.game) is None
        return [*(deed(played, self._voice) for played in course[last:]), *([] if unknown else [self._text(Fact("lesson.goal.open"))])]

    def static(self) -> dict[str, str]:
        """Return the goal; the table has its own static picture below."""
        return {"text/html": f'<div class="durak-picture"><p><b>{escape(self.question)}</b></p></div>', "text/plain": self.question}
