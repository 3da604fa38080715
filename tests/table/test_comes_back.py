"""What somebody had won, and gave away at a table, is kept with the endings that come back: as far as it can be asked again."""

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
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing has been missed yet."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    return tmp_path


def test_an_ending_given_away_comes_back_on_later_days() -> None:
    """What was proved to be won, and lost by the person's move, is kept with the endings that were missed."""
    game = Game.from_position_line("Qh Ks | Kh Kc; trump h")
    for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
        game.play(move)
    assert remember_missed_endgames(review.analyze(game, 0, by="all cards"), 0)
    assert [one.position for one in MissedEndgames().pending] == ["Qh Ks | Kc Kh; trump h"]
    assert not remember_missed_endgames(review.analyze(game, 0, by="all cards"), 1)
    assert len(MissedEndgames().pending) == 1


@pytest.mark.parametrize("players", [2, 3])
def test_what_could_not_be_asked_again_is_not_promised(players: int) -> None:
    """What comes back is of two: where three sat down it is not asked, and so nothing is said of tomorrow."""
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


def test_a_draw_given_away_does_not_come_back() -> None:
    """What comes back is to be won."""
    game = Game.from_position_line("Qh Ks | Kh Kc; trump h")
    for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
        game.play(move)
    found = review.analyze(game, 0, by="all cards")
    drawn = [turn._replace(decision=replace(turn.decision, value=0, value_after=-1)) for turn in found.turning_points]
    remember_missed_endgames(SimpleNamespace(turning_points=drawn), 0)
    assert drawn
    assert not MissedEndgames().pending
