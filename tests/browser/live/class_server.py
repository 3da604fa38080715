"""Runs the server of a live class session in a thread, so that a test can be the teacher, cut connections and start it again."""

from __future__ import annotations

import asyncio
import secrets
import threading
from typing import TYPE_CHECKING, Any

from tornado.netutil import bind_sockets

from durak_widget.live.class_session import ClassSession
from durak_widget.live.event_log import EventLog
from durak_widget.live.server import SessionServer
from durak_widget.live.worker import WorkerPool, run_task

if TYPE_CHECKING:
    from collections.abc import Awaitable

PATIENCE = 60
"""Seconds for everything that the server does; it matters only if a test fails."""


class QuickWorkers(WorkerPool):
    """Runs the tasks of questions in a thread: small games need no process of their own."""

    async def run(self, kind: str, task: dict[str, Any]) -> dict[str, Any]:
        """Run a task."""
        return await asyncio.to_thread(run_task, {"kind": kind, **task})


class ClassServer:
    """A session that is served on a port of this machine; its log is in memory and survives a restart."""

    def __init__(self, code: str = "K7PWQ3") -> None:
        self.code, self.port = code, 0
        self._log = EventLog()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.server: SessionServer
        self.start()

    @property
    def url(self) -> str:
        """Return the address of the students' page."""
        return f"http://127.0.0.1:{self.port}/{self.code}/"

    def start(self) -> None:
        """Start the session from its log, on the same port as before."""

        async def serve() -> None:
            session = ClassSession(EventLog.from_text(self._log.to_text()), now=0.0, code=self.code)
            self._log = session.log
            self.server = SessionServer(session, secret=secrets.token_urlsafe(), workers=QuickWorkers())
            sockets = bind_sockets(self.port, "127.0.0.1")
            self.port = sockets[0].getsockname()[1]
            self.server.listen(sockets, bind_sockets(0, "127.0.0.1"), bind_sockets(0, "127.0.0.1"))

        self._run(serve())

    def stop(self) -> None:
        """End the server, as a crash would."""
        self._run(self.server.close())

    def command(self, do: str, **fields: Any) -> dict[str, Any]:
        """Do what the teacher says."""
        return self._run(self.server.run_command({"do": do, **fields}))

    def drop_connections(self) -> None:
        """Cut all connections of phones."""

        async def drop() -> None:
            self.server.connections.close_all(1012)

        self._run(drop())

    @property
    def state(self) -> dict[str, Any]:
        """Return what the teacher sees."""

        async def read() -> dict[str, Any]:
            return self.server.session.teacher_state()

        return self._run(read())

    @property
    def answers(self) -> dict[str, Any]:
        """Return the answers to the current question, by the names of the students."""

        async def read() -> dict[str, Any]:
            session = self.server.session
            answers = session.current.answers if session.current else {}
            return {session.seats[seat].name: answer for seat, answer in answers.items()}

        return self._run(read())

    def close(self) -> None:
        """End the server and its thread."""
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()

    def _run(self, work: Awaitable[Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)
