"""A small assignment whose questions come from another module, like a teacher's."""

from __future__ import annotations

from durak_widget.homework.assignment import Assignment, get_assignment

QUESTIONS = ("what-beats-what", "how-likely", "backward-induction")
ASSIGNMENT = Assignment(
    "small", "A small problem set", [question for question in get_assignment("econ431").questions if question.name in QUESTIONS]
)
MINE = "support.classroom_small:ASSIGNMENT"
