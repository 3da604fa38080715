"""Formats player names for sentences: a name, or a number if there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def default_name(seat: int) -> str:
    """Return the name of a player who was given none.

    >>> default_name(0)
    'Player 1'
    """
    return f"Player {seat + 1}"


def is_unnamed(name: str, seat: int) -> bool:
    """Return whether a player was given no name.

    Some files have the player's number there, and older ones "seat 0".

    >>> [is_unnamed(name, 1) for name in ("Player 2", "2", "seat 1", "Bob", "1")]
    [True, True, True, False, False]
    """
    return not name.strip() or name.strip() in (default_name(seat), str(seat + 1), f"seat {seat}")


def player_named(names: Sequence[str], seat: int) -> str:
    """Return the name of a player.

    >>> player_named(("Ann", "seat 1"), 0), player_named(("Ann", "seat 1"), 1)
    ('Ann', 'Player 2')
    """
    return default_name(seat) if is_unnamed(names[seat], seat) else names[seat]


def player_names(names: Sequence[str], seat: int) -> tuple[str, ...]:
    """Return the names that an answer may use for a player.

    Older answers call a player without a name "seat 0".

    >>> player_names(("Ann", "Player 2"), 0), player_names(("Ann", "Player 2"), 1)
    (('Ann',), ('Player 2', 'seat 1'))
    """
    return (default_name(seat), f"seat {seat}") if is_unnamed(names[seat], seat) else (names[seat],)


def player_number(names: Sequence[str], name: object) -> int | None:
    """Return the index of the player with this name, or None.

    >>> player_number(("Ann", "Player 2"), "Ann"), player_number(("Ann", "Player 2"), "seat 1"), player_number(("Ann", "Bob"), "seat 1")
    (0, 1, None)
    """
    return next((player for player in range(len(names)) if name == names[player] or name in player_names(names, player)), None)


def payoffs_said(names: Sequence[str], payoffs: Sequence[object]) -> str:
    """Return a phrase with the payoff of each player.

    >>> payoffs_said(("Leader", "seat 1"), (6, 2))
    'Leader: 6, Player 2: 2'
    >>> payoffs_said(("Leader", "Follower"), (6, 2))
    'Leader 6, Follower 2'
    """
    player_labels = [player_named(names, player) for player in range(len(payoffs))]
    separator = ":" if any(name[-1:].isdigit() for name in player_labels) else ""
    return ", ".join(f"{name}{separator} {payoff}" for name, payoff in zip(player_labels, payoffs, strict=True))
