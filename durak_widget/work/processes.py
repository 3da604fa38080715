"""Processes of this package's own: what falls or hangs over one thing takes no other with it, and none looks for modules where it should not."""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import queue
import struct
import subprocess
import sys
from pathlib import Path
from threading import Lock, Thread, Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from durak_widget import import_path
from durak_widget.work.crews import Chunk, Crew, News
from durak_widget.work.workers import Outcomes, done_one, opened, pickled, pickled_outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.work.workers import Order

_HEAD: Final = struct.Struct("!Q")
_STARTING: Final = 120.0
"""After so many seconds a process that has not begun never will."""
_OFTEN: Final = 0.05
"""After so many seconds a process says what came of what it has done so far."""
_BEGINS: Final = "import sys; sys.path[:] = sys.argv[1:]; from durak_widget.work.processes import serve; serve()"


class OwnProcesses:
    """So many processes, begun as they are needed, and kept from one order to the next until they are closed."""

    def __init__(self, jobs: int, apart: str = os.devnull, path: Sequence[str] | None = None) -> None:
        """None looks for modules in the folder `apart`; `path` is where they look instead of where this process does."""
        self.jobs, self._apart, self._path = jobs, apart, path
        self._free: list[_Process] = []
        self._busy: set[_Process] = set()
        self._lock, self._closed = Lock(), False

    def hired(self) -> _Process:
        """One that is free, or a new one; an `OSError` where none can be begun."""
        with self._lock:
            if self._closed:
                raise OSError
            one = self._free.pop() if self._free else _Process(self._apart, self._path)
            self._busy.add(one)
        return one

    def back(self, process: _Process) -> None:
        """One that is not needed for now; one that has ended is forgotten."""
        with self._lock:
            self._busy.discard(process)
            if process.lives and not self._closed:
                self._free.append(process)
                return
        process.end(now=True)

    def close(self) -> None:
        """End them all."""
        with self._lock:
            self._closed = True
            free, busy = self._free, list(self._busy)
            self._free = []
        for process in (*free, *busy):
            process.end(now=process in busy)


class OwnCrew(Crew):
    """Processes of this package's own at one order: a thread for each gives it chunks, and listens."""

    def __init__(self, processes: OwnProcesses, order: Order) -> None:
        self._processes, self._order = processes, order
        self._given: queue.SimpleQueue[Chunk | None] = queue.SimpleQueue()
        self._heard: queue.SimpleQueue[News] = queue.SimpleQueue()
        self._threads: list[Thread] = []
        self._at_work: set[_Process] = set()
        self._lock, self._dropped = Lock(), False

    def count(self) -> int:
        """As many as were asked for."""
        return self._processes.jobs

    def give(self, chunk: Chunk) -> None:
        """Put it where the first that is free finds it."""
        self._given.put(chunk)
        if len(self._threads) < self._processes.jobs:
            self._threads.append(Thread(target=self._serve, daemon=True, name="durak-process"))
            self._threads[-1].start()

    def news(self, seconds: float) -> News | None:
        """The next that one of them says."""
        try:
            return self._heard.get(timeout=seconds)
        except queue.Empty:
            return None

    def drop(self) -> None:
        """End those that are in the middle of something; the others are kept for what comes."""
        with self._lock:
            self._dropped = True
            for process in self._at_work:
                process.kill()
        for _ in self._threads:
            self._given.put(None)
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        """Take one chunk after another, and give it to a process."""
        process: _Process | None = None
        while (chunk := self._given.get()) is not None and not self._dropped:  # whoever interrupts it all is not kept waiting
            try:
                data = pickled(chunk.things)
                process = process or self._processes.hired()
            except Exception:  # noqa: BLE001 - no process can be begun any more, or the things cannot be carried: they are done here
                self._heard.put(News(chunk, Outcomes([], 0.0, "here")))
                continue
            with self._lock:
                if self._dropped:
                    break
                self._at_work.add(process)
            for came in process.done(self._order, data, len(chunk.things)):
                self._heard.put(News(chunk, came, falls=1))
            with self._lock:
                self._at_work.discard(process)
            if not process.lives:
                self._processes.back(process)
                process = None
        if process is not None:
            self._processes.back(process)


