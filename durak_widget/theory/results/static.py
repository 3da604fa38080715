"""A rule for the end of a game, checked by playing every position out: who attacks and holds at most one card that can be beaten wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from durak_widget.game.game import Game
from durak_widget.games.solving.solution import solve
from durak_widget.theory.results.result import Result, Row, as_share
from durak_widget.theory.results.shapes import Shapes
from durak_widget.theory.trees.building import build_from
from durak_widget.work.sharing import every_value

if TYPE_CHECKING:
    from collections.abc import Hashable

    from durak_widget.rules.book import Rules
    from durak_widget.theory.results.shapes import Hand


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
            f"{self.exceptions} exceptions in {self.speaks:,} positions; it sees {as_share(self.speaks - self.exceptions, won)} of what is won",
        ]

    def table(self) -> list[Row]:
        """A row for each pair of hands."""
        names = ("positions", "won", "the rule speaks", "exceptions")
        return [
            {"attacker": mine, "defender": theirs, **dict(zip(names, found, strict=True))} for (mine, theirs), found in self.sizes.items()
        ]


def all_but_one(
    *, rules: str = "econ431", cards: int = 5, suits: str = "cdh", ranks: str = "QKA", trump: str = "h", executor: object = None
) -> StaticRule:
    """All positions of at most so many cards in which the attacker is to open, each thought through as a tree, without the solver of endings, which uses the rule.

    It speaks of whoever holds a single card too. Where both may run out together, that is a draw if the other's single card beats it: the solver of endings leaves such positions to its search.

    An `executor` is who works at them, as `work.sharing.share` takes it; what is found is the same.

    >>> found = all_but_one(cards=4, ranks="KA")
    >>> found.speaks, found.exceptions
    (281, 0)
    """
    shapes = Shapes(rules, suits, ranks, trump)
    dealt = [(mine, all_of - mine) for all_of in range(2, cards + 1) for mine in range(1, all_of)]
    first: dict[Hashable, tuple[Hand, Hand]] = {}
    for mine, theirs in dealt:
        for one, other in shapes.splits(mine, theirs):
            first.setdefault(shapes.kind(one, other, None), (one, other))
    won_by = every_value(_won, first.values(), executor=executor, common=(shapes.rules, shapes.trump))
    known: dict[Hashable, bool] = dict(zip(first, won_by, strict=True))
    sizes = {}
    for mine, theirs in dealt:
        positions = won = speaks = wrong = 0
        for one, other in shapes.splits(mine, theirs):
            kind = shapes.kind(one, other, None)
            beaten = sum(any(shapes.beats(card, mine_card) for card in other) for mine_card in one)
            said = beaten <= 1
            positions, won, speaks, wrong = positions + 1, won + known[kind], speaks + said, wrong + (said and not known[kind])
        sizes[mine, theirs] = positions, won, speaks, wrong
    return StaticRule(shapes.told, sizes)


def _won(dealt: tuple[Rules, str | None], hands: tuple[Hand, Hand]) -> bool:
    """Whether who is to open wins, thought through as a tree."""
    rules, trump = dealt
    game = Game.from_position(rules, hands=[" ".join(map(str, hand)) for hand in hands], trump=trump)
    return solve(build_from(game, open_hands=True), "backward").value == 1
