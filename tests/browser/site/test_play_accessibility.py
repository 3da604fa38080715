"""Test that the page to play is accessible, works by keys, and fits a narrow screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from rendered_table import AXE

from support.spoken import english_text

pytestmark = pytest.mark.slow
FOUND = "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))"
NARROW = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PANELS = [english_text(f"screen.{name}") for name in ("rules", "list", "share", "settings", "how_to_play")]
OUT = """() => document.documentElement.scrollWidth - document.documentElement.clientWidth"""


@pytest.mark.parametrize("visitor", [NARROW], ids=["narrow"], indirect=True)
def test_axe_finds_no_violation_on_the_page_to_play(visitor):
    """At first, with the saved files, and with each panel open. Nothing is wider than the screen."""
    page = visitor.open("#rules=transfer&seed=7")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    table = page.locator("main section.dk")
    assert page.evaluate(FOUND) == []
    page.get_by_role("button", name=english_text("page.mine")).click()
    assert page.evaluate(FOUND) == []
    page.keyboard.press("Escape")
    for name in PANELS:
        table.get_by_role("button", name=english_text("screen.menu"), exact=True).click()
        assert ("menu", page.evaluate(FOUND)) == ("menu", [])
        table.get_by_role("menuitem", name=name, exact=True).click()
        expect(table).to_have_attribute("data-panel", re.compile("."))
        expect(table.get_by_role("heading", name=name).first).to_be_visible()
        assert (name, page.evaluate(FOUND)) == (name, [])
        assert (name, page.evaluate(OUT)) == (name, 0)
        page.keyboard.press("Escape")
        expect(table).not_to_have_attribute("data-panel", re.compile("."))


def test_the_page_to_play_works_by_keys(visitor):
    """Language, a card, the next card, saved files and back. The focus is visible."""
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
    assert {"how-to-play", "lessons", "docs", "language", "files-button"} <= reached
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
