"""A game as the kernel sees it: its legal moves, and where moves lead; for tests and the curious."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.errors import PositionError, quoted
from durak_widget.game.game import Game
from durak_widget.game.play.kit import kit_of
from durak_widget.game.play.moves import Move
from durak_widget.game.play.refusal import IllegalMove
from durak_widget.kernel.machine import machine_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.kernel.machine import Machine


def legal_moves(game: Game) -> tuple[Move, ...]:
    """The legal moves of the seat to act, in the order of the rule book, as the kernel lists them.

    >>> from durak_widget import Game, kernel
    >>> game = Game(seed=7)
    >>> kernel.legal_moves(game) == game.legal_moves()
    True
    """
    machine = _standing(game)
    return game.legal_moves() if machine is None else machine.legal_moves()


def played(game: Game, moves: Iterable[Move | str]) -> str:
    """The text of the position to which these moves lead from there, as the kernel plays them; the game itself stays where it is.

    >>> from durak_widget import Game, kernel
    >>> game = Game.at("6c 7c | 9h Ts; trump h")
    >>> kernel.played(game, ["attack 6c", "beat 6c 9h"])
    '7c | Ts; trump h; attacker 1; discard 6c 9h; bout 3'
    """
    machine, after = _standing(game), game.copy()
    swaps = kit_of(game.rules).swaps
    if machine is None:
        for move in moves:
            after.play(move)
        return after.position
    for text in moves:
        move = Move(text)
        if move not in machine.legal_moves():
            refusal = Game.of(machine.state(game.state)).why_not(move)
            assert refusal is not None  # noqa: S101 - both list the same moves
            raise IllegalMove(refusal)
        machine.play(move)
        if swaps:
            after.play(move)
    state = machine.state(game.state)
    if state.actor is None:
        raise PositionError("the game is over, and a position is one to play on from; kernel.games tells how games end")
    if swaps and state.key() == after.state.key():
        return after.position  # with what each seat follows of the cards that it swapped away, which is no part of what the kernel plays on
    return Game.of(state).position


def _standing(game: object) -> Machine | None:
    """The kernel, at the moment of a game; None where the plain engine has to do."""
    if not isinstance(game, Game):
        raise PositionError(f"the kernel plays on from a Game, not from {quoted(game)}; say kernel.legal_moves(Game(seed=7))")
    machine = machine_for(game.rules)
    if machine is not None:
        machine.lay(game.state)
    return machine
