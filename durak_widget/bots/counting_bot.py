"""Defines a bot that counts cards, and plays perfectly in endgames without unknown cards."""

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
"""The default number of endgame positions that the bot may search for one move."""


class CountingBot:
    """A bot that remembers all cards seen, and plays perfectly when the talon is empty.

    When the talon is empty and two players are left, it knows the opponent's hand and makes no mistake. Before that it plays like `careful`. Among
    moves with the same value it prefers the one that `careful` would play. If it can win, it chooses one of the quickest wins.

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
        """Choose a perfect move in an endgame without unknown cards, else the careful bot's move."""
        careful_move = self._careful.choose(view, rng)
        best_moves = find_value_keeping_moves(view, self.budget)
        return careful_move if not best_moves or careful_move in best_moves else best_moves[0]


def require_budget(name: str, value: object) -> int:
    """Return a search budget unchanged; raise an error unless it is a whole number, 0 or more."""
    number = as_whole_number(value)
    if number is None or number < 0:
        raise BotError(f"{name} must be a whole number from 0 on, not {short_repr(value)}: it limits the bot's search")
    return number


def solve_visible_endgame(view: Observation, budget: int) -> EndgameSolution | None:
    """Solve a two-player endgame; return None if the observing player does not know all cards.

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
    """Return the best moves of an endgame: those that keep the best reachable result.

    If several moves win, return only the quickest ones, so that the game comes to an end. The tuple is empty if the observing seat does not know all
    cards, or if the budget is too small to solve the endgame.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> find_value_keeping_moves(game.view(0), 1000)
    (Move('attack 7d'),)
    """
    ending = solve_visible_endgame(view, budget) if budget and len(view.legal_moves()) > 1 else None
    if ending is None or ending.value is None:
        return ()
    return (ending.quickest_moves or ending.best_moves) if ending.value == 1 else ending.best_moves
