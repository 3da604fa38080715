"""A position to play: a table with a goal, which says after each move whether it is reached, missed, or still open."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from durak_widget.errors import DurakError
from durak_widget.game.moves import Move
from durak_widget.lessons.exercise import Verdict, said
from durak_widget.lessons.shown import Shown
from durak_widget.words import Fact, Voice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from durak_widget.game.game import Game
    from durak_widget.game.view import Played
    from durak_widget.lessons.exercise import Text
    from durak_widget.lessons.goals import Finding, Goal
    from durak_widget.widget.seating import Player
    from durak_widget.widget.table import Table


class Position(Shown):
    """Play from a position towards a goal; the others are bots, which make the first move they may if no other is named.

    >>> from durak_widget import Game
    >>> from durak_widget.lessons import goals
    >>> game = Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1)
    >>> task = Position(game, goals.beat_all(trumps=False), solution=["beat 7c 9c"])
    >>> print(task.question)
    Beat everything without a trump.
    >>> print(task.answer("beat 7c Ah"))
    Not yet. The ace of hearts is a trump.
    >>> task.again(); bool(task.answer("beat 7c 9c")), task.check()
    (True, True)
    """

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
        language: str = "en",
        **look: Any,  # noqa: ANN401 - whatever a Table takes
    ) -> None:
        """Set a task; its solution is tried at once, and must reach the goal."""
        if game.actor is None:
            raise DurakError("the game is over: there is nothing to play for; set a position in which somebody is to act")
        self._start, self._goal, self._why, self.name = game.copy(), goal, why, name
        self._seat = game.actor if seat is None else seat
        self._others = {number: (others or {}).get(number, "first") for number in range(len(game.hands)) if number != self._seat}
        self._callbacks: list[Callable[[Verdict], object]] = []
        self._finding: Finding = None
        self._tries, self._shown, self._solved = 0, False, False
        self._table: Table | None = None
        self._look = look
        self._language = language
        self._solution = [str(Move(move)) for move in solution]
        self._prove()

    def _prove(self) -> None:
        """The author's solution reaches the goal, against these others."""
        from durak_widget.widget.table import Table  # noqa: PLC0415 - only what is played needs a table

        self._table = Table(self._start.copy(), {self._seat: "you", **self._others}, seed=0, language=self._language, **self._look)
        self._table.on_move(self._moved)
        verdict = self.answer(self._solution)
        if not verdict:
            raise DurakError(f"the solution {', '.join(self._solution)} does not reach the goal: {verdict}")
        self.again()

    # From code

    @property
    def table(self) -> Table:
        """The table at which it is played."""
        assert self._table is not None  # noqa: S101 - laid when the task was set
        return self._table

    @property
    def question(self) -> str:
        """The goal."""
        return self._text(self._goal.text)

    @property
    def solution(self) -> list[str]:
        """Moves that reach the goal, as `answer` takes them."""
        return list(self._solution)

    @property
    def tries(self) -> int:
        """How many times the goal was reached or missed."""
        return self._tries

    @property
    def language(self) -> str:
        """The language of the task and of its table."""
        return self._language

    @language.setter
    def language(self, code: str) -> None:
        self.table.language = self._language = code
        self._changed()

    def answer(self, answer: object) -> Verdict:
        """Make one move or several, which are shown at the table; the others move in between."""
        moves = [answer] if isinstance(answer, (str, Move)) else list(answer)  # type: ignore[call-overload]
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

    def check(self) -> bool:
        """Whether the goal was reached, and the solution was not shown before."""
        return self._solved

    def reveal(self) -> str:
        """Play the solution at the table."""
        self._lay()
        self._shown = True
        self.answer(self._solution)
        self._changed()
        return str(self._verdict())

    def again(self) -> None:
        """Lay the position again."""
        self._tries, self._shown, self._solved = 0, False, False
        self._lay()

    def _lay(self) -> None:
        self._finding = None
        self.table.game = self._start.copy()
        self._changed()

    def on_answer(self, callback: Callable[[Verdict], object]) -> None:
        """Call back with the verdict when the goal is reached or missed."""
        self._callbacks.append(callback)

    # What happens at the table

    def _moved(self, played: Played) -> None:
        """A move has been made, by whomever: what does it mean for the goal?"""
        self._finding = self._goal.judge(self.table.game, self._seat, played)
        if self._finding is not None:
            right = self._finding[0]
            self._tries += not self._shown
            self._solved = right and not self._shown
            for callback in tuple(self._callbacks):
                callback(self._verdict())
        self._changed()

    # In words

    def _text(self, text: Text) -> str:
        return said(text, Voice(self._language, me=self._seat))

    def _verdict(self) -> Verdict:
        if self._finding is None:
            return Verdict(False, ())
        right, reason = self._finding
        head = Fact("lesson.solution" if self._shown else "lesson.right" if right else "lesson.not_yet")
        texts = [head, reason, *([self._why] if right else [])]
        return Verdict(right, tuple(self._text(text) for text in texts if text))

    def sheet(self) -> dict[str, object]:
        """What the page above the table shows."""
        state = "" if self._finding is None else "shown" if self._shown else "right" if self._finding[0] else "wrong"
        return {
            "kind": "play", "question": self.question, "picture": "", "items": [], "trump": None,
            "given": [], "marks": {}, "said": list(self._verdict().said), "state": state, "tries": self._tries,
        }  # fmt: skip

    def static(self) -> dict[str, str]:
        """The goal; the table's own picture stands below it."""
        return {"text/html": f'<div class="durak-picture"><p><b>{escape(self.question)}</b></p></div>', "text/plain": self.question}

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self.table._ipython_display_()

    def __repr__(self) -> str:
        return f"<Position {self.question!r}, {'solved' if self._solved else f'{self._tries} tries'}>"
