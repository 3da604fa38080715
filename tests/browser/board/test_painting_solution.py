"""A solution beside a painted tree: one's own strategy by mouse, by finger, by keys and by typing, and what is said of it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from painted import AXE
from painted_tree import opened
from playwright.sync_api import expect

from durak_widget import board, gametheory
from durak_widget.i18n import get_front_end_texts
from support.textbook import HALF, kuhn, signalling

HIGH, ANSWER, LOW = 0, 1, 2
"""The information sets of Myerson's card game: seat 0 with the high card, seat 1 after a bet, seat 0 with the low card."""
LONG = 132
"""From impossible to certain on a branch, in pixels."""


@pytest.fixture(scope="module")
def board_page(pages):
    """An empty page for trees; nothing may go wrong in it."""
    context = pages.context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield opened(page)
    context.close()
    assert wrong == []


@pytest.fixture
def view(board_page):
    """Myerson's card game, solved and open, on the board."""
    tree = signalling()
    view = board.Tree(tree, gametheory.solve(tree), depth=9)
    board_page.lay(view)
    yield view
    view.close()


def label(board_page, place, move):
    """The probability of a move on the first of its branches."""
    return board_page.page.locator(f".dk-probability[data-set='{place}'][data-move='{move}']").first


def middle(where):
    """Where one takes hold of it."""
    box = where.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def told(board_page, view, place, move, likely):
    """Python has been told that probability, and the page shows it."""
    expect(label(board_page, place, move)).to_have_text(likely)
    assert view.strategy.rows[place][move] == Fraction(likely)
    assert sum(view.strategy.rows[place]) == 1


def answered(board_page, fact):
    """Let the page hear what Python has worked out beside it."""
    while not fact():
        board_page.page.evaluate("new Promise(requestAnimationFrame)")
    board_page.tell()


@pytest.mark.slow
def test_a_probability_is_pulled_with_the_mouse(board_page, view):
    """To the right it grows; near a simple fraction it is that, on the way whole percents; the board does not move, and what is lost is told at once."""
    mouse, page = board_page.page.mouse, board_page.page
    x, y = middle(label(board_page, LOW, 1))
    world = page.locator(".dk-world").get_attribute("style")
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + LONG / 6 + 1, y, steps=4)  # from 1/3 to about 1/2
    told(board_page, view, LOW, 1, "1/2")
    expect(page.locator(".dk-drag-scale b")).to_have_text("1/2")
    expect(page.locator(".dk-exploitability-value")).to_have_text("1/12")
    mouse.move(x + LONG * 0.24, y, steps=4)
    told(board_page, view, LOW, 1, "57/100")
    mouse.move(x + 400, y, steps=4)
    mouse.up()
    told(board_page, view, LOW, 1, "1")
    assert view.strategy.rows[LOW] == (0, 1)
    assert page.locator(".dk-drag-scale").count() == 0
    expect(page.get_by_role("slider", name="How often: bet")).to_have_attribute("aria-valuetext", "1")  # one sees all of its set
    assert page.locator(".dk-world").get_attribute("style") == world
    assert view.exploitability == Fraction(1, 3)
    expect(page.locator(".dk-exploitability")).to_contain_text("Player 1 gives away 1/3: sure of 0, where the game is worth 1/3")
    expect(page.locator(f".dk-branch:has([data-set='{ANSWER}'][data-move='1']) .dk-best-star").first).to_be_visible()


@pytest.mark.slow
def test_escape_while_pulling_leaves_it_as_it_was(board_page, view):
    """The hand is still down: Escape puts the probability back."""
    x, y = middle(label(board_page, LOW, 1))
    board_page.page.mouse.move(x, y)
    board_page.page.mouse.down()
    board_page.page.mouse.move(x + 60, y, steps=4)
    told(board_page, view, LOW, 1, "79/100")
    board_page.page.keyboard.press("Escape")
    board_page.page.mouse.move(x + 90, y)
    board_page.page.mouse.up()
    told(board_page, view, LOW, 1, "1/3")


@pytest.mark.slow
def test_a_probability_is_pulled_with_a_finger(board_page, view):
    """A touch that pulls sets it, and neither scrolls the page nor moves the board."""
    session = board_page.page.context.new_cdp_session(board_page.page)
    x, y = middle(label(board_page, ANSWER, 1))
    world = board_page.page.locator(".dk-world").get_attribute("style")
    touch = [{"x": x, "y": y}]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": touch})
    for step in range(1, 9):
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x - step * LONG / 6 / 8, "y": y + 1}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    told(board_page, view, ANSWER, 1, "1/2")
    assert board_page.page.locator(".dk-world").get_attribute("style") == world
    assert board_page.page.evaluate("scrollY") == 0
    session.detach()


