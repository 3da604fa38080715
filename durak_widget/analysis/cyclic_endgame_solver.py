"""Solves two-player endgames without a talon under any rules, also where positions repeat.

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

from durak_widget.analysis.acyclic_endgame_solver import CYCLIC_STEPS, NO_LIMIT, TOO_LARGE, YES, KernelSearch, TooLargeError
from durak_widget.analysis.position_repetition import after
from durak_widget.engine.compiled_rules import SAME_RANK, mask_of_trumps
from durak_widget.engine.state_transitions import legal_moves
from durak_widget.fast_engine.engine_instance import by_kernel

if TYPE_CHECKING:
    from collections.abc import Hashable

    from durak_widget.analysis.position_repetition import Starts
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.rules.scoring import Outcome

_FEW: Final = 100
"""Approximate number of steps to search for a quick win first."""

_NOTHING: Final = (0.0, inf)
"""Bounds of a position that was not searched yet."""


class _Place:
    """Position in the search for any win of one seat."""

    __slots__ = ("asked", "mine", "moves", "state", "won")

    def __init__(self, state: State, *, mine: bool) -> None:
        self.state, self.mine, self.won = state, mine, False
        self.moves: list[Move] = []
        """Moves to search, in reverse order."""
        self.asked: list[_Place] = []
        """Nodes that are won, or need another move, once this one is won."""


class Wandering:
    """Solver of the endgames that follow from one position, with what it has found so far.

    >>> from durak_widget import Game, Rules
    >>> state = Game.from_position(Rules(transfer=True, repetition=None), hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> Wandering(state).wins(state, 0)
    True
    """

    __slots__ = ("_budget", "_drawn", "_kernel", "_known", "_least", "_sought", "_steps", "_waiting", "_wanders")

    def __init__(
        self, state: State, budget: int | None = None, drawn: Starts = frozenset(), least: int = 0, *, plainly: bool = False
    ) -> None:
        """Prepare a search from a state under rules without repetition.

        The bout starts in `drawn` (as in `State.past`) end the game in a draw. A win counts only if it leaves
        the fool with at least `least` epaulettes.
        """
        self._kernel = None if plainly else KernelSearch.of(state, CYCLIC_STEPS, budget, drawn, least)
        self._least = least
        self._known: dict[tuple[int, Hashable], tuple[float, float]] = {}
        sides = (state.attacker, state.defender)
        self._sought: dict[int, dict[Hashable, _Place]] = {seat: {} for seat in sides}
        self._waiting: dict[int, list[_Place]] = {seat: [] for seat in sides}
        self._drawn, self._wanders = drawn, state.kit.transfers
        self._budget, self._steps = inf if budget is None else budget, 0

    @property
    def looked(self) -> int:
        """Return the number of positions searched so far."""
        if self._kernel is not None:
            return self._kernel.looked
        return len(self._known) + sum(map(len, self._sought.values()))

    def wins(self, state: State, seat: int, within: float = NO_LIMIT) -> bool:
        """Return whether a seat can force a win within this many bouts, the current one included."""
        if state.outcome is not None:
            return self._won(state.outcome, seat)
        answer = None if self._kernel is None else self._by_kernel(self._kernel, state, seat, within)
        return self._plainly(state, seat, within) if answer is None else answer

    def _by_kernel(self, search: KernelSearch, state: State, seat: int, within: float) -> bool | None:
        """Return the fast engine's answer, or None if it has too little memory or fails.

        From then on the search runs in Python. It is first asked the earlier questions again, so that it
        knows the same.
        """
        answer = by_kernel(state.kit.rules, lambda machine: search.wins(machine, (state, seat, within)))
        if answer == TOO_LARGE:
            raise TooLargeError
        if answer is not None:
            return answer == YES
        self._kernel = None
        for question in search.asked:
            with suppress(TooLargeError):
                self._plainly(*question)
        return None

    def _plainly(self, state: State, seat: int, within: float) -> bool:
        try:
            return self._found(state, seat, within)
        except RecursionError:
            raise TooLargeError from None

    def _won(self, outcome: Outcome, seat: int) -> bool:
        return seat in outcome.winners and outcome.epaulettes >= self._least

    def _found(self, state: State, seat: int, within: float) -> bool:
        if not self._wanders or within < NO_LIMIT:
            return self._search(state, seat, within)
        node = self._sought[seat].get(state.key())
        if node is not None and (node.won or not self._waiting[seat]):
            return node.won
        quick_answer = self._soon(state, seat)
        return self._ever(state, seat) if quick_answer is None else quick_answer

    def _soon(self, state: State, seat: int) -> bool | None:
        """Return whether a seat wins or loses within a few bouts; None if neither is found."""
        self._steps, max_bouts = 0, 1
        while self._steps < _FEW:
            for winner in (seat, state.attacker ^ state.defender ^ seat):
                if self._search(state, winner, max_bouts):
                    return winner == seat
            max_bouts += 1
        return None

    def _search(self, state: State, seat: int, within: float) -> bool:
        if state.outcome is not None:
            return self._won(state.outcome, seat)
        if not within:
            return False
        key = state.key()
        no_win_within, win_within = self._known.get((seat, key), _NOTHING)
        if within <= no_win_within or within >= win_within:
            return within >= win_within
        if not self._waiting[seat] and (node := self._sought[seat].get(key)) is not None and not node.won:
            return False
        if self.looked >= self._budget:
            raise TooLargeError
        self._steps += 1
        is_own_turn, bout = state.actor == seat, state.bout
        wins = not is_own_turn
        for move in _cheap_first(state):
            next_state = after(state, move, self._drawn)
            if (next_state is not None and self._search(next_state, seat, within - (next_state.bout > bout))) == is_own_turn:
                wins = is_own_turn
                break
        self._known[seat, key] = (no_win_within, within) if wins else (within, win_within)
        return wins

    def _ever(self, root: State, seat: int) -> bool:
        """Return whether a seat can ever force a win, however long it takes.

        Every position counts as not won until that is proved. Where the opponent moves, one move that is not
        known to lose is enough, and the next is searched only when that one loses. When nothing is left to
        search, a position that is not won never will be.
        """
        nodes, queue = self._sought[seat], self._waiting[seat]
        key = root.key()
        root_node = nodes.get(key) or self._meet(root, key, seat)
        while queue and not root_node.won:
            if self.looked >= self._budget:
                raise TooLargeError
            try:
                node = queue.pop()
                if not node.won and self._is_won(node, seat):
                    self._carry_back(node, seat)
            except BaseException:  # interrupted: the queue may be incomplete, so the next search starts again
                nodes.clear()
                queue.clear()
                raise
        return root_node.won

    def _carry_back(self, place: _Place, seat: int) -> None:
        """Mark a node as won, and pass that on to the nodes that depend on it.

        Nodes where the seat moves are won too; nodes where the opponent moves need another move.
        """
        won_nodes = [place]
        for won_node in won_nodes:
            won_node.won, won_node.moves = True, []
            for dependent in won_node.asked:
                if dependent.mine and not dependent.won:
                    dependent.won = True
                    won_nodes.append(dependent)
                elif not dependent.mine:
                    self._waiting[seat].append(dependent)
            won_node.asked = []

    def _meet(self, state: State, key: Hashable, seat: int) -> _Place:
        """Add a node for a new position, and queue it unless the short search has decided it."""
        node = self._sought[seat][key] = _Place(state, mine=state.actor == seat)
        if self._known.get((seat, key), _NOTHING)[1] < inf:
            node.won = True
        elif self._known.get((state.attacker ^ state.defender ^ seat, key), _NOTHING)[1] == inf:
            node.moves = _cheap_first(state)[::-1]
            self._waiting[seat].append(node)
        return node

    def _is_won(self, place: _Place, seat: int) -> bool:
        """Search a node's moves as far as needed now; return whether it is proved to be won."""
        state, moves, is_own_turn, nodes = place.state, place.moves, place.mine, self._sought[seat]
        while moves:
            next_state = after(state, moves[-1], self._drawn)
            if next_state is None or next_state.outcome is not None:
                is_win = next_state is not None and self.wins(next_state, seat)
                moves.pop()
                if is_win != is_own_turn:
                    continue
                place.moves = []
                return is_win
            key = next_state.key()
            child = nodes.get(key)
            is_new = child is None
            if child is None:
                if is_own_turn:
                    self._waiting[seat].append(place)  # below its child, which is searched first
                child = self._meet(next_state, key, seat)
            moves.pop()
            if child.won:
                if is_own_turn:
                    return True
                continue
            child.asked.append(place)
            if is_new or not is_own_turn:
                return False
        return not is_own_turn


def _cheap_first(state: State) -> list[Move]:
    """Return the legal moves, cheap cards first, and taking or passing last."""
    trumps = mask_of_trumps(state.suit)
    return sorted(legal_moves(state), key=lambda move: (not move.bit, bool(trumps & move.bit), SAME_RANK[move.code] if move.bit else 0))
