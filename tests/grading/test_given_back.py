"""What a student reads of each question: as it was drawn, what was answered, what would have been right and why; on a page that is the teacher's to give back."""

from __future__ import annotations

import json
import re
from base64 import b64decode

import pytest

from durak_widget import lessons
from durak_widget.grading.student_feedback import build_feedback_page
from durak_widget.homework.assignment import get_assignment
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.translated_errors import RefusedError
from support.classroom_handing import MINE, answers, receipt, write
from support.classroom_kinds import ASSIGNMENT, KINDS
from support.classroom_pages import harmless

ECON = get_assignment("econ431").with_edition("2027")
CODE = "def choose(view):\n    open('/tmp/run')  # <b>never</b>\n    return view.legal_moves()[0]\n"


def pages(folder, language="en", assignment=MINE, edition=None):
    """The page of each student, as it is read."""
    marks = lessons.mark(folder, assignment, edition=edition, jobs=0, language=language, run_code=False)
    return {student: harmless(build_feedback_page(marks, student, language=language).html) for student in marks.students}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One has all right, another nothing."""
    return write(
        tmp_path_factory.mktemp("handed"),
        ann_json=receipt("Ann", answers("Ann")),
        bob_json=receipt("Bob", answers("Bob", right=lambda _: False)),
    )


def test_each_question_stands_there_with_its_answer_and_a_right_one(folder):
    """In words of the language, of every kind; who was right reads no other answer, and nobody reads “not yet”."""
    for language in LANGUAGES:
        both = pages(folder, language)
        say = Translator(language).translate
        for question in ASSIGNMENT.questions:
            for student, read in both.items():
                task = ASSIGNMENT.create_exercise(question.name, student)
                task.language = language
                assert " ".join(task.question.split()) in read.text
                assert all(part.text in read.text for part in task.describe_answer_parts() if student == "Bob"), question.name
        assert say("lesson.not_yet") not in both["Bob"].text
        assert both["Bob"].text.count(say("class.feedback.right")) == len(KINDS)
        assert say("class.feedback.right") not in both["Ann"].text
        assert say("class.feedback.why") not in both["Ann"].text


def test_a_problem_set_is_told_whole(tmp_path):
    """Its fifteen questions, of a student who has none right: every right answer in words, and trees with what they are worth."""
    kept = {question.name: {"answer": "?", "attempts": 1} for question in ECON.questions}
    kept["backward-induction"]["answer"] = {"0": "-17"}
    write(tmp_path, ann_json=receipt("Ann", kept, ECON))
    read = pages(tmp_path, assignment="econ431", edition="2027")["Ann"]
    for question in ECON.questions:
        task = ECON.create_exercise(question.name, "Ann")
        for part in task.describe_answer_parts():
            assert " ".join(part.text.split()) in read.text, question.name
        assert all(why in read.text for why in task.explain_solution()), question.name
    drawn = [b64decode(attributes["src"].partition(",")[2]).decode() for tag, attributes in read.tags if tag == "img"]
    assert len(drawn) >= 10
    [tree] = [svg for svg in drawn if "✗ −17" in svg]
    assert ECON.create_exercise("backward-induction", "Ann").solution[0].replace("-", "−") in tree


def test_a_program_stands_there_as_it_was_and_is_not_run(tmp_path):
    """Letter by letter, and nothing in it is part of the page; what cannot be read, the same."""
    odd = {"few": {"answer": "<script>alert(1)</script>", "attempts": 1}, "strategy": {"answer": {"code": CODE}, "attempts": 1}}
    write(tmp_path, ann_json=receipt("Ann", odd))
    read = pages(tmp_path)["Ann"]
    assert " ".join(CODE.split()) in read.text
    assert "<script>alert(1)</script>" in read.text


def test_marks_stand_beside_the_parts_of_an_answer():
    """What is right, what is wrong, and what only follows from a mistake below it."""
    task = ASSIGNMENT.create_exercise("values", "Ann")
    worth = task.solution
    given = {str(node): value for node, value in zip((0, 1, 2), ["-40", "40", worth[2]], strict=True)}
    parts = task.describe_answer_parts(given)
    assert [part.mark for part in parts][1:] == ["wrong", "right"]
    assert all(not part.mark for part in task.describe_answer_parts())
    assert re.search(r"✗ 40", b64decode(task.render_answer_picture(given).partition("base64,")[2].partition('"')[0]).decode())


def test_a_question_that_is_kept_tells_no_right_answer():
    """Until it is marked: neither in words nor in a picture, and of one's own no more than what it is."""
    for name in KINDS:
        task = lessons.homework(ASSIGNMENT, student="Ann", folder=None)[name]
        for tell in (task.describe_answer_parts, task.explain_solution):
            with pytest.raises(RefusedError, match="homework"):
                tell()
        given = json.loads(json.dumps(answers("Ann")[name]["answer"]))
        assert not any(part.mark for part in task.describe_answer_parts(given))
        if task.kind == "board":
            with pytest.raises(RefusedError, match="homework"):
                task.render_answer_picture(given)
