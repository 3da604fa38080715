"""Test full screen and small screens in a notebook, and pasting a position there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from notebook_page import PATIENCE
from playwright.sync_api import expect

from support.spoken import english_text

DOOR = re.search(r"default_url=/(\S+/)notebooks/", (Path(__file__).parents[3] / "tools" / "lab.sh").read_text(encoding="utf-8"))[1]
CELL = "from durak_widget import Game, Table\ntable = Table(Game(seed=7), motion=False)\ntable"
FILLS = """() => {
  const { left, top, width, height } = document.querySelector('.dk').getBoundingClientRect();
  const corners = [[3, 3], [innerWidth - 3, 3], [3, innerHeight - 3], [innerWidth - 3, innerHeight - 3]];
  return [left, top, width === innerWidth, height === innerHeight, corners.every(([x, y]) => document.elementFromPoint(x, y).closest('.dk'))];
}"""


@pytest.mark.slow
def test_a_phone_in_landscape_shows_the_whole_table(notebook):
    """In the space that the notebook leaves of 390 px. Full screen hides the notebook, also if the browser refuses."""
    book = notebook([CELL], viewport=(844, 390))
    page, table = book.page, book.table()
    table.scroll_into_view_if_needed()
    expect(table).to_have_attribute("data-low", "")
    around = page.locator(".jp-WindowedPanel-outer").first.bounding_box()
    assert table.locator(".dk-felt").bounding_box()["height"] <= around["height"]
    for refused in (False, True):
        if refused:
            table.evaluate("(root) => { root.requestFullscreen = () => Promise.reject(new Error('refused')); }")
        table.locator(".dk-hand-card").first.focus()
        page.keyboard.press("z")
        page.wait_for_function("document.querySelector('.dk').matches(':fullscreen, :popover-open')")
        page.wait_for_function(f"({FILLS})().every((one) => one === true || one === 0)")
        page.keyboard.press("Escape" if refused else "z")
        page.wait_for_function("!document.querySelector('.dk').matches(':fullscreen, :popover-open')")
        assert page.evaluate("document.activeElement.matches('.dk-hand-card')")
    page.keyboard.press("x")
    table.get_by_role("textbox").fill("6c 7c | 9h Ts; trump h")
    table.get_by_role("button", name=english_text("screen.paste.lay")).click()
    book.until("str(table.game.hands[1]) == '9h Ts'")
    expect(table.get_by_role("button", name="6 of clubs")).to_be_visible()


@pytest.mark.release
def test_the_start_link_closes_the_file_browser(tabs, lab):
    """Also if JupyterLab was left with it open."""
    (lab.folder / "narrow.txt").write_text("no kernel is needed for this\n", encoding="utf-8")
    context = tabs.context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    with page.expect_response(lambda answer: "/api/workspaces/" in answer.url and answer.request.method == "PUT"):
        page.goto(f"{lab.url}/lab/tree/narrow.txt")
        page.wait_for_function("window.jupyterapp?.restored")
        page.evaluate("window.jupyterapp.restored.then(() => { jupyterapp.shell.collapseLeft(); jupyterapp.shell.expandLeft(); })")
    page.goto(f"{lab.url}/{DOOR}narrow.txt")
    page.locator(".jp-FileEditor").wait_for()
    page.evaluate("window.jupyterapp.restored")
    assert page.evaluate("jupyterapp.shell.leftCollapsed")
    assert page.locator(".jp-FileEditor").bounding_box()["width"] > 350  # the side bars leave all of the width
    context.close()


BOXES = """() => {
  const box = (one) => { const { top, bottom } = document.querySelector(one).getBoundingClientRect(); return [top, bottom]; };
  return [box('.jp-WindowedPanel-outer'), box('.dk-felt'), box('.dk-hand')];
}"""
RUN = "window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')"


def is_in_view(book):
    """Return whether the felt and the hand are on the screen, once they are."""
    book.page.wait_for_function(f"(([at, felt, hand]) => at[0] - 1 <= felt[0] && felt[1] <= at[1] + 1 && hand[1] <= at[1])(({BOXES})())")
    return True


@pytest.mark.release
def test_starting_a_game_on_a_phone_shows_the_whole_table(tabs, lab):
    """After the cell ran and after *Start*."""
    text = "\n\n".join(f"print({number})" for number in range(12))
    book = tabs.write(
        [text, "from durak_widget import Table\ntable = Table(seats={1: 'next'}, seed=1)\ntable", text], touch=True, app="doc"
    )
    book.open("doc")
    book.look(viewport=(360, 740), reduced_motion=True, theme="light")
    for _ in range(2):
        book.page.evaluate(RUN)
    assert is_in_view(book)
    table = book.table()
    expect(table.locator(".dk-portrait")).to_be_visible()
    table.locator(".dk-actions").evaluate("(one) => one.scrollIntoView({ block: 'start' })")  # on the way to the button
    table.get_by_role("button", name=english_text("screen.start"), exact=True).tap()
    book.until("table.game.ply > 0")
    expect(table.get_by_role("button", name=english_text("screen.start"), exact=True)).to_have_count(0)
    assert is_in_view(book)
    tabs.close(book, again=True)
