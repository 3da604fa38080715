"""Who gives hints: at the end of a game the best move by an exact search, before it the careful bot's."""

from __future__ import annotations

from collections import Counter
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Final

from durak_widget.bots.careful import Careful, prices
from durak_widget.errors import PositionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.game.moves import Move
    from durak_widget.game.view import View

PATIENCE: Final = 40_000
"""So many positions are looked at for a hint, which takes less than a second in plain Python."""
_MANY: Final = 24
"""With more cards than these in both hands each position takes longer, and fewer are looked at."""
_SOME: Final = 50
"""So many possible worlds are looked at where the other hand is not known."""


class Adviser:
    """Two left and no talon: the best move, as long as that is soon found; at any other moment, what the careful bot would play.

    >>> from durak_widget import Game
    >>> game = Game.from_position("crazy", hands=["9c As", "Kc Ad"], attacker=0)
    >>> Careful().choose(game.view(0), Random(1)), Adviser().choose(game.view(0), Random(1))
    (Move('attack 9c'), Move('attack As'))
    """

    def choose(self, view: View, rng: Random) -> Move:
        """A move for the seat of this view, by what that seat may know."""
        usual = Careful().choose(view, rng)
        if view.talon_count or len(view.seats_in) != 2 or view.memory is None:
            return usual
        best = _best(view)
        return preferred(best, view, usual) if best else usual


def _best(view: View) -> Sequence[Move]:
    """The best moves of an ending; if it is too large, whatever is not known to lose."""
    from durak_widget.theory.endgame import solve  # noqa: PLC0415 - no other moment of a game needs it

    try:
        ending = solve(view, budget=PATIENCE * _MANY // max(_MANY, sum(view.counts)))  # with many cards a position takes longer
    except PositionError:  # a card lies where this seat does not see it
        return _best_on_average(view)
    return ending.quickest or ending.best or [move for move in view.legal_moves() if ending.moves.get(move) != -1]


def _best_on_average(view: View) -> Sequence[Move]:
    """The moves that win in most of the worlds that this seat may think of; of those that so few cannot tell apart, the ones that oftenest leave epaulettes."""
    from durak_widget.theory.endgame import solve  # noqa: PLC0415 - as above
    from durak_widget.theory.possible import worlds  # noqa: PLC0415 - as above

    possible, rng = worlds(view), Random(0)
    worth: tuple[Counter[Move], Counter[Move], Counter[Move]] = (Counter(), Counter(), Counter())
    count = possible.count()
    few = count.exact and count <= _SOME
    for world in possible.all() if few else [possible.sample(rng) for _ in range(_SOME)]:
        for epaulettes, found in enumerate(worth):
            ending = solve(world, budget=PATIENCE // _SOME, epaulettes=epaulettes)
            if not ending.proved:
                return ()
            found.update(ending.moves)
    won, one, two = worth
    told_apart = max(won.values()) - (0 if few else isqrt(_SOME))  # by what so few draws can tell
    most = max((one[move] + two[move], won[move]) for move in won if won[move] >= told_apart)
    return [move for move in view.legal_moves() if won[move] >= told_apart and (one[move] + two[move], won[move]) == most]


def preferred(moves: Sequence[Move], view: View, usual: Move) -> Move:
    """Of moves that are as good as each other the usual one, or the one that gives away least."""
    price = prices(view)

    def cost(move: Move) -> tuple[bool, int]:
        return not move.cards, sum(map(price, move.cards[move.verb == "beat" :]))

    return usual if usual in moves else min(moves, key=cost)
