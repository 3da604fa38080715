"""What an exercise asks on a painted tree: values written at nodes, places joined, moves chosen; and what a screen reader finds there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from painted import AXE
from painted_tree import opened
from test_painting_tree import guess

from durak_widget import board, editor, gametheory
from durak_widget.gametheory import DecisionNode, TerminalNode
from support.asked import Asks

pytestmark = pytest.mark.slow

RULE = "label-content-name-mismatch"
NAMED = """async (rule) => (await axe.run('.dk-board', { runOnly: { type: 'rule', values: [rule] } })).violations.flatMap(({ nodes }) => nodes.map((one) => one.html))"""
WORDS = "(all) => all.map((one) => [...one.querySelectorAll('.dk-move-label')].map((word) => word.textContent).join(' '))"


@pytest.fixture(scope="module")
def board_page(pages):
    """An empty page for trees; nothing may go wrong in it."""
    context = pages.context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield opened(page)
    context.close()
    assert wrong == []


def asked(board_page, task: Asks, **look: Any) -> Any:
    """A tree on which something is asked: one moves, the other does not see how; the histories are 0, 1 and 2, and four ends."""
    ends = {"ll": (2, 0), "lr": (0, 1), "rl": (1, 1), "rr": (0, 3)}
    places: dict[str, Any] = {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")])}
    places |= {one: DecisionNode(1, "sees nothing", [("left", f"{one}l"), ("right", f"{one}r")]) for one in "lr"}
    places |= {end: TerminalNode(worth) for end, worth in ends.items()}
    view = board.Tree(gametheory.build_tree("", places.__getitem__, player_count=2), depth=9, **look)
    view.question = task
    board_page.lay(view)
    return view


def given(board_page, task: Asks) -> dict[str, Any]:
    """What was given last, once it has been heard."""
    board_page.page.wait_for_function("sent.some(({ kind }) => kind === 'answer')")
    board_page.sent()
    board_page.rest()
    return task.given[-1]


def test_a_value_is_written_at_its_node(board_page):
    """By mouse and by keys: Enter goes into the field and gives what is written there; what is marked says so, and what is right is closed."""
    fields = {
        "0": {"text": "", "mark": "", "open": True},
        "1": {"text": "1/2", "mark": "wrong", "open": True},
        "2": {"text": "1", "mark": "right", "open": False},
    }
    task = Asks("values", nodes=fields)
    view = asked(board_page, task)
    assert board_page.page.locator(".dk-node-answer").count() == 3
    board_page.node(0).locator(".dk-node-answer").fill("3/4")
    board_page.page.keyboard.press("Enter")
    assert given(board_page, task) == {"node": 0, "text": "3/4"}
    board_page.press("ArrowRight", "Enter")
    field = board_page.node(1).locator(".dk-node-answer")
    assert field.evaluate("one => one === document.activeElement")
    assert "wrong" in field.get_attribute("aria-label")
    field.fill("2")
    board_page.page.keyboard.press("Enter")
    assert given(board_page, task) == {"node": 1, "text": "2"}
    assert (board_page.node(2).get_attribute("data-mark"), board_page.node(2).locator(".dk-node-answer").get_attribute("readonly")) == (
        "right",
        "",
    )
    fields["1"] = {"text": "2", "mark": "right", "open": False}
    view.refresh("task")
    board_page.tell()
    assert board_page.node(1).get_attribute("data-mark") == "right"
    assert len(task.given) == 2  # what was given is not given again


def test_what_is_being_written_is_not_lost_when_something_else_is_told(board_page):
    """A field keeps its words and the focus while the tree is painted anew."""
    task = Asks("values", nodes={"0": {"text": "", "mark": "", "open": True}, "1": {"text": "", "mark": "", "open": True}})
    view = asked(board_page, task)
    board_page.node(0).locator(".dk-node-answer").focus()
    board_page.page.keyboard.type("1/")
    view.four_colors = True
    view.refresh()
    board_page.tell()
    board_page.page.keyboard.type("2")
    assert board_page.node(0).locator(".dk-node-answer").input_value() == "1/2"


def test_places_are_picked_and_joined_or_parted(board_page):
    """By a click, or Shift and the space bar; what is joined has dashed lines of its own."""
    task = Asks("sets", groups=[], marks={}, allowed_nodes=[1, 2])
    asked(board_page, task)
    join, part = (board_page.page.get_by_role("button", name=name, exact=True) for name in ("Join", "Part"))
    assert join.get_attribute("aria-disabled") == "true"
    board_page.node(1).locator(".dk-sign").click()
    assert board_page.node(3).count() == 1  # it was picked, not folded
    board_page.press("ArrowDown", "Shift+Space")
    assert board_page.page.locator("[data-picked]").count() == 2
    join.click()
    assert given(board_page, task) == {"nodes": [1, 2], "join": True}
    assert board_page.page.locator("[data-picked]").count() == 0
    assert board_page.page.get_by_role("status").inner_text() == "Picked: 0 places"  # as it is heard
    board_page.node(2).locator(".dk-sign").click()
    part.click()
    assert given(board_page, task) == {"nodes": [2], "join": False}
    board_page.node(0).locator(".dk-sign").click()  # not asked about: it folds as ever
    board_page.rest()
    assert board_page.node(1).count() == 0


def test_a_move_is_chosen_on_its_branch(board_page):
    """By a click on it, by Enter or M on the place behind it; what is chosen is marked, by more than colour."""
    task = Asks("path", moves={"0": 1}, marks={"0": "right"})
    asked(board_page, task)
    board_page.node(1).locator(".dk-move").click()
    assert given(board_page, task) == {"node": 0, "action": 0}
    board_page.press("Home", "ArrowRight", "ArrowRight", "Enter")
    assert given(board_page, task) == {"node": 1, "action": 0}
    board_page.press("ArrowDown", "m")
    assert given(board_page, task) == {"node": 1, "action": 1}
    chosen = board_page.node(2).locator(".dk-branch")
    assert (chosen.get_attribute("data-chosen"), chosen.get_attribute("data-mark")) == ("", "right")
    assert chosen.evaluate("one => getComputedStyle(one, '::after').content") == '"✓"'


def test_while_something_is_asked_nothing_gives_it_away(board_page):
    """No button that solves, none that learns; the dashed lines are not drawn where they are asked for."""
    for asks in ("values", "sets", "path"):
        asked(board_page, Asks(asks, nodes={}, groups=[], moves={}, marks={}, allowed_nodes=[1, 2]))
        assert board_page.page.get_by_role("button", name="Solve", exact=True).count() == 0
        assert board_page.page.get_by_role("button", name="Learn", exact=True).count() == 0
    asked(board_page, Asks("sets", groups=[], marks={}, allowed_nodes=[1, 2]))
    assert board_page.page.locator(".dk-dashed-line").count() == 0
    asked(board_page, Asks("path", moves={}, marks={}))
    assert board_page.page.locator(".dk-dashed-line").count() == 1


def test_the_seat_that_is_asked_about_is_named(board_page):
    """In the legend: it is you."""
    asked(board_page, Asks("strategy", player=1, score="0.5"))
    assert board_page.page.locator(".dk-players li").nth(1).inner_text().endswith("(You)")
    assert "0.5" in board_page.page.locator(".dk-answer-bar").inner_text()


@pytest.mark.parametrize(("theme", "direction"), [("dark", "right")])
def test_a_screen_reader_finds_nothing_wrong(board_page, theme: str, direction: str):
    """axe, on a solved tree with values, and on one with fields; with the menu open too; also where the tree is dark on a light page."""
    board_page.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = "async () => (await axe.run('.dk-board', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] })).violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary])"
    view = board.Tree(guess(), depth=9, theme=theme, direction=direction, values=True)
    view.solve("lp")
    board_page.lay(view)
    board_page.page.locator("[data-tool=menu]").click()
    assert board_page.page.evaluate(found) == []
    asked(
        board_page,
        Asks("values", nodes={"0": {"text": "1", "mark": "wrong", "open": True}, "1": {"text": "", "mark": "", "open": True}}),
        theme=theme,
    )
    assert board_page.page.evaluate(found) == []


def test_many_trees_of_a_lesson_are_no_landmarks_of_its_page(board_page):
    """Two that are called alike stand on one page; axe has nothing against it."""
    board_page.lay(board.Tree(guess(), depth=9))
    board_page.page.evaluate(AXE.read_text(encoding="utf-8"))
    board_page.page.evaluate("document.body.append(document.querySelector('.dk-board').cloneNode(true))")
    assert board_page.page.locator(".dk-board").count() == 2
    found = "async () => (await axe.run(document.body, { runOnly: { type: 'rule', values: ['landmark-unique'] } })).violations.map(({ id, nodes }) => [id, nodes[0].html])"
    assert board_page.page.evaluate(found) == []


def test_a_small_tree_on_which_something_is_asked_shows_no_tools_to_find_ones_way(board_page):
    """All of it is seen: what is asked is the only thing in view, and the tools are in the menu."""
    asked(board_page, Asks("values", nodes={"0": {"text": "", "mark": "", "open": True}}))
    for name in ("Open all", "Fold all"):
        assert not board_page.page.get_by_role("toolbar").get_by_role("button", name=name).is_visible()
    assert not board_page.page.get_by_role("searchbox").is_visible()
    board_page.page.locator("[data-tool=menu]").click()
    assert board_page.page.locator(".dk-menu").get_by_role("button", name="Fold all").is_visible()
    board_page.page.locator(".dk-menu").get_by_role("button", name="Fold all").click()
    board_page.page.wait_for_function("sent.some(({ kind }) => kind === 'fold')")
    board_page.rest()
    assert board_page.view.drawing["size"]["shown"] == 1


def solved() -> board.Tree:
    """With probabilities at the moves, and who is thought to be faced."""
    view = board.Tree(gametheory.textbook("beer-quiche"), depth=9)
    view.solve()
    return view


@pytest.mark.parametrize(
    "make",
    [
        lambda: board.Tree(gametheory.textbook("entry"), depth=9, language="lt"),
        solved,
        lambda: editor.Sketch(gametheory.textbook("entry")),
    ],
)
def test_the_word_on_a_branch_is_in_the_name_of_the_place(board_page, make):
    """It comes first there, as a browser tells those who listen; and an axe finds no name that says other than what stands there."""
    board_page.lay(make())
    places = board_page.page.locator(".dk-node")
    words = places.evaluate_all(WORDS)
    heard = re.findall(r'treeitem ["\']?(.*)', places.first.locator("xpath=..").aria_snapshot())
    assert len(words) == len(heard) > 4
    for word, name in zip(words, heard, strict=True):
        assert re.match(rf'"?{re.escape(word)}\b', name.replace('\\"', '"')), (word, name)
    if not board_page.page.evaluate("Boolean(window.axe)"):
        board_page.page.evaluate(AXE.read_text(encoding="utf-8"))
    assert board_page.page.evaluate(NAMED, RULE) == []
