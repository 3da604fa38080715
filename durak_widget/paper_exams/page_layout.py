"""How much of a page a question takes, and which questions stand on which page: in millimetres, so that both A4 and Letter have room for it."""

from __future__ import annotations

from html import escape, unescape
from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board.svg_primitives import wide
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.exercises.paper_form import Blank, ByHand, DrawnByHand
    from durak_widget.i18n import Voice

WIDE: Final = 180.0
"""So wide is what is printed on a page: less than A4 and than Letter are between margins of 15 mm."""
HIGH: Final = 229.0
"""So high is what stands on a page below its head: of Letter, the lower of the two, 10 mm are kept free."""
_PIXEL: Final = 25.4 / 96
_LINE, _PARAGRAPH, _HEAD, _BETWEEN = 4.9, 1.4, 7.6, 6.5
"""How high a line of text is, what lies between two paragraphs, the head of a question, what lies between two questions."""
_TEXT: Final = 13.4
"""How large text is, in pixels: 10 points."""
_GROUP, _BOX, _BOX_WIDE, _RULE, _WORK, _OPTION, _SHARE_WIDE = 8.0, 10.5, 36.0, 11.5, 22.0, 5.8, 90.0
_SMALL, _SMALLEST = 0.75, 0.5
"""A picture that would have to be smaller than the first has a page of its own; smaller than the other nobody could read it."""


class Block(NamedTuple):
    """A question as it is printed, and how high it is."""

    html: str
    high: float


def blocks_of(title: str, points: str, lead: str, sheet: ByHand, number: str, voice: Voice) -> list[Block]:
    """A question with its picture and room for what is to be written; a picture that would be too small there has a page of its own, which follows."""
    texts = [text for text in (lead, sheet.question, sheet.how) if text]
    high = _HEAD + sum(map(_tall, texts)) + sum(map(_room, _rows(sheet.blanks)))
    drawn = sheet.draw()
    whole = sum(_size(one)[1] + 2 for one in drawn)
    scale = min(1.0, (HIGH - high - 1) / whole) if whole else 1.0
    fits = all(scale * _size(one)[0] >= _SMALL * min(one.width * _PIXEL, one.most) for one in drawn)
    asked = "".join(f'<p class="{kind}">{text}</p>' for kind, text in (("lead", lead), ("asked", escape(sheet.question))) if text)
    below = f'<p class="how">{escape(sheet.how)}</p>{"".join(map(_drawn_row, _rows(sheet.blanks)))}'
    head = f"<h2>{title} <span>{points}</span></h2>{asked}"
    if high < HIGH and (fits or not drawn):
        return [Block(f'<section class="ask">{head}{_figures(drawn, scale)}{below}</section>', high + whole * scale)]
    apart = voice.say("class.paper.apart")
    alone = min(1.0, (HIGH - _HEAD - 1) / whole) if whole else 0.0  # nothing is drawn that could stand apart: it is all text
    if high + _tall(apart) > HIGH or alone < _SMALLEST or any(one.html.startswith("<table") for one in drawn):
        raise RefusedError("class.paper.large", number=number, title=unescape(title.partition(". ")[2] or title))
    to = escape(voice.say("class.paper.drawing", number=number))
    return [
        Block(f'<section class="ask">{head}<p>{escape(apart)}</p>{below}</section>', high + _tall(apart)),
        Block(f'<section class="ask"><h2>{to}</h2>{_figures(drawn, alone)}</section>', _HEAD + whole * alone),
    ]


def pages_of(blocks: Sequence[Block]) -> list[list[Block]]:
    """Which questions stand on which page, in their order: none is broken.

    >>> [len(page) for page in pages_of([Block("", 100), Block("", 100), Block("", 100)])]
    [2, 1]
    """
    pages: list[list[Block]] = []
    room = 0.0
    for one in blocks:
        if not pages or room < one.high + _BETWEEN:
            pages.append([])
            room = HIGH + _BETWEEN
        pages[-1].append(one)
        room -= one.high + _BETWEEN
    return pages


def _tall(text: str) -> float:
    """How high a paragraph is."""
    bare = text.replace("**", "").replace("*", "")
    return ceil(1.07 * wide(bare, _TEXT) * _PIXEL / WIDE) * _LINE + _PARAGRAPH


def _size(drawn: DrawnByHand) -> tuple[float, float]:
    """How wide and how high something that is drawn is printed."""
    across = min(drawn.width * _PIXEL, drawn.most)
    return across, drawn.height * across / drawn.width


def _figures(drawn: Iterable[DrawnByHand], scale: float) -> str:
    """What is drawn, made smaller."""
    return "".join(
        f"<figure>{one.html}</figure>"
        if one.html.startswith("<table")
        else f'<figure style="width:{_size(one)[0] * scale:.1f}mm">{one.html}</figure>'
        for one in drawn
    )


# What is written in

Row = tuple[str, list["Blank"]]
"""What stands before some blanks, and these."""


def _rows(blanks: Iterable[Blank]) -> list[Row]:
    """The blanks as they stand below one another."""
    found: list[Row] = []
    for (group, room), several in groupby(blanks, key=lambda one: (one.group, one.room)):
        own = list(several)
        found += [(group, own)] if room == "box" else [("", [one]) for one in own]
    return found


def _room(row: Row) -> float:
    """How high a row of blanks is."""
    group, blanks = row
    first = blanks[0]
    if first.options:
        return (_GROUP if first.said else 0) + sum(
            ceil(1.07 * wide(f"a  {words}", _TEXT) * _PIXEL / (WIDE - 12)) * _LINE + _OPTION - _LINE for _, words in first.options
        )
    if first.room == "box":
        each = _SHARE_WIDE if group else _BOX_WIDE
        return (_GROUP * bool(group)) + ceil(len(blanks) / int(WIDE // each)) * _BOX
    return {"line": _RULE, "work": _WORK}.get(first.room, 0.0)


def _drawn_row(row: Row) -> str:
    """A row of blanks."""
    group, blanks = row
    first = blanks[0]
    if first.options:
        said = f'<p class="group">{_label(first)}{escape(first.said)}</p>' if first.said else ""
        ticks = "".join(f"<li><i></i><b>{label}</b> {escape(words)}</li>" for label, words in first.options)
        return f'{said}<ul class="ticks">{ticks}</ul>'
    if first.room == "box":
        head = f'<p class="group">{escape(group)}</p>' if group else ""
        boxes = "".join(f"<span>{_label(one)}<em>{escape(one.said)}</em><i></i></span>" for one in blanks)
        return f'{head}<div class="boxes{" shares" if group else ""}">{boxes}</div>'
    if first.room in ("line", "work"):
        said = f"<em>{escape(first.said)}</em>" if first.said else ""
        return f'<div class="rule {first.room}">{_label(first)}{said}<i></i></div>'
    return ""


def _label(blank: Blank) -> str:
    return f"<b>{escape(blank.label)}</b> " if blank.label else ""
