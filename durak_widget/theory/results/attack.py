"""Is attacking first an advantage? What trumps, the size of a hand and a talon do to it, in games small enough to be solved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from durak_widget.theory.results.miniature import Miniature, Worth, deck_and_hand, proved_worths, sizes
from durak_widget.theory.results.plots import panels
from durak_widget.theory.results.result import Result, Row, as_share

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from types import ModuleType

    from matplotlib.axes import Axes

    from durak_widget.theory.results.plots import Drawn, Dress


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
        said = [f"in {as_share(good, many)} who attacks first is favoured, in {as_share(bad, many)} who defends"]
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

    def draw(self, plt: ModuleType, ax: Axes | None, dress: Dress) -> Drawn:
        """A panel for each rule set: what the games are worth, by deck and hand; filled where the rest is drawn, hollow where it is not."""
        presets = list(dict.fromkeys(one.miniature.preset for one in self.worths))
        names = list(dict.fromkeys(deck_and_hand(one.miniature) for one in self.worths))
        figure, axes = panels(plt, ax, [0.26 * len(names) + 0.8] * len(presets))
        for panel, preset in zip(axes, presets, strict=True):
            panel.axvline(0, color=dress.ink, linewidth=0.8)
            for one in (one for one in self.worths if one.miniature.preset == preset):
                game = one.miniature
                plain = game.trump == "none"
                colour, shift = (dress.second, 0.14) if plain else (dress.first, -0.14)
                drawn = game.rest == "drawn"
                panel.plot(
                    float(one.value), names.index(deck_and_hand(game)) + shift, marker="o" if drawn else "s" if game.rest == "none" else "D",
                    color=colour, markerfacecolor=colour if drawn else dress.ground, markersize=6 if drawn else 5, linestyle="",
                )  # fmt: skip
            panel.set(yticks=range(len(names)), yticklabels=names, xlim=(-1.05, 1.05), ylim=(len(names) - 0.5, -0.5), title=preset)
            panel.set_xticks([-1, -0.5, 0, 0.5, 1], ["−1", "−½", "0", "½", "1"])
            panel.grid(axis="y", linewidth=0.5)
            panel.set_axisbelow(True)
        axes[-1].set_xlabel("value to who attacks first")
        marks = [
            plt.Line2D([], [], marker="o", color=dress.ink, linestyle="", label="the rest is drawn"),
            plt.Line2D(
                [], [], marker="D", color=dress.ink, markerfacecolor=dress.ground, markersize=5, linestyle="", label="it lies aside"
            ),
            plt.Line2D(
                [], [], marker="s", color=dress.ink, markerfacecolor=dress.ground, markersize=5, linestyle="", label="there is none"
            ),
            plt.Line2D([], [], color=dress.first, linewidth=4, label="clubs are trumps"),
            plt.Line2D([], [], color=dress.second, linewidth=4, label="no trumps"),
        ]
        (figure if ax is None else ax).legend(handles=marks, loc="outside upper left" if ax is None else "best", ncols=2)
        return figure


def with_talon(game: Miniature) -> Miniature:
    """A miniature in which what is not dealt is drawn."""
    return game._replace(talon=True)


def with_trumps(game: Miniature) -> Miniature:
    """A miniature with clubs for trumps."""
    return game._replace(trump="c")


def first_attack(
    *,
    rules: str = "econ431 podkidnoy",
    decks: str = "2x2 2x3 3x2",
    hands: str = "1 2 3",
    trumps: str = "c none",
    executor: object = None,
) -> FirstAttack:
    """What attacking first is worth: each rule set, deck (suits x ranks) and hand, with trumps and without, what is not dealt drawn or laid aside.

    An `executor` is who works at them, as `work.sharing.share` takes it; what is found is the same.

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
    return FirstAttack(proved_worths(games, executor=executor))
