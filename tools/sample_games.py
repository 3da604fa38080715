"""Writes the sample games between bots that are part of the package.

With `--check`, it only tells whether the file would change.
"""

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
"""The number of games that each pair of bots plays, including a bot with itself; seats alternate."""


def text() -> str:
    """Play the sample games, and return them as text in the format of saved games."""
    texts = []
    for first, second in [*combinations(PLAYERS, 2), *((name, name) for name in PLAYERS)]:
        for number in range(A_PAIR):
            names = [second, first] if number % 2 else [first, second]
            deal = f"{first} and {second}, {number}"
            game = bots.play(Game(seed=deal), [PLAYERS[name] for name in names], deal)
            begin, _, rest = str(game).partition("\n")
            texts.append("\n".join([begin, *(f"# Seat {seat}: {name}" for seat, name in enumerate(names)), rest]))
    return "\n".join(texts)


def main() -> int:
    """Write the file; with `--check`, return 1 if the file is not up to date."""
    if "--check" in sys.argv[1:]:
        same = SAMPLE.is_file() and SAMPLE.read_text(encoding="utf-8") == text()
        print("unchanged" if same else f"{SAMPLE.name} does not have the games that the bots play now; run python tools/sample_games.py")
        return 0 if same else 1
    SAMPLE.parent.mkdir(exist_ok=True)
    SAMPLE.write_text(text(), encoding="utf-8", newline="\n")
    print(f"{SAMPLE.name}: {len(text())} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
