"""A house rule is added by touching one rule module, as docs/house-rules.md says."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLAY = """
from random import Random
from durak_widget import Game, Rules
rules = Rules.parse("players=4, throw_in_by=left")
assert rules.explain().count("player on the defender's left may throw in")
assert rules.explain("ru").count("player on the defender's left may throw in")
thrown = 0
for seed in range(20):
    game, rng = Game(rules, seed=seed), Random(seed)
    while game.actor is not None:
        if game.table and game.actor != game.defender:
            left = next(seat % 4 for seat in range(game.defender + 1, game.defender + 5) if seat % 4 in game.seats_in)
            assert game.actor in (game.attacker, left)
            thrown += game.actor != game.attacker
        game.play(rng.choice(game.legal_moves()))
assert thrown
"""


def test_one_module_is_enough(tmp_path: Path) -> None:
    """The lines of the page, put into a copy of the one module, make a rule that plays, explains itself and reads as text."""
    page = (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8").split("For example")[1]
    values, sentence, who = (block.split("```")[0].strip() for block in page.split("```python")[1:4])
    shutil.copytree(ROOT / "durak_widget", tmp_path / "durak_widget")
    module = tmp_path / "durak_widget" / "rules" / "throwing.py"
    lines = module.read_text(encoding="utf-8").split("\n")
    changed = 0
    for number, line in enumerate(lines):
        space = line[: len(line) - len(line.lstrip())]
        if line.strip().startswith("throw_in_by: "):
            lines[number], changed = space + values, changed + 1
        elif line.strip().startswith('"nobody": '):
            lines[number], changed = f"{space}{sentence}\n{line}", changed + 1
        elif line.strip().startswith("named = "):
            lines[number], changed = space + who, changed + 1
    assert changed == 3
    module.write_text("\n".join(lines), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", PLAY], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
