"""What the table promises in a notebook holds on the page to play too: by keys alone, for a screen reader, on a narrow screen, in the dark, with each drawer open."""

from __future__ import annotations

import re

import pytest
from painted import AXE
from playwright.sync_api import expect

pytestmark = pytest.mark.slow
FOUND = "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))"
NARROW = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DRAWERS = ("Rules", "Moves", "Share", "Settings", "Keys")
OUT = """() => document.documentElement.scrollWidth - document.documentElement.clientWidth"""


@pytest.mark.parametrize("visitor", [NARROW], ids=["narrow"], indirect=True)
def test_nothing_stands_in_the_way_of_a_screen_reader(visitor):
    """As it is first seen, with what is kept, and with each drawer of the table; nothing is wider than the screen either."""
    page = visitor.open("#rules=transfer&seed=7")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    table = page.locator("main section.dk")
    assert page.evaluate(FOUND) == []
    page.get_by_role("button", name="What is kept").click()
    assert page.evaluate(FOUND) == []
    page.keyboard.press("Escape")
    for name in DRAWERS:
        button = table.get_by_role("button", name=re.compile(f"^{name}(:|$)"))
        if not button.is_visible():
            table.get_by_role("button", name="More").click()
        button.click()
        expect(table).to_have_attribute("data-panel", re.compile("."))
        expect(table.get_by_role("heading", name=name).first).to_be_visible()
        assert (name, page.evaluate(FOUND)) == (name, [])
        assert (name, page.evaluate(OUT)) == (name, 0)
        page.keyboard.press("Escape")
        expect(table).not_to_have_attribute("data-panel", re.compile("."))


def test_all_of_it_is_done_by_keys(visitor):
    """From the top of the page: the language, a card, the next one, what is kept and back again; what has been reached can be seen."""
    page = visitor.open("#rules=podkidnoy&seed=7")
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        here = page.evaluate(
            """() => {
              const one = document.activeElement;
              if (one === document.body) return "";
              const { outlineStyle, boxShadow, outlineWidth } = getComputedStyle(one);
              if (outlineStyle === "none" && boxShadow === "none") throw new Error(`where the keys are cannot be seen: ${one.outerHTML}`);
              return one.id || one.dataset.card || one.dataset.action || one.className;
            }"""
        )
        reached.add(here)
        if here == "files-button":
            break
    assert {"lessons", "docs", "language", "files-button"} <= reached
    page.keyboard.press("Enter")
    expect(page.locator("#files-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#files-dialog")).to_be_hidden()
    expect(page.locator("#files-button")).to_be_focused()
    table = page.locator("main section.dk")
    table.locator(".dk-hand [data-card][tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    card = page.evaluate("document.activeElement.dataset.card")
    page.keyboard.press("Enter")
    expect(table).not_to_have_attribute("data-ply", "0")
    expect(table.locator(f".dk-table-center [data-card='{card}']")).to_be_visible()
