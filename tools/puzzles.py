"""Writes the puzzles of `lessons.Daily()` and of the drill of endings, `lessons/puzzles.txt`: endings with exactly one way home, found in games of bots.

    python tools/puzzles.py            some minutes, with the kernel
    python tools/puzzles.py --jobs 8   in so many processes; --dask ADDRESS: on a cluster. The puzzles are the same

What is right does not stand in the file; `tests/lessons/` proves each of them again.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from time import perf_counter
from typing import TYPE_CHECKING, Final

from durak_widget.lessons.endgame_puzzle import PUZZLE_FILE, format_puzzles, search_bot_games
from durak_widget.parallel import add_worker_options, open_executor

if TYPE_CHECKING:
    from durak_widget.lessons.endgame_puzzle import Puzzle

PRESETS: Final = {"podkidnoy": 240, "econ431": 240, "perevodnoy": 200, "transfer": 120, "thrown_up": 140, "siege": 120}
"""So many of each."""
OF_A_GRADE: Final = 0.3
"""So large a share of one preset's may be of the same grade."""


def main() -> None:
    """Mine them, preset by preset, and write them down; no two are alike, whatever the rules."""
    parser = ArgumentParser(description="Writes the puzzles of lessons.Daily() anew.")
    add_worker_options(parser)
    asked = parser.parse_args()
    with open_executor(asked.jobs, asked.dask) as executor:
        _mine(executor)


def _mine(executor: object) -> None:
    began = perf_counter()
    found: dict[str, Puzzle] = {}
    for preset, many in PRESETS.items():
        grades: Counter[int] = Counter()
        for one in search_bot_games(preset, executor=executor):
            alike = one.position.rpartition(": ")[2]
            if alike in found or grades[one.difficulty] >= OF_A_GRADE * many:
                continue
            found[alike] = one
            grades[one.difficulty] += 1
            if grades.total() == many:
                break
        print(f"{preset}: {many}, by grade {dict(sorted(grades.items()))}, after {perf_counter() - began:.0f} s", flush=True)
    text = format_puzzles(found.values())
    PUZZLE_FILE.write_text(text, encoding="utf-8")
    print(f"{len(found)} puzzles in {len(text.encode()) / 1000:.0f} kB, in {perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
