"""Some cards side by side as an image: what a question shows where nothing is live."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final
from zlib import crc32

from durak_widget.engine.card_svg import FONTS, PAPER, RATIO, CardSheet, n
from durak_widget.engine.strokes import INDEX_STYLE, LIGHT
from durak_widget.engine.table_svg import image
from durak_widget.i18n import Suit, Voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.cards import Card

_CARD, _LARGE, _BETWEEN, _APART, _CHIP = 72, 96, 6, 26, 17
"""How wide cards are and the one that stands before them, how far apart they lie, and how large the sign of the trumps is."""
_STYLE: Final = f".{PAPER}{{fill:{LIGHT['paper']}}}{INDEX_STYLE}"


def row(cards: Sequence[Card], *, before: Card | None = None, trump: str | None = None, language: str = "en") -> str:
    """Some cards side by side, as an image for notebooks; perhaps with a large one before them, and the trumps marked.

    >>> from durak_widget import Card
    >>> row([Card("7s"), Card("Td")])[:42]
    '<img alt="7 of spades, 10 of diamonds" src'
    >>> row([Card("7s")], before=Card("9d"), trump="s")[:56]
    '<img alt="9 of diamonds; Trump: spades; 7 of spades" src'
    """
    return image(*drawn_row(cards, before=before, trump=trump, language=language))


def drawn_row(
    cards: Sequence[Card], *, before: Card | None = None, trump: str | None = None, language: str = "en", ticked: Sequence[str] = ()
) -> tuple[str, str]:
    """Some cards side by side, as a drawing and in words; on paper each card has a box to be ticked below it, with a letter.

    >>> from durak_widget import Card
    >>> drawn_row([Card("7s")], ticked=["a"])[1]
    'a: 7 of spades'
    """
    voice = Voice(language)
    told = ", ".join(f"{ticked[place]}: {voice.name(card)}" if ticked else voice.name(card) for place, card in enumerate(cards))
    sheet = CardSheet(f"r{crc32(f'{told}{before}{trump}'.encode()) % 16**6:x}", trump=trump)
    left, top, drawn = 2.0, 2.0, ""
    if before is not None:
        told = "; ".join([voice.name(before), *([voice.say("screen.trump", suit=Suit(trump))] if trump else []), told])
        drawn = sheet.face(before, 2, 2, _LARGE)
        left += _LARGE + _APART
        if trump:
            x, y = left + _CHIP - _BETWEEN, 2 + _LARGE * RATIO / 2
            drawn += f'<circle class="{PAPER}" stroke="#1f2630" stroke-opacity=".4" cx="{n(x)}" cy="{n(y)}" r="{_CHIP}"/>{sheet.pip(trump, x, y, _CHIP * 1.25)}'
            left += 2 * _CHIP + _APART - _BETWEEN
        top += (_LARGE - _CARD) * RATIO / 2
    drawn += "".join(sheet.face(card, left + i * (_CARD + _BETWEEN), top, _CARD) for i, card in enumerate(cards))
    width = n(left - 2 + len(cards) * (_CARD + _BETWEEN))
    height = n((_CARD if before is None else _LARGE) * RATIO + 6)
    below = top + _CARD * RATIO + 8
    for place, label in enumerate(ticked):
        x = left + place * (_CARD + _BETWEEN) + _CARD / 2
        drawn += f'<rect x="{n(x - 19)}" y="{n(below)}" width="17" height="17" fill="#fff" stroke="#000" stroke-width="1.4"/>'
        drawn += f'<text x="{n(x + 5)}" y="{n(below + 14)}" font-family="{FONTS}" font-size="16" font-weight="600">{escape(label)}</text>'
    height = n(max(float(height), below + 20)) if ticked else height
    style = f"{_STYLE}.{PAPER}{{fill:#fff;stroke:#555}}" if ticked else _STYLE
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"><style>{style}</style>{sheet.defs()}{drawn}</svg>'
    return svg, told
