"""A rule for the end of a game, checked by playing every position out: who attacks and holds at most one card that can be beaten wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from durak_widget.game.game import Game
from durak_widget.games.solving.solution import solve
from durak_widget.theory.results.result import Result, Row, share
from durak_widget.theory.results.shapes import Shapes
from durak_widget.theory.trees.building import build_from

if TYPE_CHECKING:
    from collections.abc import Hashable


@dataclass(frozen=True)
class StaticRule(Result):
    """What `all_but_one` finds."""

    question: ClassVar[str] = "All but one of my cards cannot be beaten, and nothing is left to draw: do I win?"

    what: str
    """The rules and the deck, in words."""
    sizes: dict[tuple[int, int], tuple[int, int, int, int]]
    """By how many cards attacker and defender hold: positions, those won, those of which the rule speaks, and its exceptions."""

    @property
    def speaks(self) -> int:
        """Of how many positions the rule speaks."""
        return sum(speaks for _, _, speaks, _ in self.sizes.values())

    @property
    def exceptions(self) -> int:
        """How many of them are not won."""
        return sum(wrong for *_, wrong in self.sizes.values())

    def said(self) -> list[str]:
        """The answer in sentences."""
        won = sum(won for _, won, _, _ in self.sizes.values())
        return [
            self.what,
            f"{self.exceptions} exceptions in {self.speaks:,} positions; it sees {share(self.speaks - self.exceptions, won)} of what is won",
        ]

    def table(self) -> list[Row]:
        """A row for each pair of hands."""
        names = ("positions", "won", "the rule speaks", "exceptions")
        return [
            {"attacker": mine, "defender": theirs, **dict(zip(names, found, strict=True))} for (mine, theirs), found in self.sizes.items()
        ]


def all_but_one(*, rules: str = "econ431", cards: int = 5, suits: str = "cdh", ranks: str = "QKA", trump: str = "h") -> StaticRule:
    """All positions of at most so many cards in which the attacker is to open, each thought through as a tree, without the solver of endings, which uses the rule.

    It speaks of whoever holds a single card too. Where both may run out together, that is a draw if the other's single card beats it: the solver of endings leaves such positions to its search.

    >>> found = all_but_one(cards=4, ranks="KA")
    >>> found.speaks, found.exceptions
    (281, 0)
    """
    shapes = Shapes(rules, suits, ranks, trump)
    known: dict[Hashable, bool] = {}
    sizes = {}
    for mine, theirs in ((mine, all_of - mine) for all_of in range(2, cards + 1) for mine in range(1, all_of)):
        positions = won = speaks = wrong = 0
        for one, other in shapes.splits(mine, theirs):
            kind = shapes.kind(one, other, None)
            if kind not in known:
                hands = [" ".join(map(str, hand)) for hand in (one, other)]
                game = Game.from_position(shapes.rules, hands=hands, trump=shapes.trump)
                known[kind] = solve(build_from(game, open_hands=True), "backward").value == 1
            beaten = sum(any(shapes.beats(card, mine_card) for card in other) for mine_card in one)
            said = beaten <= 1
            positions, won, speaks, wrong = positions + 1, won + known[kind], speaks + said, wrong + (said and not known[kind])
        sizes[mine, theirs] = positions, won, speaks, wrong
    return StaticRule(shapes.told, sizes)
