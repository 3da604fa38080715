"""The page behind the badge: a table to play at is there at once, and Binder is asked only by whoever clicks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from fonts import WIDEST
from painted import axed
from playwright.sync_api import expect
from served import served

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 90_000  # milliseconds: Python is started in the page


@pytest.fixture(scope="module")
def site(folder):
    """The page with the table beside it, handed out."""
    shutil.copy(ROOT / "docs" / "site" / "binder.html", folder)
    with served(folder, policy=False) as one:  # it has a policy of its own, which lets it show the table
        yield one


@pytest.mark.slow
@pytest.mark.parametrize(("viewport", "dark"), [({"width": 390, "height": 844}, True)], ids=["telephone by night"])
def test_a_table_is_there_meanwhile_and_nobody_else_is_asked_until_it_is_clicked(browsers, site, viewport, dark):
    """A card is played in the frame; nothing is sent elsewhere and nothing kept by cookies; then a click opens Binder in a tab of its own, and the game stays."""
    context = browsers(WIDEST).new_context(
        viewport=viewport, locale="en-GB", reduced_motion="reduce", color_scheme="dark" if dark else "light"
    )
    asked, problems = [], []
    context.on("request", lambda request: asked.append(request.url))
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.route("https://mybinder.org/**", lambda route: route.fulfill(body="<title>Binder</title>", content_type="text/html"))
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda said: problems.append(said.text) if said.type in {"error", "warning"} else None)
    page.goto(f"{site.url}binder.html")
    frame = page.frame_locator("iframe")
    frame.locator("html[data-up]").wait_for(state="attached")
    table = frame.locator("main section.dk")
    table.locator(".dk-hand [data-card]").first.click()
    expect(table).not_to_have_attribute("data-ply", "0", timeout=PATIENCE)
    assert axed(page, "header") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [url for url in asked if not url.startswith((site.url, "blob:", "data:"))] == []
    with context.expect_page() as opened:
        page.get_by_role("link", name="Start Binder").click()
    opened.value.wait_for_url("https://mybinder.org/v2/gh/durak-widget/durak_widget/HEAD?urlpath=doc%2Ftree%2Fnotebooks%2F00_welcome.ipynb")
    assert opened.value.evaluate("[document.referrer, window.opener]") == ["", None]
    expect(table).not_to_have_attribute("data-ply", "0")
    assert context.cookies() == []
    assert problems == []
    context.close()


@pytest.mark.slow
def test_what_leads_on_from_the_table_takes_the_whole_page(browsers, site):
    """The links of the table's page do not open in its frame."""
    page = browsers(WIDEST).new_page()
    page.goto(f"{site.url}play/index.html")
    links = page.locator("header a")
    assert links.count() == 3
    assert links.evaluate_all("(all) => all.map((one) => one.target)") == ["_top"] * 3
    page.close()
