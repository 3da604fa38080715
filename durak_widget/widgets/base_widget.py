"""Defines the base classes of all widgets, which connect Python with the front end.

The page may change only traits with the tag `page=True`, and every message gets an answer. A widget can store a static picture with a text
description in the notebook, for places where widgets do not run. The live widget hides this picture. The mixin class adds the settings for
language and theme.
"""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import anywidget
import traitlets
from ipywidgets import Layout  # type: ignore[import-untyped]

from durak_widget.errors import USER_CODE_EXCEPTIONS, DurakError, short_repr, suggest_nearest, to_reportable_error
from durak_widget.widgets import user_defaults
from durak_widget.widgets.appearance_settings import LanguageTrait, is_valid_choice
from durak_widget.widgets.notebook_hosts import get_widget_height, reruns_dependent_cells

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_STATIC: Final = Path(__file__).parents[1] / "static"
PICTURE_DELAY_CSS: Final = (
    "<style>@media screen{.durak-picture{max-height:0;overflow:hidden;animation:durak-picture 0s 2000ms forwards}}"
    "@keyframes durak-picture{to{max-height:none}}</style>"
)
"""The CSS that shows a widget's static picture after a delay of two seconds; by then the live widget has usually hidden the picture."""


class FrontEndFile(str):
    """The text of a built front-end file; its attribute `name` is the name of the file."""

    __slots__ = ("name",)
    name: str


def load_front_end_file(name: str) -> str | Path:
    """Return the text of a built front-end file (JavaScript or CSS).

    With the environment variable `ANYWIDGET_HMR=1`, return the path, so that anywidget reloads the file when it changes.
    """
    path = _STATIC / name
    if not path.is_file():
        raise DurakError(f"the front end is not built ({name} is missing); install the package with pip, or run make frontend")
    # The function usually returns the file's text: if it got a path, anywidget would keep every widget in memory for ever.
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return path
    text = FrontEndFile(path.read_text(encoding="utf-8"))
    text.name = name
    return text


def to_layout(layout: Layout | dict[str, str] | None) -> Layout | None:
    """Convert a dict to an ipywidgets `Layout` (width, height and so on).

    A `Layout` and None are returned unchanged.

    >>> to_layout({"width": "400px"})
    Layout(width='400px')
    >>> to_layout({"widht": "400px"})
    Traceback (most recent call last):
    durak_widget.errors.DurakError: layout has no 'widht'. Did you mean 'width'?
    """
    if layout is None:
        return None
    if isinstance(layout, Layout):
        return layout
    if not isinstance(layout, dict):
        raise DurakError(f"layout must be a Layout of ipywidgets or a dict, such as {{'width': '400px'}}, not {short_repr(layout)}")
    known_names = ["border", *(name for name in Layout.class_trait_names(sync=True) if not name.startswith("_"))]
    for name, value in layout.items():
        if name not in known_names:
            raise DurakError(f"layout has no {short_repr(name)}.{suggest_nearest(name, known_names)}")
        if not isinstance(value, str):
            raise DurakError(f"{name} of the layout must be a CSS value, such as '400px', not {short_repr(value)}")
    return Layout(**layout)


