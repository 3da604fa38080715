"""Rates bots by their points, and finds which bots are statistically proved to be better.

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

from durak_widget.arena.bradley_terry import BradleyTerryFit, PairResults, collect_pair_results, find_connected_groups
from durak_widget.errors import DurakError, as_whole_number, short_repr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.arena.tournament_file import StoredGame, TournamentFile

CONFIDENCE: Final = 0.95
"""The probability that all statements of a tournament about which bot is better are true."""
_EQUAL_MARGIN: Final = 0.5
"""Two bots look equal if each has 50 points out of 100 against the other, plus or minus this number."""
TAIL_PROBABILITY: Final = 0.025
"""The probability that a true rating lies below its 95 % interval, and the same for above it."""
_MIN_SAME_DEALS: Final = 5
"""Two bots play alike if they made the same moves in all common deals, and there are at least this many; with fewer
deals, it can be chance."""
DealResult = tuple[tuple[int, int, float, float], ...]
"""The result of one deal, as a tuple (i, j, points of i, maximum points) for each pair of bots i < j."""


@dataclass(frozen=True)
class Rating:
    """The rating of a bot: the percentage of points expected against an average opponent."""

    bot: int
    points: float
    low: float
    """The lower end of the 95 % interval of the rating."""
    high: float
    rank: int
    rank_low: int
    """The best rank that the results leave possible for the bot; rank 1 is the best of all."""
    rank_high: int
    score: float
    """The points that the bot won, as a percentage of its maximum; in files of earlier versions it may be below 0 or
    above 100."""
    games: float
    """The bot's maximum number of points: 1 for each opponent in each game, if the game compares the two bots."""


class RatingStage(NamedTuple):
    """The ratings after `deal_count` deals, with None for a bot that can't be compared yet."""

    deal_count: int
    points: tuple[float | None, ...]


@dataclass(frozen=True)
class Standings:
    """The ratings of a tournament's bots, and which bots are proved better than others.

    >>> units = [((0, 1, 2.0, 2), (0, 2, 2.0, 2), (1, 2, 1.0, 2))] * 10 + [((0, 1, 1.0, 2), (0, 2, 1.0, 2), (1, 2, 1.0, 2))] * 10
    >>> standing = rate_bots(3, units)
    >>> [(rating.bot, round(rating.points), rating.rank_low, rating.rank_high) for rating in standing.ratings if rating]
    [(0, 75, 1, 1), (1, 37, 2, 3), (2, 37, 2, 3)]
    >>> standing.is_better(0, 1), standing.is_better(2, 1), standing.tie_groups
    (True, False, ((0,), (1, 2)))
    >>> print(standing.share(0, 1))
    75 (62 to 84)
    """

    ratings: tuple[Rating | None, ...]
    """The rating of each bot; None for a bot that has no games, even indirectly, against the largest group of
    comparable bots."""
    order: tuple[int, ...]
    """The indices of the rated bots, best first."""
    tie_groups: tuple[tuple[int, ...], ...]
    """The ties: bots with neighbouring ranks, of which none is proved better than another; each tie has as many bots
    as possible. A bot may be in two ties."""
    unrated_groups: tuple[tuple[int, ...], ...]
    """The bots without a rating, in groups; bots of a group played each other, or can be compared through other
    bots."""
    deal_count: int
    """The number of deals that compare at least two bots with each other."""
    _pair_results: dict[tuple[int, int], PairResults] = field(repr=False)
    _strengths: dict[int, float] = field(repr=False)
    _standard_errors: dict[tuple[int, int], float] = field(repr=False)
    """For each pair of bots, the standard error of their difference in strength."""
    _sure_factor: float = field(repr=False)
    """A number of standard errors: in 19 of 20 tournaments, no measured difference is farther than this from the
    true difference."""

    def share(self, i: int, j: int) -> HeadToHeadScore | None:
        """Return the points of bot i against bot j, in percent; None without common games."""
        first, second = self._require_bot(i), self._require_bot(j)
        results = self._pair_results.get((min(first, second), max(first, second)))
        if results is None:
            return None
        score = HeadToHeadScore.from_deals(results.points, results.games)
        return score if first < second else score.reverse()

    def is_better(self, i: int, j: int) -> bool:
        """Return whether bot i is proved better than bot j.

        In 19 of 20 tournaments none of these claims about any two bots is wrong.
        """
        first, second = self._require_bot(i), self._require_bot(j)
        error = self._standard_errors.get((min(first, second), max(first, second)))
        return error is not None and _difference_angle(self._strengths[first] - self._strengths[second]) > self._sure_factor * error

    def estimate_deals_needed(self, points: float = 5.0) -> int:
        """Estimate how many more deals would bring each rating within `points` of the true one."""
        if not points > 0:
            raise DurakError(
                f"points must be a number more than 0, such as 5, not {short_repr(points)}: the percentage points by which a rating may be wrong"
            )
        half_widths = [(rating.high - rating.low) / 2 for rating in self.ratings if rating is not None]
        widest = (
            max(half_widths, default=0.0) * sqrt(max(self.deal_count, 1)) if self.deal_count > 1 else 98.0
        )  # After a single deal, it is not known how much the results differ from deal to deal
        return max(0, ceil((widest / points) ** 2) - self.deal_count)

    def estimate_deals_to_separate(self, i: int, j: int) -> int | None:
        """Estimate how many more deals would prove which of two bots is better.

        None if they look equal or can't be compared, or after fewer than two deals.
        """
        first, second = self._require_bot(i), self._require_bot(j)
        error = self._standard_errors.get((min(first, second), max(first, second)))
        if error is None or self.deal_count < 2:
            return None
        if self.is_better(first, second) or self.is_better(second, first):
            return 0
        difference = abs(self._strengths[first] - self._strengths[second])
        if _points_from_advantage(difference) - 50 < _EQUAL_MARGIN:
            return None
        return max(1, ceil(self.deal_count * (self._sure_factor * error / _difference_angle(difference)) ** 2) - self.deal_count)

    def _require_bot(self, bot: int) -> int:
        """Return a bot's index as an int; raise an error if no bot has this index."""
        number = as_whole_number(bot)
        if number is None or not 0 <= number < len(self.ratings):
            raise DurakError(f"there is no bot number {short_repr(bot)}; the {len(self.ratings)} bots are numbered from 0")
        return number


