"""Somebody at an exercise in JupyterLab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import Locator, expect

from support.asked import SETUP

if TYPE_CHECKING:
    import re


class Pupil:
    """Somebody who does an exercise that has just been shown."""

    def __init__(self, notebook, made: str, *, called: str = "Exercise:", **page) -> None:
        self.book = notebook([f"{SETUP}quiz = {made}\nquiz"], **page)
        self.page = self.book.page
        self.region = self.page.get_by_role("region", name=called)
        expect(self.region).to_be_visible()

    def card(self, code: str) -> Locator:
        """A card, or an answer."""
        return self.region.locator(f"[data-item='{code}']")

    def press(self, name: str) -> None:
        """A button of the exercise."""
        self.region.get_by_role("button", name=name, exact=True).click()

    def said(self, *lines: str | re.Pattern[str]) -> None:
        """Check what stands in the verdict: whole lines, or patterns of them."""
        expect(self.region.get_by_role("status").locator("p")).to_have_text(list(lines))

    def row(self, *cards: str) -> None:
        """How the cards lie."""
        expect(self.region.locator("[data-item]")).to_have_count(len(cards))
        assert self.region.locator("[data-item]").evaluate_all("all => all.map((one) => one.dataset.item)") == list(cards)
