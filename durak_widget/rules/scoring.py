"""The end of a game: when a seat is out, who has lost, and the points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from durak_widget.rules.option import choice, number
from durak_widget.rules.seating import Seating, seats, sides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.cards import Card


@dataclass(frozen=True)
class Scoring(Seating):
    """The options of going out and of the end."""

    out_when: Literal["bout_end", "at_once"] = choice(
        "bout_end",
        {
            "bout_end": "With the talon empty, players without cards are out at the end of the bout.",
            "at_once": "With the talon empty, a player is out the moment the last card is played.",
        },
    )
    goal: Literal["not_last", "first_out"] = choice(
        "not_last",
        {"not_last": "The last one with cards is the fool.", "first_out": "The first one out wins, and the game is over."},
    )
    repetition: int | None = number(
        3,
        "The game is a draw when a position has come up {n} times without a card drawn or discarded in between.",
        least=2,
        none="Positions may repeat without end.",
    )


class Outcome(NamedTuple):
    """The result of a game.

    >>> Outcome((0,), (1,), 1, (0,), 0, (1.0, -1.0)).fool
    1
    """

    winners: tuple[int, ...]
    """The seats that won; empty in a tie."""
    losers: tuple[int, ...]
    """The seats that lost; empty in a tie."""
    fool: int | None
    """The seat that is the fool, if there is one."""
    places: tuple[int, ...]
    """The seats in the order in which they went out."""
    epaulettes: int
    """The number of sixes that the fool wears: 0, 1 or 2."""
    utilities: tuple[float, ...]
    """The payoff of each seat: the losers share -1, the winners +1."""

    def __str__(self) -> str:
        if self.fool is not None:
            return f"seat {self.fool} is the fool" + ("", ", with an epaulette", ", with epaulettes on both shoulders")[self.epaulettes]
        if not self.winners:
            return "a draw"
        return f"seat{'s' * (len(self.winners) > 1)} {' and '.join(map(str, self.winners))} won"


def out_at_once(rules: Scoring) -> bool:
    """Return whether a seat is out the moment it plays its last card."""
    return rules.out_when == "at_once"


def over(rules: Scoring, seats_in: int, places: Sequence[int]) -> bool:
    """Return whether the game is over with these seats in (a mask) and these out."""
    if rules.goal == "first_out":
        return bool(places)
    side = sides(rules)
    return len({side[seat] for seat in range(seats(rules)) if seats_in >> seat & 1}) <= 1


def first_out_wins(rules: Scoring) -> bool:
    """Return whether the first seat that is out has won."""
    return rules.goal == "first_out"


def times_to_draw(rules: Scoring) -> int:
    """Return how often a position must occur for a tie; 0 for no such end."""
    return rules.repetition or 0


def draw(rules: Scoring, places: Sequence[int]) -> Outcome:
    """Return the outcome of a game that nobody lost."""
    return Outcome((), (), None, tuple(places), 0, (0.0,) * seats(rules))


def outcome(
    rules: Scoring, seats_in: int, places: Sequence[int], cards: Sequence[int], defender: int, attack_ranks: Sequence[str]
) -> Outcome:
    """Return the outcome of a game that is over.

    `cards` are the sizes of the hands, `defender` is the defender of the final bout, and `attack_ranks` are the ranks of its attacking
    cards in the order played.
    """
    return _outcome(rules, seats_in, tuple(places), tuple(cards), defender, tuple(attack_ranks[-2:]))


@lru_cache(maxsize=4096)  # a tree has many terminal nodes with the same few outcomes
def _outcome(
    rules: Scoring, seats_in: int, places: tuple[int, ...], cards: tuple[int, ...], defender: int, last_two: tuple[str, ...]
) -> Outcome:
    side, all_seats = sides(rules), range(seats(rules))
    fool = None
    if rules.goal == "first_out":
        winners = tuple(seat for seat in all_seats if side[seat] == side[places[0]])
        losers = tuple(seat for seat in all_seats if seat not in winners)
        if len(all_seats) == 2:
            fool = losers[0]
    else:
        seats_left = [seat for seat in all_seats if seats_in >> seat & 1]
        if not seats_left:
            return draw(rules, places)
        losers = tuple(seat for seat in all_seats if side[seat] == side[seats_left[0]])
        winners = tuple(seat for seat in all_seats if seat not in losers)
        fool = max(seats_left, key=lambda seat: (cards[seat], -seat))
    utilities = tuple(1 / len(winners) if seat in winners else -1 / len(losers) for seat in all_seats)
    return Outcome(winners, losers, fool, places, _epaulettes(fool, side, defender, last_two), utilities)


def earns_epaulette(due: str | None, attacks: Sequence[Card], trump: str | None) -> bool:
    """Return whether a side that lost to these attacking cards earns the rank it is due."""
    return bool(attacks) and attacks[-1].rank == due and any(card.suit != trump for card in attacks)


def _epaulettes(fool: int | None, side: Sequence[int], defender: int, last_two: tuple[str, ...]) -> int:
    if fool is None or side[fool] != side[defender]:
        return 0
    if last_two[-1:] != ("6",):
        return 0
    return last_two.count("6")
