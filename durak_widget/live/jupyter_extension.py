"""Lets students reach a class session through the teacher's own Jupyter server.

This is a server extension of Jupyter, at `<base_url>/durak/CODE/`. It passes pages, websockets and long polling on to the session's process, which listens only on
this machine. It knows no message, no user and no token, and it sets no cookie. The rest of the Jupyter server stays as closed as it was.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections import OrderedDict
from datetime import datetime, timezone
from functools import cached_property
from ipaddress import ip_address
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jupyter_server.auth.decorator import allow_unauthenticated
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.simple_httpclient import SimpleAsyncHTTPClient
from tornado.web import HTTPError, stream_request_body
from tornado.websocket import WebSocketClosedError, WebSocketHandler, websocket_connect

from durak_widget.live.connections import CLOSED_FLOOD, CLOSED_RESTART, CLOSED_SLOW
from durak_widget.live.messages import MessageError, parse_hello
from durak_widget.live.pages import load_student_pages
from durak_widget.live.process import find_session
from durak_widget.live.request_checks import WrongCodeLimit, is_own_origin, normalize_code, prove_bridge, split_host
from durak_widget.live.request_handlers import FileHandler

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tornado.httpclient import HTTPResponse
    from tornado.web import RequestHandler
    from tornado.websocket import WebSocketClientConnection

    from durak_widget.live.pages import Page
    from durak_widget.live.process import SessionInfo

CODE_PATTERN: Final = r"[A-Z0-9]{6}"
"""Matches what may be the code of a session in an address."""
TOKEN_PATTERN: Final = re.compile(r"(?:^|&)(t=[\w-]{1,60})(?:&|$)", re.ASCII)
"""Matches the token of a QR code in the query of an address."""
BODY_BYTES: Final = 32_768
"""How long the body of a request may be; long polling sends several messages at once."""
MAX_CONNECTIONS: Final = 1500
"""How many students may be connected at once, by websocket or with a waiting request, for all sessions together."""
MAX_SILENT: Final = 300
"""How many websockets may be open that have not joined; the oldest makes room for the newest."""
SILENT_SECONDS: Final = 20.0
"""How long a websocket may stay open before its first message."""
LIMITED_SECONDS: Final = 2.0
"""When a refused attempt is answered while there are too many wrong codes.

