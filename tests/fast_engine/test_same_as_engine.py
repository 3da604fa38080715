"""Test that the fast engine equals the engine move for move: legal moves, states, the careful bot, and outcomes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from durak_widget import Game, Rules, fast_engine
from durak_widget.fast_engine.game_simulation import POLICIES, _simulate_in_python
from support.following import followed
from support.mixes import anything, seeds
from support.sizes import tried

pytestmark = pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
GAMES = tried(2, 700)
"""The number of games of each of 31 presets; before a release 21,700 in all."""


def test_whole_games_of_every_preset_are_equal():
    """With the rules of each preset, for every number of players that it allows."""
    for preset in Rules.presets():
        sizes = [players for players in range(2, 7) if allows_players(preset, players)]
        for seed in range(GAMES):
            assert followed(Rules.preset(preset, players=sizes[seed % len(sizes)]), seed)


def allows_players(preset: str, players: int) -> bool:
    """Does a preset allow this number of players?"""
    try:
        Rules.preset(preset, players=players)
    except ValueError:
        return False
    return True


@pytest.mark.slow
@given(anything, seeds)
def test_whole_games_of_any_mix_are_equal(rules, seed):
    """Under every mix of options, as far as the fast engine has room for the moves."""
    assert fast_engine.explain_unsupported_rules(rules) is None
    followed(rules, seed)


@given(anything, seeds)
def test_position_after_equals_the_position_of_the_game(rules, seed):
    """To the letter, with what everybody has seen and which positions may repeat."""
    game, rng = Game(rules, seed=seed), Random(seed)
    begun = game.copy()
    while game.actor is not None and game.ply < 40:
        assert fast_engine.legal_moves(game) == game.legal_moves()
        game.play(rng.choice(game.legal_moves()))
    if game.actor is not None:
        assert fast_engine.position_after(begun, game.moves) == game.position


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@given(anything, seeds)
def test_simulated_games_equal_those_in_python(policy, rules, seed):
    """Each count, and the digest."""
    made = fast_engine.simulate_games(rules, count=3, seed=seed, policy=policy)
    assert made == _simulate_in_python(rules, 3, seed, [POLICIES.index(policy)] * rules.players)
    assert made.count == sum(made.wins) + made.ties if rules.players == 2 else made.count == 3
