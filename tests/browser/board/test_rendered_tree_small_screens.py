"""Test trees where there is little space: the important parts are visible."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from rendered_tree import load_tree_page

from durak_widget import Game, analysis, board, gametheory, lessons
from support.spoken import english_text

pytestmark = pytest.mark.slow

# Return what is cut off by the edge of the view.
CUT = """(what) => {
  const view = document.querySelector('.dk-view'), edge = view.getBoundingClientRect();
  return [...view.querySelectorAll(what)].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < edge.left || right > edge.right || top < edge.top || bottom > edge.bottom;
  }).map((one) => one.textContent || one.className);
}"""
# Return stars that cover words.
OVER = """() => [...document.querySelectorAll('.dk-best-star')].filter((star) => {
  const one = star.getBoundingClientRect(), other = star.closest('.dk-branch').querySelector('.dk-move').getBoundingClientRect();
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}).length"""


@pytest.fixture
def board_page(pages, request):
    """Return an empty page for trees of this width. Fail on page errors."""
    context = pages.context(viewport={"width": request.param, "height": 800}, reduced_motion="reduce", has_touch=request.param < 500)
    yield load_tree_page(context.new_page())
    context.close()


def ending(*hands: str) -> Any:
    """Return an ending with open hands."""
    return analysis.build_tree_from_position(Game.from_position(hands=[*hands], trump="h"), open_hands=True)


@pytest.mark.parametrize("board_page", [390], indirect=True)
def test_a_small_tree_fits_a_phone(board_page):
    """Sixteen nodes in four levels, in the 290 pixels that a notebook leaves."""
    board_page.mount(board.Tree(ending("Qh Ks", "Kh Kc"), depth=9), 290)
    assert board_page.page.locator(".dk-node").count() == 16
    assert board_page.page.evaluate(CUT, ".dk-sign, .dk-mini-card, .dk-move-label, .dk-payoff") == []


@pytest.mark.parametrize("board_page", [844], indirect=True)
def test_a_solved_tree_fits_a_phone_in_landscape(board_page):
    """No label of a move is cut off by the edge of the board."""
    board_page.page.set_viewport_size({"width": 844, "height": 390})
    view = board.Tree(gametheory.textbook("beer-quiche"), depth=9)
    view.solve()
    board_page.mount(view, 828)
    assert board_page.page.locator(".dk-probability:visible").count() == 14
    assert board_page.page.evaluate(CUT, ".dk-sign, .dk-move-label, .dk-payoff, .dk-probability, .dk-belief") == []


@pytest.mark.parametrize("board_page", [390], indirect=True)
def test_the_value_exercise_starts_at_the_ends_on_a_phone(board_page):
    """The fields of the last nodes and what follows them are visible."""
    quiz = lessons.OnTree.values(ending("Qh Ks", "Kh Kc"), player=0)
    board_page.mount(quiz.view, 290)
    last = ", ".join(f".dk-node[data-id='{here}'] {part}" for here in (3, 4) for part in (".dk-sign", "input"))
    assert board_page.page.locator(last).count() == 4
    assert board_page.page.evaluate(CUT, f"{last}, .dk-node[data-id='7'] .dk-payoff") == []


@pytest.mark.parametrize("board_page", [360], indirect=True)
def test_a_signalling_game_fits_a_phone(board_page):
    """With a field on each branch: every answer and its payoffs are visible, in the 318 pixels that a notebook leaves."""
    places = {"": gametheory.ChanceNode([("A♥", Fraction(1, 3), "A♥"), ("6♦", Fraction(2, 3), "6♦")])}
    for card in ("A♥", "6♦"):
        places[card] = gametheory.DecisionNode(0, f"holds {card}", [("throws in K♣", (card, "K♣")), ("passes", (card, "a pass"))])
        for seen in ("K♣", "a pass"):
            places[card, seen] = gametheory.DecisionNode(1, f"sees {seen}", [("gives up", (2, 0)), ("plays on", (-5, 1))])
    tree = gametheory.build_tree("", lambda history: places.get(history) or gametheory.TerminalNode(history), player_count=2)
    board_page.mount(lessons.Strategy(tree, player=1, against={"holds A♥": "throws in K♣", "holds 6♦": "passes"}).view, 318)
    assert board_page.page.locator(".dk-probability:visible").count() == 14
    assert board_page.page.evaluate(CUT, ".dk-sign, .dk-move-label, .dk-payoff, .dk-probability") == []


@pytest.mark.parametrize("board_page", [390], indirect=True)
def test_exercises_on_small_trees_show_only_players_and_the_menu(board_page):
    """The whole tree is open, so there is nothing to search or unfold. A small tree needs no zoom either."""
    board_page.mount(lessons.OnTree.path(ending("Ks 7d", "9c Td")).view, 1000 if board_page.page.viewport_size["width"] > 600 else 290)
    shown = board_page.page.locator(".dk-tree-toolbar button:visible").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('aria-label'))"
    )
    assert shown == ["More"]
    assert not board_page.page.locator(".dk-search, .dk-breadcrumbs").first.is_visible()
    view = board_page.page.locator(".dk-view").bounding_box()
    assert view["y"] < 150
    board_page.page.get_by_role("button", name=english_text("screen.more")).click()
    menu = board_page.page.get_by_role("menu").bounding_box()
    assert menu["width"] > 150
    assert menu["y"] < 110


@pytest.mark.parametrize("board_page", [1200], indirect=True)
def test_a_fully_visible_tree_stays_visible_when_solved(board_page):
    """Its branches need a second line then. No star covers a word."""
    view = board.Tree(gametheory.textbook("kuhn"), depth=9)
    board_page.mount(view)
    board_page.run_command(english_text("screen.tree.fit"))
    assert board_page.page.evaluate(CUT, ".dk-sign, .dk-move-label, .dk-payoff") == []
    view.solve()
    view.mark_best_responses(1)
    board_page.sync()
    assert board_page.page.evaluate(CUT, ".dk-sign, .dk-move-label, .dk-payoff, .dk-probability") == []
    assert board_page.page.locator(".dk-best-star").count() > 3
    assert board_page.page.evaluate(OVER) == 0


@pytest.mark.parametrize("board_page", [390, 1020], indirect=True)
def test_the_tools_fit_in_one_row(board_page):
    """Also for a solved tree, in the longest language. The rest is in the menu."""
    view = board.Tree(ending("Qh Ks", "Kh Kc"), depth=9, language="lt")
    view.solve()
    board_page.mount(view, board_page.page.viewport_size["width"] - 16)
    tops = board_page.page.evaluate(
        "() => [...document.querySelectorAll('.dk-toolbar button')].filter((one) => one.checkVisibility()).map((one) => { const { top, height } = one.getBoundingClientRect(); return Math.round(top + height / 2); })"
    )
    assert len(tops) >= 3
    assert max(tops) - min(tops) <= 2
