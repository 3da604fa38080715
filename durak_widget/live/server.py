"""Serves a live class session on three ports: for students, JupyterLab and the teacher."""

from __future__ import annotations

import sys
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.iostream import IOStream
from tornado.web import Application

from durak_widget.live.request_handlers import (
    AliveHandler,
    CodePageHandler,
    CodeStyleHandler,
    CommandHandler,
    LogHandler,
    PollHandler,
    ProjectorFileHandler,
    StateHandler,
    StatisticsHandler,
    StudentFileHandler,
    StudentNotFoundHandler,
    StudentPageHandler,
    StudentSocketHandler,
    TeacherNotFoundHandler,
    TeacherSocketHandler,
)
from durak_widget.live.session_host import SessionHost

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from tornado.web import RequestHandler

_MAX_BODY: Final = 32_768
_MAX_TEACHER_BODY: Final = 16_000_000
_MAX_FRAME: Final = 65_536
_MAX_ACCEPTED: Final = 8
"""How many connections are accepted before the event loop looks at everything else."""
_BACKLOG: Final = 1024
MAX_OPEN: Final = 4096
"""How many connections students have at most, with those of browsers that keep one open for the next file."""
MAX_TEACHER_OPEN: Final = 200
"""How many connections the teacher's port has at most."""
RESERVED_FILES: Final = 300
"""How many files students leave for the teacher's port, the log, and the worker processes."""
_MAX_WINDOWS_OPEN: Final = 400
"""The same on Windows, whose event loop may watch at most 512 connections."""


