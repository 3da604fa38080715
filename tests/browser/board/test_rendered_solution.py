"""Test the solution panel beside a tree: own strategies by mouse, finger, keys and typing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from playwright.sync_api import expect
from rendered_table import AXE
from rendered_tree import load_tree_page

from durak_widget import board, gametheory
from durak_widget.i18n import get_front_end_texts
from support.spoken import english, english_text
from support.textbook import HALF, kuhn, signalling

HIGH, ANSWER, LOW = 0, 1, 2
"""The information sets of Myerson's card game: seat 0 with the high card, seat 1 after a bet, seat 0 with the low card."""
LONG = 132
"""The distance on a branch from probability 0 to 1, in pixels."""


@pytest.fixture(scope="module")
def board_page(pages):
    """Return an empty page for trees. Fail on page errors."""
    context = pages.context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield load_tree_page(page)
    context.close()
    assert wrong == []


@pytest.fixture
def view(board_page):
    """Open Myerson's card game, solved and unfolded."""
    tree = signalling()
    view = board.Tree(tree, gametheory.solve(tree), depth=9)
    board_page.mount(view)
    yield view
    view.close()


def test_a_long_name_of_a_method_ends_in_an_ellipsis(board_page, view):
    """The arrow of the list was drawn over the name."""
    methods = board_page.page.locator(".dk-solution-method")
    expect(methods).to_be_visible()
    assert methods.evaluate("(list) => getComputedStyle(list).textOverflow") == "ellipsis"


def probability_label(board_page, infoset, move):
    """Return the probability label on the first branch of a move."""
    return board_page.page.locator(f".dk-probability[data-set='{infoset}'][data-move='{move}']").first


def center_of(where):
    """Return the point where the label can be held."""
    box = where.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def expect_probability(board_page, view, infoset, move, probability):
    """Check that Python has this probability and that the page shows it."""
    expect(probability_label(board_page, infoset, move)).to_have_text(probability)
    assert view.strategy.rows[infoset][move] == Fraction(probability)
    assert sum(view.strategy.rows[infoset]) == 1


def wait_for_python(board_page, fact):
    """Send the page what Python has worked out."""
    while not fact():
        board_page.page.evaluate("new Promise(requestAnimationFrame)")
    board_page.sync()


@pytest.mark.slow
def test_a_probability_is_dragged_with_the_mouse(board_page, view):
    """To the right it grows, in whole percents or simple fractions. The board stays, and the loss is shown at once."""
    mouse, page = board_page.page.mouse, board_page.page
    x, y = center_of(probability_label(board_page, LOW, 1))
    world = page.locator(".dk-world").get_attribute("style")
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + LONG / 6 + 1, y, steps=4)  # from 1/3 to about 1/2
    expect_probability(board_page, view, LOW, 1, "1/2")
    expect(page.locator(".dk-drag-scale b")).to_have_text("1/2")
    expect(page.locator(".dk-exploitability-value")).to_have_text("1/12")
    mouse.move(x + LONG * 0.24, y, steps=4)
    expect_probability(board_page, view, LOW, 1, "57/100")
    mouse.move(x + 400, y, steps=4)
    mouse.up()
    expect_probability(board_page, view, LOW, 1, "1")
    assert view.strategy.rows[LOW] == (0, 1)
    assert page.locator(".dk-drag-scale").count() == 0
    expect(page.get_by_role("slider", name=english_text("screen.solution.likely", move="bet"))).to_have_attribute(
        "aria-valuetext", "1"
    )  # the whole information set is visible
    assert page.locator(".dk-world").get_attribute("style") == world
    assert view.exploitability == Fraction(1, 3)
    expect(page.locator(".dk-exploitability")).to_contain_text(
        english_text("board.own.lost", name="Player 1", lost="1/3", sure="0", value="1/3")
    )
    expect(page.locator(f".dk-branch:has([data-set='{ANSWER}'][data-move='1']) .dk-best-star").first).to_be_visible()


@pytest.mark.slow
def test_escape_cancels_dragging_a_probability(board_page, view):
    """Although the button is still down."""
    x, y = center_of(probability_label(board_page, LOW, 1))
    board_page.page.mouse.move(x, y)
    board_page.page.mouse.down()
    board_page.page.mouse.move(x + 60, y, steps=4)
    expect_probability(board_page, view, LOW, 1, "79/100")
    board_page.page.keyboard.press("Escape")
    board_page.page.mouse.move(x + 90, y)
    board_page.page.mouse.up()
    expect_probability(board_page, view, LOW, 1, "1/3")


@pytest.mark.slow
def test_a_probability_is_dragged_with_a_finger(board_page, view):
    """Neither the page nor the board moves."""
    session = board_page.page.context.new_cdp_session(board_page.page)
    x, y = center_of(probability_label(board_page, ANSWER, 1))
    world = board_page.page.locator(".dk-world").get_attribute("style")
    touch = [{"x": x, "y": y}]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": touch})
    for step in range(1, 9):
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x - step * LONG / 6 / 8, "y": y + 1}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect_probability(board_page, view, ANSWER, 1, "1/2")
    assert board_page.page.locator(".dk-world").get_attribute("style") == world
    assert board_page.page.evaluate("scrollY") == 0
    session.detach()


