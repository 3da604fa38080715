"""Feedback for the viewer: their chance to win, and a comment on a move that cost much.

The chance has a 95 % interval. A move is criticized only if the review would criticize it too, and the
comment says what was better. A move that was the only good one is pointed out. All of it uses only what the
player could know.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.counting_bot import ending_of
from durak_widget.bots.heuristic_bots import Careful
from durak_widget.engine.narration import advised
from durak_widget.i18n import Fact, Voice
from durak_widget.review.decision_evaluation import OUTRIGHT, held_outright, judged_by_itself
from durak_widget.review.decisions import ShareOfResult
from durak_widget.review.turning_points import kind_told
from durak_widget.table.hints import HINT_POSITIONS
from durak_widget.table.playout_estimates import tried_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import Played, View
    from durak_widget.review import Decision

_USUALLY: Final = 1.96, 3
"""A 95 % interval: so many standard errors, and so many more worlds with the opposite result."""
_PATIENCE: Final = 5_000
"""Positions of an endgame searched to praise a move: a tenth of a second in plain Python."""


class Hopes:
    """Finds the viewer's chance to win by their best move, with the ends of its 95 % interval.

    Between the viewer's moves the last known chance stays.

    >>> from durak_widget import Game, Rules
    >>> ending = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> Hopes()(ending.view(0))
    (1.0, 1.0, 1.0)
    >>> share, least, most = Hopes()(Game(seed=7).view(0))
    >>> 0 < least < share < most < 1
    True
    """

    def __init__(self) -> None:
        """Start without a known chance."""
        self._seat: int | None = None
        self._then: tuple[Played, ...] = ()
        self._known: tuple[float, ...] = ()

    def __call__(self, view: View) -> tuple[float, ...]:
        """Return the chance and its interval for this view; empty where it is not known."""
        if view.legal_moves():
            self._seat, self._then, self._known = view.seat, view.course, hope(view)
        elif view.seat != self._seat or view.course[: len(self._then)] != self._then:
            self._known = ()
        return () if view.outcome else self._known


def hope(view: View) -> tuple[float, ...]:
    """Return the chance to win by the best move, with its interval; endgames are exact."""
    shares = ShareOfResult.of(view.rules)
    ending = ending_of(view, HINT_POSITIONS) if view.memory is not None else None
    if ending is not None and ending.value is not None:
        return (shares.known(ending.value),) * 3
    result = held_outright(view, OUTRIGHT) if view.memory is not None else None
    if result is not None:
        return (shares.known(result.value),) * 3
    playouts = tried_out(view)
    if playouts is None or playouts.best is None:
        return ()
    errors, unseen = _USUALLY
    share, half = shares.share(playouts[playouts.best]), errors * playouts.error(playouts.best) / shares.width + unseen / playouts.worlds
    return share, max(0.0, share - half), min(1.0, share + half)


class Word(NamedTuple):
    """A comment on a move."""

    facts: Sequence[Fact]
    dear: bool
    """Whether the move cost much, so that it may be taken back."""

    def said(self, voice: Voice | None = None) -> str:
        """Return the whole comment as text."""
        translator = voice or Voice()
        return " ".join(translator.say(fact.key, **fact.facts) for fact in self.facts)


def word_on(game: Game, ply: int) -> Word | None:
    """Return the comment on the move at `ply`; None where none is needed.

    >>> from durak_widget import Game
    >>> game = Game.at("Qh Ks 6c | Kh Kc 7d; trump h; talon 8c 9c"); game.play("attack Qh")
    >>> word_on(game, 0).dear
    True
    """
    decision = judged_by_itself(game, ply)
    if decision.better is None:
        return None
    before = game.copy()
    before.goto(ply)
    view = before.view(decision.seat)
    if decision.verdict == "proved mistake":
        key = "table.coach.won" if decision.value == 1 else "table.coach.draw"
        return Word([Fact(key, {"said": advised(decision.better)})], dear=True)
    if decision.verdict == "mistake":
        cost = Fact("table.coach.cost", {"percent": round(100 * (decision.loss or 0.0))})
        kind_facts = [] if decision.kind is None else [kind_told(view, decision.move, decision.kind)]
        return Word([cost, Fact("review.better", {"said": advised(decision.better)}), *kind_facts], dear=True)
    return Word([Fact("table.coach.only")], dear=False) if _alone(view, decision) else None


def _alone(view: View, one: Decision) -> bool:
    """Return whether this was the only winning move of several, and not an obvious one."""
    if one.value != 1 or one.ways < 3 or one.move == Careful().choose(view, Random(0)):
        return False
    ending = ending_of(view, _PATIENCE)
    return ending is not None and ending.proved and ending.best == (one.move,)
