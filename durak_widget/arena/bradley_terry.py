"""Bradley-Terry strengths: fitted to points, and fitted again to reweighted deals.

If two strengths differ by d, the stronger player is expected to get 1 / (1 + exp(-d)) of the points. Everybody has one more deal, half
won and half lost, against strength 0, so that a player who won everything has a finite strength, too. For intervals the deals and this
prior get new random weights each time. So an interval is open even if all deals went alike.
"""

from __future__ import annotations

from math import exp, log
from operator import itemgetter, mul
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

MOST_REFITTED: Final = 8_000_000
"""The most results over all samples that are fitted again; above it, one Newton step is made."""
_SMALL: Final = 10
"""The number of players up to which each Newton step has its own matrix."""
_STEP, _STEPS = 1.5, 60
"""So far a step of Newton goes at most, and so many are made at most."""
_NEARER: Final = 0.7
"""The factor by which each step has to shrink, or the first matrix is not good enough."""
_EVEN: Final = 0.5
"""The share of the prior deal that is won, and the same share that is lost."""


class Against(NamedTuple):
    """Two players who met, and their result in each deal where they did."""

    one: int
    other: int
    units: tuple[int, ...]
    """The numbers of these deals."""
    points: tuple[float, ...]
    """The points of the first player in each."""
    games: tuple[float, ...]
    """The possible points in each."""


def meetings(units: Sequence[Sequence[tuple[int, int, float, float]]]) -> list[Against]:
    """Return the results of each pair that met, in order.

    >>> meetings([((0, 1, 1.0, 2),), ((0, 1, 2.0, 2),)])
    [Against(one=0, other=1, units=(0, 1), points=(1.0, 2.0), games=(2, 2))]
    """
    results_by_pair: dict[tuple[int, int], dict[int, tuple[float, float]]] = {}
    for number, unit in enumerate(units):
        for first, second, points, games in unit:
            pair_results = results_by_pair.setdefault((first, second), {})
            points_before, games_before = pair_results.get(number, (0, 0))
            pair_results[number] = points_before + points, games_before + games
    return [
        Against(
            *pair,
            tuple(pair_results),
            tuple(points for points, _ in pair_results.values()),
            tuple(games for _, games in pair_results.values()),
        )
        for pair, pair_results in sorted(results_by_pair.items())
    ]


