"""Play a game in the fast engine and the engine, move for move."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from durak_widget import Game, bots
from durak_widget.fast_engine.engine_instance import StateTooLargeError, get_engine_instance

if TYPE_CHECKING:
    from durak_widget import Rules

CAREFUL = bots.get("careful")


def followed(rules: Rules, seed: int) -> bool:
    """Play one game on both sides, half at random, half carefully. Return False if the fast engine had no room for it."""
    game, rng = Game(rules, seed=seed, dealer=seed % rules.players), Random(seed)
    machine = get_engine_instance(rules)
    assert machine is not None
    try:
        machine.load_state(game.state)
        while game.actor is not None and game.ply < 800:
            legal = game.legal_moves()
            assert machine.legal_moves() == legal, game
            careful = CAREFUL.choose(game.view(game.actor), rng)
            assert machine.choose_careful_move() is careful, game
            assert machine.read_state(game.state).key() == game.state.key(), game
            move = careful if rng.random() < 0.5 else rng.choice(legal)
            machine.play(move)
            game.play(move)
        after = machine.read_state(game.state)
    except StateTooLargeError:
        return False
    assert (after.actor, after.seats_in, after.places) == (game.actor, game.state.seats_in, game.state.places)
    return True
