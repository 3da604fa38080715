"""Fits Bradley-Terry strengths, which are ratings of players, to results of games.

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

MAX_REFITTED_RESULTS: Final = 8_000_000
"""If all random samples together have more results than this, strengths are estimated by a single Newton step for
each sample."""
_MAX_EXACT_NEWTON_PLAYERS: Final = 10
"""The maximum number of players for which every Newton step computes a new matrix of derivatives; with more players,
steps share a matrix."""
_MAX_STEP, _MAX_STEPS = 1.5, 60
"""The maximum length of a Newton step, and the maximum number of Newton steps."""
_REQUIRED_REDUCTION: Final = 0.7
"""A Newton step should be shorter than this fraction of the previous step; otherwise, all later steps compute a new
matrix of derivatives."""
_PRIOR_SHARE: Final = 0.5
"""The weight of the prior (an assumption before any result), as a fraction of a deal: each player wins this much,
and loses as much, in imaginary games against a player of strength 0."""


class PairResults(NamedTuple):
    """The results of two players against each other, in each deal that both of them played."""

    player: int
    opponent: int
    deal_numbers: tuple[int, ...]
    """The numbers of the deals that both players played."""
    points: tuple[float, ...]
    """The points of the first player in each deal."""
    games: tuple[float, ...]
    """The maximum number of points that the first player could win in each deal."""


def collect_pair_results(deal_results: Sequence[Sequence[tuple[int, int, float, float]]]) -> list[PairResults]:
    """Return the results of each pair of players with common games, sorted by player numbers.

    >>> collect_pair_results([((0, 1, 1.0, 2),), ((0, 1, 2.0, 2),)])
    [PairResults(player=0, opponent=1, deal_numbers=(0, 1), points=(1.0, 2.0), games=(2, 2))]
    """
    results_by_pair: dict[tuple[int, int], dict[int, tuple[float, float]]] = {}
    for number, unit in enumerate(deal_results):
        for first, second, points, games in unit:
            pair_results = results_by_pair.setdefault((first, second), {})
            points_before, games_before = pair_results.get(number, (0, 0))
            pair_results[number] = points_before + points, games_before + games
    return [
        PairResults(
            *pair,
            tuple(pair_results),
            tuple(points for points, _ in pair_results.values()),
            tuple(games for _, games in pair_results.values()),
        )
        for pair, pair_results in sorted(results_by_pair.items())
    ]


def find_connected_groups(count: int, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return groups of players who can be compared with each other, the largest group first.

    Games connect all players of a group, directly or through other players.

    >>> find_connected_groups(5, [(0, 1), (2, 3), (3, 4)])
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


class FitTotals(NamedTuple):
    """The data to which strengths are fitted: points and games, with imaginary games (prior)."""

    points: list[float]
    """For each pair of players, the total points of the first player."""
    games: list[float]
    prior_wins: list[float]
    """The points that each player wins in imaginary games (the prior) against a player of strength 0."""
    prior_losses: list[float]


class BradleyTerryFit:
    """Fits strengths to the results of connected players, and samples random strengths.

    >>> found = BradleyTerryFit(2, collect_pair_results([((0, 1, 2.0, 2),), ((0, 1, 1.0, 2),)]))
    >>> [round(strength, 2) for strength in found.strengths]
    [0.42, -0.42]
    """

    def __init__(
        self,
        player_count: int,
        pair_results: Sequence[PairResults],
        points_per_deal: float | None = None,
        start: Sequence[float] | None = None,
    ) -> None:
        self.player_count, self.pair_results = player_count, pair_results
        result_count = sum(len(pair.games) for pair in pair_results)
        self._points_per_deal = points_per_deal or (sum(sum(pair.games) for pair in pair_results) / result_count if result_count else 1.0)
        """The mean number of points that two players compete for in a deal."""
        prior = [_PRIOR_SHARE * self._points_per_deal] * player_count
        self._totals = FitTotals([sum(pair.points) for pair in pair_results], [sum(pair.games) for pair in pair_results], prior, prior)
        self._uncentered = _fit_strengths(self, self._totals, list(start) if start else [0.0] * player_count, None, 1e-9)
        self.strengths = _center(self._uncentered)

    def sample_strengths(self, sample_count: int, deal_count: int, rng: Random) -> list[list[float]]:
        """Return random samples of the strengths, to compute confidence intervals from.

        In each sample every deal and the prior get random weights, 1 on average.
        """
        if not self.pair_results:
            return [[0.0] * self.player_count for _ in range(sample_count)]
        result_count = sum(len(pair.deal_numbers) for pair in self.pair_results)
        inverse = (
            None if self.player_count <= _MAX_EXACT_NEWTON_PLAYERS else _invert(_compute_derivatives(self, self._totals, self._uncentered))
        )
        if result_count * sample_count > MAX_REFITTED_RESULTS:
            return self._sample_by_newton_step(sample_count, deal_count, rng)
        pickers = [
            itemgetter(*pair.deal_numbers) if len(pair.deal_numbers) > 1 else _create_single_getter(pair.deal_numbers[0])
            for pair in self.pair_results
        ]
        samples = []
        for _ in range(sample_count):
            weights = _sample_weights(deal_count, rng)
            weights_by_pair = [picker(weights) for picker in pickers]
            points = [
                sum(map(mul, pair_weights, pair.points)) for pair_weights, pair in zip(weights_by_pair, self.pair_results, strict=True)
            ]
            games = [sum(map(mul, pair_weights, pair.games)) for pair_weights, pair in zip(weights_by_pair, self.pair_results, strict=True)]
            sums = FitTotals(points, games, self._sample_prior(rng), self._sample_prior(rng))
            samples.append(_center(_fit_strengths(self, sums, self._uncentered, inverse, 1e-4)))
        return samples

    def _sample_by_newton_step(self, sample_count: int, deal_count: int, rng: Random) -> list[list[float]]:
        """Return random samples of the strengths, each computed by one Newton step."""
        raw = self._uncentered
        columns: list[list[float]] = [[0.0] * deal_count for _ in range(self.player_count)]
        for pair in self.pair_results:
            expected = _expected_share(raw[pair.player] - raw[pair.opponent])
            for unit, points, games in zip(pair.deal_numbers, pair.points, pair.games, strict=True):
                residual = points - games * expected
                columns[pair.player][unit] += residual
                columns[pair.opponent][unit] -= residual
        inverse = _invert(_compute_derivatives(self, self._totals, raw))
        shares = [_expected_share(strength) for strength in raw]
        samples = []
        for _ in range(sample_count):
            weights = _sample_weights(deal_count, rng)
            gradient = [sum(map(mul, weights, column)) for column in columns]
            for player, (won, lost) in enumerate(zip(self._sample_prior(rng), self._sample_prior(rng), strict=True)):
                gradient[player] += won - (won + lost) * shares[player]
            samples.append(_center([strength + sum(map(mul, row, gradient)) for strength, row in zip(raw, inverse, strict=True)]))
        return samples

    def _sample_prior(self, rng: Random) -> list[float]:
        """Return random points that each player gets in the imaginary games of the prior.

        The mean is half, and points won and lost together have the weight of one deal.
        """
        return [self._points_per_deal * rng.gauss(0, 1) ** 2 / 2 for _ in range(self.player_count)]


def _create_single_getter(deal_number: int) -> itemgetter[slice]:
    """Return a function that takes the item of one deal out of a sequence, as a slice."""
    return itemgetter(slice(deal_number, deal_number + 1))


def _sample_weights(deal_count: int, rng: Random) -> list[float]:
    """Return a random weight for each deal, from an exponential distribution with mean 1."""
    draw = rng.random
    return [-log(1.0 - draw()) for _ in range(deal_count)]


def _expected_share(difference: float) -> float:
    """Return the expected share of the points for a player who is stronger by `difference`."""
    return 1.0 / (1.0 + exp(-difference)) if difference > -700 else 0.0


def _center(strengths: Sequence[float]) -> list[float]:
    """Shift strengths so that their mean is 0."""
    mean = sum(strengths) / len(strengths) if strengths else 0.0
    return [strength - mean for strength in strengths]


def _fit_strengths(
    fit: BradleyTerryFit, totals: FitTotals, start: Sequence[float], inverse: list[list[float]] | None, tolerance: float
) -> list[float]:
    """Return the strengths at which expected and actual points are equal (Newton's method).

    An approximate `inverse` is used as long as the steps get shorter fast enough.
    """
    strengths, last_length = list(start), 1e9
    for _ in range(_MAX_STEPS):
        residuals = _compute_residuals(fit, totals, strengths)
        step = (
            _solve_linear_system(_compute_derivatives(fit, totals, strengths), residuals)
            if inverse is None
            else [sum(map(mul, row, residuals)) for row in inverse]
        )
        length = max(map(abs, step), default=0.0)
        if inverse is not None and length > _REQUIRED_REDUCTION * last_length:
            inverse = None
            continue
        last_length = length
        damping = min(1.0, _MAX_STEP / length) if length else 1.0
        strengths = [strength + damping * change for strength, change in zip(strengths, step, strict=True)]
        if length < tolerance:
            break
    return strengths


def _compute_residuals(fit: BradleyTerryFit, totals: FitTotals, strengths: Sequence[float]) -> list[float]:
    """Return each player's actual points minus the points that the strengths predict."""
    residuals = [
        won - (won + lost) * _expected_share(strength)
        for won, lost, strength in zip(totals.prior_wins, totals.prior_losses, strengths, strict=True)
    ]
    for (first, second, *_), points, games in zip(fit.pair_results, totals.points, totals.games, strict=True):
        residual = min(max(points, 0.0), games) - games * _expected_share(
            strengths[first] - strengths[second]
        )  # Tournament files of earlier versions may contain points below 0 or above the maximum
        residuals[first] += residual
        residuals[second] -= residual
    return residuals


def _compute_derivatives(fit: BradleyTerryFit, totals: FitTotals, strengths: Sequence[float]) -> list[list[float]]:
    """Return the matrix of derivatives of the expected points with respect to the strengths."""
    matrix = [[0.0] * fit.player_count for _ in range(fit.player_count)]
    for player, strength in enumerate(strengths):
        share = _expected_share(strength)
        matrix[player][player] = (totals.prior_wins[player] + totals.prior_losses[player]) * share * (1 - share) + 1e-9
    for (first, second, *_), games in zip(fit.pair_results, totals.games, strict=True):
        share = _expected_share(strengths[first] - strengths[second])
        slope = games * share * (1 - share)
        matrix[first][first] += slope
        matrix[second][second] += slope
        matrix[first][second] -= slope
        matrix[second][first] -= slope
    return matrix


def _solve_linear_system(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a linear system with a symmetric positive definite matrix."""
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


def _invert(matrix: list[list[float]]) -> list[list[float]]:
    """Return the inverse of a symmetric positive definite matrix."""
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
