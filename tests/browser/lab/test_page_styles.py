"""Test the style sheet that `make lab` adds to JupyterLab: what a lesson says fits the page, and words stay whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

PYTHON = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
FOLDED = {"jupyter": {"source_hidden": True}}
BEYOND = """(selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
  .map((one) => [one.textContent, one.getBoundingClientRect().right]).filter(([, right]) => right > innerWidth - 8)"""


def test_a_lesson_fits_a_phone(notebook, tmp_path: Path):
    """Long names in code do not go beyond the page, alone or in a table. Long lines of code go on in the next line. The dots that unfold code, and the solutions, can be pressed."""
    table = "| lesson | presets | options |\n|---|---|---|\n| 7b | `changeable_trump`, `first_bout_five` | `throw_in_after_take` |"
    cells = [
        new_markdown_cell(
            f"Run `board.Tree(gametheory.textbook('kuhn'))` once more.\n\n{table}\n\n<details><summary>Solutions</summary>\n\n1. Six.\n\n</details>"
        ),
        new_code_cell("share = [card for card in 'the cards of a hand that is long' if card.strip() and card > 'a' and card < 'z']"),
        new_code_cell(
            "# A 9 that may come from three hands, or from four\nprint('Player 2 has no card that beats it. ' * 9)", metadata=FOLDED
        ),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), tmp_path / "phone.ipynb")
    page = notebook(tmp_path / "phone.ipynb", viewport=(360, 740), touch=True, app="doc").page
    assert page.locator(".jp-RenderedHTMLCommon code").count() == 4
    assert page.evaluate(BEYOND, ".jp-RenderedHTMLCommon code, .jp-RenderedHTMLCommon td, .jp-MoreHorizIcon") == []
    assert page.locator(".jp-RenderedMarkdown summary").bounding_box()["height"] >= 43.5
    code = page.locator(".jp-CodeCell .cm-scroller:visible")
    assert code.evaluate_all("all => all.map((one) => one.scrollWidth - one.clientWidth)") == [0]
    assert page.locator(".jp-RenderedText pre").evaluate("(text) => getComputedStyle(text).wordBreak") == "normal"
