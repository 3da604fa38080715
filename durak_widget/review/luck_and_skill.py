"""Splits a game's result into luck and decisions, and measures a player's skill over games.

A position's value is what careful play gets from it with all hands open and the rest of the talon in random
order. Each value is computed once and reused. The luck of a card picked up is the value after it minus the
value before it. For the value before, the card is picked at random again. So its mean is 0, whatever is
picked up and however anyone plays. Every value is added once and subtracted once, so all parts sum to the
result. Skill is measured by what decisions that were not forced lose, and it has a title.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.worlds_with_open_hands import FaceUp
from durak_widget.bots.heuristic_bots import Careful
from durak_widget.fast_engine.random_generator import stirred
from durak_widget.i18n import Fact, Seat, Voice
from durak_widget.rules import seating

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.review.decisions import Decision, ShareOfResult

STEPS: Final = (0.06, 0.045, 0.035, 0.02, 0.003)
"""Who loses more a decision than the first has the first title, and so on; the last is for who loses less than all. Each title has a bot: `docs/review.md` has the table."""


class PartOfResult(NamedTuple):
    """What one draw, or one move, brought a seat, as a share of a win."""

    ply: int
    """How many moves had been made before."""
    bout: int
    who: int
    """Whose move it was, or with whose move the bout ended after which cards were drawn."""
    brought: float


class Fortune(NamedTuple):
    """How a result came about: `fair + deal`, and what each draw and each move brought, is `result`. All are shares of a win.

    >>> from durak_widget import Game, bots, review
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
    >>> luck = review.of(game, 0, budget=400).luck[0]
    >>> abs(luck.fair + luck.deal + luck.drawn + luck.own + luck.others - luck.result) < 1e-9
    True
    """

    seat: int
    fair: float
    """Everybody's share before the cards are dealt."""
    deal: float
    """What the deal brought, and that somebody had to begin; where a game began from a position, what that was worth."""
    draws: tuple[PartOfResult, ...]
    """What was brought by the cards that were drawn, by whomever, at each end of a bout, or in a swap."""
    moves: tuple[PartOfResult, ...]
    """What was brought by each move; one that the careful bot would have made brings nothing."""
    result: float
    """1 for a win, 0 for a loss; a draw is a fair share."""

    @property
    def drawn(self) -> float:
        """What all draws brought."""
        return sum(part.brought for part in self.draws)

    @property
    def own(self) -> float:
        """What the seat's own moves brought."""
        return sum(part.brought for part in self.moves if part.who == self.seat)

    @property
    def others(self) -> float:
        """What the others' moves brought."""
        return sum(part.brought for part in self.moves if part.who != self.seat)

    @property
    def cards(self) -> float:
        """All luck: the deal and the draws."""
        return self.deal + self.drawn


class CourseOfChances(NamedTuple):
    """What each seat could hope for when a bout began, as a share of a win; None where that is not known."""

    bout: int
    ply: int
    shares: tuple[float | None, ...]


class Levels:
    """What each moment of a game was worth to each seat, and how the result came about."""

    def __init__(self, fortunes: dict[int, Fortune], shares: dict[int, list[float]], worlds: int, certain: frozenset[int]) -> None:
        self.fortunes, self.shares, self.worlds, self.certain = fortunes, shares, worlds, certain

    def chance(self, seat: int, ply: int) -> float | None:
        """What a seat could hope for after so many moves; None where the cards could come in one way alone, since one line of play is no chance.

        What is carried on by differences may leave the bounds of a share by what few worlds do not tell: here it does not.
        """
        return None if ply in self.certain else min(1.0, max(0.0, self.shares[seat][ply]))


class _Step(NamedTuple):
    """One move of the course."""

    ply: int
    bout: int
    who: int
    fresh: bool
    """Whether cards were drawn just before, or dealt."""
    tried: tuple[Move, ...]
    """What the careful bot would have played, and what was played."""
    drew: bool
    """Whether cards were drawn after it."""
    certain: bool

    @property
    def asked(self) -> int:
        """How many moves have to be played out."""
        return len(self.tried) if self.fresh or len(self.tried) > 1 else 0


