"""What the tests of the classroom share: what was judged in one of them is not known to the next, nor to whoever runs them."""

from __future__ import annotations

import pytest

collect_ignore = ["conftest.py"]  # there is another of that name: neither is looked through for examples


@pytest.fixture(autouse=True)
def _nothing_judged_before(tmp_path_factory, monkeypatch):
    """An empty folder for what is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("kept")))
