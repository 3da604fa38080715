"""Test a tree of 5,000 histories in JupyterLab, and a lost kernel."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.spoken import english, english_text

TREE = """from durak_widget import Game, analysis, board
game = Game.from_position("suits=c, ranks=6789TJ, hand_size=2", hands=["7c Jc", "8c"], trump="c", talon="9c Tc", discard="6c")
view = board.Tree(analysis.build_tree_from_position(game), depth=2)
view"""
REGION = "[aria-label='Game tree']"


def find_tree(book):
    """Return the element of the tree."""
    return book.page.locator(REGION)


def run_command(tree, name: str) -> None:
    """Choose a command in the menu of the tree."""
    tree.get_by_role("button", name=english_text("screen.more"), exact=True).click()
    tree.get_by_role("menuitem", name=name).click()


def focused_history(book) -> int:
    """Return the history that a screen reader hears."""
    return book.page.evaluate(
        "Number(document.getElementById(document.querySelector('.dk-view').getAttribute('aria-activedescendant')).dataset.id)"
    )


@pytest.mark.release
def test_five_thousand_histories_are_unfolded_folded_and_searched(notebook):
    """Few are rendered. A match gets the focus, in Python too. JupyterLab doesn't get the tree's keys."""
    book = notebook([TREE])
    tree = find_tree(book)
    nodes = tree.get_by_role("treeitem")
    expect(nodes.first).to_be_visible()
    run_command(tree, english_text("screen.tree.open_all"))
    expect(tree.get_by_role("status")).to_contain_text(english("screen.tree.shown.other"))
    shown = book.python("view.drawing['size']['shown']")
    assert 4900 < shown <= 5000
    assert nodes.count() < 300
    tree.get_by_role("tree").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Enter", "Enter", "v", "ArrowDown", "d"):
        book.page.keyboard.press(key)
    book.until(f"view.current_node == {focused_history(book)}")
    assert book.page.locator(".jp-Notebook .jp-Cell").count() == 1  # no key ran a command of the notebook
    tree.get_by_role("searchbox", name=english_text("screen.tree.find")).fill("beat 9c Tc")
    book.page.keyboard.press("Enter")
    expect(tree.locator(".dk-search-count")).to_contain_text("1/")
    book.until("view.current_node in view.find('beat 9c Tc')")
    tree.get_by_role("button", name=english_text("screen.tree.find.next")).click()
    expect(tree.locator(".dk-search-count")).to_contain_text("2/")
    expect(tree.locator(".dk-node[data-at]")).to_be_in_viewport()
    run_command(tree, english_text("screen.tree.close_all"))
    expect(nodes).to_have_count(1)
    assert book.axe(REGION) == []


@pytest.mark.release
def test_a_tree_without_a_kernel_says_so(notebook):
    """Running the cell again restores it."""
    book = notebook([TREE])
    tree = find_tree(book)
    expect(tree.get_by_role("treeitem").first).to_be_visible()
    book.restart_kernel()
    tree.get_by_role("tree").focus()
    book.page.keyboard.press("Enter")
    expect(tree.locator(".dk-refusal")).to_contain_text("kernel")
    book.run_all()
    expect(find_tree(book).get_by_role("treeitem").first).to_be_visible()
    expect(find_tree(book).locator(".dk-refusal")).not_to_be_visible()
