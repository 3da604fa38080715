"""The page of an exercise: it shows what the exercise tells, and hands on what a person answers."""

from __future__ import annotations

from typing import Final, Protocol

import traitlets

from durak_widget.errors import DurakError, quoted
from durak_widget.i18n import screen
from durak_widget.translated_errors import said_of
from durak_widget.widgets.base_widget import Door, built

_ANSWER: Final = "answer"
_WISHES: Final = ("again", "reveal", "next", "look", "judge")
"""What is wished for without saying more: the method of the exercise of that name."""


class Exhibit(Protocol):
    """What a page shows; it may also be answered, begun again …, as it has methods for that."""

    @property
    def language(self) -> str:
        """In which it speaks."""

    def sheet(self) -> dict[str, object]:
        """What there is to see, as plain values."""


class ExercisePage(Door):
    """What is seen of an exercise in a notebook; it is made when the exercise is first displayed."""

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
        """Tell the page what there is now to see."""
        language = self._exercise.language
        if language != self.language:
            self.set_trait("words", screen(language))
            self.set_trait("language", language)
        self.set_trait("sheet", self._exercise.sheet())

    def hear(self, message: object) -> None:
        """An answer, a wish to begin again, to see the solution, or to go on."""
        match message:
            case {"kind": kind, "given": list(given)} if kind == _ANSWER and hasattr(self._exercise, kind):
                getattr(self._exercise, kind)(given)
            case {"kind": wish} if wish in _WISHES and hasattr(self._exercise, wish):
                getattr(self._exercise, wish)()
            case _:
                raise DurakError(f"the exercise does not know what is meant by {quoted(message)}")

    def went_wrong(self, error: Exception) -> None:
        """Say it beside the exercise; what somebody else's code raised, by its class alone, since it may give the answer away."""
        self.send({"kind": "error", "said": said_of(error, self.language)})
