"""The teacher's pages as they are seen and printed: each sheet a page on either paper, nothing wider than the screen, and no line for a screen reader to stumble on."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest
from painted import AXE

from durak_widget import duplicate_deals, lessons
from durak_widget.grading.class_report_page import Report
from durak_widget.grading.gradebook import Gradebook, GradebookRow, Problem
from durak_widget.grading.student_feedback import build_feedback_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
SMALL = "econ431, ranks=QKA, hand_size=3"


def deals(language: str = "en", rules: str = "econ431") -> str:
    """The sheets of four deals."""
    return duplicate_deals.sheets(duplicate_deals.deals(desks=15, deals=4, edition="2027", rules=rules, language=language)).html


def compared() -> str:
    """What 15 desks made of two small deals."""
    lots = Random(1)
    return duplicate_deals.compare(
        [(desk, deal, lots.choice("AB"), 5, "a remark") for desk in range(1, 16) for deal in (1, 2)],
        duplicate_deals.deals(deals=2, rules=SMALL),
    ).html


def report(students: int, language: str = "en") -> str:
    """The page of a class in which twelve questions were asked."""
    lots, rows = Random(1), []
    for number in range(students):
        for place in range(12):
            credit = Fraction(lots.choice((0, 0, 1, 2, 3, 3, 3)), 3)
            mistake = "" if credit == 1 else lots.choice(("number.with_replacement", "tree.turned", ""))
            name = f"Aleksandra Kazimiera Žemaitė-{number:03}"
            rows.append(
                GradebookRow(name, f"{number}.json", f"question-{place}", credit * 2, 2, credit, lots.randint(0, 6), mistake, "Not yet.")
            )
    return Report(Gradebook(rows, [Problem("torn.ipynb", "It is cut.")]), title="Econ 431 · 2027", language=language).html


@pytest.fixture
def sheet(pages) -> Iterator[Page]:
    """A page of a browser, to lay a sheet on."""
    context = pages.context(viewport={"width": 1200, "height": 800})
    yield context.new_page()
    context.close()


def pages_of(pdf: bytes) -> int:
    """How many pages a PDF has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize(("paper", "rules"), [("Letter", "full_jokers")])
def test_every_sheet_is_one_page(sheet, paper, rules) -> None:
    """The teacher's sheet, the desk's, four deals and the form, on either paper and with the largest deck: the pages that the first one names."""
    sheet.set_content(deals("ru", rules))
    assert pages_of(sheet.pdf(format=paper, print_background=True)) == 7


def test_a_class_of_two_hundred_fits_on_a_few_pages(sheet) -> None:
    """Ten pages or so, and every page of the grid begins with the numbers of the questions."""
    sheet.set_content(report(200))
    assert pages_of(sheet.pdf(format="A4", print_background=True)) <= 12
    sheet.emulate_media(media="print")
    assert sheet.evaluate("getComputedStyle(document.querySelector('.grid thead')).display") == "table-header-group"


def test_what_is_folded_on_the_screen_is_printed(sheet) -> None:
    """On paper nobody can open a fold."""
    sheet.set_content(report(30))
    folded = sheet.locator("details:not([open])").first
    low = folded.evaluate("one => one.getBoundingClientRect().height")
    sheet.emulate_media(media="print")
    assert folded.evaluate("one => one.getBoundingClientRect().height") > low + 20


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark")])
def test_pages_are_read_by_everybody(sheet, width, scheme) -> None:
    """By day and by night, on a desk and on a phone: nothing is wider than the screen, and axe finds nothing."""
    sheet.emulate_media(color_scheme=scheme)
    sheet.set_viewport_size({"width": width, "height": 800})
    for html in (deals(), compared(), report(30)):
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
def test_a_wide_matrix_fits_its_page_or_a_sign_shows_that_it_scrolls(sheet, tmp_path, width) -> None:
    """On a laptop it is scaled to fit; on a phone, where that would be illegible, a sign stands above it."""
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


def test_nothing_of_the_night_is_printed(sheet) -> None:
    """On paper ink is dark, whatever the screen prefers."""
    sheet.emulate_media(color_scheme="dark", media="print")
    sheet.set_content(deals())
    shades = sheet.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    assert shades == ["rgb(31, 38, 48)", "rgb(255, 255, 255)"]


@pytest.mark.parametrize("paper", ["A4"])
def test_a_paper_has_the_pages_that_it_counts(sheet, paper) -> None:
    """All fifteen questions for two students, in the languages with the longest words: no page runs over, none is empty."""
    from durak_widget.econ431.problem_set import ASSIGNMENT  # noqa: PLC0415 - that test alone needs it
    from durak_widget.paper_exams.exam_sheets import PrintedExam  # noqa: PLC0415 - as above

    papers = PrintedExam(ASSIGNMENT.with_edition("2027"), ["Ann Lee", "Žydrė Petraitė"], "ru")
    sheet.set_content(papers.build_print_document().html)
    assert pages_of(sheet.pdf(format=paper, print_background=True)) == sum(len(leaves.pages) for leaves in papers.student_sheets)
    sheet.emulate_media(media="print")
    assert not sheet.evaluate("[...document.querySelectorAll('.leaf')].filter(leaf => leaf.scrollWidth > leaf.clientWidth + 1).length")
