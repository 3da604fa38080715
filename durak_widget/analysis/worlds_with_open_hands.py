"""Possible worlds in which all hands are open and only the talon's order is unknown.

They value moves with all players' knowledge combined.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from durak_widget.analysis.monte_carlo_playouts import run_playouts
from durak_widget.analysis.world_sampling import CardLayout, SamplingTables
from durak_widget.cards import face_from_bit
from durak_widget.errors import PositionError
from durak_widget.fast_engine.random_generator import SplitMix64

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation
    from durak_widget.engine.state import State


class OpenHandsWorlds:
    """A position's possible worlds with open hands, where only the talon order is unknown.

    All orders are equally likely.

    >>> from durak_widget import Game
    >>> open_hands = OpenHandsWorlds(Game(seed=7))
    >>> open_hands.unknown_card_count, open_hands.is_certain
    (23, False)
    >>> OpenHandsWorlds(Game.from_position_line("6c 7c | 9h Ts; trump h")).is_certain
    True
    """

    __slots__ = ("_state", "_unknown_positions", "_view")

    def __init__(self, game: Game) -> None:
        if game.actor is None:
            raise PositionError("the game is over, so no moves are left")
        self._view, self._state = game.view(game.actor), game.state
        known_positions = {position for seat in range(game.seats) for position, _ in self._view_of(game, seat).data.known_talon_cards}
        self._unknown_positions = [position for position in range(len(self._state.talon)) if position not in known_positions]

    def _view_of(self, game: Game, seat: int) -> Observation:
        """Return a seat's view if the seat has swapped cards, or else the view of the seat to act."""
        return game.view(seat) if self._state.swap_counts[seat] else self._view

    @property
    def unknown_card_count(self) -> int:
        """Return the number of talon cards at positions that no player knows."""
        return len(self._unknown_positions)

    @property
    def is_certain(self) -> bool:
        """Return whether only one talon order is possible."""
        return self.unknown_card_count < 2

    def run_playouts(
        self, moves: Iterable[Move | str] | None, *, count: int, seed: int, for_seat: int | None = None, python_only: bool = False
    ) -> Playouts:
        """Play out games after each given move, with the careful bot for all players.

        They count for the seat `for_seat`, or for the seat to act.

        >>> from durak_widget import Game
        >>> open_hands = OpenHandsWorlds(Game(seed=7))
        >>> mine, theirs = (open_hands.run_playouts(["attack 6s"], count=50, seed=1, for_seat=seat)["attack 6s"] for seat in (0, 1))
        >>> mine == -theirs
        True
        """
        return run_playouts(
            self, moves, count=1 if self.is_certain else count, seed=seed, policy="careful", python_only=python_only, for_seat=for_seat
        )

    # --- The methods of `SampleableWorlds` ---

    @property
    def view(self) -> Observation:
        """Return the view of the seat to act."""
        return self._view

    def require_some_world(self) -> None:
        """Do nothing, since the real world is always possible."""

    def sampling_tables(self) -> SamplingTables:
        """Return sampling tables that put all unknown cards into the talon and none into hands."""
        talon = self._state.talon
        return SamplingTables(
            [face_from_bit(talon[position]) for position in self._unknown_positions], self._unknown_positions, [], [], [[]]
        )

    def known_state(self) -> State:
        """Return the game state, which is the same in all worlds except for the talon order."""
        return self._state

    def state_of_layout(self, layout: CardLayout) -> State:
        """Return the game state with the talon order of a layout.

        Two cards that look the same may stand for each other.
        """
        state, talon = self._state.copy(), list(self._state.talon)
        copies: dict[int, list[int]] = {}
        for position in self._unknown_positions:
            copies.setdefault(face_from_bit(talon[position]), []).append(talon[position])
        for position, face in zip(self._unknown_positions, layout.talon, strict=True):
            talon[position] = copies[face].pop()
        state.set_talon(tuple(talon))
        if state.hidden_card:
            state.hidden_card = talon[-1]
        return state

    def all(self) -> Iterator[State]:
        """Yield the game state with each possible order of the unknown talon cards.

        Use it only if few cards are unknown.

        >>> from durak_widget import Game
        >>> len(list(OpenHandsWorlds(Game.from_position_line("6c | 8c; trump h; talon Ac Kc 7h")).all()))
        6
        """
        for faces in dict.fromkeys(permutations(self.sampling_tables().unseen_cards)):
            yield self.state_of_layout(CardLayout({}, list(faces), []))

    def sample_state(self, rng: Random) -> State:
        """Return the game state with a random order of the unknown talon cards."""
        return self.state_of_layout(self.sampling_tables().sample(SplitMix64(rng.getrandbits(64))))
