"""What numpy and scipy are needed for, and what to do where they are missing."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Iterator


class MissingError(DurakError, ImportError):
    """Something was asked for that needs a package that is not installed.

    >>> with needing_numbers():
    ...     raise ImportError(name="scipy")
    Traceback (most recent call last):
    durak_widget.theory.needed.MissingError: this needs numpy and scipy: pip install 'durak_widget[theory]'. Without them there are ...
    """


@contextmanager
def needing_numbers() -> Iterator[None]:
    """What is imported in here may need numpy and scipy; where they are missing, one sentence says what to do."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"numpy", "scipy"}:
            raise
        raise MissingError(
            "this needs numpy and scipy: pip install 'durak_widget[theory]'. Without them there are worlds, endings, trees, best responses, "
            "certificates, and solve(tree, 'backward') and solve(tree, 'sampling')"
        ) from error
