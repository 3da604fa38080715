"""How much of a sweep is tried: a part of it by `make test`, the whole by `make test-release`."""

from __future__ import annotations

import os

LONG = bool(os.environ.get("DURAK_LONG"))


def tried(some: int, whole: int) -> int:
    """So many."""
    return whole if LONG else some
