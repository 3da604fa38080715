"""Is attacking first an advantage? What trumps, the size of a hand and a talon do to it, in games small enough to be solved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from durak_widget.game.game import Game
from durak_widget.theory.results.miniature import Miniature, Worth, worth
from durak_widget.theory.results.result import Result, Row, share

if TYPE_CHECKING:
    from fractions import Fraction

RANKS = "6789TJQKA"


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

    def said(self) -> list[str]:
        """The answer in sentences."""
        many = len(self.worths)
        good, bad = (sum(sign * one.value > 0 for one in self.worths) for sign in (1, -1))
        by_trumps = [share(sum(one.value > 0 for one in some), len(some)) for some in self._by_trumps()]
        return [
            f"in {share(good, many)} who attacks first is favoured, in {share(bad, many)} who defends",
            f"with trumps: favoured in {by_trumps[0]}; without: in {by_trumps[1]}",
        ]

    def _by_trumps(self) -> tuple[list[Worth], list[Worth]]:
        plain = [one for one in self.worths if one.miniature.trump == "none"]
        return [one for one in self.worths if one not in plain], plain

    def table(self) -> list[Row]:
        """A row for each game."""
        return [
            {
                "rules": one.miniature.preset,
                "suits × ranks": one.miniature.deck,
                "hand": one.miniature.hand,
                "trump": one.miniature.trump,
                "the rest": rest(one.miniature),
                "value": one.value,
                "histories": one.histories,
            }
            for one in self.worths
        ]


def rest(game: Miniature) -> str:
    """What happens to the cards that are not dealt."""
    dealt = Game(game.rules, seed=0)
    if dealt.talon and game.talon:
        return "drawn"
    return "aside" if dealt.talon or dealt.aside else "none"


def first_attack(
    *, rules: str = "econ431 podkidnoy", decks: str = "2x2 2x3 3x2", hands: str = "1 2 3", trumps: str = "c none"
) -> FirstAttack:
    """What attacking first is worth: each rule set, deck (suits x ranks) and hand, with trumps and without, what is not dealt drawn or laid aside.

    >>> found = first_attack(rules="podkidnoy", decks="2x2", hands="1")
    >>> found.value("podkidnoy cd 67 1 c"), found.value("podkidnoy cd 67 1 none"), found.value("podkidnoy cd 67 1 c aside")
    (Fraction(-1, 3), Fraction(1, 4), Fraction(1, 2))
    """
    games = [
        Miniature(preset, "cdhs"[:suits], RANKS[:ranks], hand, trump, talon)
        for preset in rules.split()
        for suits, ranks in (map(int, deck.split("x")) for deck in decks.split())
        for hand in map(int, hands.split())
        for trump in trumps.split()
        for talon in ((True, False) if 2 * hand < suits * ranks else (True,) if 2 * hand == suits * ranks else ())
    ]
    return FirstAttack(tuple(map(worth, games)))
