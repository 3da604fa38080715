"""Shared settings of all tests and notebooks: private student files for parallel runs, and measuring which modules tests use."""

from __future__ import annotations

import gc
import os
import re
import signal
from collections import Counter
from importlib import import_module
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from pkgutil import iter_modules
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from zlib import crc32

import coverage
import pytest
from packaging.requirements import Requirement

if TYPE_CHECKING:
    from collections.abc import Iterator

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell ignores this signal in background jobs
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests interrupt what they run

_HOME = TemporaryDirectory(prefix="durak-widget-tests-")  # goes when the tests end
os.environ["DURAK_WIDGET_HOME"] = _HOME.name  # no user's progress is read or changed
os.environ["IPYTHONDIR"] = _HOME.name
MADE_ONCE = (
    *("test_wheel.py", "test_binder.py", "test_lite.py", "test_econ431_", "test_class_game_rows.py", "test_parallel_dask.py"),
    *("test_series_possible.py", "test_series_hidden.py", "test_words_in_games.py", "test_jupyter_extension.py"),
)
"""Files with a slow fixture, or slow shared data such as the questions of two hundred students."""
FEW_IN_JUPYTERLAB = re.compile("tests/browser/(lab|playing)/")
"""`make test` runs few of these, so one process runs them all: a second JupyterLab would take longer."""
_BRIDGES = {"pyspiel": "openspiel_bridge", "pettingzoo": "pettingzoo_env"}
"""Optional packages, and the modules of `analysis` that need them."""
WAY_IN = "lab"
"""The extra that `make lab` installs. Notebooks are tested with these packages."""
_ONLY = """
import sys

class OnlyThisWay:
    def find_spec(self, name, path=None, target=None):
        if name in {beyond}:
            raise ModuleNotFoundError(f"{{name}} does not come with make lab", name=name)

sys.meta_path.insert(0, OnlyThisWay())
"""
_MISSING = [name for name in _BRIDGES if find_spec(name) is None]
collect_ignore = [f"durak_widget/analysis/{_BRIDGES[name]}.py" for name in _MISSING]
collect_ignore += ["docs/bridges.md"] * bool(_MISSING)
MARKS_LEFT_OUT = {"default": ("slow", "release"), "all": ("release",), "release": ()}
"""The runs, by the value of `DURAK_TESTS`."""
PROVING = ("docs/judging.md",)
"""Pages with slow examples, which compute their published results again."""
ABOVE = re.compile(
    r"notebooks/|(tests|durak_widget)/"
    "(analysis|board|bots|browser|class_games|classroom|custom_games|duplicate_deals|econ431|editor|exercises|gametheory|grading|homework"
    "|lessons|live|paper_exams|series)/"
)
"""Tests of the packages above the game model. Measuring them too would almost double the time and show nothing new."""
_MEASURED: pytest.StashKey[coverage.Coverage] = pytest.StashKey()


def _brought(package: str, extras: frozenset[str], known: set[str]) -> set[str]:
    """Return the packages that come with a package, including itself."""
    name = re.sub(r"[-_.]+", "-", package).lower()
    if name in known and not extras:
        return known
    known.add(name)
    try:
        needed = requires(name) or []
    except PackageNotFoundError:  # for another system
        return known
    for dependency in needed:
        requirement = Requirement(dependency)
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in extras or {""}):
            _brought(requirement.name, frozenset(requirement.extras), known)
    return known


def _only_this_way() -> None:
    """Let each notebook kernel refuse packages that `make lab` does not install, as if they were missing."""
    brought = _brought("durak_widget", frozenset({WAY_IN}), set())
    names = {
        module: {re.sub(r"[-_.]+", "-", distribution).lower() for distribution in of} for module, of in packages_distributions().items()
    }
    beyond = {module for module, of in names.items() if not of & brought}
    startup = Path(_HOME.name, "profile_default", "startup")
    startup.mkdir(parents=True)
    (startup / "only_this_way.py").write_text(_ONLY.format(beyond=beyond), encoding="utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--measure`, which notes the lines of the game model that its tests reach."""
    parser.addoption("--measure", action="store_true", help="note which lines of the model its tests reach")


def _leave_out_larger_runs(config: pytest.Config) -> None:
    """Leave out what only `make test-all` (`DURAK_TESTS=all`) or `make test-release` (`DURAK_TESTS=release`) runs.

    A mark that you name with `-m` is never left out.
    """
    run = os.environ.get("DURAK_TESTS", "default")
    if run not in MARKS_LEFT_OUT:
        raise pytest.UsageError(f"DURAK_TESTS is {run!r}; it is one of {', '.join(MARKS_LEFT_OUT)}")
    asked = config.option.markexpr
    left_out = [f"not {mark}" for mark in MARKS_LEFT_OUT[run] if mark not in asked]
    config.option.markexpr = " and ".join([f"({asked})"] * bool(asked) + left_out)


def pytest_configure(config: pytest.Config) -> None:
    """Restrict packages to those of this environment, and start measuring the imports of the game model."""
    _leave_out_larger_runs(config)
    _only_this_way()
    gc.disable()  # until collection ends: none of more than a million objects is garbage
    alone = not config.getoption("numprocesses", None)
    if config.getoption("--measure") and (alone or hasattr(config, "workerinput")):  # not the process that only distributes the tests
        measured = config.stash[_MEASURED] = coverage.Coverage(data_suffix=True)
        measured.start()
        for area in measured.get_option("run:source"):
            for module in iter_modules(getattr(import_module(area), "__path__", ()), f"{area}."):
                import_module(module.name)
        measured.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test marked `sample(n)`, leave all but every n-th case to the release run. The first case differs from test to test."""
    seen: Counter[str] = Counter()
    for item in items:
        if item.nodeid.startswith(PROVING):
            item.add_marker(pytest.mark.release)
        if (mark := item.get_closest_marker("sample")) is not None:
            name = item.nodeid.partition("[")[0]
            if (seen[name] + crc32(name.encode())) % mark.args[0]:
                item.add_marker(pytest.mark.release)
            seen[name] += 1


def pytest_collection_finish() -> None:
    """Keep the collected tests out of each later garbage collection, which would take half a second."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[object]:
    """Measure while a test of the game model runs."""
    measured = item.config.stash.get(_MEASURED, None) if not ABOVE.match(item.nodeid) else None
    if measured is None:
        return (yield)
    measured.start()
    try:
        return (yield)
    finally:
        measured.stop()


def _end_class_sessions() -> None:
    """End the class sessions that examples and tests have started: their processes would outlive the tests."""
    if Path(_HOME.name, "durak").is_dir():
        from durak_widget.live.process import list_sessions  # noqa: PLC0415 - most runs start none

        for session in list_sessions():
            os.kill(session.pid, signal.SIGTERM)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Save the measurements, and end what runs."""
    _end_class_sessions()
    measured = config.stash.get(_MEASURED, None)
    if measured is not None:
        measured.save()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Use as many workers as cores, but at most four: each has its own JupyterLab and browser."""
    return min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Give each test to a free worker, in order. Tests that build on another stay together."""
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 - the tests run without it too

    class Scheduler(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            if FEW_IN_JUPYTERLAB.match(nodeid) and os.environ.get("DURAK_TESTS", "default") == "default":
                return "JupyterLab"
            file = PurePosixPath(nodeid.partition("::")[0])
            return str(file) if file.suffix == ".ipynb" or file.name.startswith(MADE_ONCE) else nodeid

    config.option.loadscopereorder = False
    return Scheduler(config, log)
