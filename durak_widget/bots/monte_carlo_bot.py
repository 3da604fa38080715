"""A bot that searches: it tries its moves in worlds that fit all that it has seen, and plays what brings most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.analysis.possible_worlds import Worlds
from durak_widget.bots.counting_bot import USUAL, asked, keeping
from durak_widget.bots.heuristic_bots import Careful
from durak_widget.errors import BotError, PositionError, quoted
from durak_widget.fast_engine.engine_instance import machine_for
from durak_widget.rules.deck_and_beating import deck

if TYPE_CHECKING:
    from random import Random

    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View
    from durak_widget.rules.ruleset import Rules

PLAYOUTS: Final = 750
"""So many it plays out for a choice, unless more or fewer are asked for: a tenth of a second without the kernel, on an idle core of a usual machine."""

DECIDED: Final = 8
"""Endings of so many cards at most are not played out, but count for what they are worth."""
SMALL_DECK: Final = 24
DECIDED_IN_SMALL: Final = 12
"""In a deck of so few cards a game is half an ending: there more of it is decided."""


class Searching:
    """Thinks of worlds that fit everything it has seen, tries each of its moves in the same ones, and plays them out to the end: its own later moves by what they have brought, all others as `careful` would.

    Without `ahead` its own later moves are careful ones too. The worlds are given to the moves still in question: after each round the worse half is
    dropped. Endings are exact, and of moves that keep what one is worth the search chooses. `playouts` is the budget of a choice, `without` the one where
    there is no kernel, if it shall not be the same; `seconds` in their place are as many as fit into that time here. Endings of at most `decided` cards are
    not played out: they count for what they are worth.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> Searching(playouts=200).choose(Game(seed=7).view(0), Random(1))
    Move('attack Th')
    """

    def __init__(
        self,
        *,
        playouts: int = PLAYOUTS,
        without: int | None = None,
        seconds: float | None = None,
        budget: int = USUAL,
        decided: int | None = None,
        ahead: bool = True,
    ) -> None:
        self.playouts, self.budget, self.seconds = asked("playouts", playouts), asked("budget", budget), seconds
        self.without = self.playouts if without is None else asked("without", without)
        self.decided = None if decided is None else asked("decided", decided)
        if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds > 0):
            raise BotError(f"seconds={quoted(seconds)} is no time to think: say a number above 0, or None to count in playouts")
        if not isinstance(ahead, bool):
            raise BotError(f"ahead is True or False, not {quoted(ahead)}")
        self.ahead = ahead
        self._careful = Careful()

    def choose(self, view: View, rng: Random) -> Move:
        """What brings most, on average, in the worlds that it tried."""
        own = self._careful.choose(view, rng)
        moves = keeping(view, self.budget) or view.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return self._best(view, moves, own, rng) or (own if own in moves else moves[0])

    def _best(self, view: View, moves: tuple[Move, ...], own: Move, rng: Random) -> Move | None:
        """The best by rounds, in each of which as much is played out; None where no world is found."""
        try:
            worlds, decided, playouts = self._worlds(view), self._decided(view), self.budget_for(view.rules)
            alive, seen = list(moves), 0
            brought = dict.fromkeys(moves, 0)
            rounds = (len(moves) - 1).bit_length()
            for _ in range(rounds):
                many = max(1, playouts // rounds // len(alive))
                made = worlds.playouts(
                    alive,
                    count=many,
                    seed=rng.getrandbits(64),
                    seconds=None if self.seconds is None else self.seconds / rounds,
                    decided=decided,
                    ahead=self.ahead,
                )
                for move, worth in zip(made.moves, made.sums, strict=True):
                    brought[move] += worth
                seen += made.worlds
                alive.sort(key=lambda move: (-brought[move], move is not own))
                alive = alive[: (len(alive) + 1) // 2]
        except PositionError:  # a view without memory, or a game that is not to be unfolded
            return None
        return alive[0] if seen else None

    def _worlds(self, view: View) -> Worlds:
        """What it thinks possible."""
        return Worlds(view)

    def budget_for(self, rules: Rules) -> int:
        """How many playouts a choice has here, by those rules.

        >>> from durak_widget import Rules
        >>> Searching(playouts=500).budget_for(Rules())
        500
        """
        return self.playouts if self.without == self.playouts or machine_for(rules) is not None else self.without

    def _decided(self, view: View) -> int:
        """Endings of how many cards count for what they are worth."""
        if self.decided is not None:
            return self.decided
        return DECIDED_IN_SMALL if len(deck(view.rules)) <= SMALL_DECK else DECIDED