class _Process:
    """A process that does one chunk after another."""

    def __init__(self, apart: str, path: Sequence[str] | None) -> None:
        paths = dict.fromkeys([str(Path(__file__).resolve().parents[2]), *(import_path.worker_path(apart) if path is None else path)])
        self._process = subprocess.Popen(  # noqa: S603 - this Python, with a text that stands above
            [sys.executable, "-B", "-c", _BEGINS, *paths], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment()
        )
        self._order: Order | None = None
        self.lives = True

    def done(self, order: Order, things: bytes, many: int) -> Iterator[Outcomes]:
        """What comes of a chunk, part by part; the time until the process has begun does not count."""
        try:
            if order is not self._order:
                self._order = order
                known = self._asked(b"O" + order.sealed(), _STARTING)
                if known.rest:
                    self._order = None
                    yield known
                    return
            came = self._asked(b"T" + things, order.seconds)
            while came.rest == "more":
                many -= len(came.values)
                yield came
                came = self._asked(b"", order.seconds)
            yield came
        except _LateError:
            yield Outcomes([], 0.0, "late" if many == 1 else "slow")
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            self.kill()
            yield Outcomes([], 0.0, "fell")

    def _asked(self, said: bytes, seconds: float) -> Outcomes:
        """What it says next, if it does so in time."""
        late = False

        def end() -> None:
            nonlocal late
            late = True
            self.kill()

        timer = None if math.isinf(seconds) else Timer(seconds, end)
        if timer is not None:
            timer.daemon = True
            timer.start()
        pipes: Any = self._process
        try:
            if said:
                write(pipes.stdin, said)
            came: Outcomes = pickle.loads(read_message(pipes.stdout))  # noqa: S301 - this package's own process
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            if late:
                raise _LateError from None
            raise
        finally:
            if timer is not None:
                timer.cancel()
        return came

    def kill(self) -> None:
        """End it, whatever it does."""
        self.lives = False
        self._process.kill()

    def end(self, *, now: bool = False) -> None:
        """Nothing more is asked of it; `now`: whatever it does."""
        pipes: Any = self._process
        if now:
            self.kill()
        with contextlib.suppress(OSError):
            pipes.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        pipes.stdout.close()


class _LateError(Exception):
    """Too long was taken, and the process ended."""


def _environment() -> dict[str, str]:
    """Return the environment without what would make a new Python load other modules first, or run something."""
    dropped = ("COV_", "COVERAGE_", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONINSPECT")
    return {name: value for name, value in os.environ.items() if not name.startswith(dropped)}


def write(pipe: Any, data: bytes) -> None:  # noqa: ANN401 - an end of a pipe
    """Send a message."""
    pipe.write(_HEAD.pack(len(data)) + data)
    pipe.flush()


def read_message(pipe: Any) -> bytes:  # noqa: ANN401 - as above
    """The next message; an `EOFError` where none comes."""
    head = pipe.read(_HEAD.size)
    if len(head) < _HEAD.size:
        raise EOFError
    data: bytes = pipe.read(_HEAD.unpack(head)[0])
    return data


def serve() -> None:
    """What such a process does: it hears what is to be done, and then does it to one chunk of things after another."""
    pipe, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints comes in no answer's way
    work: Any = None
    common: object = None
    with contextlib.suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            said = read_message(pipe)
            try:
                if said[:1] == b"O":
                    work, common = opened(said[1:])
                    write(answers, pickled(Outcomes([], 0.0)))
                    continue
                things = pickle.loads(said[1:])  # noqa: S301 - as above
            except Exception as error:  # noqa: BLE001 - whatever importing somebody's module may raise
                write(answers, pickled(Outcomes([], 0.0, "here", type(error).__name__)))
                continue
            for came in _parts(work, common, things):
                write(answers, pickled_outcomes(came))


def _parts(work: Any, common: object, things: Sequence[object]) -> Iterator[Outcomes]:  # noqa: ANN401 - a function
    """What comes of things, told as often as one may want to know: of an error that ends this process then only what is left is to blame."""
    values: list[object] = []
    told = monotonic()
    for left, thing in zip(range(len(things) - 1, -1, -1), things, strict=True):
        values.append(done_one(work, common, thing))
        if left and (now := monotonic()) - told > _OFTEN:
            yield Outcomes(values, now - told, "more")
            values, told = [], monotonic()
    yield Outcomes(values, monotonic() - told)
