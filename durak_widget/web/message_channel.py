"""Sends messages between Python in a web worker and the web page: JSON with binary data."""

from __future__ import annotations

import json
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import parse_json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    PostMessage = Callable[[str, list[bytes]], object]
    MessageHandler = Callable[[dict[str, Any]], object]

BINARY_TYPES: Final = (bytes, bytearray, memoryview)
"""The types of binary data, which are sent separately because JSON can't contain them."""


class MessageChannel:
    """Python's end of the message channel to a web page; messages wait until a page connects.

    >>> wire, told = MessageChannel(), []
    >>> wire.send({"kind": "custom", "content": {"points": b"12"}})
    >>> wire.connect(lambda text, buffers: told.append((text, buffers)))
    >>> told
    [('{"kind": "custom", "content": {"points": null}, "paths": [["content", "points"]]}', [b'12'])]
    """

    def __init__(self) -> None:
        self._post: PostMessage | None = None
        self._store: Callable[[str], object] | None = None
        self._queue: list[dict[str, Any]] = []
        self._handlers: dict[str, MessageHandler] = {}

    def clear(self) -> None:
        """Forget all waiting messages and all message handlers."""
        self._queue.clear()
        self._handlers.clear()

    def connect(self, post: PostMessage, store: Callable[[str], object] | None = None) -> None:
        """Connect a web page; send it all waiting messages, and from then on all new ones.

        Messages of the kind `save_files` go to the function `store` instead, if there is one.
        """
        self._post, self._store = post, store
        waiting, self._queue = self._queue, []
        for message in waiting:
            self.send(message)

    def send(self, message: dict[str, Any]) -> None:
        """Send a message to the web page."""
        if self._post is None:
            self._queue.append(message)
            return
        buffers: list[bytes] = []
        try:
            text = json.dumps(message)
        except TypeError:  # The message contains binary data, which JSON can't encode
            plain, paths, buffers = extract_buffers(message)
            text = json.dumps({**plain, "paths": paths})
        if self._store is not None and message["kind"] == "save_files":
            self._store(text)
        else:
            self._post(text, buffers)

    def subscribe(self, name: str, handler: MessageHandler) -> None:
        """Register the handler for messages from the web page that contain a given name."""
        self._handlers[name] = handler

    def unsubscribe(self, name: str) -> None:
        """Remove the handler for messages from the web page that contain a given name."""
        self._handlers.pop(name, None)

    def receive(self, text: str, buffers: Sequence[bytes] = ()) -> None:
        """Pass a message to the handler that the message names; ignore unknown names."""
        message = parse_json_text(text)
        insert_buffers(message, message.pop("paths", ()), buffers)
        handler = self._handlers.get(message.get("id", ""))
        if handler is not None:
            handler(message)


def extract_buffers(message: dict[str, Any]) -> tuple[dict[str, Any], list[list[str | int]], list[bytes]]:
    """Split a message into a part without binary data, the places of these data, and the data.

    >>> extract_buffers({"a": [1, {"b": b"x"}]})
    ({'a': [1, {'b': None}]}, [['a', 1, 'b']], [b'x'])
    """
    paths: list[list[str | int]] = []
    buffers: list[bytes] = []

    def extract(value: Any, path: list[str | int]) -> Any:  # noqa: ANN401 - whatever JSON may hold
        """Return a part of the message without its binary data, which are stored separately."""
        if isinstance(value, BINARY_TYPES):
            paths.append(path)
            buffers.append(bytes(value))
            return None
        if isinstance(value, dict):
            return {name: extract(item, [*path, name]) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [extract(item, [*path, index]) for index, item in enumerate(value)]
        return value

    return extract(message, []), paths, buffers


def insert_buffers(message: Any, paths: Sequence[Sequence[str | int]], buffers: Sequence[bytes]) -> None:  # noqa: ANN401 - as above
    """Put pieces of binary data back into a message, at the places that `paths` lists.

    >>> message = {"a": [1, {"b": None}]}
    >>> insert_buffers(message, [["a", 1, "b"]], [b"x"]); message
    {'a': [1, {'b': b'x'}]}
    """
    for path, buffer in zip(paths, buffers, strict=True):
        *steps, last = path
        container = message
        for step in steps:
            container = container[step]
        container[last] = buffer


CHANNEL: Final = MessageChannel()
"""The message channel of a Python process that serves one page."""
_CURRENT_CHANNEL: ContextVar[MessageChannel] = ContextVar("channel", default=CHANNEL)


def get_channel() -> MessageChannel:
    """Return the channel of the next widgets: `CHANNEL`, or the one of `use_channel`."""
    return _CURRENT_CHANNEL.get()


@contextmanager
def use_channel(channel: MessageChannel) -> Iterator[None]:
    """Connect the widgets that a `with` block creates to another channel for good.

    So the widgets of several people, each with a page of their own, can be in one process. Other threads and tasks are not affected.

    >>> with use_channel(MessageChannel()):
    ...     get_channel() is CHANNEL
    False
    >>> get_channel() is CHANNEL
    True
    """
    token = _CURRENT_CHANNEL.set(channel)
    try:
        yield
    finally:
        _CURRENT_CHANNEL.reset(token)
