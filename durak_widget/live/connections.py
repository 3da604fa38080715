"""Connects phones to their seats, by websocket or by long polling.

Both kinds of connection are one queue of messages for one phone. A phone that does not read its messages is closed, without harm to others.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from time import perf_counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tornado.iostream import IOStream
    from tornado.websocket import WebSocketHandler

    from durak_widget.live.question import JsonObject
    from durak_widget.live.statistics import Statistics

MAX_WAITING_MESSAGES: Final = 64
"""How many messages may wait for a phone that does not read them."""
MAX_WAITING_BYTES: Final = 4_000_000
MAX_UNJOINED: Final = 1000
"""How many connections may be open that have not joined; the oldest makes room for the newest."""
JOIN_SECONDS: Final = 60.0
"""How long a connection may stay open before it joins."""
POLL_SECONDS: Final = 25.0
"""How long a request of long polling waits for news."""
LOST_SECONDS: Final = 40.0
"""After how many seconds without a request a phone that polls counts as gone."""
SLICE_SECONDS: Final = 0.008
"""How long messages are sent before the event loop looks at everything else."""

MAX_ANSWER_LENGTH: Final = 300_000
"""How long an answer of long polling may be, unless it is a single message."""
MAX_POLLS_A_SECOND: Final = 10
"""How many requests of long polling a phone may send in a second, and how many at once."""
_REPLACED_KINDS: Final = ("state", "question")
"""A message of these kinds takes the place of an older one that still waits."""
_MAX_FORMS: Final = 64
"""How many encoded forms are kept: a question has one for each role and language."""

CLOSED_SLOW: Final = 4408
"""The phone did not read its messages, or it did not join in time."""
CLOSED_REPLACED: Final = 4409
"""Another connection has taken this seat with the same key."""
CLOSED_NEW: Final = 4410
"""The session does not know this polling connection (it has started again); open another one with `after` 0 and resume."""
CLOSED_FLOOD: Final = 4429
"""Too many messages or too many wrong codes; wait, and try again."""
CLOSED_RESTART: Final = 1012


class QueuedMessage:
    """A message that waits for a phone."""

    __slots__ = ("data", "kind", "number")

    def __init__(self, data: str, kind: str, number: int) -> None:
        self.data, self.kind, self.number = data, kind, number


def encode_message(message: JsonObject) -> str:
    """Return a message as it is sent."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


class Connection(ABC):
    """A phone, and the messages that wait for it.

    `seat` is None until it has joined.
    """

    def __init__(self) -> None:
        self.seat: int | None = None
        self.language = ""
        self.opened = asyncio.get_running_loop().time()
        self.is_closed = False
        self.is_limited = False
        """True if there were too many wrong codes when it opened; then only a key lets it in."""
        self.is_wrong = False
        """True if its code was wrong too; then no key lets it in, but it must not learn that."""
        self.refused_in_a_row = 0
        self.queue: deque[QueuedMessage] = deque()
        self._waiting_bytes = 0
        self._last_number = 0

    def send(self, data: str, kind: str) -> None:
        """Put a message in the queue.

        A state or a question replaces an older one that still waits.
        """
        if self.is_closed:
            return
        if kind in _REPLACED_KINDS and any(queued.kind == kind for queued in self.queue):
            self.queue = deque(queued for queued in self.queue if queued.kind != kind)
            self._waiting_bytes = sum(len(queued.data) for queued in self.queue)
        self._last_number += 1
        self.queue.append(QueuedMessage(data, kind, self._last_number))
        self._waiting_bytes += len(data)
        if len(self.queue) > MAX_WAITING_MESSAGES or self._waiting_bytes > MAX_WAITING_BYTES:
            self.close(CLOSED_SLOW)
        else:
            self._wake()

    def _take(self) -> QueuedMessage:
        queued = self.queue.popleft()
        self._waiting_bytes -= len(queued.data)
        return queued

    def close(self, code: int) -> None:
        """Close the connection; the page learns the reason by its code."""
        if not self.is_closed:
            self.is_closed = True
            self._end(code)

    @abstractmethod
    def _wake(self) -> None:
        """Send what waits, if the phone takes it."""

    @abstractmethod
    def _end(self, code: int) -> None:
        """Tell the phone that the connection is closed."""


