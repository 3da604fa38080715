"""What is it worth to see the other's hand? The same game with hidden hands and with open ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from durak_widget.theory.results.miniature import Miniature, Worth, deck_and_hand, proved_worths, sizes
from durak_widget.theory.results.plots import panels
from durak_widget.theory.results.result import Result, Row, as_share

if TYPE_CHECKING:
    from fractions import Fraction
    from types import ModuleType

    from matplotlib.axes import Axes

    from durak_widget.theory.results.plots import Drawn, Dress


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
        return [f"open hands help who attacks first in {as_share(first, many)}, who defends first in {as_share(second, many)}"]

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

    def draw(self, plt: ModuleType, ax: Axes | None, dress: Dress) -> Drawn:
        """What open hands bring who attacks first: a bar for each game in which they bring anything."""
        told = [(pair, gain) for pair, gain in zip(self.pairs, self.gains, strict=True) if gain]
        figure, (panel,) = panels(plt, ax, [0.27 * len(told) + 0.9])
        names = []
        for place, ((hidden, _), gain) in enumerate(told):
            game = hidden.miniature
            names.append(f"{game.preset}, {deck_and_hand(game)}, {'no trumps' if game.trump == 'none' else 'trumps'}")
            panel.barh(place, float(gain), color=dress.first if gain > 0 else dress.second, height=0.62)
            label = str(gain).replace("-", "−")
            panel.annotate(
                label,
                (float(gain), place),
                (3 if gain > 0 else -3, 0),
                textcoords="offset points",
                va="center",
                ha="left" if gain > 0 else "right",
            )
        panel.axvline(0, color=dress.ink, linewidth=0.8)
        panel.set(yticks=range(len(names)), yticklabels=names, xlabel="what open hands bring who attacks first")
        panel.locator_params(axis="x", nbins=4)
        panel.invert_yaxis()
        panel.margins(x=0.3)
        return figure


def seeing(
    *,
    rules: str = "econ431 podkidnoy",
    decks: str = "2x2 2x3 3x2",
    hands: str = "1 2 3",
    trumps: str = "c none",
    executor: object = None,
) -> Seeing:
    """The value of each game to who attacks first, with hidden hands and with open ones; what is not dealt is drawn, and unseen in both.

    An `executor` is who works at them, as `work.sharing.share` takes it; what is found is the same.

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
    found = proved_worths(games, open_too=True, executor=executor)
    return Seeing(tuple(zip(found[::2], found[1::2], strict=True)))
