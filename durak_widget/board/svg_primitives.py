"""Functions that draw parts of tree pictures: player symbols, small cards, numbers, texts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card
from durak_widget.engine.card_svg import format_number
from durak_widget.gametheory.tree import CHANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from durak_widget.engine.card_svg import CardSheet

SIGN_RADIUS: Final = 8.5
"""The radius of a player's symbol in a tree picture."""
CARD_SIZE: Final = (18, 26)
"""The width and the height of a small card in a tree picture."""
_BEATING_OFFSET: Final = (13, 4)
"""How far a card that beats another one is drawn to the right of that card, and below it."""
_CARD_GAP, _OVERLAPPED_CARD_STEP, _MAX_TALON_CARDS = 3, 13, 6
_SMALL_FONT_SIZE, _FONT_SIZE = 11, 12.5
_BOLD_WIDTH_FACTOR: Final = 1.22
"""The ratio of the widths of bold and normal characters, in the widest of the usual fonts."""

_SHAPES: Final = (
    lambda r: f'<circle r="{format_number(r)}"/>',
    lambda r: (
        f'<rect x="{format_number(-r * 0.9)}" y="{format_number(-r * 0.9)}" width="{format_number(r * 1.8)}" height="{format_number(r * 1.8)}" rx="1.5"/>'
    ),
    lambda r: (
        f'<path d="M0 {format_number(-r * 1.25)}L{format_number(r * 1.25)} 0L0 {format_number(r * 1.25)}L{format_number(-r * 1.25)} 0z"/>'
    ),
    lambda r: f'<path d="M0 {format_number(-r * 1.25)}L{format_number(r * 1.2)} {format_number(r * 0.85)}H{format_number(-r * 1.2)}z"/>',
    lambda r: (
        f'<path d="M{format_number(-r * 0.55)} {format_number(-r)}H{format_number(r * 0.55)}L{format_number(r * 1.1)} 0L{format_number(r * 0.55)} {format_number(r)}H{format_number(-r * 0.55)}L{format_number(-r * 1.1)} 0z"/>'
    ),
    lambda r: (
        f'<path d="M0 {format_number(-r * 1.1)}L{format_number(r * 1.05)} {format_number(-r * 0.3)}L{format_number(r * 0.65)} {format_number(r * 0.95)}H{format_number(-r * 0.65)}L{format_number(-r * 1.05)} {format_number(-r * 0.3)}z"/>'
    ),
)
"""The symbol of each player: circle, square, diamond, triangle, hexagon, pentagon; a seventh player has a circle
again.
"""
SHAPE_COUNT: Final = len(_SHAPES)

LIGHT_COLORS: Final = {
    "bg": "#fffefb", "edge": "#d9d6cc", "ink": "#1f2630", "soft": "#5a6472", "line": "#3c4653", "lit": "#b45309", "paper": "#fffdf7", "sign": "#ffffff",
    "seats": ("#1d5fa8", "#b23a16", "#0b6e5f", "#7b3fa0", "#7a5a00", "#a0285f"),
}  # fmt: skip
DARK_COLORS: Final = {
    "bg": "#171c22", "edge": "#39424d", "ink": "#eef1f4", "soft": "#b3bdc8", "line": "#aeb8c4", "lit": "#ffc04d", "paper": "#efebe1", "sign": "#10151a",
    "seats": ("#86bcf5", "#ff9f7a", "#5fd0be", "#cfa3ec", "#e0c25a", "#f48fb9"),
}  # fmt: skip


