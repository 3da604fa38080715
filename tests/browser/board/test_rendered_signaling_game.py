"""Test the layout of signaling games, from the middle to both sides."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from durak_widget import board, gametheory
from support.spoken import english_text

pytestmark = pytest.mark.slow

BEER = gametheory.textbook("beer-quiche")
# Return the boxes of moves, payoffs, numbers and signs, without nested ones.
BOXES = """() => [...document.querySelectorAll('.dk-view :is(.dk-move, .dk-payoffs, .dk-sign, .dk-probability, .dk-value)')].map((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return [one.textContent, left, top, right, bottom];
})"""


def center_of(board_page, history):
    """Return the centre of a node's sign."""
    box = board_page.node(history).locator(".dk-sign").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_signaling_game_is_drawn_from_the_middle(board_page):
    """Chance is between its types, and messages run to both sides. Nothing overlaps, also with numbers and values."""
    view = board.Tree(BEER, gametheory.solve(BEER), depth=9, values=True)
    board_page.mount(view, 800)
    centers = {node: center_of(board_page, node) for node in range(15)}
    assert centers[0][0] == centers[1][0] == centers[2][0]
    assert centers[1][1] < centers[0][1] < centers[2][1]
    for left, right in ((3, 4), (5, 6)):
        assert centers[left][0] < centers[0][0] < centers[right][0]
        assert centers[left][1] == centers[right][1]
    assert centers[3][0] == centers[5][0]
    assert centers[4][0] == centers[6][0]
    boxes = board_page.page.evaluate(BOXES)
    over = [
        (box[0], other[0])
        for index, box in enumerate(boxes)
        for other in boxes[:index]
        if min(box[3], other[3]) - max(box[1], other[1]) > 2 and min(box[4], other[4]) - max(box[2], other[2]) > 2
    ]
    assert over == []
    view = board_page.page.locator(".dk-view").bounding_box()
    assert all(view["x"] <= left and right <= view["x"] + view["width"] for _, left, _, right, _ in boxes)


def test_arrow_keys_follow_the_layout_of_a_signaling_game(board_page):
    """Up and down to types, left and right to messages. Outwards they unfold, inwards they go back."""
    board_page.mount(board.Tree(BEER, depth=2), 800)
    board_page.press("ArrowUp")
    assert board_page.at == 1
    board_page.press("ArrowLeft")
    assert board_page.at == 3
    board_page.press("ArrowDown")
    assert board_page.at == 5
    board_page.press("ArrowLeft")
    assert board_page.node(5).get_attribute("aria-expanded") == "true"
    board_page.press("ArrowLeft", "ArrowRight")
    assert board_page.at == 5
    board_page.press("ArrowRight", "ArrowRight")
    assert board_page.at == 6
    board_page.press("ArrowLeft", "ArrowUp", "ArrowRight")
    assert board_page.at == 0  # it has no neighbour


def test_a_signaling_game_without_space_grows_to_the_right(board_page):
    """When a phone is turned, and by the setting."""
    board_page.mount(board.Tree(BEER, depth=9), 340)
    both = board_page.page.locator(".dk-node[data-side='left']")
    expect(both).to_have_count(0)
    board_page.page.evaluate("document.querySelector('.dk-board').parentElement.style.width = '800px'")
    expect(both).to_have_count(6)
    board_page.open_settings()
    board_page.page.get_by_label(english_text("screen.set.from_middle")).uncheck()
    expect(both).to_have_count(0)
    assert not board_page.view.from_middle
    board_page.view.from_middle = True
    board_page.sync()
    expect(both).to_have_count(6)


def test_the_value_of_the_root_is_not_cut_off_on_a_phone(board_page):
    """It is wider than the sign, and at the left edge."""
    view = board.Tree(BEER, depth=9, values=True)
    view.solve()
    board_page.mount(view, 340)
    value_box = board_page.node(0).locator(".dk-value").bounding_box()
    assert value_box["x"] >= board_page.page.locator(".dk-view").bounding_box()["x"]
