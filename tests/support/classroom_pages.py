"""Shared helpers for printed pages: read a page back, and check that it is harmless."""

from __future__ import annotations

import re
from html.parser import HTMLParser

ALLOWED = {
    *re.findall(
        r"\w+",
        "html head meta title style body main div section p b i br span small sub abbr hr h1 h2 h3 ol ul li details summary figure figcaption",
    ),
    *re.findall(r"\w+", "dl dt dd pre img"),
    *re.findall(r"\w+", "table caption thead tbody tfoot tr th td svg g defs path rect circle text use"),
}
"""The elements allowed in a page without scripts."""

DRAWN = "data:image/svg+xml;base64,"
"""A picture inside the page, which can't run code."""


class PageReader(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Note text; style sheets are not text."""
        if self.tags and self.tags[-1][0] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        """Return all readable text of the page."""
        return " ".join(" ".join(self.words).split())


def harmless(html: str) -> PageReader:
    """Return the page; fail if it runs or loads anything."""
    read = PageReader(html)
    assert {tag for tag, _ in read.tags} <= ALLOWED
    for tag, attributes in read.tags:
        assert not {name for name in attributes if name.startswith("on") or name in ("srcset", "action", "data")}, tag
        assert (attributes.get("src") or DRAWN).startswith(DRAWN), tag
        assert "src" not in attributes or tag == "img"
        assert attributes.get("href", "#").startswith("#")
    styles = "".join(re.findall(r"<style>(.*?)</style>", html, re.DOTALL))
    assert "url(" not in styles
    assert "@import" not in styles
    return read
