"""Computes legal moves and positions with the fast engine, mainly for tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.game import Game
from durak_widget.engine.moves import IllegalMove, Move
from durak_widget.errors import PositionError, short_repr
from durak_widget.fast_engine.engine_instance import ask_fast_engine

if TYPE_CHECKING:
    from durak_widget.fast_engine.engine_instance import EngineInstance


def legal_moves(game: Game) -> tuple[Move, ...]:
    """Return the legal moves in a game, as the fast engine computes them.

    >>> from durak_widget import Game, fast_engine
    >>> game = Game(seed=7)
    >>> fast_engine.legal_moves(game) == game.legal_moves()
    True
    """
    moves = ask_fast_engine(_require_game(game).rules, lambda machine: _list_legal_moves(machine, game))
    return game.legal_moves() if moves is None else moves


def position_after(game: Game, moves: Iterable[Move | str]) -> str:
    """Return the position after the given moves, as the fast engine computes it.

    The game does not change.

    >>> from durak_widget import Game, fast_engine
    >>> game = Game.from_position_line("6c 7c | 9h Ts; trump h")
    >>> fast_engine.position_after(game, ["attack 6c", "beat 6c 9h"])
    '7c | Ts; trump h; attacker 1; discard 6c 9h; bout 3'
    """
    if not isinstance(moves, Iterable):
        raise PositionError(f"moves must be a list of moves, such as ['take'], not {short_repr(moves)}")
    move_list = list(moves)
    position = ask_fast_engine(_require_game(game).rules, lambda machine: _play_moves(machine, game, move_list))
    if position is not None:
        return position
    after = game.copy()
    for move in move_list:
        after.play(move)
    return _require_position(after)


def _list_legal_moves(machine: EngineInstance, game: Game) -> tuple[Move, ...]:
    machine.load_state(game.state)
    return machine.legal_moves()


def _play_moves(machine: EngineInstance, game: Game, moves: Iterable[Move | str]) -> str:
    machine.load_state(game.state)
    has_swaps, after = compile_rules(game.rules).max_swaps, game.copy()
    for text in moves:
        move = Move(text)
        if move not in machine.legal_moves():
            refusal = Game.from_state(machine.read_state(game.state)).why_not(move)
            assert refusal is not None  # noqa: S101 - both list the same moves
            raise IllegalMove(refusal)
        machine.play(move)
        if has_swaps:
            after.play(move)
    state = machine.read_state(game.state)
    if has_swaps and state.key() == after.state.key():
        return _require_position(after)  # Only the Python engine keeps track of the cards that a seat swapped with the talon.
    return _require_position(Game.from_state(state))


def _require_position(game: Game) -> str:
    if game.actor is None:
        raise PositionError("the game is over, so it has no position to play on from; use fast_engine.games to see how games end")
    return game.position


def _require_game(game: object) -> Game:
    if not isinstance(game, Game):
        raise PositionError(f"the fast engine needs a Game, not {short_repr(game)}; use fast_engine.legal_moves(Game(seed=7))")
    return game