def levels(game: Game, seats: Collection[int], shares: ShareOfResult, *, seed: int, playouts: int) -> Iterator[Levels | None]:
    """How the result of a game that is over came about for these seats: None while that is being worked out."""
    course = list(_steps(game))
    sides = _asked_for(game, seats)
    many = sum(step.asked for step in course if not step.certain) * len(sides)
    worlds = max(1, min(4000, playouts // max(1, many)))
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - asked of what is over
    brought: list[dict[int, tuple[float, ...]]] = []
    there = game.copy()
    for step in course:
        now: dict[int, tuple[float, ...]] = {}
        if step.asked:
            there.goto(step.ply)
            open_hands, chance = FaceUp(there), stirred(seed ^ stirred(2 * step.ply + 1))
            for seat in sides:
                found = open_hands.worth(step.tried, count=worlds, seed=chance, whose=seat)
                now[seat] = tuple(shares.share(found[move]) for move in step.tried)
            yield None
        brought.append(now)
    fortunes, lines = {}, {}
    for seat in seats:
        own = [_of_seat(game, shares, one, seat) for one in brought]
        fortunes[seat], lines[seat] = _added(course, own, seat, shares.fair, shares.share(outcome.utilities[seat]))
    yield Levels(fortunes, lines, worlds, frozenset(step.ply for step in course if step.certain))


def _steps(game: Game) -> Iterator[_Step]:
    there, moves = game.copy(), game.moves
    fresh, bot, chance = True, Careful(), Random(0)
    for ply, move in enumerate(moves):
        there.goto(ply)
        bout, who, talon, certain = there.bout, there.actor, there.talon, FaceUp(there).certain
        assert who is not None  # noqa: S101 - a move was made here
        usual = bot.choose(there.view(who), chance)
        there.goto(ply + 1)
        drew = there.talon != talon
        yield _Step(ply, bout, who, fresh, tuple(dict.fromkeys((usual, move))), drew, certain)
        fresh = drew


def _asked_for(game: Game, seats: Collection[int]) -> list[int]:
    """One seat of each side whose worth has to be played out: of all sides one follows from the others."""
    side = seating.sides(game.rules)
    first = sorted({side.index(side[seat]) for seat in seats})
    return first[:-1] if len(first) == len(set(side)) else first


def _of_seat(game: Game, shares: ShareOfResult, found: dict[int, tuple[float, ...]], seat: int) -> tuple[float, ...]:
    """The shares of a seat, by those of one seat of each side: what all are worth adds up to nothing."""
    side = seating.sides(game.rules)
    same = next((one for one in found if side[one] == side[seat]), None)
    if not found or same is not None:
        return found.get(-1 if same is None else same, ())
    fair = shares.fair
    return tuple(fair - sum(share - fair for share in together) for together in zip(*found.values(), strict=True))


def _added(course: list[_Step], found: list[tuple[float, ...]], seat: int, fair: float, result: float) -> tuple[Fortune, list[float]]:
    """How a result came about, step by step."""
    line = [found[0][0]] if found else [result]
    draws, moves = list[PartOfResult](), list[PartOfResult]()
    for step, now in zip(course, found, strict=True):
        last = step is course[-1]
        after = line[-1] + (now[1] - now[0] if len(step.tried) > 1 else 0.0)
        then = result if last else found[step.ply + 1][0] if step.drew else after
        if not step.drew:
            after = then
        moves.append(PartOfResult(step.ply, step.bout, step.who, after - line[-1]))
        if step.drew:
            draws.append(PartOfResult(step.ply, step.bout, step.who, then - after))
        line.append(then)
    return Fortune(seat, fair, line[0] - fair, tuple(draws), tuple(moves), result), line


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
