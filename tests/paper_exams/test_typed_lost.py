"""A table that was typed off sheets and lost a column, or has one under another title: what is said, and what still counts."""

from __future__ import annotations

import csv
import io

from durak_widget import lessons
from durak_widget.homework.csv_tables import BOM
from durak_widget.paper_exams.exam_sheets import PrintedExam
from support.classroom_kinds import ASSIGNMENT

CLASS = ("Ann Lee", "Žydrė Petraitė")
WHOLE = ASSIGNMENT.with_edition("exam")
QUESTIONS = ("chosen", "values", "few")


def printed(assignment=WHOLE, questions=QUESTIONS) -> list[list[str]]:
    """A table with all that the key has."""
    papers = PrintedExam(assignment.select_questions(questions), CLASS)
    rows = list(csv.reader(io.StringIO(papers.build_answer_csv().removeprefix(BOM))))
    for row, own in zip(rows[1:], papers._solutions.values(), strict=True):
        row[3:] = [text for parts in own for _, text in parts]
    return rows


def without(rows, *titles):
    """The same without these columns."""
    left = [place for place, title in enumerate(rows[0]) if title not in titles]
    return [[row[place] for place in left] for row in rows]


def renamed(rows, title, other):
    """The same with another title over a column."""
    return [[other if cell == title else cell for cell in rows[0]], *rows[1:]]


def marked(tmp_path, rows, assignment=ASSIGNMENT, **how):
    """The marks, and what is said, of such a table."""
    path = tmp_path / "typed.csv"
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8")
    marks = lessons.mark(path, assignment, jobs=0, anew=True, **how)
    return marks, [one.sentence for one in marks.problems]


LOST = "The first line lacks these columns: {}. A column that was lost, or is called otherwise, counts as left empty: title it exactly so, and mark again."


def test_a_lost_column_costs_itself_alone_and_is_named(tmp_path) -> None:
    """Whichever it is, also by `--questions`: its title is said, all else counts, and no code is called that of another paper."""
    for how in ({}, {"questions": "3,6,4"}):
        for lost in ("3 few", "1 chosen", "2b values"):
            rows = printed()
            title = _title(rows, lost)
            marks, said = marked(tmp_path, without(rows, title), **how)
            assert said == [LOST.format(title)]
            assert marks.questions == tuple(one.name for one in WHOLE.select_questions(QUESTIONS).questions)
            name = title.split()[1]
            for student in CLASS:
                assert {row.question: row.credit == 1 for row in marks.get_rows(student)} == {one: one != name for one in marks.questions}


def _title(rows, lost):
    """The title that such a column has."""
    label, name = lost.split()
    return next(title for title in rows[0] if title.endswith(f" {name}") and title.split()[0][1:] == label[1:])


def test_a_column_of_another_title_is_named_twice_for_what_it_is_and_what_is_to_stand_there(tmp_path) -> None:
    """What it is called says nothing of this paper, and what it should be called is said."""
    rows = printed()
    title = _title(rows, "1 few")
    marks, said = marked(tmp_path, renamed(rows, title, "how many cards"))
    assert "A column is headed “how many cards”, which is no question of this paper: nothing in it counts." in said
    assert LOST.format(title) in said
    assert {row.credit for row in marks.rows if row.question != "few"} == {1}


def test_without_its_codes_a_table_says_so(tmp_path) -> None:
    """It is no notebook that is none: the column of codes is missing, and what the first line must be is said."""
    for rows in (without(printed(), "code"), renamed(printed(), "code", "Kode")):
        marks, said = marked(tmp_path, rows)
        assert said == [
            "It has no column “code”, which says of each line whose sheet it is: its first line must begin with code,student,edition, and the code is printed on each page."
        ]
        assert not marks.rows


def test_a_table_of_an_edition_without_its_edition_says_so(tmp_path) -> None:
    """With a word or without: one sentence for the whole table; and with `--edition` all is marked."""
    said_of_it = "It does not say of which edition these sheets are, and without one no code fits: fill in the column edition as it was handed out, or say --edition."
    for assignment, how in ((WHOLE, {}), (WHOLE.with_passphrase("willow by the brook"), {"word": "willow by the brook"})):
        rows = printed(assignment)
        for odd in (without(rows, "edition"), [rows[0], *([row[0], row[1], "", *row[3:]] for row in rows[1:])]):
            assert marked(tmp_path, odd, **how)[1] == [said_of_it]
        marks, said = marked(tmp_path, without(rows, "edition"), edition="exam", **how)
        assert not said
        assert {row.credit for row in marks.rows} == {1}


def test_a_lost_column_is_named_in_the_language_of_the_reasons(tmp_path) -> None:
    """In Lithuanian and Russian too."""
    rows = printed()
    title = _title(rows, "1 few")
    for language, begins in (("lt", "Pirmoje eilutėje trūksta stulpelių"), ("ru", "В первой строке нет столбцов")):
        assert marked(tmp_path, without(rows, title), language=language)[1][0].startswith(f"{begins}: {title}. ")
