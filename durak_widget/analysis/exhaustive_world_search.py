"""Searches a few possible worlds completely, and gives proven bounds for each move.

The upper bound searches each world as if both players saw every card of it, with the rest of the talon in its
order. The lower bound needs one strategy that works in all worlds and depends only on what the seat has seen,
while the opponent may know everything. After the end of the talon nothing is hidden, and `endgame` solves the
rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.acyclic_endgame_solver import TooLargeError
from durak_widget.analysis.endgame import solver_for
from durak_widget.analysis.position_repetition import without_end
from durak_widget.analysis.worlds_with_open_hands import FaceUp
from durak_widget.engine import state_transitions

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from durak_widget.analysis.endgame import Solver
    from durak_widget.analysis.possible_worlds import Worlds
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State

MOMENT: Final = 10
"""Number of endgame positions that take as long as one position with a talon."""


class Bounds(NamedTuple):
    """Bounds of a move's value for the seat that makes it: 1 won, 0 drawn, -1 lost."""

    least: int
    """Value that one strategy guarantees in every world, however well the opponent plays."""
    most: tuple[int, ...]
    """Value in each world, if both players knew that world."""


def gone_through(worlds: Worlds | FaceUp, budget: int) -> dict[Move, Bounds] | None:
    """Return the bounds of each legal move in all of these worlds; None beyond the budget.

    Two players must be left, and there should be only a few worlds. If a draw by repetition is near, the
    result is None too.

    >>> from durak_widget import Game, analysis
    >>> gone = "Qc 9h Th Jh Qh Kh 9s Js Qs Ks"
    >>> game = Game.at(f"ranks=9TJQKA, suits=chs, hand_size=3: Jc Kc Ac | Tc Ah As; trump c; talon Ts 9c; discard {gone}")
    >>> found = gone_through(analysis.worlds(game.view(0)), 10_000)
    >>> {str(move): (bounds.least, min(bounds.most), max(bounds.most)) for move, bounds in found.items()}
    {'attack Jc': (1, 1, 1), 'attack Kc': (-1, -1, 1), 'attack Ac': (-1, -1, 1)}
    """
    open_hands, seat = isinstance(worlds, FaceUp), worlds.view.seat
    states = worlds.all() if isinstance(worlds, FaceUp) else (world.state for world in worlds.all())
    try:
        return _GoneThrough(states, lambda state: tuple(state.hands) if open_hands else state.hands[seat], budget).bounds()
    except (TooLargeError, RecursionError):
        return None


class _GoneThrough:
    """Search of worlds that the seat to act cannot distinguish."""

    def __init__(self, worlds: Iterable[State], sees: Callable[[State], Hashable], budget: int) -> None:
        """Prepare the search of these worlds.

        `sees` returns what is new to the seat in a state, which distinguishes worlds.
        """
        self._sees, self._left = sees, budget
        self._states: list[State] = []
        self._known: dict[tuple[int, Hashable], bool | None] = {}
        self._solvers: dict[int | None, Solver] = {}
        """Solver for each trump suit, as that may change while there is a talon."""
        for world in worlds:
            state, drawn_starts = without_end(world)
            if drawn_starts:
                raise TooLargeError
            self._states.append(state)
        first = self._states[0]
        assert first.actor is not None  # noqa: S101 - nobody asks where the game is over
        self._seat, self._other = first.actor, first.attacker ^ first.defender ^ first.actor

    def bounds(self) -> dict[Move, Bounds]:
        """Return the bounds of each legal move."""
        bounds_of_move = {}
        for move in state_transitions.legal_moves(self._states[0]):
            states = [_then(state, move) for state in self._states]
            values = tuple([self._open(state) for state in states])
            bounds_of_move[move] = Bounds(
                next((target for target in (1, 0) if target <= min(values) and self._has(states, target)), -1), values
            )
        return bounds_of_move

    def _has(self, states: Iterable[State], worth: int) -> bool:
        """Return whether one strategy reaches the target in all of these states.

        First they are split by what the seat observes.
        """
        groups: dict[Hashable, dict[Hashable, State]] = {}
        for state in states:
            in_view = state.outcome is None, state.actor, state.bout, len(state.rest), *[hand.bit_count() for hand in state.hands]
            groups.setdefault((in_view, self._sees(state)), {})[state.key()] = state
        return all(self._plans(list(group.values()), worth) for group in groups.values())

    def _plans(self, states: Sequence[State], worth: int) -> bool:
        """Return whether one strategy reaches the target in all of these equal-looking states."""
        if any(self._open(state) < worth for state in states):
            return False
        if len(states) == 1:
            return True
        self._spend(MOMENT)
        if states[0].actor == self._seat:
            return any(self._has([_then(state, move) for state in states], worth) for move in state_transitions.legal_moves(states[0]))
        replies: dict[Hashable, list[State]] = {}
        for state in states:
            for move in state_transitions.legal_moves(state):  # a swap is seen, but not its cards
                replies.setdefault("swap" if move.verb == "swap" else move, []).append(_then(state, move))
        return all(self._has(states_after, worth) for states_after in replies.values())

    def _open(self, state: State) -> int:
        """Return a state's value for the seat if both players see every card."""
        return 1 if self._wins(state, self._seat) else -int(self._wins(state, self._other))

    def _wins(self, state: State, seat: int) -> bool:
        if state.outcome is not None:
            return seat in state.outcome.winners
        key = seat, state.key()
        if key in self._known:
            result = self._known[key]
            if result is None:  # the position repeats before a card is drawn
                raise TooLargeError
            return result
        self._known[key] = None
        self._known[key] = is_win = self._decided(state, seat) if len(state.rest) > 1 else self._ends_well(state, seat)
        return is_win

    def _decided(self, state: State, seat: int) -> bool:
        """Return whether a seat wins before the end of the talon, by trying all moves."""
        self._spend(MOMENT)
        is_own_turn = state.actor == seat
        return any(self._wins(_then(state, move), seat) == is_own_turn for move in state_transitions.legal_moves(state)) == is_own_turn

    def _ends_well(self, state: State, seat: int) -> bool:
        """Return whether a seat wins when the talon is empty."""
        solver = self._solvers.get(state.suit) or self._solvers.setdefault(state.suit, self._opened(state.suit))
        count_before = solver.looked
        try:
            return solver.wins(state, seat)
        finally:
            self._spend(solver.looked - count_before)

    def _opened(self, trump: int | None) -> Solver:
        """Return a solver for the endgames of all these worlds.

        It is loaded with a position in which one hand holds the whole talon, as all worlds have the same
        cards.
        """
        state = self._states[0].copy()
        state.set_trump(trump)
        for card in state.talon:
            state.hands[state.attacker] |= card
        state.lay_talon(())
        state.face_up = state.hidden = 0
        return solver_for(state, self._left)

    def _spend(self, many: int) -> None:
        self._left -= many
        if self._left < 0:
            raise TooLargeError


def _then(state: State, move: Move) -> State:
    """Return the state after a move."""
    next_state = state.copy()
    state_transitions.play(next_state, move)
    return next_state
