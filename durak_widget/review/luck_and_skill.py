"""Splits a game's result into luck and decisions, and measures players' skill.

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

from durak_widget.analysis.worlds_with_open_hands import OpenHandsWorlds
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.fast_engine.random_generator import mix_bits
from durak_widget.i18n import Seat, TranslatableText, Translator
from durak_widget.rules import seating

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.review.decisions import Decision, WinShareScale

TITLE_THRESHOLDS: Final = (0.06, 0.045, 0.035, 0.02, 0.003)
"""The mean losses per decision that separate the titles of players; see `docs/strength.md`."""


class PartOfResult(NamedTuple):
    """The change of one seat's win chance by one draw of cards, or by one move of any seat."""

    ply: int
    """The number of moves made before the draw or the move."""
    bout: int
    seat: int
    """The seat that moved; for a draw of cards, the seat whose move ended the bout."""
    share_change: float


class ResultBreakdown(NamedTuple):
    """The parts that add up to one seat's result: fair share, deal, draws and moves.

    All are in win chance, from 0 to 1.

    >>> from durak_widget import Game, bots, review
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
    >>> luck = review.analyze(game, 0, budget=400).luck[0]
    >>> abs(luck.fair + luck.deal + luck.drawn + luck.own + luck.others - luck.result) < 1e-9
    True
    """

    seat: int
    fair: float
    """The win chance of every seat before the deal."""
    deal: float
    """The change of the win chance by the deal and the choice of the first attacker; in a game from a set-up
    position, by that position."""
    draw_parts: tuple[PartOfResult, ...]
    """The changes of the win chance by draws of cards, of any seat, after a bout or in a swap of the trump card."""
    move_parts: tuple[PartOfResult, ...]
    """The changes of the win chance by moves of any seat; the change is 0 for a move that the careful bot would also
    make."""
    result: float
    """The seat's result as a win chance: 1 for a win, 0 for a loss; a tie has the win chance before the deal."""

    @property
    def drawn(self) -> float:
        """Return the sum of all changes of the win chance by draws of cards."""
        return sum(part.share_change for part in self.draw_parts)

    @property
    def own(self) -> float:
        """Return the sum of all changes of the seat's win chance by its own moves."""
        return sum(part.share_change for part in self.move_parts if part.seat == self.seat)

    @property
    def others(self) -> float:
        """Return the sum of all changes of the seat's win chance by moves of other seats."""
        return sum(part.share_change for part in self.move_parts if part.seat != self.seat)

    @property
    def total_luck(self) -> float:
        """Return the change of the win chance by luck, which is the deal and all draws."""
        return self.deal + self.drawn


class BoutChances(NamedTuple):
    """The win chance of each seat at the start of a bout; None if it is unknown."""

    bout: int
    ply: int
    shares: tuple[float | None, ...]


class WinShareTimeline:
    """Each seat's win chance after each move, and the parts that led to each seat's result."""

    def __init__(
        self, breakdowns: dict[int, ResultBreakdown], shares: dict[int, list[float]], world_count: int, certain_plies: frozenset[int]
    ) -> None:
        self.breakdowns, self.shares, self.world_count, self.certain_plies = breakdowns, shares, world_count, certain_plies

    def share_at(self, seat: int, ply: int) -> float | None:
        """Return the win chance of a seat after `ply` moves.

        None if the cards could come in one way only, since one line of play is not a chance. Sums of differences from few worlds can
        leave the bounds of a share; the result is kept within them.
        """
        return None if ply in self.certain_plies else min(1.0, max(0.0, self.shares[seat][ply]))


class _Step(NamedTuple):
    """A move of a game, with the facts from which luck is measured."""

    ply: int
    bout: int
    seat: int
    is_after_draw: bool
    """True if cards were drawn or dealt just before the move."""
    compared_moves: tuple[Move, ...]
    """The careful bot's move in the same situation, and the game's move if that is different."""
    has_draw: bool
    """True if cards were drawn after the move."""
    is_certain: bool

    @property
    def playout_move_count(self) -> int:
        """Return the number of moves to compare by playouts; 0 if no playouts are needed."""
        return len(self.compared_moves) if self.is_after_draw or len(self.compared_moves) > 1 else 0


