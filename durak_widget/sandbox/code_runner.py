"""Runs other people's code as a bot, in a separate process that can do no harm.

The code sees one view at a time and returns its choice; nothing else goes in or out. The game, its hidden
cards and all answer keys stay in this process. A result is data, limited in size and time, and is read as
untrusted input. A process is ended together with all its children.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import math
import os
import pickle
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from durak_widget.atomic_files import parse_json_text
from durak_widget.errors import BotError, short_repr
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.safe_import_path import START_OPTIONS
from durak_widget.sandbox.audit_hooks import ATTEMPT_KINDS
from durak_widget.sandbox.message_encoding import MessageEncoder
from durak_widget.translated_errors import explain_error

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from random import Random
    from types import TracebackType

    from durak_widget.engine.observation import Observation
    from durak_widget.gametheory.tree import InfoSet

_MAX_CODE_LENGTH: Final = 100_000
_MAX_MOVES: Final = 200
_MAX_TEXT_LENGTH: Final = 60
RESTRICTIONS: Final = ("memory", "privileges", "files", "tree", "calls")
"""The restrictions that an operating system may enforce on sandboxed code.

`docs/sandbox.md` explains each.
"""
_HEADER: Final = struct.Struct("!I")
MAX_ANSWER_BYTES: Final = 2**16
"""The maximum size, in bytes, of an answer from sandboxed code."""
START_TIMEOUT: Final = 60.0
"""The time in seconds after which a process that has not started counts as failed."""
_START_CODE: Final = """
import sys
sys.path[:] = [sys.argv[1], *filter(None, sys.path)]
from durak_widget.sandbox.child_process import main
del sys.path[0]
main(sys.argv[2], tree=sys.argv[3] == "tree")
"""
_IDLE_LOCK: Final = RLock()


class Limits(NamedTuple):
    """The limits on CPU time and memory for one piece of sandboxed code."""

    seconds: float = 10
    """The maximum CPU time in seconds, for all processes of the code together. The code may take three times as long
    in real time, because the computer may be busy."""
    megabytes: int = 512


class SandboxError(BotError):
    """An error in sandboxed code, with a text that can be translated.

    >>> SandboxError("class.code.slow", seconds=10).to_text("lt")
    'Kodas veikė ilgiau nei 10 s.'
    """

    def __init__(self, key: str, /, **facts: object) -> None:
        self.fact = TranslatableText(key, facts)
        super().__init__(Translator().translate(key, **facts))

    def to_text(self, language: str) -> str:
        """Describe the error in a sentence of a language."""
        return Translator(language).translate(self.fact.key, **self.fact.facts)


class CodeResult(NamedTuple):
    """The choices that sandboxed code made, or the error that stopped it."""

    answers: tuple[object, ...] | None
    error: SandboxError | None


def warn_of_missing_restrictions(missing: Iterable[str]) -> TranslatableText:
    """Return a warning that lists restrictions which the operating system does not enforce.

    >>> warn_of_missing_restrictions(["calls"]).facts["walls"]
    (TranslatableText(key='class.wall.calls', facts={}),)
    """
    restrictions = tuple(TranslatableText(f"class.wall.{name}") for name in RESTRICTIONS if name in missing)
    return TranslatableText("class.code.weaker", {"walls": restrictions, "system": "Linux"})


class SandboxedBot:
    r"""A bot that runs other people's code in the sandbox.

    The code defines `choose(view, rng)`, or a function of a view.

    Close it after use.

    >>> from durak_widget import Game
    >>> with SandboxedBot("def choose(view):\n    return view.legal_moves()[0]") as bot:
    ...     bot.choose_at(Game(seed=7).view(0))
    'attack Jc'
    >>> with SandboxedBot("def choose(view):\n    return 1 / 0") as bot:
    ...     bot.choose_at(Game(seed=7).view(0))
    Traceback (most recent call last):
    durak_widget.sandbox.code_runner.SandboxError: The code raised ZeroDivisionError (division by zero) in line 2.
    """

    name = "the code"

    def __init__(self, code: str, limits: Limits = Limits(), *, without: Iterable[str] = ()) -> None:  # noqa: B008 - it is a value
        """Store code that chooses moves; `without` lists restrictions to leave out in tests."""
        self.limits, self._left_out, self._code = limits, frozenset(without), code
        self.restrictions: tuple[str, ...] = ()
        """The restrictions that were in force; empty until the code has run."""
        self.missing_restrictions: frozenset[str] = frozenset()
        """The restrictions that were not in force when the code ran."""
        self.attempts: set[str] = set()
        """The blocked attempts that were noticed, from `audit_hooks.ATTEMPT_KINDS`."""
        self.error: SandboxError | None = None
        """The last problem with the code.

        `choose_at` then asks nothing more. `choose` starts a new process, unless the code failed to load or used up its time.
        """
        self._is_over = False
        """True if the code must not be run again."""
        self._processes: dict[int, ConfinedProcess] = {}
        """The processes that run the code, one for each seat.

        So in the second game of a deal it does not know what it has seen in the first.
        """
        self._waited_seconds = self._used_seconds = 0.0
        self._exceeded_time = False
        if not isinstance(code, str) or len(code) > _MAX_CODE_LENGTH:
            self.error, self._is_over = SandboxError("class.code.long", most=_MAX_CODE_LENGTH // 1000), True

    def choose_at(self, view: Observation | InfoSet) -> Any:  # noqa: ANN401 - a move or probabilities, which whoever asked looks at
        """Return what the code chooses for `view`: a move as text, or probabilities.

        After the first problem nothing more is asked.
        """
        try:
            return self._ask(-1, (view, 0))
        except SandboxError:
            self._is_over = True
            raise

    def choose(self, view: Observation, rng: Random) -> str:
        """Return the legal move that the code chooses.

        Each seat has its own process, and after a problem a new one. So a bot may lose one game by an error, and play the next.
        """
        chosen = self._ask(view.seat, (view, rng.getrandbits(64)))
        if not isinstance(chosen, str):
            self._raise_problem(view.seat, "class.code.answer", said=short_repr(chosen))
        return chosen

    def _ask(self, seat: int, request: object) -> object:
        """Send a request to the code, and return its answer; raise an error if the code fails."""
        if self._is_over and self.error is not None:
            raise self.error
        try:
            if seat not in self._processes:
                self._start_process(seat)
            return _parse_answer(self._exchange(seat, request))
        except SandboxError:
            raise
        except _NoAnswerError as error:
            self._raise_problem(seat, "class.code.answer", said=str(error))
        except (TimeoutError, OSError, EOFError, OverflowError, ValueError, RecursionError) as error:
            self._raise_process_error(seat, error)

    def _start_process(self, seat: int) -> None:
        """Start the process that plays one seat.

        If the code itself causes an error, it never runs again.
        """
        was_over, self._is_over = self._is_over, True
        try:
            process = self._processes[seat] = ConfinedProcess(
                max(0.001, self.limits.seconds - self._used_seconds), self.limits.megabytes, self._left_out
            )
            self.restrictions = tuple(process.receive(START_TIMEOUT)["walls"])
            self.missing_restrictions = frozenset(RESTRICTIONS) - set(self.restrictions)
        except (OSError, EOFError) as error:
            self._raise_problem(seat, "class.code.nowhere", why=explain_error(error))
        self._exchange(seat, self._code)
        self._is_over = was_over

    def _exchange(self, seat: int, message: object) -> dict[str, Any]:
        """Send a message to the process of one seat of the bot, and return its answer."""
        process, start = self._processes[seat], time.monotonic()
        try:
            process.send(message, 3 * self.limits.seconds - self._waited_seconds)
            deadline = start + 3 * self.limits.seconds - self._waited_seconds
            answer = process.receive(deadline - time.monotonic())
            while answer.keys() == {"tried"}:
                self.attempts.update(kind for kind in ATTEMPT_KINDS if kind == answer["tried"])
                answer = process.receive(deadline - time.monotonic())
        finally:
            self._waited_seconds += time.monotonic() - start
        if "memory" in answer:
            self._raise_problem(seat, "class.code.memory", megabytes=self.limits.megabytes)
        if "nothing" in answer:
            self._raise_problem(seat, "class.code.nothing", code="choose(view)")
        if "exit" in answer:
            self._raise_problem(seat, "class.code.ended")
        if "raised" in answer:
            line, error_kind, error_text = answer.get("line"), _clean_text(answer["raised"]), _clean_text(answer.get("said"))
            error = f"{error_kind} ({error_text})" if error_text else error_kind
            if isinstance(line, int) and 0 < line < 10**6:
                self._raise_problem(seat, "class.code.raised.line", line=line, error=error)
            self._raise_problem(seat, "class.code.raised", error=error)
        return answer

    def _raise_process_error(self, seat: int, error: Exception) -> NoReturn:
        """Raise the error for a process that is too slow, has ended, or gave an invalid answer."""
        self._end_process(seat)
        if isinstance(error, TimeoutError) or self._exceeded_time or self._used_seconds >= self.limits.seconds:
            self._is_over = True
            self._raise_problem(seat, "class.code.slow", seconds=f"{self.limits.seconds:g}")
        if isinstance(error, OverflowError):
            self._raise_problem(seat, "class.code.flood", most=MAX_ANSWER_BYTES >> 10)
        self._raise_problem(seat, "class.code.ended" if isinstance(error, (OSError, EOFError)) else "class.code.rubbish")

    def _raise_problem(self, seat: int, key: str, /, **facts: object) -> NoReturn:
        """End the process that plays a seat, and raise an error with the text of the key `key`."""
        self.error = SandboxError(key, **facts)
        self._end_process(seat)
        raise self.error

    def _end_process(self, seat: int) -> None:
        """End the process that plays a seat, and all processes that it started."""
        process = self._processes.pop(seat, None)
        if process is not None:
            process.end()
            self._used_seconds += process.used_seconds
            self._exceeded_time |= process.exceeded_time

    def close(self) -> None:
        """End all processes that run this bot's code."""
        for seat in tuple(self._processes):
            self._end_process(seat)

    def __enter__(self) -> SandboxedBot:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class _NoAnswerError(Exception):
    """An error because an answer of sandboxed code is neither a move nor probabilities."""