@pytest.mark.slow
def test_a_click_on_a_probability_leads_to_its_field(board_page, view):
    """Fractions, decimals and percents are read. Anything else is refused with a reason."""
    probability_label(board_page, LOW, 0).click()
    field = board_page.page.get_by_role("textbox", name=english_text("screen.solution.field", move="fold"))
    expect(field).to_be_focused()
    for typed, probability in (("0,25", "1/4"), ("50 %", "1/2"), (" 2/7 ", "2/7")):
        field.fill(typed)
        field.press("Enter")
        expect_probability(board_page, view, LOW, 0, probability)
        expect(field).to_have_value(probability)
    field.fill("two thirds")
    field.press("Enter")
    expect(board_page.page.locator(".dk-refusal")).to_have_text(english_text("board.refused.number", text="two thirds"))
    expect_probability(board_page, view, LOW, 0, "2/7")
    field.press("Escape")
    expect(field).to_have_value("2/7")


@pytest.mark.slow
def test_keys_change_and_announce_a_probability(board_page, view):
    """L goes to the first slider. Arrows change it by five percent, Home and End to 0 and 1."""
    view.go_to(next(here for here in range(view.tree.history_count) if view.tree.actor[here] == 1))
    board_page.sync()
    board_page.press("l")
    slider = board_page.page.get_by_role("slider", name=english_text("screen.solution.likely", move="fold"))
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuetext", "1/3")
    for key, probability in (
        ("ArrowRight", "7/20"),
        ("ArrowUp", "2/5"),
        ("ArrowLeft", "7/20"),
        ("PageDown", "1/10"),
        ("End", "1"),
        ("Home", "0"),
    ):
        board_page.page.keyboard.press(key)
        expect(slider).to_have_attribute("aria-valuetext", probability)
        expect_probability(board_page, view, ANSWER, 0, probability)
    expect(board_page.page.get_by_role("status").first).to_contain_text(english("board.own.lost", name="Player 2"))


@pytest.mark.slow
def test_a_slider_can_be_dragged(board_page, view):
    """It follows the mouse, and the others change with it."""
    board_page.press("Home")
    probability_label(board_page, HIGH, 1).click()
    slider = board_page.page.get_by_role("slider", name=english_text("screen.solution.likely", move="bet"))
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    board_page.page.mouse.move(box["x"] + box["width"] - 9, y)
    board_page.page.mouse.down()
    board_page.page.mouse.move(box["x"] + box["width"] / 2, y, steps=5)
    board_page.page.mouse.up()
    expect_probability(board_page, view, HIGH, 1, "1/2")
    assert view.strategy.rows[HIGH] == (HALF, HALF)


