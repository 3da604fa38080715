"""What a command is told of who does its work: `--jobs N` processes of this package's own, or `--dask ADDRESS`, the workers of a cluster."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError
from durak_widget.work.clusters import connected

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator


def about_workers(parser: ArgumentParser, usual: str = "0") -> None:
    """Let a command be told who works; `usual` is said of what happens otherwise.

    >>> from argparse import ArgumentParser
    >>> parser = ArgumentParser()
    >>> about_workers(parser)
    >>> parser.parse_args(["--jobs", "2"])
    Namespace(jobs=2, dask=None)
    """
    parser.add_argument("--jobs", type=int, metavar="N", help=f"in how many processes ({usual}); 0: in this one")
    parser.add_argument("--dask", metavar="ADDRESS", help="by the workers of a Dask cluster, as in tcp://127.0.0.1:8786")


@contextmanager
def asked_executor(jobs: int | None, dask: str | None) -> Iterator[object]:
    """Who works, as `share` takes it, until the command is over.

    >>> with asked_executor(2, None) as executor:
    ...     executor
    2
    """
    if dask is None:
        yield jobs
        return
    if jobs is not None:
        raise DurakError(f"--jobs {jobs} and --dask {dask} are two answers to who works; say one of them")
    with connected(dask) as client:
        yield client
