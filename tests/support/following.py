"""A game followed by the kernel and by the engine, move for move."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from durak_widget import Game, bots
from durak_widget.fast_engine.engine_instance import TooMuchError, machine_for

if TYPE_CHECKING:
    from durak_widget import Rules

CAREFUL = bots.get("careful")


def followed(rules: Rules, seed: int) -> bool:
    """One game, played on both sides; half its moves by chance, half by care. False if the kernel said that it had no room for it all."""
    game, rng = Game(rules, seed=seed, dealer=seed % rules.players), Random(seed)
    machine = machine_for(rules)
    assert machine is not None
    try:
        machine.lay(game.state)
        while game.actor is not None and game.ply < 800:
            legal = game.legal_moves()
            assert machine.legal_moves() == legal, game
            careful = CAREFUL.choose(game.view(game.actor), rng)
            assert machine.careful() is careful, game
            assert machine.state(game.state).key() == game.state.key(), game
            move = careful if rng.random() < 0.5 else rng.choice(legal)
            machine.play(move)
            game.play(move)
        after = machine.state(game.state)
    except TooMuchError:
        return False
    assert (after.actor, after.seats_in, after.places) == (game.actor, game.state.seats_in, game.state.places)
    return True
