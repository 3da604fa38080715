"""Check around every test that the WebAssembly host still works, so that the Python engine is not compared with itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from durak_widget import fast_engine

if TYPE_CHECKING:
    from collections.abc import Iterator

collect_ignore = ["conftest.py"]  # there are others of that name


@pytest.fixture(autouse=True)
def _host_still_works() -> Iterator[None]:
    """If the host fails during a test, results come silently from Python and would be equal."""
    works = fast_engine.describe_host()
    yield
    assert fast_engine.describe_host() == works
