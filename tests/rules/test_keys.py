"""The key of a state holds what matters for the rest of the game, and nothing else (rule book §10)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import Card, Game, Rules
from durak_widget.cards import FACE_COUNT
from durak_widget.engine import state_transitions
from support.mixes import SIZED, anything, played, seeds
from support.oracle_book import random_mix
from support.sizes import tried

if TYPE_CHECKING:
    from durak_widget.engine.state import State


def test_irrelevant_facts_are_not_in_a_key() -> None:
    """Earlier play, the discarded cards and what the seats know do not change the key."""
    hands = ["6c 7c 8c", "9h Ts Js"]
    keys = {
        Game.from_position(hands=hands, trump="h", discard=discard, bout=bout).state.key()
        for discard, bout in (("", 2), ("Ac Kc", 2), ("", 7), ("Qd", 1))
    }
    assert len(keys) == 1


def test_relevant_facts_are_in_a_key() -> None:
    """Hands, trump, attacker, table, talon, limit of the first bout and swaps left change the key."""
    for other in (
        {"hands": ["6c 8c", "9h Ts Js"]},
        {"trump": "s"},
        {"attacker": 1},
        {"hands": ["6c 7c 8c", "9h Ts Js"], "table": "7d"},
        {"talon": "Ac"},
        {"rules": Rules(first_bout_limit=2), "bout": 1},
        {"rules": Rules(swaps=1)},
    ):
        plain = {"hands": ["6c 7c 8c", "9h Ts Js"], "trump": "h", "attacker": 0}
        assert Game.from_position(**(plain | other)).state.key() != Game.from_position(**plain).state.key()


@pytest.mark.parametrize("rules", SIZED, ids=str)
def test_equal_keys_play_alike(rules: Rules) -> None:
    """If two moments of different games have equal keys, the same moves are legal and lead to equal keys."""
    rules = rules.replace(repetition=None)
    met: dict[object, State] = {}
    again, rng = 0, Random(5)
    for seed in range(tried(130, 400)):
        game = Game(rules, seed=seed)
        while game.actor is not None and game.ply < 60:
            state = game.state
            other = met.setdefault(state.key(), state)
            if other is not state and (other.ply, other.bout_ends) != (state.ply, state.bout_ends):
                again += 1
                assert state_transitions.legal_moves(other) == state_transitions.legal_moves(state)
                for move in state_transitions.legal_moves(state):
                    after, other_after = state.copy(), other.copy()
                    state_transitions.apply_move(after, move)
                    state_transitions.apply_move(other_after, move)
                    assert (after.key(), after.outcome) == (other_after.key(), other_after.outcome)
            game.play(rng.choice(game.legal_moves()))
    assert again > tried(3, 20)


def test_facts_left_out_of_a_key_do_not_change_play() -> None:
    """In free mixes: another discard pile, a later bout, another history, no knowledge. If the key is equal, so is all later play."""
    for left_out in ({"discard": 0}, {"bout": 99}, {"bout_ends": [], "swap_draws": ()}, {"publicly_seen": None, "cards_put_back": None}):
        alike = 0
        for number in range(tried(15, 100)):
            rng = Random(number)
            rules = Rules(**random_mix(rng))
            state = played(rules, number, rng.randrange(40)).state
            other = state.copy()
            for slot, value in left_out.items():
                setattr(
                    other,
                    slot,
                    {"publicly_seen": [0] * rules.players, "cards_put_back": (0,) * rules.players}[slot] if value is None else value,
                )
            while other.key() == state.key() and state.actor is not None and state.ply < 120:
                move = rng.choice(state_transitions.legal_moves(state))
                assert state_transitions.legal_moves(other) == state_transitions.legal_moves(state), rules
                state_transitions.apply_move(state, move)
                state_transitions.apply_move(other, move)
                assert (other.key(), other.outcome) == (state.key(), state.outcome), rules
                alike += 1
        assert alike > tried(60, 500)


@given(anything, seeds, st.integers(0, 200))
def test_state_slots_match_their_definitions(rules: Rules, seed: int, plies: int) -> None:
    """`ranks`, `newest`, `past`, `unbeaten` and `throwers` are true at every moment, under every preset and mix."""
    game, rng = Game(rules, seed=seed), Random(seed)
    newest = None
    while game.ply < plies and game.actor is not None:
        game.play(rng.choice(game.legal_moves()))
        state, last = game.state, game.last_move
        newest = last.seat if last.verb in ("attack", "throw", "transfer") else newest
        lying = [card for pair in game.table for card in pair if card is not None]
        ranks = {card.rank for card in lying}
        assert state.matching_rank_mask == sum(
            1 << code | 1 << code + FACE_COUNT for code in range(FACE_COUNT) if Card.from_code(code).rank in ranks
        )
        assert state.newest_card_seat == (newest if game.table else state.newest_card_seat)
        assert state.unbeaten_count == len(game.table.unbeaten)
        if not game.table and game.actor is not None:
            assert state.newest_card_seat == state.attacker
        if game.actor is None:
            assert (state.throwers, state.repeatable_positions) == ((), ())
        elif rules.repetition is not None and not game.table and last.verb != "swap" and not state.has_swapped:
            assert state.repeatable_positions[-1] == (state.attacker, *(hand.mask for hand in game.hands))
