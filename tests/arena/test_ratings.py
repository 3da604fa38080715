"""Test ratings, intervals, claims and ties computed from points, and cases without enough data."""

from __future__ import annotations

from itertools import combinations
from math import exp
from random import Random

import pytest

from durak_widget.arena import bradley_terry
from durak_widget.arena.ratings import DealResult, HeadToHeadScore, beta_quantile, compute_rating_history, rate_bots
from durak_widget.errors import DurakError


def random_deals(
    field: list[float], deals: int, *, seed: int = 1, together: bool = False, without: frozenset[int] = frozenset()
) -> list[DealResult]:
    """Return deals of two games, drawn with the strengths of the bots."""
    chance = Random(seed)

    def meet(i: int, j: int) -> tuple[int, int, float, float]:
        share = 1 / (1 + exp(field[j] - field[i]))
        return i, j, float(sum(chance.random() < share for _ in range(2))), 2

    pairs = [pair for pair in combinations(range(len(field)), 2) if not without & set(pair)]
    if together:
        return [tuple(meet(i, j) for i, j in pairs) for _ in range(deals)]
    return [(meet(*pair),) for _ in range(deals) for pair in pairs]


def test_the_better_bot_is_ranked_higher() -> None:
    """A much better bot is called better; ranks, order and groups agree."""
    standing = rate_bots(4, random_deals([1.0, -1.0, 0.0, 0.0], 60))
    assert standing.order[0] == 0
    assert standing.order[-1] == 1
    assert all(standing.is_better(0, other) for other in (1, 2, 3))
    assert not standing.is_better(2, 3)
    assert not standing.is_better(3, 2)
    assert set(standing.tie_groups) == {(0,), tuple(standing.order[1:3]), (1,)}
    first = standing.ratings[0]
    assert first is not None
    assert (first.rank, first.rank_low, first.rank_high) == (1, 1, 1)
    assert first.low < first.points < first.high
    assert first.games == 360
    for rating in standing.ratings:
        assert rating is not None
        assert rating.rank_low <= rating.rank <= rating.rank_high


@pytest.mark.slow
def test_a_rating_is_the_share_against_the_average_opponent() -> None:
    """A bot with a share of 3 to 1 has 75 against the other; with a third bot as strong as their average, it has less."""
    standing = rate_bots(2, [((0, 1, 1.5, 2),)] * 2000)
    assert [round(rating.points, 1) for rating in standing.ratings if rating] == [75.0, 25.0]
    three = rate_bots(3, [((0, 1, 1.5, 2),), ((0, 2, 1.268, 2),), ((1, 2, 0.732, 2),)] * 1000)
    assert [round(rating.points) for rating in three.ratings if rating] == [70, 30, 50]
    assert [round(rating.score, 6) for rating in standing.ratings if rating] == [75, 25]


def test_the_same_seed_gives_the_same_ratings() -> None:
    """Standings can be computed again from the deals."""
    units = random_deals([0.3, 0.0, -0.3], 20)
    assert rate_bots(3, units) == rate_bots(3, units)
    assert rate_bots(3, units).ratings != rate_bots(3, units, seed=2).ratings


def test_a_bot_that_won_everything_has_a_finite_rating() -> None:
    """Its interval is open to 100 after few equal deals, and it narrows with more."""
    for deals in (2, 3, 5, 20):
        standing = rate_bots(3, [((0, 1, 2.0, 2), (0, 2, 2.0, 2), (1, 2, 2.0, 2))] * deals)
        first, share = standing.ratings[0], standing.share(0, 1)
        assert first is not None
        assert share is not None
        assert 50 < first.points < 100
        assert first.low < first.points - 1
        assert (share.mean, share.high) == (100, 100)
        assert share.low < 100 - 40 / deals
        assert standing.is_better(0, 2) == (deals > 2)


def test_after_three_won_deals_no_bot_is_better() -> None:
    """Of two equal bots, one wins all three deals in one of four such tournaments."""
    assert not rate_bots(2, [((0, 1, 2.0, 2),)] * 3).is_better(0, 1)
    assert rate_bots(2, [((0, 1, 2.0, 2),)] * 8).is_better(0, 1)


def test_fewer_than_two_deals_prove_nothing() -> None:
    """The interval is 0 to 100, no bot is better, and there is no estimate of the deals needed."""
    standing = rate_bots(2, [((0, 1, 2.0, 2),)])
    assert [(rating.low, rating.high) for rating in standing.ratings if rating] == [(0, 100), (0, 100)]
    assert not standing.is_better(0, 1)
    assert standing.estimate_deals_to_separate(0, 1) is None
    assert standing.estimate_deals_needed() > 300
    assert rate_bots(3, []).ratings == (None, None, None)
    assert rate_bots(3, []).estimate_deals_needed(1.0) > rate_bots(3, []).estimate_deals_needed(10.0) > 0


def test_a_bot_without_common_opponents_is_not_rated() -> None:
    """The largest group is rated, and bots outside it are not; their own results are still listed."""
    units = [*random_deals([0.5, 0.0, -0.5], 10), *[((3, 4, 1.0, 2),)] * 3]
    standing = rate_bots(6, units)
    assert [rating is None for rating in standing.ratings] == [False] * 3 + [True] * 3
    assert standing.unrated_groups == ((3, 4), (5,))
    assert standing.share(0, 3) is None
    assert standing.share(3, 4) is not None
    assert not standing.is_better(0, 3)
    assert standing.estimate_deals_to_separate(0, 3) is None


