"""What is told to another process again and again, each thing once: the rules, the moves and the beginning of a game are in every view of it."""

from __future__ import annotations

import pickle
from io import BytesIO
from typing import Any, Final

_ANEW: Final = 64
"""After so many all is told anew, so that nobody has to remember it for good."""


class Teller:
    """Turns what is told into data; whatever was in it before is only named.

    >>> teller, listener, said = Teller(), Listener(), ("a long sentence",)
    >>> first, second = teller.data((1, said)), teller.data((2, said))
    >>> len(second) < len(first), listener.heard(first), listener.heard(second)
    (True, (1, ('a long sentence',)), (2, ('a long sentence',)))
    """

    def __init__(self) -> None:
        self._count = 0

    def data(self, said: object) -> bytes:
        """What a `Listener` turns back into the same."""
        if self._count % _ANEW == 0:
            self._data = BytesIO()
            self._pickler = pickle.Pickler(self._data, pickle.HIGHEST_PROTOCOL)
        self._count += 1
        self._data.seek(0)
        self._data.truncate()
        self._pickler.dump(said)
        return self._data.getvalue()


class Listener:
    """Turns data back into what was told, in the order in which it was."""

    def __init__(self) -> None:
        self._count = 0

    def heard(self, data: bytes) -> Any:  # noqa: ANN401 - what it is, only the teller knows
        """What was told."""
        if self._count % _ANEW == 0:
            self._data = BytesIO()
            self._unpickler = pickle.Unpickler(self._data)  # noqa: S301 - both ends are this package
        self._count += 1
        self._data.seek(0)
        self._data.truncate()
        self._data.write(data)
        self._data.seek(0)
        return self._unpickler.load()
