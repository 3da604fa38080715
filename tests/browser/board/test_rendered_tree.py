"""Test the tree board with its widget: display, navigation and messages to Python."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from rendered_tree import ENDING

from durak_widget import Game, analysis, board, gametheory
from durak_widget.gametheory import ChanceNode, DecisionNode, TerminalNode
from support.spoken import english, english_text

if TYPE_CHECKING:
    from rendered_tree import TreePage

HIDDEN = Game.from_position(
    "suits=c, ranks=6789TJ, hand_size=2", hands=["7c Jc", "8c"], trump="c", talon="9c Tc", discard="6c"
)  # 9,625 histories
PHONE = 344


def guessing_game():
    """Return a tree in which chance hides a coin and a player guesses: two information sets, one on several levels."""
    tree_nodes = {
        "": ChanceNode([("heads", Fraction(1, 3), "h"), ("tails", Fraction(2, 3), "t")]),
        "h": DecisionNode(0, "it lies there", [("wait", "hw"), ("guess now", "hg")]),
        "t": DecisionNode(1, "Bob looks", [("look", "tl"), ("leave", "te")]),
        "tl": DecisionNode(0, "it lies there", [("wait", "tw"), ("guess now", "tg")]),
        **{end: TerminalNode((Fraction(n, 2), Fraction(-n, 2))) for n, end in enumerate(("hw", "hg", "te", "tw", "tg"), -2)},
    }
    return gametheory.build_tree("", tree_nodes.__getitem__, player_count=2)


def box_of(board_page: TreePage, history: int):
    """Return the box of a node's sign on the screen."""
    return board_page.node(history).locator(".dk-sign").bounding_box()


# Display


def test_a_branch_shows_its_move_as_cards_or_text(board_page):
    """A beaten card is below the card that beats it. Taking is a word. Chance has probabilities."""
    board_page.mount(board.Tree(analysis.build_tree_from_position(ENDING), depth=2))
    first = board_page.node(1).locator(".dk-move")
    assert first.locator(".dk-mini-card").evaluate_all("all => all.map((one) => one.dataset.card)") == ["7c"]
    beats = board_page.node(4).locator(".dk-mini-card")
    assert beats.evaluate_all("all => all.map((one) => [one.dataset.card, one.classList.contains('dk-mini-beating')])") == [
        ["7c", False],
        ["8c", True],
    ]
    assert board_page.node(5).locator(".dk-move").inner_text() == "takes"
    board_page.mount(board.Tree(guessing_game(), depth=9))
    assert board_page.page.locator(".dk-probability").all_inner_texts() == ["1/3", "2/3"]


def test_payoffs_have_the_order_and_colours_of_the_legend(board_page):
    """Fractions with a true minus sign. Shape, letter and colour tell the players apart."""
    board_page.mount(board.Tree(guessing_game(), depth=9))
    pays = board_page.page.locator(".dk-payoffs").first.locator(".dk-payoff")
    assert pays.all_inner_texts() == ["\u22121", "1"]
    colours = "all => all.map((one) => getComputedStyle(one).color)"
    legend = board_page.page.locator(".dk-players [data-seat] .dk-sign")
    assert pays.evaluate_all(colours) == legend.evaluate_all(colours)
    paths = board_page.page.locator(".dk-players .dk-sign path").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    assert len(set(paths)) == len(paths) == 3
    seconds = board_page.page.locator(".dk-payoffs .dk-payoff:nth-child(2)").evaluate_all("all => all.map((one) => one.offsetLeft)")
    assert len(seconds) == 5
    assert len(set(seconds)) == 1, "each player's payoffs stand in a column"


