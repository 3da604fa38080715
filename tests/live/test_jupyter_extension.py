"""Test that students reach a session through Jupyter, and nothing else of the Jupyter server."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import http.client
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

import pytest

pytest.importorskip("jupyter_server")

from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application
from tornado.websocket import websocket_connect

from durak_widget.live import jupyter_extension
from durak_widget.live.jupyter_links import has_extension
from durak_widget.live.process import find_session, start_session
from durak_widget.live.request_checks import WRONG_CODES_A_MINUTE
from durak_widget.live.teacher_client import TeacherClient

CONFIG = Path(jupyter_extension.__file__).parent / "jupyter_config" / "durak_widget.json"
TOKEN = "a token of this test"  # noqa: S105 - not a secret
WRONG = "BBBBBB"


@pytest.fixture(scope="module")
def session():
    """Return a session in its own process that only this machine can reach; it is ended afterwards."""
    session = start_session(network=False)
    yield session
    TeacherClient(session.teacher_port, session.secret).send_command({"do": "end"})
    os.kill(session.pid, 15)


class Answer:
    """The answer to a request."""

    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def text(self):
        """Return the body as text."""
        return self.body.decode()


def ask(address, path, method="GET", body=None, **headers):
    """Send a request; redirects are not followed."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    with contextlib.closing(connection):
        connection.request(method, f"{parts.path}{path}", body, {name.replace("_", "-"): value for name, value in headers.items()})
        return Answer(connection.getresponse())


def poll(address, code, messages, after=0, connection=None, **headers):
    """Send a request of long polling."""
    name = connection or secrets.token_hex(16)
    body = json.dumps({"connection": name, "after": after, "send": messages})
    return ask(address, f"durak/{code}/poll", "POST", body, **headers)


def count_seats(session):
    """Return how many students have joined."""
    return TeacherClient(session.teacher_port, session.secret).get_state()["counts"]["joined"]


def talk(address, code, *messages, origin="null", wait_for="seat", query=""):
    """Open a websocket, send messages, and return what comes until a kind of message, or the code that closes the socket."""

    async def run():
        url = f"{address.replace('http', 'ws', 1)}durak/{code}/ws{query}"
        phone = await websocket_connect(HTTPRequest(url, headers={"Origin": origin}))
        for message in messages:
            await phone.write_message(message if isinstance(message, str) else json.dumps(message))
        heard = []
        try:
            while (text := await asyncio.wait_for(phone.read_message(), 15)) is not None:
                heard.append(json.loads(text))
                if heard[-1]["kind"] == wait_for:
                    phone.close()
                    while await asyncio.wait_for(phone.read_message(), 15) is not None:
                        pass  # until the socket is closed
                    return heard
            return phone.close_code
        finally:
            phone.close()

    return asyncio.run(run())


JOIN = {"kind": "join", "name": "Ann", "language": "en"}


@pytest.fixture
def bridge():
    """Serve the extension alone, without Jupyter; return its address, what its handlers share, and the settings."""
    ready, made = threading.Event(), []

    async def serve():
        handlers = jupyter_extension.list_handlers("/base/")
        application, stop, [listening] = Application(handlers, xsrf_cookies=True), asyncio.Event(), bind_sockets(0, "127.0.0.1")
        server = HTTPServer(application)
        server.add_socket(listening)
        made.extend((asyncio.get_running_loop(), stop, listening.getsockname()[1], handlers[0][2]["bridge"], application.settings))
        ready.set()
        await stop.wait()
        server.stop()
        await server.close_all_connections()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=10)  # the websockets to the session close

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(20)
    loop, stop, port, shared, settings = made
    yield f"http://127.0.0.1:{port}/base/", shared, settings
    loop.call_soon_threadsafe(stop.set)
    thread.join(20)


