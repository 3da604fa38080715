"""Measures the time of a school class's tournament, and how much workers speed it up.

python -m benchmarks arena shared      compares one process with a process for each core: sandboxed bots that take 1 ms a move
python -m benchmarks arena class       plays until the ratings of thirty such bots are accurate to 5 points
python -m benchmarks arena ranking     computes a ranking of thirty bots
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
"""The code of a bot that takes a millisecond for each move; it plays better with a higher `careful`."""
TURNS, GAMES = 3, 60
CLASS, LESSON = 30, 40 * 60
LOOK = 20.0
"""The time in seconds between two checks whether all ratings are accurate enough."""


def student(number: int, of: int = CLASS) -> str:
    """Return the code of a student's bot; bots with higher numbers are better."""
    return SLOW.format(careful=number / of)


def shared() -> None:
    """Compare one process with several, and (if Dask is installed) with a cluster."""
    compared("processes", count_cores())
    if find_spec("distributed") is not None:
        from distributed import Client, LocalCluster  # noqa: PLC0415 - where it is

        with LocalCluster(n_workers=count_cores(), threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            compared("workers of a cluster", client)


def compared(called: str, workers: object) -> None:
    """Compare a tournament in this process with one on a worker for each core."""
    two = {"one": student(5), "other": student(25)}
    worker_count, ratios = count_cores(), list[float]()
    for turn in range(TURNS):
        seconds = []
        for executor in (None, workers):
            run = arena.Run(two, games=GAMES, seed=turn, executor=executor)
            start_time, first = 0.0, 0
            with closing(run.play_deals()) as steps:
                for played in steps:
                    if not start_time:  # Start the clock at the first deal, when all processes have started
                        start_time, first = monotonic(), played
            seconds.append((monotonic() - start_time) / (run.games_played - first))
        ratios.append(seconds[0] / seconds[1])
        print(
            f"here {1000 * seconds[0]:.0f} ms a game, by {worker_count} {called} {1000 * seconds[1]:.0f}: {ratios[-1]:.2f} times as fast",
            flush=True,
        )
    print(f"{median(ratios):.2f} times as fast by {worker_count} {called}, {median(ratios) / worker_count:.2f} of each core", flush=True)


def whole_class() -> None:
    """Play a school class's tournament until its ratings are accurate, or the lesson is over."""
    run = arena.Run({f"student {number}": student(number) for number in range(CLASS)}, games=20_000, executor=count_cores())
    start_time = looked = monotonic()
    with closing(run.play_deals()) as steps:
        for played in steps:
            if (now := monotonic()) - looked > LOOK:
                still, looked = run.ranking.estimate_games_needed(5), now
                print(f"after {(now - start_time) / 60:.1f} min {played} games; some {still} more", flush=True)
                if still == 0 or now - start_time > LESSON:
                    break
    print(f"{run.games_played} games of {CLASS} bots in {(monotonic() - start_time) / 60:.1f} min on {count_cores()} cores", flush=True)


def ranking() -> None:
    """Measure how long it takes to compute a ranking."""
    result = arena.play(
        {f"bot {number}": "careful" if number % 2 else "random" for number in range(CLASS)}, games=1000, executor=count_cores()
    )
    start_time = monotonic()
    assert result.standings.order  # noqa: S101 - it has been worked out
    print(f"{result.games_played} games of {CLASS} bots: a ranking in {monotonic() - start_time:.1f} s", flush=True)


PARTS: dict[str, Callable[[], None]] = {"shared": shared, "class": whole_class, "ranking": ranking}


def main(words: list[str]) -> None:
    """Run the named parts of the benchmark (by default all), and print the times."""
    print(f"Python {platform.python_version()} on {platform.machine()}, {count_cores()} cores", flush=True)
    for name in words or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
