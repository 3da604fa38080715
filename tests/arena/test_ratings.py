"""What a tournament says, from points alone: ratings, intervals, claims, ties, and where nothing can be said."""

from __future__ import annotations

from itertools import combinations
from math import exp
from random import Random

import pytest

from durak_widget.arena import bradley_terry
from durak_widget.arena.ratings import DealResult, HeadToHeadScore, beta_quantile, compute_rating_history, rate_bots
from durak_widget.errors import DurakError


def drawn(
    field: list[float], deals: int, *, seed: int = 1, together: bool = False, without: frozenset[int] = frozenset()
) -> list[DealResult]:
    """Deals of two games, by strengths."""
    chance = Random(seed)

    def meet(i: int, j: int) -> tuple[int, int, float, float]:
        share = 1 / (1 + exp(field[j] - field[i]))
        return i, j, float(sum(chance.random() < share for _ in range(2))), 2

    pairs = [pair for pair in combinations(range(len(field)), 2) if not without & set(pair)]
    if together:
        return [tuple(meet(i, j) for i, j in pairs) for _ in range(deals)]
    return [(meet(*pair),) for _ in range(deals) for pair in pairs]


def test_the_better_stands_above_the_weaker() -> None:
    """Who is much better is said to be; ranks, order and groups say one thing."""
    standing = rate_bots(4, drawn([1.0, -1.0, 0.0, 0.0], 60))
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
def test_a_rating_is_the_share_against_the_average_of_the_others() -> None:
    """Of two who share points as 3 to 1 one has 75 against the other; beside a third who is as strong as the average of them, it has less."""
    standing = rate_bots(2, [((0, 1, 1.5, 2),)] * 2000)
    assert [round(rating.points, 1) for rating in standing.ratings if rating] == [75.0, 25.0]
    three = rate_bots(3, [((0, 1, 1.5, 2),), ((0, 2, 1.268, 2),), ((1, 2, 0.732, 2),)] * 1000)
    assert [round(rating.points) for rating in three.ratings if rating] == [70, 30, 50]
    assert [round(rating.score, 6) for rating in standing.ratings if rating] == [75, 25]


def test_the_same_seed_says_the_same() -> None:
    """A standing can be told again from the deals."""
    units = drawn([0.3, 0.0, -0.3], 20)
    assert rate_bots(3, units) == rate_bots(3, units)
    assert rate_bots(3, units).ratings != rate_bots(3, units, seed=2).ratings


def test_who_won_everything_has_a_finite_rating_and_an_open_interval() -> None:
    """No interval is closed after few deals that went alike; it narrows with more."""
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


def test_after_three_deals_won_by_one_nobody_is_better() -> None:
    """Of two equal ones, one wins three deals whole in one of four such tournaments."""
    assert not rate_bots(2, [((0, 1, 2.0, 2),)] * 3).is_better(0, 1)
    assert rate_bots(2, [((0, 1, 2.0, 2),)] * 8).is_better(0, 1)


def test_less_than_two_deals_say_nothing() -> None:
    """All is possible; nobody is better, and there is no saying how many deals would tell two apart."""
    standing = rate_bots(2, [((0, 1, 2.0, 2),)])
    assert [(rating.low, rating.high) for rating in standing.ratings if rating] == [(0, 100), (0, 100)]
    assert not standing.is_better(0, 1)
    assert standing.estimate_deals_to_separate(0, 1) is None
    assert standing.estimate_deals_needed() > 300
    assert rate_bots(3, []).ratings == (None, None, None)
    assert rate_bots(3, []).estimate_deals_needed(1.0) > rate_bots(3, []).estimate_deals_needed(10.0) > 0


def test_who_cannot_be_compared_is_not_rated() -> None:
    """The largest group is rated, whoever met others only, or nobody, is not; what they did among themselves is told."""
    units = [*drawn([0.5, 0.0, -0.5], 10), *[((3, 4, 1.0, 2),)] * 3]
    standing = rate_bots(6, units)
    assert [rating is None for rating in standing.ratings] == [False] * 3 + [True] * 3
    assert standing.unrated_groups == ((3, 4), (5,))
    assert standing.share(0, 3) is None
    assert standing.share(3, 4) is not None
    assert not standing.is_better(0, 3)
    assert standing.estimate_deals_to_separate(0, 3) is None


def test_shares_are_told_from_either_side() -> None:
    """What one has, the other has not."""
    standing = rate_bots(2, drawn([0.4, 0.0], 30))
    one, other = standing.share(0, 1), standing.share(1, 0)
    assert one is not None
    assert other is not None
    assert (one.mean + other.mean, one.low + other.high, one.half_width) == pytest.approx((100, 100, other.half_width))
    assert (one.deal_count, one.games_played) == (30, 60)


