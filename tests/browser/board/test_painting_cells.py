"""A matrix that is written on the page: cell by cell with the keys, on a phone too, and whatever is wrong may be mended."""

from __future__ import annotations

import pytest
from painted import axed
from painted_matrix import MatrixBoard, matrices
from playwright.sync_api import expect

from durak_widget import editor

pytestmark = pytest.mark.slow

SETTLED = "(turn) => document.querySelector('.dk-editor').dataset.shown === String(turn)"


@pytest.fixture(scope="module")
def page(pages):
    """A page for matrices."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    yield matrices(context.new_page())
    context.close()


@pytest.fixture
def board_page(page: MatrixBoard):
    """That page; no error may happen in it."""
    problems: list[str] = []
    note = lambda error: problems.append(str(error))  # noqa: E731 - one line
    page.page.on("pageerror", note)
    yield page
    page.page.remove_listener("pageerror", note)
    assert problems == []


def settled(board_page: MatrixBoard, turn: int) -> None:
    """So many steps have been taken, and are shown."""
    board_page.page.wait_for_function(SETTLED, arg=turn)


def test_a_game_is_written_with_the_keys_and_every_step_comes_back(board_page):
    """Names, payoffs, one row more; Enter goes down, an arrow beside; Ctrl+Z to the beginning."""
    sketch = editor.MatrixSketch()
    board_page.lay(sketch)
    page = board_page.page
    page.get_by_label("Name of player 1").fill("Ann")
    page.get_by_label("Row: name of the plan A").fill("silent")
    page.keyboard.press("Enter")
    settled(board_page, 2)
    page.get_by_label("Ann silent, Column a: what is it worth?").click()
    for text, key in (("3, 3", "ArrowRight"), ("0,5", "Enter"), ("1", "Shift+Tab"), ("5; 0", "Tab")):
        page.keyboard.type(text)
        page.keyboard.press(key)
    settled(board_page, 6)
    assert sketch.matrix_draft_view["cells"] == [["3, 3", "0, 5"], ["5, 0", "1, -1"]]
    expect(page.locator(".dk-editor-missing")).to_have_text("Nothing is missing: this is a game.")
    board_page.tool("Add a row").click()
    settled(board_page, 7)
    expect(page.locator(".dk-editor-missing-item")).to_have_count(2)
    page.locator(".dk-editor-missing-item").first.click()
    assert board_page.focus == "Ann A, Column a: what is it worth?"
    board_page.tool("Take the row away").click()
    settled(board_page, 8)
    assert sketch.draft.strategies == (("silent", "B"), ("a", "b"))
    drawn, steps = sketch.draft, sketch.history.undo_count
    page.get_by_label("Ann silent, Column a: what is it worth?").focus()
    for _ in range(steps):
        page.keyboard.press("Control+z")
    settled(board_page, 8 + steps)
    assert sketch.draft.names == ("Row", "Column")
    for _ in range(steps):
        page.keyboard.press("Control+y")
    settled(board_page, 8 + 2 * steps)
    assert sketch.draft == drawn


def test_what_is_no_number_is_said_and_may_be_mended(board_page):
    """What was typed stands there, Python knows nothing of it, and the next word is taken."""
    sketch = editor.MatrixSketch(language="lt")
    board_page.lay(sketch)
    cell = board_page.page.locator("td input").first
    cell.fill("1; daug")
    cell.press("Enter")
    expect(board_page.page.locator(".dk-refusal")).to_have_text("„daug“ nėra skaičius. Rašykite 1/3, 0,5 arba −2.")
    expect(cell).to_have_value("1; daug")
    cell.fill("1; 2")
    cell.press("Enter")
    settled(board_page, 1)
    assert sketch.matrix_draft_view["cells"][0][0] == "1, 2"
    cell.fill("-1/3; \u22122")
    cell.press("Enter")
    settled(board_page, 2)
    expect(cell).to_have_value("\u22121/3, \u22122")
    assert sketch.matrix_draft_view["cells"][0][0] == "-1/3, -2"


@pytest.mark.parametrize("theme", ["dark"])
def test_nothing_stands_in_the_way_and_nothing_is_cut_off(board_page, theme):
    """Of who hears it, and of who has a phone; with what comes out of it shown."""
    sketch = editor.MatrixSketch([[(3, 3), ("1/3", 5)], [(5, 0), (1, 1)]], theme=theme, language="ru")
    board_page.page.set_viewport_size({"width": 360, "height": 740})
    board_page.lay(sketch, 344)
    board_page.page.locator("[data-command=export]").click()
    board_page.page.locator("[data-form=python]").click()
    expect(board_page.page.locator(".dk-editor-export-text")).to_have_value(sketch_text(sketch))
    assert axed(board_page.page, ".dk") == []
    assert board_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    board_page.page.set_viewport_size({"width": 1200, "height": 800})


def sketch_text(sketch: editor.MatrixSketch) -> str:
    """The cell of Python that makes it again."""
    return f"from fractions import Fraction\nfrom durak_widget import board\n\n{sketch.python}\n"
