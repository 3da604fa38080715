"""Builds the whole site in build/site: the docs, the page to play, and the lessons without a server; then follows every link in it. Any server of files will do, under any path."""

from __future__ import annotations

import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))
import docs_site
import lite
import play_page

if TYPE_CHECKING:
    from collections.abc import Iterator

SITE = docs_site.BUILT
LAB = "lab"


class Page(HTMLParser):
    """What a page leads to, and the places in it that others may lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it."""
        for name, value in attrs:
            if value is not None and name in {"href", "src"} and not (tag == "link" and ("rel", "canonical") in attrs):
                self.leads.append(value)
            elif value and name in {"id", "name"}:
                self.places.add(value)


def astray(site: Path) -> Iterator[str]:
    """Each link that leads nowhere, with its page. What JupyterLite brings along is its own affair; addresses elsewhere are not asked."""
    site = site.resolve()
    pages = {
        path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html")) if LAB not in path.relative_to(site).parts[:1]
    }
    for path, page in pages.items():
        for lead in page.leads:
            said = urlsplit(lead)
            if said.scheme or said.netloc:
                continue
            target = (path.parent / unquote(said.path)).resolve() if said.path else path
            if target.is_dir():
                target /= "index.html"
            if said.path.startswith("/") or not target.is_file() or not target.is_relative_to(site):
                yield f"{path.relative_to(site)}: {lead} is not there"
            elif said.fragment and "=" not in said.fragment and target in pages and unquote(said.fragment) not in pages[target].places:
                yield f"{path.relative_to(site)}: {lead} has no such place"


def main() -> int:
    """Build all of it."""
    if failed := docs_site.main(live=True):
        return failed
    play_page.build(SITE / "play")
    lite.build(SITE / LAB)
    shutil.copy(docs_site.SITE / "binder.html", SITE)
    lost = list(astray(SITE))
    for one in lost:
        print(one, file=sys.stderr)
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main())
