"""A bot that counts: careful as long as cards are hidden, exact as soon as nothing is that matters."""

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
"""So many positions of an ending it looks at, unless more or fewer are asked for: a moment, without the kernel too."""


class Counting:
    """Remembers every card that is gone, so that it knows the other's hand when the talon is empty and two are left: then it makes no mistake.

    As long as that is not so it plays as `careful` does, and of moves that are worth the same the one that `careful` would play, of winning ones among the quickest; where all are lost, too.

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
        """A move that keeps what the ending is worth; before that the careful one."""
        own = self._careful.choose(view, rng)
        kept = keeping(view, self.budget)
        return own if not kept or own in kept else kept[0]


def asked(name: str, value: object) -> int:
    """A budget that a bot is made with: a whole number from 0 on."""
    number = whole_number(value)
    if number is None or number < 0:
        raise BotError(f"{name}={quoted(value)} is how many the bot may look at: a whole number from 0 on")
    return number


def ending_of(view: View, budget: int) -> Ending | None:
    """What is known of an ending of two; None where there is none yet, or where a card lies that this seat does not see.

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
    """The moves that keep what an ending is worth, of winning ones the quickest, so that it comes to an end; none where that is not known within the budget.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> keeping(game.view(0), 1000)
    (Move('attack 7d'),)
    """
    found = ending_of(view, budget) if budget and len(view.legal_moves()) > 1 else None
    if found is None or found.value is None:
        return ()
    return (found.quickest or found.best) if found.value == 1 else found.best