It is the same for right and wrong codes, so the time does not show which code is right.
"""
MAX_LIMITED_ATTEMPTS: Final = 200
"""How many attempts without success a session gets in any minute while there are too many wrong codes."""
REQUEST_SECONDS: Final = 40
"""How long a request may take; long polling waits 25 seconds for news."""
PING_SECONDS: Final = 20
FOUND_SECONDS: Final = 3
"""How long a session that was found is not looked for again."""
_MAX_NAMES: Final = 4 * MAX_CONNECTIONS
Method = TypeVar("Method", bound="Callable[..., object]")
Result = TypeVar("Result")


def allow_everyone(method: Method) -> Method:
    """Mark a method of a handler that needs neither a token nor a password, for Jupyter."""
    marked: Method = allow_unauthenticated(method)
    return marked


class Bridge:
    """What all requests share, such as the HTTP client and the limit of wrong codes."""

    def __init__(self) -> None:
        self.wrong_codes = WrongCodeLimit()
        self.connection_count = 0
        self.polling: OrderedDict[tuple[str, str], None] = OrderedDict()
        """Codes and names of connections that have polled successfully, oldest first. They go on while there are too many wrong codes."""
        self.silent: OrderedDict[StudentSocket, None] = OrderedDict()
        """The websockets that have not joined, oldest first."""
        self._found: dict[str, tuple[SessionInfo, float]] = {}
        self._lookups: dict[str, asyncio.Task[SessionInfo | None]] = {}
        self._attempts: dict[str, WrongCodeLimit] = {}

    @cached_property
    def client(self) -> SimpleAsyncHTTPClient:
        """The HTTP client; its event loop does not run yet when Jupyter loads the extension."""
        return SimpleAsyncHTTPClient(force_instance=True, max_clients=MAX_CONNECTIONS, max_body_size=8_000_000)

    @cached_property
    def pages(self) -> dict[str, Page]:
        """The files of the students' page.

        They don't come from a session, so neither the answer nor its time says anything about a code.
        """
        return load_student_pages()

    @property
    def is_over_limit(self) -> bool:
        """Return whether there are too many wrong codes at the moment.

        A code whose session is still being looked for counts as wrong.
        """
        return self.wrong_codes.is_reached(monotonic(), len(self._lookups))

    async def find_session(self, code: str) -> SessionInfo | None:
        """Return the session with a code, or None if none runs."""
        found = self._found.get(code)
        if found is not None and monotonic() < found[1]:
            return found[0]
        if code not in self._lookups:
            self._lookups[code] = asyncio.create_task(self._look_up(code))
        return await asyncio.shield(self._lookups[code])

    async def _look_up(self, code: str) -> SessionInfo | None:
        try:
            session = await asyncio.to_thread(find_session, code)
        finally:
            del self._lookups[code]
        if session is None:
            self._found.pop(code, None)
        else:
            self._found[code] = session, monotonic() + FOUND_SECONDS
        return session

    async def require_session(self, code: str) -> SessionInfo:
        """Return the session with a code; count a wrong code, and refuse it."""
        session = await self.find_session(code)
        if session is None:
            self.wrong_codes.count(monotonic())
            raise HTTPError(404)
        return session

    async def try_limited(self, code: str, attempt: Callable[[SessionInfo], Awaitable[Result | None]]) -> Result | None:
        """Return what an attempt to get in returns while there are too many wrong codes.

        Without success, return None after a fixed time. It is the same for a wrong code, with which nothing is tried.
        """
        end = monotonic() + LIMITED_SECONDS
        with contextlib.suppress(asyncio.TimeoutError, HTTPError, WebSocketClosedError):
            result = await asyncio.wait_for(self._try_session(code, attempt), LIMITED_SECONDS)
            if result is not None:
                return result
        await asyncio.sleep(max(0.0, end - monotonic()))
        return None

    async def _try_session(self, code: str, attempt: Callable[[SessionInfo], Awaitable[Result | None]]) -> Result | None:
        session = await self.find_session(code)
        if session is None:
            return None
        # Only those who know the code can use up the attempts of a session.
        attempts = self._attempts.setdefault(session.code, WrongCodeLimit(MAX_LIMITED_ATTEMPTS))
        if attempts.is_reached(monotonic()):
            return None
        result = await attempt(session)
        if result is None:
            attempts.count(monotonic())
        return result

    def remember_connection(self, code: str, name: str) -> None:
        """Remember a connection that polls."""
        self.polling[code, name] = None
        self.polling.move_to_end((code, name))
        if len(self.polling) > _MAX_NAMES:
            self.polling.popitem(last=False)

    def add_silent(self, phone: StudentSocket) -> None:
        """Add a websocket that has not joined; the oldest of too many has to go."""
        self.silent[phone] = None
        while len(self.silent) > MAX_SILENT:
            self.silent.popitem(last=False)[0].close(CLOSED_SLOW)


class _Handler(FileHandler):
    """What all addresses of the extension have in common.

    It is not one of Jupyter's handlers, because those set a cookie and a content security policy of their own.
    """

    bridge: Bridge

    def initialize(self, bridge: Bridge) -> None:
        """Store what all requests share."""
        self.bridge = bridge

    def prepare(self) -> None:
        """Refuse other host names, as the rest of the Jupyter server does."""
        if not is_jupyter_host(self.request.host, self.settings):
            raise HTTPError(421)

    def check_xsrf_cookie(self) -> None:
        """Accept every request here.

        Jupyter's check needs its cookie, and these handlers read nothing that a browser adds by itself.
        """

    def check_origin(self, origin: str | None) -> bool:
        """Return whether a page may ask.

        It uses nothing that the browser stores: the key of a seat is in its message.
        """
        return is_own_origin(origin, self.request.host)

    @property
    def query(self) -> str:
        """The part of the address that is passed on: the token of the QR code, or nothing."""
        token = TOKEN_PATTERN.search(self.request.query)
        return f"?{token[1]}" if token else ""


def is_jupyter_host(host: str, settings: dict[str, Any]) -> bool:
    """Return whether Jupyter's settings allow a `Host` header.

    >>> is_jupyter_host("localhost:8888", {}), is_jupyter_host("[::1]:8888", {}), is_jupyter_host("evil.example", {})
    (True, True, False)
    >>> is_jupyter_host("hub.example", {"allow_remote_access": True}), is_jupyter_host("192.168.1.5", {"local_hostnames": ["localhost"]})
    (True, False)
    """
    if settings.get("allow_remote_access", False):
        return True
    name = split_host(host)
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name in settings.get("local_hostnames", ["localhost"])


def make_headers(session: SessionInfo, *, is_limited: bool) -> dict[str, str]:
    """Return the headers that let a request through the bridge's port of a session."""
    limited = {"X-Durak-Limited": "1"} if is_limited else {}
    return {"X-Durak-Bridge": prove_bridge(session.secret, session.bridge_port, time.time()), **limited}


