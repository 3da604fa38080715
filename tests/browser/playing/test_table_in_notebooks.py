"""Test the table in notebooks: changes from Python, two views, reloading, no kernel, Notebook 7 and print."""

from __future__ import annotations

import json

import pytest
from human_player import IMPORTS, HumanPlayer, open_table
from playwright.sync_api import expect

from support.spoken import english, english_text


@pytest.mark.slow
def test_changes_from_python_appear_on_the_page(notebook):
    """`table.play`, `table.game = …`, `table.rules = …`, `table.seat = …`. Callbacks are called."""
    person = open_table(notebook, "seed=7")
    book, table = person.book, person.table
    book.execute("heard = []; table.on_move(heard.append); table.play('attack Jc')")
    expect(table.get_by_role("img", name=english_text("screen.unbeaten", card="jack of clubs"))).to_be_visible()
    assert book.python("[str(played) for played in heard]") == ["attack Jc"]
    book.execute("table.game = Game.from_position(hands=['6c', '7c 8d'], table='7d')")
    expect(table.get_by_role("img", name=english_text("screen.unbeaten", card="7 of diamonds"))).to_be_visible()
    book.execute("table.rules = Rules(players=5)")
    expect(table.locator(".dk-seat")).to_have_count(4)
    book.execute("table.seat = 2")
    expect(table.get_by_role("img", name="Player 4, 6 cards")).to_be_visible()
    book.execute(
        "table.on_move(lambda played: 1 / 0); table.seat = 0\nif table.players[table.game.actor] == 'you': table.play(table.game.legal_moves()[0])\nelse: table.step()"
    )
    expect(table.locator(".dk-bubble[data-kind=error]")).to_contain_text("ZeroDivisionError")


@pytest.mark.slow
def test_views_share_a_game_and_survive_reloading(notebook):
    """Two cells with one table show one game. Another table has its own."""
    book = notebook(
        [f"{IMPORTS}\ntable = Table(seed=7, pace=60000)\ntable", "table", "other = Table('econ431', seed=5, pace=60000)\nother"]
    )
    first, second = HumanPlayer(book, n=0), HumanPlayer(book, n=1)
    other = book.table(2)
    card = first.legal()[0].split()[1]
    first.press(first.card(card))
    book.until("table.game.ply == 1")
    for view in (first, second):
        expect(view.table).to_have_attribute("data-ply", "1")
    expect(other).to_have_attribute("data-ply", "0")
    second.press(second.button(english_text("screen.undo")))
    book.until("table.game.ply == 0")
    expect(first.table).to_have_attribute("data-ply", "0")
    book.save()
    book.reload()
    for n in range(3):
        expect(book.table(n)).to_have_attribute("data-ply", "0")
    again = HumanPlayer(book, n=1)
    again.press(again.card(card))  # the undone move again, so no question
    book.until("table.game.ply == 1")
    expect(book.table(0)).to_have_attribute("data-ply", "1")


@pytest.mark.slow
def test_a_table_without_a_kernel_says_what_to_do(notebook):
    """At once after a restart. The reopened notebook shows the picture."""
    person = open_table(notebook, "seed=7")
    expect(person.page.locator(".durak-picture")).to_be_hidden()
    person.book.restart_kernel()
    expect(person.table.locator(".dk-prompt")).to_have_text(english_text("screen.gone"))
    person.book.run_all()
    expect(person.table.locator(".dk-prompt")).to_have_text(english_text("call.open"))
    person.book.save()
    person.book.expects("widget model not found")
    person.book.restart_kernel()
    person.book.reload()
    expect(person.page.get_by_text("model not found")).to_be_visible()  # JupyterLab's own messages
    expect(person.page.locator(".durak-picture")).to_contain_text(english("table.picture"))
    expect(person.page.locator(".durak-picture img")).to_be_visible()


@pytest.mark.release
def test_an_untrusted_notebook_hides_the_picture_of_a_live_table(notebook):
    """Its outputs are rendered again."""
    person = open_table(notebook, "seed=7")
    book = person.book
    book.save()
    stored = json.loads(book.file.read_text(encoding="utf-8"))
    for cell in stored["cells"]:
        cell["metadata"].pop("trusted", None)
        cell["outputs"] = [output for output in cell["outputs"] if "text/html" in output.get("data", {})]
        for output in cell["outputs"]:  # like a notebook from another machine: not trusted here
            output["data"]["text/html"][0] = output["data"]["text/html"][0].replace("durak-picture", "durak-picture durak-old", 1)
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
def test_the_table_works_in_notebook_7(notebook):
    """The table works in notebook 7."""
    book = notebook([f"{IMPORTS}\ntable = Table(seed=7, pace=60000)\ntable"], app="notebook")
    person = HumanPlayer(book)
    person.press(person.card(person.legal()[0].split()[1]))
    book.until("table.game.ply == 1")
    expect(person.table).to_have_attribute("data-ply", "1")


@pytest.mark.release
def test_a_closed_table_removes_its_listeners_and_nodes(notebook):
    """When its output is removed."""
    book = notebook([f"{IMPORTS}\nfrom IPython.display import clear_output, display\ntable = Table(seed=7, pace=60000)", "display(table)"])
    person = HumanPlayer(book)
    expect(person.table).to_be_visible()
    client = book.page.context.new_cdp_session(book.page)
    client.send("Performance.enable")

    def counted() -> tuple[float, float]:
        client.send("HeapProfiler.collectGarbage")
        found = {metric["name"]: metric["value"] for metric in client.send("Performance.getMetrics")["metrics"]}
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


# Regressions


@pytest.mark.slow
def test_the_picture_is_printed(notebook):
    """With its height, also before the live table could hide it."""
    book = notebook([f"{IMPORTS}\nfrom IPython.display import display\ndisplay(Table(seed=7)._build_static_bundle(), raw=True)"])
    book.page.emulate_media(media="print")
    height = book.page.locator(".durak-picture").first.evaluate("one => one.getBoundingClientRect().height")
    book.page.emulate_media(media="screen")  # the page is reused
    assert height > 100
