"""On a page with Pyodide homework is done and marked as anywhere: no server, nothing to install but what is plain Python."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from durak_widget import lessons
from support.once import made_once
from support.pyodide_says import said_in_pyodide

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict[str, Any]:
    """What becomes there of a student's homework."""

    def make(place: Path) -> None:
        place.write_text(json.dumps(said_in_pyodide(Path(__file__).with_name("homework_in_pyodide.py"))), encoding="utf-8")

    return json.loads(made_once(tmp_path_factory.getbasetemp(), "homework-in-pyodide", make).read_text(encoding="utf-8"))


def test_the_problem_set_is_asked_kept_and_marked_in_a_browser(found, tmp_path):
    """Every question, and the same marks, reasons and mistakes as here, of the receipt that was written there; without numpy strategies too are judged, plan by plan."""
    assert found["where"] == "emscripten"
    assert len(found["said"]) == 15
    assert {said.partition(".")[0] for said in found["said"].values()} == {"Your answer is kept"}
    (tmp_path / "ann.json").write_text(found["receipt"], encoding="utf-8")
    here = csv.reader(lessons.mark(tmp_path, jobs=0, run_code=False).to_csv().splitlines())
    for ours, theirs in zip(here, csv.reader(found["marks"].splitlines()), strict=True):
        assert (ours[:-2], ours[-1]) == (theirs[:-2], theirs[-1])
    assert found["page"].startswith("<!doctype html>")


def test_what_a_browser_cannot_do_is_said(found):
    """It has no slow hash, and starts no process for a program: the answer is kept all the same, and whoever marks hears why it has earned nothing."""
    assert "It cannot be checked here" in found["said"]["how-many-ways"]
    assert found["tried"].startswith("Your answer is kept.")
    assert "It was not tried here" in found["tried"]
    assert "No process could be started for the code on this computer" in found["bot"]
