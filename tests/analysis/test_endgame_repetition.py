"""Test that endings with repeated positions are exact."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from reference_endings import NEVER, ReferenceSolution

from durak_widget import Game, Rules
from durak_widget.analysis import cyclic_endgame_solver, position_repetition
from durak_widget.analysis.cyclic_endgame_solver import CyclicEndgameSolver
from durak_widget.engine import state_transitions

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from durak_widget.engine.state import State


@pytest.mark.slow
def test_a_depth_first_search_with_a_repetition_rule_is_wrong() -> None:
    """It calls a position drawn because it is on the current path, and stores what follows from that. This gives wrong values; ours are those of the fixpoint."""
    rules = Rules.preset("perevodnoy").replace(repetition=None)
    game = Game.from_position(rules, hands=["Qc Ac As", "Qd Kd Qh Ks"], trump="h")
    reference = ReferenceSolution(game.state)
    remembered = depth_first_values(game.state)
    wrong, solver, plain = 0, CyclicEndgameSolver(game.state), CyclicEndgameSolver(game.state, python_only=True)
    for place, state in enumerate(reference.states):
        if state.outcome is None:
            expected = (reference.bouts_to_win[0][place] < NEVER) - (reference.bouts_to_win[1][place] < NEVER)
            for search in (solver, plain):
                assert search.can_win(state, 0) - search.can_win(state, 1) == expected, state.key()
            wrong += remembered.get(state.key(), expected) != expected
    assert wrong >= 5


def test_an_interrupted_search_gives_the_right_result_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """At whatever point the search is interrupted, its later results are right."""
    rules = Rules.preset("perevodnoy").replace(repetition=None)
    state = Game.from_position(rules, hands=["Qc Ac As", "Qd Kd Qh Ks"], trump="h").state
    plain = CyclicEndgameSolver(state, python_only=True)
    truth = [plain.can_win(state, seat) for seat in (0, 1)]
    for moves in range(1, 400, 9):
        solver, left = CyclicEndgameSolver(state, python_only=True), iter(range(moves))

        def interrupted_next_state(*arguments: Any, left: Iterator[int] = left) -> State | None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            return position_repetition.get_next_state(*arguments)

        with monkeypatch.context() as patched, suppress(KeyboardInterrupt):
            patched.setattr(cyclic_endgame_solver, "get_next_state", interrupted_next_state)
            assert [solver.can_win(state, seat) for seat in (0, 1)] == truth
        assert [solver.can_win(state, seat) for seat in (0, 1)] == truth


def depth_first_values(root: State) -> dict[Hashable, int]:
    """Return the values that a wrong depth-first search stores for each position, as seat 0 sees it."""
    remembered: dict[Hashable, int] = {}
    on_the_way: set[Hashable] = set()

    def search(state: State) -> int:
        if state.outcome is not None:
            return (0 in state.outcome.winners) - (1 in state.outcome.winners)
        key = state.key()
        if key in on_the_way:
            return 0
        if key not in remembered:
            on_the_way.add(key)
            found = []
            for move in state_transitions.legal_moves(state):
                after = state.copy()
                state_transitions.apply_move(after, move)
                found.append(search(after))
            on_the_way.remove(key)
            remembered[key] = max(found) if state.actor == 0 else min(found)
        return remembered[key]

    search(root)
    return remembered
