"""Replacements for anywidget and ipywidgets on a web page without a notebook.

They implement as much of both as our widgets use, with the same behaviour.
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from itertools import count
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Final

import traitlets

from durak_widget.web.message_channel import WIRE, taken_out

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    Callback = Callable[[Any, Any, list[bytes]], object]

_NUMBERS: Final = count()


class Extent(traitlets.HasTraits):
    """Replaces `ipywidgets.Layout`: the requested size. On the page a widget fills the page."""

    width = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    min_width = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    max_width = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    height = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    margin = traitlets.Unicode(None, allow_none=True).tag(sync=True)


class Holder(traitlets.HasTraits):
    """Replaces boxes and HTML widgets: the page places each child itself, so nothing is shown."""

    value = traitlets.Unicode("")
    children = traitlets.Tuple()
    layout = traitlets.Any()

    def __init__(self, given: object = (), **more: Any) -> None:  # noqa: ANN401 - traits, as they are
        """Create it from children or from a text, as ipywidgets does."""
        super().__init__(**{"value" if isinstance(given, str) else "children": given}, **more)

    def close(self) -> None:
        """Do nothing: nothing is shown."""


class AnyWidget(traitlets.HasTraits):
    """Replaces `anywidget.AnyWidget`: traits tagged `sync` are shared with the page.

    A change is sent before any observer in Python is called, and a change from the page is not sent back. Private names are those that
    ipywidgets has, which our widgets do not use.
    """

    _esm: ClassVar[Any] = ""
    _css: ClassVar[Any] = ""
    comm: object | None = None
    """The connection to the page; None before it is open and after it is closed."""
    keys: Sequence[str] = ()
    """The traits that the page sees."""
    _property_lock: Mapping[str, Any] = MappingProxyType({})
    _states_to_send: set[str] | None = None

    def __init__(self, *, layout: Extent | None = None, **more: Any) -> None:  # noqa: ANN401 - traits, as they are
        """Open the widget on the page and send its whole state."""
        self.layout = layout or Extent()
        self._msg_callbacks: list[Callback] = []
        super().__init__(**more)
        self.keys = list(self.traits(sync=True))
        self.model_id = str(next(_NUMBERS))
        WIRE.listen(self.model_id, self._handle_msg)
        WIRE.tell({"kind": "open", "id": self.model_id, "code": str(getattr(self._esm, "name", "")), "state": self.get_state()})
        self.comm = self

    def get_state(self, key: str | Iterable[str] | None = None, drop_defaults: bool = False) -> dict[str, Any]:  # noqa: ARG002, FBT001, FBT002 - as ipywidgets has it
        """Return the state that the page sees: all of it, or the named traits."""
        names = self.keys if key is None else [key] if isinstance(key, str) else key
        return {name: getattr(self, name) for name in names}

    def send_state(self, key: str | Iterable[str] | None = None) -> None:
        """Send the current state to the page."""
        if self.comm is not None and (state := self.get_state(key)):
            WIRE.tell({"kind": "update", "id": self.model_id, "state": state})

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Apply a change from the page."""
        self._property_lock = sync_data
        try:
            with self.hold_trait_notifications():
                for name, value in sync_data.items():
                    if name in self.keys:
                        self.set_trait(name, value)
        finally:
            self._property_lock = {}

    @contextmanager
    def hold_sync(self) -> Iterator[None]:
        """Collect all changes made meanwhile and send them together at the end."""
        if self._states_to_send is not None:
            yield
            return
        self._states_to_send = set()
        try:
            yield
        finally:
            changed, self._states_to_send = self._states_to_send, None
            self.send_state([name for name in self.keys if name in changed])

    def notify_change(self, change: Any) -> None:  # noqa: ANN401 - as traitlets has it
        """Send a change to the page first, unless it came from there."""
        name = change["name"]
        if self.comm is not None and name in self.keys and not self._is_known(name):
            if self._states_to_send is None:
                self.send_state(name)
            else:
                self._states_to_send.add(name)
        super().notify_change(change)

    def _is_known(self, name: str) -> bool:
        return name in self._property_lock and _as_told(getattr(self, name)) == _as_told(self._property_lock[name])

    def on_msg(self, callback: Callback, *, remove: bool = False) -> None:
        """Call `callback` with each message that the page sends."""
        if remove:
            self._msg_callbacks.remove(callback)
        elif callback not in self._msg_callbacks:
            self._msg_callbacks.append(callback)

    def send(self, content: object, buffers: Collection[bytes] | None = None) -> None:
        """Send a message to the page."""
        if self.comm is not None:
            WIRE.tell({"kind": "custom", "id": self.model_id, "content": content, "buffers": list(buffers or ())})

    def _handle_msg(self, message: dict[str, Any]) -> None:
        match message:
            case {"kind": "update", "state": dict(state)}:
                self.set_state(state)
            case {"kind": "custom", "content": content}:
                for callback in tuple(self._msg_callbacks):
                    callback(self, content, message.get("buffers", []))

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"text/plain": repr(self)}, {}

    def close(self) -> None:
        """Remove the widget from the page; nothing is sent or received any more."""
        if self.comm is not None:
            self.comm = None
            WIRE.forget(self.model_id)
            WIRE.tell({"kind": "close", "id": self.model_id})


def _as_told(value: object) -> object:
    plain, _, buffers = taken_out({"value": value})
    return json.dumps(plain), buffers


def begin() -> None:
    """Make `import anywidget` and `import ipywidgets` find the replacements.

    Modules that have been imported already stay.
    """
    replacements: dict[str, dict[str, type]] = {
        "anywidget": {"AnyWidget": AnyWidget},
        "ipywidgets": {"Layout": Extent, "Box": Holder, "HTML": Holder},
    }
    for name, classes in replacements.items():
        module = ModuleType(name, "Stands in where there is no notebook.")
        vars(module).update(classes)
        sys.modules.setdefault(name, module)
