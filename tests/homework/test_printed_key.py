"""Test the printed key: it contains the answer to every question."""

from __future__ import annotations

import ast
import re

from durak_widget.grading.answer_grading import compute_credit
from durak_widget.homework.answer_key import key
from durak_widget.homework.assignment import get_assignment
from support.sizes import tried

_LINE = re.compile(r"^homework\.answer\((.*)\)$", re.MULTILINE)


def test_every_question_can_be_answered_from_the_printed_key():
    """Answers read from a student's printed key earn full marks, and each part is in words too."""
    edition = "2027 rev2"
    year = get_assignment("econ431", edition)
    for number in range(tried(2, 30)):
        student = f"Student {number}"
        printed = str(key("econ431", student=student, edition=edition))
        answers = dict(ast.literal_eval(f"({line})") for line in _LINE.findall(printed))
        assert [*answers] == [question.name for question in year.questions]
        for name, answer in answers.items():
            task = year.create_exercise(name, student)
            task.answer(answer)
            assert compute_credit(task) == 1, (student, name)
        printed_answers = printed.split("Answer:")[1:]
        assert len(printed_answers) == len(year.questions)
        assert all(printed_answer.partition("homework.answer(")[0].strip() for printed_answer in printed_answers)
