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
from durak_widget.rules import dealing, pack

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
        for way in ("from_position", "at"):
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
    gone = pack.size(rules) - sum(map(len, game.hands)) - attacks - beats - len(game.talon) - aside
    if gone % 2:
        return f"{gone} cards have gone, but a beaten card goes with the one that beats it: two at a time"
    if gone and game.bout == 1:
        return f"{gone} cards have gone in the first bout"
    if not game.talon or not dealing.leaves_talon(rules):
        return ""
    lacks = [max(0, rules.hand_size - len(hand)) for hand in game.hands]  # whoever has fewer has played them in this bout
    if rules.transfer:
        return "somebody has drawn too little" if sum(lacks) > attacks + beats else ""
    defended = lacks.pop(game.defender) if game.defender is not None else 0
    return "somebody has drawn too little" if defended > beats or sum(lacks) > attacks else ""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.sample(4)
def test_positions_of_a_notebook_could_have_arisen(path: Path) -> None:
    """Whoever counts the cards that are shown finds nothing that the lesson has just said cannot be."""
    assert [(str(game), why) for game in laid(path) if (why := why_never(game))] == []


@pytest.mark.release
def test_positions_are_laid_in_most_lessons() -> None:
    """What is looked at above is not nothing."""
    assert sum(len(laid(path)) for path in NOTEBOOKS) >= 60


SPOILT = {
    "drawn too little": [
        {"hands": ["Qc 7h Ks 8d", "9s Td Ah Jd"], "trump": "h", "table": "Jc", "attacker": 1, "talon": "6s Tc 9h Kd 8s 7d 6h", "turn_up": "6h"},
        {"hands": ["Qd Kd 8s Jh", "Ts 6h Ac"], "trump": "s", "table": "9c/Kc 9d", "attacker": 1, "talon": "6d 8d Tc 6s", "turn_up": "6s"},
        {"rules": "players=3", "hands": ["9h Kc Jh Td", "9c Jd Qs Ad", "9d 6d Jc"], "trump": "s", "table": "7c", "talon": "6h 8c Tc 6s"},
        {"rules": "japanese", "hands": ["9h 6c Kd", "Qc Ts"], "table": "7c/9c 7s", "attacker": 0, "talon": "6d 8d Qd As"},
        {"rules": "japanese_transfer", "hands": ["8c 8d Ts 6d Ks", "Jc Qs 9d Ah"], "table": "8s", "attacker": 1, "talon": "7d Jd"},
    ],
    "two at a time": [
        {"hands": ["Ks 7d", "9c Qd Kd"], "trump": "h"},
        {"rules": "econ431", "hands": ["Kd Ks", "9h As"], "trump": "h", "table": "Kc/Ac"},
    ],
    "in the first bout": [
        {"hands": ["Qd 8c 7d", "7h Ts"], "trump": "s", "table": "7c/9c 9d/Td 9h/Jh Js/Qs Jd", "attacker": 1, "bout": 1, "talon": "6d 6s"},
    ],
}  # fmt: skip


@pytest.mark.parametrize("why", SPOILT)
def test_a_position_that_could_not_have_arisen_is_found(why: str) -> None:
    """Among them those that the series once showed."""
    for spoilt in SPOILT[why]:
        rules = spoilt.get("rules", "")
        rest = {name: value for name, value in spoilt.items() if name != "rules"}
        assert why in why_never(Game.from_position(rules or None, **rest)), spoilt  # type: ignore[arg-type] - read from a table
