"""Answer N random games of each kind (500), and compare each answer with trying all pure strategies.

What is tried, and what is a fault, stands in `tests/support/answers_tried.py`, which knows no solver; the kinds in `tests/support/kinds_of_games.py`.
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
    """Print what came of each kind."""
    for kind in kinds:
        began = process_time()
        names, faults = tried_of(kind, many)
        print(f"{kind}: {many} games, {len(faults)} faults, {process_time() - began:.0f} s; {dict(names)}", flush=True)
        for number, said, game in faults[:5]:
            print(f"    {number}: {said} {game if kind == 'matrices' else gametheory.to_efg(game)[:1500]}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500, sys.argv[2:] or list(KINDS))
