"""How every plot looks: by matplotlib, which is imported when it is asked for, in a light and a dark dress that read alike on a phone. What one shows is drawn by its result."""

from __future__ import annotations

from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from durak_widget.games.kit.needed import needing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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


def svg(draw: Callable[[], object]) -> str:
    """What is drawn there, as the text of an SVG file that is the same each time, and light or dark as the page's reader has it."""
    with dressed(LIGHT) as plt:
        draw()
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


def panels(plt: ModuleType, ax: Axes | None, heights: list[float]) -> tuple[Drawn, list[Axes]]:
    """A figure with panels under one another, or the axes that were given in place of all of them."""
    if ax is not None:
        return ax, [ax] * len(heights)
    heights = [max(height, LOW) for height in heights]
    figure, axes = plt.subplots(len(heights), 1, figsize=(WIDE, sum(heights)), height_ratios=heights, layout="constrained", squeeze=False)
    return figure, list(axes[:, 0])
