"""The start of Python on the page: once before a memory snapshot, and at each visit."""

from __future__ import annotations

import gc
import random
import tempfile
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.web import anywidget_shim
from durak_widget.web.message_channel import WIRE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

KEPT: Final = Path("/kept")
"""The folder that the browser stores between visits, as Python sees it."""


def warm() -> None:
    """Import all that a table needs and play one game, before the memory snapshot is taken.

    This also fills the caches of which card beats which with each trump, and of the texts of each language.
    """
    anywidget_shim.begin()
    from durak_widget.cards import SUIT_MASKS  # noqa: PLC0415 - as above
    from durak_widget.engine.compiled_rules import kit_of  # noqa: PLC0415 - what stands in for a notebook comes first
    from durak_widget.i18n import LANGUAGES, screen  # noqa: PLC0415 - as above
    from durak_widget.web.table_page import Visit  # noqa: PLC0415 - as above

    with tempfile.TemporaryDirectory() as folder:
        visit = Visit(Path(folder))
        visit.hear({"kind": "begin", "files": {}, "seed": 1})
        table = visit.table
        assert table is not None  # noqa: S101 - it has begun
        while table.game.outcome is None:
            if not table.step():
                table.play(table.game.legal_moves()[0])
        table.hint()
        table.close()
        visit.end()
        for suit in range(len(SUIT_MASKS)):
            kit_of(table.game.rules).beating(suit)
    for code in LANGUAGES:
        screen(code)
    WIRE.clear()
    gc.collect()


def begin(post: Callable[[str, Any], object], keep: Callable[[str], object], what: str = "table") -> Callable[[str, Sequence[Any]], None]:
    """Start a visit to a table or a `board`; return the receiver of the page's messages.

    The random state of the snapshot is replaced.
    """
    random.seed()
    anywidget_shim.begin()
    if what == "board":
        from durak_widget.web.blackboard_page import BoardVisit  # noqa: PLC0415 - nothing of it is in the memory

        BoardVisit()
    else:
        from durak_widget.web.table_page import Visit  # noqa: PLC0415 - as above

        Visit(KEPT)
    WIRE.connect(lambda text, buffers: post(text, _to_page(buffers)), keep)
    return _hear


def _hear(text: str, buffers: Sequence[Any]) -> None:
    """Handle a message; print any error, so that the next message is still handled."""
    try:
        WIRE.hear(text, [buffer.to_bytes() for buffer in buffers])
    except Exception:  # noqa: BLE001 - as a notebook has it
        traceback.print_exc()


def _to_page(buffers: list[bytes]) -> Any:  # noqa: ANN401 - JavaScript's own
    if not buffers:
        return None
    from pyodide.ffi import to_js  # type: ignore[import-not-found]  # noqa: PLC0415 - there wherever there are buffers to send

    return to_js(buffers)
