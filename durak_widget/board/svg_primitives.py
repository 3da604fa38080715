"""What a tree is drawn with: the signs of those who act, small cards, fractions, words, and the colours of day and night."""

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
"""The sign of who acts is so large."""
CARD: Final = (18, 26)
"""The width and the height of a small card."""
_OVER: Final = (13, 4)
"""How far a beating card lies to the right of the one that it beats, and below it."""
_GAP, _FANNED, _MOST_OF_TALON = 3, 13, 6
_SMALL, _TEXT = 11, 12.5
_BOLD: Final = 1.22
"""So much wider bold signs are, in the widest font that is usual."""

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
"""A shape for each seat: circle, square, diamond, triangle, hexagon, pentagon; then from the beginning."""
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
    seats = "".join(f".t-s{i}{{fill:{color}}}.t-d{i}{{stroke:{color}}}" for i, color in enumerate(of["seats"]))
    return (
        f".t-bg{{fill:{of['bg']};stroke:{of['edge']}}}.t-ground{{fill:{of['bg']}}}.t-halo{{stroke:{of['bg']}}}{fills}{seats}.t-di{{stroke:{of['ink']}}}.t-line,.t-open{{stroke:{of['line']}}}"
        f".t-open,.t-pill{{fill:{of['bg']}}}.t-pill{{stroke:{of['soft']}}}.t-lit{{stroke:{of['lit']}}}.t-gold{{fill:{of['lit']}}}.dk-paper{{fill:{of['paper']}}}"
    )


NIGHT: Final = f"@media (prefers-color-scheme:dark){{{_colors(DARK)}}}"
"""What a picture looks like by night; on paper it never is."""
STYLE: Final = (
    f"{_colors(LIGHT)}.t-line,.t-lit,.t-set{{fill:none;stroke-linejoin:round;stroke-linecap:round}}.t-set{{stroke-width:1.8;stroke-dasharray:6 4.5}}"
    ".t-never{stroke-opacity:.4}.t-open{stroke-width:1.6}"
    f"text{{font-size:{_TEXT}px}}.t-small{{font-size:{_SMALL}px}}.t-mid{{text-anchor:middle}}.t-end{{text-anchor:end}}.t-b{{font-weight:650}}.t-title{{font-size:16px;font-weight:650}}"
    ".t-halo{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}"
    f"{NIGHT}"
)
"""The style sheet of a picture, by day and by night."""


# Words

_WIDE: Final = {
    "−": 0.7,
    **dict.fromkeys("mwMW@%—…ШЩЖЮМФшщжюмф", 0.86),
    **dict.fromkeys("♣♦♥♠★→↓←↑", 0.9),
    **dict.fromkeys("iljtfrI.,:;'|!()[]/ ", 0.34),
}


def wide(words: str, size: float = _TEXT) -> float:
    """About how wide words are: a picture cannot measure.

    >>> 18 < wide("bet") < 24
    True
    """
    total = 0.0
    for sign in words:
        if sign == "\ufe0e":
            continue
        total += _WIDE.get(sign) or (1.0 if sign > "\u2e80" else 0.68 if sign.isupper() else 0.58)
    return total * size


def small(words: str) -> float:
    """How wide a text is in small print."""
    return wide(words, _SMALL)


def clipped(words: str, most: int = 28) -> str:
    """Words that are not too long to stand on a branch."""
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def draw_text(x: float, y: float, words: str, kind: str = "t-ink") -> str:
    """Words there."""
    return f'<text class="{kind}" x="{n(x)}" y="{n(y)}">{escape(words)}</text>' if words else ""


# Signs


def _sign(actor: int) -> str:
    """The sign of who acts, around the origin: a shape, a number and a colour for each seat; an open ring for chance, a dot for an end."""
    if actor == CHANCE:
        return f'<circle class="t-open" r="{n(RADIUS * 0.72)}"/>'
    if actor < 0:
        return '<circle class="t-ink" r="2.6"/>'
    number = f'<text class="t-sign t-mid t-b" style="font-size:{n(RADIUS * 1.25)}px" y="{n(RADIUS * 0.45)}">{actor + 1}</text>'
    return f'<g class="t-s{actor % SEATS}">{_SHAPES[actor % SEATS](RADIUS)}</g>{number}'


def pill(x: float, y: float, words: str) -> str:
    """How many histories are folded away, beside a node."""
    width = small(words) + 12
    box = f'<rect class="t-pill" x="{n(x)}" y="{n(y - 8)}" width="{n(width)}" height="16" rx="8"/>'
    return box + draw_text(x + width / 2, y + 4, words, "t-soft t-small t-mid")


