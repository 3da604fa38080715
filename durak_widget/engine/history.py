"""How a game came to where it stands: who made which moves, how its bouts ended, and what came into each hand unseen by the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.cards import plainly
from durak_widget.engine.pairs import BoutEnd
from durak_widget.engine.state_transitions import PLAYS

if TYPE_CHECKING:
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State

DREW: Final = BoutEnd._fields.index("drew")
Ends = tuple[tuple[Any, ...], ...]
"""How bouts ended, each the fields of a `BoutEnd` that everybody sees."""
Drew = tuple[tuple[int, int], ...]
"""After how many moves a seat drew, and the mask of what."""


class Story:
    """The moves so far and who made them; and of what the state notes as it goes, what everybody saw and what each seat drew."""

    __slots__ = ("_looked", "actors", "moves")

    actors: list[int]
    moves: list[Move]

    def __init__(self, seats: int) -> None:
        self.actors, self.moves = [], []
        self._looked: tuple[Ends, tuple[Drew, ...], int] = (), ((),) * seats, 0  # as far as anybody has asked: ends, draws, swaps

    def copy(self) -> Story:
        """Another story that began alike and goes its own way."""
        new = Story.__new__(Story)
        new.actors, new.moves, new._looked = self.actors[:], self.moves[:], self._looked
        return new

    def play(self, state: State, move: Move) -> None:
        """Carry out a legal move, and write it down."""
        self.actors.append(state.actor)  # type: ignore[arg-type]
        self.moves.append(move)
        PLAYS[move.kind](state, move)

    def seen_by(self, state: State, seat: int) -> tuple[Ends, Drew]:
        """How the bouts ended as everybody saw it, and what this seat drew, in the state to which the story has led."""
        ends, drew, swaps = self._looked
        if len(state.ends) > len(ends) or len(state.brought) > swaps:
            fresh, cards = state.ends[len(ends) :], list(drew)
            ends += tuple([(*end[:DREW], tuple([(who, count) for who, count, _ in end[DREW]]), *end[DREW + 1 :]) for end in fresh])
            for ply, who, mask in sorted([*state.brought[swaps:], *((end[0], who, mask) for end in fresh for who, _, mask in end[DREW])]):
                cards[who] += ((ply, plainly(mask)),)
            drew = tuple(cards)
            self._looked = ends, drew, len(state.brought)  # in one step, so that two who ask at once read the same
        return ends, drew[seat]
