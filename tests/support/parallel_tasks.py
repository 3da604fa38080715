"""Tasks for the tests of `durak_widget.parallel`, in a module that every kind of worker can import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def add(common, item):
    """Add the two."""
    return common + item


def size(common, _):
    """Return the size of the common data."""
    return len(common)


def process_id(_, item):
    """Return the id of the process that runs it."""
    return item, os.getpid()


def unpicklable(_, item):
    """Return a generator for 3, which can't be pickled."""
    return (letter for letter in "") if item == 3 else item


def raise_at_three(_, item):
    """Raise an error for 3."""
    if item == 3:
        raise ValueError("three")
    return item


def _end_process():
    if os.name == "posix":
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(9)


def kill_at(common, item):
    """End the worker process for one item, and count how often it runs."""
    folder, deadly = common
    if item == deadly:
        with (Path(folder) / "tries").open("a") as tries:
            tries.write("x")
        _end_process()
    return item


def kill_once(common, item):
    """End the worker process for 10, but only the first time."""
    if item == 10:
        try:
            Path(common).touch(exist_ok=False)
        except FileExistsError:
            return item
        _end_process()
    return item


def hang_at_two(_, item):
    """Never end for 2."""
    while item == 2:
        pass
    return item


def wait_for_file(common, item):
    """Write a start mark. Unless the item is 0, end only when a file exists."""
    Path(f"{common}.begun").touch()
    while item and not Path(common).exists():
        time.sleep(0.01)  # the test makes the file when it is ready
    return item
