"""Where things lie on the picture of a table, in which colours, and the strokes that it is painted with: boxes, words, empty places, piles."""

from __future__ import annotations

from html import escape
from typing import Final, NamedTuple

from durak_widget.engine.card_svg import PAPER, RATIO, CardSheet, n

WIDTH, HEIGHT, MARGIN = 960, 524, 24
PLATE_WIDEST, PLATE_HEIGHT = 256, 72
PILE = 72
"""The width of the cards of the talon and of the discard pile."""
PILES_TOP: Final = 116
DISCARD_LEFT: Final = WIDTH - MARGIN - PILE - 4
CAPTIONS: Final = 280
"""Where the words below the piles and the table stand."""


class Area(NamedTuple):
    """A box on the picture."""

    left: float
    top: float
    width: float
    height: float


TABLE_BOX: Final = Area(206, 104, 630, 176)
CALL_BOX: Final = Area(MARGIN, 314, WIDTH - 2 * MARGIN, 40)
HAND_BOX: Final = Area(MARGIN, 378, WIDTH - 2 * MARGIN, 136)
LIFT, BETWEEN, SUIT_GAP, MOST_ROWS = 14, 6, 0.2, 4
"""How far a card that may be played is lifted, the space between cards, more of it between suits, and rows at most."""
ROW_SHOWS: Final = 0.64
"""How much of a row of the hand shows above the next, in widths of a card."""
WIDEST_IN_HAND, WIDEST_ON_TABLE = 96, 86
OVER_X, OVER_Y = 0.3, 0.26
"""How far a beating card lies to the right of the one it beats and below it, in widths of a card."""

_PAPER_INK: Final = "#1f2630"
LIGHT: Final = {
    "felt": "#3b6a5a",
    "plate": "#2e5648",
    "edge": "#2a4d41",
    "paper": "#fffdf7",
    "text": "#ffffff",
    "soft": "#e2eee8",
    "mark": "#ffe08f",
}
"""The colours of the table by day."""
DARK: Final = {
    "felt": "#20352e",
    "plate": "#2d473e",
    "edge": "#48655a",
    "paper": "#efebe1",
    "text": "#f3f6f4",
    "soft": "#cfdcd6",
    "mark": "#ffe08f",
}
"""The same where the reader prefers dark pages."""
PALE: Final = {
    "felt": "#ffffff",
    "plate": "#ffffff",
    "edge": "#555555",
    "paper": "#ffffff",
    "text": "#000000",
    "soft": "#333333",
    "mark": "#555555",
}
"""The same on paper, where no cloth is printed."""


def _colors(of: dict[str, str]) -> str:
    fills = "".join(f".dk-{name}{{fill:{of[name]}}}" for name in ("felt", "plate", "text", "soft", "mark"))
    strokes = "".join(f".dk-{kind}{{stroke:{of[name]}}}" for kind, name in _STROKES.items())
    return f"{fills}.{PAPER}{{fill:{of['paper']}}}{strokes}"


_STROKES: Final = {"edge": "edge", "sign": "soft", "place": "text", "ring": "mark"}
INDEX_STYLE: Final = ".dk-index{fill:none;stroke:currentColor;stroke-width:3.8;stroke-linejoin:round}"
STYLE: Final = (
    f"{_colors(LIGHT)}.dk-dark{{fill:{_PAPER_INK}}}.dk-sign,.dk-place,.dk-ring{{fill:none;stroke-width:2}}"
    ".dk-ring{stroke-width:3.5}.dk-place{stroke-opacity:.5;stroke-dasharray:7 6}"
    f"{INDEX_STYLE}"
    ".dk-count,.dk-tag{font-weight:600;text-anchor:middle}.dk-name{font-size:20px;font-weight:600}.dk-trump{font-size:19px;font-weight:600}"
    ".dk-note{font-size:17px}.dk-call{font-size:22px}.dk-long{font-size:19px}.dk-count{font-size:18px}"
    ".dk-tag{font-size:15px}"
    "@media (max-width:560px){.dk-name{font-size:26px}.dk-trump{font-size:22px}.dk-note{font-size:21px}"
    ".dk-call{font-size:29px}.dk-long{font-size:23px}.dk-count{font-size:22px}.dk-tag{font-size:18px}"
    ".dk-wide{display:none}}"
    f"@media (prefers-color-scheme:dark){{{_colors(DARK)}}}"
)
ON_PAPER: Final = f"{STYLE}{_colors(PALE)}.dk-plate{{stroke:{PALE['edge']}}}.{PAPER}{{stroke:{PALE['edge']}}}"
"""The same for whoever prints it, in black and white too."""


def felt(height: float) -> str:
    """The cloth, with its edge."""
    return f'<rect class="dk-felt dk-edge" x=".5" y=".5" width="{WIDTH - 1}" height="{n(height - 1)}" rx="18"/>'


def words_at(kind: str, x: float, y: float, words: str, *, color: str = "dk-text", anchor: str = "") -> str:
    """Words at a place."""
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind} {color}" x="{n(x)}" y="{n(y)}"{anchored}>{escape(words)}</text>'


def rect(kind: str, box: Area, round_: float) -> str:
    """A box as it is painted, with round corners."""
    size = f'width="{n(box.width)}" height="{n(box.height)}"'
    return f'<rect class="{kind}" x="{n(box.left)}" y="{n(box.top)}" {size} rx="{n(round_)}"/>'


def empty_place(x: float, y: float, width: float) -> str:
    """Where a card could lie."""
    return rect("dk-place", Area(x + 1, y + 1, width - 2, width * RATIO - 2), width * 0.085)


def tag(kind: str, x: float, y: float, words: str, *, on: str = PAPER) -> str:
    """Words on a small label around that point."""
    width = max(40, 8 * len(words) + 24)
    return rect(on, Area(x - width / 2, y - 13, width, 26), 13) + words_at(kind, x, y + 6, words, color="dk-dark")


def pile(count: int, x: float, y: float, sheet: CardSheet) -> str:
    """Cards face down, higher the more there are."""
    layers = min(count, 1 + count // 6, 5)
    return "".join(sheet.back(x - 1.5 * i, y - 2 * i, PILE) for i in range(layers))
