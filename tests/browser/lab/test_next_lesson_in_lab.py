"""Test the ways to the next lesson: the road map and the result of the first game. JupyterLab asks no question."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.spoken import english_text

if TYPE_CHECKING:
    from notebook_page import Notebook

LESSONS = Path(__file__).resolve().parents[3] / "notebooks"
WELCOME, NEXT = LESSONS / "00_welcome.ipynb", "01_trumps.ipynb"
TABLE, ROAD_MAP = 1, 5
# Finish the game of the table that the first cell shows.
FINISH = """
table = Out[max(Out)]
while table.game.outcome is None:
    table.play(table.game.legal_moves()[0]) if table.game.actor == 0 else table.step()
"""
# A kernel that is shut down while it starts gives an error in this page later.
FIND = "[...jupyterapp.shell.widgets('main')].find((panel) => panel.context?.path === path)"
WAIT_FOR_KERNEL = (
    f"async (path) => {{ const {{ sessionContext }} = {FIND}; await sessionContext.ready; await sessionContext.session.kernel.info; }}"
)
CLOSE = f"async (path) => {{ const panel = {FIND}; await panel.sessionContext.shutdown(); panel.dispose(); }}"


@pytest.fixture
def next_lesson(lab):
    """Put the next lesson beside the opened notebook."""
    path = lab.folder / NEXT
    shutil.copyfile(LESSONS / NEXT, path)
    yield path
    path.unlink()


def open_unrun(notebook) -> Notebook:
    """Open the first lesson as it is stored."""
    book = notebook(WELCOME)
    shutil.copyfile(WELCOME, book.file)
    book.reload()
    return book


def check_next_lesson_opens(book: Notebook) -> None:
    """Check that the next lesson is open, in this page, and no dialog is."""
    expect(book.page.locator(".jp-Notebook:visible h1")).to_contain_text("Trumps: what beats what")
    expect(book.page.locator(".jp-Dialog")).to_have_count(0)
    book.page.evaluate(WAIT_FOR_KERNEL, NEXT)
    book.answered()
    book.page.evaluate(CLOSE, NEXT)


def test_a_link_of_a_live_road_map_opens_the_lesson_at_once(notebook, next_lesson):
    """Only this cell has run, so JupyterLab does not trust the notebook."""
    book = open_unrun(notebook)
    book.execute("from durak_widget import Table, lessons")
    book.cell(ROAD_MAP).locator(".cm-content").click()
    book.page.keyboard.press("Control+Enter")
    road_map = book.page.get_by_role("region", name=english_text("lesson.progress"))
    road_map.get_by_role("link", name="01 ·").click()
    check_next_lesson_opens(book)


def test_a_link_of_a_stored_road_map_opens_the_lesson_at_once(notebook, next_lesson):
    """Nothing has run in this page."""
    book = open_unrun(notebook)
    book.cell(ROAD_MAP).locator(".durak-picture").get_by_role("link", name="01 ·").click()
    check_next_lesson_opens(book)


def test_the_result_of_the_first_game_leads_to_the_next_lesson(notebook, next_lesson):
    """The button is in the result. It is the link in the text below the table."""
    book = open_unrun(notebook)
    book.cell(TABLE).locator(".cm-content").click()
    book.page.keyboard.press("Control+Enter")
    table = book.table()
    table.wait_for()
    next_button = table.get_by_role("button", name=english_text("screen.onward.to", what="Trumps"), exact=True)
    expect(next_button).to_have_count(0)
    book.execute(FINISH)
    next_button.click()
    check_next_lesson_opens(book)
