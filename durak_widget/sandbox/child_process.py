"""The process in which a student's code runs, and the supervisor that starts it.

The code is confined before it starts. Then it gets one view after another and returns one answer for each. `code_runner` starts a
supervisor, which has nothing but this package in its memory. The supervisor forks a process for each piece of code, and ends it with
all its descendants. Where a process can't fork (Windows), each one is started anew.
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
"""The folder in which code starts that has a file system of its own."""
_LONGEST: Final = 200
"""Length limit for the text of an error, or of a value that is not an answer."""


def send(channel: socket.socket, said: Mapping[str, object]) -> None:
    """Send a message to the process that started this one."""
    data = json.dumps(said).encode()
    channel.sendall(_HEAD.pack(len(data)) + data)


def receive(channel: socket.socket, listener: Listener) -> Any:  # noqa: ANN401 - what it is, only whoever sent it knows
    """Return the next message, or None at the end."""
    size = _exactly(channel, _HEAD.size)
    return None if size is None else listener.heard(_exactly(channel, _HEAD.unpack(size)[0]) or b"")


def _exactly(channel: socket.socket, count: int) -> bytes | None:
    """Return this many bytes, or None at the end."""
    data = bytearray()
    while len(data) < count:
        if not (more := channel.recv(count - len(data))):
            return None
        data += more
    return bytes(data)


# The supervisor


def keep(number: int, *, tree: bool) -> None:
    """Supervise one confined process after another, as long as the parent lives."""
    control = socket.socket(fileno=number)
    os_restrictions.keeps_orphans()
    restrictions = ["network"] if os_restrictions.without_network() else []
    proc_folder = os.open("/proc", os.O_RDONLY) if sys.platform == "linux" else -1  # the private tree has no /proc
    if tree and restrictions and os_restrictions.only_this_tree(_readable(), _HOME):
        restrictions.append("tree")
    send(control, {})
    while True:
        data, channels, _, _ = socket.recv_fds(control, 65536, 1)
        if not data:
            return
        options = json.loads(data)
        if (pid := os.fork()) == 0:
            control.close()
            _live(channels[0], options, restrictions)
        os.close(channels[0])
        send(control, {})
        control.recv(1)  # a byte, or the end of the parent: in both cases the confined process has to end
        send(control, _ended(pid, proc_folder))


def _ended(one: int, processes: int) -> dict[str, object]:
    """End a confined process with its descendants.

    Return its CPU time, and whether that was too long.
    """
    with contextlib.suppress(ProcessLookupError):
        os.kill(one, signal.SIGKILL)
    _, status, usage = os.wait4(one, 0)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(one, signal.SIGKILL)
    for _ in range(1000):
        if not _children():
            break
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # a stopped process can't fork meanwhile
            for descendant in _descendants(processes):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(descendant, signal_number)
        time.sleep(0.002)  # the kernel needs a moment to end them
    return {"cpu": usage.ru_utime + usage.ru_stime, "outran": os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU}


def _children() -> bool:
    """Return whether a child is left.

    A process that has lost its parent has become a child of this one.
    """
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _descendants(processes: int) -> list[int]:
    """Return the descendants of this process, by the open folder `/proc`.

    Return none where there is no such folder.
    """
    parents: dict[int, int] = {}
    for name in filter(str.isdigit, os.listdir(processes)) if processes >= 0 else ():
        with contextlib.suppress(OSError, ValueError, IndexError):
            number = os.open(f"{name}/stat", os.O_RDONLY, dir_fd=processes)
            try:
                text = os.read(number, 4096)
            finally:
                os.close(number)
            parents[int(name)] = int(text[text.rindex(b")") + 1 :].split()[1])
    descendants, generation = set[int](), {os.getpid()}
    while generation := {pid for pid, parent in parents.items() if parent in generation} - descendants:
        descendants |= generation
    return sorted(descendants)


# A confined process


def _live(number: int, told: Mapping[str, Any], stand: list[str]) -> NoReturn:
    """Become the confined process, and run the code that is sent."""
    try:
        os.setsid()
        null_file = os.open(os.devnull, os.O_RDWR)
        for standard_stream in (0, 1, 2):
            os.dup2(null_file, standard_stream)
        os.dup2(number, 3)
        os.closerange(4, 4096)
        os_restrictions.dies_with_parent()
        _confined(socket.socket(fileno=3), told, stand)
    finally:
        os._exit(0)


def _confined(channel: socket.socket, told: Mapping[str, Any], stand: list[str]) -> None:
    """Apply the restrictions, report which are in force, and run the code."""
    home = _HOME if "tree" in stand else told["home"]
    os.chdir(home)
    os.environ.clear()
    os.environ.update({"HOME": home, "TMPDIR": home, "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
    readable = [*_readable(), home]
    attempts = Attempts(readable, lambda kind: send(channel, {"tried": kind}), hides_others="tree" in stand)
    attempts.listen()  # before the hook that refuses, if there is one
    appliers: dict[str, Callable[[], bool]] = {
        "memory": lambda: os_restrictions.within_limits(told["seconds"], told["megabytes"]),
        "privileges": os_restrictions.without_privileges,
        "files": lambda: os_restrictions.only_these_files(readable),
        "calls": lambda: os_restrictions.only_these_calls(files_are_kept="files" in stand),
    }
    for name, apply in appliers.items():
        if name not in told["without"] and apply():
            stand.append(name)
    if not {"files", "calls"} <= set(stand) and "python" not in told["without"] and os_restrictions.refused_by_python(readable):
        stand.append("python")
    send(channel, {"walls": stand})
    has_python_hook = "python" in stand
    attempts.begin([kind for kind in KINDS if has_python_hook or ("files" if kind == "files" else "calls") in stand])
    run(channel)


def _readable() -> list[str]:
    """Return the paths that Python needs: its libraries, this package, and system libraries."""
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
    """Run the code that comes first, and answer each view after it.

    The first error ends it, and is the last message.
    """
    memory_message = b'{"memory":1}'
    memory_message = _HEAD.pack(len(memory_message)) + memory_message  # prepared, because there is no memory for it later
    listener = Listener()
    try:
        choose = _chosen(receive(channel, listener))
        parameter_count = _takes(choose)
        send(channel, {"ready": 1})
        while (request := receive(channel, listener)) is not None:
            view, seed = request
            send(channel, _plain(choose(view) if parameter_count < 2 else choose(view, Random(seed))))
    except MemoryError:
        channel.sendall(memory_message)
    except (BrokenPipeError, ConnectionError):
        pass
    except BaseException as error:  # noqa: BLE001 - it is somebody else's code
        send(channel, _raised(error))


class _NoChoiceError(Exception):
    """The code defines nothing that chooses."""


def _chosen(code: str) -> Any:  # noqa: ANN401 - a function, or what has a method of that name
    """Return the function that chooses: `choose`, or the last function that the code defines."""
    sys.modules["answer"] = ModuleType("answer")  # where a dataclass looks for its own
    namespace: dict[str, Any] = vars(sys.modules["answer"])
    exec(compile(code, _NAME, "exec", dont_inherit=True), namespace)  # noqa: S102 - this is what the walls are for
    functions = [value for value in namespace.values() if isinstance(value, FunctionType) and value.__code__.co_filename == _NAME]
    chooser = namespace.get("choose", functions[-1] if functions else None)
    if isinstance(chooser, type):
        chooser = chooser()
    chooser = getattr(chooser, "choose", chooser)
    if not callable(chooser):
        raise _NoChoiceError
    return chooser


def _takes(choose: Any) -> int:  # noqa: ANN401 - as above
    """Count the positional parameters without a default: a view, or a view and a generator."""
    try:
        parameters = signature(choose).parameters.values()
    except (TypeError, ValueError):
        return 1
    return sum(
        parameter.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) and parameter.default is Parameter.empty
        for parameter in parameters
    )


def _plain(value: Any) -> dict[str, object]:  # noqa: ANN401 - whatever was chosen
    """Return a choice as plain data: a move as its text, or probabilities."""
    if isinstance(value, (str, Move)):
        return {"move": str(value)}
    if isinstance(value, Mapping):
        return {"row": {str(move): _number(probability) for move, probability in value.items()}}
    if isinstance(value, Sequence):
        return {"list": [_number(entry) for entry in value]}
    return {"odd": repr(value)[:_LONGEST]}


def _number(value: Any) -> object:  # noqa: ANN401 - as above
    """Return a number as it is, and any other value as text."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


def _raised(error: BaseException) -> dict[str, object]:
    """Describe an error: its kind, its text and its line."""
    if isinstance(error, _NoChoiceError):
        return {"nothing": 1}
    if isinstance(error, SystemExit):
        return {"exit": 1}
    line, trace = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else None, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == _NAME else line
        trace = trace.tb_next
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return {"raised": type(error).__name__[:60], "said": str(text)[:_LONGEST], "line": line or 0}


def main(given: str, *, tree: bool) -> None:
    """Start, as `code_runner` calls it."""
    former_module_names.install(former_module_names.NAMES)
    if hasattr(os, "fork"):
        keep(int(given), tree=tree)
        return
    size = sys.stdin.buffer.read(_HEAD.size)
    options = pickle.loads(sys.stdin.buffer.read(*_HEAD.unpack(size)))  # noqa: S301 - whoever marks sends it
    _confined(socket.fromshare(options["channel"]), options, [])  # type: ignore[attr-defined] # Windows alone has it
