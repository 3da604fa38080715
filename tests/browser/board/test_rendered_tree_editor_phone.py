"""Test the tree editor on a phone: it works with a finger, and nothing is cut off."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tree_editor_driver import TreeDrawer

from durak_widget import editor, gametheory
from support.spoken import english_text

SEEN = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
OVER = """() => [...document.querySelectorAll('.dk-editor, .dk-editor > *, .dk-editor-toolbar button, .dk-editor-field, .dk-editor-player')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 0.5).map((one) => one.className)"""
SMALL = """() => [...document.querySelectorAll('.dk-editor button, .dk-editor input, .dk-editor select')].filter((one) => one.checkVisibility())
  .filter((one) => { const { width, height } = one.getBoundingClientRect(); return width < 36 || height < 36; }).map((one) => one.outerHTML)"""


@pytest.mark.slow
def test_a_game_can_be_drawn_by_taps(board_page):
    """Moves, chance, an information set and payoffs. Rarely used buttons are behind *More*."""
    board_page.mount(editor.Sketch(), 344)
    drawer, page = TreeDrawer(board_page), board_page.page

    def tap(name: str) -> None:
        page.get_by_role("button", name=name, exact=True).tap()

    def touch(place: int) -> None:
        drawer.scroll_into_view(place)
        board_page.node(place).locator(".dk-sign").tap()
        board_page.rest()

    tap(english_text("screen.sketch.chance.add"))
    drawer.wait_for_steps()
    heads, tails = drawer.below(0)
    touch(heads)
    for _ in range(2):
        tap(english_text("screen.sketch.move.add"))
        drawer.wait_for_steps()
    tap(english_text("screen.sketch.join.add"))
    touch(tails)
    drawer.wait_for_steps()
    assert board_page.view.draft.list_infoset_nodes(heads) == [heads, tails]
    for node in (*drawer.below(heads), *drawer.below(tails)):
        drawer.scroll_into_view(node)
        board_page.node(node).locator(".dk-payoffs").tap()
        field = page.locator(".dk-editor-input")
        field.fill("1, -1")
        field.press("Enter")
        drawer.wait_for_steps()
    expect(page.locator(".dk-editor-missing")).to_have_text(english_text("screen.sketch.whole"))
    tap("More")
    touch(tails)
    tap(english_text("screen.sketch.part"))
    drawer.wait_for_steps()
    tap(english_text("screen.undo"))
    drawer.wait_for_steps()
    assert board_page.view.draft.list_infoset_nodes(heads) == [heads, tails]
    page.locator("summary").tap()
    assert page.evaluate(OVER) == []
    assert page.evaluate(SMALL) == []


def test_a_finger_drags_a_line_without_moving_the_board(board_page):
    """From sign to sign. A finger elsewhere moves the page or the board."""
    sketch = editor.Sketch()
    for name in ("left", "right"):
        sketch.add_action(0, name)
    left, right = sketch.draft.nodes[0].children
    sketch.add_action(left, "up")
    board_page.mount(sketch, 344)
    centre = "(id) => { const box = document.querySelector(`.dk-node[data-id='${id}'] .dk-sign`).getBoundingClientRect(); return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; }"
    before, to = (board_page.page.evaluate(centre, node) for node in (left, right))
    client = board_page.page.context.new_cdp_session(board_page.page)
    for kind, points in (
        ("touchStart", [before]),
        ("touchMove", [{"x": before["x"] + 8, "y": (before["y"] + to["y"]) / 2}]),
        ("touchMove", [to]),
        ("touchEnd", []),
    ):
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    board_page.page.wait_for_function("() => document.querySelector('.dk-editor').dataset.shown !== '3'")
    assert sketch.draft.list_infoset_nodes(left) == [left, right]


@pytest.mark.slow
def test_a_phone_in_landscape_shows_tree_and_fields(board_page):
    """In every language the tools are one line, with the rest behind *More*."""
    for language in ("en", "lt", "ru"):
        board_page.page.set_viewport_size({"width": 844, "height": 390})
        board_page.mount(editor.Sketch(gametheory.textbook("entry"), language=language), 828)
        assert board_page.page.locator(".dk-editor-toolbar").bounding_box()["height"] < 60
        assert board_page.page.evaluate(OVER) == []
    board_page.page.set_viewport_size({"width": 360, "height": 740})
