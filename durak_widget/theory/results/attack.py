"""Is attacking first an advantage? What trumps, the size of a hand and a talon do to it, in games small enough to be solved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from durak_widget.theory.results.miniature import Miniature, Worth, sizes, worth
from durak_widget.theory.results.result import Result, Row, share

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction


@dataclass(frozen=True)
class FirstAttack(Result):
    """What `first_attack` finds."""

    question: ClassVar[str] = "Is attacking first an advantage?"

    worths: tuple[Worth, ...]
    """What each game is worth to who attacks first, proved."""

    def value(self, line: str) -> Fraction:
        """The value of one of them, named as `Miniature.of` reads it."""
        asked = Miniature.of(line)
        return next(one.value for one in self.worths if one.miniature == asked)

    def turned(self, change: Callable[[Miniature], Miniature]) -> tuple[int, int, int]:
        """How many of the games have their changed one beside them, and in how many the change makes attacking first worse, and better."""
        values = {one.miniature: one.value for one in self.worths}
        pairs = [(values[game], values[change(game)]) for game in values if change(game) != game and change(game) in values]
        return len(pairs), sum(after < value for value, after in pairs), sum(after > value for value, after in pairs)

    def said(self) -> list[str]:
        """The answer in sentences."""
        many = len(self.worths)
        good, bad = (sum(sign * one.value > 0 for one in self.worths) for sign in (1, -1))
        said = [f"in {share(good, many)} who attacks first is favoured, in {share(bad, many)} who defends"]
        for what, change in (("a talon to draw from", with_talon), ("trumps", with_trumps)):
            pairs, worse, better = self.turned(change)
            said.append(f"{what}: of {pairs} pairs worse for who attacks first in {worse}, better in {better}")
        return said

    def table(self) -> list[Row]:
        """A row for each game."""
        return [
            {
                **one.miniature.columns,
                "value": one.value,
                "histories": one.histories,
            }
            for one in self.worths
        ]


def with_talon(game: Miniature) -> Miniature:
    """The same with what is not dealt drawn."""
    return game._replace(talon=True)


def with_trumps(game: Miniature) -> Miniature:
    """The same with clubs for trumps."""
    return game._replace(trump="c")


def first_attack(
    *, rules: str = "econ431 podkidnoy", decks: str = "2x2 2x3 3x2", hands: str = "1 2 3", trumps: str = "c none"
) -> FirstAttack:
    """What attacking first is worth: each rule set, deck (suits x ranks) and hand, with trumps and without, what is not dealt drawn or laid aside.

    >>> found = first_attack(rules="podkidnoy", decks="2x2", hands="1")
    >>> found.value("podkidnoy cd 67 1 c"), found.value("podkidnoy cd 67 1 none"), found.value("podkidnoy cd 67 1 c aside")
    (Fraction(-1, 3), Fraction(1, 4), Fraction(1, 2))
    >>> found.turned(with_talon)
    (2, 2, 0)
    """
    games = [
        Miniature(preset, suits, ranks, hand, trump, talon)
        for preset in rules.split()
        for suits, ranks, hand in sizes(decks, hands)
        for trump in trumps.split()
        for talon in (True, False)
        if 2 * hand + (not talon) <= len(suits) * len(ranks)
    ]
    return FirstAttack(tuple(map(worth, games)))
