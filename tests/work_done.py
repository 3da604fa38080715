"""Work that tests share: modules that a process of any kind finds."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def plus(common, thing):
    """A sum."""
    return common + thing


def pid(_, thing):
    """Which process does it, for each thing."""
    return thing, os.getpid()


def raises_at_three(_, thing):
    """An error, for one thing."""
    if thing == 3:
        raise ValueError("three")
    return thing


def _end():
    """End this process at once, as nobody can refuse; on Windows there is no such signal, and it goes as if there were."""
    if os.name == "posix":
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(9)


def kills_at(common, thing):
    """The end of the process that does it, whatever that is, for one thing."""
    if thing == common:
        _end()
    return thing


def kills_once(common, thing):
    """The end of the process that does the tenth thing, the first time."""
    if thing == 10:
        try:
            Path(common).touch(exist_ok=False)
        except FileExistsError:
            return thing
        _end()
    return thing


def hangs_at_two(_, thing):
    """Work that never ends, for one thing."""
    while thing == 2:
        pass
    return thing


def waits(common, thing):
    """Work that ends when there is a file, and says before that it has begun; that of nought is nothing."""
    Path(f"{common}.begun").touch()
    while thing and not Path(common).exists():
        time.sleep(0.01)  # it is the work that takes time here, no test
    return thing