def test_a_folded_node_shows_its_count_and_unfolds_in_place(board_page):
    """`+n` means n histories. The node does not move on the screen."""
    view = board.Tree(analysis.build_tree_from_position(ENDING), depth=1)
    board_page.mount(view)
    more = view.drawing["nodes"]["hidden_count"][1]
    assert board_page.node(1).locator(".dk-hidden-count").inner_text() == f"+{more}"
    assert board_page.node(1).get_attribute("aria-expanded") == "false"
    before = box_of(board_page, 1)
    board_page.node(1).locator(".dk-hidden-count").click()
    board_page.rest()
    assert board_page.node(1).get_attribute("aria-expanded") == "true"
    assert board_page.node(4).count() == 1
    assert box_of(board_page, 1) == pytest.approx(before, abs=0.6)
    board_page.node(1).locator(".dk-sign").click()
    board_page.rest()
    assert (board_page.node(4).count(), box_of(board_page, 1)) == (0, pytest.approx(before, abs=0.6))


@pytest.mark.parametrize("direction", ["right"])
def test_nodes_out_of_sight_are_not_rendered(board_page, direction: str):
    """Of 5,000 shown histories at most a few hundred elements exist."""
    view = board.Tree(analysis.build_tree_from_position(HIDDEN), depth=2, direction=direction)
    view.unfold()
    board_page.mount(view)
    assert view.drawing["size"]["shown"] > 4900
    nodes = board_page.page.locator(".dk-node")
    assert 3 < nodes.count() < 300
    board_page.press("End")
    assert board_page.at == view.drawing["nodes"]["id"][-1]
    assert 3 < nodes.count() < 300
    board_page.run_command(english_text("screen.tree.fit"))
    assert nodes.count() == 1  # zoomed out, nodes are dots, but the focused one is rendered


def test_labels_of_an_author_are_shown(board_page):
    """Beside a node, and below the move of a branch."""
    view = board.Tree(guessing_game(), depth=9)
    view.add_label(1, "a fair coin?")
    view.add_label((0, "guess now"), "bold")
    board_page.mount(view)
    assert board_page.node(1).locator(".dk-node-labels").inner_text() == "a fair coin?"
    assert board_page.page.locator(".dk-branch-note").all_inner_texts() == ["bold", "bold"]


def test_language_and_colours_change_at_once(board_page):
    """Buttons, names and moves change. Four colours apply to the small cards."""
    view = board.Tree(analysis.build_tree_from_position(ENDING), depth=2)
    board_page.mount(view)
    red = "getComputedStyle(document.querySelector('[data-card=\"8d\"]')).color"
    before = board_page.page.evaluate(red)
    view.language, view.four_colors = "lt", True
    board_page.sync()
    board_page.page.get_by_role("button", name="Išspręsti").wait_for()
    assert board_page.node(5).locator(".dk-move").inner_text() == "ima"
    assert board_page.page.evaluate(red) != before


# Navigation


@pytest.mark.parametrize("direction", ["right", pytest.param("down", marks=pytest.mark.slow)])
def test_every_node_can_be_reached_by_keys_and_is_announced(board_page, direction: str):
    """The tree is one tab stop. A node is announced with its level and position."""
    view = board.Tree(guessing_game(), depth=9, direction=direction)
    board_page.mount(view)
    on, after = ("ArrowRight", "ArrowDown") if direction == "right" else ("ArrowDown", "ArrowRight")
    met = {board_page.at}
    for key in (on, after, on, after, after, after, after, "Home", "End"):
        board_page.press(key)
        met.add(board_page.at)
        node = board_page.node(board_page.at)
        description = board_page.heard(board_page.at)
        assert description == board_page.page.locator(".dk-description").inner_text()
        kinds = (
            english("screen.tree.acts"),
            english("screen.tree.acts_knowing"),
            english("screen.tree.end"),
            english("screen.tree.chance_acts"),
        )
        assert any(kind.search(description) for kind in kinds)
        assert (node.get_attribute("aria-selected"), node.get_attribute("role")) == ("true", "treeitem")
        assert board_page.page.locator(".dk-node[data-at]").evaluate_all("all => all.map((one) => one.dataset.id)") == [
            str(board_page.at)
        ], "one ring"
    assert len(met) >= 5
    assert board_page.page.locator(".dk-view[tabindex='0']").count() == board_page.page.locator(".dk-view").count() == 1


