"""Test the editors on the board page: a visitor types a matrix or draws a tree, shows it on the board and solves it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from rendered_table import AXE
from visitor import AWAKE, PATIENCE

from durak_widget import gametheory
from support.spoken import english, english_text

pytestmark = pytest.mark.release
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
FOUND = "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))"
SHOW = english_text("page.sketch.show")
PAYOFFS = [[(3, 3), (0, 2), (0, 0)], [(2, 0), (2, 2), (1, 0)], [(0, 0), (0, 1), (1, 1)]]
"""A game with three pure equilibria and a mixed one."""


def read_equilibria(page):
    """Return the texts of the equilibria, which the board lists at once."""
    rows = page.locator("#board .dk-matrix-equilibrium")
    expect(rows.first).to_be_visible()
    return rows.all_inner_texts()


def open_axe(page):
    """Load axe-core into the page."""
    page.evaluate(AXE.read_text(encoding="utf-8"))


def is_visible_focus(page):
    """Return whether the focused element shows that it has the focus."""
    return page.evaluate(
        """() => {
          const { outlineStyle, boxShadow, borderColor } = getComputedStyle(document.activeElement);
          return document.activeElement !== document.body && (outlineStyle !== "none" || boxShadow !== "none" || borderColor !== "");
        }"""
    )


@pytest.mark.parametrize("visitor", [PHONE, {**PHONE, "color_scheme": "dark"}], ids=["phone", "dark"], indirect=True)
def test_a_matrix_is_typed_on_a_phone_and_solved(visitor):
    """By touch. What is missing is named. All equilibria are listed, and Back leads to the matrix as it was."""
    page = visitor.look("play/board.html")
    page.wait_for_selector(AWAKE)
    open_axe(page)
    assert page.evaluate(FOUND) == []
    page.get_by_role("link", name=english_text("page.sketch.matrix")).tap()
    editor, show, alert = page.locator("#editor"), page.get_by_role("button", name=SHOW), page.get_by_role("alert")
    expect(show).to_be_in_viewport()
    assert show.bounding_box()["height"] >= 44
    show.tap()
    expect(alert).to_contain_text(english_text("sketch.lacks.cell", row="A", column="a"))
    assert page.evaluate(FOUND) == []
    editor.get_by_role("button", name=english_text("screen.sketch.matrix.row"), exact=True).tap()
    expect(alert).to_be_hidden()
    editor.get_by_role("button", name=english_text("screen.sketch.matrix.column"), exact=True).tap()
    cells = editor.locator("td input")
    expect(cells).to_have_count(9)
    for place, (row_payoff, column_payoff) in enumerate(cell for row in PAYOFFS for cell in row):
        cells.nth(place).tap()
        page.keyboard.type(f"{row_payoff}, {column_payoff}")
    assert page.evaluate(FOUND) == []
    show.tap()
    board = page.locator("#board")
    expect(board.get_by_role("grid")).to_be_visible()
    expect(page.locator("#sketch")).to_be_hidden()
    solved = read_equilibria(page)
    assert len(solved) == len(gametheory.equilibria(PAYOFFS).equilibria) == 4
    assert "2/3 A + 1/3 B" in solved[-1]
    assert page.evaluate(FOUND) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.go_back()
    expect(cells.first).to_be_visible()
    assert cells.nth(3).input_value() == "2, 0"
    expect(board).to_be_hidden()


def test_a_matrix_is_typed_and_solved_by_keys_alone(visitor):
    """The focus is always visible, and after Back it is where it was. A reload keeps the matrix."""
    page = visitor.look("play/board.html")
    page.wait_for_selector(AWAKE)
    page.get_by_role("link", name=english_text("page.sketch.matrix")).focus()
    page.keyboard.press("Enter")
    editor = page.locator("#editor")
    expect(editor.get_by_role("table")).to_be_visible()
    for _ in range(40):
        page.keyboard.press("Tab")
        assert is_visible_focus(page)
        if page.evaluate("document.activeElement.matches('#editor td input')"):
            break
    for text in ("1, -1", "-1, 1", "-1, 1", "1, -1"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
        assert is_visible_focus(page)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "show-sketch":
            break
    assert is_visible_focus(page)
    page.keyboard.press("Enter")
    expect(page.locator("#board").get_by_role("grid")).to_be_visible()
    expect(page.locator("#board")).to_be_focused()
    assert len(read_equilibria(page)) == 1
    page.go_back()
    expect(page.locator("#show-sketch")).to_be_focused()
    assert editor.locator("td input").evaluate_all("(fields) => fields.map(({ value }) => value.replaceAll('\u2212', '-'))") == [
        "1, -1",
        "-1, 1",
        "-1, 1",
        "1, -1",
    ]
    page.reload()
    expect(editor.locator("td input").first).to_have_value(re.compile("^1"), timeout=PATIENCE)


@pytest.mark.parametrize("visitor", [PHONE], ids=["phone"], indirect=True)
def test_a_tree_is_drawn_on_a_phone_and_solved(visitor):
    """A choice of two. The link on the board leads back to the sketch."""
    page = visitor.look("play/board.html#sketch=tree")
    editor = page.locator("#editor")
    nodes = editor.get_by_role("treeitem")
    expect(nodes).to_have_count(1, timeout=PATIENCE)
    for count in (2, 3):
        editor.get_by_role("button", name=english_text("screen.sketch.move.add")).first.tap()
        expect(nodes).to_have_count(count)
    for node, payoffs in ((1, "1, 2"), (2, "2, 1")):
        nodes.nth(node).tap()
        editor.get_by_role("textbox", name=english_text("screen.sketch.field.pays")).fill(payoffs)
    page.get_by_role("button", name=SHOW).tap()
    board = page.locator("#board")
    expect(board.get_by_role("treeitem")).to_have_count(3)
    open_axe(page)
    assert page.evaluate(FOUND) == []
    board.get_by_role("button", name=english_text("screen.tree.solve"), exact=True).tap()
    expect(page.get_by_text(english_text("board.solved.by", method=english_text("board.method.backward"))).first).to_be_visible()
    page.get_by_role("link", name=english_text("page.sketch.back")).tap()
    expect(nodes).to_have_count(3)
    expect(board).to_be_hidden()
    assert page.evaluate(FOUND) == []


def test_a_game_file_is_opened_from_disk(visitor, tmp_path):
    """A file that is none is refused in a sentence, and the list stays."""
    page = visitor.look("play/board.html")
    page.wait_for_selector(AWAKE)
    (tmp_path / "letter.efg").write_text("Dear friend", encoding="utf-8")
    (tmp_path / "entry.efg").write_text(gametheory.to_efg(gametheory.textbook("entry")), encoding="utf-8")
    name = english("page.sketch.file")
    for file in ("letter.efg", "entry.efg"):
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name=name).click()
        chooser.value.set_files(tmp_path / file)
        if file == "letter.efg":
            expect(page.get_by_role("alert")).to_have_text(english("page.sketch.refused.file"))
    expect(page.locator("#board").get_by_role("treeitem")).to_have_count(5)
    expect(page.get_by_role("alert")).to_be_hidden()
    page.go_back()
    expect(page.get_by_role("button", name=name)).to_be_visible()
