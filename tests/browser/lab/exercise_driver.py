"""Do an exercise in JupyterLab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import Locator, expect

from support.asked import SETUP

if TYPE_CHECKING:
    import re


class Student:
    """A student doing an exercise that has just been shown."""

    def __init__(self, notebook, made: str, *, called: str = "Exercise:", **page) -> None:
        self.book = notebook([f"{SETUP}quiz = {made}\nquiz"], **page)
        self.page = self.book.page
        self.region = self.page.get_by_role("region", name=called)
        expect(self.region).to_be_visible()

    def card(self, code: str) -> Locator:
        """Return a card or an answer."""
        return self.region.locator(f"[data-item='{code}']")

    def press(self, name: str) -> None:
        """Press a button of the exercise."""
        self.region.get_by_role("button", name=name, exact=True).click()

    def expect_feedback(self, *lines: str | re.Pattern[str]) -> None:
        """Check the feedback: whole lines or patterns."""
        expect(self.region.get_by_role("status").locator("p")).to_have_text(list(lines))

    def card_order(self, *cards: str) -> None:
        """Return the order of the cards."""
        expect(self.region.locator("[data-item]")).to_have_count(len(cards))
        assert self.region.locator("[data-item]").evaluate_all("all => all.map((one) => one.dataset.item)") == list(cards)