def _format_color_rules(colors: Mapping[str, Sequence[str]]) -> str:
    """Return the CSS rules that give the parts of a tree picture the given colours."""
    fills = "".join(f".t-{name}{{fill:{colors[name]}}}" for name in ("ink", "soft", "sign"))
    player_rules = "".join(f".t-s{i}{{fill:{color}}}.t-d{i}{{stroke:{color}}}" for i, color in enumerate(colors["seats"]))
    return (
        f".t-bg{{fill:{colors['bg']};stroke:{colors['edge']}}}.t-ground{{fill:{colors['bg']}}}.t-halo{{stroke:{colors['bg']}}}{fills}{player_rules}.t-di{{stroke:{colors['ink']}}}.t-line,.t-open{{stroke:{colors['line']}}}"
        f".t-open,.t-pill{{fill:{colors['bg']}}}.t-pill{{stroke:{colors['soft']}}}.t-lit{{stroke:{colors['lit']}}}.t-gold{{fill:{colors['lit']}}}.dk-paper{{fill:{colors['paper']}}}"
    )


DARK_STYLE: Final = f"@media (prefers-color-scheme:dark){{{_format_color_rules(DARK_COLORS)}}}"
"""The CSS rules for a dark colour scheme, which do not apply in print."""
STYLE: Final = (
    f"{_format_color_rules(LIGHT_COLORS)}.t-line,.t-lit,.t-set{{fill:none;stroke-linejoin:round;stroke-linecap:round}}.t-set{{stroke-width:1.8;stroke-dasharray:6 4.5}}"
    ".t-never{stroke-opacity:.4}.t-open{stroke-width:1.6}"
    f"text{{font-size:{_FONT_SIZE}px}}.t-small{{font-size:{_SMALL_FONT_SIZE}px}}.t-mid{{text-anchor:middle}}.t-end{{text-anchor:end}}.t-b{{font-weight:650}}.t-title{{font-size:16px;font-weight:650}}"
    ".t-halo{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}"
    f"{DARK_STYLE}"
)
"""The CSS rules of a tree picture, for light and dark colour schemes."""


# --- Texts ---

_CHARACTER_WIDTHS: Final = {
    "−": 0.7,
    **dict.fromkeys("mwMW@%—…ШЩЖЮМФшщжюмф", 0.86),
    **dict.fromkeys("♣♦♥♠★→↓←↑", 0.9),
    **dict.fromkeys("iljtfrI.,:;'|!()[]/ ", 0.34),
}


def measure_text(text: str, size: float = _FONT_SIZE) -> float:
    """Estimate the width of a text, because exact widths are known only in the browser.

    >>> 18 < measure_text("bet") < 24
    True
    """
    total = 0.0
    for character in text:
        if character == "\ufe0e":
            continue
        total += _CHARACTER_WIDTHS.get(character) or (1.0 if character > "\u2e80" else 0.68 if character.isupper() else 0.58)
    return total * size


def measure_small_text(text: str) -> float:
    """Estimate the width of a text in small letters."""
    return measure_text(text, _SMALL_FONT_SIZE)


def clip_text(text: str, max_length: int = 28) -> str:
    """Cut a text to a maximum length, so that it fits on a branch."""
    return text if len(text) <= max_length else f"{text[: max_length - 1].rstrip()}…"


def draw_text(x: float, y: float, text: str, css_class: str = "t-ink") -> str:
    """Draw a text that starts at a given point."""
    return f'<text class="{css_class}" x="{format_number(x)}" y="{format_number(y)}">{escape(text)}</text>' if text else ""


# --- Player symbols ---


def _draw_sign(actor: int) -> str:
    """Draw the symbol of a player or of chance, centred on the origin.

    A player has a shape, a number and a colour; chance is an open ring, and a terminal node is a dot.
    """
    if actor == CHANCE:
        return f'<circle class="t-open" r="{format_number(SIGN_RADIUS * 0.72)}"/>'
    if actor < 0:
        return '<circle class="t-ink" r="2.6"/>'
    number = f'<text class="t-sign t-mid t-b" style="font-size:{format_number(SIGN_RADIUS * 1.25)}px" y="{format_number(SIGN_RADIUS * 0.45)}">{actor + 1}</text>'
    return f'<g class="t-s{actor % SHAPE_COUNT}">{_SHAPES[actor % SHAPE_COUNT](SIGN_RADIUS)}</g>{number}'


