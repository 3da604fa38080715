"""A bot with four habits: how it leads, beats attacks, takes cards and throws in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.heuristic_bots import TRUMP_PRICE, get_card_prices
from durak_widget.errors import DurakError, short_repr, suggest_nearest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from durak_widget.engine.cheapest_move import Price
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation

HABITS: Final[Mapping[str, tuple[str, ...]]] = {
    "lead": ("low", "high", "pair", "trump"),
    "beat": ("low", "rank", "high"),
    "take": ("never", "trump", "often"),
    "throw": ("all", "plain", "none"),
}
"""The four habits with the possible rules of each; their texts are `lesson.bot.<habit>.<rule>`."""


class HabitBot(NamedTuple):
    """A bot that follows one rule for each of its four habits.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> HabitBot("high", "low", "never", "none").choose(Game(seed=7).view(0), Random(1))
    Move('attack Jc')
    """

    lead: str
    beat: str
    take: str
    throw: str

    @property
    def name(self) -> str:
        """Return the bot's name, which the card table displays."""
        return "habits"

    @property
    def to_line(self) -> str:
        """Return the bot's four rules (habits) as a line of text that `parse_habits` can read.

        >>> HabitBot("high", "low", "never", "none").to_line
        'lead:high beat:low take:never throw:none'
        """
        return " ".join(f"{habit}:{rule}" for habit, rule in self._asdict().items())

    def choose(self, view: Observation, rng: Random) -> Move:  # noqa: ARG002 - every bot gets a random generator
        """Return the legal move that the bot's rules (habits) choose."""
        legal, price = view.legal_moves(), get_card_prices(view)
        if legal[0].verb == "attack":
            return self._choose_lead([move for move in legal if move.verb == "attack"], price)
        if legal[0].verb == "throw":
            return self._choose_throw_in(view, legal, price)
        return self._choose_defence(view, legal, price)

    def _choose_lead(self, moves: list[Move], price: Price) -> Move:
        """Return the attack that opens a bout, chosen by the rule `lead`."""
        plain = [move for move in moves if price(move.cards[0]) < TRUMP_PRICE]
        if self.lead == "high":
            return max(plain or moves, key=lambda move: price(move.cards[0]))
        if self.lead == "trump":
            return min([move for move in moves if move not in plain] or moves, key=lambda move: price(move.cards[0]))
        if self.lead == "pair":
            ranks = [move.cards[0].rank for move in plain]
            in_pairs = [move for move in plain if ranks.count(move.cards[0].rank) > 1]
            return min(in_pairs or moves, key=lambda move: price(move.cards[0]))
        return min(moves, key=lambda move: price(move.cards[0]))

    def _choose_defence(self, view: Observation, legal: tuple[Move, ...], price: Price) -> Move:
        """Return the defender's move, to beat a card or to take the cards, as the bot's rules say."""
        beats, fallback = [move for move in legal if move.verb == "beat"], legal[-1]
        if not beats:
            return fallback
        table_ranks = {card.rank for pair in view.table for card in pair if card is not None}
        prefers_known_rank = self.beat == "rank"  # A rank that is already on the table gives the attacker no new rank to throw in
        sign = -1 if self.beat == "high" else 1
        move = min(
            beats, key=lambda option: (prefers_known_rank and option.cards[1].rank not in table_ranks, sign * price(option.cards[1]))
        )
        with_trump = price(move.cards[1]) >= TRUMP_PRICE > price(move.cards[0])
        if view.talon_count and ((self.take == "trump" and with_trump) or (self.take == "often" and len(view.table) == 1)):
            return fallback
        return move

    def _choose_throw_in(self, view: Observation, legal: tuple[Move, ...], price: Price) -> Move:
        """Return a throw-in or a pass, chosen by the rule `throw`."""
        *throws, pass_move = legal
        move = min(throws, key=lambda option: price(option.cards[0]))
        is_too_expensive = self.throw == "none" or (self.throw == "plain" and price(move.cards[0]) >= TRUMP_PRICE)
        return pass_move if view.talon_count and is_too_expensive else move


def parse_habits(habits: object) -> HabitBot:
    """Build a bot from its four simple rules (habits), given as a dict, a list or a text.

    Raises a `DurakError` if a habit or a rule does not exist.

    >>> parse_habits(["lead:low", "beat:low", "take:never", "throw:plain"]) == parse_habits({"lead": "low", "beat": "low", "take": "never", "throw": "plain"})
    True
    >>> parse_habits({"lead": "lwo"})
    Traceback (most recent call last):
    durak_widget.errors.DurakError: lead must be one of low, high, pair, trump, not 'lwo'. Did you mean 'low'?
    """
    if isinstance(habits, str):
        habits = habits.split()
    if isinstance(habits, (list, tuple)) and not isinstance(habits, HabitBot):
        pairs = [entry.partition(":") for entry in habits if isinstance(entry, str)]
        habits = {habit: rule for habit, _, rule in pairs} if len(pairs) == len(habits) else None
    if isinstance(habits, HabitBot):
        habits = habits._asdict()
    if not isinstance(habits, dict):
        raise DurakError("write the habits of a bot as in {'lead': 'low', 'beat': 'low', 'take': 'never', 'throw': 'plain'}")
    for habit, rule in habits.items():
        if habit not in HABITS:
            raise DurakError(f"there is no habit {short_repr(habit)}; the habits are {', '.join(HABITS)}")
        if rule not in HABITS[habit]:
            suggestion = suggest_nearest(rule, HABITS[habit]) if isinstance(rule, str) else ""
            raise DurakError(f"{habit} must be one of {', '.join(HABITS[habit])}, not {short_repr(rule)}.{suggestion}")
    return HabitBot(**{habit: habits.get(habit, "") for habit in HABITS})
