"""Test the times of kept answers, which show late ones; older receipts without times are read too."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from html import unescape

import pytest

from durak_widget import lessons
from durak_widget.errors import DurakError
from durak_widget.grading.command_line import main
from durak_widget.grading.student_feedback import build_feedback_page
from durak_widget.homework import student_homework as handing
from durak_widget.homework.receipt import is_stored_after, parse_due_time, parse_time_text, receipt_from_dict
from support.classroom_handing import FEW, SMALL, answers, first_cell, notebook, receipt, write_files
from support.spoken import english, english_text

EARLY, LATE = "2027-03-01T20:00:00Z", "2027-03-02T00:30:00Z"
DUE = "2027-03-01T23:59+00:00"


def timed_receipt(student, times, right=lambda _: True):
    """Return a receipt whose answers were kept at these times."""
    return {**receipt(student, answers(student, right, SMALL), SMALL), "times": times}


def test_each_answer_has_the_time_it_was_last_kept(tmp_path, monkeypatch):
    """It is in file and notebook, and survives opening; untouched answers keep theirs."""
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


def test_the_time_is_the_current_utc_time():
    """It comes from this computer's clock."""
    work = lessons.homework(SMALL, student="Ann", folder=None)
    before = datetime.now(timezone.utc).replace(microsecond=0)
    work.answer("few", "12")
    assert before <= parse_due_time(work.receipt["times"]["few"]) <= datetime.now(timezone.utc)


def test_late_answers_are_reported_and_lose_nothing(tmp_path):
    """Questions and times are listed, and missing times are mentioned. Cells have no time of their own."""
    write_files(
        tmp_path,
        ann_json=timed_receipt("Ann", {"picked": EARLY, "few": LATE, "path": LATE}),
        bob_json=timed_receipt("Bob", dict.fromkeys(("picked", "few", "path"), EARLY)),
        cyd_json=receipt("Cyd", answers("Cyd", assignment=SMALL), SMALL),
        dan_ipynb=notebook(first_cell("Dan", "small"), "homework.answer(2, 12)"),
        eve_json=timed_receipt("Eve", {"few": "soon", "path": 7, "picked": EARLY}),
    )
    plain = lessons.mark(tmp_path, FEW, jobs=0)
    marks = lessons.mark(tmp_path, FEW, jobs=0, due=DUE)
    assert [row[:9] for row in marks.rows] == [row[:9] for row in plain.rows]
    new = [trouble for trouble in marks.problems if trouble not in plain.problems]
    assert [trouble.sentence for trouble in new if trouble.file] == [
        (english_text("class.file.late", student="Ann", due="2027-03-01 23:59", questions="2 (2027-03-02 00:30), 3 (2027-03-02 00:30)"))
    ]
    assert [trouble.sentence for trouble in new if not trouble.file] == [english_text("class.file.untimed", students="Cyd, Dan, Eve")]
    assert english("class.file.late").search(unescape(build_feedback_page(marks, "Ann").html))
    assert marks.to_csv().splitlines()[2].endswith(LATE)
    assert english("class.file.late").search(unescape(lessons.class_report(tmp_path, FEW, jobs=0, due=DUE).html))


def test_the_earlier_time_of_notebook_and_receipt_counts(tmp_path):
    """The same answer existed already. Another answer is a new one."""
    write_files(
        tmp_path,
        a_json=timed_receipt("Ann", dict.fromkeys(("picked", "few", "path"), LATE)),
        b_json=timed_receipt("Ann", dict.fromkeys(("picked", "few", "path"), EARLY)),
    )
    assert not [problem for problem in lessons.mark(tmp_path, FEW, jobs=0, due=DUE).problems if "clock" in problem.sentence]


def test_a_due_date_includes_its_whole_day():
    """Without a time zone the marker's clock counts."""
    for due in ("2027-03-01", "2027-03-01T23:59", "2027-03-01 23:59", "2027-03-01T23:59:00Z", datetime(2027, 3, 1, tzinfo=timezone.utc)):
        assert parse_due_time(due).tzinfo is not None
        assert is_stored_after("2027-03-05T00:00:00Z", parse_due_time(due))
        assert not is_stored_after("2027-02-25T00:00:00Z", parse_due_time(due))


def test_invalid_due_times_are_refused_before_marking(tmp_path, capsys):
    """The message shows the format."""
    for due in ("", "tomorrow", "2027-13-01", "23:59", 7, "1.3.2027"):
        with pytest.raises(DurakError, match="due must be a day"):
            lessons.mark(tmp_path, FEW, jobs=0, due=due)
        assert main(["mark", str(tmp_path), "--assignment", FEW, "--jobs", "0", "--due", str(due)]) == 1
        assert "due must be" in capsys.readouterr().err


def test_an_invalid_time_in_a_receipt_is_ignored():
    """The answer counts."""
    for time in ("2027-03-01T20:00:00", "2027-02-30T20:00:00Z", "2027-03-01T25:00:00Z", "x" * 5000, "", 5, ["2027-03-01T20:00:00Z"]):
        assert parse_time_text(time) == ""
        found = receipt_from_dict(timed_receipt("Ann", {"few": time}))
        assert found.answers["few"].stored_at == ""
        assert "times" not in found.to_dict()
