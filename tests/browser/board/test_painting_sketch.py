"""A sketch painted in an empty page, joined to its widget: trees are drawn there from nothing, by mouse and keys, and every step comes back."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from painted import axed
from playwright.sync_api import expect
from sketched_by_hand import Hand

from durak_widget import editor, gametheory
from durak_widget.editor.tree_draft import TreeDraft
from support.random_trees import hidden_tree, open_tree

if TYPE_CHECKING:
    from painted_tree import Board

    from durak_widget.gametheory.tree import Tree

pytestmark = pytest.mark.slow


def small(seed: int, least: int, most: int) -> Tree:
    """A random tree of so many histories, with chance or hidden moves, as one finds it in a file of Gambit."""
    rng = Random(f"sketch {seed}")
    while True:
        tree = (open_tree if rng.random() < 0.4 else hidden_tree)(rng, most=3)
        joined = len(tree.infosets) < sum(actor >= 0 for actor in tree.actor)
        if least <= tree.history_count <= most and (joined or seed % 2):
            return gametheory.from_efg(gametheory.to_efg(tree))


def built_by_clicks(board_page: Board, tree: Tree) -> None:
    """Draw a tree from nothing; it is the one of its file; take every step back, and do each again."""
    sketch = editor.Sketch()
    board_page.lay(sketch)
    hand = Hand(board_page)
    hand.draw(tree)
    assert sketch.efg == gametheory.to_efg(tree)
    assert sketch.tree == tree
    expect(board_page.page.locator(".dk-editor-missing")).to_have_text("Nothing is missing: this is a game.")
    drawn, steps = sketch.draft, sketch.history.undo_count
    for keys in (["Control+z"] * steps, ["Control+y", "Control+Shift+Z"] * (steps // 2) + ["Control+y"] * (steps % 2)):
        board_page.page.locator(".dk-view").focus()
        for key in keys:
            board_page.page.keyboard.press(key)
        hand.stepped(steps)
        assert sketch.draft == (TreeDraft() if "z" in keys[0] else drawn)
    sketch.close()


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_tree_of_a_file_is_built_by_clicks(board_page, seed):
    """Small ones, one of each kind."""
    built_by_clicks(board_page, small(seed, 5, 8))


@pytest.mark.release
@pytest.mark.parametrize("seed", range(2, 20))
def test_more_trees_of_files_are_built_by_clicks(board_page, seed):
    """Larger ones too."""
    built_by_clicks(board_page, small(seed, 5, 22))


def two(board_page: Board) -> Hand:
    """A place where one acts, with two ends."""
    board_page.lay(editor.Sketch())
    hand = Hand(board_page)
    hand.moves(0, ("left", "right"), 0)
    return hand


def test_what_is_missing_is_said_and_leads_there(board_page):
    """A click on the sentence opens the field; Tab goes to the next end; what is refused is said, and the field may be filled again."""
    hand = two(board_page)
    left, right = hand.below(0)
    expect(board_page.page.locator(".dk-editor-missing-item")).to_have_text(
        [
            f"After “{move}”: what this end is worth is not typed yet; write a payoff for each player, such as 1, 0."
            for move in ("left", "right")
        ]
    )
    board_page.page.locator(".dk-editor-missing-item").first.click()
    field = board_page.page.locator(".dk-editor-input")
    field.fill("1; a lot")
    field.press("Enter")
    expect(board_page.page.locator(".dk-refusal")).to_have_text("“a lot” is no number. Write it as 1/3, 0.5 or −2.")
    expect(field).to_have_value("1; a lot")  # to be mended
    expect(field).to_be_focused()
    field.fill("1/3, 2*3")
    field.press("Tab")
    hand.stepped()
    expect(field).to_be_focused()
    field.fill("0 -1")
    field.press("Enter")
    hand.stepped()
    assert [board_page.view.draft.nodes[end].payoffs for end in (left, right)] == [(pytest.approx(1 / 3), 6), (0, -1)]
    assert board_page.node(left).locator(".dk-payoffs").inner_text() == "1/3\n6"


def test_a_line_that_cannot_join_says_why(board_page):
    """Two ends; then a place and what another player does; nothing is changed."""
    hand = two(board_page)
    left, right = hand.below(0)
    hand.pull(left, right)
    refused = board_page.page.locator(".dk-refusal")
    expect(refused).to_contain_text("Nobody is to move at either of these places")
    hand.moves(left, ("up",), 1)
    hand.pull(left, 0)
    expect(refused).to_contain_text("only places of one player are joined")
    hand.pull(left, right)  # an end gets the same moves
    hand.stepped()
    assert board_page.view.draft.list_infoset_nodes(left) == [left, right]
    board_page.press("s")
    hand.stepped()
    assert board_page.view.draft.list_infoset_nodes(left) == [left]


def test_a_branch_is_copied_with_keys_and_the_players_may_not_tell_it_apart(board_page):
    """Ctrl+C at a place, Ctrl+Shift+V at an end; Alt and arrows move a branch; Delete takes it away."""
    hand = two(board_page)
    left, right = hand.below(0)
    hand.moves(left, ("up", "down"), 1)
    hand.choose(left)
    board_page.press("Control+c")
    hand.stepped()
    hand.choose(right)
    board_page.press("Control+Shift+V")
    hand.stepped()
    assert board_page.view.draft.list_infoset_nodes(left) == [left, right]
    board_page.press("Alt+ArrowUp")
    hand.stepped()
    assert hand.below(0) == (right, left)
    assert board_page.at == right
    board_page.press("Delete")
    hand.stepped()
    assert (hand.below(0), board_page.at) == ((left,), 0)


def test_names_probabilities_and_players_are_typed_where_they_stand(board_page):
    """A second click on a name opens it, a click on a probability too; Escape leaves all as it was; digits say who moves."""
    board_page.lay(editor.Sketch())
    hand = Hand(board_page)
    hand.chance(0, ("heads", "tails"))
    heads, tails = hand.below(0)
    hand.choose(heads)
    board_page.node(heads).locator(".dk-probability").click()
    hand.typed("1/3")
    hand.stepped()
    expect(board_page.node(tails).locator(".dk-probability")).to_have_text("2/3")
    board_page.node(heads).locator(".dk-move").click()
    board_page.page.locator(".dk-editor-input").fill("edge")
    board_page.page.locator(".dk-editor-input").press("Escape")
    assert board_page.view.draft.get_actions(0) == ("heads", "tails")
    board_page.page.get_by_label("To move").select_option(label="Player 2")
    hand.stepped()
    assert board_page.view.draft.nodes[heads].actor == 1
    board_page.press("1")
    hand.stepped()
    assert board_page.view.draft.nodes[heads].actor == 0


def test_it_is_exported_as_texts_and_as_pictures(board_page):
    """Each is what Python makes of it; one that is not finished is a picture alone, and the rest says what is missing."""
    board_page.lay(editor.Sketch(gametheory.textbook("entry")))
    page = board_page.page
    page.get_by_role("button", name="Export").click()
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
    page.get_by_role("button", name="Picture, PNG").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save: entry-deterrence.png").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    page.evaluate(
        "() => { window.decodes = HTMLImageElement.prototype.decode; HTMLImageElement.prototype.decode = () => Promise.reject(); }"
    )  # as where it is too large
    page.get_by_role("button", name="Picture, PNG").click()
    expect(page.get_by_role("button", name="Save: entry-deterrence.svg")).to_be_focused()
    page.evaluate("() => { HTMLImageElement.prototype.decode = window.decodes; }")
    board_page.view.remove_children(0)
    board_page.tell()
    page.get_by_role("button", name="Text for Gambit").click()
    expect(page.locator(".dk-refusal")).to_contain_text("Nothing is drawn yet")
    page.keyboard.press("Escape")
    expect(page.locator(".dk-editor-export")).to_be_hidden()


def test_what_is_done_in_code_is_seen_and_read_aloud_is_what_happened(board_page):
    """A place that is gone is left; a screen reader hears each step, and names each place."""
    hand = two(board_page)
    left, _ = hand.below(0)
    expect(board_page.page.get_by_role("status")).to_have_text("The move is called: right.")
    board_page.press("Control+z")
    hand.stepped()
    expect(board_page.page.get_by_role("status")).to_have_text("Taken back: the move is called: right.")
    hand.choose(left)
    board_page.view.remove_branch(left)
    board_page.tell()
    hand.turn = board_page.view.tree_draft_view["version"]
    assert board_page.at == 0
    assert board_page.heard(0) == "The beginning. Player 1 to move"
    board_page.view.go_to(hand.below(0)[0])
    board_page.tell()
    assert board_page.at == hand.below(0)[0]


BY_SIGHT = "label-content-name-mismatch"
"""What stands on a node is a picture of it, hidden from who does not see: its name says the same in a sentence, not in those very signs."""


def heard(board_page: Board) -> list[list[object]]:
    """What axe-core finds wrong, but for that."""
    return [found for found in axed(board_page.page, ".dk") if found[0] != BY_SIGHT]


@pytest.mark.parametrize("look", [{"theme": "contrast", "language": "lt"}])
def test_nothing_stands_in_the_way_of_a_screen_reader(board_page, look):
    """With a field open on the tree, the keys shown, all players listed, something exported."""
    sketch = editor.Sketch(gametheory.textbook("beer-quiche"), **look)
    sketch.remove_children(sketch.draft.nodes[0].children[0])
    board_page.lay(sketch)
    assert heard(board_page) == []
    board_page.page.locator("summary").click()
    board_page.page.locator("[data-command=export]").click()
    board_page.page.locator("[data-form=svg]").click()
    expect(board_page.page.locator(".dk-editor-export-picture")).to_be_visible()
    board_page.press("ArrowRight", "Enter")
    assert heard(board_page) == []
    board_page.press("?")
    board_page.page.locator("[data-command=keys]").click()
    assert heard(board_page) == []
