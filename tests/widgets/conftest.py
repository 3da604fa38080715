"""Shared fixtures: all widgets are closed after each test."""

from __future__ import annotations

import ipywidgets
import pytest

from durak_widget.widgets.background_jobs import BackgroundJobs

collect_ignore = ["conftest.py"]  # another file has this name, so neither is searched for doctests


@pytest.fixture(autouse=True)
def _cleared():
    """Close all widgets after the test, because ipywidgets keeps them until then."""
    yield
    ipywidgets.Widget.close_all()


@pytest.fixture
def short_delay(monkeypatch) -> None:
    """Let everything beside a table count as late after a few milliseconds."""
    monkeypatch.setattr(BackgroundJobs, "late_after_seconds", 0.01)