def check_students_way(address, session):
    """Check that a browser without a token gets the pages, and can join by websocket and by polling."""
    page = ask(address, f"durak/{session.code}/", Accept_Encoding="gzip")
    assert page.status == 200
    assert "sandbox" in page.headers["Content-Security-Policy"]
    assert "Set-Cookie" not in page.headers
    html = gzip.decompress(page.body).decode()
    assert session.code not in html, "the page would show a code that somebody has guessed"
    for name in re.findall(r'(?:src|href)="([\w.]+)"', html):
        file = ask(address, f"durak/{session.code}/{name}")
        assert file.status == 200
        again = ask(address, f"durak/{session.code}/{name}", If_None_Match=file.headers["Etag"])
        assert (again.status, again.body) == (304, b"")
    assert ask(address, f"durak/{session.code}").headers["Location"] == f"{session.code}/"
    assert ask(address, f"durak/?code={session.code.lower()}").headers["Location"] == f"{session.code}/"
    [seat, *_] = talk(address, session.code, JOIN)
    assert seat["kind"] == "seat"
    [same_seat, *_] = talk(address, session.code, {"kind": "resume", "key": seat["key"], "language": "lt"})
    assert same_seat["seat"] == seat["seat"]
    first = poll(address, session.code, [JOIN])
    assert first.status == 200
    assert first.headers["Access-Control-Allow-Origin"] == "null"
    assert "seat" in {message["kind"] for message in json.loads(first.body)["messages"]}


def test_students_join_without_a_token(bridge, session):
    """Pages, websockets and long polling work, nothing is stored in the browser, and Jupyter knows that someone is active."""
    address, _, settings = bridge
    assert "durak_last_activity" not in settings
    check_students_way(address, session)
    assert settings["durak_last_activity"].utcoffset() is not None


def test_the_teachers_port_is_out_of_reach(bridge, session):
    """A student who knows its addresses, or even the secret of the bridge, reaches nothing of it."""
    address, _, _ = bridge
    headers = {"Authorization": f"Bearer {session.secret}", "X_Durak_Bridge": session.secret}
    for name in ("state", "command", "log", "statistics", "projector.html", "projector.js"):
        assert ask(address, f"durak/{session.code}/{name}", **headers).status == 404
        assert ask(address, f"durak/{name}", **headers).status == 404
    assert ask(address, f"durak/{session.code}/command", "POST", '{"do":"end"}', **headers).status == 400
    assert ask(address, f"durak/{session.code}/../state", **headers).status == 404


def test_neither_cookies_nor_tokens_reach_the_session(bridge, session, monkeypatch):
    """A request is passed on with a proof for the bridge and the token of the QR code, and with nothing else of the browser."""
    address, shared, _ = bridge
    passed = []
    fetch = shared.client.fetch

    def spy(request, **options):
        passed.append((request.url, dict(request.headers)))
        return fetch(request, **options)

    monkeypatch.setattr(shared.client, "fetch", spy)
    headers = {"Cookie": "_xsrf=1", "Authorization": "token x", "Accept_Encoding": "gzip", "X_Forwarded_For": "1.2.3.4"}
    body = json.dumps({"connection": secrets.token_hex(16), "after": 0, "send": [JOIN]})
    assert ask(address, f"durak/{session.code}/poll?token=x&t=abc&u=%ff", "POST", body, **headers).status == 200
    [(url, passed_headers)] = passed
    assert set(passed_headers) - {"Content-Type", "Accept-Encoding", "Connection", "Host", "Content-Length"} == {"X-Durak-Bridge"}
    assert session.secret not in str(passed_headers)
    assert url.endswith("/poll?t=abc")


def test_a_wrong_code_is_answered_with_the_page_for_codes(bridge):
    """The student can type it again; websockets and polling say that there is no session."""
    address, shared, _ = bridge
    page = ask(address, f"durak/{WRONG}/")
    assert page.status == 404
    assert "<form" in page.text
    assert ask(address, "durak/").status == 200
    assert ask(address, "durak/?code=1").status == 404
    assert ask(address, "durak/code.css").status == 200
    assert ask(address, "durak").headers["Location"] == "durak/"
    assert poll(address, WRONG, [JOIN]).status == 404
    with pytest.raises(HTTPClientError, match="404"):
        talk(address, WRONG, JOIN)
    assert len(shared.wrong_codes._times) == 3


