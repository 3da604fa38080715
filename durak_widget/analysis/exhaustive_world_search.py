"""Searches a few possible worlds completely to find proved bounds on each move's value.

The upper bound searches each world as if both players saw every card of it, with the rest of the talon in its
order. The lower bound needs one strategy that works in all worlds and depends only on what the seat has seen,
while the opponent may know everything. After the end of the talon nothing is hidden, and `endgame` solves the
rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.acyclic_endgame_solver import TooLargeError
from durak_widget.analysis.endgame import make_solver
from durak_widget.analysis.position_repetition import remove_repetition_rule
from durak_widget.analysis.worlds_with_open_hands import OpenHandsWorlds
from durak_widget.engine import state_transitions

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from durak_widget.analysis.endgame import EndgameSolver
    from durak_widget.analysis.possible_worlds import Worlds
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State

POSITION_COST: Final = 10
"""One searched position with a talon costs as much of the budget as this many endgame positions."""


class Bounds(NamedTuple):
    """Bounds on a move's value for the seat that makes it (1 won, 0 drawn, -1 lost)."""

    guaranteed_value: int
    """The value that the seat can reach in every possible world with one strategy, whatever the opponent does."""
    value_by_world: tuple[int, ...]
    """The value in each possible world if both players knew all cards of that world."""


def solve_worlds(worlds: Worlds | OpenHandsWorlds, budget: int) -> dict[Move, Bounds] | None:
    """Return bounds on each legal move's value, or None if the search exceeds `budget`.

    Two players must be left, and there should be only a few worlds. If a draw by repetition is near, the
    result is None too.

    >>> from durak_widget import Game, analysis
    >>> gone = "Qc 9h Th Jh Qh Kh 9s Js Qs Ks"
    >>> game = Game.from_position_line(f"ranks=9TJQKA, suits=chs, hand_size=3: Jc Kc Ac | Tc Ah As; trump c; talon Ts 9c; discard {gone}")
    >>> found = solve_worlds(analysis.worlds(game.view(0)), 10_000)
    >>> {str(move): (bounds.guaranteed_value, min(bounds.value_by_world), max(bounds.value_by_world)) for move, bounds in found.items()}
    {'attack Jc': (1, 1, 1), 'attack Kc': (-1, -1, 1), 'attack Ac': (-1, -1, 1)}
    """
    open_hands, seat = isinstance(worlds, OpenHandsWorlds), worlds.view.seat
    states = worlds.all() if isinstance(worlds, OpenHandsWorlds) else (world.state for world in worlds.all())
    try:
        return _WorldSearch(states, lambda state: tuple(state.hands) if open_hands else state.hands[seat], budget).bounds_by_move()
    except (TooLargeError, RecursionError):
        return None


