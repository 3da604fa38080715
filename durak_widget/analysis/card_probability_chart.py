"""Draws a chart of the probability of each card of the deck in each hidden place."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Final
from zlib import crc32

from durak_widget.cards import SUIT_SIGNS, SUITS, Card, CardSet
from durak_widget.engine.card_svg import FONTS
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.table_svg import DARK, LIGHT, image
from durak_widget.i18n import Voice
from durak_widget.rules import seating

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from durak_widget.engine.observation import View

_CELL_WIDTH, _CELL_HEIGHT, _LEFT, _HEAD, _GAP, _MARGIN = 46, 28, 40, 62, 14, 18
_UNKNOWN: Final = "?"
_HALF_FULL: Final = 0.28
"""Fill opacity above which a cell's number is dark."""
_INK: Final = "#000000"


class ChanceGrid:
    """Chart of where cards may be; `str()` gives it as a table of percentages.

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

    def __init__(self, view: View, chances: Mapping[int | None, Mapping[Card, Fraction] | None], *, language: str = "en") -> None:
        self._view, self._voice = view, Voice(language)
        self._chances = chances
        """Probability of each card by seat, and by None for the talon; None if there is too much to count."""

    @cached_property
    def _places(self) -> list[tuple[str, Mapping[Card, Fraction] | None]]:
        """Return each place's caption and chances, clockwise from the viewer, the talon last."""
        view, voice = self._view, self._voice
        captioned = []
        for seat in seating.clockwise(view.seat, len(view.counts))[:-1]:
            if view.counts[seat]:
                count = voice.say("screen.cards", count=view.counts[seat])
                captioned.append((f"{voice.say('screen.name', number=seat + 1)}, {count}", self._chances[seat]))
        if view.talon_count:
            captioned.append((voice.say("screen.talon", count=view.talon_count), self._chances[None]))
        return captioned

    @cached_property
    def _rows(self) -> list[tuple[str, list[Card | None]]]:
        """Return the cards of the deck by suit and rank, with jokers in a row of their own."""
        deck = list(CardSet.of(kit_of(self._view.rules).all_cards))
        ranks = [rank for rank in "23456789TJQKA" if any(card.rank == rank for card in deck)]
        by_name = {str(card): card for card in deck}
        rows: list[tuple[str, list[Card | None]]] = [
            (SUIT_SIGNS[suit], [by_name.get(rank + suit) for rank in ranks]) for suit in SUITS if any(card.suit == suit for card in deck)
        ]
        jokers: list[Card | None] = [card for name, card in by_name.items() if card.is_joker]
        return [*rows, ("★", jokers)] if jokers else rows

    @property
    def _heads(self) -> list[str]:
        return ["10" if card.rank == "T" else card.rank for card in self._rows[0][1] if card is not None]

    def __str__(self) -> str:
        lines = []
        for caption, chances in self._places:
            lines += [caption, "  " + "".join(f"{head:>4}" for head in self._heads)]
            lines += [f"{sign} " + "".join(f"{_percent(chances, card):>4}" for card in cards).rstrip() for sign, cards in self._rows]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Grid of {self._view!r}>"

    @cached_property
    def svg(self) -> str:
        """Return the chart as an SVG for light and dark mode; likelier cards have fuller cells."""
        columns = max(len(cards) for _, cards in self._rows)
        width = 2 * _MARGIN + _LEFT + columns * _CELL_WIDTH
        block_height = _HEAD + len(self._rows) * _CELL_HEIGHT + _GAP
        height = 2 * _MARGIN + len(self._places) * block_height
        blocks = "".join(self._block(caption, chances, _MARGIN + i * block_height) for i, (caption, chances) in enumerate(self._places))
        name = f"w{crc32(str(self).encode()):x}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"'
            f' lang="{self._voice.language}" aria-labelledby="{name}" font-family="{FONTS}" font-size="14">'
            f'<title id="{name}">{escape("; ".join(caption for caption, _ in self._places))}</title><desc>{escape(str(self))}</desc>'
            f"<style>{_STYLE}</style>"
            f'<rect class="dg-felt" width="{width}" height="{height}" rx="14"/>{blocks}</svg>'
        )

    def _block(self, caption: str, chances: Mapping[Card, Fraction] | None, top: int) -> str:
        parts = [_text(_MARGIN, top + 20, caption, "dg-text", "start", 'font-size="18" font-weight="600"')]
        for column, head in enumerate(self._heads):
            parts.append(_text(_MARGIN + _LEFT + (column + 0.5) * _CELL_WIDTH, top + _HEAD - 10, head, "dg-soft"))
        for row, (sign, cards) in enumerate(self._rows):
            y = top + _HEAD + row * _CELL_HEIGHT
            parts.append(_text(_MARGIN + _LEFT / 2, y + 19, sign, "dg-text", extra='font-size="18"'))
            for column, card in enumerate(cards):
                x = _MARGIN + _LEFT + column * _CELL_WIDTH
                chance = float(chances[card]) if chances is not None and card is not None else 0.0
                parts.append(
                    f'<rect class="dg-cell" x="{x + 1}" y="{y + 1}" width="{_CELL_WIDTH - 2}" height="{_CELL_HEIGHT - 2}" rx="4"/>'
                    f'<rect class="dg-mark" x="{x + 1}" y="{y + 1}" width="{_CELL_WIDTH - 2}" height="{_CELL_HEIGHT - 2}" rx="4"'
                    f' fill-opacity="{_fullness(chance):.3g}"/>'
                )
                parts.append(_text(x + _CELL_WIDTH / 2, y + 19, _percent(chances, card), "dg-ink" if chance > _HALF_FULL else "dg-text"))
        return "".join(parts)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """Show the chart in a notebook as an image, even if untrusted, and as text."""
        return {"text/html": image(self.svg, str(self)), "text/plain": str(self)}


def _percent(chances: Mapping[Card, Fraction] | None, card: Card | None) -> str:
    """Return a probability as people read it, and never round to impossible or certain.

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


def _fullness(chance: float) -> float:
    """Return the fill opacity of a cell, which grows with the probability.

    It has a small step where the number turns from light to dark, so that both are easy to read.
    """
    return chance if chance <= _HALF_FULL else 1 - (1 - chance) * 0.66 / (1 - _HALF_FULL)


def _text(x: float, y: float, words: str, kind: str, anchor: str = "middle", extra: str = "") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}" {extra}>{escape(words)}</text>' if words else ""


def _colors(of: Mapping[str, str]) -> str:
    return (
        f".dg-felt{{fill:{of['felt']}}}.dg-cell{{fill:{of['plate']}}}.dg-mark{{fill:{of['mark']}}}"
        f".dg-text{{fill:{of['text']}}}.dg-soft{{fill:{of['soft']}}}.dg-ink{{fill:{_INK}}}"
    )


_STYLE: Final = f"{_colors(LIGHT)}@media (prefers-color-scheme:dark){{{_colors(DARK)}}}"
