"""`python -m benchmarks sharing`: what it costs to have work done elsewhere, by each kind of whoever works; `--seconds 60`: by a longer look."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter
from typing import TYPE_CHECKING
from unittest.mock import patch

from durak_widget.work.sharing import Hands, Pace
from durak_widget.work.workers import Order, pickled

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNKS = 500
TURNS = 3


def nothing(_: object, thing: object) -> object:
    """No work at all."""
    return thing


def spun(turns: int, thing: int) -> int:
    """So many turns of a loop: the same work on a busy machine, only later."""
    for _ in range(turns):
        thing = (thing * 1103515245 + 12345) & 0x7FFFFFFF
    return thing


def turns_of_a_millisecond() -> int:
    """How many turns take a millisecond, when nobody is in the way."""
    return int(1e5 * 1e-3 / min(seconds(lambda: spun(100_000, 1)) for _ in range(9)))


def seconds(work: object) -> float:
    """How long something takes."""
    began = perf_counter()
    work()  # type: ignore[operator]
    return perf_counter() - began


def kinds(jobs: int) -> Iterator[tuple[str, object]]:
    """Each kind of whoever works, so many at a time."""
    yield "own processes", jobs
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield "ProcessPoolExecutor", pool
    try:
        from distributed import Client, LocalCluster  # noqa: PLC0415 - it need not be there
    except ImportError:
        print("Dask is not installed: pip install 'durak_widget[arena]'")
        return
    with LocalCluster(jobs, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        yield "Dask, LocalCluster", client


def apart(jobs: int, turns: int, things: range) -> float:
    """How long as many processes take that share nothing: each does its part, and nobody hands anything out."""
    crew = [get_context("spawn").Process(target=alone, args=(turns, things[place::jobs])) for place in range(jobs)]
    began = perf_counter()
    for one in crew:
        one.start()
    for one in crew:
        one.join()
    return perf_counter() - began


def alone(turns: int, things: range) -> None:
    """One part."""
    for one in things:
        spun(turns, one)


def main(jobs: int, lasts: float) -> None:
    """Measure, and print: by turns, so that whatever else runs is in everybody's way."""
    turns = turns_of_a_millisecond()
    things = range(int(lasts * 1000))
    print(
        f"{jobs} workers, {os.cpu_count()} cores; {len(things):,} things of a millisecond; an order of {len(Order(nothing, None).sealed())} bytes,"
    )
    print(f"a chunk of a thousand numbers {len(pickled(list(range(1000)))):,} bytes")
    print(f"{'':<20} {'the first comes':>16} {'a chunk costs':>14} {'of one process':>15} {'of as many that share nothing':>30}")
    for name, executor in kinds(jobs):
        with Hands(executor) as hands:
            first = seconds(lambda hands=hands: hands.each(nothing, [0]))
            hands.each(spun, range(8 * jobs), common=turns)  # every worker has begun
            with patch.object(Pace, "size", lambda *_: 1):
                each = seconds(lambda hands=hands: hands.each(nothing, range(CHUNKS))) / CHUNKS
            one, most, shared = [], [], []
            for _ in range(TURNS):
                one.append(seconds(lambda: alone(turns, things)))
                shared.append(seconds(lambda hands=hands: hands.each(spun, things, common=turns)))
                most.append(apart(jobs, turns, things) - apart(jobs, turns, range(0)))
            against, of = sum(one) / sum(shared), sum(most) / sum(shared)
            print(f"{name:<20} {first:14.2f} s {1000 * each:11.2f} ms {against:13.2f} × {of:29.0%}", flush=True)


if __name__ == "__main__":
    parser = ArgumentParser(description="What it costs to have work done elsewhere.")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many workers (one for each core)")
    parser.add_argument("--seconds", type=float, default=4.0, help="of work on one core")
    asked = parser.parse_args()
    main(asked.jobs, asked.seconds)
