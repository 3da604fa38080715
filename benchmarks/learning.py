"""Compares how long CFR+ takes here and in OpenSpiel to reach equal exploitability.

Both learn the same strategy in each iteration, so both get the number of iterations that the goal needs, and the
benchmark checks that both reach it. OpenSpiel gets each game twice: as native data from an `.efg` file, and as a
registered game written in Python. The time is that of creating the solver and of its iterations, at best in some
alternate rounds. The benchmark fails if our time exceeds a limit.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from durak_widget import Rules, analysis, gametheory

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

NATIVE, PYTHON = 1.0, 1 / 20
"""The maximum ratio of our time to OpenSpiel's, for native games and for games written in Python."""
ROUNDS = 3


class Race(NamedTuple):
    """A game, and the exploitability that both solvers must reach in it."""

    rules: Rules
    native: tuple[float, ...]
    """The exploitabilities to reach in comparison with OpenSpiel's solver on a native game."""
    python: float | None
    """The exploitability to reach in comparison with OpenSpiel's solver on a game written in Python; None if that takes minutes."""


def small(preset: str, **options: str | int) -> Rules:
    """Return a preset's rules with six cards and a known first attacker."""
    return Rules.preset(
        preset, first_attacker="left_of_dealer", **{"suits": "cdh", "ranks": "67", "hand_size": 3, "trump": "none", **options}
    )


RACES = (
    Race(small("econ431", attack_limit=1), (1e-3, 1e-4), 1e-3),
    Race(small("podkidnoy", attack_limit=2), (1e-3, 1e-4), 1e-2),
    Race(small("perevodnoy"), (1e-3, 1e-4), 1e-2),
    Race(small("podkidnoy", trump="c", attack_limit=2), (1e-3, 1e-4), None),
    Race(small("econ431", trump="c", hand_size=1, attack_limit=1), (1e-3,), None),
)
LONG = (
    Race(small("podkidnoy", attack_limit=2), (1e-5,), 1e-3),
    Race(small("perevodnoy"), (1e-5,), 1e-3),
    Race(small("podkidnoy", trump="c", hand_size=1, attack_limit=1), (1e-3, 1e-4), None),
)


def needed(tree: Tree, goal: float) -> int:
    """Return how many iterations CFR+ needs to reach an exploitability."""
    return gametheory.CFR(tree).run(100_000, until=goal, every=1).iterations


def ours(tree: Tree, iterations: int) -> tuple[float, gametheory.Strategy]:
    """Run our CFR+, and return the seconds with the strategy."""
    start_time = perf_counter()
    cfr = gametheory.CFR(tree)
    cfr.run(iterations, every=iterations)
    return perf_counter() - start_time, cfr.strategy()


def theirs(tree: Tree, game: object, iterations: int) -> tuple[float, gametheory.Strategy]:
    """Run OpenSpiel's CFR+, and return the seconds with the strategy in our tree."""
    import pyspiel  # noqa: PLC0415 - an optional extra

    start_time = perf_counter()
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    seconds = perf_counter() - start_time
    return seconds, analysis.openspiel.convert_policy_to_strategy(tree, solver.average_policy(), game)


def race(name: str, tree: Tree, game: object, goal: float, bound: float, rounds: int) -> bool:
    """Print both times, and return whether we were slower than allowed."""
    iterations = needed(tree, goal)
    times: tuple[list[float], list[float]] = [], []
    for _ in range(rounds):
        for times_of_solver, (seconds, learned) in zip(times, (ours(tree, iterations), theirs(tree, game, iterations)), strict=True):
            times_of_solver.append(seconds)
            left = float(gametheory.exploitability(tree, learned))
            assert left <= goal * (1 + 1e-6), f"{name}: {left} is left, and {goal} was to be reached"  # noqa: S101 - this is what it is for
    mine, other = map(min, times)
    ratio = mine / other
    ratio_text = f"{ratio:6.2f}" if ratio > 0.1 else f"1/{other / mine:.0f}"
    verdict = "" if ratio <= bound else f"   MISSED: at most {bound:g}"
    print(
        f"  to {goal:g}, {iterations:4} iterations: ours {1000 * mine:9.1f} ms, {name} {1000 * other:9.1f} ms: {ratio_text:>6}{verdict}",
        flush=True,
    )
    return ratio > bound


def main(*, long: bool = False) -> int:
    """Run all comparisons; return 1 if our time exceeds a limit."""
    try:
        spiel = analysis.openspiel
    except ImportError:
        print("OpenSpiel is not installed (pip install open-spiel): nothing to compare with")
        return 0
    missed = False
    for rules, native, python in RACES + LONG * long:
        tree = analysis.build_game_tree(rules, dealer=1)
        print(f"{tree.title}: {tree.history_count:,} histories")
        for goal in native:
            missed |= race("OpenSpiel's on native data", tree, spiel.convert_tree_to_game(tree), goal, NATIVE, ROUNDS)
        if python is not None:
            missed |= race("OpenSpiel's on a Python game", tree, spiel.register(rules, dealer=1), python, PYTHON, 1)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(long="--long" in sys.argv))
