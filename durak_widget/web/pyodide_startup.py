"""Prepares a memory snapshot of Python in the browser, and starts pages from the snapshot."""

from __future__ import annotations

import gc
import random
import tempfile
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.web import anywidget_shim
from durak_widget.web.message_channel import CHANNEL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

STORAGE_FOLDER: Final = Path("/kept")
"""The path, in Python, of the folder that the browser stores between visits."""


def preload() -> None:
    """Import all modules that a table needs and play a game, to prepare the memory snapshot.

    This also fills the caches of which card beats which with each trump, and of the texts of each language.
    """
    anywidget_shim.install_shims()
    from durak_widget.cards import SUIT_MASKS  # noqa: PLC0415 - as above
    from durak_widget.engine.compiled_rules import compile_rules  # noqa: PLC0415 - what stands in for a notebook comes first
    from durak_widget.i18n import LANGUAGES, get_front_end_texts  # noqa: PLC0415 - as above
    from durak_widget.web.table_page import TableVisit  # noqa: PLC0415 - as above

    with tempfile.TemporaryDirectory() as folder:
        visit = TableVisit(Path(folder))
        visit.handle_message({"kind": "begin", "files": {}, "seed": 1})
        table = visit.table
        assert table is not None  # noqa: S101 - it has begun
        while table.game.outcome is None:
            if not table.step():
                table.play(table.game.legal_moves()[0])
        table.hint()
        table.close()
        visit.close()
        for suit in range(len(SUIT_MASKS)):
            compile_rules(table.game.rules).get_beating_tables(suit)
    for code in LANGUAGES:
        get_front_end_texts(code)
    CHANNEL.clear()
    gc.collect()


def start_page(
    post: Callable[[str, Any], object], store: Callable[[str], object], page_kind: str = "table"
) -> Callable[[str, Sequence[Any]], bool]:
    """Start a visit to the table page, the board page or the learn page.

    Return the function that receives the page's messages.

    The random state of the snapshot is replaced.
    """
    random.seed()
    anywidget_shim.install_shims()
    if page_kind == "board":
        from durak_widget.web.blackboard_page import BoardVisit  # noqa: PLC0415 - nothing of it is in the memory

        BoardVisit()
    elif page_kind == "learn":
        from durak_widget.web.learn_page import LearnVisit  # noqa: PLC0415 - as above

        LearnVisit(STORAGE_FOLDER)
    else:
        from durak_widget.web.table_page import TableVisit  # noqa: PLC0415 - as above

        TableVisit(STORAGE_FOLDER)
    CHANNEL.connect(lambda text, buffers: post(text, _to_js_buffers(buffers)), store)
    return _receive_from_page


def _receive_from_page(text: str, buffers: Sequence[Any]) -> bool:
    """Handle a message from the web page, and return whether that worked; print any error.

    The first message can fail because the page loads the standard library only after it. Then the page sends it again.
    """
    try:
        CHANNEL.receive(text, [buffer.to_bytes() for buffer in buffers])
    except Exception as error:  # noqa: BLE001 - as a notebook has it
        try:
            traceback.print_exc()
        except Exception:  # noqa: BLE001 - the source lines are in the library too
            print(repr(error))  # noqa: T201 - for the console of the browser
        return False
    return True


def _to_js_buffers(buffers: list[bytes]) -> Any:  # noqa: ANN401 - JavaScript's own
    if not buffers:
        return None
    from pyodide.ffi import to_js  # type: ignore[import-not-found]  # noqa: PLC0415 - there wherever there are buffers to send

    return to_js(buffers)
