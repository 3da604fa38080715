"""Time how long all equilibria of a matrix take: the table of docs/matrices.md."""

from __future__ import annotations

from random import Random
from time import perf_counter

from durak_widget import gametheory


def games() -> list[tuple[str, object]]:
    """Games by their names, always the same."""
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
    """Work them out, and print how long it took."""
    for name, game in games():
        begun = perf_counter()
        found = gametheory.equilibria(game)
        taken = perf_counter() - begun
        worth = "" if found.value is None else f", worth {float(found.value):.3f}"
        print(f"{name:30} {len(found):4} equilibria{', all' if found.complete else ''}{worth} {taken:8.2f} s")


if __name__ == "__main__":
    main()
