"""Sends a teacher's commands from a notebook to the process of a class session."""

from __future__ import annotations

import http.client
import json
import os
import socket
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError, short_repr
from durak_widget.live.process import find_session, is_proven, start_session

if TYPE_CHECKING:
    from durak_widget.live.process import SessionInfo
    from durak_widget.live.question import JsonObject

HOST: Final = "127.0.0.1"
NEWS_SECONDS: Final = 60.0
"""How long to wait for news; the session answers within 25 seconds."""
COMMAND_SECONDS: Final = 120.0
"""How long to wait for the reply to a command; a large game may take a while to be drawn."""


class RoomError(DurakError, ValueError):
    """The error for something that a class session refuses; the message says what to do.

    A notebook shows only the message, without a traceback.
    """

    def _render_traceback_(self) -> list[str]:
        """Return the lines that a notebook shows instead of a traceback."""
        return [str(self)]


class NoAnswerError(DurakError, ConnectionError):
    """The error for a class session whose process does not answer; probably it has ended."""


class TeacherClient:
    """Talks to the teacher's port of a class session.

    Each request has its own connection, so several threads may use one client. Before it sends the secret, it lets the other side prove that it
    knows it: after a crash, another program may have the port. It never uses a proxy, even if the environment names one.
    """

    def __init__(self, port: int, secret: str) -> None:
        self.port, self.secret = port, secret
        self._waiting: http.client.HTTPConnection | None = None
        """The connection on which `wait_for_state` waits."""
        self._is_closed = False

    def send_command(self, command: JsonObject) -> JsonObject:
        """Send a command, such as `{"do": "stop"}`, and return the reply.

        If the session refuses it, raise `RoomError`.
        """
        return self._request_json("POST", "/command", json.dumps(command), COMMAND_SECONDS)

    def get_state(self) -> JsonObject:
        """Return what the teacher sees now."""
        return self._request_json("GET", "/state")

    def wait_for_state(self, revision: int) -> JsonObject:
        """Return what the teacher sees, as soon as it differs from a revision.

        After half a minute, return it anyway. `close`, called in another thread, ends the waiting with a `NoAnswerError`. Only one thread may wait at a time.
        """
        self._waiting = connection = http.client.HTTPConnection(HOST, self.port, timeout=NEWS_SECONDS)
        try:
            return self._request_json("GET", f"/state?after={revision}", connection=connection)
        finally:
            self._waiting = None

    def get_log(self) -> str:
        """Return the whole event log: one JSON object a line."""
        return self._request("GET", "/log").decode()

    def close(self) -> None:
        """End the waiting for news."""
        self._is_closed = True
        waiting = self._waiting
        if waiting is not None and waiting.sock is not None:
            with suppress(OSError):  # The session has closed it already
                waiting.sock.shutdown(socket.SHUT_RDWR)

    def _request_json(
        self, method: str, path: str, body: str = "", timeout: float = 10.0, connection: http.client.HTTPConnection | None = None
    ) -> JsonObject:
        """Send a request, and return its response as JSON."""
        content = self._request(method, path, body, timeout, connection)
        try:
            value = json.loads(content)
        except ValueError:
            raise NoAnswerError(f"port {self.port} answers, but not as a class session does: {short_repr(content)}") from None
        return value if isinstance(value, dict) else {}

    def _request(
        self, method: str, path: str, body: str = "", timeout: float = 10.0, connection: http.client.HTTPConnection | None = None
    ) -> bytes:
        """Send a request, and return the content of its response."""
        if self._is_closed:
            raise NoAnswerError("this connection to the class session is closed")
        connection = connection or http.client.HTTPConnection(HOST, self.port, timeout=timeout)
        headers = {"Authorization": f"Bearer {self.secret}", **({"Content-Type": "application/json"} if body else {})}
        try:
            connection.connect()
            if self._is_closed:
                raise NoAnswerError("this connection to the class session was closed")
            connection.auto_open = False  # Another connection could lead to another program
            self._require_proof(connection)
            connection.request(method, path, body.encode() or None, headers)
            response = connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswerError(f"the class session does not answer at port {self.port} of this machine: {error}") from error
        finally:
            connection.close()
        if response.status in {401, 403}:
            raise NoAnswerError(f"port {self.port} belongs to another class session now")
        if response.status != 200:
            raise RoomError(_find_reason(content) or f"the class session answered {response.status} {response.reason}")
        return content

    def _require_proof(self, connection: http.client.HTTPConnection) -> None:
        """Raise `NoAnswerError` unless the other side proves that it is the session."""
        challenge = os.urandom(16).hex()
        connection.request("GET", f"/alive?challenge={challenge}")
        response = connection.getresponse()
        if not is_proven(response.read(10_000), self.secret, self.port, challenge):
            raise NoAnswerError(f"port {self.port} belongs to another program now")


class SessionConnection:
    """Talks to a session for a room, and starts its process again if that is gone."""

    def __init__(self, session: SessionInfo) -> None:
        self.code, self._log = session.code, session.log
        self.has_ended = False
        """Whether the room has ended the session; then its process is not started again."""
        self._lock = Lock()
        self._client = TeacherClient(session.teacher_port, session.secret)

    def send_command(self, command: JsonObject) -> JsonObject:
        """Send a command, and return its reply."""
        try:
            return self._client.send_command(command)
        except NoAnswerError:
            return self._reconnect().send_command(command)

    def get_state(self) -> JsonObject:
        """Return what the teacher sees now."""
        try:
            return self._client.get_state()
        except NoAnswerError:
            return self._reconnect().get_state()

    def get_log(self) -> str:
        """Return the event log, also when the process is gone."""
        try:
            return self._client.get_log()
        except NoAnswerError:
            return self._log.read_text(encoding="utf-8")

    def make_client(self) -> TeacherClient:
        """Return another client, which can be closed; start the process again if it is gone."""
        client = self._reconnect()
        return TeacherClient(client.port, client.secret)

    def _reconnect(self) -> TeacherClient:
        if self.has_ended:
            raise RoomError(f"the room {self.code} has ended; live.Room(new=True) starts another one")
        with self._lock:
            session = find_session(self.code) or start_session(self.code)
            self._client = TeacherClient(session.teacher_port, session.secret)
            return self._client


def _find_reason(content: bytes) -> str:
    """Return the reason in the response to a refused request."""
    try:
        value = json.loads(content)
    except ValueError:
        return ""
    return str(value.get("error", "")) if isinstance(value, dict) else ""
