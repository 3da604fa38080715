"""Test the list of opponents in the settings."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from durak_widget import Table, bots
from durak_widget.widgets.opponent_record import OpponentRecord
from support.tables import record_messages, send_message

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def fresh_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a home folder in which nobody has been beaten."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    return tmp_path


def test_the_page_gets_the_beaten_opponents(fresh_home: Path) -> None:
    """They are sent each time the settings ask, without any card."""
    table, rivals = Table(seats={1: "nephew"}, seed=5), OpponentRecord(fresh_home / "opponents.json")
    heard = record_messages(table)
    send_message(table, "opponents")
    for _ in range(2):
        rivals.record_game("nephew", won=True)
    table.play(bots.get("first").choose(table.game.view(0), Random(0))) if table.game.actor == 0 else table.step()
    send_message(table, "opponents")
    people = [message for message in heard if message["kind"] == "opponents"]
    assert people == [
        {"kind": "opponents", "beaten": [], "next_opponent": "nephew"},
        {"kind": "opponents", "beaten": ["nephew"], "next_opponent": "uncle"},
    ]


def test_after_beating_all_there_is_no_next_opponent(fresh_home: Path) -> None:
    """All six are beaten, in their order."""
    rivals, keys = OpponentRecord(fresh_home / "opponents.json"), [person.key for person in bots.people()]
    for key in reversed(keys):
        assert [rivals.record_game(key, won=True) for _ in range(2)] == [False, True]
    heard = record_messages(table := Table(seed=5))
    send_message(table, "opponents")
    assert {"kind": "opponents", "beaten": keys, "next_opponent": None} in heard


def test_without_a_store_every_opponent_can_be_chosen(fresh_home: Path) -> None:
    """The file can't be read: nobody is beaten, and nobody next."""
    (fresh_home / "opponents.json").mkdir()
    heard = record_messages(table := Table(seats={1: "nephew"}, seed=5))
    send_message(table, "opponents")
    send_message(table, "seat_player", seat=1, player="grandmother")
    assert {"kind": "opponents", "beaten": [], "next_opponent": None} in heard
    assert table.players == ("you", "grandmother")
