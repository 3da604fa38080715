"""A cluster of Dask on this machine, small and without a dashboard, for the tests that need one."""

from __future__ import annotations

import warnings
from contextlib import contextmanager

import pytest


@contextmanager
def small_cluster(workers=2, **settings):
    """So many workers, processes of one thread each, with these settings of Dask; whoever asks is skipped where Dask is not installed."""
    distributed = pytest.importorskip("distributed")
    import dask  # noqa: PLC0415 - it comes with distributed

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # sockets of distributed's own
        with dask.config.set(settings), distributed.LocalCluster(workers, threads_per_worker=1, dashboard_address=":0") as one:
            yield one
