"""A strategy that proves what an ending is worth, and a checker that believes nobody: it plays the strategy against every reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from durak_widget.analysis.position_repetition import after, without_end
from durak_widget.engine.state_transitions import legal_moves
from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State


class Proof(NamedTuple):
    """What a seat plays, by the key of the position under rules without repetition, so that the ending is worth at least so much to it."""

    seat: int
    worth: int
    """1 for a win, 0 for no loss, -1 for whatever comes."""
    moves: dict[Hashable, Move]

    def holds(self, game: Game) -> bool:
        """Whether it does what it says, from this position on, whatever the other side plays.

        Every reply is tried. Whoever comes back to a position has not won there, and has not lost.

        >>> from durak_widget import Game
        >>> from durak_widget.analysis import endgame
        >>> game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
        >>> proof = endgame.solve(game).proof()
        >>> proof.holds(game), proof._replace(moves={}).holds(game)
        (True, False)
        """
        start, drawn = without_end(game.state)
        on_the_way: set[Hashable] = set()
        done: set[Hashable] = set()

        def enough(state: State | None) -> bool:
            if state is None:
                return self.worth <= 0
            if state.outcome is not None:
                return (self.seat in state.outcome.winners) - (self.seat in state.outcome.losers) >= self.worth
            key = state.key()
            if key in on_the_way:
                return self.worth <= 0
            if key in done:
                return True  # or the whole has failed already
            tried = legal_moves(state)
            if state.actor == self.seat and self.worth >= 0:
                tried = tuple([move for move in tried if move == self.moves.get(key)])
            on_the_way.add(key)
            good = bool(tried) and all(enough(after(state, move, drawn)) for move in tried)
            on_the_way.remove(key)
            done.add(key)
            return good

        try:
            return enough(start)
        except RecursionError:
            raise DurakError("this proof is longer than Python follows at once; raise sys.setrecursionlimit and try again") from None
