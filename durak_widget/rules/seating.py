"""The rule options about the number of players and teams, and functions for seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from durak_widget.rules.option import build_option_error, declare_choice

_TEAM_SIZES = {"2v2": (4, 2), "2v2v2": (6, 3), "3v3": (6, 2)}
"""The number of players and the number of teams, for each value of the option `teams`."""


@dataclass(frozen=True)
class SeatingOptions:
    """The rule options about the number of players and the teams."""

    players: Literal[2, 3, 4, 5, 6] = declare_choice(2, {n: f"{n} players." for n in range(2, 7)})
    teams: Literal["none", "2v2", "2v2v2", "3v3"] = declare_choice(
        "none",
        {
            "none": "Each player plays alone.",
            "2v2": "Two teams of two; partners sit opposite each other. You don't attack your partner or throw in cards to them.",
            "2v2v2": "Three teams of two; partners sit opposite each other. You don't attack your partner or throw in cards to them.",
            "3v3": "Two teams of three; every second player is on your team. You don't attack a partner or throw in cards to them.",
        },
    )


def check_seating(rules: SeatingOptions) -> None:
    """Raise an error if the number of players does not fit the teams in the rules."""
    if rules.teams != "none":
        needed_players, _ = _TEAM_SIZES[rules.teams]
        if rules.players != needed_players:
            alternatives = (
                " or ".join(repr(team) for team, (player_count, _) in _TEAM_SIZES.items() if player_count == rules.players) or "'none'"
            )
            problem = f"these teams need {needed_players} players, but there are {rules.players}"
            raise build_option_error(
                "teams",
                rules.teams,
                problem,
                f"use players={needed_players}, or teams={alternatives}",
                "teams",
                wanted=needed_players,
                players=rules.players,
            )


def find_ineffective_seating_options(rules: SeatingOptions) -> set[str]:
    """Return `teams` if there can be no teams with this number of players."""
    return {"teams"} if rules.teams == "none" and all(count != rules.players for count, _ in _TEAM_SIZES.values()) else set()


def has_teams(rules: SeatingOptions) -> bool:
    """Return whether players are in teams."""
    return rules.teams != "none"


def seat_count(rules: SeatingOptions) -> int:
    """Return the number of seats, which is the number of players at the start of a game."""
    return rules.players


@lru_cache(maxsize=64)
def side_of_seat(rules: SeatingOptions) -> tuple[int, ...]:
    """Return each seat's side as a number; seats of one team have the same number."""
    count = rules.players if rules.teams == "none" else _TEAM_SIZES[rules.teams][1]
    return tuple(seat % count for seat in range(rules.players))


def seats_clockwise(seat: int, players: int) -> list[int]:
    """Return all seats in clockwise order; the given seat comes last.

    >>> seats_clockwise(1, 4)
    [2, 3, 0, 1]
    """
    return [(seat + step) % players for step in range(1, players + 1)]


def find_next_seat_in(seat: int, seats_in: int, players: int) -> int | None:
    """Return the next seat clockwise that is still in the game; None if there is no other.

    >>> find_next_seat_in(0, 0b101, 3)
    2
    """
    return next((candidate for candidate in seats_clockwise(seat, players)[:-1] if seats_in >> candidate & 1), None)


def find_next_opponent(rules: SeatingOptions, seat: int, seats_in: int) -> int | None:
    """Return the next opponent clockwise who is still in the game; None if there is none."""
    side = side_of_seat(rules)
    return next(
        (candidate for candidate in seats_clockwise(seat, rules.players) if seats_in >> candidate & 1 and side[candidate] != side[seat]),
        None,
    )
