"""The cards as SVG: faces and backs, each defined once in a picture and used by reference.

A card has 100 x 140 units, and a pip about 18 x 18 around its middle. The paths are in drawings.json, which the front end of the table
reads too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_widget.cards import RANKS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.cards import Card

RATIO: Final = 1.4
"""The height of a card of width 1."""
INDEX: Final = 0.27
"""The part of a card of width 1 that must be visible, from its left edge or its top, to read it."""
PAPER: Final = "dk-paper"
"""The CSS class of the white of cards, so one style sheet can dim it."""
FONTS: Final = "-apple-system,'Segoe UI',Roboto,'Noto Sans',Ubuntu,Cantarell,'Helvetica Neue',Arial,sans-serif"
"""The fonts of all pictures, as in base.css; by name, since system-ui may be a monospaced font on sparse systems."""

_BLACK, _RED, _GREEN, _BLUE = "#1f2630", "#b3202c", "#14683a", "#1b57a6"
_TWO_INKS: Final = {"c": _BLACK, "d": _RED, "h": _RED, "s": _BLACK, "red": _RED, "black": _BLACK}
_FOUR_INKS: Final = {**_TWO_INKS, "c": _GREEN, "d": _BLUE}

_DRAWINGS: Final = json.loads(Path(__file__).with_name("drawings.json").read_text(encoding="utf-8"))
_PIPS: Final[dict[str, str]] = _DRAWINGS["pips"]

SIGNS: Final[dict[str, str]] = _DRAWINGS["signs"]
"""A small sign for each role, in 16 x 16 units."""

_INDICES: Final[dict[str, str]] = _DRAWINGS["indices"]
"""The indices of cards and the letters of a joker, as strokes."""
_LEFT, _MIDDLE, _RIGHT = 36, 50, 64
_HEIGHTS: Final[dict[str, list[int]]] = _DRAWINGS["heights"]
_COLUMNS: Final[dict[str, tuple[int, list[int]]]] = _DRAWINGS["columns"]
"""The number of pips in each side column, and the heights of those in the middle column."""

_CARD: Final = (
    '<rect x="1" y="3" width="100" height="140" rx="9" opacity=".2"/>'
    f'<rect class="{PAPER}" x=".5" y=".5" width="99" height="139" rx="8.5" stroke="#1f2630" stroke-opacity=".4"/>'
)
_BACK: Final = (
    '<rect x="7" y="7" width="86" height="126" rx="4" fill="#3a557f"/>'
    f'<path d="{_DRAWINGS["backs"]["lattice"]}" fill="none" stroke="#b4c4de" stroke-width="2.4" stroke-linejoin="round"/>'
)
_TRUMP_CORNER: Final = '<path d="M1 15V9A8 8 0 0 1 9 1H15z"/>'
_FRAME: Final = '<rect x="26" y="9" width="48" height="122" rx="3" fill-opacity=".05" stroke="currentColor" stroke-opacity=".4"/>'
_SASH: Final = '<path d="M26 80L74 60" stroke="currentColor" stroke-width="1.5"/>'

_ROUND: Final = 'stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
_TONES: Final = {
    "full": "",
    "half": ' fill-opacity=".45"',
    "pale": ' fill-opacity=".14"',
    "paper": f' class="{PAPER}"',
    "edged": f' class="{PAPER}" stroke="currentColor" stroke-width="1.2"',
    "line": f' fill="none" stroke-width="1.5" {_ROUND}',
    "dots": f' stroke-width="3.6" {_ROUND}',
}
"""The attributes that paint a stroke of a figure; the ink is that of the suit."""
_FIGURES: Final[dict[str, list[tuple[str, str]]]] = _DRAWINGS["figures"]
"""The upper half of each court card and joker, from the crown to the sash; the lower half is rotated."""


class CardSheet:
    """The card drawings of one picture; each drawing in use is defined once.

    >>> from durak_widget import Card
    >>> sheet = CardSheet("p", trump="s")
    >>> sheet.face(Card("7s"), 10, 20, 50)
    '<use href="#p7s" transform="translate(10 20)scale(.5)"/>'
    >>> sheet.defs().count("<g id=")
    5
    """

    def __init__(self, prefix: str, *, trump: str | None, four_colors: bool = False) -> None:
        self._prefix, self._trump = prefix, trump
        self._inks = _FOUR_INKS if four_colors else _TWO_INKS
        self._drawn: dict[str, str] = {}

    def face(self, card: Card, x: float, y: float, width: float, turn: float = 0) -> str:
        """Draw a face-up card with its upper left corner there, rotated around its middle.

        `turn` is in degrees.
        """
        transform = _where(x, y, width, turn)
        face = f"<use {self._ref(self._face(card.face))} {transform}/>"
        if card is card.face or card.suit is None:
            return face
        ring = f'<circle cx="85" cy="15" r="13" class="{PAPER}"/><circle cx="85" cy="15" r="11.5"/>'
        sign = f'<g fill="#fff">{self._pip(card.suit, 85, 15, 0.8)}</g>'
        return f'{face}<g {transform} fill="{self._inks[card.suit]}">{ring}{sign}</g>'

    def back(self, x: float, y: float, width: float, turn: float = 0) -> str:
        """Draw a face-down card."""
        key = self._define("Back", lambda: self._card() + _BACK)
        return f"<use {self._ref(key)} {_where(x, y, width, turn)}/>"

    def epaulettes(self, worn: Sequence[Card], x: float, y: float) -> str:
        """Draw the epaulettes of a fool, a card on each shoulder."""
        placements = ((x - 16 + 38 * (i - (len(worn) - 1) / 2), 10 - 20 * i) for i in range(len(worn)))
        return "".join(self.face(card, left, y, 32, turn) for card, (left, turn) in zip(worn, placements, strict=True))

    def pip(self, suit: str, x: float, y: float, size: float) -> str:
        """Draw the sign of a suit in its ink, around that point."""
        return f'<g fill="{self._inks[suit]}">{self._pip(suit, x, y, size / 18)}</g>'

    def defs(self) -> str:
        """Return the definitions of all drawings in use."""
        return f"<defs>{''.join(self._drawn.values())}</defs>"

    def _ref(self, key: str) -> str:
        return f'href="#{self._prefix}{key}"'

    def _define(self, key: str, draw: Callable[[], str]) -> str:
        if key not in self._drawn:
            self._drawn[key] = f'<g id="{self._prefix}{key}">{draw()}</g>'
        return key

    def _card(self) -> str:
        return f"<use {self._ref(self._define('Card', lambda: _CARD))}/>"

    def _pip(self, suit: str, x: float, y: float, scale: float = 1) -> str:
        key = self._define(f"Pip{suit}", lambda: f'<path d="{_PIPS[suit]}" transform="scale(.92)"/>')
        placement = f'transform="translate({n(x)} {n(y)})scale({n(scale)})"' if scale != 1 else f'x="{n(x)}" y="{n(y)}"'
        return f"<use {self._ref(key)} {placement}/>"

    def _face(self, card: Card) -> str:
        return self._define(str(card), lambda: self._draw(card))

    def _draw(self, card: Card) -> str:
        corner = self._define(f"i{card}", lambda: self._corner(card))
        ink = self._inks[card.suit or card.color]
        inside = f"{self._twice(corner)}{self._middle(card)}"
        return f'{self._card()}<g color="{ink}" fill="{ink}">{inside}</g>'

    def _twice(self, key: str) -> str:
        return f'<use {self._ref(key)}/><use {self._ref(key)} transform="rotate(180 50 70)"/>'

    def _corner(self, card: Card) -> str:
        index = f"<use {self._ref(self._define(f'Index{card.rank}', lambda: _index(card.rank)))}/>"
        if card.suit is None:
            return index
        return index + self._pip(card.suit, 15, 49, 0.92) + (_TRUMP_CORNER if card.suit == self._trump else "")

    def _middle(self, card: Card) -> str:
        if card.rank in _FIGURES:
            return _FRAME + self._twice(self._define(f"Half{card.rank}", lambda: _figure(card.rank))) + _SASH
        suit = card.suit or ""
        if card.rank == RANKS[-1]:
            return self._pip(suit, _MIDDLE, 70, 2.5)
        return "".join(self._pip(suit, x, y) for x, y in _places(card.rank))


def n(value: float) -> str:
    """Format a number as briefly as possible.

    >>> n(0.5), n(-0.25), n(96.0), n(1 / 3)
    ('.5', '-.25', '96', '.333')
    """
    text = f"{round(value, 3):.3f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def _where(x: float, y: float, width: float, turn: float) -> str:
    scale = width / 100
    if not turn:
        return f'transform="translate({n(x)} {n(y)})scale({n(scale)})"'
    middle = f"translate({n(x + width / 2)} {n(y + width * RATIO / 2)})"
    return f'transform="{middle}rotate({n(turn)})scale({n(scale)})translate(-50 -70)"'


def _places(rank: str) -> list[tuple[int, int]]:
    """Return the positions of the pips of a number card."""
    count, middle = _COLUMNS[rank]
    return [(x, y) for y in _HEIGHTS[str(count)] for x in (_LEFT, _RIGHT)] + [(_MIDDLE, y) for y in middle]


def _figure(rank: str) -> str:
    return "".join(f'<path d="{path}"{_TONES[tone]}/>' for tone, path in _FIGURES[rank])


def _index(rank: str) -> str:
    """Draw the index of a card, or the letters of a joker in a column."""
    if rank in _INDICES:
        return f'<path class="dk-index" d="{_INDICES[rank]}" transform="translate(15 33)"/>'
    letters = (f'<path d="{_INDICES[letter]}" transform="translate(14 {26 + 16 * i})scale(.6)"/>' for i, letter in enumerate("JOKER"))
    return f'<g class="dk-index">{"".join(letters)}</g>'
