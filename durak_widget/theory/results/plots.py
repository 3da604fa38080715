"""The plots: drawn by matplotlib, which is imported only here, in a light and a dark dress that read alike on a phone."""

from __future__ import annotations

from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from durak_widget.games.trees.needed import needing
from durak_widget.theory.results.attack import FirstAttack
from durak_widget.theory.results.pairs import TwoAgainstTwo
from durak_widget.theory.results.remembers import Contest
from durak_widget.theory.results.sees import Seeing
from durak_widget.theory.results.takes import Taking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from durak_widget.theory.results.miniature import Miniature
    from durak_widget.theory.results.result import Result

Drawn: TypeAlias = "Figure | Axes"
"""What was drawn on: a figure of its own, or the axes that were given."""


class Dress(NamedTuple):
    """The colours of a plot."""

    ground: str
    ink: str
    faint: str
    first: str
    second: str
    third: str


LIGHT: Final = Dress("#ffffff", "#1f2a26", "#c9d2cd", "#1d6f52", "#b4561a", "#3c5fa8")
DARK: Final = Dress("#131916", "#e4ebe7", "#3d4a44", "#6fcfa6", "#f0a366", "#93b1f0")
WIDE: Final = 5.0
"""Inches: 360 points, so that the letters keep their size on a phone."""
LOW: Final = 1.7
"""Inches that a panel has at least."""


@contextmanager
def dressed(dress: Dress) -> Iterator[ModuleType]:
    """Matplotlib's pyplot with these colours, letters as text, and files that are the same each time."""
    with needing():
        import matplotlib as mpl  # noqa: PLC0415 - what is not always there
        from matplotlib import pyplot as plt  # noqa: PLC0415 - as this
    settings = {
        "svg.fonttype": "none",
        "svg.hashsalt": "durak",
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
        "font.size": 9,
        "text.color": dress.ink,
        "axes.labelcolor": dress.ink,
        "axes.edgecolor": dress.faint,
        "axes.facecolor": dress.ground,
        "figure.facecolor": dress.ground,
        "savefig.facecolor": dress.ground,
        "xtick.color": dress.ink,
        "ytick.color": dress.ink,
        "grid.color": dress.faint,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 10,
        "axes.titlelocation": "left",
        "axes.titleweight": "bold",
        "legend.frameon": False,
        "legend.fontsize": 8.5,
    }
    with mpl.rc_context(settings):
        yield plt


def draw(result: Result, ax: Axes | None = None, dress: Dress = LIGHT) -> Drawn:
    """A result drawn into these axes (one panel), or into a figure of its own; what was drawn on is returned."""
    way = way_of(type(result))
    if way is None:
        raise TypeError(f"a {type(result).__name__} has no plot; those of {', '.join(kind.__name__ for kind in _WAYS)} have one")
    with dressed(dress) as plt:
        return way(result, plt, ax, dress)


def way_of(kind: type[Result]) -> Callable[..., Drawn] | None:
    """How results of a kind are drawn; None where they are not."""
    return next((way for drawn, way in _WAYS.items() if issubclass(kind, drawn)), None)


def svg(result: Result) -> str:
    """A result drawn, as the text of an SVG file that is the same each time, and light or dark as the page's reader has it."""
    with dressed(LIGHT) as plt:
        draw(result)
        figure, file = plt.gcf(), StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight", pad_inches=0.08)
        plt.close(figure)
    drawn = "\n".join(line.rstrip() for line in file.getvalue().splitlines())
    ways = [
        f'[style*="{what}: {light}"]{{{what}:{dark}!important}}'
        for light, dark in zip(LIGHT, DARK, strict=True)
        for what in ("fill", "stroke")
    ]
    dark = f"<style>@media (prefers-color-scheme:dark){{{''.join(ways)}}}</style>"
    return drawn.replace(" <defs>", f" {dark}\n <defs>", 1) + "\n"


def _panels(plt: ModuleType, ax: Axes | None, heights: list[float]) -> tuple[Drawn, list[Axes]]:
    """A figure with panels under one another, or the axes that were given in place of all of them."""
    if ax is not None:
        return ax, [ax] * len(heights)
    heights = [max(height, LOW) for height in heights]
    figure, axes = plt.subplots(len(heights), 1, figsize=(WIDE, sum(heights)), height_ratios=heights, layout="constrained", squeeze=False)
    return figure, list(axes[:, 0])


def _named(game: Miniature) -> str:
    """A deck and a hand, short enough for the left edge of a phone."""
    return f"{game.deck}, {game.hand} each"


