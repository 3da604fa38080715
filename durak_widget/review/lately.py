"""One decision judged, at once and by itself: while a game goes on, by what its seat could know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.review.decisions import ShareOfResult
from durak_widget.review.weighing import LEAST, MOST, Asking, sampled, weighed_exactly

if TYPE_CHECKING:
    from durak_widget.game.game import Game
    from durak_widget.review.decisions import Decision


def judged_by_itself(game: Game, ply: int, *, playouts: int, positions: int, seed: int = 1) -> Decision:
    """The decision after so many moves, by so many playouts, and exactly where so many positions of an ending decide it.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> game.play("attack 9c")
    >>> found = judged_by_itself(game, 0, playouts=1000, positions=1000)
    >>> found.verdict, str(found.better)
    ('proved mistake', 'attack 7d')
    """
    there = game.copy()
    there.goto(ply)
    asking = Asking(ShareOfResult.of(game.rules), by_cards=False, seed=seed, playouts=playouts, positions=positions)
    known = weighed_exactly(there, asking)
    worlds = max(LEAST, min(MOST, playouts // len(there.legal_moves())))
    return sampled(there, asking, worlds) if known is None else known
