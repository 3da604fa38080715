"""Test a tree in JupyterLab with its table beside it, and its static picture."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.spoken import english, english_text

CELL = """from durak_widget import Game, analysis, board
ending = analysis.build_tree_from_position(Game.from_position(hands=["6c 8d", "7c"], trump="h"), open_hands=True)
view = board.Tree(ending, depth=9)
view"""
ASKED = """from durak_widget import Rules, analysis, lessons
rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", attack_limit=1, first_attacker="left_of_dealer")
quiz = lessons.Strategy(analysis.build_game_tree(rules, dealer=1), player=0)
quiz"""


@pytest.mark.slow
def test_the_costliest_move_of_a_strategy_opens_beside_the_tree(notebook):
    """With a sentence, at the moment of the move. Nothing above moves. On a phone it is below. The next try closes it."""
    book = notebook([ASKED], viewport=(1300, 900), reduced_motion=True)
    page, tree, table = book.page, book.page.locator(".dk-board"), book.table()
    sheet = page.locator(".dk-exercise")
    expect(tree.locator(".dk-node[data-at]")).to_be_in_viewport()
    place = sheet.bounding_box()
    sheet.get_by_role("button", name=english_text("screen.check"), exact=True).click()
    expect(table).to_be_visible()
    assert sheet.bounding_box() == place
    expect(tree.locator(".dk-node[data-at]")).to_be_in_viewport()
    said = page.get_by_text(english("lesson.strategy.laid.other", lost="1/6"))
    expect(said).to_have_text(book.python("quiz.view._table_panel._line.sentence"))
    left, right, above = tree.bounding_box(), table.bounding_box(), said.bounding_box()
    assert left["x"] + left["width"] <= right["x"]
    assert above["x"] >= left["x"] + left["width"]
    assert 0 <= right["y"] - above["y"] - above["height"] < 20
    ply = int(table.get_attribute("data-ply"))
    table.get_by_role("button", name=english_text("screen.next")).click()
    expect(table).to_have_attribute("data-ply", str(ply + 1))
    page.set_viewport_size({"width": 400, "height": 800})
    below = """([tree, said, table]) => tree.getBoundingClientRect().bottom <= said.getBoundingClientRect().top
        && said.getBoundingClientRect().top < table.getBoundingClientRect().top && table.getBoundingClientRect().left < 120"""
    page.wait_for_function(below, arg=[tree.element_handle(), said.element_handle(), table.element_handle()])
    sheet.get_by_role("button", name=english_text("screen.again"), exact=True).click()
    expect(table).to_have_count(0)
    expect(said).to_have_count(0)
    expect(tree).to_be_visible()


@pytest.mark.release
def test_a_tree_and_its_table_are_side_by_side_and_leave_a_picture(notebook):
    """A live tree hides its picture. Both return on reload, and the picture without a kernel."""
    book = notebook([CELL], viewport=(1300, 900))
    page, tree, table = book.page, book.page.locator(".dk-board"), book.table()
    expect(tree).to_be_visible()
    expect(page.locator(".durak-picture")).to_be_hidden()
    assert tree.bounding_box()["width"] > 800
    book.execute("view.open_on_table(1)")
    expect(table).to_be_visible()
    expect(table).to_have_attribute("data-ply", "1")
    left, right = tree.bounding_box(), table.bounding_box()
    assert left["x"] + left["width"] <= right["x"]
    assert abs(left["y"] - right["y"]) < 40
    assert min(left["width"], right["width"]) > 400
    page.set_viewport_size({"width": 700, "height": 900})
    page.wait_for_function("() => document.querySelector('section.dk:not(.dk-board)').getBoundingClientRect().left < 120")
    above, below = tree.bounding_box(), table.bounding_box()
    assert above["y"] + above["height"] <= below["y"]
    book.execute("view.go_to(2)")
    book.save()
    book.reload()
    expect(tree).to_be_visible()
    expect(book.table()).to_be_visible()
    book.execute("view.close()")
    expect(page.locator("section.dk")).to_have_count(0)
    book.expects("widget model not found")
    book.reload()
    expect(page.locator(".durak-picture img")).to_be_visible()
    expect(page.locator(".durak-picture")).to_contain_text(english_text("tree.picture"))
    expect(page.get_by_text("model not found")).to_be_visible()  # JupyterLab checks for two seconds, and its messages belong to this test
