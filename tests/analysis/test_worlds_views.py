"""Test that worlds look to a seat like the real game, under every preset, and reveal nothing more than the seat knows."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from durak_widget import Card, Game, PositionError, Rules, analysis

if TYPE_CHECKING:
    from fractions import Fraction


def all_sizes(name: str) -> list[Rules]:
    """Return a preset for every number of players that it allows."""
    seats = {"econ431": [2], "teams": [4], "teams_of_two": [6], "teams_of_three": [6], "changeable_trump": [2, 3, 4, 5]}.get(
        name, range(2, 7)
    )
    return [Rules.preset(name, players=players) for players in seats]


def random_game(rules: Rules, rng: Random) -> Game:
    """Return a game of random moves, stopped anywhere; cards are swapped occasionally."""
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
def test_every_sampled_world_has_the_same_view(name: str) -> None:
    """The view of a sampled world equals the real one at any moment; a sampled state has hands and talon of the right size."""
    rng = Random(name)
    for rules in all_sizes(name):
        for _ in range(3):
            game = random_game(rules, rng)
            seat = rng.randrange(game.seats)
            view = game.view(seat)
            some = analysis.worlds(view)
            for _ in range(3):
                assert some.sample(rng).view(seat) == view
            state = some.sample_state(rng)
            assert (state.hands[seat].bit_count(), len(state.talon)) == (view.counts[seat], view.talon_count)
            assert state.ply == view.ply


def test_worlds_do_not_depend_on_hidden_cards() -> None:
    """Worlds computed from a sampled world give equal answers, so they reveal nothing that the seat does not know."""
    for name in ("podkidnoy", "perevodnoy", "econ431", "changeable_trump", "two_decks"):
        rng, counted = Random(name), 0

        def chance_or_none(worlds: analysis.Worlds, place: int | None, card: Card) -> Fraction | None:
            try:
                return worlds.chance(place, card)
            except PositionError:  # with two decks there may be too many to count, in both
                return None

        for rules in all_sizes(name)[:3]:
            game = random_game(rules, rng)
            seat = rng.randrange(game.seats)
            some = analysis.worlds(game.view(seat))
            other = analysis.worlds(some.sample(rng).view(seat))
            assert some.count() == other.count()
            for card in map(Card, ("9c", "Kd", "Ah")):
                for place in (*range(game.seats), None):
                    assert chance_or_none(some, place, card) == chance_or_none(other, place, card)
                    counted += chance_or_none(some, place, card) is not None
            assert str(some.sample(Random(5))) == str(other.sample(Random(5)))
        assert counted >= 9


def test_a_skipped_thrower_has_no_matching_card() -> None:
    """A seat that could have thrown in but got no turn certainly has no such card; a seat that passed had one."""
    game = Game.from_position(hands=["6c 7c 8c", "9c Td Jd", "6d Qd Kd"], rules="podkidnoy, players=3", talon="Ac Ad", trump="h")
    game.play("attack 6c")
    game.play("beat 6c 9c")
    some = analysis.worlds(game.view(0))
    assert game.actor == 2
    assert some.chance_to_beat(2, "8c") < 1
    assert 1 - some.chance(2, "6d") < 1
    game.play("pass")
    assert analysis.worlds(game.view(0)).chance(2, "6s") > analysis.worlds(game.view(0)).chance(2, "Ks")
