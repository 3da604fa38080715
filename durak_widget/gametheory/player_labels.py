"""What players are called in a sentence: by their names, and without one by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def default_name(seat: int) -> str:
    """Return what a player is called who has no name.

    >>> default_name(0)
    'Player 1'
    """
    return f"Player {seat + 1}"


def is_unnamed(name: str, seat: int) -> bool:
    """Say whether nobody gave that player a name; some files have the player's number there, and older ones "seat 0".

    >>> [is_unnamed(name, 1) for name in ("Player 2", "2", "seat 1", "Bob", "1")]
    [True, True, True, False, False]
    """
    return not name.strip() or name.strip() in (default_name(seat), str(seat + 1), f"seat {seat}")


def player_named(names: Sequence[str], seat: int) -> str:
    """Return what a player is called.

    >>> player_named(("Ann", "seat 1"), 0), player_named(("Ann", "seat 1"), 1)
    ('Ann', 'Player 2')
    """
    return default_name(seat) if is_unnamed(names[seat], seat) else names[seat]


def player_names(names: Sequence[str], seat: int) -> tuple[str, ...]:
    """Return what an answer may call a player; answers from before call those without a name "seat 0".

    >>> player_names(("Ann", "Player 2"), 0), player_names(("Ann", "Player 2"), 1)
    (('Ann',), ('Player 2', 'seat 1'))
    """
    return (default_name(seat), f"seat {seat}") if is_unnamed(names[seat], seat) else (names[seat],)


def player_number(names: Sequence[str], name: object) -> int | None:
    """Return the number of the player who is called so; None if nobody is.

    >>> player_number(("Ann", "Player 2"), "Ann"), player_number(("Ann", "Player 2"), "seat 1"), player_number(("Ann", "Bob"), "seat 1")
    (0, 1, None)
    """
    return next((seat for seat in range(len(names)) if name == names[seat] or name in player_names(names, seat)), None)


def payoffs_said(names: Sequence[str], payoffs: Sequence[object]) -> str:
    """Return what each player gets, in words.

    >>> payoffs_said(("Leader", "seat 1"), (6, 2))
    'Leader: 6, Player 2: 2'
    >>> payoffs_said(("Leader", "Follower"), (6, 2))
    'Leader 6, Follower 2'
    """
    called = [player_named(names, seat) for seat in range(len(payoffs))]
    mark = ":" if any(name[-1:].isdigit() for name in called) else ""
    return ", ".join(f"{name}{mark} {paid}" for name, paid in zip(called, payoffs, strict=True))
