"""Test the page behind the Binder badge: its table works at once, and Binder is only asked after a click."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from file_server import serve
from fonts import WIDEST
from playwright.sync_api import expect
from rendered_table import find_axe_violations

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 90_000  # milliseconds, because Python starts in the page


@pytest.fixture(scope="module")
def site(folder):
    """Serve the page with its table."""
    shutil.copy(ROOT / "docs" / "site" / "binder.html", folder)
    with serve(folder, policy=False) as server:  # its own policy allows the frame
        yield server


@pytest.mark.slow
@pytest.mark.parametrize(("viewport", "dark"), [({"width": 390, "height": 844}, True)], ids=["telephone by night"])
def test_the_table_works_and_no_other_server_is_asked_before_a_click(browsers, site, viewport, dark):
    """No cookies. A click opens Binder in its own tab, and the game stays."""
    context = browsers(WIDEST).new_context(
        viewport=viewport, locale="en-GB", reduced_motion="reduce", color_scheme="dark" if dark else "light"
    )
    requests, problems = [], []
    context.on("request", lambda request: requests.append(request.url))
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.route("https://mybinder.org/**", lambda route: route.fulfill(body="<title>Binder</title>", content_type="text/html"))
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: problems.append(message.text) if message.type in {"error", "warning"} else None)
    page.goto(f"{site.url}binder.html")
    frame = page.frame_locator("iframe")
    frame.locator("html[data-up]").wait_for(state="attached")
    table = frame.locator("main section.dk")
    table.locator(".dk-hand [data-card]").first.click()
    expect(table).not_to_have_attribute("data-ply", "0", timeout=PATIENCE)
    assert find_axe_violations(page, "header") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [url for url in requests if not url.startswith((site.url, "blob:", "data:"))] == []
    with context.expect_page() as opened:
        page.get_by_role("link", name="Start Binder").click()
    opened.value.wait_for_url("https://mybinder.org/v2/gh/durak-widget/durak_widget/HEAD?urlpath=doc%2Ftree%2Fnotebooks%2F00_welcome.ipynb")
    assert opened.value.evaluate("[document.referrer, window.opener]") == ["", None]
    expect(table).not_to_have_attribute("data-ply", "0")
    assert context.cookies() == []
    assert problems == []
    context.close()


@pytest.mark.slow
def test_links_of_the_table_open_outside_its_frame(browsers, site):
    """Links of the table open outside its frame."""
    page = browsers(WIDEST).new_page()
    page.goto(f"{site.url}play/index.html")
    links = page.locator(".dp-footer nav a")
    assert links.count() == 3
    assert links.evaluate_all("(all) => all.map((one) => one.target)") == ["_top"] * 3
    page.close()
