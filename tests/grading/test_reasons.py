"""Test reasons for students: card symbols, whole sentences, one reason per cell, and one message per unreadable answer."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html import unescape

import pytest

from durak_widget import lessons
from durak_widget.exercises.information_set_question import explain_difference
from durak_widget.grading.class_report_page import ClassStatistics, class_report
from durak_widget.grading.student_feedback import build_feedback_page
from durak_widget.homework.assignment import get_assignment
from support.classroom_handing import SMALL, answers, receipt, write_files
from support.spoken import english

YEAR = get_assignment("econ431", "2027")
CODE = re.compile(r"\b[6-9TJQKA][cdhs]\b")


def test_cards_in_reasons_are_written_with_symbols():
    """Test every pair of joined nodes that differ in their cards."""
    met = 0
    for number in range(6):
        task = YEAR.create_exercise("information-sets", f"Student {number}")
        tree, pasts = task.tree, task._board_question._own_histories
        nodes = [here for here in range(tree.history_count) if tree.actor[here] >= 0]
        for node in nodes:
            for other in nodes:
                if (
                    tree.infoset_of[node] != tree.infoset_of[other]
                    and (why := explain_difference(tree, node, other, pasts)).key == "lesson.tree.apart.cards"
                ):
                    met += 1
                    assert not CODE.search(task._translate(why)), task._translate(why)
    assert met


def test_a_cell_with_a_named_mistake_has_no_second_reason():
    """The other player's payoff is named, without a remark on chance."""
    met = 0
    for number in range(30):
        task = YEAR.create_exercise("strategic-form", f"Student {number}")
        right = list(task.solution)
        cell = next(place for place, item in enumerate(right) if Fraction(item))
        task.answer([str(-Fraction(item)) if place == cell else item for place, item in enumerate(right)])
        if task.mistake_name == "matrix.fill.turned":
            met += 1
            assert [why.key for why in task._result[1]] == ["lesson.matrix.fill.turned"]
    assert met


def test_an_unreadable_answer_is_reported_once(tmp_path):
    """Test answers typed in a notebook or from a sheet."""
    for given in ("three or so", {"by_hand": {"": "three or so"}}):
        answer_records = {"how-likely": {"answer": given, "attempts": 1}}
        marks = lessons.mark(write_files(tmp_path, ann_json=receipt("Ann", answer_records, YEAR)), edition="2027", jobs=0)
        explanation = next(row.explanation for row in marks.rows if row.question == "how-likely")
        assert english("class.mark.unread").match(explanation)
        assert len(english("class.mark.unread", said="").findall(explanation)) == 1


@pytest.fixture
def cut_receipt(tmp_path):
    """Return the work of three students, all right; one receipt is cut off."""
    files = {f"{name}_json": json.dumps(receipt(name, answers(name, assignment=SMALL), SMALL)) for name in ("Ann", "Ben", "Eva")}
    files["Eva_json"] = files["Eva_json"][: files["Eva_json"].index('"few"') - 2]
    return write_files(tmp_path, **files)


def test_answers_lost_in_a_damaged_file_are_not_marked(cut_receipt):
    """They have no points instead of zero. Readable ones count, and a whole file replaces it."""
    marks = lessons.mark(cut_receipt, SMALL, jobs=0)
    rows = {row.question: row for row in marks.get_rows("Eva")}
    lost = [row for row in rows.values() if row.is_held]
    assert lost
    assert all(english("class.mark.damaged").match(row.explanation) for row in lost)
    assert all(row.credit == 1 for row in rows.values() if not row.is_held)
    assert "?" in str(marks).splitlines()[3]
    assert english("class.mark.damaged").search(unescape(build_feedback_page(marks, "Eva").html))
    write_files(cut_receipt, Eva2_json=receipt("Eva", answers("Eva", assignment=SMALL), SMALL))
    assert [row.credit for row in lessons.mark(cut_receipt, SMALL, jobs=0).get_rows("Eva")] == [1, 1, 1]


def test_a_file_without_its_last_bracket_loses_nothing(tmp_path):
    """All answers were complete before that."""
    answer_records = {"few": answers("Eva", assignment=SMALL)["few"]}
    text = json.dumps(receipt("Eva", answer_records, SMALL))
    rows = lessons.mark(write_files(tmp_path, Eva_json=text[: text.rindex("}")]), SMALL, jobs=0).get_rows("Eva")
    assert [row.credit for row in rows if row.question == "few"] == [1]
    assert not any(row.is_held for row in rows)
    assert all(english("class.mark.none").match(row.explanation) for row in rows if row.question != "few")


def test_a_damaged_file_does_not_lower_averages(cut_receipt):
    """Test those of questions and of the class."""
    marks = lessons.mark(cut_receipt, SMALL, jobs=0)
    standing = ClassStatistics(marks.rows)
    assert [question.mean_credit for question in standing.questions] == [1, 1, 1]
    assert standing.point_shares == [1, 1]
    assert [question.stuck_students for question in standing.questions] == [(), (), ()]
    assert "<td>?</td>" in class_report(marks).html
