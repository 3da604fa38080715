"""A class session's server inside a test, with phones and a teacher."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.netutil import bind_sockets
from tornado.websocket import websocket_connect

from durak_widget.live.class_session import ClassSession
from durak_widget.live.event_log import EventLog
from durak_widget.live.number_games import Guess
from durak_widget.live.server import SessionServer
from durak_widget.live.worker import run_task

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from tornado.httpclient import HTTPResponse

CODE, TOKEN, SECRET = "K7PWQ3", "token-of-the-qr", "the teacher's secret"
SPEC = Guess(rounds=3).to_spec()
SECONDS = 30.0


def asynchronous(test: Callable[..., Any]) -> Callable[..., None]:
    """Let pytest run an asynchronous test, for half a minute at most."""

    @wraps(test)
    def run(*arguments: object, **options: object) -> None:
        asyncio.run(asyncio.wait_for(test(*arguments, **options), SECONDS))

    return run


async def until(condition: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    while not condition():  # noqa: ASYNC110 - what changes is not known here
        await asyncio.sleep(0.005)


class WorkersHere:
    """Does the work of the worker processes at once, or when `gate` is set."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.outcomes: dict[str, Any] = {}

    async def run(self, kind: str, task: dict[str, Any]) -> dict[str, Any]:
        """Run a task, or return the outcome that the test wants."""
        await self.gate.wait()
        return self.outcomes.get(kind) or run_task({"kind": kind, **json.loads(json.dumps(task))})

    async def prepare(self, spec):
        """Prepare a question."""
        return await self.run("prepare", {"spec": spec})

    async def solve(self, spec, prepared):
        """Solve a question."""
        return await self.run("solve", {"spec": spec, "prepared": prepared})

    async def score(self, spec, prepared, answers, language):
        """Score the answers to a question."""
        return await self.run("score", {"spec": spec, "prepared": prepared, "answers": answers, "language": language})

    async def start(self) -> None:
        """Start nothing."""

    async def close(self) -> None:
        """Stop nothing."""


