"""Test endings given away at a table: they come again on later days, if they can be asked again."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from durak_widget import Game, bots, review
from durak_widget.table.analysis_jobs import remember_missed_endgames
from durak_widget.widgets.missed_endgames import MissedEndgames

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def fresh_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a home folder in which no ending has been missed."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    return tmp_path


def test_an_ending_given_away_comes_again_on_later_days() -> None:
    """It was proved won, and lost by the person's move."""
    game = Game.from_position_line("Qh Ks | Kh Kc; trump h")
    for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
        game.play(move)
    assert remember_missed_endgames(review.analyze(game, 0, by="all cards"), 0)
    assert [ending.position for ending in MissedEndgames().pending] == ["Qh Ks | Kc Kh; trump h"]
    assert not remember_missed_endgames(review.analyze(game, 0, by="all cards"), 1)
    assert len(MissedEndgames().pending) == 1


@pytest.mark.parametrize("players", [2, 3])
def test_an_ending_that_cannot_be_asked_again_is_not_announced(players: int) -> None:
    """Repeats have two players, so with three nothing is announced."""
    hands = ["Ks 7d", "9c Qd Kd", ""][:players]
    gone = " ".join(rank + suit for suit in "cdhs" for rank in "6789TJQKA" if rank + suit not in " ".join(hands))
    game = Game.from_position(f"podkidnoy, players={players}", hands=hands, attacker=0, discard=gone, trump="h")
    game.play("attack 7d")
    while game.outcome is None:
        game.play(bots.get("counting").choose(game.view(game.actor), Random(1)))
    found = review.analyze(game, 0, by="all cards")
    assert [turn for turn in found.turning_points if turn.is_proved and turn.decision.seat == 0]
    assert remember_missed_endgames(found, 0) == (players == 2)
    assert len(MissedEndgames().pending) == (players == 2)


def test_a_tie_given_away_does_not_come_again() -> None:
    """Repeats must be wins."""
    game = Game.from_position_line("Qh Ks | Kh Kc; trump h")
    for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
        game.play(move)
    found = review.analyze(game, 0, by="all cards")
    tie_turns = [turn._replace(decision=replace(turn.decision, value=0, value_after=-1)) for turn in found.turning_points]
    remember_missed_endgames(SimpleNamespace(turning_points=tie_turns), 0)
    assert tie_turns
    assert not MissedEndgames().pending
