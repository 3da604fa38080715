"""Finds endgame puzzles in games of bots, and writes them to `lessons/puzzles.txt`.

`lessons.Daily()` and the endgame drill use the puzzles. Each puzzle is an endgame with exactly one move that wins
or saves the game.

    python tools/puzzles.py            takes some minutes with the fast engine
    python tools/puzzles.py --jobs 8   uses 8 processes; --dask ADDRESS uses a cluster. The puzzles are the same

The file does not contain the solutions; `tests/lessons/` computes and checks them.
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
"""The number of puzzles for each preset."""
OF_A_GRADE: Final = 0.3
"""The maximum fraction of a preset's puzzles that may have the same difficulty."""


def main() -> None:
    """Find the puzzles of all presets, and write them to the file.

    No two puzzles are equal, even under different rules.
    """
    parser = ArgumentParser(description="Write the puzzles of lessons.Daily() again.")
    add_worker_options(parser)
    arguments = parser.parse_args()
    with open_executor(arguments.jobs, arguments.dask) as executor:
        _mine(executor)


def _mine(executor: object) -> None:
    start_time = perf_counter()
    puzzles: dict[str, Puzzle] = {}
    for preset, puzzle_count in PRESETS.items():
        grades: Counter[int] = Counter()
        for puzzle in search_bot_games(preset, executor=executor):
            position = puzzle.position.rpartition(": ")[2]
            if position in puzzles or grades[puzzle.difficulty] >= OF_A_GRADE * puzzle_count:
                continue
            puzzles[position] = puzzle
            grades[puzzle.difficulty] += 1
            if grades.total() == puzzle_count:
                break
        print(f"{preset}: {puzzle_count}, by grade {dict(sorted(grades.items()))}, after {perf_counter() - start_time:.0f} s", flush=True)
    text = format_puzzles(puzzles.values())
    PUZZLE_FILE.write_text(text, encoding="utf-8")
    print(f"{len(puzzles)} puzzles in {len(text.encode()) / 1000:.0f} kB, in {perf_counter() - start_time:.0f} s")


if __name__ == "__main__":
    main()
