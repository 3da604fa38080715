"""Cards on paper: each drawing is defined once on a page and used wherever it lies."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from durak_widget.engine.card_svg import FONTS, PAPER, RATIO, CardSheet, n
from durak_widget.engine.table_svg import INDEX_STYLE, LIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.cards import Card
    from durak_widget.i18n import Voice

_WIDE, _BETWEEN, _CAPTION = 100.0, 6.0, 26.0
"""A card and what lies between two, in the units of the drawing; and the room for what stands over a card."""
STYLE: Final = f".{PAPER}{{fill:{LIGHT['paper']}}}{INDEX_STYLE}.over{{font:600 20px {FONTS};fill:var(--soft);text-anchor:middle}}"


class Cards:
    """The cards of one page."""

    def __init__(self, voice: Voice) -> None:
        self._sheet, self._voice = CardSheet("d", trump=None), voice

    def row(self, cards: Sequence[Card], *, width: float, over: Sequence[str] = ()) -> str:
        """Cards side by side, each so many millimetres wide, perhaps with words over each."""
        top = _CAPTION if over else 0.0
        step = _WIDE + _BETWEEN
        drawn = "".join(self._sheet.face(card, 1 + step * place, top + 1, _WIDE) for place, card in enumerate(cards))
        words = "".join(
            f'<text class="over" x="{n(1 + step * place + _WIDE / 2)}" y="18">{escape(word)}</text>' for place, word in enumerate(over)
        )
        across, down = step * len(cards) - _BETWEEN + 3, _WIDE * RATIO + top + 4
        told = escape(", ".join(map(self._voice.name, cards)))
        return f'<svg class="cards" role="img" aria-label="{told}" viewBox="0 0 {n(across)} {n(down)}" style="width:{n(width * across / _WIDE)}mm">{words}{drawn}</svg>'

    def defs(self) -> str:
        """The drawings; they stand once on the page, after all rows are made."""
        return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{self._sheet.defs()}</svg>'
