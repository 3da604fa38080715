"""What is dear to make and is only looked at is made once, by whichever process of the tests comes first."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def made_once(base: Path, name: str, make: Callable[[Path], object]) -> Path:
    """Where it lies, a file or a folder. `base` is pytest's folder of this process; it lies beside the folders of all processes, where there are several."""
    import fcntl  # noqa: PLC0415 - which Windows has not, where none of these tests runs

    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.with_suffix(".whole").is_file():
            make(place)
            place.with_suffix(".whole").touch()
    return place
