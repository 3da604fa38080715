"""Estimates with simulated games (playouts) how good legal moves are, for hints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.errors import PositionError
from durak_widget.fast_engine.engine_instance import get_engine_instance
from durak_widget.review.decision_evaluation import MIN_WORLDS, prepare_playouts

if TYPE_CHECKING:
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.engine.observation import Observation
    from durak_widget.rules.ruleset import Rules

FAST_ENGINE_PLAYOUTS: Final = 20_000
"""The number of simulated games (playouts) with the fast engine, which take less than a tenth of a second."""
PYTHON_PLAYOUTS: Final = 1_500
"""The number of simulated games (playouts) in plain Python, which take less than a second in a two-player game."""


def choose_playout_count(rules: Rules) -> int:
    """Return how many simulated games (playouts) to run for a position."""
    return PYTHON_PLAYOUTS if get_engine_instance(rules) is None else FAST_ENGINE_PLAYOUTS


def estimate_moves(view: Observation, seed: int = 1) -> Playouts | None:
    """Estimate with simulated games how good each legal move is; return None if impossible.

    >>> from durak_widget import Game
    >>> playouts = estimate_moves(Game(seed=7).view(0))
    >>> len(playouts) == len(Game(seed=7).legal_moves()), playouts.world_count > 100
    (True, True)
    """
    move_count = len(view.legal_moves())
    if not move_count or view.memory is None:
        return None
    try:
        few, run_playouts = prepare_playouts(view, max(MIN_WORLDS, PYTHON_PLAYOUTS // move_count))
        playouts = run_playouts(max(MIN_WORLDS, choose_playout_count(view.rules) // move_count), seed)
    except PositionError:  # There are no possible deals of the hidden cards, or there are too many moves to compare.
        return None
    return None if few or not playouts.world_count else playouts
