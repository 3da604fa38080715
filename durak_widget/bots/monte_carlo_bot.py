"""A bot that tries its moves in random worlds that agree with all it has seen."""

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
"""The default number of playouts for a choice: about 0.1 seconds without the fast engine."""

DECIDED: Final = 8
"""The largest endgame, in cards, that counts by its exact value instead of a playout."""
SMALL_DECK: Final = 24
DECIDED_IN_SMALL: Final = 12
"""The same limit for a small deck, where half of the game is an endgame."""


class Searching:
    """A bot that plays its moves out in sampled worlds that agree with all it has seen.

    It plays its own later moves by what they have brought so far, and all others like `careful`. Without `ahead` its own later moves are
    careful, too. After each round the worse half of the moves is dropped. Endgames are exact; among moves that keep the value of one, the
    search chooses. `playouts` is the budget of a choice, and `without` is the budget without the fast engine, if it differs. With
    `seconds` the bot makes as many playouts as fit into that time. An endgame of at most `decided` cards is not played out: it counts by
    its exact value.

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
        """Return the move that brings most on average in the sampled worlds."""
        own = self._careful.choose(view, rng)
        moves = keeping(view, self.budget) or view.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return self._best(view, moves, own, rng) or (own if own in moves else moves[0])

    def _best(self, view: View, moves: tuple[Move, ...], own: Move, rng: Random) -> Move | None:
        """Return the best move after rounds of halving; None if no world is found.

        Every round has the same number of playouts.
        """
        try:
            worlds, decided, playouts = self._worlds(view), self._decided(view), self.budget_for(view.rules)
            remaining, world_count = list(moves), 0
            points = dict.fromkeys(moves, 0)
            rounds = (len(moves) - 1).bit_length()
            for _ in range(rounds):
                worlds_per_move = max(1, playouts // rounds // len(remaining))
                results = worlds.playouts(
                    remaining,
                    count=worlds_per_move,
                    seed=rng.getrandbits(64),
                    seconds=None if self.seconds is None else self.seconds / rounds,
                    decided=decided,
                    ahead=self.ahead,
                )
                for move, total in zip(results.moves, results.sums, strict=True):
                    points[move] += total
                world_count += results.worlds
                remaining.sort(key=lambda move: (-points[move], move is not own))
                remaining = remaining[: (len(remaining) + 1) // 2]
        except PositionError:  # a view without memory, or a game too large to search
            return None
        return remaining[0] if world_count else None

    def _worlds(self, view: View) -> Worlds:
        """Return the worlds that the bot thinks possible."""
        return Worlds(view)

    def budget_for(self, rules: Rules) -> int:
        """Return the number of playouts for a choice under these rules, on this computer.

        >>> from durak_widget import Rules
        >>> Searching(playouts=500).budget_for(Rules())
        500
        """
        return self.playouts if self.without == self.playouts or machine_for(rules) is not None else self.without

    def _decided(self, view: View) -> int:
        """Return the largest number of cards in an endgame that counts by its exact value."""
        if self.decided is not None:
            return self.decided
        return DECIDED_IN_SMALL if len(deck(view.rules)) <= SMALL_DECK else DECIDED
