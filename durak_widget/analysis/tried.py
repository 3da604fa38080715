"""Whose moves are tried in worlds, and in which: those of a view's seat, or of the seat to act in a game; or in worlds that somebody has narrowed down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.analysis.monte_carlo_playouts import USUAL
from durak_widget.analysis.possible_worlds import Worlds
from durak_widget.engine.game import Game
from durak_widget.engine.observation import View
from durak_widget.errors import PositionError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.engine.moves import Move


def playouts(
    of: View | Game | Worlds,
    moves: Iterable[Move | str] | None = None,
    *,
    count: int = USUAL,
    seed: int = 1,
    policy: str | Sequence[str] = "careful",
    seconds: float | None = None,
    decided: int = 0,
    ahead: bool = False,
) -> Playouts:
    """Each legal move of the seat of a view (or some `moves`), tried in as many worlds that it may think possible and played out by a policy.

    Of a game the view of the seat to act is taken: what is hidden from it is not looked at. The same seed gives the same answer wherever it is asked.
    Worlds may be given in place of a view, so that what is `likely` is taken for certain. With `seconds`, in place of `count`, as many worlds are
    taken as fit into that time here, one at least; the answer says how many those were, and with that `count` it comes again. Between two, an ending of
    at most `decided` cards is not played out but counts for what it is worth, where no position can come again (see `docs/endings.md`); elsewhere not.
    With `ahead` the seat's own later moves are those of which most may be hoped for, by what they have brought so far in what it would have seen, in place
    of the careful bot's.

    >>> from durak_widget import Game, fast_engine
    >>> print(fast_engine.playouts(Game.at("6c 7c | 9h Ts; trump h"), count=50))
    50 worlds
    attack 7c                -0.340
    attack 6c                -0.400   0.060 ± 0.140 less
    """
    worlds = of if isinstance(of, Worlds) else Worlds(_view_of(of))
    return worlds.playouts(moves, count=count, seed=seed, policy=policy, seconds=seconds, decided=decided, ahead=ahead)


def _view_of(of: object) -> View:
    if isinstance(of, Game):
        if of.actor is None:
            raise PositionError("the game is over: there is no move left to try")
        return of.view(of.actor)
    if isinstance(of, View):
        return of
    raise PositionError(f"playouts are asked of a view, a game or worlds, not of {quoted(of)}; say fast_engine.playouts(game.view(seat))")
