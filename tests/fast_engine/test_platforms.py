"""Test that the same WebAssembly file plays the same games in CPython, in Node and in Pyodide."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode
from pathlib import Path

import pytest

import frontend
from durak_widget import Game, Rules, analysis, fast_engine
from durak_widget.fast_engine.engine_instance import get_engine_instance
from durak_widget.fast_engine.game_simulation import parse_policies
from durak_widget.fast_engine.state_encoding import encode_rules
from durak_widget.fast_engine.wasm_host import WASM_FILE
from support.pyodide_says import said_in_pyodide
from support.sizes import tried

pytestmark = pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
HERE = Path(__file__).parent
GAME_SETS = json.loads((HERE / "game_sets.json").read_text(encoding="utf-8"))
"""A thousand games each, by two to four players, with transfers, swaps, two decks, jokers, teams, and seeds of all sizes."""
RECORDED_DIGEST = "04190a03ec7bc73f"
"""What a thousand games of podkidnoy from seed 1 by the careful bot come to, on every machine."""


def test_cpython_gives_the_recorded_digest():
    """With the host installed here, compared with the digest in this file."""
    assert fast_engine.simulate_games("podkidnoy", count=1000, seed=1, policy="careful").digest == RECORDED_DIGEST


def digests_in_node(game_sets):
    """Return the digests of these games in Node alone; Python only encodes the rules."""
    inputs = []
    for game_set in game_sets:
        rules = Rules.coerce(game_set["rules"])
        policies = parse_policies(game_set["policy"], rules.players)
        image = b64encode(encode_rules(rules, get_engine_instance(rules).layout)).decode()
        packed = sum(policy << 3 * seat for seat, policy in enumerate(policies))
        inputs.append({"image": image, "seed": str(game_set["seed"]), "count": game_set["count"], "policies": packed})
    node = [str(frontend.find_node().program), str(HERE / "in_node.mjs"), str(WASM_FILE)]
    done = subprocess.run(node, input=json.dumps(inputs), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_node_gives_the_same_digests():
    """Sets of a thousand games, with nothing but the WebAssembly file; before a release every preset too."""
    game_sets = [
        *GAME_SETS,
        *({"rules": name, "count": 1000, "seed": 9, "policy": "random"} for name in sorted(Rules.presets())[: tried(3, 99)]),
    ]
    assert digests_in_node(game_sets) == [fast_engine.simulate_games(**game_set).digest for game_set in game_sets]


@pytest.mark.slow
def test_pyodide_gives_the_same_digests():
    """With the browser's own WebAssembly, through the same Python code; single moves and the Python engine agree there too."""
    found = said_in_pyodide(HERE / "pyodide_program.py")
    assert found["where"] == found["at last"] == "the browser's WebAssembly"
    assert found["digests"] == [fast_engine.simulate_games(**game_set).digest for game_set in GAME_SETS]
    assert found["legal"] is found["played"] is found["plain"] is True
    game = Game("transfer, players=4", seed=7)
    game.play(game.legal_moves()[0])
    assert tuple(found["tried"]) == fast_engine.playouts(game, count=40).sums
    assert found["opened"] == list(analysis.solve_double_dummy(Game("econ431, ranks=QKA", seed=3), budget=70_000)[::2])
    solved = analysis.endgame.solve_endgame(Game.from_position("perevodnoy", hands=["9c Td Qs Jc", "Kc Ts Jd As"], trump="h"))
    assert found["ended"] == [solved.value, solved.bouts_to_end, solved.positions_searched, *map(str, solved.best_line)]
