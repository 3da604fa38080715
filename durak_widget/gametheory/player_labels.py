"""Formats players' names for sentences: a name from the game, or a default like Player 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def default_name(player: int) -> str:
    """Return the default name of a player whose name the game does not give.

    >>> default_name(0)
    'Player 1'
    """
    return f"Player {player + 1}"


def is_unnamed(name: str, player: int) -> bool:
    """Return whether a player has no given name.

    Some files have the player's number as a name, and older files have "seat 0".

    >>> [is_unnamed(name, 1) for name in ("Player 2", "2", "seat 1", "Bob", "1")]
    [True, True, True, False, False]
    """
    return not name.strip() or name.strip() in (default_name(player), str(player + 1), f"seat {player}")


def format_player_name(names: Sequence[str], player: int) -> str:
    """Return the name of a player: the one that the game gives, or else a default name.

    >>> format_player_name(("Ann", "seat 1"), 0), format_player_name(("Ann", "seat 1"), 1)
    ('Ann', 'Player 2')
    """
    return default_name(player) if is_unnamed(names[player], player) else names[player]


def accepted_player_names(names: Sequence[str], player: int) -> tuple[str, ...]:
    """Return the names that a student's answer may use for a player.

    Older answers call a player without a name "seat 0".

    >>> accepted_player_names(("Ann", "Player 2"), 0), accepted_player_names(("Ann", "Player 2"), 1)
    (('Ann',), ('Player 2', 'seat 1'))
    """
    return (default_name(player), f"seat {player}") if is_unnamed(names[player], player) else (names[player],)


def find_player(names: Sequence[str], name: object) -> int | None:
    """Return the index of the player with a given name, or None if there is none.

    >>> find_player(("Ann", "Player 2"), "Ann"), find_player(("Ann", "Player 2"), "seat 1"), find_player(("Ann", "Bob"), "seat 1")
    (0, 1, None)
    """
    return next((player for player in range(len(names)) if name == names[player] or name in accepted_player_names(names, player)), None)


def format_payoffs(names: Sequence[str], payoffs: Sequence[object]) -> str:
    """Return a phrase that lists the payoff of every player.

    >>> format_payoffs(("Leader", "seat 1"), (6, 2))
    'Leader: 6; Player 2: 2'
    """
    return "; ".join(f"{format_player_name(names, player)}: {payoff}" for player, payoff in enumerate(payoffs))


def join_payoff_lists(payoff_lists: Sequence[str]) -> str:
    """Return a phrase of several lists of payoffs, each in brackets if there are several.

    >>> join_payoff_lists(["Leader: 6; Follower: 2"]), join_payoff_lists(["Leader: 6; Follower: 2", "Leader: 4; Follower: 4"])
    ('Leader: 6; Follower: 2', '(Leader: 6; Follower: 2), (Leader: 4; Follower: 4)')
    """
    return ", ".join(f"({payoffs})" for payoffs in payoff_lists) if len(payoff_lists) > 1 else "".join(payoff_lists)
