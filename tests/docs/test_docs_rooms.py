"""The four rooms of the docs: learn, teach, look up, build; every page stands in exactly one, and the list in the project has the same rooms."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import docs_site

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ["Learn", "Teach", "Look up", "Build"]
MADE = {"notebooks/index", "docs/adr/index", "reference/presets", "reference/options", "reference/api"}
"""Pages that `tools/docs_site.py` makes."""


def test_every_page_stands_in_one_room_of_the_site() -> None:
    """As its sidebar has them."""
    text = (ROOT / "docs" / "site" / "index.md").read_text(encoding="utf-8")
    rooms = re.findall(r"```\{toctree\}\n:caption: ([^\n]+)\n:hidden:\n\n(.+?)\n```", text, re.DOTALL)
    assert [room for room, _ in rooms] == ROOMS == re.findall(r"^## (.+)$", text, re.MULTILINE)
    listed = Counter(page for _, pages in rooms for page in pages.split())
    for over, below in docs_site.BELOW.items():
        assert listed[over.removesuffix(".md")] == 1
        listed.update(f"{Path(over).parent}/{name}" for name in below)
    own = {f"docs/{path.stem}" for path in (ROOT / "docs").glob("*.md")} - {"docs/index"}
    assert listed == Counter(own | MADE | {"CONTRIBUTING", "CHANGELOG"})


def test_every_page_stands_in_one_room_of_the_list() -> None:
    """`docs/index.md`, for whoever reads the project as it lies."""
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ROOMS
    listed = Counter(re.findall(r"\]\(([\w/-]+\.md)\)", text))
    own = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "site"} - {
        "index.md"
    }
    assert listed == Counter(own)
