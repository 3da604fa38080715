"""Shows the mistakes that players made in endgames, and makes puzzles from them."""

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
"""Number of mistakes that are tried for a puzzle."""
_LONGEST: Final = 60
_SHORT: Final = 2
_OTHER: Final = "careful"
"""The opponent in a puzzle."""


class Mistake:
    """A decision that gave something away: the position, the move, and how it loses.

    A notebook displays it as a picture with sentences.

    >>> from durak_widget import lessons
    >>> print(*lessons.games().mistake().said[1:], sep=chr(10))
    The other holds Q♥︎, as whoever has counted knows.
    You take. That loses. Player 1 attacks with Q♥︎. You beat Q♥︎ with 9♣︎. You are the fool.
    """

    def __init__(self, game: Game, move: str, player: str, language: str | None = None) -> None:
        self.game = game
        """The game at that moment."""
        self.move = move
        """The move that was chosen."""
        self.player = player
        """The player who chose it."""
        self.language = user_defaults.language() if language is None else language

    @property
    def said(self) -> list[str]:
        """Return the sentences that say who chose what and how the game goes on."""
        voice = Voice(self.language, cards="signs")
        other = next((hand for seat, hand in enumerate(self.game.hands) if seat != self._seat() and hand), ())
        sentences = [voice.say("class.play.gave", who=self.player), voice.say("class.play.holds", cards=tuple(other))]
        try:
            return [*sentences, endgame.refute(self.game, self.move, budget=_BUDGET).said(self.language, cards="signs")]
        except DurakError:  # the budget was enough to find that it loses, but not how
            return sentences

    def _seat(self) -> int:
        """Return the seat of the player who decided."""
        seat = self.game.actor
        assert seat is not None  # noqa: S101 - somebody decided
        return seat

    def __str__(self) -> str:
        return "\n".join([str(self.game.picture(self._seat(), language=self.language)), *self.said])

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:  # noqa: ANN401 - formats to include or leave out
        picture = self.game.picture(self._seat(), language=self.language)._repr_mimebundle_()
        paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.said)
        return {"text/plain": str(self), "text/html": picture["text/html"] + paragraphs}


class Won(NamedTuple):
    """A way to win an endgame against the opponent of a puzzle."""

    solution: list[Move]
    """The winner's own moves."""
    good: Fraction
    """The share of the first moves that keep the win."""
    tempting: bool
    """True if always playing the cheapest card does not win."""

    @property
    def rank(self) -> tuple[bool, bool, Fraction]:
        """Return a sort key: the better the puzzle, the greater."""
        return self.tempting, len(self.solution) > _SHORT, -self.good


def won_from(game: Game) -> Won | None:
    """Find how the player to act wins.

    Return None where they can't, where every move wins, or where the search does not find it.
    """
    seat, ending = game.actor, endgame.solve(game, budget=_BUDGET)
    if seat is None or ending.value != 1 or not ending.proved or len(ending.best) == len(ending.moves):
        return None
    solution = _play(game, seat, quickly=True)
    cheaply = _play(game, seat, quickly=False)
    return Won(solution, Fraction(len(ending.best), len(ending.moves)), cheaply is None) if solution else None


def _play(game: Game, seat: int, *, quickly: bool) -> list[Move] | None:
    """Return the moves with which a seat wins against the puzzle's opponent, or None.

    It plays the quickest win, or cheap cards.
    """
    opponent, game, own_moves = get(_OTHER), game.copy(), list[Any]()
    for _ in range(_LONGEST):
        if game.outcome is not None or game.actor is None:
            break
        move = opponent.choose(game.view(game.actor), chance(0, game.actor))
        if game.actor == seat:
            if quickly:
                best = endgame.solve(game, budget=_BUDGET).quickest
                if not best:
                    return None
                move = best[0]
            own_moves.append(move)
        game.play(move)
    return own_moves if game.outcome is not None and seat in game.outcome.winners else None


def puzzle(mistakes: Sequence[Mistake], **more: Any) -> Position | None:  # noqa: ANN401 - what a Position takes
    """Make a puzzle from an endgame that a player could have won and did not.

    It takes the one whose win is hardest to see. The first mistake comes last, because the reader may have looked at it already.
    """
    candidates: list[tuple[tuple[object, ...], int, Game, Won, Mistake]] = []
    for number, mistake in enumerate(mistakes[:_LOOKED_AT]):
        game = Game.at(mistake.game.position)
        win = won_from(game)
        if win is not None:
            candidates.append(((number > 0, *win.rank), -number, game, win, mistake))
    if not candidates:
        return None
    _, _, game, win, mistake = max(candidates, key=itemgetter(0, 1))
    opponents = {seat: _OTHER for seat in range(game.seats) if seat != game.actor}
    solution = [str(move) for move in win.solution]
    return Position(
        game,
        goals.get_out(),
        solution=solution,
        others=opponents,
        why=Fact("class.play.gave", {"who": mistake.player}),
        **{"hands": "open", **more},
    )
