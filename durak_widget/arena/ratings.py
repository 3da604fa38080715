"""Rates bots by their points, with 95 % intervals, and says which differences are proved.

The module knows no card game, only points. All intervals come from one Bayesian bootstrap over deals (Rubin, *The Bayesian bootstrap*,
1981): each time every deal gets a random weight, 1 on average, and the Bradley-Terry strengths are fitted again. It also estimates how
many more deals are needed, scores one bot against another, and finds bots that play alike. No number of games separates those.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from math import atan, ceil, exp, isfinite, lgamma, log, sinh, sqrt
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.arena.bradley_terry import Against, Strengths, connected, meetings
from durak_widget.errors import DurakError, quoted, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.arena.tournament_file import ArenaFile, GameLine

PROVED: Final = 0.95
"""The share of tournaments in which no claim is wrong."""
_ALIKE: Final = 0.5
"""The distance from 50 points below which two bots look equal."""
OPEN: Final = 0.025
"""The probability below the interval, and the same above it."""
_DEALS: Final = 5
"""The least number of deals; in fewer, two different bots may make the same moves by chance."""
Unit = tuple[tuple[int, int, float, float], ...]
"""The results of a deal, played in every seating: (i, j, points of i, possible points), i < j."""


@dataclass(frozen=True)
class Rating:
    """A bot's rating: its share of points, in hundredths, against the average of the others."""

    who: int
    points: float
    low: float
    """The lower end of the 95 % interval."""
    high: float
    rank: int
    rank_low: int
    """The best rank that is not excluded; 1 is the best of all."""
    rank_high: int
    score: float
    """The share of points, in hundredths; in files of earlier versions it may be outside 0 to 100."""
    games: float
    """The possible points: one for each bot that a game compares it with."""


class Stage(NamedTuple):
    """The ratings after this many deals; None for a bot that can't be compared yet."""

    units: int
    points: tuple[float | None, ...]


@dataclass(frozen=True)
class Standings:
    """The ratings of a tournament, and which bots are proved better.

    >>> units = [((0, 1, 2.0, 2), (0, 2, 2.0, 2), (1, 2, 1.0, 2))] * 10 + [((0, 1, 1.0, 2), (0, 2, 1.0, 2), (1, 2, 1.0, 2))] * 10
    >>> standing = rated(3, units)
    >>> [(rating.who, round(rating.points), rating.rank_low, rating.rank_high) for rating in standing.ratings if rating]
    [(0, 75, 1, 1), (1, 37, 2, 3), (2, 37, 2, 3)]
    >>> standing.better(0, 1), standing.better(2, 1), standing.groups
    (True, False, ((0,), (1, 2)))
    >>> print(standing.share(0, 1))
    75 (62 to 84)
    """

    ratings: tuple[Rating | None, ...]
    """The rating of each bot; None if games don't connect it to the largest group."""
    order: tuple[int, ...]
    """The rated bots, the best first."""
    groups: tuple[tuple[int, ...], ...]
    """The longest runs of the order without a proved difference: ties. A bot may be in two of them."""
    apart: tuple[tuple[int, ...], ...]
    """The bots without a rating, by groups that met among themselves."""
    units: int
    """The number of deals that compare any bots."""
    _met: dict[tuple[int, int], Against] = field(repr=False)
    _strengths: dict[int, float] = field(repr=False)
    _errors: dict[tuple[int, int], float] = field(repr=False)
    """The standard error of the difference of each pair."""
    _sure: float = field(repr=False)
    """The number of standard errors that no difference exceeds in 19 of 20 tournaments."""

    def share(self, i: int, j: int) -> Between | None:
        """Return the points of i against j where these two met; None if they never did."""
        first, second = self._checked(i), self._checked(j)
        results = self._met.get((min(first, second), max(first, second)))
        if results is None:
            return None
        score = Between.of(results.points, results.games)
        return score if first < second else score.turned()

    def better(self, i: int, j: int) -> bool:
        """Return whether i is proved better than j.

        In 19 of 20 tournaments none of these claims about any two bots is wrong.
        """
        first, second = self._checked(i), self._checked(j)
        error = self._errors.get((min(first, second), max(first, second)))
        return error is not None and _angle(self._strengths[first] - self._strengths[second]) > self._sure * error

    def needed(self, points: float = 5.0) -> int:
        """Return how many more such deals make every rating exact to within this many points."""
        if not points > 0:
            raise DurakError(f"points={quoted(points)} is not a width; say how many points of 100 a rating may be off, such as 5")
        half_widths = [(rating.high - rating.low) / 2 for rating in self.ratings if rating is not None]
        widest = (
            max(half_widths, default=0.0) * sqrt(max(self.units, 1)) if self.units > 1 else 98.0
        )  # with one deal nothing is known of the spread
        return max(0, ceil((widest / points) ** 2) - self.units)

    def needed_between(self, i: int, j: int) -> int | None:
        """Return how many more deals separate two bots, if they differ as much as it looks.

        None if they look equal or can't be compared.
        """
        first, second = self._checked(i), self._checked(j)
        error = self._errors.get((min(first, second), max(first, second)))
        if error is None or self.units < 2:
            return None
        if self.better(first, second) or self.better(second, first):
            return 0
        difference = abs(self._strengths[first] - self._strengths[second])
        if _points(difference) - 50 < _ALIKE:
            return None
        return max(1, ceil(self.units * (self._sure * error / _angle(difference)) ** 2) - self.units)

    def _checked(self, who: int) -> int:
        number = whole_number(who)
        if number is None or not 0 <= number < len(self.ratings):
            raise DurakError(f"there is nobody numbered {quoted(who)}; {len(self.ratings)} took part, numbered from 0")
        return number


