"""Rates bots by their points, with 95 % intervals, and says which differences are proved.

The module knows no card game, only points. All intervals come from one Bayesian bootstrap over deals (Rubin,
*The Bayesian bootstrap*, 1981): each time every deal gets a random weight, 1 on average, and the
Bradley-Terry strengths are fitted again. It also estimates how many more deals are needed, scores one bot
against another, and finds bots that play alike. No number of games separates those.
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
"""In so many of tournaments nothing wrong is claimed."""
_ALIKE: Final = 0.5
"""Who is so few points from even looks equal."""
OPEN: Final = 0.025
"""So much of what is possible is left below the interval, and as much above."""
_DEALS: Final = 5
"""In fewer deals two bots that differ may have made the same moves by chance."""
Unit = tuple[tuple[int, int, float, float], ...]
"""A deal, played in every seating: what is drawn again by the bootstrap. Of each two who met in it: i, j (i < j), the points of i, and out of how many."""


@dataclass(frozen=True)
class Rating:
    """How good one is: the share of points, in hundredths, that it would have against the average of the others."""

    who: int
    points: float
    low: float
    """Where the 95 % interval begins."""
    high: float
    rank: int
    rank_low: int
    """The best rank that is not excluded, 1 for the best of all."""
    rank_high: int
    score: float
    """The share of points that it had, in hundredths, whoever it met; in files of earlier versions it may lie beyond 0 or 100."""
    games: float
    """Out of how many points: one for each with whom a game compares it, so that at larger tables these are not its games."""


class Stage(NamedTuple):
    """The ratings after so many deals, None for who could not be compared yet."""

    units: int
    points: tuple[float | None, ...]


@dataclass(frozen=True)
class Standings:
    """What a tournament says.

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
    """Of each its rating; None for who met nobody, or only others who met nobody of the largest group."""
    order: tuple[int, ...]
    """Who is rated, the best first."""
    groups: tuple[tuple[int, ...], ...]
    """The longest runs of the order within which nobody is proved better than anybody: ties. One may be in two of them."""
    apart: tuple[tuple[int, ...], ...]
    """Who is not rated, by groups that met among themselves."""
    units: int
    """How many deals say something of somebody."""
    _met: dict[tuple[int, int], Against] = field(repr=False)
    _strengths: dict[int, float] = field(repr=False)
    _errors: dict[tuple[int, int], float] = field(repr=False)
    """By how much what is between two may be wrong, one standard deviation."""
    _sure: float = field(repr=False)
    """So many of these nothing is off, in 19 tournaments of 20."""

    def share(self, i: int, j: int) -> Between | None:
        """The points of i against j where these two met; None if they never did."""
        one, other = self._checked(i), self._checked(j)
        met = self._met.get((min(one, other), max(one, other)))
        if met is None:
            return None
        found = Between.of(met.points, met.games)
        return found if one < other else found.turned()

    def better(self, i: int, j: int) -> bool:
        """Whether i is proved to be better than j: of twenty tournaments nineteen say nothing wrong of this kind of any two."""
        one, other = self._checked(i), self._checked(j)
        error = self._errors.get((min(one, other), max(one, other)))
        return error is not None and _angle(self._strengths[one] - self._strengths[other]) > self._sure * error

    def needed(self, points: float = 5.0) -> int:
        """How many more deals it would take, such as these were, until every rating is known to within so many points."""
        if not points > 0:
            raise DurakError(f"points={quoted(points)} is not a width; say how many points of 100 a rating may be off, such as 5")
        gives = [(rating.high - rating.low) / 2 for rating in self.ratings if rating is not None]
        widest = (
            max(gives, default=0.0) * sqrt(max(self.units, 1)) if self.units > 1 else 98.0
        )  # one game each deal, and nothing known of it
        return max(0, ceil((widest / points) ** 2) - self.units)

    def needed_between(self, i: int, j: int) -> int | None:
        """How many more deals until these two would be told apart, if they differ as much as it looks; None where they look equal, or cannot be compared."""
        one, other = self._checked(i), self._checked(j)
        error = self._errors.get((min(one, other), max(one, other)))
        if error is None or self.units < 2:
            return None
        if self.better(one, other) or self.better(other, one):
            return 0
        apart = abs(self._strengths[one] - self._strengths[other])
        if _points(apart) - 50 < _ALIKE:
            return None
        return max(1, ceil(self.units * (self._sure * error / _angle(apart)) ** 2) - self.units)

    def _checked(self, who: int) -> int:
        number = whole_number(who)
        if number is None or not 0 <= number < len(self.ratings):
            raise DurakError(f"there is nobody numbered {quoted(who)}; {len(self.ratings)} took part, numbered from 0")
        return number


