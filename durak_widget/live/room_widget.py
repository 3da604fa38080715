"""Defines the widget with the teacher's controls of a live class session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import traitlets

from durak_widget.errors import DurakError, short_repr
from durak_widget.live.pages import get_words
from durak_widget.live.question import LANGUAGES
from durak_widget.widgets.base_widget import BaseWidget, load_front_end_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ipywidgets import Layout  # type: ignore[import-untyped]

_MESSAGE_KINDS: Final = ("command", "page")


class RoomWidget(BaseWidget):
    """The projector page of a session as a widget, in the session's language.

    It shows the state that the teacher sees.

    The owner of the widget gets the messages of the page by `on_msg`: `{"kind": "command", "command": {...}, "id": 7}`, which it answers
    with `{"kind": "reply", "id": 7, "reply": {...}}` or with an `error`, and `{"kind": "page", "base_url": ...}`, where Jupyter is.

    >>> widget = RoomWidget(state={"revision": 1, "phase": "lobby", "language": "lt"})
    >>> widget.language, widget.words["main.reveal"]
    ('lt', 'Parodyti')
    >>> widget.close()
    """

    _esm = load_front_end_file("projector.js")
    _css = load_front_end_file("projector.css")
    message_kinds = _MESSAGE_KINDS

    state = traitlets.Dict(help="What the teacher sees; see `ClassSession.teacher_state`.").tag(sync=True)
    connected = traitlets.Bool(True, help="Whether Python is connected to the session.").tag(sync=True)
    language = traitlets.Unicode("en", read_only=True, help="The language of the session.").tag(sync=True)
    words = traitlets.Dict(read_only=True, help="The labels of the page, in the language of the session.").tag(sync=True)
    theme = traitlets.Enum(("auto", "light", "dark", "contrast"), "auto", help="The colours of the widget.").tag(sync=True)

    def __init__(
        self, state: Mapping[str, Any] | None = None, *, theme: str = "auto", layout: Layout | dict[str, str] | None = None
    ) -> None:
        """Create the widget; until there is a state, it says that it connects to the session."""
        self.set_trait("words", get_words(self.language, "live.board."))
        self.theme = theme
        self.state = dict(state or {})
        super().__init__(layout=layout)

    @traitlets.observe("state")
    def _follow_language(self, change: Mapping[str, Any]) -> None:
        """Use the language of the session.

        The page gets the labels before the state, so it never shows a mix of languages.
        """
        language = change["new"].get("language", self.language)
        if language in LANGUAGES and language != self.language:
            self.set_trait("words", get_words(language, "live.board."))
            self.set_trait("language", language)

    def handle_message(self, message: object) -> None:
        """Check a message of the page; the owner of the widget handles it."""
        kind = message.get("kind") if isinstance(message, dict) else None
        if kind not in _MESSAGE_KINDS:
            raise DurakError(f"the projector page sends messages of the kinds {', '.join(_MESSAGE_KINDS)}, not {short_repr(message)}")

    def report_error(self, error: Exception) -> None:
        """Tell the page about a message that nobody handles."""
        self.send({"kind": "error", "text": str(error)})
