"""Answers the requests and websockets of students, of JupyterLab and of the teacher.

Each handler checks who asks, and leaves the rest to the `SessionHost`.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from typing import TYPE_CHECKING, Final

from tornado.web import HTTPError, RequestHandler
from tornado.websocket import WebSocketHandler

from durak_widget.errors import DurakError
from durak_widget.live import pages, request_checks
from durak_widget.live.connections import CLOSED_FLOOD, CLOSED_NEW, CLOSED_REPLACED, PollConnection, SocketConnection, encode_message
from durak_widget.live.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from durak_widget.live.question import JsonObject
    from durak_widget.live.session_host import SessionHost

MAX_POLL_MESSAGES: Final = 16
"""How many messages one request of long polling may bring."""


class SecureHandler(RequestHandler):
    """Sets the security headers of every answer, and never a cookie."""

    def set_default_headers(self) -> None:
        """Sandbox every page, and say nothing about the server."""
        self.clear_header("Server")
        for name, value in pages.SECURITY_HEADERS.items():
            self.set_header(name, value)

    def compute_etag(self) -> None:
        """Make no Etag; pages have their own."""

    def write_error(self, status_code: int, **_: object) -> None:
        """Answer with the reason only."""
        self.answer_text(f"{status_code} {self._reason}\n", "text/plain", status_code)

    def answer_text(self, text: str | bytes, content_type: str, status: int = 200) -> None:
        """Answer with something that must not be stored."""
        self.set_status(status)
        self.set_header("Content-Type", f"{content_type}; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.finish(text)

    def answer_code_page(self, problem: str = "", status: int = 200, path: str = "", typed: str = "") -> None:
        """Answer with the page on which a student types a code.

        `problem` says why a code was refused; `path` leads to the folder of the page; `typed` stays in the box.
        """
        if status == 429:
            self.set_header("Retry-After", "60")
        language = pages.choose_language(self.request.headers.get("Accept-Language", ""))
        self.answer_text(pages.render_code_page(language, problem, path=path, typed=typed), "text/html", status)


class FileHandler(SecureHandler):
    """Answers with files that are in memory."""

    def answer_page(self, page: pages.Page | None) -> None:
        """Answer with a file, compressed if possible, or say that it has not changed."""
        if page is None:
            raise HTTPError(404)
        self.set_header("Content-Type", page.content_type)
        self.set_header("Vary", "Accept-Encoding")
        self.set_header("Etag", page.etag)
        if page.etag in self.request.headers.get("If-None-Match", ""):
            self.set_status(304)
            self.finish()
        elif "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.finish(page.compressed)
        else:
            self.finish(page.data)


class _Handler(FileHandler):
    server: SessionHost

    def initialize(self, server: SessionHost) -> None:
        self.server = server

    def get_local_address(self) -> tuple[str, int]:
        """Return the address and the port at which the connection has arrived."""
        stream = getattr(self.request.connection, "stream", None)
        if stream is None or stream.socket is None:
            return "", 0
        address = stream.socket.getsockname()
        return str(address[0]), int(address[1])

    def check_host(self, hosts: request_checks.HostCheck) -> None:
        if not hosts.is_allowed(self.request.headers.get("Host", ""), self.get_local_address()[0]):
            raise HTTPError(421)
        if not request_checks.is_own_origin(self.request.headers.get("Origin"), self.request.host):
            raise HTTPError(403)


class _StudentHandler(_Handler):
    is_bridge: bool

    def initialize(self, server: SessionHost, is_bridge: bool = False) -> None:  # noqa: FBT001, FBT002 - tornado passes it by name
        self.server, self.is_bridge = server, is_bridge

    def prepare(self) -> None:
        if self.is_bridge:
            proof = self.request.headers.get("X-Durak-Bridge", "")
            if not request_checks.is_bridge_proof(proof, self.server.secret, self.get_local_address()[1], time.time()):
                raise HTTPError(403)
        else:
            self.check_host(self.server.hosts)

    def check_code(self, code: str) -> request_checks.CodeCheck:
        """Check the code in the address.

        JupyterLab's extension counts wrong codes itself, and says when there are too many.
        """
        token = self.get_query_argument("t", "")[:100]
        if self.is_bridge:
            return self.server.guard.check_bridged(code, token, is_limited="X-Durak-Limited" in self.request.headers)
        return self.server.guard.check(code, token, asyncio.get_running_loop().time())


class StudentNotFoundHandler(_StudentHandler):
    """Answers for addresses that do not exist."""

    def prepare(self) -> None:
        """Refuse the request."""
        super().prepare()
        raise HTTPError(404)


class CodePageHandler(_StudentHandler):
    """Shows the page on which a student types the code."""

    def get(self) -> None:
        """Show the page, or lead to the session whose code was typed."""
        typed = self.get_query_argument("code", "")
        code = request_checks.normalize_code(typed)
        if code is not None:
            self.redirect(f"{code}/")
        elif typed:
            self.answer_code_page("wrong_code", 404, typed=typed)
        else:
            self.answer_code_page()


class CodeStyleHandler(_StudentHandler):
    """Answers with the style sheet of that page."""

    def get(self, name: str) -> None:
        """Answer with the file."""
        self.answer_page(self.server.student_pages[name])


class StudentPageHandler(_StudentHandler):
    """Shows the students' page, to those who know the code."""

    def get(self, code: str) -> None:
        """Show the page if the code is right."""
        normalized = request_checks.normalize_code(code)
        if normalized is None:
            self.answer_code_page("wrong_code", 404, "../" if self.request.path.endswith("/") else "", code)
        elif normalized != code or not self.request.path.endswith("/"):
            query = f"?{self.request.query}" if self.request.query else ""
            self.redirect(f"{'../' if self.request.path.endswith('/') else ''}{normalized}/{query}")
        elif (check := self.check_code(code)) == "right":
            page = self.server.student_pages.get("student.html")
            if page is None:
                raise HTTPError(503, reason="The page has not been built")
            self.answer_page(page)
        else:
            is_limited = check == "limited"  # Then the answer must be the same for each code
            problem, status = ("limited", 429) if is_limited else ("wrong_code", 404)
            self.answer_code_page(problem, status, "../", "" if is_limited else code)


