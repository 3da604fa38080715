"""The processes in which somebody else's code runs, seen from outside: they are begun, asked, and ended with all their children."""

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
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import read_json
from durak_widget.errors import quoted
from durak_widget.sandbox.message_encoding import Teller

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_HEAD: Final = struct.Struct("!I")
MOST_BYTES: Final = 2**16
"""So much an answer may be."""
STARTING: Final = 60.0
"""After so many seconds a process that has not begun never will."""
_BEGINS: Final = """
import sys
sys.path[0] = sys.argv[1]
from durak_widget.sandbox.child_process import main
del sys.path[0]
main(sys.argv[2], tree=sys.argv[3] == "tree")
"""


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
            [program or sys.executable, "-s", "-B", "-X", "utf8", "-c", _BEGINS, where, *given],
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


_LOCK: Final = RLock()
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
