"""The table as one player sees it, as a self-contained SVG with a text description.

It is made from a `View` alone, so it shows only what that player may know. The layout, the drawing primitives and a picture of one row of
cards are here too.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from durak_widget.engine import narration
from durak_widget.engine.card_svg import FONTS, INDEX, PAPER, RATIO, SIGNS, CardSheet, n
from durak_widget.i18n import Seat, Suit, Voice
from durak_widget.rules import deal_and_trump, seating

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.cards import Card
    from durak_widget.engine.history import Pair
    from durak_widget.engine.observation import View

_ROOM: Final = 10
"""The maximum length of a name in the normal font, which fits on a phone too; a longer name is written smaller."""
_PAGE: Final = 900
"""The maximum height of a picture that fits on a printed page."""
_FITTED: Final = ";max-height:max(95vh,600px)"
"""The style that shrinks a picture of up to twice that height, so it is not cut in two; on a low screen it stays readable."""
WIDTH, HEIGHT, MARGIN = 960, 524, 24
PLATE_WIDEST, PLATE_HEIGHT = 256, 72
PILE = 72
"""The width of the cards of the talon and of the discard pile."""
PILES_TOP: Final = 116
DISCARD_LEFT: Final = WIDTH - MARGIN - PILE - 4
CAPTIONS: Final = 280
"""The y coordinate of the words below the piles and the table."""
LIFT, CARD_GAP, SUIT_GAP, MOST_ROWS = 14, 6, 0.2, 4
"""Lift of a playable card, gap between cards, extra gap between suits (in card widths), maximum rows."""
ROW_SHOWS: Final = 0.64
"""The visible part of a row of the hand above the next one, in card widths."""
WIDEST_IN_HAND, WIDEST_ON_TABLE = 96, 86
OVER_X, OVER_Y = 0.3, 0.26
"""The offset of a beating card to the right of and below the card that it beats, in card widths."""
_PAPER_INK: Final = "#1f2630"
LIGHT: Final = {
    "felt": "#3b6a5a",
    "plate": "#2e5648",
    "edge": "#2a4d41",
    "paper": "#fffdf7",
    "text": "#ffffff",
    "soft": "#e2eee8",
    "mark": "#ffe08f",
}
"""The colours of the table by day."""
DARK: Final = {
    "felt": "#20352e",
    "plate": "#2d473e",
    "edge": "#48655a",
    "paper": "#efebe1",
    "text": "#f3f6f4",
    "soft": "#cfdcd6",
    "mark": "#ffe08f",
}
"""The colours where the reader prefers dark pages."""
PALE: Final = {
    "felt": "#ffffff",
    "plate": "#ffffff",
    "edge": "#555555",
    "paper": "#ffffff",
    "text": "#000000",
    "soft": "#333333",
    "mark": "#555555",
}
"""The colours on paper, where no cloth is printed."""
_STROKES: Final = {"edge": "edge", "sign": "soft", "place": "text", "ring": "mark"}
INDEX_STYLE: Final = ".dk-index{fill:none;stroke:currentColor;stroke-width:3.8;stroke-linejoin:round}"
_CARD, _LARGE, _ROW_GAP, _APART, _CHIP = 72, 96, 6, 26, 17
"""The row of cards: width of a card and of the large first card, gaps, and radius of the trump sign."""
_ROW_STYLE: Final = f".{PAPER}{{fill:{LIGHT['paper']}}}{INDEX_STYLE}"


class Area(NamedTuple):
    """A rectangle on the picture."""

    left: float
    top: float
    width: float
    height: float


TABLE_BOX: Final = Area(206, 104, 630, 176)
CALL_BOX: Final = Area(MARGIN, 314, WIDTH - 2 * MARGIN, 40)
HAND_BOX: Final = Area(MARGIN, 378, WIDTH - 2 * MARGIN, 136)


class Picture:
    """The table as one seat sees it: a picture in a notebook, and words without pictures.

    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["8c Qh", "9h Ts"], trump="h", table="7c", attacker=1)
    >>> picture = game.picture(seat=0)
    >>> print(picture)
    Beat the 7 of clubs, or take.
    Player 2, 2 cards, attacks.
    Table: 7 of clubs, not beaten; 1 of 2 attacks.
    Trump: hearts. Talon, 0 cards.
    You, Player 1, 2 cards, defend: 8 of clubs, queen of hearts.
    >>> picture.svg == Game.parse(str(game)).svg(0)
    True

    An opponent with a name, given by a key of `people`, has this name here too.

    >>> str(Picture(game.view(0), people=((1, "grandmother"),))).splitlines()[1]
    'Grandmother, 2 cards, attacks.'
    """

    def __init__(
        self,
        view: View,
        *,
        four_colors: bool = False,
        language: str = "en",
        hand: bool = True,
        people: tuple[tuple[int, str], ...] = (),
        on_paper: bool = False,
    ) -> None:
        """Create the picture of a view; `on_paper` leaves out the colours of the cloth."""
        self._view, self._four_colors, self._hand, self._style = view, four_colors, hand, ON_PAPER if on_paper else TABLE_STYLE
        me = None if view.is_covered else view.seat
        self._spoken = Voice(language, me=me, people=people)
        self._written = Voice(language, cards="signs", me=me, people=people)

    @cached_property
    def svg(self) -> str:
        """Return the picture as SVG, the same text for the same view, without scripts or links."""
        view, voice = self._view, self._written
        prefix = f"d{crc32(f'{self}{self._four_colors}'.encode()) % 16**6:x}"
        sheet = CardSheet(prefix, trump=view.trump, four_colors=self._four_colors)
        parts = (_opponents, _talon, _table, _discard, _call, *(_hand,) * self._hand)
        drawn = "".join(part(view, sheet, voice) for part in parts)
        height = HEIGHT if self._hand else HAND_BOX.top - 12
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
            f' height="{height}" lang="{voice.language}" role="img" aria-labelledby="{prefix}title" aria-describedby="{prefix}desc" font-family="{FONTS}">'
            f'<title id="{prefix}title">{escape(narration.title(view, voice))}</title><desc id="{prefix}desc">{escape(str(self))}</desc>'
            f"<style>{self._style}</style>{sheet.defs()}{felt(height)}{drawn}</svg>"
        )

    def __str__(self) -> str:
        return narration.told(self._view, self._spoken)

    def __repr__(self) -> str:
        return f"<Picture of {self._view!r}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """Return an image for notebooks, shown in untrusted ones too, and the words."""
        return {"text/html": image(self.svg, str(self)), "text/plain": str(self)}


def image(svg: str, told: str) -> str:
    """Return a picture as an image element with a description.

    It is shown in untrusted notebooks too.
    """
    alt = escape(told.replace("\n", " "))
    data = b64encode(svg.encode()).decode()
    height = float(svg.partition(' height="')[2].partition('"')[0] or 0)
    fit_style = _FITTED if _PAGE < height <= 2 * _PAGE else ""
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{data}" style="max-width:100%;height:auto{fit_style}">'


# The parts of the picture
def _opponents(view: View, sheet: CardSheet, voice: Voice) -> str:
    others = seating.clockwise(view.seat, len(view.counts))[:-1]
    space = (WIDTH - 2 * MARGIN) / len(others)
    width = min(PLATE_WIDEST, space - 8)
    boxes = (Area(MARGIN + (space - width) / 2 + space * i, 18, width, PLATE_HEIGHT) for i in range(len(others)))
    return "".join(_plate(view, seat, box, sheet, voice) for seat, box in zip(others, boxes, strict=True))


def _plate(view: View, seat: int, box: Area, sheet: CardSheet, voice: Voice) -> str:
    role, count, x, end = narration.role(view, seat), view.counts[seat], box.left, box.left + box.width
    worn, roomy = narration.wears(view, seat), box.width == PLATE_WIDEST
    sign = f'<path class="dk-sign" d="{SIGNS[role]}" transform="translate({n(x + 13)} 59)"/>' if role in SIGNS else ""
    return (
        rect("dk-plate", box, 12)
        + words_at("dk-name" if len(name := voice.player(seat)) <= _ROOM else "dk-name dk-note", x + 14, 46, name)
        + sign
        + words_at("dk-note", x + (36 if sign else 14), 73, voice.say(f"role.{role}", who=Seat(seat)), color="dk-soft")
        + (_fan(count, end - 98, sheet) if roomy and not worn else "")
        + (tag("dk-count", end - (28 if roomy else 22), 54 if roomy else 71, str(count)) if count else "")
        + (sheet.epaulettes(worn, end - 92, 31) if roomy else sheet.epaulettes(worn, x + box.width / 2, 78))
        + _notes(view, seat, x + box.width / 2 - 20, voice)
        + (rect("dk-ring", box, 12) + tag("dk-tag", end - 48, 15, voice.say("screen.to_act"), on="dk-mark") if seat == view.actor else "")
    )


def _notes(view: View, seat: int, x: float, voice: Voice) -> str:
    """Draw the notes on a seat: a partner, and the trumps that it has shown."""
    shown = " ".join(voice.name(card) for who, card in view.shown if who == seat)
    notes = [voice.say("screen.partner")] * narration.partners(view, seat) + ([voice.say("screen.showed", cards=shown)] if shown else [])
    return tag("dk-tag", x, 95, ", ".join(notes)) if notes else ""


def _fan(count: int, x: float, sheet: CardSheet) -> str:
    """Draw a few backs of a hand as a fan."""
    shown = min(count, 5)
    turns = [(i - (shown - 1) / 2) for i in range(shown)]
    backs = (sheet.back(x + 7 * turn, 28 + 0.8 * turn * turn, 27, 8 * turn) for turn in turns)
    return f'<g class="dk-wide">{"".join(backs)}</g>'


def _talon(view: View, sheet: CardSheet, voice: Voice) -> str:
    """Draw the talon with the turn-up, and the trump suit in words and as a sign."""
    x, y = MARGIN + 4, CAPTIONS
    words = narration.trump_words(view, voice)
    if view.talon_count or view.turn_up:
        sign = _chip(view.trump, x + 15, y - 7, 15, sheet) if view.trump else ""
        return _stock(view, sheet) + sign + words_at("dk-trump", x + (38 if sign else 0), y, words)
    sign = _chip(view.trump, x + PILE / 2, PILES_TOP + PILE, 36, sheet) if view.trump else ""
    return sign + words_at("dk-trump", x, y, words)


def _chip(suit: str, x: float, y: float, radius: float, sheet: CardSheet) -> str:
    """Draw the sign of a suit on a round piece of paper."""
    return f'<circle class="{PAPER}" cx="{n(x)}" cy="{n(y)}" r="{n(radius)}"/>{sheet.pip(suit, x, y, radius * 1.25)}'


def _stock(view: View, sheet: CardSheet) -> str:
    x, y, card, count = MARGIN + 4, PILES_TOP, view.turn_up, view.talon_count
    location = deal_and_trump.place_of_turn_up(view.rules) if card else ""
    drawn, in_pile = "", count
    if card and location == "bottom":
        left, in_pile = x + PILE * (0.55 if count > 1 else 0.2), count - 1
        if deal_and_trump.hides_one(view.rules) and count > 1:
            drawn, in_pile = sheet.back(left + 7, y + 7, PILE, 90), count - 2
        drawn += sheet.face(card, left, y, PILE, 90)
    drawn += pile(in_pile, x, y, sheet)
    if card and location == "top":
        drawn += sheet.face(card, x - 4, y - 10, PILE)
    if card and location == "aside":
        drawn += sheet.face(card, x + (PILE + 8 if count else 0), y, PILE)
    return drawn + (tag("dk-count", x + PILE * (0.5 if in_pile else 0.7), y + PILE * RATIO - 4, str(count)) if count else "")


def _table(view: View, sheet: CardSheet, voice: Voice) -> str:
    pairs, box = view.table, TABLE_BOX
    open_slots = 0 if view.outcome else max(0, min(view.limit, 6) - len(pairs))
    count = len(pairs) + open_slots
    if not count:
        return _over(view, voice)
    columns, width = _grid(count)
    column_width, row_height = width * (1 + OVER_X + 0.14), width * (RATIO + OVER_Y + 0.1)
    rows = -(-count // columns)
    top = box.top + (box.height - row_height * rows + width * 0.1) / 2
    drawn = ""
    for i in range(count):
        row, column = divmod(i, columns)
        in_row = min(columns, count - row * columns)
        x = box.left + (box.width - column_width * in_row + width * 0.14) / 2 + column_width * column
        y = top + row_height * row
        drawn += _pair(pairs[i], x, y, width, sheet) if i < len(pairs) else empty_place(x, y, width)
    caption_y = max(CAPTIONS, top + row_height * rows + 18)
    return drawn + words_at("dk-note", box.left + box.width / 2, caption_y, narration.room(view, voice), color="dk-soft", anchor="middle")


def _over(view: View, voice: Voice) -> str:
    """Draw the end of the game on the empty table, with the order of finishing."""
    x, y = TABLE_BOX.left + TABLE_BOX.width / 2, TABLE_BOX.top + TABLE_BOX.height / 2
    order = words_at("dk-note", x, y + 24, narration.order(view, voice), color="dk-soft", anchor="middle")
    return words_at("dk-call", x, y - 8, voice.say("picture.over"), anchor="middle") + order


def _grid(count: int) -> tuple[int, float]:
    """Return the number of columns that makes the pairs widest, and the width of a card then."""
    box = TABLE_BOX
    layouts = []
    for rows in range(1, 5):
        columns = -(-count // rows)
        width_limit, height_limit = box.width / columns / (1 + OVER_X + 0.14), box.height / rows / (RATIO + OVER_Y + 0.1)
        layouts.append((min(width_limit, height_limit, WIDEST_ON_TABLE), -rows, columns))
    width, _, columns = max(layouts)
    return columns, width


def _pair(pair: Pair, x: float, y: float, width: float, sheet: CardSheet) -> str:
    attack, beat = pair
    beating_card = sheet.face(beat, x + OVER_X * width, y + OVER_Y * width, width) if beat else ""
    return sheet.face(attack, x, y, width) + beating_card


def _discard(view: View, sheet: CardSheet, voice: Voice) -> str:
    x, y, count = DISCARD_LEFT, PILES_TOP, view.discard_count
    if not count:
        return f'<g opacity=".6">{empty_place(x, y, PILE)}</g>'
    lower_cards = sheet.back(x, y, PILE, -7) + sheet.back(x, y, PILE, 5) if count > 1 else ""
    number = tag("dk-count", x + PILE / 2, y + PILE * RATIO - 4, str(count))
    words = words_at("dk-note", x + PILE / 2, CAPTIONS, voice.say("picture.discarded"), color="dk-soft", anchor="middle")
    return lower_cards + sheet.back(x, y, PILE) + number + words


def _call(view: View, sheet: CardSheet, voice: Voice) -> str:
    """Draw the call to action in words."""
    box, words = CALL_BOX, narration.call(view, voice)
    kind = "dk-call" if len(words) < 56 else "dk-long"
    own_count = view.counts[view.seat]
    key = "screen.name" if view.is_covered else "picture.me"
    own_label = " · ".join([voice.say(key, number=view.seat + 1), *[voice.say("screen.cards", count=own_count)] * bool(own_count)])
    return (
        rect("dk-plate", box, 12)
        + (rect("dk-ring", box, 12) if view.actor == view.seat else "")
        + words_at(kind, box.left + 18, box.top + 28, words)
        + words_at("dk-note dk-wide", box.left + box.width - 18, box.top + 26, own_label, color="dk-soft", anchor="end")
        + sheet.epaulettes(narration.wears(view, view.seat), WIDTH / 2, box.top - 44)
    )


def _hand(view: View, sheet: CardSheet, voice: Voice) -> str:
    """Draw the viewer's cards, with playable cards lifted a little."""
    if view.is_covered:
        return _covered(view.counts[view.seat], sheet)
    box, hand, playable = HAND_BOX, narration.hand(view), narration.playable(view)
    if not hand:
        words = voice.say("picture.out" if view.role == "out" else "picture.empty")
        return words_at("dk-note", WIDTH / 2, box.top + 70, words, color="dk-soft", anchor="middle")
    rows, width = _rows(hand)
    drawn = ""
    for row, cards in enumerate(rows):
        step, offsets = _step(cards, width), _offsets(cards)
        left = box.left + (box.width - width - step * offsets[-1]) / 2
        for card, offset in zip(cards, offsets, strict=True):
            lift = LIFT / len(rows) if card in playable else 0
            drawn += sheet.face(card, left + step * offset, box.top + ROW_SHOWS * width * row - lift, width)
    return drawn


