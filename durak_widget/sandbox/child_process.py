"""Implements two processes: one runs a student's code, the other starts such processes.

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
from durak_widget.sandbox.audit_hooks import ATTEMPT_KINDS, AttemptReporter
from durak_widget.sandbox.message_encoding import MessageDecoder

_HEADER: Final = struct.Struct("!I")
_CODE_NAME: Final = "<the answer>"
_SANDBOX_HOME: Final = "/tmp/answer-home"  # noqa: S108 - a folder of the tree, in which nothing can be written
"""The folder in which the student's code runs, if the process has a private file system."""
_MAX_TEXT_LENGTH: Final = 200
"""The maximum length of the text of an error, or of an answer that is not valid."""


def send(channel: socket.socket, message: Mapping[str, object]) -> None:
    """Send a message to the parent process."""
    data = json.dumps(message).encode()
    channel.sendall(_HEADER.pack(len(data)) + data)


def receive(channel: socket.socket, decoder: MessageDecoder) -> Any:  # noqa: ANN401 - what it is, only whoever sent it knows
    """Return the next message from `channel`, or None if the other process closed it."""
    size = _receive_exactly(channel, _HEADER.size)
    return None if size is None else decoder.decode(_receive_exactly(channel, _HEADER.unpack(size)[0]) or b"")


def _receive_exactly(channel: socket.socket, count: int) -> bytes | None:
    """Return exactly `count` bytes from `channel`, or None if the other process closed it."""
    data = bytearray()
    while len(data) < count:
        if not (more := channel.recv(count - len(data))):
            return None
        data += more
    return bytes(data)


# --- The supervisor process ---


def run_supervisor(control_number: int, *, tree: bool) -> None:
    """Run one confined process after another, until the parent process ends.

    These processes are confined: they can do no harm.
    """
    control = socket.socket(fileno=control_number)
    os_restrictions.adopt_orphans()
    restrictions = ["network"] if os_restrictions.drop_network() else []
    proc_folder = os.open("/proc", os.O_RDONLY) if sys.platform == "linux" else -1  # The private file system will not contain /proc
    if tree and restrictions and os_restrictions.restrict_to_private_tree(_list_readable_paths(), _SANDBOX_HOME):
        restrictions.append("tree")
    send(control, {})
    while True:
        data, channels, _, _ = socket.recv_fds(control, 65536, 1)
        if not data:
            return
        options = json.loads(data)
        if (pid := os.fork()) == 0:
            control.close()
            _become_confined(channels[0], options, restrictions)
        os.close(channels[0])
        send(control, {})
        control.recv(1)  # The confined process must end when the parent process sends a byte, or when the parent ends
        send(control, _end_process(pid, proc_folder))


def _end_process(pid: int, proc_folder: int) -> dict[str, object]:
    """End a confined process and all processes that descend from it.

    Return its CPU time, and whether that was too long.
    """
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    for _ in range(1000):
        if not _has_children():
            break
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # First stop each process, so that it can't start another one
            for descendant in _list_descendants(proc_folder):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(descendant, signal_number)
        time.sleep(0.002)  # A killed process needs a moment to end
    return {"cpu": usage.ru_utime + usage.ru_stime, "outran": os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU}


def _has_children() -> bool:
    """Return whether any child process of this process is left.

    A process that has lost its parent has become a child of this one.
    """
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _list_descendants(proc_folder: int) -> list[int]:
    """Return the ids of the child processes of this process, and of their child processes.

    They are read from the open folder `/proc`.

    Return none where there is no such folder.
    """
    parents: dict[int, int] = {}
    for name in filter(str.isdigit, os.listdir(proc_folder)) if proc_folder >= 0 else ():
        with contextlib.suppress(OSError, ValueError, IndexError):
            number = os.open(f"{name}/stat", os.O_RDONLY, dir_fd=proc_folder)
            try:
                text = os.read(number, 4096)
            finally:
                os.close(number)
            parents[int(name)] = int(text[text.rindex(b")") + 1 :].split()[1])
    descendants, generation = set[int](), {os.getpid()}
    while generation := {pid for pid, parent in parents.items() if parent in generation} - descendants:
        descendants |= generation
    return sorted(descendants)


# --- The confined process ---


def _become_confined(number: int, options: Mapping[str, Any], restrictions: list[str]) -> NoReturn:
    """Restrict the current process, and then run the code that arrives through a socket."""
    try:
        os.setsid()
        null_file = os.open(os.devnull, os.O_RDWR)
        for standard_stream in (0, 1, 2):
            os.dup2(null_file, standard_stream)
        os.dup2(number, 3)
        os.closerange(4, 4096)
        os_restrictions.die_with_parent()
        _confine_and_run(socket.socket(fileno=3), options, restrictions)
    finally:
        os._exit(0)


