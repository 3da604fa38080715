"""Test that an exercise is in view after Shift + Enter, and that the page stays where the user scrolled."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from notebook_page import Notebook
    from playwright.sync_api import Locator

LESSON = Path(__file__).resolve().parents[3] / "notebooks" / "02_attack_and_defence.ipynb"
TALL_CHOICE, TASK_AT_A_TABLE = 7, 17
PANE = ".jp-WindowedPanel-outer"
TOP_OF_PANE = f"(element) => element.getBoundingClientRect().top - element.closest('{PANE}').getBoundingClientRect().top"
ROOM_BELOW = f"(element) => element.closest('{PANE}').getBoundingClientRect().bottom - element.getBoundingClientRect().bottom"


def open_without_outputs(notebook, viewport: tuple[int, int]) -> Notebook:
    """Open a lesson whose cells have run, and remove their outputs."""
    book = notebook(LESSON, viewport=viewport)
    book.page.evaluate("window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
    return book


def run_cell(book: Notebook, number: int) -> Locator:
    """Run a cell as a reader does, from the text above it, and return the question."""
    book.cell(number - 1).click()
    book.page.keyboard.press("Shift+Enter")
    book.page.keyboard.press("Shift+Enter")
    header = book.cell(number).locator(".dk-exercise-header")
    header.wait_for()
    return header


def settle(book: Notebook) -> None:
    """Wait until nothing scrolls or grows any more."""
    book.wait_idle()
    book.page.wait_for_function(
        f"""() => {{
      const pane = document.querySelector('{PANE}'), now = [pane.scrollTop, pane.scrollHeight].join();
      window.still = window.before === now ? (window.still ?? 0) + 1 : 0;
      window.before = now;
      return window.still > 5;
    }}""",
        polling=100,
    )


@pytest.mark.parametrize("viewport", [(1280, 800), (360, 740)])
@pytest.mark.parametrize("number", [TALL_CHOICE, TASK_AT_A_TABLE])
def test_the_question_is_in_view_after_its_cell_is_run(notebook, viewport, number):
    """JupyterLab selects and shows the next cell. On a large screen the whole table of a task is in view too."""
    book = open_without_outputs(notebook, viewport)
    header = run_cell(book, number)
    settle(book)
    assert header.evaluate(TOP_OF_PANE) >= 0
    assert header.evaluate(ROOM_BELOW) >= 0
    if number == TASK_AT_A_TABLE and viewport[0] > 1000:
        assert book.cell(number).locator(".dk-felt").evaluate(ROOM_BELOW) >= 0


def test_the_page_stays_where_the_user_scrolled_while_the_cell_ran(notebook):
    """The exercise arrives late. Neither the scrolled page nor another selected cell moves."""
    lines = [f"'{number}'" for number in range(40)]
    slow = "import time\nfrom durak_widget import lessons\ntime.sleep(wait)\nlessons.Choose('One?', {'a': 'A.', 'b': 'B.'}, right='b')"
    book = notebook(["wait = 0", *lines, slow, *lines[:10]])
    book.execute("wait = 2")
    page = book.page
    book.cell(41).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    page.mouse.wheel(0, -9000)
    page.wait_for_function(f"document.querySelector('{PANE}').scrollTop < 50")
    header = book.cell(41).locator(".dk-exercise-header")
    header.wait_for(state="attached")
    settle(book)
    assert page.evaluate(f"document.querySelector('{PANE}').scrollTop") < 50
