"""`make test` says how long it takes here, and how far it is."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import how_far


@pytest.fixture
def said(monkeypatch):
    """A counter of the work, and the lines that it says; a clock that tests may turn."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(how_far, "loop", lambda: 0.04)
    monkeypatch.setattr(how_far.time, "monotonic", lambda: clock.now)
    lines: list[str] = []
    reporter = SimpleNamespace(ensure_newline=lambda: None, write_line=lines.append)
    config = SimpleNamespace(pluginmanager=SimpleNamespace(get_plugin=lambda _: reporter), getoption=lambda _: True)
    counter = how_far.HowFar(config)
    counter.kept = {"loop": 0.02, "files": {"a.py": 360.0, "b.py": 120.0}}
    return counter, lines, clock


def _ran(nodeid: str) -> SimpleNamespace:
    return SimpleNamespace(nodeid=nodeid, when="teardown", duration=1.0)


def test_it_says_how_long_it_takes_on_a_machine_as_slow_as_this(said):
    """What the files took where it was kept, twice as long where a small loop takes twice as long, shared by two."""
    counter, lines, _ = said
    counter.begin(["a.py::one", "a.py::two", "b.py::one"], 2)
    assert lines == ["3 tests: about 8 minutes here, in 2 processes"]


def test_it_says_how_far_it_is_by_work_and_not_by_number(said):
    """One of three tests may be three eighths of the work; nothing is said twice within half a minute."""
    counter, lines, clock = said
    counter.begin(["a.py::one", "a.py::two", "b.py::one"], 2)
    counter.pytest_runtest_logreport(_ran("a.py::one"))
    clock.now = 180.0
    counter.pytest_runtest_logreport(_ran("a.py::two"))
    counter.pytest_runtest_logreport(_ran("b.py::one"))
    assert lines[1:] == ["-- 75% of the work is done; about a minute to go"]


def test_what_the_tests_took_is_kept_when_that_is_asked_for(said, monkeypatch, tmp_path):
    """By file; a file that was not run keeps what it had."""
    counter, _, _ = said
    monkeypatch.setattr(how_far, "KEPT", tmp_path / "seconds.json")
    counter.pytest_runtest_logreport(_ran("a.py::one"))
    counter.pytest_sessionfinish()
    assert how_far.json.loads(how_far.KEPT.read_text(encoding="utf-8")) == {"loop": 0.04, "files": {"a.py": 1.0, "b.py": 120.0}}
