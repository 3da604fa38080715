"""Test that `make lab` and Binder can run all lessons."""

from __future__ import annotations

import os
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import ways_in

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def requirements(extra: str) -> list[Requirement]:
    """Return the package's requirements, or those that an extra adds."""
    asked = [Requirement(requirement) for requirement in requires("durak_widget")]
    return [
        requirement
        for requirement in asked
        if (requirement.marker.evaluate({"extra": extra}) if extra and requirement.marker else not extra and requirement.marker is None)
    ]


@pytest.mark.release
@pytest.mark.parametrize("name", ways_in.WAYS)
def test_every_notebook_runs_without_errors_in_each_environment(name: str, tmp_path: Path) -> None:
    """In a new clone no cell shows errors or warnings, and outputs have the stored types."""
    try:
        way = ways_in.WAYS[name](tmp_path)
    except ways_in.NoWayError as reason:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(reason))
    assert ways_in.wrong(way) == {notebook: [] for notebook in NOTEBOOKS}


def test_the_lab_extra_has_what_lessons_need() -> None:
    """It brings the kernel, but not numpy and scipy, which are large."""
    names = {requirement.name for requirement in requirements("lab")}
    assert "wasmtime" in names
    assert not names & {"numpy", "scipy"}


def test_binder_requirements_are_those_of_the_package_and_the_kernel() -> None:
    """The package is installed after them and needs nothing more."""
    lines = (ROOT / "binder" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = {(requirement.name, requirement.specifier) for requirement in map(Requirement, lines)}
    assert wanted == {(requirement.name, requirement.specifier) for requirement in [*requirements(""), *requirements("fast")]}
    assert " install --no-cache-dir --no-deps .\n" in (ROOT / "binder" / "postBuild").read_text(encoding="utf-8")
