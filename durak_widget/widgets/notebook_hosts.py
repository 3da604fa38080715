"""Adaptations to Shiny and marimo, which each need two things done differently."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def _is_shiny() -> bool:
    return "shinywidgets" in sys.modules and "shiny.reactive" in sys.modules


async def sent() -> None:
    """Send pending messages now; Shiny would hold them until the page's next message."""
    if _is_shiny():
        reactive: Any = sys.modules["shiny.reactive"]
        async with reactive.lock():
            await reactive.flush()


def height() -> str | None:
    """Return the CSS height of a widget for Shiny, which would otherwise make it 400 px high."""
    return "max-content" if _is_shiny() else None


def runs_again() -> bool:
    """Return whether the host reruns cells that read a widget when the page changes it.

    marimo does, and learns of no other change.
    """
    return "marimo" in sys.modules


def stacked(widgets: Iterable[Any]) -> Any:  # noqa: ANN401 - a thing of marimo's, which is not installed everywhere
    """Return a marimo column of several widgets: marimo knows no widget that holds others."""
    marimo: Any = sys.modules["marimo"]
    return marimo.vstack(list(widgets))
