"""How well somebody plays, over one game or many: what is lost in a decision that is not forced, and a title for that."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

from durak_widget.i18n import Fact, Seat, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.review.decisions import Decision

STEPS: Final = (0.06, 0.045, 0.035, 0.02, 0.003)
"""Who loses more a decision than the first has the first title, and so on; the last is for who loses less than all. Each title has a bot: `docs/review.md` has the table."""


@dataclass(frozen=True)
class Skill:
    """What a seat lost in its decisions. A loss is a share of a win.

    >>> from durak_widget import Game, bots, review
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
    >>> careful, by_chance = review.of(game, budget=20_000).skill
    >>> careful.per_decision < by_chance.per_decision
    True
    """

    seat: int
    decisions: int
    """How many were not forced, and could be weighed."""
    lost: float
    """What they cost together: noise adds nothing to it. Who plays better than so few worlds can tell is below 0."""
    squares: float
    """The sum of the squares of what they cost."""
    mistakes: int
    """How many were mistakes for certain, those that were proved among them, and …"""
    proved: int
    """… how many were proved."""

    @classmethod
    def of(cls, seat: int, decisions: Iterable[Decision]) -> Skill:
        """How a seat played, by its decisions of one game or more."""
        own = [one for one in decisions if one.seat == seat]
        errors = [one.error for one in own if one.error is not None]
        return cls(
            seat,
            len(errors),
            sum(errors),
            sum(error * error for error in errors),
            sum(one.is_mistake for one in own),
            sum(one.verdict == "proved mistake" for one in own),
        )

    def __add__(self, other: Skill) -> Skill:
        """Over both; whoever it was the first time counts."""
        return Skill(
            self.seat,
            self.decisions + other.decisions,
            self.lost + other.lost,
            self.squares + other.squares,
            self.mistakes + other.mistakes,
            self.proved + other.proved,
        )

    @property
    def per_decision(self) -> float:
        """What was lost in a decision on average."""
        return self.lost / self.decisions if self.decisions else 0.0

    @property
    def error(self) -> float:
        """The standard error of that average: after a single game it is large."""
        if self.decisions < 2:
            return 1.0
        return sqrt(max(0.0, self.squares / self.decisions - self.per_decision**2) / (self.decisions - 1))

    @property
    def rank(self) -> int:
        """From 0, as the cards fall, to 5, hardly ever errs."""
        return sum(self.per_decision < step for step in STEPS)

    def title(self, language: str = "en") -> str:
        """What a person who plays so may be called.

        >>> Skill(0, 100, 4.0, 1.0, 3, 1).title(), Skill(0, 100, 0.2, 0.1, 0, 0).title("ru")
        ('at home at the kitchen table', 'почти не ошибается')
        """
        return Voice(language).say(f"review.rank.{self.rank}")

    def said(self, language: str = "en", me: int | None = None) -> str:
        """What was lost, in a sentence.

        >>> Skill(0, 100, 4.5, 1.0, 3, 1).said()
        'Player 1: 4.5 of 100 chances lost a move, in 100 decisions that were not forced.'
        """
        told = self.told
        return Voice(language, me=me).say(told.key, **told.facts)

    @property
    def told(self) -> Fact:
        """What was lost, as what a sentence says."""
        percent = 100 * max(0.0, self.per_decision)
        return Fact("review.skill.count", {"who": Seat(self.seat), "percent": percent, "count": self.decisions})
