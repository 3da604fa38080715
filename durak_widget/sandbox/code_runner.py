"""Runs other people's code as a bot in a sandboxed process, and starts and ends these processes.

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
"""What the system itself holds the code to, where it can; `docs/marking.md` says what each is."""
_HEAD: Final = struct.Struct("!I")
MOST_BYTES: Final = 2**16
"""So much an answer may be."""
STARTING: Final = 60.0
"""After so many seconds a process that has not begun never will."""
_BEGINS: Final = """
import sys
sys.path[:] = [sys.argv[1], *filter(None, sys.path)]
from durak_widget.sandbox.child_process import main
del sys.path[0]
main(sys.argv[2], tree=sys.argv[3] == "tree")
"""
_LOCK: Final = RLock()


class Limits(NamedTuple):
    """What the code of one answer may use in all."""

    seconds: float = 10
    """Of computing. Of waiting, three times as much: a machine may be busy."""
    megabytes: int = 512


class ConfinedError(BotError):
    """What was wrong with somebody's code, in a sentence of any language.

    >>> ConfinedError("class.code.slow", seconds=10).said("lt")
    'Kodas veikė ilgiau nei 10 s.'
    """

    def __init__(self, key: str, /, **facts: object) -> None:
        self.fact = Fact(key, facts)
        super().__init__(Voice().say(key, **facts))

    def said(self, language: str) -> str:
        """The sentence in that language."""
        return Voice(language).say(self.fact.key, **self.fact.facts)


class CodeRan(NamedTuple):
    """What came of somebody's code: its answers, or what was wrong with it."""

    value: tuple[object, ...] | None
    trouble: ConfinedError | None


def weaker(missing: Iterable[str]) -> Fact:
    """What is said where the system itself does not hold code back.

    >>> weaker(["calls"]).facts["walls"]
    (Fact(key='class.wall.calls', facts={}),)
    """
    walls = tuple(Fact(f"class.wall.{name}") for name in WALLS if name in missing)
    return Fact("class.code.weaker", {"walls": walls, "system": "Linux"})


