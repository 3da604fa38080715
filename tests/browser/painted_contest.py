"""What the tests of a painted tournament share: its bundle in an empty page, joined to the widget of this process as a notebook joins them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from painted import STATIC
from painted_tree import Board

FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class ContestPage(Board):
    """A page in which nothing is but one tournament."""

    def rest(self) -> None:
        """Wait until it is painted."""
        self.page.evaluate(FRAMES)

    def one(self, selector: str) -> Any:
        """An element of it."""
        return self.page.locator(f".dk-tournament {selector}")

    def button(self, name: str) -> Any:
        """A button by its name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def unfold(self, part: str) -> None:
        """Open a part that is folded away, or fold it."""
        self.one(f".dk-tournament-{part} summary").click()
        self.rest()
        self.tell()

    def until(self, state: str) -> None:
        """Let it be played beside the page until it stands so."""
        while self.view.state != state:
            self.rest()
        self.tell()

    @property
    def heard(self) -> str:
        """What was read aloud last."""
        return self.one("[role=status]").inner_text()


def contests(page: Any) -> ContestPage:
    """Load the bundle into an empty page."""
    page.set_content("<!doctype html><body></body>")
    page.add_style_tag(content=(STATIC / "contest.css").read_text(encoding="utf-8"))
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'contest.js').read_bytes()).decode()}"
    page.evaluate("async (url) => { window.board = (await import(url)).default; }", url)
    return ContestPage(page)
