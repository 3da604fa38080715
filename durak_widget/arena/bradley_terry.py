"""Strengths by Bradley and Terry: the numbers of which a difference says how points are shared, fitted to points, and fitted again to what might have been.

Of two whose strengths differ by d, the stronger is expected to have 1 of 1 + exp(-d) points. So that whoever won everything has a finite strength too,
everybody is given one deal more, half of it won and half of it lost, against somebody of strength 0. How it went is drawn anew each time, as what the
deals weigh is: by it an interval is open even where all deals went alike.
"""

from __future__ import annotations

from math import exp, log
from operator import itemgetter, mul
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

MOST_REFITTED: Final = 8_000_000
"""So many results are weighed anew, over all draws; where there are more, strengths are not fitted again but moved by one step of Newton."""
_SMALL: Final = 10
"""Among so few a step of Newton costs little; among more the first one's matrix is used again."""
_STEP, _STEPS = 1.5, 60
"""So far a step of Newton goes at most, and so many are made at most."""
_NEARER: Final = 0.7
"""So much shorter each step has to be, else that matrix is not good enough."""
_EVEN: Final = 0.5
"""As much of the deal that is given is won, and as much lost."""


class Against(NamedTuple):
    """Two who met, and what came of it in each deal in which they did."""

    one: int
    other: int
    units: tuple[int, ...]
    """The numbers of these deals."""
    points: tuple[float, ...]
    """The points of the one."""
    games: tuple[float, ...]
    """Out of how many."""


def meetings(units: Sequence[Sequence[tuple[int, int, float, float]]]) -> list[Against]:
    """Each two who met, in order.

    >>> meetings([((0, 1, 1.0, 2),), ((0, 1, 2.0, 2),)])
    [Against(one=0, other=1, units=(0, 1), points=(1.0, 2.0), games=(2, 2))]
    """
    found: dict[tuple[int, int], dict[int, tuple[float, float]]] = {}
    for number, unit in enumerate(units):
        for one, other, points, games in unit:
            of_pair = found.setdefault((one, other), {})
            had, of = of_pair.get(number, (0, 0))
            of_pair[number] = had + points, of + games
    return [
        Against(*pair, tuple(of_pair), tuple(points for points, _ in of_pair.values()), tuple(games for _, games in of_pair.values()))
        for pair, of_pair in sorted(found.items())
    ]


