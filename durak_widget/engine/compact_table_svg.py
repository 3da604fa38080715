"""Draws a small picture of a table for two players, with an arrow for the last move.

The picture is 320 units wide, so its cards can be read on a phone. Its colours are CSS classes of the page, so it follows the theme of the
table around it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from durak_widget.engine import narration
from durak_widget.engine.card_svg import CARD_RATIO, CardSheet, format_number
from durak_widget.engine.table_svg import BEAT_OFFSET_X, BEAT_OFFSET_Y, Area, draw_rect, draw_text
from durak_widget.i18n import Seat, Translator

if TYPE_CHECKING:
    from durak_widget.cards import Card
    from durak_widget.engine.observation import Observation

WIDTH, HEIGHT = 320, 236
_MARGIN: Final = 12
_TABLE_TOP, _TABLE_CARD_WIDTH, _PAIR_GAP = 56, 54, 14
_TABLE_CARD_HEIGHT: Final = _TABLE_CARD_WIDTH * CARD_RATIO
_TABLE_MIDDLE: Final = 136
"""The x coordinate of the middle of the cards on the table."""
_HAND_TOP, _HAND_CARD_WIDTH, _HAND_GAP = 166, 46, 4
_BACK_WIDTH, _MAX_BACK_STEP, _FAN_WIDTH = 26, 18, 130
_TALON_LEFT, _TALON_TOP, _TALON_CARD_WIDTH = 250, 62, 34


def draw_compact_table(view: Observation, voice: Translator, description: str, prefix: str) -> str:
    """Return a small picture of a table for two as SVG.

    The page needs the table's style sheet. `description` is the text for people who do not see the picture. `prefix` keeps the names inside the picture different from those of other
    pictures on the page.
    """
    sheet = CardSheet(prefix, trump=view.trump, letters=voice.letters, uses_page_colors=True)
    parts = (_draw_opponent, _draw_trump, _draw_pairs, _draw_own_label, _draw_hand, _draw_last_move)
    drawn = "".join(part(view, sheet, voice) for part in parts)
    background = draw_rect("dk-picture-felt", Area(0, 0, WIDTH, HEIGHT), 12)
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(description)}">'
        f"{sheet.render_definitions()}{background}{drawn}</svg>"
    )


def _draw_opponent(view: Observation, sheet: CardSheet, voice: Translator) -> str:
    """Draw the name and role of the opponent, and the opponent's cards from behind."""
    seat = 1 - view.seat
    role = voice.translate(f"role.{narration.find_role_key(view, seat)}", who=Seat(seat))
    count = view.counts[seat]
    step = min(_MAX_BACK_STEP, _FAN_WIDTH / max(1, count))
    left = WIDTH - _MARGIN - _BACK_WIDTH - step * (count - 1)
    backs = "".join(sheet.draw_back(left + step * index, 10, _BACK_WIDTH) for index in range(count))
    return draw_text("dk-picture-name", _MARGIN, 26, voice.name_player(seat)) + draw_text("dk-picture-note", _MARGIN, 43, role) + backs


def _draw_trump(view: Observation, sheet: CardSheet, voice: Translator) -> str:
    """Draw the talon on its face-up trump card, and the trump suit in words."""
    words = draw_text("dk-picture-note", WIDTH - _MARGIN, _HAND_TOP - 8, narration.format_trump(view, voice), anchor="end")
    if not view.talon_count:
        return words
    width = _TALON_CARD_WIDTH
    pile = "".join(sheet.draw_back(_TALON_LEFT - 1.5 * layer, _TALON_TOP - 2 * layer, width) for layer in range(3))
    trump = sheet.draw_face(view.turn_up, _TALON_LEFT + width * 0.55, _TALON_TOP, width, 90) if view.turn_up else ""
    return trump + pile + words


def _draw_pairs(view: Observation, sheet: CardSheet, voice: Translator) -> str:  # noqa: ARG001 - like the other parts
    """Draw the cards on the table, with a frame around those that the last move is about."""
    marked, drawn = _find_marked_cards(view), ""
    for place, card in _list_places(view):
        x, y = _locate_card(view, *place)
        drawn += sheet.draw_face(card, x, y, _TABLE_CARD_WIDTH)
        if place in marked:
            drawn += _draw_frame(Area(x, y, _TABLE_CARD_WIDTH, _TABLE_CARD_HEIGHT))
    return drawn


