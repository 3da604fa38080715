"""Work shared among processes of this package's own: what falls or hangs over one thing takes no other with it."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import struct
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from threading import Thread, Timer
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget import looking

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

_HEAD: Final = struct.Struct("!Q")
_LONGEST: Final = 200
_STARTING: Final = 120.0
"""After so many seconds a process that has not begun never will."""
_BEGINS: Final = "import sys; sys.path[:] = sys.argv[1:]; from durak_widget.work.workers import serve; serve()"


class Lost(NamedTuple):
    """Nothing came of this: the process that worked at it fell, or took too long."""

    late: bool


class Failed(NamedTuple):
    """This raised an error."""

    kind: str
    said: str


class _Unknown(NamedTuple):
    """What is to be done is not known in another process: it is defined where only this one finds it."""


class Workers:
    """So many processes, until they are closed.

    >>> with Workers(2) as workers:
    ...     workers.each(max, 3, [1, 2, 5], 60), workers.each(divmod, 3, [1, 0], 60)
    ([3, 3, 5], [(3, 0), Failed(kind='ZeroDivisionError', said='integer division or modulo by zero')])
    """

    def __init__(self, jobs: int, apart: str = os.devnull) -> None:
        """None but this one, if there are to be no jobs, or where no process can be started; none looks for modules in the folder `apart`."""
        self._apart = apart
        self._jobs = 0 if sys.platform == "emscripten" else jobs
        self._free: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._all: list[_Worker] = []
        self._closed = False

    def each(self, work: Callable[..., Any], common: object, things: Sequence[object], seconds: float) -> list[Any]:
        """`work(common, thing)` of each thing, in their order; `Failed` where it raised an error, `Lost` where nothing came of one within so many seconds.

        Where what they have in common cannot be carried to another process, it is done here.
        """
        try:
            told = pickle.dumps((work.__module__, work.__qualname__, common)) if self._jobs else b""
        except Exception:  # noqa: BLE001 - an assignment may be made of functions that have no name
            told = b""
        if not told or b"__main__" in told:  # what a notebook defines, no other process finds; that also a title may say so does no harm
            return [_done(work, common, thing) for thing in things]
        waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
        for place in range(len(things)):
            waiting.put(place)
        found: list[Any] = [None] * len(things)
        given = told, things, waiting, found, seconds
        threads = [Thread(target=self._serve, args=given, daemon=True) for _ in range(min(self._jobs, len(things)))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [_done(work, common, thing) if isinstance(one, _Unknown) else one for one, thing in zip(found, things, strict=True)]

    def _serve(self, told: bytes, things: Sequence[object], waiting: queue.SimpleQueue[int], found: list[Any], seconds: float) -> None:
        """Take one thing after another, and give it to a process."""
        worker: _Worker | None = None
        with contextlib.suppress(queue.Empty):
            while not self._closed:  # whoever interrupts it all is not kept waiting
                place = waiting.get_nowait()
                try:
                    worker = worker or self._hired()
                except OSError:  # none can be started any more: it is done here
                    found[place] = _Unknown()
                    continue
                found[place] = worker.done(told, things[place], seconds)
                if isinstance(found[place], Lost):
                    worker.end()
                    worker = None
        if worker is not None:
            self._free.put(worker)

    def _hired(self) -> _Worker:
        try:
            return self._free.get_nowait()
        except queue.Empty:
            self._all.append(_Worker(self._apart))
            return self._all[-1]

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._closed = True
        for worker in self._all:
            worker.end(now=kind is not None)


class _Worker:
    """A process that does one thing after another."""

    def __init__(self, apart: str) -> None:
        paths = dict.fromkeys([str(Path(__file__).resolve().parents[2]), *looking.paths(apart)])
        self._process = subprocess.Popen(  # noqa: S603 - this Python, with a text that stands above
            [sys.executable, "-B", "-c", _BEGINS, *paths], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment()
        )
        self._told = b""

    def done(self, told: bytes, thing: object, seconds: float) -> Any:  # noqa: ANN401 - what came of it
        """What comes of a thing, or a `Lost`; the time until it has begun does not count."""
        if told != self._told:
            self._told = told
            begun = self._asked([told], _STARTING)
            if isinstance(begun, Lost):
                return begun
        return self._asked([b"", pickle.dumps(thing)], seconds)

    def _asked(self, said: Sequence[bytes], seconds: float) -> Any:  # noqa: ANN401 - as above
        """What it answers, if it does so in time."""
        late = False

        def end() -> None:
            nonlocal late
            late = True
            self._process.kill()

        timer = Timer(seconds, end)
        timer.daemon = True
        timer.start()
        pipes: Any = self._process
        try:
            for one in said:
                write(pipes.stdin, one)
            return pickle.loads(read_message(pipes.stdout))  # noqa: S301 - this package's own process
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            return Lost(late=late)
        finally:
            timer.cancel()

    def end(self, *, now: bool = False) -> None:
        """Nothing more is asked of it; `now`: whatever it does."""
        pipes: Any = self._process
        if now:
            self._process.kill()
        with contextlib.suppress(OSError):
            pipes.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        pipes.stdout.close()


def _environment() -> dict[str, str]:
    """The environment without what another test or notebook would have a new Python do."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith(("COV_", "COVERAGE_", "PYTHONSTARTUP", "PYTHONINSPECT"))
    }


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


def _done(work: Callable[..., Any], common: object, thing: object) -> Any:  # noqa: ANN401 - as above
    try:
        return work(common, thing)
    except Exception as error:  # noqa: BLE001 - it is told as what became of this
        return Failed(type(error).__name__, str(error)[:_LONGEST])


def serve() -> None:
    """What such a process does: it hears what is to be done, and then does it to one thing after another."""
    pipe, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints comes in no answer's way
    with contextlib.suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        work: Any = None
        common: object = None
        while True:
            if told := read_message(pipe):
                work, common = _known(told)
                write(answers, pickle.dumps(None))
                continue
            thing = pickle.loads(read_message(pipe))  # noqa: S301 - from whoever started it
            write(answers, pickle.dumps(_Unknown() if work is None else _done(work, common, thing)))


def _known(told: bytes) -> tuple[Any, object]:
    """What is to be done, and what is common to it all; None where that cannot be found here."""
    try:
        module, name, common = pickle.loads(told)  # noqa: S301 - from whoever started it
        return getattr(import_module(module), name), common
    except Exception:  # noqa: BLE001 - whatever importing somebody's module may raise
        return None, None
