"""What the moves of a seat bring, as far as playouts tell in a moment: for hints and the chances."""

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
"""So many playouts where the kernel plays them: less than a tenth of a second."""
PLAIN: Final = 1_500
"""The same in plain Python: less than a second between two, and so less can be told."""


def playouts_for(rules: Rules) -> int:
    """How many playouts a moment is worth here."""
    return PLAIN if machine_for(rules) is None else KERNEL


def tried_out(view: View, seed: int = 1) -> Playouts | None:
    """What each legal move brings, in worlds that the seat may think of; None where that cannot be told.

    >>> from durak_widget import Game
    >>> found = tried_out(Game(seed=7).view(0))
    >>> len(found) == len(Game(seed=7).legal_moves()), found.worlds > 100
    (True, True)
    """
    moves = len(view.legal_moves())
    if not moves or view.memory is None:
        return None
    try:
        few, tried = trying(view, max(LEAST, PLAIN // moves))
        found = tried(max(LEAST, playouts_for(view.rules) // moves), seed)
    except PositionError:  # no world is found, or there are too many moves to try side by side
        return None
    return None if few or not found.worlds else found
