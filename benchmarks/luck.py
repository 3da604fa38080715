"""`python -m benchmarks.luck mean|left [GAMES] [RULES] [ONE] [OTHER]`.

Whether what luck is said to have brought has a mean of nothing, and how much of the variance of a result is left when it is taken away: of single games, and of
deals that are played from both seats, per game; single games as they are played are 1. `erring` is the careful bot that makes a tenth of its moves by chance.
"""

from __future__ import annotations

import sys
from statistics import fmean, variance
from time import process_time
from typing import TYPE_CHECKING, Any

from durak_widget import Game, bots
from durak_widget.arena.luck import luck_of
from durak_widget.review.decisions import ShareOfResult

if TYPE_CHECKING:
    from random import Random

    from durak_widget import Move, View

ERRS = 0.1


def erring(view: View, rng: Random) -> Move:
    """A careful move, or one by chance."""
    return rng.choice(view.legal_moves()) if rng.random() < ERRS else bots.get("careful").choose(view, rng)


def seated(name: str) -> Any:  # noqa: ANN401 - whatever sits at a table
    """A bot by its name, with playouts in brackets: `searching(750)`."""
    if name.endswith(")"):
        of, _, playouts = name[:-1].partition("(")
        return bots.get(of, playouts=int(playouts))
    return bots.get(erring if name == "erring" else name)


def mean(games: int, rules: str, one: str, other: str) -> None:
    """The mean of luck of seat 0, in points of a hundred, and how long it takes to say."""
    brought, took = list[float](), 0.0
    pair = [seated(one), seated(other)]
    for number in range(games):
        game = Game(rules, seed=f"mean {number}")
        table = [pair[number % 2], *[pair[1 - number % 2]] * (game.seats - 1)]
        bots.play(game, table, number)
        began = process_time()
        luck = luck_of(game)
        took += process_time() - began
        assert luck is not None  # noqa: S101 - these are rules whose luck is known
        brought.append(luck[0])
        if (number + 1) % 25_000 == 0 or number + 1 == games:
            give = 196 * (variance(brought) / len(brought)) ** 0.5
            print(
                f"{rules}, {one} v {other}, {number + 1} games: mean of luck {100 * fmean(brought):+.2f} \u00b1 {give:.2f} points of 100, "
                f"of one game {100 * variance(brought) ** 0.5:.0f}; {1e3 * took / len(brought):.2f} ms a game",
                flush=True,
            )


def left(deals: int, rules: str, one: str, other: str) -> None:
    """How much of the variance is left."""
    raw, rest, shares = list[tuple[float, float]](), list[tuple[float, float]](), ShareOfResult.of(Game(rules).rules)
    pair = [seated(one), seated(other)]
    for deal in range(deals):
        found = []
        for seat in (0, 1):
            game = bots.play(Game(rules, seed=f"left {deal}"), pair[::-1] if seat else pair, f"{deal} {seat}")
            luck = luck_of(game)
            assert luck is not None  # noqa: S101 - as above
            assert game.outcome is not None  # noqa: S101 - it is over
            share = shares.share(game.outcome.utilities[seat])
            found.append((share, share - luck[seat]))
        raw.append((found[0][0], found[1][0]))
        rest.append((found[0][1], found[1][1]))
    whole = _single(raw)
    print(
        f"{rules}, {one} v {other}, {deals} deals from both seats: share {100 * fmean(map(fmean, raw)):.1f}; "
        f"variance left, single games as they are = 1: single, luck taken away {_single(rest) / whole:.2f}; "
        f"pairs {_of_pairs(raw) / whole:.2f}; pairs, luck taken away {_of_pairs(rest) / whole:.2f}",
        flush=True,
    )


def _single(pairs: list[tuple[float, float]]) -> float:
    """The variance of one game."""
    return fmean(variance(some) for some in zip(*pairs, strict=True))


def _of_pairs(pairs: list[tuple[float, float]]) -> float:
    """The variance of the mean of a deal from both seats, per game."""
    return 2 * variance(map(fmean, pairs))


if __name__ == "__main__":
    what, count, by, first, second = [*sys.argv[1:], *("left", "400", "podkidnoy", "erring", "careful")[len(sys.argv) - 1 :]]
    {"mean": mean, "left": left}[what](int(count), by, first, second)
