"""Removes the repetition rule for endgame searches, and finds the draws that it causes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from durak_widget.cards import plainly
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.state_transitions import play

if TYPE_CHECKING:
    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.rules.ruleset import Rules

Starts = frozenset[tuple[int, ...]]
"""Starts of bouts, each as in `State.past`."""


def without_end(state: State) -> tuple[State, Starts]:
    """Return a state under rules without repetition, and the bout starts that are now draws.

    A win under one set of rules is a win under the other, as the shortest win repeats no position. A position
    that neither side wins is a draw under both.
    """
    times_to_draw, past = state.kit.times_to_draw, state.past
    unlimited = state.copy()
    unlimited.kit, unlimited.past = _endless(state.kit.rules), ()
    unlimited.set_trump(state.suit)
    return unlimited, frozenset(start for start in past if times_to_draw and past.count(start) >= times_to_draw - 1)


@lru_cache(maxsize=64)
def _endless(rules: Rules) -> Kit:
    return kit_of(rules.replace(repetition=None))


def after(state: State, move: Move, drawn: Starts) -> State | None:
    """Return the state after a move; None if it is a draw by repetition."""
    next_state = state.copy()
    play(next_state, move)
    if drawn and next_state.bout > state.bout and next_state.outcome is None:
        hands = map(plainly, next_state.hands) if next_state.kit.twins else next_state.hands
        if (next_state.attacker, *hands) in drawn:
            return None
    return next_state
