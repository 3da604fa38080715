"""Splits a game's result into luck and decisions, and measures skill over games.

A position's value is what careful play gets from it with all hands open and the rest of the talon in random order. Each value is computed
once and reused. The luck of a card picked up is the value after it minus the value before it. For the value before, the card is picked at
random again. So its mean is 0, whatever is picked up and however anyone plays. Every value is added once and subtracted once, so all
parts sum to the result. Skill is measured by what decisions that were not forced lose, and it has a title.
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
"""The mean losses between the titles, from the first title to the last; see `docs/review.md`."""


class PartOfResult(NamedTuple):
    """The change of a seat's share of a win by one draw or one move."""

    ply: int
    """The number of moves before."""
    bout: int
    who: int
    """The seat that moved; for a draw, the seat whose move ended the bout."""
    brought: float


class Fortune(NamedTuple):
    """The parts of a result: `fair`, `deal`, each draw and each move add up to `result`.

    All are shares of a win.

    >>> from durak_widget import Game, bots, review
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
    >>> luck = review.of(game, 0, budget=400).luck[0]
    >>> abs(luck.fair + luck.deal + luck.drawn + luck.own + luck.others - luck.result) < 1e-9
    True
    """

    seat: int
    fair: float
    """The share of every seat before the cards are dealt."""
    deal: float
    """The change by the deal and by who begins; from a set-up position, by that position."""
    draws: tuple[PartOfResult, ...]
    """The changes by cards that any seat drew, at the end of a bout or in a swap."""
    moves: tuple[PartOfResult, ...]
    """The changes by moves; a move of the careful bot changes nothing."""
    result: float
    """The result: 1 for a win, 0 for a loss, the fair share for a tie."""

    @property
    def drawn(self) -> float:
        """Return the change by all draws."""
        return sum(part.brought for part in self.draws)

    @property
    def own(self) -> float:
        """Return the change by the seat's own moves."""
        return sum(part.brought for part in self.moves if part.who == self.seat)

    @property
    def others(self) -> float:
        """Return the change by the other seats' moves."""
        return sum(part.brought for part in self.moves if part.who != self.seat)

    @property
    def cards(self) -> float:
        """Return all luck: the deal and the draws."""
        return self.deal + self.drawn


class CourseOfChances(NamedTuple):
    """Each seat's share of a win when a bout begins; None if it is unknown."""

    bout: int
    ply: int
    shares: tuple[float | None, ...]


class Levels:
    """Each seat's share of a win after every move, and the parts of its result."""

    def __init__(self, fortunes: dict[int, Fortune], shares: dict[int, list[float]], worlds: int, certain: frozenset[int]) -> None:
        self.fortunes, self.shares, self.worlds, self.certain = fortunes, shares, worlds, certain

    def chance(self, seat: int, ply: int) -> float | None:
        """Return a seat's share of a win after this many moves.

        None if the cards could come in one way only, since one line of play is not a chance. Sums of differences from few worlds can
        leave the bounds of a share; the result is kept within them.
        """
        return None if ply in self.certain else min(1.0, max(0.0, self.shares[seat][ply]))


class _Step(NamedTuple):
    """One move of the game, prepared for the evaluation."""

    ply: int
    bout: int
    who: int
    fresh: bool
    """True if cards were drawn or dealt just before."""
    tried: tuple[Move, ...]
    """The careful bot's move and the move of the game."""
    drew: bool
    """True if cards were drawn after the move."""
    certain: bool

    @property
    def asked(self) -> int:
        """Return the number of moves to play out."""
        return len(self.tried) if self.fresh or len(self.tried) > 1 else 0


