"""The table in notebooks: moved from Python, shown twice, loaded again, without its kernel, in Notebook 7 and in print."""

from __future__ import annotations

import json

import pytest
from person import IMPORTS, Person, laid
from playwright.sync_api import expect


@pytest.mark.slow
def test_python_moves_the_cards_on_the_page(notebook):
    """`table.play`, `table.game = …`, `table.rules = …`, `table.seat = …`: the page follows, and callbacks are called."""
    person = laid(notebook, "seed=7")
    book, table = person.book, person.table
    book.execute("heard = []; table.on_move(heard.append); table.play('attack Jc')")
    expect(table.get_by_role("img", name="jack of clubs, not beaten")).to_be_visible()
    assert book.python("[str(played) for played in heard]") == ["attack Jc"]
    book.execute("table.game = Game.from_position(hands=['6c', '7c 8d'], table='7d')")
    expect(table.get_by_role("img", name="7 of diamonds, not beaten")).to_be_visible()
    book.execute("table.rules = Rules(players=5)")
    expect(table.locator(".dk-seat")).to_have_count(4)
    book.execute("table.seat = 2")
    expect(table.get_by_role("img", name="Player 4, 6 cards")).to_be_visible()
    book.execute(
        "table.on_move(lambda played: 1 / 0); table.seat = 0\nif table.players[table.game.actor] == 'you': table.play(table.game.legal_moves()[0])\nelse: table.step()"
    )
    expect(table.locator(".dk-bubble[data-kind=error]")).to_contain_text("ZeroDivisionError")


@pytest.mark.slow
def test_two_views_a_second_table_and_a_reload(notebook):
    """One table in two cells shows one game; another table another; after a reload all are there again, and play."""
    book = notebook(
        [f"{IMPORTS}\ntable = Table(seed=7, pace=60000)\ntable", "table", "other = Table('econ431', seed=5, pace=60000)\nother"]
    )
    one, two = Person(book, n=0), Person(book, n=1)
    other = book.table(2)
    card = one.legal()[0].split()[1]
    one.press(one.card(card))
    book.until("table.game.ply == 1")
    for view in (one, two):
        expect(view.table).to_have_attribute("data-ply", "1")
    expect(other).to_have_attribute("data-ply", "0")
    two.press(two.button("Undo"))
    book.until("table.game.ply == 0")
    expect(one.table).to_have_attribute("data-ply", "0")
    book.save()
    book.reload()
    for n in range(3):
        expect(book.table(n)).to_have_attribute("data-ply", "0")
    again = Person(book, n=1)
    again.press(again.card(card))  # just the move that was undone: nothing to ask
    book.until("table.game.ply == 1")
    expect(book.table(0)).to_have_attribute("data-ply", "1")


@pytest.mark.slow
def test_a_table_whose_kernel_is_gone_says_what_to_do(notebook):
    """After a restart the table says so at once; the notebook opened again shows the picture, and what to do."""
    person = laid(notebook, "seed=7")
    expect(person.page.locator(".durak-picture")).to_be_hidden()
    person.book.restart_kernel()
    expect(person.table.locator(".dk-prompt")).to_have_text("The kernel of this table is gone. Run the cell again to play.")
    person.book.run_all()
    expect(person.table.locator(".dk-prompt")).to_have_text("Your turn: open with any card.")
    person.book.save()
    person.book.expects("widget model not found")
    person.book.restart_kernel()
    person.book.reload()
    expect(person.page.get_by_text("model not found")).to_be_visible()  # what JupyterLab itself has to say
    expect(person.page.locator(".durak-picture")).to_contain_text("To play, run this cell.")
    expect(person.page.locator(".durak-picture img")).to_be_visible()


@pytest.mark.release
def test_a_notebook_from_elsewhere_shows_no_picture_beside_the_live_table(notebook):
    """What it stored is not trusted; run there, its outputs are drawn once more, and the picture is hidden all the same."""
    person = laid(notebook, "seed=7")
    book = person.book
    book.save()
    stored = json.loads(book.file.read_text(encoding="utf-8"))
    for cell in stored["cells"]:
        cell["metadata"].pop("trusted", None)
        cell["outputs"] = [one for one in cell["outputs"] if "text/html" in one.get("data", {})]
        for one in cell["outputs"]:  # as made by another version: nothing that was signed here
            one["data"]["text/html"][0] = one["data"]["text/html"][0].replace("durak-picture", "durak-picture durak-old", 1)
    book.file.write_text(json.dumps(stored), encoding="utf-8")
    book.restart_kernel()
    book.reload()
    expect(book.page.locator(".durak-old img")).to_be_visible()
    book.run_all()
    expect(book.table()).to_be_visible()
    expect(book.page.locator(".durak-picture")).to_have_css("display", "none")
    book.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(book.page.locator(".durak-picture")).to_have_css("display", "none")


@pytest.mark.slow
def test_notebook_7_plays_too(notebook):
    """The same table in Notebook 7."""
    book = notebook([f"{IMPORTS}\ntable = Table(seed=7, pace=60000)\ntable"], app="notebook")
    person = Person(book)
    person.press(person.card(person.legal()[0].split()[1]))
    book.until("table.game.ply == 1")
    expect(person.table).to_have_attribute("data-ply", "1")


@pytest.mark.release
def test_closing_leaves_nothing_behind(notebook):
    """When its output goes, a table lets go of every listener outside of itself, and of every node."""
    book = notebook([f"{IMPORTS}\nfrom IPython.display import clear_output, display\ntable = Table(seed=7, pace=60000)", "display(table)"])
    person = Person(book)
    expect(person.table).to_be_visible()
    client = book.page.context.new_cdp_session(book.page)
    client.send("Performance.enable")

    def counted() -> tuple[float, float]:
        client.send("HeapProfiler.collectGarbage")
        found = {one["name"]: one["value"] for one in client.send("Performance.getMetrics")["metrics"]}
        return found["Nodes"], found["JSEventListeners"]

    def again() -> None:
        book.run_all()
        expect(book.page.locator("section.dk")).to_have_count(1)

    again()
    nodes, listeners = counted()
    for _ in range(8):
        again()
    more_nodes, more_listeners = counted()
    assert more_nodes - nodes < 8 * 150
    assert more_listeners - listeners < 8 * 40


# What went wrong once


@pytest.mark.slow
def test_the_picture_is_there_in_print(notebook):
    """Printed at once, before the live table could have hidden it, the picture has its height."""
    book = notebook([f"{IMPORTS}\nfrom IPython.display import display\ndisplay(Table(seed=7)._build_static_bundle(), raw=True)"])
    book.page.emulate_media(media="print")
    height = book.page.locator(".durak-picture").first.evaluate("one => one.getBoundingClientRect().height")
    book.page.emulate_media(media="screen")  # the page is used again
    assert height > 100
