"""Handles the differences between Jupyter and two other widget hosts, Shiny and marimo."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def _is_shiny() -> bool:
    """Return whether this Python process runs Shiny."""
    return "shinywidgets" in sys.modules and "shiny.reactive" in sys.modules


async def flush_messages() -> None:
    """Send waiting messages to the front end at once, because Shiny would send them too late."""
    if _is_shiny():
        reactive: Any = sys.modules["shiny.reactive"]
        async with reactive.lock():
            await reactive.flush()


def get_widget_height() -> str | None:
    """Return the CSS height that a widget needs in Shiny; None outside Shiny."""
    return "max-content" if _is_shiny() else None


def reruns_dependent_cells() -> bool:
    """Return whether a change of a widget makes the notebook rerun cells that read the widget.

    marimo does so, but only after a change that the front end reports.
    """
    return "marimo" in sys.modules


def stack_widgets(widgets: Iterable[Any]) -> Any:  # noqa: ANN401 - a thing of marimo's, which is not installed everywhere
    """Put widgets below each other for marimo, which can't display ipywidgets containers."""
    marimo: Any = sys.modules["marimo"]
    return marimo.vstack(list(widgets))
