"""Test the teacher's pages on screen and in print: page breaks, width and accessibility."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest
from rendered_table import AXE

from durak_widget import duplicate_deals, lessons
from durak_widget.grading.class_report_page import Report
from durak_widget.grading.gradebook import Gradebook, GradebookRow, Problem
from durak_widget.grading.student_feedback import build_feedback_page
from support.spoken import english_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
SMALL = "econ431, ranks=QKA, hand_size=3"


def make_deal_sheets(language: str = "en", rules: str = "econ431") -> str:
    """Return the sheets of four deals."""
    return duplicate_deals.sheets(duplicate_deals.deals(desks=15, deals=4, edition="2027", rules=rules, language=language)).html


def make_comparison_page() -> str:
    """Return the results of 15 tables for two small deals."""
    lots = Random(1)
    return duplicate_deals.compare(
        [(desk, deal, lots.choice("AB"), 5, "a remark") for desk in range(1, 16) for deal in (1, 2)],
        duplicate_deals.deals(deals=2, rules=SMALL),
    ).html


def make_class_report(students: int, language: str = "en") -> str:
    """Return the report of a class with twelve questions."""
    lots, rows = Random(1), []
    for number in range(students):
        for place in range(12):
            credit = Fraction(lots.choice((0, 0, 1, 2, 3, 3, 3)), 3)
            mistake = "" if credit == 1 else lots.choice(("number.with_replacement", "tree.turned", ""))
            name = f"Aleksandra Kazimiera Žemaitė-{number:03}"
            rows.append(
                GradebookRow(
                    name,
                    f"{number}.json",
                    f"question-{place}",
                    credit * 2,
                    2,
                    credit,
                    lots.randint(0, 6),
                    mistake,
                    english_text("lesson.not_yet"),
                )
            )
    return Report(Gradebook(rows, [Problem("torn.ipynb", "It is cut.")]), title="Econ 431 · 2027", language=language).html


@pytest.fixture
def sheet(pages) -> Iterator[Page]:
    """Open a browser page for a sheet."""
    context = pages.context(viewport={"width": 1200, "height": 800})
    yield context.new_page()
    context.close()


def count_pages(pdf: bytes) -> int:
    """Count the pages of a PDF."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize(("paper", "rules"), [("Letter", "full_jokers")])
def test_every_sheet_is_one_page(sheet, paper, rules) -> None:
    """On both paper sizes and with the largest deck, as many pages as the first one says."""
    sheet.set_content(make_deal_sheets("ru", rules))
    assert count_pages(sheet.pdf(format=paper, print_background=True)) == 7


def test_the_report_of_a_large_class_takes_few_pages(sheet) -> None:
    """About ten, and every page of the grid repeats the question numbers."""
    sheet.set_content(make_class_report(200))
    assert count_pages(sheet.pdf(format="A4", print_background=True)) <= 12
    sheet.emulate_media(media="print")
    assert sheet.evaluate("getComputedStyle(document.querySelector('.grid thead')).display") == "table-header-group"


def test_folded_sections_are_printed(sheet) -> None:
    """They cannot be opened on paper."""
    sheet.set_content(make_class_report(30))
    folded = sheet.locator("details:not([open])").first
    low = folded.evaluate("one => one.getBoundingClientRect().height")
    sheet.emulate_media(media="print")
    assert folded.evaluate("one => one.getBoundingClientRect().height") > low + 20


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark")])
def test_pages_are_accessible_in_both_themes(sheet, width, scheme) -> None:
    """On desktop and phone nothing is wider than the screen, and axe finds nothing."""
    sheet.emulate_media(color_scheme=scheme)
    sheet.set_viewport_size({"width": width, "height": 800})
    for html in (make_deal_sheets(), make_comparison_page(), make_class_report(30)):
        sheet.set_content(html)
        assert sheet.evaluate("document.documentElement.scrollWidth") <= width
        sheet.evaluate(AXE.read_text(encoding="utf-8"))
        wrong = sheet.evaluate("async () => (await axe.run()).violations.map(({ id, nodes }) => [id, nodes[0].html])")
        assert wrong == []


WIDE = """[...document.querySelectorAll('.board')].map((board) => ({
  cut: board.scrollWidth > board.clientWidth + 1,
  sign: getComputedStyle(board, '::before').content !== 'none',
}))"""


@pytest.mark.parametrize("width", [360])
def test_a_wide_matrix_is_scaled_or_marked_as_scrolling(sheet, tmp_path, width) -> None:
    """Scaled on a laptop, scrolling with a sign on a phone."""
    homework = lessons.homework("econ431", student="Ann", edition="2027 rev2", folder=tmp_path)
    homework.answer("strategic-form", ["7"] * 12)
    homework.answer("dominance", [[0, 0]])
    marks = lessons.mark(tmp_path, "econ431", edition="2027 rev2", jobs=0)
    sheet.set_viewport_size({"width": width, "height": 800})
    sheet.set_content(build_feedback_page(marks, "Ann").html)
    boards = sheet.evaluate(WIDE)
    assert boards
    assert [board for board in boards if board["cut"] and not board["sign"]] == []
    assert sheet.evaluate("document.documentElement.scrollWidth") <= width


def test_the_dark_theme_is_not_printed(sheet) -> None:
    """Ink is dark on paper."""
    sheet.emulate_media(color_scheme="dark", media="print")
    sheet.set_content(make_deal_sheets())
    shades = sheet.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    assert shades == ["rgb(31, 38, 48)", "rgb(255, 255, 255)"]


@pytest.mark.parametrize("paper", ["A4"])
def test_a_paper_exam_has_the_stated_number_of_pages(sheet, paper) -> None:
    """For two students in the longest languages. No page overflows or is empty."""
    from durak_widget.econ431.problem_set import ASSIGNMENT  # noqa: PLC0415 - that test alone needs it
    from durak_widget.paper_exams.exam_sheets import PrintedExam  # noqa: PLC0415 - as above

    papers = PrintedExam(ASSIGNMENT.with_edition("2027"), ["Ann Lee", "Žydrė Petraitė"], "ru")
    sheet.set_content(papers.build_print_document().html)
    assert count_pages(sheet.pdf(format=paper, print_background=True)) == sum(len(leaves.pages) for leaves in papers.student_sheets)
    sheet.emulate_media(media="print")
    assert not sheet.evaluate("[...document.querySelectorAll('.leaf')].filter(leaf => leaf.scrollWidth > leaf.clientWidth + 1).length")
