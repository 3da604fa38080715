"""A house rule is added by touching one rule module, as docs/house-rules.md says; one line more, and the kernel plays it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from durak_widget import Rules, fast_engine

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
KERNEL = """
import sys
sys.path.append(TESTS)
from durak_widget import Rules, fast_engine
from support.following import followed
rules = Rules.parse("players=4, throw_in_by=left")
print(fast_engine.explain_unsupported_rules(rules))
if fast_engine.explain_unsupported_rules(rules) is None:
    print(all(followed(rules.replace(**mix), seed) for mix in ({}, {"transfer": True}, {"players": 6}) for seed in range(5)))
    print(fast_engine.simulate_games(rules, count=100).digest != fast_engine.simulate_games(Rules(players=4), count=100).digest)
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the lines of the page in its one module."""
    tree = tmp_path_factory.mktemp("house")
    page = (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8").split("For example")[1]
    values, sentence, who = (block.split("```")[0].strip() for block in page.split("```python")[1:4])
    shutil.copytree(ROOT / "durak_widget", tree / "durak_widget", ignore=shutil.ignore_patterns("node_modules"))
    module = tree / "durak_widget" / "rules" / "attack.py"
    lines = module.read_text(encoding="utf-8").split("\n")
    changed = 0
    for number, line in enumerate(lines):
        space = line[: len(line) - len(line.lstrip())]
        if line.strip().startswith("throw_in_by: Literal"):
            lines[number], changed = space + values, changed + 1
        elif line.strip().startswith('"nobody": "'):
            lines[number], changed = f"{space}{sentence}\n{line}", changed + 1
        elif line.strip().startswith('"neighbours": (attacker'):
            lines[number], changed = f"{space}{who}\n{line}", changed + 1
    assert changed == 3
    module.write_text("\n".join(lines), encoding="utf-8")
    return tree


def said(code: str, tree: Path) -> list[str]:
    """The lines that a program prints there."""
    done = subprocess.run([sys.executable, "-c", code], cwd=tree, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_one_module_is_enough(tree: Path) -> None:
    """The lines of the page, put into a copy of the one module, make a rule that plays, explains itself and reads as text."""
    said(PLAY, tree)


@pytest.mark.slow
def test_one_line_more_and_the_kernel_plays_it(tree: Path) -> None:
    """Until its value is known there, the kernel leaves it to the engine; then it agrees with it, move for move, and plays other games than before."""
    code = KERNEL.replace("TESTS", repr(str(ROOT / "tests")))
    assert said(code, tree) == ["throw_in_by='left' is not known to the kernel; the plain engine plays it"]
    expressed = tree / "durak_widget" / "fast_engine" / "supported_rules.py"
    line, known = '    "throw_in_by": "{}",\n', expressed.read_text(encoding="utf-8")
    (told,) = said("from durak_widget import Rules; print(Rules.options()['throw_in_by'])", tree)
    before = line.format(Rules.options()["throw_in_by"])
    assert known.count(before) == 1
    expressed.write_text(known.replace(before, line.format(told)), encoding="utf-8")
    if fast_engine.describe_host().startswith("none"):
        pytest.skip(fast_engine.describe_host())
    assert said(code, tree) == ["None", "True", "True"]