@pytest.mark.slow
def test_a_probability_that_is_only_touched_can_be_typed(board_page, view):
    """A click goes to its field beside the tree; a fraction, a decimal or percents are read; what is none is refused in a sentence, and nothing changes."""
    label(board_page, LOW, 0).click()
    field = board_page.page.get_by_role("textbox", name="Probability of: fold")
    expect(field).to_be_focused()
    for typed, likely in (("0,25", "1/4"), ("50 %", "1/2"), (" 2/7 ", "2/7")):
        field.fill(typed)
        field.press("Enter")
        told(board_page, view, LOW, 0, likely)
        expect(field).to_have_value(likely)
    field.fill("two thirds")
    field.press("Enter")
    expect(board_page.page.locator(".dk-refusal")).to_have_text("“two thirds” is no number. Write it as 1/2, 0.5 or 50 %.")
    told(board_page, view, LOW, 0, "2/7")
    field.press("Escape")
    expect(field).to_have_value("2/7")


@pytest.mark.slow
def test_keys_change_a_probability_and_say_it(board_page, view):
    """L goes from the tree to the first slider; arrows are five percent, Home and End impossible and certain; a screen reader hears the fraction."""
    view.go_to(next(here for here in range(view.tree.history_count) if view.tree.actor[here] == 1))
    board_page.tell()
    board_page.press("l")
    slider = board_page.page.get_by_role("slider", name="How often: fold")
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuetext", "1/3")
    for key, likely in (
        ("ArrowRight", "7/20"),
        ("ArrowUp", "2/5"),
        ("ArrowLeft", "7/20"),
        ("PageDown", "1/10"),
        ("End", "1"),
        ("Home", "0"),
    ):
        board_page.page.keyboard.press(key)
        expect(slider).to_have_attribute("aria-valuetext", likely)
        told(board_page, view, ANSWER, 0, likely)
    expect(board_page.page.get_by_role("status").first).to_contain_text("Player 2 gives away")


@pytest.mark.slow
def test_a_slider_is_pulled(board_page, view):
    """With the mouse on the slider itself, it goes along and the others with it."""
    board_page.press("Home")
    label(board_page, HIGH, 1).click()
    slider = board_page.page.get_by_role("slider", name="How often: bet")
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    board_page.page.mouse.move(box["x"] + box["width"] - 9, y)
    board_page.page.mouse.down()
    board_page.page.mouse.move(box["x"] + box["width"] / 2, y, steps=5)
    board_page.page.mouse.up()
    told(board_page, view, HIGH, 1, "1/2")
    assert view.strategy.rows[HIGH] == (HALF, HALF)