class StudentFileHandler(_StudentHandler):
    """Answers with the files of the students' page.

    They are the same for every code, so they do not show which code is right.
    """

    def get(self, code: str, name: str) -> None:
        """Answer with a file."""
        if request_checks.normalize_code(code) is None or name.endswith(".html"):
            raise HTTPError(404)
        self.answer_page(self.server.student_pages.get(name))


class PollHandler(_StudentHandler):
    """Answers requests of long polling."""

    connection: PollConnection | None = None

    def options(self, _code: str) -> None:
        """Allow the sandboxed page to poll."""
        self.set_header("Access-Control-Allow-Headers", "content-type")
        self.set_header("Access-Control-Allow-Methods", "POST")
        self.set_status(204)

    async def post(self, code: str) -> None:
        """Take the phone's messages, and answer with those for it."""
        try:
            request = json.loads(self.request.body)
            name, after, sent = request["connection"], request["after"], request["send"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise HTTPError(400) from None
        is_whole = isinstance(name, str) and 16 <= len(name) <= 64 and isinstance(after, int) and isinstance(sent, list)
        if not is_whole or len(sent) > MAX_POLL_MESSAGES:
            raise HTTPError(400)
        server = self.server
        connection = server.connections.polls.get(name)
        if connection is None or connection.seat is None or not server.guard.is_right(code):
            check = self.check_code(code)
            if check == "wrong":
                raise HTTPError(404)
            if connection is not None and connection.seat is not None and not server.guard.is_right(code):
                self._answer_closed(CLOSED_FLOOD)  # As to a stranger who tries a code while there are too many wrong ones
                return
            if connection is None:
                if after:
                    self._answer_closed(CLOSED_NEW)
                    return
                connection = PollConnection(name)
                server.connections.polls[name] = connection
                server.connections.add(connection)
            connection.is_limited = check == "limited"
            connection.is_wrong = not server.guard.is_right(code)
        if not connection.count_request():
            raise HTTPError(429)
        self.connection = connection
        messages = [encode_message(message) if isinstance(message, dict) else "" for message in sent]
        self._answer(await server.poll(connection, after, messages))
        if connection.closed_code is not None and connection.closed_code != CLOSED_REPLACED:
            server.leave(connection)

    def on_connection_close(self) -> None:
        """Stop waiting for a phone that has given up."""
        if self.connection is not None:
            self.connection.stop_waiting()

    def _answer_closed(self, code: int) -> None:
        self._answer(f'{{"next":0,"messages":[],"closed":{code}}}')

    def _answer(self, text: str) -> None:
        self.answer_text(text, "application/json")


class StudentSocketHandler(WebSocketHandler, _StudentHandler):
    """Connects a student's page by websocket."""

    connection: SocketConnection | None = None
    check: request_checks.CodeCheck = "wrong"

    async def get(self, code: str) -> None:
        """Accept the websocket unless the code is wrong."""
        self.check = self.check_code(code)
        if self.check == "wrong":
            raise HTTPError(404)
        await super().get(code)

    def check_origin(self, origin: str) -> bool:
        """Return whether a page may connect; JupyterLab's bridge has checked it already."""
        return self.is_bridge or request_checks.is_own_origin(origin, self.request.host)

    def get_compression_options(self) -> None:
        """Compress nothing: messages are short, and a compressor needs memory for each phone."""

    def open(self, code: str) -> None:
        """Begin a connection without a seat."""
        self.set_nodelay(True)
        self.connection = SocketConnection(self, self.server.statistics)
        self.connection.is_limited = self.check == "limited"
        self.connection.is_wrong = not self.server.guard.is_right(code)
        self.server.connections.add(self.connection)

    def on_message(self, message: str | bytes) -> Awaitable[None] | None:
        """Hand a message over; return what to wait for before the next one."""
        if self.connection is None:
            return None
        self.server.receive(self.connection, message)
        # A phone that sends many messages lets the others go first.
        return asyncio.sleep(0) if self.connection.refused_in_a_row else None

    def on_close(self) -> None:
        """Leave the seat."""
        if self.connection is not None:
            self.server.leave(self.connection)


class _TeacherHandler(_Handler):
    needs_secret = True

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("Content-Security-Policy", pages.TEACHER_POLICY)

    def prepare(self) -> None:
        self.check_host(self.server.teacher_hosts)
        scheme, _, secret = self.request.headers.get("Authorization", "").partition(" ")
        if self.needs_secret and not (scheme.lower() == "bearer" and request_checks.is_secret(secret.strip(), self.server.secret)):
            raise HTTPError(401)

    def answer_json(self, text: str, status: int = 200) -> None:
        self.answer_text(text, "application/json", status)


class TeacherNotFoundHandler(_TeacherHandler):
    """Answers for addresses that do not exist."""

    needs_secret = False

    def prepare(self) -> None:
        """Refuse the request."""
        super().prepare()
        raise HTTPError(404)


class ProjectorFileHandler(_TeacherHandler):
    """Answers with the projector page and its files."""

    needs_secret = False  # The page itself has no secret; it sends the one in its address

    def get(self, name: str = "projector.html") -> None:
        """Answer with a file."""
        self.answer_page(self.server.projector_pages.get(name))


class AliveHandler(_TeacherHandler):
    """Proves that this is the session."""

    needs_secret = False

    def set_default_headers(self) -> None:
        """Let no page read the answer."""
        super().set_default_headers()
        self.clear_header("Access-Control-Allow-Origin")

    def prepare(self) -> None:
        """Refuse pages; only programs ask this."""
        super().prepare()
        if "Origin" in self.request.headers:
            raise HTTPError(403)

    def get(self) -> None:
        """Prove that this is the session, so that a program can trust it with the secret."""
        challenge = self.get_query_argument("challenge", "")[:100]
        proof = request_checks.prove_alive(self.server.secret, self.get_local_address()[1], challenge)
        self.answer_json(json.dumps({"proof": proof, "pid": os.getpid()}))


class StateHandler(_TeacherHandler):
    """Answers with what the teacher sees."""

    async def get(self) -> None:
        """Answer at once, or when the state differs from a revision."""
        after = self.get_query_argument("after", "")
        is_number = after.lstrip("-").isdecimal() and len(after) < 20
        self.answer_json(await self.server.wait_for_state(int(after)) if is_number else self.server.get_state_text())


class CommandHandler(_TeacherHandler):
    """Runs the teacher's commands."""

    async def post(self) -> None:
        """Run a command, and answer with its reply or with the reason."""
        try:
            self.answer_json(encode_message(await self.server.run_command(json.loads(self.request.body))))
        except (DurakError, ValueError) as error:
            self.answer_json(json.dumps({"error": self.server.explain(error)}), 400)


class LogHandler(_TeacherHandler):
    """Answers with the event log."""

    async def get(self) -> None:
        """Answer with the whole log."""
        self.answer_text(await asyncio.to_thread(self.server.read_log), "text/plain")


class StatisticsHandler(_TeacherHandler):
    """Answers with what the session has done and cost."""

    def get(self) -> None:
        """Answer with the figures, and forget the longest blocks if asked to."""
        server = self.server
        counts = {
            "connected": len(server.connections.seats),
            "unjoined": server.connections.unjoined_count,
            "wrong_codes": server.guard.wrong_count,
            "limited": server.guard.limited_count,
        }
        self.answer_json(json.dumps({**server.statistics.to_json(), **counts}))
        if self.get_query_argument("reset", ""):
            server.statistics.reset_blocks()


class TeacherSocketHandler(WebSocketHandler, _TeacherHandler):
    """Pushes the state to the projector, and takes the teacher's commands."""

    needs_secret = False  # A page cannot set headers for a websocket, so its first message has the secret
    connection: SocketConnection | None = None

    def check_origin(self, origin: str) -> bool:
        """Return whether a page may connect: the projector page itself."""
        return request_checks.is_own_origin(origin, self.request.host)

    def open(self) -> None:
        """Wait for the secret, 20 seconds at most."""
        self.set_nodelay(True)
        self._late = asyncio.get_running_loop().call_later(20, self._close_without_secret)

    def _close_without_secret(self) -> None:
        if self.connection is None:
            self.close(4401)

    def on_message(self, message: str | bytes) -> None:
        """Take the secret first, and then commands."""
        try:
            value = json.loads(message)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            self.close(4400)
        elif self.connection is None:
            if not request_checks.is_secret(str(value.get("secret", "")), self.server.secret):
                self.close(4401)
                return
            self.connection = SocketConnection(self, Statistics())
            self.server.watchers.add(self.connection)
            self.connection.send(self.server.format_pushed_state(), "state")
        elif value.get("kind") == "command":
            self.server.spawn(self._run(value.get("command"), value.get("id")))
        elif value.get("kind") == "ping":
            self.connection.send('{"kind":"pong"}', "pong")

    async def _run(self, command: object, number: object) -> None:
        try:
            reply: JsonObject = {"kind": "reply", "id": number, "reply": await self.server.run_command(command)}
        except (DurakError, ValueError) as error:
            reply = {"kind": "reply", "id": number, "error": self.server.explain(error)}
        if self.connection is not None:
            self.connection.send(encode_message(reply), "reply")

    def on_close(self) -> None:
        """Forget the page."""
        self._late.cancel()
        if self.connection is not None:
            self.connection.is_closed = True
            self.server.watchers.discard(self.connection)
