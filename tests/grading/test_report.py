"""Test the class report: its numbers, hidden names, and escaped text."""

from __future__ import annotations

import re
from fractions import Fraction
from math import sqrt
from statistics import fmean

import pytest

from durak_widget import lessons
from durak_widget.errors import DurakError
from durak_widget.grading.class_report_page import ClassStatistics, Report
from durak_widget.grading.command_line import main
from durak_widget.grading.gradebook import Gradebook, GradebookRow, Problem
from durak_widget.grading.pseudonyms import DisplayNames
from durak_widget.i18n import LANGUAGES, Translator
from support.classroom_class import HOSTILE, QUESTIONS, marks
from support.classroom_handing import MINE, answers, receipt, write_files
from support.classroom_kinds import ASSIGNMENT
from support.classroom_pages import PageReader, harmless
from support.spoken import english, english_text

CLASS = marks(30)


def mark_row(student: str, question: str, credit: str | int = 1, *, tries: int = 1, mistake: str = "", of: int = 2) -> GradebookRow:
    """Return a row of marks."""
    share = Fraction(credit)
    return GradebookRow(student, f"{student}.json", question, share * of, of, share, tries, mistake, mistake and f"Said of {mistake}.")


def test_difficulty_is_the_mean_credit() -> None:
    """A missing answer counts as nothing."""
    found = ClassStatistics(
        [mark_row("a", "q"), mark_row("b", "q", "1/2"), mark_row("c", "r"), mark_row("d", "q", 0, tries=0), mark_row("d", "r", 0)]
    )
    assert [(asked.name, asked.mean_credit, asked.answered_count) for asked in found.questions] == [("q", 1.5 / 4, 2), ("r", 0.25, 2)]
    assert found.questions[0].stuck_students == ("d", "c")
    assert found.max_points == 4
    assert found.points == {"a": 2, "b": 1, "c": 2, "d": 0}


def test_students_without_any_work_do_not_affect_questions() -> None:
    """Ten of them change neither difficulty nor correlation, and are listed once."""
    plain, missing = (
        marks(30),
        [
            mark_row(f"away {number}", row.question, 0, tries=0, of=row.max_points)
            for number in range(10)
            for row in CLASS.get_rows(CLASS.students[0])
        ],
    )
    gone = [Problem("", english_text("class.file.missing", student=f"away {number}")) for number in range(10)]
    page = Report(Gradebook([*plain.rows, *missing], [*plain.problems, *gone]))
    assert page.statistics.questions == ClassStatistics(plain.rows).questions
    assert page.statistics.absent_students == tuple(f"away {number}" for number in range(10))
    text = harmless(page.html).text
    assert english("class.report.many", students="30").search(text)
    absent = english("class.report.absent.other", count="10").search(text)
    assert absent is not None
    assert "away 0, away 1," in absent[0]
    assert text.count("away 9") == 1
    assert english("class.report.seen.other", count="2").search(text)
    nobody = harmless(Report(Gradebook(missing, gone)).html).text
    assert nobody.count("away 9") == 1


def test_discrimination_is_the_correlation_with_the_other_questions() -> None:
    """It is computed again by the formula. A random question has almost none."""
    found = ClassStatistics(CLASS.rows)
    for place, asked in enumerate(found.questions):
        ones = [float(row.credit) for row in CLASS.rows if row.question == asked.name]
        students = [row.student for row in CLASS.rows if row.question == asked.name]
        rest = [
            float(sum(row.points for row in CLASS.rows if row.student == student and row.question != asked.name)) for student in students
        ]
        mean, other = fmean(ones), fmean(rest)
        both = sum((a - mean) * (b - other) for a, b in zip(ones, rest, strict=True))
        spread = sqrt(sum((a - mean) ** 2 for a in ones) * sum((b - other) ** 2 for b in rest))
        assert asked.discrimination == pytest.approx(both / spread), place
    large = ClassStatistics(marks(200).rows).questions
    assert abs(large[10].discrimination or 0) < 0.2 < min(asked.discrimination or 0 for asked in large if asked is not large[10])


def test_discrimination_is_left_out_if_undefined() -> None:
    """Test few students, equal students and a single question."""
    for rows in (
        [mark_row(f"s{number}", question) for number in range(4) for question in "qr"],
        [mark_row(f"s{number}", question) for number in range(9) for question in "qr"],
        [mark_row(f"s{number}", "q", number % 2) for number in range(9)],
    ):
        assert {asked.discrimination for asked in ClassStatistics(rows).questions} == {None}
        assert english_text("class.report.tells.unknown") in harmless(Report(Gradebook(rows, [])).html).text


def test_mistakes_are_counted_by_name() -> None:
    """The most common come first, unnamed ones last. Full credit and missing answers are no mistakes."""
    rows = [mark_row(f"s{number}", "q", 0, mistake=name) for number, name in enumerate(["turned", "turned", "own", "", "", ""])]
    found = ClassStatistics([*rows, mark_row("right", "q"), mark_row("silent", "q", 0, tries=0)]).questions[0]
    assert [(mistake.name, mistake.student_count) for mistake in found.mistakes] == [("turned", 2), ("own", 1), ("", 3)]
    assert found.mistakes[0].message == "Said of turned."