class SocketConnection(Connection):
    """A phone that is connected by a websocket."""

    def __init__(self, handler: WebSocketHandler, statistics: Statistics) -> None:
        super().__init__()
        self._handler = handler
        self._statistics = statistics
        self._writing: asyncio.Future[None] | None = None

    def _wake(self) -> None:
        while self.queue and self._writing is None and not self.is_closed:
            queued = self._take()
            try:
                writing = asyncio.ensure_future(self._handler.write_message(queued.data))
            except Exception:  # noqa: BLE001 - the phone has gone; its handler learns it by itself
                self.queue.clear()
                return
            self._statistics.count_message(len(queued.data))
            if self._is_blocked():
                self._writing = writing
            writing.add_done_callback(self._finish_writing)

    def get_stream(self) -> IOStream | None:
        """Return the stream of the websocket; None if it is closed."""
        connection = self._handler.ws_connection
        return None if connection is None else connection.stream

    def _is_blocked(self) -> bool:
        stream = self.get_stream()
        return stream is not None and stream.writing()

    def _finish_writing(self, writing: asyncio.Future[None]) -> None:
        if not writing.cancelled():
            writing.exception()  # The phone has gone, which is not an error
        if writing is self._writing:
            self._writing = None
            self._wake()

    def _end(self, code: int) -> None:
        self.queue.clear()
        stream = self.get_stream()
        self._handler.close(code)
        if stream is not None and self._writing is not None:
            stream.close()  # Its buffers are full, so it would never read that it is closed


