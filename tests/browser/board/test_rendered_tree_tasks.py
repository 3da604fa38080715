"""Test exercises on a tree: values, information sets and moves, and their accessibility."""

from __future__ import annotations

import re
from typing import Any

import pytest
from rendered_table import AXE
from rendered_tree import load_tree_page
from test_rendered_tree import guessing_game

from durak_widget import board, editor, gametheory
from durak_widget.gametheory import DecisionNode, TerminalNode
from support.asked import Asks
from support.spoken import english_text

pytestmark = pytest.mark.slow

RULE = "label-content-name-mismatch"
NAMED = """async (rule) => (await axe.run('.dk-board', { runOnly: { type: 'rule', values: [rule] } })).violations.flatMap(({ nodes }) => nodes.map((one) => one.html))"""
WORDS = "(all) => all.map((one) => [...one.querySelectorAll('.dk-move-label')].map((word) => word.textContent).join(' '))"


@pytest.fixture(scope="module")
def board_page(pages):
    """Return an empty page for trees. Fail on page errors."""
    context = pages.context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield load_tree_page(page)
    context.close()
    assert wrong == []


def open_task(board_page, task: Asks, **look: Any) -> Any:
    """Open a tree with a task: the second player does not see the first move. Histories 0, 1 and 2, and four ends."""
    ends = {"ll": (2, 0), "lr": (0, 1), "rl": (1, 1), "rr": (0, 3)}
    tree_nodes: dict[str, Any] = {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")])}
    tree_nodes |= {
        first_move: DecisionNode(1, "sees nothing", [("left", f"{first_move}l"), ("right", f"{first_move}r")]) for first_move in "lr"
    }
    tree_nodes |= {end: TerminalNode(payoffs) for end, payoffs in ends.items()}
    view = board.Tree(gametheory.build_tree("", tree_nodes.__getitem__, player_count=2), depth=9, **look)
    view.question = task
    board_page.mount(view)
    return view


def wait_for_answer(board_page, task: Asks) -> dict[str, Any]:
    """Return the last answer, once Python has it."""
    board_page.page.wait_for_function("sent.some(({ kind }) => kind === 'answer')")
    board_page.sent()
    board_page.rest()
    return task.given[-1]


def test_a_value_is_typed_at_its_node(board_page):
    """By mouse and keys. Enter opens and submits the field. A right answer is closed."""
    fields = {
        "0": {"text": "", "mark": "", "open": True},
        "1": {"text": "1/2", "mark": "wrong", "open": True},
        "2": {"text": "1", "mark": "right", "open": False},
    }
    task = Asks("values", nodes=fields)
    view = open_task(board_page, task)
    assert board_page.page.locator(".dk-node-answer").count() == 3
    board_page.node(0).locator(".dk-node-answer").fill("3/4")
    board_page.page.keyboard.press("Enter")
    assert wait_for_answer(board_page, task) == {"node": 0, "text": "3/4"}
    board_page.press("ArrowRight", "Enter")
    field = board_page.node(1).locator(".dk-node-answer")
    assert field.evaluate("one => one === document.activeElement")
    assert "wrong" in field.get_attribute("aria-label")
    field.fill("2")
    board_page.page.keyboard.press("Enter")
    assert wait_for_answer(board_page, task) == {"node": 1, "text": "2"}
    assert (board_page.node(2).get_attribute("data-mark"), board_page.node(2).locator(".dk-node-answer").get_attribute("readonly")) == (
        "right",
        "",
    )
    fields["1"] = {"text": "2", "mark": "right", "open": False}
    view.refresh("question")
    board_page.sync()
    assert board_page.node(1).get_attribute("data-mark") == "right"
    assert len(task.given) == 2  # an unchanged answer is not sent again


def test_text_being_typed_survives_updates(board_page):
    """A field keeps its text and the focus while the tree is rendered again."""
    task = Asks("values", nodes={"0": {"text": "", "mark": "", "open": True}, "1": {"text": "", "mark": "", "open": True}})
    view = open_task(board_page, task)
    board_page.node(0).locator(".dk-node-answer").focus()
    board_page.page.keyboard.type("1/")
    view.four_colors = True
    view.refresh()
    board_page.sync()
    board_page.page.keyboard.type("2")
    assert board_page.node(0).locator(".dk-node-answer").input_value() == "1/2"


def test_nodes_are_selected_and_joined_or_separated(board_page):
    """By clicks or Shift and the space bar. Joined nodes have dashed lines."""
    task = Asks("sets", groups=[], marks={}, allowed_nodes=[1, 2])
    open_task(board_page, task)
    join, part = (board_page.page.get_by_role("button", name=english_text(f"screen.tree.{key}"), exact=True) for key in ("join", "part"))
    assert join.get_attribute("aria-disabled") == "true"
    board_page.node(1).locator(".dk-sign").click()
    assert board_page.node(3).count() == 1  # the node was selected, not folded
    board_page.press("ArrowDown", "Shift+Space")
    assert board_page.page.locator("[data-picked]").count() == 2
    join.click()
    assert wait_for_answer(board_page, task) == {"nodes": [1, 2], "join": True}
    assert board_page.page.locator("[data-picked]").count() == 0
    assert board_page.page.get_by_role("status").inner_text() == english_text(
        "screen.tree.picked.other", count="0"
    )  # as a screen reader says it
    board_page.node(2).locator(".dk-sign").click()
    part.click()
    assert wait_for_answer(board_page, task) == {"nodes": [2], "join": False}
    board_page.node(0).locator(".dk-sign").click()  # nodes outside the task fold as usual
    board_page.rest()
    assert board_page.node(1).count() == 0


def test_a_move_is_chosen_at_its_branch(board_page):
    """By a click, Enter or M. The choice is marked by more than a colour."""
    task = Asks("path", moves={"0": 1}, marks={"0": "right"})
    open_task(board_page, task)
    board_page.node(1).locator(".dk-move").click()
    assert wait_for_answer(board_page, task) == {"node": 0, "action": 0}
    board_page.press("Home", "ArrowRight", "ArrowRight", "Enter")
    assert wait_for_answer(board_page, task) == {"node": 1, "action": 0}
    board_page.press("ArrowDown", "m")
    assert wait_for_answer(board_page, task) == {"node": 1, "action": 1}
    chosen = board_page.node(2).locator(".dk-branch")
    assert (chosen.get_attribute("data-chosen"), chosen.get_attribute("data-mark")) == ("", "right")
    assert chosen.evaluate("one => getComputedStyle(one, '::after').content") == '"✓"'


def test_tasks_hide_everything_that_gives_the_answer(board_page):
    """No solve or learn button. No dashed lines where they are asked for."""
    for asks in ("values", "sets", "path"):
        open_task(board_page, Asks(asks, nodes={}, groups=[], moves={}, marks={}, allowed_nodes=[1, 2]))
        assert board_page.page.get_by_role("button", name=english_text("screen.tree.solve"), exact=True).count() == 0
        assert board_page.page.get_by_role("button", name=english_text("screen.solution.mine"), exact=True).count() == 0
        assert board_page.open_menu().get_by_role("menuitemcheckbox").count() == 0
        board_page.page.keyboard.press("Escape")
    open_task(board_page, Asks("sets", groups=[], marks={}, allowed_nodes=[1, 2]))
    assert board_page.page.locator(".dk-dashed-line").count() == 0
    open_task(board_page, Asks("path", moves={}, marks={}))
    assert board_page.page.locator(".dk-dashed-line").count() == 1


def test_the_legend_names_the_asked_player(board_page):
    """As "you"."""
    open_task(board_page, Asks("strategy", player=1, score="0.5"))
    assert board_page.page.locator(".dk-players li").nth(1).inner_text().endswith("(You)")
    assert "0.5" in board_page.page.locator(".dk-answer-bar").inner_text()


@pytest.mark.parametrize(("theme", "direction"), [("dark", "right")])
def test_axe_finds_no_violation_in_a_tree(board_page, theme: str, direction: str):
    """Solved and with values, with fields, with the menu open, and dark on a light page."""
    board_page.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = "async () => (await axe.run('.dk-board', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] })).violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary])"
    view = board.Tree(guessing_game(), depth=9, theme=theme, direction=direction, values=True)
    view.solve("lp")
    board_page.mount(view)
    board_page.page.locator("[data-tool=menu]").click()
    assert board_page.page.evaluate(found) == []
    open_task(
        board_page,
        Asks("values", nodes={"0": {"text": "1", "mark": "wrong", "open": True}, "1": {"text": "", "mark": "", "open": True}}),
        theme=theme,
    )
    assert board_page.page.evaluate(found) == []


def test_trees_are_not_landmarks_of_their_page(board_page):
    """Two trees with the same name are no axe violation."""
    board_page.mount(board.Tree(guessing_game(), depth=9))
    board_page.page.evaluate(AXE.read_text(encoding="utf-8"))
    board_page.page.evaluate("document.body.append(document.querySelector('.dk-board').cloneNode(true))")
    assert board_page.page.locator(".dk-board").count() == 2
    found = "async () => (await axe.run(document.body, { runOnly: { type: 'rule', values: ['landmark-unique'] } })).violations.map(({ id, nodes }) => [id, nodes[0].html])"
    assert board_page.page.evaluate(found) == []


def test_tasks_on_small_trees_show_no_navigation_tools(board_page):
    """They are in the menu."""
    open_task(board_page, Asks("values", nodes={"0": {"text": "", "mark": "", "open": True}}))
    for name in (english_text("screen.tree.open_all"), english_text("screen.tree.close_all")):
        assert not board_page.page.get_by_role("toolbar").get_by_role("button", name=name).is_visible()
    assert not board_page.page.get_by_role("searchbox").is_visible()
    board_page.run_command(english_text("screen.tree.close_all"))
    board_page.page.wait_for_function("sent.some(({ kind }) => kind === 'fold')")
    board_page.rest()
    assert board_page.view.drawing["size"]["shown"] == 1


def make_solved_view() -> board.Tree:
    """Return a view with probabilities and beliefs."""
    view = board.Tree(gametheory.textbook("beer-quiche"), depth=9)
    view.solve()
    return view


@pytest.mark.parametrize(
    "make",
    [
        lambda: board.Tree(gametheory.textbook("entry"), depth=9, language="lt"),
        make_solved_view,
        lambda: editor.Sketch(gametheory.textbook("entry")),
    ],
)
def test_a_node_name_begins_with_its_move(board_page, make):
    """As the browser tells assistive technology. No name differs from the visible text."""
    board_page.mount(make())
    tree_nodes = board_page.page.locator(".dk-node")
    words = tree_nodes.evaluate_all(WORDS)
    snapshots = re.findall(r'treeitem ["\']?(.*)', tree_nodes.first.locator("xpath=..").aria_snapshot())
    assert len(words) == len(snapshots) > 4
    for word, name in zip(words, snapshots, strict=True):
        assert re.match(rf'"?{re.escape(word)}\b', name.replace('\\"', '"')), (word, name)
    if not board_page.page.evaluate("Boolean(window.axe)"):
        board_page.page.evaluate(AXE.read_text(encoding="utf-8"))
    assert board_page.page.evaluate(NAMED, RULE) == []
