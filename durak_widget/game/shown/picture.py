"""The table as one seat sees it, drawn as an SVG that needs nothing else, and told in words.

It is made from a `View` alone, so that it shows no more than that seat may know.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from durak_widget.game import telling
from durak_widget.game.pips import FONTS, INDEX, PAPER, RATIO, SIGNS, CardSheet, n
from durak_widget.rules import seating, trump
from durak_widget.words import Seat, Voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.cards import Card
    from durak_widget.game.pairs import Pair
    from durak_widget.game.view import View


class Picture:
    """The table as one seat sees it: a picture in a notebook, and words where there are no pictures.

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
    """

    def __init__(self, view: View, *, four_colors: bool = False, language: str = "en", hand: bool = True) -> None:
        self._view, self._four_colors, self._hand = view, four_colors, hand
        me = None if view.is_covered else view.seat
        self._spoken = Voice(language, me=me)
        self._written = Voice(language, cards="signs", me=me)

    @cached_property
    def svg(self) -> str:
        """The picture as SVG: the same text for the same view, without script, and without a link to anything."""
        view, voice = self._view, self._written
        prefix = f"d{crc32(f'{self}{self._four_colors}'.encode()) % 16**6:x}"
        sheet = CardSheet(prefix, trump=view.trump, four_colors=self._four_colors)
        parts = (_opponents, _talon, _table, _discard, _call, *(_hand,) * self._hand)
        drawn = "".join(part(view, sheet, voice) for part in parts)
        height = _HEIGHT if self._hand else _HAND_BOX.top - 12
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
            f' height="{height}" lang="{voice.language}" role="img" aria-labelledby="{prefix}title" aria-describedby="{prefix}desc" font-family="{FONTS}">'
            f'<title id="{prefix}title">{escape(telling.title(view, voice))}</title><desc id="{prefix}desc">{escape(str(self))}</desc>'
            f"<style>{_STYLE}</style>{sheet.defs()}{_felt(height)}{drawn}</svg>"
        )

    def __str__(self) -> str:
        return telling.told(self._view, self._spoken)

    def __repr__(self) -> str:
        return f"<Picture of {self._view!r}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """An image for notebooks, which also shows where they are not trusted, and the words."""
        return {"text/html": image(self.svg, str(self)), "text/plain": str(self)}


def image(svg: str, told: str) -> str:
    """A picture as an element that shows also where a notebook is not trusted, with its words."""
    alt = escape(told.replace("\n", " "))
    data = b64encode(svg.encode()).decode()
    high = float(svg.partition(' height="')[2].partition('"')[0] or 0)
    fit = _FITTED if _PAGE < high <= 2 * _PAGE else ""
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{data}" style="max-width:100%;height:auto{fit}">'


# Where things lie, and how they are painted

_WIDTH, _HEIGHT, _MARGIN = 960, 524, 24
_PAGE: Final = 900
"""How high a picture may be, and still fit on a page of paper."""
_FITTED: Final = ";max-height:max(95vh,600px)"
"""What makes a higher one fit, up to twice that, where it would be cut in two; on a low screen it stays large enough to be read."""
_PLATE_WIDEST, _PLATE_HEIGHT = 256, 72
_PILE = 72
"""The width of the cards of the talon and of the discard pile."""
_PILES_TOP: Final = 116
_DISCARD_LEFT: Final = _WIDTH - _MARGIN - _PILE - 4
_CAPTIONS: Final = 280
"""Where the words below the piles and the table stand."""


class _Box(NamedTuple):
    left: float
    top: float
    width: float
    height: float


_TABLE_BOX: Final = _Box(206, 104, 630, 176)
_CALL_BOX: Final = _Box(_MARGIN, 314, _WIDTH - 2 * _MARGIN, 40)
_HAND_BOX: Final = _Box(_MARGIN, 378, _WIDTH - 2 * _MARGIN, 136)
_LIFT, _BETWEEN, _SUIT_GAP, _MOST_ROWS = 14, 6, 0.2, 4
"""How far a card that may be played is lifted, the space between cards, more of it between suits, and rows at most."""
_ROW_SHOWS: Final = 0.64
"""How much of a row of the hand shows above the next, in widths of a card."""
_WIDEST_IN_HAND, _WIDEST_ON_TABLE = 96, 86
_OVER_X, _OVER_Y = 0.3, 0.26
"""How far a beating card lies to the right of the one it beats and below it, in widths of a card."""

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
"""The same where the reader prefers dark pages."""


def _colors(of: dict[str, str]) -> str:
    fills = "".join(f".dk-{name}{{fill:{of[name]}}}" for name in ("felt", "plate", "text", "soft", "mark"))
    strokes = "".join(f".dk-{kind}{{stroke:{of[name]}}}" for kind, name in _STROKES.items())
    return f"{fills}.{PAPER}{{fill:{of['paper']}}}{strokes}"


_STROKES: Final = {"edge": "edge", "sign": "soft", "place": "text", "ring": "mark"}
INDEX_STYLE: Final = ".dk-index{fill:none;stroke:currentColor;stroke-width:3.8;stroke-linejoin:round}"
_STYLE: Final = (
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


def _felt(height: float) -> str:
    return f'<rect class="dk-felt dk-edge" x=".5" y=".5" width="{_WIDTH - 1}" height="{n(height - 1)}" rx="18"/>'


def _text(kind: str, x: float, y: float, words: str, *, color: str = "dk-text", anchor: str = "") -> str:
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind} {color}" x="{n(x)}" y="{n(y)}"{anchored}>{escape(words)}</text>'


def _rect(kind: str, box: _Box, round_: float) -> str:
    size = f'width="{n(box.width)}" height="{n(box.height)}"'
    return f'<rect class="{kind}" x="{n(box.left)}" y="{n(box.top)}" {size} rx="{n(round_)}"/>'


def _place(x: float, y: float, width: float) -> str:
    """Where a card could lie."""
    return _rect("dk-place", _Box(x + 1, y + 1, width - 2, width * RATIO - 2), width * 0.085)


def _tag(kind: str, x: float, y: float, words: str, *, on: str = PAPER) -> str:
    """Words on a small label around that point."""
    width = max(40, 8 * len(words) + 24)
    return _rect(on, _Box(x - width / 2, y - 13, width, 26), 13) + _text(kind, x, y + 6, words, color="dk-dark")


def _pile(count: int, x: float, y: float, sheet: CardSheet) -> str:
    """Cards face down, higher the more there are."""
    layers = min(count, 1 + count // 6, 5)
    return "".join(sheet.back(x - 1.5 * i, y - 2 * i, _PILE) for i in range(layers))


# The parts of the picture


def _opponents(view: View, sheet: CardSheet, voice: Voice) -> str:
    others = seating.clockwise(view.seat, len(view.counts))[:-1]
    each = (_WIDTH - 2 * _MARGIN) / len(others)
    width = min(_PLATE_WIDEST, each - 8)
    boxes = (_Box(_MARGIN + (each - width) / 2 + each * i, 18, width, _PLATE_HEIGHT) for i in range(len(others)))
    return "".join(_plate(view, seat, box, sheet, voice) for seat, box in zip(others, boxes, strict=True))


def _plate(view: View, seat: int, box: _Box, sheet: CardSheet, voice: Voice) -> str:
    role, count, x, end = telling.role(view, seat), view.counts[seat], box.left, box.left + box.width
    worn, roomy = telling.wears(view, seat), box.width == _PLATE_WIDEST
    sign = f'<path class="dk-sign" d="{SIGNS[role]}" transform="translate({n(x + 13)} 59)"/>' if role in SIGNS else ""
    return (
        _rect("dk-plate", box, 12)
        + _text("dk-name", x + 14, 46, voice.say("screen.name", number=seat + 1))
        + sign
        + _text("dk-note", x + (36 if sign else 14), 73, voice.say(f"role.{role}", who=Seat(seat)), color="dk-soft")
        + (_fan(count, end - 98, sheet) if roomy and not worn else "")
        + (_tag("dk-count", end - (28 if roomy else 22), 54 if roomy else 71, str(count)) if count else "")
        + (sheet.epaulettes(worn, end - 92, 31) if roomy else sheet.epaulettes(worn, x + box.width / 2, 78))
        + _notes(view, seat, x + box.width / 2 - 20, voice)
        + (_rect("dk-ring", box, 12) + _tag("dk-tag", end - 48, 15, voice.say("screen.to_act"), on="dk-mark") if seat == view.actor else "")
    )


def _notes(view: View, seat: int, x: float, voice: Voice) -> str:
    """What else there is to say of a seat: a partner, the trumps that it has shown."""
    shown = " ".join(voice.name(card) for who, card in view.shown if who == seat)
    notes = [voice.say("screen.partner")] * telling.partners(view, seat) + ([voice.say("screen.showed", cards=shown)] if shown else [])
    return _tag("dk-tag", x, 95, ", ".join(notes)) if notes else ""


def _fan(count: int, x: float, sheet: CardSheet) -> str:
    """A few of the backs of a hand, held like a fan."""
    shown = min(count, 5)
    turns = [(i - (shown - 1) / 2) for i in range(shown)]
    backs = (sheet.back(x + 7 * turn, 28 + 0.8 * turn * turn, 27, 8 * turn) for turn in turns)
    return f'<g class="dk-wide">{"".join(backs)}</g>'


def _talon(view: View, sheet: CardSheet, voice: Voice) -> str:
    """The talon with the turn-up where the rules put it, and which suit is trump, in words and as a sign."""
    x, y = _MARGIN + 4, _CAPTIONS
    words = telling.trump_words(view, voice)
    if view.talon_count or view.turn_up:
        sign = _chip(view.trump, x + 15, y - 7, 15, sheet) if view.trump else ""
        return _stock(view, sheet) + sign + _text("dk-trump", x + (38 if sign else 0), y, words)
    sign = _chip(view.trump, x + _PILE / 2, _PILES_TOP + _PILE, 36, sheet) if view.trump else ""
    return sign + _text("dk-trump", x, y, words)


def _chip(suit: str, x: float, y: float, radius: float, sheet: CardSheet) -> str:
    """The sign of a suit on a round piece of paper."""
    return f'<circle class="{PAPER}" cx="{n(x)}" cy="{n(y)}" r="{n(radius)}"/>{sheet.pip(suit, x, y, radius * 1.25)}'


def _stock(view: View, sheet: CardSheet) -> str:
    x, y, card, count = _MARGIN + 4, _PILES_TOP, view.turn_up, view.talon_count
    place = trump.place_of_turn_up(view.rules) if card else ""
    drawn, in_pile = "", count
    if card and place == "bottom":
        left, in_pile = x + _PILE * (0.55 if count > 1 else 0.2), count - 1
        if trump.hides_one(view.rules) and count > 1:
            drawn, in_pile = sheet.back(left + 7, y + 7, _PILE, 90), count - 2
        drawn += sheet.face(card, left, y, _PILE, 90)
    drawn += _pile(in_pile, x, y, sheet)
    if card and place == "top":
        drawn += sheet.face(card, x - 4, y - 10, _PILE)
    if card and place == "aside":
        drawn += sheet.face(card, x + (_PILE + 8 if count else 0), y, _PILE)
    return drawn + (_tag("dk-count", x + _PILE * (0.5 if in_pile else 0.7), y + _PILE * RATIO - 4, str(count)) if count else "")


def _table(view: View, sheet: CardSheet, voice: Voice) -> str:
    pairs, box = view.table, _TABLE_BOX
    open_places = 0 if view.outcome else max(0, min(view.limit, 6) - len(pairs))
    count = len(pairs) + open_places
    if not count:
        return _over(view, voice)
    columns, width = _grid(count)
    across, down = width * (1 + _OVER_X + 0.14), width * (RATIO + _OVER_Y + 0.1)
    rows = -(-count // columns)
    top = box.top + (box.height - down * rows + width * 0.1) / 2
    drawn = ""
    for i in range(count):
        row, column = divmod(i, columns)
        in_row = min(columns, count - row * columns)
        x = box.left + (box.width - across * in_row + width * 0.14) / 2 + across * column
        y = top + down * row
        drawn += _pair(pairs[i], x, y, width, sheet) if i < len(pairs) else _place(x, y, width)
    below = max(_CAPTIONS, top + down * rows + 18)
    return drawn + _text("dk-note", box.left + box.width / 2, below, telling.room(view, voice), color="dk-soft", anchor="middle")


def _over(view: View, voice: Voice) -> str:
    """On the empty table after the end: who was out when."""
    x, y = _TABLE_BOX.left + _TABLE_BOX.width / 2, _TABLE_BOX.top + _TABLE_BOX.height / 2
    order = _text("dk-note", x, y + 24, telling.order(view, voice), color="dk-soft", anchor="middle")
    return _text("dk-call", x, y - 8, voice.say("picture.over"), anchor="middle") + order


def _grid(count: int) -> tuple[int, float]:
    """In how many columns so many pairs become widest, and how wide a card then is."""
    box = _TABLE_BOX
    fits = []
    for rows in range(1, 5):
        columns = -(-count // rows)
        across, down = box.width / columns / (1 + _OVER_X + 0.14), box.height / rows / (RATIO + _OVER_Y + 0.1)
        fits.append((min(across, down, _WIDEST_ON_TABLE), -rows, columns))
    width, _, columns = max(fits)
    return columns, width


def _pair(pair: Pair, x: float, y: float, width: float, sheet: CardSheet) -> str:
    attack, beat = pair
    over = sheet.face(beat, x + _OVER_X * width, y + _OVER_Y * width, width) if beat else ""
    return sheet.face(attack, x, y, width) + over


def _discard(view: View, sheet: CardSheet, voice: Voice) -> str:
    x, y, count = _DISCARD_LEFT, _PILES_TOP, view.discard_count
    if not count:
        return f'<g opacity=".6">{_place(x, y, _PILE)}</g>'
    below = sheet.back(x, y, _PILE, -7) + sheet.back(x, y, _PILE, 5) if count > 1 else ""
    number = _tag("dk-count", x + _PILE / 2, y + _PILE * RATIO - 4, str(count))
    words = _text("dk-note", x + _PILE / 2, _CAPTIONS, voice.say("picture.discarded"), color="dk-soft", anchor="middle")
    return below + sheet.back(x, y, _PILE) + number + words


def _call(view: View, sheet: CardSheet, voice: Voice) -> str:
    """What is to be done now, in words."""
    box, words = _CALL_BOX, telling.call(view, voice)
    kind = "dk-call" if len(words) < 56 else "dk-long"
    held = view.counts[view.seat]
    key = "screen.name" if view.is_covered else "picture.me"
    me = " · ".join([voice.say(key, number=view.seat + 1), *[voice.say("screen.cards", count=held)] * bool(held)])
    return (
        _rect("dk-plate", box, 12)
        + (_rect("dk-ring", box, 12) if view.actor == view.seat else "")
        + _text(kind, box.left + 18, box.top + 28, words)
        + _text("dk-note dk-wide", box.left + box.width - 18, box.top + 26, me, color="dk-soft", anchor="end")
        + sheet.epaulettes(telling.wears(view, view.seat), _WIDTH / 2, box.top - 44)
    )


def _hand(view: View, sheet: CardSheet, voice: Voice) -> str:
    """The viewer's cards, those that may be played lifted a little."""
    if view.is_covered:
        return _covered(view.counts[view.seat], sheet)
    box, hand, playable = _HAND_BOX, telling.hand(view), telling.playable(view)
    if not hand:
        words = voice.say("picture.out" if view.role == "out" else "picture.empty")
        return _text("dk-note", _WIDTH / 2, box.top + 70, words, color="dk-soft", anchor="middle")
    rows, width = _rows(hand)
    drawn = ""
    for row, cards in enumerate(rows):
        step, offsets = _step(cards, width), _offsets(cards)
        left = box.left + (box.width - width - step * offsets[-1]) / 2
        for card, offset in zip(cards, offsets, strict=True):
            lift = _LIFT / len(rows) if card in playable else 0
            drawn += sheet.face(card, left + step * offset, box.top + _ROW_SHOWS * width * row - lift, width)
    return drawn


