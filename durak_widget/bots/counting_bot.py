"""A bot that counts cards: careful at first, exact in an endgame that it can see fully."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.analysis.endgame import solve
from durak_widget.bots.heuristic_bots import Careful
from durak_widget.errors import BotError, PositionError, quoted, whole_number

if TYPE_CHECKING:
    from random import Random

    from durak_widget.analysis.endgame import Ending
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View

USUAL: Final = 20_000
"""The default number of positions to search in an endgame, which takes a moment."""


class Counting:
    """A bot that remembers every card that is out of play.

    When the talon is empty and two players are left, it knows the other's hand and makes no mistake. Before that it plays like `careful`.
    Among moves of equal value it prefers the one that `careful` would play, and among winning ones it takes one of the quickest.

    >>> from random import Random
    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> Careful().choose(game.view(0), Random(1)), Counting().choose(game.view(0), Random(1))
    (Move('attack 9c'), Move('attack 7d'))
    """

    def __init__(self, *, budget: int = USUAL) -> None:
        self.budget = asked("budget", budget)
        self._careful = Careful()

    def choose(self, view: View, rng: Random) -> Move:
        """Return a move that keeps the value of the endgame; before an endgame, the careful move."""
        own = self._careful.choose(view, rng)
        kept = keeping(view, self.budget)
        return own if not kept or own in kept else kept[0]


def asked(name: str, value: object) -> int:
    """Return a bot's budget; refuse anything but a whole number from 0 on."""
    number = whole_number(value)
    if number is None or number < 0:
        raise BotError(f"{name}={quoted(value)} is how many the bot may look at: a whole number from 0 on")
    return number


def ending_of(view: View, budget: int) -> Ending | None:
    """Return the solution of an endgame for two; None if there is none, or a card is hidden.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> ending_of(Game(seed=7).view(0), 1000), ending_of(game.view(0), 1000).value
    (None, 1)
    """
    if view.talon_count or len(view.seats_in) != 2:
        return None
    try:
        return solve(view, budget=budget)
    except PositionError:
        return None


def keeping(view: View, budget: int) -> tuple[Move, ...]:
    """Return the moves that keep the value of an endgame.

    Of winning moves only the quickest, so that the game comes to an end. Empty if the budget is too small to solve it.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> keeping(game.view(0), 1000)
    (Move('attack 7d'),)
    """
    ending = ending_of(view, budget) if budget and len(view.legal_moves()) > 1 else None
    if ending is None or ending.value is None:
        return ()
    return (ending.quickest or ending.best) if ending.value == 1 else ending.best
