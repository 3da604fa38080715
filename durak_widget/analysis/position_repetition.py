"""Removes the repetition rule for endgame searches, and detects draws by repetition."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from durak_widget.cards import normalize_copies
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.state_transitions import apply_move

if TYPE_CHECKING:
    from durak_widget.engine.compiled_rules import CompiledRules
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.rules.ruleset import Rules

BoutStarts = frozenset[tuple[int, ...]]
"""A set of positions at the start of a bout, in the format of `State.repeatable_positions`."""


def remove_repetition_rule(state: State) -> tuple[State, BoutStarts]:
    """Remove the repetition rule; also return the positions whose next repetition is a draw.

    All of these positions are at the start of a bout.

    A win under one set of rules is a win under the other, as the shortest win repeats no position. A position
    that neither side wins is a draw under both.
    """
    times_to_draw, past = state.compiled_rules.repetitions_to_tie, state.repeatable_positions
    unlimited = state.copy()
    unlimited.compiled_rules, unlimited.repeatable_positions = _compile_without_repetition(state.compiled_rules.rules), ()
    unlimited.set_trump(state.trump_suit)
    return unlimited, frozenset(start for start in past if times_to_draw and past.count(start) >= times_to_draw - 1)


@lru_cache(maxsize=64)
def _compile_without_repetition(rules: Rules) -> CompiledRules:
    return compile_rules(rules.replace(repetition=None))


def get_next_state(state: State, move: Move, drawn_starts: BoutStarts) -> State | None:
    """Return the state after a move, or None if the game is then a draw by repetition."""
    next_state = state.copy()
    apply_move(next_state, move)
    if drawn_starts and next_state.bout > state.bout and next_state.outcome is None:
        hands = map(normalize_copies, next_state.hands) if next_state.compiled_rules.has_two_decks else next_state.hands
        if (next_state.attacker, *hands) in drawn_starts:
            return None
    return next_state