def test_the_forward_arrow_unfolds_a_node(board_page):
    """And then enters it. Enter and the space bar fold and unfold."""
    board_page.mount(board.Tree(analysis.build_tree_from_position(ENDING), depth=1))
    board_page.press("ArrowRight")
    board_page.press("ArrowRight")
    assert (board_page.at, board_page.node(1).get_attribute("aria-expanded")) == (1, "true")
    board_page.press("ArrowRight")
    assert board_page.at == 4
    board_page.press("ArrowLeft", "Enter")
    assert board_page.node(1).get_attribute("aria-expanded") == "false"
    board_page.press(" ")
    assert board_page.node(1).get_attribute("aria-expanded") == "true"
    assert english("screen.tree.shown.other").search(board_page.page.get_by_role("status").inner_text())


@pytest.mark.slow
def test_python_gets_the_focused_node_after_a_pause(board_page):
    """Not at every step, because trees can be large."""
    view = board.Tree(guessing_game(), depth=9)
    board_page.mount(view)
    board_page.sent()
    board_page.press("ArrowRight", "ArrowDown")
    board_page.page.wait_for_function("sent.length > 0")
    assert board_page.sent()[-1] == {"kind": "select_node", "id": board_page.at}
    board_page.page.wait_for_function("(id) => model.get('focus_view').current_node === id", arg=board_page.at)
    assert view.current_node == board_page.at


def test_a_late_answer_does_not_move_the_focus_back(board_page):
    """After two moves of the focus, the first answer changes nothing. A move from Python is followed."""
    view = board.Tree(guessing_game(), depth=9)
    board_page.mount(view)
    board_page.page.evaluate(
        "() => { const ask = (window.asked = window.python); window.held = []; window.python = (message) => new Promise((done) => held.push(() => ask(message).then(done))); }"
    )
    visited = []
    for key, message_count in (("ArrowRight", 1), ("ArrowDown", 2)):
        board_page.press(key)
        board_page.page.wait_for_function("(told) => held.length === told", arg=message_count)
        visited.append(board_page.at)
    assert len(set(visited)) == 2
    for history in visited:
        board_page.page.evaluate("held.shift()()")
        board_page.page.wait_for_function("(at) => model.get('focus_view').current_node === at", arg=history)
        board_page.rest()
        assert (view.current_node, board_page.at) == (history, visited[-1])
    board_page.page.evaluate("() => { window.python = window.asked; }")
    view.go_to(0)
    board_page.sync()
    assert board_page.at == 0


@pytest.mark.slow
def test_the_focused_node_is_in_sight(board_page):
    """Also when Python moves the focus, and on a long path."""
    view = board.Tree(analysis.build_tree_from_position(HIDDEN), depth=2)
    view.unfold()
    board_page.mount(view)
    frame = board_page.page.locator(".dk-view").bounding_box()
    for goes in (
        lambda: board_page.press("End"),
        lambda: board_page.press("Home"),
        lambda: (view.go_to(view.drawing["nodes"]["id"][2500]), board_page.sync()),
    ):
        goes()
        node_box = box_of(board_page, board_page.at)
        assert frame["x"] <= node_box["x"] <= frame["x"] + frame["width"] - node_box["width"]
        assert frame["y"] <= node_box["y"] <= frame["y"] + frame["height"] - node_box["height"]


def test_the_path_is_shown_as_breadcrumbs(board_page):
    """Each leads back to its node. The middle of a long path is folded."""
    view = board.Tree(analysis.build_tree_from_position(ENDING), depth=99)
    levels = view.drawing["nodes"]["level"]
    view.go_to(view.drawing["nodes"]["id"][levels.index(max(levels))])
    board_page.mount(view)
    crumbs = board_page.page.get_by_role("group", name=english_text("screen.tree.way")).get_by_role("button")
    assert crumbs.count() == 6
    crumbs.nth(1).click()
    assert crumbs.count() > 6
    crumbs.nth(1).click()
    board_page.rest()
    nodes = view.drawing["nodes"]
    assert nodes["level"][nodes["id"].index(board_page.at)] == 1


