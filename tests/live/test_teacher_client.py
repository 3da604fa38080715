"""Test the connection from a notebook to a session's process."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from durak_widget.live.request_checks import prove_alive
from durak_widget.live.teacher_client import NoAnswerError, RoomError, TeacherClient

SECRET = "a secret of this test"  # noqa: S105 - not a secret


class FakeSession(ThreadingHTTPServer):
    """A teacher's port that answers with what a test wants, and notes the requests."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = {}
        self.requests = []
        self.everything = []
        self.is_waiting = threading.Event()
        self.news = threading.Event()
        self.is_session = True


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """Answer a request without a body."""
        if self.path.startswith("/alive"):
            self.server.everything.append(str(self.headers))
            proof = prove_alive(SECRET if self.server.is_session else "", self.server.server_port, self.path.partition("=")[2])
            self.server.answers["/alive"] = 200, json.dumps({"proof": proof, "pid": 1}).encode()
            self.answer()
            return
        self.server.requests.append((self.command, self.path, self.headers, None))
        if "after=" in self.path:
            self.server.is_waiting.set()
            self.server.news.wait(20)
        self.answer()

    def do_POST(self):
        """Answer a request with a body."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.command, self.path, self.headers, body))
        self.answer()

    def answer(self):
        """Send the answer that the test has set."""
        status, body = self.server.answers.get(self.path.partition("?")[0], (404, b""))
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Print nothing."""


@pytest.fixture
def fake():
    """Serve a fake session."""
    server = FakeSession()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.news.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def client(fake):
    """Return a client of the fake session."""
    return TeacherClient(fake.server_port, SECRET)


def test_a_command_is_sent_with_the_secret(fake, client):
    """The reply comes back as a dict."""
    fake.answers["/command"] = 200, b'{"steps": 3}'
    assert client.send_command({"do": "set_plan", "title": "ąžuolas"}) == {"steps": 3}
    [(method, _, headers, body)] = fake.requests
    assert (method, headers["Authorization"]) == ("POST", f"Bearer {SECRET}")
    assert json.loads(body) == {"do": "set_plan", "title": "ąžuolas"}


def test_a_refused_command_raises_its_reason(fake, client):
    """The sentence of the session is the message of the error."""
    fake.answers["/command"] = 400, '{"error": "no question is open — žr."}'.encode()
    with pytest.raises(RoomError, match="no question is open — žr"):
        client.send_command({"do": "stop"})
    fake.answers["/command"] = 400, b"["
    with pytest.raises(RoomError, match="400"):
        client.send_command({"do": "stop"})


def test_state_and_log_are_read(fake, client):
    """The log comes as text."""
    fake.answers.update({"/state": (200, b'{"revision": 7}'), "/log": (200, '{"event":"session"}\n{"name":"Ž"}\n'.encode())})
    assert client.get_state() == {"revision": 7}
    assert client.get_log().splitlines()[1] == '{"name":"Ž"}'
    fake.news.set()
    assert client.wait_for_state(6) == {"revision": 7}
    assert fake.requests[-1][1] == "/state?after=6"


def test_no_proxy_is_asked(fake, client, monkeypatch):
    """A proxy of the environment would be asked for this machine's own address, and could read the secret."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    fake.answers["/state"] = 200, b"{}"
    assert client.get_state() == {}


@pytest.mark.parametrize("answer", [(401, b""), (403, b""), (200, b"<html>"), (200, b"\xff")])
def test_another_program_at_the_port_is_no_session(fake, client, answer):
    """It may have the port after the session's process has ended."""
    fake.answers["/state"] = answer
    with pytest.raises(NoAnswerError, match=str(fake.server_port)):
        client.get_state()


def test_another_program_does_not_get_the_secret(fake, client):
    """After a crash, another user's program may wait at the port for it."""
    fake.is_session = False
    fake.answers["/state"] = 200, b"{}"
    with pytest.raises(NoAnswerError, match=str(fake.server_port)):
        client.get_state()
    assert fake.requests == []
    assert len(fake.everything) == 1
    assert SECRET not in fake.everything[0]


def test_a_process_that_has_ended_does_not_answer(fake):
    """Another error would not tell a room to start the process again."""
    fake.server_close()
    with pytest.raises(NoAnswerError, match="does not answer"):
        TeacherClient(fake.server_port, SECRET).get_state()


def test_closing_ends_the_waiting(fake, client):
    """A notebook that is closed does not wait half a minute for news."""
    errors = []

    def wait():
        try:
            client.wait_for_state(1)
        except NoAnswerError as error:
            errors.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    assert fake.is_waiting.wait(20)
    client.close()
    thread.join(20)
    assert not thread.is_alive()
    assert len(errors) == 1
    with pytest.raises(NoAnswerError, match="closed"):
        client.get_state()
