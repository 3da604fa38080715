"""Measures each solver on small games of Durak: seconds, memory and exactness.

`python -m benchmarks solving 2` takes the two smallest of the games.
"""

from __future__ import annotations

import resource
import sys
from time import perf_counter

from durak_widget import Rules, analysis, gametheory

GAMES = (
    ("podkidnoy", "cd", "67", 1, "c", 1),
    ("podkidnoy", "cdh", "67", 1, "c", 1),
    ("econ431", "cd", "678", 1, "c", 1),
    ("podkidnoy", "cd", "678", 1, "c", 1),
    ("econ431", "cd", "678", 2, "c", 2),
    ("podkidnoy", "cdh", "67", 2, "c", 2),
    ("podkidnoy", "cd", "678", 2, "c", 2),
    ("econ431", "cdhs", "67", 4, "none", 1),
    ("econ431", "cdhs", "67", 4, "none", 2),
)
"""The games to solve: preset, suits, ranks, hand size, trump, and maximum number of attacking cards in a bout; seat 0 attacks first."""


def memory() -> str:
    """Return the maximum memory that this process has used so far, as text."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"


def main(games: int) -> None:
    """Solve the first games by each method, and print the results."""
    for preset, suits, ranks, hand, trump, most in GAMES[:games]:
        sizes = {"suits": suits, "ranks": ranks, "hand_size": hand, "attack_limit": most}
        rules = Rules.preset(preset, **sizes, trump=trump, first_attacker="left_of_dealer")
        start = perf_counter()
        tree = analysis.build_game_tree(rules, dealer=1)
        print(f"\n{preset}, {suits} x {ranks}, {hand}, trump {trump}: {tree}, built in {perf_counter() - start:.1f} s")
        solution = gametheory.solve(tree)
        print(f"  linear program, with its proof: {solution.value} in {solution.seconds:.2f} s, {memory()}")
        start = perf_counter()
        gap = gametheory.check_certificate(tree, solution.certificate)
        print(f"  checked in {perf_counter() - start:.2f} s: gap {gap}")
        cfr = gametheory.CFR(tree)
        for until in (1e-3, 1e-4, 1e-5):
            cfr.run(20_000, until=until, every=20)
            milliseconds = 1000 * cfr.seconds / cfr.iterations
            print(f"  CFR+ to {until:g}: {cfr.iterations:,} iterations, {cfr.seconds:.2f} s, {milliseconds:.2f} ms each, {memory()}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else len(GAMES))