def rate_bots(bot_count: int, deal_results: Sequence[DealResult], *, sample_count: int = 400, seed: int = 1) -> Standings:
    """Compute the standings of `bot_count` bots from the results of all deals.

    The result is always the same for one seed.

    A tie counts half for each, and points may be any numbers: for files of earlier versions the luck of the cards is subtracted. The
    largest group that games connect is rated, the others are not. Everybody has one more deal against the average, half won and half
    lost, so that a bot that won everything has a finite rating: with forty deals it moves a rating of 80 by less than one point. The
    bootstrap draws this deal anew as well, so that intervals are open even if all deals went alike. After fewer than two deals all
    intervals are the whole range, and no bot is better.
    """
    valid_units = _require_deal_results(bot_count, deal_results)
    pair_results = collect_pair_results(valid_units)
    group, *unrated_groups = find_connected_groups(bot_count, [(pair.player, pair.opponent) for pair in pair_results])
    if len(group) == 1:
        group, unrated_groups = (), [(bot,) for bot in range(bot_count)]
    index_of = {bot: index for index, bot in enumerate(group)}
    rated_pairs = [
        pair._replace(player=index_of[pair.player], opponent=index_of[pair.opponent]) for pair in pair_results if pair.player in index_of
    ]
    fit = BradleyTerryFit(len(group), rated_pairs)
    strengths = dict(zip(group, fit.strengths, strict=True))
    level = dict(zip(group, _compute_advantages(fit.strengths), strict=True))
    order = tuple(sorted(group, key=lambda bot: -strengths[bot]))
    pairs = [(first, second) for index, first in enumerate(group) for second in group[index + 1 :]]
    bounds, errors, sure = dict.fromkeys(group, (0.0, 100.0)), dict.fromkeys(pairs, float("inf")), 1.0
    if len(valid_units) > 1 and group:
        samples = fit.sample_strengths(max(sample_count, 40), len(valid_units), Random(seed))
        deal_counts = _count_deals(rated_pairs, len(group))
        levels = list(map(_compute_advantages, samples))
        bounds = {
            bot: _compute_interval(
                [sample[index_of[bot]] for sample in levels], level[bot], _small_sample_factor(deal_counts[index_of[bot]])
            )
            for bot in group
        }
        errors, sure = _estimate_pair_errors(pairs, index_of, strengths, samples)
        errors = {
            pair: error * _small_sample_factor(min(deal_counts[index_of[bot]] for bot in pair), sure) for pair, error in errors.items()
        }
    standings = Standings(
        (None,) * bot_count,
        order,
        (),
        tuple(unrated_groups),
        len(valid_units),
        {(pair.player, pair.opponent): pair for pair in pair_results},
        strengths,
        errors,
        sure,
    )
    ratings = tuple(
        _build_rating(bot, standings, pair_results, level[bot], bounds[bot]) if bot in index_of else None for bot in range(bot_count)
    )
    return Standings(
        ratings,
        order,
        _find_tie_groups(standings),
        tuple(unrated_groups),
        len(valid_units),
        standings._pair_results,
        strengths,
        errors,
        sure,
    )


