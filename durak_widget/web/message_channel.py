"""The wire between Python in a worker and its page: messages as JSON, with what is binary beside them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Post = Callable[[str, list[bytes]], object]
    Heard = Callable[[dict[str, Any]], object]

BINARY: Final = (bytes, bytearray, memoryview)
"""What JSON does not know, and travels beside it."""


class Wire:
    """One end of the wire: what is told before there is a page waits for it.

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
        """Whatever waited, and whoever listened, is forgotten."""
        self._waiting.clear()
        self._ears.clear()

    def connect(self, post: Post, keep: Callable[[str], object] | None = None) -> None:
        """There is a page: it is told all that waited, and everything from now on; but what is to be kept is told to whoever keeps it, if somebody does."""
        self._post, self._keep = post, keep
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self.tell(message)

    def tell(self, message: dict[str, Any]) -> None:
        """Tell the page something."""
        if self._post is None:
            self._waiting.append(message)
            return
        buffers: list[bytes] = []
        try:
            text = json.dumps(message)
        except TypeError:  # something of it is binary
            plain, paths, buffers = taken_out(message)
            text = json.dumps({**plain, "paths": paths})
        if self._keep is not None and message["kind"] == "keep":
            self._keep(text)
        else:
            self._post(text, buffers)

    def listen(self, who: str, heard: Heard) -> None:
        """Have somebody hear what the page says to that name."""
        self._ears[who] = heard

    def forget(self, who: str) -> None:
        """Nobody of that name is there any more."""
        self._ears.pop(who, None)

    def hear(self, text: str, buffers: Sequence[bytes] = ()) -> None:
        """The page says something; to whom, stands in it. What is said to nobody who is there is nothing."""
        message = read_json(text)
        put_back(message, message.pop("paths", ()), buffers)
        heard = self._ears.get(message.get("id", ""))
        if heard is not None:
            heard(message)


def taken_out(message: dict[str, Any]) -> tuple[dict[str, Any], list[list[str | int]], list[bytes]]:
    """A message without what is binary in it, with where that was, and what it was.

    >>> taken_out({"a": [1, {"b": b"x"}]})
    ({'a': [1, {'b': None}]}, [['a', 1, 'b']], [b'x'])
    """
    paths: list[list[str | int]] = []
    buffers: list[bytes] = []

    def plain(value: Any, path: list[str | int]) -> Any:  # noqa: ANN401 - whatever JSON may hold
        if isinstance(value, BINARY):
            paths.append(path)
            buffers.append(bytes(value))
            return None
        if isinstance(value, dict):
            return {name: plain(one, [*path, name]) for name, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [plain(one, [*path, at]) for at, one in enumerate(value)]
        return value

    return plain(message, []), paths, buffers


def put_back(message: Any, paths: Sequence[Sequence[str | int]], buffers: Sequence[bytes]) -> None:  # noqa: ANN401 - as above
    """Put what is binary where it belongs.

    >>> message = {"a": [1, {"b": None}]}
    >>> put_back(message, [["a", 1, "b"]], [b"x"]); message
    {'a': [1, {'b': b'x'}]}
    """
    for path, buffer in zip(paths, buffers, strict=True):
        *way, last = path
        place = message
        for step in way:
            place = place[step]
        place[last] = buffer


WIRE: Final = Wire()
"""The one wire of this Python."""
