"""What leads to each question, and what a teacher should know of it: by the name of the question, in the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.i18n import Fact, language

if TYPE_CHECKING:
    from durak_widget.homework.assignment import Question


def led(question: Question) -> Question:
    """The question with its lead and its note, where the words have them."""
    return question._replace(lead=_said(f"class.econ431.lead.{question.name}"), note=_said(f"class.econ431.note.{question.name}"))


def led_fairly(question: Question) -> Question:
    """Return a question of revision 2 with its lead, and a note on how it is marked there."""
    note = _said(f"class.econ431.note.{question.name}.fair")
    return led(question)._replace(note=note) if note else led(question)


def _said(key: str) -> Fact | str:
    """Return a text by its key; nothing where there is none."""
    return Fact(key) if key in language("en").sentences else ""
