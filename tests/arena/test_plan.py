"""Who meets whom: everybody as often as everybody else, every deal in every seating, and all of it from the seed alone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from durak_widget.arena.schedule import Meeting, Schedule, build_schedule, list_seatings
from durak_widget.errors import BotError

NAMES = tuple("abcdefghij")


def laid(count: int, sides: int = 2, **more: object) -> Schedule:
    """A tournament of so many."""
    said = {"system": "all", "games": 100, "match": 1, "seed": 1, "against": None, **more}
    return build_schedule(NAMES[:count], sides, **said)  # type: ignore[arg-type]


def meetings(order: Schedule) -> list[Meeting]:
    """All of them, where nobody's points matter."""
    return [meeting for some_ in order.generate_meetings(list) for meeting in some_]


@given(count=some.integers(2, 10), sides=some.integers(2, 6), games=some.integers(1, 800), seed=some.integers(0, 99))
def test_everybody_plays_alike(count: int, sides: int, games: int, seed: int) -> None:
    """At least as many games as are asked for, whole rounds of them; nobody plays more than one deal more than anybody else."""
    order = laid(count, sides, games=games, seed=seed)
    found = meetings(order)
    assert [one.number for one in found] == list(range(len(found)))
    assert order.games_planned == len(found) * order.games_per_deal >= games
    assert all(len(one.entrants) == sides and (len(set(one.entrants)) == min(sides, count)) for one in found)
    sat = Counter(who for one in found for who in one.entrants)
    assert max(sat.values()) - min(sat[who] for who in range(count)) <= (1 if sides <= count else len(found))
    assert len({one.deal_seed for one in found}) == len(found)


def test_each_meets_each() -> None:
    """In nine rounds of ten each pair meets once, and in eighteen twice."""
    for rounds in (1, 2):
        met = Counter(frozenset(one.entrants) for one in meetings(laid(10, games=90 * rounds)))
        assert set(met.values()) == {rounds}
        assert len(met) == 45


def test_at_larger_tables_each_meets_each_as_nearly_as_often() -> None:
    """Nobody meets one much more often than another, who all may be measured by one another then."""
    for count, sides, games, apart in ((9, 3, 240, 2), (9, 3, 3000, 2), (10, 4, 2400, 4), (10, 5, 1000, 4)):
        met = Counter(frozenset(pair) for one in meetings(laid(count, sides, games=games)) for pair in combinations(one.entrants, 2))
        assert len(met) == count * (count - 1) // 2
        assert max(met.values()) - min(met.values()) <= apart


def test_more_games_begin_with_the_same() -> None:
    """So that a tournament can be made longer."""
    few, many = meetings(laid(7, games=60)), meetings(laid(7, games=200))
    assert many[: len(few)] == few


def test_the_cards_hang_on_the_names_and_the_seed() -> None:
    """Who meets over the same deal is said by their names: with somebody more in the tournament the same two play the same deals."""
    alone = {one.deal_seed for one in meetings(laid(2, games=10))}
    assert alone == {f"1 'a', 'b' {number}" for number in range(1, 6)}
    beside = {one.deal_seed for one in meetings(laid(5, games=100)) if "'a', 'b'" in one.deal_seed}
    assert beside == alone
    assert not alone & {one.deal_seed for one in meetings(laid(2, games=10, seed=2))}


def test_a_ladder_is_climbed_by_each() -> None:
    """All play against one, as often; with three at a table it holds the two other sides."""
    for sides in (2, 3):
        found = meetings(laid(4, sides, against="c", games=60))
        assert set(Counter(one.entrants[0] for one in found)) == {0, 1, 3}
        assert {one.entrants[1:] for one in found} == {(2,) * (sides - 1)}


def test_swiss_rounds_pair_who_stand_alike_and_never_twice() -> None:
    """The first two in points play one another, if they have not; in an odd number each rests at most once."""
    order = laid(9, system="swiss", games=200)
    points = [9.0, 8, 7, 6, 5, 4, 3, 2, 1]
    rounds = [[one.entrants for one in some_] for some_ in order.generate_meetings(lambda: points)]
    assert len(rounds) == order.round_count == 7
    pairs = [frozenset(who) for some_ in rounds for who in dict.fromkeys(some_)]
    assert len(pairs) == len(set(pairs)) == 28
    rested = Counter(who for some_ in rounds for who in set(range(9)) - {one for pair in some_ for one in pair})
    assert set(rested.values()) == {1}
    assert frozenset((0, 1)) in {frozenset(who) for who in rounds[0]}


@pytest.mark.parametrize(("count", "sides"), [(4, 3), (5, 3), (8, 3), (7, 4), (10, 4)])
def test_at_larger_tables_too_all_rest_alike_and_meet_others(count: int, sides: int) -> None:
    """Nobody rests twice more than anybody else, also who stands last; and who stand beside one another in every round do not only meet one another."""
    order = laid(count, sides, system="swiss", games=300)
    rounds = [{one.entrants for one in some_} for some_ in order.generate_meetings(lambda: [float(-one) for one in range(count)])]
    sat = Counter(one for tables in rounds for who in tables for one in who)
    assert max(sat.values()) - min(sat[one] for one in range(count)) <= 1
    assert len({frozenset(pair) for tables in rounds for who in tables for pair in combinations(who, 2)}) > count * (count - 1) / 4


def test_who_is_out_is_paired_no_more() -> None:
    """None stands for them among the points."""
    for some_ in laid(6, system="swiss", games=60).generate_meetings(lambda: [1.0, None, 0.5, 0.2, 0.1, 0.3]):
        assert 1 not in {who for one in some_ for who in one.entrants}


def test_every_seating() -> None:
    """Everybody sits everywhere as often as everybody else, and beside everybody on both hands as the order has it."""
    for many, ways in ((2, 2), (3, 6), (4, 24), (5, 10), (6, 12)):
        found = list_seatings(range(many))
        assert len(found) == ways
        for chair in range(many):
            assert set(Counter(way[chair] for way in found).values()) == {ways // many}
        beside = Counter(pair for way in found for pair in pairwise((*way, way[0])))
        assert all(beside[pair] == beside[pair[::-1]] for pair in beside)


def test_what_cannot_be_is_refused() -> None:
    """In a sentence."""
    for said, wrong in (
        ({"system": "knockout"}, "none of: 'all', 'swiss', 'against'"),
        ({"system": "against"}, "a ladder names whom all play against"),
        ({"system": "swiss", "against": "a"}, "leave system or against out"),
        ({"games": 0}, "games=0 is how many games"),
        ({"games": True}, "games=True"),
        ({"match": 0}, "match=0"),
        ({"seed": 0.5}, "seed=0.5"),
        ({"count": 2, "system": "swiss"}, "more take part than sit at one table"),
    ):
        with pytest.raises(BotError, match=wrong):
            laid(int(said.pop("count", 4)), **said)  # type: ignore[call-overload]
