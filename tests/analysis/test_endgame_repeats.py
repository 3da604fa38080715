"""Where positions come again, is an ending still exact?"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from endings import NEVER, WorkedOut

from durak_widget import Game, Rules
from durak_widget.analysis import cyclic_endgame_solver, position_repetition
from durak_widget.analysis.cyclic_endgame_solver import CyclicEndgameSolver
from durak_widget.engine import state_transitions

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from durak_widget.engine.state import State


@pytest.mark.slow
def test_a_repetition_rule_inside_a_depth_first_search_would_be_wrong() -> None:
    """To call a position drawn because it is on the way, and to remember what follows from that, gives wrong values; ours are those of the fixpoint."""
    rules = Rules.preset("perevodnoy").replace(repetition=None)
    game = Game.from_position(rules, hands=["Qc Ac As", "Qd Kd Qh Ks"], trump="h")
    worked_out = WorkedOut(game.state)
    remembered = depth_first(game.state)
    wrong, solver, plain = 0, CyclicEndgameSolver(game.state), CyclicEndgameSolver(game.state, python_only=True)
    for place, state in enumerate(worked_out.states):
        if state.outcome is None:
            worth = (worked_out.within[0][place] < NEVER) - (worked_out.within[1][place] < NEVER)
            for one in (solver, plain):
                assert one.can_win(state, 0) - one.can_win(state, 1) == worth, state.key()
            wrong += remembered.get(state.key(), worth) != worth
    assert wrong >= 5


def test_whoever_is_interrupted_asks_again_and_is_told_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the search is broken off, what it says later is right."""
    rules = Rules.preset("perevodnoy").replace(repetition=None)
    state = Game.from_position(rules, hands=["Qc Ac As", "Qd Kd Qh Ks"], trump="h").state
    plain = CyclicEndgameSolver(state, python_only=True)
    truth = [plain.can_win(state, seat) for seat in (0, 1)]
    for moves in range(1, 400, 9):
        solver, left = CyclicEndgameSolver(state, python_only=True), iter(range(moves))

        def after(*asked: Any, left: Iterator[int] = left) -> State | None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            return position_repetition.get_next_state(*asked)

        with monkeypatch.context() as patched, suppress(KeyboardInterrupt):
            patched.setattr(cyclic_endgame_solver, "get_next_state", after)
            assert [solver.can_win(state, seat) for seat in (0, 1)] == truth
        assert [solver.can_win(state, seat) for seat in (0, 1)] == truth


def depth_first(root: State) -> dict[Hashable, int]:
    """The search that would be wrong: what it remembers of each position, as seat 0 sees it."""
    remembered: dict[Hashable, int] = {}
    on_the_way: set[Hashable] = set()

    def worth(state: State) -> int:
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
                found.append(worth(after))
            on_the_way.remove(key)
            remembered[key] = max(found) if state.actor == 0 else min(found)
        return remembered[key]

    worth(root)
    return remembered