class BaseWidget(anywidget.AnyWidget):
    """The base class of all widgets: it replies to every message from the front end.

    The page can change only traits with the tag `page=True`.
    """

    _css = load_front_end_file("widget.css")
    message_kinds: ClassVar[Collection[str]] = ()
    """The kinds of messages that the widget accepts in addition to those in `on_demand_files`."""
    on_demand_files: ClassVar[Mapping[str, str | Path]] = {}
    """The front-end files that are sent only on request, by the kind of the message that requests them."""

    confirm = traitlets.Bool(False, read_only=True).tag(sync=True)
    """True if the front end must confirm that it has displayed an update; see `reruns_dependent_cells`."""
    confirmed_updates = traitlets.Int(0).tag(sync=True, from_page=True)
    """How many of the widget's updates the front end has confirmed."""

    def __init__(self, layout: Layout | dict[str, str] | None = None) -> None:
        """Connect the widget with the front end, and send its state; `layout` is as in ipywidgets."""
        self.set_trait("confirm", reruns_dependent_cells())
        super().__init__(**({} if layout is None else {"layout": to_layout(layout)}))
        self.layout.height = self.layout.height or get_widget_height()
        self.on_msg(self._receive_message)

    def handle_message(self, message: object) -> None:
        """Handle a message from the front end; an error goes to `report_error`."""
        raise NotImplementedError  # An abstract class is impossible here, because its metaclass conflicts with that of traits.

    def report_error(self, error: Exception) -> None:
        """Tell the front end that a message from it has caused an error."""
        raise NotImplementedError

    def _receive_message(self, _: object, message: object, __: object) -> None:
        kind = message.get("kind") if isinstance(message, dict) else None
        if isinstance(kind, str) and kind in self.on_demand_files:
            code = self.on_demand_files[kind]
            self.send({"kind": kind, "code": code if isinstance(code, str) else code.read_text(encoding="utf-8")})
            return
        try:
            self.handle_message(message)
        except USER_CODE_EXCEPTIONS as error:  # Bots and exercises can be user-written code, which can raise any exception.
            self.report_error(to_reportable_error(error))

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Apply changes of traits from the front end; answer an invalid value with the old value."""
        allowed = {**self.traits(page=True), **self.traits(from_page=True)}
        for name in allowed.keys() & sync_data.keys():
            try:
                super().set_state({name: sync_data[name]})
            except traitlets.TraitError:  # noqa: PERF203 - what else it changes is changed
                self.send_state(name)

    def build_live_bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the notebook output of the live widget, without its static picture."""
        data, metadata = super()._repr_mimebundle_() or ({}, {})
        return {kind: content for kind, content in data.items() if not kind.startswith("text/")}, metadata


class StaticPictureWidget(BaseWidget):
    """A widget with a static picture, which closed notebooks, GitHub and printouts show."""

    def _build_static_bundle(self) -> dict[str, str]:
        """Return the widget's static picture as notebook output; see `build_picture_bundle`."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return a notebook output with both the live widget and the static picture."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, **self._build_static_bundle()}, metadata

    def _ipython_display_(self) -> None:
        """Display the static picture and, unless the widget is closed, the live widget.

        They are two separate outputs, so that a reopened notebook can show the picture.
        """
        from IPython.display import display  # noqa: PLC0415 - there wherever this is called

        display(self._build_static_bundle(), raw=True)  # type: ignore[no-untyped-call]
        if self.comm is not None:  # After the widget is closed, its connection `comm` is None.
            data, metadata = self.build_live_bundle()
            display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]


def build_picture_bundle(picture: str, note: str, text: str) -> dict[str, str]:
    """Build the notebook output for a static picture, with a note above it and a plain text.

    A live widget on the same page hides the picture and the note.
    """
    return {"text/html": f'<div class="durak-picture">{PICTURE_DELAY_CSS}<p>▶ {escape(note)}</p>{picture}</div>', "text/plain": text}


class LanguageThemeMixin(traitlets.HasTraits):
    """A mixin class that gives a widget the settings `language` and `theme`.

    Without a value for a setting, the widget uses the user's default (see `defaults`).
    """

    setting_names: ClassVar[tuple[str, ...]] = ("language", "theme")
    """The names of the widget's settings."""
    language = LanguageTrait(help="The language of the widget.").tag(sync=True, page=True)
    theme = traitlets.Enum(("auto", "light", "dark", "contrast"), "auto", help="The colours of the widget.").tag(sync=True, page=True)

    def _apply_settings(self, values: Mapping[str, object], *other_options: str) -> None:
        """Set some of the widget's settings.

        Raise an error for an unknown setting or an invalid value. `other_options` are the widget's other options, which the error message
        lists too.
        """
        option_names = [*other_options, *self.setting_names]
        for name, value in {
            **{name: value for name, value in user_defaults.get_defaults().items() if name in self.setting_names},
            **values,
        }.items():
            if name not in self.setting_names:
                raise DurakError(
                    f"{type(self).__name__.removesuffix('Widget')} has no option {name!r}.{suggest_nearest(name, option_names)} Its options are {', '.join(option_names)}"
                )
            setting = self.traits()[name]
            if not (isinstance(setting, traitlets.Enum) and is_valid_choice(setting, value)):
                raise DurakError(f"{name} must be one of {', '.join(map(repr, getattr(setting, 'values', ())))}, not {short_repr(value)}")
            setattr(self, name, value)
