"""What a student reads of a mistake: in signs and whole sentences, one reason for one cell, and once that something cannot be read."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from durak_widget import lessons
from durak_widget.exercises.information_set_question import explain_difference
from durak_widget.grading.class_report_page import ClassStatistics, class_report
from durak_widget.grading.student_feedback import build_feedback_page
from durak_widget.homework.assignment import get_assignment
from support.classroom_handing import SMALL, answers, receipt, write

YEAR = get_assignment("econ431", "2027")
CODE = re.compile(r"\b[6-9TJQKA][cdhs]\b")


def test_cards_that_tell_two_places_apart_are_written_in_signs():
    """Whichever two places of a student's tree are joined that other cards tell apart."""
    met = 0
    for number in range(6):
        task = YEAR.create_exercise("information-sets", f"Student {number}")
        tree, pasts = task.tree, task._board_question._own_histories
        nodes = [here for here in range(tree.history_count) if tree.actor[here] >= 0]
        for one in nodes:
            for other in nodes:
                if (
                    tree.infoset_of[one] != tree.infoset_of[other]
                    and (why := explain_difference(tree, one, other, pasts)).key == "lesson.tree.apart.cards"
                ):
                    met += 1
                    assert not CODE.search(task._translate(why)), task._translate(why)
    assert met


def test_a_cell_whose_mistake_is_named_has_no_second_reason():
    """Whoever writes what the other gets is told that, and not that chance has a part."""
    met = 0
    for number in range(30):
        task = YEAR.create_exercise("strategic-form", f"Student {number}")
        right = list(task.solution)
        cell = next(place for place, one in enumerate(right) if Fraction(one))
        task.answer([str(-Fraction(one)) if place == cell else one for place, one in enumerate(right)])
        if task.mistake_name == "matrix.fill.turned":
            met += 1
            assert [why.key for why in task._result[1]] == ["lesson.matrix.fill.turned"]
    assert met


def test_that_an_answer_cannot_be_read_is_said_once(tmp_path):
    """Typed in a notebook or off a sheet."""
    for given in ("three or so", {"by_hand": {"": "three or so"}}):
        kept = {"how-likely": {"answer": given, "attempts": 1}}
        marks = lessons.mark(write(tmp_path, ann_json=receipt("Ann", kept, YEAR)), edition="2027", jobs=0)
        said = next(row.explanation for row in marks.rows if row.question == "how-likely")
        assert said.startswith("This answer cannot be read: ")
        assert said.count("cannot be read") == 1


@pytest.fixture
def cut(tmp_path):
    """Three students with everything right, of whom one has handed in a receipt that breaks off."""
    files = {f"{name}_json": json.dumps(receipt(name, answers(name, assignment=SMALL), SMALL)) for name in ("Ann", "Ben", "Eva")}
    files["Eva_json"] = files["Eva_json"][: files["Eva_json"].index('"few"') - 2]
    return write(tmp_path, **files)


def test_what_a_damaged_file_has_lost_is_not_marked(cut):
    """It says so, with no points and not none; what can still be read counts, and a whole file beside it takes its place."""
    marks = lessons.mark(cut, SMALL, jobs=0)
    rows = {row.question: row for row in marks.get_rows("Eva")}
    lost = [row for row in rows.values() if row.is_held]
    assert lost
    assert all(row.explanation.startswith("Damaged, ask again") for row in lost)
    assert all(row.credit == 1 for row in rows.values() if not row.is_held)
    assert "?" in str(marks).splitlines()[3]
    assert "Damaged, ask again" in build_feedback_page(marks, "Eva").html
    write(cut, Eva2_json=receipt("Eva", answers("Eva", assignment=SMALL), SMALL))
    assert [row.credit for row in lessons.mark(cut, SMALL, jobs=0).get_rows("Eva")] == [1, 1, 1]


def test_a_file_that_lacks_only_its_last_bracket_has_lost_nothing(tmp_path):
    """All answers were closed before it breaks off: a question without an answer has none."""
    kept = {"few": answers("Eva", assignment=SMALL)["few"]}
    text = json.dumps(receipt("Eva", kept, SMALL))
    rows = lessons.mark(write(tmp_path, Eva_json=text[: text.rindex("}")]), SMALL, jobs=0).get_rows("Eva")
    assert [row.credit for row in rows if row.question == "few"] == [1]
    assert not any(row.is_held for row in rows)
    assert all(row.explanation.startswith("No answer") for row in rows if row.question != "few")


def test_a_damaged_file_lowers_no_average(cut):
    """Neither of a question nor of the class."""
    marks = lessons.mark(cut, SMALL, jobs=0)
    standing = ClassStatistics(marks.rows)
    assert [one.mean_credit for one in standing.questions] == [1, 1, 1]
    assert standing.point_shares == [1, 1]
    assert [one.stuck_students for one in standing.questions] == [(), (), ()]
    assert "<td>?</td>" in class_report(marks).html
