"""How a game came to where it stands: who made which moves, and what came into each hand unseen by the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import plainly
from durak_widget.game.engine import PLAYS

if TYPE_CHECKING:
    from durak_widget.game.moves import Move
    from durak_widget.game.state import State

Drew = tuple[tuple[int, int], ...]
"""After how many moves a seat drew, and the mask of what."""


class Story:
    """The moves so far, who made them, and what each seat drew."""

    __slots__ = ("_drew", "_refills", "actors", "moves")

    actors: list[int]
    moves: list[Move]

    def __init__(self, seats: int) -> None:
        self.actors, self.moves = [], []
        self._drew: list[Drew] = [()] * seats
        self._refills: list[tuple[int, int, tuple[int, ...]]] = []  # not looked through yet: when, the talon before, the hands after

    def copy(self) -> Story:
        """Another story that began alike and goes its own way."""
        new = Story.__new__(Story)
        new.actors, new.moves, new._drew, new._refills = self.actors[:], self.moves[:], self._drew[:], self._refills[:]
        return new

    def play(self, state: State, move: Move) -> None:
        """Carry out a legal move, and write it down."""
        talon = state.rest
        self.actors.append(state.actor)  # type: ignore[arg-type]
        self.moves.append(move)
        PLAYS[move.kind](state, move)
        if state.rest is not talon:
            self.note(talon[0], state.hands)

    def note(self, talon: int, hands: list[int]) -> None:
        """Note that cards have come from a talon of these into hands that now are those."""
        self._refills.append((len(self.moves), talon, (*hands,)))

    def drew(self, seat: int) -> Drew:
        """What a seat drew."""
        refills = self._refills
        if refills:
            self._refills = []
            for ply, talon, hands in refills:
                for who, hand in enumerate(hands):
                    if came := hand & talon:
                        self._drew[who] += ((ply, plainly(came)),)
        return self._drew[seat]
