"""Two cards against two: all endings of a deck that are small enough for a blackboard, and how often one card alone wins them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from durak_widget.games.matrices.forms import matrix
from durak_widget.theory.results.plots import panels
from durak_widget.theory.results.result import Result, Row, as_share
from durak_widget.theory.results.shapes import Shapes
from durak_widget.theory.trees.building import build_from

if TYPE_CHECKING:
    from types import ModuleType

    from matplotlib.axes import Axes

    from durak_widget.game.game import Game
    from durak_widget.games.matrices.forms import Matrix
    from durak_widget.theory.results.plots import Drawn, Dress


@dataclass(frozen=True)
class TwoAgainstTwo(Result):
    """What `two_against_two` finds."""

    question: ClassVar[str] = "Two cards against two, nothing left to draw: who wins, and how carefully must one attack?"

    what: str
    """The rules and the deck, in words."""
    positions: int
    kinds: int
    """How many of them differ by more than the names of cards."""
    counts: dict[tuple[int, int, int], int]
    """By the value to the attacker, by how many of its attacks keep that value, and by how many it has: how many positions."""
    example: Game | None
    """A position in which one attack wins and the other does not, small enough for a strategic form."""

    def won(self, value: int = 1) -> Fraction:
        """How many of all positions are worth so much to the attacker."""
        return Fraction(sum(many for (worth, *_), many in self.counts.items() if worth == value), self.positions)

    @property
    def single(self) -> int:
        """In how many positions exactly one attack wins."""
        return sum(many for (worth, best, _), many in self.counts.items() if (worth, best) == (1, 1))

    @property
    def form(self) -> Matrix | None:
        """The strategic form of the example."""
        return None if self.example is None else matrix(build_from(self.example, open_hands=True))

    def said(self) -> list[str]:
        """The answer in sentences."""
        drawn = f", {self.won(0)} are drawn" if self.won(0) else ""
        said = [
            f"{self.positions:,} positions: {self.what}, of {self.kinds:,} kinds",
            f"the attacker wins {self.won()} of them, {float(self.won()):.1%}{drawn}",
            f"exactly one attack wins in {as_share(self.single, self.positions)}",
        ]
        if self.example:
            one, other = map(str, self.example.hands)
            said.append(f"such as {one} against {other}")
        return said

    def table(self) -> list[Row]:
        """How many positions there are of each value, and of each number of attacks that keep it."""
        return [
            {"value to the attacker": value, "attacks": attacks, "that keep it": best, "positions": many}
            for (value, best, attacks), many in sorted(self.counts.items(), reverse=True)
        ]

    def draw(self, plt: ModuleType, ax: Axes | None, dress: Dress) -> Drawn:
        """One bar: of all positions, those won by every attack, won by one, drawn, lost."""
        some = {"any attack wins": 0, "one attack wins": 0, "drawn": 0, "lost": 0}
        for (value, best, attacks), many in self.counts.items():
            some["lost" if value < 0 else "drawn" if not value else "any attack wins" if best == attacks else "one attack wins"] += many
        figure, (panel,) = panels(plt, ax, [1.5])
        left = 0
        colours = (dress.first, dress.second, dress.third, dress.faint)
        for (name, many), colour in zip(some.items(), colours, strict=True):
            if many:
                panel.barh(0, many, left=left, color=colour, label=f"{name}: {many:,}")
                left += many
        panel.set(yticks=[], xlim=(0, left), xlabel="positions")
        panel.xaxis.set_major_formatter("{x:,.0f}")
        panel.spines["left"].set_visible(False)
        (figure if ax is None else ax).legend(loc="outside upper left" if ax is None else "best", ncols=2)
        return figure


def two_against_two(
    *,
    rules: str = "econ431",
    suits: str = "cdhs",
    ranks: str = "9TJQKA",
    trump: str = "h",
    mine: int = 2,
    theirs: int = 2,
    executor: object = None,
) -> TwoAgainstTwo:
    r"""All endings in which the attacker holds two cards and the defender two (or as many as one says), each solved.

    An `executor` is who works at them, as `work.sharing.share` takes it; what is found is the same.

    >>> found = two_against_two(ranks="QKA")
    >>> found.positions, found.won(), found.single
    (2970, Fraction(853, 990), 762)
    >>> print(found.form)
    Player 1 \ Player 2 | beat Qc Qh, beat Kc Qh | beat Qc Qh, take | take, beat Kc Qh | take, take
    attack Qc           | -1                     | -1               | 1                | 1
    attack Kc, throw Qc | 1                      | 1                | 1                | 1
    attack Kc, pass     | -1                     | 1                | -1               | 1
    """
    shapes = Shapes(rules, suits, ranks, trump)
    counts: Counter[tuple[int, int, int]] = Counter()
    example, positions = None, 0
    shapes.solve_all(((one, other, None) for one, other in shapes.splits(mine, theirs)), executor)
    for one, other in shapes.splits(mine, theirs):
        found = shapes.solved(one, other)
        counts[found.value, found.best, len(found.moves)] += 1
        positions += 1
        if example is None and found.value == 1 and found.best == 1 < len(found.moves):
            example = found.game
    return TwoAgainstTwo(shapes.told, positions, shapes.kinds, dict(counts), example)
