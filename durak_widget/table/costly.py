"""What a coach says at once of a move: that it cost much, where the review would say so too, and what was better; or that it was the only one. By what its seat could know."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.counting_bot import ending_of
from durak_widget.bots.heuristic_bots import Careful
from durak_widget.engine.narration import advised
from durak_widget.i18n import Fact, Voice
from durak_widget.review.decision_evaluation import judged_by_itself
from durak_widget.review.turning_points import kind_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import View
    from durak_widget.review import Decision

_PATIENCE: Final = 5_000
"""So many positions of an ending are looked at to praise a move, which takes a tenth of a second in plain Python."""


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
