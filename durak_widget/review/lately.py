"""One decision judged at once, while a game goes on, by what its seat could know: harsh only where a review of the whole game would be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.review.decision_evaluation import LEAST, MOST, Asking, sampled, weighed_exactly
from durak_widget.review.decisions import ShareOfResult
from durak_widget.review.effort import usual_for
from durak_widget.rules import attack

if TYPE_CHECKING:
    from durak_widget.engine.game import Game
    from durak_widget.review.decisions import Decision
    from durak_widget.review.effort import Effort

OFFERED: Final = 300
"""So many legal moves have to be tried in a whole game of two, if it is a long one: among them a review shares its playouts out. And …"""
MORE: Final = 100
"""… so many more for each more who plays, …"""
TRANSFERRED: Final = 150
"""… and so many where attacks are transferred."""
STILL: Final = 2
"""A game that has offered more than half of that already is taken to offer as much again: twice what it has."""


def judged_by_itself(game: Game, ply: int, *, effort: Effort | None = None, seed: int = 1) -> Decision:
    """The decision after so many moves, as a review with that effort and seed would judge it later.

    In how many worlds a review tries each move depends on how the game goes on, and in more worlds more can be told. The worlds are the same, the first
    of them in each half. So a mistake is called one only if it is one in as few as a long game leaves, and in twice as many, and so on up to the most.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> game.play("attack 9c")
    >>> found = judged_by_itself(game, 0)
    >>> found.verdict, str(found.better)
    ('proved mistake', 'attack 7d')
    """
    there, spent = game.copy(), usual_for(game.rules) if effort is None else effort
    there.goto(ply)
    asking = Asking(ShareOfResult.of(game.rules), by_cards=False, seed=seed, playouts=spent.judging, positions=spent.positions)
    known = weighed_exactly(there, asking)
    if known is not None:
        return known
    worlds = max(LEAST, min(MOST, spent.judging // _offered(game, ply)))
    found = sampled(there, asking, worlds)
    while found.verdict == "mistake" and worlds < MOST:
        worlds = min(MOST, 2 * worlds)
        found = sampled(there, asking, worlds)
    return found


def _offered(game: Game, ply: int) -> int:
    """How many legal moves the whole game may offer, taken rather too high."""
    there, far = game.copy(), 0
    for before in range(ply + 1):
        there.goto(before)
        far += len(there.legal_moves())
    usual = OFFERED + MORE * (game.seats - 2) + TRANSFERRED * attack.allowed(game.rules)
    return max(usual, STILL * far)
