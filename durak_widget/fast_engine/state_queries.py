"""Legal moves and positions of one game from the fast engine, for tests and exploration."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.game import Game
from durak_widget.engine.moves import IllegalMove, Move
from durak_widget.errors import PositionError, quoted
from durak_widget.fast_engine.engine_instance import by_kernel

if TYPE_CHECKING:
    from durak_widget.fast_engine.engine_instance import Machine


def legal_moves(game: Game) -> tuple[Move, ...]:
    """Return the legal moves of the acting seat, as the fast engine lists them.

    >>> from durak_widget import Game, fast_engine
    >>> game = Game(seed=7)
    >>> fast_engine.legal_moves(game) == game.legal_moves()
    True
    """
    moves = by_kernel(_asked(game).rules, lambda machine: _legal_moves(machine, game))
    return game.legal_moves() if moves is None else moves


def played(game: Game, moves: Iterable[Move | str]) -> str:
    """Return the position after these moves, as the fast engine plays them.

    The game itself doesn't change.

    >>> from durak_widget import Game, fast_engine
    >>> game = Game.at("6c 7c | 9h Ts; trump h")
    >>> fast_engine.played(game, ["attack 6c", "beat 6c 9h"])
    '7c | Ts; trump h; attacker 1; discard 6c 9h; bout 3'
    """
    if not isinstance(moves, Iterable):
        raise PositionError(f"moves={quoted(moves)} are no moves to play; say a list of them, such as ['take']")
    move_list = list(moves)
    position = by_kernel(_asked(game).rules, lambda machine: _played(machine, game, move_list))
    if position is not None:
        return position
    after = game.copy()
    for move in move_list:
        after.play(move)
    return _position(after)


def _legal_moves(machine: Machine, game: Game) -> tuple[Move, ...]:
    machine.lay(game.state)
    return machine.legal_moves()


def _played(machine: Machine, game: Game, moves: Iterable[Move | str]) -> str:
    machine.lay(game.state)
    has_swaps, after = kit_of(game.rules).swaps, game.copy()
    for text in moves:
        move = Move(text)
        if move not in machine.legal_moves():
            refusal = Game.of(machine.state(game.state)).why_not(move)
            assert refusal is not None  # noqa: S101 - both list the same moves
            raise IllegalMove(refusal)
        machine.play(move)
        if has_swaps:
            after.play(move)
    state = machine.state(game.state)
    if has_swaps and state.key() == after.state.key():
        return _position(after)  # it knows which seat follows the cards that were swapped away; the fast engine doesn't
    return _position(Game.of(state))


def _position(after: Game) -> str:
    if after.actor is None:
        raise PositionError("the game is over, and a position is one to play on from; fast_engine.games tells how games end")
    return after.position


def _asked(game: object) -> Game:
    if not isinstance(game, Game):
        raise PositionError(f"the kernel plays on from a Game, not from {quoted(game)}; say fast_engine.legal_moves(Game(seed=7))")
    return game
