"""Test a lesson in JupyterLab that is run one cell after the other."""

from __future__ import annotations

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import expect

from support.spoken import english_text

LESSON = [
    new_code_cell("from durak_widget import lessons\nfirst = lessons.Choose('One?', {'a': 'A.', 'b': 'B.'}, right='b')\nfirst"),
    new_markdown_cell("Click here, then press Shift + Enter."),
    new_code_cell("lessons.Choose('Two?', {'a': 'A.', 'b': 'B.'}, right='b')"),
    new_markdown_cell("**Next: [the end](04_the_end.ipynb)**"),
]


def test_the_next_button_leads_from_cell_to_cell(notebook, tmp_path):
    """After a task to the cell below, which Shift + Enter runs, after the last one to the next lesson."""
    path = tmp_path / "lesson.ipynb"
    nbformat.write(
        new_notebook(cells=LESSON, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}), path
    )
    book = notebook(path)
    page = book.page
    page.evaluate("window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
    expect(page.locator(".dk-exercise")).to_have_count(0)
    book.cell(0).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    regions = [page.get_by_role("region", name=f"Exercise: {name}") for name in ("One?", "Two?")]
    regions[0].locator("[data-item=b]").click()
    regions[0].get_by_role("button", name=english_text("screen.onward.below"), exact=True).click()
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    expect(regions[0].get_by_role("button", name=english_text("screen.onward"), exact=True)).to_be_visible()
    regions[1].locator("[data-item=b]").click()
    expect(regions[1].get_by_role("button", name=english_text("screen.onward.to", what="the end"), exact=True)).to_be_visible()
