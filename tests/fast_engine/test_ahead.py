"""Playouts that look ahead: the same by the kernel and without, better than those that go on as the careful bot would, and no wiser than the seat."""

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

RUNS = pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())


@RUNS
@given(anything, seeds)
def test_the_kernel_and_the_plain_way_give_the_same(rules, seed):
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
@RUNS
def test_so_they_do_where_much_is_noted():
    """Many playouts come back to what was noted before."""
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


@RUNS
@pytest.mark.release
def test_so_they_do_where_no_more_is_noted(monkeypatch):
    """More playouts than there is room for notes: that room has an end, and it is the same."""
    view = Game(seed=5).view(Game(seed=5).actor)
    worlds, many = analysis.worlds(view), 13 * information_set_values.MAX_RECORDED_MOVES // (10 * len(view.legal_moves()))
    both = [run_playouts(worlds, None, count=many, seed=1, policy="careful", ahead=True, python_only=plainly) for plainly in (False, True)]
    assert both[0] == both[1]
    monkeypatch.setattr(information_set_values, "MAX_RECORDED_MOVES", 10 * information_set_values.MAX_RECORDED_MOVES)
    assert run_playouts(worlds, None, count=many, seed=1, policy="careful", ahead=True, python_only=True) != both[0]


def against_careful(state: State, seat: int) -> float:
    """What the seat gets at best against one who plays as the careful bot, all cards being known."""
    if state.actor is None:
        assert state.outcome is not None
        return state.outcome.utilities[seat]
    values = []
    for move in state_transitions.legal_moves(state) if state.actor == seat else [choose_careful_move(state)]:
        after = state.copy()
        state_transitions.apply_move(after, move)
        values.append(against_careful(after, seat))
    return max(values)


def test_it_finds_what_is_best_against_the_careful_bot():
    """In endings, where nothing is hidden, nearly always; those that go on as the careful bot does find it less often."""
    found, without, asked = 0, 0, 0
    for seed in range(tried(60, 600)):
        deck = [f"{rank}{suit}" for suit in "cdhs" for rank in "6789TJQKA"]
        Random(seed).shuffle(deck)
        game = Game.from_position_line(f"{' '.join(deck[:4])} | {' '.join(deck[4:8])}; trump h; discard {' '.join(deck[8:])}")
        values = {}
        for move in game.legal_moves():
            after = game.state
            state_transitions.apply_move(after, move)
            values[move] = against_careful(after, game.actor)
        if len(set(values.values())) < 2:
            continue
        asked += 1
        best = max(values.values())
        worlds = analysis.worlds(game.view(game.actor))
        found += values[worlds.playouts(count=60, ahead=True).best] == best
        without += values[worlds.playouts(count=60).best] == best
    assert asked > 10
    assert found >= 0.95 * asked
    assert found > without


def test_what_the_seat_cannot_see_tells_no_moments_apart():
    """Two worlds that it cannot tell apart are noted as one, and a card more or fewer in its hand is another moment."""
    game = played("podkidnoy", 4, 12)
    seat = game.actor
    some = [world for _, world in zip(range(6), analysis.worlds(game.view(seat)).sample_states(Random(1)), strict=False)]
    looks = LookaheadStatistics(seat)
    keys = {looks._hash_observations(state) for state in some}
    assert len({tuple(state.hands) for state in some}) > 1
    assert len(keys) == 1
    some[0].hands[seat] &= some[0].hands[seat] - 1
    assert looks._hash_observations(some[0]) not in keys


def test_what_cannot_be_asked_is_said():
    """In one sentence."""
    for asked, said in (({"ahead": 1}, "True or False"), ({"ahead": True, "policy": "random"}, "careful")):
        with pytest.raises(PositionError, match=said):
            fast_engine.playouts(Game(seed=7), **asked)
