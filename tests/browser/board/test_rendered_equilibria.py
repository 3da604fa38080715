"""Test the list of equilibria beside a tree: choosing, reading aloud and showing one on the tree."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from rendered_table import AXE
from rendered_tree import load_tree_page

from durak_widget import board, gametheory
from durak_widget.i18n import get_front_end_texts
from support.spoken import english, english_text

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def board_page(pages):
    """Return an empty page for trees. Fail on page errors."""
    context = pages.context(viewport={"width": 1200, "height": 900}, has_touch=True)
    page = context.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield load_tree_page(page)
    context.close()
    assert wrong == []


def open_solved_game(board_page, name, width=1000, method=None, **look):
    """Open a solved textbook game on the board."""
    view = board.Tree(gametheory.textbook(name), depth=9, **look)
    view.solve(method)
    board_page.mount(view, width)
    return view


def wait_for_python(board_page, fact):
    """Send the page what Python has worked out."""
    while not fact():
        board_page.page.evaluate("new Promise(requestAnimationFrame)")
    board_page.sync()


def probability_label(board_page, infoset, move):
    """Return the probability label on the first branch of a move."""
    return board_page.page.locator(f".dk-probability[data-set='{infoset}'][data-move='{move}']").first


def test_solve_lists_equilibria_and_a_click_shows_another(board_page):
    """The list has names, payoffs and the reason why the second is refuted. It is announced."""
    view = board.Tree(gametheory.textbook("horse"), depth=9)
    board_page.mount(view)
    page = board_page.page
    panel = page.get_by_role("group", name=english_text("screen.answer.title"))
    expect(panel).to_be_hidden()
    page.get_by_role("button", name=english_text("screen.tree.solve")).first.click()
    wait_for_python(board_page, lambda: view.solution is not None)
    first, second = panel.get_by_role("button").all()
    expect(first).to_have_attribute("aria-pressed", "true")
    called = english_text("board.answer.called.sequential").capitalize()
    worth = english_text("screen.tree.worth", worth="One 1, Two 1, Three 1")
    expect(first).to_have_accessible_name(
        f"1. {called} . {worth}. {english_text('board.answer.pure')} · "
        "One (begins): across; Three (One or Two went down): right; Two (One went across): across"
    )
    expect(panel).to_contain_text(english_text("board.answer.note.pure.all"))
    expect(probability_label(board_page, 0, 0)).to_have_text("0")
    second.click()
    expect(probability_label(board_page, 0, 0)).to_have_text("1")
    expect(panel.get_by_role("button", name=f"2. {english_text('board.answer.called.nash')}")).to_have_attribute("aria-pressed", "true")
    expect(panel).to_contain_text(english_text("board.answer.not.sequential", knows="One went across", name="Two"))
    expect(page.get_by_role("status").first).to_contain_text(english("board.answer.not.sequential"))
    view.close()


def test_arrow_keys_move_through_the_list_of_equilibria(board_page):
    """The list is one tab stop. Enter shows an equilibrium, and the focus stays."""
    view = open_solved_game(board_page, "beer-quiche")
    page = board_page.page
    page.locator(".dk-equilibrium").first.focus()
    assert page.locator(".dk-equilibrium[tabindex='0']").count() == 1
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator(".dk-equilibrium[data-at='2']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".dk-equilibrium[data-at='2']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".dk-equilibrium[data-at='2']")).to_be_focused()
    assert view.solver_panel.strategies.selected_index == 2
    expect(page.get_by_role("group", name=english_text("screen.answer.title"))).to_contain_text(
        english_text("board.answer.refuted", message="beer", by="strong")
    )
    view.close()


def test_equilibria_can_be_tapped_on_a_narrow_page(board_page):
    """Targets are large enough, nothing scrolls sideways, and the list has no scroll bar of its own."""
    page = board_page.page
    page.set_viewport_size({"width": 360, "height": 740})
    view = open_solved_game(board_page, "beer-quiche", 344, language="lt")
    box = page.locator(".dk-equilibrium[data-at='3']")
    assert box.bounding_box()["height"] >= 42
    box.tap()
    expect(box).to_have_attribute("aria-pressed", "true")
    assert view.solver_panel.strategies.selected_index == 3
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".dk-equilibria-list").evaluate("(list) => list.scrollHeight <= list.clientHeight + 1")
    page.set_viewport_size({"width": 1200, "height": 900})
    view.close()


@pytest.mark.parametrize(("name", "language", "theme"), [("driver", "ru", "dark"), ("horse", "lt", "contrast")])
def test_axe_finds_no_violation_in_the_list_of_equilibria(board_page, name, language, theme):
    """In every language and theme."""
    view = open_solved_game(board_page, name, 1000 if language == "en" else 340, language=language, theme=theme)
    view.show_logit_equilibrium()
    board_page.sync()
    page = board_page.page
    page.evaluate("(dark) => { document.body.style.background = dark ? '#1b1f24' : '#fff'; }", theme != "light")
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "async () => (await axe.run('.dk-side-panels')).violations.map(({ id, nodes }) => [id, nodes.map((one) => one.html)])"
    )
    assert found == []
    head = view.answer_view["heading"]  # with one player, the optimum is not listed as an equilibrium
    assert bool(head) is (name == "driver")
    expect(page.locator(".dk-equilibria h3")).to_have_text(head or get_front_end_texts(language)["answer.title"])
    view.close()


KNOB = """() => {
  const slide = document.querySelector('.dk-logit-path .dk-board-slider'), box = slide.getBoundingClientRect(), line = document.querySelector('.dk-logit-position').getBoundingClientRect();
  return box.left + 10 + (box.width - 20) * slide.value / slide.max - (line.left + line.right) / 2;
}"""


def test_the_slider_knob_is_below_the_shown_point_of_the_logit_path(board_page):
    """At any width, for the mouse and arrow keys. The axis has labels."""
    view = board.Tree(gametheory.textbook("horse"), depth=9)
    view.show_logit_equilibrium()
    page = board_page.page
    for width in (340,):
        board_page.mount(view, width)
        slider = page.get_by_role("slider", name=english("screen.path.slider"))
        last = len(view.solver_panel.strategies.logit_path.points) - 1
        for pull, point in (("0", 0), ("1000", last), ("400", None)):
            slider.fill(pull)
            board_page.sync()
            assert point in (None, view.solver_panel.strategies.logit_path.current_index)
            assert abs(page.evaluate(KNOB)) < 2
            assert slider.get_attribute("aria-valuetext") == page.locator(".dk-logit-lambda").inner_text()
        here = view.solver_panel.strategies.logit_path.current_index
        assert 0 < here < last
        slider.press("ArrowLeft")
        board_page.sync()
        assert view.solver_panel.strategies.logit_path.current_index == here - 1
        slider.press("ArrowUp")
        board_page.sync()
        assert view.solver_panel.strategies.logit_path.current_index == here
    assert page.locator(".dk-plot-tick").filter(has_text="λ = 0").count() == 1
    view.close()
