"""Test that a house rule needs one rule module, as docs/house-rules.md says, and one more line for the fast engine."""

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
def get_sentence(rules, language):
    return next(text for _, rows in rules.explain(language).groups for name, _, text in rows if name == "throw_in_by")
assert get_sentence(rules, "en") == get_sentence(rules, "ru") != get_sentence(Rules(players=4), "en")
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
def package_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the package with the docs' example in its one module."""
    copy = tmp_path_factory.mktemp("house")
    page = (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8").split("For example")[1]
    values, sentence, who = (block.split("```")[0].strip() for block in page.split("```python")[1:4])
    shutil.copytree(ROOT / "durak_widget", copy / "durak_widget", ignore=shutil.ignore_patterns("node_modules"))
    module = copy / "durak_widget" / "rules" / "attack.py"
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
    return copy


def program_output(code: str, package_copy: Path) -> list[str]:
    """Return the lines that a program prints with that copy."""
    done = subprocess.run([sys.executable, "-c", code], cwd=package_copy, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_one_module_makes_a_house_rule(package_copy: Path) -> None:
    """The example plays, explains itself and reads as text."""
    program_output(PLAY, package_copy)


@pytest.mark.slow
def test_one_more_line_adds_the_rule_to_the_fast_engine(package_copy: Path) -> None:
    """Before, the engine plays it. Then both agree on every move, and games differ from before."""
    code = KERNEL.replace("TESTS", repr(str(ROOT / "tests")))
    (refusal,) = program_output(code, package_copy)
    assert "throw_in_by='left'" in refusal
    expressed = package_copy / "durak_widget" / "fast_engine" / "supported_rules.py"
    line, known = '    "throw_in_by": "{}",\n', expressed.read_text(encoding="utf-8")
    (options,) = program_output("from durak_widget import Rules; print(Rules.options()['throw_in_by'])", package_copy)
    before = line.format(Rules.options()["throw_in_by"])
    assert known.count(before) == 1
    expressed.write_text(known.replace(before, line.format(options)), encoding="utf-8")
    if fast_engine.describe_host().startswith("none"):
        pytest.skip(fast_engine.describe_host())
    assert program_output(code, package_copy) == ["None", "True", "True"]