def test_tries_are_summarized_by_median_and_quartiles() -> None:
    """Only students who tried are counted."""
    rows = [mark_row(f"s{number}", "q", tries=tries) for number, tries in enumerate([0, 1, 1, 2, 3, 9])]
    assert ClassStatistics(rows).questions[0].attempt_quartiles == (2.0, 1.0, 3.0)
    assert ClassStatistics([mark_row("a", "q", tries=4)]).questions[0].attempt_quartiles == (4.0, 4.0, 4.0)
    assert ClassStatistics([mark_row("a", "q", 0, tries=0)]).questions[0].attempt_quartiles is None


def test_text_in_the_report_is_escaped() -> None:
    """Test markup in names, files, sentences and messages in any language."""
    for language in sorted(LANGUAGES):
        for names in ("shown", "hidden"):
            page = harmless(Report(CLASS, language=language, names=names, title=HOSTILE, titles={QUESTIONS[0]: HOSTILE}).html)
            assert page.tags[0][1]["lang"] == language
            assert HOSTILE in page.text
            assert "{" not in page.text


def test_the_grid_has_every_student_and_question() -> None:
    """Rows with the fewest points come first. Each cell has a character or number for its shade."""
    html = Report(CLASS).html
    grid = html[html.index('<table class="grid">') :]
    grid = grid[: grid.index("</table>")]
    lines = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in grid.split("<tr>")[2:]]
    standing = ClassStatistics(CLASS.rows)
    assert len(lines) == 30
    totals = [float(line[-1]) for line in lines]
    assert totals == sorted(totals)
    for line, student in zip(lines, standing.students, strict=True):
        for cell, question in zip(line[1:-1], QUESTIONS, strict=True):
            credit, tries, answered = standing.get_cell(student, question)
            text = "–" if not answered else "✓" if credit == 1 else f"{100 * credit:.0f}"
            assert cell == text + (f"<sub>{tries}×</sub>" if answered and tries >= 4 else "")


def names_in_grid(html: str) -> list[str]:
    """Return the students in the order of the grid."""
    return re.findall(r'<th scope="row">(Student \d+)</th>', html)


def test_names_are_hidden_consistently() -> None:
    """No name or file is left. The same key gives the same pseudonyms, not in alphabetical order."""
    pages = [Report(CLASS, names="hidden", key=key).html for key in ("willow", "willow", "birch")]
    text = PageReader(pages[0]).text
    assert not re.search(r"Anna|Žemait|\bbroken\b", text)
    assert names_in_grid(pages[0]) == names_in_grid(pages[1]) != names_in_grid(pages[2])
    assert len(set(names_in_grid(pages[0]))) == 30
    equal = Gradebook([mark_row(f"name {letter}", "q") for letter in "abcdefghij"], [])
    assert names_in_grid(Report(equal, names="hidden", key="k").html) != sorted(names_in_grid(Report(equal, names="hidden", key="k").html))
    assert len({Report(equal, names="hidden").html for _ in range(4)}) > 1


def test_a_late_student_does_not_change_other_pseudonyms() -> None:
    """Test two thousand names, added one by one. Only colliding numbers may get longer."""
    voice, names = Translator(), [f"name {number}" for number in range(2000)]
    known: dict[str, str] = {}
    for some in (30, 31, 200, 2000):
        hidden = DisplayNames.with_pseudonyms(names[:some], [], "willow", voice)
        called = {name: hidden.get_student_name(name) for name in names[:some]}
        assert len(set(called.values())) == some
        assert all(called[name].startswith(before) for name, before in known.items())
        known = called
    assert max(map(len, known.values())) > len("Student 1234") == min(map(len, known.values()))


def test_a_student_named_like_a_word_hides_no_page_text() -> None:
    """Names are replaced only in texts by students and in messages."""
    found = Gradebook(
        [mark_row("Points", "q", 0, mistake="turned"), mark_row("Students All", "q")], [Problem("Points.json", "Points handed in twice.")]
    )
    text = PageReader(Report(found, names="hidden", key="k").html).text
    assert "Points handed in" not in text
    assert english("class.report.marks.line", mean="1", of="2").search(text)


def test_a_name_is_replaced_as_a_whole_word() -> None:
    """Test sentences, file names and any case."""
    found = Gradebook([mark_row("Car Lee", "q", 0)], [Problem("", "CAR_lee.ipynb: lee, look at the cards.")])
    text = PageReader(Report(found, names="hidden", key="k").html).text
    assert "look at the cards" in text
    assert not re.search("car_|lee", text, re.IGNORECASE)


