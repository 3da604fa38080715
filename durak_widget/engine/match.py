"""A match: several games with a score, in which the fool deals the next game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from durak_widget.cards import Card
from durak_widget.engine.game import Game, checked_seed
from durak_widget.errors import DurakError, PositionError, quoted
from durak_widget.rules import deck_and_beating, scoring, seating, turns
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from durak_widget.rules.scoring import Outcome


@dataclass(frozen=True)
class Tally:
    """The results of one side in a match: of a seat, or of a team.

    >>> Tally(seats=(0,), won=2).won
    2
    """

    seats: tuple[int, ...]
    """The seats of the side."""
    lost: int = 0
    """The number of games lost."""
    fool: int = 0
    """The number of games in which one of its seats was the fool."""
    won: int = 0
    """The number of games won."""
    drew: int = 0
    """The number of games tied."""
    epaulettes: str = ""
    """The ranks received as epaulettes, lowest first."""
    due: str | None = None
    """The rank of its next epaulette; None if it has all of them, and so has lost the match."""


class Match:
    """A match of several games under the same rules.

    >>> match = Match(seed=1)
    >>> while match.game.outcome is None:
    ...     match.game.play(match.game.legal_moves()[0])
    >>> match.game.outcome.fool, match.score[1].won, match.next_game().bout
    (1, 0, 1)
    """

    def __init__(self, rules: Rules | str | None = None, *, seed: int | str | None = None, dealer: int = 0) -> None:
        """Begin a match.

        The same seed deals the same games, as long as the same seats lose them.
        """
        self._random, self._bits = _random(seed), 32
        self._begin(Game(Rules.of(rules), seed=self._random.getrandbits(32), dealer=dealer), dealer)

    def _begin(self, game: Game, dealer: int) -> None:
        self._rules, self._game, self._dealer = game.rules, game, dealer
        self._past: list[Game] = []
        self._fool: int | None = None
        side, ranks = seating.sides(game.rules), deck_and_beating.ranks(game.rules)
        self._before = tuple(
            Tally(tuple(seat for seat, seat_side in enumerate(side) if seat_side == index), due=ranks[0]) for index in range(max(side) + 1)
        )

    @classmethod
    def of(cls, game: Game, *, seed: int | str | None = None, bits: int = 32) -> Match:
        """Return a match whose first game is this one; the seed deals the games after it.

        The game may be at any moment. Seat 0 counts as the dealer of a game that begins from a position. Each later deal is one of 2 to
        the power of `bits`.

        >>> game = Game("transfer, players=3", seed=7, dealer=2)
        >>> match = Match.of(game, seed=1)
        >>> match.game is game, match.dealer, match.rules == game.rules
        (True, 2, True)
        """
        if not isinstance(game, Game):
            raise PositionError(f"a match begins with a Game, not with {quoted(game)}; say Match(rules) to have the first one dealt")
        match = cls.__new__(cls)
        match._random, match._bits = _random(seed), bits
        match._begin(game, game.dealer)
        return match

    @property
    def rules(self) -> Rules:
        """Return the rules of every game."""
        return self._rules

    @property
    def game(self) -> Game:
        """Return the current or last game."""
        return self._game

    @property
    def games(self) -> tuple[Game, ...]:
        """Return all games so far, the current one last."""
        return (*self._past, self._game)

    @property
    def dealer(self) -> int:
        """Return the seat that dealt the current game."""
        return self._dealer

    def next_game(self) -> Game:
        """Deal the next game: the fool deals, and the rules decide who attacks first.

        >>> Match(seed=1).next_game()
        Traceback (most recent call last):
        durak_widget.errors.DurakError: the next game is dealt when this one is over; play it to its end first
        """
        outcome = self._game.outcome
        if outcome is None:
            raise DurakError("the next game is dealt when this one is over; play it to its end first")
        if self.loser is not None:
            raise DurakError(f"the match is over: {_named(self.score[self.loser])} has received every epaulette; start a new Match")
        self._before, self._fool = self.score, outcome.fool
        self._past.append(self._game)
        self._dealer = (self._dealer + 1) % seating.seats(self._rules) if outcome.fool is None else outcome.fool
        return self.deal_again()

    def deal_again(self) -> Game:
        """Deal the current game again, with the same dealer; the old game does not count.

        >>> match = Match(seed=1)
        >>> first = match.game
        >>> match.deal_again() is match.game, match.game is first, len(match.games)
        (True, False, 1)
        """
        game = Game(self._rules, seed=self._random.getrandbits(self._bits), dealer=self._dealer)
        if self._past:
            state = game.state
            first_attacker = turns.opens_next_game(self._rules, state.hands, state.suit, self._dealer, self._fool)
            if first_attacker != game.attacker:
                game = Game(self._rules, seed=game.seed, dealer=self._dealer, first_attacker=first_attacker)
        self._game = game
        return game

    @property
    def score(self) -> tuple[Tally, ...]:
        """Return the results of each side in the finished games: seat by seat, or team by team.

        >>> Match("players=4, teams=2v2").score[0]
        Tally(seats=(0, 2), lost=0, fool=0, won=0, drew=0, epaulettes='', due='6')
        """
        outcome = self._game.outcome
        return self._before if outcome is None else tuple(_after(tally, self._game, outcome) for tally in self._before)

    @property
    def loser(self) -> int | None:
        """Return the side that has lost the match with its last epaulette; None if there is none."""
        return next((side for side, tally in enumerate(self.score) if tally.due is None), None)

    def __repr__(self) -> str:
        return f"<Match {str(self._rules)!r}: game {len(self._past) + 1}, {self._game!r}>"


def _random(seed: int | str | None) -> Random:
    """Create the random generator of a match; the same for the same seed."""
    return Random(None if seed is None else checked_seed(seed))


def _named(tally: Tally) -> str:
    return f"seat {tally.seats[0]}" if len(tally.seats) == 1 else f"the team of seats {' and '.join(map(str, tally.seats))}"


def _after(tally: Tally, game: Game, outcome: Outcome) -> Tally:
    """Return the tally of a side after one more game."""
    lost = any(seat in outcome.losers for seat in tally.seats)
    won = any(seat in outcome.winners for seat in tally.seats)
    tally = replace(
        tally,
        lost=tally.lost + lost,
        fool=tally.fool + (outcome.fool in tally.seats),
        won=tally.won + won,
        drew=tally.drew + (not lost and not won),
    )
    defender, cards, trump = final_bout(game)
    if lost and defender in tally.seats and scoring.earns_epaulette(tally.due, cards, trump):
        ranks = deck_and_beating.ranks(game.rules)
        next_index = ranks.index(tally.due or "") + 1
        tally = replace(tally, epaulettes=tally.epaulettes + (tally.due or ""), due=ranks[next_index] if next_index < len(ranks) else None)
    return tally


def final_bout(game: Game) -> tuple[int, tuple[Card, ...], str | None]:
    """Return the defender, attacking cards and trump suit of the last bout of a finished game."""
    if game.table:
        return game.defender, tuple(attack for attack, _ in game.table), game.trump
    end = game.view(0).ends[-1]
    return end.defender, tuple(Card.of(code) for code in end.attacks), end.trump
