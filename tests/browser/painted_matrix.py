"""What the tests of a painted matrix share: the page of a tree, on which a matrix is alone."""

from __future__ import annotations

from typing import Any

from painted_tree import Board, opened

FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class MatrixBoard(Board):
    """A page in which nothing is but one matrix, or a tree with one."""

    def rest(self) -> None:
        """Wait until it is painted."""
        if self.page.locator(".dk-view").count():
            super().rest()
        self.page.evaluate(FRAMES)

    def cell(self, row: int, column: int) -> Any:
        """A cell."""
        return self.page.locator(f"td[data-row='{row}'][data-column='{column}']")

    def head(self, seat: int, place: int) -> Any:
        """The button at the head of a row (seat 0) or of a column (1)."""
        return self.page.locator(f".dk-matrix-header[data-seat='{seat}'][data-place='{place}']")

    def tool(self, name: str) -> Any:
        """A button above the matrix."""
        return self.page.locator(".dk-matrix-toolbar").get_by_role("button", name=name, exact=True)

    def click(self, what: Any) -> None:
        """Click it, and wait for what comes of it."""
        what.click()
        self.rest()

    def keys(self, *keys: str) -> None:
        """Press keys where the focus is."""
        for key in keys:
            self.page.keyboard.press(key)
            self.rest()

    @property
    def focus(self) -> str:
        """The name of what has the focus."""
        return self.page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")

    @property
    def heard(self) -> str:
        """What is read aloud."""
        return self.page.locator("[role=status]").last.inner_text()


def matrices(page: Any) -> MatrixBoard:
    """Load the bundle into an empty page."""
    return opened(page, MatrixBoard)
