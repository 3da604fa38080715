"""Test typed tables with a missing or renamed column: messages, and what still counts."""

from __future__ import annotations

import csv
import io

from durak_widget import lessons
from durak_widget.homework.csv_tables import BOM
from durak_widget.i18n import Translator
from durak_widget.paper_exams.exam_sheets import PrintedExam
from support.classroom_kinds import ASSIGNMENT
from support.spoken import english_text

CLASS = ("Ann Lee", "Žydrė Petraitė")
WHOLE = ASSIGNMENT.with_edition("exam")
QUESTIONS = ("chosen", "values", "few")


def printed_table(assignment=WHOLE, questions=QUESTIONS) -> list[list[str]]:
    """Return a table with the whole key."""
    papers = PrintedExam(assignment.select_questions(questions), CLASS)
    rows = list(csv.reader(io.StringIO(papers.build_answer_csv().removeprefix(BOM))))
    for row, own in zip(rows[1:], papers._solutions.values(), strict=True):
        row[3:] = [text for parts in own for _, text in parts]
    return rows


def without_columns(rows, *titles):
    """Return the table without these columns."""
    left = [place for place, title in enumerate(rows[0]) if title not in titles]
    return [[row[place] for place in left] for row in rows]


def renamed_column(rows, title, other):
    """Return the table with another column title."""
    return [[other if cell == title else cell for cell in rows[0]], *rows[1:]]


def mark_table(tmp_path, rows, assignment=ASSIGNMENT, **how):
    """Return marks and messages of such a table."""
    path = tmp_path / "typed.csv"
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8")
    marks = lessons.mark(path, assignment, jobs=0, anew=True, **how)
    return marks, [problem.sentence for problem in marks.problems]


LOST = english_text("class.typed.lost", columns="{}")


def test_a_missing_column_loses_only_itself_and_is_named(tmp_path) -> None:
    """Also with `--questions`. No code is taken for another paper's."""
    for how in ({}, {"questions": "3,6,4"}):
        for lost in ("3 few", "1 chosen", "2b values"):
            rows = printed_table()
            title = _title(rows, lost)
            marks, problems = mark_table(tmp_path, without_columns(rows, title), **how)
            assert problems == [LOST.format(title)]
            assert marks.questions == tuple(question.name for question in WHOLE.select_questions(QUESTIONS).questions)
            name = title.split()[1]
            for student in CLASS:
                assert {row.question: row.credit == 1 for row in marks.get_rows(student)} == {
                    question: question != name for question in marks.questions
                }


def _title(rows, lost):
    """The title that such a column has."""
    label, name = lost.split()
    return next(title for title in rows[0] if title.endswith(f" {name}") and title.split()[0][1:] == label[1:])


def test_a_renamed_column_is_reported_with_both_titles(tmp_path) -> None:
    """The message gives the wrong and the right title."""
    rows = printed_table()
    title = _title(rows, "1 few")
    marks, problems = mark_table(tmp_path, renamed_column(rows, title, "how many cards"))
    assert english_text("class.typed.question", question="how many cards") in problems
    assert LOST.format(title) in problems
    assert {row.credit for row in marks.rows if row.question != "few"} == {1}


def test_a_table_without_codes_says_so(tmp_path) -> None:
    """It is not taken for a bad notebook, and the message gives the right first line."""
    for rows in (without_columns(printed_table(), "code"), renamed_column(printed_table(), "code", "Kode")):
        marks, problems = mark_table(tmp_path, rows)
        assert problems == [english_text("class.typed.lost.code", column="code", head="code,student,edition")]
        assert not marks.rows


def test_a_table_without_its_edition_column_says_so(tmp_path) -> None:
    """One message covers the table, with or without a secret word. `--edition` marks it."""
    said_of_it = english_text("class.typed.lost.edition", column="edition", option="--edition")
    for assignment, how in ((WHOLE, {}), (WHOLE.with_passphrase("willow by the brook"), {"word": "willow by the brook"})):
        rows = printed_table(assignment)
        for odd in (without_columns(rows, "edition"), [rows[0], *([row[0], row[1], "", *row[3:]] for row in rows[1:])]):
            assert mark_table(tmp_path, odd, **how)[1] == [said_of_it]
        marks, problems = mark_table(tmp_path, without_columns(rows, "edition"), edition="exam", **how)
        assert not problems
        assert {row.credit for row in marks.rows} == {1}


def test_a_missing_column_is_named_in_the_language_of_the_reasons(tmp_path) -> None:
    """Test Lithuanian and Russian."""
    rows = printed_table()
    title = _title(rows, "1 few")
    for language in ("lt", "ru"):
        assert mark_table(tmp_path, without_columns(rows, title), language=language)[1][0] == Translator(language).translate(
            "class.typed.lost", columns=title
        )