def _covered(count: int, sheet: CardSheet) -> str:
    """Draw a hand that the viewer may not see."""
    step = min(PILE + CARD_GAP, (HAND_BOX.width - PILE) / max(1, count - 1))
    left = HAND_BOX.left + (HAND_BOX.width - PILE - step * (count - 1)) / 2
    return "".join(sheet.back(left + step * i, HAND_BOX.top + LIFT, PILE) for i in range(count))


def _rows(hand: Sequence[Card]) -> tuple[list[Sequence[Card]], float]:
    """Split a hand into as few rows as keep each card readable; return also the card width."""
    rows, width = [hand], _fitting(hand)
    while len(rows) < MOST_ROWS and any(_step(row, width) < INDEX * width for row in rows):
        per_row = -(-len(hand) // (len(rows) + 1))
        rows = [hand[i : i + per_row] for i in range(0, len(hand), per_row)]
        width = HAND_BOX.height / (RATIO + ROW_SHOWS * (len(rows) - 1))
    return rows, width


def _fitting(hand: Sequence[Card]) -> float:
    """Return the card width for one row: slightly less than usual if that avoids overlap."""
    steps = _offsets(hand)[-1]
    side_by_side = (HAND_BOX.width - CARD_GAP * steps) / (steps + 1)
    return side_by_side if WIDEST_IN_HAND > side_by_side > 0.84 * WIDEST_IN_HAND else WIDEST_IN_HAND


def _step(row: Sequence[Card], width: float) -> float:
    """Return the distance between neighbouring cards of a row."""
    return min(width + CARD_GAP, (HAND_BOX.width - width) / (_offsets(row)[-1] or 1))


def _offsets(row: Sequence[Card]) -> list[float]:
    """Return each card's distance from the first of its row in steps, with gaps between suits."""
    return [i + SUIT_GAP * (len({card.suit for card in row[: i + 1]}) - 1) for i in range(len(row))]


def _colors(of: dict[str, str]) -> str:
    fills = "".join(f".dk-{name}{{fill:{of[name]}}}" for name in ("felt", "plate", "text", "soft", "mark"))
    strokes = "".join(f".dk-{kind}{{stroke:{of[name]}}}" for kind, name in _STROKES.items())
    return f"{fills}.{PAPER}{{fill:{of['paper']}}}{strokes}"


TABLE_STYLE: Final = (
    f"{_colors(LIGHT)}.dk-dark{{fill:{_PAPER_INK}}}.dk-sign,.dk-place,.dk-ring{{fill:none;stroke-width:2}}"
    ".dk-ring{stroke-width:3.5}.dk-place{stroke-opacity:.5;stroke-dasharray:7 6}"
    f"{INDEX_STYLE}"
    ".dk-count,.dk-tag{font-weight:600;text-anchor:middle}.dk-name{font-size:20px;font-weight:600}.dk-trump{font-size:19px;font-weight:600}"
    ".dk-note{font-size:17px}.dk-call{font-size:22px}.dk-long{font-size:19px}.dk-count{font-size:18px}"
    ".dk-tag{font-size:15px}"
    "@media (max-width:560px){.dk-name{font-size:26px}.dk-trump{font-size:22px}.dk-note{font-size:21px}"
    ".dk-call{font-size:29px}.dk-long{font-size:23px}.dk-count{font-size:22px}.dk-tag{font-size:18px}"
    ".dk-wide{display:none}}"
    f"@media (prefers-color-scheme:dark){{{_colors(DARK)}}}"
)
ON_PAPER: Final = f"{TABLE_STYLE}{_colors(PALE)}.dk-plate{{stroke:{PALE['edge']}}}.{PAPER}{{stroke:{PALE['edge']}}}"
"""The style for printing, also in black and white."""


def felt(height: float) -> str:
    """Draw the cloth with its edge."""
    return f'<rect class="dk-felt dk-edge" x=".5" y=".5" width="{WIDTH - 1}" height="{n(height - 1)}" rx="18"/>'


def words_at(kind: str, x: float, y: float, words: str, *, color: str = "dk-text", anchor: str = "") -> str:
    """Draw words at a point."""
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind} {color}" x="{n(x)}" y="{n(y)}"{anchored}>{escape(words)}</text>'


