"""Test a tournament in JupyterLab: two views, one of its games on a table, reopening, and no kernel."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.spoken import english, english_text

CELL = f"""import sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from threading import Event
from support.tournaments import Running
from durak_widget.tournament_widget.widget import Tournament
held, run = Event(), Running()
run.before = lambda: held.wait(60) if run.games_played == 400 else None
contest = Tournament(run)
contest"""


@pytest.mark.release
def test_a_tournament_runs_in_the_background_and_survives_reloading(notebook):
    """The kernel stays responsive, views agree, a game opens by a click, and without a kernel the standings remain."""
    book = notebook([CELL, "contest"], viewport=(1200, 1000), reduced_motion=True)
    page, views = book.page, book.page.locator("section.dk-tournament")
    expect(views).to_have_count(2)
    first = views.first
    first.get_by_role("button", name=english_text("arena.begin"), exact=True).click()
    for view in (first, views.last):
        expect(view.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "400")
    assert book.python("contest.state") == "playing"
    first.get_by_role("button", name=english_text("screen.learning.stop"), exact=True).click()
    expect(views.last.get_by_role("button", name=english_text("screen.learning.on"), exact=True)).to_be_visible()
    book.execute("held.set()")
    expect(views.last).to_have_attribute("data-state", "stopped")
    book.save()
    book.reload()
    expect(first).to_have_attribute("data-state", "stopped")
    expect(first.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "500")
    first.get_by_text(english_text("arena.look")).click()
    first.get_by_role("button", name=english_text("arena.look.line", game="2", bots="Dora 1, Cem 0")).click()
    table = page.locator("section.dk:not(.dk-tournament)").first
    expect(table).to_be_visible()
    seated = ", ".join(english_text("arena.look.seated", number=seat, bot=bot) for seat, bot in ((1, "Dora"), (2, "Cem")))
    expect(page.get_by_text(english_text("arena.look.line", game="2", bots=seated)).first).to_be_visible()
    table.get_by_role("button", name=english_text("screen.next")).click()
    expect(table).to_have_attribute("data-ply", "1")
    first.get_by_role("button", name=english_text("screen.learning.on"), exact=True).click()
    expect(views.last).to_have_attribute("data-state", "done")
    book.execute("contest.close()")
    expect(views).to_have_count(0)
    book.expects("widget model not found")
    book.save()
    book.reload()
    expect(page.locator(".durak-picture").first).to_contain_text(english("arena.live.note"))
    expect(page.locator(".durak-picture th[scope=row]").first).to_have_text("Ann")
    expect(page.get_by_text("model not found").first).to_be_visible()


SHOWN = """from durak_widget import arena
ranking = arena.play({"a rather long name of a bot": "careful", "first": "first", "random": "random"}, games=60)
ranking"""


@pytest.mark.release
def test_standings_are_readable_in_a_notebook(notebook):
    """JupyterLab's table style does not apply. On a phone a chart scrolls instead of shrinking."""
    book = notebook([SHOWN, "ranking.plot()"], viewport=(360, 740))
    for width in (360, 844):
        book.page.set_viewport_size({"width": width, "height": 740})
        table = book.page.locator(".a-places").first
        expect(table).to_be_visible()
        assert table.evaluate("(one) => getComputedStyle(one).tableLayout") == "auto"
        assert table.locator("th[scope=row]").first.evaluate("(one) => getComputedStyle(one).textAlign") == "start"
        assert table.evaluate("(one) => one.scrollWidth <= one.parentElement.clientWidth + 1")
        overlaps = """(one) => [...one.tBodies[0].rows].flatMap(({ cells }) => [...cells].filter((cell) => cell.checkVisibility())
          .map((cell, i, all) => i && cell.getBoundingClientRect().left < all[i - 1].getBoundingClientRect().left + all[i - 1].scrollWidth - 1)).filter(Boolean).length"""
        assert table.evaluate(overlaps) == 0
    assert book.page.locator("svg.durak-arena").first.evaluate("(one) => one.getBoundingClientRect().width") >= 500
