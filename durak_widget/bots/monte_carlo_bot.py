"""A bot that tries its moves in random deals, consistent with everything it has seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.analysis.possible_worlds import Worlds
from durak_widget.bots.counting_bot import DEFAULT_BUDGET, find_value_keeping_moves, require_budget
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.errors import BotError, PositionError, short_repr
from durak_widget.fast_engine.engine_instance import get_engine_instance
from durak_widget.rules.deck_and_beating import build_deck

if TYPE_CHECKING:
    from random import Random

    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation
    from durak_widget.rules.ruleset import Rules

DEFAULT_PLAYOUTS: Final = 750
"""The default number of playouts for each choice: about 0.1 seconds without the fast engine."""

EXACT_CARDS: Final = 8
"""The largest number of cards in an endgame that is solved exactly, not by playouts."""
SMALL_DECK_SIZE: Final = 24
EXACT_CARDS_IN_SMALL_DECK: Final = 12
"""The largest number of cards in an exactly solved endgame of a small deck, where half of the game is endgame."""


class MonteCarloBot:
    """A bot that plays out its moves in random worlds, consistent with what it has seen.

    It plays its own later moves by what they have brought so far, and all others like `careful`. Without `ahead` its own later moves are
    careful, too. After each round the worse half of the moves is dropped. Endgames are exact; among moves that keep the value of one, the
    search chooses. `playouts` is the budget of a choice, and `without` is the budget without the fast engine, if it differs. With
    `seconds` the bot makes as many playouts as fit into that time. An endgame of at most `decided` cards is not played out: it counts by
    its exact value.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> MonteCarloBot(playouts=200).choose(Game(seed=7).view(0), Random(1))
    Move('attack Th')
    """

    def __init__(
        self,
        *,
        playouts: int = DEFAULT_PLAYOUTS,
        without: int | None = None,
        seconds: float | None = None,
        budget: int = DEFAULT_BUDGET,
        decided: int | None = None,
        ahead: bool = True,
    ) -> None:
        self.playouts, self.budget, self.seconds = require_budget("playouts", playouts), require_budget("budget", budget), seconds
        self.without = self.playouts if without is None else require_budget("without", without)
        self.decided = None if decided is None else require_budget("decided", decided)
        if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds > 0):
            raise BotError(f"seconds={short_repr(seconds)} is no time to think: say a number above 0, or None to count in playouts")
        if not isinstance(ahead, bool):
            raise BotError(f"ahead is True or False, not {short_repr(ahead)}")
        self.ahead = ahead
        self._careful = CarefulBot()

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return the move with the best average result in the sampled worlds."""
        own = self._careful.choose(view, rng)
        moves = find_value_keeping_moves(view, self.budget) or view.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return self._choose_by_rounds(view, moves, own, rng) or (own if own in moves else moves[0])

    def _choose_by_rounds(self, view: Observation, moves: tuple[Move, ...], careful_move: Move, rng: Random) -> Move | None:
        """Return the best move after rounds that drop half of the moves; None without worlds.

        Every round has the same number of playouts.
        """
        try:
            worlds, decided, playouts = self._create_worlds(view), self._get_exact_cards(view), self.playouts_for(view.rules)
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
                world_count += results.world_count
                remaining.sort(key=lambda move: (-points[move], move is not careful_move))
                remaining = remaining[: (len(remaining) + 1) // 2]
        except PositionError:  # The bot can't sample worlds without memory, or if the game is too large to search
            return None
        return remaining[0] if world_count else None

    def _create_worlds(self, view: Observation) -> Worlds:
        """Return the worlds (deals of hidden cards) that the bot considers possible."""
        return Worlds(view)

    def playouts_for(self, rules: Rules) -> int:
        """Return the number of playouts for a choice under given rules, on this computer.

        >>> from durak_widget import Rules
        >>> MonteCarloBot(playouts=500).playouts_for(Rules())
        500
        """
        return self.playouts if self.without == self.playouts or get_engine_instance(rules) is not None else self.without

    def _get_exact_cards(self, view: Observation) -> int:
        """Return the largest number of cards in an endgame that is solved exactly."""
        if self.decided is not None:
            return self.decided
        return EXACT_CARDS_IN_SMALL_DECK if len(build_deck(view.rules)) <= SMALL_DECK_SIZE else EXACT_CARDS
