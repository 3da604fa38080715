"""Draws a chart of the probability that each card is in each hidden hand or in the talon."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Final
from zlib import crc32

from durak_widget.cards import SUIT_SIGNS, SUITS, Card, CardSet
from durak_widget.engine.card_svg import FONT_FAMILY
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.table_svg import DARK_COLORS, LIGHT_COLORS, render_image
from durak_widget.i18n import Translator
from durak_widget.rules import seating

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from durak_widget.engine.observation import Observation

_CELL_WIDTH, _CELL_HEIGHT, _ROW_LABEL_WIDTH, _HEADING_HEIGHT, _GAP, _MARGIN = 46, 28, 40, 62, 14, 18
_UNKNOWN: Final = "?"
_DARK_TEXT_OPACITY: Final = 0.28
"""The fill opacity of a chart cell above which the number in the cell is dark instead of light."""
_INK: Final = "#000000"


class CardProbabilityChart:
    """A chart that shows how probable each card is in each hidden hand and in the talon.

    `str()` turns it into a table of percentages.

    >>> from durak_widget import Game, analysis
    >>> game = Game.from_position("econ431", hands=["9c Tc", "Jc Qc"], trump="h", discard="9d Td Jd Qd Kd Ad 9h Th Jh Qh Kh Ah 9s Ts Js")
    >>> print(analysis.worlds(game.view(0)).picture())
    Player 2, 2 cards
         9  10   J   Q   K   A
    ♣    ·   ·  29  29  29  29
    ♦    ·   ·   ·   ·   ·   ·
    ♥    ·   ·   ·   ·   ·   ·
    ♠    ·   ·   ·  29  29  29
    """

    def __init__(self, view: Observation, chances: Mapping[int | None, Mapping[Card, Fraction] | None], *, language: str = "en") -> None:
        self._view, self._voice = view, Translator(language)
        self._chances = chances
        """For each seat (None for the talon): the probability of each card, or None if counting would take too long."""

    @cached_property
    def _captioned_chances(self) -> list[tuple[str, Mapping[Card, Fraction] | None]]:
        """Return a caption and the card probabilities for each hidden hand and for the talon."""
        view, voice = self._view, self._voice
        captioned = []
        for seat in seating.seats_clockwise(view.seat, len(view.counts))[:-1]:
            if view.counts[seat]:
                count = voice.translate("screen.cards", count=view.counts[seat])
                captioned.append((f"{voice.translate('screen.name', number=seat + 1)}, {count}", self._chances[seat]))
        if view.talon_count:
            captioned.append((voice.translate("screen.talon", count=view.talon_count), self._chances[None]))
        return captioned

    @cached_property
    def _card_rows(self) -> list[tuple[str, list[Card | None]]]:
        """Return the rows of cards in the chart: one for each suit, and one for the jokers."""
        deck = list(CardSet.from_mask(compile_rules(self._view.rules).deck_mask))
        ranks = [rank for rank in "23456789TJQKA" if any(card.rank == rank for card in deck)]
        by_name = {str(card): card for card in deck}
        rows: list[tuple[str, list[Card | None]]] = [
            (SUIT_SIGNS[suit], [by_name.get(rank + suit) for rank in ranks]) for suit in SUITS if any(card.suit == suit for card in deck)
        ]
        jokers: list[Card | None] = [card for name, card in by_name.items() if card.is_joker]
        return [*rows, ("★", jokers)] if jokers else rows

    @property
    def _rank_headings(self) -> list[str]:
        """Return the rank of each column of the chart as text."""
        letters = self._voice.letters
        return [letters.get(card.rank, card.rank) for card in self._card_rows[0][1] if card is not None]

    def __str__(self) -> str:
        lines = []
        for caption, chances in self._captioned_chances:
            lines += [caption, "  " + "".join(f"{head:>4}" for head in self._rank_headings)]
            lines += [
                f"{sign} " + "".join(f"{_format_percent(chances, card):>4}" for card in cards).rstrip() for sign, cards in self._card_rows
            ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<CardProbabilityChart of {self._view!r}>"

    @cached_property
    def svg(self) -> str:
        """Return the chart as an SVG image for light and dark mode, with probable cards darker."""
        columns = max(len(cards) for _, cards in self._card_rows)
        width = 2 * _MARGIN + _ROW_LABEL_WIDTH + columns * _CELL_WIDTH
        block_height = _HEADING_HEIGHT + len(self._card_rows) * _CELL_HEIGHT + _GAP
        height = 2 * _MARGIN + len(self._captioned_chances) * block_height
        blocks = "".join(
            self._draw_block(caption, chances, _MARGIN + i * block_height) for i, (caption, chances) in enumerate(self._captioned_chances)
        )
        name = f"w{crc32(str(self).encode()):x}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"'
            f' lang="{self._voice.language}" aria-labelledby="{name}" font-family="{FONT_FAMILY}" font-size="14">'
            f'<title id="{name}">{escape("; ".join(caption for caption, _ in self._captioned_chances))}</title><desc>{escape(str(self))}</desc>'
            f"<style>{_STYLE}</style>"
            f'<rect class="dg-felt" width="{width}" height="{height}" rx="14"/>{blocks}</svg>'
        )

    def _draw_block(self, caption: str, chances: Mapping[Card, Fraction] | None, top: int) -> str:
        """Draw the table of cards for one hidden hand, or for the talon."""
        parts = [_text_element(_MARGIN, top + 20, caption, "dg-text", "start", 'font-size="18" font-weight="600"')]
        for column, head in enumerate(self._rank_headings):
            parts.append(
                _text_element(_MARGIN + _ROW_LABEL_WIDTH + (column + 0.5) * _CELL_WIDTH, top + _HEADING_HEIGHT - 10, head, "dg-soft")
            )
        for row, (sign, cards) in enumerate(self._card_rows):
            y = top + _HEADING_HEIGHT + row * _CELL_HEIGHT
            parts.append(_text_element(_MARGIN + _ROW_LABEL_WIDTH / 2, y + 19, sign, "dg-text", extra='font-size="18"'))
            for column, card in enumerate(cards):
                x = _MARGIN + _ROW_LABEL_WIDTH + column * _CELL_WIDTH
                chance = float(chances[card]) if chances is not None and card is not None else 0.0
                parts.append(
                    f'<rect class="dg-cell" x="{x + 1}" y="{y + 1}" width="{_CELL_WIDTH - 2}" height="{_CELL_HEIGHT - 2}" rx="4"/>'
                    f'<rect class="dg-mark" x="{x + 1}" y="{y + 1}" width="{_CELL_WIDTH - 2}" height="{_CELL_HEIGHT - 2}" rx="4"'
                    f' fill-opacity="{_fill_opacity(chance):.3g}"/>'
                )
                parts.append(
                    _text_element(
                        x + _CELL_WIDTH / 2, y + 19, _format_percent(chances, card), "dg-ink" if chance > _DARK_TEXT_OPACITY else "dg-text"
                    )
                )
        return "".join(parts)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """Return the chart as text and as an image that Jupyter shows in untrusted notebooks too."""
        return {"text/html": render_image(self.svg, str(self)), "text/plain": str(self)}


def _format_percent(chances: Mapping[Card, Fraction] | None, card: Card | None) -> str:
    """Format a probability as a percentage that is never rounded to 0 % or 100 %.

    A dot is impossible, and a tick certain.
    """
    if card is None:
        return ""
    if chances is None:
        return _UNKNOWN
    chance = chances[card]
    if chance in (0, 1):
        return "✓" if chance else "·"
    rounded = round(100 * chance)
    return "<1" if rounded == 0 else ">99" if rounded == 100 else str(rounded)


def _fill_opacity(chance: float) -> float:
    """Return the fill opacity of a cell, which grows with the probability of the card.

    It has a small step where the number turns from light to dark, so that both are easy to read.
    """
    return chance if chance <= _DARK_TEXT_OPACITY else 1 - (1 - chance) * 0.66 / (1 - _DARK_TEXT_OPACITY)


def _text_element(x: float, y: float, text: str, css_class: str, anchor: str = "middle", extra: str = "") -> str:
    """Return an SVG text element; empty text gives no element."""
    return f'<text class="{css_class}" x="{x:g}" y="{y:g}" text-anchor="{anchor}" {extra}>{escape(text)}</text>' if text else ""


def _color_rules(theme: Mapping[str, str]) -> str:
    """Return the CSS rules of a colour theme."""
    return (
        f".dg-felt{{fill:{theme['felt']}}}.dg-cell{{fill:{theme['plate']}}}.dg-mark{{fill:{theme['mark']}}}"
        f".dg-text{{fill:{theme['text']}}}.dg-soft{{fill:{theme['soft']}}}.dg-ink{{fill:{_INK}}}"
    )


_STYLE: Final = f"{_color_rules(LIGHT_COLORS)}@media (prefers-color-scheme:dark){{{_color_rules(DARK_COLORS)}}}"
