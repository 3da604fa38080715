"""Worlds in which all hands lie open and only the order of the talon is not known: what all cards say of a moment."""

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
    """A moment of a game with all hands open; the cards of the talon whose place nobody knows may come in any order, each as likely.

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
        known = {place for seat in range(game.seats) for place, _ in self._view_of(game, seat).sight.talon_known}
        self._places = [place for place in range(len(self._state.talon)) if place not in known]

    def _view_of(self, game: Game, seat: int) -> View:
        """Only who has swapped cards with the talon knows more of it than all do."""
        return game.view(seat) if self._state.swapped[seat] else self._view

    @property
    def unknown(self) -> int:
        """Of how many cards of the talon nobody knows the place."""
        return len(self._places)

    @property
    def certain(self) -> bool:
        """Whether there is only one way in which the cards may come."""
        return self.unknown < 2

    def worth(
        self, moves: Iterable[Move | str] | None, *, count: int, seed: int, whose: int | None = None, plainly: bool = False
    ) -> Playouts:
        """What each of these moves brings to a seat (the one to act, if none is named) when all go on as the careful bot does.

        >>> from durak_widget import Game
        >>> open_hands = FaceUp(Game(seed=7))
        >>> mine, theirs = (open_hands.worth(["attack 6s"], count=50, seed=1, whose=seat)["attack 6s"] for seat in (0, 1))
        >>> mine == -theirs
        True
        """
        return played_out(self, moves, count=1 if self.certain else count, seed=seed, policy="careful", plainly=plainly, whose=whose)

    # What playouts ask of worlds

    @property
    def view(self) -> View:
        """What the seat to act sees."""
        return self._view

    def require_some_world(self) -> None:
        """Refuse nothing: the real world is always there."""

    def drawing(self) -> Tables:
        """No hand is dealt: all cards go to the talon."""
        talon = self._state.talon
        return Tables([face_of(talon[place]) for place in self._places], self._places, [], [], [[]])

    def bare(self) -> State:
        """The moment itself."""
        return self._state

    def laid(self, layout: Layout) -> State:
        """The talon in that order; of two cards that look alike either may stand for the other."""
        state, talon = self._state.copy(), list(self._state.talon)
        copies: dict[int, list[int]] = {}
        for place in self._places:
            copies.setdefault(face_of(talon[place]), []).append(talon[place])
        for place, face in zip(self._places, layout.talon, strict=True):
            talon[place] = copies[face].pop()
        state.lay_talon(tuple(talon))
        if state.hidden:
            state.hidden = talon[-1]
        return state

    def all(self) -> Iterator[State]:
        """The moment with those cards in each order there is: to be asked where a few are unknown.

        >>> from durak_widget import Game
        >>> len(list(FaceUp(Game.at("6c | 8c; trump h; talon Ac Kc 7h")).all()))
        6
        """
        for faces in dict.fromkeys(permutations(self.drawing().pool)):
            yield self.laid(Layout({}, list(faces), []))

    def state(self, rng: Random) -> State:
        """One by chance."""
        return self.laid(self.drawing().draw(SplitMix(rng.getrandbits(64))))
