"""Render a tournament, joined to Python as in a notebook."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from rendered_table import STATIC
from rendered_tree import TreePage

FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class TournamentPage(TreePage):
    """A page with one tournament."""

    def rest(self) -> None:
        """Wait until it is rendered."""
        self.page.evaluate(FRAMES)

    def locate(self, selector: str) -> Any:
        """Return an element of it."""
        return self.page.locator(f".dk-tournament {selector}")

    def button(self, name: str) -> Any:
        """Return a button by its name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def unfold(self, part: str) -> None:
        """Open or close a section."""
        self.locate(f".dk-tournament-{part} summary").click()
        self.rest()
        self.sync()

    def until(self, state: str) -> None:
        """Wait until the tournament is in this state."""
        while self.view.state != state:
            self.rest()
        self.sync()

    @property
    def heard(self) -> str:
        """Return the last announcement."""
        return self.locate("[role=status]").inner_text()


def load_tournament_page(page: Any) -> TournamentPage:
    """Load the bundle into an empty page."""
    page.set_content("<!doctype html><body></body>")
    page.add_style_tag(content=(STATIC / "contest.css").read_text(encoding="utf-8"))
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'contest.js').read_bytes()).decode()}"
    page.evaluate("async (url) => { window.board = (await import(url)).default; }", url)
    return TournamentPage(page)
