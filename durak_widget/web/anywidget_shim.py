"""Replaces anywidget and ipywidgets on a web page that has no notebook.

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

from durak_widget.web.message_channel import extract_buffers, get_channel

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    MessageCallback = Callable[[Any, Any, list[bytes]], object]

_MODEL_NUMBERS: Final = count()
_WAITING_WIDGETS: Final[list[list[AnyWidget]]] = []
"""For each open `with open_later()` block: the widgets that were created in it."""


class LayoutShim(traitlets.HasTraits):
    """Replaces `ipywidgets.Layout`: it stores sizes, but the web page ignores them."""

    width = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    min_width = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    max_width = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    height = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    margin = traitlets.Unicode(None, allow_none=True).tag(sync=True)


class ContainerShim(traitlets.HasTraits):
    """A replacement for the ipywidgets containers; a web page does not display it.

    Nothing displays a container, because the web page places its children.
    """

    value = traitlets.Unicode("")
    children = traitlets.Tuple()
    layout = traitlets.Any()

    def __init__(self, content: object = (), **more: Any) -> None:  # noqa: ANN401 - traits, as they are
        """Create a container from child widgets or a text, as ipywidgets does."""
        super().__init__(**{"value" if isinstance(content, str) else "children": content}, **more)

    def close(self) -> None:
        """Do nothing, because no web page displays the container."""


class AnyWidget(traitlets.HasTraits):
    """Replaces `anywidget.AnyWidget`: it synchronizes all `sync` traits with the web page.

    A change is sent before any observer in Python is called, and a change from the page is not sent back. Private names are those that
    ipywidgets has, which our widgets do not use.
    """

    _esm: ClassVar[Any] = ""
    _css: ClassVar[Any] = ""
    comm: object | None = None
    """The connection to the web page; None before it is opened and after it is closed."""
    keys: Sequence[str] = ()
    """The names of the traits that are synchronized with the web page."""
    _property_lock: Mapping[str, Any] = MappingProxyType({})
    _states_to_send: set[str] | None = None

    def __init__(self, *, layout: LayoutShim | None = None, **more: Any) -> None:  # noqa: ANN401 - traits, as they are
        """Open the widget on the web page, and send its whole state."""
        self.layout = layout or LayoutShim()
        self._msg_callbacks: list[MessageCallback] = []
        super().__init__(**more)
        self.keys = list(self.traits(sync=True))
        self.model_id = str(next(_MODEL_NUMBERS))
        self._channel = get_channel()
        if _WAITING_WIDGETS:
            _WAITING_WIDGETS[-1].append(self)
        else:
            self._open()

    def _open(self) -> None:
        """Send the widget's whole state to the web page, and start to receive messages."""
        self._channel.subscribe(self.model_id, self._handle_msg)
        self._channel.send({"kind": "open", "id": self.model_id, "bundle": str(getattr(self._esm, "name", "")), "state": self.get_state()})
        self.comm = self

    def get_state(self, key: str | Iterable[str] | None = None, drop_defaults: bool = False) -> dict[str, Any]:  # noqa: ARG002, FBT001, FBT002 - as ipywidgets has it
        """Return the values of the synchronized traits that `key` names; by default, of all."""
        names = self.keys if key is None else [key] if isinstance(key, str) else key
        return {name: getattr(self, name) for name in names}

    def send_state(self, key: str | Iterable[str] | None = None) -> None:
        """Send the current values of some synchronized traits (by default all) to the web page."""
        if self.comm is not None and (state := self.get_state(key)):
            self._channel.send({"kind": "update", "id": self.model_id, "state": state})

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Apply a change of the widget's state that the web page has sent."""
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
        """Collect all changes made in a `with` block, and send them together when it ends."""
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
        """Send a trait's change to the web page, and then notify observers.

        A change that came from the page is not sent back.
        """
        name = change["name"]
        if self.comm is not None and name in self.keys and not self._came_from_page(name):
            if self._states_to_send is None:
                self.send_state(name)
            else:
                self._states_to_send.add(name)
        super().notify_change(change)

    def _came_from_page(self, name: str) -> bool:
        """Return whether the web page has just sent the present value of a trait."""
        return name in self._property_lock and _serialize(getattr(self, name)) == _serialize(self._property_lock[name])

    def on_msg(self, callback: MessageCallback, *, remove: bool = False) -> None:
        """Register a function to call with each message from the web page."""
        if remove:
            self._msg_callbacks.remove(callback)
        elif callback not in self._msg_callbacks:
            self._msg_callbacks.append(callback)

    def send(self, content: object, buffers: Collection[bytes] | None = None) -> None:
        """Send a message to the web page."""
        if self.comm is not None:
            self._channel.send({"kind": "custom", "id": self.model_id, "content": content, "buffers": list(buffers or ())})

    def _handle_msg(self, message: dict[str, Any]) -> None:
        """Handle a message from the web page: a new widget state, or a message for the callbacks."""
        match message:
            case {"kind": "update", "state": dict(state)}:
                self.set_state(state)
            case {"kind": "custom", "content": content}:
                for callback in tuple(self._msg_callbacks):
                    callback(self, content, message.get("buffers", []))

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"text/plain": repr(self)}, {}

    def close(self) -> None:
        """Remove the widget from the web page, and stop sending and receiving messages."""
        if self.comm is not None:
            self.comm = None
            self._channel.unsubscribe(self.model_id)
            self._channel.send({"kind": "close", "id": self.model_id})


@contextmanager
def open_later() -> Iterator[None]:
    """Open the widgets that are created in a `with` block at its end, in their final states.

    The page does not see what happens to them before: for example, an exercise plays its solution once to check it.
    """
    _WAITING_WIDGETS.append([])
    try:
        yield
    finally:
        for widget in _WAITING_WIDGETS.pop():
            widget._open()


def _serialize(value: object) -> object:
    """Convert a trait's value to JSON and binary data, so that two values can be compared."""
    plain, _, buffers = extract_buffers({"value": value})
    return json.dumps(plain), buffers


def install_shims() -> None:
    """Make `import anywidget` and `import ipywidgets` import the replacements in this module.

    Modules that have been imported already stay.
    """
    replacements: dict[str, dict[str, type]] = {
        "anywidget": {"AnyWidget": AnyWidget},
        "ipywidgets": {"Layout": LayoutShim, "Box": ContainerShim, "HTML": ContainerShim},
    }
    for name, classes in replacements.items():
        module = ModuleType(name, "Stands in where there is no notebook.")
        vars(module).update(classes)
        sys.modules.setdefault(name, module)
