"""A small Dask cluster on this machine without a dashboard, for tests."""

from __future__ import annotations

import warnings
from contextlib import contextmanager

import pytest


@contextmanager
def small_cluster(workers=2, **settings):
    """Yield a cluster of single-threaded worker processes with these Dask settings. Without Dask the test is skipped."""
    distributed = pytest.importorskip("distributed")
    import dask  # noqa: PLC0415 - it comes with distributed

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # sockets of distributed's own
        with dask.config.set(settings), distributed.LocalCluster(workers, threads_per_worker=1, dashboard_address=":0") as cluster:
            yield cluster
