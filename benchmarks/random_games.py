"""Compares the answers for random games with a search of all pure strategies.

Usage: `python -m benchmarks random_games [N] [KIND...]`, with N games of each kind (500).

`tests/support/answers_tried.py` tries the strategies without any solver, and defines what is a fault.
`tests/support/kinds_of_games.py` defines the kinds of games.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from durak_widget import gametheory
from support.answers_tried import tried_of
from support.kinds_of_games import KINDS


def main(many: int, kinds: list[str]) -> None:
    """Print the results for each kind of game."""
    for kind in kinds:
        start_time = process_time()
        names, faults = tried_of(kind, many)
        print(f"{kind}: {many} games, {len(faults)} faults, {process_time() - start_time:.0f} s; {dict(names)}", flush=True)
        for number, fault, game in faults[:5]:
            print(f"    {number}: {fault} {game if kind == 'matrices' else gametheory.to_efg(game)[:1500]}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500, sys.argv[2:] or list(KINDS))
