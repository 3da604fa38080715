"""A bot that counts cards, and plays an endgame exactly when it knows all cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.analysis.endgame import solve_endgame
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.errors import BotError, PositionError, as_whole_number, short_repr

if TYPE_CHECKING:
    from random import Random

    from durak_widget.analysis.endgame import EndgameSolution
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation

DEFAULT_BUDGET: Final = 20_000
"""The default number of positions that the bot searches in an endgame, which takes a moment."""


class CountingBot:
    """A bot that remembers every card that has left the game.

    When the talon is empty and two players are left, it knows the other's hand and makes no mistake. Before that it plays like `careful`.
    Among moves of equal value it prefers the one that `careful` would play, and among winning ones it takes one of the quickest.

    >>> from random import Random
    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> CarefulBot().choose(game.view(0), Random(1)), CountingBot().choose(game.view(0), Random(1))
    (Move('attack 9c'), Move('attack 7d'))
    """

    def __init__(self, *, budget: int = DEFAULT_BUDGET) -> None:
        self.budget = require_budget("budget", budget)
        self._careful = CarefulBot()

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return a move that keeps the game value in an endgame; before it, a careful move."""
        own = self._careful.choose(view, rng)
        kept = find_value_keeping_moves(view, self.budget)
        return own if not kept or own in kept else kept[0]


def require_budget(name: str, value: object) -> int:
    """Return a bot's search budget; raise an error unless it is a whole number from 0 up."""
    number = as_whole_number(value)
    if number is None or number < 0:
        raise BotError(f"{name}={short_repr(value)} is how many the bot may look at: a whole number from 0 on")
    return number


def solve_visible_endgame(view: Observation, budget: int) -> EndgameSolution | None:
    """Return the solution if a two-player endgame has no unknown cards; otherwise None.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> solve_visible_endgame(Game(seed=7).view(0), 1000), solve_visible_endgame(game.view(0), 1000).value
    (None, 1)
    """
    if view.talon_count or len(view.seats_in) != 2:
        return None
    try:
        return solve_endgame(view, budget=budget)
    except PositionError:
        return None


def find_value_keeping_moves(view: Observation, budget: int) -> tuple[Move, ...]:
    """Return the moves that keep the game value of an endgame.

    Of winning moves only the quickest, so that the game comes to an end. Empty if the budget is too small to solve it.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> find_value_keeping_moves(game.view(0), 1000)
    (Move('attack 7d'),)
    """
    ending = solve_visible_endgame(view, budget) if budget and len(view.legal_moves()) > 1 else None
    if ending is None or ending.value is None:
        return ()
    return (ending.quickest_moves or ending.best_moves) if ending.value == 1 else ending.best_moves
