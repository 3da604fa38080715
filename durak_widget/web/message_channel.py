"""The channel between Python in a worker and its page: JSON messages and binary data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Post = Callable[[str, list[bytes]], object]
    Heard = Callable[[dict[str, Any]], object]

BINARY: Final = (bytes, bytearray, memoryview)
"""Types that JSON cannot hold and that travel beside it."""


class Wire:
    """One end of the channel; messages sent before there is a page wait for it.

    >>> wire, told = Wire(), []
    >>> wire.tell({"kind": "custom", "content": {"points": b"12"}})
    >>> wire.connect(lambda text, buffers: told.append((text, buffers)))
    >>> told
    [('{"kind": "custom", "content": {"points": null}, "paths": [["content", "points"]]}', [b'12'])]
    """

    def __init__(self) -> None:
        self._post: Post | None = None
        self._keep: Callable[[str], object] | None = None
        self._waiting: list[dict[str, Any]] = []
        self._ears: dict[str, Heard] = {}

    def clear(self) -> None:
        """Forget all waiting messages and all handlers."""
        self._waiting.clear()
        self._ears.clear()

    def connect(self, post: Post, keep: Callable[[str], object] | None = None) -> None:
        """Connect the page, and send it all waiting and future messages.

        Messages of the kind `keep` go to the function `keep` instead, if there is one.
        """
        self._post, self._keep = post, keep
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self.tell(message)

    def tell(self, message: dict[str, Any]) -> None:
        """Send the page a message."""
        if self._post is None:
            self._waiting.append(message)
            return
        buffers: list[bytes] = []
        try:
            text = json.dumps(message)
        except TypeError:  # part of it is binary
            plain, paths, buffers = taken_out(message)
            text = json.dumps({**plain, "paths": paths})
        if self._keep is not None and message["kind"] == "keep":
            self._keep(text)
        else:
            self._post(text, buffers)

    def listen(self, who: str, heard: Heard) -> None:
        """Call `heard` with each message that the page sends to that name."""
        self._ears[who] = heard

    def forget(self, who: str) -> None:
        """Stop handling messages to that name."""
        self._ears.pop(who, None)

    def hear(self, text: str, buffers: Sequence[bytes] = ()) -> None:
        """Pass a message from the page to the handler that it names; without one, ignore it."""
        message = read_json(text)
        put_back(message, message.pop("paths", ()), buffers)
        handler = self._ears.get(message.get("id", ""))
        if handler is not None:
            handler(message)


def taken_out(message: dict[str, Any]) -> tuple[dict[str, Any], list[list[str | int]], list[bytes]]:
    """Return a message without its binary data, the paths of that data, and the data.

    >>> taken_out({"a": [1, {"b": b"x"}]})
    ({'a': [1, {'b': None}]}, [['a', 1, 'b']], [b'x'])
    """
    paths: list[list[str | int]] = []
    buffers: list[bytes] = []

    def extract(value: Any, path: list[str | int]) -> Any:  # noqa: ANN401 - whatever JSON may hold
        if isinstance(value, BINARY):
            paths.append(path)
            buffers.append(bytes(value))
            return None
        if isinstance(value, dict):
            return {name: extract(item, [*path, name]) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [extract(item, [*path, index]) for index, item in enumerate(value)]
        return value

    return extract(message, []), paths, buffers


def put_back(message: Any, paths: Sequence[Sequence[str | int]], buffers: Sequence[bytes]) -> None:  # noqa: ANN401 - as above
    """Insert binary data into a message at its paths.

    >>> message = {"a": [1, {"b": None}]}
    >>> put_back(message, [["a", 1, "b"]], [b"x"]); message
    {'a': [1, {'b': b'x'}]}
    """
    for path, buffer in zip(paths, buffers, strict=True):
        *steps, last = path
        container = message
        for step in steps:
            container = container[step]
        container[last] = buffer


WIRE: Final = Wire()
"""The only channel of this Python process."""
