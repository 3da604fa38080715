"""What all tests share: how hard Hypothesis looks, and the same examples on every run."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

collect_ignore = ["conftest.py"]  # there is another of that name: neither is looked through for examples

settings.register_profile(
    "same_every_time",
    derandomize=True,
    deadline=None,
    max_examples=300 if os.environ.get("DURAK_LONG") else 50,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("same_every_time")
