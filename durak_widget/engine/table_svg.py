"""Draws the card table as one player sees it, as self-contained SVG with a description.

The picture depends only on an `Observation`, so it shows only what this player may know. The module also has the layout, the drawing primitives,
and a picture of one row of cards.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from durak_widget.engine import narration
from durak_widget.engine.card_svg import CARD_RATIO, FONT_FAMILY, PAPER_CLASS, READABLE_PART, ROLE_SIGNS, CardSheet, format_number
from durak_widget.i18n import Seat, Suit, Translator
from durak_widget.rules import deal_and_trump, seating

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.cards import Card
    from durak_widget.engine.history import Pair
    from durak_widget.engine.observation import Observation

_MAX_NAME_LENGTH: Final = 10
"""The longest player name, in characters, that the picture draws in the normal font size; longer names are smaller."""
_PAGE_HEIGHT: Final = 900
"""The height of the tallest picture that fits on a printed page without shrinking."""
_FIT_PAGE_STYLE: Final = ";max-height:max(95vh,600px)"
"""The CSS that shrinks a tall picture to the height of a page or screen, but not below 600 pixels."""
WIDTH, HEIGHT, MARGIN = 960, 524, 24
MAX_PLATE_WIDTH, PLATE_HEIGHT = 256, 72
PILE_CARD_WIDTH = 72
"""The width of a card in the talon and in the discard pile."""
PILES_TOP: Final = 116
DISCARD_LEFT: Final = WIDTH - MARGIN - PILE_CARD_WIDTH - 4
CAPTION_Y: Final = 280
"""The y coordinate of the text under the talon, under the discard pile, and under the cards on the table."""
PLAYABLE_LIFT, CARD_GAP, SUIT_GAP, MAX_HAND_ROWS = 14, 6, 0.2, 4
"""The layout of the hand: lift of a playable card, gap between cards, gap between suits (in card widths), maximum rows."""
VISIBLE_ROW_PART: Final = 0.64
"""How much of a row of the hand stays visible above the next row, in card widths."""
MAX_HAND_CARD_WIDTH, MAX_TABLE_CARD_WIDTH = 96, 86
BEAT_OFFSET_X, BEAT_OFFSET_Y = 0.3, 0.26
"""How far a beating card is to the right of the beaten card, and how far below the beaten card, in card widths."""
_PAPER_INK: Final = "#1f2630"
LIGHT_COLORS: Final = {
    "felt": "#3b6a5a",
    "plate": "#2e5648",
    "edge": "#2a4d41",
    "paper": "#fffdf7",
    "text": "#ffffff",
    "soft": "#e2eee8",
    "mark": "#ffe08f",
}
"""The colours of the table in light mode."""
DARK_COLORS: Final = {
    "felt": "#20352e",
    "plate": "#2d473e",
    "edge": "#48655a",
    "paper": "#efebe1",
    "text": "#f3f6f4",
    "soft": "#cfdcd6",
    "mark": "#ffe08f",
}
"""The colours of the table in dark mode."""
PRINT_COLORS: Final = {
    "felt": "#ffffff",
    "plate": "#ffffff",
    "edge": "#555555",
    "paper": "#ffffff",
    "text": "#000000",
    "soft": "#333333",
    "mark": "#555555",
}
"""The colours of the table on paper, where the cloth is not printed."""
_STROKE_COLORS: Final = {"edge": "edge", "sign": "soft", "place": "text", "ring": "mark"}
INDEX_STYLE: Final = ".dk-index{fill:none;stroke:currentColor;stroke-width:3.8;stroke-linejoin:round}"
_ROW_CARD_WIDTH, _ROW_LARGE_WIDTH, _ROW_GAP, _ROW_GROUP_GAP, _ROW_CHIP_RADIUS = 72, 96, 6, 26, 17
"""The layout of a row of cards: widths of a card and of the large first card, two gaps, and radius of the trump symbol."""
_ROW_STYLE: Final = f".{PAPER_CLASS}{{fill:{LIGHT_COLORS['paper']}}}{INDEX_STYLE}"


class Area(NamedTuple):
    """A rectangle in the picture of the table."""

    left: float
    top: float
    width: float
    height: float


TABLE_BOX: Final = Area(206, 104, 630, 176)
PROMPT_BOX: Final = Area(MARGIN, 314, WIDTH - 2 * MARGIN, 40)
HAND_BOX: Final = Area(MARGIN, 378, WIDTH - 2 * MARGIN, 136)


class Picture:
    """A picture of the card table as one seat sees it, for notebooks, with a text description.

    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["8c Qh", "9h Ts"], trump="h", table="7c", attacker=1)
    >>> picture = game.picture(seat=0)
    >>> print(picture)
    Beat the 7 of clubs, or take.
    Player 2 is attacking and has 2 cards.
    Table: 7 of clubs, not beaten; 1 of at most 2 attacking cards.
    Trump: hearts. Talon, 0 cards.
    You are Player 1. You are defending and have 2 cards. Your hand: 8 of clubs, queen of hearts.
    >>> picture.svg == Game.parse(str(game)).svg(0)
    True

    `names` gives opponents the names of bots or people.

    >>> str(Picture(game.view(0), names=((1, "grandmother"),))).splitlines()[1]
    'Grandmother is attacking and has 2 cards.'
    """

    def __init__(
        self,
        view: Observation,
        *,
        four_colors: bool = False,
        language: str = "en",
        show_hand: bool = True,
        names: tuple[tuple[int, str], ...] = (),
        for_print: bool = False,
        card_letters: str = "",
        with_badge: bool = False,
    ) -> None:
        """Create a picture of an observation; if `for_print`, the table has no coloured cloth.

        With `with_badge`, a note says how to start the table, because a picture does not run.
        """
        self._has_badge = with_badge
        self._view, self._four_colors, self._shows_hand, self._style = (
            view,
            four_colors,
            show_hand,
            PRINT_STYLE if for_print else TABLE_STYLE,
        )
        me = None if view.is_hand_hidden else view.seat
        self._spoken_voice = Translator(language, own_seat=me, opponent_keys=names, card_letters=card_letters)
        self._written_voice = replace(self._spoken_voice, cards="signs")

    @cached_property
    def svg(self) -> str:
        """Return the picture as SVG without scripts or links; equal observations give equal SVG."""
        view, voice = self._view, self._written_voice
        prefix = f"d{crc32(f'{self}{self._four_colors}{_mark_letters(voice)}'.encode()) % 16**6:x}"
        sheet = CardSheet(prefix, trump=view.trump, four_colors=self._four_colors, letters=voice.letters)
        parts = (_draw_opponents, _draw_talon, _draw_table, _draw_discard, _draw_call_to_action, *(_draw_hand,) * self._shows_hand)
        drawn = "".join(part(view, sheet, voice) for part in parts) + (_draw_note(voice) if self._has_badge else "")
        height = HEIGHT if self._shows_hand else HAND_BOX.top - 12
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
            f' height="{height}" lang="{voice.language}" role="img" aria-labelledby="{prefix}title" aria-describedby="{prefix}desc" font-family="{FONT_FAMILY}">'
            f'<title id="{prefix}title">{escape(narration.format_title(view, voice))}</title><desc id="{prefix}desc">{escape(str(self))}</desc>'
            f"<style>{self._style}</style>{sheet.render_definitions()}{draw_felt(height)}{drawn}</svg>"
        )

    def __str__(self) -> str:
        return narration.describe_observation(self._view, self._spoken_voice)

    def __repr__(self) -> str:
        return f"<Picture of {self._view!r}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """Return the image that a notebook displays, and a text description of the image.

        Untrusted notebooks display the image too.
        """
        return {"text/html": render_image(self.svg, str(self)), "text/plain": str(self)}


def render_image(svg: str, description: str) -> str:
    """Return an HTML `<img>` element that shows an SVG picture and has a text description.

    Untrusted notebooks display the element too.
    """
    alt = escape(description.replace("\n", " "))
    data = b64encode(svg.encode()).decode()
    height = float(svg.partition(' height="')[2].partition('"')[0] or 0)
    fit_style = _FIT_PAGE_STYLE if _PAGE_HEIGHT < height <= 2 * _PAGE_HEIGHT else ""
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{data}" style="max-width:100%;height:auto{fit_style}">'


# --- Drawing the parts of the table ---


def _draw_note(voice: Translator) -> str:
    """Draw the note that a picture is no running table, and how to start it."""
    text = voice.translate("picture.run")
    half = min(len(text) * 8 + 30, WIDTH // 2 - 20)
    return (
        f'<g transform="translate({WIDTH / 2:g} {TABLE_BOX.top + TABLE_BOX.height / 2:g})" font-size="24" font-weight="700" text-anchor="middle">'
        f'<rect x="{-half:g}" y="-30" width="{2 * half:g}" height="60" rx="30" fill="#000c" stroke="#fff" stroke-width="3"/>'
        f'<text y="9" fill="#fff">{escape(text)}</text></g>'
    )


def _draw_opponents(view: Observation, sheet: CardSheet, voice: Translator) -> str:
    other_seats = seating.seats_clockwise(view.seat, len(view.counts))[:-1]
    space = (WIDTH - 2 * MARGIN) / len(other_seats)
    width = min(MAX_PLATE_WIDTH, space - 8)
    boxes = (Area(MARGIN + (space - width) / 2 + space * i, 18, width, PLATE_HEIGHT) for i in range(len(other_seats)))
    return "".join(_draw_plate(view, seat, box, sheet, voice) for seat, box in zip(other_seats, boxes, strict=True))


def _draw_plate(view: Observation, seat: int, box: Area, sheet: CardSheet, voice: Translator) -> str:
    """Draw the box (plate) of an opponent: name, role, cards, and notes."""
    role, count, x, end = narration.find_role_key(view, seat), view.counts[seat], box.left, box.left + box.width
    epaulettes, is_wide = narration.find_epaulettes(view, seat), box.width == MAX_PLATE_WIDTH
    sign = f'<path class="dk-sign" d="{ROLE_SIGNS[role]}" transform="translate({format_number(x + 13)} 59)"/>' if role in ROLE_SIGNS else ""
    return (
        draw_rect("dk-plate", box, 12)
        + draw_text("dk-name" if len(name := voice.name_player(seat)) <= _MAX_NAME_LENGTH else "dk-name dk-note", x + 14, 46, name)
        + sign
        + draw_text("dk-note", x + (36 if sign else 14), 73, voice.translate(f"role.{role}", who=Seat(seat)), color="dk-soft")
        + (_draw_fan(count, end - 98, sheet) if is_wide and not epaulettes else "")
        + (draw_tag("dk-count", end - (28 if is_wide else 22), 54 if is_wide else 71, str(count)) if count else "")
        + (sheet.draw_epaulettes(epaulettes, end - 92, 31) if is_wide else sheet.draw_epaulettes(epaulettes, x + box.width / 2, 78))
        + _draw_notes(view, seat, x + box.width / 2 - 20, voice)
        + (
            draw_rect("dk-ring", box, 12) + draw_tag("dk-tag", end - 48, 15, voice.translate("screen.to_act"), background_class="dk-mark")
            if seat == view.actor
            else ""
        )
    )


def _draw_notes(view: Observation, seat: int, x: float, voice: Translator) -> str:
    """Draw a label beside a player who is a partner or has shown trumps, else nothing."""
    shown_trumps = " ".join(voice.name_card(card) for who, card in view.shown_trumps if who == seat)
    notes = [voice.translate("screen.partner")] * narration.is_partner(view, seat) + (
        [voice.translate("screen.showed", cards=shown_trumps)] if shown_trumps else []
    )
    return draw_tag("dk-tag", x, 95, ", ".join(notes)) if notes else ""


def _draw_fan(count: int, x: float, sheet: CardSheet) -> str:
    """Draw an opponent's hand as a fan of up to 5 card backs."""
    back_count = min(count, 5)
    turns = [(i - (back_count - 1) / 2) for i in range(back_count)]
    backs = (sheet.draw_back(x + 7 * turn, 28 + 0.8 * turn * turn, 27, 8 * turn) for turn in turns)
    return f'<g class="dk-wide">{"".join(backs)}</g>'