def _attack(result: FirstAttack, plt: ModuleType, ax: Axes | None, dress: Dress) -> Drawn:
    """A panel for each rule set: what the games are worth, by deck and hand; filled where the rest is drawn, hollow where it is not."""
    presets = list(dict.fromkeys(one.miniature.preset for one in result.worths))
    names = list(dict.fromkeys(_named(one.miniature) for one in result.worths))
    figure, axes = _panels(plt, ax, [0.26 * len(names) + 0.8] * len(presets))
    for panel, preset in zip(axes, presets, strict=True):
        panel.axvline(0, color=dress.ink, linewidth=0.8)
        for one in (one for one in result.worths if one.miniature.preset == preset):
            game = one.miniature
            plain = game.trump == "none"
            colour, shift = (dress.second, 0.14) if plain else (dress.first, -0.14)
            drawn = game.rest == "drawn"
            panel.plot(
                float(one.value), names.index(_named(game)) + shift, marker="o" if drawn else "s" if game.rest == "none" else "D",
                color=colour, markerfacecolor=colour if drawn else dress.ground, markersize=6 if drawn else 5, linestyle="",
            )  # fmt: skip
        panel.set(yticks=range(len(names)), yticklabels=names, xlim=(-1.05, 1.05), ylim=(len(names) - 0.5, -0.5), title=preset)
        panel.set_xticks([-1, -0.5, 0, 0.5, 1], ["−1", "−½", "0", "½", "1"])
        panel.grid(axis="y", linewidth=0.5)
        panel.set_axisbelow(True)
    axes[-1].set_xlabel("value to who attacks first")
    marks = [
        plt.Line2D([], [], marker="o", color=dress.ink, linestyle="", label="the rest is drawn"),
        plt.Line2D([], [], marker="D", color=dress.ink, markerfacecolor=dress.ground, markersize=5, linestyle="", label="it lies aside"),
        plt.Line2D([], [], marker="s", color=dress.ink, markerfacecolor=dress.ground, markersize=5, linestyle="", label="there is none"),
        plt.Line2D([], [], color=dress.first, linewidth=4, label="clubs are trumps"),
        plt.Line2D([], [], color=dress.second, linewidth=4, label="no trumps"),
    ]
    (figure if ax is None else ax).legend(handles=marks, loc="outside upper left" if ax is None else "best", ncols=2)
    return figure


def _seeing(result: Seeing, plt: ModuleType, ax: Axes | None, dress: Dress) -> Drawn:
    """What open hands bring who attacks first: a bar for each game in which they bring anything."""
    told = [(pair, gain) for pair, gain in zip(result.pairs, result.gains, strict=True) if gain]
    figure, (panel,) = _panels(plt, ax, [0.27 * len(told) + 0.9])
    names = []
    for place, ((hidden, _), gain) in enumerate(told):
        game = hidden.miniature
        names.append(f"{game.preset}, {_named(game)}, {'no trumps' if game.trump == 'none' else 'trumps'}")
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


def _contest(result: Contest, plt: ModuleType, ax: Axes | None, dress: Dress) -> Drawn:
    """What a best response wins from each player."""
    figure, (panel,) = _panels(plt, ax, [0.34 * len(result.players) + 0.8])
    names = list(result.players)
    for place, name in enumerate(names):
        lost = result.exploitable[name]
        panel.barh(place, float(lost), color=dress.second, height=0.6)
        label = str(lost) if len(str(lost)) < 8 else f"{float(lost):.3f}"
        panel.annotate(label, (float(lost), place), (4, 0), textcoords="offset points", va="center")
    panel.set(yticks=range(len(names)), yticklabels=names, xlabel="lost to a best response, a game")
    panel.invert_yaxis()
    panel.margins(x=0.12)
    return figure


def _taking(result: Taking, plt: ModuleType, ax: Axes | None, dress: Dress) -> Drawn:
    """By how many cards each holds: how often taking is better, as good, worse."""
    rows = result.table()
    figure, (panel,) = _panels(plt, ax, [0.36 * len(rows) + 1.1])
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


def _pairs(result: TwoAgainstTwo, plt: ModuleType, ax: Axes | None, dress: Dress) -> Drawn:
    """One bar: of all positions, those won by every attack, won by one, drawn, lost."""
    some = {"any attack wins": 0, "one attack wins": 0, "drawn": 0, "lost": 0}
    for (value, best, attacks), many in result.counts.items():
        some["lost" if value < 0 else "drawn" if not value else "any attack wins" if best == attacks else "one attack wins"] += many
    figure, (panel,) = _panels(plt, ax, [1.5])
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


_WAYS: Final[dict[type[Result], Callable[..., Drawn]]] = {
    FirstAttack: _attack,
    Seeing: _seeing,
    Contest: _contest,
    Taking: _taking,
    TwoAgainstTwo: _pairs,
}
"""How each kind of result is drawn."""