class PollConnection(Connection):
    """A phone that polls: each request takes what waits, or waits for it.

    A message stays in the queue until the phone confirms it with its next request, because an answer may get lost on the way.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.closed_code: int | None = None
        self.last_request = self.opened
        self.open_requests = 0
        self._news: asyncio.Future[None] | None = None
        self._requests_left = float(MAX_POLLS_A_SECOND)
        self._counted_at = self.opened

    def count_request(self) -> bool:
        """Count a request; return False if the phone sends too many."""
        now = asyncio.get_running_loop().time()
        refilled = self._requests_left + (now - self._counted_at) * MAX_POLLS_A_SECOND
        self._requests_left, self._counted_at = min(float(MAX_POLLS_A_SECOND), refilled), now
        if self._requests_left < 1:
            return False
        self._requests_left -= 1
        return True

    def confirm(self, number: int) -> None:
        """Drop the messages that the phone has."""
        while self.queue and self.queue[0].number <= number:
            self._take()

    async def wait(self, seconds: float) -> None:
        """Wait until there is a message, another request takes over, or the time is over."""
        self._wake()  # An older request answers at once
        if self.queue or self.is_closed:
            return
        news = self._news = asyncio.get_running_loop().create_future()
        await asyncio.wait([news], timeout=seconds)
        if self._news is news:
            self._news = None

    def stop_waiting(self) -> None:
        """Answer the open request now."""
        self._wake()

    def build_answer(self, after: int) -> str:
        """Return the answer to a request, with the messages that wait.

        Messages that make it too long come with the next answer.
        """
        number, length = after, 0
        texts: list[str] = []
        for queued in self.queue:
            length += len(queued.data)
            if texts and length > MAX_ANSWER_LENGTH:
                break
            number = queued.number
            texts.append(queued.data)
        closed = "" if self.closed_code is None else f',"closed":{self.closed_code}'
        return f'{{"next":{number},"messages":[{",".join(texts)}]{closed}}}'

    def _wake(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    def _end(self, code: int) -> None:
        self.closed_code = code
        self._wake()


class ConnectionTable:
    """The open connections, with and without a seat, and the messages to be sent."""

    def __init__(self, statistics: Statistics) -> None:
        self.seats: dict[int, Connection] = {}
        self.polls: dict[str, PollConnection] = {}
        self._unjoined: OrderedDict[Connection, None] = OrderedDict()
        self._outbox: deque[tuple[Connection, JsonObject]] = deque()
        self._sender: asyncio.Task[None] | None = None
        self._forms: OrderedDict[int, tuple[object, str]] = OrderedDict()
        """The forms that were encoded last, by the identity of the form, with itself so that no other one gets this identity."""
        self._statistics = statistics

    @property
    def unjoined_count(self) -> int:
        """Return how many connections have not joined."""
        return len(self._unjoined)

    def add(self, connection: Connection) -> None:
        """Add a connection that has not joined; the oldest of too many has to go."""
        self._unjoined[connection] = None
        while len(self._unjoined) > MAX_UNJOINED:
            oldest, _ = self._unjoined.popitem(last=False)
            oldest.close(CLOSED_SLOW)

    def take_seat(self, connection: Connection, seat: int) -> None:
        """Give a seat to a connection; an older connection of the same seat is closed."""
        self._unjoined.pop(connection, None)
        older = self.seats.get(seat)
        self.seats[seat] = connection
        connection.seat = seat
        if older is not None and older is not connection:
            older.seat = None
            older.close(CLOSED_REPLACED)

    def list_seated_streams(self) -> set[object]:
        """Return the streams of phones with a seat."""
        return {connection.get_stream() for connection in self.seats.values() if isinstance(connection, SocketConnection)}

    def remove(self, connection: Connection) -> int | None:
        """Forget a connection; return the seat that nobody is connected to now, if there is one."""
        connection.is_closed = True
        self._unjoined.pop(connection, None)
        if isinstance(connection, PollConnection) and self.polls.get(connection.name) is connection:
            del self.polls[connection.name]
        seat = connection.seat
        connection.seat = None
        if seat is not None and self.seats.get(seat) is connection:
            del self.seats[seat]
            return seat
        return None

    def post(self, messages: Iterable[tuple[int, JsonObject]]) -> None:
        """Send messages to seats, a few milliseconds at a time.

        Messages to one seat keep their order.
        """
        for seat, message in messages:
            connection = self.seats.get(seat)
            if connection is not None:
                self._outbox.append((connection, message))
        if self._outbox and self._sender is None:
            self._sender = asyncio.create_task(self._send_all())

    def send_now(self, connection: Connection, message: JsonObject) -> None:
        """Send a message to a connection, such as a refusal before it has joined."""
        connection.send(encode_message(message), str(message.get("kind")))

    async def _send_all(self) -> None:
        try:
            while self._outbox:
                start = perf_counter()
                with self._statistics.measure("send"):
                    while self._outbox and perf_counter() - start < SLICE_SECONDS:
                        connection, message = self._outbox.popleft()
                        if not connection.is_closed:
                            connection.send(self._encode(message), str(message.get("kind")))
                await asyncio.sleep(0)
        finally:
            self._sender = None

    def _encode(self, message: JsonObject) -> str:
        """Return a message as it is sent; a form that many phones get is encoded once."""
        form = message.get("form")
        if message.get("kind") != "question" or not isinstance(form, dict):
            return encode_message(message)
        known = self._forms.get(id(form))
        if known is None:
            known = self._forms[id(form)] = form, encode_message(form)
            if len(self._forms) > _MAX_FORMS:
                self._forms.popitem(last=False)
        else:
            self._forms.move_to_end(id(form))
        rest = encode_message({name: value for name, value in message.items() if name != "form"})
        return f'{rest[:-1]},"form":{known[1]}}}'

    async def finish_sending(self) -> None:
        """Wait until all messages so far are in the queues of their phones."""
        if self._sender is not None:
            await asyncio.wait([self._sender])

    def list_overdue(self, now: float) -> list[Connection]:
        """Return connections that have not joined in time, and phones that have stopped to poll."""
        late = []
        for connection in self._unjoined:  # Oldest first
            if now - connection.opened <= JOIN_SECONDS:
                break
            late.append(connection)
        lost = [poll for poll in self.polls.values() if not poll.open_requests and now - poll.last_request > LOST_SECONDS]
        return [*late, *(poll for poll in lost if poll not in late)]

    def close_all(self, code: int) -> None:
        """Close every connection."""
        for connection in [*self.seats.values(), *self._unjoined]:
            connection.close(code)