def test_search_marks_and_leads_to_its_matches(board_page):
    """With a count. Buttons, N and P go from match to match. Escape leaves the field."""
    view = board.Tree(analysis.build_tree_from_position(ENDING), depth=1)
    board_page.mount(view)
    board_page.press("/")
    board_page.page.keyboard.type("9d")
    board_page.page.keyboard.press("Enter")
    count = board_page.page.locator(".dk-search-count")
    count.filter(has_text="/").wait_for()
    assert count.inner_text() == f"1/{len(view.find('9d'))}"
    first = board_page.at
    assert board_page.node(first).get_attribute("data-found") == ""
    board_page.page.get_by_role("button", name=english_text("screen.tree.find.next")).click()
    count.filter(has_text="2/").wait_for()
    board_page.rest()
    assert board_page.at != first
    board_page.press("p")
    count.filter(has_text="1/").wait_for()
    board_page.rest()
    assert board_page.at == first


def test_letter_keys_work_like_the_tools(board_page):
    """Plus and minus zoom, V shows values, B beliefs, R turns the tree."""
    view = board.Tree(gametheory.textbook("beer-quiche"), depth=9)
    view.solve()
    board_page.mount(view)
    wide = box_of(board_page, 0)["width"]
    board_page.press("+")
    assert box_of(board_page, 0)["width"] > wide
    board_page.press("-")
    assert box_of(board_page, 0)["width"] == pytest.approx(wide, rel=0.01)
    board_page.press("v", "r")
    assert (view.values, view.direction) == (True, "down")
    before = view.solution_view["beliefs"]
    board_page.press("b")
    assert view.solution_view["beliefs"] != before


# Mouse and touch


def test_dragging_pans_and_only_ctrl_wheel_zooms(board_page):
    """Around the pointer. Without Ctrl the wheel scrolls the page."""
    board_page.mount(board.Tree(analysis.build_tree_from_position(HIDDEN), depth=2))
    frame = board_page.page.locator(".dk-view").bounding_box()
    x, y = frame["x"] + 300, frame["y"] + 250
    mouse, before = board_page.page.mouse, box_of(board_page, 0)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 40, y + 30, steps=4)
    mouse.up()
    board_page.rest()
    moved = box_of(board_page, 0)
    assert (moved["x"] - before["x"], moved["y"] - before["y"]) == (pytest.approx(40, abs=1), pytest.approx(30, abs=1))
    let = "(facts) => !document.querySelector('.dk-view').dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, ...facts }))"
    assert board_page.page.evaluate(let, {"deltaY": 50}) is False
    assert board_page.page.evaluate(let, {"deltaY": -50, "ctrlKey": True, "clientX": moved["x"] + 12, "clientY": moved["y"] + 12}) is True
    board_page.rest()
    near = box_of(board_page, 0)
    assert near["width"] > moved["width"]
    assert near["x"] + near["width"] / 2 == pytest.approx(moved["x"] + moved["width"] / 2, abs=3)


def test_two_fingers_zoom_the_board(board_page):
    """Around the point between them."""
    board_page.mount(board.Tree(analysis.build_tree_from_position(ENDING), depth=2))
    before = box_of(board_page, 1)
    board_page.page.evaluate(
        """() => {
          const view = document.querySelector('.dk-view'), { left, top } = view.getBoundingClientRect();
          view.setPointerCapture = () => {};
          const at = (id, x) => ({ bubbles: true, pointerId: id, pointerType: 'touch', button: 0, buttons: 1, clientX: left + x, clientY: top + 100 });
          for (const id of [1, 2]) view.dispatchEvent(new PointerEvent('pointerdown', at(id, 100 + 100 * id)));
          for (let n = 1; n <= 5; n++) { view.dispatchEvent(new PointerEvent('pointermove', at(1, 200 - 10 * n))); view.dispatchEvent(new PointerEvent('pointermove', at(2, 300 + 10 * n))); }
          for (const id of [1, 2]) view.dispatchEvent(new PointerEvent('pointerup', at(id, 0)));
        }"""
    )
    board_page.rest()
    assert box_of(board_page, 1)["width"] == pytest.approx(2 * before["width"], rel=0.05)


