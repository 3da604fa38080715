"""Test in Pyodide, Python in a browser, that worlds, endgames and solved games work without other packages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from durak_widget import Game, analysis
from support.pyodide_says import said_in_pyodide
from support.sources import module_paths

NEED_NUMPY = {
    "durak_widget.analysis.openspiel_bridge",
    "durak_widget.analysis.pettingzoo_env",
    "durak_widget.gametheory.cfr_plus",
    "durak_widget.gametheory.rational_recovery",
    "durak_widget.gametheory.sequence_form",
}
"""The modules that cannot be imported without numpy."""


@pytest.fixture(scope="module")
def pyodide_results() -> dict[str, Any]:
    """Return the results of the program in Pyodide."""
    return said_in_pyodide(Path(__file__).with_name("in_pyodide.py"))


@pytest.mark.release
def test_worlds_and_solutions_are_the_same_in_pyodide(pyodide_results) -> None:
    """The results are the same as here, also for a repeating position. The certificate has no gap."""
    game = Game(seed=11)
    assert pyodide_results["where"] == "emscripten"
    assert pyodide_results["worlds"] == [analysis.worlds(game.view(game.actor)).count(), True]
    assert pyodide_results["ending"] == [1, "attack Qh"]
    assert (
        pyodide_results["going round"]
        == analysis.endgame.solve_endgame(Game.from_position("perevodnoy", hands=["Ks As Kd", "Kh Ah Kc Ac"], trump="h")).value
    )
    assert pyodide_results["solved"] == ["-1/3", "0"]


@pytest.mark.release
def test_without_numpy_the_message_says_how_to_install_it(pyodide_results) -> None:
    """The message says how to install it in a browser, and what works without it."""
    assert pyodide_results["missing"].startswith(
        "this needs numpy and scipy: await micropip.install(['numpy', 'scipy']). Without them you have worlds, "
    )


@pytest.mark.release
def test_examples_of_plain_python_modules_pass(pyodide_results) -> None:
    """Each module that needs only Python is imported, and its examples pass."""
    examples = pyodide_results["examples"]
    assert examples.keys() == {name for name in module_paths() if name.startswith(("durak_widget.analysis.", "durak_widget.gametheory."))}
    assert {name: missing for name, missing in examples.items() if isinstance(missing, str)} == dict.fromkeys(NEED_NUMPY, "numpy")
    ran = {name: result for name, result in examples.items() if name not in NEED_NUMPY}
    assert {name: failed for name, (failed, _) in ran.items() if failed} == {}
    assert sum(attempted for _, attempted in ran.values()) > 100
