"""The front end that has been built: one file for each widget, and the style of all."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from durak_widget.errors import DurakError

_STATIC: Final = Path(__file__).parents[1] / "static"


def built(name: str) -> Path:
    """A file of the bundle."""
    path = _STATIC / name
    if not path.is_file():
        raise DurakError(f"the front end is not built ({name} is missing): install the package with pip, or run make frontend")
    return path