def draw_pill(x: float, y: float, text: str) -> str:
    """Draw a rounded box with the number of hidden nodes beside a folded node."""
    width = measure_small_text(text) + 12
    box = f'<rect class="t-pill" x="{format_number(x)}" y="{format_number(y - 8)}" width="{format_number(width)}" height="16" rx="8"/>'
    return box + draw_text(x + width / 2, y + 4, text, "t-soft t-small t-mid")


# --- Numbers ---


def measure_number(text: str) -> float:
    """Estimate the width of a bold number, such as a payoff, that `draw_number` draws.

    >>> measure_number("-1") > 2 * 8.7
    True
    """
    numerator, _, denominator = text.lstrip("-").partition("/")
    return (_BOLD_WIDTH_FACTOR * measure_text("−") if text.startswith("-") else 0) + (
        _measure_fraction_bar(numerator, denominator) if denominator else _BOLD_WIDTH_FACTOR * measure_text(numerator)
    )


def _measure_fraction_bar(numerator: str, denominator: str) -> float:
    """Return the length of the horizontal bar of a fraction."""
    return _BOLD_WIDTH_FACTOR * max(measure_small_text(numerator), measure_small_text(denominator)) + 3


def draw_number(right: float, y: float, text: str, css_class: str) -> str:
    """Draw a bold number whose right end is at `right`; a fraction has a horizontal bar."""
    numerator, _, denominator = text.lstrip("-").partition("/")
    minus = "−" if text.startswith("-") else ""
    if not denominator:
        return draw_text(right, y + 4.5, minus + numerator, f"{css_class} t-end")
    half = _measure_fraction_bar(numerator, denominator) / 2
    middle = right - half
    bar = f'<rect class="{css_class}" x="{format_number(middle - half)}" y="{format_number(y - 0.5)}" width="{format_number(2 * half)}" height="1.1"/>'
    return (
        draw_text(middle, y - 2.6, numerator, f"{css_class} t-small t-mid")
        + bar
        + draw_text(middle, y + 10, denominator, f"{css_class} t-small t-mid")
        + draw_text(middle - half - 1.5, y + 4.5, minus, f"{css_class} t-end")
    )


# --- Cards ---


class SymbolDefinitions:
    """The small cards and player symbols of an SVG picture, each defined only once."""

    def __init__(self, id_prefix: str, card_sheet: CardSheet, ink_of_card: Callable[[Card], str], letters: Mapping[str, str]) -> None:
        self._id_prefix, self._card_sheet, self._ink_of_card = id_prefix, card_sheet, ink_of_card
        self._letters = letters
        self._definitions: dict[str, str] = {}

    def draw_card(self, code: str, x: float, y: float) -> str:
        """Draw a card with its upper left corner at a given point."""
        return self._use_symbol(f"k{code.replace('=', '-')}", lambda: self._draw_card_symbol(Card(code)), x, y)

    def draw_sign(self, actor: int, x: float, y: float) -> str:
        """Draw the symbol of a player or of chance, centred on a given point."""
        return self._use_symbol(f"s{actor}", lambda: _draw_sign(actor), x, y)

    def definitions(self) -> str:
        """Return the SVG definitions of all cards and symbols that the picture uses so far."""
        return "".join(self._definitions.values())

    def _use_symbol(self, name: str, draw: Callable[[], str], x: float, y: float) -> str:
        """Draw a symbol by reference to its SVG definition; the first use adds the definition."""
        if name not in self._definitions:
            self._definitions[name] = f'<g id="{self._id_prefix}{name}">{draw()}</g>'
        return f'<use href="#{self._id_prefix}{name}" x="{format_number(x)}" y="{format_number(y)}"/>'

    def _draw_card_symbol(self, card: Card) -> str:
        """Draw a small card with its rank and suit."""
        width, height = CARD_SIZE
        box = f'<rect class="dk-paper" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="2.5" stroke="#1f2630" stroke-opacity=".55"/>'
        ink = self._ink_of_card(card)
        rank = "★" if card.is_joker else self._letters.get(card.rank, card.rank)
        rank_text = (
            f'<text x="{width / 2:g}" y="11.5" text-anchor="middle" style="font-size:11px;font-weight:700" fill="{ink}">{rank}</text>'
        )
        return box + rank_text + (self._card_sheet.draw_pip(card.suit, width / 2, 18.5, 9) if card.suit else "")


