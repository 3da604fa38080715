"""What these tests share: widgets are cleared after each."""

from __future__ import annotations

import ipywidgets
import pytest

collect_ignore = ["conftest.py"]  # there is another of that name: neither is looked through for examples


@pytest.fixture(autouse=True)
def _cleared():
    """Widgets are kept by ipywidgets until they are closed."""
    yield
    ipywidgets.Widget.close_all()