def test_pages_of_other_sites_are_refused(bridge, session):
    """They may neither poll nor open a websocket; the session's own page has the origin `null`."""
    address, _, _ = bridge
    host = urlsplit(address).netloc
    for origin, status in (("https://evil.example", 403), ("null", 200), (f"http://{host}", 200)):
        assert poll(address, session.code, [JOIN], Origin=origin).status == status
    with pytest.raises(HTTPClientError, match="403"):
        talk(address, session.code, JOIN, origin="https://evil.example")
    preflight = ask(address, f"durak/{session.code}/poll", "OPTIONS", Origin="null")
    assert (preflight.status, preflight.headers["Access-Control-Allow-Origin"]) == (204, "null")


@pytest.mark.parametrize(
    "body", [b"", b"[", b"{}", b'{"connection": 1, "send": []}', b'{"connection": "0123456789abcdef", "send": [1]}', b"[" * 20_000]
)
def test_junk_is_refused(bridge, session, body):
    """It neither reaches the session nor harms it."""
    address, _, _ = bridge
    assert ask(address, f"durak/{session.code}/poll", "POST", body).status == 400
    assert poll(address, session.code, [JOIN]).status == 200


def test_long_messages_are_refused(bridge, session):
    """A long body is refused before it is read; a long message closes the websocket."""
    address, _, _ = bridge
    with socket.create_connection((urlsplit(address).hostname, urlsplit(address).port), 20) as connection:
        head = f"POST /base/durak/{session.code}/poll HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n"
        connection.sendall(head.encode())
        assert b" 413 " in connection.recv(1000)
    chunked = ask(address, f"durak/{session.code}/poll", "POST", iter([b"x" * 9]), Transfer_Encoding="chunked")
    assert chunked.status == 413
    assert talk(address, session.code, "x" * (jupyter_extension.BODY_BYTES + 1)) in {1006, 1009, None}
    [refusal, *_] = talk(address, session.code, "x" * 5000, wait_for="refused")
    assert refusal["reason"] == "too_long"


def test_too_many_connections_are_refused(bridge, session, monkeypatch):
    """One that has ended makes room for another."""
    address, _, _ = bridge
    monkeypatch.setattr(jupyter_extension, "MAX_CONNECTIONS", 0)
    assert ask(address, f"durak/{session.code}/").status == 200, "pages are not counted"
    assert poll(address, session.code, [JOIN]).status == 503
    with pytest.raises(HTTPClientError, match="503"):
        talk(address, session.code, JOIN)
    monkeypatch.setattr(jupyter_extension, "MAX_CONNECTIONS", 1)
    assert ask(address, f"durak/{session.code}/").status == 200
    assert talk(address, session.code, JOIN)[0]["kind"] == "seat"


def test_other_hosts_are_refused(bridge, session):
    """A page that has bound its own name to this address gets nothing; Jupyter's settings say which names are right."""
    address, _, settings = bridge
    paths = ("durak/", "durak/code.css", f"durak/{session.code}/", f"durak/{session.code}/student.js", f"durak/{session.code}/ws")
    for path in paths:
        assert ask(address, path, Host="evil.example").status == 421
    assert poll(address, session.code, [JOIN], Host="evil.example").status == 421
    settings["local_hostnames"] = ["localhost", "school.example"]
    assert ask(address, "durak/", Host="school.example:8888").status == 200
    settings["allow_remote_access"] = True
    assert ask(address, "durak/", Host="hub.example").status == 200


def test_silent_websockets_make_room(bridge, session, monkeypatch):
    """Websockets that say nothing are closed, the oldest first, and students get in."""
    address, shared, _ = bridge
    monkeypatch.setattr(jupyter_extension, "MAX_SILENT", 3)

    async def hold():
        url = f"{address.replace('http', 'ws', 1)}durak/{session.code}/ws"
        held = [await websocket_connect(HTTPRequest(url, headers={"Origin": "null"})) for _ in range(6)]
        protocols = [phone.protocol for phone in held]
        assert await asyncio.wait_for(held[0].read_message(), 15) is None
        for phone, protocol in zip(held, protocols, strict=True):
            phone.close()
            protocol.stream.close()

    asyncio.run(hold())
    assert talk(address, session.code, JOIN)[0]["kind"] == "seat"
    assert shared.connection_count <= 1
    monkeypatch.setattr(jupyter_extension, "SILENT_SECONDS", 0.0)
    assert talk(address, session.code) == jupyter_extension.CLOSED_SLOW