def rated(count: int, units: Sequence[Unit], *, draws: int = 400, seed: int = 1) -> Standings:
    """Return the standings of a tournament from its deals; the same for the same seed.

    A tie counts half for each, and points may be any numbers: for files of earlier versions the luck of the cards is subtracted. The
    largest group that games connect is rated, the others are not. Everybody has one more deal against the average, half won and half
    lost, so that a bot that won everything has a finite rating: with forty deals it moves a rating of 80 by less than one point. The
    bootstrap draws this deal anew as well, so that intervals are open even if all deals went alike. After fewer than two deals all
    intervals are the whole range, and no bot is better.
    """
    valid_units = _read(count, units)
    pair_results = meetings(valid_units)
    group, *unrated_groups = connected(count, [(pair.one, pair.other) for pair in pair_results])
    if len(group) == 1:
        group, unrated_groups = (), [(bot,) for bot in range(count)]
    index_of = {bot: index for index, bot in enumerate(group)}
    rated_pairs = [pair._replace(one=index_of[pair.one], other=index_of[pair.other]) for pair in pair_results if pair.one in index_of]
    fit = Strengths(len(group), rated_pairs)
    strengths = dict(zip(group, fit.strengths, strict=True))
    level = dict(zip(group, _levels(fit.strengths), strict=True))
    order = tuple(sorted(group, key=lambda bot: -strengths[bot]))
    pairs = [(first, second) for index, first in enumerate(group) for second in group[index + 1 :]]
    bounds, errors, sure = dict.fromkeys(group, (0.0, 100.0)), dict.fromkeys(pairs, float("inf")), 1.0
    if len(valid_units) > 1 and group:
        samples = fit.drawn(max(draws, 40), len(valid_units), Random(seed))
        deal_counts = _dealt(rated_pairs, len(group))
        levels = list(map(_levels, samples))
        bounds = {
            bot: _interval([sample[index_of[bot]] for sample in levels], level[bot], _widened(deal_counts[index_of[bot]])) for bot in group
        }
        errors, sure = _apart(pairs, index_of, strengths, samples)
        errors = {pair: error * _widened(min(deal_counts[index_of[bot]] for bot in pair), sure) for pair, error in errors.items()}
    standings = Standings(
        (None,) * count,
        order,
        (),
        tuple(unrated_groups),
        len(valid_units),
        {(pair.one, pair.other): pair for pair in pair_results},
        strengths,
        errors,
        sure,
    )
    ratings = tuple(_rating(bot, standings, pair_results, level[bot], bounds[bot]) if bot in index_of else None for bot in range(count))
    return Standings(ratings, order, _groups(standings), tuple(unrated_groups), len(valid_units), standings._met, strengths, errors, sure)


