"""Counts what a session does, and measures how long it blocks the event loop."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from time import perf_counter, process_time, thread_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.live.question import JsonObject


class Statistics:
    """Counters of one session, since its process started.

    >>> statistics = Statistics()
    >>> with statistics.measure("send"):
    ...     statistics.count_message(100)
    >>> statistics.to_json()["messages_sent"], statistics.to_json()["bytes_sent"]
    (1, 100)
    """

    def __init__(self) -> None:
        self.started = perf_counter()
        self.messages_sent = self.bytes_sent = self.messages_received = 0
        self.refused = self.failed = self.flooded = 0
        self._longest_cpu: dict[str, float] = {}
        self._longest_wall: dict[str, float] = {}
        self._total_cpu: dict[str, float] = {}

    def count_message(self, size: int) -> None:
        """Count a message that was sent to a phone."""
        self.messages_sent += 1
        self.bytes_sent += size

    @contextmanager
    def measure(self, name: str) -> Iterator[None]:
        """Measure how long a `with` block blocks the event loop; the block must not await."""
        wall, cpu = perf_counter(), thread_time()
        try:
            yield
        finally:
            self.count_block(name, thread_time() - cpu, perf_counter() - wall)

    def count_block(self, name: str, cpu: float, wall: float) -> None:
        """Count one stretch during which the event loop did nothing else, in seconds."""
        self._total_cpu[name] = self._total_cpu.get(name, 0.0) + cpu
        if cpu > self._longest_cpu.get(name, 0.0):
            self._longest_cpu[name] = cpu
        if wall > self._longest_wall.get(name, 0.0):
            self._longest_wall[name] = wall

    def measure_every_callback(self) -> None:
        """Measure each callback of the event loop, and each garbage collection.

        Callbacks, with those of the web server, are the block `loop`.
        """
        import asyncio  # noqa: PLC0415 - only for the benchmark
        import gc  # noqa: PLC0415 - as above

        run = asyncio.Handle._run

        def run_measured(handle: asyncio.Handle) -> None:
            wall, cpu = perf_counter(), thread_time()
            run(handle)
            self.count_block("loop", thread_time() - cpu, perf_counter() - wall)

        started = [0.0, 0.0]

        def note_collection(phase: str, facts: dict[str, int]) -> None:
            if phase == "start":
                started[:] = [perf_counter(), thread_time()]
            else:
                self.count_block(f"garbage {facts['generation']}", thread_time() - started[1], perf_counter() - started[0])

        gc.callbacks.append(note_collection)
        setattr(asyncio.Handle, "_run", run_measured)  # noqa: B010 - there is no public way to see every callback

    def reset_blocks(self) -> None:
        """Forget the longest blocks so far."""
        self._longest_cpu.clear()
        self._longest_wall.clear()

    def to_json(self) -> JsonObject:
        """Return all counters; times are milliseconds, memory is megabytes."""
        return {
            "seconds": round(perf_counter() - self.started, 3),
            "cpu_seconds": round(process_time(), 3),
            "memory_mb": _read_memory(),
            "messages_received": self.messages_received,
            "messages_sent": self.messages_sent,
            "bytes_sent": self.bytes_sent,
            "refused": self.refused,
            "failed": self.failed,
            "flooded": self.flooded,
            "longest_cpu_ms": round(1000 * max(self._longest_cpu.values(), default=0.0), 2),
            "longest_wall_ms": round(1000 * max(self._longest_wall.values(), default=0.0), 2),
            "blocks": {
                name: {
                    "longest_cpu_ms": round(1000 * self._longest_cpu.get(name, 0.0), 2),
                    "longest_wall_ms": round(1000 * self._longest_wall.get(name, 0.0), 2),
                    "total_cpu_ms": round(1000 * total, 1),
                }
                for name, total in sorted(self._total_cpu.items())
            },
        }


def _read_memory() -> float:
    """Return the memory of this process in megabytes; 0 where it cannot be read."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - a file of the system, not of the user
            return round(int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
    except OSError:
        pass
    if sys.platform == "win32":
        return 0.0
    import resource  # noqa: PLC0415 - not there on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / 1e6 if sys.platform == "darwin" else peak / 1e3, 1)