class Phone:
    """A student's page, connected by a websocket."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.key = ""
        self.seat = -1

    async def send(self, message: object) -> None:
        """Send a message: text or bytes as they are, anything else as JSON."""
        text = message if isinstance(message, (str, bytes)) else json.dumps(message)
        await self.socket.write_message(text, binary=isinstance(text, bytes))

    async def read(self) -> dict[str, Any] | None:
        """Return the next message; None if the connection is closed."""
        text = await self.socket.read_message()
        return None if text is None else json.loads(text)

    async def read_until(self, kind: str, **fields: object) -> dict[str, Any]:
        """Return the next message of a kind with some fields, and skip others."""
        while True:
            message = await self.read()
            assert message is not None, f"closed with {self.socket.close_code} before {kind} {fields}"
            if message["kind"] == kind and fields.items() <= message.items():
                return message

    async def read_close(self) -> int:
        """Skip messages until the connection is closed, and return the code."""
        while await self.read() is not None:
            pass
        return self.socket.close_code


class Running:
    """A server that runs, its ports and its session."""

    def __init__(self, server: SessionServer, ports: list[int], workers: WorkersHere) -> None:
        self.server, self.session, self.workers = server, server.session, workers
        self.student_port, self.bridge_port, self.teacher_port = ports
        self.client = AsyncHTTPClient(force_instance=True, max_clients=500)
        self.sockets: list[Any] = []

    async def fetch(self, path: str, *, port: int = 0, method: str = "GET", body: object = None, **headers: str) -> HTTPResponse:
        """Return the response of a port, the students' port if none is said."""
        data = None if body is None else body if isinstance(body, (str, bytes)) else json.dumps(body)
        request = HTTPRequest(
            f"http://127.0.0.1:{port or self.student_port}{path}",
            method=method,
            body=data,
            headers={name.replace("_", "-"): value for name, value in headers.items()},
            follow_redirects=False,
            decompress_response=False,
            allow_nonstandard_methods=True,
        )
        return await self.client.fetch(request, raise_error=False)

    async def teach(self, path: str, *, method: str = "GET", body: object = None, **headers: str) -> HTTPResponse:
        """Return the response of the teacher's port to the teacher."""
        headers = {"Authorization": f"Bearer {SECRET}", **headers}
        return await self.fetch(path, port=self.teacher_port, method=method, body=body, **headers)

    async def get_state(self) -> dict[str, Any]:
        """Return what the teacher sees, with the links."""
        while True:
            state = json.loads((await self.teach("/state")).body)
            if state["links"]:
                return state

    async def command(self, **command: object) -> dict[str, Any]:
        """Return the reply to a command."""
        response = await self.teach("/command", method="POST", body=command)
        assert response.code == 200, response.body
        return json.loads(response.body)

    async def connect(self, *, code: str = CODE, query: str = "", port: int = 0, **headers: str) -> Phone:
        """Return a phone that is connected and has no seat yet."""
        url = f"ws://127.0.0.1:{port or self.student_port}/{code}/ws{query}"
        socket = await websocket_connect(HTTPRequest(url, headers={name.replace("_", "-"): value for name, value in headers.items()}))
        self.sockets.append(socket)
        return Phone(socket)

    async def connect_teacher(self, message: object) -> Any:
        """Return a websocket of the teacher's port that has sent its first message."""
        socket = await websocket_connect(f"ws://127.0.0.1:{self.teacher_port}/ws")
        self.sockets.append(socket)
        await socket.write_message(json.dumps(message))
        return socket

    async def join(self, name: str = "Ann", language: str = "en", **options: Any) -> Phone:
        """Return a phone that has joined."""
        phone = await self.connect(**options)
        await phone.send({"kind": "join", "name": name, "language": language})
        seat = await phone.read_until("seat")
        phone.key, phone.seat = seat["key"], seat["seat"]
        await phone.read_until("state")
        return phone

    async def resume(self, key: str, **options: Any) -> Phone:
        """Return a phone that has sent a key."""
        phone = await self.connect(**options)
        await phone.send({"kind": "resume", "key": key, "language": "en"})
        return phone

    async def poll(self, name: str, after: int = 0, *send: object, **options: Any) -> dict[str, Any]:
        """Return the answer to one request of long polling."""
        body = {"connection": name, "after": after, "send": list(send)}
        response = await self.fetch(options.pop("path", f"/{CODE}/poll"), method="POST", body=body, **options)
        assert response.code == 200, (response.code, response.body)
        return json.loads(response.body)


@asynccontextmanager
async def running_server(static: Path | None = None, log: EventLog | None = None, **options: Any) -> AsyncIterator[Running]:
    """Run a server on free ports of this computer."""
    workers = WorkersHere()
    now = options.pop("now", None)
    session = ClassSession(log or EventLog(), now=now() if now else 0.0, code=CODE)
    options |= {} if static is None else {"static": static}
    options |= {} if now is None else {"now": now}
    server = SessionServer(session, secret=SECRET, token=TOKEN, workers=workers, **options)
    sockets = [bind_sockets(0, "127.0.0.1") for _ in range(3)]
    server.listen(*sockets)
    running = Running(server, [own[0].getsockname()[1] for own in sockets], workers)
    try:
        yield running
    finally:
        await server.close()
        for socket in running.sockets:
            protocol = socket.protocol
            socket.close()
            if protocol is not None and protocol.stream is not None:
                protocol.stream.close()  # without waiting for the other side
        running.client.close()
        await asyncio.sleep(0)  # the closed connections end their tasks


def write_pages(folder: Path) -> Path:
    """Write small files in place of the built pages."""
    for name in ("student", "projector"):
        (folder / f"{name}.html").write_text(f"<!doctype html><title>{name}</title>" + "<p>Read this.</p>" * 100)
        (folder / f"{name}.js").write_text("export const names = [];\n" * 100)
        (folder / f"{name}.css").write_text("p { margin: 0 }\n" * 100)
    return folder
