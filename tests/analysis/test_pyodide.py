"""In Pyodide, Python in a browser, worlds, endings and solved games are there without anything to install or to fetch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from durak_widget import Game, analysis
from support.pyodide_says import said_in_pyodide


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """What a program of ours says in Pyodide."""
    return said_in_pyodide(Path(__file__).with_name("in_pyodide.py"))


@pytest.mark.release
def test_worlds_endings_and_a_solved_game(found) -> None:
    """The same answers as here, a position that comes again and a certificate without a gap among them."""
    game = Game(seed=11)
    assert found["where"] == "emscripten"
    assert found["worlds"] == [analysis.worlds(game.view(game.actor)).count(), True]
    assert found["ending"] == [1, "attack Qh"]
    assert (
        found["going round"] == analysis.endgame.solve(Game.from_position("perevodnoy", hands=["Ks As Kd", "Kh Ah Kc Ac"], trump="h")).value
    )
    assert found["solved"] == ["-1/3", "0"]


@pytest.mark.release
def test_what_needs_numpy_says_so(found) -> None:
    """One sentence: what helps in a browser, and what there is without it."""
    assert found["missing"].startswith(
        "this needs numpy and scipy: await micropip.install(['numpy', 'scipy']). Without them there are worlds, "
    )


@pytest.mark.release
def test_every_example_of_plain_python_runs(found) -> None:
    """The examples of each room that needs no more than Python come out in Pyodide as they stand; which rooms need more is known."""
    needs = {name: told for name, told in found["examples"].items() if isinstance(told, str)}
    numbers = dict.fromkeys(("cfr", "exact", "linear", "sequence", "pettingzoo", "spiel"), "numpy")
    assert needs == {**numbers, "openspiel": "pyspiel"}
    ran = {name: told for name, told in found["examples"].items() if name not in needs}
    assert {name: failed for name, (failed, _) in ran.items() if failed} == {}
    assert {"possible", "endgame", "building", "efg", "forms", "backward", "sampling", "checker", "bot_strategies", "judging"} <= ran.keys()
    assert sum(attempted for _, attempted in ran.values()) > 100
