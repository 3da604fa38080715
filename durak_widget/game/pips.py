"""The cards as SVG: faces and backs, each defined once in a picture and used wherever it lies.

A card is drawn on 100 x 140 units and a pip on about 18 x 18 around its middle. All drawings are paths written here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.cards import RANKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.cards import Card

RATIO: Final = 1.4
"""The height of a card of width 1."""
INDEX: Final = 0.27
"""How much of a card of width 1 must be seen, from its left edge or its top, to read it."""
PAPER: Final = "dk-paper"
"""The class of what is white as a card, so that one style sheet can dim it."""

_BLACK, _RED, _GREEN, _BLUE = "#1f2630", "#b3202c", "#14683a", "#1b57a6"
_TWO_INKS: Final = {"c": _BLACK, "d": _RED, "h": _RED, "s": _BLACK, "red": _RED, "black": _BLACK}
_FOUR_INKS: Final = {**_TWO_INKS, "c": _GREEN, "d": _BLUE}

_PIPS: Final = {
    "c": "M3.4-2.6a4.7 4.7 0 1 0-6.8 0A4.7 4.7 0 1 0-.8 5.1Q-1 8.6-3.4 10H3.4Q1 8.6.8 5.1A4.7 4.7 0 1 0 3.4-2.6z",
    "d": "M0-10.5Q3.4-4.6 8 0 3.4 4.6 0 10.5-3.4 4.6-8 0-3.4-4.6 0-10.5z",
    "h": "M0 9.6C-3 5.2-9.6 1.4-9.6-4-9.6-7.4-7.3-9.2-4.9-9.2-2.6-9.2-.8-7.9 0-5.6.8-7.9 2.6-9.2 4.9-9.2"
    " 7.3-9.2 9.6-7.4 9.6-4 9.6 1.4 3 5.2 0 9.6z",
    "s": "M0-10C2-5.6 9.4-2 9.4 3.2 9.4 6 7.2 7.5 5 7.5 3.2 7.5 1.7 6.6.8 5.1Q1 8.6 3.4 10H-3.4Q-1 8.6-.8 5.1"
    "C-1.7 6.6-3.2 7.5-5 7.5-7.2 7.5-9.4 6-9.4 3.2-9.4-2-2-5.6 0-10z",
}

_LEFT, _MIDDLE, _RIGHT = 36, 50, 64
_HEIGHTS: Final[dict[int, tuple[int, ...]]] = {0: (), 2: (29, 111), 3: (29, 70, 111), 4: (29, 56, 84, 111)}
_COLUMNS: Final[dict[str, tuple[int, tuple[int, ...]]]] = {
    "2": (0, (29, 111)),
    "3": (0, (29, 70, 111)),
    "4": (2, ()),
    "5": (2, (70,)),
    "6": (3, ()),
    "7": (3, (49,)),
    "8": (3, (49, 91)),
    "9": (4, (70,)),
    "T": (4, (43, 97)),
}
"""How many pips stand in each column at the side, and the heights of those in the middle."""

_CARD: Final = (
    '<rect x="1" y="3" width="100" height="140" rx="9" opacity=".2"/>'
    f'<rect class="{PAPER}" x=".5" y=".5" width="99" height="139" rx="8.5" stroke="#1f2630" stroke-opacity=".4"/>'
)
_BACK: Final = (
    '<rect x="7" y="7" width="86" height="126" rx="4" fill="#3a557f"/>'
    '<path d="M14 14H86V126H14zM50 14L86 70 50 126 14 70zM50 42L68 70 50 98 32 70zM32 14L14 42M68 14L86 42M32 126'
    'L14 98M68 126L86 98" fill="none" stroke="#b4c4de" stroke-width="2.4" stroke-linejoin="round"/>'
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
"""How a stroke of a figure is painted; the ink is that of the suit."""
_FIGURES: Final = {
    "J": (
        ("pale", "M26 80V57Q29 51 42 49H58Q71 51 74 57V60z"),
        ("half", "M26 80V63L37 51 47 71.2zM74 60V58L63 51 55 67.9z"),
        ("full", "M39.5 28H60.5L61.5 43Q62 47 57 46.5H43Q38 47 38.5 43z"),
        ("paper", "M43.5 28H56.5V38Q56.5 44 50 46.5 43.5 44 43.5 38z"),
        ("edged", "M40 48Q45 45.5 50 46.5 55 45.5 60 48L56.5 55 50 50.5 43.5 55z"),
        ("full", "M36.5 29.5Q34 19.5 44 17 57 14.5 63.5 23L62.5 29.5Q50 24.5 36.5 29.5z"),
        (
            "line",
            (
                "M58 20Q58 11.5 69 12 72.5 17 67 21.5 64 23.5 61.5 23M59 20.5L66.5 15M45.4 34q1.2-1 2.4 0M52.2"
                " 34q1.2-1 2.4 0M50 34.5V38.5M48 41.7H52M50 58V59M50 63.5V64.5"
            ),
        ),
    ),
    "Q": (
        ("pale", "M26 80V64Q30 57 42 54.5H58Q70 55 74 59V60z"),
        ("half", "M41.5 55Q50 66 58.5 55L61.5 65.2 38.5 74.8z"),
        (
            "full",
            (
                "M50 20C38 20 36.5 29 37 38 37.5 47 35.5 51 31.5 57 36 61.5 43 59.5 45 54H55C57 59.5 64 61.5 68.5"
                " 57 64.5 51 62.5 47 63 38 63.5 29 62 20 50 20z"
            ),
        ),
        (
            "paper",
            (
                "M43.5 34Q43.5 27.5 50 26 56.5 27.5 56.5 34V38Q56 43 53 45.2V50.5Q55 53 57.5 54 55 61 50 62 45 61"
                " 42.5 54 45 53 47 50.5V45.2Q44 43 43.5 38z"
            ),
        ),
        ("full", "M39.5 24.5L37 14.5 43.5 18 46 12.5 50 17 54 12.5 56.5 18 63 14.5 60.5 24.5Q50 20 39.5 24.5z"),
        ("dots", "M37 14.5h0M46 13h0M54 13h0M63 14.5h0"),
        ("line", "M45.4 33.5q1.2-1 2.4 0M52.2 33.5q1.2-1 2.4 0M50 34V37.5M48.6 41h2.8M45.5 53.5Q50 58 54.5 53.5"),
    ),
    "K": (
        ("pale", "M26 80V57Q28 50 40 48H60Q72 50 74 57V60z"),
        ("half", "M40 48Q43 60 50 66 57 60 60 48L65 49.5Q63 61 55.5 67.7L45 72.1Q37 63 35 49.5z"),
        ("full", "M41.5 26Q36 31 38 37 39.5 42 35.5 45 40 48 44 44.5H56Q60 48 64.5 45 60.5 42 62 37 64 31 58.5 26z"),
        ("paper", "M43.5 26H56.5V40H43.5z"),
        ("full", "M43 36Q44.5 39.5 47 38.5 50 37 53 38.5 55.5 39.5 57 36L58 44Q57 54 50 60 43 54 42 44z"),
        ("paper", "M47.8 41.3h4.4l-1 1.5h-2.4z"),
        ("full", "M40.5 27L36.5 14 44 19.5 50 11.5 56 19.5 63.5 14 59.5 27Q50 24 40.5 27z"),
        ("paper", "M41.8 22.7Q50 20 58.2 22.7L57.9 24Q50 21.5 42.1 24z"),
        ("line", "M45.4 32q1.2-1 2.4 0M52.2 32q1.2-1 2.4 0M50 32.5V36M69.5 30V61M66 35.5H73"),
        ("full", "M66.9 27.5a2.6 2.6 0 1 0 5.2 0 2.6 2.6 0 1 0-5.2 0z"),
    ),
    "X": (
        ("pale", "M26 80V60Q30 54 42 52H58Q70 54 74 58V60z"),
        ("edged", "M42 30H58V40Q57 47 50 49 43 47 42 40z"),
        ("full", "M40 35Q38 25 27 30.5 28 17 40 18.5 47 19.5 50 27 53 19.5 60 18.5 72 17 73 30.5 62 25 60 35 50 29 40 35z"),
        ("half", "M50 12Q44 20 50 31 56 20 50 12z"),
        ("dots", "M27.5 32h0M72.5 32h0M50 12.5h0M32 63h0M41.5 66h0M50 67h0M58.5 64h0M68 59.5h0"),
        ("full", "M37 51L43 47.5H57L63 51 68 59.5 60 55 58.5 64 53 56 50 67 47 56 41.5 66 40 56.5 32 63z"),
        ("line", "M45.4 37q1.2-1 2.4 0M52.2 37q1.2-1 2.4 0M50 37.5V40.5M46.5 43Q50 46 53.5 43"),
    ),
}
"""The upper half of each court card and joker, from the crown down to the sash; the lower half is the same, turned."""


class Sheet:
    """The cards of one picture: each drawing that was asked for is defined once.

    >>> from durak_widget import Card
    >>> sheet = Sheet("p", trump="s")
    >>> sheet.face(Card("7s"), 10, 20, 50)
    '<use href="#p7s" transform="translate(10 20)scale(.5)"/>'
    >>> sheet.defs().count("<g id=")
    4
    """

    def __init__(self, prefix: str, *, trump: str | None, four_colors: bool = False) -> None:
        self._prefix, self._trump = prefix, trump
        self._inks = _FOUR_INKS if four_colors else _TWO_INKS
        self._drawn: dict[str, str] = {}

    def face(self, card: Card, x: float, y: float, width: float, turn: float = 0) -> str:
        """A card face up with its upper left corner there, turned by some degrees around its middle."""
        where = _where(x, y, width, turn)
        face = f"<use {self._ref(self._face(card.face))} {where}/>"
        if card is card.face or card.suit is None:
            return face
        ring = f'<circle cx="85" cy="15" r="13" class="{PAPER}"/><circle cx="85" cy="15" r="11.5"/>'
        sign = f'<g fill="#fff">{self._pip(card.suit, 85, 15, 0.8)}</g>'
        return f'{face}<g {where} fill="{self._inks[card.suit]}">{ring}{sign}</g>'

    def back(self, x: float, y: float, width: float, turn: float = 0) -> str:
        """A card face down."""
        key = self._define("Back", lambda: self._card() + _BACK)
        return f"<use {self._ref(key)} {_where(x, y, width, turn)}/>"

    def pip(self, suit: str, x: float, y: float, size: float) -> str:
        """The sign of a suit in its ink, around that point."""
        return f'<g fill="{self._inks[suit]}">{self._pip(suit, x, y, size / 18)}</g>'

    def defs(self) -> str:
        """The definitions of all that was asked for."""
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
        where = f'transform="translate({n(x)} {n(y)})scale({n(scale)})"' if scale != 1 else f'x="{n(x)}" y="{n(y)}"'
        return f"<use {self._ref(key)} {where}/>"

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
        if card.suit is None:
            return "".join(f'<text class="dk-joker" x="15" y="{27 + 17 * i}">{c}</text>' for i, c in enumerate("JOKER"))
        ten = ' textLength="22" lengthAdjust="spacingAndGlyphs"' if card.rank == "T" else ""
        rank = f'<text class="dk-rank" x="15" y="34"{ten}>{"10" if card.rank == "T" else card.rank}</text>'
        return rank + self._pip(card.suit, 15, 49, 0.92) + (_TRUMP_CORNER if card.suit == self._trump else "")

    def _middle(self, card: Card) -> str:
        if card.rank in _FIGURES:
            return _FRAME + self._twice(self._define(f"Half{card.rank}", lambda: _figure(card.rank))) + _SASH
        suit = card.suit or ""
        if card.rank == RANKS[-1]:
            return self._pip(suit, _MIDDLE, 70, 2.5)
        return "".join(self._pip(suit, x, y) for x, y in _places(card.rank))


def n(value: float) -> str:
    """A number as short as it can be written.

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
    """Where the pips of a number card stand."""
    count, middle = _COLUMNS[rank]
    return [(x, y) for y in _HEIGHTS[count] for x in (_LEFT, _RIGHT)] + [(_MIDDLE, y) for y in middle]


def _figure(rank: str) -> str:
    return "".join(f'<path d="{path}"{_TONES[tone]}/>' for tone, path in _FIGURES[rank])