def rated(count: int, units: Sequence[Unit], *, draws: int = 400, seed: int = 1) -> Standings:
    """What a tournament of so many says, from its deals; the same for the same seed.

    A draw counts half for each, and points may be any numbers: in files of earlier versions the luck of the cards is taken away. The largest group that is held together by games is
    rated, the others are not. So that whoever won everything has a finite rating, everybody is given one deal more against the average, half won and half
    lost: among forty deals each it moves a rating of 80 by less than one point. In the bootstrap what is given is drawn anew as well, so that intervals are open even
    where all deals went alike. After fewer than two deals all intervals are the whole range, and nobody is better.
    """
    played = _read(count, units)
    met = meetings(played)
    group, *apart = connected(count, [(one.one, one.other) for one in met])
    if len(group) == 1:
        group, apart = (), [(who,) for who in range(count)]
    place = {who: number for number, who in enumerate(group)}
    inside = [one._replace(one=place[one.one], other=place[one.other]) for one in met if one.one in place]
    found = Strengths(len(group), inside)
    strengths = dict(zip(group, found.strengths, strict=True))
    level = dict(zip(group, _levels(found.strengths), strict=True))
    order = tuple(sorted(group, key=lambda who: -strengths[who]))
    pairs = [(one, other) for number, one in enumerate(group) for other in group[number + 1 :]]
    bounds, errors, sure = dict.fromkeys(group, (0.0, 100.0)), dict.fromkeys(pairs, float("inf")), 1.0
    if len(played) > 1 and group:
        drawn = found.drawn(max(draws, 40), len(played), Random(seed))
        dealt = _dealt(inside, len(group))
        levels = list(map(_levels, drawn))
        bounds = {who: _interval([one[place[who]] for one in levels], level[who], _widened(dealt[place[who]])) for who in group}
        errors, sure = _apart(pairs, place, strengths, drawn)
        errors = {pair: error * _widened(min(dealt[place[who]] for who in pair), sure) for pair, error in errors.items()}
    standing = Standings(
        (None,) * count, order, (), tuple(apart), len(played), {(one.one, one.other): one for one in met}, strengths, errors, sure
    )
    ratings = tuple(_rating(who, standing, met, level[who], bounds[who]) if who in place else None for who in range(count))
    return Standings(ratings, order, _groups(standing), tuple(apart), len(played), standing._met, strengths, errors, sure)


