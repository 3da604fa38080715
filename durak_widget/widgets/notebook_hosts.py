"""Who shows the page, where that is not Jupyter: Shiny and marimo each want two things otherwise."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def _is_shiny() -> bool:
    return "shinywidgets" in sys.modules and "shiny.reactive" in sys.modules


async def sent() -> None:
    """What the page was told by itself, not in answer to its own message, is on its way. Shiny would keep it until the page says something again."""
    if _is_shiny():
        reactive: Any = sys.modules["shiny.reactive"]
        async with reactive.lock():
            await reactive.flush()


def height() -> str | None:
    """How high a widget is asked to be: as high as it is. Where nothing is asked, Shiny stretches or cuts it to 400 pixels, as it does a plot."""
    return "max-content" if _is_shiny() else None


def runs_again() -> bool:
    """Whether cells run again when the page changes something of a widget that they read, and then alone: marimo hears nothing else."""
    return "marimo" in sys.modules


def stacked(widgets: Iterable[Any]) -> Any:  # noqa: ANN401 - a thing of marimo's, which is not installed everywhere
    """What marimo shows for several widgets, one below the other: it knows none that holds others."""
    marimo: Any = sys.modules["marimo"]
    return marimo.vstack(list(widgets))
