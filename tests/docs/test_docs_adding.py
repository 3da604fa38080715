"""CONTRIBUTING's list of what can be added: three lines each, and every place that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIST = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## How to add …")[2].partition("\n## ")[0]
ENTRIES = {re.findall(r"\*\*(.*?)\*\*", one)[0]: one.split("\n\n")[0] for one in LIST.split("\n- ")[1:]}
LINE = 200
"""So many letters a line has."""


@pytest.mark.parametrize("what", ENTRIES)
def test_an_entry_is_read_in_three_lines(what: str) -> None:
    """What is longer stands in the room."""
    assert sum(-(-len(line) // LINE) for line in ENTRIES[what].splitlines()) <= 3


@pytest.mark.parametrize("what", ENTRIES)
def test_every_place_that_an_entry_names_is_there(what: str) -> None:
    """From the top of the project, or beside the one named before."""
    here = ROOT
    for name in re.findall(r"`([\w./]+\.(?:py|ts|md|ipynb|json)|[a-z]\w*/[\w./]*)`", ENTRIES[what]):
        place = ROOT / name if (ROOT / name).exists() else here / name
        assert place.exists(), name
        here = place if place.is_dir() else place.parent
