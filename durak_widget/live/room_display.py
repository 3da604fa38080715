"""Shows a room in a notebook, where a thread keeps it up to date."""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError
from durak_widget.live.teacher_client import NoAnswerError

if TYPE_CHECKING:
    from collections.abc import Callable
    from weakref import WeakMethod

    from durak_widget.live.question import JsonObject
    from durak_widget.live.teacher_client import SessionConnection, TeacherClient

_RETRY_SECONDS: Final = (0.2, 0.5, 1, 2, 5, 5, 10, 10)
"""How long the thread waits before it looks for a lost session again; after the last time it gives up."""


class StateWatcher:
    """A thread that passes each new state of a session to a function.

    It ends when the session has ended. `connect` returns a client of the session, and starts the session again if its process was lost.
    The session does not depend on this thread: it runs in a process of its own.
    """

    def __init__(self, connect: Callable[[], TeacherClient], show: Callable[[JsonObject], None], show_loss: Callable[[], None]) -> None:
        self._connect, self._show, self._show_loss = connect, show, show_loss
        self._client = connect()
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="durak room", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Return whether the thread still waits for news."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """End the thread; it stops waiting at once."""
        self._stopped.set()
        self._client.close()

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end of the thread."""
        self._thread.join(timeout)

    def _run(self) -> None:
        revision: object = -1
        failure_count = 0
        while not self._stopped.is_set():
            try:
                state = self._client.wait_for_state(revision) if isinstance(revision, int) else self._client.get_state()
            except DurakError:
                self._show_loss()
                if not self._reconnect(failure_count):
                    return
                failure_count += 1
                revision = -1
                continue
            failure_count = 0
            revision = state.get("revision")
            if self._stopped.is_set():
                return
            self._show(state)
            if state.get("phase") == "ended":
                return

    def _reconnect(self, failure_count: int) -> bool:
        """Wait a moment, and look for the session again; return whether the thread should go on."""
        if failure_count >= len(_RETRY_SECONDS) or self._stopped.wait(_RETRY_SECONDS[failure_count]):
            return False
        try:
            self._client = self._connect()
        except NoAnswerError:
            pass
        except DurakError:
            return False
        return not self._stopped.is_set()


class RoomPanel:
    """The panel of a room in a notebook, with the thread that keeps it up to date.

    It does not keep the room alive: `note_page_url` is a weak method of the room, and gets the address at which the browser sees Jupyter.
    """

    def __init__(self, connection: SessionConnection, note_page_url: WeakMethod[Callable[[str], None]]) -> None:
        from durak_widget.live.room_widget import RoomWidget  # noqa: PLC0415 - it needs anywidget

        self._connection, self._note_page_url = connection, note_page_url
        self.widget = RoomWidget(connection.get_state())
        self.widget.on_msg(self._receive_message)
        self._watcher: StateWatcher | None = None

    def start(self) -> None:
        """Keep the panel up to date from now on."""
        if not self._connection.has_ended and (self._watcher is None or not self._watcher.is_running):
            self._watcher = StateWatcher(self._connection.make_client, self._show_state, self._show_loss)

    def close(self) -> None:
        """End the thread; the panel shows that it is not up to date any more."""
        if self._watcher is not None:
            self._watcher.stop()
        self.widget.connected = False

    def _show_state(self, state: JsonObject) -> None:
        self.widget.state = state
        self.widget.connected = True

    def _show_loss(self) -> None:
        self.widget.connected = False

    def _receive_message(self, _: object, message: object, __: object) -> None:
        """Do what the page asks, in a thread of its own.

        A large game may take seconds, and the kernel has other work.
        """
        match message:
            case {"kind": "command", "command": {"do": str()} as command, "id": int(number)}:
                Thread(target=self._run_command, args=(command, number), name="durak room command", daemon=True).start()
            case {"kind": "page", "base_url": str(url)} if (note_page_url := self._note_page_url()) is not None:
                Thread(target=note_page_url, args=(url,), name="durak room address", daemon=True).start()

    def _run_command(self, command: JsonObject, number: int) -> None:
        """Send a command to the session, and its reply to the page."""
        reply: JsonObject
        try:
            reply = {"reply": self._connection.send_command(command)}
        except DurakError as error:
            reply = {"error": str(error)}
        self.widget.send({"kind": "reply", "id": number, **reply})
