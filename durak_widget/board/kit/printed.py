"""A picture on paper: PDF and PNG, by matplotlib, with the letters of DejaVu Sans, which it brings: suits, Cyrillic and Lithuanian are among them."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.kit.vector import Vector, Words
from durak_widget.errors import DurakError
from durak_widget.games.kit.needed import needing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from durak_widget.board.kit.vector import Shape

_POINT: Final = 0.75
"""So many points has a pixel."""
_FONT: Final = "DejaVu Sans"
_DENSE: Final = 192
"""So many dots has an inch of a PNG, twice as many as there are pixels."""
_WIDEST: Final = 30_000
"""No PNG has more dots to a side."""
_UNSEEN: Final = re.compile("[\ufe0e\ufe0f]")
_ANCHORS: Final = {"middle": 0.5, "end": 1.0}


def printed(svg: str, path: Path) -> None:
    """Write a picture of ours as a file, whose name ends in .pdf or .png; its words stay words in a PDF."""
    sides = max(float(side) for side in re.findall(r' (?:width|height)="([\d.]+)"', svg[: svg.index(">")])) * _DENSE * _POINT / 72
    if path.suffix.lower() == ".png" and sides > _WIDEST:
        raise DurakError(
            f"as a PNG this picture would be {sides:,.0f} dots to a side, and {_WIDEST:,} are drawn; unfold less of it, or save it as .pdf or .svg"
        )
    with needing():
        import matplotlib as mpl  # noqa: PLC0415 - what is not always there
        from matplotlib.figure import Figure  # noqa: PLC0415 - as this
    picture = Vector(svg)
    size = picture.width * _POINT / 72, picture.height * _POINT / 72
    # Fonts go into a PDF whole, as letters; and the same picture is the same file.
    with mpl.rc_context({"pdf.fonttype": 42, "lines.scale_dashes": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a letter that the font lacks is drawn as an empty box
        figure = Figure(figsize=size)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, picture.width), ylim=(picture.height, 0))
        axes.set_axis_off()
        for place, part in enumerate(picture.parts):
            if isinstance(part, Words):
                _words(axes, part, place)
            else:
                _shape(axes, part, place)
        if path.suffix.lower() == ".pdf":
            figure.savefig(path, format="pdf", metadata={"CreationDate": None})
        else:
            figure.savefig(path, format="png", dpi=_DENSE)


def _shape(axes: Any, shape: Shape, place: int) -> None:  # noqa: ANN401 - of matplotlib, which need not be there
    """A way, filled and stroked as it says."""
    from matplotlib.patches import PathPatch  # noqa: PLC0415 - as above
    from matplotlib.path import Path as Way  # noqa: PLC0415 - as above

    kinds = {"M": [Way.MOVETO], "L": [Way.LINETO], "Q": [Way.CURVE3] * 2, "C": [Way.CURVE4] * 3, "Z": [Way.CLOSEPOLY]}
    codes = [code for kind, _ in shape.way for code in kinds[kind]]
    points = [point for kind, points in shape.way for point in (points or ((0.0, 0.0),))]
    if not codes:
        return
    look, alpha = shape.look, shape.opacity
    wide = float(look.get("stroke-width", 1)) * shape.scale * _POINT
    dashes = [float(one) * shape.scale * _POINT for one in re.findall(r"[\d.]+", look.get("stroke-dasharray", ""))]
    fill, stroke = look.get("fill", "black"), look.get("stroke", "none")
    round_ = "round" if look.get("stroke-linecap") == "round" and not dashes else "butt"
    patch = PathPatch(
        Way(points, codes),
        facecolor=_color(fill, alpha),
        edgecolor=_color(stroke, alpha * float(look.get("stroke-opacity", 1))),
        linewidth=wide if stroke != "none" else 0,
        linestyle=(0, dashes) if dashes else "solid",
        capstyle=round_,
        joinstyle="round",
        zorder=place,
    )
    axes.add_patch(patch)


def _words(axes: Any, words: Words, place: int) -> None:  # noqa: ANN401 - as above
    """A text: its runs one behind the other, each with its line below where it has one, and a halo where that is asked for."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415 - as above
    from matplotlib.patheffects import Stroke  # noqa: PLC0415 - as above
    from matplotlib.textpath import TextToPath  # noqa: PLC0415 - as above

    runs = []
    for text, look in words.runs:
        said = _UNSEEN.sub("", text)
        size = float(str(look.get("font-size", "16")).removesuffix("px")) * words.scale
        font = FontProperties(family=_FONT, size=size * _POINT, weight="bold" if _weight(look) >= 600 else "normal")
        wide = TextToPath().get_text_width_height_descent(said, font, ismath=False)[0] / _POINT
        runs.append((said, look, font, size, wide))
    x = words.x - sum(run[-1] for run in runs) * _ANCHORS.get(words.runs[0][1].get("text-anchor", "") if words.runs else "", 0)
    for said, look, font, size, wide in runs:
        color = _color(look.get("fill", "black"), words.opacity)
        facts: dict[str, Any] = {"fontproperties": font, "va": "baseline", "ha": "left", "parse_math": False}
        if look.get("paint-order") == "stroke":
            halo = Stroke(
                linewidth=float(str(look.get("stroke-width", "4")).removesuffix("px")) * _POINT, foreground=look.get("stroke", "white")
            )
            axes.text(x, words.y, said, **facts, path_effects=[halo], zorder=place)
        axes.text(x, words.y, said, **facts, color=color, zorder=place)
        if look.get("text-decoration") == "underline":
            axes.plot(
                [x, x + wide], [words.y + size * 0.12] * 2, color=color, linewidth=size / 14 * _POINT, zorder=place, solid_capstyle="butt"
            )
        x += wide


def _weight(look: Mapping[str, str]) -> int:
    said = look.get("font-weight", "400")
    return int(said) if said.isdigit() else 700 if said == "bold" else 400


def _color(said: str, alpha: float) -> Any:  # noqa: ANN401 - a colour as matplotlib has it
    return "none" if said == "none" else (said, alpha)
