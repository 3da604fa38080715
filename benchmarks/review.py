"""`python -m benchmarks.review luck|seeds|time [GAMES] [RULES]`: what the review's luck takes out of the variance, whether two seeds contradict, how long it takes."""

from __future__ import annotations

import sys
from random import Random
from statistics import mean, variance
from time import perf_counter

from durak_widget import Game, Rules, kernel, review
from durak_widget.bots.careful import Careful
from durak_widget.review.decisions import ShareOfResult
from durak_widget.review.fortune import levels

ERRS = 0.1
"""Seat 0 plays so many of its moves by chance; all others are the careful bot's."""


def played(rules: str, seed: int, errs: float = ERRS) -> Game:
    """A whole game."""
    game, chance, careful = Game(rules, seed=seed), Random(seed), Careful()
    while game.actor is not None:
        view = game.view(game.actor)
        game.play(chance.choice(view.legal_moves()) if game.actor == 0 and chance.random() < errs else careful.choose(view, chance))
    return game


def luck(games: int, rules: str) -> None:
    """The variance of a result that is left when luck is taken off, and the mean of luck in points of a hundred."""
    results, rest, drawn, worlds = list[float](), list[float](), list[float](), 0
    for seed in range(games):
        *_, found = levels(played(rules, seed), (0,), ShareOfResult.of(Rules.of(rules)), seed=seed, playouts=4000)
        assert found is not None  # noqa: S101 - the last one is
        one, worlds = found.fortunes[0], found.worlds
        results.append(one.result)
        rest.append(one.result - one.cards)
        drawn.append(one.drawn)
    error = (variance(drawn) / games) ** 0.5
    print(
        f"{rules}, {games} games, some {worlds} worlds a value: variance left {variance(rest) / variance(results):.2f}; "
        f"mean of what was drawn {100 * mean(drawn):+.2f} \u00b1 {196 * error:.2f} points of 100"
    )


def seeds(games: int, rules: str) -> None:
    """How often one seed calls best what another calls a mistake."""
    told = against = 0
    for seed in range(games):
        game = played(rules, seed, 0.25)
        pairs = zip(*(review.of(game, seed=chance, budget=100_000).decisions for chance in (1, 2)), strict=True)
        for one, other in pairs:
            against += {one.verdict, other.verdict} in ({"best", "mistake"}, {"best", "proved mistake"})
            told += one.verdict in {"best", "mistake"} and one.value is None
    print(f"{rules}, {games} games: {told} decisions told by playouts, {against} contradicted by another seed")


def time(games: int, rules: str) -> None:
    """How long the usual review of a game takes."""
    took = []
    for seed in range(games):
        game, start = played(rules, seed, 0.25), perf_counter()
        review.of(game)
        took.append(perf_counter() - start)
    print(f"{rules}, {games} games, {kernel.which()}: {mean(took):.2f} s a game, {max(took):.2f} s at most")


if __name__ == "__main__":
    what, count, by = [*sys.argv[1:], *("luck", "200", "podkidnoy")[len(sys.argv) - 1 :]]
    {"luck": luck, "seeds": seeds, "time": time}[what](int(count), by)
