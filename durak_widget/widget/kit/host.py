"""Who shows the page, where that is not Jupyter: Shiny wants two things otherwise."""

from __future__ import annotations

import sys
from typing import Any


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
