"""A signalling game painted: from the middle to both sides where there is room, to the right where there is not."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from durak_widget import board, gametheory

pytestmark = pytest.mark.slow

BEER = gametheory.textbook("beer-quiche")
# What stands on the board, each with its box: moves, payoffs, numbers, signs; all but what lies within another.
BOXES = """() => [...document.querySelectorAll('.dk-view :is(.dk-move, .dk-payoffs, .dk-sign, .dk-probability, .dk-value)')].map((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return [one.textContent, left, top, right, bottom];
})"""


def middle(board_page, history):
    """Where the middle of a sign is."""
    box = board_page.node(history).locator(".dk-sign").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_it_opens_from_the_middle(board_page):
    """Chance stands between its types, messages run to both sides, each set upright; nothing hides anything, with numbers and values either."""
    view = board.Tree(BEER, gametheory.solve(BEER), depth=9, values=True)
    board_page.lay(view, 800)
    at = {one: middle(board_page, one) for one in range(15)}
    assert at[0][0] == at[1][0] == at[2][0]
    assert at[1][1] < at[0][1] < at[2][1]
    for left, right in ((3, 4), (5, 6)):
        assert at[left][0] < at[0][0] < at[right][0]
        assert at[left][1] == at[right][1]
    assert at[3][0] == at[5][0]
    assert at[4][0] == at[6][0]
    boxes = board_page.page.evaluate(BOXES)
    over = [
        (one[0], two[0])
        for place, one in enumerate(boxes)
        for two in boxes[:place]
        if min(one[3], two[3]) - max(one[1], two[1]) > 2 and min(one[4], two[4]) - max(one[2], two[2]) > 2
    ]
    assert over == []
    view = board_page.page.locator(".dk-view").bounding_box()
    assert all(view["x"] <= left and right <= view["x"] + view["width"] for _, left, _, right, _ in boxes)


def test_arrows_lead_to_what_lies_there(board_page):
    """Up and down to the types, left and right to the messages; outwards they open what is folded, inwards they lead back."""
    board_page.lay(board.Tree(BEER, depth=2), 800)
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
    assert board_page.at == 0  # nothing lies beside it


def test_where_there_is_no_room_it_grows_to_the_right_and_back(board_page):
    """A phone that is turned, and one's own choice in the settings."""
    board_page.lay(board.Tree(BEER, depth=9), 340)
    both = board_page.page.locator(".dk-node[data-side='left']")
    expect(both).to_have_count(0)
    board_page.page.evaluate("document.querySelector('.dk-board').parentElement.style.width = '800px'")
    expect(both).to_have_count(6)
    board_page.page.locator("[data-tool=menu]").click()
    board_page.page.get_by_label("Signals open from the middle").uncheck()
    expect(both).to_have_count(0)
    assert not board_page.view.from_middle
    board_page.view.from_middle = True
    board_page.tell()
    expect(both).to_have_count(6)


def test_what_the_beginning_is_worth_is_whole_on_a_phone(board_page):
    """Nothing stands left of the beginning, and what it is worth takes more room than its sign."""
    view = board.Tree(BEER, depth=9, values=True)
    view.solve()
    board_page.lay(view, 340)
    worth = board_page.node(0).locator(".dk-value").bounding_box()
    assert worth["x"] >= board_page.page.locator(".dk-view").bounding_box()["x"]
