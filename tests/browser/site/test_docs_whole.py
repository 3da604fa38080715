"""The docs as Sphinx makes them, with the page to play beside them: what is live is where it should be, each lesson runs at a click, a search finds what lessons say, no link leads astray."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect
from served import served

import docs_live
import docs_site
from durak_widget.rules.preset_catalogue import PRESETS
from whole_site import astray

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def built(folder, tmp_path_factory):
    """The docs, and the page to play as it was built; instead of JupyterLite one empty page."""
    place = tmp_path_factory.mktemp("docs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(docs_site, "GATHERED", place / "pages")
        patch.setattr(docs_site, "BUILT", place / "site")
        assert docs_site.main(live=True) == 0
    shutil.copytree(folder / "play", place / "site" / "play")
    (place / "site" / "lab" / "lab").mkdir(parents=True)
    (place / "site" / "lab" / "lab" / "index.html").write_text("<p>JupyterLite</p>", encoding="utf-8")
    return place / "site"


@pytest.fixture(scope="module")
def site(built):
    """All of it, handed out under some path."""
    with served(built, policy=False) as one:
        yield one


def test_what_is_live_is_where_it_should_be(built):
    """The front page, every preset, and each blackboard on one page; and no link leads astray."""
    found = {path.relative_to(built).as_posix(): path.read_text(encoding="utf-8") for path in built.rglob("*.html")}
    live = {name: re.findall(r'data-page="([^"]+)"', text) for name, text in found.items() if 'figure class="live"' in text}
    assert [len(live[f"reference/presets/{name}.html"]) for name in PRESETS] == [1] * len(PRESETS)
    assert live["index.html"] == ["play/index.html?asleep"]
    boards = [page for pages in live.values() for page in pages if "board.html" in page]
    assert sorted(re.findall(r"asleep=([\w-]+)", " ".join(boards))) == sorted(docs_live.BOARDS)
    assert list(astray(built)) == []


def test_each_lesson_is_one_click_from_running(built):
    """A link at its head opens it where it runs."""
    names = [path.stem for path in (ROOT / "notebooks").glob("*.ipynb")]
    for name in names:
        text = (built / "notebooks" / f"{name}.html").read_text(encoding="utf-8")
        assert re.search(rf'</h1>\s*<p class="play"><a href="../lab/lab/index.html\?path=notebooks/{name}.ipynb">', text), name


def test_a_search_finds_what_lessons_say(visitor):
    """Their prose, and not only their titles."""
    page = visitor.look("search.html?q=epaulettes")
    expect(page.locator("#search-results a[href*='notebooks/04_the_end']").first).to_be_visible()


@pytest.mark.parametrize("visitor", [{}, {"viewport": {"width": 360, "height": 740}}], ids=["wide", "phone"], indirect=True)
def test_the_front_page_is_played_in_its_theme(visitor):
    """By night, as the switch of the page says; a card is played; the page never scrolls sideways."""
    page = visitor.look("index.html")
    page.evaluate("localStorage.setItem('theme', 'dark')")
    page.reload()
    page.locator("figure.live iframe[data-seen]").wait_for()
    table = page.frame_locator("figure.live iframe").locator("section.dk")
    expect(table).to_have_attribute("data-page", "dark")
    table.locator(".dk-hand [data-card]").first.click()
    expect(table).not_to_have_attribute("data-ply", "0", timeout=90_000)
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