def _draw_talon(view: Observation, sheet: CardSheet, voice: Translator) -> str:
    """Draw the talon, its face-up card, and the trump suit as a word and a symbol."""
    x, y = MARGIN + 4, CAPTION_Y
    words = narration.format_trump(view, voice)
    if view.talon_count or view.turn_up:
        sign = _draw_suit_chip(view.trump, x + 15, y - 7, 15, sheet) if view.trump else ""
        return _draw_talon_cards(view, sheet) + sign + draw_text("dk-trump", x + (38 if sign else 0), y, words)
    sign = _draw_suit_chip(view.trump, x + PILE_CARD_WIDTH / 2, PILES_TOP + PILE_CARD_WIDTH, 36, sheet) if view.trump else ""
    return sign + draw_text("dk-trump", x, y, words)


def _draw_suit_chip(suit: str, x: float, y: float, radius: float, sheet: CardSheet) -> str:
    """Draw a round white disc with the symbol of a suit on it."""
    return f'<circle class="{PAPER_CLASS}" cx="{format_number(x)}" cy="{format_number(y)}" r="{format_number(radius)}"/>{sheet.draw_pip(suit, x, y, radius * 1.25)}'


def _draw_talon_cards(view: Observation, sheet: CardSheet) -> str:
    x, y, card, count = MARGIN + 4, PILES_TOP, view.turn_up, view.talon_count
    location = deal_and_trump.turn_up_location(view.rules) if card else ""
    drawn, in_pile = "", count
    if card and location == "bottom":
        left, in_pile = x + PILE_CARD_WIDTH * (0.55 if count > 1 else 0.2), count - 1
        if deal_and_trump.has_hidden_trump(view.rules) and count > 1:
            drawn, in_pile = sheet.draw_back(left + 7, y + 7, PILE_CARD_WIDTH, 90), count - 2
        drawn += sheet.draw_face(card, left, y, PILE_CARD_WIDTH, 90)
    drawn += draw_pile(in_pile, x, y, sheet)
    if card and location == "top":
        drawn += sheet.draw_face(card, x - 4, y - 10, PILE_CARD_WIDTH)
    if card and location == "aside":
        drawn += sheet.draw_face(card, x + (PILE_CARD_WIDTH + 8 if count else 0), y, PILE_CARD_WIDTH)
    return drawn + (
        draw_tag("dk-count", x + PILE_CARD_WIDTH * (0.5 if in_pile else 0.7), y + PILE_CARD_WIDTH * CARD_RATIO - 4, str(count))
        if count
        else ""
    )


