"""How many examples a test tries: a sample, or in `make test-release` all of them."""

from __future__ import annotations

import os

IN_RELEASE_RUN = os.environ.get("DURAK_TESTS") == "release"


def tried(sample: int, all_of_them: int) -> int:
    """Return how many examples this run tries."""
    return all_of_them if IN_RELEASE_RUN else sample