class CodePageHandler(_Handler):
    """Answers with the page on which a student types a code."""

    @allow_everyone
    async def get(self) -> None:
        """Answer with the page, or lead on to the session."""
        typed = self.get_query_argument("code", "")
        code = normalize_code(typed)
        if code is not None:
            self.redirect(f"{code}/")
        elif not self.request.path.endswith("/"):
            self.redirect("durak/")
        else:
            self.answer_code_page("wrong_code" if typed else "", 404 if typed else 200, typed=typed)


class StyleHandler(_Handler):
    """Answers with the style sheet of the page for a code."""

    @allow_everyone
    async def get(self) -> None:
        """Answer with the style sheet."""
        self.answer_page(self.bridge.pages.get("code.css"))


@stream_request_body
class PageHandler(_Handler):
    """Passes a page, one of its files, or a request of long polling on to a session."""

    def initialize(self, bridge: Bridge) -> None:
        """Store what all requests share."""
        super().initialize(bridge)
        self._body = bytearray()
        self._is_limited = False

    def prepare(self) -> None:
        """Refuse a body that is too long before it arrives, and the pages of other sites."""
        length = self.request.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.request.headers or not length.isdecimal() or int(length) > BODY_BYTES:
            raise HTTPError(413)
        super().prepare()
        if not self.check_origin(self.request.headers.get("Origin")):
            raise HTTPError(403)

    def data_received(self, chunk: bytes) -> None:
        """Collect the body of a request."""
        self._body += chunk

    @allow_everyone
    async def get(self, code: str, name: str = "") -> None:
        """Answer with a page or one of its files."""
        if name:
            self.answer_page(None if name.endswith(".html") else self.bridge.pages.get(name))
        elif not self.request.path.endswith("/"):
            self.redirect(f"{code}/{self.query}")
        # Over the limit, everybody gets the page: students who load it again need it, and it does not show which code is right.
        elif not self.bridge.is_over_limit and await self.bridge.find_session(code) is None:
            self.bridge.wrong_codes.count(monotonic())
            self.answer_code_page("wrong_code", 404, "../", code)
        else:
            self.answer_page(self.bridge.pages.get("student.html"))

    @allow_everyone
    async def options(self, code: str, name: str) -> None:  # noqa: ARG002 - tornado passes the parts of the address
        """Let a sandboxed page send JSON; its browser asks first."""
        self.set_header("Access-Control-Allow-Headers", "content-type")
        self.set_header("Access-Control-Allow-Methods", "POST")
        self.set_status(204)

    @allow_everyone
    async def post(self, code: str, name: str) -> None:
        """Answer a request of long polling."""
        connection, messages = read_poll(bytes(self._body))
        if name != "poll" or not connection:
            raise HTTPError(400)
        self._is_limited = self.bridge.is_over_limit
        response: HTTPResponse | None
        if not self._is_limited or (code, connection) in self.bridge.polling:
            response = await self._fetch(await self.bridge.require_session(code), f"/{code}/poll{self.query}")
        else:
            response = await self.bridge.try_limited(code, lambda session: self._try_polling(session, messages))
            if response is None:
                raise HTTPError(429)
        if response.code == 200:
            self.bridge.remember_connection(code, connection)
        await self._answer(response)

    async def _try_polling(self, session: SessionInfo, messages: list[object]) -> HTTPResponse | None:
        """Return the session's response to a student's first request; None without a seat."""
        if len(messages) != 1 or not may_get_in(messages[0], self.query):
            return None
        response = await self._fetch(session, f"/{session.code}/poll{self.query}")
        return response if has_seat(response.body) else None

    async def _fetch(self, session: SessionInfo, path: str) -> HTTPResponse:
        """Pass the request on to a session, and return its response."""
        if self.bridge.connection_count >= MAX_CONNECTIONS:
            raise HTTPError(503)
        request = HTTPRequest(
            f"http://127.0.0.1:{session.bridge_port}{path}",
            method="POST",
            headers=make_headers(session, is_limited=self._is_limited),
            body=bytes(self._body),
            follow_redirects=False,
            connect_timeout=5,
            request_timeout=REQUEST_SECONDS,
        )
        self.bridge.connection_count += 1
        try:
            response = await self.bridge.client.fetch(request, raise_error=False)
        except OSError:
            raise HTTPError(502) from None
        finally:
            self.bridge.connection_count -= 1
        if response.code >= 500:
            raise HTTPError(502)
        return response

    async def _answer(self, response: HTTPResponse) -> None:
        """Answer as the session did."""
        note_activity(self)
        self.answer_text(response.body, response.headers.get("Content-Type", "application/json").partition(";")[0], response.code)


