"""What the tests of printed pages share: a page read back, and what no page may have."""

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
"""The elements of a page that is read and printed, and does nothing."""

DRAWN = "data:image/svg+xml;base64,"
"""A picture within the page itself, in which nothing runs."""


class Read(HTMLParser):
    """The elements and the words of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Note words; what a style says is none."""
        if self.tags and self.tags[-1][0] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        """All that is read on the page."""
        return " ".join(" ".join(self.words).split())


def harmless(html: str) -> Read:
    """The page, if nothing in it is run or fetched."""
    read = Read(html)
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