def compute_win_share_timeline(
    game: Game, seats: Collection[int], scale: WinShareScale, *, seed: int, playouts: int
) -> Iterator[WinShareTimeline | None]:
    """Compute the win chances of all seats after each move.

    Yield None after each step of the work, so that a caller can pause, and the result at the end.
    """
    steps = list(_list_steps(game))
    sides = _choose_seats_to_evaluate(game, seats)
    playout_moves = sum(step.playout_move_count for step in steps if not step.is_certain) * len(sides)
    worlds = max(1, min(4000, playouts // max(1, playout_moves)))
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - asked of what is over
    shares_by_step: list[dict[int, tuple[float, ...]]] = []
    position = game.copy()
    for step in steps:
        shares_now: dict[int, tuple[float, ...]] = {}
        if step.playout_move_count:
            position.goto(step.ply)
            open_hands, world_seed = OpenHandsWorlds(position), mix_bits(seed ^ mix_bits(2 * step.ply + 1))
            for seat in sides:
                results = open_hands.run_playouts(step.compared_moves, count=worlds, seed=world_seed, for_seat=seat)
                shares_now[seat] = tuple(scale.payoff_to_share(results[move]) for move in step.compared_moves)
            yield None
        shares_by_step.append(shares_now)
    breakdowns, share_lines = {}, {}
    for seat in seats:
        seat_shares = [_derive_seat_shares(game, scale, step_shares, seat) for step_shares in shares_by_step]
        breakdowns[seat], share_lines[seat] = _break_down_result(
            steps, seat_shares, seat, scale.fair_share, scale.payoff_to_share(outcome.utilities[seat])
        )
    yield WinShareTimeline(breakdowns, share_lines, worlds, frozenset(step.ply for step in steps if step.is_certain))


def _list_steps(game: Game) -> Iterator[_Step]:
    """Yield each move of a game as a step, with the facts from which luck is measured."""
    position, moves = game.copy(), game.moves
    is_after_draw, bot, rng = True, CarefulBot(), Random(0)
    for ply, move in enumerate(moves):
        position.goto(ply)
        bout, seat, talon, is_certain = position.bout, position.actor, position.talon, OpenHandsWorlds(position).is_certain
        assert seat is not None  # noqa: S101 - a move was made here
        careful_move = bot.choose(position.view(seat), rng)
        position.goto(ply + 1)
        has_draw = position.talon != talon
        yield _Step(ply, bout, seat, is_after_draw, tuple(dict.fromkeys((careful_move, move))), has_draw, is_certain)
        is_after_draw = has_draw


def _choose_seats_to_evaluate(game: Game, seats: Collection[int]) -> list[int]:
    """Choose one seat of each side, since partners always have equal win chances.

    The last side is left out if its share follows from the others.
    """
    side_of_seat = seating.side_of_seat(game.rules)
    first_seats = sorted({side_of_seat.index(side_of_seat[seat]) for seat in seats})
    return first_seats[:-1] if len(first_seats) == len(set(side_of_seat)) else first_seats


def _derive_seat_shares(game: Game, scale: WinShareScale, shares_by_seat: dict[int, tuple[float, ...]], seat: int) -> tuple[float, ...]:
    """Compute a seat's win chances from its partner's or, without them, from the opponents'.

    `shares_by_seat` has one seat of each side, perhaps without the last side.

    All payoffs add up to zero.
    """
    side_of_seat = seating.side_of_seat(game.rules)
    same_side_seat = next((other_seat for other_seat in shares_by_seat if side_of_seat[other_seat] == side_of_seat[seat]), None)
    if not shares_by_seat or same_side_seat is not None:
        return shares_by_seat.get(-1 if same_side_seat is None else same_side_seat, ())
    fair = scale.fair_share
    return tuple(fair - sum(share - fair for share in shares_together) for shares_together in zip(*shares_by_seat.values(), strict=True))


def _break_down_result(
    steps: list[_Step], step_shares: list[tuple[float, ...]], seat: int, fair_share: float, result: float
) -> tuple[ResultBreakdown, list[float]]:
    """Split a seat's result into parts; also return the seat's win chance after each move."""
    share_line = [step_shares[0][0]] if step_shares else [result]
    draws, moves = list[PartOfResult](), list[PartOfResult]()
    for step, current in zip(steps, step_shares, strict=True):
        is_last = step is steps[-1]
        after_move = share_line[-1] + (current[1] - current[0] if len(step.compared_moves) > 1 else 0.0)
        next_share = result if is_last else step_shares[step.ply + 1][0] if step.has_draw else after_move
        if not step.has_draw:
            after_move = next_share
        moves.append(PartOfResult(step.ply, step.bout, step.seat, after_move - share_line[-1]))
        if step.has_draw:
            draws.append(PartOfResult(step.ply, step.bout, step.seat, next_share - after_move))
        share_line.append(next_share)
    return ResultBreakdown(seat, fair_share, share_line[0] - fair_share, tuple(draws), tuple(moves), result), share_line


@dataclass(frozen=True)
class Skill:
    """A measure of a player's skill: the win chance that the player's decisions lost.

    >>> from durak_widget import Game, bots, review
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
    >>> careful, by_chance = review.analyze(game, budget=20_000).skill
    >>> careful.mean_loss < by_chance.mean_loss
    True
    """

    seat: int
    decision_count: int
    """The number of evaluated decisions; forced moves are not counted."""
    total_loss: float
    """The sum of the losses of all decisions, each without bias; chance may bring the sum below 0."""
    squared_loss_sum: float
    """The sum of the squares of the losses of all decisions."""
    mistake_count: int
    """The number of decisions that are certainly mistakes, whether by proof or by playouts."""
    proved_count: int
    """The number of decisions that are proved to be mistakes."""

    @classmethod
    def from_decisions(cls, seat: int, decisions: Iterable[Decision]) -> Skill:
        """Measure the skill of a seat, given decisions from one or more games."""
        seat_decisions = [decision for decision in decisions if decision.seat == seat]
        errors = [decision.unbiased_loss for decision in seat_decisions if decision.unbiased_loss is not None]
        return cls(
            seat,
            len(errors),
            sum(errors),
            sum(error * error for error in errors),
            sum(decision.is_mistake for decision in seat_decisions),
            sum(decision.verdict == "proved mistake" for decision in seat_decisions),
        )

    def __add__(self, other: Skill) -> Skill:
        """Combine two measurements of skill into one that covers the decisions of both."""
        return Skill(
            self.seat,
            self.decision_count + other.decision_count,
            self.total_loss + other.total_loss,
            self.squared_loss_sum + other.squared_loss_sum,
            self.mistake_count + other.mistake_count,
            self.proved_count + other.proved_count,
        )

    @property
    def mean_loss(self) -> float:
        """Return the mean loss of win chance per decision."""
        return self.total_loss / self.decision_count if self.decision_count else 0.0

    @property
    def standard_error(self) -> float:
        """Return the standard error of the mean loss, which is large after a single game."""
        if self.decision_count < 2:
            return 1.0
        return sqrt(max(0.0, self.squared_loss_sum / self.decision_count - self.mean_loss**2) / (self.decision_count - 1))

    @property
    def rank(self) -> int:
        """Return the level of skill, from 0 for random moves to 5 for almost no mistakes."""
        return sum(self.mean_loss < step for step in TITLE_THRESHOLDS)

    def title(self, language: str = "en") -> str:
        """Return the title for this level of skill, in a given language.

        >>> Skill(0, 100, 4.0, 1.0, 3, 1).title(), Skill(0, 100, 0.2, 0.1, 0, 0).title("ru")
        ('a good casual player', 'почти не ошибается')
        """
        return Translator(language).translate(f"review.rank.{self.rank}")

    def to_text(self, language: str = "en", me: int | None = None) -> str:
        """Describe in a sentence how much win chance the decisions lost.

        >>> Skill(0, 100, 4.5, 1.0, 3, 1).to_text()
        'Player 1 had 100 choices between several moves. On average, each of them lowered the chance of winning by 4.5 percentage points.'
        """
        fact = self.summary_fact
        return Translator(language, own_seat=me).translate(fact.key, **fact.facts)

    @property
    def summary_fact(self) -> TranslatableText:
        """Return a translatable text on how much win chance the decisions lost."""
        percent = 100 * max(0.0, self.mean_loss)
        return TranslatableText("review.skill.count", {"who": Seat(self.seat), "percent": percent, "count": self.decision_count})