def measure_cards(move: dict[str, object]) -> float:
    """Return the width that the cards of a move take in the picture; 0 for no cards."""
    hands, cards = move.get("hands"), move.get("cards")
    if isinstance(hands, list):
        talon = _get_talon_cards(move)
        rows = sum(_measure_card_row(len(hand)) for hand in hands if hand) + 12 * (sum(map(bool, hands)) - 1)
        return rows + (12 + _measure_card_row(len(talon), is_overlapped=True) if talon else 0)
    if not isinstance(cards, list) or not cards:
        return 0
    return CARD_SIZE[0] + _BEATING_OFFSET[0] if move.get("on") else _measure_card_row(len(cards))


def _measure_card_row(count: int, *, is_overlapped: bool = False) -> float:
    """Return the width of a row of cards."""
    return CARD_SIZE[0] + (count - 1) * _choose_card_step(count, is_overlapped=is_overlapped) if count else 0


def _choose_card_step(count: int, *, is_overlapped: bool) -> int:
    """Return the distance between neighbouring cards in a row; four or more cards overlap."""
    return _OVERLAPPED_CARD_STEP if is_overlapped or count > 3 else CARD_SIZE[0] + _CARD_GAP


def _get_talon_cards(move: dict[str, object]) -> list[str]:
    """Return the first cards of a deal's talon, as many as fit into the picture."""
    talon = move.get("talon")
    return talon[:_MAX_TALON_CARDS] if isinstance(talon, list) else []


def draw_move_cards(symbols: SymbolDefinitions, move: dict[str, object], x: float, y: float) -> str:
    """Draw the cards of a move to the right of `x`, vertically centred on `y`."""
    top = y - CARD_SIZE[1] / 2
    hands = move.get("hands")
    if isinstance(hands, list):
        result = ""
        for hand in filter(None, hands):
            if result:
                result += f'<rect class="t-soft" x="{format_number(x - 6.5)}" y="{format_number(top + 3)}" width="1" height="{CARD_SIZE[1] - 6}"/>'
            result += _draw_card_row(symbols, hand, x, top)
            x += _measure_card_row(len(hand)) + 12
        talon = _draw_card_row(symbols, _get_talon_cards(move), x, top, is_overlapped=True)
        ground = f'<rect class="t-ground" x="{format_number(x)}" y="{format_number(top)}" width="{format_number(_measure_card_row(len(_get_talon_cards(move)), is_overlapped=True))}" height="{CARD_SIZE[1]}"/>'
        return result + (f'{ground}<g opacity=".6">{talon}</g>' if talon else "")
    played, beaten = move.get("cards"), move.get("on")
    if isinstance(beaten, list) and isinstance(played, list):
        return symbols.draw_card(beaten[0], x, top - _BEATING_OFFSET[1] / 2) + symbols.draw_card(
            played[0], x + _BEATING_OFFSET[0], top + _BEATING_OFFSET[1] / 2
        )
    return _draw_card_row(symbols, played, x, top) if isinstance(played, list) else ""


def _draw_card_row(symbols: SymbolDefinitions, codes: Sequence[str], x: float, top: float, *, is_overlapped: bool = False) -> str:
    """Draw cards in a row, side by side or overlapping."""
    step = _choose_card_step(len(codes), is_overlapped=is_overlapped)
    return "".join(symbols.draw_card(code, x + i * step, top) for i, code in enumerate(codes))