def course(count: int, units: Sequence[Unit], steps: int = 50) -> tuple[Stage, ...]:
    """Return the ratings after increasing numbers of deals, the last after all of them.

    >>> [(stage.units, *stage.points) for stage in course(2, [((0, 1, 1.0, 2),)] * 4, 2)]
    [(2, 50.0, 50.0), (4, 50.0, 50.0)]
    """
    valid_units, stages, done = _read(count, units), list[Stage](), 0
    sums: dict[tuple[int, int], tuple[float, float]] = {}
    last_strengths: dict[int, float] = {}
    results = 0
    for deal_count in sorted({len(valid_units) * (step + 1) // steps for step in range(steps)} - {0}):
        for unit in valid_units[done:deal_count]:
            for first, second, points, games in unit:
                points_before, games_before = sums.get((first, second), (0.0, 0.0))
                sums[first, second] = points_before + points, games_before + games
            results += len(unit)
        done = deal_count
        group = connected(count, sums)[0]
        index_of = {bot: number for number, bot in enumerate(group)}
        rated_pairs = [
            Against(index_of[pair[0]], index_of[pair[1]], (0,), *((total,) for total in totals))
            for pair, totals in sums.items()
            if pair[0] in index_of
        ]
        fit = Strengths(
            len(group),
            rated_pairs,
            sum(game_total for _, game_total in sums.values()) / results,
            [last_strengths.get(bot, 0.0) for bot in group],
        )
        last_strengths = dict(zip(group, fit.strengths, strict=True)) if len(group) > 1 else {}
        level = dict(zip(last_strengths, _levels(list(last_strengths.values())), strict=True))
        stages.append(Stage(deal_count, tuple(_points(level[bot]) if bot in level else None for bot in range(count))))
    return tuple(stages)


def _read(count: int, units: Sequence[Unit]) -> list[Unit]:
    """Return the deals that have results; refuse invalid ones."""
    player_count = whole_number(count)
    if player_count is None or player_count < 1:
        raise DurakError(f"count={quoted(count)} is not how many took part; at least one did")
    for number, unit in enumerate(units):
        for first, second, points, games in unit:
            if not (0 <= first < second < player_count and isfinite(points) and isfinite(games) and games > 0):
                shown = quoted((first, second, points, games))
                raise DurakError(
                    f"deal {number} says {shown}: say i, j with 0 <= i < j < {player_count}, the points of i, and out of how many"
                )
    return [unit for unit in units if unit]


def _levels(strengths: Sequence[float]) -> list[float]:
    """Return how much stronger each is than the others are on average."""
    count, total = len(strengths), sum(strengths)
    return [(count * strength - total) / (count - 1) for strength in strengths] if count > 1 else list(strengths)


def _points(strength: float) -> float:
    """Return the expected points, out of 100, for this advantage in strength."""
    return 100 / (1 + exp(-max(-700.0, strength)))


def _angle(difference: float) -> float:
    """Return a difference in strength as an angle, which makes its variance nearly constant."""
    return atan(sinh(max(-60.0, min(60.0, difference)) / 2))


def _dealt(met: list[Against], count: int) -> list[int]:
    """Return the number of deals in which each bot met another."""
    deals_by_bot: list[set[int]] = [set() for _ in range(count)]
    for pair in met:
        deals_by_bot[pair.one].update(pair.units)
        deals_by_bot[pair.other].update(pair.units)
    return [len(deals) for deals in deals_by_bot]


def _widened(deals: int, sigmas: float = 1.96) -> float:
    """Return the factor that widens an interval after few deals.

    It is Student's quantile relative to the normal one (Abramowitz and Stegun 26.7.5), corrected since few deals vary less.
    """
    z, degrees_of_freedom = sigmas, max(1, deals - 1)
    student = 1 + (z**2 + 1) / (4 * degrees_of_freedom) + (5 * z**4 + 16 * z**2 + 3) / (96 * degrees_of_freedom**2)
    return student * sqrt((degrees_of_freedom + 2) / degrees_of_freedom)


def _interval(values: list[float], strength: float, widened: float) -> tuple[float, float]:
    """Return the points that bound 95 % of these strengths, widened around `strength`."""
    values.sort()
    tail = 0.025 * len(values) - 0.5
    index, fraction = int(tail), tail % 1
    lowest = values[index] + fraction * (values[index + 1] - values[index])
    highest = values[-1 - index] - fraction * (values[-1 - index] - values[-2 - index])
    lower, higher = min(lowest - strength, 0.0), max(highest - strength, 0.0)
    return _points(strength + widened * lower), _points(strength + widened * higher)


def _apart(
    pairs: list[tuple[int, int]], place: dict[int, int], strengths: dict[int, float], drawn: list[list[float]]
) -> tuple[dict[tuple[int, int], float], float]:
    """Return the error of each pair's difference, and how many errors none exceeds.

    The second number holds in 19 of 20 samples for all pairs together.
    """
    errors, farthest = {}, [0.0] * len(drawn)
    for first, second in pairs:
        first_index, second_index, difference = place[first], place[second], _angle(strengths[first] - strengths[second])
        deviations = [abs(_angle(sample[first_index] - sample[second_index]) - difference) for sample in drawn]
        errors[first, second] = error = max(sqrt(fmean([deviation * deviation for deviation in deviations])), 1e-9)
        farthest = [max(distance, deviation / error) for distance, deviation in zip(farthest, deviations, strict=True)]
    farthest.sort()
    return errors, farthest[min(len(farthest) - 1, ceil(PROVED * (len(farthest) + 1)) - 1)]


def _rating(who: int, standing: Standings, met: list[Against], level: float, bounds: tuple[float, float]) -> Rating:
    points = games = 0.0
    for pair in met:
        if who in {pair.one, pair.other}:
            first_points = sum(pair.points)
            pair_games = sum(pair.games)
            points += first_points if who == pair.one else pair_games - first_points
            games += pair_games
    others = [other for other in standing.order if other != who]
    above = sum(standing.better(other, who) for other in others)
    below = sum(standing.better(who, other) for other in others)
    rank = standing.order.index(who) + 1
    return Rating(who, _points(level), *bounds, rank, above + 1, len(standing.order) - below, 100 * points / games, games)


def _groups(standing: Standings) -> tuple[tuple[int, ...], ...]:
    """Return the longest runs of the order without a proved difference."""
    order, groups, last_end = standing.order, list[tuple[int, ...]](), 0
    for first in range(len(order)):
        end = first + 1
        while end < len(order) and not any(standing.better(order[position], order[end]) for position in range(first, end)):
            end += 1
        if end > last_end:
            groups.append(order[first:end])
            last_end = end
    return tuple(groups)


@dataclass(frozen=True)
class Between:
    """The points of one bot against another, in hundredths, with a 95 % interval.

    >>> share = Between.of([2.0, 2.0, 2.0], [2, 2, 2])
    >>> print(share)
    100 (46 to 100)
    """

    mean: float
    low: float
    high: float
    units: int
    """The number of deals in which they met."""
    played: float
    """The number of games that they played."""

    @property
    def give(self) -> float:
        """Return half the width of the interval."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.mean:.0f} ({self.low:.0f} to {self.high:.0f})"

    def turned(self) -> Between:
        """Return the same result from the other bot's side."""
        return Between(100 - self.mean, 100 - self.high, 100 - self.low, self.units, self.played)

    @staticmethod
    def of(points: Sequence[float], games: Sequence[float]) -> Between:
        """Return the points with an interval, from each deal's points and possible points.

        The interval is that of all ways to weigh the deals, with half a deal won and half a deal lost added. If each deal is won or lost
        completely, it is the Jeffreys interval; it never closes, however alike the deals went. One deal says nothing about how others
        would go.
        """
        units, total_games = len(points), sum(games)
        if not units:
            return Between(50.0, 0.0, 100.0, 0, 0.0)
        mean = min(1.0, max(0.0, sum(points) / total_games))
        if units == 1:
            return Between(100 * mean, 0.0, 100.0, 1, total_games)
        weights = [units * deal_games / total_games for deal_games in games]
        shares = [deal_points / deal_games for deal_points, deal_games in zip(points, games, strict=True)]
        total = units + 1.0
        center = (sum(weight * share for weight, share in zip(weights, shares, strict=True)) + 0.5) / total
        spread = sum((weight * (share - center)) ** 2 for weight, share in zip(weights, shares, strict=True))
        spread = (spread + 0.5 * center**2 + 0.5 * (1 - center) ** 2) / (total * (total + 1))
        low, high = _bounds(center, spread)
        return Between(100 * mean, 100 * min(low, mean), 100 * max(high, mean), units, total_games)


def _bounds(mean: float, variance: float) -> tuple[float, float]:
    """Return the middle 95 % of the beta distribution with this mean and variance.

    If no beta distribution has them, that of a normal distribution.
    """
    if 0 < mean < 1 and 0 < variance < mean * (1 - mean):
        size = mean * (1 - mean) / variance - 1
        return beta_point(OPEN, size * mean, size * (1 - mean)), beta_point(1 - OPEN, size * mean, size * (1 - mean))
    half_width = 1.96 * sqrt(variance)
    return min(1.0, max(0.0, mean - half_width)), max(0.0, min(1.0, mean + half_width))


def beta_point(below: float, a: float, b: float) -> float:
    """Return a quantile of a beta distribution.

    >>> round(beta_point(0.025, 3.5, 0.5), 3), round(beta_point(0.5, 2.0, 2.0), 3)
    (0.464, 0.5)
    """
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if _beta_below(middle, a, b) < below:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta_below(x: float, a: float, b: float) -> float:
    """Return the distribution function of a beta distribution.

    It is computed by a continued fraction (Abramowitz and Stegun 26.5.8).
    """
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_below(1 - x, b, a)
    factor = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    tiny, c, d = 1e-300, 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d or tiny)
    fraction = d
    for m in range(1, 500):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + term * d or tiny)
            c = 1 + term / c or tiny
            fraction *= c * d
        if abs(c * d - 1) < 1e-10:
            break
    return factor * fraction


