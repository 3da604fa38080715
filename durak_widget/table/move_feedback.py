"""What whoever sits at a table may hope for: the chance to get out, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.bots.counting_bot import ending_of
from durak_widget.review.decision_evaluation import OUTRIGHT, held_outright
from durak_widget.review.decisions import ShareOfResult
from durak_widget.table.advising import PATIENCE
from durak_widget.table.playout_estimates import tried_out

if TYPE_CHECKING:
    from durak_widget.engine.observation import Played, View

_USUALLY: Final = 1.96, 3
"""So many standard errors, and so many worlds more in which the opposite of what was seen might have come: then it holds 95 times of 100."""


class Hopes:
    """The chance to get out by one's best move, the least and the most that it is 95 times of 100; between one's own moves, what was known last.

    >>> from durak_widget import Game, Rules
    >>> ending = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> Hopes()(ending.view(0))
    (1.0, 1.0, 1.0)
    >>> share, least, most = Hopes()(Game(seed=7).view(0))
    >>> 0 < least < share < most < 1
    True
    """

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._seat: int | None = None
        self._then: tuple[Played, ...] = ()
        self._known: tuple[float, ...] = ()

    def __call__(self, view: View) -> tuple[float, ...]:
        """What may be hoped for by this view; nothing where that cannot be told."""
        if view.legal_moves():
            self._seat, self._then, self._known = view.seat, view.course, hope(view)
        elif view.seat != self._seat or view.course[: len(self._then)] != self._then:
            self._known = ()
        return () if view.outcome else self._known


def hope(view: View) -> tuple[float, ...]:
    """The share of a win that the best move of this seat leads to, with the least and the most of it; exact where an ending is."""
    shares = ShareOfResult.of(view.rules)
    ending = ending_of(view, PATIENCE) if view.memory is not None else None
    if ending is not None and ending.value is not None:
        return (shares.known(ending.value),) * 3
    held = held_outright(view, OUTRIGHT) if view.memory is not None else None
    if held is not None:
        return (shares.known(held.value),) * 3
    found = tried_out(view)
    if found is None or found.best is None:
        return ()
    errors, unseen = _USUALLY
    share, half = shares.share(found[found.best]), errors * found.error(found.best) / shares.width + unseen / found.worlds
    return share, max(0.0, share - half), min(1.0, share + half)