def _confine_and_run(channel: socket.socket, options: Mapping[str, Any], restrictions: list[str]) -> None:
    """Confine this process, report which restrictions work, and run the student's code."""
    home = _SANDBOX_HOME if "tree" in restrictions else options["home"]
    os.chdir(home)
    os.environ.clear()
    os.environ.update({"HOME": home, "TMPDIR": home, "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
    readable = [*_list_readable_paths(), home]
    attempts = AttemptReporter(readable, lambda kind: send(channel, {"tried": kind}), hides_others="tree" in restrictions)
    attempts.install_hook()  # Install this hook first, because it sees no event for which an earlier hook raises an error
    appliers: dict[str, Callable[[], bool]] = {
        "memory": lambda: os_restrictions.limit_resources(options["seconds"], options["megabytes"]),
        "privileges": os_restrictions.drop_privileges,
        "files": lambda: os_restrictions.restrict_files(readable),
        "calls": lambda: os_restrictions.restrict_system_calls(files_are_restricted="files" in restrictions),
    }
    for name, apply in appliers.items():
        if name not in options["without"] and apply():
            restrictions.append(name)
    if (
        not {"files", "calls"} <= set(restrictions)
        and "python" not in options["without"]
        and os_restrictions.install_refusing_hook(readable)
    ):
        restrictions.append("python")
    send(channel, {"walls": restrictions})
    has_python_hook = "python" in restrictions
    attempts.start_reporting(
        [kind for kind in ATTEMPT_KINDS if has_python_hook or ("files" if kind == "files" else "calls") in restrictions]
    )
    run_code(channel)


def _list_readable_paths() -> list[str]:
    """Return the folders of Python's libraries, of this package and of system libraries."""
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


def run_code(channel: socket.socket) -> None:
    """Receive code and run it; then send back the code's choice for each view that arrives.

    A view is what a player sees of a game.

    The first error ends the work, and is the last message.
    """
    memory_message = b'{"memory":1}'
    memory_message = _HEADER.pack(len(memory_message)) + memory_message  # Build this message now, because later there may be no free memory
    listener = MessageDecoder()
    try:
        choose = _load_chooser(receive(channel, listener))
        parameter_count = _count_parameters(choose)
        send(channel, {"ready": 1})
        while (request := receive(channel, listener)) is not None:
            view, seed = request
            send(channel, _to_plain_data(choose(view) if parameter_count < 2 else choose(view, Random(seed))))
    except MemoryError:
        channel.sendall(memory_message)
    except (BrokenPipeError, ConnectionError):
        pass
    except BaseException as error:  # noqa: BLE001 - it is somebody else's code
        send(channel, _describe_error(error))


class _NoChoiceError(Exception):
    """An error because the student's code has no function or class that can choose a move."""


def _load_chooser(code: str) -> Any:  # noqa: ANN401 - a function, or what has a method of that name
    """Run code and return its function `choose`; without one, return its last function."""
    sys.modules["answer"] = ModuleType("answer")  # The decorator `dataclass` looks up the module in `sys.modules`
    namespace: dict[str, Any] = vars(sys.modules["answer"])
    exec(compile(code, _CODE_NAME, "exec", dont_inherit=True), namespace)  # noqa: S102 - this is what the walls are for
    functions = [value for value in namespace.values() if isinstance(value, FunctionType) and value.__code__.co_filename == _CODE_NAME]
    chooser = namespace.get("choose", functions[-1] if functions else None)
    if isinstance(chooser, type):
        chooser = chooser()
    chooser = getattr(chooser, "choose", chooser)
    if not callable(chooser):
        raise _NoChoiceError
    return chooser


def _count_parameters(choose: Any) -> int:  # noqa: ANN401 - as above
    """Return how many arguments to pass to a function: 1 (view) or 2 (view, random numbers)."""
    try:
        parameters = signature(choose).parameters.values()
    except (TypeError, ValueError):
        return 1
    return sum(
        parameter.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) and parameter.default is Parameter.empty
        for parameter in parameters
    )


def _to_plain_data(value: Any) -> dict[str, object]:  # noqa: ANN401 - whatever was chosen
    """Convert a choice to plain data: a move becomes text, and probabilities a dict or list."""
    if isinstance(value, (str, Move)):
        return {"move": str(value)}
    if isinstance(value, Mapping):
        return {"row": {str(move): _plain_number(probability) for move, probability in value.items()}}
    if isinstance(value, Sequence):
        return {"list": [_plain_number(entry) for entry in value]}
    return {"odd": repr(value)[:_MAX_TEXT_LENGTH]}


def _plain_number(value: Any) -> object:  # noqa: ANN401 - as above
    """Return a number as it is, and any other value as text."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


def _describe_error(error: BaseException) -> dict[str, object]:
    """Return an error as plain data: its class, its text, and its line in the code."""
    if isinstance(error, _NoChoiceError):
        return {"nothing": 1}
    if isinstance(error, SystemExit):
        return {"exit": 1}
    line, trace = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else None, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == _CODE_NAME else line
        trace = trace.tb_next
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return {"raised": type(error).__name__[:60], "said": str(text)[:_MAX_TEXT_LENGTH], "line": line or 0}


def main(control_number: str, *, tree: bool) -> None:
    """Run the supervisor, which starts confined processes; without fork, run just one of them."""
    former_module_names.install(former_module_names.NAMES, former_module_names.read_renamed_names())
    if hasattr(os, "fork"):
        run_supervisor(int(control_number), tree=tree)
        return
    size = sys.stdin.buffer.read(_HEADER.size)
    options = pickle.loads(sys.stdin.buffer.read(*_HEADER.unpack(size)))  # noqa: S301 - whoever marks sends it
    _confine_and_run(socket.fromshare(options["channel"]), options, [])  # type: ignore[attr-defined] # Windows alone has it
