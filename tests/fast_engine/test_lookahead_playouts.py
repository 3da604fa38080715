"""Test playouts with lookahead: equal with and without the fast engine, stronger than careful playouts, and blind to hidden cards."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given

from durak_widget import Game, PositionError, analysis, fast_engine
from durak_widget.analysis import information_set_values
from durak_widget.analysis.information_set_values import LookaheadStatistics
from durak_widget.analysis.monte_carlo_playouts import run_playouts
from durak_widget.engine import state_transitions
from durak_widget.fast_engine.game_simulation import choose_careful_move
from support.mixes import anything, played, seeds
from support.sizes import tried

if TYPE_CHECKING:
    from durak_widget.engine.state import State

FAST_ENGINE = pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())


@FAST_ENGINE
@given(anything, seeds)
def test_the_fast_engine_gives_the_python_results(rules, seed):
    """Sums and products of every move and pair, in games of every kind."""
    game = played(rules, seed, seed % 60)
    assume(game.actor is not None and len(game.legal_moves()) <= 64)
    worlds = analysis.worlds(game.view(game.actor))
    assume(worlds.sampling_tables() is not None)
    both = [
        run_playouts(worlds, None, count=4, seed=seed, policy="careful", decided=8, ahead=True, python_only=plainly)
        for plainly in (False, True)
    ]
    assert both[0] == both[1]


@pytest.mark.slow
@FAST_ENGINE
def test_results_are_equal_with_many_recorded_moves():
    """Many playouts return to recorded moments."""
    for rules in ("podkidnoy", "perevodnoy", "econ431", "podkidnoy, players=3", "two_decks", "thrown_up"):
        for seed in range(tried(2, 20)):
            game = played(rules, seed, 10 + seed)
            if game.actor is None or len(game.legal_moves()) < 2:
                continue
            worlds = analysis.worlds(game.view(game.actor))
            both = [
                run_playouts(worlds, None, count=60, seed=seed, policy="careful", ahead=True, python_only=plainly)
                for plainly in (False, True)
            ]
            assert both[0] == both[1] != worlds.playouts(count=60, seed=seed)


@FAST_ENGINE
@pytest.mark.release
def test_results_are_equal_when_the_record_is_full(monkeypatch):
    """There are more playouts than the record has room for; the limit is the same in both."""
    view = Game(seed=5).view(Game(seed=5).actor)
    worlds, many = analysis.worlds(view), 13 * information_set_values.MAX_RECORDED_MOVES // (10 * len(view.legal_moves()))
    both = [run_playouts(worlds, None, count=many, seed=1, policy="careful", ahead=True, python_only=plainly) for plainly in (False, True)]
    assert both[0] == both[1]
    monkeypatch.setattr(information_set_values, "MAX_RECORDED_MOVES", 10 * information_set_values.MAX_RECORDED_MOVES)
    assert run_playouts(worlds, None, count=many, seed=1, policy="careful", ahead=True, python_only=True) != both[0]


def value_against_careful(state: State, seat: int) -> float:
    """Return the seat's best payoff against the careful bot, with all cards known."""
    if state.actor is None:
        assert state.outcome is not None
        return state.outcome.utilities[seat]
    values = []
    for move in state_transitions.legal_moves(state) if state.actor == seat else [choose_careful_move(state)]:
        after = state.copy()
        state_transitions.apply_move(after, move)
        values.append(value_against_careful(after, seat))
    return max(values)


def test_lookahead_finds_best_moves_against_the_careful_bot():
    """In endings, where nothing is hidden, in 95 percent of cases; careful playouts find it less often."""
    found, without, compared = 0, 0, 0
    for seed in range(tried(60, 600)):
        deck = [f"{rank}{suit}" for suit in "cdhs" for rank in "6789TJQKA"]
        Random(seed).shuffle(deck)
        game = Game.from_position_line(f"{' '.join(deck[:4])} | {' '.join(deck[4:8])}; trump h; discard {' '.join(deck[8:])}")
        values = {}
        for move in game.legal_moves():
            after = game.state
            state_transitions.apply_move(after, move)
            values[move] = value_against_careful(after, game.actor)
        if len(set(values.values())) < 2:
            continue
        compared += 1
        best = max(values.values())
        worlds = analysis.worlds(game.view(game.actor))
        found += values[worlds.playouts(count=60, ahead=True).best] == best
        without += values[worlds.playouts(count=60).best] == best
    assert compared > 10
    assert found >= 0.95 * compared
    assert found > without


def test_hidden_cards_do_not_distinguish_moments():
    """Two worlds that the seat cannot distinguish are recorded as one; a different hand is another moment."""
    game = played("podkidnoy", 4, 12)
    seat = game.actor
    some = [world for _, world in zip(range(6), analysis.worlds(game.view(seat)).sample_states(Random(1)), strict=False)]
    looks = LookaheadStatistics(seat)
    keys = {looks._hash_observations(state) for state in some}
    assert len({tuple(state.hands) for state in some}) > 1
    assert len(keys) == 1
    some[0].hands[seat] &= some[0].hands[seat] - 1
    assert looks._hash_observations(some[0]) not in keys


def test_invalid_lookahead_options_are_refused():
    """One sentence each."""
    for compared, message in (({"ahead": 1}, "True or False"), ({"ahead": True, "policy": "random"}, "careful")):
        with pytest.raises(PositionError, match=message):
            fast_engine.playouts(Game(seed=7), **compared)