def connected(count: int, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Who can be compared with whom, through others too: the largest group first.

    >>> connected(5, [(0, 1), (2, 3), (3, 4)])
    [(2, 3, 4), (0, 1)]
    """
    group = list(range(count))
    for one, other in pairs:
        if group[one] != group[other]:
            old, new = group[other], group[one]
            group = [new if number == old else number for number in group]
    groups: dict[int, list[int]] = {}
    for who, number in enumerate(group):
        groups.setdefault(number, []).append(who)
    return sorted(map(tuple, groups.values()), key=lambda some: (-len(some), some))


class Sums(NamedTuple):
    """What strengths are fitted to."""

    points: list[float]
    """Of the one of each two who met."""
    games: list[float]
    won: list[float]
    """What everybody is given besides, against somebody of strength 0."""
    lost: list[float]


class Strengths:
    """The strengths of some who all can be compared, and what they might be as well.

    >>> found = Strengths(2, meetings([((0, 1, 2.0, 2),), ((0, 1, 1.0, 2),)]))
    >>> [round(strength, 2) for strength in found.strengths]
    [0.42, -0.42]
    """

    def __init__(self, count: int, met: Sequence[Against], meeting: float | None = None, start: Sequence[float] | None = None) -> None:
        self.count, self.met = count, met
        results = sum(len(one.games) for one in met)
        self._unit = meeting or (sum(sum(one.games) for one in met) / results if results else 1.0)
        """Out of how many points two play in a deal, on average."""
        even = [_EVEN * self._unit] * count
        self._sums = Sums([sum(one.points) for one in met], [sum(one.games) for one in met], even, even)
        self._raw = _fitted(self, self._sums, list(start) if start else [0.0] * count, None, 1e-9)
        self.strengths = _centred(self._raw)

    def drawn(self, draws: int, units: int, rng: Random) -> list[list[float]]:
        """Strengths that could be as well, so many times: each deal weighs as much as chance says, once on average, and so does what is given besides."""
        if not self.met:
            return [[0.0] * self.count for _ in range(draws)]
        results = sum(len(one.units) for one in self.met)
        inverse = None if self.count <= _SMALL else _inverse(_slopes(self, self._sums, self._raw))
        if results * draws > MOST_REFITTED:
            return self._moved(draws, units, rng)
        picks = [itemgetter(*one.units) if len(one.units) > 1 else _alone(one.units[0]) for one in self.met]
        found = []
        for _ in range(draws):
            weights = _weights(units, rng)
            own = [pick(weights) for pick in picks]
            points = [sum(map(mul, some, one.points)) for some, one in zip(own, self.met, strict=True)]
            games = [sum(map(mul, some, one.games)) for some, one in zip(own, self.met, strict=True)]
            sums = Sums(points, games, self._given(rng), self._given(rng))
            found.append(_centred(_fitted(self, sums, self._raw, inverse, 1e-4)))
        return found

    def _moved(self, draws: int, units: int, rng: Random) -> list[list[float]]:
        """By one step of Newton, from what each deal says about each strength."""
        raw = self._raw
        columns: list[list[float]] = [[0.0] * units for _ in range(self.count)]
        for one in self.met:
            expected = _share(raw[one.one] - raw[one.other])
            for unit, points, games in zip(one.units, one.points, one.games, strict=True):
                said = points - games * expected
                columns[one.one][unit] += said
                columns[one.other][unit] -= said
        inverse = _inverse(_slopes(self, self._sums, raw))
        shares = [_share(strength) for strength in raw]
        found = []
        for _ in range(draws):
            weights = _weights(units, rng)
            more = [sum(map(mul, weights, column)) for column in columns]
            for who, (won, lost) in enumerate(zip(self._given(rng), self._given(rng), strict=True)):
                more[who] += won - (won + lost) * shares[who]
            found.append(_centred([strength + sum(map(mul, row, more)) for strength, row in zip(raw, inverse, strict=True)]))
        return found

    def _given(self, rng: Random) -> list[float]:
        """What is given besides, drawn: half on average, and as a deal's weight is, so that won and lost together weigh as one deal does."""
        return [self._unit * rng.gauss(0, 1) ** 2 / 2 for _ in range(self.count)]


def _alone(unit: int) -> itemgetter[slice]:
    return itemgetter(slice(unit, unit + 1))


def _weights(units: int, rng: Random) -> list[float]:
    """What each deal weighs."""
    chance = rng.random
    return [-log(1.0 - chance()) for _ in range(units)]


def _share(difference: float) -> float:
    return 1.0 / (1.0 + exp(-difference)) if difference > -700 else 0.0


def _centred(strengths: Sequence[float]) -> list[float]:
    middle = sum(strengths) / len(strengths) if strengths else 0.0
    return [strength - middle for strength in strengths]


def _fitted(field: Strengths, sums: Sums, start: Sequence[float], inverse: list[list[float]] | None, close: float) -> list[float]:
    """The strengths by which everybody is expected to have the points that it has: by Newton, from a start; with a matrix that is nearly right as long as that brings it nearer."""
    now, last = list(start), 1e9
    for _ in range(_STEPS):
        said = _said(field, sums, now)
        step = _solved(_slopes(field, sums, now), said) if inverse is None else [sum(map(mul, row, said)) for row in inverse]
        longest = max(map(abs, step), default=0.0)
        if inverse is not None and longest > _NEARER * last:
            inverse = None
            continue
        last = longest
        short = min(1.0, _STEP / longest) if longest else 1.0
        now = [strength + short * by for strength, by in zip(now, step, strict=True)]
        if longest < close:
            break
    return now


def _said(field: Strengths, sums: Sums, now: Sequence[float]) -> list[float]:
    """How many more points everybody has than expected."""
    said = [won - (won + lost) * _share(strength) for won, lost, strength in zip(sums.won, sums.lost, now, strict=True)]
    for (one, other, *_), points, games in zip(field.met, sums.points, sums.games, strict=True):
        more = min(max(points, 0.0), games) - games * _share(now[one] - now[other])  # in files of earlier versions points may lie beyond
        said[one] += more
        said[other] -= more
    return said


def _slopes(field: Strengths, sums: Sums, now: Sequence[float]) -> list[list[float]]:
    """By how many points more is expected of each if it, or another, is stronger."""
    matrix = [[0.0] * field.count for _ in range(field.count)]
    for who, strength in enumerate(now):
        share = _share(strength)
        matrix[who][who] = (sums.won[who] + sums.lost[who]) * share * (1 - share) + 1e-9
    for (one, other, *_), games in zip(field.met, sums.games, strict=True):
        share = _share(now[one] - now[other])
        slope = games * share * (1 - share)
        matrix[one][one] += slope
        matrix[other][other] += slope
        matrix[one][other] -= slope
        matrix[other][one] -= slope
    return matrix


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """The solution of equations whose matrix is symmetric and positive."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for place in range(size):
        top = rows[place]
        for below in range(place + 1, size):
            row = rows[below]
            factor = row[place] / top[place]
            if factor:
                rows[below] = [value - factor * above for value, above in zip(row, top, strict=True)]
    found = [0.0] * size
    for place in range(size - 1, -1, -1):
        row = rows[place]
        found[place] = (row[size] - sum(map(mul, row[place + 1 : size], found[place + 1 :]))) / row[place]
    return found


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse of such a matrix."""
    size = len(matrix)
    rows = [[*row, *(float(place == other) for other in range(size))] for place, row in enumerate(matrix)]
    for place in range(size):
        pivot = rows[place][place]
        top = rows[place] = [value / pivot for value in rows[place]]
        for other, row in enumerate(rows):
            factor = row[place]
            if other != place and factor:
                rows[other] = [value - factor * above for value, above in zip(row, top, strict=True)]
    return [row[size:] for row in rows]