def _parse_answer(message: Mapping[str, Any]) -> object:
    """Return the move or the probabilities in a message; raise an error for invalid content."""
    move, row, probabilities = message.get("move"), message.get("row"), message.get("list")
    if isinstance(move, str) and len(move) <= _MAX_TEXT_LENGTH:
        return move
    if (
        isinstance(row, dict)
        and len(row) <= _MAX_MOVES
        and all(len(name) <= _MAX_TEXT_LENGTH for name in row)
        and all(map(_is_short_number, row.values()))
    ):
        return row
    if isinstance(probabilities, list) and len(probabilities) <= _MAX_MOVES and all(map(_is_short_number, probabilities)):
        return probabilities
    invalid = next((value for value in (message.get("odd"), move, row, probabilities) if value is not None), message)
    raise _NoAnswerError(_clean_text(invalid if isinstance(invalid, str) else short_repr(invalid)))


def _is_short_number(value: object) -> bool:
    """Return whether a value is short enough to be parsed as a number."""
    if isinstance(value, str):
        return len(value) <= _MAX_TEXT_LENGTH
    return (isinstance(value, int) and abs(value) < 10**9) or (isinstance(value, float) and math.isfinite(value))


def _clean_text(value: object) -> str:
    """Return text from sandboxed code as one line, without invisible characters."""
    text = value if isinstance(value, str) else ""
    return "".join(character if character.isprintable() else " " for character in text[:200]).strip().rstrip(".")


