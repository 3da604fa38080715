"""Test the comparison with equilibria found by pygambit: the table has hashes only, and differences are reported."""

from __future__ import annotations

import json
import re

import pytest

from benchmarks import beside_gambit
from benchmarks.beside_gambit import compare, files, ours, summed
from durak_widget import gametheory

GAMES = ("horse", "bayes", "beer-quiche", "outside-option")


@pytest.fixture
def games_folder(tmp_path, monkeypatch):
    """Return a folder of games, and a table of the known results."""
    for name in GAMES:
        (tmp_path / f"{name}.efg").write_text(gametheory.to_efg(gametheory.textbook(name)), encoding="utf-8")
    known = {}
    for name, number, text in files(str(tmp_path)):
        tree = gametheory.from_efg(text)
        known[name] = {"sha256": number, "pure": summed(ours(tree, "pure"))}
        if tree.player_count == 2:
            known[name]["corners"] = summed(ours(tree, "corners"))
    monkeypatch.setattr(beside_gambit, "TABLE", tmp_path / "table.json")
    return tmp_path, known


def save_table(known):
    """Write a table of known results."""
    beside_gambit.TABLE.write_text(json.dumps({"pygambit": "1", "files": known}), encoding="utf-8")


def test_the_table_has_hashes_and_counts_only():
    """For each file it has a hash of the text. For each question it has the number of equilibria and a hash of all, or why pygambit refused."""
    table = json.loads(beside_gambit.TABLE.read_text(encoding="utf-8"))
    assert len(table["files"]) == 174
    assert table["files"]["catalog+journals+ijgt+selten1975+fig1"]["pure"][0] == 2
    for entry in table["files"].values():
        assert entry.keys() <= {"sha256", "pure", "corners", "refused"}
        assert re.fullmatch("[0-9a-f]{16}", entry["sha256"])
        for many, are in (entry[question] for question in ("pure", "corners") if question in entry):
            assert many >= 0
            assert re.fullmatch("[0-9a-f]{16}", are)


def test_agreements_are_counted(games_folder):
    """All files agree with the known results."""
    where, known = games_folder
    save_table(known)
    report = []
    assert compare(str(where), report.append) == {"pure": [4, 4, 4], "corners": [3, 3, 3]}
    assert len(report) == 3


def test_differences_are_reported(games_folder):
    """Another number, other equilibria, and another game than in the table."""
    where, known = games_folder
    known["horse"]["pure"] = [3, "0" * 16]
    known["bayes"]["corners"][1] = "0" * 16
    known["outside-option"]["sha256"] = "0" * 16
    save_table(known)
    report = []
    assert compare(str(where), report.append) == {"pure": [2, 2, 3], "corners": [2, 1, 2]}
    assert report[:3] == [
        "bayes, corners: ours 3, theirs 3, but not the same",
        "horse, pure: ours 2, theirs 3",
        "outside-option: not in the table, or another game since",
    ]
