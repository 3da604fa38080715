"""Distributes questions over the pages of an exam, by their height in print.

Sizes are in millimetres and fit both A4 and Letter.
"""

from __future__ import annotations

from html import escape, unescape
from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board.svg_primitives import measure_text
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.exercises.paper_form import AnswerBlank, PaperPicture, PaperQuestion
    from durak_widget.i18n import Translator

PAGE_WIDTH: Final = 180.0
"""The width of a page's content in millimetres; with margins of 15 mm, it fits A4 and Letter paper."""
PAGE_HEIGHT: Final = 229.0
"""The height of a page's content, without the header, in millimetres; it fits Letter paper, which is shorter than
A4."""
_MM_PER_PIXEL: Final = 25.4 / 96
_LINE_HEIGHT, _PARAGRAPH_GAP, _HEADING_HEIGHT, _QUESTION_GAP = 4.9, 1.4, 7.6, 6.5
"""Heights in millimetres: a line, a gap between paragraphs, a question's heading, and a gap between questions."""
_FONT_SIZE: Final = 13.4
"""The font size of exam pages in CSS pixels; it equals 10 points."""
_GROUP_HEADING_HEIGHT, _BOX_HEIGHT, _BOX_WIDTH, _RULE_HEIGHT, _WORK_HEIGHT, _OPTION_HEIGHT, _SHARE_WIDTH = (
    8.0,
    10.5,
    36.0,
    11.5,
    22.0,
    5.8,
    90.0,
)
_MIN_INLINE_SCALE, _MIN_SCALE = 0.75, 0.5
"""The minimum scale of an image beside its question, and of an image on a page of its own."""


class QuestionBlock(NamedTuple):
    """A piece of a question that stays on one page: its HTML, and its height in millimetres."""

    html: str
    height: float


def build_blocks(title: str, points: str, lead: str, paper_question: PaperQuestion, number: str, voice: Translator) -> list[QuestionBlock]:
    """Convert a question to blocks of HTML, with its images and with space for the answer.

    If the pictures would be too small, they are a block of their own, which follows.
    """
    texts = [text for text in (lead, paper_question.question, paper_question.instructions) if text]
    height = _HEADING_HEIGHT + sum(map(_measure_paragraph, texts)) + sum(map(_measure_row, _group_blanks(paper_question.blanks)))
    pictures = paper_question.draw_pictures()
    pictures_height = sum(_measure_picture(picture)[1] + 2 for picture in pictures)
    scale = min(1.0, (PAGE_HEIGHT - height - 1) / pictures_height) if pictures_height else 1.0
    is_readable = all(
        scale * _measure_picture(picture)[0] >= _MIN_INLINE_SCALE * min(picture.width * _MM_PER_PIXEL, picture.max_width_mm)
        for picture in pictures
    )
    question_html = "".join(
        f'<p class="{css_class}">{text}</p>' for css_class, text in (("lead", lead), ("asked", escape(paper_question.question))) if text
    )
    answer_html = (
        f'<p class="how">{escape(paper_question.instructions)}</p>{"".join(map(_render_row, _group_blanks(paper_question.blanks)))}'
    )
    head = f"<h2>{title} <span>{points}</span></h2>{question_html}"
    if height < PAGE_HEIGHT and (is_readable or not pictures):
        return [
            QuestionBlock(
                f'<section class="ask">{head}{_render_pictures(pictures, scale)}{answer_html}</section>', height + pictures_height * scale
            )
        ]
    note = voice.translate("class.paper.apart")
    # A question that is too high for a page but has no images gets scale 0, which causes an error below
    page_scale = min(1.0, (PAGE_HEIGHT - _HEADING_HEIGHT - 1) / pictures_height) if pictures_height else 0.0
    if (
        height + _measure_paragraph(note) > PAGE_HEIGHT
        or page_scale < _MIN_SCALE
        or any(picture.html.startswith("<table") for picture in pictures)
    ):
        raise RefusedError("class.paper.large", number=number, title=unescape(title.partition(". ")[2] or title))
    heading = escape(voice.translate("class.paper.drawing", number=number))
    return [
        QuestionBlock(f'<section class="ask">{head}<p>{escape(note)}</p>{answer_html}</section>', height + _measure_paragraph(note)),
        QuestionBlock(
            f'<section class="ask"><h2>{heading}</h2>{_render_pictures(pictures, page_scale)}</section>',
            _HEADING_HEIGHT + pictures_height * page_scale,
        ),
    ]


