"""Test the schedule: all bots play equally often, every deal is played in every seating, and everything follows from the seed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from durak_widget.arena.schedule import Meeting, Schedule, build_schedule, list_seatings
from durak_widget.errors import BotError

NAMES = tuple("abcdefghij")


def example_schedule(count: int, sides: int = 2, **more: object) -> Schedule:
    """Return the schedule of a tournament of `count` bots."""
    options = {"system": "all", "games": 100, "match": 1, "seed": 1, "against": None, **more}
    return build_schedule(NAMES[:count], sides, **options)  # type: ignore[arg-type]


def all_meetings(order: Schedule) -> list[Meeting]:
    """Return all meetings, if points do not matter."""
    return [meeting for some_ in order.generate_meetings(list) for meeting in some_]


@given(count=some.integers(2, 10), sides=some.integers(2, 6), games=some.integers(1, 800), seed=some.integers(0, 99))
def test_all_bots_play_equally_often(count: int, sides: int, games: int, seed: int) -> None:
    """At least as many games as requested, in whole rounds; the numbers of deals differ by at most one."""
    order = example_schedule(count, sides, games=games, seed=seed)
    found = all_meetings(order)
    assert [meeting.number for meeting in found] == list(range(len(found)))
    assert order.games_planned == len(found) * order.games_per_deal >= games
    assert all(len(meeting.entrants) == sides and (len(set(meeting.entrants)) == min(sides, count)) for meeting in found)
    sat = Counter(who for meeting in found for who in meeting.entrants)
    assert max(sat.values()) - min(sat[who] for who in range(count)) <= (1 if sides <= count else len(found))
    assert len({meeting.deal_seed for meeting in found}) == len(found)


def test_all_pairs_meet_equally_often() -> None:
    """In nine rounds of ten bots each pair meets once, and in eighteen twice."""
    for rounds in (1, 2):
        met = Counter(frozenset(meeting.entrants) for meeting in all_meetings(example_schedule(10, games=90 * rounds)))
        assert set(met.values()) == {rounds}
        assert len(met) == 45


def test_larger_tables_balance_the_pairs() -> None:
    """The numbers of meetings of two pairs differ little, so that all bots can be compared."""
    for count, sides, games, apart in ((9, 3, 240, 2), (9, 3, 3000, 2), (10, 4, 2400, 4), (10, 5, 1000, 4)):
        met = Counter(
            frozenset(pair)
            for meeting in all_meetings(example_schedule(count, sides, games=games))
            for pair in combinations(meeting.entrants, 2)
        )
        assert len(met) == count * (count - 1) // 2
        assert max(met.values()) - min(met.values()) <= apart


def test_a_longer_tournament_begins_with_the_same_meetings() -> None:
    """So a tournament can be extended."""
    few, many = all_meetings(example_schedule(7, games=60)), all_meetings(example_schedule(7, games=200))
    assert many[: len(few)] == few


def test_deals_depend_on_names_and_seed() -> None:
    """The names of a pair decide its deals: with more bots in the tournament the same two play the same deals."""
    alone = {meeting.deal_seed for meeting in all_meetings(example_schedule(2, games=10))}
    assert alone == {f"1 'a', 'b' {number}" for number in range(1, 6)}
    beside = {meeting.deal_seed for meeting in all_meetings(example_schedule(5, games=100)) if "'a', 'b'" in meeting.deal_seed}
    assert beside == alone
    assert not alone & {meeting.deal_seed for meeting in all_meetings(example_schedule(2, games=10, seed=2))}


def test_in_a_ladder_all_play_against_one() -> None:
    """All play against one bot, equally often; with three at a table it has the two other sides."""
    for sides in (2, 3):
        found = all_meetings(example_schedule(4, sides, against="c", games=60))
        assert set(Counter(meeting.entrants[0] for meeting in found)) == {0, 1, 3}
        assert {meeting.entrants[1:] for meeting in found} == {(2,) * (sides - 1)}


def test_swiss_rounds_pair_equal_points_and_never_twice() -> None:
    """The first two in points meet if they have not met before; with an odd number each bot rests at most once."""
    order = example_schedule(9, system="swiss", games=200)
    points = [9.0, 8, 7, 6, 5, 4, 3, 2, 1]
    rounds = [[meeting.entrants for meeting in some_] for some_ in order.generate_meetings(lambda: points)]
    assert len(rounds) == order.round_count == 7
    pairs = [frozenset(who) for some_ in rounds for who in dict.fromkeys(some_)]
    assert len(pairs) == len(set(pairs)) == 28
    rested = Counter(who for some_ in rounds for who in set(range(9)) - {bot for pair in some_ for bot in pair})
    assert set(rested.values()) == {1}
    assert frozenset((0, 1)) in {frozenset(who) for who in rounds[0]}


@pytest.mark.parametrize(("count", "sides"), [(4, 3), (5, 3), (8, 3), (7, 4), (10, 4)])
def test_swiss_rounds_at_larger_tables_are_balanced(count: int, sides: int) -> None:
    """The numbers of rests differ by at most one, also for the last in points; neighbours in points do not meet each other only."""
    order = example_schedule(count, sides, system="swiss", games=300)
    rounds = [
        {meeting.entrants for meeting in some_} for some_ in order.generate_meetings(lambda: [float(-number) for number in range(count)])
    ]
    sat = Counter(bot for tables in rounds for who in tables for bot in who)
    assert max(sat.values()) - min(sat[number] for number in range(count)) <= 1
    assert len({frozenset(pair) for tables in rounds for who in tables for pair in combinations(who, 2)}) > count * (count - 1) / 4


def test_a_disqualified_bot_is_not_paired() -> None:
    """Its points are None."""
    for some_ in example_schedule(6, system="swiss", games=60).generate_meetings(lambda: [1.0, None, 0.5, 0.2, 0.1, 0.3]):
        assert 1 not in {who for meeting in some_ for who in meeting.entrants}


def test_seatings_are_balanced() -> None:
    """Every bot has every seat equally often, and every neighbour equally often on both sides."""
    for many, ways in ((2, 2), (3, 6), (4, 24), (5, 10), (6, 12)):
        found = list_seatings(range(many))
        assert len(found) == ways
        for chair in range(many):
            assert set(Counter(way[chair] for way in found).values()) == {ways // many}
        beside = Counter(pair for way in found for pair in pairwise((*way, way[0])))
        assert all(beside[pair] == beside[pair[::-1]] for pair in beside)


def test_invalid_schedule_options_are_refused() -> None:
    """One message each."""
    for options, wrong in (
        ({"system": "knockout"}, "'all', 'swiss', 'against'"),
        ({"system": "against"}, "ladder.*play against"),
        ({"system": "swiss", "against": "a"}, "leave.*system or against"),
        ({"games": 0}, "games .*0"),
        ({"games": True}, "games .*True"),
        ({"match": 0}, "match .*0"),
        ({"seed": 0.5}, r"seed .*0\.5"),
        ({"count": 2, "system": "swiss"}, "more.*table"),
    ):
        with pytest.raises(BotError, match=wrong):
            example_schedule(int(options.pop("count", 4)), **options)  # type: ignore[call-overload]
