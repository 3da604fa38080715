"""Tests the process of a class session: it starts, is found, outlives whoever started it, and starts again from its log."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tornado.websocket import websocket_connect

from durak_widget.live import process
from durak_widget.live.command_line import main
from durak_widget.live.process import FolderLock, StartError, find_session, get_registry_folder, list_sessions, start_session
from durak_widget.live.teacher_client import TeacherClient
from durak_widget.live.worker import PACKAGE_FOLDER
from support.live_server import SPEC, Phone, asynchronous, running_server

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and permissions of Unix")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Use an empty registry, and end all sessions that a test leaves in it."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    yield tmp_path
    for session in list_sessions():
        kill(session)


def kill(session):
    """End a session's process at once, and wait until it is gone."""
    os.kill(session.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    lock = FolderLock(session.folder)
    wait_until(lock.acquire)
    lock.release()


def wait_until(condition):
    """Wait until a condition holds, ten seconds at most."""
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def teach(session, **command):
    """Send a command to a session."""
    return TeacherClient(session.teacher_port, session.secret).send_command(command)


@posix
def test_session_starts_quickly_and_is_found_and_private(home):
    """A session is there within seconds; other users can neither read its secret nor see its code in the list of processes."""
    start = time.monotonic()
    session = start_session(network=False, title="My class", language="lt")
    assert time.monotonic() - start < 10  # about one second on a computer that does nothing else
    found = find_session(session.code.lower())
    assert found is not None
    assert (found.pid, found.link, found.language) == (session.pid, session.link, "lt")
    assert [other.code for other in list_sessions()] == [session.code]
    assert stat.S_IMODE(session.folder.stat().st_mode) == 0o700
    for path in session.folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    state = TeacherClient(session.teacher_port, session.secret).get_state()
    assert (state["code"], state["title"], state["links"]["join"]) == (session.code, "My class", session.link)
    command = Path(f"/proc/{session.pid}/cmdline")
    if command.exists():
        assert session.code not in command.read_text()
        assert session.secret not in command.read_text()


@posix
def test_session_starts_again_after_a_kill_with_code_ports_secret_and_log(home):
    """After kill -9, the same code brings back the same session at the same ports; starting it twice changes nothing."""
    first = start_session(network=False)
    teach(first, do="rehearse", count=5)
    teach(first, do="ask", spec=SPEC)
    teach(first, do="set_link", link="https://hub.example/durak/")
    kill(first)
    assert find_session(first.code) is None
    assert [session.is_running for session in list_sessions(with_stopped=True)] == [False]
    again = start_session(first.code)
    same = ("code", "student_port", "bridge_port", "teacher_port", "secret", "log", "started", "teacher_link")
    assert all(getattr(again, name) == getattr(first, name) for name in same)
    assert again.pid != first.pid
    state = TeacherClient(again.teacher_port, again.secret).get_state()
    assert (state["phase"], state["counts"]["simulated"]) == ("open", 5)
    assert again.link == "https://hub.example/durak/"
    assert stat.S_IMODE(get_registry_folder().stat().st_mode) == 0o700
    assert start_session(first.code).pid == again.pid


@posix
@pytest.mark.slow
def test_session_started_again_takes_another_port_if_its_own_is_taken(home):
    """If another program has the port meanwhile, the session gets another one."""
    first = start_session(network=False)
    kill(first)
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", first.student_port))
        taken.listen()
        again = start_session(first.code)
    assert again.student_port != first.student_port
    assert f":{again.student_port}/" in again.link


@posix
def test_two_programs_that_start_one_session_get_one_process(home):
    """Only one process serves a log, even if several are started at the same moment."""
    first = start_session(network=False)
    kill(first)
    with ThreadPoolExecutor(4) as executor:
        sessions = list(executor.map(lambda _: start_session(first.code), range(4)))
    assert len({session.pid for session in sessions}) == 1


@posix
@pytest.mark.slow
def test_other_program_at_the_port_is_not_taken_for_the_session(home):
    """After a kill, another program may have the port and the process id; it cannot prove that it is the session."""
    first = start_session(network=False)
    kill(first)

    @asynchronous
    async def pretend():
        async with running_server() as other:
            data = json.loads((first.folder / "session.json").read_text())
            data |= {"teacher_port": other.teacher_port, "pid": os.getpid()}
            (first.folder / "session.json").write_text(json.dumps(data))
            assert await asyncio.to_thread(find_session, first.code) is None

    pretend()


@posix
@pytest.mark.slow
def test_session_outlives_the_program_that_started_it(home):
    """The end of a notebook's kernel does not end the session."""
    program = "from durak_widget.live.process import start_session; print(start_session(network=False).code)"
    starter = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=PACKAGE_FOLDER)
    session = find_session(starter.stdout.strip())
    assert session is not None
    os.kill(session.pid, signal.SIGTERM)  # a polite end: the lock is free and nobody is left
    lock = FolderLock(session.folder)
    wait_until(lock.acquire)
    lock.release()
    assert (session.folder / "errors.txt").read_text() == ""


