"""Prepares, solves and scores questions in processes of their own.

The event loop is never blocked by a solver, and a solver that takes too long is stopped by ending its process. `python -m
durak_widget.live.worker` is such a process. It reads tasks from its standard input and writes outcomes to its standard output; both are
JSON, after four bytes with their length.
"""

from __future__ import annotations

import asyncio
import json
import os
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from durak_widget.live.question import Json, JsonObject

TIME_LIMITS: Final = {"prepare": 20.0, "solve": 30.0, "score": 30.0}
"""How many seconds a task may take, by its kind."""
START_LIMIT: Final = 20.0
"""How many seconds a process may take to start, which is not counted as time of its first task."""
MAX_FRAME: Final = 16_000_000
"""The longest outcome in bytes."""
_MAX_TRACEBACK: Final = 3000
_HEAD: Final = struct.Struct("!I")
PACKAGE_FOLDER: Final = str(Path(__file__).resolve().parents[2])
"""The folder from which child processes import this package; they run in it, so nothing else of the current folder is imported."""


class WorkerPool:
    """Two worker processes: one for quick tasks, and one for solving.

    Each process starts when its first task comes, and again after it had to be stopped or has crashed.
    """

    def __init__(self, command: Sequence[str] = (), time_limits: dict[str, float] | None = None) -> None:
        command = command or (sys.executable, "-m", "durak_widget.live.worker")
        self._time_limits = TIME_LIMITS | (time_limits or {})
        self._quick, self._slow = _Process(command), _Process(command)

    async def run(self, kind: str, task: JsonObject) -> JsonObject:
        """Run a task and return its outcome; `{"error": …}` if it failed.

        The errors are `timeout`, `crashed`, `too_large`, `failed` (a bug) and `refused`, which has the reason as `text`.
        """
        process = self._slow if kind == "solve" else self._quick
        return await process.run({"kind": kind, **task}, self._time_limits[kind])

    async def prepare(self, spec: JsonObject) -> JsonObject:
        """Return the outcome of preparing a question: `{"prepared": …}` or an error."""
        return await self.run("prepare", {"spec": spec})

    async def solve(self, spec: JsonObject, prepared: JsonObject) -> JsonObject:
        """Return the solution of a question, or an error."""
        return await self.run("solve", {"spec": spec, "prepared": prepared})

    async def score(self, spec: JsonObject, prepared: JsonObject, answers: dict[int, Json], language: str) -> JsonObject:
        """Return the result of a question, or an error."""
        return await self.run("score", {"spec": spec, "prepared": prepared, "answers": answers, "language": language})

    async def start(self) -> None:
        """Start the process for quick tasks before the first task comes."""
        await self._quick.start()

    async def close(self) -> None:
        """Stop both processes."""
        await asyncio.gather(self._quick.stop(), self._slow.stop())


class _Process:
    """A worker process that runs one task after the other."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._lock = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        async with self._lock:
            with suppress(OSError, EOFError, asyncio.TimeoutError):
                await self._get_process()

    async def run(self, task: JsonObject, seconds: float) -> JsonObject:
        data = _encode(task)
        async with self._lock:
            try:
                process = await self._get_process()
                return await asyncio.wait_for(self._exchange(process, data), seconds)
            except asyncio.TimeoutError:
                await self._kill()
                return {"error": "timeout"}
            except (OSError, EOFError, ValueError):
                await self._kill()
                return {"error": "crashed"}
            except asyncio.CancelledError:
                await self._kill()  # Its outcome would be taken for that of the next task
                raise

    async def stop(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        async with self._lock:
            await self._kill()

    async def _get_process(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            await self._kill()
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                cwd=PACKAGE_FOLDER,
                limit=1 << 20,
            )
            assert self._process.stdout is not None  # noqa: S101 - a pipe was asked for
            await asyncio.wait_for(self._process.stdout.readexactly(_HEAD.size), START_LIMIT)
        return self._process

    @staticmethod
    async def _exchange(process: asyncio.subprocess.Process, data: bytes) -> JsonObject:
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - pipes were asked for
        process.stdin.write(data)
        await process.stdin.drain()
        (length,) = _HEAD.unpack(await process.stdout.readexactly(_HEAD.size))
        outcome: JsonObject = json.loads(await process.stdout.readexactly(length))
        return outcome

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        transport: Any = getattr(process, "_transport", None)
        if transport is not None:  # Otherwise its pipes stay open until the garbage is collected
            transport.close()


def _encode(value: JsonObject) -> bytes:
    """Return a task or an outcome as it is sent: its length, and then itself."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return _HEAD.pack(len(data)) + data


# --- In the worker process ---


def run_task(task: JsonObject) -> JsonObject:
    """Run a task in this process, and return its outcome.

    >>> run_task({"kind": "prepare", "spec": {"kind": "riddle"}})["error"]
    'refused'
    """
    from durak_widget.live.question import find_question_class, load_question  # noqa: PLC0415 - only the worker process needs it

    try:
        if task["kind"] == "prepare":
            return {"prepared": find_question_class(task["spec"]).prepare(task["spec"])}
        question = load_question(task["spec"], task["prepared"])
        if task["kind"] == "solve":
            return question.solve()
        return question.score({int(seat): answer for seat, answer in task["answers"].items()}, task["language"])
    except DurakError as error:
        return {"error": "refused", "text": str(error)}
    except (MemoryError, RecursionError):
        return {"error": "too_large"}
    except Exception as error:  # noqa: BLE001 - the session goes on without this result
        import traceback  # noqa: PLC0415 - only for a bug

        from durak_widget.live.error_log import write_error  # noqa: PLC0415 - as above

        write_error(traceback.format_exc()[-_MAX_TRACEBACK:])
        return {"error": "failed", "text": type(error).__name__}


def serve(tasks: BinaryIO, outcomes: BinaryIO, run: Callable[[JsonObject], JsonObject] = run_task) -> None:
    """Run tasks until the process that sends them ends."""
    import queue  # noqa: PLC0415 - only the worker process needs these
    import threading  # noqa: PLC0415 - as above

    waiting: queue.Queue[bytes] = queue.Queue()

    def read() -> None:
        # In a thread, so that a long task ends together with the process that asked for it.
        while len(head := tasks.read(_HEAD.size)) == _HEAD.size:
            waiting.put(tasks.read(*_HEAD.unpack(head)))
        os._exit(0)

    outcomes.write(_HEAD.pack(0))
    outcomes.flush()
    threading.Thread(target=read, daemon=True).start()
    while True:
        outcome = run(json.loads(waiting.get()))
        data = _encode(outcome)
        outcomes.write(data if len(data) <= MAX_FRAME else _encode({"error": "too_large"}))
        outcomes.flush()


def main() -> None:
    """Serve tasks on the standard input and output."""
    outcomes = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # What a solver prints must not get among the outcomes
    with suppress(AttributeError, OSError):
        os.nice(5)  # Phones come first
    try:
        serve(sys.stdin.buffer, outcomes)
    except BrokenPipeError:  # The session's process is gone
        os._exit(0)


if __name__ == "__main__":
    main()