# Numbers


def number_wide(said: str) -> float:
    """How wide a number is that is written as below: in bold, as payoffs are.

    >>> number_wide("-1") > 2 * 8.7
    True
    """
    top, _, below = said.lstrip("-").partition("/")
    return (_BOLD * wide("−") if said.startswith("-") else 0) + (_stroke(top, below) if below else _BOLD * wide(top))


def _stroke(top: str, below: str) -> float:
    """How long the stroke of a fraction is."""
    return _BOLD * max(small(top), small(below)) + 3


def draw_number(right: float, y: float, said: str, kind: str) -> str:
    """A number that ends there, a fraction with its stroke."""
    top, _, below = said.lstrip("-").partition("/")
    minus = "−" if said.startswith("-") else ""
    if not below:
        return draw_text(right, y + 4.5, minus + top, f"{kind} t-end")
    half = _stroke(top, below) / 2
    middle = right - half
    bar = f'<rect class="{kind}" x="{n(middle - half)}" y="{n(y - 0.5)}" width="{n(2 * half)}" height="1.1"/>'
    return (
        draw_text(middle, y - 2.6, top, f"{kind} t-small t-mid")
        + bar
        + draw_text(middle, y + 10, below, f"{kind} t-small t-mid")
        + draw_text(middle - half - 1.5, y + 4.5, minus, f"{kind} t-end")
    )


# Cards


class Box:
    """The small cards and the signs of a picture, each drawn once and used wherever it lies."""

    def __init__(self, prefix: str, sheet: CardSheet, inks: Callable[[Card], str]) -> None:
        self._prefix, self._sheet, self._inks = prefix, sheet, inks
        self._drawn: dict[str, str] = {}

    def card(self, code: str, x: float, y: float) -> str:
        """A card with its upper left corner there."""
        return self._used(f"k{code.replace('=', '-')}", lambda: self._draw(Card(code)), x, y)

    def sign(self, actor: int, x: float, y: float) -> str:
        """The sign of who acts, around that point."""
        return self._used(f"s{actor}", lambda: _sign(actor), x, y)

    def defs(self) -> str:
        """The definitions of all that were asked for."""
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
        words = f'<text x="{width / 2:g}" y="11.5" text-anchor="middle" style="font-size:11px;font-weight:700" fill="{ink}">{rank}</text>'
        return box + words + (self._sheet.pip(card.suit, width / 2, 18.5, 9) if card.suit else "")


def cards_wide(told: dict[str, object]) -> float:
    """How wide the cards of a move are, side by side, or one over another that it beats; 0 where there are none."""
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
    """How far cards of a row lie apart: side by side, or each over the one before where they are many."""
    return _FANNED if fanned or count > 3 else CARD[0] + _GAP


def _talon(told: dict[str, object]) -> list[str]:
    """The talon of a deal, from its top, as much of it as there is room for."""
    talon = told.get("talon")
    return talon[:_MOST_OF_TALON] if isinstance(talon, list) else []


def laid(cards: Box, told: dict[str, object], x: float, y: float) -> str:
    """The cards of a move, in the middle of that height, from there on to the right."""
    top = y - CARD[1] / 2
    hands = told.get("hands")
    if isinstance(hands, list):
        drawn = ""
        for hand in filter(None, hands):
            if drawn:
                drawn += f'<rect class="t-soft" x="{n(x - 6.5)}" y="{n(top + 3)}" width="1" height="{CARD[1] - 6}"/>'
            drawn += _side_by_side(cards, hand, x, top)
            x += _row(len(hand)) + 12
        talon = _side_by_side(cards, _talon(told), x, top, fanned=True)
        ground = f'<rect class="t-ground" x="{n(x)}" y="{n(top)}" width="{n(_row(len(_talon(told)), fanned=True))}" height="{CARD[1]}"/>'
        return drawn + (f'{ground}<g opacity=".6">{talon}</g>' if talon else "")
    mine, beaten = told.get("cards"), told.get("on")
    if isinstance(beaten, list) and isinstance(mine, list):
        return cards.card(beaten[0], x, top - _OVER[1] / 2) + cards.card(mine[0], x + _OVER[0], top + _OVER[1] / 2)
    return _side_by_side(cards, mine, x, top) if isinstance(mine, list) else ""


def _side_by_side(cards: Box, codes: Sequence[str], x: float, top: float, *, fanned: bool = False) -> str:
    step = _step(len(codes), fanned=fanned)
    return "".join(cards.card(code, x + i * step, top) for i, code in enumerate(codes))