def levels(game: Game, seats: Collection[int], shares: ShareOfResult, *, seed: int, playouts: int) -> Iterator[Levels | None]:
    """Yield None while working, then the shares of these seats in a finished game."""
    steps = list(_steps(game))
    sides = _asked_for(game, seats)
    playout_moves = sum(step.asked for step in steps if not step.certain) * len(sides)
    worlds = max(1, min(4000, playouts // max(1, playout_moves)))
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - asked of what is over
    shares_by_step: list[dict[int, tuple[float, ...]]] = []
    position = game.copy()
    for step in steps:
        shares_now: dict[int, tuple[float, ...]] = {}
        if step.asked:
            position.goto(step.ply)
            open_hands, world_seed = FaceUp(position), stirred(seed ^ stirred(2 * step.ply + 1))
            for seat in sides:
                results = open_hands.worth(step.tried, count=worlds, seed=world_seed, whose=seat)
                shares_now[seat] = tuple(shares.share(results[move]) for move in step.tried)
            yield None
        shares_by_step.append(shares_now)
    breakdowns, share_lines = {}, {}
    for seat in seats:
        seat_shares = [_of_seat(game, shares, step_shares, seat) for step_shares in shares_by_step]
        breakdowns[seat], share_lines[seat] = _added(steps, seat_shares, seat, shares.fair, shares.share(outcome.utilities[seat]))
    yield Levels(breakdowns, share_lines, worlds, frozenset(step.ply for step in steps if step.certain))


def _steps(game: Game) -> Iterator[_Step]:
    position, moves = game.copy(), game.moves
    is_after_draw, bot, rng = True, Careful(), Random(0)
    for ply, move in enumerate(moves):
        position.goto(ply)
        bout, seat, talon, is_certain = position.bout, position.actor, position.talon, FaceUp(position).certain
        assert seat is not None  # noqa: S101 - a move was made here
        careful_move = bot.choose(position.view(seat), rng)
        position.goto(ply + 1)
        has_draw = position.talon != talon
        yield _Step(ply, bout, seat, is_after_draw, tuple(dict.fromkeys((careful_move, move))), has_draw, is_certain)
        is_after_draw = has_draw


def _asked_for(game: Game, seats: Collection[int]) -> list[int]:
    """Return one seat of each side to play out; the last side follows from the others."""
    side_of_seat = seating.sides(game.rules)
    first_seats = sorted({side_of_seat.index(side_of_seat[seat]) for seat in seats})
    return first_seats[:-1] if len(first_seats) == len(set(side_of_seat)) else first_seats


def _of_seat(game: Game, shares: ShareOfResult, found: dict[int, tuple[float, ...]], seat: int) -> tuple[float, ...]:
    """Return the shares of a seat from those of one seat of each side.

    All payoffs add up to zero.
    """
    side_of_seat = seating.sides(game.rules)
    same_side_seat = next((other_seat for other_seat in found if side_of_seat[other_seat] == side_of_seat[seat]), None)
    if not found or same_side_seat is not None:
        return found.get(-1 if same_side_seat is None else same_side_seat, ())
    fair = shares.fair
    return tuple(fair - sum(share - fair for share in shares_together) for shares_together in zip(*found.values(), strict=True))


def _added(course: list[_Step], found: list[tuple[float, ...]], seat: int, fair: float, result: float) -> tuple[Fortune, list[float]]:
    """Return the parts of a result, and the seat's share after each move."""
    share_line = [found[0][0]] if found else [result]
    draws, moves = list[PartOfResult](), list[PartOfResult]()
    for step, current in zip(course, found, strict=True):
        is_last = step is course[-1]
        after_move = share_line[-1] + (current[1] - current[0] if len(step.tried) > 1 else 0.0)
        next_share = result if is_last else found[step.ply + 1][0] if step.drew else after_move
        if not step.drew:
            after_move = next_share
        moves.append(PartOfResult(step.ply, step.bout, step.who, after_move - share_line[-1]))
        if step.drew:
            draws.append(PartOfResult(step.ply, step.bout, step.who, next_share - after_move))
        share_line.append(next_share)
    return Fortune(seat, fair, share_line[0] - fair, tuple(draws), tuple(moves), result), share_line


@dataclass(frozen=True)
class Skill:
    """A seat's losses in its decisions, as shares of a win.

    >>> from durak_widget import Game, bots, review
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
    >>> careful, by_chance = review.of(game, budget=20_000).skill
    >>> careful.per_decision < by_chance.per_decision
    True
    """

    seat: int
    decisions: int
    """The number of decisions that were not forced and could be evaluated."""
    lost: float
    """The sum of their unbiased losses, which can be below 0."""
    squares: float
    """The sum of their squared losses."""
    mistakes: int
    """The number of sure mistakes, including proved ones."""
    proved: int
    """The number of proved mistakes."""

    @classmethod
    def of(cls, seat: int, decisions: Iterable[Decision]) -> Skill:
        """Return the skill of a seat from its decisions in one or more games."""
        seat_decisions = [decision for decision in decisions if decision.seat == seat]
        errors = [decision.error for decision in seat_decisions if decision.error is not None]
        return cls(
            seat,
            len(errors),
            sum(errors),
            sum(error * error for error in errors),
            sum(decision.is_mistake for decision in seat_decisions),
            sum(decision.verdict == "proved mistake" for decision in seat_decisions),
        )

    def __add__(self, other: Skill) -> Skill:
        """Return the skill over both sets of decisions, for the seat of the first."""
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
        """Return the mean loss of a decision."""
        return self.lost / self.decisions if self.decisions else 0.0

    @property
    def error(self) -> float:
        """Return the standard error of the mean loss, which is large after a single game."""
        if self.decisions < 2:
            return 1.0
        return sqrt(max(0.0, self.squares / self.decisions - self.per_decision**2) / (self.decisions - 1))

    @property
    def rank(self) -> int:
        """Return the rank, from 0 (random moves) to 5 (hardly any mistakes)."""
        return sum(self.per_decision < step for step in STEPS)

    def title(self, language: str = "en") -> str:
        """Return the title for players of this skill.

        >>> Skill(0, 100, 4.0, 1.0, 3, 1).title(), Skill(0, 100, 0.2, 0.1, 0, 0).title("ru")
        ('at home at the kitchen table', 'почти не ошибается')
        """
        return Voice(language).say(f"review.rank.{self.rank}")

    def said(self, language: str = "en", me: int | None = None) -> str:
        """Return the losses as a sentence.

        >>> Skill(0, 100, 4.5, 1.0, 3, 1).said()
        'Player 1: 4.5 of 100 chances lost a move, in 100 decisions that were not forced.'
        """
        fact = self.told
        return Voice(language, me=me).say(fact.key, **fact.facts)

    @property
    def told(self) -> Fact:
        """Return the losses as a fact."""
        percent = 100 * max(0.0, self.per_decision)
        return Fact("review.skill.count", {"who": Seat(self.seat), "percent": percent, "count": self.decisions})