def compute_student_limit(max_files: int) -> int:
    """Return how many connections students may have with `max_files` open files.

    >>> compute_student_limit(1024), compute_student_limit(256), compute_student_limit(1_000_000) == MAX_OPEN
    (724, 128, True)
    """
    return min(MAX_OPEN, max(max_files - RESERVED_FILES, max_files // 2))


def _read_file_limit() -> int:
    """Return how many files this process may have open."""
    if sys.platform == "win32":
        return RESERVED_FILES + _MAX_WINDOWS_OPEN
    import resource  # noqa: PLC0415 - not on Windows

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return RESERVED_FILES + MAX_OPEN if limit == resource.RLIM_INFINITY else limit


class SessionServer(SessionHost):
    """A session with its web server; its arguments are those of `SessionHost`."""

    _servers: list[_PacedServer]

    def listen(self, students: list[socket.socket], bridge: list[socket.socket], teacher: list[socket.socket]) -> None:
        """Serve on sockets that are bound already; call this inside the event loop."""
        self._servers = []
        open_students = _OpenConnections(compute_student_limit(_read_file_limit()), self.connections.list_seated_streams)
        for sockets, application, limit, seconds in (
            (students, self.make_student_application(), _MAX_BODY, 5),
            (bridge, self.make_student_application(is_bridge=True), _MAX_BODY, 5),
            (teacher, self.make_teacher_application(), _MAX_TEACHER_BODY, 20),
        ):
            server = _PacedServer(
                application, max_body_size=limit, max_header_size=16_384, idle_connection_timeout=75, body_timeout=seconds, xheaders=False
            )
            own = _OpenConnections(MAX_TEACHER_OPEN) if sockets is teacher else open_students
            server.serve(sockets, own, open_students)
            self._servers.append(server)
        self.start()

    async def close(self) -> None:
        """Close the ports and all connections, and stop the worker processes."""
        for server in self._servers:
            server.stop_serving()
        await super().close()
        for server in self._servers:
            await server.close_all_connections()

    def make_student_application(self, *, is_bridge: bool = False) -> Application:
        """Return the application for students; with `is_bridge`, it requires the secret."""
        arguments = {"server": self, "is_bridge": is_bridge}
        code = r"/([^/]{1,60})"
        return Application(
            [
                (r"/", CodePageHandler, arguments),
                (r"/(code\.css)", CodeStyleHandler, arguments),
                (rf"{code}/ws", StudentSocketHandler, arguments),
                (rf"{code}/poll", PollHandler, arguments),
                (rf"{code}/?", StudentPageHandler, arguments),
                (rf"{code}/([\w.]{{1,60}})", StudentFileHandler, arguments),
            ],
            default_handler_class=StudentNotFoundHandler,
            default_handler_args=arguments,
            websocket_max_message_size=_MAX_FRAME,
            websocket_ping_interval=20,
            websocket_ping_timeout=15,
            log_function=_log_nothing,
        )

    def make_teacher_application(self) -> Application:
        """Return the application for the teacher's programs and the projector."""
        arguments = {"server": self}
        return Application(
            [
                (r"/", ProjectorFileHandler, arguments),
                (r"/([\w.]{1,60}\.(?:html|js|css|json))", ProjectorFileHandler, arguments),
                (r"/alive", AliveHandler, arguments),
                (r"/state", StateHandler, arguments),
                (r"/command", CommandHandler, arguments),
                (r"/log", LogHandler, arguments),
                (r"/statistics", StatisticsHandler, arguments),
                (r"/ws", TeacherSocketHandler, arguments),
            ],
            default_handler_class=TeacherNotFoundHandler,
            default_handler_args=arguments,
            websocket_max_message_size=_MAX_TEACHER_BODY,
            websocket_ping_interval=20,
            websocket_ping_timeout=15,
            log_function=_log_nothing,
        )

    def do_rare_work(self) -> None:
        """Forget connections that are closed, and do what the session needs."""
        super().do_rare_work()
        for server in self._servers:
            server.forget_closed()


def _log_nothing(_handler: RequestHandler) -> None:
    """Log no request, because addresses contain codes and tokens."""


class _OpenConnections:
    """The open connections of one or more ports, oldest first."""

    def __init__(self, limit: int, get_seated: Callable[[], set[object]] = set) -> None:
        self.limit = limit
        self._streams: OrderedDict[IOStream, None] = OrderedDict()
        self._get_seated = get_seated

    def add(self, stream: IOStream) -> None:
        self._streams[stream] = None

    def is_full(self) -> bool:
        if len(self._streams) >= self.limit:
            self.forget_closed()
        return len(self._streams) >= self.limit

    def make_room(self) -> None:
        """Close the oldest connection that has no seat."""
        seated = self._get_seated()
        oldest = next((stream for stream in self._streams if stream not in seated), None)
        if oldest is not None:
            del self._streams[oldest]
            oldest.close()

    def forget_closed(self) -> None:
        """Forget connections that are closed."""
        for stream in [stream for stream in self._streams if stream.closed()]:
            del self._streams[stream]


class _PacedServer(HTTPServer):
    """A server that accepts only a few connections at a time.

    So a class that connects at once does not block the event loop. If too many connections are open, the oldest one of the students
    without a seat makes room for the newest. The teacher's connections never do.
    """

    def serve(self, sockets: list[socket.socket], own: _OpenConnections, students: _OpenConnections) -> None:
        self._listening, self._own, self._students = sockets, own, students
        loop = IOLoop.current()
        for listening in sockets:
            listening.setblocking(False)
            listening.listen(_BACKLOG)
            loop.add_handler(listening, self._accept, IOLoop.READ)

    def _accept(self, listening: socket.socket, _events: int) -> None:
        for _ in range(_MAX_ACCEPTED):
            if self._own is self._students and self._own.is_full():
                self._own.make_room()
            try:
                connection, address = listening.accept()
            except (BlockingIOError, ConnectionAbortedError, InterruptedError):
                return
            except OSError:  # Too many files are open in this process or on this computer
                self._students.forget_closed()
                self._students.make_room()
                return
            if self._own is not self._students and self._own.is_full():
                connection.close()
                continue
            stream = IOStream(connection, max_buffer_size=self.max_buffer_size, read_chunk_size=self.read_chunk_size)
            self._own.add(stream)
            self.handle_stream(stream, address)

    def forget_closed(self) -> None:
        """Forget connections that are closed."""
        self._own.forget_closed()

    def stop_serving(self) -> None:
        for listening in self._listening:
            IOLoop.current().remove_handler(listening)
            listening.close()
