"""Tests a built wheel as a user would: installs it, plays a game and creates the lessons.

The wheel is installed into an environment of its own.

`python tools/tried_wheel.py dist` tests the wheel in the folder `dist`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PLAYS = """
import durak_widget
from durak_widget import Game, Table, bots
game = bots.play(Game(seed=7), ["careful", "counting"], 7)
assert len(Table(seed=7)._esm) > 1000
print(f"durak_widget {durak_widget.__version__}: a game of {len(game.moves)} moves was played, and a table laid")
"""
"""A program that plays a whole game without a front end, and creates a table with its front end."""


def main(folder: Path) -> int:
    """Test the wheel in a folder; if something is wrong, the last line of output says what."""
    (wheel,) = folder.glob("*.whl")
    with tempfile.TemporaryDirectory(prefix="durak-wheel-") as home:
        venv.create(Path(home) / "env", with_pip=True)
        scripts = Path(home) / "env" / ("Scripts" if os.name == "nt" else "bin")

        def run(program: str, *arguments: str | Path) -> None:
            subprocess.run([scripts / program, *arguments], cwd=home, check=True, stdin=subprocess.DEVNULL)

        run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel.resolve())
        run("python", "-I", "-c", PLAYS)
        run("durak-lessons", "--no-open", Path(home) / "lessons")
        if not (Path(home) / "lessons" / "00_welcome.ipynb").is_file():
            print("durak-lessons did not copy any lessons", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