def test_session_that_cannot_start_says_why(home, tmp_path):
    """An unknown code, a port that is taken, and a folder that is none are refused with a sentence."""
    for code in ("BBBBBB", "no code", "../.."):
        with pytest.raises(StartError, match="no class session"):
            start_session(code)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(StartError, match="port"):
            start_session(network=False, port=taken.getsockname()[1])
    with pytest.raises(StartError, match="port"):
        start_session(network=False, port=70_000)
    (tmp_path / "file").write_text("")
    with pytest.raises(StartError, match="folder"):
        start_session(network=False, folder=tmp_path / "file")


def list_broken_settings():
    """Return session files that have every field, one of them of a wrong type, or the code of another session."""
    numbers = {"pid": 1, "student_port": 1, "bridge_port": 1, "teacher_port": 1, "started": 1.5}
    texts = dict.fromkeys(("secret", "link", "short_link", "teacher_link", "language", "log"), "x")
    whole = {"code": "CCCCCC", **numbers, **texts}
    return [
        json.dumps(whole | {"code": "BBBB" + "23"[i // 8] + "23456789"[i % 8], name: value})
        for i, (name, value) in enumerate(
            [
                ("code", "CCCCCC"),
                ("started", "yesterday"),
                ("started", float("nan")),
                ("teacher_port", "abc"),
                ("teacher_port", 22.5),
                ("teacher_port", 70_000),
                ("teacher_port", True),
                ("secret", 1),
                ("log", None),
            ],
            6,
        )
    ]


def test_broken_registry_hides_no_other_session(home):
    """A session file that is torn or foreign is left out of the list."""
    for number, text in enumerate(("", "[]", "{}", '{"code": 5}', "\0", "[" * 90_000, *list_broken_settings())):
        folder = get_registry_folder() / f"BBBB{number // 8 + 2}{number % 8 + 2}"
        folder.mkdir(parents=True)
        (folder / "session.json").write_text(text)
        assert find_session(folder.name) is None
    assert list_sessions(with_stopped=True) == []


@posix
@pytest.mark.slow
def test_broken_log_is_not_served(home):
    """A log that cannot be read is named, and nothing is appended to it."""
    first = start_session(network=False)
    kill(first)
    first.log.write_text('junk\n{"event":"end"}\n')
    with pytest.raises(StartError, match="log"):
        start_session(first.code)
    assert first.log.read_text() == 'junk\n{"event":"end"}\n'


@posix
def test_errors_do_not_fill_the_disk(home):
    """Whoever makes a session write errors fills at most a short file, with short lines."""
    session = start_session(network=False)
    for _ in range(100):
        connection = http.client.HTTPConnection("127.0.0.1", session.student_port, timeout=10)
        connection.request("GET", "/%ff?" + "a" * 15_000)
        connection.getresponse().read()
        connection.close()
    written = (session.folder / "errors.txt").read_text()
    assert len(written) < 50_000
    assert max(map(len, written.splitlines()), default=0) < 400


def test_error_log_has_an_end(tmp_path):
    """The file with the errors has at most a megabyte, and a minute has a few records."""
    program = """
import logging
from durak_widget.live import error_log
error_log.limit_error_log()
for number in range(1000):
    logging.getLogger("tornado.general").warning("x" * 10_000)
error_log.RECORDS_A_MINUTE = 10**6
for number in range(2000):
    error_log.write_error("y" * 1000)
"""
    with (tmp_path / "errors.txt").open("ab") as errors:
        subprocess.run([sys.executable, "-c", program], stderr=errors, check=True, cwd=PACKAGE_FOLDER)
    text = (tmp_path / "errors.txt").read_text()
    assert text.count("tornado.general") == 30
    assert 900_000 < len(text) <= 1_000_000


@posix
def test_lock_is_for_one_process_only(tmp_path):
    """A folder can be locked once, and again when the lock was released."""
    first, second = FolderLock(tmp_path), FolderLock(tmp_path)
    assert first.acquire()
    assert not second.acquire()
    first.release()
    assert second.acquire()
    second.release()


@asynchronous
async def test_process_ends_some_time_after_the_session_or_when_nobody_uses_it(monkeypatch):
    """The process goes on for a while after the end, and ends after half a day without a message."""
    monkeypatch.setattr(process, "CHECK_SECONDS", 0.01)
    async with running_server() as running:
        running.server.last_activity = time.time()
        waiting = asyncio.create_task(process._wait_until_over(running.server))
        await running.command(do="end")
        done, _ = await asyncio.wait([waiting], timeout=0.1)
        assert not done
        monkeypatch.setattr(process, "END_SECONDS", 0.0)
        await waiting
    async with running_server() as running:
        running.server.last_activity = time.time() - 13 * 3600
        await process._wait_until_over(running.server)


# --- The command line ---


@posix
def test_command_shows_how_to_join_and_the_session_goes_on(home, capsys):
    """`durak-class` shows the code, the links and a QR code; later commands list, resume and end the session."""
    assert main(["--local", "--detach", "--language", "lt"]) == 0
    session = list_sessions()[0]
    shown = capsys.readouterr().out
    for text in (session.code, session.short_link, session.teacher_link, "█"):
        assert text in shown
    assert main(["--list"]) == 0
    assert session.code in capsys.readouterr().out
    kill(session)
    assert main(["--resume", session.code, "--detach"]) == 0
    teach(session, do="rehearse", count=2)
    assert main(["--end", session.code]) == 0
    assert TeacherClient(session.teacher_port, session.secret).get_state()["phase"] == "ended"


@posix
@pytest.mark.slow
def test_command_stays_until_it_is_interrupted(home):
    """The command says who is here; Ctrl-C leaves it, and the session goes on."""
    command = [sys.executable, "-u", "-m", "durak_widget.live.command_line", "--local"]
    running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, cwd=PACKAGE_FOLDER)
    assert running.stdout is not None
    lines = iter(running.stdout.readline, "")
    assert any("0 students here" in line for line in lines)
    session = list_sessions()[0]
    teach(session, do="rehearse", count=3)
    assert any("3 students here" in line for line in lines)
    running.send_signal(signal.SIGINT)
    assert any(session.code in line for line in lines)
    assert running.wait(10) == 0
    running.stdout.close()
    assert find_session(session.code) is not None


@posix
@pytest.mark.slow
def test_command_writes_the_answers_as_a_table(home, tmp_path, capsys):
    """`--data` writes the answers of a session that runs or has ended; names only if they are asked for."""
    session = start_session(network=False)

    @asynchronous
    async def answer():
        phone = Phone(await websocket_connect(f"ws://127.0.0.1:{session.student_port}/{session.code}/ws"))
        await phone.send({"kind": "join", "name": "Ann", "language": "en"})
        await phone.read_until("state")
        await asyncio.to_thread(teach, session, do="ask", spec=SPEC)
        await phone.read_until("question")
        await phone.send({"kind": "answer", "question": 1, "answer": {"number": "17"}})
        await phone.read_until("state", answer={"number": "17"})
        await asyncio.to_thread(teach, session, do="reveal")
        protocol = phone.socket.protocol
        phone.socket.close()
        protocol.stream.close()

    answer()
    kill(session)
    path = tmp_path / "answers.csv"
    assert main(["--data", session.code, str(path)]) == 0
    assert "17" in path.read_text()
    assert "Ann" not in path.read_text()
    assert main(["--data", session.code, str(path), "--names"]) == 0
    assert "Ann" in path.read_text()
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--end", "BBBBBB"], 1),
        (["--resume", "BBBBBB"], 1),
        (["--data", "BBBBBB", "x.csv"], 1),
        (["--plan", "no such plan"], 1),
        (["--fly"], 2),
        (["--list"], 0),
        (["--help"], 0),
    ],
)
def test_command_says_what_is_wrong(home, capsys, arguments, code):
    """Wrong usage, an unknown code and an unknown plan are refused, and start nothing."""
    assert main(arguments) == code
    shown = capsys.readouterr()
    assert shown.err if code else shown.out
    assert list_sessions(with_stopped=True) == []
