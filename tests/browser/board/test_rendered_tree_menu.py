"""Test the toolbar of a tree: a few buttons with words, and a menu with the rest."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from rendered_table import AXE
from rendered_tree import ENDING, load_tree_page

from durak_widget import Game, analysis, board, gametheory
from support.spoken import english_text

HIDDEN = Game.from_position_line(
    "econ431, suits=cdh, hand_size=1: Kc Ac | Kd; attacker 1; table Qc; talon Ad; turn-up 9h; seen Kc Ac |;"
    " discard 9c Tc Jc 9d Td Jd Qd Th Jh Qh Kh Ah"
)
PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 800}
FOCUSED = "document.activeElement.dataset.item ?? document.activeElement.dataset.tool"
# Each command, and the trait or message that it changes or sends
COMMANDS = {
    "Solve": "solve",
    english_text("screen.solution.mine"): "show_strategy",
    english_text("screen.tree.matrix"): "show_matrix",
    english_text("screen.tree.values"): "values",
    english_text("screen.tree.beliefs"): "beliefs",
    english_text("screen.tree.reached"): "unfold",
    english_text("screen.tree.learn"): "learn",
    english_text("screen.tree.path"): "show_path",
    english_text("screen.tree.table"): "open_table",
    english_text("screen.tree.open_all"): "unfold",
    english_text("screen.tree.more"): "unfold",
    english_text("screen.tree.less"): "unfold",
    english_text("screen.tree.close_all"): "fold",
    english_text("screen.tree.by_player", player="Player 1"): "unfold",
    english_text("screen.tree.by_player", player="Player 2"): "unfold",
    english_text("screen.tree.farther"): "",
    english_text("screen.tree.fit"): "",
    english_text("screen.tree.nearer"): "",
    english_text("screen.tree.direction"): "direction",
}


@pytest.fixture
def board_page(pages, request):
    """Return an empty page of a laptop, or of a phone with touch."""
    size = getattr(request, "param", LAPTOP)
    context = pages.context(viewport=size, reduced_motion="reduce", has_touch=size is PHONE)
    page = context.new_page()
    yield load_tree_page(page)
    context.close()


def make_ending() -> board.Tree:
    """Return a solved ending with hidden cards, partly folded, and a strategy of the user."""
    view = board.Tree(analysis.build_tree_from_position(HIDDEN), depth=2)
    view.solve()
    view.handle_message({"kind": "start_own_strategy"})
    return view


def list_visible_tools(page: Any) -> list[str]:
    """Return the names of the buttons and fields above the tree."""
    return page.locator(".dk-tree-toolbar").evaluate(
        "(bar) => [...bar.querySelectorAll('button, input')].filter((one) => one.checkVisibility()).map((one) => one.ariaLabel)"
    )


def test_a_small_tree_shows_three_buttons_with_words_and_a_menu(board_page):
    """There is nothing to search or to zoom. The shortcuts work all the same."""
    view = board.Tree(gametheory.textbook("outside-option"), depth=9)
    board_page.mount(view)
    assert list_visible_tools(board_page.page) == [
        "Solve",
        english_text("screen.solution.mine"),
        english_text("screen.tree.matrix"),
        "More",
    ]
    words = board_page.page.get_by_role("toolbar").locator("button:visible").all_inner_texts()
    assert words[:3] == ["Solve", english_text("screen.solution.mine"), english_text("screen.tree.matrix")]
    before = board_page.page.locator(".dk-world").get_attribute("style")
    board_page.press("+")
    assert board_page.page.locator(".dk-world").get_attribute("style") != before
    board_page.press("/")
    expect(board_page.page.get_by_role("searchbox")).to_be_focused()
    board_page.page.keyboard.press("Escape")
    expect(board_page.page.get_by_role("searchbox")).to_be_hidden()


def test_a_large_tree_can_be_searched_and_zoomed_at_once(board_page):
    """Search and zoom are in the toolbar there."""
    board_page.mount(board.Tree(analysis.build_tree_from_position(ENDING), depth=2))
    assert {"Find", english_text("screen.tree.farther"), english_text("screen.tree.fit"), english_text("screen.tree.nearer")} <= {
        *list_visible_tools(board_page.page)
    }


@pytest.mark.parametrize("board_page", [LAPTOP, pytest.param(PHONE, marks=pytest.mark.slow)], indirect=True)
def test_every_command_is_a_button_or_in_the_menu(board_page):
    """With words, at any width. Each one still does what it did."""
    width = board_page.page.viewport_size["width"] - 20
    for name, effect in COMMANDS.items():
        view = make_ending()
        board_page.mount(view, min(width, 1100))
        traits = {trait: getattr(view, trait) for trait in ("values", "direction")}
        board_page.sent()
        board_page.run_command(name)
        if effect in traits:
            assert getattr(view, effect) != traits[effect], name
        elif effect == "beliefs":
            assert view.beliefs == "on"
        elif effect:
            assert effect in {message["kind"] for message in board_page.sent()}, name
        view.close()


def test_the_menu_is_used_by_keys(board_page):
    """Arrow keys open it and move in it; Escape closes it, and the focus goes back to its button."""
    board_page.mount(board.Tree(gametheory.textbook("outside-option"), depth=9))
    page, more = board_page.page, board_page.page.locator("[data-tool=menu]")
    assert (more.get_attribute("aria-haspopup"), more.get_attribute("aria-expanded")) == ("menu", "false")
    more.focus()
    page.keyboard.press("ArrowDown")
    menu = page.get_by_role("menu")
    expect(more).to_have_attribute("aria-expanded", "true")
    names = menu.locator("button").evaluate_all("(all) => all.map((one) => one.dataset.item)")
    met = [page.evaluate(FOCUSED)]
    for key in ("ArrowDown", "End", "ArrowDown", "ArrowUp", "Home"):
        page.keyboard.press(key)
        met.append(page.evaluate(FOCUSED))
    assert met == [names[0], names[1], names[-1], names[0], names[-1], names[0]]
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    assert (page.evaluate(FOCUSED), more.get_attribute("aria-expanded")) == ("menu", "false")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(FOCUSED) == names[-1]
    page.keyboard.press("Tab")
    expect(menu).to_be_hidden()
    assert page.evaluate("document.activeElement.dataset.item") is None
    more.click()
    page.locator(".dk-view").click(position={"x": 5, "y": 5})
    expect(menu).to_be_hidden()


def test_settings_and_keys_open_from_the_menu_and_give_the_focus_back(board_page):
    """A setting can be changed there. The key of the help opens it too."""
    board_page.mount(board.Tree(gametheory.textbook("outside-option"), depth=9))
    settings = board_page.open_settings()
    settings.get_by_label(english_text("screen.set.four_colors")).check()
    assert board_page.view.four_colors
    board_page.page.keyboard.press("Escape")
    expect(settings).to_be_hidden()
    assert board_page.page.evaluate(FOCUSED) == "menu"
    board_page.press("?")
    assert settings.locator("kbd").count() > 10
    settings.get_by_role("button", name=english_text("screen.close")).click()
    expect(settings).to_be_hidden()


@pytest.mark.parametrize("board_page", [PHONE], indirect=True)
@pytest.mark.parametrize("language", ["en", "lt", "ru"])
def test_buttons_fit_a_phone_and_are_large_enough(board_page, language: str):
    """In every language: 44 px for a finger, nothing cut off, in the bar, the menu and the panels."""
    view = board.Tree(gametheory.textbook("kuhn"), depth=2, language=language)
    view.get_learner().step(5)
    board_page.mount(view, 340)
    tops = "[...document.querySelectorAll('.dk-toolbar button')].filter((one) => one.checkVisibility()).map((one) => one.offsetTop)"
    assert len({*board_page.page.evaluate(tops)}) == 1
    board_page.open_menu()
    small = """() => [...document.querySelectorAll('.dk-tree-toolbar button, .dk-board-panel button, .dk-board-panel select')]
      .filter((one) => one.checkVisibility()).map((one) => [one.textContent || one.ariaLabel, one.getBoundingClientRect()])
      .filter(([, box]) => box.height < 44 || box.right > 352).map(([name]) => name)"""
    assert board_page.page.evaluate(small) == []


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_no_violation_in_the_menu_and_the_settings(board_page, theme: str):
    """With a command that is on."""
    view = make_ending()
    view.theme, view.values = theme, True
    board_page.mount(view)
    board_page.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = "async () => (await axe.run('.dk-tree-toolbar', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] })).violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary])"
    menu = board_page.open_menu()
    assert menu.get_by_role("menuitemcheckbox", name=english_text("screen.tree.values")).get_attribute("aria-checked") == "true"
    assert board_page.page.evaluate(found) == []
    board_page.page.keyboard.press("Escape")
    board_page.open_settings()
    assert board_page.page.evaluate(found) == []


def test_learning_is_beside_the_tree_and_its_buttons_are_in_sight(board_page):
    """The button that a lesson tells the reader to press comes before the plot and before the strategy."""
    view = board.Tree(gametheory.textbook("kuhn"), depth=9)
    view.get_learner().step(5)
    board_page.mount(view, 1100)
    tree = board_page.page.locator(".dk-view").bounding_box()
    on = board_page.page.get_by_role("button", name=english_text("screen.learning.on")).bounding_box()
    plot = board_page.page.locator(".dk-learning .dk-plot").bounding_box()
    assert on["x"] > tree["x"] + tree["width"]
    assert on["y"] < tree["y"] + 100
    assert on["y"] < plot["y"] < tree["y"] + 200
    board_page.page.set_viewport_size(PHONE)
    board_page.mount(view, 340)
    tree, on = (
        board_page.page.locator(".dk-view").bounding_box(),
        board_page.page.get_by_role("button", name=english_text("screen.learning.on")).bounding_box(),
    )
    assert 0 < on["y"] - (tree["y"] + tree["height"]) < 100
    view.close()


def test_the_matrix_opens_beside_the_tree_above_the_list_of_equilibria(board_page):
    """So it is in sight when its button was pressed."""
    view = board.Tree(gametheory.textbook("outside-option"), depth=9)
    view.solve()
    board_page.mount(view, 1100)
    board_page.run_command(english_text("screen.tree.matrix"))
    expect(board_page.page.locator(".dk-matrix-table")).to_be_in_viewport(ratio=1)
