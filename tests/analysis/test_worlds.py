"""Test possible worlds against every deal of a small deck on which the same moves are played."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from every_deal import random_game, world_key, worlds

from durak_widget import Card, Game, Observation, PositionError, Rules, analysis

SMALL = [
    Rules(ranks="6789", suits="cd", hand_size=2),
    Rules(ranks="6789", suits="cd", hand_size=2, turn_up="top", throw_in_when="any_time"),
    Rules(ranks="678", suits="cdh", hand_size=2, trump="c", attack_limit=2),
    Rules(players=3, ranks="6789", suits="cd", hand_size=2, transfer=True),
    Rules(
        players=3,
        ranks="678",
        suits="cdh",
        hand_size=2,
        out_when="at_once",
        goal="first_out",
        pass_lasts="bout",  # noqa: S106 - a pass, not a password
        priority="last_thrower",
    ),
    Rules(ranks="6789", suits="cd", hand_size=2, hidden_trump=True),
    Rules(ranks="6789", suits="cd", hand_size=2, turn_up="aside", opening="same_rank"),
    Rules(ranks="678", suits="cdh", deal="all_but_one", transfer=True, passport=True),
    Rules(ranks="678", suits="cd", deal="all_but_one", trump="c"),
    Rules(players=4, ranks="678", suits="cdh", hand_size=2, teams="2v2"),
    Rules(ranks="6789", suits="cd", hand_size=2, weli="sixes"),
]
SWAPPING = [
    Rules(ranks="678", suits="cd", hand_size=2, swaps=2),
    Rules(ranks="6789", suits="cd", hand_size=2, swaps=1),
    Rules(players=3, ranks="6789", suits="cd", hand_size=2, swaps=1),
]
CARDS = [Card(rank + suit) for suit in "cdh" for rank in "6789"]


def random_positions(rules: Rules, count: int) -> list[tuple[Game, int]]:
    """Yield games stopped at random, each with a seat."""
    rng = Random(str(rules))
    games = [random_game(rules, rng, rng.randrange(14)) for _ in range(count)]
    return [(game, rng.randrange(game.seats)) for game in games]


def share_with_cards(
    keys: Counter[tuple[tuple[str, ...], tuple[str, ...]]], seat: int | None, cards: set[str], *, by_deal: bool
) -> Fraction:
    """Return how often one of some cards is in a place."""
    weigh = {world: many if by_deal else 1 for world, many in keys.items()}
    there = sum(weight for (hands, talon), weight in weigh.items() if cards & set(talon if seat is None else hands[seat].split()))
    return Fraction(there, sum(weigh.values()))


@pytest.mark.parametrize("rules", [*SMALL, *SWAPPING], ids=str)
@pytest.mark.sample(3)
def test_worlds_equal_those_of_every_deal(rules: Rules) -> None:
    """All are listed once, counted, and weighted, as worlds and as deals; and each looks to the seat like the real one."""
    for game, seat in random_positions(rules, 2 if len(rules.suits) > 2 else 6):
        view = game.view(seat)
        found = Counter(map(world_key, worlds(game, view)))
        assert world_key(game) in found
        some = analysis.worlds(view)
        listed = list(some.all())
        assert all(world.view(seat) == view for world in listed)
        assert sorted(map(world_key, listed)) == sorted(found)
        assert some.count() == len(found)
        every = [some]
        if None not in view.data.moves:
            deals = analysis.worlds(view, each="deal")
            assert Counter(map(world_key, deals.all())) == found
            assert deals.count() == found.total()
            every.append(deals)
        for place in (*range(game.seats), None):
            for worlds_or_deals in every:
                by_deal = worlds_or_deals.each == "deal"
                for card in CARDS:
                    assert worlds_or_deals.chance(place, card) == share_with_cards(found, place, {str(card)}, by_deal=by_deal)
                beaters = set(map(str, view.beaters("7c")))
                assert worlds_or_deals.chance_to_beat(place, "7c") == share_with_cards(found, place, beaters, by_deal=by_deal)


@pytest.mark.release
def test_a_world_and_a_deal_can_have_different_weights() -> None:
    """A card that a seat can have from one draw only has fewer deals, although its world is one among others."""
    rules = Rules(ranks="6789", suits="cd", hand_size=2, trump="d", first_attacker="left_of_dealer")
    differ = 0
    for game, seat in random_positions(rules, 40):
        if not game.view(seat).data.outcome:
            found = Counter(map(world_key, worlds(game, game.view(seat))))
            differ += len(set(found.values())) > 1
            by_world, by_deal = analysis.worlds(game.view(seat)), analysis.worlds(game.view(seat), each="deal")
            same = all(by_world.chance(1 - seat, card) == by_deal.chance(1 - seat, card) for card in CARDS)
            assert same or len(set(found.values())) > 1
    assert differ > 0


TWO_DECKS = [Rules(ranks="67", suits="cd", decks=2, hand_size=2), Rules(ranks="678", suits="c", decks=2, hand_size=1, trump="c")]


def chi_square_limit(degrees: int) -> float:
    """Return the chi-square value that is exceeded once in a million, by Wilson and Hilferty."""
    step = 2 / (9 * degrees)
    return float(degrees * (1 - step + 4.753 * step**0.5) ** 3)


def copy_weight(world: tuple[tuple[str, ...], tuple[str, ...]], view: Observation) -> int:
    """Return the weight of a world with two decks: it doubles for each unseen card whose two copies are in different places."""
    hands, _ = world
    unseen = Counter(map(str, view.memory.unseen)) if view.memory else Counter()
    together = {card for hand in hands for card, copies in Counter(hand.split()).items() if copies == 2}
    return 2 ** sum(copies == 2 and card not in together for card, copies in unseen.items())


@pytest.mark.parametrize("each", ["world", "deal"])
@pytest.mark.parametrize("rules", [*SMALL[:2], SMALL[3], SMALL[4], SMALL[6], SMALL[8], *SWAPPING, *TWO_DECKS], ids=str)
@pytest.mark.sample(12)
def test_sampling_is_uniform(rules: Rules, each: analysis.possible.Each) -> None:
    """Sampled worlds are distributed as in the list of every deal, in several positions, by a chi-square test at one in a million."""
    tried = 0
    for game, seat in random_positions(rules, 60):
        view = game.view(seat)
        if each == "deal" and None in view.data.moves:
            continue
        some = analysis.worlds(view, each=each)
        if not 3 <= analysis.worlds(view).count() <= 24:
            continue
        found = Counter(map(world_key, worlds(game, view)))
        tried += 1
        weigh = {world: many if each == "deal" else copy_weight(world, view) for world, many in found.items()}
        draws, rng = 30 * len(found), Random(tried)
        seen = Counter(world_key(some.sample(rng)) for _ in range(draws))
        assert seen.keys() <= found.keys()
        expected = {world: draws * weight / sum(weigh.values()) for world, weight in weigh.items()}
        square = sum((seen[world] - much) ** 2 / much for world, much in expected.items())
        assert square < chi_square_limit(len(found) - 1), game.position
        if tried == 3:
            break
    assert tried == 3


def test_worlds_need_a_view_with_memory() -> None:
    """Other types, a covered view and one without memory are refused, each with a fix."""
    game = Game(seed=7)
    for wrong, says in (
        (game, "use game.view"),
        (game.view(0).without_hand(), "before `without_hand"),
        (game.view(0, memory=False), "which has its memory"),
    ):
        with pytest.raises(PositionError, match=says):
            analysis.worlds(wrong)  # type: ignore[arg-type]
    some = analysis.worlds(game.view(0))
    with pytest.raises(PositionError, match=r"there are .* worlds, more than 100000"):
        some.all()
    for seat in (2, -1, "nowhere"):
        with pytest.raises(PositionError, match="seat"):
            some.chance(seat, "6c")
    with pytest.raises(PositionError, match="'world' or 'deal'"):
        analysis.worlds(game.view(0), each="hand")  # type: ignore[arg-type]
    with pytest.raises(PositionError, match="is not an assumption"):
        analysis.worlds(game.view(0), assumptions="maybe")


def test_with_two_players_and_no_talon_there_is_one_world() -> None:
    """All unseen cards are in the other hand."""
    game = Game.from_position("econ431", hands=["9c Tc", "Jc Qc"], discard="9d Td Jd Qd Kd Ad 9h Th Jh Qh Kh Ah 9s Ts Js Qs Ks As Kc Ac")
    some = analysis.worlds(game.view(0))
    assert (some.count(), some.chance(1, "Jc"), some.chance_to_beat(1, "Tc")) == (1, 1, 1)


def test_assumptions_are_optional() -> None:
    """A player who took probably could not beat; this counts only if the caller asks for it."""
    game = Game.from_position(hands=["6c 7c", "8d 9d"], talon="Tc Jc Qc Kc", trump="h")
    game.play("attack 6c")
    game.play("take")
    certain, with_assumption = analysis.worlds(game.view(0)), analysis.worlds(game.view(0), assumptions="took")
    assert certain.chance(1, "9c") > with_assumption.chance(1, "9c")
    assert 0 < with_assumption.count() < certain.count()
