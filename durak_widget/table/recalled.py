"""What somebody who sat there can tell of a game that is over: what they saw before each move, and what lay in each bout."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.bots.heuristic_bots import prices
from durak_widget.rules.deck_and_beating import two_decks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.cards import Card
    from durak_widget.engine.cheapest_move import Price
    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import Played, View


class LaidCard(NamedTuple):
    """A card that was laid on the table."""

    seat: int
    verb: str
    card: Card
    beaten: Card | None
    """What it beat; nothing, where it attacked."""
    bout: int
    talon: bool
    """Whether there was a talon then."""
    trump: bool
    """Whether the card was a trump then."""


class Recalled:
    """A game as one seat recalls it.

    >>> from durak_widget import Game, bots
    >>> mine = Recalled(bots.play(Game(seed=2), ["careful", "uncle"], 2), 1)
    >>> mine.laid[0], mine.pair
    (LaidCard(seat=1, verb='attack', card=Card('Ad'), beaten=None, bout=1, talon=True, trump=False), True)
    """

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game.copy(), seat
        self.game.goto(self.game.last_ply)
        self.course = self.game.course
        self.ends = self.game.view(seat).ends

    @property
    def pair(self) -> bool:
        """Whether there was one other alone, to whom one says *you*."""
        return self.game.seats == 2

    @property
    def single(self) -> bool:
        """Whether there is each card but once, so that one that is seen again is the same."""
        return not two_decks(self.game.rules)

    @cached_property
    def price(self) -> Price:
        """What a card is worth."""
        return prices(self.game.view(self.seat))

    def moments(self, seat: int) -> Iterator[tuple[View, Played]]:
        """What a seat saw before each of its moves, and the move, the latest first."""
        there = self.game.copy()
        for ply in reversed(range(len(self.course))):
            if self.course[ply].seat == seat:
                there.goto(ply)
                yield there.view(seat), self.course[ply]

    @cached_property
    def mine(self) -> tuple[tuple[View, Played], ...]:
        """One's own moments, the earliest first."""
        return tuple(self.moments(self.seat))[::-1]

    @cached_property
    def laid(self) -> tuple[LaidCard, ...]:
        """All cards that were laid, in order."""
        found, empty = [], self.emptied or 0
        for ply, played in enumerate(self.course):
            if played.verb in {"attack", "throw", "transfer", "beat"}:
                beats = played.verb == "beat"
                bout, trump = self._bout_of(ply)
                for card in played.cards[beats:]:
                    beaten = played.cards[0] if beats else None
                    found.append(
                        LaidCard(played.seat, played.verb, card, beaten, bout, ply < empty, trump is not None and card.suit == trump)
                    )
        return tuple(found)

    def _bout_of(self, ply: int) -> tuple[int, str | None]:
        """In which bout the move after so many others was made, and what was trump then."""
        at = bisect_right([end.ply for end in self.ends], ply)
        return (self.ends[at].bout, self.ends[at].trump) if at < len(self.ends) else (self.game.bout, self.game.trump)

    @cached_property
    def emptied(self) -> int | None:
        """After how many moves the talon was gone; None where it was not, or where there never was one."""
        there = self.game.copy()
        for ply in (0, *(end.ply for end in self.ends)):
            there.goto(ply)
            if not there.talon:
                return ply or None
        return None

    def takes(self, *, mine: bool) -> list[tuple[int, tuple[Card, ...]]]:
        """In which bouts somebody took, oneself or another, and what."""
        return [
            (end.bout, tuple(card for pair in end.table for card in pair if card is not None))
            for end in self.ends
            if end.taken and (end.defender == self.seat) is mine
        ]

    @property
    def won(self) -> bool:
        """Whether this seat is no loser of it."""
        outcome = self.game.outcome
        return outcome is not None and self.seat in outcome.winners