class Confined:
    r"""Somebody's code as a bot (`choose(view, rng)`), or as a function of what a seat sees (`at(view)`), until it is closed.

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
        """Code that defines `choose`; `without` names walls that are left out, for the tests of the others."""
        self.limits, self._without, self._code = limits, frozenset(without), code
        self.walls: tuple[str, ...] = ()
        """Which walls stood, once it has run."""
        self.missing: frozenset[str] = frozenset()
        """Which did not."""
        self.attempts: set[str] = set()
        """What the code tried and was refused, as far as that was noticed: some of `audit_hooks.KINDS`."""
        self.trouble: ConfinedError | None = None
        """What was wrong with it; nothing more is asked of it then."""
        self._over = False
        """Whether nothing more is asked of it."""
        self._lives: dict[int, Life] = {}
        """Its processes: one for each seat, so that in the second game of a deal it does not know what it has seen in the first."""
        self._waited = self._used = 0.0
        self._outran = False
        if not isinstance(code, str) or len(code) > _MOST_CODE:
            self.trouble, self._over = ConfinedError("class.code.long", most=_MOST_CODE // 1000), True

    def at(self, view: View | InfoSet) -> Any:  # noqa: ANN401 - a move or probabilities, which whoever asked looks at
        """What it chooses there: a move as a text, or probabilities. After the first trouble nothing more is asked."""
        try:
            return self._asked(-1, (view, 0))
        except ConfinedError:
            self._over = True
            raise

    def choose(self, view: View, rng: Random) -> str:
        """The move that it makes. Each seat has a process of its own, and after a trouble a new one: a bot may lose one game by it, and play the next."""
        chosen = self._asked(view.seat, (view, rng.getrandbits(64)))
        if not isinstance(chosen, str):
            self._fail(view.seat, "class.code.answer", said=quoted(chosen))
        return chosen

    def _asked(self, who: int, asked: object) -> object:
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
        """A process for a seat; what is wrong with the code itself is wrong for good."""
        over, self._over = self._over, True
        try:
            life = self._lives[who] = Life(max(0.001, self.limits.seconds - self._used), self.limits.megabytes, self._without)
            self.walls = tuple(life.hear(STARTING)["walls"])
            self.missing = frozenset(WALLS) - set(self.walls)
        except (OSError, EOFError) as error:
            self._fail(who, "class.code.nowhere", why=type(error).__name__)
        self._told(who, self._code)
        self._over = over

    def _told(self, who: int, asked: object) -> dict[str, Any]:
        """Tell it something and hear what it says to that."""
        life, began = self._lives[who], time.monotonic()
        try:
            life.tell(asked, 3 * self.limits.seconds - self._waited)
            until = began + 3 * self.limits.seconds - self._waited
            said = life.hear(until - time.monotonic())
            while said.keys() == {"tried"}:
                self.attempts.update(kind for kind in KINDS if kind == said["tried"])
                said = life.hear(until - time.monotonic())
        finally:
            self._waited += time.monotonic() - began
        if "memory" in said:
            self._fail(who, "class.code.memory", megabytes=self.limits.megabytes)
        if "nothing" in said:
            self._fail(who, "class.code.nothing", code="choose(view)")
        if "exit" in said:
            self._fail(who, "class.code.ended")
        if "raised" in said:
            line, kind, words = said.get("line"), _clean(said["raised"]), _clean(said.get("said"))
            error = f"{kind} ({words})" if words else kind
            if isinstance(line, int) and 0 < line < 10**6:
                self._fail(who, "class.code.raised.line", line=line, error=error)
            self._fail(who, "class.code.raised", error=error)
        return said

    def _broken(self, who: int, error: Exception) -> NoReturn:
        """Whether it is late, has ended, or says what cannot be read."""
        self._rest(who)
        if isinstance(error, TimeoutError) or self._outran or self._used >= self.limits.seconds:
            self._over = True
            self._fail(who, "class.code.slow", seconds=f"{self.limits.seconds:g}")
        if isinstance(error, OverflowError):
            self._fail(who, "class.code.flood", most=MOST_BYTES >> 10)
        self._fail(who, "class.code.ended" if isinstance(error, (OSError, EOFError)) else "class.code.rubbish")

    def _fail(self, who: int, key: str, /, **facts: object) -> NoReturn:
        self.trouble = ConfinedError(key, **facts)
        self._rest(who)
        raise self.trouble

    def _rest(self, who: int) -> None:
        """End its process there, with all its children."""
        life = self._lives.pop(who, None)
        if life is not None:
            life.end()
            self._used += life.used
            self._outran |= life.outran

    def close(self) -> None:
        """Nothing more is asked of it, and nothing is left of it."""
        for who in tuple(self._lives):
            self._rest(who)

    def __enter__(self) -> Confined:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class _NoAnswerError(Exception):
    """What was chosen is neither a move nor probabilities."""


def _answer(said: Mapping[str, Any]) -> object:
    """A move or probabilities out of what somebody else's process said."""
    move, row, many = said.get("move"), said.get("row"), said.get("list")
    if isinstance(move, str) and len(move) <= _LONGEST:
        return move
    if isinstance(row, dict) and len(row) <= _MOST_MOVES and all(len(name) <= _LONGEST for name in row) and all(map(_fine, row.values())):
        return row
    if isinstance(many, list) and len(many) <= _MOST_MOVES and all(map(_fine, many)):
        return many
    odd = next((one for one in (said.get("odd"), move, row, many) if one is not None), said)
    raise _NoAnswerError(_clean(odd if isinstance(odd, str) else quoted(odd)))


def _fine(likely: object) -> bool:
    """Whether that is short enough to be read as a number."""
    if isinstance(likely, str):
        return len(likely) <= _LONGEST
    return (isinstance(likely, int) and abs(likely) < 10**9) or (isinstance(likely, float) and math.isfinite(likely))


def _clean(said: object) -> str:
    """Somebody else's words in one line, without signs that cannot be seen."""
    text = said if isinstance(said, str) else ""
    return "".join(sign if sign.isprintable() else " " for sign in text[:200]).strip().rstrip(".")


def run(code: str, views: Iterable[View | InfoSet], limits: Limits = Limits(), *, without: Iterable[str] = ()) -> CodeRan:  # noqa: B008 - it is a value
    """What somebody's code chooses at each of these views, or what was wrong with it.

    >>> run("import os; os._exit(0)", []).trouble, str(run("import os; os._exit(0)", ["a view"]).trouble)
    (None, 'The code ended by itself before it had answered.')
    """
    with Confined(code, limits, without=without) as confined:
        try:
            return CodeRan(tuple([confined.at(view) for view in views]), None)
        except ConfinedError as error:
            return CodeRan(None, error)


