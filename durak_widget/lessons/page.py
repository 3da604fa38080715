"""The page of an exercise: it shows what the exercise tells, and hands on what a person answers."""

from __future__ import annotations

from typing import Any, Protocol

import anywidget
import traitlets

from durak_widget.errors import DurakError, quoted
from durak_widget.widget.bundle import built
from durak_widget.words import screen


class Exhibit(Protocol):
    """What a page shows; it may also be answered, begun again …, as it has methods for that."""

    @property
    def language(self) -> str:
        """In which it speaks."""

    def sheet(self) -> dict[str, object]:
        """What there is to see, as plain values."""


class Page(anywidget.AnyWidget):
    """What is seen of an exercise in a notebook; it is made when the exercise is first displayed."""

    _esm = built("lesson.js")
    _css = built("widget.css")

    sheet = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)
    language = traitlets.Unicode(read_only=True).tag(sync=True)

    def __init__(self, exercise: Exhibit) -> None:
        """Show an exercise."""
        self._exercise = exercise
        self.paint()
        super().__init__()
        self.on_msg(self._hear)

    def paint(self) -> None:
        """Tell the page what there is now to see."""
        language = self._exercise.language
        if language != self.language:
            self.set_trait("words", screen(language))
            self.set_trait("language", language)
        self.set_trait("sheet", self._exercise.sheet())

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Nothing here is for the page to change."""

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live page alone, as an output."""
        data, metadata = self._repr_mimebundle_() or ({}, {})
        return {kind: one for kind, one in data.items() if not kind.startswith("text/")}, metadata

    def _hear(self, _: object, message: object, __: object) -> None:
        """A message of the page: an answer, a wish to begin again, to see the solution, or to go on."""
        known = False
        try:
            match message:
                case {"kind": "answer" as wish, "given": list(given)} if hasattr(self._exercise, wish):
                    known = True
                    getattr(self._exercise, wish)(given)
                case {"kind": "again" | "reveal" | "next" as wish} if hasattr(self._exercise, wish):
                    known = True
                    getattr(self._exercise, wish)()
        except DurakError as error:
            self.send({"kind": "error", "said": str(error)})
        if not known:
            self.send({"kind": "error", "said": f"the exercise does not know what is meant by {quoted(message)}"})