def test_a_player_of_a_game_keeps_a_name_that_a_student_shares() -> None:
    """Only students are hidden, not players in sentences on games."""
    explanation = "Here Ann gets 3, and Bob 1; Ann Lee wrote it in ann.json."
    rows = [mark_row(name, "q", 0, mistake="heard")._replace(explanation=explanation) for name in ("Ann Lee", "Bob")]
    found = Gradebook(
        [row._replace(file="ann.json") for row in rows],
        [Problem("ann.json", f"Ann Lee, question 1: {explanation}", people_named=("Ann Lee",))],
    )
    text = PageReader(Report(found, names="hidden", key="k").html).text
    heading = re.escape(english_text("class.report.mistakes"))
    assert re.search(heading + r".*Here Ann gets 3, and Bob 1; Student \d+ wrote it in file \d+", text)
    assert re.search(r"Student \d+, question 1: Here Ann gets 3, and Bob 1; Student \d+ wrote it in file \d+", text)
    assert "Ann Lee" not in text
    assert "ann.json" not in text


def test_students_named_only_in_messages_are_hidden_too() -> None:
    """Their receipt is in another file, and they handed in nothing."""
    found = Gradebook([mark_row("Ann Lee", "q", 0)], [Problem("a.json", "It holds a receipt of Cyd Fox.", people_named=("Cyd Fox",))])
    assert "Cyd" not in PageReader(Report(found, names="hidden", key="k").html).text


def test_a_mistake_is_described_by_its_sentence_or_name() -> None:
    """If the sentence needs facts, a student's own text is used, and the name last."""
    known, heard, bare = (mark_row("a", name, 0, mistake=name) for name in ("number.with_replacement", "too_low", "own_word"))
    html = Report(Gradebook([known, heard, bare._replace(explanation="")], []), language="ru").html
    assert "если бы карту" in html or "возвращ" in html
    assert "Said of too_low" in html
    report = Report(Gradebook([heard._replace(explanation=f"{english_text('lesson.not_yet')}  Look at the suit.")], []), language="ru").html
    assert "Look at the suit" in report
    assert english_text("lesson.not_yet") not in report
    assert "own word" in html


def test_an_empty_class_says_that_there_is_nothing() -> None:
    """Test an empty folder, and one without readable files."""
    assert english("class.report.none").search(harmless(Report(Gradebook([], [])).html).text)
    assert "no.zip" in harmless(Report(Gradebook([], [Problem("no.zip", "It is packed.")])).html).text


def test_invalid_arguments_are_refused() -> None:
    """The message says why."""
    for options, sentence in (
        ({"names": "some"}, "'shown' or 'hidden'"),
        ({"key": 7, "names": "hidden"}, "key must be a text"),
        ({"language": "xx"}, "no words"),
    ):
        with pytest.raises(DurakError, match=sentence):
            Report(CLASS, **options)


def test_the_command_marks_a_folder_and_writes_the_report(tmp_path, capsys) -> None:
    """Both happen in one step."""
    folder = tmp_path / "class"
    folder.mkdir()
    write_files(
        folder,
        **{
            f"{name}_json": receipt(name, answers(name, lambda place, least=least: place >= least))
            for least, name in enumerate(["ann", "bob", "cyd"])
        },
    )
    write_files(folder, torn_ipynb="{")
    out = tmp_path / "class.html"
    assert main(["report", str(folder), "--assignment", MINE, "--out", str(out), "--names", "hidden", "--jobs", "0"]) == 0
    assert "3 students" in capsys.readouterr().out
    page = PageReader(out.read_text(encoding="utf-8"))
    assert "Student 1" in page.text
    assert (
        english_text("class.report.many", students="3", questions=str(len(ASSIGNMENT.questions)), points=str(ASSIGNMENT.points))
        in page.text
    )
    assert english_text("class.report.troubles") in page.text
    assert not re.search(r"\b(ann|bob|cyd|torn)\b", page.text)
    assert main(["report", str(tmp_path / "nowhere"), "--assignment", MINE, "--out", str(out)]) == 1


def test_a_report_can_be_made_from_existing_marks() -> None:
    """It has the titles of the assignment."""
    titled = ASSIGNMENT.questions[0]
    page = lessons.class_report(Gradebook([mark_row("ann", titled.name), mark_row("bob", titled.name, 0)], []), ASSIGNMENT)
    assert page.statistics.students == ("bob", "ann")
    assert f"1 · {titled.title}" in harmless(page.html).text


def test_a_notebook_shows_the_report_in_a_frame() -> None:
    """Nothing runs in it, and it has a title."""
    page = PageReader(Report(CLASS)._repr_html_())
    assert [tag for tag, _ in page.tags] == ["iframe"]
    assert page.tags[0][1]["sandbox"] is None
    assert harmless(page.tags[0][1]["srcdoc"] or "").text.startswith(english_text("class.report.title"))


def test_values_that_are_no_class_are_refused() -> None:
    """Test other values in place of a folder."""
    for folder in (7, None, [], b"x"):
        with pytest.raises(DurakError, match="class_report needs the folder"):
            lessons.class_report(folder, ASSIGNMENT)
