"""The process in which a student's code runs: walls first, then the code, then one view after another comes in and one answer goes out.

`confined` starts a keeper, which has nothing but this package in its memory. The keeper makes a copy of itself for each piece of code (a life), and when that
is to end it ends with all that descends from it. Where a process cannot be copied (Windows), each life is started anew.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import socket
import struct
import sys
import sysconfig
import time
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from pathlib import Path
from random import Random
from types import FunctionType, ModuleType
from typing import Any, Final, NoReturn

import durak_widget.bots
import durak_widget.engine.observation
from durak_widget.engine.moves import Move
from durak_widget.sandbox import former_module_names, os_restrictions
from durak_widget.sandbox.audit_hooks import KINDS, Attempts
from durak_widget.sandbox.message_encoding import Listener

_HEAD: Final = struct.Struct("!I")
_NAME: Final = "<the answer>"
_HOME: Final = "/tmp/answer-home"  # noqa: S108 - a folder of the tree, in which nothing can be written
"""The folder in which code begins that has a file system of its own."""
_LONGEST: Final = 200
"""So much is told of an error, or of a value that is no answer."""


def send(channel: socket.socket, said: Mapping[str, object]) -> None:
    """Say something to whoever started this."""
    data = json.dumps(said).encode()
    channel.sendall(_HEAD.pack(len(data)) + data)


def receive(channel: socket.socket, listener: Listener) -> Any:  # noqa: ANN401 - what it is, only whoever sent it knows
    """What comes next; None when nothing does."""
    size = _exactly(channel, _HEAD.size)
    return None if size is None else listener.heard(_exactly(channel, _HEAD.unpack(size)[0]) or b"")


def _exactly(channel: socket.socket, count: int) -> bytes | None:
    data = bytearray()
    while len(data) < count:
        if not (more := channel.recv(count - len(data))):
            return None
        data += more
    return bytes(data)


# The keeper


def keep(number: int, *, tree: bool) -> None:
    """Live as long as whoever started this does, and keep one life after another."""
    control = socket.socket(fileno=number)
    os_restrictions.keeps_orphans()
    stand = ["network"] if os_restrictions.without_network() else []
    processes = os.open("/proc", os.O_RDONLY) if sys.platform == "linux" else -1  # not in the tree; those that are kept close it
    if tree and stand and os_restrictions.only_this_tree(_readable(), _HOME):
        stand.append("tree")
    send(control, {})
    while True:
        data, numbers, _, _ = socket.recv_fds(control, 65536, 1)
        if not data:
            return
        told = json.loads(data)
        if (one := os.fork()) == 0:
            control.close()
            _live(numbers[0], told, stand)
        os.close(numbers[0])
        send(control, {})
        control.recv(1)  # a byte, or the end of whoever started this: either way this life is over
        send(control, _ended(one, processes))


def _ended(one: int, processes: int) -> dict[str, object]:
    """End a life with all that descends from it; how long it computed, and whether that was too long."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(one, signal.SIGKILL)
    _, status, used = os.wait4(one, 0)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(one, signal.SIGKILL)
    for _ in range(1000):
        if not _children():
            break
        for how in (signal.SIGSTOP, signal.SIGKILL):  # who is stopped makes no others meanwhile
            for other in _descendants(processes):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(other, how)
        time.sleep(0.002)  # the kernel needs a moment to end them; then it is looked again
    return {"cpu": used.ru_utime + used.ru_stime, "outran": os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU}