class _WorldSearch:
    """A search of possible worlds that the seat to act cannot distinguish."""

    def __init__(self, worlds: Iterable[State], observe: Callable[[State], Hashable], budget: int) -> None:
        """Prepare a search of given possible worlds.

        `observe` returns what is new to the seat in a state, which distinguishes worlds.
        """
        self._observe, self._budget_left = observe, budget
        self._states: list[State] = []
        self._results: dict[tuple[int, Hashable], bool | None] = {}
        self._solvers: dict[int | None, EndgameSolver] = {}
        """An endgame solver for each trump suit, since the trump suit may change while there is a talon."""
        for world in worlds:
            state, drawn_starts = remove_repetition_rule(world)
            if drawn_starts:
                raise TooLargeError
            self._states.append(state)
        first = self._states[0]
        assert first.actor is not None  # noqa: S101 - nobody asks where the game is over
        self._seat, self._opponent = first.actor, first.attacker ^ first.defender ^ first.actor

    def bounds_by_move(self) -> dict[Move, Bounds]:
        """Return bounds on the value of each legal move."""
        bounds_of_move = {}
        for move in state_transitions.legal_moves(self._states[0]):
            states = [_state_after(state, move) for state in self._states]
            values = tuple([self._open_value(state) for state in states])
            bounds_of_move[move] = Bounds(
                next((target for target in (1, 0) if target <= min(values) and self._can_guarantee(states, target)), -1), values
            )
        return bounds_of_move

    def _can_guarantee(self, states: Iterable[State], target: int) -> bool:
        """Return whether one strategy reaches at least a target value in each of several states.

        First they are split by what the seat observes.
        """
        groups: dict[Hashable, dict[Hashable, State]] = {}
        for state in states:
            in_view = (
                state.outcome is None,
                state.actor,
                state.bout,
                len(state.talon_suffix_masks),
                *[hand.bit_count() for hand in state.hands],
            )
            groups.setdefault((in_view, self._observe(state)), {})[state.key()] = state
        return all(self._can_guarantee_indistinguishable(list(group.values()), target) for group in groups.values())

    def _can_guarantee_indistinguishable(self, states: Sequence[State], target: int) -> bool:
        """Return whether one strategy reaches a target value in states that look the same."""
        if any(self._open_value(state) < target for state in states):
            return False
        if len(states) == 1:
            return True
        self._spend_budget(POSITION_COST)
        if states[0].actor == self._seat:
            return any(
                self._can_guarantee([_state_after(state, move) for state in states], target)
                for move in state_transitions.legal_moves(states[0])
            )
        replies: dict[Hashable, list[State]] = {}
        for state in states:
            for move in state_transitions.legal_moves(state):  # All swaps look the same to the seat, which does not see the swapped cards
                replies.setdefault("swap" if move.verb == "swap" else move, []).append(_state_after(state, move))
        return all(self._can_guarantee(states_after, target) for states_after in replies.values())

    def _open_value(self, state: State) -> int:
        """Return a state's value for the seat of this search if both players see every card."""
        return 1 if self._can_win(state, self._seat) else -int(self._can_win(state, self._opponent))

    def _can_win(self, state: State, seat: int) -> bool:
        """Return whether a seat can win from a state if all cards are open, using cached results."""
        if state.outcome is not None:
            return seat in state.outcome.winners
        key = seat, state.key()
        if key in self._results:
            result = self._results[key]
            if result is None:  # None marks a position whose search is not finished, so the position repeats here
                raise TooLargeError
            return result
        self._results[key] = None
        self._results[key] = is_win = (
            self._search_win(state, seat) if len(state.talon_suffix_masks) > 1 else self._wins_endgame(state, seat)
        )
        return is_win

    def _search_win(self, state: State, seat: int) -> bool:
        """Return whether a seat can win a position with a talon, by trying all moves."""
        self._spend_budget(POSITION_COST)
        is_own_turn = state.actor == seat
        return (
            any(self._can_win(_state_after(state, move), seat) == is_own_turn for move in state_transitions.legal_moves(state))
            == is_own_turn
        )

    def _wins_endgame(self, state: State, seat: int) -> bool:
        """Return whether a seat can win a position with an empty talon, using an endgame solver."""
        solver = self._solvers.get(state.trump_suit) or self._solvers.setdefault(state.trump_suit, self._make_solver(state.trump_suit))
        count_before = solver.positions_searched
        try:
            return solver.can_win(state, seat)
        finally:
            self._spend_budget(solver.positions_searched - count_before)

    def _make_solver(self, trump: int | None) -> EndgameSolver:
        """Return a solver for endgames with a given trump suit, shared by all possible worlds.

        It is loaded with a position in which one hand holds the whole talon, as all worlds have the same
        cards.
        """
        state = self._states[0].copy()
        state.set_trump(trump)
        for card in state.talon:
            state.hands[state.attacker] |= card
        state.set_talon(())
        state.drawable_turn_up = state.hidden_card = 0
        return make_solver(state, self._budget_left)

    def _spend_budget(self, position_count: int) -> None:
        """Subtract positions from the search budget; raise an error if the budget is exceeded."""
        self._budget_left -= position_count
        if self._budget_left < 0:
            raise TooLargeError


def _state_after(state: State, move: Move) -> State:
    """Return the state after a move, leaving the given state unchanged."""
    next_state = state.copy()
    state_transitions.apply_move(next_state, move)
    return next_state
