"""What all tests share: how hard Hypothesis looks, and the same examples on every run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from support.sizes import tried

collect_ignore = ["conftest.py", "data"]  # there is another of that name: neither is looked through for examples; saved work is no test

settings.register_profile(
    "same_every_time",
    derandomize=True,
    deadline=None,
    max_examples=tried(20, 300),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("same_every_time")
