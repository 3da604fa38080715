"""The page's door: what every widget of ours does where Python and the page meet."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import anywidget
import traitlets

from durak_widget.errors import ENDINGS, DurakError, told

if TYPE_CHECKING:
    from collections.abc import Mapping

_STATIC: Final = Path(__file__).parents[1] / "static"


def built(name: str) -> str | Path:
    """A file of the front end that has been built: its text; while it is being written (`ANYWIDGET_HMR=1`) its path, which is watched."""
    path = _STATIC / name
    if not path.is_file():
        raise DurakError(f"the front end is not built ({name} is missing): install the package with pip, or run make frontend")
    # anywidget keeps every widget whose file it watches for ever
    return path if os.environ.get("ANYWIDGET_HMR") == "1" else path.read_text(encoding="utf-8")


class Door(anywidget.AnyWidget):
    """A widget whose page may change what is marked `page=True` and no more, and which answers every message."""

    _css = built("widget.css")
    later: ClassVar[Mapping[str, str | Path]] = {}
    """What the page is given only when it asks for it, by the kind of its message."""

    def __init__(self) -> None:
        """Open the connection, with all that there is to see."""
        super().__init__()
        self.on_msg(self._hear)

    def hear(self, message: object) -> None:
        """Do what a message of the page says; whatever this raises is answered."""
        raise NotImplementedError  # each widget says it: traits and abstract classes have metaclasses that do not mix

    def went_wrong(self, error: Exception) -> None:
        """Answer a message that could not be followed."""
        raise NotImplementedError  # as above

    def _hear(self, _: object, message: object, __: object) -> None:
        kind = message.get("kind") if isinstance(message, dict) else None
        if isinstance(kind, str) and kind in self.later:
            code = self.later[kind]
            self.send({"kind": kind, "code": code if isinstance(code, str) else code.read_text(encoding="utf-8")})
            return
        try:
            self.hear(message)
        except ENDINGS as error:  # a bot or an exercise may be somebody else's code
            self.went_wrong(told(error))

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """What the page changes, where it may; of a wrong value the page is told what there is instead."""
        may = self.traits(page=True)
        for name in may.keys() & sync_data.keys():
            try:
                super().set_state({name: sync_data[name]})
            except traitlets.TraitError:  # noqa: PERF203 - what else it changes is changed
                self.send_state(name)

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live page alone, as an output: where nothing is live, something else stands for it."""
        data, metadata = super()._repr_mimebundle_() or ({}, {})
        return {kind: one for kind, one in data.items() if not kind.startswith("text/")}, metadata