def course(count: int, units: Sequence[Unit], steps: int = 50) -> tuple[Stage, ...]:
    """The ratings as games come in, at so many moments, the last of them with all deals.

    >>> [(stage.units, *stage.points) for stage in course(2, [((0, 1, 1.0, 2),)] * 4, 2)]
    [(2, 50.0, 50.0), (4, 50.0, 50.0)]
    """
    played, found, done = _read(count, units), list[Stage](), 0
    sums: dict[tuple[int, int], tuple[float, float]] = {}
    before: dict[int, float] = {}
    results = 0
    for many in sorted({len(played) * (step + 1) // steps for step in range(steps)} - {0}):
        for unit in played[done:many]:
            for one, other, points, games in unit:
                had, of = sums.get((one, other), (0.0, 0.0))
                sums[one, other] = had + points, of + games
            results += len(unit)
        done = many
        group = connected(count, sums)[0]
        place = {who: number for number, who in enumerate(group)}
        inside = [
            Against(place[pair[0]], place[pair[1]], (0,), *((own,) for own in sum_)) for pair, sum_ in sums.items() if pair[0] in place
        ]
        fit = Strengths(len(group), inside, sum(of for _, of in sums.values()) / results, [before.get(who, 0.0) for who in group])
        before = dict(zip(group, fit.strengths, strict=True)) if len(group) > 1 else {}
        level = dict(zip(before, _levels(list(before.values())), strict=True))
        found.append(Stage(many, tuple(_points(level[who]) if who in level else None for who in range(count))))
    return tuple(found)


def _read(count: int, units: Sequence[Unit]) -> list[Unit]:
    """The deals, if they can be."""
    many = whole_number(count)
    if many is None or many < 1:
        raise DurakError(f"count={quoted(count)} is not how many took part; at least one did")
    for number, unit in enumerate(units):
        for one, other, points, games in unit:
            if not (0 <= one < other < many and isfinite(points) and isfinite(games) and games > 0):
                said = quoted((one, other, points, games))
                raise DurakError(f"deal {number} says {said}: say i, j with 0 <= i < j < {many}, the points of i, and out of how many")
    return [unit for unit in units if unit]


def _levels(strengths: Sequence[float]) -> list[float]:
    """By how much each is stronger than the others are on average."""
    many, whole = len(strengths), sum(strengths)
    return [(many * one - whole) / (many - 1) for one in strengths] if many > 1 else list(strengths)


def _points(strength: float) -> float:
    """The share of points of somebody who is so much stronger, in hundredths."""
    return 100 / (1 + exp(-max(-700.0, strength)))


def _angle(difference: float) -> float:
    """What is between two of whom one is so much stronger, as an angle: chance moves it alike far whether they are equal or not."""
    return atan(sinh(max(-60.0, min(60.0, difference)) / 2))


def _dealt(met: list[Against], count: int) -> list[int]:
    """In how many deals each met somebody."""
    dealt: list[set[int]] = [set() for _ in range(count)]
    for one in met:
        dealt[one.one].update(one.units)
        dealt[one.other].update(one.units)
    return [len(some) for some in dealt]


def _widened(deals: int, sigmas: float = 1.96) -> float:
    """How many times as wide an interval is after few deals: as Student's is beside that of Gauss (Abramowitz and Stegun 26.7.5), and since few deals vary less."""
    z, free = sigmas, max(1, deals - 1)
    student = 1 + (z**2 + 1) / (4 * free) + (5 * z**4 + 16 * z**2 + 3) / (96 * free**2)
    return student * sqrt((free + 2) / free)


def _interval(values: list[float], strength: float, widened: float) -> tuple[float, float]:
    """The points between which 95 of 100 of these strengths lie, so many times as far from that one."""
    values.sort()
    out = 0.025 * len(values) - 0.5
    low, rest = int(out), out % 1
    lowest = values[low] + rest * (values[low + 1] - values[low])
    highest = values[-1 - low] - rest * (values[-1 - low] - values[-2 - low])
    lower, higher = min(lowest - strength, 0.0), max(highest - strength, 0.0)
    return _points(strength + widened * lower), _points(strength + widened * higher)


def _apart(
    pairs: list[tuple[int, int]], place: dict[int, int], strengths: dict[int, float], drawn: list[list[float]]
) -> tuple[dict[tuple[int, int], float], float]:
    """By how much what is between each two may be wrong, and how many times as much nothing is, in 19 draws of 20."""
    errors, farthest = {}, [0.0] * len(drawn)
    for one, other in pairs:
        here, there, between = place[one], place[other], _angle(strengths[one] - strengths[other])
        off = [abs(_angle(draw[here] - draw[there]) - between) for draw in drawn]
        errors[one, other] = error = max(sqrt(fmean([by * by for by in off])), 1e-9)
        farthest = [max(far, by / error) for far, by in zip(farthest, off, strict=True)]
    farthest.sort()
    return errors, farthest[min(len(farthest) - 1, ceil(PROVED * (len(farthest) + 1)) - 1)]


def _rating(who: int, standing: Standings, met: list[Against], level: float, bounds: tuple[float, float]) -> Rating:
    points = games = 0.0
    for one in met:
        if who in {one.one, one.other}:
            own = sum(one.points)
            played = sum(one.games)
            points += own if who == one.one else played - own
            games += played
    others = [other for other in standing.order if other != who]
    above = sum(standing.better(other, who) for other in others)
    below = sum(standing.better(who, other) for other in others)
    rank = standing.order.index(who) + 1
    return Rating(who, _points(level), *bounds, rank, above + 1, len(standing.order) - below, 100 * points / games, games)


def _groups(standing: Standings) -> tuple[tuple[int, ...], ...]:
    """The longest runs of the order without anybody proved better than another."""
    order, found, reached = standing.order, list[tuple[int, ...]](), 0
    for first in range(len(order)):
        end = first + 1
        while end < len(order) and not any(standing.better(order[one], order[end]) for one in range(first, end)):
            end += 1
        if end > reached:
            found.append(order[first:end])
            reached = end
    return tuple(found)


@dataclass(frozen=True)
class Between:
    """The points of one against another, in hundredths, with their 95 % interval.

    >>> share = Between.of([2.0, 2.0, 2.0], [2, 2, 2])
    >>> print(share)
    100 (46 to 100)
    """

    mean: float
    low: float
    high: float
    units: int
    """In how many deals they met."""
    played: float
    """How many games they played."""

    @property
    def give(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.mean:.0f} ({self.low:.0f} to {self.high:.0f})"

    def turned(self) -> Between:
        """What the other has of it."""
        return Between(100 - self.mean, 100 - self.high, 100 - self.low, self.units, self.played)

    @staticmethod
    def of(points: Sequence[float], games: Sequence[float]) -> Between:
        """What deals say, each its points and out of how many: the interval of all ways to weigh the deals, with half a deal won and half a deal lost added.

        Where each deal is won or lost whole, that is the interval of Jeffreys; it never closes, however alike the deals went. One deal says nothing of how
        others would go.
        """
        units, played = len(points), sum(games)
        if not units:
            return Between(50.0, 0.0, 100.0, 0, 0.0)
        mean = min(1.0, max(0.0, sum(points) / played))
        if units == 1:
            return Between(100 * mean, 0.0, 100.0, 1, played)
        weights = [units * some / played for some in games]
        shares = [some / out_of for some, out_of in zip(points, games, strict=True)]
        total = units + 1.0
        middle = (sum(weight * share for weight, share in zip(weights, shares, strict=True)) + 0.5) / total
        spread = sum((weight * (share - middle)) ** 2 for weight, share in zip(weights, shares, strict=True))
        spread = (spread + 0.5 * middle**2 + 0.5 * (1 - middle) ** 2) / (total * (total + 1))
        low, high = _bounds(middle, spread)
        return Between(100 * mean, 100 * min(low, mean), 100 * max(high, mean), units, played)


def _bounds(mean: float, variance: float) -> tuple[float, float]:
    """Where the middle 95 % of a beta distribution lie that has this mean and variance; of a normal one where no beta has them."""
    if 0 < mean < 1 and 0 < variance < mean * (1 - mean):
        size = mean * (1 - mean) / variance - 1
        return beta_point(OPEN, size * mean, size * (1 - mean)), beta_point(1 - OPEN, size * mean, size * (1 - mean))
    give = 1.96 * sqrt(variance)
    return min(1.0, max(0.0, mean - give)), max(0.0, min(1.0, mean + give))


def beta_point(below: float, a: float, b: float) -> float:
    """The point below which so much of a beta distribution lies.

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
    """How much of a beta distribution lies below x: by the continued fraction (Abramowitz and Stegun 26.5.8)."""
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_below(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    tiny, c, d = 1e-300, 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d or tiny)
    found = d
    for m in range(1, 500):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + term * d or tiny)
            c = 1 + term / c or tiny
            found *= c * d
        if abs(c * d - 1) < 1e-10:
            break
    return front * found


def even_pairs(units: Iterable[Unit]) -> frozenset[tuple[int, int]]:
    """Return the pairs who had the same points from every deal in which they met, in two deals or more.

    From such deals it does not follow how many more would separate the two: `units` are without luck taken away.

    >>> sorted(even_pairs([((0, 1, 1.0, 2), (1, 2, 2.0, 2)), ((0, 1, 1.0, 2), (1, 2, 1.0, 2))]))
    [(0, 1)]
    """
    shared: dict[tuple[int, int], list[bool]] = {}
    for unit in units:
        for one, other, points, games in unit:
            shared.setdefault((one, other), []).append(2 * points == games)
    return frozenset(pair for pair, even in shared.items() if len(even) > 1 and all(even))


def same_moves(
    file: ArenaFile, deals: Sequence[Sequence[GameLine]], even: Iterable[tuple[int, int]], count: int
) -> tuple[tuple[int, ...], ...]:
    """Return the groups of bots that made the same moves wherever they met: in each seating of five deals or more.

    Only `even` pairs are looked at, so that few games have to be read.
    """
    pairs = {pair for pair in even if _is_same(file, [deal for deal in deals if set(pair) <= set(deal[0].sides)], *pair)}
    groups = [group for group in connected(count, list(pairs)) if len(group) > 1]
    whole = [group for group in groups if all(pair in pairs for pair in combinations(sorted(group), 2))]
    rest = [pair for pair in pairs if not any(set(pair) <= set(group) for group in whole)]
    return tuple(sorted([*whole, *rest]))


def _is_same(file: ArenaFile, deals: Sequence[Sequence[GameLine]], one: int, other: int) -> bool:
    """Whether each game is played alike when these two change seats."""
    return len(deals) >= _DEALS and all(_is_same_deal(file, deal, {one: other, other: one}) for deal in deals)


def _is_same_deal(file: ArenaFile, deal: Sequence[GameLine], turned: dict[int, int]) -> bool:
    texts = {(line.sides, line.part): _moves(file.text(line.meeting, line.place)) for line in deal}
    return all(texts.get((tuple(turned.get(who, who) for who in sides), part)) == text for (sides, part), text in texts.items())


def _moves(text: str) -> str:
    """The rules, the deal and the moves of a game, without the remarks on who sat where."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))