def _covered(count: int, sheet: CardSheet) -> str:
    """A hand that the viewer may not look into."""
    step = min(_PILE + _BETWEEN, (_HAND_BOX.width - _PILE) / max(1, count - 1))
    left = _HAND_BOX.left + (_HAND_BOX.width - _PILE - step * (count - 1)) / 2
    return "".join(sheet.back(left + step * i, _HAND_BOX.top + _LIFT, _PILE) for i in range(count))


def _rows(hand: Sequence[Card]) -> tuple[list[Sequence[Card]], float]:
    """A hand in as few rows as let every card be read, and how wide its cards are."""
    rows, width = [hand], _fitting(hand)
    while len(rows) < _MOST_ROWS and any(_step(row, width) < INDEX * width for row in rows):
        per_row = -(-len(hand) // (len(rows) + 1))
        rows = [hand[i : i + per_row] for i in range(0, len(hand), per_row)]
        width = _HAND_BOX.height / (RATIO + _ROW_SHOWS * (len(rows) - 1))
    return rows, width


def _fitting(hand: Sequence[Card]) -> float:
    """How wide the cards of one row are: a little less than usual where they then need not overlap."""
    steps = _offsets(hand)[-1]
    side_by_side = (_HAND_BOX.width - _BETWEEN * steps) / (steps + 1)
    return side_by_side if _WIDEST_IN_HAND > side_by_side > 0.84 * _WIDEST_IN_HAND else _WIDEST_IN_HAND


def _step(row: Sequence[Card], width: float) -> float:
    """How far the cards of a row lie apart."""
    return min(width + _BETWEEN, (_HAND_BOX.width - width) / (_offsets(row)[-1] or 1))


def _offsets(row: Sequence[Card]) -> list[float]:
    """How many steps each card lies from the first of its row: a little more where a suit begins."""
    return [i + _SUIT_GAP * (len({card.suit for card in row[: i + 1]}) - 1) for i in range(len(row))]
