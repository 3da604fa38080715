"""Test the tournament view: start, stop, sections, games, phones, accessibility and the wall page."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from rendered_table import AXE
from rendered_tournament import TournamentPage, load_tournament_page

from durak_widget.arena import standings_page
from durak_widget.tournament_widget.widget import Tournament
from support.spoken import english, english_text
from support.tournaments import HOSTILE, Running, of_four, of_many

pytestmark = pytest.mark.slow

SMALL = """() => [...document.querySelectorAll('.dk-tournament :is(button, select, summary)')].filter((one) => one.checkVisibility())
  .map((one) => [one.textContent, one.getBoundingClientRect().height]).filter(([, height]) => height < 43.5)"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
FAULTS = """async (where) => (await axe.run(where, { rules: { region: { enabled: false } } })).violations
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html]))"""


@pytest.fixture(scope="module")
def contest_page(pages):
    """Open a page with the tournament bundle."""
    context = pages.context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    yield load_tournament_page(context.new_page())
    context.close()


@pytest.fixture
def tournament_page(contest_page: TournamentPage):
    """Return that page. Fail on page errors."""
    problems: list[str] = []
    note = lambda error: problems.append(str(error))  # noqa: E731 - one line
    contest_page.page.on("pageerror", note)
    contest_page.page.emulate_media(color_scheme="light")
    contest_page.page.set_viewport_size({"width": 1200, "height": 900})
    yield contest_page
    contest_page.page.remove_listener("pageerror", note)
    assert problems == []


def test_a_tournament_is_started_stopped_and_continued(tournament_page):
    """One button. The progress bar follows, and changes are announced."""
    run = Running()
    tournament = Tournament(run)
    run.before = lambda: tournament.stop() if run.games_played == 400 else None
    tournament_page.mount(tournament)
    bar = tournament_page.page.get_by_role("progressbar", name=english_text("arena.progress"))
    expect(bar).to_have_attribute("aria-valuenow", "0")
    tournament_page.button(english_text("arena.begin")).click()
    tournament_page.until("stopped")
    expect(bar).to_have_attribute("aria-valuetext", "500 of 1000 games")
    assert tournament_page.heard == f"{english_text('arena.state.stopped')} 500 of 1000 games"
    tournament_page.button(english_text("arena.go_on")).click()
    tournament_page.until("done")
    expect(bar).to_have_attribute("aria-valuenow", "1000")
    expect(tournament_page.locate(".dk-tournament-button")).to_be_hidden()
    assert tournament_page.heard == f"{english_text('arena.state.done')} 1000 of 1000 games"


@pytest.mark.parametrize("games", [0, 500])
def test_the_last_number_of_the_scale_is_beside_the_next_heading(tournament_page, games):
    """Without games the column of points is narrow, and the 100 touched its heading."""
    tournament_page.mount(Tournament(Running(games_played=games)))
    gap = """() => {
      const text = document.createRange(), heading = document.querySelector('.dk-tournament .a-along').nextElementSibling;
      text.selectNodeContents(heading);
      return text.getBoundingClientRect().left - [...document.querySelectorAll('.dk-tournament .a-ticks span')].at(-1).getBoundingClientRect().right; }"""
    assert tournament_page.page.evaluate(gap) > 3


def test_sections_are_rendered_when_opened(tournament_page):
    """Matrix and curve are requested once. The scroll position of the matrix survives updates."""
    tournament_page.mount(Tournament(Running(games_played=500)), 420)
    assert tournament_page.page.locator("table").count() == 1
    tournament_page.unfold("matrix")
    tournament_page.unfold("course")
    assert [message["kind"] for message in tournament_page.sent()] == ["open_part", "open_part"]
    expect(tournament_page.page.get_by_role("region", name=english_text("arena.matrix"))).to_be_visible()
    expect(tournament_page.page.get_by_role("img", name=english_text("arena.course"))).to_be_visible()
    box = tournament_page.locate(".a-wide")
    box.evaluate("(one) => { one.style.width = '100px'; one.scrollLeft = 40; one.focus(); }")
    tournament_page.view.language = "lt"
    tournament_page.sync()
    assert tournament_page.page.evaluate("document.activeElement.className") == "a-wide"
    expect(tournament_page.page.get_by_role("region", name="Kiekvienas su kiekvienu")).to_be_visible()


