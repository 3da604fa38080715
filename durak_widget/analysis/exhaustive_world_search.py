"""A few worlds gone through whole: what does each move bring in each of them, and what does it bring outright, whichever of them is the real one?

Two bounds, and both are proved. At most: a world is searched as if both saw every card of it, the rest of the talon in its order. At least: one
plan is sought that does it in all of them, and that asks at each of its moves for no more than the seat has seen until then, while the other may know all.
Beyond the end of the talon nothing is hidden any more, and `endings` knows the rest.
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
"""A moment before the end of the talon counts as so many positions of an ending: it takes about as long."""


class Bounds(NamedTuple):
    """What a move is worth to the seat that makes it: 1 won, 0 drawn, -1 lost."""

    least: int
    """What it brings outright: by a plan of its own, whichever world is the real one and however well the other plays."""
    most: tuple[int, ...]
    """What it brings in each world, were that known to both."""


def gone_through(worlds: Worlds | FaceUp, budget: int) -> dict[Move, Bounds] | None:
    """What each legal move of the seat to act brings in all of these worlds; None where that takes more than a `budget` of positions.

    Two are left to play, and there are only a few worlds; where a draw by repetition is near, nothing is known.

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
    """Worlds that look alike to the seat to act."""

    def __init__(self, worlds: Iterable[State], sees: Callable[[State], Hashable], budget: int) -> None:
        """What the seat sees of a state, that it has not seen before, tells worlds apart."""
        self._sees, self._left = sees, budget
        self._states: list[State] = []
        self._known: dict[tuple[int, Hashable], bool | None] = {}
        self._solvers: dict[int | None, Solver] = {}
        """By what is trump, which may change as long as there is a talon."""
        for world in worlds:
            state, drawn = without_end(world)
            if drawn:
                raise TooLargeError
            self._states.append(state)
        first = self._states[0]
        assert first.actor is not None  # noqa: S101 - nobody asks where the game is over
        self._seat, self._other = first.actor, first.attacker ^ first.defender ^ first.actor

    def bounds(self) -> dict[Move, Bounds]:
        """What each legal move brings."""
        found = {}
        for move in state_transitions.legal_moves(self._states[0]):
            states = [_then(state, move) for state in self._states]
            most = tuple([self._open(state) for state in states])
            found[move] = Bounds(next((worth for worth in (1, 0) if worth <= min(most) and self._has(states, worth)), -1), most)
        return found

    def _has(self, states: Iterable[State], worth: int) -> bool:
        """Whether so much can be had in all of these by one plan, what is seen of them looked at first."""
        apart: dict[Hashable, dict[Hashable, State]] = {}
        for state in states:
            in_view = state.outcome is None, state.actor, state.bout, len(state.rest), *[hand.bit_count() for hand in state.hands]
            apart.setdefault((in_view, self._sees(state)), {})[state.key()] = state
        return all(self._plans(list(alike.values()), worth) for alike in apart.values())

    def _plans(self, states: Sequence[State], worth: int) -> bool:
        """Whether so much can be had in all of these, which look alike."""
        if any(self._open(state) < worth for state in states):
            return False
        if len(states) == 1:
            return True
        self._spend(MOMENT)
        if states[0].actor == self._seat:
            return any(self._has([_then(state, move) for state in states], worth) for move in state_transitions.legal_moves(states[0]))
        replies: dict[Hashable, list[State]] = {}
        for state in states:
            for move in state_transitions.legal_moves(state):  # of a swap it is seen that it was made, and not of which cards
                replies.setdefault("swap" if move.verb == "swap" else move, []).append(_then(state, move))
        return all(self._has(some, worth) for some in replies.values())

    def _open(self, state: State) -> int:
        """What a state is worth to the seat where both see every card of it."""
        return 1 if self._wins(state, self._seat) else -int(self._wins(state, self._other))

    def _wins(self, state: State, seat: int) -> bool:
        if state.outcome is not None:
            return seat in state.outcome.winners
        key = seat, state.key()
        if key in self._known:
            found = self._known[key]
            if found is None:  # it comes again before anything is drawn
                raise TooLargeError
            return found
        self._known[key] = None
        self._known[key] = won = self._decided(state, seat) if len(state.rest) > 1 else self._ends_well(state, seat)
        return won

    def _decided(self, state: State, seat: int) -> bool:
        """Whether a seat wins before the end of the talon, by all moves."""
        self._spend(MOMENT)
        mine = state.actor == seat
        return any(self._wins(_then(state, move), seat) == mine for move in state_transitions.legal_moves(state)) == mine

    def _ends_well(self, state: State, seat: int) -> bool:
        """Whether a seat wins where nothing is left to draw."""
        solver = self._solvers.get(state.suit) or self._solvers.setdefault(state.suit, self._opened(state.suit))
        before = solver.looked
        try:
            return solver.wins(state, seat)
        finally:
            self._spend(solver.looked - before)

    def _opened(self, trump: int | None) -> Solver:
        """What knows the endings of all these worlds: the same cards lie in each, so that one is opened in which no card is left to draw."""
        there = self._states[0].copy()
        there.set_trump(trump)
        for card in there.talon:
            there.hands[there.attacker] |= card
        there.lay_talon(())
        there.face_up = there.hidden = 0
        return solver_for(there, self._left)

    def _spend(self, many: int) -> None:
        self._left -= many
        if self._left < 0:
            raise TooLargeError


def _then(state: State, move: Move) -> State:
    """The state one move later."""
    following = state.copy()
    state_transitions.play(following, move)
    return following
