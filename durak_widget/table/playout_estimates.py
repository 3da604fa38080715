"""Quick estimates of all legal moves by playouts, for hints and win chances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.errors import PositionError
from durak_widget.fast_engine.engine_instance import machine_for
from durak_widget.review.decision_evaluation import LEAST, trying

if TYPE_CHECKING:
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.engine.observation import View
    from durak_widget.rules.ruleset import Rules

KERNEL: Final = 20_000
"""Playouts where the fast engine plays them: less than a tenth of a second."""
PLAIN: Final = 1_500
"""Playouts in plain Python: less than a second with two players, and less precise."""


def playouts_for(rules: Rules) -> int:
    """Return how many playouts to make at one moment under these rules."""
    return PLAIN if machine_for(rules) is None else KERNEL


def tried_out(view: View, seed: int = 1) -> Playouts | None:
    """Return the playout results of each legal move, or None where there can be none.

    >>> from durak_widget import Game
    >>> found = tried_out(Game(seed=7).view(0))
    >>> len(found) == len(Game(seed=7).legal_moves()), found.worlds > 100
    (True, True)
    """
    moves = len(view.legal_moves())
    if not moves or view.memory is None:
        return None
    try:
        few, run_playouts = trying(view, max(LEAST, PLAIN // moves))
        playouts = run_playouts(max(LEAST, playouts_for(view.rules) // moves), seed)
    except PositionError:  # no possible world, or too many moves to compare
        return None
    return None if few or not playouts.worlds else playouts