@pytest.mark.slow
def test_what_is_shown_is_chosen_and_forgotten(board_page, view):
    """Solution or mine; best responses of either; forgotten, the solution is back."""
    page = board_page.page
    panel = page.get_by_role("group", name="Strategy")
    panel.get_by_role("button", name="My own strategy").click()
    expect(panel.get_by_role("button", name="Mine", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(panel.locator(".dk-exploitability")).to_contain_text("gives nothing away")
    expect(panel).to_contain_text("marked: the best responses of Player 2, who then has −1/3")
    for seat, told in (("Player 2", None), ("Player 1", "marked: the best responses of Player 1, who then has 1/3")):
        panel.get_by_role("button", name=seat).click()
        expect(panel.get_by_role("button", name=seat)).to_have_attribute("aria-pressed", str(told is not None).lower())
        expect(panel).to_contain_text(told or "gives nothing away")
    panel.get_by_role("button", name="Solution").click()
    expect(panel).to_contain_text("value to Player 1: 1/3, exactly")
    panel.get_by_role("button", name="Forget mine").click()
    expect(panel.locator(".dk-exploitability")).to_be_hidden()
    assert (view.solver_panel.strategies.own_strategy, view.solution_view["shown_kind"]) == (None, "solution")


class Asks:
    """An exercise that asks for Bob's strategy."""

    question_kind, is_over = "strategy", False
    score = None

    def to_message(self):
        """Whose it is, and what it loses once that was judged."""
        return {"player": 1} | ({} if self.score is None else {"score": {"lost": self.score, "credit": 0.5}})


@pytest.mark.slow
def test_in_an_exercise_only_the_asked_seat_is_set_and_the_loss_is_kept(board_page, view):
    """Only that player's probabilities are there, to be pulled and typed; nothing is marked, no path lit; what is lost is shown when it has been judged."""
    page, task = board_page.page, Asks()
    view.question = task
    view.strategy = gametheory.Strategy.uniform(view.tree)
    view.go_to(next(here for here in range(view.tree.history_count) if view.tree.actor[here] == 1))
    board_page.tell()
    panel = page.get_by_role("group", name="Strategy")
    assert set(page.locator("[data-draggable][data-set]").evaluate_all("(all) => all.map((one) => one.dataset.set)")) == {str(ANSWER)}
    expect(panel.locator(".dk-exploitability")).to_be_hidden()
    expect(panel.get_by_role("button")).to_have_count(0)
    assert page.locator(".dk-best-star").count() == 0
    panel.get_by_role("slider", name="How often: call").press("ArrowRight")
    told(board_page, view, ANSWER, 1, "11/20")
    task.score = "7/40"
    view.refresh("task")
    board_page.tell()
    expect(panel.locator(".dk-exploitability")).to_contain_text("Player 2 gives away 7/60")
    view.go_to(1)
    board_page.tell()
    expect(panel.get_by_role("slider", name="How often: bet")).to_have_count(0)  # of the others nothing is known


def test_it_is_solved_from_the_page(board_page):
    """The methods that fit are offered, and the chosen one solves; before, there is no panel."""
    view = board.Tree(kuhn(), depth=2)
    board_page.lay(view)
    panel = board_page.page.get_by_role("group", name="Strategy")
    expect(panel).to_be_hidden()
    board_page.page.get_by_role("button", name="My own strategy").click()
    expect(panel.locator("option")).to_have_text(["linear program", "CFR+", "pure strategies", "list of equilibria"])
    panel.get_by_role("combobox").select_option("pure")
    panel.get_by_role("button", name="Solve").click()
    answered(board_page, lambda: view.solution is not None)
    expect(panel).to_contain_text("with pure strategies at least −1/6, at most 1/6 for Player 1")
    view.close()


@pytest.mark.slow
def test_what_is_learned_is_plotted(board_page):
    """Steps from the page: the curve goes on, its axes are powers of ten, what it says is told as text; closed, all of it is gone."""
    view = board.Tree(kuhn(), depth=2)
    board_page.lay(view)
    view.get_learner().step(120)
    board_page.tell()
    panel = board_page.page.get_by_role("group", name="Learning")
    expect(panel.locator(".dk-learning-status")).to_contain_text("120 iterations, exploitability ≈0.0")
    assert panel.locator(".dk-plot-tick").all_text_contents()[-4:] == ["1", "10", "100", "1000"]
    assert panel.locator("polyline").get_attribute("points").count(",") == len(view.learner.history)
    panel.get_by_role("button", name="Step").click()
    answered(board_page, lambda: view.learning["iterations"] > 120)
    expect(panel.locator(".dk-learning-status")).to_contain_text("121 iterations")
    expect(board_page.page.get_by_role("group", name="Strategy")).to_contain_text("learned by CFR+")
    panel.get_by_role("button", name="Go on").click()
    expect(panel.get_by_role("button", name="Stop")).to_be_visible()
    answered(board_page, lambda: view.learning["iterations"] > 150)
    panel.get_by_role("button", name="Stop").click()
    expect(panel.get_by_role("button", name="Go on")).to_be_visible()
    assert not view.learner.running
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()
    assert view.learner is None
    view.close()


@pytest.mark.slow
@pytest.mark.parametrize(("language", "theme"), [("ru", "dark")])
def test_the_panels_can_be_read_by_all(board_page, language, theme):
    """An axe finds nothing wrong in the panels, in any language and light; every word of the language is there."""
    tree = signalling()
    view = board.Tree(tree, gametheory.solve(tree), depth=9, language=language, theme=theme)
    view.solver_panel.set_probability(LOW, 0, "1/4")
    view.get_learner().step(20)
    view.solver_panel.show_strategy("own")
    view.go_to(tree.children(0)[1])
    board_page.lay(view, 1000 if language == "en" else 340)
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
