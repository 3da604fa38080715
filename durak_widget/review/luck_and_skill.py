"""Luck apart from skill: what the deal, each draw and each move brought a seat, which adds up to the result.

A moment is worth what careful play brings from it with all hands open and the rest of the talon in any order. Each such value is worked out once and
used again: what a draw brought is the value after it less the value before, for which the same draw is made anew by chance. So its mean is 0,
whatever is drawn and however anybody plays; and since each value is taken away where it was added before, all of it adds up.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.analysis.open_hand_worlds import FaceUp
from durak_widget.bots.heuristic_bots import Careful
from durak_widget.fast_engine.random_generator import stirred
from durak_widget.rules import seating

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.review.decisions import ShareOfResult


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
