"""Test the tree editor with its widget: trees are drawn by mouse and keys, and every step can be undone."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from rendered_table import find_axe_violations
from tree_editor_driver import TreeDrawer

from durak_widget import editor, gametheory
from durak_widget.editor.tree_draft import TreeDraft
from support.random_trees import hidden_tree, open_tree
from support.spoken import english, english_text

if TYPE_CHECKING:
    from rendered_tree import TreePage

    from durak_widget.gametheory.tree import Tree

pytestmark = pytest.mark.slow


def make_random_tree(seed: int, least: int, most: int) -> Tree:
    """Return a random tree with this many histories, with chance or hidden moves."""
    rng = Random(f"sketch {seed}")
    while True:
        tree = (open_tree if rng.random() < 0.4 else hidden_tree)(rng, most=3)
        joined = len(tree.infosets) < sum(actor >= 0 for actor in tree.actor)
        if least <= tree.history_count <= most and (joined or seed % 2):
            return gametheory.from_efg(gametheory.to_efg(tree))


def draw_and_undo(board_page: TreePage, tree: Tree) -> None:
    """Draw a tree from nothing, compare it with its file, then undo and redo every step."""
    sketch = editor.Sketch()
    board_page.mount(sketch)
    drawer = TreeDrawer(board_page)
    drawer.draw(tree)
    assert sketch.efg == gametheory.to_efg(tree)
    assert sketch.tree == tree
    expect(board_page.page.locator(".dk-editor-missing")).to_have_text(english_text("screen.sketch.whole"))
    drawn, steps = sketch.draft, sketch.history.undo_count
    for keys in (["Control+z"] * steps, ["Control+y", "Control+Shift+Z"] * (steps // 2) + ["Control+y"] * (steps % 2)):
        board_page.page.locator(".dk-view").focus()
        for key in keys:
            board_page.page.keyboard.press(key)
        drawer.wait_for_steps(steps)
        assert sketch.draft == (TreeDraft() if "z" in keys[0] else drawn)
    sketch.close()


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_small_tree_can_be_drawn_by_clicks(board_page, seed):
    """One of each kind."""
    draw_and_undo(board_page, make_random_tree(seed, 5, 8))


@pytest.mark.release
@pytest.mark.parametrize("seed", range(2, 20))
def test_larger_trees_can_be_drawn_by_clicks(board_page, seed):
    """With more seeds."""
    draw_and_undo(board_page, make_random_tree(seed, 5, 22))


def draw_two_ends(board_page: TreePage) -> TreeDrawer:
    """Draw a decision node with two ends."""
    board_page.mount(editor.Sketch())
    drawer = TreeDrawer(board_page)
    drawer.moves(0, ("left", "right"), 0)
    return drawer


@pytest.mark.parametrize("key", ["Escape", "Enter"])
@pytest.mark.parametrize("place", ["tree", "fields"])
def test_a_refused_text_is_taken_back(board_page, key, place):
    """Escape brings the old payoffs back; they can also be typed again. Python then forgets the refused text."""
    drawer = draw_two_ends(board_page)
    end, page = drawer.below(0)[0], board_page.page
    page.locator(".dk-editor-missing-item").first.click()
    drawer.type_text("1, 0")
    drawer.wait_for_steps()
    drawer.choose(end)
    if place == "tree":
        board_page.node(end).locator(".dk-payoffs").click()
        field = page.locator(".dk-editor-input")
    else:
        field = page.locator('[data-field="payoffs"] input')
    field.fill("9, x")
    field.press("Enter")
    expect(page.locator(".dk-refusal")).to_have_text(english_text("sketch.refused.number", text="x"))
    assert board_page.view.refused_text.error is not None
    if key == "Enter":
        field.fill("1, 0")
    field.press(key)
    expect(page.locator(".dk-refusal")).to_be_hidden()
    page.wait_for_timeout(100)
    assert board_page.view.refused_text.error is None
    assert board_page.view.draft.nodes[end].payoffs == (1, 0)


def test_missing_parts_are_listed_and_lead_to_their_fields(board_page):
    """A click opens the field. Tab goes to the next end. A refused text can be corrected."""
    drawer = draw_two_ends(board_page)
    left, right = drawer.below(0)
    expect(board_page.page.locator(".dk-editor-missing-item")).to_have_text(
        [english_text("sketch.lacks.payoff", way=str(move), example="1, 0") for move in ("left", "right")]
    )
    board_page.page.locator(".dk-editor-missing-item").first.click()
    field = board_page.page.locator(".dk-editor-input")
    field.fill("1; a lot")
    field.press("Enter")
    expect(board_page.page.locator(".dk-refusal")).to_have_text(english_text("sketch.refused.number", text="a lot"))
    expect(field).to_have_value("1; a lot")  # to be corrected
    expect(field).to_be_focused()
    field.fill("1/3, 2*3")
    field.press("Tab")
    drawer.wait_for_steps()
    expect(field).to_be_focused()
    field.fill("0 -1")
    field.press("Enter")
    drawer.wait_for_steps()
    assert [board_page.view.draft.nodes[end].payoffs for end in (left, right)] == [(pytest.approx(1 / 3), 6), (0, -1)]
    assert board_page.node(left).locator(".dk-payoffs").inner_text() == "1/3\n6"


def test_joining_nodes_that_do_not_fit_shows_the_reason(board_page):
    """Two ends, then nodes of different players. Nothing changes."""
    drawer = draw_two_ends(board_page)
    left, right = drawer.below(0)
    drawer.drag_line(left, right)
    refused = board_page.page.locator(".dk-refusal")
    expect(refused).to_contain_text(english("sketch.refused.join_ends"))
    drawer.moves(left, ("up",), 1)
    drawer.drag_line(left, 0)
    expect(refused).to_contain_text(english("sketch.refused.join_players"))
    drawer.drag_line(left, right)  # pasting at an end adds the same moves
    drawer.wait_for_steps()
    assert board_page.view.draft.list_infoset_nodes(left) == [left, right]
    board_page.press("s")
    drawer.wait_for_steps()
    assert board_page.view.draft.list_infoset_nodes(left) == [left]


def test_a_branch_copied_by_keys_joins_the_same_information_sets(board_page):
    """Ctrl+C at a node, Ctrl+Shift+V at an end. Alt and arrows move a branch. Delete removes it."""
    drawer = draw_two_ends(board_page)
    left, right = drawer.below(0)
    drawer.moves(left, ("up", "down"), 1)
    drawer.choose(left)
    board_page.press("Control+c")
    drawer.wait_for_steps()
    drawer.choose(right)
    board_page.press("Control+Shift+V")
    drawer.wait_for_steps()
    assert board_page.view.draft.list_infoset_nodes(left) == [left, right]
    board_page.press("Alt+ArrowUp")
    drawer.wait_for_steps()
    assert drawer.below(0) == (right, left)
    assert board_page.at == right
    board_page.press("Delete")
    drawer.wait_for_steps()
    assert (drawer.below(0), board_page.at) == ((left,), 0)


def test_names_probabilities_and_players_are_edited_in_place(board_page):
    """A second click on a name or a click on a probability opens it. Escape cancels. Digits choose the player."""
    board_page.mount(editor.Sketch())
    drawer = TreeDrawer(board_page)
    drawer.chance(0, ("heads", "tails"))
    heads, tails = drawer.below(0)
    drawer.choose(heads)
    board_page.node(heads).locator(".dk-probability").click()
    drawer.type_text("1/3")
    drawer.wait_for_steps()
    expect(board_page.node(tails).locator(".dk-probability")).to_have_text("2/3")
    board_page.node(heads).locator(".dk-move").click()
    board_page.page.locator(".dk-editor-input").fill("edge")
    board_page.page.locator(".dk-editor-input").press("Escape")
    assert board_page.view.draft.get_actions(0) == ("heads", "tails")
    board_page.page.get_by_label(english_text("screen.sketch.field.who")).select_option(label="Player 2")
    drawer.wait_for_steps()
    assert board_page.view.draft.nodes[heads].actor == 1
    board_page.press("1")
    drawer.wait_for_steps()
    assert board_page.view.draft.nodes[heads].actor == 0


def test_a_tree_is_exported_as_text_and_picture(board_page):
    """As Python makes them. An unfinished tree has a picture only, and the rest says what is missing."""
    board_page.mount(editor.Sketch(gametheory.textbook("entry")))
    page = board_page.page
    page.get_by_role("button", name=english_text("screen.sketch.export")).click()
    for name, text, file in (
        ("Text for Gambit", board_page.view.efg, "entry-deterrence.efg"),
        ("Text for Python", f"from durak_widget import gametheory\n\ntree = {board_page.view.python}\n", "entry-deterrence.py"),
    ):
        page.get_by_role("button", name=name).click()
        expect(page.locator(".dk-editor-export-text")).to_have_value(text)
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save: ").click()
        assert saved.value.suggested_filename == file
        assert saved.value.path().read_text("utf-8") == text
    page.get_by_role("button", name=english_text("screen.sketch.export.picture_of", format="PNG")).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save: entry-deterrence.png").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    page.evaluate(
        "() => { window.decodes = HTMLImageElement.prototype.decode; HTMLImageElement.prototype.decode = () => Promise.reject(); }"
    )  # the same message as for a tree that is too large
    page.get_by_role("button", name=english_text("screen.sketch.export.picture_of", format="PNG")).click()
    expect(page.get_by_role("button", name="Save: entry-deterrence.svg")).to_be_focused()
    page.evaluate("() => { HTMLImageElement.prototype.decode = window.decodes; }")
    board_page.view.remove_children(0)
    board_page.sync()
    page.get_by_role("button", name=english_text("screen.sketch.export.text_of", format="Gambit")).click()
    expect(page.locator(".dk-refusal")).to_contain_text(english("sketch.lacks.all"))
    page.keyboard.press("Escape")
    expect(page.locator(".dk-editor-export")).to_be_hidden()


def test_changes_from_code_are_shown_and_announced(board_page):
    """A removed node loses the focus. A screen reader hears each step and the name of each node."""
    drawer = draw_two_ends(board_page)
    left, _ = drawer.below(0)
    expect(board_page.page.get_by_role("status")).to_have_text(english_text("sketch.did.rename", move="right"))
    board_page.press("Control+z")
    drawer.wait_for_steps()
    expect(board_page.page.get_by_role("status")).to_have_text(english("sketch.undone"))
    drawer.choose(left)
    board_page.view.remove_branch(left)
    board_page.sync()
    drawer.turn = board_page.view.tree_draft_view["version"]
    assert board_page.at == 0
    assert board_page.heard(0) == f"{english_text('screen.tree.root')}. {english_text('screen.tree.acts', player='Player 1')}"
    board_page.view.go_to(drawer.below(0)[0])
    board_page.sync()
    assert board_page.at == drawer.below(0)[0]


BY_SIGHT = "label-content-name-mismatch"
"""The content of a node is hidden from assistive technology: its name says the same in a sentence, with other characters."""


def find_violations(board_page: TreePage) -> list[list[object]]:
    """Return the axe violations, without the known one."""
    return [found for found in find_axe_violations(board_page.page, ".dk") if found[0] != BY_SIGHT]


@pytest.mark.parametrize("look", [{"theme": "contrast", "language": "lt"}])
def test_axe_finds_no_violation_in_the_tree_editor(board_page, look):
    """With an open field, the list of keys, all players and an export."""
    sketch = editor.Sketch(gametheory.textbook("beer-quiche"), **look)
    sketch.remove_children(sketch.draft.nodes[0].children[0])
    board_page.mount(sketch)
    assert find_violations(board_page) == []
    board_page.page.locator("summary").click()
    board_page.page.locator("[data-command=export]").click()
    board_page.page.locator("[data-form=svg]").click()
    expect(board_page.page.locator(".dk-editor-export-picture")).to_be_visible()
    board_page.press("ArrowRight", "Enter")
    assert find_violations(board_page) == []
    board_page.press("?")
    board_page.page.locator("[data-command=keys]").click()
    assert find_violations(board_page) == []
