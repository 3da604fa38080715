"""The docs say what the program does."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest

from durak_widget import Rules

ROOT = Path(__file__).resolve().parent.parent
_SPEC = importlib.util.spec_from_file_location("pages", ROOT / "tools" / "pages.py")
pages = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(pages)


@pytest.mark.parametrize("name", sorted(pages.PAGES))
def test_listed_pages_are_up_to_date(name: str) -> None:
    """A page that lists options, presets or codes, and the picture of the README, are what `python tools/pages.py` writes."""
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == pages.PAGES[name]()


@pytest.mark.parametrize(
    "page",
    [path for path in [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"] if path.parent.name != "site"],
    ids=lambda page: page.name,
)
def test_links_lead_somewhere(page: Path) -> None:
    """A link to a file of the project names one that is there. (`make docs` follows those of the site.)"""
    for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_option_has_a_source() -> None:
    """The page of an option says where it comes from."""
    sources = json.loads((ROOT / "docs" / "site" / "sources.json").read_text(encoding="utf-8"))
    assert sources.keys() == Rules.options().keys()
    assert all(sentence.endswith(".") for sentence in sources.values())
