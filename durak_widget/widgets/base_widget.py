"""The page's door: what every widget of ours does where Python and the page meet."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import anywidget
import traitlets
from ipywidgets import Layout  # type: ignore[import-untyped]

from durak_widget.errors import ENDINGS, DurakError, nearest, quoted, tellable
from durak_widget.widgets.notebook_hosts import height, runs_again

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_STATIC: Final = Path(__file__).parents[1] / "static"


class Built(str):
    """The text of a file of the front end, which knows what the file is called."""

    __slots__ = ("name",)
    name: str


def built(name: str) -> str | Path:
    """A file of the front end that has been built: its text; while it is being written (`ANYWIDGET_HMR=1`) its path, which is watched."""
    path = _STATIC / name
    if not path.is_file():
        raise DurakError(f"the front end is not built ({name} is missing): install the package with pip, or run make frontend")
    # anywidget keeps every widget whose file it watches for ever
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return path
    text = Built(path.read_text(encoding="utf-8"))
    text.name = name
    return text


def layout_of(layout: Layout | dict[str, str] | None) -> Layout | None:
    """How wide it is and the like, as every widget of ipywidgets takes it.

    >>> layout_of({"width": "400px"})
    Layout(width='400px')
    >>> layout_of({"widht": "400px"})
    Traceback (most recent call last):
    durak_widget.errors.DurakError: layout has no 'widht'. Did you mean 'width'?
    """
    if layout is None:
        return None
    if isinstance(layout, Layout):
        return layout
    if not isinstance(layout, dict):
        raise DurakError(f"layout={quoted(layout)}: layout takes a Layout of ipywidgets or a dict, such as {{'width': '400px'}}")
    known = ["border", *(name for name in Layout.class_trait_names(sync=True) if not name.startswith("_"))]
    for name, value in layout.items():
        if name not in known:
            raise DurakError(f"layout has no {quoted(name)}.{nearest(name, known)}")
        if not isinstance(value, str):
            raise DurakError(f"layout takes {name} as CSS writes it, such as '400px', not {quoted(value)}")
    return Layout(**layout)


class Door(anywidget.AnyWidget):
    """A widget whose page may change what is marked `page=True` and no more, and which answers every message."""

    _css = built("widget.css")
    kinds: ClassVar[Collection[str]] = ()
    """Every kind of message that it understands, besides those of `later`."""
    later: ClassVar[Mapping[str, str | Path]] = {}
    """What the page is given only when it asks for it, by the kind of its message."""
    sent: ClassVar[Mapping[str, str]] = {}
    """The names by which the page knows traits that have another here, where that is the name of the thing itself."""

    confirm = traitlets.Bool(False, read_only=True).tag(sync=True)
    """Whether the page says that it shows what it was told; see `runs_again`."""
    seen = traitlets.Int(0).tag(sync=True, told_back=True)
    """How often it has said so."""

    def __init__(self, layout: Layout | dict[str, str] | None = None) -> None:
        """Open the connection, with all that there is to see; `layout` is that of ipywidgets."""
        self.set_trait("confirm", runs_again())
        super().__init__(**({} if layout is None else {"layout": layout_of(layout)}))
        self.layout.height = self.layout.height or height()
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
            self.went_wrong(tellable(error))

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """What the page changes, where it may; of a wrong value the page is told what there is instead."""
        may = {**self.traits(page=True), **self.traits(told_back=True)}
        for name in may.keys() & sync_data.keys():
            try:
                super().set_state({name: sync_data[name]})
            except traitlets.TraitError:  # noqa: PERF203 - what else it changes is changed
                self.send_state(name)

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:  # noqa: ANN401, FBT001, FBT002 - as ipywidgets has it
        """What the page is told, by the names that it knows."""
        state: Mapping[str, Any] = super().get_state(key, drop_defaults)
        return {self.sent.get(name, name): value for name, value in state.items()}

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live page alone, as an output: where nothing is live, something else stands for it."""
        data, metadata = super()._repr_mimebundle_() or ({}, {})
        return {kind: one for kind, one in data.items() if not kind.startswith("text/")}, metadata
