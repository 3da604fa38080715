"""Test tournaments of bots with known strengths: the order is right, intervals have their stated coverage, and equal bots are called equal."""

from __future__ import annotations

from statistics import fmean

import pytest
from bots_of_known_strength import DEALS, EQUAL, UNEQUAL, careful_share_against_random, game_results, play_tournament, true_strengths

from support.sizes import tried

DEALT = 50
"""The number of deals of each pair."""


def coverage(many: int, *, together: bool) -> tuple[float, float, float, float]:
    """Return four percentages over tournaments of unequal bots: share intervals and rating intervals with the true value, wrong claims, right orders."""
    true = true_strengths(UNEQUAL)
    shares, ratings, wrong, order = [], [], [], []
    for seed in range(many):
        standing = play_tournament(UNEQUAL, DEALT, seed, together=together)
        for (i, j), share in true.shares.items():
            found = standing.share(i, j)
            assert found is not None
            shares.append(found.low <= share <= found.high)
        ratings += [rating.low <= true.points[rating.bot] <= rating.high for rating in standing.ratings if rating is not None]
        wrong.append(any(standing.is_better(j, i) for i, j in true.shares))
        order.append(standing.order == (0, 1, 2, 3, 4))
    return tuple(100 * fmean(some) for some in (shares, ratings, wrong, order))  # type: ignore[return-value]


def claim_rate(many: int, field: tuple[float, ...], deals: int, *, together: bool) -> float:
    """Return the percentage of tournaments of equal bots in which any bot is called better."""
    numbers = range(len(field))
    found = []
    for seed in range(many):
        standing = play_tournament(field, deals, seed, together=together)
        found.append(any(standing.is_better(i, j) for i in numbers for j in numbers if i != j))
    return 100 * fmean(found)


@pytest.mark.slow
def test_the_stored_games_have_the_true_share() -> None:
    """The average over many deals from both seats is close to the true share."""
    assert abs(fmean(sum(points) / 2 for points in game_results()["careful", "random"]) - careful_share_against_random()) < tried(
        0.03, 0.015
    )
    assert abs(fmean(sum(points) / 2 for points in game_results()["random", "random"]) - 0.5) < 0.06
    assert len(game_results()["careful", "careful"]) == DEALS


def test_true_strengths_are_found() -> None:
    """In a few tournaments: at least nine of ten intervals contain the true value, no weaker bot is called better, the order is right."""
    shares, ratings, wrong, order = coverage(8, together=True)
    assert shares >= 90
    assert ratings >= 90
    assert wrong == 0
    assert order >= 80


@pytest.mark.slow
def test_equal_bots_are_called_equal() -> None:
    """In a few tournaments."""
    assert claim_rate(8, EQUAL, 40, together=False) <= 13


@pytest.mark.release
@pytest.mark.parametrize("together", [False, True])
def test_intervals_have_their_stated_coverage(*, together: bool) -> None:
    """In 200 tournaments 93 to 97 of 100 intervals contain the true value, of shares and of ratings; claims are right in 19 of 20, and the order mostly."""
    shares, ratings, wrong, order = coverage(200, together=together)
    print(f"{together=}: shares {shares:.1f}, ratings {ratings:.1f}, wrong {wrong:.1f}, order {order:.1f}")  # noqa: T201 - the figures of the docs: pytest -s
    assert 93 <= shares <= 97
    assert 93 <= ratings <= 97
    assert wrong <= 5
    assert order >= 80


@pytest.mark.release
@pytest.mark.parametrize(("field", "deals", "together"), [(EQUAL, 50, False), (EQUAL, 50, True), (EQUAL, 12, True), (EQUAL[:2], 50, False)])
def test_equal_bots_are_rarely_called_different(field: tuple[float, ...], deals: int, *, together: bool) -> None:
    """In 400 tournaments at most some 20 call any bot better: five of 100, with a margin for 400."""
    claims = claim_rate(400, field, deals, together=together)
    print(f"{len(field)} equal, {deals} deals, {together=}: claims {claims:.1f}")  # noqa: T201 - the figures of the docs: pytest -s
    assert claims <= 7.2
