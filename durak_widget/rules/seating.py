"""Who sits at the table, and who is against whom?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from durak_widget.rules.option import choice, refuse

_SIZES = {"2v2": (4, 2), "2v2v2": (6, 3), "3v3": (6, 2)}
"""Players and sides of each way to play in teams."""


@dataclass(frozen=True)
class Seating:
    """The seats and the sides."""

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
    """Teams need their number of players."""
    if rules.teams != "none":
        wanted, _ = _SIZES[rules.teams]
        if rules.players != wanted:
            fits = " or ".join(repr(t) for t, (n, _) in _SIZES.items() if n == rules.players) or "'none'"
            wrong = f"that takes {wanted} players, and there are {rules.players}"
            raise refuse(
                "teams", rules.teams, wrong, f"say players={wanted}, or teams={fits}", "teams", wanted=wanted, players=rules.players
            )


def seats(rules: Seating) -> int:
    """How many seats there are."""
    return rules.players


@lru_cache(maxsize=64)
def sides(rules: Seating) -> tuple[int, ...]:
    """The side of each seat, as a number; seats of one team share it."""
    count = rules.players if rules.teams == "none" else _SIZES[rules.teams][1]
    return tuple(seat % count for seat in range(rules.players))


def clockwise(seat: int, players: int) -> list[int]:
    """All seats, clockwise from the one after this seat, which comes last.

    >>> clockwise(1, 4)
    [2, 3, 0, 1]
    """
    return [(seat + k) % players for k in range(1, players + 1)]


def next_in(seat: int, seats_in: int, players: int) -> int | None:
    """The first seat clockwise after this one that is in (a mask of seats); None if no other is.

    >>> next_in(0, 0b101, 3)
    2
    """
    return next((s for s in clockwise(seat, players)[:-1] if seats_in >> s & 1), None)


def next_opponent(rules: Seating, seat: int, seats_in: int) -> int | None:
    """The first seat clockwise after this one that is in and of another side."""
    side = sides(rules)
    return next((s for s in clockwise(seat, rules.players) if seats_in >> s & 1 and side[s] != side[seat]), None)
