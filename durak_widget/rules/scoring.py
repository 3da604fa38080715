"""The rule options about the end of a game: leaving the game, the losers, and payoffs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from durak_widget.rules.option import declare_choice, declare_number
from durak_widget.rules.seating import SeatingOptions, seat_count, side_of_seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.cards import Card


@dataclass(frozen=True)
class ScoringOptions(SeatingOptions):
    """The rule options about when a player leaves the game and how the game ends."""

    out_when: Literal["bout_end", "at_once"] = declare_choice(
        "bout_end",
        {
            "bout_end": "When the talon is empty, players without cards leave the game at the end of the bout.",
            "at_once": "When the talon is empty, a player leaves the game as soon as they play their last card.",
        },
    )
    goal: Literal["not_last", "first_out"] = declare_choice(
        "not_last",
        {"not_last": "The last player with cards is the fool.", "first_out": "The first player without cards wins, and the game is over."},
    )
    repetition: int | None = declare_number(
        3,
        "The game is a draw if the same position comes up {n} times and no card was drawn or discarded in between.",
        minimum=2,
        none_sentence="Positions can repeat any number of times.",
    )


class Outcome(NamedTuple):
    """The result of a game.

    >>> Outcome((0,), (1,), 1, (0,), 0, (1.0, -1.0)).fool
    1
    """

    winners: tuple[int, ...]
    """The seats that won; empty if the game is a tie."""
    losers: tuple[int, ...]
    """The seats that lost; empty if the game is a tie."""
    fool: int | None
    """The seat that is the fool; None if the game has no fool."""
    places: tuple[int, ...]
    """The seats that left the game, in the order in which they left it."""
    epaulettes: int
    """The number of sixes that the fool wears as epaulettes: 0, 1 or 2."""
    utilities: tuple[float, ...]
    """The payoff of each seat: the winners share 1 equally, and the losers share -1 equally."""

    def __str__(self) -> str:
        if self.fool is not None:
            return f"seat {self.fool} is the fool" + ("", ", with an epaulette", ", with epaulettes on both shoulders")[self.epaulettes]
        if not self.winners:
            return "a draw"
        return f"seat{'s' * (len(self.winners) > 1)} {' and '.join(map(str, self.winners))} won"


def goes_out_at_once(rules: ScoringOptions) -> bool:
    """Return whether a player leaves the game as soon as they play their last card."""
    return rules.out_when == "at_once"


def is_game_over(rules: ScoringOptions, seats_in: int, places: Sequence[int]) -> bool:
    """Return whether the game is over.

    `seats_in` is the bit mask of the seats in the game, and `places` the seats that have left it.
    """
    if rules.goal == "first_out":
        return bool(places)
    side = side_of_seat(rules)
    return len({side[seat] for seat in range(seat_count(rules)) if seats_in >> seat & 1}) <= 1


def does_first_out_win(rules: ScoringOptions) -> bool:
    """Return whether the first player who gets rid of all cards wins the game."""
    return rules.goal == "first_out"


def repetitions_to_tie(rules: ScoringOptions) -> int:
    """Return how often a position must occur to end the game in a tie; 0 if it never does."""
    return rules.repetition or 0


def build_tie(rules: ScoringOptions, places: Sequence[int]) -> Outcome:
    """Build the result of a game that ended in a tie."""
    return Outcome((), (), None, tuple(places), 0, (0.0,) * seat_count(rules))


def build_outcome(
    rules: ScoringOptions, seats_in: int, places: Sequence[int], hand_sizes: Sequence[int], defender: int, attack_ranks: Sequence[str]
) -> Outcome:
    """Build the result of a game that is over.

    `hand_sizes` has the number of cards in each hand, `defender` is the defender of the last bout, and `attack_ranks` has the ranks of its
    attacking cards in the order of play.
    """
    return _build_outcome(rules, seats_in, tuple(places), tuple(hand_sizes), defender, tuple(attack_ranks[-2:]))


# The cache saves time, because a game tree has many terminal nodes but only few different results.
@lru_cache(maxsize=4096)
def _build_outcome(
    rules: ScoringOptions,
    seats_in: int,
    places: tuple[int, ...],
    hand_sizes: tuple[int, ...],
    defender: int,
    last_two_ranks: tuple[str, ...],
) -> Outcome:
    side, all_seats = side_of_seat(rules), range(seat_count(rules))
    fool = None
    if rules.goal == "first_out":
        winners = tuple(seat for seat in all_seats if side[seat] == side[places[0]])
        losers = tuple(seat for seat in all_seats if seat not in winners)
        if len(all_seats) == 2:
            fool = losers[0]
    else:
        seats_left = [seat for seat in all_seats if seats_in >> seat & 1]
        if not seats_left:
            return build_tie(rules, places)
        losers = tuple(seat for seat in all_seats if side[seat] == side[seats_left[0]])
        winners = tuple(seat for seat in all_seats if seat not in losers)
        fool = max(seats_left, key=lambda seat: (hand_sizes[seat], -seat))
    utilities = tuple(1 / len(winners) if seat in winners else -1 / len(losers) for seat in all_seats)
    return Outcome(winners, losers, fool, places, _count_epaulettes(fool, side, defender, last_two_ranks), utilities)


def earns_epaulette(due_rank: str | None, attacks: Sequence[Card], trump: str | None) -> bool:
    """Return whether the losing side gets one more epaulette for the last attack of a game."""
    return bool(attacks) and attacks[-1].rank == due_rank and any(card.suit != trump for card in attacks)


def _count_epaulettes(fool: int | None, side: Sequence[int], defender: int, last_two_ranks: tuple[str, ...]) -> int:
    """Count the sixes at the end of the last attack; 0 unless the fool's side defended."""
    if fool is None or side[fool] != side[defender]:
        return 0
    if last_two_ranks[-1:] != ("6",):
        return 0
    return last_two_ranks.count("6")
