"""`make bench-theory`: learning beside OpenSpiel, exact endings, solvers and worlds, a few minutes of each; `BENCH_ARGS=--long` for all sizes.

Only learning can fail: it is measured beside OpenSpiel in the same run. The other figures are those of the machine.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks import endings, learning, solving, worlds

PARTS = ("learning", "endings", "solving", "worlds")


def main() -> int:
    """Measure what is asked for; 1 where a bound is missed."""
    parser = argparse.ArgumentParser(description="how fast the theory is")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}; all where none is named")
    parser.add_argument("--long", action="store_true", help="the large sizes too: an hour")
    given = parser.parse_args()
    if unknown := sorted(set(given.parts) - set(PARTS)):
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    missed = 0
    for part in given.parts or PARTS:
        print(f"\n{part}", flush=True)
        if part == "learning":
            missed = learning.main(long=given.long)
        elif part == "endings":
            endings.main(set() if given.long else {4, 6})
        elif part == "solving":
            solving.main(len(solving.GAMES) if given.long else 4)
        else:
            worlds.main(100_000 if given.long else 5_000)
    return missed


if __name__ == "__main__":
    sys.exit(main())