def test_shares_of_two_bots_add_up_to_100() -> None:
    """The intervals of the two are mirror images."""
    standing = rate_bots(2, random_deals([0.4, 0.0], 30))
    share, other = standing.share(0, 1), standing.share(1, 0)
    assert share is not None
    assert other is not None
    assert (share.mean + other.mean, share.low + other.high, share.half_width) == pytest.approx((100, 100, other.half_width))
    assert (share.deal_count, share.games_played) == (30, 60)


def test_too_many_points_are_accepted() -> None:
    """More points than the games allow do no harm."""
    standing = rate_bots(2, [((0, 1, 2.3, 2),), ((0, 1, 1.9, 2),), ((0, 1, 2.2, 2),)])
    share, first = standing.share(0, 1), standing.ratings[0]
    assert share is not None
    assert first is not None
    assert (share.mean, share.high) == (100, 100)
    assert 50 < first.points < 100


def test_a_narrower_interval_needs_more_deals() -> None:
    """The estimate is roughly right: after that many more deals the interval has the requested width."""
    field = [0.6, 0.0, -0.6]
    few = rate_bots(3, random_deals(field, 20))
    more = few.estimate_deals_needed(4.0)
    assert more > few.estimate_deals_needed(8.0) >= 0
    gives = [(rating.high - rating.low) / 2 for rating in rate_bots(3, random_deals(field, (60 + more) // 3, seed=2)).ratings if rating]
    assert 3.2 < max(gives) < 4.8
    assert rate_bots(3, random_deals(field, 400)).estimate_deals_needed(5.0) == 0


def test_deals_needed_to_separate_two_bots() -> None:
    """None if they look equal, 0 if they are separated, otherwise more for closer bots."""
    assert rate_bots(2, [((0, 1, 1.0, 2),)] * 20).estimate_deals_to_separate(0, 1) is None
    assert rate_bots(2, random_deals([1.5, 0.0], 60)).estimate_deals_to_separate(1, 0) == 0
    near, nearer = (rate_bots(2, [((0, 1, 2.0, 2),), ((0, 1, 0.0, 2),)] * 9 + [((0, 1, 2.0, 2),)] * more) for more in (4, 2))
    assert 0 < near.estimate_deals_to_separate(0, 1) < nearer.estimate_deals_to_separate(0, 1)


def test_a_rating_history_ends_with_the_standings() -> None:
    """The last stage has the ratings of all deals; a bot without games has none."""
    units = random_deals([0.5, 0.0, -0.5, 0.0], 12, without=frozenset({3}))
    units += [((2, 3, 1.0, 2),)] * 10
    stages = compute_rating_history(4, units, 5)
    standing = rate_bots(4, units)
    assert [stage.deal_count for stage in stages] == [9, 18, 27, 36, 46]
    assert stages[0].points[3] is None
    assert stages[-1].points == pytest.approx([rating.points for rating in standing.ratings if rating], abs=1e-5)
    assert compute_rating_history(2, []) == ()


def test_one_newton_step_approximates_a_new_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a new fit would take long, one Newton step gives almost the same."""
    units = random_deals([0.5, 0.2, 0.0, -0.2, -0.5], 60, together=True)
    slow = rate_bots(5, units)
    monkeypatch.setattr(bradley_terry, "MAX_REFITTED_RESULTS", 0)
    fast = rate_bots(5, units)
    for rating, other in zip(slow.ratings, fast.ratings, strict=True):
        assert rating is not None
        assert other is not None
        assert (rating.points, rating.low, rating.high) == pytest.approx((other.points, other.low, other.high), abs=0.8)


def test_a_large_field_has_accurate_ratings() -> None:
    """With more than ten bots the matrix of the first fit is used again; the ratings are still accurate."""
    field = [0.2 * (6 - who) for who in range(13)]
    standing = rate_bots(13, random_deals(field, 12))
    assert [rating.points for rating in standing.ratings if rating] == pytest.approx(
        [100 / (1 + exp(-strength)) for strength in field], abs=9
    )
    assert standing.is_better(0, 12)


def test_beta_quantiles_match_known_values() -> None:
    """In cases with a closed form."""
    for below, a, b, point in ((0.5, 1, 1, 0.5), (0.025, 1, 1, 0.025), (0.5, 40, 40, 0.5), (0.025, 2, 1, 0.025**0.5)):
        assert beta_quantile(below, a, b) == pytest.approx(point, abs=1e-9)


def test_a_share_has_the_jeffreys_interval() -> None:
    """Seven of ten deals won: Brown, Cai, DasGupta, *Interval estimation for a binomial proportion* (2001)."""
    share = HeadToHeadScore.from_deals([1.0] * 7 + [0.0] * 3, [1] * 10)
    assert (share.low, share.high) == pytest.approx((39.4, 90.7), abs=0.1)


def test_invalid_results_are_refused() -> None:
    """A bot against itself, points that are not numbers, an unknown bot number, a zero width."""
    for unit in ((1, 1, 1.0, 2), (1, 0, 1.0, 2), (0, 2, 1.0, 2), (0, 1, float("nan"), 2), (0, 1, 1.0, 0)):
        with pytest.raises(DurakError, match="deal 0"):
            rate_bots(2, [(unit,)])
    with pytest.raises(DurakError, match=r"bot_count .*0"):
        rate_bots(0, [])
    standing = rate_bots(2, random_deals([0.0, 0.0], 5))
    with pytest.raises(DurakError, match="numbered"):
        standing.is_better(0, 2)
    with pytest.raises(DurakError, match=r"points .*0"):
        standing.estimate_deals_needed(0)
