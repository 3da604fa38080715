"""Draws playing cards as SVG; a picture defines each card face only once and reuses it.

A card has 100 x 140 units, and a pip about 18 x 18 around its middle. The paths are in drawings.json, which the front end of the table
reads too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_widget.cards import RANKS
from durak_widget.i18n import CARD_LETTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from durak_widget.cards import Card

CARD_RATIO: Final = 1.4
"""The height of a card divided by the width of the card."""
READABLE_PART: Final = 0.27
"""The part of a card's width that must stay visible so that people can read a partly covered card."""
PAPER_CLASS: Final = "dk-paper"
"""The CSS class of the white areas of cards; one style rule can dim all of them."""
FONT_FAMILY: Final = "-apple-system,'Segoe UI',Roboto,'Noto Sans',Ubuntu,Cantarell,'Helvetica Neue',Arial,sans-serif"
"""The fonts of all pictures, the same as in base.css.

The list does not use system-ui, because that may be a monospaced font on minimal systems.
"""

_BLACK, _RED, _GREEN, _BLUE = "#1f2630", "#b3202c", "#14683a", "#1b57a6"
_TWO_INKS: Final = {"c": _BLACK, "d": _RED, "h": _RED, "s": _BLACK, "red": _RED, "black": _BLACK}
_FOUR_INKS: Final = {**_TWO_INKS, "c": _GREEN, "d": _BLUE}

_DRAWINGS: Final = json.loads(Path(__file__).with_name("drawings.json").read_text(encoding="utf-8"))
_PIPS: Final[dict[str, str]] = _DRAWINGS["pips"]

ROLE_SIGNS: Final[dict[str, str]] = _DRAWINGS["signs"]
"""The SVG path of a small symbol for each player role, such as attacker or defender, in 16 x 16 units."""

_INDICES: Final[dict[str, str]] = _DRAWINGS["indices"]
"""The SVG paths of the rank letters in a card's corners, and of the letters of the word JOKER."""
_LEFT_X, _MIDDLE_X, _RIGHT_X = 36, 50, 64
_PIP_HEIGHTS: Final[dict[str, list[int]]] = _DRAWINGS["heights"]
_PIP_COLUMNS: Final[dict[str, tuple[int, list[int]]]] = _DRAWINGS["columns"]
"""The number of pips in a side column, and the y positions of the pips in the middle column, for each rank."""

_CARD_BASE: Final = (
    '<rect x="1" y="3" width="100" height="140" rx="9" opacity=".2"/>'
    f'<rect class="{PAPER_CLASS}" x=".5" y=".5" width="99" height="139" rx="8.5" stroke="#1f2630" stroke-opacity=".4"/>'
)
_CARD_BACK: Final = (
    '<rect x="7" y="7" width="86" height="126" rx="4" fill="#3a557f"/>'
    f'<path d="{_DRAWINGS["backs"]["lattice"]}" fill="none" stroke="#b4c4de" stroke-width="2.4" stroke-linejoin="round"/>'
)
_PAGE_CARD_BACK: Final = (
    '<rect class="dk-back-background" x="7" y="7" width="86" height="126" rx="4"/>'
    f'<path class="dk-back-line" d="{_DRAWINGS["backs"]["lattice"]}"/>'
)
"""The back of a card in the colours of the page."""
_TRUMP_CORNER: Final = '<path d="M1 15V9A8 8 0 0 1 9 1H15z"/>'
_FRAME: Final = '<rect x="26" y="9" width="48" height="122" rx="3" fill-opacity=".05" stroke="currentColor" stroke-opacity=".4"/>'
_SASH: Final = '<path d="M26 80L74 60" stroke="currentColor" stroke-width="1.5"/>'

_ROUND_STROKE: Final = 'stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
_STROKE_STYLES: Final = {
    "full": "",
    "half": ' fill-opacity=".45"',
    "pale": ' fill-opacity=".14"',
    "paper": f' class="{PAPER_CLASS}"',
    "edged": f' class="{PAPER_CLASS}" stroke="currentColor" stroke-width="1.2"',
    "line": f' fill="none" stroke-width="1.5" {_ROUND_STROKE}',
    "dots": f' stroke-width="3.6" {_ROUND_STROKE}',
}
"""The SVG attributes for each style of stroke in a court card's figure; the stroke takes the suit's colour."""
_FIGURES: Final[dict[str, list[tuple[str, str]]]] = _DRAWINGS["figures"]
"""The SVG paths of the upper half of the figure on each court card and joker; the lower half is its rotated copy."""


