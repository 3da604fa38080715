"""Time a class's tournament, and how much faster it is with more workers.

python -m benchmarks arena shared      the same games here and by as many processes as there are cores, by turns: bots of 1 ms a move, behind walls
python -m benchmarks arena class       how long it takes until each of thirty such bots is known to within 5 points
python -m benchmarks arena ranking     how long a ranking of thirty takes to be worked out
"""

from __future__ import annotations

import platform
import sys
from contextlib import closing
from importlib.util import find_spec
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING

from durak_widget import arena
from durak_widget.parallel import count_cores

if TYPE_CHECKING:
    from collections.abc import Callable

SLOW = """
from time import process_time

def choose(view, rng):
    until = process_time() + 0.001
    legal = view.legal_moves()
    move = legal[0] if rng.random() < {careful} else rng.choice(legal)
    while process_time() < until:
        pass
    return move
"""
"""A bot that takes a millisecond for each move; the more careful, the better."""
TURNS, GAMES = 3, 60
CLASS, LESSON = 30, 40 * 60
LOOK = 20.0
"""So often it is looked whether all are known well enough, in seconds."""


def student(number: int, of: int = CLASS) -> str:
    """The bot of one of a class."""
    return SLOW.format(careful=number / of)


def shared() -> None:
    """Here and by processes, by turns; and by the workers of a cluster on this machine, where Dask is installed."""
    compared("processes", count_cores())
    if find_spec("distributed") is not None:
        from distributed import Client, LocalCluster  # noqa: PLC0415 - where it is

        with LocalCluster(n_workers=count_cores(), threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            compared("workers of a cluster", client)


def compared(called: str, workers: object) -> None:
    """As many workers as there are cores beside this process alone."""
    two = {"one": student(5), "other": student(25)}
    many, ratios = count_cores(), list[float]()
    for turn in range(TURNS):
        seconds = []
        for executor in (None, workers):
            run = arena.Run(two, games=GAMES, seed=turn, executor=executor)
            began, first = 0.0, 0
            with closing(run.play_deals()) as steps:
                for played in steps:
                    if not began:  # processes have begun by the first deal
                        began, first = monotonic(), played
            seconds.append((monotonic() - began) / (run.games_played - first))
        ratios.append(seconds[0] / seconds[1])
        print(
            f"here {1000 * seconds[0]:.0f} ms a game, by {many} {called} {1000 * seconds[1]:.0f}: {ratios[-1]:.2f} times as fast",
            flush=True,
        )
    print(f"{median(ratios):.2f} times as fast by {many} {called}, {median(ratios) / many:.2f} of each core", flush=True)


def whole_class() -> None:
    """Until everybody is known to within 5 points, or the lesson is over."""
    run = arena.Run({f"student {number}": student(number) for number in range(CLASS)}, games=20_000, executor=count_cores())
    began = looked = monotonic()
    with closing(run.play_deals()) as steps:
        for played in steps:
            if (now := monotonic()) - looked > LOOK:
                still, looked = run.ranking.estimate_games_needed(5), now
                print(f"after {(now - began) / 60:.1f} min {played} games; some {still} more", flush=True)
                if still == 0 or now - began > LESSON:
                    break
    print(f"{run.games_played} games of {CLASS} bots in {(monotonic() - began) / 60:.1f} min on {count_cores()} cores", flush=True)


def ranking() -> None:
    """What is worked out while it is played."""
    found = arena.play(
        {f"bot {number}": "careful" if number % 2 else "random" for number in range(CLASS)}, games=1000, executor=count_cores()
    )
    began = monotonic()
    assert found.standings.order  # noqa: S101 - it has been worked out
    print(f"{found.games_played} games of {CLASS} bots: a ranking in {monotonic() - began:.1f} s", flush=True)


PARTS: dict[str, Callable[[], None]] = {"shared": shared, "class": whole_class, "ranking": ranking}


def main(words: list[str]) -> None:
    """Measure, and tell."""
    print(f"Python {platform.python_version()} on {platform.machine()}, {count_cores()} cores", flush=True)
    for name in words or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