def _children() -> bool:
    """Whether somebody is left: who has lost its parent has become a child of this process."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _descendants(processes: int) -> list[int]:
    """Return the processes that descend from this one, by the open folder `/proc`; none where there is no such folder."""
    parents: dict[int, int] = {}
    for name in filter(str.isdigit, os.listdir(processes)) if processes >= 0 else ():
        with contextlib.suppress(OSError, ValueError, IndexError):
            number = os.open(f"{name}/stat", os.O_RDONLY, dir_fd=processes)
            try:
                text = os.read(number, 4096)
            finally:
                os.close(number)
            parents[int(name)] = int(text[text.rindex(b")") + 1 :].split()[1])
    found, new = set[int](), {os.getpid()}
    while new := {one for one, parent in parents.items() if parent in new} - found:
        found |= new
    return sorted(found)


# A life


def _live(number: int, told: Mapping[str, Any], stand: list[str]) -> NoReturn:
    """Become the process that is confined, and run what is sent to it."""
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for taken in (0, 1, 2):
            os.dup2(nothing, taken)
        os.dup2(number, 3)
        os.closerange(4, 4096)
        os_restrictions.dies_with_parent()
        _confined(socket.socket(fileno=3), told, stand)
    finally:
        os._exit(0)


def _confined(channel: socket.socket, told: Mapping[str, Any], stand: list[str]) -> None:
    home = _HOME if "tree" in stand else told["home"]
    os.chdir(home)
    os.environ.clear()
    os.environ.update({"HOME": home, "TMPDIR": home, "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
    readable = [*_readable(), home]
    attempts = Attempts(readable, lambda kind: send(channel, {"tried": kind}), hides_others="tree" in stand)
    attempts.listen()  # before the hook that refuses, if there is one
    wanted: dict[str, Callable[[], bool]] = {
        "memory": lambda: os_restrictions.within_limits(told["seconds"], told["megabytes"]),
        "privileges": os_restrictions.without_privileges,
        "files": lambda: os_restrictions.only_these_files(readable),
        "calls": lambda: os_restrictions.only_these_calls(files_are_kept="files" in stand),
    }
    for name, build in wanted.items():
        if name not in told["without"] and build():
            stand.append(name)
    if not {"files", "calls"} <= set(stand) and "python" not in told["without"] and os_restrictions.refused_by_python(readable):
        stand.append("python")
    send(channel, {"walls": stand})
    python = "python" in stand
    attempts.begin([kind for kind in KINDS if python or ("files" if kind == "files" else "calls") in stand])
    run(channel)


def _readable() -> list[str]:
    """What Python needs to run: its library, what is installed for it, this package, and the libraries of the system."""
    paths = sysconfig.get_paths()
    package = Path(durak_widget.__file__).parent
    system = (
        "/usr/lib",
        "/lib",
        "/lib64",
        "/usr/lib64",
        "/usr/local/lib",
        "/usr/share/zoneinfo",
        "/dev/urandom",
        "/etc/ld.so.cache",
        "/System/Library",
    )
    shared = [str(Path(sys.base_prefix, "lib")), str(Path(sys.base_prefix, "DLLs"))]
    return [*(paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")), *shared, str(package), *system]


def run(channel: socket.socket) -> None:
    """Run the code that comes first, and let it answer each view that comes after it; the first error is the last thing that is said."""
    lack = b'{"memory":1}'
    lack = _HEAD.pack(len(lack)) + lack  # when memory is short, it is there already
    listener = Listener()
    try:
        choose = _chosen(receive(channel, listener))
        takes = _takes(choose)
        send(channel, {"ready": 1})
        while (asked := receive(channel, listener)) is not None:
            view, seed = asked
            send(channel, _plain(choose(view) if takes < 2 else choose(view, Random(seed))))
    except MemoryError:
        channel.sendall(lack)
    except (BrokenPipeError, ConnectionError):
        pass
    except BaseException as error:  # noqa: BLE001 - it is somebody else's code
        send(channel, _raised(error))


class _NoChoiceError(Exception):
    """The code defines nothing that chooses."""


def _chosen(code: str) -> Any:  # noqa: ANN401 - a function, or what has a method of that name
    """What chooses: `choose`, or the last function that the code defines."""
    sys.modules["answer"] = ModuleType("answer")  # where a dataclass looks for its own
    space: dict[str, Any] = vars(sys.modules["answer"])
    exec(compile(code, _NAME, "exec", dont_inherit=True), space)  # noqa: S102 - this is what the walls are for
    own = [one for one in space.values() if isinstance(one, FunctionType) and one.__code__.co_filename == _NAME]
    found = space.get("choose", own[-1] if own else None)
    if isinstance(found, type):
        found = found()
    found = getattr(found, "choose", found)
    if not callable(found):
        raise _NoChoiceError
    return found


def _takes(choose: Any) -> int:  # noqa: ANN401 - as above
    """How many arguments it takes by their places: a view, or a view and chance."""
    try:
        those = signature(choose).parameters.values()
    except (TypeError, ValueError):
        return 1
    return sum(one.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) and one.default is Parameter.empty for one in those)


def _plain(value: Any) -> dict[str, object]:  # noqa: ANN401 - whatever was chosen
    """What was chosen, as plain data: a move as its text, or probabilities."""
    if isinstance(value, (str, Move)):
        return {"move": str(value)}
    if isinstance(value, Mapping):
        return {"row": {str(move): _number(likely) for move, likely in value.items()}}
    if isinstance(value, Sequence):
        return {"list": [_number(one) for one in value]}
    return {"odd": repr(value)[:_LONGEST]}


def _number(value: Any) -> object:  # noqa: ANN401 - as above
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


def _raised(error: BaseException) -> dict[str, object]:
    """What is told of an error: its kind, its words and its line."""
    if isinstance(error, _NoChoiceError):
        return {"nothing": 1}
    if isinstance(error, SystemExit):
        return {"exit": 1}
    line, trace = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else None, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == _NAME else line
        trace = trace.tb_next
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return {"raised": type(error).__name__[:60], "said": str(said)[:_LONGEST], "line": line or 0}


def main(given: str, *, tree: bool) -> None:
    """Begin, as `confined` starts it."""
    former_module_names.install(former_module_names.NAMES)
    if hasattr(os, "fork"):
        keep(int(given), tree=tree)
        return
    size = sys.stdin.buffer.read(_HEAD.size)
    told = pickle.loads(sys.stdin.buffer.read(*_HEAD.unpack(size)))  # noqa: S301 - whoever marks sends it
    _confined(socket.fromshare(told["channel"]), told, [])  # type: ignore[attr-defined] # Windows alone has it
