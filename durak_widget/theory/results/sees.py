"""What is it worth to see the other's hand? The same game with hidden hands and with open ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from durak_widget.theory.results.miniature import Miniature, Worth, sizes, worth
from durak_widget.theory.results.result import Result, Row, share

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True)
class Seeing(Result):
    """What `seeing` finds."""

    question: ClassVar[str] = "If both laid their cards open, whom would it help?"

    pairs: tuple[tuple[Worth, Worth], ...]
    """Each game with hidden hands, and the same with open ones, both proved."""

    @property
    def gains(self) -> list[Fraction]:
        """What open hands bring who attacks first, in each game."""
        return [opened.value - hidden.value for hidden, opened in self.pairs]

    def said(self) -> list[str]:
        """The answer in sentences."""
        first, second = (sum(sign * gain > 0 for gain in self.gains) for sign in (1, -1))
        many = len(self.pairs)
        return [f"open hands help who attacks first in {share(first, many)}, who defends first in {share(second, many)}"]

    def table(self) -> list[Row]:
        """A row for each game."""
        return [
            {
                **hidden.miniature.columns,
                "hidden": hidden.value,
                "open": opened.value,
                "seeing is worth": opened.value - hidden.value,
            }
            for hidden, opened in self.pairs
        ]


def seeing(*, rules: str = "econ431 podkidnoy", decks: str = "2x2 2x3 3x2", hands: str = "1 2 3", trumps: str = "c none") -> Seeing:
    """The value of each game to who attacks first, with hidden hands and with open ones; what is not dealt is drawn, and unseen in both.

    >>> found = seeing(rules="podkidnoy", decks="2x2", hands="1")
    >>> [(hidden.value, opened.value) for hidden, opened in found.pairs]
    [(Fraction(-1, 3), Fraction(-1, 3)), (Fraction(1, 4), Fraction(1, 4))]
    """
    games = [
        Miniature(preset, suits, ranks, hand, trump)
        for preset in rules.split()
        for suits, ranks, hand in sizes(decks, hands)
        if 2 * hand <= len(suits) * len(ranks)
        for trump in trumps.split()
    ]
    return Seeing(tuple([(worth(game), worth(game, open_hands=True)) for game in games]))
