"""Worlds look to the seat like the real game, under every preset and by every number of players; and they tell no more than the seat knows."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from durak_widget import Card, Game, PositionError, Rules, analysis

if TYPE_CHECKING:
    from fractions import Fraction


def sized(name: str) -> list[Rules]:
    """A preset for every number of players that it allows."""
    seats = {"econ431": [2], "teams": [4], "teams_of_two": [6], "teams_of_three": [6], "changeable_trump": [2, 3, 4, 5]}.get(
        name, range(2, 7)
    )
    return [Rules.preset(name, players=players) for players in seats]


def stopped(rules: Rules, rng: Random) -> Game:
    """A game of random moves, stopped anywhere; cards are swapped once in a while."""
    game = Game(rules, seed=rng.getrandbits(32))
    for _ in range(rng.randrange(120)):
        if game.actor is None:
            break
        moves = game.legal_moves()
        usual = [move for move in moves if move.verb != "swap"]
        game.play(rng.choice(usual if rng.random() < 0.9 else moves))
    return game


@pytest.mark.parametrize("name", sorted(Rules.presets()))
@pytest.mark.sample(8)
def test_every_world_looks_like_the_real_one(name: str) -> None:
    """The view of a world drawn is equal to the real one, wherever a game stands; and so is the hand of a state drawn."""
    rng = Random(name)
    for rules in sized(name):
        for _ in range(3):
            game = stopped(rules, rng)
            seat = rng.randrange(game.seats)
            view = game.view(seat)
            some = analysis.worlds(view)
            for _ in range(3):
                assert some.sample(rng).view(seat) == view
            state = some.sample_state(rng)
            assert (state.hands[seat].bit_count(), len(state.talon)) == (view.counts[seat], view.talon_count)
            assert state.ply == view.ply


def test_hidden_cards_dealt_anew_change_no_answer() -> None:
    """Another world is asked as if it were the real one: the answers are equal, so they tell nothing that the seat does not know."""
    for name in ("podkidnoy", "perevodnoy", "econ431", "changeable_trump", "two_decks"):
        rng, counted = Random(name), 0

        def asked(worlds: analysis.Worlds, place: int | None, card: Card) -> Fraction | None:
            try:
                return worlds.chance(place, card)
            except PositionError:  # with two decks, late in a game, it may be too much to count: for both
                return None

        for rules in sized(name)[:3]:
            game = stopped(rules, rng)
            seat = rng.randrange(game.seats)
            some = analysis.worlds(game.view(seat))
            other = analysis.worlds(some.sample(rng).view(seat))
            assert some.count() == other.count()
            for card in map(Card, ("9c", "Kd", "Ah")):
                for place in (*range(game.seats), None):
                    assert asked(some, place, card) == asked(other, place, card)
                    counted += asked(some, place, card) is not None
            assert str(some.sample(Random(5))) == str(other.sample(Random(5)))
        assert counted >= 9


def test_who_was_not_asked_holds_no_such_card() -> None:
    """A seat that could have thrown in and was not asked is certain to hold none; who passed held one."""
    game = Game.from_position(hands=["6c 7c 8c", "9c Td Jd", "6d Qd Kd"], rules="podkidnoy, players=3", talon="Ac Ad", trump="h")
    game.play("attack 6c")
    game.play("beat 6c 9c")
    some = analysis.worlds(game.view(0))
    assert game.actor == 2
    assert some.chance_to_beat(2, "8c") < 1
    assert 1 - some.chance(2, "6d") < 1
    game.play("pass")
    assert analysis.worlds(game.view(0)).chance(2, "6s") > analysis.worlds(game.view(0)).chance(2, "Ks")