class Life:
    """One process that is confined, from here."""

    def __init__(self, seconds: float, megabytes: int, without: Collection[str]) -> None:
        self._keeper, self.used, self.outran = _keeper(tree="tree" not in without), 0.0, False
        self._home = tempfile.mkdtemp(prefix="answer-")
        told = {"home": self._home, "seconds": max(1, math.ceil(seconds)), "megabytes": megabytes, "without": sorted(without)}
        try:
            self.channel = self._keeper.begin(told)
        except OSError:
            self._keeper.end()
            _remove(self._home)
            raise
        self._told, self._heard = Teller(), bytearray()

    def tell(self, said: object, seconds: float) -> None:
        """Send something."""
        data = self._told.data(said)
        self.channel.settimeout(max(0.001, seconds))
        self.channel.sendall(_HEAD.pack(len(data)) + data)

    def hear(self, seconds: float) -> dict[str, Any]:
        """What it says; a `TimeoutError`, an `EOFError`, or a `ValueError` for what is no plain data of a sensible size."""
        until = time.monotonic() + seconds
        (size,) = _HEAD.unpack(self._exactly(_HEAD.size, until))
        if size > MOST_BYTES:
            raise OverflowError
        said = read_json(self._exactly(size, until))
        if not isinstance(said, dict):
            raise ValueError(quoted(said))  # noqa: TRY004 - it is the answer that is wrong, not the program
        return said

    def _exactly(self, count: int, until: float) -> bytes:
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
        """End it with all its children."""
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
    import shutil  # noqa: PLC0415 - where the system held nothing back

    with contextlib.suppress(RecursionError):
        shutil.rmtree(home, ignore_errors=True)


class _Keeper:
    """The process that makes the others and ends them."""

    def __init__(self, *, tree: bool) -> None:
        self.tree = tree
        """Whether those that it makes see a file system of their own, where the kernel gives one."""
        self._forks = hasattr(os, "fork")
        self.process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        if self._forks:
            self._control, theirs = socket.socketpair()
            with theirs:
                self.process = self._started(str(theirs.fileno()), "tree" if tree else "", pass_fds=[theirs.fileno()])
            self._heard(STARTING)

    @staticmethod
    def _started(*given: str, **more: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401 - as Popen takes it
        """Python alone: no settings of the user, nothing of the environment, no open file but the one that is given; sets lie in the same order each time."""
        where, program = str(Path(__file__).resolve().parents[2]), getattr(sys, "_base_executable", None) if os.name == "nt" else None
        kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ} | {"PYTHONHASHSEED": "0"}
        return subprocess.Popen(  # noqa: S603 - this Python, with a text that stands above
            [program or sys.executable, *START_OPTIONS, "-s", "-B", "-X", "utf8", "-c", _BEGINS, where, *given],
            **{"stdin": subprocess.DEVNULL, "start_new_session": True, **more},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=kept,
            cwd=tempfile.gettempdir(),
        )

    def begin(self, told: Mapping[str, Any]) -> socket.socket:
        """A new life, and the way to talk to it."""
        ours, theirs = socket.socketpair()
        with theirs:
            if self._control is not None:
                socket.send_fds(self._control, [json.dumps(told).encode()], [theirs.fileno()])
                self._heard(STARTING)
                return ours
            self.process = self._started("", "", stdin=subprocess.PIPE)
            data = pickle.dumps({**told, "channel": theirs.share(self.process.pid)})  # type: ignore[attr-defined] # Windows alone has it
        pipe: Any = self.process.stdin
        pipe.write(_HEAD.pack(len(data)) + data)
        pipe.flush()
        return ours

    def finish(self) -> tuple[float, bool]:
        """End the life that there is: how long it computed, and whether that was too long."""
        if self._control is None:
            self.end()
            return 0.0, False
        self._control.send(b".")
        said = self._heard(STARTING)
        return float(said["cpu"]), bool(said["outran"])

    @property
    def alive(self) -> bool:
        """Whether it can keep another life."""
        return self.process is None if self._control is None else self.process is not None and self.process.poll() is None

    def _heard(self, seconds: float) -> dict[str, Any]:
        """What the keeper says, which is no student."""
        control: Any = self._control
        control.settimeout(seconds)
        size = control.recv(_HEAD.size, socket.MSG_WAITALL)
        if len(size) < _HEAD.size:
            raise OSError("the process that keeps the others has ended")
        said: dict[str, Any] = json.loads(control.recv(_HEAD.unpack(size)[0], socket.MSG_WAITALL))
        return said

    def end(self) -> None:
        """End it, and whoever lives."""
        if self._control is not None:
            self._control.close()
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                if self._forks:
                    self.process.wait(2)  # it ends when nobody is there any more, and everybody it keeps with it
            if os.name == "nt":
                subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.process.pid)], check=False, capture_output=True)  # noqa: S603, S607 - of Windows
            self.process.kill()
            self.process.wait()
            if self.process.stdin is not None:
                self.process.stdin.close()
            self.process = None


_free: list[tuple[int, _Keeper]] = []
"""The keepers that keep nobody just now, and whose they are: who is copied has none yet."""


def _keeper(*, tree: bool) -> _Keeper:
    with _LOCK:
        for place in reversed(range(len(_free))):
            whose, keeper = _free[place]
            if whose != os.getpid() or not keeper.alive:
                del _free[place]
            elif keeper.tree == tree:
                del _free[place]
                return keeper
    return _Keeper(tree=tree)


@atexit.register
def _end() -> None:
    with _LOCK:
        while _free:
            whose, keeper = _free.pop()
            if whose == os.getpid():
                keeper.end()
