"""Drawing primitives of tree pictures: player signs, small cards, numbers, texts, colours."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card
from durak_widget.engine.card_svg import n
from durak_widget.gametheory.tree import CHANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from durak_widget.engine.card_svg import CardSheet

RADIUS: Final = 8.5
"""The radius of a player's sign."""
CARD: Final = (18, 26)
"""The width and the height of a small card."""
_OVER: Final = (13, 4)
"""The offset of a beating card from the beaten one, to the right and down."""
_GAP, _FANNED, _MOST_OF_TALON = 3, 13, 6
_SMALL, _TEXT = 11, 12.5
_BOLD: Final = 1.22
"""The width of bold characters, relative to normal ones, in the widest usual font."""

_SHAPES: Final = (
    lambda r: f'<circle r="{n(r)}"/>',
    lambda r: f'<rect x="{n(-r * 0.9)}" y="{n(-r * 0.9)}" width="{n(r * 1.8)}" height="{n(r * 1.8)}" rx="1.5"/>',
    lambda r: f'<path d="M0 {n(-r * 1.25)}L{n(r * 1.25)} 0L0 {n(r * 1.25)}L{n(-r * 1.25)} 0z"/>',
    lambda r: f'<path d="M0 {n(-r * 1.25)}L{n(r * 1.2)} {n(r * 0.85)}H{n(-r * 1.2)}z"/>',
    lambda r: f'<path d="M{n(-r * 0.55)} {n(-r)}H{n(r * 0.55)}L{n(r * 1.1)} 0L{n(r * 0.55)} {n(r)}H{n(-r * 0.55)}L{n(-r * 1.1)} 0z"/>',
    lambda r: (
        f'<path d="M0 {n(-r * 1.1)}L{n(r * 1.05)} {n(-r * 0.3)}L{n(r * 0.65)} {n(r * 0.95)}H{n(-r * 0.65)}L{n(-r * 1.05)} {n(-r * 0.3)}z"/>'
    ),
)
"""The shape for each player: circle, square, diamond, triangle, hexagon, pentagon; then from the start again."""
SEATS: Final = len(_SHAPES)

LIGHT: Final = {
    "bg": "#fffefb", "edge": "#d9d6cc", "ink": "#1f2630", "soft": "#5a6472", "line": "#3c4653", "lit": "#b45309", "paper": "#fffdf7", "sign": "#ffffff",
    "seats": ("#1d5fa8", "#b23a16", "#0b6e5f", "#7b3fa0", "#7a5a00", "#a0285f"),
}  # fmt: skip
DARK: Final = {
    "bg": "#171c22", "edge": "#39424d", "ink": "#eef1f4", "soft": "#b3bdc8", "line": "#aeb8c4", "lit": "#ffc04d", "paper": "#efebe1", "sign": "#10151a",
    "seats": ("#86bcf5", "#ff9f7a", "#5fd0be", "#cfa3ec", "#e0c25a", "#f48fb9"),
}  # fmt: skip


def _colors(of: Mapping[str, Sequence[str]]) -> str:
    fills = "".join(f".t-{name}{{fill:{of[name]}}}" for name in ("ink", "soft", "sign"))
    player_rules = "".join(f".t-s{i}{{fill:{color}}}.t-d{i}{{stroke:{color}}}" for i, color in enumerate(of["seats"]))
    return (
        f".t-bg{{fill:{of['bg']};stroke:{of['edge']}}}.t-ground{{fill:{of['bg']}}}.t-halo{{stroke:{of['bg']}}}{fills}{player_rules}.t-di{{stroke:{of['ink']}}}.t-line,.t-open{{stroke:{of['line']}}}"
        f".t-open,.t-pill{{fill:{of['bg']}}}.t-pill{{stroke:{of['soft']}}}.t-lit{{stroke:{of['lit']}}}.t-gold{{fill:{of['lit']}}}.dk-paper{{fill:{of['paper']}}}"
    )


