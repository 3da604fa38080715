"""Shared settings of all tests: how many examples Hypothesis tries, always the same ones."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from support.sizes import tried

collect_ignore = ["conftest.py", "data"]  # other files have this name, so none is searched for doctests; saved work is not a test

settings.register_profile(
    "same_every_time",
    derandomize=True,
    deadline=None,
    max_examples=tried(20, 300),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("same_every_time")
