"""Test the docs as Sphinx builds them with the page to play: widgets, lesson links, search and broken links."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from file_server import serve
from playwright.sync_api import expect

import docs_live
import docs_site
from durak_widget.rules.preset_catalogue import PRESETS
from whole_site import astray

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def build_docs(folder, tmp_path_factory):
    """Build the docs and the page to play. An empty page replaces JupyterLite."""
    place = tmp_path_factory.mktemp("docs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(docs_site, "GATHERED", place / "pages")
        patch.setattr(docs_site, "BUILT", place / "site")
        assert docs_site.main(live=True) == 0
    shutil.copytree(folder / "play", place / "site" / "play")
    shutil.copy(ROOT / "docs" / "site" / "binder.html", place / "site")
    (place / "site" / "lab" / "lab").mkdir(parents=True)
    (place / "site" / "lab" / "lab" / "index.html").write_text("<p>JupyterLite</p>", encoding="utf-8")
    return place / "site"


@pytest.fixture(scope="module")
def site(build_docs):
    """Serve all of it under a path."""
    with serve(build_docs, policy=False) as server:
        yield server


def test_every_live_widget_and_link_is_in_place(build_docs):
    """On the front page, at every preset, and each tree and matrix on a page."""
    found = {path.relative_to(build_docs).as_posix(): path.read_text(encoding="utf-8") for path in build_docs.rglob("*.html")}
    live = {name: re.findall(r'data-page="([^"]+)"', text) for name, text in found.items() if 'figure class="live"' in text}
    assert [len(live[f"reference/presets/{name}.html"]) for name in PRESETS] == [1] * len(PRESETS)
    assert live["index.html"] == ["play/index.html?asleep"]
    boards = [page for pages in live.values() for page in pages if "board.html" in page]
    assert set(re.findall(r"asleep=([\w-]+)", " ".join(boards))) == set(docs_live.BOARDS)
    assert list(astray(build_docs)) == []


def test_each_lesson_page_links_to_its_notebook(build_docs):
    """At its head."""
    names = [path.stem for path in (ROOT / "notebooks").glob("*.ipynb")]
    for name in names:
        text = (build_docs / "notebooks" / f"{name}.html").read_text(encoding="utf-8")
        assert re.search(rf'</h1>\s*<p class="play"><a href="../lab/lab/index.html\?path=notebooks/{name}.ipynb">', text), name


def test_the_search_finds_text_of_lessons(visitor):
    """Not only titles."""
    page = visitor.look("search.html?q=epaulettes")
    expect(page.locator("#search-results a[href*='notebooks/04_the_end']").first).to_be_visible()


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("install", "docs/install"),
        ("API", "reference/api/index"),
        ("hint", "docs/table"),
        ("nash", "docs/matrices"),
        ("keyboard", "docs/keyboard"),
        ("Rules", "docs/rules|reference/api/rules"),
        ("durak-marks", "docs/command-line"),
        ("Table", "docs/table|reference/api/table"),
    ],
)
def test_the_search_finds_the_right_page_first(visitor, query, page):
    """Pages for users come before entries of the API and decisions."""
    first = visitor.look(f"search.html?q={query}").locator("#search-results li > a").first
    expect(first).to_have_attribute("href", re.compile(rf"^({page})\.html"))


@pytest.mark.parametrize("visitor", [{}, {"viewport": {"width": 360, "height": 740}}], ids=["wide", "phone"], indirect=True)
def test_the_front_page_table_works_in_the_dark_theme(visitor):
    """And the page never scrolls sideways."""
    page = visitor.look("index.html")
    page.evaluate("localStorage.setItem('theme', 'dark')")
    page.reload()
    page.locator("figure.live iframe[data-seen]").wait_for()
    table = page.frame_locator("figure.live iframe").locator("section.dk")
    expect(table).to_have_attribute("data-page", "dark")
    table.locator(".dk-hand [data-card]").first.click()
    expect(table).not_to_have_attribute("data-ply", "0", timeout=90_000)
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
