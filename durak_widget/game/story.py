"""How a game came to where it stands: who made which moves, and what came into each hand unseen by the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import plainly
from durak_widget.game.engine import PLAYS

if TYPE_CHECKING:
    from durak_widget.game.moves import Move
    from durak_widget.game.state import State


class Story:
    """The moves so far, who made them, and what each seat drew."""

    __slots__ = ("actors", "drew", "moves")

    actors: list[int]
    moves: list[Move]
    drew: list[tuple[tuple[int, int], ...]]
    """For each seat, after how many moves it drew, and the mask of what."""

    def __init__(self, seats: int) -> None:
        self.actors, self.moves, self.drew = [], [], [()] * seats

    def copy(self) -> Story:
        """Another story that began alike and goes its own way."""
        new = Story.__new__(Story)
        new.actors, new.moves, new.drew = self.actors[:], self.moves[:], self.drew[:]
        return new

    def play(self, state: State, move: Move) -> None:
        """Carry out a legal move, and write it down."""
        left = state.rest[0]
        self.actors.append(state.actor)  # type: ignore[arg-type]
        self.moves.append(move)
        PLAYS[move.kind](state, move)
        if state.rest[0] != left:
            for seat, hand in enumerate(state.hands):
                if came := hand & left:
                    self.drew[seat] += ((len(self.moves), plainly(came)),)
