"""The base class of every widget: the connection between Python and the page.

The page may change only traits tagged `page=True`, and every message gets an answer. A static picture with a
text description is stored with the notebook for places where nothing is live; the live page hides it. A base
class for widgets with few settings has the language and the theme.
"""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import anywidget
import traitlets
from ipywidgets import Layout  # type: ignore[import-untyped]

from durak_widget.errors import ENDINGS, DurakError, nearest, quoted, tellable
from durak_widget.widgets import user_defaults
from durak_widget.widgets.appearance_settings import Spoken, is_one_of
from durak_widget.widgets.notebook_hosts import height, runs_again

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_STATIC: Final = Path(__file__).parents[1] / "static"
LATER: Final = (
    "<style>@media screen{.durak-picture{max-height:0;overflow:hidden;animation:durak-picture 0s 2000ms forwards}}"
    "@keyframes durak-picture{to{max-height:none}}</style>"
)
"""CSS that shows the picture after two seconds: by then the live page has usually hidden it."""


class Built(str):
    """The text of a built front-end file, with the name of the file."""

    __slots__ = ("name",)
    name: str


def built(name: str) -> str | Path:
    """Return the text of a built front-end file.

    With `ANYWIDGET_HMR=1` return its path, which is then watched.
    """
    path = _STATIC / name
    if not path.is_file():
        raise DurakError(f"the front end is not built ({name} is missing): install the package with pip, or run make frontend")
    # anywidget never frees a widget whose file it watches
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return path
    text = Built(path.read_text(encoding="utf-8"))
    text.name = name
    return text


def layout_of(layout: Layout | dict[str, str] | None) -> Layout | None:
    """Return the ipywidgets layout (width and so on) that a `Layout` or a dict describes.

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
    """A widget that answers every message; the page may change only traits with `page=True`."""

    _css = built("widget.css")
    kinds: ClassVar[Collection[str]] = ()
    """Every kind of message that it understands, besides those of `later`."""
    later: ClassVar[Mapping[str, str | Path]] = {}
    """Front-end code that the page gets only on request, by the kind of the requesting message."""
    sent: ClassVar[Mapping[str, str]] = {}
    """Names that the page uses for traits that have another name in Python."""

    confirm = traitlets.Bool(False, read_only=True).tag(sync=True)
    """Whether the page confirms that it shows an update; see `runs_again`."""
    seen = traitlets.Int(0).tag(sync=True, told_back=True)
    """How often the page has confirmed this."""

    def __init__(self, layout: Layout | dict[str, str] | None = None) -> None:
        """Open the connection and send the whole state; `layout` is that of ipywidgets."""
        self.set_trait("confirm", runs_again())
        super().__init__(**({} if layout is None else {"layout": layout_of(layout)}))
        self.layout.height = self.layout.height or height()
        self.on_msg(self._hear)

    def hear(self, message: object) -> None:
        """Handle a message from the page; any error is passed to `went_wrong`."""
        raise NotImplementedError  # not abstract: traits and abstract classes have metaclasses that do not mix

    def went_wrong(self, error: Exception) -> None:
        """Answer a message that could not be handled."""
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
        """Apply changes from the page that are allowed; answer a wrong value with the current one."""
        allowed = {**self.traits(page=True), **self.traits(told_back=True)}
        for name in allowed.keys() & sync_data.keys():
            try:
                super().set_state({name: sync_data[name]})
            except traitlets.TraitError:  # noqa: PERF203 - what else it changes is changed
                self.send_state(name)

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:  # noqa: ANN401, FBT001, FBT002 - as ipywidgets has it
        """Return the state by the names that the page uses."""
        state: Mapping[str, Any] = super().get_state(key, drop_defaults)
        return {self.sent.get(name, name): value for name, value in state.items()}

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return only the live page as an output, without its static replacement."""
        data, metadata = super()._repr_mimebundle_() or ({}, {})
        return {kind: content for kind, content in data.items() if not kind.startswith("text/")}, metadata


class Pictured(Door):
    """A widget that stores a picture, for a reopened notebook, for GitHub and for print."""

    def _still(self) -> dict[str, str]:
        """Return the static replacement as a notebook output; see `standing_for`."""
        raise NotImplementedError  # not abstract: traits and abstract classes have metaclasses that do not mix

    def _repr_mimebundle_(self, **kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live page together with its static replacement."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, **self._still()}, metadata

    def _ipython_display_(self) -> None:
        """Display the static replacement, then the live page unless it is closed.

        They are two outputs, so that a reopened notebook shows the first.
        """
        from IPython.display import display  # noqa: PLC0415 - there wherever this is called

        display(self._still(), raw=True)  # type: ignore[no-untyped-call]
        if self.comm is not None:  # not closed
            data, metadata = self.live()
            display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]


def standing_for(picture: str, note: str, text: str) -> dict[str, str]:
    """Return a bundle of a text and a picture with a note; the live page hides the picture."""
    return {"text/html": f'<div class="durak-picture">{LATER}{picture}<p>{escape(note)}</p></div>', "text/plain": text}


class Dressed(traitlets.HasTraits):
    """A mixin with the settings `language` and `theme`.

    The values chosen with `defaults` apply where none are given.
    """

    wears: ClassVar[tuple[str, ...]] = ("language", "theme")
    """The names of the settings."""
    language = Spoken(help="The language that it speaks.").tag(sync=True, page=True)
    theme = traitlets.Enum(("auto", "light", "dark", "contrast"), "auto", help="The colours of the room.").tag(sync=True, page=True)

    def _dress(self, look: Mapping[str, object], *takes: str) -> None:
        """Apply settings; refuse an unknown one.

        The error also lists the other options in `takes`.
        """
        known = [*takes, *self.wears]
        for name, value in {**{name: value for name, value in user_defaults.chosen().items() if name in self.wears}, **look}.items():
            if name not in self.wears:
                raise DurakError(f"{type(self).__name__} has no option {name!r}.{nearest(name, known)} It has {', '.join(known)}")
            setting = self.traits()[name]
            if not (isinstance(setting, traitlets.Enum) and is_one_of(setting, value)):
                raise DurakError(f"{name}={quoted(value)}: {name} takes {', '.join(map(repr, getattr(setting, 'values', ())))}")
            setattr(self, name, value)
