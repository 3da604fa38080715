"""Whom one may play with, as the settings are told."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from durak_widget import Table, bots
from durak_widget.widgets.opponent_record import OpponentRecord
from support.tables import listening, say

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody has been beaten yet."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    return tmp_path


def test_the_page_is_told_who_is_beaten_and_nothing_else(home: Path) -> None:
    """Whenever the settings ask, as it then is; no card is in it, whatever lies there."""
    table, rivals = Table(seats={1: "nephew"}, seed=5), OpponentRecord(home / "opponents.json")
    heard = listening(table)
    say(table, "people")
    for _ in range(2):
        rivals.record_game("nephew", won=True)
    table.play(bots.get("first").choose(table.game.view(0), Random(0))) if table.game.actor == 0 else table.step()
    say(table, "people")
    told = [one for one in heard if one["kind"] == "people"]
    assert told == [{"kind": "people", "beaten": [], "next": "nephew"}, {"kind": "people", "beaten": ["nephew"], "next": "uncle"}]


def test_who_has_beaten_everybody_has_nobody_next(home: Path) -> None:
    """All six are beaten, in their order."""
    rivals, keys = OpponentRecord(home / "opponents.json"), [person.key for person in bots.people()]
    for key in reversed(keys):
        assert [rivals.record_game(key, won=True) for _ in range(2)] == [False, True]
    heard = listening(table := Table(seed=5))
    say(table, "people")
    assert {"kind": "people", "beaten": keys, "next": None} in heard


def test_where_nothing_is_remembered_everybody_can_be_chosen_all_the_same(home: Path) -> None:
    """The file cannot be read: nobody is beaten, and nobody next."""
    (home / "opponents.json").mkdir()
    heard = listening(table := Table(seats={1: "nephew"}, seed=5))
    say(table, "people")
    say(table, "seat", seat=1, who="grandmother")
    assert {"kind": "people", "beaten": [], "next": None} in heard
    assert table.players == ("you", "grandmother")
