"""Compares the solvers that use numpy with those in plain Python.

Usage: `python -m benchmarks numpy_pairs [GAMES]`, with the number of games.

Two jobs have a solver of each kind. A zero-sum game is solved by one linear program with scipy or by a double
oracle, and CFR+ learns with numpy or in plain Python. Each line has the CPU times of both, measured alternately, at
best in three rounds. The benchmark fails if the two values of a game differ.
"""

from __future__ import annotations

import sys
from time import process_time
from typing import TYPE_CHECKING, Final

from durak_widget import Rules, analysis, gametheory
from durak_widget.gametheory.cfr_plus_without_numpy import PurePythonCFR
from durak_widget.gametheory.double_oracle_solver import double_oracle
from durak_widget.gametheory.rational_recovery import recover_exact_certificate
from durak_widget.gametheory.sequence_form import SequenceForm, solve_linear_program

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.gametheory.tree import Tree

TEXTBOOK: Final = ("pennies", "myerson", "kuhn")
DURAK: Final = (
    ("podkidnoy", "cd", "67", 1, "none"),
    ("podkidnoy", "cd", "67", 1, "c"),
    ("podkidnoy", "c", "6789T", 2, "none"),
    ("podkidnoy", "cd", "678", 3, "none"),
    ("econ431", "cd", "678", 3, "c"),
    ("podkidnoy", "cdh", "67", 1, "none"),
    ("podkidnoy", "cd", "678", 3, "c"),
)
"""Games of docs/miniatures.md that plain Python can solve too: preset, suits, ranks, hand size and trump."""
ROUNDS: Final = 3


def games() -> list[tuple[str, Tree]]:
    """Return the games with their names, smallest first."""
    named_games = [(name, gametheory.textbook(name)) for name in TEXTBOOK]
    for preset, suits, ranks, hand, trump in DURAK:
        sizes = {"suits": suits, "ranks": ranks, "hand_size": hand, "attack_limit": hand}
        rules = Rules.preset(preset, **sizes, trump=trump, first_attacker="left_of_dealer")
        named_games.append((f"{preset} {suits} {ranks} {hand} {trump}", analysis.build_game_tree(rules, dealer=1)))
    return sorted(named_games, key=lambda named_game: named_game[1].history_count)


def by_turns(*jobs: Callable[[], object]) -> tuple[list[float], list[object]]:
    """Run several jobs alternately; return the shortest time of each, and its result."""
    least, results = [float("inf")] * len(jobs), list[object]([None] * len(jobs))
    for _ in range(ROUNDS):
        for place, job in enumerate(jobs):
            start_time = process_time()
            results[place] = job()
            least[place] = min(least[place], process_time() - start_time)
    return least, results


def solve_with_scipy(tree: Tree) -> object:
    """Return the value by a linear program with scipy, exact if it can be proved."""
    form = SequenceForm(tree)
    return recover_exact_certificate(form, solve_linear_program(form)).value


def solve_plainly(tree: Tree) -> object:
    """Return the value by the double oracle in plain Python, with its certificate."""
    return gametheory.certify(tree, double_oracle(tree).strategy).value


def main(few: int | None) -> int:
    """Print a line for each game; return 1 if a value differs."""
    wrong = 0
    for name, tree in games()[:few]:
        (with_scipy, plain), (scipy_value, plain_value) = by_turns(
            lambda tree=tree: solve_with_scipy(tree), lambda tree=tree: solve_plainly(tree)
        )
        wrong += scipy_value != plain_value
        iterations = 200 if tree.history_count < 1_000 else 10
        learners = gametheory.CFR(tree), PurePythonCFR(tree)
        (with_numpy, plainly), _ = by_turns(
            lambda learner=learners[0], many=iterations: learner.run(many, every=many),
            lambda learner=learners[1], many=iterations: learner.run(many),
        )
        print(
            f"{name:26} {tree.history_count:7,} histories: solved in {1000 * with_scipy:7.1f} ms with scipy, {1000 * plain:7.1f} ms plainly "
            f"({plain / with_scipy:5.2f}); an iteration of CFR+ {1e6 * with_numpy / iterations:6.0f} µs with numpy, "
            f"{1e6 * plainly / iterations:7.0f} µs plainly ({plainly / with_numpy:5.2f})"
            + ("; VALUES DIFFER" if scipy_value != plain_value else ""),
            flush=True,
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else None))
