"""Test the matrix board: reading aloud, keys, touch, elimination, equilibria, exercises and the tree beside it."""

from __future__ import annotations

import random
from functools import cache

import pytest
from rendered_matrix import MatrixPage, load_matrix_page
from rendered_table import AXE

from durak_widget import Game, analysis, board
from support.asked import Asks
from support.spoken import english, english_text

SEXES = [[(3, 2), (0, 0)], [(0, 0), (2, 3)]]
NAMED = {"rows": ["opera", "match"], "columns": ["opera", "match"], "names": ("Ann", "Bob")}
DILEMMA = {"rows": ["silent", "talks"], "columns": ["silent", "talks"], "names": ("Ann", "Bob")}


@cache
def small_ending():
    """Return a small ending as a tree."""
    return analysis.build_tree_from_position(Game.from_position("econ431", hands=["Qh Ks", "Kh Kc"], trump="h"), open_hands=True)


def dilemma(**more):
    """Return the prisoner's dilemma."""
    return board.Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], **DILEMMA, **more)


def large():
    """Return a matrix that needs scrolling."""
    chance = random.Random(4)
    return board.Matrix([[(chance.randint(-9, 9), chance.randint(-9, 9)) for _ in range(30)] for _ in range(30)])


@pytest.fixture(scope="module")
def page(pages):
    """Open a page for matrices."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    found = context.new_page()
    found.on("pageerror", lambda error: found.evaluate("(said) => (window.wrong = [...(window.wrong ?? []), said])", str(error)))
    yield load_matrix_page(found)
    context.close()


@pytest.fixture
def board_page(page):
    """Return that page. Fail on page errors."""
    page.page.set_viewport_size({"width": 1200, "height": 800})
    yield page
    assert page.page.evaluate("window.wrong ?? []") == []


@pytest.fixture(scope="module")
def phone(pages):
    """Open a page for matrices on a phone with touch."""
    context = pages.context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    found = load_matrix_page(context.new_page())
    found.page.evaluate("document.head.insertAdjacentHTML('beforeend', '<meta name=viewport content=width=device-width>')")
    yield found
    context.close()


def find_violations(board_page: MatrixPage) -> list[str]:
    """Return the axe violations."""
    if not board_page.page.evaluate("Boolean(window.axe)"):
        board_page.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = board_page.page.evaluate("async () => (await axe.run('.dk')).violations")
    return [f"{violation['id']}: {node['html'][:160]}" for violation in found for node in violation["nodes"]]


def test_every_cell_has_a_name_and_can_be_reached_by_keys(board_page):
    """One tab stop. Arrows, Home and End reach cells and headers. The selection is announced."""
    board_page.mount(dilemma())
    assert board_page.page.get_by_role("grid", name=english_text("screen.matrix.of", first="Ann", second="Bob")).count() == 1
    assert board_page.page.locator("table [tabindex='0']").count() == 1
    board_page.cell(0, 0).focus()
    names = {"first": "Ann", "second": "Bob"}
    assert board_page.focus == english_text("screen.matrix.cell", **names, row="silent", column="silent", one="3", other="3")
    board_page.keys("ArrowRight")
    cell = english_text("screen.matrix.cell", **names, row="silent", column="talks", one="0", other="5")
    assert board_page.focus == f"{cell}, {english_text('screen.matrix.best', name='Bob')}"
    board_page.keys("ArrowDown")
    cell = english_text("screen.matrix.cell", **names, row="talks", column="talks", one="1", other="1")
    assert board_page.focus == f"{cell}, {english_text('screen.matrix.both')}"
    board_page.keys("Enter")
    assert english("matrix.cell", first="Ann", row="talks", second="Bob", column="talks").match(board_page.heard)
    assert board_page.heard.endswith(english_text("matrix.best.both"))
    assert board_page.cell(1, 1).get_attribute("aria-selected") == "true"
    board_page.keys("Home", "ArrowLeft")
    assert board_page.focus == "Ann: talks"
    board_page.keys("ArrowUp", "ArrowUp", "ArrowRight")
    names = {"first": "Ann", "second": "Bob"}
    assert board_page.focus == english_text("screen.matrix.cell", **names, row="silent", column="silent", one="3", other="3")
    board_page.keys("Escape")
    assert board_page.view.selected_cell is None
    assert board_page.page.locator("table [tabindex='0']").count() == 1


@pytest.mark.slow
def test_a_dominated_strategy_is_struck_out_and_restored(board_page):
    """By the button or its header, with a line and a number. The step is announced and listed."""
    board_page.mount(dilemma())
    board_page.click(board_page.tool(english_text("screen.matrix.strike")))
    sentence = english_text("matrix.step.strict", name="Ann", plan="silent", by="talks", other="Bob")
    assert (board_page.heard, board_page.page.locator(".dk-matrix-steps li").all_inner_texts()) == (sentence, [sentence])
    cell = english_text("screen.matrix.cell", first="Ann", second="Bob", row="silent", column="talks", one="0", other="5")
    assert board_page.cell(0, 1).get_attribute("aria-label") == f"{cell}, {english_text('screen.matrix.struck')}"
    assert "gradient" in board_page.cell(0, 1).evaluate("(cell) => getComputedStyle(cell).backgroundImage")
    board_page.click(board_page.header(1, 0))
    assert (board_page.header(1, 0).get_attribute("aria-pressed"), board_page.header(1, 0).get_attribute("aria-label")) == (
        "true",
        f"Bob: silent, {english_text('screen.matrix.struck')} (2)",
    )
    assert board_page.tool(english_text("screen.matrix.strike")).get_attribute("aria-disabled") == "true"
    board_page.click(board_page.header(1, 0))
    assert board_page.header(1, 0).get_attribute("aria-pressed") == "false"
    board_page.click(board_page.tool(english_text("screen.undo")))
    assert board_page.view.eliminations == ()
    assert board_page.tool(english_text("screen.undo")).get_attribute("aria-disabled") == "true"


@pytest.mark.slow
def test_striking_an_undominated_strategy_shows_the_reason(board_page):
    """The reason is shown and announced until the next action."""
    board_page.mount(dilemma())
    board_page.header(0, 1).focus()
    board_page.keys("Enter")
    sentence = english_text("matrix.kept.most", name="Ann", plan="talks", against="silent", payoff="5")
    assert (board_page.heard, board_page.page.locator(".dk-matrix-status").inner_text()) == (sentence, sentence)
    board_page.click(board_page.cell(0, 0))
    assert (
        board_page.page.locator(".dk-matrix-status")
        .inner_text()
        .startswith(english_text("matrix.cell", first="Ann", second="Bob", row="silent", column="silent"))
    )


def test_equilibria_are_listed_and_their_probabilities_shown_in_the_headers(board_page):
    """Pure and mixed, with fractions. A second click hides the probabilities."""
    board_page.mount(board.Matrix(SEXES, **NAMED))
    board_page.click(board_page.tool(english_text("screen.answer.title")))
    lines = board_page.page.locator(".dk-matrix-equilibrium")
    mixed = {"first": "Ann", "row": "3/5 opera + 2/5 match", "second": "Bob", "column": "2/5 opera + 3/5 match"}
    assert lines.nth(2).inner_text() == f"3. {english_text('matrix.equilibrium', **mixed, row_payoff='6/5', other='6/5')}"
    board_page.click(lines.nth(2))
    assert board_page.page.locator(".dk-matrix-probability").all_inner_texts() == ["2/5", "3/5", "3/5", "2/5"]
    assert board_page.header(0, 0).get_attribute("aria-label") == f"Ann: opera, {english_text('screen.matrix.likely', likely='3/5')}"
    assert board_page.page.evaluate("document.activeElement.dataset.at") == "2"
    board_page.click(lines.nth(2))
    assert set(board_page.page.locator(".dk-matrix-probability").all_inner_texts()) == {""}


@pytest.mark.slow
def test_a_zero_sum_matrix_shows_one_number_per_cell(board_page):
    """The legend says whose payoff it is. A switch shows both. Best responses have a line and a sign, not only a colour."""
    board_page.mount(board.Matrix([[1, -1], [-1, 1]]))
    selector = ".dk-matrix-table td[data-row] .dk-payoff"
    assert board_page.page.locator(selector).all_inner_texts() == ["1", "−1", "−1", "1"]
    assert english("screen.matrix.wins", name="Row").match(board_page.page.locator(".dk-matrix-legend").inner_text())
    signs = "(all) => all.map((one) => [getComputedStyle(one, '::after').content.slice(0, 3), getComputedStyle(one).borderBottomColor !== 'rgba(0, 0, 0, 0)', getComputedStyle(one).borderTopColor !== 'rgba(0, 0, 0, 0)'])"
    assert board_page.page.locator(selector).evaluate_all(signs) == [
        ['"*"', True, False],
        ['"°"', False, True],
        ['"°"', False, True],
        ['"*"', True, False],
    ]
    board_page.click(board_page.tool(english_text("screen.matrix.pairs")))
    assert board_page.page.locator(selector).all_inner_texts() == ["1", "−1", "−1", "1", "−1", "1", "1", "−1"]
    board_page.click(board_page.tool(english_text("screen.tree.best")))
    assert set(board_page.page.locator(selector).evaluate_all("(all) => all.map((one) => getComputedStyle(one, '::after').content)")) == {
        "none"
    }


@pytest.mark.slow
def test_long_names_stay_within_their_headers(board_page):
    """A long word is broken, like a long sentence."""
    long = ["opera_of_the_whole_evening_in_three_acts_and_an_interval", '"><svg onload=window.PWNED=1>_and_more_of_the_same']
    board_page.mount(board.Matrix(SEXES, rows=long, columns=long, names=("Ann", "Bob")))
    heads = board_page.page.locator(".dk-matrix-header").evaluate_all(
        "(all) => all.map((one) => { const words = document.createRange(); words.selectNodeContents(one); const [a, b] = [words, one.closest('th')].map((it) => it.getBoundingClientRect());"
        " return [one.textContent.slice(0, 9), a.left >= b.left && a.right <= b.right && a.bottom <= b.bottom, b.width < 300]; })"
    )
    assert heads == [[name[:9], True, True] for name in long * 2]


@pytest.mark.slow
def test_a_large_matrix_scrolls_inside_with_fixed_headers(board_page):
    """The last cell, its row header and its column header are visible. The page is no wider."""
    board_page.page.set_viewport_size({"width": 844, "height": 390})
    board_page.mount(large(), width=820)
    board_page.cell(0, 0).focus()
    board_page.keys("Control+End")
    for part in (board_page.cell(29, 29), board_page.header(0, 29), board_page.header(1, 29)):
        box, frame = part.bounding_box(), board_page.page.locator(".dk-matrix-scroll").bounding_box()
        assert frame["x"] <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
        assert frame["y"] <= box["y"]
        assert box["y"] + box["height"] <= frame["y"] + frame["height"] + 1
    corner = board_page.page.locator(".dk-matrix-corner").bounding_box()
    board_page.keys("PageUp", "PageUp", "ArrowLeft")
    position = board_page.page.evaluate("(({ left, top }) => [left, top])(document.activeElement.getBoundingClientRect())")
    assert position[0] >= corner["x"] + corner["width"] - 1
    assert position[1] >= corner["y"] + corner["height"] - 1
    assert board_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_a_cell_highlights_its_path_and_a_node_marks_its_strategies(board_page):
    """By clicks, in both directions. A refusal is shown beside the matrix."""
    view = board.Tree(small_ending())
    view.unfold()
    board_page.mount(view, width=1180)
    assert not board_page.page.locator(".dk-matrix-panel").is_visible()
    board_page.click(board_page.page.get_by_role("button", name=english_text("screen.tree.matrix"), exact=True))
    board_page.click(board_page.cell(0, 1))
    lit = board_page.page.locator(".dk-node[data-lit]").evaluate_all(
        "(all) => all.map((one) => Number(one.dataset.id)).sort((a, b) => a - b)"
    )
    assert lit == sorted(view.matrix_view["reached_nodes"])
    assert len(lit) > 3
    view.go_to(2)
    board_page.sync()
    leads = board_page.page.locator(".dk-matrix-table th").evaluate_all("(all) => all.map((one) => one.dataset.onPath !== undefined)")
    assert leads == [*[True] * 4, False, False, True]
    assert board_page.header(0, 2).get_attribute("aria-label").endswith(f", {english_text('screen.matrix.leads')}")
    board_page.click(board_page.header(0, 0))
    plan = f"{english_text('did.attack', cards='Q♥︎')}, {english_text('did.throw', card='K♠︎')}"
    assert english("matrix.kept.most", name="Player 1", plan=plan).match(board_page.page.locator(".dk-matrix-status").inner_text())
    assert not board_page.page.locator(".dk-refusal").is_visible()
    board_page.click(board_page.page.get_by_role("button", name=english_text("screen.tree.matrix"), exact=True))
    assert not board_page.page.locator(".dk-matrix-panel").is_visible()


@pytest.mark.slow
def test_payoffs_can_be_filled_in_where_an_exercise_asks(board_page):
    """Enter submits a field and goes on. Right answers are closed. No payoff is in the page."""
    view = board.Matrix([[(77, 1), (2, 3)], [(4, 5), (2, 3)]])
    cells = {"0,0": {"text": "", "mark": "", "open": True}, "1,0": {"text": "4, 5", "mark": "right", "open": False}}
    view.question = task = Asks("fill", cells=cells)
    board_page.mount(view)
    field = board_page.page.get_by_role(
        "textbox", name=english_text("screen.matrix.fill.cell", first="Row", row="A", second="Column", column="a"), exact=True
    )
    field.fill(" 77, 1 ")
    board_page.keys("Enter")
    assert task.given == [{"row": 0, "column": 0, "text": "77, 1"}]
    assert board_page.page.evaluate("[document.activeElement.readOnly, document.activeElement.value]") == [True, "4, 5"]
    field_name = english_text("screen.matrix.fill.cell", first="Row", row="B", second="Column", column="a")
    assert board_page.focus == f"{field_name}, {english_text('screen.mark.right')}"
    assert "77" not in board_page.page.evaluate("JSON.stringify(model.get('matrix_view'))")
    assert not board_page.tool(english_text("screen.answer.title")).is_visible()
    board_page.keys("ArrowRight")
    assert board_page.focus == english_text("screen.matrix.cell", first="Row", row="B", second="Column", column="b", one="2", other="3")


@pytest.mark.slow
def test_enter_leads_through_all_fields_of_the_matrix(board_page):
    """Down, then to the top of the next column. It stops at the last field."""
    view = board.Matrix([[(77, 1), (2, 3)], [(4, 5), (6, 7)]])
    cells = {f"{row},{column}": {"text": "", "mark": "", "open": True} for row in (0, 1) for column in (0, 1)}
    view.question = task = Asks("fill", cells=cells)
    board_page.mount(view)
    board_page.page.get_by_role(
        "textbox", name=english_text("screen.matrix.fill.cell", first="Row", row="A", second="Column", column="a"), exact=True
    ).focus()
    for text in ("1", "2", "3", "4"):
        board_page.page.keyboard.type(text)
        board_page.keys("Enter")
    assert [(cell["row"], cell["column"], cell["text"]) for cell in task.given] == [(0, 0, "1"), (1, 0, "2"), (0, 1, "3"), (1, 1, "4")]
    assert board_page.focus == english_text("screen.matrix.fill.cell", first="Row", row="B", second="Column", column="b")


@pytest.mark.slow
@pytest.mark.parametrize("width", [344])
def test_two_fractions_fit_in_a_field(board_page, width: int):
    """Nothing that is typed is cut off."""
    view = board.Matrix([[(77, 1), (2, 3)], [(4, 5), (6, 7)]])
    view.question = Asks(
        "fill", cells={"0,0": {"text": "", "mark": "", "open": True}, "1,0": {"text": "-19/4, -27/16", "mark": "", "open": True}}
    )
    board_page.mount(view, width)
    field = board_page.page.get_by_role(
        "textbox", name=english_text("screen.matrix.fill.cell", first="Row", row="A", second="Column", column="a"), exact=True
    )
    field.fill("123/4, -15/16")
    for text_field in board_page.page.locator(".dk-matrix-field").all():
        assert text_field.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), text_field.input_value()


@pytest.mark.slow
def test_strategies_are_struck_and_payoffs_marked_where_an_exercise_asks(board_page):
    """By clicks and keys. Each answer has its mark."""
    view = dilemma()
    view.question = task = Asks("strike", eliminated=[[0, 0], [1, 1]], marks={"0,0": "right", "1,1": "wrong"})
    board_page.mount(view)
    board_page.click(board_page.header(1, 0))
    assert task.given == [{"player": 1, "strategy": 0}]
    struck, right, wrong = (english_text(f"screen.{key}") for key in ("matrix.struck", "mark.right", "mark.wrong"))
    assert board_page.header(0, 0).get_attribute("aria-label") == f"Ann: silent, {struck} (1), {right}"
    assert board_page.header(1, 1).get_attribute("aria-label") == f"Bob: talks, {struck} (2), {wrong}"
    view.question = task = Asks("best", marked=[[0, 1, 0]], marks={"0,1,0": "right"})
    board_page.sync()
    payoff = board_page.page.get_by_role(
        "button",
        name=english_text("screen.matrix.payoff", name="Bob", worth="5", first="Ann", row="silent", second="Bob", column="talks"),
        exact=True,
    )
    payoff.focus()
    board_page.keys("Space", "ArrowLeft", "Enter")
    assert task.given == [{"player": 1, "row": 0, "column": 1}, {"player": 0, "row": 0, "column": 1}]
    said = english_text("screen.matrix.payoff", name="Ann", worth="5", first="Ann", row="talks", second="Bob", column="silent")
    mine = board_page.page.get_by_role("button", name=f"{said}, {right}", exact=True)
    assert mine.get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize("theme", ["dark"])
def test_axe_finds_no_violation_in_the_matrix(board_page, theme):
    """While looking, striking and listing equilibria, and in each exercise."""
    board_page.mount(board.Matrix(small_ending(), theme=theme))
    board_page.page.evaluate("(dark) => { document.body.style.background = dark ? '#1b1f24' : '#fff'; }", theme == "dark")
    for name in (english_text("screen.matrix.strike"), "Equilibria"):
        board_page.click(board_page.tool(name))
    board_page.click(board_page.cell(2, 1))
    assert find_violations(board_page) == []
    for task in (
        Asks("fill", cells={"0,0": {"text": "1", "mark": "wrong", "open": True}}),
        Asks("strike", eliminated=[[0, 0]], marks={"0,0": "wrong"}),
        Asks("best", marked=[[0, 1, 0]], marks={"0,1,0": "right"}),
    ):
        board_page.view.question = task
        board_page.sync()
        assert find_violations(board_page) == []
    board_page.page.evaluate("document.body.style.background = ''")


@pytest.mark.slow
@pytest.mark.parametrize("code", ["lt"])
def test_every_target_of_the_matrix_is_large_enough_on_a_phone(phone, code):
    """In each language only the matrix scrolls sideways, and every target is 44 px high."""
    phone.mount(board.Matrix(small_ending(), language=code), width=340)
    phone.page.locator(".dk-matrix-toolbar button").nth(3).tap()
    phone.rest()
    phone.cell(1, 0).tap()
    phone.rest()
    assert phone.view.selected_cell == (1, 0)
    assert phone.page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [360, 360]
    low = "(all) => all.filter((one) => one.checkVisibility() && one.offsetHeight < 44).map((one) => one.outerHTML.slice(0, 80))"
    assert phone.page.locator(".dk-matrix button, .dk-matrix td[data-row]").evaluate_all(low) == []


@pytest.mark.slow
def test_a_closed_matrix_removes_its_listeners(board_page):
    """And its elements."""
    board_page.mount(dilemma())
    board_page.page.evaluate("close_tree()")
    assert board_page.page.evaluate("[[...heard.values()].flat().length, document.querySelectorAll('.dk').length]") == [0, 0]
    board_page.page.evaluate("window.close_tree = undefined")
