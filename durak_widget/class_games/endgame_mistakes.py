"""Mistakes in endings, to be looked at and to be done better: what somebody gave away, and why."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.analysis import endgame
from durak_widget.bots.bot import chance, get
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError
from durak_widget.exercises import goals
from durak_widget.exercises.position_exercise import Position
from durak_widget.i18n import Fact, Voice
from durak_widget.widgets import user_defaults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.moves import Move

_BUDGET: Final = 5_000
_LOOKED_AT: Final = 30
"""So many mistakes are tried for a puzzle."""
_LONGEST: Final = 60
_SHORT: Final = 2
_OTHER: Final = "careful"
"""Who sits opposite in a puzzle."""


class Mistake:
    """One decision that gave something away: the moment, what was chosen, and how it loses; in a notebook it shows itself.

    >>> from durak_widget import lessons
    >>> print(*lessons.games().mistake().said[1:], sep=chr(10))
    The other holds Q♥︎, as whoever has counted knows.
    You take. That loses. Player 1 attacks with Q♥︎. You beat Q♥︎ with 9♣︎. You are the fool.
    """

    def __init__(self, game: Game, move: str, player: str, language: str | None = None) -> None:
        self.game = game
        """The moment at which it was made."""
        self.move = move
        """What was chosen."""
        self.player = player
        """Who chose it."""
        self.language = user_defaults.language() if language is None else language

    @property
    def said(self) -> list[str]:
        """Who chose what, and how it goes on."""
        voice = Voice(self.language, cards="signs")
        other = next((hand for seat, hand in enumerate(self.game.hands) if seat != self._seat() and hand), ())
        told = [voice.say("class.play.gave", who=self.player), voice.say("class.play.holds", cards=tuple(other))]
        try:
            return [*told, endgame.refute(self.game, self.move, budget=_BUDGET).said(self.language, cards="signs")]
        except DurakError:  # that it loses was found within the budget, how it does was not
            return told

    def _seat(self) -> int:
        seat = self.game.actor
        assert seat is not None  # noqa: S101 - somebody decided
        return seat

    def __str__(self) -> str:
        return "\n".join([str(self.game.picture(self._seat(), language=self.language)), *self.said])

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:  # noqa: ANN401 - what to leave out, which nobody asks for
        shown = self.game.picture(self._seat(), language=self.language)._repr_mimebundle_()
        words = "".join(f"<p>{escape(one)}</p>" for one in self.said)
        return {"text/plain": str(self), "text/html": shown["text/html"] + words}


class Won(NamedTuple):
    """How an ending can be won against the other of a puzzle."""

    solution: list[Move]
    """One's own moves."""
    good: Fraction
    """Which part of the first moves keeps the win."""
    tempting: bool
    """Whether who always plays the cheapest card does not win it."""

    @property
    def rank(self) -> tuple[bool, bool, Fraction]:
        """The better a puzzle, the greater."""
        return self.tempting, len(self.solution) > _SHORT, -self.good


def won_from(game: Game) -> Won | None:
    """How whoever is to act wins; None, where it cannot be had, every move does it, or no search within reason finds it."""
    seat, found = game.actor, endgame.solve(game, budget=_BUDGET)
    if seat is None or found.value != 1 or not found.proved or len(found.best) == len(found.moves):
        return None
    solution = _play(game, seat, quickly=True)
    cheaply = _play(game, seat, quickly=False)
    return Won(solution, Fraction(len(found.best), len(found.moves)), cheaply is None) if solution else None


def _play(game: Game, seat: int, *, quickly: bool) -> list[Move] | None:
    """The moves of a seat that wins against the other of a puzzle: by the quickest way, or by cheap cards; None where it does not win."""
    other, game, mine = get(_OTHER), game.copy(), list[Any]()
    for _ in range(_LONGEST):
        if game.outcome is not None or game.actor is None:
            break
        move = other.choose(game.view(game.actor), chance(0, game.actor))
        if game.actor == seat:
            if quickly:
                best = endgame.solve(game, budget=_BUDGET).quickest
                if not best:
                    return None
                move = best[0]
            mine.append(move)
        game.play(move)
    return mine if game.outcome is not None and seat in game.outcome.winners else None


def puzzle(mistakes: Sequence[Mistake], **more: Any) -> Position | None:  # noqa: ANN401 - what a Position takes
    """To do better: an ending that somebody did not win, and that can be won; the one in which that is least easily seen, and not the first, which one may have looked at."""
    found: list[tuple[tuple[object, ...], int, Game, Won, Mistake]] = []
    for number, one in enumerate(mistakes[:_LOOKED_AT]):
        game = Game.at(one.game.position)
        won = won_from(game)
        if won is not None:
            found.append(((number > 0, *won.rank), -number, game, won, one))
    if not found:
        return None
    _, _, game, won, one = max(found, key=itemgetter(0, 1))
    others = {seat: _OTHER for seat in range(game.seats) if seat != game.actor}
    solution = [str(move) for move in won.solution]
    return Position(
        game,
        goals.get_out(),
        solution=solution,
        others=others,
        why=Fact("class.play.gave", {"who": one.player}),
        **{"hands": "open", **more},
    )
