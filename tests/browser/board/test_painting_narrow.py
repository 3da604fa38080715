"""A painted tree where there is little room, and one that needs more of it when it is solved: what one needs is in view."""

from __future__ import annotations

from typing import Any

import pytest
from painted_tree import opened

from durak_widget import Game, analysis, board, gametheory, lessons

pytestmark = pytest.mark.slow

# What of these is cut off by the edge of the view.
CUT = """(what) => {
  const view = document.querySelector('.dk-view'), edge = view.getBoundingClientRect();
  return [...view.querySelectorAll(what)].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < edge.left || right > edge.right || top < edge.top || bottom > edge.bottom;
  }).map((one) => one.textContent || one.className);
}"""
# Stars that lie on words.
OVER = """() => [...document.querySelectorAll('.dk-best-star')].filter((star) => {
  const one = star.getBoundingClientRect(), other = star.closest('.dk-branch').querySelector('.dk-move').getBoundingClientRect();
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}).length"""


@pytest.fixture
def board_page(pages, request):
    """An empty page for trees, as wide as is said."""
    context = pages.context(viewport={"width": request.param, "height": 800}, reduced_motion="reduce", has_touch=request.param < 500)
    yield opened(context.new_page())
    context.close()


def ending(*hands: str) -> Any:
    """An ending with open hands."""
    return analysis.build_tree_from_position(Game.from_position(hands=[*hands], trump="h"), open_hands=True)


@pytest.mark.parametrize("board_page", [390], indirect=True)
def test_on_a_phone_a_small_tree_is_seen_whole(board_page):
    """Sixteen places, four deep, in the 290 pixels that a notebook leaves."""
    board_page.lay(board.Tree(ending("Qh Ks", "Kh Kc"), depth=9), 290)
    assert board_page.page.locator(".dk-node").count() == 16
    assert board_page.page.evaluate(CUT, ".dk-sign, .dk-mini-card, .dk-move-label, .dk-payoff") == []


@pytest.mark.parametrize("board_page", [844], indirect=True)
def test_on_a_phone_that_lies_on_its_side_a_solved_tree_is_seen_whole(board_page):
    """Nothing that stands at a move is cut off by the edge of a low board."""
    board_page.page.set_viewport_size({"width": 844, "height": 390})
    view = board.Tree(gametheory.textbook("beer-quiche"), depth=9)
    view.solve()
    board_page.lay(view, 828)
    assert board_page.page.locator(".dk-probability:visible").count() == 14
    assert board_page.page.evaluate(CUT, ".dk-sign, .dk-move-label, .dk-payoff, .dk-probability, .dk-belief") == []


@pytest.mark.parametrize("board_page", [390], indirect=True)
def test_on_a_phone_values_begin_at_the_ends(board_page):
    """The fields of the last places are in view with what follows them; that a person begins there was said."""
    quiz = lessons.OnTree.values(ending("Qh Ks", "Kh Kc"), player=0)
    board_page.lay(quiz.view, 290)
    last = ", ".join(f".dk-node[data-id='{here}'] {part}" for here in (3, 4) for part in (".dk-sign", "input"))
    assert board_page.page.locator(last).count() == 4
    assert board_page.page.evaluate(CUT, f"{last}, .dk-node[data-id='7'] .dk-payoff") == []


@pytest.mark.parametrize("board_page", [390], indirect=True)
def test_in_an_exercise_only_what_one_needs_stands_above_a_small_tree(board_page):
    """Who plays, and how near one looks; it is all open, so there is nothing to find or to unfold."""
    board_page.lay(lessons.OnTree.path(ending("Ks 7d", "9c Td")).view, 1000 if board_page.page.viewport_size["width"] > 600 else 290)
    shown = board_page.page.locator(".dk-tree-toolbar button:visible").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('aria-label'))"
    )
    assert (
        {"Farther", "All of it", "Nearer", "More"}
        <= {*shown}
        <= {"Farther", "All of it", "Nearer", "More", "On the table", "Turn the tree"}
    )
    assert not board_page.page.locator(".dk-search, .dk-breadcrumbs").first.is_visible()
    view = board_page.page.locator(".dk-view").bounding_box()
    assert view["y"] < 150
    board_page.page.get_by_role("button", name="More").click()
    menu = board_page.page.locator(".dk-menu").bounding_box()
    assert menu["width"] > 250
    assert menu["y"] < 110


@pytest.mark.parametrize("board_page", [1200], indirect=True)
def test_a_tree_that_was_seen_whole_is_so_when_it_is_solved(board_page):
    """Its branches need a second line then; and no star lies on a word."""
    view = board.Tree(gametheory.textbook("kuhn"), depth=9)
    board_page.lay(view)
    board_page.page.get_by_role("button", name="All of it").click()
    board_page.rest()
    assert board_page.page.evaluate(CUT, ".dk-sign, .dk-move-label, .dk-payoff") == []
    view.solve()
    view.mark_best_responses(1)
    board_page.tell()
    assert board_page.page.evaluate(CUT, ".dk-sign, .dk-move-label, .dk-payoff, .dk-probability") == []
    assert board_page.page.locator(".dk-best-star").count() > 3
    assert board_page.page.evaluate(OVER) == 0


@pytest.mark.parametrize("board_page", [390, 1020], indirect=True)
def test_the_tools_stand_in_one_row(board_page):
    """Of a solved tree too, which has the most of them, in the longest words; what there is no room for is in the menu."""
    view = board.Tree(ending("Qh Ks", "Kh Kc"), depth=9, language="lt")
    view.solve()
    board_page.lay(view, board_page.page.viewport_size["width"] - 16)
    tops = board_page.page.evaluate(
        "() => [...document.querySelectorAll('.dk-toolbar button')].filter((one) => one.checkVisibility()).map((one) => { const { top, height } = one.getBoundingClientRect(); return Math.round(top + height / 2); })"
    )
    assert len(tops) > 3
    assert max(tops) - min(tops) <= 2
