"""The widget that displays an exercise in a notebook and passes answers to the exercise."""

from __future__ import annotations

from typing import Final, Protocol

import traitlets

from durak_widget.errors import DurakError, short_repr
from durak_widget.i18n import get_front_end_texts
from durak_widget.translated_errors import error_to_text
from durak_widget.widgets.base_widget import BaseWidget, load_front_end_file

_ANSWER_KIND: Final = "answer"
_REQUEST_KINDS: Final = ("restart", "reveal", "next", "reload", "grade_current_answer")
"""Requests of the front end without further data, each named like the method to call."""


class DisplayableExercise(Protocol):
    """An exercise that the widget can display.

    It may also have methods that handle requests of the page, such as `answer` and `restart`.
    """

    @property
    def language(self) -> str:
        """Return the language code of the exercise."""

    def view_model(self) -> dict[str, object]:
        """Return what the front end displays for the exercise, as JSON-compatible values."""


class ExerciseWidget(BaseWidget):
    """The widget that shows an exercise in a notebook; the first display creates the widget."""

    _esm = load_front_end_file("lesson.js")
    _css = load_front_end_file("lesson.css")
    message_kinds = (_ANSWER_KIND, *_REQUEST_KINDS)

    exercise_view = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)
    language = traitlets.Unicode(read_only=True).tag(sync=True)

    def __init__(self, exercise: DisplayableExercise) -> None:
        """Create the widget for an exercise."""
        self._exercise = exercise
        self.update_view()
        super().__init__()

    def update_view(self) -> None:
        """Send the data to display, such as question and feedback, to the front end."""
        language = self._exercise.language
        if language != self.language:
            self.set_trait("words", get_front_end_texts(language))
            self.set_trait("language", language)
        self.set_trait("exercise_view", self._exercise.view_model())

    def handle_message(self, message: object) -> None:
        """Handle a message from the front end: an answer, or a request such as “restart”."""
        match message:
            case {"kind": kind, "answer": list(answer)} if kind == _ANSWER_KIND and hasattr(self._exercise, kind):
                getattr(self._exercise, kind)(answer)
            case {"kind": str(request)} if request in _REQUEST_KINDS and hasattr(self._exercise, request):
                getattr(self._exercise, request)()
            case _:
                raise DurakError(f"the exercise does not understand the message {short_repr(message)}")

    def report_error(self, error: Exception) -> None:
        """Show an error message beside the exercise.

        An error of other code is shown only by the name of its class, since its message could reveal the answer.
        """
        self.send({"kind": "error", "text": error_to_text(error, self.language)})
