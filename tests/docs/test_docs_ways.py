"""The ways through the house: every module that they name is there, and imports the one behind it."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

import house

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "ways.md").read_text(encoding="utf-8")
STEPS = [
    (one, other)
    for line in PAGE.splitlines()
    if line.startswith("`") and "→" in line
    for names in [re.findall(r"`([^`]+)`", line)]
    for one, other in pairwise(names)
]


@pytest.mark.parametrize(("one", "other"), STEPS, ids=[f"{Path(one).stem} to {Path(other).stem}" for one, other in STEPS])
def test_each_step_of_a_way_is_an_import(one: str, other: str) -> None:
    """Of Python, types and what a function fetches too, or of TypeScript."""
    if one.endswith(".py"):
        tree = ast.parse((ROOT / one).read_text(encoding="utf-8"))
        assert ".".join(Path(other).with_suffix("").parts) in house.imported(tree)
    else:
        here = ROOT / "durak_widget" / one
        told = re.findall(r'^(?:import|export) [^;]*?from "([^"]+)"', here.read_text(encoding="utf-8"), re.MULTILINE)
        assert (ROOT / "durak_widget" / other) in {(here.parent / f"{name}.ts").resolve() for name in told}


def test_there_are_five_ways_of_half_a_page() -> None:
    """No longer, or nobody goes them."""
    ways = PAGE.split("\n## ")[1:]
    assert len(ways) == 5
    for way in ways:
        assert len(re.sub(r"`[^`]*`|→", "", way).split()) < 180, way.partition("\n")[0]
        assert way.count("→") >= 3
