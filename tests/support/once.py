"""Make expensive read-only files once for all test processes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def made_once(base: Path, name: str, make: Callable[[Path], object]) -> Path:
    """Return the path of a file or folder made once. `base` is pytest's folder of this process; the result is beside all of them."""
    import fcntl  # noqa: PLC0415 - Windows has no such module, and runs none of these tests

    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.with_suffix(".whole").is_file():
            make(place)
            place.with_suffix(".whole").touch()
    return place
