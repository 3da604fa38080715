"""With which cards may an attack be opened?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal

from durak_widget.cards import FACES, ONE_DECK, bits_of
from durak_widget.rules.declaring import rank_of
from durak_widget.rules.option import choice


@dataclass(frozen=True)
class Opening:
    """The opening attack."""

    opening: Literal["one", "same_rank"] = choice(
        "one",
        {"one": "An attack is opened with one card.", "same_rank": "An attack may be opened with several cards of one rank at once."},
    )


def several(rules: Opening) -> bool:
    """Whether an attack may be opened with several cards."""
    return rules.opening == "same_rank"


def groups(hand: int, most: int, plays: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Every way to open with two or more cards of a rank from a hand, as played codes.

    By number of cards, then card order, then the suits in which they are played; copies are not told apart.
    """
    ranks: dict[int, list[int]] = {}
    for face in bits_of(hand & ONE_DECK | hand >> FACES & ONE_DECK):
        ranks.setdefault(rank_of(face), []).extend([face] * ((hand >> face & 1) + (hand >> face + FACES & 1)))
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, ...]] = {}
    for faces in ranks.values():
        for count in range(2, min(most, len(faces)) + 1):
            for some in set(combinations(faces, count)):
                for chosen in product(*(range(len(plays[face])) for face in some)):
                    if all(chosen[i] <= chosen[i + 1] for i in range(count - 1) if some[i] == some[i + 1]):
                        found[some, chosen] = tuple(plays[face][i] for face, i in zip(some, chosen, strict=True))
    return [found[key] for key in sorted(found, key=lambda key: (len(key[0]), key))]