NIGHT: Final = f"@media (prefers-color-scheme:dark){{{_colors(DARK)}}}"
"""The style rules for a dark colour scheme; never used on paper."""
STYLE: Final = (
    f"{_colors(LIGHT)}.t-line,.t-lit,.t-set{{fill:none;stroke-linejoin:round;stroke-linecap:round}}.t-set{{stroke-width:1.8;stroke-dasharray:6 4.5}}"
    ".t-never{stroke-opacity:.4}.t-open{stroke-width:1.6}"
    f"text{{font-size:{_TEXT}px}}.t-small{{font-size:{_SMALL}px}}.t-mid{{text-anchor:middle}}.t-end{{text-anchor:end}}.t-b{{font-weight:650}}.t-title{{font-size:16px;font-weight:650}}"
    ".t-halo{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}"
    f"{NIGHT}"
)
"""The style sheet of a picture, for light and dark colour schemes."""


# Text

_WIDE: Final = {
    "−": 0.7,
    **dict.fromkeys("mwMW@%—…ШЩЖЮМФшщжюмф", 0.86),
    **dict.fromkeys("♣♦♥♠★→↓←↑", 0.9),
    **dict.fromkeys("iljtfrI.,:;'|!()[]/ ", 0.34),
}


def wide(words: str, size: float = _TEXT) -> float:
    """Estimate the width of a text, because a picture can't measure it.

    >>> 18 < wide("bet") < 24
    True
    """
    total = 0.0
    for character in words:
        if character == "\ufe0e":
            continue
        total += _WIDE.get(character) or (1.0 if character > "\u2e80" else 0.68 if character.isupper() else 0.58)
    return total * size


def small(words: str) -> float:
    """Estimate the width of a text in small print."""
    return wide(words, _SMALL)


def clipped(words: str, most: int = 28) -> str:
    """Shorten a text so that it fits on a branch."""
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def draw_text(x: float, y: float, words: str, kind: str = "t-ink") -> str:
    """Draw a text at a point."""
    return f'<text class="{kind}" x="{n(x)}" y="{n(y)}">{escape(words)}</text>' if words else ""


# Signs


def _sign(actor: int) -> str:
    """Draw the sign of who acts, around the origin.

    A player has a shape, a number and a colour; chance is an open ring, an end a dot.
    """
    if actor == CHANCE:
        return f'<circle class="t-open" r="{n(RADIUS * 0.72)}"/>'
    if actor < 0:
        return '<circle class="t-ink" r="2.6"/>'
    number = f'<text class="t-sign t-mid t-b" style="font-size:{n(RADIUS * 1.25)}px" y="{n(RADIUS * 0.45)}">{actor + 1}</text>'
    return f'<g class="t-s{actor % SEATS}">{_SHAPES[actor % SEATS](RADIUS)}</g>{number}'


def pill(x: float, y: float, words: str) -> str:
    """Draw the number of folded nodes beside a node."""
    width = small(words) + 12
    box = f'<rect class="t-pill" x="{n(x)}" y="{n(y - 8)}" width="{n(width)}" height="16" rx="8"/>'
    return box + draw_text(x + width / 2, y + 4, words, "t-soft t-small t-mid")


# Numbers


def number_wide(said: str) -> float:
    """Estimate the width of a number drawn by `draw_number` in bold, as payoffs are.

    >>> number_wide("-1") > 2 * 8.7
    True
    """
    numerator, _, denominator = said.lstrip("-").partition("/")
    return (_BOLD * wide("−") if said.startswith("-") else 0) + (
        _stroke(numerator, denominator) if denominator else _BOLD * wide(numerator)
    )


def _stroke(top: str, below: str) -> float:
    """Return the length of the bar of a fraction."""
    return _BOLD * max(small(top), small(below)) + 3


def draw_number(right: float, y: float, said: str, kind: str) -> str:
    """Draw a number that ends at `right`; a fraction with its bar."""
    numerator, _, denominator = said.lstrip("-").partition("/")
    minus = "−" if said.startswith("-") else ""
    if not denominator:
        return draw_text(right, y + 4.5, minus + numerator, f"{kind} t-end")
    half = _stroke(numerator, denominator) / 2
    middle = right - half
    bar = f'<rect class="{kind}" x="{n(middle - half)}" y="{n(y - 0.5)}" width="{n(2 * half)}" height="1.1"/>'
    return (
        draw_text(middle, y - 2.6, numerator, f"{kind} t-small t-mid")
        + bar
        + draw_text(middle, y + 10, denominator, f"{kind} t-small t-mid")
        + draw_text(middle - half - 1.5, y + 4.5, minus, f"{kind} t-end")
    )


# Cards