def _draw_table(view: Observation, sheet: CardSheet, voice: Translator) -> str:
    pairs, box = view.table, TABLE_BOX
    open_slots = 0 if view.outcome else max(0, min(view.limit, 6) - len(pairs))
    count = len(pairs) + open_slots
    if not count:
        return _draw_game_over(view, voice)
    columns, width = _fit_grid(count)
    column_width, row_height = width * (1 + BEAT_OFFSET_X + 0.14), width * (CARD_RATIO + BEAT_OFFSET_Y + 0.1)
    rows = -(-count // columns)
    top = box.top + (box.height - row_height * rows + width * 0.1) / 2
    drawn = ""
    for i in range(count):
        row, column = divmod(i, columns)
        in_row = min(columns, count - row * columns)
        x = box.left + (box.width - column_width * in_row + width * 0.14) / 2 + column_width * column
        y = top + row_height * row
        drawn += _draw_pair(pairs[i], x, y, width, sheet) if i < len(pairs) else draw_empty_slot(x, y, width)
    if not pairs:
        return drawn
    caption_y = max(CAPTION_Y, top + row_height * rows + 18)
    return drawn + draw_text(
        "dk-note", box.left + box.width / 2, caption_y, narration.format_attack_count(view, voice), color="dk-soft", anchor="middle"
    )


def _draw_game_over(view: Observation, voice: Translator) -> str:
    """Draw the words that announce the end of the game, and the order in which players left."""
    x, y = TABLE_BOX.left + TABLE_BOX.width / 2, TABLE_BOX.top + TABLE_BOX.height / 2
    order = draw_text("dk-note", x, y + 24, narration.format_finishing_order(view, voice), color="dk-soft", anchor="middle")
    return draw_text("dk-prompt", x, y - 8, voice.translate("picture.over"), anchor="middle") + order


def _fit_grid(count: int) -> tuple[int, float]:
    """Choose the number of columns for which the cards on the table can be drawn largest.

    Return this number and the width of a card.
    """
    box = TABLE_BOX
    layouts = []
    for rows in range(1, 5):
        columns = -(-count // rows)
        width_limit, height_limit = box.width / columns / (1 + BEAT_OFFSET_X + 0.14), box.height / rows / (CARD_RATIO + BEAT_OFFSET_Y + 0.1)
        layouts.append((min(width_limit, height_limit, MAX_TABLE_CARD_WIDTH), -rows, columns))
    width, _, columns = max(layouts)
    return columns, width


def _draw_pair(pair: Pair, x: float, y: float, width: float, sheet: CardSheet) -> str:
    attack, beat = pair
    beating_card = sheet.draw_face(beat, x + BEAT_OFFSET_X * width, y + BEAT_OFFSET_Y * width, width) if beat else ""
    return sheet.draw_face(attack, x, y, width) + beating_card


def _draw_discard(view: Observation, sheet: CardSheet, voice: Translator) -> str:
    x, y, count = DISCARD_LEFT, PILES_TOP, view.discard_count
    if not count:
        return f'<g opacity=".6">{draw_empty_slot(x, y, PILE_CARD_WIDTH)}</g>'
    lower_cards = sheet.draw_back(x, y, PILE_CARD_WIDTH, -7) + sheet.draw_back(x, y, PILE_CARD_WIDTH, 5) if count > 1 else ""
    number = draw_tag("dk-count", x + PILE_CARD_WIDTH / 2, y + PILE_CARD_WIDTH * CARD_RATIO - 4, str(count))
    words = draw_text("dk-note", x + PILE_CARD_WIDTH / 2, CAPTION_Y, voice.translate("picture.discarded"), color="dk-soft", anchor="middle")
    return lower_cards + sheet.draw_back(x, y, PILE_CARD_WIDTH) + number + words


def _draw_call_to_action(view: Observation, sheet: CardSheet, voice: Translator) -> str:
    """Draw the line of text that says whose turn it is and what this player has to do."""
    box, words = PROMPT_BOX, narration.format_call_to_action(view, voice)
    kind = "dk-prompt" if len(words) < 56 else "dk-long"
    own_count = view.counts[view.seat]
    key = "screen.name" if view.is_hand_hidden else "picture.me"
    own_label = " · ".join(
        [voice.translate(key, number=view.seat + 1), *[voice.translate("screen.cards", count=own_count)] * bool(own_count)]
    )
    return (
        draw_rect("dk-plate", box, 12)
        + (draw_rect("dk-ring", box, 12) if view.actor == view.seat else "")
        + draw_text(kind, box.left + 18, box.top + 28, words)
        + draw_text("dk-note dk-wide", box.left + box.width - 18, box.top + 26, own_label, color="dk-soft", anchor="end")
        + sheet.draw_epaulettes(narration.find_epaulettes(view, view.seat), WIDTH / 2, box.top - 44)
    )


def _draw_hand(view: Observation, sheet: CardSheet, voice: Translator) -> str:
    """Draw the observing seat's hand; cards that can be played now are a little higher."""
    if view.is_hand_hidden:
        return _draw_hidden_hand(view.counts[view.seat], sheet)
    box, hand, playable = HAND_BOX, narration.sort_hand(view), narration.find_playable_cards(view)
    if not hand:
        words = voice.translate("picture.out" if view.role == "out" else "picture.empty")
        return draw_text("dk-note", WIDTH / 2, box.top + 70, words, color="dk-soft", anchor="middle")
    rows, width = _fit_hand_rows(hand)
    drawn = ""
    for row, cards in enumerate(rows):
        step, offsets = _compute_card_step(cards, width), _compute_card_offsets(cards)
        left = box.left + (box.width - width - step * offsets[-1]) / 2
        for card, offset in zip(cards, offsets, strict=True):
            lift = PLAYABLE_LIFT / len(rows) if card in playable else 0
            drawn += sheet.draw_face(card, left + step * offset, box.top + VISIBLE_ROW_PART * width * row - lift, width)
    return drawn


def _draw_hidden_hand(count: int, sheet: CardSheet) -> str:
    """Draw a hidden hand as a row of card backs."""
    step = min(PILE_CARD_WIDTH + CARD_GAP, (HAND_BOX.width - PILE_CARD_WIDTH) / max(1, count - 1))
    left = HAND_BOX.left + (HAND_BOX.width - PILE_CARD_WIDTH - step * (count - 1)) / 2
    return "".join(sheet.draw_back(left + step * i, HAND_BOX.top + PLAYABLE_LIFT, PILE_CARD_WIDTH) for i in range(count))


def _fit_hand_rows(hand: Sequence[Card]) -> tuple[list[Sequence[Card]], float]:
    """Split a hand into as few rows as possible so that each card is readable.

    Return the rows and the width of a card.
    """
    rows, width = [hand], _fit_card_width(hand)
    while len(rows) < MAX_HAND_ROWS and any(_compute_card_step(row, width) < READABLE_PART * width for row in rows):
        per_row = -(-len(hand) // (len(rows) + 1))
        rows = [hand[i : i + per_row] for i in range(0, len(hand), per_row)]
        width = HAND_BOX.height / (CARD_RATIO + VISIBLE_ROW_PART * (len(rows) - 1))
    return rows, width


def _fit_card_width(hand: Sequence[Card]) -> float:
    """Return the width of a card in a hand of one row; prefer narrower cards to overlaps."""
    steps = _compute_card_offsets(hand)[-1]
    side_by_side = (HAND_BOX.width - CARD_GAP * steps) / (steps + 1)
    return side_by_side if MAX_HAND_CARD_WIDTH > side_by_side > 0.84 * MAX_HAND_CARD_WIDTH else MAX_HAND_CARD_WIDTH


def _compute_card_step(row: Sequence[Card], width: float) -> float:
    """Return the distance between the left edges of neighbouring cards in a row."""
    return min(width + CARD_GAP, (HAND_BOX.width - width) / (_compute_card_offsets(row)[-1] or 1))


def _compute_card_offsets(row: Sequence[Card]) -> list[float]:
    """Return each card's distance from the first card of its row, with gaps between suits.

    The unit is the distance between two neighbouring cards.
    """
    return [i + SUIT_GAP * (len({card.suit for card in row[: i + 1]}) - 1) for i in range(len(row))]


def _format_color_styles(colors: dict[str, str]) -> str:
    fills = "".join(f".dk-{name}{{fill:{colors[name]}}}" for name in ("felt", "plate", "text", "soft", "mark"))
    strokes = "".join(f".dk-{kind}{{stroke:{colors[name]}}}" for kind, name in _STROKE_COLORS.items())
    return f"{fills}.{PAPER_CLASS}{{fill:{colors['paper']}}}{strokes}"


TABLE_STYLE: Final = (
    f"{_format_color_styles(LIGHT_COLORS)}.dk-dark{{fill:{_PAPER_INK}}}.dk-sign,.dk-place,.dk-ring{{fill:none;stroke-width:2}}"
    ".dk-ring{stroke-width:3.5}.dk-place{stroke-opacity:.5;stroke-dasharray:7 6}"
    f"{INDEX_STYLE}"
    ".dk-count,.dk-tag{font-weight:600;text-anchor:middle}.dk-name{font-size:20px;font-weight:600}.dk-trump{font-size:19px;font-weight:600}"
    ".dk-note{font-size:17px}.dk-prompt{font-size:22px}.dk-long{font-size:19px}.dk-count{font-size:18px}"
    ".dk-tag{font-size:15px}"
    "@media (max-width:560px){.dk-name{font-size:26px}.dk-trump{font-size:22px}.dk-note{font-size:21px}"
    ".dk-prompt{font-size:29px}.dk-long{font-size:23px}.dk-count{font-size:22px}.dk-tag{font-size:18px}"
    ".dk-wide{display:none}}"
    f"@media (prefers-color-scheme:dark){{{_format_color_styles(DARK_COLORS)}}}"
)
PRINT_STYLE: Final = f"{TABLE_STYLE}{_format_color_styles(PRINT_COLORS)}.dk-plate{{stroke:{PRINT_COLORS['edge']}}}.{PAPER_CLASS}{{stroke:{PRINT_COLORS['edge']}}}"
"""The CSS of a picture for printing, which is also readable in black and white."""


def draw_felt(height: float) -> str:
    """Draw the cloth and the edge of the card table, as the background of the picture."""
    return f'<rect class="dk-felt dk-edge" x=".5" y=".5" width="{WIDTH - 1}" height="{format_number(height - 1)}" rx="18"/>'


def draw_text(css_class: str, x: float, y: float, text: str, *, color: str = "dk-text", anchor: str = "") -> str:
    """Draw text at (x, y)."""
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{css_class} {color}" x="{format_number(x)}" y="{format_number(y)}"{anchored}>{escape(text)}</text>'


def draw_rect(css_class: str, box: Area, radius: float) -> str:
    """Draw a rectangle with rounded corners."""
    size = f'width="{format_number(box.width)}" height="{format_number(box.height)}"'
    return f'<rect class="{css_class}" x="{format_number(box.left)}" y="{format_number(box.top)}" {size} rx="{format_number(radius)}"/>'


def draw_empty_slot(x: float, y: float, width: float) -> str:
    """Draw a dashed outline where a card can be played."""
    return draw_rect("dk-place", Area(x + 1, y + 1, width - 2, width * CARD_RATIO - 2), width * 0.085)


def draw_tag(css_class: str, x: float, y: float, text: str, *, background_class: str = PAPER_CLASS) -> str:
    """Draw a small label with text, centred on (x, y)."""
    width = max(40, 8 * len(text) + 24)
    return draw_rect(background_class, Area(x - width / 2, y - 13, width, 26), 13) + draw_text(css_class, x, y + 6, text, color="dk-dark")


def draw_pile(count: int, x: float, y: float, sheet: CardSheet) -> str:
    """Draw a pile of face-down cards; more cards make a taller pile."""
    layers = min(count, 1 + count // 6, 5)
    return "".join(sheet.draw_back(x - 1.5 * i, y - 2 * i, PILE_CARD_WIDTH) for i in range(layers))


def _mark_letters(voice: Translator) -> str:
    """Return a text that distinguishes pictures that differ only in the letters on cards."""
    return "" if voice.card_letters == "international" else voice.card_letters


def render_card_row(cards: Sequence[Card], *, first_card: Card | None = None, trump: str | None = None, language: str = "en") -> str:
    """Return an HTML image of a row of cards, for notebooks.

    `first_card` adds a large card before the row, and `trump` adds the symbol of the trump suit.

    >>> from durak_widget import Card
    >>> render_card_row([Card("7s"), Card("Td")])[:42]
    '<img alt="7 of spades, 10 of diamonds" src'
    >>> render_card_row([Card("7s")], first_card=Card("9d"), trump="s")[:56]
    '<img alt="9 of diamonds; Trump: spades; 7 of spades" src'
    """
    return render_image(*draw_card_row(cards, first_card=first_card, trump=trump, language=language))


def draw_card_row(
    cards: Sequence[Card],
    *,
    first_card: Card | None = None,
    trump: str | None = None,
    language: str = "en",
    tick_labels: Sequence[str] = (),
) -> tuple[str, str]:
    """Draw a row of cards; return the SVG and a text description of the row.

    With `tick_labels`, for paper exams, each card has a box to tick below it, with its label.

    >>> from durak_widget import Card
    >>> draw_card_row([Card("7s")], tick_labels=["a"])[1]
    'a: 7 of spades'
    """
    voice = Translator(language)
    description = ", ".join(
        f"{tick_labels[index]}: {voice.name_card(card)}" if tick_labels else voice.name_card(card) for index, card in enumerate(cards)
    )
    prefix = f"r{crc32(f'{description}{first_card}{trump}{_mark_letters(voice)}'.encode()) % 16**6:x}"
    sheet = CardSheet(prefix, trump=trump, letters=voice.letters)
    left, top, drawn = 2.0, 2.0, ""
    if first_card is not None:
        description = "; ".join(
            [voice.name_card(first_card), *([voice.translate("screen.trump", suit=Suit(trump))] if trump else []), description]
        )
        drawn = sheet.draw_face(first_card, 2, 2, _ROW_LARGE_WIDTH)
        left += _ROW_LARGE_WIDTH + _ROW_GROUP_GAP
        if trump:
            x, y = left + _ROW_CHIP_RADIUS - _ROW_GAP, 2 + _ROW_LARGE_WIDTH * CARD_RATIO / 2
            drawn += f'<circle class="{PAPER_CLASS}" stroke="#1f2630" stroke-opacity=".4" cx="{format_number(x)}" cy="{format_number(y)}" r="{_ROW_CHIP_RADIUS}"/>{sheet.draw_pip(trump, x, y, _ROW_CHIP_RADIUS * 1.25)}'
            left += 2 * _ROW_CHIP_RADIUS + _ROW_GROUP_GAP - _ROW_GAP
        top += (_ROW_LARGE_WIDTH - _ROW_CARD_WIDTH) * CARD_RATIO / 2
    drawn += "".join(sheet.draw_face(card, left + i * (_ROW_CARD_WIDTH + _ROW_GAP), top, _ROW_CARD_WIDTH) for i, card in enumerate(cards))
    width = format_number(left - 2 + len(cards) * (_ROW_CARD_WIDTH + _ROW_GAP))
    height = format_number((_ROW_CARD_WIDTH if first_card is None else _ROW_LARGE_WIDTH) * CARD_RATIO + 6)
    tick_top = top + _ROW_CARD_WIDTH * CARD_RATIO + 8
    for index, label in enumerate(tick_labels):
        x = left + index * (_ROW_CARD_WIDTH + _ROW_GAP) + _ROW_CARD_WIDTH / 2
        drawn += f'<rect x="{format_number(x - 19)}" y="{format_number(tick_top)}" width="17" height="17" fill="#fff" stroke="#000" stroke-width="1.4"/>'
        drawn += f'<text x="{format_number(x + 5)}" y="{format_number(tick_top + 14)}" font-family="{FONT_FAMILY}" font-size="16" font-weight="600">{escape(label)}</text>'
    height = format_number(max(float(height), tick_top + 20)) if tick_labels else height
    style = f"{_ROW_STYLE}.{PAPER_CLASS}{{fill:#fff;stroke:#555}}" if tick_labels else _ROW_STYLE
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"><style>{style}</style>{sheet.render_definitions()}{drawn}</svg>'
    return svg, description