def test_nobody_can_try_all_codes(bridge, session, monkeypatch):
    """After too many wrong codes a right one is answered like a wrong one; only a student with a key or the QR code gets in."""
    address, shared, _ = bridge
    monkeypatch.setattr(jupyter_extension, "LIMITED_SECONDS", 0.5)
    [seat, *_] = talk(address, session.code, JOIN)
    name = secrets.token_hex(16)
    begun = json.loads(poll(address, session.code, [JOIN], connection=name).body)
    for _ in range(WRONG_CODES_A_MINUTE):
        ask(address, f"durak/{WRONG}/")
    assert shared.is_over_limit
    resume, wrong = {"kind": "resume", "key": seat["key"], "language": "en"}, {"kind": "resume", "key": "x" * 22, "language": "en"}
    sly = {"kind": "join", "name": "resume", "language": "en"}
    seats = count_seats(session)

    def try_code(code):
        """Return all that an attacker sees of a code."""
        page, file = ask(address, f"durak/{code}/"), ask(address, f"durak/{code}/student.js")
        sockets = [talk(address, code, message) for message in (JOIN, sly, wrong, "junk", '{"kind": "resume"}')]
        first = ([JOIN], [sly], [wrong], [wrong, JOIN], [{**wrong, "kind": "join"}], [])
        polls = [(answer.status, answer.body) for messages in first for answer in [poll(address, code, messages)]]
        polls.append(poll(address, code, [{"kind": "ping"}], begun["next"], name).status if code == WRONG else 429)
        return page.status, page.body, file.status, file.body, sockets, polls

    assert try_code(session.code) == try_code(WRONG)
    assert count_seats(session) == seats
    for code in (session.code, WRONG):  # Each refusal comes after the same time
        for message in (JOIN, wrong):
            start = time.monotonic()
            assert talk(address, code, message) == jupyter_extension.CLOSED_FLOOD
            assert time.monotonic() - start >= 0.5
    token = urlsplit(session.link).query
    assert token.startswith("t=")
    assert talk(address, session.code, JOIN, query=f"?{token}")[0]["kind"] == "seat"
    assert talk(address, session.code, JOIN, query="?t=wrong") == jupyter_extension.CLOSED_FLOOD
    assert talk(address, session.code, resume)[0]["seat"] == seat["seat"]
    assert poll(address, session.code, [resume]).status == 200
    assert poll(address, session.code, [{"kind": "ping"}], begun["next"], name).status == 200
    assert talk(address, WRONG, resume) == jupyter_extension.CLOSED_FLOOD


def test_attempts_at_the_limit_have_an_end(bridge, session, monkeypatch):
    """Someone who tries keys gets a few attempts a minute, and someone without the code cannot use them up."""
    address, shared, _ = bridge
    monkeypatch.setattr(jupyter_extension, "LIMITED_SECONDS", 0.5)
    monkeypatch.setattr(jupyter_extension, "MAX_LIMITED_ATTEMPTS", 2)
    [seat, *_] = talk(address, session.code, JOIN)
    resume, wrong = {"kind": "resume", "key": seat["key"], "language": "en"}, {"kind": "resume", "key": "x" * 22, "language": "en"}
    for _ in range(WRONG_CODES_A_MINUTE):
        shared.wrong_codes.count(monotonic())
    for _ in range(3):
        assert talk(address, WRONG, wrong) == jupyter_extension.CLOSED_FLOOD
    assert talk(address, session.code, resume)[0]["seat"] == seat["seat"]
    for _ in range(2):
        assert talk(address, session.code, wrong) == jupyter_extension.CLOSED_FLOOD
    assert talk(address, session.code, resume) == jupyter_extension.CLOSED_FLOOD


