"""What the tests of the table share: tables are cleared after each."""

from __future__ import annotations

import ipywidgets
import pytest

from durak_widget.widgets.background_jobs import BackgroundJobs

collect_ignore = ["conftest.py"]  # there is another of that name: neither is looked through for examples


@pytest.fixture(autouse=True)
def _cleared():
    """Tables are kept by ipywidgets until they are closed."""
    yield
    ipywidgets.Widget.close_all()


@pytest.fixture
def hasty(monkeypatch) -> None:
    """Whatever is done beside a table is late after the blink of an eye."""
    monkeypatch.setattr(BackgroundJobs, "late_after_seconds", 0.01)