def run_code(code: str, views: Iterable[Observation | InfoSet], limits: Limits = Limits(), *, without: Iterable[str] = ()) -> CodeResult:  # noqa: B008 - it is a value
    """Run other people's code in the sandbox, and return its choice for each view.

    If the code fails, return the error instead.

    >>> run_code("import os; os._exit(0)", []).error, str(run_code("import os; os._exit(0)", ["a view"]).error)
    (None, 'The code stopped before it gave an answer.')
    """
    with SandboxedBot(code, limits, without=without) as confined:
        try:
            return CodeResult(tuple([confined.choose_at(view) for view in views]), None)
        except SandboxError as error:
            return CodeResult(None, error)


class ConfinedProcess:
    """The parent's handle for a confined process, which runs other people's code without harm."""

    def __init__(self, seconds: float, megabytes: int, without: Collection[str]) -> None:
        self._supervisor, self.used_seconds, self.exceeded_time = _get_supervisor(tree="tree" not in without), 0.0, False
        self._home_folder = tempfile.mkdtemp(prefix="answer-")
        options = {"home": self._home_folder, "seconds": max(1, math.ceil(seconds)), "megabytes": megabytes, "without": sorted(without)}
        try:
            self.channel = self._supervisor.start_process(options)
        except OSError:
            self._supervisor.close()
            _remove_folder(self._home_folder)
            raise
        self._encoder, self._received = MessageEncoder(), bytearray()

    def send(self, message: object, seconds: float) -> None:
        """Send a message to the confined process."""
        data = self._encoder.encode(message)
        self.channel.settimeout(max(0.001, seconds))
        self.channel.sendall(_HEADER.pack(len(data)) + data)

    def receive(self, seconds: float) -> dict[str, Any]:
        """Return the next message that the confined process sends.

        Raise `TimeoutError`, `EOFError`, or `ValueError` for anything that is not plain data of a sensible size.
        """
        deadline = time.monotonic() + seconds
        (size,) = _HEADER.unpack(self._receive_exactly(_HEADER.size, deadline))
        if size > MAX_ANSWER_BYTES:
            raise OverflowError
        message = parse_json_text(self._receive_exactly(size, deadline))
        if not isinstance(message, dict):
            raise ValueError(short_repr(message))  # noqa: TRY004 - it is the answer that is wrong, not the program
        return message

    def _receive_exactly(self, count: int, deadline: float) -> bytes:
        """Return exactly `count` bytes that the confined process sends."""
        while len(self._received) < count:
            self.channel.settimeout(max(0.001, deadline - time.monotonic()))
            if not (more := self.channel.recv(MAX_ANSWER_BYTES)):
                raise EOFError
            self._received += more
            if time.monotonic() > deadline:
                raise TimeoutError
        data, self._received = bytes(self._received[:count]), self._received[count:]
        return data

    def end(self) -> None:
        """End the confined process and all processes that it started."""
        self.channel.close()
        try:
            self.used_seconds, self.exceeded_time = self._supervisor.end_process()
            with _IDLE_LOCK:
                _idle_supervisors.append((os.getpid(), self._supervisor))
        except (OSError, ValueError):
            self._supervisor.close()
        with contextlib.suppress(OSError):
            os.rmdir(self._home_folder)  # noqa: PTH106 - it is empty: nothing could be written there
            return
        _remove_folder(self._home_folder)


