"""Computes feedback for the viewer: their chance to win now, and a comment on a move that cost much.

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
"""So many standard errors, and so many worlds more in which the opposite of what was seen might have come: then it holds 95 times of 100."""
_PATIENCE: Final = 5_000
"""So many positions of an ending are looked at to praise a move, which takes a tenth of a second in plain Python."""


class Hopes:
    """The chance to get out by one's best move, the least and the most that it is 95 times of 100; between one's own moves, what was known last.

    >>> from durak_widget import Game, Rules
    >>> ending = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> Hopes()(ending.view(0))
    (1.0, 1.0, 1.0)
    >>> share, least, most = Hopes()(Game(seed=7).view(0))
    >>> 0 < least < share < most < 1
    True
    """

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._seat: int | None = None
        self._then: tuple[Played, ...] = ()
        self._known: tuple[float, ...] = ()

    def __call__(self, view: View) -> tuple[float, ...]:
        """What may be hoped for by this view; nothing where that cannot be told."""
        if view.legal_moves():
            self._seat, self._then, self._known = view.seat, view.course, hope(view)
        elif view.seat != self._seat or view.course[: len(self._then)] != self._then:
            self._known = ()
        return () if view.outcome else self._known


def hope(view: View) -> tuple[float, ...]:
    """The share of a win that the best move of this seat leads to, with the least and the most of it; exact where an ending is."""
    shares = ShareOfResult.of(view.rules)
    ending = ending_of(view, HINT_POSITIONS) if view.memory is not None else None
    if ending is not None and ending.value is not None:
        return (shares.known(ending.value),) * 3
    held = held_outright(view, OUTRIGHT) if view.memory is not None else None
    if held is not None:
        return (shares.known(held.value),) * 3
    found = tried_out(view)
    if found is None or found.best is None:
        return ()
    errors, unseen = _USUALLY
    share, half = shares.share(found[found.best]), errors * found.error(found.best) / shares.width + unseen / found.worlds
    return share, max(0.0, share - half), min(1.0, share + half)


class Word(NamedTuple):
    """What is said of a move."""

    facts: Sequence[Fact]
    dear: bool
    """Whether it cost much: then it may well be taken back."""

    def said(self, voice: Voice | None = None) -> str:
        """All of it in a voice."""
        told = voice or Voice()
        return " ".join(told.say(fact.key, **fact.facts) for fact in self.facts)


def word_on(game: Game, ply: int) -> Word | None:
    """What there is to say of the move after so many others; None where nothing need be said.

    >>> from durak_widget import Game
    >>> game = Game.at("Qh Ks 6c | Kh Kc 7d; trump h; talon 8c 9c"); game.play("attack Qh")
    >>> word_on(game, 0).dear
    True
    """
    one = judged_by_itself(game, ply)
    if one.better is None:
        return None
    before = game.copy()
    before.goto(ply)
    view = before.view(one.seat)
    if one.verdict == "proved mistake":
        gave = "table.coach.won" if one.value == 1 else "table.coach.draw"
        return Word([Fact(gave, {"said": advised(one.better)})], dear=True)
    if one.verdict == "mistake":
        cost = Fact("table.coach.cost", {"percent": round(100 * (one.loss or 0.0))})
        kind = [] if one.kind is None else [kind_told(view, one.move, one.kind)]
        return Word([cost, Fact("review.better", {"said": advised(one.better)}), *kind], dear=True)
    return Word([Fact("table.coach.only")], dear=False) if _alone(view, one) else None


def _alone(view: View, one: Decision) -> bool:
    """Whether of several moves this was the only one that wins, and not what anybody would have played."""
    if one.value != 1 or one.ways < 3 or one.move == Careful().choose(view, Random(0)):
        return False
    ending = ending_of(view, _PATIENCE)
    return ending is not None and ending.proved and ending.best == (one.move,)
