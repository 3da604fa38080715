"""Draws the plots in docs/results.md with matplotlib, from the rows of results."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
from matplotlib import pyplot as plt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAPER, INK, FAINT, GREEN, ORANGE, BLUE = "#ffffff", "#1f2a26", "#c9d2cd", "#1d6f52", "#b4561a", "#3c5fa8"
DARK: Final = {PAPER: "#131916", INK: "#e4ebe7", FAINT: "#3d4a44", GREEN: "#6fcfa6", ORANGE: "#f0a366", BLUE: "#93b1f0"}
"""The colours for dark mode, by the colours for light mode."""
SETTINGS: Final = {
    "svg.fonttype": "none",
    "svg.hashsalt": "durak",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.facecolor": PAPER,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "legend.frameon": False,
    "legend.fontsize": 8.5,
}
Row = dict[str, Any]


def svg(name: str, rows: Sequence[Row]) -> str:
    """Draw the plot of a result as SVG for light and dark mode, with the same text each time."""
    with mpl.rc_context(SETTINGS):
        figure, file = PLOTS[name](rows), StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight", pad_inches=0.08)
        plt.close(figure)
    drawn = "\n".join(line.rstrip() for line in file.getvalue().splitlines())
    dark = [f'[style*="{what}: {light}"]{{{what}:{dark}!important}}' for light, dark in DARK.items() for what in ("fill", "stroke")]
    style = f"<style>@media (prefers-color-scheme:dark){{{''.join(dark)}}}</style>"
    return drawn.replace(" <defs>", f" {style}\n <defs>", 1) + "\n"


def _panels(*heights: float) -> tuple[Figure, list[Axes]]:
    """Create a figure with panels below each other.

    It is 5 inches wide, so that letters keep their size on a phone.
    """
    inches = [max(height, 1.7) for height in heights]
    figure, axes = plt.subplots(len(inches), 1, figsize=(5, sum(inches)), height_ratios=inches, layout="constrained", squeeze=False)
    return figure, list(axes[:, 0])


def first_attack(rows: Sequence[Row]) -> Figure:
    """Draw the values of all games by deck and hand size, with a panel for each preset."""
    presets = list(dict.fromkeys(row["rules"] for row in rows))
    names = list(dict.fromkeys(f"{row['suits × ranks']}, {row['hand']} each" for row in rows))
    figure, axes = _panels(*[0.26 * len(names) + 0.8] * len(presets))
    markers = {"drawn": ("o", 6), "none": ("s", 5), "aside": ("D", 5)}
    for panel, preset in zip(axes, presets, strict=True):
        panel.axvline(0, color=INK, linewidth=0.8)
        for row in (row for row in rows if row["rules"] == preset):
            colour, shift = (ORANGE, 0.14) if row["trump"] == "none" else (GREEN, -0.14)
            marker, size = markers[row["the rest"]]
            panel.plot(
                float(row["value"]),
                names.index(f"{row['suits × ranks']}, {row['hand']} each") + shift,
                marker=marker,
                color=colour,
                markerfacecolor=colour if marker == "o" else PAPER,
                markersize=size,
                linestyle="",
            )
        panel.set(yticks=range(len(names)), yticklabels=names, xlim=(-1.05, 1.05), ylim=(len(names) - 0.5, -0.5), title=preset)
        panel.set_xticks([-1, -0.5, 0, 0.5, 1], ["−1", "−½", "0", "½", "1"])
        panel.grid(axis="y", linewidth=0.5)
        panel.set_axisbelow(True)
    axes[-1].set_xlabel("value to who attacks first")
    hollow = {"color": INK, "markerfacecolor": PAPER, "markersize": 5, "linestyle": ""}
    marks = [
        plt.Line2D([], [], marker="o", color=INK, linestyle="", label="the rest is drawn"),
        plt.Line2D([], [], marker="D", label="it lies aside", **hollow),
        plt.Line2D([], [], marker="s", label="there is none", **hollow),
        plt.Line2D([], [], color=GREEN, linewidth=4, label="clubs are trumps"),
        plt.Line2D([], [], color=ORANGE, linewidth=4, label="no trumps"),
    ]
    figure.legend(handles=marks, loc="outside upper left", ncols=2)
    return figure


def seeing(rows: Sequence[Row]) -> Figure:
    """Draw a bar for each game in which open hands change the value."""
    changed = [row for row in rows if row["seeing is worth"]]
    figure, [panel] = _panels(0.27 * len(changed) + 0.9)
    names = []
    for place, row in enumerate(changed):
        gain: Fraction = row["seeing is worth"]
        names.append(f"{row['rules']}, {row['suits × ranks']}, {row['hand']} each, {'no trumps' if row['trump'] == 'none' else 'trumps'}")
        panel.barh(place, float(gain), color=GREEN if gain > 0 else ORANGE, height=0.62)
        side, offset = ("left", 3) if gain > 0 else ("right", -3)
        panel.annotate(str(gain).replace("-", "−"), (float(gain), place), (offset, 0), textcoords="offset points", va="center", ha=side)
    panel.axvline(0, color=INK, linewidth=0.8)
    panel.set(yticks=range(len(names)), yticklabels=names, xlabel="what open hands bring who attacks first")
    panel.locator_params(axis="x", nbins=4)
    panel.invert_yaxis()
    panel.margins(x=0.3)
    return figure


def exploitability(rows: Sequence[Row]) -> Figure:
    """Draw how much a best response wins from each player."""
    figure, [panel] = _panels(0.34 * len(rows) + 0.8)
    for place, row in enumerate(rows):
        lost = row["exploitability"]
        panel.barh(place, float(lost), color=ORANGE, height=0.6)
        label = str(lost) if len(str(lost)) < 8 else f"{float(lost):.3f}"
        panel.annotate(label, (float(lost), place), (4, 0), textcoords="offset points", va="center")
    panel.set(yticks=range(len(rows)), yticklabels=[row["player"] for row in rows], xlabel="lost to a best response, a game")
    panel.invert_yaxis()
    panel.margins(x=0.12)
    return figure


def taking(rows: Sequence[Row]) -> Figure:
    """Draw how often taking is better, equal or worse, by the numbers of cards in both hands."""
    figure, [panel] = _panels(0.36 * len(rows) + 1.1)
    parts = (("taking is better", "better", ORANGE), ("as good", "as good", BLUE), ("worse", "worse", FAINT))
    for place, row in enumerate(rows):
        left = 0.0
        for key, name, colour in parts:
            width = 100 * row[key] / row["could beat"]
            panel.barh(place, width, left=left, color=colour, height=0.62, label=None if place else name)
            left += width
    names = [f"{row['attacker']} against {row['defender']}" for row in rows]
    panel.set(yticks=range(len(rows)), yticklabels=names, xlabel="per cent of the positions in which one could beat", xlim=(0, 100))
    panel.invert_yaxis()
    figure.legend(loc="outside upper left", ncols=3, title="to take is", alignment="left")
    return figure


def two_against_two(rows: Sequence[Row]) -> Figure:
    """Draw how many positions are won by every attack, won by one attack, tied, or lost."""
    counts = {"any attack wins": 0, "one attack wins": 0, "tied": 0, "lost": 0}
    for row in rows:
        value, all_keep_it = row["value to the attacker"], row["that keep it"] == row["attacks"]
        won = "any attack wins" if all_keep_it else "one attack wins"
        counts["lost" if value < 0 else "tied" if value == 0 else won] += row["positions"]
    figure, [panel] = _panels(1.5)
    left = 0
    for (name, count), colour in zip(counts.items(), (GREEN, ORANGE, BLUE, FAINT), strict=True):
        if count:
            panel.barh(0, count, left=left, color=colour, label=f"{name}: {count:,}")
            left += count
    panel.set(yticks=[], xlim=(0, left), xlabel="positions")
    panel.xaxis.set_major_formatter("{x:,.0f}")
    panel.spines["left"].set_visible(False)
    figure.legend(loc="outside upper left", ncols=2)
    return figure


PLOTS: Final[dict[str, Callable[[Sequence[Row]], Figure]]] = {
    "first_attack": first_attack,
    "taking": taking,
    "memory": exploitability,
    "naive": exploitability,
    "seeing": seeing,
    "two_against_two": two_against_two,
}
"""The function that draws the plot of each result that has one."""
