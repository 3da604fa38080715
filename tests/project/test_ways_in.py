"""Our own ways in, `make lab` and Binder, lead to the end of the series."""

from __future__ import annotations

import os
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import ways_in

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def named(extra: str) -> list[Requirement]:
    """What the package asks for by itself, or what an extra adds to that."""
    asked = [Requirement(one) for one in requires("durak_widget")]
    return [one for one in asked if (one.marker.evaluate({"extra": extra}) if extra and one.marker else not extra and one.marker is None)]


@pytest.mark.release
@pytest.mark.parametrize("name", ways_in.WAYS)
def test_every_notebook_is_clean_in_the_environment_that_a_way_in_makes(name: str, tmp_path: Path) -> None:
    """From a fresh clone: no error and no complaint in what any cell shows, and the same kinds of things as are stored in it."""
    try:
        way = ways_in.WAYS[name](tmp_path)
    except ways_in.NoWayError as reason:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(reason))
    assert ways_in.wrong(way) == {notebook: [] for notebook in NOTEBOOKS}


def test_the_way_in_brings_what_the_lessons_need() -> None:
    """What runs the kernel comes with the extra of `make lab`; numpy and scipy, which are large, do not."""
    names = {one.name for one in named("lab")}
    assert "wasmtime" in names
    assert not names & {"numpy", "scipy"}


def test_binder_brings_what_the_package_needs_and_the_kernel() -> None:
    """Just that, as the package itself says it: it is installed after them, and asks for nothing more."""
    lines = (ROOT / "binder" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = {(one.name, one.specifier) for one in map(Requirement, lines)}
    assert wanted == {(one.name, one.specifier) for one in [*named(""), *named("fast")]}
    assert " install --no-cache-dir --no-deps .\n" in (ROOT / "binder" / "postBuild").read_text(encoding="utf-8")
