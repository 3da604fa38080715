"""What leads to each question, and what a teacher should know of it: by the name of the question, in the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.words import Fact, language

if TYPE_CHECKING:
    from durak_widget.classroom.asking.assignment import Question


def led(question: Question) -> Question:
    """The question with its lead and its note, where the words have them."""
    there, name = language("en").sentences, question.name
    lead, note = (Fact(key) if (key := f"class.econ431.{what}.{name}") in there else "" for what in ("lead", "note"))
    return question._replace(lead=lead, note=note)
