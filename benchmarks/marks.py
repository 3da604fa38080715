"""Measures the time to mark a school class's homework, and who is suspected of copying.

python -m benchmarks marks 150          marks 150 students with typical mistakes; every fifteenth hands in another's answers
python -m benchmarks marks 30 20        marks 20 school classes of 30 who work alone, and counts wrong suspicions
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from durak_widget.exercises.habit_bot import HABITS
from durak_widget.grading.answer_similarity import (
    SolutionRequest,
    WrongAnswer,
    compute_right_answers,
    find_suspicious_pairs,
    normalize_answer,
)
from durak_widget.grading.folder_grading import mark
from durak_widget.grading.student_feedback import write_feedback
from durak_widget.homework.assignment import get_assignment
from durak_widget.homework.receipt import Receipt, StoredAnswer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.exercises.base_exercise import Task
    from durak_widget.homework.assignment import Assignment

SKILL: Final = (0.35, 0.95)
"""The fraction of questions that the weakest and the best student answer right."""
COPIES: Final = 15
"""One in this number of students hands in another student's answers."""


def typical(task: Task, name: str, lots: Random) -> Any:  # noqa: ANN401 - whatever that question takes
    """Return a typical wrong answer: a known mistake, wrong signs, or missing parts."""
    right: Any = task.solution
    if name in ("how-many-ways", "how-likely", "mixed-equilibrium", "attack-first"):
        return str(lots.choice([*task.mistakes.values()] if lots.random() < 0.8 else range(1, 99)))  # type: ignore[attr-defined] # they are numbers
    if name == "players":
        return lots.choice([*task._items()])  # type: ignore[attr-defined] # a choice
    if name in ("moves", "what-beats-what"):
        return [card for card in task._items() if lots.randrange(2)]  # type: ignore[attr-defined] # cards
    if name == "backward-induction":
        return [str(-int(value)) if lots.random() < 0.3 else value for value in right]
    if name == "strategic-form":
        return [lots.choice(["1", "0", "-1"]) if lots.random() < 0.4 else value for value in right]
    if name == "beat-or-take":
        tree = task.tree  # type: ignore[attr-defined] # it is asked on one
        return [tree.last_action(lots.choice(tree.children(0)))]
    if name == "extensive-form":
        return [way for way in right if lots.random() < 0.9]
    if name == "bot":
        return {habit: lots.choice(rules) for habit, rules in HABITS.items()}
    return {} if name == "no-exploit" else right[: lots.randrange(len(right))]


def answers(assignment: Assignment, student: str) -> dict[str, StoredAnswer]:
    """Return the answers of a student who works alone."""
    lots = Random(f"{assignment.edition} {student}")
    skill, answers_by_question = lots.uniform(*SKILL), {}
    for question in assignment.questions:
        task = assignment.create_exercise(question.name, student)
        wrong = question.name == "bot" or lots.random() > skill
        task.restore_answer(typical(task, question.name, lots) if wrong else task.solution)
        answers_by_question[question.name] = StoredAnswer(json.loads(json.dumps(task.last_answer)), 1)
    return answers_by_question


def right_alone(assignment: Assignment, students: Sequence[str]) -> dict[str, dict[int, str]]:
    """Return the right answers of each student, by the index of the question."""
    drawn = SolutionRequest(assignment, assignment.edition, range(len(assignment.questions)))
    return {student: compute_right_answers(drawn, student) for student in students}


def named_alone(assignment: Assignment, works: Mapping[str, Mapping[str, StoredAnswer]]) -> int:
    """Return how many pairs of students are reported as similar although all worked alone."""
    keys = right_alone(assignment, list(works))
    wrong: dict[str, list[WrongAnswer]] = {}
    for student, answers_by_question in works.items():
        for place, question in enumerate(assignment.questions):
            answer = normalize_answer(answers_by_question[question.name].answer, question.kind)
            if answer != keys[student].get(place):
                fits = frozenset(other for other in works if keys[other].get(place) == answer)
                wrong.setdefault(student, []).append(WrongAnswer(place, fits))
    return len(find_suspicious_pairs(wrong, works))


def whole(many: int) -> None:
    """Mark a school class's homework twice, write the feedback pages, and print the times."""
    assignment = get_assignment("econ431", "2027")
    works = {f"Student {number}": answers(assignment, f"Student {number}") for number in range(many)}
    copiers = range(0, many - 1, COPIES)
    works |= {f"Student {number}": works[f"Student {number + 1}"] for number in copiers}
    with TemporaryDirectory() as folder, TemporaryDirectory() as back:
        for student, answers_by_question in works.items():
            Path(folder, f"{student}.receipt.json").write_text(
                Receipt(assignment.name, assignment.edition, student, answers_by_question).to_text(), encoding="utf-8"
            )
        start = process_time()
        right_alone(assignment, list(works))
        drawn = process_time()
        marks = mark(folder, assignment.name, edition=assignment.edition, jobs=0, anew=True)
        first = process_time()
        mark(folder, assignment.name, edition=assignment.edition, jobs=0)
        again = process_time()
        write_feedback(marks, back)
        pages = process_time()
        size = sum(path.stat().st_size for path in Path(back).iterdir())
    remarks = [trouble for trouble in marks.problems if trouble.is_for_teacher_only]
    print(f"{many} students: marked in {first - drawn:.0f} s of one core, marked again in {again - first:.1f} s")
    print(f"to draw all their questions once more, for whom answers are right: {drawn - start:.0f} s of one core of these")
    print(f"{len(copiers)} handed in another's answers, {len(remarks)} are named")
    print(f"pages to give back: {pages - again:.0f} s of one core, {size / many / 1000:.0f} kB each")


def main(asked: list[str]) -> None:
    """Run the benchmark that the arguments describe."""
    student_count = int(asked[0]) if asked else 150
    if len(asked) < 2:
        whole(student_count)
        return
    named_counts = []
    for number in range(int(asked[1])):
        assignment = get_assignment("econ431", f"alone {number}")
        named_counts.append(
            named_alone(
                assignment, {name: answers(assignment, name) for name in (f"Student {student}" for student in range(student_count))}
            )
        )
    wrong_count = sum(map(bool, named_counts))
    print(f"{wrong_count} of {len(named_counts)} classes of {student_count} honest students: the report names a student as having copied")


if __name__ == "__main__":
    main(sys.argv[1:])
