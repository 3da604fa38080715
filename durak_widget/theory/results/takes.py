"""When to take though one could beat: every position of a few cards in which a card waits to be beaten, solved."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from durak_widget.theory.endings import endgame
from durak_widget.theory.results.plots import panels
from durak_widget.theory.results.result import Result, Row, as_share
from durak_widget.theory.results.shapes import Shapes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from matplotlib.axes import Axes

    from durak_widget.cards import Card
    from durak_widget.game.game import Game
    from durak_widget.theory.results.plots import Drawn, Dress
    from durak_widget.theory.results.shapes import Hand


class Waits(NamedTuple):
    """A card on the table that the defender could beat."""

    attacker: Hand
    """What the attacker still holds."""
    attack: Card
    defender: Hand
    take: int
    """What it is worth to the defender to take: 1 it wins, 0 a draw, -1 it loses."""
    beat: int
    """What the best way to beat it is worth."""

    def __str__(self) -> str:
        held, holds = (" ".join(map(str, hand)) for hand in (self.attacker, self.defender))
        return f"{self.attack} attacks, {held or 'nothing'} is left behind it, against {holds}"


@dataclass(frozen=True)
class Taking(Result):
    """What `taking` finds."""

    question: ClassVar[str] = "Nothing left to draw, and you could beat the card: is it ever better to take it?"

    what: str
    """The rules and the deck, in words."""
    cards: int
    """How many cards are in play."""
    waits: tuple[Waits, ...]
    """All positions in which a single card waits and the defender could beat it."""
    ranks: int
    """How many ranks the deck has."""
    trump: str
    example: Game | None
    """The first in which taking is strictly better."""

    @property
    def better(self) -> tuple[Waits, ...]:
        """Deals in which taking is strictly better than every way to beat."""
        return tuple([one for one in self.waits if one.take > one.beat])

    @property
    def of_each_kind(self) -> tuple[int, int]:
        """How many deals of decks in which every rank occurs, and in how many taking is better; of decks that differ only by an exchange of plain suits one each."""
        decks: dict[tuple[Card, ...], bool] = {}
        seen: set[frozenset[str]] = set()
        for one in self.waits:
            deck = tuple(sorted((*one.attacker, one.attack, *one.defender)))
            if deck not in decks:
                new = len({card.rank for card in deck}) == self.ranks and frozenset(map(str, deck)) not in seen
                decks[deck] = new
                if new:
                    seen |= _renamed(deck, self.trump)
        mine = [one for one in self.waits if decks[tuple(sorted((*one.attacker, one.attack, *one.defender)))]]
        return len(mine), sum(one.take > one.beat for one in mine)

    def said(self) -> list[str]:
        """The answer in sentences."""
        said = [f"{self.cards} cards in play: {self.what}", f"taking is strictly better in {as_share(len(self.better), len(self.waits))}"]
        if self.example:
            kinds, better = self.of_each_kind
            said.append(f"one deck of each kind in which every rank occurs: {as_share(better, kinds)}")
            said.append(f"such as: {self.better[0]}; taken, it goes on {', '.join(map(str, endgame.solve(self.example).line[1:]))}")
        return said

    def table(self) -> list[Row]:
        """By how many cards the defender holds, and what the attacker still does."""
        rows: list[Row] = []
        for sizes in sorted({(len(one.attacker) + 1, len(one.defender)) for one in self.waits}):
            here = [one for one in self.waits if (len(one.attacker) + 1, len(one.defender)) == sizes]
            rows.append(
                {
                    "attacker": sizes[0],
                    "defender": sizes[1],
                    "could beat": len(here),
                    "taking is better": sum(one.take > one.beat for one in here),
                    "as good": sum(one.take == one.beat for one in here),
                    "worse": sum(one.take < one.beat for one in here),
                }
            )
        return rows

    def draw(self, plt: ModuleType, ax: Axes | None, dress: Dress) -> Drawn:
        """By how many cards each holds: how often taking is better, as good, worse."""
        rows = self.table()
        figure, (panel,) = panels(plt, ax, [0.36 * len(rows) + 1.1])
        parts = (("taking is better", "better", dress.second), ("as good", "as good", dress.third), ("worse", "worse", dress.faint))
        for place, row in enumerate(rows):
            left, whole = 0.0, int(str(row["could beat"]))
            for key, name, colour in parts:
                wide = 100 * int(str(row[key])) / whole
                panel.barh(place, wide, left=left, color=colour, height=0.62, label=name if not place else None)
                left += wide
        names = [f"{row['attacker']} against {row['defender']}" for row in rows]
        panel.set(yticks=range(len(rows)), yticklabels=names, xlabel="per cent of the positions in which one could beat", xlim=(0, 100))
        panel.invert_yaxis()
        figure_or_axes = figure if ax is None else ax
        figure_or_axes.legend(loc="outside upper left" if ax is None else "best", ncols=3, title="to take is", alignment="left")
        return figure


def taking(
    *, rules: str = "econ431", cards: int = 5, suits: str = "cdh", ranks: str = "QKA", trump: str = "h", executor: object = None
) -> Taking:
    """All positions of so many cards in which one card waits, the defender could beat it, and nothing is left to draw.

    An `executor` is who works at them, as `work.sharing.share` takes it; what is found is the same.

    >>> found = taking(cards=4)
    >>> len(found.waits), len(found.better)
    (1467, 0)
    >>> found = taking(cards=5)
    >>> len(found.waits), len(found.better), found.of_each_kind
    (5010, 234, (2265, 114))
    >>> print(found.better[0])
    Ac attacks, Qc Kc is left behind it, against Qd Qh
    """
    shapes = Shapes(rules, suits, ranks, trump)
    waits: list[Waits] = []
    example = None
    shapes.solve_all(_all_waiting(shapes, cards), executor)
    for rest, defender, attack in _all_waiting(shapes, cards):
        found = shapes.waiting(rest, defender, attack)
        beats = [value for move, value in found.moves.items() if move.startswith("beat")] if found else []
        if found and beats:
            waits.append(Waits(rest, attack, defender, found.moves["take"], max(beats)))
            if example is None and found.moves["take"] > max(beats):
                example = found.game
    return Taking(shapes.told, cards, tuple(waits), len(ranks), trump, example)


def _all_waiting(shapes: Shapes, cards: int) -> Iterator[tuple[Hand, Hand, Card]]:
    """What is left to the attacker, what the defender holds, and the card that waits, in every way that so many cards can be dealt."""
    for mine in range(1, cards):
        for hand, defender in shapes.splits(mine, cards - mine):
            for attack in hand:
                yield tuple([card for card in hand if card is not attack]), defender, attack


def _renamed(deck: tuple[Card, ...], trump: str) -> set[frozenset[str]]:
    """A deck with its plain suits exchanged in every way."""
    plain = sorted({card.suit for card in deck if card.suit} - {trump})
    ways = (dict(zip(plain, names, strict=True)) for names in permutations("".join(suit for suit in "cdhs" if suit != trump), len(plain)))
    return {frozenset(card.rank + way.get(card.suit or "", card.suit or "") for card in deck) for way in ways}
