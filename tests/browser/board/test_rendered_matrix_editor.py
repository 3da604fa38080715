"""Test the matrix editor: typing cells, errors, phones and accessibility."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from rendered_matrix import MatrixPage, load_matrix_page
from rendered_table import find_axe_violations

from durak_widget import editor
from durak_widget.i18n import Translator
from support.spoken import english_text

pytestmark = pytest.mark.slow

SETTLED = "(turn) => document.querySelector('.dk-editor').dataset.shown === String(turn)"


@pytest.fixture(scope="module")
def page(pages):
    """Open a page for matrices."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    yield load_matrix_page(context.new_page())
    context.close()


@pytest.fixture
def board_page(page: MatrixPage):
    """Return that page. Fail on page errors."""
    problems: list[str] = []
    note = lambda error: problems.append(str(error))  # noqa: E731 - one line
    page.page.on("pageerror", note)
    yield page
    page.page.remove_listener("pageerror", note)
    assert problems == []


def wait_for_steps(board_page: MatrixPage, turn: int) -> None:
    """Wait until this many steps are handled and shown."""
    board_page.page.wait_for_function(SETTLED, arg=turn)


def test_a_matrix_is_typed_by_keys_and_every_step_can_be_undone(board_page):
    """Names, payoffs and a new row. Enter goes down, arrows sideways, Ctrl+Z back to the start."""
    sketch = editor.MatrixSketch()
    board_page.mount(sketch)
    page = board_page.page
    page.get_by_label(english_text("screen.sketch.field.player", number="1")).fill("Ann")
    page.get_by_label(english_text("screen.sketch.matrix.plan", name="Row", plan="A")).fill("silent")
    page.keyboard.press("Enter")
    wait_for_steps(board_page, 2)
    page.get_by_label(english_text("screen.matrix.fill.cell", first="Ann", row="silent", second="Column", column="a")).click()
    for text, key in (("3, 3", "ArrowRight"), ("0,5", "Enter"), ("1", "Shift+Tab"), ("5; 0", "Tab")):
        page.keyboard.type(text)
        page.keyboard.press(key)
    wait_for_steps(board_page, 6)
    assert sketch.matrix_draft_view["cells"] == [["3, 3", "0, 5"], ["5, 0", "1, -1"]]
    expect(page.locator(".dk-editor-missing")).to_have_text(english_text("screen.sketch.whole"))
    board_page.tool(english_text("screen.sketch.matrix.row")).click()
    wait_for_steps(board_page, 7)
    expect(page.locator(".dk-editor-missing-item")).to_have_count(2)
    page.locator(".dk-editor-missing-item").first.click()
    assert board_page.focus == english_text("screen.matrix.fill.cell", first="Ann", row="A", second="Column", column="a")
    board_page.tool(english_text("screen.sketch.matrix.row.drop")).click()
    wait_for_steps(board_page, 8)
    assert sketch.draft.strategies == (("silent", "B"), ("a", "b"))
    drawn, steps = sketch.draft, sketch.history.undo_count
    page.get_by_label(english_text("screen.matrix.fill.cell", first="Ann", row="silent", second="Column", column="a")).focus()
    for _ in range(steps):
        page.keyboard.press("Control+z")
    wait_for_steps(board_page, 8 + steps)
    assert sketch.draft.names == ("Row", "Column")
    for _ in range(steps):
        page.keyboard.press("Control+y")
    wait_for_steps(board_page, 8 + 2 * steps)
    assert sketch.draft == drawn


def test_tab_goes_through_the_payoffs_row_by_row(board_page):
    """Nine payoffs are typed with Tab. Tab before the first and after the last one leads to names, and out of the table."""
    sketch = editor.MatrixSketch([[0] * 3] * 3)
    names = sketch.draft.strategies
    board_page.mount(sketch)
    page = board_page.page
    page.locator("td input").first.select_text()
    for number in range(1, 10):
        page.keyboard.type(f"{number}, 0")
        page.keyboard.press("Tab" if number < 9 else "Shift+Tab")
    wait_for_steps(board_page, 9)
    assert [[int(cell[0]) for cell in row] for row in sketch.matrix.payoffs] == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    assert sketch.draft.strategies == names
    expect(page.locator("td input").nth(7)).to_be_focused()
    for key, count in (("Shift+Tab", 8 + len(page.locator("th input").all()) - 1), ("Tab", 8)):
        for _ in range(count):
            page.keyboard.press(key)
    expect(page.locator("td input").first).to_be_focused()
    page.locator("td input").last.focus()
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.matches('table input')")


def test_typing_replaces_a_clicked_name(board_page):
    """A click or an arrow key selects the whole name. A second click puts the caret."""
    sketch = editor.MatrixSketch()
    board_page.mount(sketch)
    page = board_page.page
    names = page.locator("thead input")
    page.locator("td input").first.focus()
    names.nth(2).click()
    page.keyboard.type("left")
    page.locator("td input").first.click()
    wait_for_steps(board_page, 1)
    assert sketch.draft.strategies[1] == ("left", "b")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("right")
    page.keyboard.press("Enter")
    wait_for_steps(board_page, 2)
    assert sketch.draft.strategies[1] == ("left", "right")
    names.nth(0).click()
    names.nth(0).click()
    page.keyboard.press("End")
    page.keyboard.type("s")
    page.keyboard.press("Enter")
    wait_for_steps(board_page, 3)
    assert sketch.draft.names == ("Row", "Columns")