def test_a_game_is_found_and_opened_by_a_click(tournament_page):
    """By player, twenty per page. The open game is marked."""
    tournament = Tournament(Running(games_played=500))
    tournament_page.mount(tournament)
    tournament_page.unfold("games")
    tournament_page.page.get_by_label(english_text("arena.look.whose")).select_option("Dora")
    tournament_page.rest()
    tournament_page.button(english_text("arena.look.later")).click()
    tournament_page.rest()
    games = tournament_page.locate(".dk-tournament-game")
    assert all("Dora" in text for text in games.all_inner_texts())
    games.nth(3).focus()
    tournament_page.page.keyboard.press("Enter")
    tournament_page.rest()
    number = int(games.nth(3).get_attribute("data-game"))
    assert (tournament.opened_game, tournament.table.game.ply) == (number, 0)
    expect(games.nth(3)).to_have_attribute("aria-current", "true")
    tournament_page.button(english_text("arena.look.away")).click()
    tournament_page.rest()
    assert tournament.table is None
    assert tournament_page.locate("[aria-current]").count() == 0
    tournament_page.button(english_text("arena.look.earlier")).click()
    tournament_page.rest()
    expect(tournament_page.button(english_text("arena.look.earlier"))).to_be_hidden()


def test_errors_and_a_lost_kernel_are_reported(tournament_page):
    """In red, beside the saved results."""
    tournament_page.mount(Tournament(Running(fails_at=300)))
    tournament_page.button(english_text("arena.begin")).click()
    tournament_page.until("failed")
    expect(tournament_page.locate(".dk-tournament-status")).to_have_text(english("arena.state.failed"))
    tournament_page.page.evaluate("window.gone = true")
    tournament_page.button(english_text("arena.go_on")).click()
    expect(tournament_page.page.get_by_role("alert")).to_have_text(english_text("arena.dead"))


@pytest.mark.parametrize(("language", "dark"), [("lt", True)])
def test_a_tournament_fits_a_phone(tournament_page, language, dark):
    """Nothing scrolls sideways, whatever the bots' names. No axe violation."""
    tournament_page.page.set_viewport_size({"width": 360, "height": 740})
    tournament_page.page.emulate_media(color_scheme="dark" if dark else "light")
    tournament_page.page.add_style_tag(content="body { margin: 8px; background: Canvas; color-scheme: light dark }")
    tournament_page.mount(
        Tournament(Running(games_played=500, names=HOSTILE[:4]), language=language, theme="dark" if dark else "light"), 344
    )
    for part in ("matrix", "course", "games"):
        tournament_page.unfold(part)
    assert tournament_page.page.evaluate(SIDEWAYS) == 0
    tournament_page.page.add_script_tag(path=AXE)
    assert tournament_page.page.evaluate(FAULTS, ".dk-tournament") == []
    assert tournament_page.page.locator("img, script[src]").count() == 0


def test_every_target_is_large_enough_for_touch(pages):
    """44 pixels with a coarse pointer."""
    context = pages.context(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = load_tournament_page(context.new_page())
    page.mount(Tournament(Running(games_played=500)), 828)
    page.unfold("games")
    assert page.page.evaluate(SMALL) == []
    assert page.page.evaluate(SIDEWAYS) == 0
    context.close()


@pytest.mark.release
@pytest.mark.parametrize(("width", "dark"), [(360, True), (1920, False)])
def test_the_wall_page_fits_a_projector_and_a_phone(pages, width, dark):
    """With four or thirty bots. Names are legible from afar. No axe violation."""
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
