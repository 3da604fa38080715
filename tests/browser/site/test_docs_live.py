"""Pictures of the docs come alive: over each lies a table or a blackboard that sleeps until it is touched; without scripts, and on paper, the picture stays."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from painted import AXE
from playwright.sync_api import expect
from served import served
from visiting import AWAKE

import docs_live
from durak_widget import Game

ROOT = Path(__file__).resolve().parents[3]
PICTURES = ROOT / "docs" / "images"
PAGES = {
    "index.html": ["table"],
    "reference/presets/perevodnoy.html": ["perevodnoy"],
    "docs/textbook-games.html": ["board-kuhn"],
    "docs/matrices.html": ["board-opera"],
}
"""Pages with pictures, as Sphinx lays them."""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def bare(up, pictures):
    """As much of a page of the docs as matters here."""
    shown = "".join(f'<p><img alt="What {one} shows" src="{up}_images/{one}.svg" /></p>' for one in pictures)
    return f'<!doctype html><html lang="en"><head><title>Docs</title><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{up}_static/site.css"></head><body data-theme="auto"><main><h1>Docs</h1>{shown}<p>And more.</p></main></body></html>'


@pytest.fixture(scope="module")
def docs(folder):
    """Pages of the docs beside the page to play; their servers let them do what docs do."""
    for path, pictures in PAGES.items():
        page = folder / path
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(bare("../" * path.count("/"), pictures), encoding="utf-8")
    for name in ("_images", "_static"):
        (folder / name).mkdir()
    for picture in PICTURES.glob("*.svg"):
        shutil.copy(picture, folder / "_images")
    (folder / "_images" / "perevodnoy.svg").write_text(Game("perevodnoy", seed=1).svg(0), encoding="utf-8")
    shutil.copy(ROOT / "docs" / "site" / "_static" / "site.css", folder / "_static")
    assert sorted(docs_live.enliven(folder)) == sorted(PAGES)
    return folder


@pytest.fixture(scope="module")
def site(docs):
    """All of it, handed out under some path."""
    with served(docs, policy=False) as one:
        yield one


def live(page):
    """What lies over the first picture, once there is something to see."""
    page.locator("figure.live").first.scroll_into_view_if_needed()
    page.locator("figure.live iframe[data-seen]").first.wait_for()
    return page.frame_locator("figure.live iframe").first


def shift(page):
    """How much of what one sees has jumped since the page was opened."""
    return page.evaluate(
        """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value; }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 100);
})"""
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "visitor",
    [pytest.param({**PHONE, "color_scheme": "dark"}, id="phone by night")],
    indirect=True,
)
def test_the_table_of_the_front_page_is_played(visitor, site):
    """It is painted without Python; a card wakes it, and is played. Nothing jumped, and nothing of Python was fetched before."""
    before = len(site.asked)
    page = visitor.look("index.html")
    frame = live(page)
    table = frame.locator("section.dk")
    expect(table).to_have_attribute("data-ply", "0")
    expect(table).to_have_attribute("data-page", "dark" if page.viewport_size["width"] < 400 else "light")
    assert shift(page) < 0.01
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    assert frame.locator("#files-button").is_hidden()
    assert not page.workers
    assert not any("python/" in name for name in site.asked[before:])
    frame.locator(".dk-hand [data-card]").first.click()
    expect(table).not_to_have_attribute("data-ply", "0", timeout=90_000)


@pytest.mark.release
def test_whoever_only_passes_by_fetches_no_python(visitor, site):
    """The Tab key leads into the table and out of it, the wheel over it: neither wakes it. It is named for who hears the page."""
    page = visitor.look("index.html")
    frame = live(page)
    assert page.locator("iframe").get_attribute("title") == "A table of Durak"
    page.locator("figure.live iframe").hover()
    page.mouse.wheel(0, 40)
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "IFRAME"
    assert frame.locator(AWAKE).count() == 0
    assert not page.workers
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "axe.run({ iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))"
    )
    assert found == []


@pytest.mark.release
def test_day_and_night_are_those_of_the_docs(visitor):
    """Their switch is followed at once, whatever the system prefers."""
    page = visitor.look("index.html")
    table = live(page).locator("section.dk")
    for theme, shown in (("dark", "dark"), ("light", "light"), ("dark", "dark"), ("auto", "light")):
        page.evaluate("(theme) => { document.body.dataset.theme = theme; }", theme)
        expect(table).to_have_attribute("data-page", shown)


@pytest.mark.release
def test_a_preset_is_played_where_it_is_told_of(visitor):
    """At a click: by its rules, with the cards of the picture, and the keyboard is there."""
    page = visitor.look("reference/presets/perevodnoy.html")
    assert page.locator("iframe").count() == 0
    page.get_by_role("button", name="Play it here").click()
    frame = live(page)
    expect(frame.get_by_role("button", name=re.compile("Perevodnoy", re.IGNORECASE)).first).to_be_visible()
    hand = frame.locator(".dk-hand [data-card]").evaluate_all("(cards) => cards.map((one) => one.dataset.card)")
    assert set(hand) == {str(card) for card in Game("perevodnoy", seed=1).hands[0]}
    expect(page.get_by_role("button", name="Play it here")).to_have_count(0)
    assert page.evaluate("document.activeElement.tagName") == "IFRAME"


@pytest.mark.slow
def test_a_tree_unfolds(visitor):
    """What is painted is what was stored; a press on a place wakes Python, which unfolds it; and folds it again."""
    page = visitor.look("docs/textbook-games.html")
    frame = live(page)
    places = frame.get_by_role("treeitem")
    expect(places).to_have_count(7)
    assert not page.workers
    places.nth(1).click()
    expect(places).to_have_count(9, timeout=90_000)
    page.keyboard.press("Enter")
    expect(places).to_have_count(7)


@pytest.mark.release
def test_a_matrix_is_struck_and_solved(visitor):
    """Its equilibria are listed, and it has as much room as it needs then."""
    page = visitor.look("docs/matrices.html")
    frame = live(page)
    before = page.locator("figure.live").bounding_box()["height"]
    frame.get_by_role("button", name="Equilibria").click()
    expect(frame.get_by_text("3/5 opera + 2/5 match; Bob: 2/5 opera + 3/5 match")).to_be_visible(timeout=90_000)
    page.wait_for_function("(before) => document.querySelector('figure.live').offsetHeight > before", arg=before)


@pytest.mark.slow
def test_a_blackboard_alone_opens_what_a_link_says(visitor):
    """A tree in Lithuanian; a table beside it; then nonsense, which says so and leaves all as it is."""
    page = visitor.look("play/board.html#position=6c 8d | 7c 9h; trump h&open_hands=yes&depth=1&language=lt")
    page.wait_for_selector(AWAKE)
    expect(page.get_by_role("link", name="Pamokos")).to_be_visible()
    places = page.get_by_role("treeitem")
    expect(places).to_have_count(3)
    page.get_by_role("tree").focus()
    page.keyboard.press("t")
    expect(page.locator("#side-panels section.dk")).to_be_visible()
    page.evaluate("location.hash = 'game=<img src=x onerror=alert(1)>'")
    said = page.get_by_role("alert").filter(has_text="<img src=x")
    expect(said).to_be_visible()
    assert said.locator("img").count() == 0
    expect(places).to_have_count(3)
    page.evaluate("location.hash = 'game=kuhn&depth=1'")
    expect(places).to_have_count(7)
    expect(page.locator("#side-panels section.dk")).to_have_count(0)


@pytest.mark.release
def test_a_blackboard_without_a_game_lists_those_that_there_are(visitor):
    """A click opens one."""
    page = visitor.look("play/board.html")
    games = page.locator("main").get_by_role("link")
    expect(games).to_have_count(13)
    expect(page.get_by_role("alert")).to_be_hidden()
    games.filter(has_text="Kuhn").click()
    expect(page.get_by_role("tree")).to_be_visible(timeout=90_000)
    expect(games).to_have_count(0)


@pytest.mark.release
def test_a_link_to_no_blackboard_says_so_and_leads_to_one_that_is_there(visitor):
    """Where nothing lies yet, a way on stands below the sentence; where something does, nothing but the sentence, which goes when it has been read."""
    page = visitor.look("play/board.html#game=nothing&language=lt")
    said = page.get_by_role("alert")
    expect(said).to_contain_text("Nuorodos atverti negalima. Vadovėlių žaidimo „nothing“ čia nėra.")
    said.get_by_role("link", name="Vietoj to atverti Kuhno pokerio medį").click()
    expect(page.get_by_role("tree")).to_be_visible()
    expect(said).to_be_hidden()
    page.clock.install()
    page.evaluate("location.hash = 'game=none'")
    expect(said).to_contain_text("„none“")
    expect(said.get_by_role("link")).to_have_count(0)
    page.clock.fast_forward(12_000)
    expect(said).to_be_hidden()
    expect(page.get_by_role("tree")).to_be_visible()


@pytest.mark.release
@pytest.mark.parametrize("visitor", [{"java_script_enabled": False}], indirect=True)
@pytest.mark.parametrize("path", [next(iter(PAGES))])
def test_without_scripts_there_is_the_picture_and_a_link(visitor, path):
    """As wide as it may be, and nothing empty around it."""
    page = visitor.look(path)
    picture = page.locator("figure.live img")
    expect(picture).to_be_visible()
    assert picture.evaluate("(one) => one.complete && one.naturalWidth > 0")
    assert page.locator("iframe, button").count() == 0
    place, shown = page.locator(".live-place").bounding_box(), picture.bounding_box()
    assert abs(place["height"] - shown["height"]) < 2
    expect(page.locator(".live-told")).to_have_count(0) if "presets" in path else expect(page.locator(".live-told")).to_be_hidden()
    expect(page.locator("figcaption a")).to_have_attribute("href", re.compile(r"play/(index|board)\.html"))


@pytest.mark.release
@pytest.mark.parametrize("path", [next(iter(PAGES))])
def test_on_paper_there_is_the_picture(visitor, path):
    """What is live, and what could be pressed, is not printed."""
    page = visitor.look(path)
    if not page.locator("figure.live[data-ask]").count():
        live(page)
    page.emulate_media(media="print")
    expect(page.locator("figure.live img")).to_be_visible()
    expect(page.locator("figure.live :is(iframe, button)").first).to_be_hidden()
    expect(page.locator("figcaption")).to_be_hidden()
    place, shown = page.locator(".live-place").bounding_box(), page.locator("figure.live img").bounding_box()
    assert abs(place["height"] - shown["height"]) < 2
