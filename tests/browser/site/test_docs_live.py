"""Test live widgets in the docs: they sleep until touched, and without scripts or on paper the picture stays."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from file_server import serve
from playwright.sync_api import expect
from rendered_table import AXE
from visitor import AWAKE

import docs_live
from durak_widget import Game
from durak_widget.i18n import Translator
from support.spoken import english_text

ROOT = Path(__file__).resolve().parents[3]
PICTURES = ROOT / "docs" / "images"
PAGES = {
    "index.html": ["table"],
    "reference/presets/perevodnoy.html": ["perevodnoy"],
    "docs/textbook-games.html": ["board-kuhn"],
    "docs/matrices.html": ["board-opera"],
}
"""Pages with pictures, as Sphinx makes them."""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def make_docs_page(up, pictures):
    """Return a minimal page of the docs."""
    paragraphs = "".join(f'<p><img alt="What {picture} shows" src="{up}_images/{picture}.svg" /></p>' for picture in pictures)
    return f'<!doctype html><html lang="en"><head><title>Docs</title><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{up}_static/site.css"></head><body data-theme="auto"><main><h1>Docs</h1>{paragraphs}<p>And more.</p></main></body></html>'


@pytest.fixture(scope="module")
def docs(folder):
    """Build pages of the docs beside the page to play, with the policy of the docs."""
    for path, pictures in PAGES.items():
        page = folder / path
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(make_docs_page("../" * path.count("/"), pictures), encoding="utf-8")
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
    """Serve all of it under a path."""
    with serve(docs, policy=False) as server:
        yield server


def first_widget(page):
    """Return the widget over the first picture, once it is visible."""
    page.locator("figure.live").first.scroll_into_view_if_needed()
    page.locator("figure.live iframe[data-seen]").first.wait_for()
    return page.frame_locator("figure.live iframe").first


def layout_shift(page):
    """Return the layout shift since the page was opened."""
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
def test_the_table_of_the_front_page_works(visitor, site):
    """It is rendered without Python. A card starts Python and is played. Nothing shifts, and Python was not fetched before."""
    before = len(site.asked)
    page = visitor.look("index.html")
    frame = first_widget(page)
    table = frame.locator("section.dk")
    expect(table).to_have_attribute("data-ply", "0")
    expect(table).to_have_attribute("data-page", "dark" if page.viewport_size["width"] < 400 else "light")
    assert layout_shift(page) < 0.01
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    assert frame.locator("#files-button").is_hidden()
    assert not page.workers
    assert not any("python/" in name for name in site.asked[before:])
    frame.locator(".dk-hand [data-card]").first.click()
    expect(table).not_to_have_attribute("data-ply", "0", timeout=90_000)


@pytest.mark.release
def test_passing_a_widget_fetches_no_python(visitor, site):
    """Neither Tab nor the wheel starts it. It has a name."""
    page = visitor.look("index.html")
    frame = first_widget(page)
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
def test_widgets_follow_the_theme_of_the_docs(visitor):
    """At once, not that of the system."""
    page = visitor.look("index.html")
    table = first_widget(page).locator("section.dk")
    for theme, page_theme in (("dark", "dark"), ("light", "light"), ("dark", "dark"), ("auto", "light")):
        page.evaluate("(theme) => { document.body.dataset.theme = theme; }", theme)
        expect(table).to_have_attribute("data-page", page_theme)


@pytest.mark.release
def test_presets_can_be_played_on_their_pages(visitor):
    """By their rules, with the cards of the picture and the focus."""
    page = visitor.look("reference/presets/perevodnoy.html")
    assert page.locator("iframe").count() == 0
    page.get_by_role("button", name="Play it here").click()
    frame = first_widget(page)
    expect(frame.get_by_role("button", name=re.compile("Perevodnoy", re.IGNORECASE)).first).to_be_visible()
    hand = frame.locator(".dk-hand [data-card]").evaluate_all("(cards) => cards.map((one) => one.dataset.card)")
    assert set(hand) == {str(card) for card in Game("perevodnoy", seed=1).hands[0]}
    expect(page.get_by_role("button", name="Play it here")).to_have_count(0)
    assert page.evaluate("document.activeElement.tagName") == "IFRAME"


@pytest.mark.slow
def test_a_tree_in_the_docs_unfolds(visitor):
    """A click on a node of the stored tree starts Python, which unfolds it."""
    page = visitor.look("docs/textbook-games.html")
    frame = first_widget(page)
    places = frame.get_by_role("treeitem")
    expect(places).to_have_count(7)
    assert not page.workers
    places.nth(1).click()
    expect(places).to_have_count(9, timeout=90_000)
    page.keyboard.press("Enter")
    expect(places).to_have_count(7)


@pytest.mark.release
def test_a_matrix_in_the_docs_is_solved(visitor):
    """Its equilibria are listed, and its frame grows."""
    page = visitor.look("docs/matrices.html")
    frame = first_widget(page)
    before = page.locator("figure.live").bounding_box()["height"]
    frame.get_by_role("button", name=english_text("screen.answer.title")).click()
    mixed = frame.get_by_role("button").filter(has_text="3/5 opera + 2/5 match").filter(has_text="2/5 opera + 3/5 match")
    expect(mixed).to_be_visible(timeout=90_000)
    page.wait_for_function("(before) => document.querySelector('figure.live').offsetHeight > before", arg=before)


@pytest.mark.slow
def test_the_board_page_opens_the_game_of_a_link(visitor):
    """A tree in Lithuanian, then a table beside it. An invalid link is reported and changes nothing."""
    page = visitor.look("play/board.html#position=6c 8d | 7c 9h; trump h&open_hands=yes&depth=1&language=lt")
    page.wait_for_selector(AWAKE)
    expect(page.get_by_role("link", name="Pamokos")).to_be_visible()
    places = page.get_by_role("treeitem")
    expect(places).to_have_count(3)
    page.get_by_role("tree").focus()
    page.keyboard.press("t")
    expect(page.locator("#side-panels section.dk")).to_be_visible()
    page.evaluate("location.hash = 'game=<img src=x onerror=alert(1)>'")
    alert = page.get_by_role("alert").filter(has_text="<img src=x")
    expect(alert).to_be_visible()
    assert alert.locator("img").count() == 0
    expect(places).to_have_count(3)
    page.evaluate("location.hash = 'game=kuhn&depth=1'")
    expect(places).to_have_count(7)
    expect(page.locator("#side-panels section.dk")).to_have_count(0)


@pytest.mark.release
def test_the_board_page_without_a_game_lists_the_games(visitor):
    """A click opens one."""
    page = visitor.look("play/board.html")
    games = page.locator("main").get_by_role("listitem").get_by_role("link")
    expect(games).to_have_count(13)
    expect(page.get_by_role("alert")).to_be_hidden()
    games.filter(has_text="Kuhn").click()
    expect(page.get_by_role("tree")).to_be_visible(timeout=90_000)
    expect(games).to_have_count(0)


@pytest.mark.release
def test_an_invalid_board_link_offers_another_game(visitor):
    """Only if no game is open yet."""
    page = visitor.look("play/board.html#game=nothing&language=lt")
    alert, say = page.get_by_role("alert"), Translator("lt").translate
    expect(alert).to_contain_text(say("page.unread", why=say("page.unread.book", name="nothing")))
    alert.get_by_role("link", name=say("page.instead")).click()
    expect(page.get_by_role("tree")).to_be_visible()
    expect(alert).to_be_hidden()
    page.clock.install()
    page.evaluate("location.hash = 'game=none'")
    expect(alert).to_contain_text("„none“")
    expect(alert.get_by_role("link")).to_have_count(0)
    page.clock.fast_forward(12_000)
    expect(alert).to_be_hidden()
    expect(page.get_by_role("tree")).to_be_visible()


@pytest.mark.release
@pytest.mark.parametrize("visitor", [{"java_script_enabled": False}], indirect=True)
@pytest.mark.parametrize("path", [next(iter(PAGES))])
def test_without_scripts_there_is_a_picture_and_a_link(visitor, path):
    """As wide as possible, with no empty space."""
    page = visitor.look(path)
    picture = page.locator("figure.live img")
    expect(picture).to_be_visible()
    assert picture.evaluate("(one) => one.complete && one.naturalWidth > 0")
    assert page.locator("iframe, button").count() == 0
    place, image = page.locator(".live-place").bounding_box(), picture.bounding_box()
    assert abs(place["height"] - image["height"]) < 2
    expect(page.locator(".live-told")).to_have_count(0) if "presets" in path else expect(page.locator(".live-told")).to_be_hidden()
    expect(page.locator("figcaption a")).to_have_attribute("href", re.compile(r"play/(index|board)\.html"))


@pytest.mark.release
@pytest.mark.parametrize("path", [next(iter(PAGES))])
def test_on_paper_there_is_a_picture(visitor, path):
    """Widgets and buttons are not printed."""
    page = visitor.look(path)
    if not page.locator("figure.live[data-ask]").count():
        first_widget(page)
    page.emulate_media(media="print")
    expect(page.locator("figure.live img")).to_be_visible()
    expect(page.locator("figure.live :is(iframe, button)").first).to_be_hidden()
    expect(page.locator("figcaption")).to_be_hidden()
    place, image = page.locator(".live-place").bounding_box(), page.locator("figure.live img").bounding_box()
    assert abs(place["height"] - image["height"]) < 2
