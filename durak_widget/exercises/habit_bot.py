"""Defines a bot made of four habits: leading, beating, taking and throwing in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.heuristic_bots import TRUMP, prices
from durak_widget.errors import DurakError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from durak_widget.engine.cheapest_move import Price
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View

HABITS: Final[Mapping[str, tuple[str, ...]]] = {
    "lead": ("low", "high", "pair", "trump"),
    "beat": ("low", "rank", "high"),
    "take": ("never", "trump", "often"),
    "throw": ("all", "plain", "none"),
}
"""The habits and the rules for each; their texts are `lesson.bot.<habit>.<rule>`."""


class Habits(NamedTuple):
    """A bot that follows one rule for each habit.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> Habits("high", "low", "never", "none").choose(Game(seed=7).view(0), Random(1))
    Move('attack Jc')
    """

    lead: str
    beat: str
    take: str
    throw: str

    @property
    def name(self) -> str:
        """Return the name of the bot at a table."""
        return "habits"

    @property
    def text(self) -> str:
        """Return the four habits in one line, as `habits_of` reads it.

        >>> Habits("high", "low", "never", "none").text
        'lead:high beat:low take:never throw:none'
        """
        return " ".join(f"{habit}:{rule}" for habit, rule in self._asdict().items())

    def choose(self, view: View, rng: Random) -> Move:  # noqa: ARG002 - a bot is handed its chance, whether it takes it or not
        """Return the move that the habits make."""
        legal, price = view.legal_moves(), prices(view)
        if legal[0].verb == "attack":
            return self._leads([move for move in legal if move.verb == "attack"], price)
        if legal[0].verb == "throw":
            return self._throws(view, legal, price)
        return self._defends(view, legal, price)

    def _leads(self, moves: list[Move], price: Price) -> Move:
        """Return the attack to lead with."""
        plain = [move for move in moves if price(move.cards[0]) < TRUMP]
        if self.lead == "high":
            return max(plain or moves, key=lambda move: price(move.cards[0]))
        if self.lead == "trump":
            return min([move for move in moves if move not in plain] or moves, key=lambda move: price(move.cards[0]))
        if self.lead == "pair":
            ranks = [move.cards[0].rank for move in plain]
            in_pairs = [move for move in plain if ranks.count(move.cards[0].rank) > 1]
            return min(in_pairs or moves, key=lambda move: price(move.cards[0]))
        return min(moves, key=lambda move: price(move.cards[0]))

    def _defends(self, view: View, legal: tuple[Move, ...], price: Price) -> Move:
        """Return the card to beat with, or take."""
        beats, fallback = [move for move in legal if move.verb == "beat"], legal[-1]
        if not beats:
            return fallback
        table_ranks = {card.rank for pair in view.table for card in pair if card is not None}
        prefers_known_rank = self.beat == "rank"  # a rank that is on the table already gives the attacker no new rank to throw in
        sign = -1 if self.beat == "high" else 1
        move = min(
            beats, key=lambda option: (prefers_known_rank and option.cards[1].rank not in table_ranks, sign * price(option.cards[1]))
        )
        with_trump = price(move.cards[1]) >= TRUMP > price(move.cards[0])
        if view.talon_count and ((self.take == "trump" and with_trump) or (self.take == "often" and len(view.table) == 1)):
            return fallback
        return move

    def _throws(self, view: View, legal: tuple[Move, ...], price: Price) -> Move:
        """Return the card to throw in, or pass."""
        *throws, stop = legal
        move = min(throws, key=lambda option: price(option.cards[0]))
        is_too_expensive = self.throw == "none" or (self.throw == "plain" and price(move.cards[0]) >= TRUMP)
        return stop if view.talon_count and is_too_expensive else move


def habits_of(given: object) -> Habits:
    """Return a bot with these habits, given as a dict, list or line, or raise a `DurakError`.

    >>> habits_of(["lead:low", "beat:low", "take:never", "throw:plain"]) == habits_of({"lead": "low", "beat": "low", "take": "never", "throw": "plain"})
    True
    >>> habits_of({"lead": "lwo"})
    Traceback (most recent call last):
    durak_widget.errors.DurakError: lead='lwo' is none of low, high, pair, trump. Did you mean 'low'?
    """
    if isinstance(given, str):
        given = given.split()
    if isinstance(given, (list, tuple)) and not isinstance(given, Habits):
        pairs = [entry.partition(":") for entry in given if isinstance(entry, str)]
        given = {habit: rule for habit, _, rule in pairs} if len(pairs) == len(given) else None
    if isinstance(given, Habits):
        given = given._asdict()
    if not isinstance(given, dict):
        raise DurakError("the habits of a bot are given as in {'lead': 'low', 'beat': 'low', 'take': 'never', 'throw': 'plain'}")
    for habit, rule in given.items():
        if habit not in HABITS:
            raise DurakError(f"there is no habit {quoted(habit)}; there are {', '.join(HABITS)}")
        if rule not in HABITS[habit]:
            suggestion = nearest(rule, HABITS[habit]) if isinstance(rule, str) else ""
            raise DurakError(f"{habit}={quoted(rule)} is none of {', '.join(HABITS[habit])}.{suggestion}")
    return Habits(**{habit: given.get(habit, "") for habit in HABITS})
