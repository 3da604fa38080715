"""Test feedback pages: each question as drawn, the answer, a right answer and why."""

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
from support.classroom_handing import MINE, answers, receipt, write_files
from support.classroom_kinds import ASSIGNMENT, KINDS
from support.classroom_pages import harmless

ECON = get_assignment("econ431").with_edition("2027")
CODE = "def choose(view):\n    open('/tmp/run')  # <b>never</b>\n    return view.legal_moves()[0]\n"


def feedback_pages(folder, language="en", assignment=MINE, edition=None):
    """Return the text of each student's page."""
    marks = lessons.mark(folder, assignment, edition=edition, jobs=0, language=language, run_code=False)
    return {student: harmless(build_feedback_page(marks, student, language=language).html) for student in marks.students}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the work of two students, one all right, the other all wrong."""
    return write_files(
        tmp_path_factory.mktemp("handed"),
        ann_json=receipt("Ann", answers("Ann")),
        bob_json=receipt("Bob", answers("Bob", right=lambda _: False)),
    )


def test_each_question_is_shown_with_its_answer_and_a_right_one(folder):
    """Every kind has words in the language. Right answers have no alternative, and no page says “not yet”."""
    for language in LANGUAGES:
        both = feedback_pages(folder, language)
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


def test_a_problem_set_is_shown_completely(tmp_path):
    """A student has fifteen wrong answers: each right one is in words, and trees show values."""
    answer_records = {question.name: {"answer": "?", "attempts": 1} for question in ECON.questions}
    answer_records["backward-induction"]["answer"] = {"0": "-17"}
    write_files(tmp_path, ann_json=receipt("Ann", answer_records, ECON))
    read = feedback_pages(tmp_path, assignment="econ431", edition="2027")["Ann"]
    for question in ECON.questions:
        task = ECON.create_exercise(question.name, "Ann")
        for part in task.describe_answer_parts():
            assert " ".join(part.text.split()) in read.text, question.name
        assert all(why in read.text for why in task.explain_solution()), question.name
    pictures = [b64decode(attributes["src"].partition(",")[2]).decode() for tag, attributes in read.tags if tag == "img"]
    assert len(pictures) >= 10
    [tree] = [svg for svg in pictures if "✗ −17" in svg]
    assert ECON.create_exercise("backward-induction", "Ann").solution[0].replace("-", "−") in tree


def test_a_program_is_shown_as_text_and_not_run(tmp_path):
    """It is escaped. Unreadable answers are shown so too."""
    odd = {"few": {"answer": "<script>alert(1)</script>", "attempts": 1}, "strategy": {"answer": {"code": CODE}, "attempts": 1}}
    write_files(tmp_path, ann_json=receipt("Ann", odd))
    read = feedback_pages(tmp_path)["Ann"]
    assert " ".join(CODE.split()) in read.text
    assert "<script>alert(1)</script>" in read.text


def test_marks_are_shown_beside_the_parts_of_an_answer():
    """Parts are right, wrong or consistent with a mistake."""
    task = ASSIGNMENT.create_exercise("values", "Ann")
    values = task.solution
    given = {str(node): value for node, value in zip((0, 1, 2), ["-40", "40", values[2]], strict=True)}
    parts = task.describe_answer_parts(given)
    assert [part.mark for part in parts][1:] == ["wrong", "right"]
    assert all(not part.mark for part in task.describe_answer_parts())
    assert re.search(r"✗ 40", b64decode(task.render_answer_picture(given).partition("base64,")[2].partition('"')[0]).decode())


def test_a_kept_question_does_not_reveal_the_right_answer():
    """Neither text nor picture do before marking, and custom questions show only what they are."""
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
