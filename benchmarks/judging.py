"""Evaluates the bots `first` and `careful` exactly in four miniatures.

The output is the table of docs/judging.md.

`python -m benchmarks judging 1` uses only the first miniature; names of other bots may follow the number.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from time import perf_counter

from durak_widget import Rules, analysis, bots, gametheory

GAMES = (
    ("podkidnoy", "67", 1, 1),
    ("podkidnoy", "678", 1, 1),
    ("perevodnoy", "678", 1, 2),
    ("econ431", "678", 2, 2),
    ("low_trump", "67A", 1, 1),
)
"""The games to evaluate: preset, ranks of clubs (trumps) and diamonds, hand size, and maximum number of attacking cards in a bout; seat 0
attacks first."""


def said(number: Fraction) -> str:
    """Format a fraction, and after it its approximate value."""
    return f"{number} ({float(number):.3f})".replace("-", "−")


def main(games: int, names: list[str]) -> None:
    """Evaluate some bots in the first miniatures, and print a table."""
    print("| game | bot | exploitability | as seat 0: certain of, loses | as seat 1: certain of, loses | seconds to ask, judge |")
    leaks = []
    for preset, ranks, hand, most in GAMES[:games]:
        sizes = {"suits": "cd", "ranks": ranks, "hand_size": hand, "attack_limit": most}
        rules = Rules.preset(preset, **sizes, trump="c", first_attacker="left_of_dealer")
        tree = analysis.build_game_tree(rules, dealer=1)
        solution = gametheory.solve(tree)
        print(f"\n{rules}: {tree}, value {said(Fraction(solution.value))}; {solution.certificate}", flush=True)
        for name in names:
            start = perf_counter()
            strategy = analysis.convert_bot_to_strategy(tree, bots.get(name))
            asked_time = perf_counter()
            evaluation = analysis.evaluate_strategy(tree, strategy, solution=solution, max_leaks=3)
            sides = " | ".join(f"{said(side.guaranteed_value)}, {said(side.loss)}" for side in evaluation.player_evaluations)
            print(
                f"| {preset} | {name} | {said(evaluation.exploitability)} | {sides} | {asked_time - start:.0f}, {perf_counter() - asked_time:.0f} |",
                flush=True,
            )
            leaks += [
                f"{preset}, {name}: seat {side.player} loses {leak}"
                for side in evaluation.player_evaluations
                for leak in map(line, side.leaks)
            ]
    print("", *leaks, sep="\n")


def line(leak: analysis.Leak) -> str:
    """Format a costly decision in one line."""
    return f"{said(leak.gain)} at {leak.label} [{leak.observations}]: {leak.current_actions}, better {leak.better_action} ({leak.share}), which comes up {said(leak.reach_probability)}"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else len(GAMES), sys.argv[2:] or ["first", "careful"])