def test_points_may_be_more_than_all() -> None:
    """Points beyond what there is to win are no harm."""
    standing = rate_bots(2, [((0, 1, 2.3, 2),), ((0, 1, 1.9, 2),), ((0, 1, 2.2, 2),)])
    share, first = standing.share(0, 1), standing.ratings[0]
    assert share is not None
    assert first is not None
    assert (share.mean, share.high) == (100, 100)
    assert 50 < first.points < 100


def test_more_deals_are_needed_for_less_doubt() -> None:
    """A promise of how many more deals it takes is kept, roughly: twenty times as many and the interval is as narrow as asked for."""
    field = [0.6, 0.0, -0.6]
    few = rate_bots(3, drawn(field, 20))
    more = few.estimate_deals_needed(4.0)
    assert more > few.estimate_deals_needed(8.0) >= 0
    gives = [(rating.high - rating.low) / 2 for rating in rate_bots(3, drawn(field, (60 + more) // 3, seed=2)).ratings if rating]
    assert 3.2 < max(gives) < 4.8
    assert rate_bots(3, drawn(field, 400)).estimate_deals_needed(5.0) == 0


def test_how_many_deals_tell_two_apart() -> None:
    """None where they look equal, 0 where they are told apart, else a number that grows as they are nearer."""
    assert rate_bots(2, [((0, 1, 1.0, 2),)] * 20).estimate_deals_to_separate(0, 1) is None
    assert rate_bots(2, drawn([1.5, 0.0], 60)).estimate_deals_to_separate(1, 0) == 0
    near, nearer = (rate_bots(2, [((0, 1, 2.0, 2),), ((0, 1, 0.0, 2),)] * 9 + [((0, 1, 2.0, 2),)] * more) for more in (4, 2))
    assert 0 < near.estimate_deals_to_separate(0, 1) < nearer.estimate_deals_to_separate(0, 1)


def test_a_course_ends_where_the_standing_is() -> None:
    """The last stage has the ratings of all deals; before somebody played there is none."""
    units = drawn([0.5, 0.0, -0.5, 0.0], 12, without=frozenset({3}))
    units += [((2, 3, 1.0, 2),)] * 10
    stages = compute_rating_history(4, units, 5)
    standing = rate_bots(4, units)
    assert [stage.deal_count for stage in stages] == [9, 18, 27, 36, 46]
    assert stages[0].points[3] is None
    assert stages[-1].points == pytest.approx([rating.points for rating in standing.ratings if rating], abs=1e-5)
    assert compute_rating_history(2, []) == ()


def test_many_results_are_moved_by_one_step_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where fitting anew would take long, one step of Newton says nearly the same."""
    units = drawn([0.5, 0.2, 0.0, -0.2, -0.5], 60, together=True)
    slow = rate_bots(5, units)
    monkeypatch.setattr(bradley_terry, "MAX_REFITTED_RESULTS", 0)
    fast = rate_bots(5, units)
    for one, other in zip(slow.ratings, fast.ratings, strict=True):
        assert one is not None
        assert other is not None
        assert (one.points, one.low, one.high) == pytest.approx((other.points, other.low, other.high), abs=0.8)


def test_a_large_field_is_fitted_as_a_small_one() -> None:
    """Among more than ten the matrix of the first fit is used again; what comes out fits all the same."""
    field = [0.2 * (6 - who) for who in range(13)]
    standing = rate_bots(13, drawn(field, 12))
    assert [rating.points for rating in standing.ratings if rating] == pytest.approx([100 / (1 + exp(-one)) for one in field], abs=9)
    assert standing.is_better(0, 12)


def test_points_of_beta_distributions_are_known() -> None:
    """Where they are known in closed form."""
    for below, a, b, point in ((0.5, 1, 1, 0.5), (0.025, 1, 1, 0.025), (0.5, 40, 40, 0.5), (0.025, 2, 1, 0.025**0.5)):
        assert beta_quantile(below, a, b) == pytest.approx(point, abs=1e-9)


def test_a_share_of_whole_deals_has_the_interval_of_jeffreys() -> None:
    """Of ten deals seven won: Brown, Cai, DasGupta, *Interval estimation for a binomial proportion* (2001)."""
    share = HeadToHeadScore.from_deals([1.0] * 7 + [0.0] * 3, [1] * 10)
    assert (share.low, share.high) == pytest.approx((39.4, 90.7), abs=0.1)


def test_what_cannot_be_is_refused() -> None:
    """Who plays against itself, points that are no number, nobody by that number, no width."""
    for unit in ((1, 1, 1.0, 2), (1, 0, 1.0, 2), (0, 2, 1.0, 2), (0, 1, float("nan"), 2), (0, 1, 1.0, 0)):
        with pytest.raises(DurakError, match="deal 0 says"):
            rate_bots(2, [(unit,)])
    with pytest.raises(DurakError, match="count=0"):
        rate_bots(0, [])
    standing = rate_bots(2, drawn([0.0, 0.0], 5))
    with pytest.raises(DurakError, match="nobody numbered 2"):
        standing.is_better(0, 2)
    with pytest.raises(DurakError, match="points=0 is not a width"):
        standing.estimate_deals_needed(0)
