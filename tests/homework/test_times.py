"""A receipt says when each answer was kept, so that “late” can be asked; receipts of before, which say nothing of it, are read as they were."""

from __future__ import annotations

import json
from datetime import datetime, timezone

import pytest

from durak_widget import lessons
from durak_widget.errors import DurakError
from durak_widget.grading.command_line import main
from durak_widget.grading.student_feedback import build_feedback_page
from durak_widget.homework import student_homework as handing
from durak_widget.homework.receipt import is_stored_after, parse_due_time, parse_time_text, receipt_from_dict
from support.classroom_handing import FEW, SMALL, answers, begins, notebook, receipt, write

EARLY, LATE = "2027-03-01T20:00:00Z", "2027-03-02T00:30:00Z"
DUE = "2027-03-01T23:59+00:00"


def timed(student, times, right=lambda _: True):
    """A receipt whose answers were kept at these times."""
    return {**receipt(student, answers(student, right, SMALL), SMALL), "times": times}


def test_each_answer_has_the_time_at_which_it_was_kept_last(tmp_path, monkeypatch):
    """In the file and in the notebook, and after both were opened again; one that is not touched keeps its own."""
    clock = iter([EARLY, "2027-03-01T21:00:00Z", LATE])
    monkeypatch.setattr(handing, "format_current_time", lambda: next(clock))
    work = lessons.homework(SMALL, student="Ann", folder=tmp_path)
    work.answer("few", "12")
    work.answer("picked", [])
    again = lessons.homework(SMALL, student="Ann", folder=tmp_path)
    assert again.receipt["times"] == {"few": EARLY, "picked": "2027-03-01T21:00:00Z"}
    again.answer("few", "13")
    assert json.loads(again.receipt_path.read_text(encoding="utf-8"))["times"] == {"few": LATE, "picked": "2027-03-01T21:00:00Z"}
    assert receipt_from_dict(again.receipt).answers["few"][:3] == ("13", 2, LATE)


def test_the_time_is_now():
    """By the clock of this computer, in UTC."""
    work = lessons.homework(SMALL, student="Ann", folder=None)
    before = datetime.now(timezone.utc).replace(microsecond=0)
    work.answer("few", "12")
    assert before <= parse_due_time(work.receipt["times"]["few"]) <= datetime.now(timezone.utc)


def test_who_was_late_is_named_and_loses_nothing(tmp_path):
    """With the questions and their times; who was not, is not; of whom nothing says when, that is said. Cells alone have no time, but what a receipt says too has its."""
    write(
        tmp_path,
        ann_json=timed("Ann", {"picked": EARLY, "few": LATE, "path": LATE}),
        bob_json=timed("Bob", dict.fromkeys(("picked", "few", "path"), EARLY)),
        cyd_json=receipt("Cyd", answers("Cyd", assignment=SMALL), SMALL),
        dan_ipynb=notebook(begins("Dan", "small"), "homework.answer(2, 12)"),
        eve_json=timed("Eve", {"few": "soon", "path": 7, "picked": EARLY}),
    )
    plain = lessons.mark(tmp_path, FEW, jobs=0)
    marks = lessons.mark(tmp_path, FEW, jobs=0, due=DUE)
    assert [row[:9] for row in marks.rows] == [row[:9] for row in plain.rows]
    new = [trouble for trouble in marks.problems if trouble not in plain.problems]
    assert [trouble.sentence for trouble in new if trouble.file] == [
        (
            "Ann kept answers after 2027-03-01 23:59, when they were due, by the clock of that computer, to the questions: "
            "2 (2027-03-02 00:30), 3 (2027-03-02 00:30). Nothing is taken off."
        )
    ]
    assert [trouble.sentence for trouble in new if not trouble.file] == [
        "Of answers of these nothing says when they were kept: Cyd, Dan, Eve."
    ]
    assert "by the clock of that computer" in build_feedback_page(marks, "Ann").html
    assert marks.to_csv().splitlines()[2].endswith(LATE)
    assert "by the clock of that computer" in lessons.class_report(tmp_path, FEW, jobs=0, due=DUE).html


def test_of_a_notebook_and_its_receipt_the_first_time_counts(tmp_path):
    """The same answer was there already; another one is another."""
    write(
        tmp_path,
        a_json=timed("Ann", dict.fromkeys(("picked", "few", "path"), LATE)),
        b_json=timed("Ann", dict.fromkeys(("picked", "few", "path"), EARLY)),
    )
    assert not [one for one in lessons.mark(tmp_path, FEW, jobs=0, due=DUE).problems if "clock" in one.sentence]


def test_a_day_and_a_time_are_when_it_is_due():
    """A day to its end; without a zone by the clock of whoever marks."""
    for due in ("2027-03-01", "2027-03-01T23:59", "2027-03-01 23:59", "2027-03-01T23:59:00Z", datetime(2027, 3, 1, tzinfo=timezone.utc)):
        assert parse_due_time(due).tzinfo is not None
        assert is_stored_after("2027-03-05T00:00:00Z", parse_due_time(due))
        assert not is_stored_after("2027-02-25T00:00:00Z", parse_due_time(due))


def test_what_is_no_time_is_refused_before_anything_is_marked(tmp_path, capsys):
    """In a sentence that says how it is written."""
    for due in ("", "tomorrow", "2027-13-01", "23:59", 7, "1.3.2027"):
        with pytest.raises(DurakError, match="is no time: give a day"):
            lessons.mark(tmp_path, FEW, jobs=0, due=due)
        assert main(["mark", str(tmp_path), "--assignment", FEW, "--jobs", "0", "--due", str(due)]) == 1
        assert "is no time" in capsys.readouterr().err


def test_a_time_that_is_none_is_left_out():
    """And the answer counts all the same."""
    for time in ("2027-03-01T20:00:00", "2027-02-30T20:00:00Z", "2027-03-01T25:00:00Z", "x" * 5000, "", 5, ["2027-03-01T20:00:00Z"]):
        assert parse_time_text(time) == ""
        found = receipt_from_dict(timed("Ann", {"few": time}))
        assert found.answers["few"].stored_at == ""
        assert "times" not in found.to_dict()