def even_pairs(units: Iterable[Unit]) -> frozenset[tuple[int, int]]:
    """Return the pairs with equal points in every deal where they met, at least two.

    Such deals don't show how many more would separate the two: `units` are without luck subtracted.

    >>> sorted(even_pairs([((0, 1, 1.0, 2), (1, 2, 2.0, 2)), ((0, 1, 1.0, 2), (1, 2, 1.0, 2))]))
    [(0, 1)]
    """
    shared: dict[tuple[int, int], list[bool]] = {}
    for unit in units:
        for first, second, points, games in unit:
            shared.setdefault((first, second), []).append(2 * points == games)
    return frozenset(pair for pair, even in shared.items() if len(even) > 1 and all(even))


def same_moves(
    file: ArenaFile, deals: Sequence[Sequence[GameLine]], even: Iterable[tuple[int, int]], count: int
) -> tuple[tuple[int, ...], ...]:
    """Return the groups of bots that made the same moves wherever they met.

    They did so in each seating of at least five deals. Only `even` pairs are compared, so that few games have to be read.
    """
    pairs = {pair for pair in even if _is_same(file, [deal for deal in deals if set(pair) <= set(deal[0].sides)], *pair)}
    groups = [group for group in connected(count, list(pairs)) if len(group) > 1]
    complete_groups = [group for group in groups if all(pair in pairs for pair in combinations(sorted(group), 2))]
    remaining_pairs = [pair for pair in pairs if not any(set(pair) <= set(group) for group in complete_groups)]
    return tuple(sorted([*complete_groups, *remaining_pairs]))


def _is_same(file: ArenaFile, deals: Sequence[Sequence[GameLine]], one: int, other: int) -> bool:
    """Return whether every game is played alike when these two swap seats."""
    return len(deals) >= _DEALS and all(_is_same_deal(file, deal, {one: other, other: one}) for deal in deals)


def _is_same_deal(file: ArenaFile, deal: Sequence[GameLine], turned: dict[int, int]) -> bool:
    texts = {(line.sides, line.part): _moves(file.text(line.meeting, line.place)) for line in deal}
    return all(texts.get((tuple(turned.get(bot, bot) for bot in sides), part)) == text for (sides, part), text in texts.items())


def _moves(text: str) -> str:
    """Return the text of a game without the remarks that name the bots."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))
