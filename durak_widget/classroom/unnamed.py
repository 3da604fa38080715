"""Homework of whoever has not typed a name yet: each cell says that one is wanted, and where."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.refusing import RefusedError
from durak_widget.classroom.homework import Homework
from durak_widget.lessons.display import Displayed, blank

if TYPE_CHECKING:
    from durak_widget.classroom.assignment import Assignment
    from durak_widget.lessons.task import Verdict

_EXAMPLE: Final = 'student="Ann Lee"'


class Unnamed(Homework):
    """Homework without a name: nothing is drawn, asked or kept.

    >>> from durak_widget import lessons
    >>> work = lessons.homework("econ431", student="")
    >>> work[3]
    Type your name between the quotation marks, as in student="Ann Lee": your questions are drawn for it.
    """

    def __init__(self, assignment: Assignment, language: str | None) -> None:
        Displayed.__init__(self, language)
        self.assignment, self.student = assignment, ""
        self._drawer = None
        self._tasks, self._answers, self._own, self._lost = {}, {}, set(), []

    @property
    def wanted(self) -> str:
        """That a name is wanted."""
        return self._voice.say("class.no_name", example=_EXAMPLE)

    def __getitem__(self, question: int | str) -> Any:  # noqa: ANN401 - it is shown where an exercise would be
        self.assignment.place(question)
        return self

    def answer(self, question: int | str, answer: object) -> Verdict:  # noqa: ARG002 - there is no question yet
        """Refuse an answer: nobody has given it."""
        raise RefusedError("class.no_name", example=_EXAMPLE)

    @property
    def receipt(self) -> dict[str, Any]:
        """Nothing: nobody has answered."""
        raise RefusedError("class.no_name", example=_EXAMPLE)

    def handed_in(self) -> dict[str, Any]:
        """What stands where a receipt would."""
        return self.static()

    def sheet(self) -> dict[str, object]:
        """What the page shows."""
        return {**blank(self.kind), "how": "", "question": self.wanted}

    def static(self) -> dict[str, str]:
        """The same for print."""
        return {"text/html": f'<div class="durak-picture"><p><b>{escape(self.wanted)}</b></p></div>', "text/plain": self.wanted}

    def __repr__(self) -> str:
        return self.wanted