class CardSheet:
    """Draws the cards of one picture, and defines each card's SVG drawing only once.

    >>> from durak_widget import Card
    >>> sheet = CardSheet("p", trump="s")
    >>> sheet.draw_face(Card("7s"), 10, 20, 50)
    '<use href="#p7s" transform="translate(10 20)scale(.5)"/>'
    >>> sheet.render_definitions().count("<g id=")
    5
    """

    def __init__(
        self,
        prefix: str,
        *,
        trump: str | None,
        four_colors: bool = False,
        letters: Mapping[str, str] = CARD_LETTERS["international"],
        uses_page_colors: bool = False,
    ) -> None:
        """Create a sheet; `letters` has what a card shows for each rank that has a letter.

        With `uses_page_colors`, the page's style sheet sets all colours.
        """
        self._prefix, self._trump, self._letters, self._uses_page_colors = prefix, trump, letters, uses_page_colors
        self._inks = _FOUR_INKS if four_colors else _TWO_INKS
        self._definitions: dict[str, str] = {}

    def draw_face(self, card: Card, x: float, y: float, width: float, turn: float = 0) -> str:
        """Draw a face-up card with its upper left corner at (x, y).

        `turn` rotates the card around its middle, in degrees.
        """
        transform = _format_transform(x, y, width, turn)
        face = f"<use {self._format_href(self._define_face(card.face))} {transform}/>"
        if card is card.face or card.suit is None:
            return face
        ring = f'<circle cx="85" cy="15" r="13" class="{PAPER_CLASS}"/><circle cx="85" cy="15" r="11.5"/>'
        sign = f'<g fill="#fff">{self._use_pip(card.suit, 85, 15, 0.8)}</g>'
        return f'{face}<g {transform} fill="{self._inks[card.suit]}">{ring}{sign}</g>'

    def draw_back(self, x: float, y: float, width: float, turn: float = 0) -> str:
        """Draw a face-down card with its upper left corner at (x, y)."""
        key = self._define("Back", lambda: self._use_card_base() + (_PAGE_CARD_BACK if self._uses_page_colors else _CARD_BACK))
        return f"<use {self._format_href(key)} {_format_transform(x, y, width, turn)}/>"

    def draw_epaulettes(self, cards: Sequence[Card], x: float, y: float) -> str:
        """Draw the epaulettes of the fool: one or two sixes, one on each shoulder."""
        placements = ((x - 16 + 38 * (i - (len(cards) - 1) / 2), 10 - 20 * i) for i in range(len(cards)))
        return "".join(self.draw_face(card, left, y, 32, turn) for card, (left, turn) in zip(cards, placements, strict=True))

    def draw_pip(self, suit: str, x: float, y: float, size: float) -> str:
        """Draw the symbol of a suit in the suit's colour, centred on (x, y)."""
        ink = f'class="dk-ink-{suit}"' if self._uses_page_colors else f'fill="{self._inks[suit]}"'
        return f"<g {ink}>{self._use_pip(suit, x, y, size / 18)}</g>"

    def render_definitions(self) -> str:
        """Return the SVG `<defs>` element with every card drawing that the picture uses."""
        return f"<defs>{''.join(self._definitions.values())}</defs>"

    def _format_href(self, key: str) -> str:
        return f'href="#{self._prefix}{key}"'

    def _define(self, key: str, draw: Callable[[], str]) -> str:
        """Store an SVG definition when it is first used; return the key of the definition."""
        if key not in self._definitions:
            self._definitions[key] = f'<g id="{self._prefix}{key}">{draw()}</g>'
        return key

    def _use_card_base(self) -> str:
        return f"<use {self._format_href(self._define('Card', lambda: _CARD_BASE))}/>"

    def _use_pip(self, suit: str, x: float, y: float, scale: float = 1) -> str:
        """Return an SVG element that draws a suit symbol centred on (x, y)."""
        key = self._define(f"Pip{suit}", lambda: f'<path d="{_PIPS[suit]}" transform="scale(.92)"/>')
        placement = (
            f'transform="translate({format_number(x)} {format_number(y)})scale({format_number(scale)})"'
            if scale != 1
            else f'x="{format_number(x)}" y="{format_number(y)}"'
        )
        return f"<use {self._format_href(key)} {placement}/>"

    def _define_face(self, card: Card) -> str:
        return self._define(str(card), lambda: self._draw_front(card))

    def _draw_front(self, card: Card) -> str:
        corner = self._define(f"i{card}", lambda: self._draw_corner(card))
        suit = card.suit or card.color
        ink = f'class="dk-ink-{suit}"' if self._uses_page_colors else f'color="{self._inks[suit]}" fill="{self._inks[suit]}"'
        inside = f"{self._use_both_ways(corner)}{self._draw_middle(card)}"
        return f"{self._use_card_base()}<g {ink}>{inside}</g>"

    def _use_both_ways(self, key: str) -> str:
        """Draw an SVG definition twice: upright, and upside down around the middle of the card."""
        return f'<use {self._format_href(key)}/><use {self._format_href(key)} transform="rotate(180 50 70)"/>'

    def _draw_corner(self, card: Card) -> str:
        index = (
            f"<use {self._format_href(self._define(f'Index{card.rank}', lambda: _draw_index(self._letters.get(card.rank, card.rank))))}/>"
        )
        if card.suit is None:
            return index
        return index + self._use_pip(card.suit, 15, 49, 0.92) + (_TRUMP_CORNER if card.suit == self._trump else "")

    def _draw_middle(self, card: Card) -> str:
        """Draw the middle of a card: a figure, one large suit symbol, or several small ones."""
        if card.rank in _FIGURES:
            return _FRAME + self._use_both_ways(self._define(f"Half{card.rank}", lambda: _draw_figure(card.rank))) + _SASH
        suit = card.suit or ""
        if card.rank == RANKS[-1]:
            return self._use_pip(suit, _MIDDLE_X, 70, 2.5)
        return "".join(self._use_pip(suit, x, y) for x, y in _list_pip_positions(card.rank))