def _list_places(view: Observation) -> list[tuple[tuple[int, int], Card]]:
    """Return the cards on the table with their places.

    A place is the number of the pair, and 1 for a beating card or else 0.
    """
    return [((index, layer), card) for index, pair in enumerate(view.table) for layer, card in enumerate(pair) if card]


def _find_marked_cards(view: Observation) -> set[tuple[int, int]]:
    """Return the place of the newest card, and of all cards of its rank if it was thrown in."""
    if not view.table:
        return set()
    newest, last_move = _find_newest_card(view), view.history[-1]
    if last_move.verb != "throw":
        return {newest}
    return {place for place, card in _list_places(view) if card.rank == last_move.cards[0].rank}


def _find_newest_card(view: Observation) -> tuple[int, int]:
    return len(view.table) - 1, int(view.history[-1].verb == "beat")


def _locate_card(view: Observation, index: int, layer: int) -> tuple[float, float]:
    """Return the upper left corner of a card on the table."""
    pair_width = _TABLE_CARD_WIDTH * (1 + BEAT_OFFSET_X)
    left = _TABLE_MIDDLE - (pair_width * len(view.table) + _PAIR_GAP * (len(view.table) - 1)) / 2 + (pair_width + _PAIR_GAP) * index
    return left + BEAT_OFFSET_X * _TABLE_CARD_WIDTH * layer, _TABLE_TOP + BEAT_OFFSET_Y * _TABLE_CARD_WIDTH * layer


def _draw_own_label(view: Observation, sheet: CardSheet, voice: Translator) -> str:  # noqa: ARG001 - like the other parts
    role = voice.translate(f"role.{narration.find_role_key(view, view.seat)}", who=Seat(view.seat))
    return draw_text("dk-picture-note", _MARGIN, _HAND_TOP - 8, f"{voice.translate('screen.you')} · {role}")


def _draw_hand(view: Observation, sheet: CardSheet, voice: Translator) -> str:
    """Draw the viewer's cards; without cards, draw words that say so, and how the game ended."""
    cards = narration.sort_hand(view)
    if not cards:
        middle = WIDTH / 2
        result = draw_text("dk-picture-name", middle, _TABLE_TOP + 50, narration.format_call_to_action(view, voice), anchor="middle")
        words = voice.translate("picture.out" if view.role == "out" else "picture.empty")
        return result + draw_text("dk-picture-note", middle, _HAND_TOP + 38, words, anchor="middle")
    step = min(_HAND_CARD_WIDTH + _HAND_GAP, (WIDTH - 2 * _MARGIN - _HAND_CARD_WIDTH) / max(1, len(cards) - 1))
    left = (WIDTH - _HAND_CARD_WIDTH - step * (len(cards) - 1)) / 2
    return "".join(sheet.draw_face(card, left + step * index, _HAND_TOP, _HAND_CARD_WIDTH) for index, card in enumerate(cards))


def _draw_last_move(view: Observation, sheet: CardSheet, voice: Translator) -> str:  # noqa: ARG001 - like the other parts
    """Draw an arrow between the hand and the newest card, or a frame around the fool."""
    if view.outcome:
        return _draw_frame(Area(5, 6, WIDTH - 10, 45))
    if not view.table:
        return ""
    x, y = _locate_card(view, *_find_newest_card(view))
    ends = (_HAND_TOP - 3, y + _TABLE_CARD_HEIGHT + 5)
    return _draw_arrow(x + _TABLE_CARD_WIDTH / 2, *(ends[::-1] if view.history[-1].verb == "take" else ends))


def _draw_frame(box: Area) -> str:
    return draw_rect("dk-picture-mark", Area(box.left - 1, box.top - 1, box.width + 2, box.height + 2), 6)


def _draw_arrow(x: float, start: float, end: float) -> str:
    """Draw a vertical arrow."""
    back = 7 if end < start else -7
    head = f"M{format_number(x - 6)} {format_number(end + back)}L{format_number(x)} {format_number(end)}L{format_number(x + 6)} {format_number(end + back)}"
    return f'<path class="dk-picture-mark" d="M{format_number(x)} {format_number(start)}V{format_number(end)}{head}"/>'
