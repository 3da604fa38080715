"""A tree in a real JupyterLab: live where it is run, with its table beside it, and a picture where nothing is."""

from __future__ import annotations

from playwright.sync_api import expect

CELL = """from durak_widget import Game, theory
ending = theory.build_from(Game.from_position(hands=["6c 8d", "7c"], trump="h"), open_hands=True)
view = theory.Tree(ending, depth=9)
view"""


def test_a_tree_and_its_table_stand_side_by_side_and_leave_a_picture(notebook):
    """The live tree hides its picture; the table stands beside it, below it where it is narrow; both come back with the page, and the picture without a kernel."""
    book = notebook([CELL], viewport=(1300, 900))
    page, tree, table = book.page, book.page.locator(".dk-board"), book.table()
    expect(tree).to_be_visible()
    expect(page.locator(".durak-picture")).to_be_hidden()
    assert tree.bounding_box()["width"] > 800
    book.execute("view.play(1)")
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
    book.execute("view.look(2)")
    book.save()
    book.reload()
    expect(tree).to_be_visible()
    expect(book.table()).to_be_visible()
    book.execute("view.close()")
    expect(page.locator("section.dk")).to_have_count(0)
    book.expects("widget model not found")
    book.reload()
    expect(page.locator(".durak-picture img")).to_be_visible()
    expect(page.locator(".durak-picture")).to_contain_text("A picture of the tree. To unfold it, run this cell.")
    expect(
        page.get_by_text("model not found")
    ).to_be_visible()  # JupyterLab looks for two seconds: what it says then is of this test, not of the next
