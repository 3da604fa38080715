"""Defines a match: several games with a score; the fool of each game deals the next game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from durak_widget.cards import Card
from durak_widget.engine.game import Game, require_seed
from durak_widget.errors import DurakError, PositionError, short_repr
from durak_widget.rules import deck_and_beating, scoring, seating, turns
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from durak_widget.rules.scoring import Outcome


@dataclass(frozen=True)
class Tally:
    """The score of one side (a seat or a team) in a match.

    >>> Tally(seats=(0,), wins=2).wins
    2
    """

    seats: tuple[int, ...]
    """The seats that belong to the side."""
    losses: int = 0
    """The number of games that the side lost."""
    times_fool: int = 0
    """The number of games in which a player of this side was the fool."""
    wins: int = 0
    """The number of games that the side won."""
    ties: int = 0
    """The number of games that ended in a tie."""
    epaulettes: str = ""
    """The ranks of the epaulettes that this side has received, lowest first."""
    due_rank: str | None = None
    """The rank of this side's next epaulette; None if this side has all epaulettes and so has lost the match."""


class Match:
    """A match of several games under one rule set, with a score.

    >>> match = Match(seed=1)
    >>> while match.game.outcome is None:
    ...     match.game.play(match.game.legal_moves()[0])
    >>> match.game.outcome.fool, match.score[1].wins, match.next_game().bout
    (1, 0, 1)
    """

    def __init__(self, rules: Rules | str | None = None, *, seed: int | str | None = None, dealer: int = 0) -> None:
        """Begin a match and deal the first game.

        Two matches with the same seed have the same deals as long as the same seats lose.
        """
        self._rng, self._seed_bits = _create_rng(seed), 32
        self._start(Game(Rules.coerce(rules), seed=self._rng.getrandbits(32), dealer=dealer), dealer)

    def _start(self, game: Game, dealer: int) -> None:
        """Set the fields of a match that begins with the given game."""
        self._rules, self._game, self._dealer = game.rules, game, dealer
        self._finished_games: list[Game] = []
        self._last_fool: int | None = None
        side, ranks = seating.side_of_seat(game.rules), deck_and_beating.deck_ranks(game.rules)
        self._score_before = tuple(
            Tally(tuple(seat for seat, seat_side in enumerate(side) if seat_side == index), due_rank=ranks[0])
            for index in range(max(side) + 1)
        )

    @classmethod
    def from_game(cls, game: Game, *, seed: int | str | None = None, seed_bits: int = 32) -> Match:
        """Return a match whose first game is the given game; `seed` decides the later deals.

        The first game may already have moves. If it begins from a position, seat 0 is its dealer. Each later deal is one of 2 to the power of
        `seed_bits` possible deals.

        >>> game = Game("transfer, players=3", seed=7, dealer=2)
        >>> match = Match.from_game(game, seed=1)
        >>> match.game is game, match.dealer, match.rules == game.rules
        (True, 2, True)
        """
        if not isinstance(game, Game):
            raise PositionError(
                f"a match must begin with a Game, not with {short_repr(game)}; use Match(rules), which deals the first game"
            )
        match = cls.__new__(cls)
        match._rng, match._seed_bits = _create_rng(seed), seed_bits
        match._start(game, game.dealer)
        return match

    @property
    def rules(self) -> Rules:
        """Return the rule set that all games of the match use."""
        return self._rules

    @property
    def game(self) -> Game:
        """Return the current game of the match; after the match, return the last game."""
        return self._game

    @property
    def games(self) -> tuple[Game, ...]:
        """Return all games of the match so far, in order; the last one is the current game."""
        return (*self._finished_games, self._game)

    @property
    def dealer(self) -> int:
        """Return the seat of the player who dealt the current game."""
        return self._dealer

    def next_game(self) -> Game:
        """Deal and return the next game of the match; the fool of the last game is the dealer.

        >>> Match(seed=1).next_game()
        Traceback (most recent call last):
        durak_widget.errors.DurakError: the next game is dealt when this one is over; play this one to its end first
        """
        outcome = self._game.outcome
        if outcome is None:
            raise DurakError("the next game is dealt when this one is over; play this one to its end first")
        if self.loser is not None:
            raise DurakError(f"the match is over: {_format_side(self.score[self.loser])} has received every epaulette; start a new Match")
        self._score_before, self._last_fool = self.score, outcome.fool
        self._finished_games.append(self._game)
        self._dealer = (self._dealer + 1) % seating.seat_count(self._rules) if outcome.fool is None else outcome.fool
        return self.deal_again()

    def deal_again(self) -> Game:
        """Replace the current game with a new deal by the same dealer, and return the new game.

        The replaced game does not count for the score.

        >>> match = Match(seed=1)
        >>> first = match.game
        >>> match.deal_again() is match.game, match.game is first, len(match.games)
        (True, False, 1)
        """
        game = Game(self._rules, seed=self._rng.getrandbits(self._seed_bits), dealer=self._dealer)
        if self._finished_games:
            state = game.state
            first_attacker = turns.find_next_attacker(self._rules, state.hands, state.trump_suit, self._dealer, self._last_fool)
            if first_attacker != game.attacker:
                game = Game(self._rules, seed=game.seed, dealer=self._dealer, first_attacker=first_attacker)
        self._game = game
        return game

    @property
    def score(self) -> tuple[Tally, ...]:
        """Return the score of each seat (or each team) in the finished games of the match.

        >>> Match("players=4, teams=2v2").score[0]
        Tally(seats=(0, 2), losses=0, times_fool=0, wins=0, ties=0, epaulettes='', due_rank='6')
        """
        outcome = self._game.outcome
        return self._score_before if outcome is None else tuple(_update_tally(tally, self._game, outcome) for tally in self._score_before)

    @property
    def loser(self) -> int | None:
        """Return the index of the side (seat or team) that lost the match; None while it goes on.

        A side loses the match when it has received every epaulette.
        """
        return next((side for side, tally in enumerate(self.score) if tally.due_rank is None), None)

    def __repr__(self) -> str:
        return f"<Match {str(self._rules)!r}: game {len(self._finished_games) + 1}, {self._game!r}>"


