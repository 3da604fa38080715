"""The kernel is the engine, move for move: every list of legal moves, every state, what the careful bot plays, and how games end."""

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
"""So many games of each preset: 31 times that, before a release 21,700."""


def test_whole_games_of_every_preset():
    """Under the rules of each name, for as many players as may play it."""
    for preset in Rules.presets():
        sizes = [players for players in range(2, 7) if fits(preset, players)]
        for seed in range(GAMES):
            assert followed(Rules.preset(preset, players=sizes[seed % len(sizes)]), seed)


def fits(preset: str, players: int) -> bool:
    """Whether so many can play it."""
    try:
        Rules.preset(preset, players=players)
    except ValueError:
        return False
    return True


@pytest.mark.slow
@given(anything, seeds)
def test_whole_games_of_any_mix(rules, seed):
    """Under every mix of all options, as far as the kernel has room for what may come up."""
    assert fast_engine.explain_unsupported_rules(rules) is None
    followed(rules, seed)


@given(anything, seeds)
def test_where_moves_lead_is_told_as_by_the_game(rules, seed):
    """To the letter, what everybody has seen and what may come again too."""
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
def test_many_games_are_the_same_by_the_kernel_and_the_plain_way(policy, rules, seed):
    """Each count, and the digest."""
    made = fast_engine.simulate_games(rules, count=3, seed=seed, policy=policy)
    assert made == _simulate_in_python(rules, 3, seed, [POLICIES.index(policy)] * rules.players)
    assert made.count == sum(made.wins) + made.ties if rules.players == 2 else made.count == 3
