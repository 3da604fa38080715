"""May cards be exchanged with the talon?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from durak_widget.rules import dealing
from durak_widget.rules.option import number, refuse

if TYPE_CHECKING:
    from durak_widget.rules.book import Rules


@dataclass(frozen=True)
class Exchange:
    """Swapping cards with the talon."""

    swaps: int = number(
        0,
        "Before opening a bout, a player may exchange two cards with the talon, {n} time{s} in a game.",
        zero="Cards are never exchanged with the talon.",
    )


def check(rules: Rules) -> None:
    """Swaps need a talon."""
    if rules.swaps and not dealing.has_talon(rules):
        raise refuse(
            "swaps", rules.swaps, "cards are exchanged with the talon, and all of them are dealt out here", "say deal='hand', or swaps=0"
        )


def times(rules: Rules) -> int:
    """How often in a game each player may swap."""
    return rules.swaps