def test_a_double_click_unfolds_and_fits_a_subtree(board_page):
    """Everything below the node is visible then."""
    view = board.Tree(analysis.build_tree_from_position(ENDING), depth=1)
    board_page.mount(view)
    board_page.node(1).locator(".dk-sign").dblclick()
    board_page.rest()
    frame = board_page.page.locator(".dk-view").bounding_box()
    for child in view.tree.children(1):
        node_box = box_of(board_page, child)
        assert frame["x"] <= node_box["x"] <= frame["x"] + frame["width"] - 24
        assert frame["y"] <= node_box["y"] <= frame["y"] + frame["height"] - 24


@pytest.mark.parametrize("language", ["ru"])
def test_phone_menus_contain_every_tool_and_nothing_overflows(board_page, language: str):
    """Also the settings and the keys, each with its name."""
    board_page.mount(board.Tree(guessing_game(), depth=9, language=language), PHONE)
    wide = "() => [...document.querySelectorAll('.dk-board *')].filter((one) => !one.closest('.dk-view, svg, .dk-sr-only') && one.checkVisibility() && one.getBoundingClientRect().right > 353).length"
    assert board_page.page.evaluate(wide) == 0
    menu = board_page.open_menu()
    assert menu.get_by_role("menuitem").count() >= 6
    assert all(text.strip() for text in menu.get_by_role("menuitem").all_inner_texts())
    assert board_page.page.evaluate(wide) == 0
    board_page.page.keyboard.press("Escape")
    assert not menu.is_visible()
    settings = board_page.open_settings()
    assert settings.locator("select").count() >= 3
    assert board_page.page.evaluate(wide) == 0
    board_page.page.keyboard.press("Escape")
    assert not settings.is_visible()


def test_a_refusal_is_shown_until_the_next_action(board_page):
    """And announced."""
    view = board.Tree(guessing_game(), depth=9)
    board_page.mount(view)
    board_page.page.evaluate("model.send({ kind: 'toggle', id: 999 })")
    refused = board_page.page.locator(".dk-refusal")
    refused.wait_for()
    assert "999" in refused.inner_text()
    assert board_page.page.get_by_role("status").inner_text() == refused.inner_text()
    board_page.press("Enter")
    assert not refused.is_visible()


def test_a_lost_kernel_is_reported(board_page):
    """When it is back, the tree works again."""
    board_page.mount(board.Tree(guessing_game(), depth=9))
    board_page.page.evaluate("window.gone = true")
    board_page.press("Enter")
    assert english_text("screen.tree.gone") == board_page.page.locator(".dk-refusal").inner_text()
    board_page.page.evaluate("window.gone = false")
    board_page.press("Enter")
    assert not board_page.page.locator(".dk-refusal").is_visible()


@pytest.mark.slow
def test_a_closed_tree_removes_its_listeners_and_elements(board_page):
    """However often it is opened."""
    client = board_page.page.context.new_cdp_session(board_page.page)
    client.send("Performance.enable")

    def counted() -> tuple[int, int]:
        client.send("HeapProfiler.collectGarbage")
        found = {metric["name"]: metric["value"] for metric in client.send("Performance.getMetrics")["metrics"]}
        return found["Nodes"], found["JSEventListeners"]

    def again() -> tuple[int, int]:
        board_page.mount(board.Tree(guessing_game(), depth=9))
        board_page.press("ArrowRight", "Enter", "Enter", "?")
        board_page.page.evaluate("close_tree()")
        assert board_page.page.evaluate("[...heard.values()].flat().length") == 0
        assert board_page.page.locator(".dk-board").count() == 0
        board_page.page.evaluate("document.body.replaceChildren()")
        return counted()

    for _ in range(2):
        again()
    nodes, listeners = again()
    for _ in range(4):
        last = again()
    assert last[0] <= nodes + 10
    assert last[1] <= listeners + 2
    client.detach()