def rect(kind: str, box: Area, round_: float) -> str:
    """Draw a rectangle with round corners."""
    size = f'width="{n(box.width)}" height="{n(box.height)}"'
    return f'<rect class="{kind}" x="{n(box.left)}" y="{n(box.top)}" {size} rx="{n(round_)}"/>'


def empty_place(x: float, y: float, width: float) -> str:
    """Draw an outline where a card could lie."""
    return rect("dk-place", Area(x + 1, y + 1, width - 2, width * RATIO - 2), width * 0.085)


def tag(kind: str, x: float, y: float, words: str, *, on: str = PAPER) -> str:
    """Draw words on a small label around that point."""
    width = max(40, 8 * len(words) + 24)
    return rect(on, Area(x - width / 2, y - 13, width, 26), 13) + words_at(kind, x, y + 6, words, color="dk-dark")


def pile(count: int, x: float, y: float, sheet: CardSheet) -> str:
    """Draw a pile of face-down cards, which is higher for more cards."""
    layers = min(count, 1 + count // 6, 5)
    return "".join(sheet.back(x - 1.5 * i, y - 2 * i, PILE) for i in range(layers))


def row(cards: Sequence[Card], *, before: Card | None = None, trump: str | None = None, language: str = "en") -> str:
    """Return an image of some cards side by side, for notebooks.

    With `before` there is a large card before them, and the trumps are marked.

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
    """Draw some cards side by side; return the SVG and the words.

    On paper each card has a box below it to tick, with a letter from `ticked`.

    >>> from durak_widget import Card
    >>> drawn_row([Card("7s")], ticked=["a"])[1]
    'a: 7 of spades'
    """
    voice = Voice(language)
    description = ", ".join(f"{ticked[index]}: {voice.name(card)}" if ticked else voice.name(card) for index, card in enumerate(cards))
    sheet = CardSheet(f"r{crc32(f'{description}{before}{trump}'.encode()) % 16**6:x}", trump=trump)
    left, top, drawn = 2.0, 2.0, ""
    if before is not None:
        description = "; ".join([voice.name(before), *([voice.say("screen.trump", suit=Suit(trump))] if trump else []), description])
        drawn = sheet.face(before, 2, 2, _LARGE)
        left += _LARGE + _APART
        if trump:
            x, y = left + _CHIP - _ROW_GAP, 2 + _LARGE * RATIO / 2
            drawn += f'<circle class="{PAPER}" stroke="#1f2630" stroke-opacity=".4" cx="{n(x)}" cy="{n(y)}" r="{_CHIP}"/>{sheet.pip(trump, x, y, _CHIP * 1.25)}'
            left += 2 * _CHIP + _APART - _ROW_GAP
        top += (_LARGE - _CARD) * RATIO / 2
    drawn += "".join(sheet.face(card, left + i * (_CARD + _ROW_GAP), top, _CARD) for i, card in enumerate(cards))
    width = n(left - 2 + len(cards) * (_CARD + _ROW_GAP))
    height = n((_CARD if before is None else _LARGE) * RATIO + 6)
    tick_top = top + _CARD * RATIO + 8
    for index, label in enumerate(ticked):
        x = left + index * (_CARD + _ROW_GAP) + _CARD / 2
        drawn += f'<rect x="{n(x - 19)}" y="{n(tick_top)}" width="17" height="17" fill="#fff" stroke="#000" stroke-width="1.4"/>'
        drawn += (
            f'<text x="{n(x + 5)}" y="{n(tick_top + 14)}" font-family="{FONTS}" font-size="16" font-weight="600">{escape(label)}</text>'
        )
    height = n(max(float(height), tick_top + 20)) if ticked else height
    style = f"{_ROW_STYLE}.{PAPER}{{fill:#fff;stroke:#555}}" if ticked else _ROW_STYLE
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"><style>{style}</style>{sheet.defs()}{drawn}</svg>'
    return svg, description
