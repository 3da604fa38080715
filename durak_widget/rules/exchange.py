"""May cards be exchanged with the talon?"""

from __future__ import annotations

from dataclasses import dataclass

from durak_widget.rules import dealing
from durak_widget.rules.option import number, refuse


@dataclass(frozen=True)
class Exchange(dealing.Dealing):
    """Swapping cards with the talon."""

    swaps: int = number(
        0,
        "Before opening a bout, a player may exchange two cards with the talon, {n} time{s} in a game.",
        zero="Cards are never exchanged with the talon.",
    )


def check_exchange(rules: Exchange) -> None:
    """Swaps need a talon."""
    if rules.swaps and not dealing.has_talon(rules):
        raise refuse(
            "swaps",
            rules.swaps,
            "cards are exchanged with the talon, and all of them are dealt out here",
            "say deal='hand', or swaps=0",
            "swaps",
        )


def times(rules: Exchange) -> int:
    """How often in a game each player may swap."""
    return rules.swaps
