"""Shared fixtures: all widgets are closed after each test."""

from __future__ import annotations

import ipywidgets
import pytest

collect_ignore = ["conftest.py"]  # another file has this name, so neither is searched for doctests


@pytest.fixture(autouse=True)
def _cleared():
    """Close all widgets after the test, because ipywidgets keeps them until then."""
    yield
    ipywidgets.Widget.close_all()
