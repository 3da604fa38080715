"""Every position of the series could have arisen in play: nobody has drawn too little, nothing has gone that could not, nothing lies there that could not."""

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


def laid(path: Path) -> list[Game]:
    """Whatever the cells of a notebook lay by `Game.from_position`, or by a line."""
    found: list[Game] = []

    def keeping(make: Callable[..., Game]) -> Any:
        def kept(cls: type[Game], *given: object, **more: object) -> Game:
            game: Game = make(cls, *given, **more)
            if sys._getframe(1).f_globals.get("__name__") == path.name:  # what exercises lay for themselves is no picture
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


def why_never(game: Game) -> str:
    """Why such a position cannot arise, as far as it tells; nothing if it can."""
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
    lacks = [max(0, rules.hand_size - len(hand)) for hand in game.hands]  # whoever has fewer has played them in this bout
    if rules.transfer:
        return "somebody has drawn too little" if sum(lacks) > attacks + beats else ""
    defended = lacks.pop(game.defender) if game.defender is not None else 0
    return "somebody has drawn too little" if defended > beats or sum(lacks) > attacks else ""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.release
def test_positions_of_a_notebook_could_have_arisen(path: Path) -> None:
    """Whoever counts the cards that are shown finds nothing that the lesson has just said cannot be."""
    assert [(str(game), why) for game in laid(path) if (why := why_never(game))] == []
