"""The widget of an exercise: it shows what the exercise says and passes on answers."""

from __future__ import annotations

from typing import Final, Protocol

import traitlets

from durak_widget.errors import DurakError, quoted
from durak_widget.i18n import screen
from durak_widget.translated_errors import said_of
from durak_widget.widgets.base_widget import Door, built

_ANSWER: Final = "answer"
_WISHES: Final = ("again", "reveal", "next", "look", "judge")
"""Requests without further data: the exercise's method of the same name handles each."""


class Exhibit(Protocol):
    """An object that a page can show.

    It may also have methods to be answered, to start again and so on.
    """

    @property
    def language(self) -> str:
        """Return the code of its language."""

    def sheet(self) -> dict[str, object]:
        """Return what the page shows, as plain values."""


class ExercisePage(Door):
    """The view of an exercise in a notebook, made when the exercise is first displayed."""

    _esm = built("lesson.js")
    _css = built("lesson.css")
    kinds = (_ANSWER, *_WISHES)

    sheet = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)
    language = traitlets.Unicode(read_only=True).tag(sync=True)

    def __init__(self, exercise: Exhibit) -> None:
        """Show an exercise."""
        self._exercise = exercise
        self.paint()
        super().__init__()

    def paint(self) -> None:
        """Send the current view to the page."""
        language = self._exercise.language
        if language != self.language:
            self.set_trait("words", screen(language))
            self.set_trait("language", language)
        self.set_trait("sheet", self._exercise.sheet())

    def hear(self, message: object) -> None:
        """Handle an answer, or a request to restart, to see the solution, or to go on."""
        match message:
            case {"kind": kind, "given": list(answer)} if kind == _ANSWER and hasattr(self._exercise, kind):
                getattr(self._exercise, kind)(answer)
            case {"kind": request} if request in _WISHES and hasattr(self._exercise, request):
                getattr(self._exercise, request)()
            case _:
                raise DurakError(f"the exercise does not know what is meant by {quoted(message)}")

    def went_wrong(self, error: Exception) -> None:
        """Show an error beside the exercise.

        An error of other code is shown only by its class, since its text could reveal the answer.
        """
        self.send({"kind": "error", "said": said_of(error, self.language)})
