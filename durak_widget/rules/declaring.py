"""Which cards may be played in a suit of the player's choice? (Weli)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from durak_widget.cards import FACES, RANKS, SUITS, Card, played_code
from durak_widget.rules import pack
from durak_widget.rules.option import choice, refuse

_COVERED = {"off": (), "sixes": ("6c", "6d", "6h", "6s"), "bells": ("6d",)}


@dataclass(frozen=True)
class Declaring(pack.Pack):
    """Suits of the player's choice."""

    weli: Literal["off", "sixes", "bells"] = choice(
        "off",
        {
            "off": "Every card is played in its own suit.",
            "sixes": "A six is played in a suit of the player's choice; it stays a six.",
            "bells": "The six of diamonds (bells) is played in a suit of the player's choice; it stays a six.",
        },
    )


def check_declaring(rules: Declaring) -> None:
    """The card that the option speaks of must be in the deck."""
    ranks, suits = pack.ranks(rules), pack.suits(rules)
    if rules.weli != "off" and "6" not in ranks:
        raise refuse("weli", rules.weli, f"the deck has no sixes (ranks={ranks!r})", "add '6' to ranks, or say weli='off'", "sixes")
    if rules.weli == "bells" and "d" not in suits:
        raise refuse(
            "weli",
            rules.weli,
            f"the deck has no six of diamonds (suits={suits!r})",
            "add 'd' to suits, or say weli='sixes' or weli='off'",
            "six_of_diamonds",
        )


def covered(rules: Declaring) -> int:
    """The mask of the faces that are played in a suit of the player's choice."""
    return sum(1 << Card(text).code for text in _COVERED[rules.weli]) & pack.faces(rules)


def plays(rules: Declaring) -> list[tuple[int, ...]]:
    """For every face, the codes it may be played as, by suit: mostly its own alone."""
    chosen = [SUITS.index(s) for s in pack.suits(rules)]
    free = covered(rules)
    return [tuple(played_code(face, suit) for suit in chosen) if free >> face & 1 else (face,) for face in range(FACES)]


def playable_as(rules: Declaring, mask: int) -> int:
    """The faces of the deck that may be played as one of these."""
    return sum(
        1 << face for face, codes in enumerate(plays(rules)) if any(mask >> Card.of(code).counts & 1 for code in codes)
    ) & pack.faces(rules)


def rank_of(face: int) -> int:
    """The rank of a face as a number: 0 for the two … 12 for the ace, 13 for a joker.

    >>> rank_of(0), rank_of(25), rank_of(53)
    (0, 12, 13)
    """
    return face % 13 if face < 4 * len(RANKS) else len(RANKS)
