"""Defines a bot that compares its moves by simulated games (playouts) from possible deals."""

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
"""The default number of simulated games (playouts) for one choice; they take about 0.1 seconds without the fast engine."""

EXACT_CARDS: Final = 8
"""If an endgame has at most this many cards, the bot solves it exactly and does not play it out at random."""
SMALL_DECK_SIZE: Final = 24
EXACT_CARDS_IN_SMALL_DECK: Final = 12
"""The limit that replaces `EXACT_CARDS` for a small deck, because half of a game with few cards is an endgame."""


class MonteCarloBot:
    """A bot that compares its moves by simulated games, dealt to fit what it has seen.

    In a playout, the bot's own later moves are those with the best results so far, and all other players play like `careful`. Without `ahead`, its
    own later moves are careful too. After each round of playouts, the bot drops the worse half of the moves. In an endgame with known cards,
    it compares only the moves that lead to the best result. `playouts` is the number of playouts for one choice, and `without` is the
    number without the fast engine. With `seconds`, the bot makes as many playouts as this time allows. In a playout, an endgame with
    at most `decided` cards is not played out: its exact value counts.

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
            raise BotError(
                f"seconds must be a number above 0, or None to count playouts instead, not {short_repr(seconds)}: it is the bot's time to think"
            )
        if not isinstance(ahead, bool):
            raise BotError(f"ahead must be True or False, not {short_repr(ahead)}")
        self.ahead = ahead
        self._careful = CarefulBot()

    def choose(self, view: Observation, rng: Random) -> Move:
        """Choose the move with the best average result in simulated games (playouts)."""
        careful_move = self._careful.choose(view, rng)
        moves = find_value_keeping_moves(view, self.budget) or view.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return self._choose_by_rounds(view, moves, careful_move, rng) or (careful_move if careful_move in moves else moves[0])

    def _choose_by_rounds(self, view: Observation, moves: tuple[Move, ...], careful_move: Move, rng: Random) -> Move | None:
        """Compare moves in rounds of simulated games; after each round, drop the worse half.

        Each round has the same number of playouts. Return the last move left, or None if no deal of the hidden cards could be sampled.
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
        except PositionError:  # The observation contains no earlier moves, or the game is too large to sample deals.
            return None
        return remaining[0] if world_count else None

    def _create_worlds(self, view: Observation) -> Worlds:
        """Return the worlds (deals of the hidden cards) that fit what the bot has seen."""
        return Worlds(view)

    def playouts_for(self, rules: Rules) -> int:
        """Return how many playouts (simulated games) the bot uses for one choice here.

        >>> from durak_widget import Rules
        >>> MonteCarloBot(playouts=500).playouts_for(Rules())
        500
        """
        return self.playouts if self.without == self.playouts or get_engine_instance(rules) is not None else self.without

    def _get_exact_cards(self, view: Observation) -> int:
        """Return how many cards an endgame may have for the bot to solve it exactly."""
        if self.decided is not None:
            return self.decided
        return EXACT_CARDS_IN_SMALL_DECK if len(build_deck(view.rules)) <= SMALL_DECK_SIZE else EXACT_CARDS