@pytest.mark.parametrize(("text", "key", "cell"), [("", "Escape", "1, 0"), ("1, 0", "Enter", "1, 0"), ("", "Enter", "")])
def test_a_refused_text_is_taken_back(board_page, text, key, cell):
    """Escape brings the old payoffs back; they can also be typed again, or the field emptied. Python then forgets the refused text."""
    sketch = editor.MatrixSketch([[(1, 0)] * 2] * 2)
    board_page.mount(sketch)
    page = board_page.page
    field = page.locator("td input").first
    field.fill("9, x")
    page.keyboard.press("Enter")
    expect(page.locator(".dk-refusal")).to_have_text(english_text("sketch.refused.number", text="x"))
    expect(field).to_be_focused()
    assert sketch.refused_text.error is not None
    if key != "Escape":
        field.fill(text)
    page.keyboard.press(key)
    expect(field).to_have_value(cell)
    expect(page.locator(".dk-refusal")).to_be_hidden()
    page.wait_for_timeout(100)
    assert sketch.refused_text.error is None
    assert sketch.matrix_draft_view["cells"][0][0] == cell


PASTE = """(field, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  return field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""
"""Pastes a text into a field. Returns whether the browser may put the text into the field."""


def test_a_pasted_table_fills_the_cells_from_the_selected_one(board_page):
    """It is one step. What can't be read is refused, and a single cell goes into its field as usual."""
    sketch = editor.MatrixSketch()
    board_page.mount(sketch)
    page = board_page.page
    cells = page.locator("td input")
    cells.nth(3).focus()
    assert not cells.nth(3).evaluate(PASTE, "2,1\t0 0\n1 0\t-3\n")
    wait_for_steps(board_page, 1)
    expect(cells).to_have_count(9)
    assert sketch.matrix_draft_view["cells"] == [["", "", ""], ["", "2, 1", "0, 0"], ["", "1, 0", "-3, 3"]]
    expect(cells.nth(4)).to_be_focused()
    expect(cells.nth(4)).to_have_value("2, 1")
    page.keyboard.press("Control+z")
    wait_for_steps(board_page, 2)
    expect(cells).to_have_count(4)
    page.keyboard.type("5, 5")
    assert not cells.nth(3).evaluate(PASTE, "1\tmany")
    expect(page.locator(".dk-refusal")).to_be_visible()
    expect(cells.nth(3)).to_have_value("5, 5")
    assert sketch.history.undo_count == 0
    assert not cells.nth(3).evaluate(PASTE, "1\t2")
    wait_for_steps(board_page, 3)
    expect(cells.nth(4)).to_have_value("1, \u22121")
    assert cells.nth(0).evaluate(PASTE, "1, 2\n")
    page.locator("tbody th input").first.focus()
    assert not page.locator("tbody th input").first.evaluate(PASTE, "1\t2\t3")
    wait_for_steps(board_page, 4)
    assert sketch.matrix_draft_view["cells"][0] == ["1, -1", "2, -2", "3, -3"]


def test_an_invalid_number_is_reported_and_can_be_corrected(board_page):
    """The text stays in its field and Python ignores it. The next text is accepted."""
    sketch = editor.MatrixSketch(language="lt")
    board_page.mount(sketch)
    cell = board_page.page.locator("td input").first
    cell.fill("1; daug")
    cell.press("Enter")
    expect(board_page.page.locator(".dk-refusal")).to_have_text(Translator("lt").translate("sketch.refused.number", text="daug"))
    expect(cell).to_have_value("1; daug")
    cell.fill("1; 2")
    cell.press("Enter")
    wait_for_steps(board_page, 1)
    assert sketch.matrix_draft_view["cells"][0][0] == "1, 2"
    cell.fill("-1/3; \u22122")
    cell.press("Enter")
    wait_for_steps(board_page, 2)
    expect(cell).to_have_value("\u22121/3, \u22122")
    assert sketch.matrix_draft_view["cells"][0][0] == "-1/3, -2"


@pytest.mark.parametrize("theme", ["dark"])
def test_the_matrix_editor_is_accessible_and_fits_a_phone(board_page, theme):
    """With the exported text open."""
    sketch = editor.MatrixSketch([[(3, 3), ("1/3", 5)], [(5, 0), (1, 1)]], theme=theme, language="ru")
    board_page.page.set_viewport_size({"width": 360, "height": 740})
    board_page.mount(sketch, 344)
    board_page.page.locator("[data-command=export]").click()
    board_page.page.locator("[data-form=python]").click()
    expect(board_page.page.locator(".dk-editor-export-text")).to_have_value(export_as_python(sketch))
    assert find_axe_violations(board_page.page, ".dk") == []
    assert board_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    board_page.page.set_viewport_size({"width": 1200, "height": 800})


def export_as_python(sketch: editor.MatrixSketch) -> str:
    """Return the Python cell that makes the matrix."""
    return f"from fractions import Fraction\nfrom durak_widget import board\n\n{sketch.python}\n"