def _create_rng(seed: int | str | None) -> Random:
    """Create the random number generator of a match; the same seed gives the same deals."""
    return Random(None if seed is None else require_seed(seed))


def _format_side(tally: Tally) -> str:
    return f"seat {tally.seats[0]}" if len(tally.seats) == 1 else f"the team of seats {' and '.join(map(str, tally.seats))}"


def _update_tally(tally: Tally, game: Game, outcome: Outcome) -> Tally:
    """Return a copy of one side's score (tally), updated with the result of one more game."""
    lost = any(seat in outcome.losers for seat in tally.seats)
    won = any(seat in outcome.winners for seat in tally.seats)
    tally = replace(
        tally,
        losses=tally.losses + lost,
        times_fool=tally.times_fool + (outcome.fool in tally.seats),
        wins=tally.wins + won,
        ties=tally.ties + (not lost and not won),
    )
    defender, cards, trump = find_final_bout(game)
    if lost and defender in tally.seats and scoring.earns_epaulette(tally.due_rank, cards, trump):
        ranks = deck_and_beating.deck_ranks(game.rules)
        next_index = ranks.index(tally.due_rank or "") + 1
        tally = replace(
            tally, epaulettes=tally.epaulettes + (tally.due_rank or ""), due_rank=ranks[next_index] if next_index < len(ranks) else None
        )
    return tally


def find_final_bout(game: Game) -> tuple[int, tuple[Card, ...], str | None]:
    """Return the last bout of a finished game: its defender, attacking cards and trump suit."""
    if game.table:
        return game.defender, tuple(attack for attack, _ in game.table), game.trump
    end = game.view(0).bout_ends[-1]
    return end.defender, tuple(Card.from_code(code) for code in end.attacks), end.trump
