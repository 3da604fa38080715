"""One ending after another at one table: each is played, the first try counts, and what was missed is remembered."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises import goals
from durak_widget.exercises.position_exercise import Position
from durak_widget.i18n import Fact
from durak_widget.lessons.endgame_puzzle import bare, laid, way_home
from durak_widget.widgets.missed_endgames import Missed, day_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from durak_widget.engine.moves import Move
    from durak_widget.exercises.task import Verdict

_HERE: Final[WeakSet[InTurn]] = WeakSet()
"""All exercises that are open here: on one page no ending is met in two of them."""


class InTurn(Position):
    """Endings that are played one after another, and those that were missed remembered, if anywhere; see its kinds: `Daily`, `Endings`, `MyEndings`.

    What day it is, `today` says: a function without arguments, so that the clock can be moved.
    """

    def __init__(self, position: str, *, today: Callable[[], date] | None, missed: Missed | None, **more: Any) -> None:  # noqa: ANN401 - what a Position takes
        self._today, self._hinted = clock(today), False
        self._counted = True  # what is tried while it is set is nobody's try
        self._position = position
        self._missed = missed
        lies = to_win(position)
        if lies is None:
            raise DurakError("this ending cannot be won by force within what is soon found: it is none to practise")
        game, way = lies
        super().__init__(game, goals.get_out(), solution=way, others={1: "bookkeeper"}, **{"hands": "open", **more})
        self._counted = False
        self._posed_on = self.day
        _HERE.add(self)

    @property
    def claimed(self) -> tuple[str, ...]:
        """The endings that it keeps for itself today."""
        return ()

    def _taken(self) -> set[str]:
        """The endings that another kind of exercise keeps for itself here today, of those that are remembered in the same place."""
        place = None if self._missed is None else self._missed.path
        others = [one for one in list(_HERE) if type(one) is not type(self) and one._posed_on == self.day]
        return {position for one in others if one._missed is not None and one._missed.path == place for position in one.claimed}

    @property
    def day(self) -> date:
        """What day it is."""
        return day_of(None if self._today is None else self._today())

    @property
    def position(self) -> str:
        """The position that is played now."""
        return self._position

    @abstractmethod
    def next(self) -> None:
        """Go on to another ending."""

    def _pose(self, position: str) -> None:
        """From now on this ending is played."""
        lies = to_win(position)
        assert lies is not None  # noqa: S101 - whoever chooses has looked
        self._position, (self._start, way) = position, lies
        self._solution, self._shown, self._open, self._judged, self._line = way, (), {}, None, None
        self._counted = self._hinted = False
        self._posed_on = self.day
        self.again()

    def _answered(self, *, right: bool, counts: bool = True) -> Verdict:
        if not self._counted:
            self._counted = True
            self._note(right=right and not self._revealed and not self._hinted)
        return super()._answered(right=right, counts=counts)

    def hint(self) -> Move | Fact:
        """A move that serves; what was played with hints is not solved at the first try."""
        self._hinted = True
        return super().hint()

    def _returned(self, missed: date | None) -> str:
        """The sentence that an ending was missed, and when, before it is asked again."""
        ago = 0 if missed is None else (self.day - missed).days
        key = "lesson.endings.back.before" if ago < 1 else "lesson.endings.back.yesterday" if ago == 1 else "lesson.endings.back"
        return self._text(Fact(key, {"count": ago} if ago > 1 else {}))

    def _note(self, *, right: bool) -> None:
        """Hear what became of the first try; where nothing can be remembered, the exercise is no worse for it."""
        if self._missed is not None:
            with suppress(DurakError):
                (self._missed.solve if right else self._missed.remember)(self._position, self.day)


def to_win(position: str) -> tuple[Game, list[str]] | None:
    """An ending as it is laid for whoever is to act there, on seat 0, and a way to win it; None where no way is soon found."""
    try:
        told = bare(Game.at(position))
        game = None if told is None else laid(told)
        way = None if game is None else way_home(game)
    except DurakError:
        return None
    return None if game is None or not way else (game, list(map(str, way)))


def kept_here() -> Missed | None:
    """The endings that are remembered here; None where nothing can be."""
    try:
        return Missed()
    except DurakError:
        return None


def clock(today: object) -> Callable[[], date] | None:
    """What says which day it is, as it was given; None for the clock of this machine."""
    if today is not None and not callable(today):
        raise DurakError(f"today={quoted(today)} says no day; give a function without arguments that does, such as date.today")
    return today