def read_poll(body: bytes) -> tuple[str, list[object]]:
    """Return the name of the connection that polls, and its messages.

    The name is "" if the request is not one of long polling.

    >>> read_poll(b'{"connection": "0123456789abcdef", "after": 0, "send": [{"kind": "ping"}]}'), read_poll(b"[")
    (('0123456789abcdef', [{'kind': 'ping'}]), ('', []))
    """
    try:
        value = json.loads(body)
        name, messages = value["connection"], value["send"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return "", []
    is_whole = isinstance(name, str) and isinstance(messages, list) and all(isinstance(message, dict) for message in messages)
    return (name, messages) if is_whole else ("", [])


def may_get_in(message: object, query: str) -> bool:
    """Return whether a first message can get a seat while there are too many wrong codes.

    It has a key, or the address has the token of the QR code. The session itself checks both.

    >>> may_get_in('{"kind": "resume", "key": "k", "language": "en"}', ""), may_get_in('{"kind": "join", "name": "resume", "language": "en"}', "")
    (True, False)
    """
    try:
        return bool(parse_hello(message)["kind"] == "resume" or query)
    except MessageError:
        return False


def has_seat(answer: bytes | str | None) -> bool:
    """Return whether a session has given a seat: its answer is such a message, or has one.

    >>> has_seat('{"kind":"seat","seat":3}'), has_seat('{"messages":[{"kind":"seat"}]}'), has_seat('{"kind":"refused","text":"seat"}'), has_seat(None)
    (True, True, False, False)
    """
    try:
        value = json.loads(answer or "")
    except ValueError:
        return False
    return any(message.get("kind") == "seat" for message in value.get("messages", [value]))


class StudentSocket(WebSocketHandler, _Handler):
    """Passes the messages of one student's websocket on, in both directions."""

    def initialize(self, bridge: Bridge) -> None:
        """Store what all requests share."""
        super().initialize(bridge)
        self._session: SessionInfo | None = None
        self._upstream: WebSocketClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._late: asyncio.TimerHandle | None = None
        self._is_counted = False
        self._is_limited = False

    def check_origin(self, origin: str | None) -> bool:
        """Return whether a page may connect; tornado asks this."""
        return _Handler.check_origin(self, origin)

    @property
    def max_message_size(self) -> int:
        """Return how long a message may be; the session gives the reason for over 4,096 bytes."""
        return BODY_BYTES

    @property
    def ping_interval(self) -> float:
        """Return after how many seconds the server looks whether a phone is still there."""
        return PING_SECONDS

    @property
    def ping_timeout(self) -> float:
        """Return after how many seconds without an answer the phone is gone."""
        return PING_SECONDS

    def get_compression_options(self) -> None:
        """Compress nothing, because messages are short."""

    @allow_everyone
    async def get(self, code: str) -> None:
        """Accept a websocket."""
        if self.bridge.connection_count >= MAX_CONNECTIONS:
            raise HTTPError(503)
        self._is_limited = self.bridge.is_over_limit  # Then nobody sees at this point whether the code is right
        if not self._is_limited:
            self._session = await self.bridge.require_session(code)
        await super().get(code)

    async def open(self, code: str) -> None:  # noqa: ARG002 - tornado passes the parts of the address
        """Connect to the session; while there are too many wrong codes, wait for a key first."""
        self.set_nodelay(True)
        self.bridge.add_silent(self)
        self._late = asyncio.get_running_loop().call_later(SILENT_SECONDS, self.close, CLOSED_SLOW)
        if self._session is None:
            return
        upstream = await self._connect(self._session)
        if upstream is None:
            self.close(CLOSED_RESTART)
        else:
            self._start_reading(upstream)

    async def _connect(self, session: SessionInfo) -> WebSocketClientConnection | None:
        """Return a connection to the session, or None if there is none."""
        url = f"ws://127.0.0.1:{session.bridge_port}/{session.code}/ws{self.query}"
        request = HTTPRequest(url, headers=make_headers(session, is_limited=self._is_limited), connect_timeout=5)
        try:
            return await websocket_connect(request)
        except (OSError, HTTPClientError):
            return None

    def _start_reading(self, upstream: WebSocketClientConnection) -> None:
        """Begin to pass the session's messages on."""
        if self.ws_connection is None:  # The phone has gone in the meantime.
            upstream.close()
            return
        self._upstream = upstream
        self._reader = asyncio.create_task(self._pass_messages_on(upstream))

    async def _try_joining(self, session: SessionInfo, message: str | bytes) -> tuple[WebSocketClientConnection, str | bytes] | None:
        """Return a connection to the session and its first reply; None without a seat."""
        upstream = await self._connect(session) if may_get_in(message, self.query) else None
        if upstream is None:
            return None
        reply = None
        try:
            await upstream.write_message(message)
            reply = await upstream.read_message()
            if reply is not None and has_seat(reply):
                return upstream, reply
            reply = None
            return None
        finally:
            if reply is None:
                upstream.close()

    def _count(self) -> bool:
        """Count a phone that has sent its first message; return False if there are too many."""
        if not self._is_counted:
            if self.bridge.connection_count >= MAX_CONNECTIONS:
                return False
            self._is_counted = True
            self.bridge.connection_count += 1
            self._end_silence()
        return True

    def _end_silence(self) -> None:
        self.bridge.silent.pop(self, None)
        if self._late is not None:
            self._late.cancel()

    async def _pass_messages_on(self, upstream: WebSocketClientConnection) -> None:
        """Pass the session's messages on, not faster than the phone takes them."""
        with contextlib.suppress(WebSocketClosedError):
            while (message := await upstream.read_message()) is not None:
                await self.write_message(message)
        code = upstream.close_code or CLOSED_RESTART
        self.close(code if code >= 4000 else CLOSED_RESTART, upstream.close_reason)

    async def on_message(self, message: str | bytes) -> None:
        """Pass a message of the phone on."""
        with contextlib.suppress(WebSocketClosedError):
            if self._upstream is None:
                # It counts as silent until it has a seat.
                joined = await self.bridge.try_limited(self.path_args[0], lambda session: self._try_joining(session, message))
                if joined is None or self.ws_connection is None or not self._count():
                    if joined is not None:
                        joined[0].close()
                    self.close(CLOSED_FLOOD)
                    return
                self._start_reading(joined[0])
                await self.write_message(joined[1])
            elif self._count():
                await self._upstream.write_message(message)
            else:
                self.close(CLOSED_FLOOD)
                return
        note_activity(self)

    def on_close(self) -> None:
        """Leave the session."""
        self._end_silence()
        if self._is_counted:
            self.bridge.connection_count -= 1
            self._is_counted = False
        if self._upstream is not None:
            self._upstream.close()


def note_activity(handler: RequestHandler) -> None:
    """Tell Jupyter that the server is in use, so that a hub does not stop it during a class."""
    handler.settings["durak_last_activity"] = datetime.now(timezone.utc)


def list_handlers(base_url: str) -> list[tuple[str, type[RequestHandler], dict[str, Any]]]:
    """Return the addresses of the extension with their handlers."""
    base, shared = re.escape(f"{base_url.rstrip('/')}/durak"), {"bridge": Bridge()}
    return [
        (rf"{base}/?", CodePageHandler, shared),
        (rf"{base}/code\.css", StyleHandler, shared),
        (rf"{base}/({CODE_PATTERN})/ws", StudentSocket, shared),
        (rf"{base}/({CODE_PATTERN})/?", PageHandler, shared),
        (rf"{base}/({CODE_PATTERN})/([\w.]+)", PageHandler, shared),
    ]


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    """Return where Jupyter finds the extension."""
    return [{"module": "durak_widget.live.jupyter_extension"}]


def _load_jupyter_server_extension(server: Any) -> None:  # noqa: ANN401 - Jupyter's ServerApp, which has no types here
    """Add the addresses of the extension to a Jupyter server."""
    base_url = server.web_app.settings["base_url"]
    server.web_app.add_handlers(".*$", list_handlers(base_url))
    server.log.info("durak_widget: students reach a class session at %sdurak/CODE/", base_url)
