"""The faces and backs of the cards as SVG, each defined once in a picture and used wherever it lies.

A card is drawn on 100 x 140 units, a pip on 20 x 20 around its middle. All drawings are paths written here.
"""

from __future__ import annotations

from typing import Final

RATIO: Final = 1.4
"""The height of a card whose width is 1."""
INDEX: Final = 0.27
"""How much of a card whose width is 1 must be seen, from its left edge, to read it."""

_INKS: Final = {"c": "#1f2630", "d": "#b3202c", "h": "#b3202c", "s": "#1f2630", "red": "#b3202c", "black": "#1f2630"}
_FOUR_INKS: Final = {**_INKS, "c": "#176b3a", "d": "#1b57a6"}

_PIPS: Final = {
    "c": "M3.4-2.6a4.7 4.7 0 1 0-6.8 0A4.7 4.7 0 1 0-.8 5.1Q-1 8.6-3.4 10H3.4Q1 8.6.8 5.1A4.7 4.7 0 1 0 3.4-2.6z",
    "d": "M0-10.5Q3.4-4.6 8 0 3.4 4.6 0 10.5-3.4 4.6-8 0-3.4-4.6 0-10.5z",
    "h": "M0 9.6C-3 5.2-9.6 1.4-9.6-4-9.6-7.4-7.3-9.2-4.9-9.2-2.6-9.2-.8-7.9 0-5.6.8-7.9 2.6-9.2 4.9-9.2 7.3-9.2"
    " 9.6-7.4 9.6-4 9.6 1.4 3 5.2 0 9.6z",
    "s": "M0-10C2-5.6 9.4-2 9.4 3.2 9.4 6 7.2 7.5 5 7.5 3.2 7.5 1.7 6.6.8 5.1Q1 8.6 3.4 10H-3.4Q-1 8.6-.8 5.1C-1.7"
    " 6.6-3.2 7.5-5 7.5-7.2 7.5-9.4 6-9.4 3.2-9.4-2-2-5.6 0-10z",
}

_LEFT, _MIDDLE, _RIGHT = 36, 50, 64
_FOURTH, _EIGHTH = 28, 14
_ROWS: Final = {2: (28, 112), 3: (28, 70, 112), 4: (28, 56, 84, 112)}
_COLUMNS: Final[dict[str, tuple[int, tuple[int, ...]]]] = {
    "2": (0, (28, 112)),
    "3": (0, (28, 70, 112)),
    "4": (2, ()),
    "5": (2, (70,)),
    "6": (3, ()),
    "7": (3, (49,)),
    "8": (3, (49, 91)),
    "9": (4, (70,)),
    "T": (4, (42, 98)),
}
"""How many pips stand in each of the two columns, and at what height those in the middle."""

_BASE: Final = (
    '<rect x="1" y="3" width="100" height="140" rx="9" opacity=".22"/>'
    '<rect class="dk-paper" x=".5" y=".5" width="99" height="139" rx="8.5" stroke="#1f2630" stroke-opacity=".35"/>'
)
_BACK: Final = (
    '<rect x="7" y="7" width="86" height="126" rx="5" fill="#33507c"/>'
    '<path d="M15 15H85V125H15zM50 15L85 70 50 125 15 70zM50 43L67.2 70 50 97 32.8 70zM32.5 15L15 42.5M67.5 15L85 42.5'
    'M32.5 125L15 97.5M67.5 125L85 97.5" fill="none" stroke="#b9c8e2" stroke-width="2.4" stroke-linejoin="round"/>'
)
_TRUMP: Final = '<path d="M1 18V9A8 8 0 0 1 9 1H18z"/>'

# A court card is half a figure, seen again upside down. `.dk-…` are not used here: a figure is drawn in one ink, in
# three strengths: full, half and pale.
_PALE, _HALF = 'fill-opacity=".16"', 'fill-opacity=".5"'
_LINE: Final = 'fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"'
_HALVES: Final = {
    "J": (
        f'<path d="M27 70V60Q29 49 42 47H58Q71 49 73 60V70z" {_PALE}/>'
        f'<path d="M44 47L50 56 56 47 60 49 50 66 40 49zM27 70V62L40 70zM73 70V62L60 70z" {_HALF}/>'
        '<path d="M38 28H62V42Q62 45 59 45H41Q38 45 38 42z"/>'
        '<path class="dk-paper" d="M42.5 29H57.5V38Q57 45 50 46.500 43 45 42.500 38z"/>'
        '<path d="M36 29Q33 20 42 17 57 13 64 21 66 26 64 29z"/>'
        f'<path d="M59 19Q62 11 72 13 70 21 63 24" {_LINE}/>'
    ),
    "Q": "",
    "K": "",
}
