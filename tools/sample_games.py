"""Writes the small set of bots' games that comes with the package; `--check` says whether it would change."""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path

from durak_widget import Game, bots

SAMPLE = Path(__file__).resolve().parent.parent / "durak_widget" / "class_games" / "data" / "sample.durak"
PLAYERS = {
    "careful": bots.get("careful"),
    "miserly": bots.Bot("miserly", bots.get("careful", miserly=True).implementation),
    "random": bots.get("random"),
}
A_PAIR = 6
"""So many games are played by each two of them and by each with itself, in turn on either seat."""


def text() -> str:
    """The games, one after another, each in the form in which tables keep them."""
    found = []
    for first, second in [*combinations(PLAYERS, 2), *((name, name) for name in PLAYERS)]:
        for number in range(A_PAIR):
            names = [second, first] if number % 2 else [first, second]
            deal = f"{first} and {second}, {number}"
            game = bots.play(Game(seed=deal), [PLAYERS[name] for name in names], deal)
            begin, _, rest = str(game).partition("\n")
            found.append("\n".join([begin, *(f"# Seat {seat}: {name}" for seat, name in enumerate(names)), rest]))
    return "\n".join(found)


def main() -> int:
    """Write it; with `--check`, 1 where it is not as it would be written."""
    if "--check" in sys.argv[1:]:
        same = SAMPLE.is_file() and SAMPLE.read_text(encoding="utf-8") == text()
        print("unchanged" if same else f"{SAMPLE.name} is not as the bots play: run python tools/sample_games.py")
        return 0 if same else 1
    SAMPLE.parent.mkdir(exist_ok=True)
    SAMPLE.write_text(text(), encoding="utf-8", newline="\n")
    print(f"{SAMPLE.name}: {len(text())} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
