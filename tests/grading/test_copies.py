"""Test the report of copied answers: it names both students and the probability, never others, and changes no points."""

from __future__ import annotations

import json
from itertools import product
from math import prod
from random import Random

import pytest

from durak_widget import lessons
from durak_widget.grading.answer_similarity import (
    MIN_CLASSES_PER_CHANCE_PAIR,
    SolutionRequest,
    WrongAnswer,
    compute_right_answers,
    compute_tail_probability,
    find_suspicious_pairs,
    normalize_answer,
)
from durak_widget.grading.student_feedback import build_feedback_page
from durak_widget.homework.assignment import Assignment, get_assignment
from support.classroom_handing import receipt, write_files
from support.classroom_pages import harmless
from support.spoken import english

ECON = get_assignment("econ431")
ASKED = ("players", "moves", "what-beats-what", "how-many-ways", "how-likely", "backward-induction", "strategic-form", "attack-first")
QUICK = Assignment("quick", "Quick", [ECON.questions[ECON.find_question_index(name)] for name in ASKED])
MANY = 30


def typical_wrong_answer(task, rng):
    """Return a wrong answer of a typical student: a named mistake, a guess or a wrong sign."""
    if task.kind == "number":
        return str(rng.choice([*task.mistakes.values()]))
    if task.kind == "choose":
        return rng.choice([*task._items()])
    if task.kind == "pick":
        return [card for card in task._items() if rng.randrange(2)]
    return [str(-int(value)) if rng.randrange(3) == 0 else value for value in task.solution]


def own_work(student, assignment=QUICK):
    """Return the receipt of a student who works alone, with some wrong answers."""
    rng = Random(f"{assignment.edition} {student}")
    skill, answer_records = rng.uniform(0.3, 0.9), {}
    for question in assignment.questions:
        task = assignment.create_exercise(question.name, student)
        task.restore_answer(task.solution if rng.random() < skill else typical_wrong_answer(task, rng))
        answer_records[question.name] = {"answer": json.loads(json.dumps(task.last_answer)), "attempts": 1}
    return answer_records


def class_work(edition, copying=()):
    """Return everybody's receipts; some hand in those of others under their own name."""
    assignment = QUICK.with_edition(edition)
    found = {f"Student {number}": own_work(f"Student {number}", assignment) for number in range(MANY)}
    return assignment, {**found, **{copier: found[victim] for copier, victim in copying}}


@pytest.fixture(scope="module")
def marked_class(tmp_path_factory):
    """Return the marks of a class in which two of thirty copied a neighbour's answers."""
    assignment, works = class_work("2027", [("Student 3", "Student 6"), ("Student 20", "Student 14")])
    folder = tmp_path_factory.mktemp("handed")
    write_files(
        folder,
        **{f"{student.replace(' ', '-')}_json": receipt(student, answer_records, assignment) for student, answer_records in works.items()},
    )
    return lessons.mark(folder, assignment, edition="2027", jobs=0)


def copy_remarks(marks):
    """Return the remarks on copies."""
    return [trouble for trouble in marks.problems if trouble.is_for_teacher_only]


def test_copied_answers_name_both_students(marked_class):
    """The remark gives questions and probability, and names nobody else of the thirty."""
    assert [trouble.file for trouble in copy_remarks(marked_class)] == ["Student-20.json", "Student-3.json"]
    first, second = (trouble.sentence for trouble in copy_remarks(marked_class))
    assert english("class.file.copied", other="Student 14").search(first)
    assert english("class.file.copied", other="Student 6").search(second)
    assert all(english("class.file.copied").search(remark) for remark in (first, second))


def test_a_copy_remark_changes_no_marks(marked_class):
    """Marks and feedback do not mention it, and hidden names are hidden in it."""
    assignment = QUICK.with_edition("2027")
    task = assignment.create_exercise("how-likely", "Student 3")
    given = next(row.answers[0] for row in marked_class.get_rows("Student 3") if row.question == "how-likely")
    assert marked_class.get_rows("Student 3")[ASKED.index("how-likely")].credit == int(bool(task.answer(given)))
    assert not english("class.file.copied").search(marked_class.to_csv() + marked_class.totals_to_csv())
    assert "Student 6" not in build_feedback_page(marked_class, "Student 3").html
    assert "Student 6" in lessons.class_report(marked_class).html
    hidden = harmless(lessons.class_report(marked_class, names="hidden").html).text
    assert english("class.file.copied").search(hidden)
    assert "right for Student 6," not in hidden


@pytest.mark.slow
@pytest.mark.parametrize("edition", [pytest.param(f"alone {number}", marks=pytest.mark.release if number else ()) for number in range(12)])
def test_students_who_work_alone_are_never_named(edition):
    """Thirty students make the usual mistakes independently."""
    assignment, works = class_work(edition)
    everybody = list(works)
    keys = {student: compute_right_answers(SolutionRequest(assignment, edition, range(len(ASKED))), student) for student in everybody}
    wrong = {}
    for student, answer_records in works.items():
        for place, question in enumerate(assignment.questions):
            answer = normalize_answer(answer_records[question.name]["answer"], question.kind)
            if answer != keys[student][place]:
                fits = frozenset(other for other in everybody if keys[other][place] == answer)
                wrong.setdefault(student, []).append(WrongAnswer(place, fits))
    assert sum(map(len, wrong.values())) > 60
    assert find_suspicious_pairs(wrong, everybody) == []


def test_the_probability_is_that_of_independent_events():
    """It is computed again over all outcomes."""
    chances = [0.1, 0.5, 0.03, 0.25, 1.0]
    for many in range(7):
        every = sum(
            prod(chance if happens else 1 - chance for chance, happens in zip(chances, way, strict=True))
            for way in product((0, 1), repeat=len(chances))
            if sum(way) >= many
        )
        assert compute_tail_probability(many, chances) == pytest.approx(every)


def test_wrong_answers_right_for_many_others_are_no_evidence_of_copying():
    """A wrong answer that is right for half of the class may be a guess; one right for a single other student is not.

    Classes of three name nobody.
    """
    names = [f"{number}" for number in range(30)]
    half = {"0": [WrongAnswer(place, frozenset(names[1:15])) for place in range(6)]}
    assert find_suspicious_pairs(half, names) == []
    alone = {
        **{name: [WrongAnswer(place, frozenset()) for place in range(6)] for name in names[1:]},
        "0": [WrongAnswer(place, frozenset("1")) for place in range(6)],
    }
    [found] = find_suspicious_pairs(alone, names)
    assert (found.student, found.other_student, found.wrong_count) == ("0", "1", 6)
    assert found.class_count >= MIN_CLASSES_PER_CHANCE_PAIR
    assert find_suspicious_pairs({"0": [WrongAnswer(place, frozenset("1")) for place in range(6)]}, names[:3]) == []


def test_equivalent_answers_are_the_same():
    """Notations of numbers, and the order of cards, groups and strategies, do not matter; that of values does."""
    assert normalize_answer({"0": "1/2", "4": ""}, "tree") == normalize_answer({"0": "0.5"}, "tree")
    assert normalize_answer([[3, 5], [1, 2]], "tree") == normalize_answer([[1, 2], [3, 5]], "tree")
    assert normalize_answer(["9c", "Kd"], "sort") != normalize_answer(["Kd", "9c"], "sort")
    assert normalize_answer(" player 1  beat", "choose") == "player 1 beat"
