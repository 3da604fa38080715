"""Measures how long it takes to find all equilibria of a matrix, for docs/matrices.md."""

from __future__ import annotations

from random import Random
from time import perf_counter

from durak_widget import gametheory


def games() -> list[tuple[str, object]]:
    """Return some games with their names; the random ones are always the same."""
    chance = Random(9)
    meeting = [[(int(row == column),) * 2 for column in range(9)] for row in range(9)]
    random = [[(chance.randint(-9, 9), chance.randint(-9, 9)) for _ in range(9)] for _ in range(9)]
    zero_sum = [[chance.randint(-99, 99) for _ in range(64)] for _ in range(64)]
    return [
        ("meeting at one of nine places", meeting),
        ("random payoffs", random),
        ("Kuhn's poker", gametheory.matrix(gametheory.textbook("kuhn"))),
        ("random, zero-sum", zero_sum),
    ]


def main() -> None:
    """Find the equilibria of each game, and print the times."""
    for name, game in games():
        start_time = perf_counter()
        result = gametheory.equilibria(game)
        seconds = perf_counter() - start_time
        value_text = "" if result.value is None else f", worth {float(result.value):.3f}"
        print(f"{name:30} {len(result):4} equilibria{', all' if result.complete else ''}{value_text} {seconds:8.2f} s")


if __name__ == "__main__":
    main()
