"""Test that numpy and scipy may be installed while a notebook is open."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import os, sys
root, folder, installed, *packages = sys.argv[1:]
sys.path += [root, folder]
from durak_widget import gametheory
from durak_widget.board.strategy_state import StrategyState

tree = gametheory.textbook("kuhn")
plays = StrategyState(tree)
assert "cfr+" not in plays.methods and gametheory.solve(tree, "lp").method == "plans"
for asked in (lambda: gametheory.solve(tree, "cfr+"), lambda: gametheory.CFR(tree)):
    try:
        asked()
    except gametheory.MissingPackageError:
        continue
    raise SystemExit("it is there already")
for package in packages:
    os.symlink(os.path.join(installed, package), os.path.join(folder, package))
assert gametheory.solve(tree, "cfr+", iterations=50).iterations == 50
assert gametheory.CFR(tree).run(50).iterations == 50
assert "cfr+" in plays.methods and gametheory.solve(tree, "lp").method == "lp"
"""


def test_packages_installed_later_work_without_a_restart(tmp_path: Path) -> None:
    """First an error says what to install; then, in the same Python process, the solver works."""
    pytest.importorskip("scipy")
    installed = Path(find_spec("numpy").origin).parents[1]
    packages = [path.name for path in installed.iterdir() if path.name in {"numpy", "scipy", "numpy.libs", "scipy.libs"}]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM, str(ROOT), str(tmp_path), str(installed), *packages],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
