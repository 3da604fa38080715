"""Solves two-player endgames with an empty talon, even if positions can repeat.

If attacks may be transferred, positions repeat. A search that counts a position seen before as a draw gives
wrong values, as the draw may hold on that path only. So the solver first searches for a win within a few
bouts, which needs no repetition. If neither side has one, it asks for each side whether it can ever win.
Nothing counts as won until it is proved. Every proof is passed back to the positions that depend on it, and
for the opponent only one move is followed that is not yet refuted (the local fixpoint of Liu and Smolka). A
position that neither side wins is a draw.

The fast engine, where available, makes the same steps and counts the same number of positions.
"""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.acyclic_endgame_solver import CYCLIC_SEARCH, NO_LIMIT, TOO_LARGE, YES, FastEngineSearch, TooLargeError
from durak_widget.analysis.position_repetition import get_next_state
from durak_widget.engine.compiled_rules import SAME_RANK_MASKS, trump_mask
from durak_widget.engine.state_transitions import legal_moves
from durak_widget.fast_engine.engine_instance import ask_fast_engine

if TYPE_CHECKING:
    from collections.abc import Hashable

    from durak_widget.analysis.position_repetition import BoutStarts
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.rules.scoring import Outcome

_QUICK_SEARCH_STEPS: Final = 100
"""The approximate limit on the number of steps in the solver's first search, which looks for a quick win."""

_NO_BOUNDS: Final = (0.0, inf)
"""The bout limits stored for a position before it is searched: 0 bouts and infinitely many."""


class _WinNode:
    """A position in the search for a win that a seat can force in any number of bouts."""

    __slots__ = ("dependents", "is_own_turn", "is_won", "state", "unsearched_moves")

    def __init__(self, state: State, *, is_own_turn: bool) -> None:
        self.state, self.is_own_turn, self.is_won = state, is_own_turn, False
        self.unsearched_moves: list[Move] = []
        """The legal moves that have not been searched yet, in reverse order."""
        self.dependents: list[_WinNode] = []
        """The nodes to update when this position is proved to be won."""


