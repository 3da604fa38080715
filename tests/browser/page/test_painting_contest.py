"""A tournament as it is painted: begun, stopped, gone on with, looked into; for fingers, narrow pages, screen readers, by night; and its page for the wall."""

from __future__ import annotations

import pytest
from painted import AXE
from painted_contest import ContestPage, contests
from playwright.sync_api import expect

from durak_widget.arena import standings_page
from durak_widget.tournament_widget.widget import Tournament
from support.tournaments import HOSTILE, Running, of_four, of_many

pytestmark = pytest.mark.slow

SMALL = """() => [...document.querySelectorAll('.dk-tournament :is(button, select, summary)')].filter((one) => one.checkVisibility())
  .map((one) => [one.textContent, one.getBoundingClientRect().height]).filter(([, height]) => height < 43.5)"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
FAULTS = """async (where) => (await axe.run(where, { rules: { region: { enabled: false } } })).violations
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html]))"""


@pytest.fixture(scope="module")
def contest_page(pages):
    """A page in which the bundle of tournaments is loaded, and nothing else."""
    context = pages.context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    yield contests(context.new_page())
    context.close()


@pytest.fixture
def contest(contest_page: ContestPage):
    """That page; no error may happen in it."""
    problems: list[str] = []
    note = lambda error: problems.append(str(error))  # noqa: E731 - one line
    contest_page.page.on("pageerror", note)
    contest_page.page.emulate_media(color_scheme="light")
    contest_page.page.set_viewport_size({"width": 1200, "height": 900})
    yield contest_page
    contest_page.page.remove_listener("pageerror", note)
    assert problems == []


def test_it_is_begun_stopped_and_gone_on_with(contest):
    """One button that says what it does; the bar says how far it is; what changes is read aloud."""
    run = Running()
    tournament = Tournament(run)
    run.before = lambda: tournament.stop() if run.games_played == 400 else None
    contest.lay(tournament)
    bar = contest.page.get_by_role("progressbar", name="Games played")
    expect(bar).to_have_attribute("aria-valuenow", "0")
    contest.button("Begin").click()
    contest.until("stopped")
    expect(bar).to_have_attribute("aria-valuetext", "500 of 1000 games")
    assert contest.heard == "Stopped. What was played is kept. 500 of 1000 games"
    contest.button("Go on").click()
    contest.until("done")
    expect(bar).to_have_attribute("aria-valuenow", "1000")
    expect(contest.one(".dk-tournament-button")).to_be_hidden()
    assert contest.heard == "All games are played. 1000 of 1000 games"


def test_what_is_folded_away_is_drawn_when_it_is_opened(contest):
    """The matrix and the curve are asked for once; who has scrolled in the matrix stays there when it is drawn anew."""
    contest.lay(Tournament(Running(games_played=500)), 420)
    assert contest.page.locator("table").count() == 1
    contest.unfold("matrix")
    contest.unfold("course")
    assert [message["kind"] for message in contest.sent()] == ["open_part", "open_part"]
    expect(contest.page.get_by_role("region", name="Each against each")).to_be_visible()
    expect(contest.page.get_by_role("img", name="The ratings as games came in")).to_be_visible()
    box = contest.one(".a-wide")
    box.evaluate("(one) => { one.style.width = '100px'; one.scrollLeft = 40; one.focus(); }")
    contest.view.language = "lt"
    contest.tell()
    assert contest.page.evaluate("document.activeElement.className") == "a-wide"
    expect(contest.page.get_by_role("region", name="Kiekvienas su kiekvienu")).to_be_visible()


def test_a_game_is_found_and_laid_on_a_table_with_a_click(contest):
    """By who sat there, by twenties; the one that lies there is marked; cleared, none is."""
    tournament = Tournament(Running(games_played=500))
    contest.lay(tournament)
    contest.unfold("games")
    contest.page.get_by_label("Games of").select_option("Dora")
    contest.rest()
    contest.button("Later games").click()
    contest.rest()
    games = contest.one(".dk-tournament-game")
    assert all("Dora" in one for one in games.all_inner_texts())
    games.nth(3).focus()
    contest.page.keyboard.press("Enter")
    contest.rest()
    number = int(games.nth(3).get_attribute("data-game"))
    assert (tournament.opened_game, tournament.table.game.ply) == (number, 0)
    expect(games.nth(3)).to_have_attribute("aria-current", "true")
    contest.button("Clear the table").click()
    contest.rest()
    assert tournament.table is None
    assert contest.one("[aria-current]").count() == 0
    contest.button("Earlier games").click()
    contest.rest()
    expect(contest.button("Earlier games")).to_be_hidden()


def test_a_run_that_raises_says_so_and_python_that_is_gone_too(contest):
    """In red, beside what is kept."""
    contest.lay(Tournament(Running(fails_at=300)))
    contest.button("Begin").click()
    contest.until("failed")
    expect(contest.one(".dk-tournament-status")).to_have_text("It came to a halt: RuntimeError: the disk is full. What was played is kept.")
    contest.page.evaluate("window.gone = true")
    contest.button("Go on").click()
    expect(contest.page.get_by_role("alert")).to_have_text(
        "Python does not answer: nothing goes on here. What is seen is how it stood last."
    )


@pytest.mark.parametrize(("language", "dark"), [("lt", True)])
def test_a_telephone_shows_all_of_it(contest, language, dark):
    """Nothing to scroll sideways, whatever bots are called; room for fingers; nothing in the way of a screen reader."""
    contest.page.set_viewport_size({"width": 360, "height": 740})
    contest.page.emulate_media(color_scheme="dark" if dark else "light")
    contest.page.add_style_tag(content="body { margin: 8px; background: Canvas; color-scheme: light dark }")
    contest.lay(Tournament(Running(games_played=500, names=HOSTILE[:4]), language=language, theme="dark" if dark else "light"), 344)
    for part in ("matrix", "course", "games"):
        contest.unfold(part)
    assert contest.page.evaluate(SIDEWAYS) == 0
    contest.page.add_script_tag(path=AXE)
    assert contest.page.evaluate(FAULTS, ".dk-tournament") == []
    assert contest.page.locator("img, script[src]").count() == 0


def test_a_finger_finds_every_button(pages):
    """Where there is no finer pointer, each is 44 pixels high."""
    context = pages.context(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = contests(context.new_page())
    page.lay(Tournament(Running(games_played=500)), 828)
    page.unfold("games")
    assert page.page.evaluate(SMALL) == []
    assert page.page.evaluate(SIDEWAYS) == 0
    context.close()


@pytest.mark.release
@pytest.mark.parametrize(("width", "dark"), [(360, True), (1920, False)])
def test_the_page_for_the_wall_fits_the_wall_and_a_telephone(pages, width, dark):
    """Nothing to scroll sideways with four bots or thirty; names large enough to be read from the back of a room; nothing in the way of a screen reader."""
    context = pages.context(viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light")
    page = context.new_page()
    for result, least in ((of_four(), {360: 16, 1200: 24, 1920: 36}), (of_many(), {360: 16, 1200: 17, 1920: 23})):
        page.set_content(standings_page.render_page(result))
        assert page.evaluate(SIDEWAYS) == 0
        size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.a-places tbody th')).fontSize)")
        assert size >= least[width]
        if width >= 1200:
            assert page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.a-wide'))") == 0
        page.add_script_tag(path=AXE)
        assert page.evaluate(FAULTS, "body") == []
    context.close()
