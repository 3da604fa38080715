"""Test that a policy on a state chooses the move that its bot chooses from a view."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings

from durak_widget import Game, Rules
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.engine import state_transitions
from durak_widget.fast_engine.game_simulation import choose_careful_move
from support.mixes import anything, seeds
from support.sizes import tried


def assert_same_choices(rules: Rules, seed: int, longest: int = 300) -> None:
    """Play a game, three of ten moves at random, and compare policy and bot at every step."""
    chance, bot, state = Random(seed), CarefulBot(), Game(rules, seed=seed).state
    while state.actor is not None and state.ply < longest:
        chosen = bot.choose(Game.from_state(state).view(state.actor), chance)
        assert choose_careful_move(state) is chosen, (rules, seed, state.ply)
        state_transitions.apply_move(state, chance.choice(state_transitions.legal_moves(state)) if chance.random() < 0.3 else chosen)


def test_the_careful_policy_equals_the_careful_bot() -> None:
    """In every preset, also after careless moves."""
    for preset in Rules.presets():
        for seed in range(tried(2, 20)):
            assert_same_choices(Rules.preset(preset), seed)


@settings(max_examples=tried(15, 300))
@given(rules=anything, seed=seeds)
def test_the_careful_policy_equals_the_careful_bot_in_any_mix(rules: Rules, seed: int) -> None:
    """Also with options combined as in no preset."""
    assert_same_choices(rules, seed)
