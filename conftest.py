"""What all tests and notebooks share: a student's file of their own, where they may run side by side, and what they reached of the package."""

from __future__ import annotations

import os
import re
import signal
from importlib.util import find_spec
from pathlib import PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import coverage
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as it is in whatever a shell has sent into the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests interrupt what they run

_HOME = TemporaryDirectory(prefix="durak-widget-tests-")  # goes when the tests end
os.environ["DURAK_WIDGET_HOME"] = _HOME.name  # so that nobody's progress is read or changed
MADE_ONCE = ("test_wheel.py", "test_binder.py", "test_econ431_")  # a fixture of theirs takes long, or the questions of two hundred students
_BRIDGES = {"pyspiel": ("openspiel", "spiel"), "pettingzoo": ("pettingzoo",)}
"""Packages that need not be there, and the modules of theory that are nothing without them."""
_MISSING = [name for name in _BRIDGES if find_spec(name) is None]
collect_ignore = [f"durak_widget/theory/{module}.py" for name in _MISSING for module in _BRIDGES[name]] + ["docs/bridges.md"] * bool(
    _MISSING
)
ABOVE = re.compile(r"notebooks/|(tests|durak_widget)/(board|bots|browser|classroom|lessons|theory|test_(bots|lessons|series))")
"""What is about the rooms above the model: to measure that too would take it nearly twice as long, and says no more of the model."""
_MEASURED: pytest.StashKey[coverage.Coverage] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--measure` notes which lines of the model its tests reach, in each process that runs some, for tools/coverage_floor.py."""
    parser.addoption("--measure", action="store_true", help="note which lines of the model its tests reach, for tools/coverage_floor.py")


def pytest_configure(config: pytest.Config) -> None:
    """Measure from before the package is imported."""
    alone = not config.getoption("numprocesses", None)
    if config.getoption("--measure") and (alone or hasattr(config, "workerinput")):  # not what only hands out the tests
        measured = config.stash[_MEASURED] = coverage.Coverage(data_suffix=True)
        measured.start()


def pytest_collection_finish(session: pytest.Session) -> None:
    """All is imported: from now on, only what is about the model is measured."""
    if measured := session.config.stash.get(_MEASURED, None):
        measured.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[object]:
    """Measure while a test that is about the model runs."""
    measured = item.config.stash.get(_MEASURED, None) if not ABOVE.match(item.nodeid) else None
    if measured is None:
        return (yield)
    measured.start()
    try:
        return (yield)
    finally:
        measured.stop()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Keep what was measured."""
    measured = config.stash.get(_MEASURED, None)
    if measured is not None:
        measured.save()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """As many at a time as there are cores, but four at most: each has a JupyterLab and a browser of its own."""
    return min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Side by side, each test goes to whoever is free, in their order; what builds on another test goes with it."""
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 - the tests run without it too

    class Scheduler(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = PurePosixPath(nodeid.partition("::")[0])
            return str(file) if file.suffix == ".ipynb" or file.name.startswith(MADE_ONCE) else nodeid

    config.option.loadscopereorder = False
    return Scheduler(config, log)
