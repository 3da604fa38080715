"""Test homework in Pyodide: it is answered and marked without a server, and needs only pure Python packages."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from durak_widget import lessons
from support.once import made_once
from support.pyodide_says import said_in_pyodide
from support.spoken import english, english_text

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pyodide_result(tmp_path_factory) -> dict[str, Any]:
    """Return the result of a student's homework in Pyodide."""

    def make(place: Path) -> None:
        place.write_text(json.dumps(said_in_pyodide(Path(__file__).with_name("homework_in_pyodide.py"))), encoding="utf-8")

    return json.loads(made_once(tmp_path_factory.getbasetemp(), "homework-in-pyodide", make).read_text(encoding="utf-8"))


def test_the_problem_set_is_answered_and_marked_in_a_browser(pyodide_result, tmp_path):
    """Marks, reasons and mistakes equal those here. Strategies are judged without numpy."""
    assert pyodide_result["where"] == "emscripten"
    assert len(pyodide_result["said"]) == 15
    assert {verdict.partition(".")[0] for verdict in pyodide_result["said"].values()} == {english_text("class.kept").rstrip(".")}
    (tmp_path / "ann.json").write_text(pyodide_result["receipt"], encoding="utf-8")
    here = csv.reader(lessons.mark(tmp_path, jobs=0, run_code=False).to_csv().splitlines())
    for ours, theirs in zip(here, csv.reader(pyodide_result["marks"].splitlines()), strict=True):
        assert (ours[:-2], ours[-1]) == (theirs[:-2], theirs[-1])
    assert pyodide_result["page"].startswith("<!doctype html>")


def test_missing_features_of_a_browser_are_reported(pyodide_result):
    """It has no scrypt and starts no process. Answers are kept, and markers read why programs earn nothing."""
    assert english("class.kept.unchecked").search(pyodide_result["said"]["how-many-ways"])
    assert pyodide_result["tried"].startswith(english_text("class.kept"))
    assert english("class.tried.nowhere").search(pyodide_result["tried"])
    assert english("class.code.nowhere").search(pyodide_result["bot"])
