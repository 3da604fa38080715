"""The options `--jobs` and `--dask` of the commands."""

from __future__ import annotations

import contextlib
from importlib import import_module
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator


def add_worker_options(parser: ArgumentParser, default: str = "0") -> None:
    """Add `--jobs` and `--dask` to a command, for `open_executor`; the help shows `default`."""
    parser.add_argument("--jobs", type=int, metavar="N", help=f"how many processes do the work ({default}); 0: only this one")
    parser.add_argument("--dask", metavar="ADDRESS", help="the workers of a Dask cluster do it, for example tcp://127.0.0.1:8786")


@contextlib.contextmanager
def open_executor(jobs: int | None, dask: str | None) -> Iterator[object]:
    """Give what `--jobs` or `--dask` names, as a `WorkerPool` takes it."""
    if dask is None:
        yield jobs
        return
    if jobs is not None:
        raise DurakError(f"give --jobs {jobs} or --dask {dask}, not both")
    try:
        client = import_module("distributed").Client(dask, timeout=10, set_as_default=False)
    except ImportError:
        raise DurakError("--dask needs Dask: pip install 'durak_widget[arena]'") from None
    except (OSError, ValueError) as error:
        raise DurakError(f"no Dask scheduler answers at {dask!r} ({error}); check the address, for example tcp://127.0.0.1:8786") from error
    with client:
        yield client