def _remove_folder(home: str) -> None:
    """Remove a folder with everything in it."""
    import shutil  # noqa: PLC0415 - where the system held nothing back

    with contextlib.suppress(RecursionError):
        shutil.rmtree(home, ignore_errors=True)


class _Supervisor:
    """A process that starts and ends confined processes for sandboxed code."""

    def __init__(self, *, tree: bool) -> None:
        self.has_private_tree = tree
        """True if confined processes see a file system of their own, which only some kernels support."""
        self._can_fork = hasattr(os, "fork")
        self.process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        if self._can_fork:
            self._control, other_end = socket.socketpair()
            with other_end:
                self.process = self._start_python(str(other_end.fileno()), "tree" if tree else "", pass_fds=[other_end.fileno()])
            self._receive(START_TIMEOUT)

    @staticmethod
    def _start_python(*arguments: str, **popen_options: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401 - as Popen takes it
        """Start Python without the user's settings, environment variables and open files.

        Only the given files stay open.

        Sets have the same order each time.
        """
        package_folder, base_executable = (
            str(Path(__file__).resolve().parents[2]),
            getattr(sys, "_base_executable", None) if os.name == "nt" else None,
        )
        environment = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ} | {"PYTHONHASHSEED": "0"}
        return subprocess.Popen(  # noqa: S603 - this Python, with a text that stands above
            [base_executable or sys.executable, *START_OPTIONS, "-s", "-B", "-X", "utf8", "-c", _START_CODE, package_folder, *arguments],
            **{"stdin": subprocess.DEVNULL, "start_new_session": True, **popen_options},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=tempfile.gettempdir(),
        )

    def start_process(self, options: Mapping[str, Any]) -> socket.socket:
        """Start a confined process, and return a channel on which to exchange messages with it."""
        channel, other_end = socket.socketpair()
        with other_end:
            if self._control is not None:
                socket.send_fds(self._control, [json.dumps(options).encode()], [other_end.fileno()])
                self._receive(START_TIMEOUT)
                return channel
            self.process = self._start_python("", "", stdin=subprocess.PIPE)
            data = pickle.dumps({**options, "channel": other_end.share(self.process.pid)})  # type: ignore[attr-defined] # Windows alone has it
        pipe: Any = self.process.stdin
        pipe.write(_HEADER.pack(len(data)) + data)
        pipe.flush()
        return channel

    def end_process(self) -> tuple[float, bool]:
        """End the confined process; return its CPU time, and whether that was more than allowed."""
        if self._control is None:
            self.close()
            return 0.0, False
        self._control.send(b".")
        message = self._receive(START_TIMEOUT)
        return float(message["cpu"]), bool(message["outran"])

    @property
    def is_alive(self) -> bool:
        """Return whether this supervisor (which starts processes) can still start processes."""
        return self.process is None if self._control is None else self.process is not None and self.process.poll() is None

    def _receive(self, seconds: float) -> dict[str, Any]:
        """Return the next message from the supervisor, which is a process that runs our own code."""
        control: Any = self._control
        control.settimeout(seconds)
        size = control.recv(_HEADER.size, socket.MSG_WAITALL)
        if len(size) < _HEADER.size:
            raise OSError("the process that starts the other processes has ended")
        message: dict[str, Any] = json.loads(control.recv(_HEADER.unpack(size)[0], socket.MSG_WAITALL))
        return message

    def close(self) -> None:
        """End the supervisor, and the confined process that it may be running."""
        if self._control is not None:
            self._control.close()
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                if self._can_fork:
                    self.process.wait(2)  # When the channel closes, the supervisor ends itself and its processes
            if os.name == "nt":
                subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.process.pid)], check=False, capture_output=True)  # noqa: S603, S607 - of Windows
            self.process.kill()
            self.process.wait()
            if self.process.stdin is not None:
                self.process.stdin.close()
            self.process = None


_idle_supervisors: list[tuple[int, _Supervisor]] = []
"""The supervisors that have nothing to do, with the id of the process that started each; after a fork, a child must
not use them."""


def _get_supervisor(*, tree: bool) -> _Supervisor:
    """Return a supervisor (which starts processes) that is free; if none is free, start one."""
    with _IDLE_LOCK:
        for index in reversed(range(len(_idle_supervisors))):
            owner, supervisor = _idle_supervisors[index]
            if owner != os.getpid() or not supervisor.is_alive:
                del _idle_supervisors[index]
            elif supervisor.has_private_tree == tree:
                del _idle_supervisors[index]
                return supervisor
    return _Supervisor(tree=tree)


@atexit.register
def _close_idle_supervisors() -> None:
    """End all supervisors that have nothing to do, as the program is ending."""
    with _IDLE_LOCK:
        while _idle_supervisors:
            owner, supervisor = _idle_supervisors.pop()
            if owner == os.getpid():
                supervisor.close()
