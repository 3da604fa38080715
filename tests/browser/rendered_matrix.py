"""Render a matrix on its own, in the page of a tree."""

from __future__ import annotations

from typing import Any

from rendered_tree import TreePage, load_tree_page

FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class MatrixPage(TreePage):
    """A page with one matrix, or a tree with one."""

    def rest(self) -> None:
        """Wait until it is rendered."""
        if self.page.locator(".dk-view").count():
            super().rest()
        self.page.evaluate(FRAMES)

    def cell(self, row: int, column: int) -> Any:
        """Return a cell."""
        return self.page.locator(f"td[data-row='{row}'][data-column='{column}']")

    def header(self, seat: int, place: int) -> Any:
        """Return the button in the header of a row (seat 0) or a column (seat 1)."""
        return self.page.locator(f".dk-matrix-header[data-seat='{seat}'][data-place='{place}']")

    def tool(self, name: str) -> Any:
        """Return a button above the matrix."""
        return self.page.locator(".dk-matrix-toolbar").get_by_role("button", name=name, exact=True)

    def click(self, what: Any) -> None:
        """Click and wait for the result."""
        what.click()
        self.rest()

    def keys(self, *keys: str) -> None:
        """Press keys at the focus."""
        for key in keys:
            self.page.keyboard.press(key)
            self.rest()

    @property
    def focus(self) -> str:
        """Return the name of the focused element."""
        return self.page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")

    @property
    def heard(self) -> str:
        """Return the announcements."""
        return self.page.locator("[role=status]").last.inner_text()


def load_matrix_page(page: Any) -> MatrixPage:
    """Load the bundle into an empty page."""
    return load_tree_page(page, MatrixPage)
