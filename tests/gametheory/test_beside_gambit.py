"""Our equilibria beside those that pygambit found: what is kept is no game, and whatever differs would be said."""

from __future__ import annotations

import json
import re

import pytest

from benchmarks import beside_gambit
from benchmarks.beside_gambit import compare, files, ours, summed
from durak_widget import gametheory

GAMES = ("horse", "bayes", "beer-quiche", "outside-option")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of games, and a table of what is known of them."""
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


def kept(known):
    """Keep a table."""
    beside_gambit.TABLE.write_text(json.dumps({"pygambit": "1", "files": known}), encoding="utf-8")


def test_the_table_holds_numbers_and_no_games():
    """Of each file a hash of its text, and of each question how many equilibria there are, with a hash of all; or why it was refused."""
    table = json.loads(beside_gambit.TABLE.read_text(encoding="utf-8"))
    assert len(table["files"]) == 174
    assert table["files"]["catalog+journals+ijgt+selten1975+fig1"]["pure"][0] == 2
    for one in table["files"].values():
        assert one.keys() <= {"sha256", "pure", "corners", "refused"}
        assert re.fullmatch("[0-9a-f]{16}", one["sha256"])
        for many, are in (one[question] for question in ("pure", "corners") if question in one):
            assert many >= 0
            assert re.fullmatch("[0-9a-f]{16}", are)


def test_what_is_the_same_is_counted(folder):
    """All files agree with what was found in them."""
    where, known = folder
    kept(known)
    said = []
    assert compare(str(where), said.append) == {"pure": [4, 4, 4], "corners": [3, 3, 3]}
    assert len(said) == 3


def test_what_differs_is_said(folder):
    """Another number, other equilibria, another game than that of the table."""
    where, known = folder
    known["horse"]["pure"] = [3, "0" * 16]
    known["bayes"]["corners"][1] = "0" * 16
    known["outside-option"]["sha256"] = "0" * 16
    kept(known)
    said = []
    assert compare(str(where), said.append) == {"pure": [2, 2, 3], "corners": [2, 1, 2]}
    assert said[:3] == [
        "bayes, corners: ours 3, theirs 3, but not the same",
        "horse, pure: ours 2, theirs 3",
        "outside-option: not in the table, or another game since",
    ]
