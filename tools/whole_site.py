"""Builds the whole site in build/site, and checks every link in it.

The site has the docs, the play page, and the lessons, which run without a server. Any web server for files can
serve it, under any path.
"""

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
    """A parsed HTML page, with its links and the anchors that links can refer to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Store the links and anchors in a start tag."""
        for name, value in attrs:
            if value is not None and name in {"href", "src"} and not (tag == "link" and ("rel", "canonical") in attrs):
                self.leads.append(value)
            elif value and name in {"id", "name"}:
                self.places.add(value)


def astray(site: Path) -> Iterator[str]:
    """Yield each broken link with its page.

    Links inside JupyterLite, and links to other sites, are not checked.
    """
    site = site.resolve()
    pages = {
        path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html")) if LAB not in path.relative_to(site).parts[:1]
    }
    for path, page in pages.items():
        for lead in page.leads:
            address = urlsplit(lead)
            if address.scheme or address.netloc:
                continue
            target = (path.parent / unquote(address.path)).resolve() if address.path else path
            if target.is_dir():
                target /= "index.html"
            if address.path.startswith("/") or not target.is_file() or not target.is_relative_to(site):
                yield f"{path.relative_to(site)}: {lead} is not there"
            elif (
                address.fragment
                and "=" not in address.fragment
                and target in pages
                and unquote(address.fragment) not in pages[target].places
            ):
                yield f"{path.relative_to(site)}: {lead} has no such anchor"


def main() -> int:
    """Build the whole site, and return 1 if it has a broken link."""
    if failed := docs_site.main(live=True):
        return failed
    play_page.build(SITE / "play")
    lite.build(SITE / LAB)
    shutil.copy(docs_site.SITE / "binder.html", SITE)
    lost = list(astray(SITE))
    for broken_link in lost:
        print(broken_link, file=sys.stderr)
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main())