def compute_rating_history(bot_count: int, deal_results: Sequence[DealResult], steps: int = 50) -> tuple[RatingStage, ...]:
    """Return the ratings at several times in the tournament, the last time after all deals.

    >>> [(stage.deal_count, *stage.points) for stage in compute_rating_history(2, [((0, 1, 1.0, 2),)] * 4, 2)]
    [(2, 50.0, 50.0), (4, 50.0, 50.0)]
    """
    valid_units, stages, deals_done = _require_deal_results(bot_count, deal_results), list[RatingStage](), 0
    sums: dict[tuple[int, int], tuple[float, float]] = {}
    last_strengths: dict[int, float] = {}
    results = 0
    for deal_count in sorted({len(valid_units) * (step + 1) // steps for step in range(steps)} - {0}):
        for unit in valid_units[deals_done:deal_count]:
            for first, second, points, games in unit:
                points_before, games_before = sums.get((first, second), (0.0, 0.0))
                sums[first, second] = points_before + points, games_before + games
            results += len(unit)
        deals_done = deal_count
        group = find_connected_groups(bot_count, sums)[0]
        index_of = {bot: number for number, bot in enumerate(group)}
        rated_pairs = [
            PairResults(index_of[pair[0]], index_of[pair[1]], (0,), *((total,) for total in totals))
            for pair, totals in sums.items()
            if pair[0] in index_of
        ]
        fit = BradleyTerryFit(
            len(group),
            rated_pairs,
            sum(game_total for _, game_total in sums.values()) / results,
            [last_strengths.get(bot, 0.0) for bot in group],
        )
        last_strengths = dict(zip(group, fit.strengths, strict=True)) if len(group) > 1 else {}
        level = dict(zip(last_strengths, _compute_advantages(list(last_strengths.values())), strict=True))
        stages.append(
            RatingStage(deal_count, tuple(_points_from_advantage(level[bot]) if bot in level else None for bot in range(bot_count)))
        )
    return tuple(stages)


def _require_deal_results(bot_count: int, deal_results: Sequence[DealResult]) -> list[DealResult]:
    """Return all deals that have results; raise an error if a result is not valid."""
    valid_count = as_whole_number(bot_count)
    if valid_count is None or valid_count < 1:
        raise DurakError(f"bot_count must be at least 1, not {short_repr(bot_count)}")
    for number, unit in enumerate(deal_results):
        for first, second, points, games in unit:
            if not (0 <= first < second < valid_count and isfinite(points) and isfinite(games) and games > 0):
                result_text = short_repr((first, second, points, games))
                raise DurakError(
                    f"deal {number} has the result {result_text}; it must be i, j with 0 <= i < j < {valid_count}, the points of i, and the maximum of points"
                )
    return [unit for unit in deal_results if unit]


def _compute_advantages(strengths: Sequence[float]) -> list[float]:
    """Return the strength of each bot minus the average strength of the other bots."""
    count, total = len(strengths), sum(strengths)
    return [(count * strength - total) / (count - 1) for strength in strengths] if count > 1 else list(strengths)


def _points_from_advantage(advantage: float) -> float:
    """Convert an advantage in strength to the expected points out of 100."""
    return 100 / (1 + exp(-max(-700.0, advantage)))


def _difference_angle(difference: float) -> float:
    """Convert a difference in strength to an angle, whose variance is almost constant."""
    return atan(sinh(max(-60.0, min(60.0, difference)) / 2))


def _count_deals(pair_results: list[PairResults], count: int) -> list[int]:
    """Return, for each bot, in how many deals the bot played against another bot."""
    deals_by_bot: list[set[int]] = [set() for _ in range(count)]
    for pair in pair_results:
        deals_by_bot[pair.player].update(pair.deal_numbers)
        deals_by_bot[pair.opponent].update(pair.deal_numbers)
    return [len(deals) for deals in deals_by_bot]


def _small_sample_factor(deal_count: int, sigmas: float = 1.96) -> float:
    """Return the factor by which few deals make a confidence interval wider.

    It is Student's quantile relative to the normal one (Abramowitz and Stegun 26.7.5), corrected since few deals vary less.
    """
    z, degrees_of_freedom = sigmas, max(1, deal_count - 1)
    student = 1 + (z**2 + 1) / (4 * degrees_of_freedom) + (5 * z**4 + 16 * z**2 + 3) / (96 * degrees_of_freedom**2)
    return student * sqrt((degrees_of_freedom + 2) / degrees_of_freedom)


def _compute_interval(values: list[float], strength: float, factor: float) -> tuple[float, float]:
    """Return the interval that contains 95 % of `values`, widened if there are few deals."""
    values.sort()
    tail = 0.025 * len(values) - 0.5
    index, fraction = int(tail), tail % 1
    lowest = values[index] + fraction * (values[index + 1] - values[index])
    highest = values[-1 - index] - fraction * (values[-1 - index] - values[-2 - index])
    lower, higher = min(lowest - strength, 0.0), max(highest - strength, 0.0)
    return _points_from_advantage(strength + factor * lower), _points_from_advantage(strength + factor * higher)


def _estimate_pair_errors(
    pairs: list[tuple[int, int]], index_of: dict[int, int], strengths: dict[int, float], samples: list[list[float]]
) -> tuple[dict[tuple[int, int], float], float]:
    """Return each pair's standard error, and a factor to make intervals valid for all pairs.

    The factor is large enough for all pairs together in 19 of 20 samples.
    """
    errors, farthest = {}, [0.0] * len(samples)
    for first, second in pairs:
        first_index, second_index, difference = index_of[first], index_of[second], _difference_angle(strengths[first] - strengths[second])
        deviations = [abs(_difference_angle(sample[first_index] - sample[second_index]) - difference) for sample in samples]
        errors[first, second] = error = max(sqrt(fmean([deviation * deviation for deviation in deviations])), 1e-9)
        farthest = [max(distance, deviation / error) for distance, deviation in zip(farthest, deviations, strict=True)]
    farthest.sort()
    return errors, farthest[min(len(farthest) - 1, ceil(CONFIDENCE * (len(farthest) + 1)) - 1)]


def _build_rating(bot: int, standings: Standings, pair_results: list[PairResults], level: float, bounds: tuple[float, float]) -> Rating:
    """Build a bot's rating from the results of all pairs and from its 95 % interval."""
    points = games = 0.0
    for pair in pair_results:
        if bot in {pair.player, pair.opponent}:
            first_points = sum(pair.points)
            pair_games = sum(pair.games)
            points += first_points if bot == pair.player else pair_games - first_points
            games += pair_games
    opponents = [other for other in standings.order if other != bot]
    above = sum(standings.is_better(other, bot) for other in opponents)
    below = sum(standings.is_better(bot, other) for other in opponents)
    rank = standings.order.index(bot) + 1
    return Rating(bot, _points_from_advantage(level), *bounds, rank, above + 1, len(standings.order) - below, 100 * points / games, games)


def _find_tie_groups(standings: Standings) -> tuple[tuple[int, ...], ...]:
    """Return the groups of tied bots, in which no bot is proved better than another."""
    order, groups, last_end = standings.order, list[tuple[int, ...]](), 0
    for first in range(len(order)):
        end = first + 1
        while end < len(order) and not any(standings.is_better(order[position], order[end]) for position in range(first, end)):
            end += 1
        if end > last_end:
            groups.append(order[first:end])
            last_end = end
    return tuple(groups)


@dataclass(frozen=True)
class HeadToHeadScore:
    """The points of one bot against another, in percent, with a 95 % interval.

    >>> share = HeadToHeadScore.from_deals([2.0, 2.0, 2.0], [2, 2, 2])
    >>> print(share)
    100 (46 to 100)
    """

    mean: float
    low: float
    high: float
    deal_count: int
    """The number of deals in which the two bots met."""
    games_played: float
    """The number of games in which the two bots met."""

    @property
    def half_width(self) -> float:
        """Return half the width of the 95 % interval, in percentage points."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.mean:.0f} ({self.low:.0f} to {self.high:.0f})"

    def reverse(self) -> HeadToHeadScore:
        """Return the score from the other side: the second bot's points against the first bot."""
        return HeadToHeadScore(100 - self.mean, 100 - self.high, 100 - self.low, self.deal_count, self.games_played)

    @staticmethod
    def from_deals(points: Sequence[float], games: Sequence[float]) -> HeadToHeadScore:
        """Compute a score with its interval, given the points and maximum points in each deal.

        The interval is that of all ways to weigh the deals, with half a deal won and half a deal lost added. If each deal is won or lost
        completely, it is the Jeffreys interval; it never closes, however alike the deals went. One deal says nothing about how others
        would go.
        """
        units, total_games = len(points), sum(games)
        if not units:
            return HeadToHeadScore(50.0, 0.0, 100.0, 0, 0.0)
        mean = min(1.0, max(0.0, sum(points) / total_games))
        if units == 1:
            return HeadToHeadScore(100 * mean, 0.0, 100.0, 1, total_games)
        weights = [units * deal_games / total_games for deal_games in games]
        shares = [deal_points / deal_games for deal_points, deal_games in zip(points, games, strict=True)]
        total = units + 1.0
        center = (sum(weight * share for weight, share in zip(weights, shares, strict=True)) + 0.5) / total
        spread = sum((weight * (share - center)) ** 2 for weight, share in zip(weights, shares, strict=True))
        spread = (spread + 0.5 * center**2 + 0.5 * (1 - center) ** 2) / (total * (total + 1))
        low, high = _compute_beta_interval(center, spread)
        return HeadToHeadScore(100 * mean, 100 * min(low, mean), 100 * max(high, mean), units, total_games)


def _compute_beta_interval(mean: float, variance: float) -> tuple[float, float]:
    """Return the central 95 % of a beta distribution that has a given mean and variance.

    If no beta distribution has them, that of a normal distribution.
    """
    if 0 < mean < 1 and 0 < variance < mean * (1 - mean):
        size = mean * (1 - mean) / variance - 1
        return beta_quantile(TAIL_PROBABILITY, size * mean, size * (1 - mean)), beta_quantile(
            1 - TAIL_PROBABILITY, size * mean, size * (1 - mean)
        )
    half_width = 1.96 * sqrt(variance)
    return min(1.0, max(0.0, mean - half_width)), max(0.0, min(1.0, mean + half_width))


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the quantile of a beta distribution at a given probability.

    >>> round(beta_quantile(0.025, 3.5, 0.5), 3), round(beta_quantile(0.5, 2.0, 2.0), 3)
    (0.464, 0.5)
    """
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if _beta_distribution(middle, a, b) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta_distribution(x: float, a: float, b: float) -> float:
    """Return the probability that a beta-distributed value is at most `x`.

    It is computed by a continued fraction (Abramowitz and Stegun 26.5.8).
    """
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_distribution(1 - x, b, a)
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


def find_even_pairs(deal_results: Iterable[DealResult]) -> frozenset[tuple[int, int]]:
    """Return the pairs of bots with equal points in all their common deals (at least two).

    Such deals don't show how many more would separate the two: `deal_results` are without luck subtracted.

    >>> sorted(find_even_pairs([((0, 1, 1.0, 2), (1, 2, 2.0, 2)), ((0, 1, 1.0, 2), (1, 2, 1.0, 2))]))
    [(0, 1)]
    """
    shared: dict[tuple[int, int], list[bool]] = {}
    for unit in deal_results:
        for first, second, points, games in unit:
            shared.setdefault((first, second), []).append(2 * points == games)
    return frozenset(pair for pair, even in shared.items() if len(even) > 1 and all(even))


def find_same_move_groups(
    file: TournamentFile, deals: Sequence[Sequence[StoredGame]], candidate_pairs: Iterable[tuple[int, int]], bot_count: int
) -> tuple[tuple[int, ...], ...]:
    """Return groups of bots that made exactly the same moves in all their common deals.

    They did so in each seating of at least five deals. Only `candidate_pairs` pairs are compared, so that few games have to be read.
    """
    pairs = {pair for pair in candidate_pairs if _has_same_moves(file, [deal for deal in deals if set(pair) <= set(deal[0].sides)], *pair)}
    groups = [group for group in find_connected_groups(bot_count, list(pairs)) if len(group) > 1]
    complete_groups = [group for group in groups if all(pair in pairs for pair in combinations(sorted(group), 2))]
    remaining_pairs = [pair for pair in pairs if not any(set(pair) <= set(group) for group in complete_groups)]
    return tuple(sorted([*complete_groups, *remaining_pairs]))


def _has_same_moves(file: TournamentFile, deals: Sequence[Sequence[StoredGame]], bot: int, other: int) -> bool:
    """Return whether two bots play alike: swapping their seats changes no move of `deals`."""
    return len(deals) >= _MIN_SAME_DEALS and all(_is_deal_played_alike(file, deal, {bot: other, other: bot}) for deal in deals)


def _is_deal_played_alike(file: TournamentFile, deal: Sequence[StoredGame], swapped_bots: dict[int, int]) -> bool:
    """Return whether swapping the seats of two bots changes no move in the games of a deal."""
    texts = {(line.sides, line.match_index): _strip_remarks(file.load_game_text(line.meeting, line.game_index)) for line in deal}
    return all(texts.get((tuple(swapped_bots.get(bot, bot) for bot in sides), part)) == text for (sides, part), text in texts.items())


def _strip_remarks(text: str) -> str:
    """Remove the comment lines, which contain the names of bots, from a game's text."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))
