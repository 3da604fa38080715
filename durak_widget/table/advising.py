"""Who gives hints: at the end of a game the best move by an exact search; before it the careful bot's, unless playouts are sure of a better one."""

from __future__ import annotations

from collections import Counter
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.heuristic_bots import Careful, preferred

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.analysis.endgame import Ending
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View

PATIENCE: Final = 40_000
"""So many positions are looked at for a hint, which takes less than a second in plain Python."""
_MANY: Final = 24
"""With more cards than these in both hands each position takes longer, and fewer are looked at."""
_SOME: Final = 50
"""So many possible worlds are looked at where the other hand is not known."""


class Advice(NamedTuple):
    """A move, and what is known of it."""

    move: Move
    ending: Ending | None = None
    """What an exact search has found, where everything can be known."""
    guessed: bool = False
    """The other hand cannot be known: the move is best by all that may lie there."""
    outright: int | None = None
    """What it brings however the cards lie that are not seen, where that is known: 1 won, 0 drawn, -1 lost; and then no other brings more."""
    found: Playouts | None = None
    """What each move brings by playouts, where these have something to say."""
    instead: Move | None = None
    """The move that is usual, and surely brings less."""


class Adviser:
    """Two left and no talon: the best move, as long as that is soon found. At any other moment what the careful bot would play, or what surely brings more.

    >>> from durak_widget import Game
    >>> game = Game.from_position("crazy", hands=["9c As", "Kc Ad"], attacker=0)
    >>> Careful().choose(game.view(0), Random(1)), Adviser().choose(game.view(0), Random(1))
    (Move('attack 9c'), Move('attack As'))
    """

    def choose(self, view: View, rng: Random) -> Move:
        """A move for the seat of this view, by what that seat may know."""
        return self.advise(view, rng).move

    def advise(self, view: View, rng: Random) -> Advice:
        """Which move is advised, and what is known of it."""
        usual = Careful().choose(view, rng)
        if view.talon_count or len(view.seats_in) != 2 or view.memory is None:
            return _weighed(view, usual)
        from durak_widget.bots.counting_bot import ending_of  # noqa: PLC0415 - no other moment of a game needs it

        ending = ending_of(view, PATIENCE * _MANY // max(_MANY, sum(view.counts)))  # with many cards a position takes longer
        if ending is None:
            best = _best_on_average(view)
            return Advice(preferred(best, view, usual), guessed=True) if best else Advice(usual)
        good = ending.quickest or ending.best or [move for move in view.legal_moves() if ending.moves.get(move) != -1]
        return Advice(preferred(good, view, usual), ending) if good else Advice(usual, ending)


def _weighed(view: View, usual: Move) -> Advice:
    """What brings as much as there is however the cards lie, where they lie in a few ways; else what is usual, unless another move surely brings more."""
    from durak_widget.review.decision_evaluation import OUTRIGHT, held_outright  # noqa: PLC0415 - as above
    from durak_widget.review.decisions import ShareOfResult, surely_more  # noqa: PLC0415 - who asks for no hint loads none of it
    from durak_widget.table.playout_estimates import tried_out  # noqa: PLC0415 - as above

    if len(view.legal_moves()) == 1:
        return Advice(usual)
    held = held_outright(view, OUTRIGHT) if view.memory is not None else None
    if held is not None:
        return Advice(preferred(held.best, view, usual), outright=held.value)
    found = tried_out(view)
    if found is None:
        return Advice(usual)
    best = found.best
    assert best is not None  # noqa: S101 - worlds were played
    more = best != usual and surely_more(found, best, usual, ShareOfResult.of(view.rules).width)
    return Advice(best, found=found, instead=usual) if more else Advice(usual, found=found)


def _best_on_average(view: View) -> Sequence[Move]:
    """The moves that win in most of the worlds that this seat may think of; of those that so few cannot tell apart, the ones that oftenest leave epaulettes."""
    from durak_widget.analysis.endgame import solve  # noqa: PLC0415 - as above
    from durak_widget.analysis.possible_worlds import worlds  # noqa: PLC0415 - as above

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