def test_a_session_that_ends_closes_its_websockets(bridge):
    """The page then tries again, and finds the session when it is back."""
    address, shared, _ = bridge
    session = start_session(network=False)
    heard = []

    async def listen():
        url = f"{address.replace('http', 'ws', 1)}durak/{session.code}/ws"
        phone = await websocket_connect(HTTPRequest(url, headers={"Origin": "null"}))
        await phone.write_message(json.dumps(JOIN))
        while (text := await asyncio.wait_for(phone.read_message(), 15)) is not None:
            if json.loads(text)["kind"] == "seat":
                heard.append(json.loads(text))
                os.kill(session.pid, 9)
        phone.close()
        return phone.close_code

    assert asyncio.run(listen()) == jupyter_extension.CLOSED_RESTART
    started_again = start_session(session.code)
    try:
        [seat, *_] = talk(address, session.code, {"kind": "resume", "key": heard[0]["key"], "language": "en"})
        assert seat["seat"] == heard[0]["seat"]
        assert shared.connection_count <= 1
    finally:
        os.kill(started_again.pid, 15)


# --- A whole Jupyter server ---


def wait_for_port(port):
    """Wait until a server listens at a port, 20 seconds at most."""
    deadline = monotonic() + 20
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert monotonic() < deadline


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory):
    """Start JupyterLab with a token, as a teacher has it; return its address."""
    home = tmp_path_factory.mktemp("jupyter")
    folders = {name: home / name.lower() for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
    (folders["JUPYTER_CONFIG_DIR"] / "jupyter_server_config.d").mkdir(parents=True)
    shutil.copy(CONFIG, folders["JUPYTER_CONFIG_DIR"] / "jupyter_server_config.d")
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0"),
        *("--ServerApp.base_url=/user/ann/", "--ServerApp.allow_unauthenticated_access=False", f"--ServerApp.root_dir={home}"),
        *("--LabApp.news_url=None", "--LabApp.extension_manager=readonly"),
    ]
    environment = {**os.environ, **{name: str(folder) for name, folder in folders.items()}, "JUPYTER_TOKEN": TOKEN}
    log = []
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=home) as server:
        try:
            address = None
            for line in server.stderr:
                log.append(line)
                if (found := re.search(r"(http://127\.0\.0\.1:\d+/user/ann/)", line)) is not None:
                    address = found[1]
                    break
            assert address is not None, "".join(log)
            wait_for_port(urlsplit(address).port)  # Jupyter names its address before it listens
            drain = threading.Thread(target=lambda: log.extend(server.stderr))
            drain.start()
            yield address, log
        finally:
            server.terminate()
            server.wait(60)
            drain.join(20)


@pytest.mark.slow
def test_students_reach_only_the_session_through_jupyterlab(jupyter, session):
    """Without a token, the session's pages work; the rest of the server is closed, and no cookie is set."""
    address, log = jupyter
    check_students_way(address, session)
    assert has_extension(address, session.code)
    assert not has_extension(address, WRONG)
    for path in ("api/contents", "api/kernels", "api/status", "api/terminals", "api/sessions", f"durak/{session.code}/../../api/kernels"):
        closed = ask(address, path)
        assert closed.status in {302, 403}, path
        assert "Set-Cookie" not in closed.headers or session.secret not in str(closed.headers)
    for path in ("lab", "tree", "terminals/1", "files/x"):
        closed = ask(address, path)
        assert closed.status in {302, 404}, path
        assert closed.status == 404 or "login" in closed.headers["Location"], path
    assert ask(address, "api/kernels", "POST", "{}").status == 403
    assert ask(address, "api/status", Authorization=f"token {TOKEN}").status == 200
    for method in ("PUT", "DELETE", "PATCH"):
        assert ask(address, f"durak/{session.code}/poll", method).status in {403, 405}
    assert session.secret not in "".join(log)


@pytest.mark.slow
def test_activity_of_students_keeps_the_server(jupyter, session):
    """A hub stops a server that nobody uses; a class uses it."""
    address, _ = jupyter

    def last_activity():
        return json.loads(ask(address, "api/status", Authorization=f"token {TOKEN}").body)["last_activity"]

    talk(address, session.code, JOIN)
    before = last_activity()
    assert last_activity() == before
    talk(address, session.code, JOIN)
    assert last_activity() > before


def test_the_server_finds_the_extension():
    """The configuration names the module that has the extension's functions."""
    [name] = json.loads(CONFIG.read_text(encoding="utf-8"))["ServerApp"]["jpserver_extensions"]
    assert name == jupyter_extension.__name__
    assert jupyter_extension._jupyter_server_extension_points() == [{"module": name}]
    assert find_session(WRONG) is None
