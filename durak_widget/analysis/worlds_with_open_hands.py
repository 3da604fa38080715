"""Worlds in which all hands are open and only the order of the talon is unknown.

They value moves with all players' knowledge combined.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from durak_widget.analysis.monte_carlo_playouts import played_out
from durak_widget.analysis.world_sampling import Layout, Tables
from durak_widget.cards import face_of
from durak_widget.errors import PositionError
from durak_widget.fast_engine.random_generator import SplitMix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View
    from durak_widget.engine.state import State


class FaceUp:
    """Position of a game with all hands open and every possible order of the hidden talon.

    All orders are equally likely.

    >>> from durak_widget import Game
    >>> open_hands = FaceUp(Game(seed=7))
    >>> open_hands.unknown, open_hands.certain
    (23, False)
    >>> FaceUp(Game.at("6c 7c | 9h Ts; trump h")).certain
    True
    """

    __slots__ = ("_places", "_state", "_view")

    def __init__(self, game: Game) -> None:
        if game.actor is None:
            raise PositionError("the game is over: there is nothing left to come")
        self._view, self._state = game.view(game.actor), game.state
        known_positions = {position for seat in range(game.seats) for position, _ in self._view_of(game, seat).sight.talon_known}
        self._places = [position for position in range(len(self._state.talon)) if position not in known_positions]

    def _view_of(self, game: Game, seat: int) -> View:
        """Return the view of a seat, or of the actor if the seat knows no more of the talon."""
        return game.view(seat) if self._state.swapped[seat] else self._view

    @property
    def unknown(self) -> int:
        """Return the number of talon cards at positions that no player knows."""
        return len(self._places)

    @property
    def certain(self) -> bool:
        """Return whether only one order of the talon is possible."""
        return self.unknown < 2

    def worth(
        self, moves: Iterable[Move | str] | None, *, count: int, seed: int, whose: int | None = None, plainly: bool = False
    ) -> Playouts:
        """Return the playouts of these moves, when all players continue like the careful bot.

        They count for the seat `whose`, or for the seat to act.

        >>> from durak_widget import Game
        >>> open_hands = FaceUp(Game(seed=7))
        >>> mine, theirs = (open_hands.worth(["attack 6s"], count=50, seed=1, whose=seat)["attack 6s"] for seat in (0, 1))
        >>> mine == -theirs
        True
        """
        return played_out(self, moves, count=1 if self.certain else count, seed=seed, policy="careful", plainly=plainly, whose=whose)

    # The methods of `Drawable`

    @property
    def view(self) -> View:
        """Return the view of the seat to act."""
        return self._view

    def require_some_world(self) -> None:
        """Accept always: the real world is possible."""

    def drawing(self) -> Tables:
        """Return the sampling tables: no hand is dealt, all cards go to the talon."""
        talon = self._state.talon
        return Tables([face_of(talon[position]) for position in self._places], self._places, [], [], [[]])

    def bare(self) -> State:
        """Return the state itself."""
        return self._state

    def laid(self, layout: Layout) -> State:
        """Return the state with the talon in the order of a layout.

        Two cards that look the same may stand for each other.
        """
        state, talon = self._state.copy(), list(self._state.talon)
        copies: dict[int, list[int]] = {}
        for position in self._places:
            copies.setdefault(face_of(talon[position]), []).append(talon[position])
        for position, face in zip(self._places, layout.talon, strict=True):
            talon[position] = copies[face].pop()
        state.lay_talon(tuple(talon))
        if state.hidden:
            state.hidden = talon[-1]
        return state

    def all(self) -> Iterator[State]:
        """Yield the state with every order of the unknown cards.

        Use it only if few cards are unknown.

        >>> from durak_widget import Game
        >>> len(list(FaceUp(Game.at("6c | 8c; trump h; talon Ac Kc 7h")).all()))
        6
        """
        for faces in dict.fromkeys(permutations(self.drawing().pool)):
            yield self.laid(Layout({}, list(faces), []))

    def state(self, rng: Random) -> State:
        """Return a random state."""
        return self.laid(self.drawing().draw(SplitMix(rng.getrandbits(64))))
