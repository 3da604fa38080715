"""Starts, finds and lists class sessions; each has a process of its own.

A session is a folder in the registry, which only its owner can read: `session.json` says how to reach the process, `log.jsonl` has all
events, and `lock` is locked as long as a process serves the session. `python -m durak_widget.live.process --folder FOLDER` is that process.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import math
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.atomic_files import parse_json_text, replace_text
from durak_widget.errors import DurakError, short_repr
from durak_widget.json_store import get_data_folder
from durak_widget.live.error_log import MAX_BYTES, limit_error_log
from durak_widget.live.worker import PACKAGE_FOLDER

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from os import PathLike
    from typing import BinaryIO

    from durak_widget.live.question import JsonObject

START_SECONDS: Final = 20.0
"""How long to wait until a process answers."""
END_SECONDS: Final = 600.0
"""How long a process still answers after the session has ended."""
IDLE_SECONDS: Final = 12 * 3600.0
"""After this time without a message or a command, a process ends; the session can be started again."""
FAVOURITE_PORTS: Final = range(8700, 8710)
"""The ports for students that are tried first, because people type them."""
CHECK_SECONDS: Final = 5.0
"""How often a process looks whether it is over."""
_ANSWER_SECONDS: Final = 2.0
_SETTINGS_FILE: Final = "session.json"
_MAX_SETTINGS: Final = 100_000
"""The longest `session.json` that is read, in bytes."""


class SessionInfo(NamedTuple):
    """Where a session is, and how to reach its process."""

    code: str
    pid: int
    folder: Path
    student_port: int
    bridge_port: int
    teacher_port: int
    secret: str
    link: str
    """The link for students, as it is in the QR code."""
    short_link: str
    """The link for students, as people type it."""
    teacher_link: str
    """The link to the projector, which lets everyone who has it run the session."""
    language: str
    log: Path
    started: float
    is_running: bool = True


_FIELD_TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    **dict.fromkeys(("code", "secret", "link", "short_link", "teacher_link", "language", "log"), str),
    **dict.fromkeys(("pid", "student_port", "bridge_port", "teacher_port"), int),
    "started": (int, float),
}
"""What `session.json` must have."""


class StartError(DurakError, RuntimeError):
    """The error for a session that cannot be started; the message says why."""


# --- The registry ---


def get_registry_folder() -> Path:
    """Return the folder with the sessions of this user.

    It is in Jupyter's runtime folder, so that a Jupyter server finds the sessions of its kernels, or in the user's data folder.
    """
    if not os.environ.get("DURAK_WIDGET_HOME"):
        try:
            from jupyter_core.paths import jupyter_runtime_dir  # noqa: PLC0415 - there may be no Jupyter
        except ImportError:
            pass
        else:
            runtime_folder: str = jupyter_runtime_dir()
            return Path(runtime_folder, "durak")
    return get_data_folder() / "durak"


def find_session(code: str) -> SessionInfo | None:
    """Return a running session, or None.

    >>> find_session("BBBBBB") is None
    True
    """
    from durak_widget.live.request_checks import normalize_code  # noqa: PLC0415 - quick to import this module without it

    normalized = normalize_code(code)
    session = None if normalized is None else _read_session(get_registry_folder() / normalized)
    return session if session is not None and is_answering(session) else None


def list_sessions(*, with_stopped: bool = False) -> list[SessionInfo]:
    """Return the running sessions, newest first.

    With `with_stopped`, the list also has those that can be started again.
    """
    folder = get_registry_folder()
    found = [_read_session(path.parent) for path in folder.glob(f"*/{_SETTINGS_FILE}")]
    sessions = sorted((session for session in found if session is not None), key=lambda session: -session.started)
    checked = [session._replace(is_running=is_answering(session)) for session in sessions]
    return [session for session in checked if session.is_running or with_stopped]


def _read_session(folder: Path) -> SessionInfo | None:
    """Return what `session.json` says; None if it is not there or not whole."""
    try:
        data = _read_settings(folder)
        facts: dict[str, Any] = {name: data[name] for name in _FIELD_TYPES}
    except (OSError, ValueError, KeyError, RecursionError, StartError):
        return None
    if any(isinstance(value, bool) or not isinstance(value, _FIELD_TYPES[name]) for name, value in facts.items()):
        return None
    ports = [value for name, value in facts.items() if name.endswith("_port")]
    if facts["code"] != folder.name or not math.isfinite(facts["started"]) or not all(0 <= port < 65_536 for port in ports):
        return None
    return SessionInfo(**facts | {"log": Path(facts["log"])}, folder=folder)


def _read_settings(folder: Path) -> JsonObject:
    """Return what `session.json` says; raise `StartError` if it is not an object."""
    with (folder / _SETTINGS_FILE).open("rb") as file:
        settings = parse_json_text(file.read(_MAX_SETTINGS).decode())
    if not isinstance(settings, dict):
        raise StartError(f"{folder / _SETTINGS_FILE} is not the file of a class session")
    return settings


def _write_settings(folder: Path, settings: JsonObject) -> None:
    replace_text(folder / _SETTINGS_FILE, json.dumps(settings, ensure_ascii=False, indent=1), private=True)


def is_answering(session: SessionInfo) -> bool:
    """Return whether the process of a session answers at its teacher's port.

    Another program may have the process id or the port now, so the process must prove that it knows the secret. It does not get the secret.
    """
    if session.teacher_port <= 0:
        return False
    challenge = os.urandom(16).hex()
    connection = http.client.HTTPConnection("127.0.0.1", session.teacher_port, timeout=_ANSWER_SECONDS)
    try:
        connection.request("GET", f"/alive?challenge={challenge}")
        # With another process id, what was read from the file is out of date: the session is just starting again.
        return is_proven(connection.getresponse().read(10_000), session.secret, session.teacher_port, challenge, pid=session.pid)
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        connection.close()


def is_proven(answer: bytes, secret: str, port: int, challenge: str, *, pid: int | None = None) -> bool:
    """Return whether an answer to `/alive` proves that the session listens at a port.

    If `pid` is given, its process must have this number.
    """
    from durak_widget.live.request_checks import is_secret, prove_alive  # noqa: PLC0415 - as in find_session

    try:
        value = parse_json_text(answer)
        proof, answered_pid = value["proof"], value["pid"]
    except (ValueError, LookupError, TypeError):
        return False
    return pid in (None, answered_pid) and is_secret(str(proof), prove_alive(secret, port, challenge))


# --- Start a process ---


def start_session(
    code: str = "",
    *,
    title: str = "",
    language: str = "en",
    network: bool = True,
    port: int = 0,
    host: str = "",
    folder: str | PathLike[str] | None = None,
    measure: bool = False,
) -> SessionInfo:
    """Start a session in a process of its own, and return when its ports are open.

    With a code, that session is started again, unless it runs already. `port` is the port for students, 0 for any. Without `network`, only this computer
    reaches it. `host` is a further name or address of this computer. The log is in `folder`, or else in the registry. With
    `measure`, the process measures every callback of its event loop, for the benchmark.
    """
    from durak_widget.live.class_session import make_code  # noqa: PLC0415 - as in find_session
    from durak_widget.live.request_checks import normalize_code  # noqa: PLC0415 - quick to import this module without it

    registry = get_registry_folder()
    if code:
        normalized = normalize_code(code)
        if normalized is None or not (registry / normalized / _SETTINGS_FILE).is_file():
            raise StartError(f"there is no class session {short_repr(code)} on this computer; start a new one")
        session_folder = registry / normalized
        if (running := find_session(normalized)) is not None:
            return running
    else:
        registry.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(OSError):  # The folder may be another user's, on purpose
            registry.chmod(0o700)
        session_folder = _make_session_folder(registry, make_code)
        log = session_folder / "log.jsonl" if folder is None else _make_log_path(folder, session_folder.name)
        settings = {"title": title, "language": language, "network": network, "port": port, "host": host, "log": str(log)}
        _write_settings(session_folder, {"version": 1, "code": session_folder.name, **settings})
    ready = _launch(session_folder, ["--measure"] if measure else [])
    if "error" in ready and ready["error"] != "running":
        raise StartError(str(ready["error"]))
    deadline = time.monotonic() + START_SECONDS
    while (session := find_session(session_folder.name)) is None:
        if time.monotonic() > deadline:
            raise StartError(f"the class session does not answer; see {session_folder / 'errors.txt'}")
        time.sleep(0.05)  # Another program starts the same session at this moment
    return session


def _make_session_folder(registry: Path, make_code: Callable[[], str]) -> Path:
    while True:
        path = registry / make_code()
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
            return path


def _make_log_path(folder: str | PathLike[str], code: str) -> Path:
    path = Path(folder).expanduser().resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"cannot use the folder {short_repr(str(path))}: {error.strerror}; choose another one") from None
    return path / f"{code}.jsonl"


def _launch(folder: Path, options: list[str]) -> JsonObject:
    """Start the process for a session's folder, and return the first line that it writes."""
    flags: dict[str, Any] = (
        {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS}  # type: ignore[attr-defined,unused-ignore]
        if sys.platform == "win32"
        else {"start_new_session": True}
    )
    with open(folder / "errors.txt", "ab", opener=_open_private) as errors:
        if errors.tell() > MAX_BYTES // 2:
            errors.truncate(0)  # Old errors leave no space for new ones
        process = subprocess.Popen(  # noqa: S603 - this package's own module
            # The folder's name has the code, so it is not an argument: other users can see those.
            [sys.executable, "-m", "durak_widget.live.process", "--folder", "-", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=PACKAGE_FOLDER,
            **flags,
        )
    assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - pipes were asked for
    with suppress(OSError), process.stdin as stdin:
        stdin.write(os.fsencode(folder))
    with process.stdout as stdout:
        line = stdout.readline()
    # It may outlive this program; until then, a thread waits for it, so that it does not stay in the list of processes.
    threading.Thread(target=process.wait, daemon=True).start()
    try:
        ready: JsonObject = json.loads(line)
    except ValueError:
        return {"error": f"the process of the class session has ended; see {folder / 'errors.txt'}"}
    return ready


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


# --- The process ---


class FolderLock:
    """The lock of a session's folder, which only one process has.

    The system releases it when the process ends, however it ends.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        self._file: BinaryIO | None = None

    def acquire(self) -> bool:
        """Take the lock; return False if another process has it."""
        file = open(self._path, "a+b", opener=_open_private)  # noqa: SIM115 - open as long as the process runs
        try:
            if sys.platform == "win32":
                import msvcrt  # noqa: PLC0415 - only on Windows

                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl  # noqa: PLC0415 - not on Windows

                fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def release(self) -> None:
        """Give the lock back."""
        if self._file is not None:
            self._file.close()
            self._file = None


def bind_ports(port: int, *, network: bool, is_wanted: bool = False) -> list[socket.socket]:
    """Return sockets for a port; for another port if this one is taken, unless `is_wanted`.

    Port 0 is any port; one that is easy to type is tried first.
    """
    if not 0 <= port < 65536:
        raise StartError(f"port {port} does not exist; choose one from 1024 to 65535")
    ports = [port] if port else [*(FAVOURITE_PORTS if network else ()), 0]
    if port and not is_wanted:
        ports.append(0)
    for candidate in ports:
        # All interfaces: phones come from the local network. Some systems have no IPv6.
        for address in ("", "0.0.0.0") if network else ("127.0.0.1",):  # noqa: S104 - as above
            sockets = _bind(candidate, address)
            if sockets:
                return sockets
    raise StartError(f"port {port} cannot be used; another program may have it: choose another port")


def _bind(port: int, address: str) -> list[socket.socket]:
    """Return sockets for a port; an empty list if it cannot be used."""
    from tornado.netutil import bind_sockets  # noqa: PLC0415 - only the process of a session needs it

    try:
        return bind_sockets(port, address or None)
    except OSError:
        return []


def main(arguments: list[str]) -> int:
    """Serve the session in a folder until it is over."""
    from argparse import ArgumentParser  # noqa: PLC0415 - only the process of a session needs it

    parser = ArgumentParser("python -m durak_widget.live.process", description="Serve a class session.")
    parser.add_argument("--folder", required=True, help="the session's folder; - reads it from the standard input")
    parser.add_argument("--measure", action="store_true", help="measure every callback of the event loop, for the benchmark")
    options = parser.parse_args(arguments)
    folder = Path(os.fsdecode(sys.stdin.buffer.read()) if options.folder == "-" else options.folder).resolve()
    lock = FolderLock(folder)
    if not lock.acquire():
        _report({"error": "running"})
        return 1
    _raise_file_limit()
    limit_error_log()
    try:
        return asyncio.run(_serve(folder, measure=options.measure))
    except (DurakError, OSError, ValueError) as error:
        _report({"error": str(error)})
        return 1
    finally:
        lock.release()


def _report(message: JsonObject) -> None:
    """Write a message for the program that has started this process, which may be gone."""
    with suppress(OSError):
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()
    with suppress(OSError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)


def _raise_file_limit() -> None:
    """Allow as many open connections as the system does; the usual limit is 1,024 or even 256."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 16_384 if hard == resource.RLIM_INFINITY else min(hard, 16_384)
    if soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def _serve(folder: Path, *, measure: bool = False) -> int:
    from durak_widget.live import request_checks  # noqa: PLC0415 - only the process of a session needs these
    from durak_widget.live.class_session import ClassSession  # noqa: PLC0415 - as above
    from durak_widget.live.event_log import EventLog  # noqa: PLC0415 - as above
    from durak_widget.live.server import SessionServer  # noqa: PLC0415 - as above
    from durak_widget.live.session_links import SessionLinks  # noqa: PLC0415 - as above

    data = _read_settings(folder)
    log_path = Path(data["log"])
    log = EventLog.open(log_path)
    session = ClassSession(log, now=time.time(), code=data["code"], language=data["language"])
    if session.code != data["code"]:
        raise StartError(f"the log {log_path} belongs to the class session {session.code}")
    network = bool(data["network"])
    is_first = "secret" not in data
    secret = data.get("secret") or request_checks.generate_secret()
    token = data.get("token") or request_checks.generate_token()
    students = bind_ports(data.get("student_port") or data["port"], network=network, is_wanted=is_first and bool(data["port"]))
    bridge = bind_ports(data.get("bridge_port", 0), network=False)
    teacher = bind_ports(data.get("teacher_port", 0), network=False)
    ports = [sockets[0].getsockname()[1] for sockets in (students, bridge, teacher)]
    links = SessionLinks(session.code, ports[0], ports[2], secret, token, host=data["host"], network=network)
    public_link = data.get("public_link", "")
    own_links = links.build(public_link, with_qr=False)
    server = SessionServer(
        session,
        secret=secret,
        token=token,
        title=data["title"],
        hosts=request_checks.HostCheck([data["host"]], is_local=not network),
        build_links=links.build,
        links=own_links,
        read_log=log_path.read_bytes,
    )
    server.link = public_link
    if measure:
        server.statistics.measure_every_callback()
    data |= {
        "pid": os.getpid(),
        "student_port": ports[0],
        "bridge_port": ports[1],
        "teacher_port": ports[2],
        "secret": secret,
        "token": token,
        "public_link": public_link,
        "link": own_links["join"],
        "short_link": own_links["short"],
        "teacher_link": own_links["teacher"],
        "started": data.get("started") or round(time.time(), 2),
    }

    def save_links(new: JsonObject) -> None:
        changed = {"public_link": server.link, "link": new["join"], "short_link": new["short"]}
        if changed.items() - data.items():
            data.update(changed)
            _write_settings(folder, data)

    server.on_links_changed = save_links
    _write_settings(folder, data)
    server.listen(students, bridge, teacher)
    _report({"ready": session.code})
    server.start_workers()
    try:
        await _wait_until_over(server)
    finally:
        await server.close()
        log.close()
    return 0


async def _wait_until_over(server: Any) -> None:  # noqa: ANN401 - importing its type would cost every start
    """Wait until the process should end.

    This is ten minutes after the session, after half a day without a message, or at a signal.
    """
    import signal  # noqa: PLC0415 - beside its only use

    stopped = asyncio.Event()
    for name in ("SIGTERM", "SIGINT"):
        with suppress(NotImplementedError, ValueError):
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), stopped.set)
    ended: float | None = None
    while not stopped.is_set():
        now = time.monotonic()
        if server.session.phase == "ended":
            ended = now if ended is None else ended
            if now - ended > END_SECONDS:
                return
        elif time.time() - server.last_activity > IDLE_SECONDS:
            return
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(stopped.wait(), CHECK_SECONDS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
