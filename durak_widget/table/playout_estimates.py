"""Quick estimates of all legal moves by random games, for hints and win chances."""

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
"""The number of playouts with the fast engine: less than a tenth of a second."""
PYTHON_PLAYOUTS: Final = 1_500
"""The number of playouts in plain Python: less than a second with two players, but less precise results."""


def choose_playout_count(rules: Rules) -> int:
    """Return how many playouts to make for one position under the given rules."""
    return PYTHON_PLAYOUTS if get_engine_instance(rules) is None else FAST_ENGINE_PLAYOUTS


def estimate_moves(view: Observation, seed: int = 1) -> Playouts | None:
    """Return each legal move's results in playouts, or None if playouts are impossible.

    >>> from durak_widget import Game
    >>> found = estimate_moves(Game(seed=7).view(0))
    >>> len(found) == len(Game(seed=7).legal_moves()), found.world_count > 100
    (True, True)
    """
    moves = len(view.legal_moves())
    if not moves or view.memory is None:
        return None
    try:
        few, run_playouts = prepare_playouts(view, max(MIN_WORLDS, PYTHON_PLAYOUTS // moves))
        playouts = run_playouts(max(MIN_WORLDS, choose_playout_count(view.rules) // moves), seed)
    except PositionError:  # No deal of the hidden cards is possible, or there are too many moves to compare
        return None
    return None if few or not playouts.world_count else playouts
