"""A matrix as it is painted: in words, by keys, by finger, struck out, with its equilibria, beside a tree, and asked about."""

from __future__ import annotations

import random
from functools import cache

import pytest
from painted import AXE
from painted_matrix import MatrixBoard, matrices

from durak_widget import Game, analysis, board
from support.asked import Asks

SEXES = [[(3, 2), (0, 0)], [(0, 0), (2, 3)]]
NAMED = {"rows": ["opera", "match"], "columns": ["opera", "match"], "names": ("Ann", "Bob")}
DILEMMA = {"rows": ["silent", "talks"], "columns": ["silent", "talks"], "names": ("Ann", "Bob")}


@cache
def two():
    """A small ending, as a tree."""
    return analysis.build_tree_from_position(Game.from_position("econ431", hands=["Qh Ks", "Kh Kc"], trump="h"), open_hands=True)


def dilemma(**more):
    """The prisoner's dilemma."""
    return board.Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], **DILEMMA, **more)


def large():
    """A matrix that scrolls."""
    chance = random.Random(4)
    return board.Matrix([[(chance.randint(-9, 9), chance.randint(-9, 9)) for _ in range(30)] for _ in range(30)])


@pytest.fixture(scope="module")
def page(pages):
    """A page for matrices."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    found = context.new_page()
    found.on("pageerror", lambda error: found.evaluate("(said) => (window.wrong = [...(window.wrong ?? []), said])", str(error)))
    yield matrices(found)
    context.close()


@pytest.fixture
def board_page(page):
    """The page, in which nothing may go wrong."""
    page.page.set_viewport_size({"width": 1200, "height": 800})
    yield page
    assert page.page.evaluate("window.wrong ?? []") == []


@pytest.fixture(scope="module")
def phone(pages):
    """The same on a phone, touched."""
    context = pages.context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    found = matrices(context.new_page())
    found.page.evaluate("document.head.insertAdjacentHTML('beforeend', '<meta name=viewport content=width=device-width>')")
    yield found
    context.close()


def axe(board_page: MatrixBoard) -> list[str]:
    """What stands in the way of a screen reader."""
    if not board_page.page.evaluate("Boolean(window.axe)"):
        board_page.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = board_page.page.evaluate("async () => (await axe.run('.dk')).violations")
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def test_every_cell_is_told_in_words_and_reached_by_keys(board_page):
    """One tab stop; arrows, Home and End; heads are reached too; what is selected is said."""
    board_page.lay(dilemma())
    assert board_page.page.get_by_role("grid", name="Strategic form: Ann has the rows, Bob the columns").count() == 1
    assert board_page.page.locator("table [tabindex='0']").count() == 1
    board_page.cell(0, 0).focus()
    assert board_page.focus == "Ann silent, Bob silent: 3, 3"
    board_page.keys("ArrowRight")
    assert board_page.focus == "Ann silent, Bob talks: 0, 5, best response of Bob"
    board_page.keys("ArrowDown")
    assert board_page.focus == "Ann talks, Bob talks: 1, 1, an equilibrium: best responses of both"
    board_page.keys("Enter")
    assert board_page.heard == "Ann: talks; Bob: talks. Ann gets 1, Bob 1. Best responses of both: an equilibrium."
    assert board_page.cell(1, 1).get_attribute("aria-selected") == "true"
    board_page.keys("Home", "ArrowLeft")
    assert board_page.focus == "Ann: talks"
    board_page.keys("ArrowUp", "ArrowUp", "ArrowRight")
    assert board_page.focus == "Ann silent, Bob silent: 3, 3"
    board_page.keys("Escape")
    assert board_page.view.selected_cell is None
    assert board_page.page.locator("table [tabindex='0']").count() == 1


@pytest.mark.slow
def test_a_dominated_plan_is_struck_out_and_comes_back(board_page):
    """By the button or at its head, with a line through it and its number; the step is read aloud and stands below."""
    board_page.lay(dilemma())
    board_page.click(board_page.tool("Strike a dominated plan"))
    said = "Ann: silent is strictly dominated by talks: worse whatever Bob does."
    assert (board_page.heard, board_page.page.locator(".dk-matrix-steps li").all_inner_texts()) == (said, [said])
    assert board_page.cell(0, 1).get_attribute("aria-label") == "Ann silent, Bob talks: 0, 5, struck out"
    assert "gradient" in board_page.cell(0, 1).evaluate("(cell) => getComputedStyle(cell).backgroundImage")
    board_page.click(board_page.head(1, 0))
    assert (board_page.head(1, 0).get_attribute("aria-pressed"), board_page.head(1, 0).get_attribute("aria-label")) == (
        "true",
        "Bob: silent, struck out (2)",
    )
    assert board_page.tool("Strike a dominated plan").get_attribute("aria-disabled") == "true"
    board_page.click(board_page.head(1, 0))
    assert board_page.head(1, 0).get_attribute("aria-pressed") == "false"
    board_page.click(board_page.tool("Undo"))
    assert board_page.view.eliminations == ()
    assert board_page.tool("Undo").get_attribute("aria-disabled") == "true"


@pytest.mark.slow
def test_what_is_not_dominated_says_why_until_something_else_is_done(board_page):
    """Beside the matrix and aloud."""
    board_page.lay(dilemma())
    board_page.head(0, 1).focus()
    board_page.keys("Enter")
    said = "Ann: talks is not dominated: against silent nothing is worth as much (5)."
    assert (board_page.heard, board_page.page.locator(".dk-matrix-status").inner_text()) == (said, said)
    board_page.click(board_page.cell(0, 0))
    assert board_page.page.locator(".dk-matrix-status").inner_text() == "Ann: silent; Bob: silent. Ann gets 3, Bob 3."


def test_equilibria_are_listed_and_shown_at_the_heads(board_page):
    """Pure and mixed, with fractions; a click on one shows how likely each plan is, another takes it back."""
    board_page.lay(board.Matrix(SEXES, **NAMED))
    board_page.click(board_page.tool("Equilibria"))
    lines = board_page.page.locator(".dk-matrix-equilibrium")
    assert lines.nth(2).inner_text() == "3. Ann plays 3/5 opera + 2/5 match, Bob plays 2/5 opera + 3/5 match: payoffs 6/5, 6/5."
    board_page.click(lines.nth(2))
    assert board_page.page.locator(".dk-matrix-probability").all_inner_texts() == ["2/5", "3/5", "3/5", "2/5"]
    assert board_page.head(0, 0).get_attribute("aria-label") == "Ann: opera, played with 3/5"
    assert board_page.page.evaluate("document.activeElement.dataset.at") == "2"
    board_page.click(lines.nth(2))
    assert set(board_page.page.locator(".dk-matrix-probability").all_inner_texts()) == {""}


@pytest.mark.slow
def test_a_zero_sum_game_shows_one_number_a_cell(board_page):
    """With whose it is; a switch shows both. Best responses have a line and a sign, not a colour alone."""
    board_page.lay(board.Matrix([[1, -1], [-1, 1]]))
    shown = ".dk-matrix-table td[data-row] .dk-payoff"
    assert board_page.page.locator(shown).all_inner_texts() == ["1", "−1", "−1", "1"]
    assert "What Row wins".lower() in board_page.page.locator(".dk-matrix-legend").inner_text().lower()
    signs = "(all) => all.map((one) => [getComputedStyle(one, '::after').content.slice(0, 3), getComputedStyle(one).borderBottomColor !== 'rgba(0, 0, 0, 0)', getComputedStyle(one).borderTopColor !== 'rgba(0, 0, 0, 0)'])"
    assert board_page.page.locator(shown).evaluate_all(signs) == [
        ['"*"', True, False],
        ['"°"', False, True],
        ['"°"', False, True],
        ['"*"', True, False],
    ]
    board_page.click(board_page.tool("Both payoffs"))
    assert board_page.page.locator(shown).all_inner_texts() == ["1", "−1", "−1", "1", "−1", "1", "1", "−1"]
    board_page.click(board_page.tool("Best responses"))
    assert set(board_page.page.locator(shown).evaluate_all("(all) => all.map((one) => getComputedStyle(one, '::after').content)")) == {
        "none"
    }


@pytest.mark.slow
def test_long_words_lie_in_their_own_heads(board_page):
    """One without a space is broken, as a long sentence is: none lies over the next column or row."""
    long = ["opera_of_the_whole_evening_in_three_acts_and_an_interval", '"><svg onload=window.PWNED=1>_and_more_of_the_same']
    board_page.lay(board.Matrix(SEXES, rows=long, columns=long, names=("Ann", "Bob")))
    heads = board_page.page.locator(".dk-matrix-header").evaluate_all(
        "(all) => all.map((one) => { const words = document.createRange(); words.selectNodeContents(one); const [a, b] = [words, one.closest('th')].map((it) => it.getBoundingClientRect());"
        " return [one.textContent.slice(0, 9), a.left >= b.left && a.right <= b.right && a.bottom <= b.bottom, b.width < 300]; })"
    )
    assert heads == [[name[:9], True, True] for name in long * 2]


@pytest.mark.slow
def test_a_large_matrix_scrolls_inside_and_its_heads_stay(board_page):
    """Whoever goes to the last cell sees it, its row's head and its column's; the page is no wider for it."""
    board_page.page.set_viewport_size({"width": 844, "height": 390})
    board_page.lay(large(), width=820)
    board_page.cell(0, 0).focus()
    board_page.keys("Control+End")
    for part in (board_page.cell(29, 29), board_page.head(0, 29), board_page.head(1, 29)):
        box, frame = part.bounding_box(), board_page.page.locator(".dk-matrix-scroll").bounding_box()
        assert frame["x"] <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
        assert frame["y"] <= box["y"]
        assert box["y"] + box["height"] <= frame["y"] + frame["height"] + 1
    corner = board_page.page.locator(".dk-matrix-corner").bounding_box()
    board_page.keys("PageUp", "PageUp", "ArrowLeft")
    at = board_page.page.evaluate("(({ left, top }) => [left, top])(document.activeElement.getBoundingClientRect())")
    assert at[0] >= corner["x"] + corner["width"] - 1
    assert at[1] >= corner["y"] + corner["height"] - 1
    assert board_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_a_cell_lights_its_way_on_the_tree_and_a_node_marks_its_plans(board_page):
    """Both ways, by clicks; what is refused is said beside the matrix, where it was asked."""
    view = board.Tree(two())
    view.unfold()
    board_page.lay(view, width=1180)
    assert not board_page.page.locator(".dk-matrix-panel").is_visible()
    board_page.click(board_page.page.get_by_role("button", name="As a matrix", exact=True))
    board_page.click(board_page.cell(0, 1))
    lit = board_page.page.locator(".dk-node[data-lit]").evaluate_all(
        "(all) => all.map((one) => Number(one.dataset.id)).sort((a, b) => a - b)"
    )
    assert lit == sorted(view.matrix_view["reached_nodes"])
    assert len(lit) > 3
    view.go_to(2)
    board_page.tell()
    leads = board_page.page.locator(".dk-matrix-table th").evaluate_all("(all) => all.map((one) => one.dataset.onPath !== undefined)")
    assert leads == [*[True] * 4, False, False, True]
    assert board_page.head(0, 2).get_attribute("aria-label").endswith(", leads to where you look")
    board_page.click(board_page.head(0, 0))
    assert board_page.page.locator(".dk-matrix-status").inner_text().startswith("Player 1: attacks with Q♥︎, throws in K♠︎ is not dominated")
    assert not board_page.page.locator(".dk-refusal").is_visible()
    board_page.click(board_page.page.get_by_role("button", name="As a matrix", exact=True))
    assert not board_page.page.locator(".dk-matrix-panel").is_visible()


@pytest.mark.slow
def test_cells_are_filled_in_where_that_is_asked(board_page):
    """A field in each; Enter gives it and goes on; what is right is closed; no payoff is in the page."""
    view = board.Matrix([[(77, 1), (2, 3)], [(4, 5), (2, 3)]])
    cells = {"0,0": {"text": "", "mark": "", "open": True}, "1,0": {"text": "4, 5", "mark": "right", "open": False}}
    view.question = task = Asks("fill", cells=cells)
    board_page.lay(view)
    field = board_page.page.get_by_role("textbox", name="Row A, Column a: what is it worth?", exact=True)
    field.fill(" 77, 1 ")
    board_page.keys("Enter")
    assert task.given == [{"row": 0, "column": 0, "text": "77, 1"}]
    assert board_page.page.evaluate("[document.activeElement.readOnly, document.activeElement.value]") == [True, "4, 5"]
    assert board_page.focus == "Row B, Column a: what is it worth?, right"
    assert "77" not in board_page.page.evaluate("JSON.stringify(model.get('matrix_view'))")
    assert not board_page.tool("Equilibria").is_visible()
    board_page.keys("ArrowRight")
    assert board_page.focus == "Row B, Column b: 2, 3"


@pytest.mark.slow
def test_by_enter_alone_one_comes_to_every_cell_that_is_to_be_filled_in(board_page):
    """Down, and then to the top of the next column; at the end of the last one stays."""
    view = board.Matrix([[(77, 1), (2, 3)], [(4, 5), (6, 7)]])
    cells = {f"{row},{column}": {"text": "", "mark": "", "open": True} for row in (0, 1) for column in (0, 1)}
    view.question = task = Asks("fill", cells=cells)
    board_page.lay(view)
    board_page.page.get_by_role("textbox", name="Row A, Column a: what is it worth?", exact=True).focus()
    for text in ("1", "2", "3", "4"):
        board_page.page.keyboard.type(text)
        board_page.keys("Enter")
    assert [(one["row"], one["column"], one["text"]) for one in task.given] == [(0, 0, "1"), (1, 0, "2"), (0, 1, "3"), (1, 1, "4")]
    assert board_page.focus == "Row B, Column b: what is it worth?"


@pytest.mark.slow
@pytest.mark.parametrize("width", [344])
def test_two_fractions_are_read_whole_in_their_field(board_page, width: int):
    """Nothing of what is typed is cut off."""
    view = board.Matrix([[(77, 1), (2, 3)], [(4, 5), (6, 7)]])
    view.question = Asks(
        "fill", cells={"0,0": {"text": "", "mark": "", "open": True}, "1,0": {"text": "-19/4, -27/16", "mark": "", "open": True}}
    )
    board_page.lay(view, width)
    field = board_page.page.get_by_role("textbox", name="Row A, Column a: what is it worth?", exact=True)
    field.fill("123/4, -15/16")
    for one in board_page.page.locator(".dk-matrix-field").all():
        assert one.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), one.input_value()


@pytest.mark.slow
def test_plans_are_struck_and_payoffs_marked_where_that_is_asked(board_page):
    """By clicks and by keys; what is given stands with its mark."""
    view = dilemma()
    view.question = task = Asks("strike", eliminated=[[0, 0], [1, 1]], marks={"0,0": "right", "1,1": "wrong"})
    board_page.lay(view)
    board_page.click(board_page.head(1, 0))
    assert task.given == [{"player": 1, "strategy": 0}]
    assert board_page.head(0, 0).get_attribute("aria-label") == "Ann: silent, struck out (1), right"
    assert board_page.head(1, 1).get_attribute("aria-label") == "Bob: talks, struck out (2), wrong"
    view.question = task = Asks("best", marked=[[0, 1, 0]], marks={"0,1,0": "right"})
    board_page.tell()
    payoff = board_page.page.get_by_role("button", name="Bob gets 5: Ann silent, Bob talks", exact=True)
    payoff.focus()
    board_page.keys("Space", "ArrowLeft", "Enter")
    assert task.given == [{"player": 1, "row": 0, "column": 1}, {"player": 0, "row": 0, "column": 1}]
    mine = board_page.page.get_by_role("button", name="Ann gets 5: Ann talks, Bob silent, right", exact=True)
    assert mine.get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize("theme", ["dark"])
def test_axe_finds_nothing(board_page, theme):
    """Looked at, struck, with equilibria; filled, struck and marked where that is asked."""
    board_page.lay(board.Matrix(two(), theme=theme))
    board_page.page.evaluate("(dark) => { document.body.style.background = dark ? '#1b1f24' : '#fff'; }", theme == "dark")
    for name in ("Strike a dominated plan", "Equilibria"):
        board_page.click(board_page.tool(name))
    board_page.click(board_page.cell(2, 1))
    assert axe(board_page) == []
    for task in (
        Asks("fill", cells={"0,0": {"text": "1", "mark": "wrong", "open": True}}),
        Asks("strike", eliminated=[[0, 0]], marks={"0,0": "wrong"}),
        Asks("best", marked=[[0, 1, 0]], marks={"0,1,0": "right"}),
    ):
        board_page.view.question = task
        board_page.tell()
        assert axe(board_page) == []
    board_page.page.evaluate("document.body.style.background = ''")


@pytest.mark.slow
@pytest.mark.parametrize("code", ["lt"])
def test_a_finger_hits_everything_on_a_phone(phone, code):
    """In each language nothing is wider than the page but what scrolls, and whatever can be touched is 44 px high."""
    phone.lay(board.Matrix(two(), language=code), width=340)
    phone.page.locator(".dk-matrix-toolbar button").nth(3).tap()
    phone.rest()
    phone.cell(1, 0).tap()
    phone.rest()
    assert phone.view.selected_cell == (1, 0)
    assert phone.page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [360, 360]
    low = "(all) => all.filter((one) => one.checkVisibility() && one.offsetHeight < 44).map((one) => one.outerHTML.slice(0, 80))"
    assert phone.page.locator(".dk-matrix button, .dk-matrix td[data-row]").evaluate_all(low) == []


@pytest.mark.slow
def test_what_is_closed_hears_nothing_more(board_page):
    """It lets go of its listeners and of its place."""
    board_page.lay(dilemma())
    board_page.page.evaluate("close_tree()")
    assert board_page.page.evaluate("[[...heard.values()].flat().length, document.querySelectorAll('.dk').length]") == [0, 0]
    board_page.page.evaluate("window.close_tree = undefined")