@pytest.mark.slow
def test_solution_and_own_strategy_can_be_switched_and_reset(board_page, view):
    """With the best responses to either."""
    page = board_page.page
    panel = page.get_by_role("group", name=english_text("screen.solution.title"), exact=True)
    page.get_by_role("button", name=english_text("screen.solution.mine")).click()
    expect(panel.get_by_role("button", name=english_text("screen.solution.which.own"), exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(panel.locator(".dk-exploitability")).to_contain_text(english("board.own.nothing"))
    expect(panel).to_contain_text(english_text("board.best", name="Player 2", value="−1/3"))
    for seat, label in (("Player 2", None), ("Player 1", english_text("board.best", name="Player 1", value="1/3"))):
        panel.get_by_role("button", name=seat).click()
        expect(panel.get_by_role("button", name=seat)).to_have_attribute("aria-pressed", str(label is not None).lower())
        expect(panel).to_contain_text(label or english("board.own.nothing"))
    panel.get_by_role("button", name=english_text("screen.solution.which.solution")).click()
    expect(panel).to_contain_text(english_text("board.solved.exact", name="Player 1", value="1/3"))
    panel.get_by_role("button", name=english_text("screen.solution.forget")).click()
    expect(panel.locator(".dk-exploitability")).to_be_hidden()
    assert (view.solver_panel.strategies.own_strategy, view.solution_view["shown_kind"]) == (None, "solution")


class StrategyQuestion:
    """An exercise that asks for Bob's strategy."""

    question_kind, is_over = "strategy", False
    score = None

    def to_message(self):
        """Return whose strategy is asked for, and its loss after grading."""
        return {"player": 1} | ({} if self.score is None else {"score": {"lost": self.score, "credit": 0.5}})


@pytest.mark.slow
def test_exercises_allow_only_the_asked_player_and_hide_the_loss(board_page, view):
    """No other probability can be changed, no path is highlighted, and the loss is shown after grading."""
    page, task = board_page.page, StrategyQuestion()
    view.question = task
    view.strategy = gametheory.Strategy.uniform(view.tree)
    view.go_to(next(here for here in range(view.tree.history_count) if view.tree.actor[here] == 1))
    board_page.sync()
    panel = page.get_by_role("group", name=english_text("screen.solution.title"))
    assert set(page.locator("[data-draggable][data-set]").evaluate_all("(all) => all.map((one) => one.dataset.set)")) == {str(ANSWER)}
    expect(panel.locator(".dk-exploitability")).to_be_hidden()
    expect(panel.get_by_role("button")).to_have_count(0)
    assert page.locator(".dk-best-star").count() == 0
    panel.get_by_role("slider", name=english_text("screen.solution.likely", move="call")).press("ArrowRight")
    expect_probability(board_page, view, ANSWER, 1, "11/20")
    task.score = "7/40"
    view.refresh("question")
    board_page.sync()
    expect(panel.locator(".dk-exploitability")).to_contain_text(english("board.own.lost", name="Player 2", lost="7/60"))
    view.go_to(1)
    board_page.sync()
    expect(panel.get_by_role("slider", name=english_text("screen.solution.likely", move="bet"))).to_have_count(
        0
    )  # nothing is known about the others


def test_a_tree_is_solved_from_the_page(board_page):
    """Suitable methods are offered. Before solving there is no panel."""
    view = board.Tree(kuhn(), depth=2)
    board_page.mount(view)
    panel = board_page.page.get_by_role("group", name=english_text("screen.solution.title"), exact=True)
    expect(panel).to_be_hidden()
    board_page.page.get_by_role("button", name=english_text("screen.solution.mine")).click()
    expect(panel.locator("option")).to_have_text(
        [english_text("screen.solution.by.lp"), "CFR+", english_text("screen.solution.by.pure"), english_text("screen.solution.by.answer")]
    )
    panel.get_by_role("combobox").select_option("pure")
    panel.get_by_role("button", name=english_text("screen.tree.solve")).click()
    wait_for_python(board_page, lambda: view.solution is not None)
    expect(panel).to_contain_text(english_text("board.solved.pure", lower="−1/6", upper="1/6", name="Player 1"))
    view.close()


@pytest.mark.slow
def test_learning_is_plotted_and_described(board_page):
    """Steps continue the curve, with powers of ten on its axes. Closing removes all of it."""
    view = board.Tree(kuhn(), depth=2)
    board_page.mount(view)
    view.get_learner().step(120)
    board_page.sync()
    panel = board_page.page.get_by_role("group", name=english_text("screen.learning.title"))
    expect(panel.locator(".dk-learning-status")).to_contain_text(english_text("board.learning.stands", iterations="120", lost="≈0.0"))
    assert panel.locator(".dk-plot-tick").all_text_contents()[-4:] == ["1", "10", "100", "1000"]
    assert panel.locator("polyline").get_attribute("points").count(",") == len(view.learner.history)
    panel.get_by_role("button", name=english_text("screen.learning.step")).click()
    wait_for_python(board_page, lambda: view.learning["iterations"] > 120)
    expect(panel.locator(".dk-learning-status")).to_contain_text("121 iterations")
    expect(board_page.page.get_by_role("group", name=english_text("screen.solution.title"))).to_contain_text(
        english_text("board.learned", method="CFR+")
    )
    panel.get_by_role("button", name=english_text("screen.learning.on")).click()
    expect(panel.get_by_role("button", name=english_text("screen.learning.stop"))).to_be_visible()
    wait_for_python(board_page, lambda: view.learning["iterations"] > 150)
    panel.get_by_role("button", name=english_text("screen.learning.stop")).click()
    expect(panel.get_by_role("button", name=english_text("screen.learning.on"))).to_be_visible()
    assert not view.learner.running
    panel.get_by_role("button", name=english_text("screen.close")).click()
    expect(panel).to_be_hidden()
    assert view.learner is None
    view.close()


@pytest.mark.slow
@pytest.mark.parametrize(("language", "theme"), [("ru", "dark")])
def test_axe_finds_no_violation_in_the_panels(board_page, language, theme):
    """In every language and theme, with no missing text."""
    tree = signalling()
    view = board.Tree(tree, gametheory.solve(tree), depth=9, language=language, theme=theme)
    view.solver_panel.set_probability(LOW, 0, "1/4")
    view.get_learner().step(20)
    view.solver_panel.show_strategy("own")
    view.go_to(tree.children(0)[1])
    board_page.mount(view, 1000 if language == "en" else 340)
    page = board_page.page
    page.evaluate("(dark) => { document.body.style.background = dark ? '#1b1f24' : '#fff'; }", theme == "dark")
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "async () => (await axe.run('.dk-side-panels')).violations.map(({ id, nodes }) => [id, nodes.map((one) => one.html)])"
    )
    assert found == []
    words = get_front_end_texts(language)
    for key in ("solution.title", "solution.forget", "learning.title", "learning.step"):
        expect(page.locator(".dk-side-panels")).to_contain_text(words[key])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    view.close()