def format_number(value: float) -> str:
    """Format an SVG coordinate with as few characters as possible, with at most 3 decimals.

    >>> format_number(0.5), format_number(-0.25), format_number(96.0), format_number(1 / 3)
    ('.5', '-.25', '96', '.333')
    """
    text = f"{round(value, 3):.3f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def _format_transform(x: float, y: float, width: float, turn: float) -> str:
    """Return the SVG attribute that places, scales and rotates a card."""
    scale = width / 100
    if not turn:
        return f'transform="translate({format_number(x)} {format_number(y)})scale({format_number(scale)})"'
    middle = f"translate({format_number(x + width / 2)} {format_number(y + width * CARD_RATIO / 2)})"
    return f'transform="{middle}rotate({format_number(turn)})scale({format_number(scale)})translate(-50 -70)"'


def _list_pip_positions(rank: str) -> list[tuple[int, int]]:
    """Return the positions of the suit symbols (pips) on a number card."""
    count, middle = _PIP_COLUMNS[rank]
    return [(x, y) for y in _PIP_HEIGHTS[str(count)] for x in (_LEFT_X, _RIGHT_X)] + [(_MIDDLE_X, y) for y in middle]


def _draw_figure(rank: str) -> str:
    return "".join(f'<path d="{path}"{_STROKE_STYLES[tone]}/>' for tone, path in _FIGURES[rank])


def _draw_index(letter: str) -> str:
    """Draw the number or letter of a card's corner, or the word JOKER as a column of letters."""
    if letter in _INDICES:
        return f'<path class="dk-index" d="{_INDICES[letter]}" transform="translate(15 33)"/>'
    letters = (f'<path d="{_INDICES[letter]}" transform="translate(14 {26 + 16 * i})scale(.6)"/>' for i, letter in enumerate("JOKER"))
    return f'<g class="dk-index">{"".join(letters)}</g>'
