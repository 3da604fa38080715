"""A small assignment of questions that are made elsewhere, as a teacher makes one."""

from __future__ import annotations

from durak_widget.homework.assignment import Assignment, get_assignment

QUESTIONS = ("what-beats-what", "how-likely", "backward-induction")
ASSIGNMENT = Assignment("small", "A small problem set", [one for one in get_assignment("econ431").questions if one.name in QUESTIONS])
MINE = "support.classroom_small:ASSIGNMENT"
