"""Who hands in another's answers is named to whoever marks, with how likely that is by chance; nobody who answers alone is, and no point hangs on it."""

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
from support.classroom_handing import receipt, write
from support.classroom_pages import harmless

ECON = get_assignment("econ431")
ASKED = ("players", "moves", "what-beats-what", "how-many-ways", "how-likely", "backward-induction", "strategic-form", "attack-first")
QUICK = Assignment("quick", "Quick", [ECON.questions[ECON.find_question_index(name)] for name in ASKED])
MANY = 30


def typical(task, lots):
    """What a student answers who has it wrong: a mistake that has a name, a guess, a value with the other sign."""
    if task.kind == "number":
        return str(lots.choice([*task.mistakes.values()]))
    if task.kind == "choose":
        return lots.choice([*task._items()])
    if task.kind == "pick":
        return [card for card in task._items() if lots.randrange(2)]
    return [str(-int(value)) if lots.randrange(3) == 0 else value for value in task.solution]


def work(student, assignment=QUICK):
    """What a student answers alone, some of it wrong, as a receipt keeps it."""
    lots = Random(f"{assignment.edition} {student}")
    skill, kept = lots.uniform(0.3, 0.9), {}
    for question in assignment.questions:
        task = assignment.create_exercise(question.name, student)
        task.restore_answer(task.solution if lots.random() < skill else typical(task, lots))
        kept[question.name] = {"answer": json.loads(json.dumps(task.last_answer)), "attempts": 1}
    return kept


def a_class(edition, copying=()):
    """The work of everybody; some hand in that of others under their own name."""
    assignment = QUICK.with_edition(edition)
    found = {f"Student {number}": work(f"Student {number}", assignment) for number in range(MANY)}
    return assignment, {**found, **{copier: found[victim] for copier, victim in copying}}


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """A class in which two of thirty have handed in a neighbour's answers."""
    assignment, works = a_class("2027", [("Student 3", "Student 6"), ("Student 20", "Student 14")])
    folder = tmp_path_factory.mktemp("handed")
    write(folder, **{f"{student.replace(' ', '-')}_json": receipt(student, kept, assignment) for student, kept in works.items()})
    return lessons.mark(folder, assignment, edition="2027", jobs=0)


def named(marks):
    """The remarks on copies."""
    return [trouble for trouble in marks.problems if trouble.is_for_teacher_only]


def test_who_hands_in_anothers_answers_is_named_with_the_other(marked):
    """Both of them, each with the questions and the chance; nobody else of the thirty."""
    assert [trouble.file for trouble in named(marked)] == ["Student-20.json", "Student-3.json"]
    first, second = (trouble.sentence for trouble in named(marked))
    assert "wrong answers that are right for Student 14, in the questions" in first
    assert "wrong answers that are right for Student 6, in the questions" in second
    assert all("classes of this size" in said and "costs no points" in said for said in (first, second))


def test_it_is_a_remark_and_no_mark(marked):
    """Points are those of the answers; neither the table of marks nor what is given back says a word of it, and hidden names are hidden in it."""
    assignment = QUICK.with_edition("2027")
    task = assignment.create_exercise("how-likely", "Student 3")
    given = next(row.answers[0] for row in marked.get_rows("Student 3") if row.question == "how-likely")
    assert marked.get_rows("Student 3")[ASKED.index("how-likely")].credit == int(bool(task.answer(given)))
    assert "of this size" not in marked.to_csv() + marked.totals_to_csv()
    assert "Student 6" not in build_feedback_page(marked, "Student 3").html
    assert "Student 6" in lessons.class_report(marked).html
    hidden = harmless(lessons.class_report(marked, names="hidden").html).text
    assert "wrong answers that are right for Student" in hidden
    assert "right for Student 6," not in hidden


@pytest.mark.slow
@pytest.mark.parametrize("edition", [pytest.param(f"alone {number}", marks=pytest.mark.release if number else ()) for number in range(12)])
def test_nobody_is_named_who_answers_alone(edition):
    """With the mistakes that a class makes: thirty who do not know of one another."""
    assignment, works = a_class(edition)
    everybody = list(works)
    keys = {student: compute_right_answers(SolutionRequest(assignment, edition, range(len(ASKED))), student) for student in everybody}
    wrong = {}
    for student, kept in works.items():
        for place, question in enumerate(assignment.questions):
            said = normalize_answer(kept[question.name]["answer"], question.kind)
            if said != keys[student][place]:
                fits = frozenset(other for other in everybody if keys[other][place] == said)
                wrong.setdefault(student, []).append(WrongAnswer(place, fits))
    assert sum(map(len, wrong.values())) > 60
    assert find_suspicious_pairs(wrong, everybody) == []


def test_the_chance_is_that_of_independent_things():
    """Worked out by going through all that may happen."""
    chances = [0.1, 0.5, 0.03, 0.25, 1.0]
    for many in range(7):
        every = sum(
            prod(one if happens else 1 - one for one, happens in zip(chances, way, strict=True))
            for way in product((0, 1), repeat=len(chances))
            if sum(way) >= many
        )
        assert compute_tail_probability(many, chances) == pytest.approx(every)


def test_what_is_right_for_many_says_nothing_of_one():
    """An answer that is right for half of the class is a guess; the same number of answers that are right for one alone is none. Nor is anybody named among three."""
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


def test_answers_that_mean_the_same_are_one():
    """Numbers however they are written, cards in any order, groups and plans in any order; rows of values in their own."""
    assert normalize_answer({"0": "1/2", "4": ""}, "tree") == normalize_answer({"0": "0.5"}, "tree")
    assert normalize_answer([[3, 5], [1, 2]], "tree") == normalize_answer([[1, 2], [3, 5]], "tree")
    assert normalize_answer(["9c", "Kd"], "sort") != normalize_answer(["Kd", "9c"], "sort")
    assert normalize_answer(" player 1  beat", "choose") == "player 1 beat"
