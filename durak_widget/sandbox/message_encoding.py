"""Encodes messages between two processes, so that each object is sent only once.

The rules, the moves and the beginning of a game are in every view of it.
"""

from __future__ import annotations

import pickle
from io import BytesIO
from typing import Any, Final

_RESET_INTERVAL: Final = 64
"""After this number of messages, the encoder forgets which objects it has sent.

So no process has to remember an object for ever.
"""


class MessageEncoder:
    """Encodes messages as bytes; an object that was sent before becomes a short reference.

    >>> teller, listener, said = MessageEncoder(), MessageDecoder(), ("a long sentence",)
    >>> first, second = teller.encode((1, said)), teller.encode((2, said))
    >>> len(second) < len(first), listener.decode(first), listener.decode(second)
    (True, (1, ('a long sentence',)), (2, ('a long sentence',)))
    """

    def __init__(self) -> None:
        self._message_count = 0

    def encode(self, message: object) -> bytes:
        """Return a message as bytes that a `MessageDecoder` can decode."""
        if self._message_count % _RESET_INTERVAL == 0:
            self._buffer = BytesIO()
            self._pickler = pickle.Pickler(self._buffer, pickle.HIGHEST_PROTOCOL)
        self._message_count += 1
        self._buffer.seek(0)
        self._buffer.truncate()
        self._pickler.dump(message)
        return self._buffer.getvalue()


class MessageDecoder:
    """Decodes messages, which must come in the same order in which they were encoded."""

    def __init__(self) -> None:
        self._message_count = 0

    def decode(self, data: bytes) -> Any:  # noqa: ANN401 - what it is, only the teller knows
        """Decode the next message from bytes."""
        if self._message_count % _RESET_INTERVAL == 0:
            self._buffer = BytesIO()
            self._unpickler = pickle.Unpickler(self._buffer)  # noqa: S301 - both ends are this package
        self._message_count += 1
        self._buffer.seek(0)
        self._buffer.truncate()
        self._buffer.write(data)
        self._buffer.seek(0)
        return self._unpickler.load()