def split_into_pages(blocks: Sequence[QuestionBlock]) -> list[list[QuestionBlock]]:
    """Distribute blocks of questions over pages, in order, without splitting any block.

    >>> [len(page) for page in split_into_pages([QuestionBlock("", 100), QuestionBlock("", 100), QuestionBlock("", 100)])]
    [2, 1]
    """
    pages: list[list[QuestionBlock]] = []
    free_height = 0.0
    for block in blocks:
        if not pages or free_height < block.height + _QUESTION_GAP:
            pages.append([])
            free_height = PAGE_HEIGHT + _QUESTION_GAP
        pages[-1].append(block)
        free_height -= block.height + _QUESTION_GAP
    return pages


def _measure_paragraph(text: str) -> float:
    """Return the height of a printed paragraph in millimetres."""
    plain_text = text.replace("**", "").replace("*", "")
    return ceil(1.07 * measure_text(plain_text, _FONT_SIZE) * _MM_PER_PIXEL / PAGE_WIDTH) * _LINE_HEIGHT + _PARAGRAPH_GAP


def _measure_picture(picture: PaperPicture) -> tuple[float, float]:
    """Return the width and height of a printed image in millimetres."""
    width = min(picture.width * _MM_PER_PIXEL, picture.max_width_mm)
    return width, picture.height * width / picture.width


def _render_pictures(pictures: Iterable[PaperPicture], scale: float) -> str:
    """Render images as HTML, each in its printed size."""
    return "".join(
        f"<figure>{picture.html}</figure>"
        if picture.html.startswith("<table")
        else f'<figure style="width:{_measure_picture(picture)[0] * scale:.1f}mm">{picture.html}</figure>'
        for picture in pictures
    )


BlankRow = tuple[str, list["AnswerBlank"]]
"""A row of spaces in which students write answers: its heading, and the spaces."""


def _group_blanks(blanks: Iterable[AnswerBlank]) -> list[BlankRow]:
    """Group a question's spaces for answers into printed rows."""
    rows: list[BlankRow] = []
    for (group, field_kind), blanks_of_group in groupby(blanks, key=lambda blank: (blank.group_heading, blank.field_kind)):
        group_blanks = list(blanks_of_group)
        rows += [(group, group_blanks)] if field_kind == "box" else [("", [blank]) for blank in group_blanks]
    return rows


def _measure_row(row: BlankRow) -> float:
    """Return the height of a printed row of answer spaces in millimetres."""
    group, blanks = row
    first = blanks[0]
    if first.options:
        return (_GROUP_HEADING_HEIGHT if first.prompt else 0) + sum(
            ceil(1.07 * measure_text(f"a  {option_text}", _FONT_SIZE) * _MM_PER_PIXEL / (PAGE_WIDTH - 12)) * _LINE_HEIGHT
            + _OPTION_HEIGHT
            - _LINE_HEIGHT
            for _, option_text in first.options
        )
    if first.field_kind == "box":
        box_width = _SHARE_WIDTH if group else _BOX_WIDTH
        return (_GROUP_HEADING_HEIGHT * bool(group)) + ceil(len(blanks) / int(PAGE_WIDTH // box_width)) * _BOX_HEIGHT
    return {"line": _RULE_HEIGHT, "work": _WORK_HEIGHT}.get(first.field_kind, 0.0)


def _render_row(row: BlankRow) -> str:
    """Render, as HTML, a row of spaces in which students write answers."""
    group, blanks = row
    first = blanks[0]
    if first.options:
        prompt = f'<p class="group">{_render_label(first)}{escape(first.prompt)}</p>' if first.prompt else ""
        ticks = "".join(f"<li><i></i><b>{label}</b> {escape(option_text)}</li>" for label, option_text in first.options)
        return f'{prompt}<ul class="ticks">{ticks}</ul>'
    if first.field_kind == "box":
        head = f'<p class="group">{escape(group)}</p>' if group else ""
        boxes = "".join(f"<span>{_render_label(blank)}<em>{escape(blank.prompt)}</em><i></i></span>" for blank in blanks)
        return f'{head}<div class="boxes{" shares" if group else ""}">{boxes}</div>'
    if first.field_kind in ("line", "work"):
        prompt = f"<em>{escape(first.prompt)}</em>" if first.prompt else ""
        return f'<div class="rule {first.field_kind}">{_render_label(first)}{prompt}<i></i></div>'
    return ""


def _render_label(blank: AnswerBlank) -> str:
    return f"<b>{escape(blank.label)}</b> " if blank.label else ""
