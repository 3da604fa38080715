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
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

_HEAD: Final = struct.Struct("!Q")
_BEGINS: Final = "import sys; sys.path[:] = sys.argv[1:]; from durak_widget.classroom.workers import serve; serve()"


class Lost(Exception):  # noqa: N818 - a value: what became of one thing
    """Nothing came of this: the process that worked at it fell, or took too long."""

    def __init__(self, *, late: bool) -> None:
        self.late = late
        super().__init__("it took too long" if late else "the process that worked at it fell")


class Workers:
    """So many processes, until they are closed.

    >>> with Workers(2) as workers:
    ...     workers.each(max, 3, [1, 2, 5], 60), workers.each(divmod, 3, [1, 0], 60)
    ([3, 3, 5], [(3, 0), ZeroDivisionError('integer division or modulo by zero')])
    """

    def __init__(self, jobs: int) -> None:
        """None but this one, if there are to be no jobs, or where no process can be started."""
        self._jobs = 0 if sys.platform == "emscripten" else jobs
        self._free: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._all: list[_Worker] = []
        self._closed = False

    def each(self, work: Callable[..., Any], common: object, things: Sequence[object], seconds: float) -> list[Any]:
        """`work(common, thing)` of each thing, in their order, or the error it raised; a `Lost` where nothing came of one within so many seconds.

        Where what they have in common cannot be carried to another process, it is done here.
        """
        try:
            told = pickle.dumps((work.__module__, work.__qualname__, common)) if self._jobs else b""
        except Exception:  # noqa: BLE001 - an assignment may be made of functions that have no name
            told = b""
        if not told or b"__main__" in told:
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
        return found

    def _serve(self, told: bytes, things: Sequence[object], waiting: queue.SimpleQueue[int], found: list[Any], seconds: float) -> None:
        """Take one thing after another, and give it to a process."""
        worker: _Worker | None = None
        with contextlib.suppress(queue.Empty):
            while not self._closed:  # whoever interrupts it all is not kept waiting
                place = waiting.get_nowait()
                worker = worker or self._hired()
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
            self._all.append(_Worker())
            return self._all[-1]

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._closed = True
        for worker in self._all:
            worker.end(now=kind is not None)


class _Worker:
    """A process that does one thing after another."""

    def __init__(self) -> None:
        root = str(Path(__file__).resolve().parents[2])
        paths = [root, *(path for path in sys.path if path not in ("", root))]
        self._process = subprocess.Popen(  # noqa: S603 - this Python, with a text that stands above
            [sys.executable, "-B", "-c", _BEGINS, *paths], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment()
        )
        self._told = b""

    def done(self, told: bytes, thing: object, seconds: float) -> Any:  # noqa: ANN401 - what came of it
        """What comes of a thing, or a `Lost`."""
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
            new, self._told = b"" if told == self._told else told, told
            write(pipes.stdin, new)
            write(pipes.stdin, pickle.dumps(thing))
            return pickle.loads(read(pipes.stdout))  # noqa: S301 - this package's own process
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


def read(pipe: Any) -> bytes:  # noqa: ANN401 - as above
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
        return error


def serve() -> None:
    """What such a process does: it hears what is to be done, and then does it to one thing after another."""
    pipe, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints comes in no answer's way
    with contextlib.suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        work: Any = None
        common: object = None
        while True:
            if told := read(pipe):
                module, name, common = pickle.loads(told)  # noqa: S301 - from whoever started it
                work = import_module(module)
                for part in name.split("."):
                    work = getattr(work, part)
            write(answers, pickle.dumps(_done(work, common, pickle.loads(read(pipe)))))  # noqa: S301 - as above
