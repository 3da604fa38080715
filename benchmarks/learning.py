"""Time how long CFR+ takes to the same exploitability here and in OpenSpiel, on the same games, in one run.

Iteration for iteration both learn the same, so that each is given as many as it takes; that what came out is as good is then looked at.
OpenSpiel has each game twice: as native data by way of `.efg`, and registered as a game written in Python. Seconds are those of the making of
the solver and of its iterations, the least of some rounds by turns. It fails where a bound is missed.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from durak_widget import Rules, analysis, gametheory

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

NATIVE, PYTHON = 1.0, 1 / 20
"""Our time beside OpenSpiel's may be at most this."""
ROUNDS = 3


class Race(NamedTuple):
    """A game, and how well it is to be learned."""

    rules: Rules
    native: tuple[float, ...]
    """To what exploitability, beside OpenSpiel on native data."""
    python: float | None
    """To what, beside OpenSpiel on a game written in Python; None where that takes minutes."""


def small(preset: str, **options: str | int) -> Rules:
    """A preset on six cards, with a known first attacker."""
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
    """How many iterations it takes."""
    return gametheory.CFR(tree).run(100_000, until=goal, every=1).iterations


def ours(tree: Tree, iterations: int) -> tuple[float, gametheory.Strategy]:
    """Our seconds, and what was learned."""
    began = perf_counter()
    cfr = gametheory.CFR(tree)
    cfr.run(iterations, every=iterations)
    return perf_counter() - began, cfr.strategy()


def theirs(tree: Tree, game: object, iterations: int) -> tuple[float, gametheory.Strategy]:
    """The seconds of OpenSpiel, and what it learned, as a strategy of our tree."""
    import pyspiel  # noqa: PLC0415 - an optional extra

    began = perf_counter()
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    took = perf_counter() - began
    return took, analysis.openspiel.convert_policy_to_strategy(tree, solver.average_policy(), game)


def race(name: str, tree: Tree, game: object, goal: float, bound: float, rounds: int) -> bool:
    """Print who took how long; whether we were slower than we may be."""
    iterations = needed(tree, goal)
    times: tuple[list[float], list[float]] = [], []
    for _ in range(rounds):
        for found, (seconds, learned) in zip(times, (ours(tree, iterations), theirs(tree, game, iterations)), strict=True):
            found.append(seconds)
            left = float(gametheory.exploitability(tree, learned))
            assert left <= goal * (1 + 1e-6), f"{name}: {left} is left, and {goal} was to be reached"  # noqa: S101 - this is what it is for
    mine, other = map(min, times)
    ratio = mine / other
    said = f"{ratio:6.2f}" if ratio > 0.1 else f"1/{other / mine:.0f}"
    verdict = "" if ratio <= bound else f"   MISSED: at most {bound:g}"
    print(
        f"  to {goal:g}, {iterations:4} iterations: ours {1000 * mine:9.1f} ms, {name} {1000 * other:9.1f} ms: {said:>6}{verdict}",
        flush=True,
    )
    return ratio > bound


def main(*, long: bool = False) -> int:
    """Run all; 1 where a bound is missed."""
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
