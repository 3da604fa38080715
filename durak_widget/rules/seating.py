"""The seats and the sides of a game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from durak_widget.rules.option import choice, refuse

_SIZES = {"2v2": (4, 2), "2v2v2": (6, 3), "3v3": (6, 2)}
"""The number of players and of sides for each way to play in teams."""


@dataclass(frozen=True)
class Seating:
    """The options of seats and sides."""

    players: Literal[2, 3, 4, 5, 6] = choice(2, {n: f"{n} players." for n in range(2, 7)})
    teams: Literal["none", "2v2", "2v2v2", "3v3"] = choice(
        "none",
        {
            "none": "Everybody plays alone.",
            "2v2": "Two teams of two, sitting opposite; nobody attacks or throws in on a teammate.",
            "2v2v2": "Three teams of two, sitting opposite; nobody attacks or throws in on a teammate.",
            "3v3": "Two teams of three, sitting alternately; nobody attacks or throws in on a teammate.",
        },
    )


def check_seating(rules: Seating) -> None:
    """Require the right number of players for teams."""
    if rules.teams != "none":
        needed_players, _ = _SIZES[rules.teams]
        if rules.players != needed_players:
            alternatives = (
                " or ".join(repr(team) for team, (player_count, _) in _SIZES.items() if player_count == rules.players) or "'none'"
            )
            problem = f"that takes {needed_players} players, and there are {rules.players}"
            raise refuse(
                "teams",
                rules.teams,
                problem,
                f"say players={needed_players}, or teams={alternatives}",
                "teams",
                wanted=needed_players,
                players=rules.players,
            )


def seats(rules: Seating) -> int:
    """Return the number of seats."""
    return rules.players


@lru_cache(maxsize=64)
def sides(rules: Seating) -> tuple[int, ...]:
    """Return the side of each seat, as a number; seats of one team share it."""
    count = rules.players if rules.teams == "none" else _SIZES[rules.teams][1]
    return tuple(seat % count for seat in range(rules.players))


def clockwise(seat: int, players: int) -> list[int]:
    """Return all seats clockwise, from the one after this seat to the seat itself.

    >>> clockwise(1, 4)
    [2, 3, 0, 1]
    """
    return [(seat + step) % players for step in range(1, players + 1)]


def next_in(seat: int, seats_in: int, players: int) -> int | None:
    """Return the first other seat clockwise that is in (a mask of seats); None without one.

    >>> next_in(0, 0b101, 3)
    2
    """
    return next((candidate for candidate in clockwise(seat, players)[:-1] if seats_in >> candidate & 1), None)


def next_opponent(rules: Seating, seat: int, seats_in: int) -> int | None:
    """Return the first seat clockwise that is in and on another side; None without one."""
    side = sides(rules)
    return next(
        (candidate for candidate in clockwise(seat, rules.players) if seats_in >> candidate & 1 and side[candidate] != side[seat]), None
    )
