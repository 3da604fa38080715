"""Test that every position of the series can arise in play."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest

from durak_widget import Game
from durak_widget.rules import deal_and_trump, deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Callable

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


def positions_made(path: Path) -> list[Game]:
    """Return all positions that a notebook makes by `Game.from_position` or from a line."""
    found: list[Game] = []

    def keeping(make: Callable[..., Game]) -> Any:
        def kept(cls: type[Game], *given: object, **more: object) -> Game:
            game: Game = make(cls, *given, **more)
            if sys._getframe(1).f_globals.get("__name__") == path.name:  # positions inside exercises are not shown
                found.append(game.copy())
            return game

        return classmethod(kept)

    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        for way in ("from_position", "from_position_line"):
            patch.setattr(Game, way, keeping(getattr(Game, way).__func__))
        names: dict[str, object] = {"__name__": path.name}
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                exec(cell.source, names)  # noqa: S102 - our own notebooks
    return found


def why_impossible(game: Game) -> str:
    """Return why a position can't arise, or nothing."""
    rules, attacks = game.rules, len(game.table)
    beats = sum(beat is not None for _, beat in game.table)
    aside = 1 if rules.turn_up == "aside" else 0
    gone = deck_and_beating.deck_size(rules) - sum(map(len, game.hands)) - attacks - beats - len(game.talon) - aside
    if gone % 2:
        return f"{gone} cards have gone, but a beaten card goes with the one that beats it: two at a time"
    if gone and game.bout == 1:
        return f"{gone} cards have gone in the first bout"
    if not game.talon or not deal_and_trump.has_talon_after_deal(rules):
        return ""
    lacks = [max(0, rules.hand_size - len(hand)) for hand in game.hands]  # a smaller hand has played its cards in this bout
    if rules.transfer:
        return "somebody has drawn too little" if sum(lacks) > attacks + beats else ""
    defended = lacks.pop(game.defender) if game.defender is not None else 0
    return "somebody has drawn too little" if defended > beats or sum(lacks) > attacks else ""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.release
def test_positions_of_a_notebook_are_possible(path: Path) -> None:
    """Counting the cards shown finds no contradiction to the rules of the lesson."""
    assert [(str(game), why) for game in positions_made(path) if (why := why_impossible(game))] == []
