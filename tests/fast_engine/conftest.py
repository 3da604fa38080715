"""What the tests of the kernel share: the host that works at the beginning of a test works at its end, so that nothing is compared with itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from durak_widget import fast_engine

if TYPE_CHECKING:
    from collections.abc import Iterator

collect_ignore = ["conftest.py"]  # there are others of that name


@pytest.fixture(autouse=True)
def _the_host_is_still_there() -> Iterator[None]:
    """Where it fails in use, all goes the plain way without a word, and would be equal to the plain way."""
    works = fast_engine.describe_host()
    yield
    assert fast_engine.describe_host() == works
