"""The layout of exam pages: the height of each question, and which page it is on.

Sizes are in millimetres and fit both A4 and Letter.
"""

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
"""The printed width, which fits both A4 and Letter with margins of 15 mm."""
HIGH: Final = 229.0
"""The height below the page head; it fits Letter, the shorter format, with 10 mm to spare."""
_PIXEL: Final = 25.4 / 96
_LINE, _PARAGRAPH, _HEAD, _BETWEEN = 4.9, 1.4, 7.6, 6.5
"""The heights of a line, a paragraph gap, the heading of a question, and a gap between questions."""
_TEXT: Final = 13.4
"""The font size in pixels, which is 10 points."""
_GROUP, _BOX, _BOX_WIDE, _RULE, _WORK, _OPTION, _SHARE_WIDE = 8.0, 10.5, 36.0, 11.5, 22.0, 5.8, 90.0
_SMALL, _SMALLEST = 0.75, 0.5
"""The least scale of a picture beside its question, and on a page of its own."""


class Block(NamedTuple):
    """A question as HTML, with its printed height."""

    html: str
    high: float


def blocks_of(title: str, points: str, lead: str, sheet: ByHand, number: str, voice: Voice) -> list[Block]:
    """Return a question with its pictures and space for the answer.

    If the pictures would be too small, they are a block of their own, which follows.
    """
    texts = [text for text in (lead, sheet.question, sheet.how) if text]
    height = _HEAD + sum(map(_tall, texts)) + sum(map(_room, _rows(sheet.blanks)))
    pictures = sheet.draw()
    pictures_height = sum(_size(picture)[1] + 2 for picture in pictures)
    scale = min(1.0, (HIGH - height - 1) / pictures_height) if pictures_height else 1.0
    is_readable = all(scale * _size(picture)[0] >= _SMALL * min(picture.width * _PIXEL, picture.most) for picture in pictures)
    question_html = "".join(
        f'<p class="{css_class}">{text}</p>' for css_class, text in (("lead", lead), ("asked", escape(sheet.question))) if text
    )
    answer_html = f'<p class="how">{escape(sheet.how)}</p>{"".join(map(_drawn_row, _rows(sheet.blanks)))}'
    head = f"<h2>{title} <span>{points}</span></h2>{question_html}"
    if height < HIGH and (is_readable or not pictures):
        return [Block(f'<section class="ask">{head}{_figures(pictures, scale)}{answer_html}</section>', height + pictures_height * scale)]
    note = voice.say("class.paper.apart")
    page_scale = min(1.0, (HIGH - _HEAD - 1) / pictures_height) if pictures_height else 0.0  # all text
    if height + _tall(note) > HIGH or page_scale < _SMALLEST or any(picture.html.startswith("<table") for picture in pictures):
        raise RefusedError("class.paper.large", number=number, title=unescape(title.partition(". ")[2] or title))
    heading = escape(voice.say("class.paper.drawing", number=number))
    return [
        Block(f'<section class="ask">{head}<p>{escape(note)}</p>{answer_html}</section>', height + _tall(note)),
        Block(f'<section class="ask"><h2>{heading}</h2>{_figures(pictures, page_scale)}</section>', _HEAD + pictures_height * page_scale),
    ]


def pages_of(blocks: Sequence[Block]) -> list[list[Block]]:
    """Return the questions of each page, in order; no question is split.

    >>> [len(page) for page in pages_of([Block("", 100), Block("", 100), Block("", 100)])]
    [2, 1]
    """
    pages: list[list[Block]] = []
    free_height = 0.0
    for block in blocks:
        if not pages or free_height < block.high + _BETWEEN:
            pages.append([])
            free_height = HIGH + _BETWEEN
        pages[-1].append(block)
        free_height -= block.high + _BETWEEN
    return pages


def _tall(text: str) -> float:
    """Return the height of a paragraph."""
    plain_text = text.replace("**", "").replace("*", "")
    return ceil(1.07 * wide(plain_text, _TEXT) * _PIXEL / WIDE) * _LINE + _PARAGRAPH


def _size(drawn: DrawnByHand) -> tuple[float, float]:
    """Return the printed width and height of a picture."""
    width = min(drawn.width * _PIXEL, drawn.most)
    return width, drawn.height * width / drawn.width


def _figures(drawn: Iterable[DrawnByHand], scale: float) -> str:
    """Return the pictures as HTML, scaled."""
    return "".join(
        f"<figure>{picture.html}</figure>"
        if picture.html.startswith("<table")
        else f'<figure style="width:{_size(picture)[0] * scale:.1f}mm">{picture.html}</figure>'
        for picture in drawn
    )


Row = tuple[str, list["Blank"]]
"""The heading of some blanks, and the blanks."""


def _rows(blanks: Iterable[Blank]) -> list[Row]:
    """Return the blanks in rows, as they are printed."""
    rows: list[Row] = []
    for (group, field_kind), blanks_of_group in groupby(blanks, key=lambda blank: (blank.group, blank.room)):
        group_blanks = list(blanks_of_group)
        rows += [(group, group_blanks)] if field_kind == "box" else [("", [blank]) for blank in group_blanks]
    return rows


def _room(row: Row) -> float:
    """Return the height of a row of blanks."""
    group, blanks = row
    first = blanks[0]
    if first.options:
        return (_GROUP if first.said else 0) + sum(
            ceil(1.07 * wide(f"a  {option_text}", _TEXT) * _PIXEL / (WIDE - 12)) * _LINE + _OPTION - _LINE
            for _, option_text in first.options
        )
    if first.room == "box":
        box_width = _SHARE_WIDE if group else _BOX_WIDE
        return (_GROUP * bool(group)) + ceil(len(blanks) / int(WIDE // box_width)) * _BOX
    return {"line": _RULE, "work": _WORK}.get(first.room, 0.0)


def _drawn_row(row: Row) -> str:
    """Return a row of blanks as HTML."""
    group, blanks = row
    first = blanks[0]
    if first.options:
        prompt = f'<p class="group">{_label(first)}{escape(first.said)}</p>' if first.said else ""
        ticks = "".join(f"<li><i></i><b>{label}</b> {escape(option_text)}</li>" for label, option_text in first.options)
        return f'{prompt}<ul class="ticks">{ticks}</ul>'
    if first.room == "box":
        head = f'<p class="group">{escape(group)}</p>' if group else ""
        boxes = "".join(f"<span>{_label(blank)}<em>{escape(blank.said)}</em><i></i></span>" for blank in blanks)
        return f'{head}<div class="boxes{" shares" if group else ""}">{boxes}</div>'
    if first.room in ("line", "work"):
        prompt = f"<em>{escape(first.said)}</em>" if first.said else ""
        return f'<div class="rule {first.room}">{_label(first)}{prompt}<i></i></div>'
    return ""


def _label(blank: Blank) -> str:
    return f"<b>{escape(blank.label)}</b> " if blank.label else ""
