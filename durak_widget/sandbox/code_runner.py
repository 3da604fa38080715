"""Runs other people's code as a bot in a sandboxed process.

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

from durak_widget.atomic_files import read_json
from durak_widget.errors import BotError, quoted
from durak_widget.i18n import Fact, Voice
from durak_widget.safe_import_path import START_OPTIONS
from durak_widget.sandbox.audit_hooks import KINDS
from durak_widget.sandbox.message_encoding import Teller

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from random import Random
    from types import TracebackType

    from durak_widget.engine.observation import View
    from durak_widget.gametheory.tree import InfoSet

_MOST_CODE: Final = 100_000
_MOST_MOVES: Final = 200
_LONGEST: Final = 60
WALLS: Final = ("memory", "privileges", "files", "tree", "calls")
"""The restrictions that the operating system itself enforces, where it can.

`docs/marking.md` explains each.
"""
_HEAD: Final = struct.Struct("!I")
MOST_BYTES: Final = 2**16
"""Size limit of an answer."""
STARTING: Final = 60.0
"""Seconds after which a process that has not started never will."""
_BEGINS: Final = """
import sys
sys.path[:] = [sys.argv[1], *filter(None, sys.path)]
from durak_widget.sandbox.child_process import main
del sys.path[0]
main(sys.argv[2], tree=sys.argv[3] == "tree")
"""
_LOCK: Final = RLock()


class Limits(NamedTuple):
    """The time and memory that one piece of code may use in total."""

    seconds: float = 10
    """CPU time. Three times as much may be spent waiting, because a machine may be busy."""
    megabytes: int = 512


class ConfinedError(BotError):
    """A problem with someone's code, as a sentence in any language.

    >>> ConfinedError("class.code.slow", seconds=10).said("lt")
    'Kodas veikė ilgiau nei 10 s.'
    """

    def __init__(self, key: str, /, **facts: object) -> None:
        self.fact = Fact(key, facts)
        super().__init__(Voice().say(key, **facts))

    def said(self, language: str) -> str:
        """Return the sentence in a language."""
        return Voice(language).say(self.fact.key, **self.fact.facts)


class CodeRan(NamedTuple):
    """The answers of someone's code, or the problem with it."""

    value: tuple[object, ...] | None
    trouble: ConfinedError | None


def weaker(missing: Iterable[str]) -> Fact:
    """Return the warning that the system itself does not enforce some restrictions.

    >>> weaker(["calls"]).facts["walls"]
    (Fact(key='class.wall.calls', facts={}),)
    """
    restrictions = tuple(Fact(f"class.wall.{name}") for name in WALLS if name in missing)
    return Fact("class.code.weaker", {"walls": restrictions, "system": "Linux"})


