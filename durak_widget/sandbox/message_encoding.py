"""Encodes messages to another process so that each object is sent once.

The rules, the moves and the beginning of a game are in every view of it.
"""

from __future__ import annotations

import pickle
from io import BytesIO
from typing import Any, Final

_ANEW: Final = 64
"""Number of messages after which everything is sent again.

So no process has to remember it for ever.
"""


class Teller:
    """An encoder of messages; it only refers to objects that it has sent before.

    >>> teller, listener, said = Teller(), Listener(), ("a long sentence",)
    >>> first, second = teller.data((1, said)), teller.data((2, said))
    >>> len(second) < len(first), listener.heard(first), listener.heard(second)
    (True, (1, ('a long sentence',)), (2, ('a long sentence',)))
    """

    def __init__(self) -> None:
        self._count = 0

    def data(self, said: object) -> bytes:
        """Return the bytes that a `Listener` decodes."""
        if self._count % _ANEW == 0:
            self._data = BytesIO()
            self._pickler = pickle.Pickler(self._data, pickle.HIGHEST_PROTOCOL)
        self._count += 1
        self._data.seek(0)
        self._data.truncate()
        self._pickler.dump(said)
        return self._data.getvalue()


class Listener:
    """A decoder of messages, in the order in which they were encoded."""

    def __init__(self) -> None:
        self._count = 0

    def heard(self, data: bytes) -> Any:  # noqa: ANN401 - what it is, only the teller knows
        """Return the message."""
        if self._count % _ANEW == 0:
            self._data = BytesIO()
            self._unpickler = pickle.Unpickler(self._data)  # noqa: S301 - both ends are this package
        self._count += 1
        self._data.seek(0)
        self._data.truncate()
        self._data.write(data)
        self._data.seek(0)
        return self._unpickler.load()
