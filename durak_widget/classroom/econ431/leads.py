"""What leads to each question, and what a teacher should know of it: by the name of the question, in the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.words import Fact

if TYPE_CHECKING:
    from durak_widget.classroom.assignment import Question


def led(question: Question) -> Question:
    """The question with its lead and its note."""
    return question._replace(lead=Fact(f"class.econ431.lead.{question.name}"), note=Fact(f"class.econ431.note.{question.name}"))
