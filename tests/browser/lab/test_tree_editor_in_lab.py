"""Test the tree editor in JupyterLab: its keys are no commands of the notebook."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.spoken import english, english_text

SKETCH = "from durak_widget import editor\nsketch = editor.Sketch()\nsketch"


@pytest.mark.slow
def test_a_tree_is_drawn_by_keys_in_a_notebook(notebook):
    """A, names, digits, Ctrl+Z and Ctrl+Shift+V. Python has the tree, and the page saves its file."""
    book = notebook([SKETCH, "2 + 2"])
    sketch = book.page.locator('[aria-label="{}"]'.format(english_text("screen.sketch.region")))
    tree = sketch.get_by_role("tree")
    field = sketch.locator(".dk-editor-input")
    expect(tree).to_be_visible()
    tree.focus()
    for key, name in (("1", "in"), ("a", "out")):
        book.page.keyboard.press(key)
        expect(field).to_be_focused()
        field.fill(name)
        field.press("Enter")
        book.until(f"'{name}' in sketch.draft.get_actions(0)")
    for key in ("ArrowRight", "Control+c", "ArrowDown"):
        book.page.keyboard.press(key)
    book.until("sketch.tree_draft_view['has_copy']")
    for payoffs in ("1, 2", "0, 3"):
        book.page.keyboard.press("m")
        expect(field).to_be_focused()
        field.fill(payoffs)
        field.press("Enter")
        book.until("len(sketch.missing_items) < 2")
    expect(sketch.locator(".dk-editor-missing")).to_contain_text(english("screen.sketch.whole"))
    assert book.python("str(sketch.tree)") == "<Tree: 3 histories, 2 terminals, 1 + 0 information sets>"
    book.page.keyboard.press("Control+z")
    book.until("len(sketch.missing_items) == 1")
    book.page.keyboard.press("Control+Shift+Z")
    book.until("not sketch.missing_items")
    book.page.keyboard.press("d")
    book.page.keyboard.press("d")
    assert book.page.locator(".jp-Notebook .jp-Cell").count() == 2