def connected(count: int, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the groups that games connect, directly or through others; the largest first.

    >>> connected(5, [(0, 1), (2, 3), (3, 4)])
    [(2, 3, 4), (0, 1)]
    """
    group = list(range(count))
    for first, second in pairs:
        if group[first] != group[second]:
            old, new = group[second], group[first]
            group = [new if number == old else number for number in group]
    groups: dict[int, list[int]] = {}
    for player, number in enumerate(group):
        groups.setdefault(number, []).append(player)
    return sorted(map(tuple, groups.values()), key=lambda members: (-len(members), members))


class Sums(NamedTuple):
    """The totals that strengths are fitted to."""

    points: list[float]
    """The points of the first player of each pair."""
    games: list[float]
    won: list[float]
    """The prior points of each player against strength 0."""
    lost: list[float]


class Strengths:
    """The fitted strengths of players who can all be compared, and random samples of them.

    >>> found = Strengths(2, meetings([((0, 1, 2.0, 2),), ((0, 1, 1.0, 2),)]))
    >>> [round(strength, 2) for strength in found.strengths]
    [0.42, -0.42]
    """

    def __init__(self, count: int, met: Sequence[Against], meeting: float | None = None, start: Sequence[float] | None = None) -> None:
        self.count, self.met = count, met
        result_count = sum(len(pair.games) for pair in met)
        self._unit = meeting or (sum(sum(pair.games) for pair in met) / result_count if result_count else 1.0)
        """The mean number of points that two play for in a deal."""
        prior = [_EVEN * self._unit] * count
        self._sums = Sums([sum(pair.points) for pair in met], [sum(pair.games) for pair in met], prior, prior)
        self._raw = _fitted(self, self._sums, list(start) if start else [0.0] * count, None, 1e-9)
        self.strengths = _centred(self._raw)

    def drawn(self, draws: int, units: int, rng: Random) -> list[list[float]]:
        """Return samples of the strengths for an interval.

        In each sample every deal and the prior get random weights, 1 on average.
        """
        if not self.met:
            return [[0.0] * self.count for _ in range(draws)]
        result_count = sum(len(pair.units) for pair in self.met)
        inverse = None if self.count <= _SMALL else _inverse(_slopes(self, self._sums, self._raw))
        if result_count * draws > MOST_REFITTED:
            return self._moved(draws, units, rng)
        pickers = [itemgetter(*pair.units) if len(pair.units) > 1 else _alone(pair.units[0]) for pair in self.met]
        samples = []
        for _ in range(draws):
            weights = _weights(units, rng)
            weights_by_pair = [picker(weights) for picker in pickers]
            points = [sum(map(mul, pair_weights, pair.points)) for pair_weights, pair in zip(weights_by_pair, self.met, strict=True)]
            games = [sum(map(mul, pair_weights, pair.games)) for pair_weights, pair in zip(weights_by_pair, self.met, strict=True)]
            sums = Sums(points, games, self._given(rng), self._given(rng))
            samples.append(_centred(_fitted(self, sums, self._raw, inverse, 1e-4)))
        return samples

    def _moved(self, draws: int, units: int, rng: Random) -> list[list[float]]:
        """Return samples by one Newton step each, from the residuals of each deal."""
        raw = self._raw
        columns: list[list[float]] = [[0.0] * units for _ in range(self.count)]
        for pair in self.met:
            expected = _share(raw[pair.one] - raw[pair.other])
            for unit, points, games in zip(pair.units, pair.points, pair.games, strict=True):
                residual = points - games * expected
                columns[pair.one][unit] += residual
                columns[pair.other][unit] -= residual
        inverse = _inverse(_slopes(self, self._sums, raw))
        shares = [_share(strength) for strength in raw]
        samples = []
        for _ in range(draws):
            weights = _weights(units, rng)
            gradient = [sum(map(mul, weights, column)) for column in columns]
            for player, (won, lost) in enumerate(zip(self._given(rng), self._given(rng), strict=True)):
                gradient[player] += won - (won + lost) * shares[player]
            samples.append(_centred([strength + sum(map(mul, row, gradient)) for strength, row in zip(raw, inverse, strict=True)]))
        return samples

    def _given(self, rng: Random) -> list[float]:
        """Return random prior points.

        The mean is half, and points won and lost together have the weight of one deal.
        """
        return [self._unit * rng.gauss(0, 1) ** 2 / 2 for _ in range(self.count)]


def _alone(unit: int) -> itemgetter[slice]:
    return itemgetter(slice(unit, unit + 1))


def _weights(units: int, rng: Random) -> list[float]:
    """Return a random weight for each deal, exponential with mean 1."""
    draw = rng.random
    return [-log(1.0 - draw()) for _ in range(units)]


def _share(difference: float) -> float:
    return 1.0 / (1.0 + exp(-difference)) if difference > -700 else 0.0


def _centred(strengths: Sequence[float]) -> list[float]:
    mean = sum(strengths) / len(strengths) if strengths else 0.0
    return [strength - mean for strength in strengths]


def _fitted(field: Strengths, sums: Sums, start: Sequence[float], inverse: list[list[float]] | None, close: float) -> list[float]:
    """Return the strengths that give everybody their expected points, by Newton's method.

    An approximate `inverse` is used as long as the steps get shorter fast enough.
    """
    strengths, last_length = list(start), 1e9
    for _ in range(_STEPS):
        residuals = _said(field, sums, strengths)
        step = (
            _solved(_slopes(field, sums, strengths), residuals) if inverse is None else [sum(map(mul, row, residuals)) for row in inverse]
        )
        length = max(map(abs, step), default=0.0)
        if inverse is not None and length > _NEARER * last_length:
            inverse = None
            continue
        last_length = length
        damping = min(1.0, _STEP / length) if length else 1.0
        strengths = [strength + damping * change for strength, change in zip(strengths, step, strict=True)]
        if length < close:
            break
    return strengths


def _said(field: Strengths, sums: Sums, now: Sequence[float]) -> list[float]:
    """Return how many more points each player has than expected."""
    residuals = [won - (won + lost) * _share(strength) for won, lost, strength in zip(sums.won, sums.lost, now, strict=True)]
    for (first, second, *_), points, games in zip(field.met, sums.points, sums.games, strict=True):
        residual = min(max(points, 0.0), games) - games * _share(
            now[first] - now[second]
        )  # files of earlier versions can have points outside the range
        residuals[first] += residual
        residuals[second] -= residual
    return residuals


def _slopes(field: Strengths, sums: Sums, now: Sequence[float]) -> list[list[float]]:
    """Return the derivatives of the expected points by the strengths."""
    matrix = [[0.0] * field.count for _ in range(field.count)]
    for player, strength in enumerate(now):
        share = _share(strength)
        matrix[player][player] = (sums.won[player] + sums.lost[player]) * share * (1 - share) + 1e-9
    for (first, second, *_), games in zip(field.met, sums.games, strict=True):
        share = _share(now[first] - now[second])
        slope = games * share * (1 - share)
        matrix[first][first] += slope
        matrix[second][second] += slope
        matrix[first][second] -= slope
        matrix[second][first] -= slope
    return matrix


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a linear system with a symmetric, positive matrix."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for pivot in range(size):
        pivot_row = rows[pivot]
        for lower in range(pivot + 1, size):
            row = rows[lower]
            factor = row[pivot] / pivot_row[pivot]
            if factor:
                rows[lower] = [value - factor * pivot_value for value, pivot_value in zip(row, pivot_row, strict=True)]
    solution = [0.0] * size
    for pivot in range(size - 1, -1, -1):
        row = rows[pivot]
        solution[pivot] = (row[size] - sum(map(mul, row[pivot + 1 : size], solution[pivot + 1 :]))) / row[pivot]
    return solution


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Return the inverse of a symmetric, positive matrix."""
    size = len(matrix)
    rows = [[*row, *(float(index == other_index) for other_index in range(size))] for index, row in enumerate(matrix)]
    for index in range(size):
        pivot = rows[index][index]
        pivot_row = rows[index] = [value / pivot for value in rows[index]]
        for other_index, row in enumerate(rows):
            factor = row[index]
            if other_index != index and factor:
                rows[other_index] = [value - factor * pivot_value for value, pivot_value in zip(row, pivot_row, strict=True)]
    return [row[size:] for row in rows]
