"""Homework of whoever has not typed a name yet: each cell says that one is wanted, and where."""

from __future__ import annotations

import sys
from html import escape
from typing import TYPE_CHECKING, Final

from durak_widget.exercises.notebook_display import Displayed, blank_sheet
from durak_widget.i18n import Voice
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from durak_widget.homework.assignment import Assignment

_EXAMPLE: Final = 'student="Ann Lee"'


class Unnamed(Displayed):
    """Homework without a name: nothing is drawn, asked or kept.

    >>> from durak_widget import lessons
    >>> work = lessons.homework("econ431", student="")
    >>> work[3]
    Type your name between the quotation marks, as in student="Ann Lee": your questions are drawn for it.
    """

    kind = "progress"
    student: Final = ""

    def __init__(self, assignment: Assignment, language: str | None) -> None:
        super().__init__(language)
        self.assignment = assignment

    @property
    def wanted(self) -> str:
        """The sentence that a name is wanted."""
        return Voice(self._language).say("class.no_name", example=_EXAMPLE)

    @property
    def _where(self) -> str:
        """In which cell, since every question says it."""
        return Voice(self._language).say("class.no_name.where")

    @property
    def left(self) -> tuple[int, ...]:
        """The numbers of the questions that are not answered yet: all."""
        return tuple(range(1, len(self.assignment.questions) + 1))

    def __getitem__(self, question: int | str) -> Unnamed:
        self.assignment.place(question)
        return self

    def answer(self, question: int | str, answer: object) -> None:  # noqa: ARG002 - there is no question yet
        """Refuse an answer: nobody has given it."""
        raise RefusedError("class.no_name", example=_EXAMPLE)

    @property
    def receipt(self) -> None:
        """Refused: nobody has answered."""
        raise RefusedError("class.no_name", example=_EXAMPLE)

    file: Final = None
    """Nothing is kept."""

    def handed_in(self) -> None:
        """Refused: nobody has answered."""
        raise RefusedError("class.no_name", example=_EXAMPLE)

    def hand_in(self) -> None:
        """Say that a name is wanted."""
        if getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)() is None:
            print(self.wanted)  # noqa: T201 - where there is no notebook, it is told so
        else:
            self._ipython_display_()

    def look(self) -> None:
        """Somebody comes to see it: it stands there as it is."""

    def sheet(self) -> dict[str, object]:
        """What the page shows."""
        return {**blank_sheet(self.kind), "how": "", "question": self.wanted, "said": [self._where]}

    def static(self) -> dict[str, str]:
        """Homework without a name for print."""
        return {
            "text/html": f'<div class="durak-picture"><p><b>{escape(self.wanted)}</b></p><p>{escape(self._where)}</p></div>',
            "text/plain": self.wanted,
        }

    def __repr__(self) -> str:
        return self.wanted