class CyclicEndgameSolver:
    """A solver of the endgames that follow from one position; it caches its results.

    >>> from durak_widget import Game, Rules
    >>> state = Game.from_position(Rules(transfer=True, repetition=None), hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> CyclicEndgameSolver(state).can_win(state, 0)
    True
    """

    __slots__ = (
        "_bounds",
        "_budget",
        "_can_repeat",
        "_drawn_starts",
        "_fast_search",
        "_min_epaulettes",
        "_nodes",
        "_queues",
        "_step_count",
    )

    def __init__(
        self,
        state: State,
        budget: int | None = None,
        drawn_starts: BoutStarts = frozenset(),
        min_epaulettes: int = 0,
        *,
        python_only: bool = False,
    ) -> None:
        """Prepare a solver for the endgames that follow from a state.

        The bout starts in `drawn_starts` (as in `State.repeatable_positions`) end the game in a draw. A win counts only if it leaves
        the fool with at least `min_epaulettes` epaulettes.
        """
        self._fast_search = None if python_only else FastEngineSearch.create(state, CYCLIC_SEARCH, budget, drawn_starts, min_epaulettes)
        self._min_epaulettes = min_epaulettes
        self._bounds: dict[tuple[int, Hashable], tuple[float, float]] = {}
        sides = (state.attacker, state.defender)
        self._nodes: dict[int, dict[Hashable, _WinNode]] = {seat: {} for seat in sides}
        self._queues: dict[int, list[_WinNode]] = {seat: [] for seat in sides}
        self._drawn_starts, self._can_repeat = drawn_starts, state.compiled_rules.has_transfers
        self._budget, self._step_count = inf if budget is None else budget, 0

    @property
    def positions_searched(self) -> int:
        """Return the number of positions searched so far."""
        if self._fast_search is not None:
            return self._fast_search.positions_searched
        return len(self._bounds) + sum(map(len, self._nodes.values()))

    def can_win(self, state: State, seat: int, max_bouts: float = NO_LIMIT) -> bool:
        """Return whether a seat can force a win in `max_bouts` bouts, including the current bout."""
        if state.outcome is not None:
            return self._is_win(state.outcome, seat)
        answer = None if self._fast_search is None else self._search_in_fast_engine(self._fast_search, state, seat, max_bouts)
        return self._search_in_python(state, seat, max_bouts) if answer is None else answer

    def _search_in_fast_engine(self, search: FastEngineSearch, state: State, seat: int, max_bouts: float) -> bool | None:
        """Search for a win in the fast engine; return None if the engine fails or lacks memory.

        From then on the search runs in Python. It is first asked the earlier questions again, so that it
        knows the same.
        """
        answer = ask_fast_engine(state.compiled_rules.rules, lambda machine: search.answer(machine, (state, seat, max_bouts)))
        if answer == TOO_LARGE:
            raise TooLargeError
        if answer is not None:
            return answer == YES
        self._fast_search = None
        for question in search.answered_questions:
            with suppress(TooLargeError):
                self._search_in_python(*question)
        return None

    def _search_in_python(self, state: State, seat: int, max_bouts: float) -> bool:
        try:
            return self._search_win(state, seat, max_bouts)
        except RecursionError:
            raise TooLargeError from None

    def _is_win(self, outcome: Outcome, seat: int) -> bool:
        """Return whether a seat has won with at least the required number of epaulettes."""
        return seat in outcome.winners and outcome.epaulettes >= self._min_epaulettes

    def _search_win(self, state: State, seat: int, max_bouts: float) -> bool:
        """Return whether a seat can force a win within `max_bouts` bouts.

        The value `NO_LIMIT` allows any number of bouts.
        """
        if not self._can_repeat or max_bouts < NO_LIMIT:
            return self._search_within(state, seat, max_bouts)
        node = self._nodes[seat].get(state.key())
        if node is not None and (node.is_won or not self._queues[seat]):
            return node.is_won
        quick_answer = self._search_quick_win(state, seat)
        return self._search_any_win(state, seat) if quick_answer is None else quick_answer

    def _search_quick_win(self, state: State, seat: int) -> bool | None:
        """Return True if a seat can force a quick win, and False if the opponent can.

        Return None if the search finds no quick win of either player.
        """
        self._step_count, max_bouts = 0, 1
        while self._step_count < _QUICK_SEARCH_STEPS:
            for winner in (seat, state.attacker ^ state.defender ^ seat):
                if self._search_within(state, winner, max_bouts):
                    return winner == seat
            max_bouts += 1
        return None

    def _search_within(self, state: State, seat: int, max_bouts: float) -> bool:
        """Return whether a seat can force a win within `max_bouts` bouts."""
        if state.outcome is not None:
            return self._is_win(state.outcome, seat)
        if not max_bouts:
            return False
        key = state.key()
        no_win_within, win_within = self._bounds.get((seat, key), _NO_BOUNDS)
        if max_bouts <= no_win_within or max_bouts >= win_within:
            return max_bouts >= win_within
        if not self._queues[seat] and (node := self._nodes[seat].get(key)) is not None and not node.is_won:
            return False
        if self.positions_searched >= self._budget:
            raise TooLargeError
        self._step_count += 1
        is_own_turn, bout = state.actor == seat, state.bout
        wins = not is_own_turn
        for move in _moves_cheap_first(state):
            next_state = get_next_state(state, move, self._drawn_starts)
            if (next_state is not None and self._search_within(next_state, seat, max_bouts - (next_state.bout > bout))) == is_own_turn:
                wins = is_own_turn
                break
        self._bounds[seat, key] = (no_win_within, max_bouts) if wins else (max_bouts, win_within)
        return wins

    def _search_any_win(self, root: State, seat: int) -> bool:
        """Return whether a seat can ever force a win, however many bouts it takes.

        Every position counts as not won until that is proved. Where the opponent moves, one move that is not
        known to lose is enough, and the next is searched only when that one loses. When nothing is left to
        search, a position that is not won never will be.
        """
        nodes, queue = self._nodes[seat], self._queues[seat]
        key = root.key()
        root_node = nodes.get(key) or self._add_node(root, key, seat)
        while queue and not root_node.is_won:
            if self.positions_searched >= self._budget:
                raise TooLargeError
            try:
                node = queue.pop()
                if not node.is_won and self._search_node(node, seat):
                    self._propagate_win(node, seat)
            except BaseException:  # An interrupt may leave the queue of positions incomplete, so the next search starts anew
                nodes.clear()
                queue.clear()
                raise
        return root_node.is_won

    def _propagate_win(self, node: _WinNode, seat: int) -> None:
        """Mark a position as won, and all positions from which a win now follows.

        Nodes where the seat moves are won too; nodes where the opponent moves need another move.
        """
        won_nodes = [node]
        for won_node in won_nodes:
            won_node.is_won, won_node.unsearched_moves = True, []
            for dependent in won_node.dependents:
                if dependent.is_own_turn and not dependent.is_won:
                    dependent.is_won = True
                    won_nodes.append(dependent)
                elif not dependent.is_own_turn:
                    self._queues[seat].append(dependent)
            won_node.dependents = []

    def _add_node(self, state: State, key: Hashable, seat: int) -> _WinNode:
        """Add a node for a position; queue it for search unless its result is already known."""
        node = self._nodes[seat][key] = _WinNode(state, is_own_turn=state.actor == seat)
        if self._bounds.get((seat, key), _NO_BOUNDS)[1] < inf:
            node.is_won = True
        elif self._bounds.get((state.attacker ^ state.defender ^ seat, key), _NO_BOUNDS)[1] == inf:
            node.unsearched_moves = _moves_cheap_first(state)[::-1]
            self._queues[seat].append(node)
        return node

    def _search_node(self, node: _WinNode, seat: int) -> bool:
        """Search moves from a node until a win is proved or all moves are searched.

        Return whether a win is proved.
        """
        state, moves, is_own_turn, nodes = node.state, node.unsearched_moves, node.is_own_turn, self._nodes[seat]
        while moves:
            next_state = get_next_state(state, moves[-1], self._drawn_starts)
            if next_state is None or next_state.outcome is not None:
                is_win = next_state is not None and self.can_win(next_state, seat)
                moves.pop()
                if is_win != is_own_turn:
                    continue
                node.unsearched_moves = []
                return is_win
            key = next_state.key()
            child = nodes.get(key)
            is_new = child is None
            if child is None:
                if is_own_turn:
                    self._queues[seat].append(node)  # Put the node into the queue before its new child, so that the child is searched first
                child = self._add_node(next_state, key, seat)
            moves.pop()
            if child.is_won:
                if is_own_turn:
                    return True
                continue
            child.dependents.append(node)
            if is_new or not is_own_turn:
                return False
        return not is_own_turn


def _moves_cheap_first(state: State) -> list[Move]:
    """Return the legal moves in search order: moves with cheap cards first, take or pass last."""
    trumps = trump_mask(state.trump_suit)
    return sorted(
        legal_moves(state), key=lambda move: (not move.bit, bool(trumps & move.bit), SAME_RANK_MASKS[move.code] if move.bit else 0)
    )