class Box:
    """The small cards and signs of a picture, each defined once and used many times."""

    def __init__(self, prefix: str, sheet: CardSheet, inks: Callable[[Card], str]) -> None:
        self._prefix, self._sheet, self._inks = prefix, sheet, inks
        self._drawn: dict[str, str] = {}

    def card(self, code: str, x: float, y: float) -> str:
        """Draw a card with its upper left corner at a point."""
        return self._used(f"k{code.replace('=', '-')}", lambda: self._draw(Card(code)), x, y)

    def sign(self, actor: int, x: float, y: float) -> str:
        """Draw the sign of who acts, centred on a point."""
        return self._used(f"s{actor}", lambda: _sign(actor), x, y)

    def defs(self) -> str:
        """Return the definitions of all symbols used so far."""
        return "".join(self._drawn.values())

    def _used(self, name: str, draw: Callable[[], str], x: float, y: float) -> str:
        if name not in self._drawn:
            self._drawn[name] = f'<g id="{self._prefix}{name}">{draw()}</g>'
        return f'<use href="#{self._prefix}{name}" x="{n(x)}" y="{n(y)}"/>'

    def _draw(self, card: Card) -> str:
        width, height = CARD
        box = f'<rect class="dk-paper" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="2.5" stroke="#1f2630" stroke-opacity=".55"/>'
        ink = self._inks(card)
        rank = "★" if card.is_joker else "10" if card.rank == "T" else str(card.rank)
        rank_text = (
            f'<text x="{width / 2:g}" y="11.5" text-anchor="middle" style="font-size:11px;font-weight:700" fill="{ink}">{rank}</text>'
        )
        return box + rank_text + (self._sheet.pip(card.suit, width / 2, 18.5, 9) if card.suit else "")


def cards_wide(told: dict[str, object]) -> float:
    """Return the width of a move's cards, side by side or one over another; 0 without cards."""
    hands, cards = told.get("hands"), told.get("cards")
    if isinstance(hands, list):
        talon = _talon(told)
        rows = sum(_row(len(hand)) for hand in hands if hand) + 12 * (sum(map(bool, hands)) - 1)
        return rows + (12 + _row(len(talon), fanned=True) if talon else 0)
    if not isinstance(cards, list) or not cards:
        return 0
    return CARD[0] + _OVER[0] if told.get("on") else _row(len(cards))


def _row(count: int, *, fanned: bool = False) -> float:
    return CARD[0] + (count - 1) * _step(count, fanned=fanned) if count else 0


def _step(count: int, *, fanned: bool) -> int:
    """Return the distance between cards of a row; many cards overlap."""
    return _FANNED if fanned or count > 3 else CARD[0] + _GAP


def _talon(told: dict[str, object]) -> list[str]:
    """Return the top cards of a deal's talon, as many as there is space for."""
    talon = told.get("talon")
    return talon[:_MOST_OF_TALON] if isinstance(talon, list) else []


def laid(cards: Box, told: dict[str, object], x: float, y: float) -> str:
    """Draw the cards of a move from `x` to the right, centred on a height."""
    top = y - CARD[1] / 2
    hands = told.get("hands")
    if isinstance(hands, list):
        result = ""
        for hand in filter(None, hands):
            if result:
                result += f'<rect class="t-soft" x="{n(x - 6.5)}" y="{n(top + 3)}" width="1" height="{CARD[1] - 6}"/>'
            result += _side_by_side(cards, hand, x, top)
            x += _row(len(hand)) + 12
        talon = _side_by_side(cards, _talon(told), x, top, fanned=True)
        ground = f'<rect class="t-ground" x="{n(x)}" y="{n(top)}" width="{n(_row(len(_talon(told)), fanned=True))}" height="{CARD[1]}"/>'
        return result + (f'{ground}<g opacity=".6">{talon}</g>' if talon else "")
    played, beaten = told.get("cards"), told.get("on")
    if isinstance(beaten, list) and isinstance(played, list):
        return cards.card(beaten[0], x, top - _OVER[1] / 2) + cards.card(played[0], x + _OVER[0], top + _OVER[1] / 2)
    return _side_by_side(cards, played, x, top) if isinstance(played, list) else ""


def _side_by_side(cards: Box, codes: Sequence[str], x: float, top: float, *, fanned: bool = False) -> str:
    step = _step(len(codes), fanned=fanned)
    return "".join(cards.card(code, x + i * step, top) for i, code in enumerate(codes))
