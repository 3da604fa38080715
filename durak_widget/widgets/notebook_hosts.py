"""Adaptations to Shiny and marimo, which differ from Jupyter in some ways."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def _is_shiny() -> bool:
    return "shinywidgets" in sys.modules and "shiny.reactive" in sys.modules


async def flush_messages() -> None:
    """Send pending messages now, because Shiny keeps them until the page's next message."""
    if _is_shiny():
        reactive: Any = sys.modules["shiny.reactive"]
        async with reactive.lock():
            await reactive.flush()


def get_widget_height() -> str | None:
    """Return the CSS height that a widget needs in Shiny, where the default is 400 px."""
    return "max-content" if _is_shiny() else None


def reruns_dependent_cells() -> bool:
    """Return whether the notebook reruns cells that read a widget when the widget changes.

    marimo does, and learns of no other change.
    """
    return "marimo" in sys.modules


def stack_widgets(widgets: Iterable[Any]) -> Any:  # noqa: ANN401 - a thing of marimo's, which is not installed everywhere
    """Return several widgets as a marimo column, because marimo can't show container widgets."""
    marimo: Any = sys.modules["marimo"]
    return marimo.vstack(list(widgets))