class Confined:
    r"""Someone's code as a bot (`choose(view, rng)`), or as a function of a view (`at(view)`).

    Close it after use.

    >>> from durak_widget import Game
    >>> with Confined("def choose(view):\n    return view.legal_moves()[0]") as bot:
    ...     bot.at(Game(seed=7).view(0))
    'attack Jc'
    >>> with Confined("def choose(view):\n    return 1 / 0") as bot:
    ...     bot.at(Game(seed=7).view(0))
    Traceback (most recent call last):
    durak_widget.sandbox.code_runner.ConfinedError: The code raised ZeroDivisionError (division by zero) in line 2.
    """

    name = "the code"

    def __init__(self, code: str, limits: Limits = Limits(), *, without: Iterable[str] = ()) -> None:  # noqa: B008 - it is a value
        """Take code that defines `choose`; `without` names restrictions to leave out, for tests."""
        self.limits, self._without, self._code = limits, frozenset(without), code
        self.walls: tuple[str, ...] = ()
        """The restrictions that were in force, once it has run."""
        self.missing: frozenset[str] = frozenset()
        """The restrictions that were not."""
        self.attempts: set[str] = set()
        """The refused attempts that were noticed: some of `audit_hooks.KINDS`."""
        self.trouble: ConfinedError | None = None
        """The problem with the code; after it nothing more is asked."""
        self._over = False
        """True if nothing more is asked."""
        self._lives: dict[int, Life] = {}
        """Its processes, one for each seat.

        So in the second game of a deal it does not know what it has seen in the first.
        """
        self._waited = self._used = 0.0
        self._outran = False
        if not isinstance(code, str) or len(code) > _MOST_CODE:
            self.trouble, self._over = ConfinedError("class.code.long", most=_MOST_CODE // 1000), True

    def at(self, view: View | InfoSet) -> Any:  # noqa: ANN401 - a move or probabilities, which whoever asked looks at
        """Return what it chooses at a view: a move as a text, or probabilities.

        After the first problem nothing more is asked.
        """
        try:
            return self._asked(-1, (view, 0))
        except ConfinedError:
            self._over = True
            raise

    def choose(self, view: View, rng: Random) -> str:
        """Return the move that it makes.

        Each seat has its own process, and after a problem a new one. So a bot may lose one game by an error, and play the next.
        """
        chosen = self._asked(view.seat, (view, rng.getrandbits(64)))
        if not isinstance(chosen, str):
            self._fail(view.seat, "class.code.answer", said=quoted(chosen))
        return chosen

    def _asked(self, who: int, asked: object) -> object:
        """Return its answer to a request, or raise the problem."""
        if self._over and self.trouble is not None:
            raise self.trouble
        try:
            if who not in self._lives:
                self._begin(who)
            return _answer(self._told(who, asked))
        except ConfinedError:
            raise
        except _NoAnswerError as error:
            self._fail(who, "class.code.answer", said=str(error))
        except (TimeoutError, OSError, EOFError, OverflowError, ValueError, RecursionError) as error:
            self._broken(who, error)

    def _begin(self, who: int) -> None:
        """Start the process of a seat; a problem with the code itself is final."""
        was_over, self._over = self._over, True
        try:
            process = self._lives[who] = Life(max(0.001, self.limits.seconds - self._used), self.limits.megabytes, self._without)
            self.walls = tuple(process.hear(STARTING)["walls"])
            self.missing = frozenset(WALLS) - set(self.walls)
        except (OSError, EOFError) as error:
            self._fail(who, "class.code.nowhere", why=type(error).__name__)
        self._told(who, self._code)
        self._over = was_over

    def _told(self, who: int, asked: object) -> dict[str, Any]:
        """Send a message to the process of a seat and return the answer."""
        process, start = self._lives[who], time.monotonic()
        try:
            process.tell(asked, 3 * self.limits.seconds - self._waited)
            deadline = start + 3 * self.limits.seconds - self._waited
            answer = process.hear(deadline - time.monotonic())
            while answer.keys() == {"tried"}:
                self.attempts.update(kind for kind in KINDS if kind == answer["tried"])
                answer = process.hear(deadline - time.monotonic())
        finally:
            self._waited += time.monotonic() - start
        if "memory" in answer:
            self._fail(who, "class.code.memory", megabytes=self.limits.megabytes)
        if "nothing" in answer:
            self._fail(who, "class.code.nothing", code="choose(view)")
        if "exit" in answer:
            self._fail(who, "class.code.ended")
        if "raised" in answer:
            line, error_kind, error_text = answer.get("line"), _clean(answer["raised"]), _clean(answer.get("said"))
            error = f"{error_kind} ({error_text})" if error_text else error_kind
            if isinstance(line, int) and 0 < line < 10**6:
                self._fail(who, "class.code.raised.line", line=line, error=error)
            self._fail(who, "class.code.raised", error=error)
        return answer

    def _broken(self, who: int, error: Exception) -> NoReturn:
        """Raise the problem of a process that is late, has ended, or answers nonsense."""
        self._rest(who)
        if isinstance(error, TimeoutError) or self._outran or self._used >= self.limits.seconds:
            self._over = True
            self._fail(who, "class.code.slow", seconds=f"{self.limits.seconds:g}")
        if isinstance(error, OverflowError):
            self._fail(who, "class.code.flood", most=MOST_BYTES >> 10)
        self._fail(who, "class.code.ended" if isinstance(error, (OSError, EOFError)) else "class.code.rubbish")

    def _fail(self, who: int, key: str, /, **facts: object) -> NoReturn:
        """End the process of a seat and raise a problem."""
        self.trouble = ConfinedError(key, **facts)
        self._rest(who)
        raise self.trouble

    def _rest(self, who: int) -> None:
        """End the process of a seat, with all its children."""
        process = self._lives.pop(who, None)
        if process is not None:
            process.end()
            self._used += process.used
            self._outran |= process.outran

    def close(self) -> None:
        """End all processes."""
        for seat in tuple(self._lives):
            self._rest(seat)

    def __enter__(self) -> Confined:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class _NoAnswerError(Exception):
    """The choice is neither a move nor probabilities."""


def _answer(said: Mapping[str, Any]) -> object:
    """Return the move or the probabilities in a message of an untrusted process."""
    move, row, many = said.get("move"), said.get("row"), said.get("list")
    if isinstance(move, str) and len(move) <= _LONGEST:
        return move
    if isinstance(row, dict) and len(row) <= _MOST_MOVES and all(len(name) <= _LONGEST for name in row) and all(map(_fine, row.values())):
        return row
    if isinstance(many, list) and len(many) <= _MOST_MOVES and all(map(_fine, many)):
        return many
    invalid = next((value for value in (said.get("odd"), move, row, many) if value is not None), said)
    raise _NoAnswerError(_clean(invalid if isinstance(invalid, str) else quoted(invalid)))


def _fine(likely: object) -> bool:
    """Return whether a value is short enough to be read as a number."""
    if isinstance(likely, str):
        return len(likely) <= _LONGEST
    return (isinstance(likely, int) and abs(likely) < 10**9) or (isinstance(likely, float) and math.isfinite(likely))


def _clean(said: object) -> str:
    """Return untrusted text in one line, without invisible characters."""
    text = said if isinstance(said, str) else ""
    return "".join(character if character.isprintable() else " " for character in text[:200]).strip().rstrip(".")


def run(code: str, views: Iterable[View | InfoSet], limits: Limits = Limits(), *, without: Iterable[str] = ()) -> CodeRan:  # noqa: B008 - it is a value
    """Return the choices of someone's code at these views, or the problem with it.

    >>> run("import os; os._exit(0)", []).trouble, str(run("import os; os._exit(0)", ["a view"]).trouble)
    (None, 'The code ended by itself before it had answered.')
    """
    with Confined(code, limits, without=without) as confined:
        try:
            return CodeRan(tuple([confined.at(view) for view in views]), None)
        except ConfinedError as error:
            return CodeRan(None, error)


class Life:
    """One confined process, seen from this side."""

    def __init__(self, seconds: float, megabytes: int, without: Collection[str]) -> None:
        self._keeper, self.used, self.outran = _keeper(tree="tree" not in without), 0.0, False
        self._home = tempfile.mkdtemp(prefix="answer-")
        options = {"home": self._home, "seconds": max(1, math.ceil(seconds)), "megabytes": megabytes, "without": sorted(without)}
        try:
            self.channel = self._keeper.begin(options)
        except OSError:
            self._keeper.end()
            _remove(self._home)
            raise
        self._told, self._heard = Teller(), bytearray()

    def tell(self, said: object, seconds: float) -> None:
        """Send a message."""
        data = self._told.data(said)
        self.channel.settimeout(max(0.001, seconds))
        self.channel.sendall(_HEAD.pack(len(data)) + data)

    def hear(self, seconds: float) -> dict[str, Any]:
        """Return the next message.

        Raise `TimeoutError`, `EOFError`, or `ValueError` for anything that is not plain data of a sensible size.
        """
        deadline = time.monotonic() + seconds
        (size,) = _HEAD.unpack(self._exactly(_HEAD.size, deadline))
        if size > MOST_BYTES:
            raise OverflowError
        message = read_json(self._exactly(size, deadline))
        if not isinstance(message, dict):
            raise ValueError(quoted(message))  # noqa: TRY004 - it is the answer that is wrong, not the program
        return message

    def _exactly(self, count: int, until: float) -> bytes:
        """Return this many bytes."""
        while len(self._heard) < count:
            self.channel.settimeout(max(0.001, until - time.monotonic()))
            if not (more := self.channel.recv(MOST_BYTES)):
                raise EOFError
            self._heard += more
            if time.monotonic() > until:
                raise TimeoutError
        data, self._heard = bytes(self._heard[:count]), self._heard[count:]
        return data

    def end(self) -> None:
        """End the process with all its children."""
        self.channel.close()
        try:
            self.used, self.outran = self._keeper.finish()
            with _LOCK:
                _free.append((os.getpid(), self._keeper))
        except (OSError, ValueError):
            self._keeper.end()
        with contextlib.suppress(OSError):
            os.rmdir(self._home)  # noqa: PTH106 - it is empty: nothing could be written there
            return
        _remove(self._home)


def _remove(home: str) -> None:
    """Remove a folder that is not empty."""
    import shutil  # noqa: PLC0415 - where the system held nothing back

    with contextlib.suppress(RecursionError):
        shutil.rmtree(home, ignore_errors=True)


class _Keeper:
    """The supervisor process, which starts the confined processes and ends them."""

    def __init__(self, *, tree: bool) -> None:
        self.tree = tree
        """True if its processes see a file system of their own, where the kernel has that."""
        self._forks = hasattr(os, "fork")
        self.process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        if self._forks:
            self._control, other_end = socket.socketpair()
            with other_end:
                self.process = self._started(str(other_end.fileno()), "tree" if tree else "", pass_fds=[other_end.fileno()])
            self._heard(STARTING)

    @staticmethod
    def _started(*given: str, **more: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401 - as Popen takes it
        """Start Python alone: no user settings, no environment, no open files except those passed.

        Sets have the same order each time.
        """
        package_folder, base_executable = (
            str(Path(__file__).resolve().parents[2]),
            getattr(sys, "_base_executable", None) if os.name == "nt" else None,
        )
        environment = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ} | {"PYTHONHASHSEED": "0"}
        return subprocess.Popen(  # noqa: S603 - this Python, with a text that stands above
            [base_executable or sys.executable, *START_OPTIONS, "-s", "-B", "-X", "utf8", "-c", _BEGINS, package_folder, *given],
            **{"stdin": subprocess.DEVNULL, "start_new_session": True, **more},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=tempfile.gettempdir(),
        )

    def begin(self, told: Mapping[str, Any]) -> socket.socket:
        """Start a confined process, and return the channel to it."""
        channel, other_end = socket.socketpair()
        with other_end:
            if self._control is not None:
                socket.send_fds(self._control, [json.dumps(told).encode()], [other_end.fileno()])
                self._heard(STARTING)
                return channel
            self.process = self._started("", "", stdin=subprocess.PIPE)
            data = pickle.dumps({**told, "channel": other_end.share(self.process.pid)})  # type: ignore[attr-defined] # Windows alone has it
        pipe: Any = self.process.stdin
        pipe.write(_HEAD.pack(len(data)) + data)
        pipe.flush()
        return channel

    def finish(self) -> tuple[float, bool]:
        """End the confined process; return its CPU time, and whether that was too long."""
        if self._control is None:
            self.end()
            return 0.0, False
        self._control.send(b".")
        message = self._heard(STARTING)
        return float(message["cpu"]), bool(message["outran"])

    @property
    def alive(self) -> bool:
        """Return whether it can start another process."""
        return self.process is None if self._control is None else self.process is not None and self.process.poll() is None

    def _heard(self, seconds: float) -> dict[str, Any]:
        """Return the next message of the supervisor, which is trusted."""
        control: Any = self._control
        control.settimeout(seconds)
        size = control.recv(_HEAD.size, socket.MSG_WAITALL)
        if len(size) < _HEAD.size:
            raise OSError("the process that keeps the others has ended")
        message: dict[str, Any] = json.loads(control.recv(_HEAD.unpack(size)[0], socket.MSG_WAITALL))
        return message

    def end(self) -> None:
        """End the supervisor and its process."""
        if self._control is not None:
            self._control.close()
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                if self._forks:
                    self.process.wait(2)  # it ends when its channel is closed, and ends its processes
            if os.name == "nt":
                subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.process.pid)], check=False, capture_output=True)  # noqa: S603, S607 - of Windows
            self.process.kill()
            self.process.wait()
            if self.process.stdin is not None:
                self.process.stdin.close()
            self.process = None


_free: list[tuple[int, _Keeper]] = []
"""The idle supervisors with the process that owns them; a fork has none of its own yet."""


def _keeper(*, tree: bool) -> _Keeper:
    """Return an idle supervisor, or start one."""
    with _LOCK:
        for index in reversed(range(len(_free))):
            owner, supervisor = _free[index]
            if owner != os.getpid() or not supervisor.alive:
                del _free[index]
            elif supervisor.tree == tree:
                del _free[index]
                return supervisor
    return _Keeper(tree=tree)


@atexit.register
def _end() -> None:
    """End the idle supervisors when this program ends."""
    with _LOCK:
        while _free:
            owner, supervisor = _free.pop()
            if owner == os.getpid():
                supervisor.end()
