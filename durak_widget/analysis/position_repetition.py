"""Positions that come again: an ending is searched under rules that know no repetition, and what has come up too often already is a draw."""

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
    """A state under rules where positions may repeat without end, and the starts of bouts that end the game in a draw if they come up once more.

    A win under the one is a win under the other: who wins by the shortest way comes to no position twice. And what neither side wins is a
    draw under both.
    """
    often, past = state.kit.times_to_draw, state.past
    endless = state.copy()
    endless.kit, endless.past = _endless(state.kit.rules), ()
    endless.set_trump(state.suit)
    return endless, frozenset(start for start in past if often and past.count(start) >= often - 1)


@lru_cache(maxsize=64)
def _endless(rules: Rules) -> Kit:
    return kit_of(rules.replace(repetition=None))


def after(state: State, move: Move, drawn: Starts) -> State | None:
    """The state that a move leads to; None where that is a draw, because it has come up too often."""
    following = state.copy()
    play(following, move)
    if drawn and following.bout > state.bout and following.outcome is None:
        hands = map(plainly, following.hands) if following.kit.twins else following.hands
        if (following.attacker, *hands) in drawn:
            return None
    return following
