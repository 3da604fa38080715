"""The teacher's page: its numbers are those of the marks, names can be hidden, and whatever a name or an answer says stays words."""

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
from support.classroom_handing import MINE, answers, receipt, write
from support.classroom_kinds import ASSIGNMENT
from support.classroom_pages import Read, harmless

CLASS = marks(30)


def row(student: str, question: str, credit: str | int = 1, *, tries: int = 1, mistake: str = "", of: int = 2) -> GradebookRow:
    """A row of marks."""
    share = Fraction(credit)
    return GradebookRow(student, f"{student}.json", question, share * of, of, share, tries, mistake, mistake and f"Said of {mistake}.")


def test_a_question_is_as_hard_as_its_credit() -> None:
    """The mean credit counts no answer as none."""
    found = ClassStatistics([row("a", "q"), row("b", "q", "1/2"), row("c", "r"), row("d", "q", 0, tries=0), row("d", "r", 0)])
    assert [(asked.name, asked.mean_credit, asked.answered_count) for asked in found.questions] == [("q", 1.5 / 4, 2), ("r", 0.25, 2)]
    assert found.questions[0].stuck_students == ("d", "c")
    assert found.max_points == 4
    assert found.points == {"a": 2, "b": 1, "c": 2, "d": 0}


def test_of_whom_nothing_counts_says_nothing_of_a_question() -> None:
    """Ten who have handed in nothing make no question harder, and none tell better; they are named, once."""
    plain, missing = (
        marks(30),
        [
            row(f"away {number}", one.question, 0, tries=0, of=one.max_points)
            for number in range(10)
            for one in CLASS.get_rows(CLASS.students[0])
        ],
    )
    gone = [Problem("", f"Nothing was handed in by away {number}.") for number in range(10)]
    page = Report(Gradebook([*plain.rows, *missing], [*plain.problems, *gone]))
    assert page.statistics.questions == ClassStatistics(plain.rows).questions
    assert page.statistics.absent_students == tuple(f"away {number}" for number in range(10))
    text = harmless(page.html).text
    assert "students: 30" in text
    assert "(10): away 0, away 1," in text
    assert text.count("away 9") == 1
    assert "Troubles with submissions: 2." in text
    nobody = harmless(Report(Gradebook(missing, gone)).html).text
    assert nobody.count("away 9") == 1


def test_what_a_question_tells_apart_is_its_correlation_with_the_rest() -> None:
    """Worked out a second time by the formula, for every question of a class; the lottery among them tells nothing."""
    found = ClassStatistics(CLASS.rows)
    for place, asked in enumerate(found.questions):
        ones = [float(one.credit) for one in CLASS.rows if one.question == asked.name]
        students = [one.student for one in CLASS.rows if one.question == asked.name]
        rest = [
            float(sum(one.points for one in CLASS.rows if one.student == student and one.question != asked.name)) for student in students
        ]
        mean, other = fmean(ones), fmean(rest)
        both = sum((a - mean) * (b - other) for a, b in zip(ones, rest, strict=True))
        spread = sqrt(sum((a - mean) ** 2 for a in ones) * sum((b - other) ** 2 for b in rest))
        assert asked.discrimination == pytest.approx(both / spread), place
    large = ClassStatistics(marks(200).rows).questions
    assert abs(large[10].discrimination or 0) < 0.2 < min(asked.discrimination or 0 for asked in large if asked is not large[10])


def test_where_nothing_can_be_told_apart_nothing_is_said() -> None:
    """Of few students, of equal ones, and of a question that is alone, there is no correlation."""
    for rows in (
        [row(f"s{number}", question) for number in range(4) for question in "qr"],
        [row(f"s{number}", question) for number in range(9) for question in "qr"],
        [row(f"s{number}", "q", number % 2) for number in range(9)],
    ):
        assert {asked.discrimination for asked in ClassStatistics(rows).questions} == {None}
        assert "cannot be said" in harmless(Report(Gradebook(rows, [])).html).text


def test_mistakes_are_counted_by_name() -> None:
    """The commonest first, those without a name last; full credit, and no answer, is no mistake."""
    rows = [row(f"s{number}", "q", 0, mistake=name) for number, name in enumerate(["turned", "turned", "own", "", "", ""])]
    found = ClassStatistics([*rows, row("right", "q"), row("silent", "q", 0, tries=0)]).questions[0]
    assert [(mistake.name, mistake.student_count) for mistake in found.mistakes] == [("turned", 2), ("own", 1), ("", 3)]
    assert found.mistakes[0].message == "Said of turned."


def test_tries_have_a_middle() -> None:
    """The median and the quartiles of those who tried."""
    rows = [row(f"s{number}", "q", tries=tries) for number, tries in enumerate([0, 1, 1, 2, 3, 9])]
    assert ClassStatistics(rows).questions[0].attempt_quartiles == (2.0, 1.0, 3.0)
    assert ClassStatistics([row("a", "q", tries=4)]).questions[0].attempt_quartiles == (4.0, 4.0, 4.0)
    assert ClassStatistics([row("a", "q", 0, tries=0)]).questions[0].attempt_quartiles is None


def test_whatever_a_name_says_stays_words() -> None:
    """Of names, files, sentences and troubles full of markup nothing becomes an element, in any language."""
    for language in sorted(LANGUAGES):
        for names in ("shown", "hidden"):
            page = harmless(Report(CLASS, language=language, names=names, title=HOSTILE, titles={QUESTIONS[0]: HOSTILE}).html)
            assert page.tags[0][1]["lang"] == language
            assert HOSTILE in page.text
            assert "{" not in page.text


def test_the_grid_has_every_student_and_question() -> None:
    """A row for each, those with the fewest points first; a cell says in a sign or a number what its shade says."""
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
            shown = "–" if not answered else "✓" if credit == 1 else f"{100 * credit:.0f}"
            assert cell == shown + (f"<sub>{tries}×</sub>" if answered and tries >= 4 else "")


def names_on(html: str) -> list[str]:
    """The students in the order of the grid."""
    return re.findall(r'<th scope="row">(Student \d+)</th>', html)


def test_names_are_hidden_and_stay_the_same() -> None:
    """No name and no file is left, in sentences neither; by the same key they are called the same, by another otherwise, and not by the alphabet."""
    pages = [Report(CLASS, names="hidden", key=key).html for key in ("willow", "willow", "birch")]
    text = Read(pages[0]).text
    assert not re.search(r"Anna|Žemait|\bbroken\b", text)
    assert names_on(pages[0]) == names_on(pages[1]) != names_on(pages[2])
    assert len(set(names_on(pages[0]))) == 30
    equal = Gradebook([row(f"name {letter}", "q") for letter in "abcdefghij"], [])
    assert names_on(Report(equal, names="hidden", key="k").html) != sorted(names_on(Report(equal, names="hidden", key="k").html))
    assert len({Report(equal, names="hidden").html for _ in range(4)}) > 1


def test_who_comes_late_changes_nobody_elses_number() -> None:
    """Two thousand names of their own; with each that comes, all before are called as they were, but that a number may go on where two begin alike."""
    voice, names = Translator(), [f"name {number}" for number in range(2000)]
    known: dict[str, str] = {}
    for some in (30, 31, 200, 2000):
        hidden = DisplayNames.with_pseudonyms(names[:some], [], "willow", voice)
        called = {name: hidden.get_student_name(name) for name in names[:some]}
        assert len(set(called.values())) == some
        assert all(called[name].startswith(before) for name, before in known.items())
        known = called
    assert max(map(len, known.values())) > len("Student 1234") == min(map(len, known.values()))


def test_a_student_who_is_called_like_a_word_hides_no_word_of_the_page() -> None:
    """Only what students and troubles say is searched for names."""
    found = Gradebook(
        [row("Points", "q", 0, mistake="turned"), row("Students All", "q")], [Problem("Points.json", "Points handed in twice.")]
    )
    text = Read(Report(found, names="hidden", key="k").html).text
    assert "Points handed in" not in text
    assert "On average 1 of 2 points" in text


def test_a_name_is_found_as_a_word() -> None:
    """In a sentence, in a file's name and in any case, but not within another word."""
    found = Gradebook([row("Car Lee", "q", 0)], [Problem("", "CAR_lee.ipynb: lee, look at the cards.")])
    text = Read(Report(found, names="hidden", key="k").html).text
    assert "look at the cards" in text
    assert not re.search("car_|lee", text, re.IGNORECASE)


def test_a_player_of_a_game_keeps_the_name_that_a_student_shares() -> None:
    """Students are hidden where students are named; what is said of a game says whom it is about, in a mistake and beside a file that is called so."""
    said = "Here Ann gets 3, and Bob 1; Ann Lee wrote it in ann.json."
    rows = [row(name, "q", 0, mistake="heard")._replace(explanation=said) for name in ("Ann Lee", "Bob")]
    found = Gradebook(
        [one._replace(file="ann.json") for one in rows], [Problem("ann.json", f"Ann Lee, question 1: {said}", people_named=("Ann Lee",))]
    )
    text = Read(Report(found, names="hidden", key="k").html).text
    assert re.search(r"Commonest mistakes.*Here Ann gets 3, and Bob 1; Student \d+ wrote it in file \d+", text)
    assert re.search(r"Student \d+, question 1: Here Ann gets 3, and Bob 1; Student \d+ wrote it in file \d+", text)
    assert "Ann Lee" not in text
    assert "ann.json" not in text


def test_whoever_is_named_by_a_trouble_alone_is_hidden_too() -> None:
    """Somebody whose receipt lies in another's file, and who handed in nothing, has another name on the page as well."""
    found = Gradebook([row("Ann Lee", "q", 0)], [Problem("a.json", "It holds a receipt of Cyd Fox.", people_named=("Cyd Fox",))])
    assert "Cyd" not in Read(Report(found, names="hidden", key="k").html).text


def test_a_mistake_is_said_in_the_words_that_name_it() -> None:
    """By its sentence where that needs no facts, else as a student heard it, else by its name."""
    known, heard, bare = (row("a", name, 0, mistake=name) for name in ("number.with_replacement", "too_low", "own_word"))
    html = Report(Gradebook([known, heard, bare._replace(explanation="")], []), language="ru").html
    assert "если бы карту" in html or "возвращ" in html
    assert "Said of too_low" in html
    told = Report(Gradebook([heard._replace(explanation="Not yet.  Look at the suit.")], []), language="ru").html
    assert "Look at the suit" in told
    assert "Not yet" not in told
    assert "own word" in html


def test_of_nobody_it_is_said_that_there_is_nothing() -> None:
    """An empty folder, and one in which nothing could be read."""
    assert "no submission could be marked" in harmless(Report(Gradebook([], [])).html).text
    assert "no.zip" in harmless(Report(Gradebook([], [Problem("no.zip", "It is packed.")])).html).text


def test_what_cannot_be_asked_is_refused() -> None:
    """In a sentence."""
    for options, said in (
        ({"names": "some"}, "'shown' or 'hidden'"),
        ({"key": 7, "names": "hidden"}, "a key is a word"),
        ({"language": "xx"}, "no words"),
    ):
        with pytest.raises(DurakError, match=said):
            Report(CLASS, **options)


def test_a_folder_becomes_a_page(tmp_path, capsys) -> None:
    """Marked and told in one, by the command, which keeps it."""
    folder = tmp_path / "class"
    folder.mkdir()
    write(
        folder,
        **{
            f"{name}_json": receipt(name, answers(name, lambda place, least=least: place >= least))
            for least, name in enumerate(["ann", "bob", "cyd"])
        },
    )
    write(folder, torn_ipynb="{")
    out = tmp_path / "class.html"
    assert main(["report", str(folder), "--assignment", MINE, "--out", str(out), "--names", "hidden", "--jobs", "0"]) == 0
    assert "3 students" in capsys.readouterr().out
    page = Read(out.read_text(encoding="utf-8"))
    assert "Student 1" in page.text
    assert f"students: 3 · questions: {len(ASSIGNMENT.questions)} · points: {ASSIGNMENT.points}" in page.text
    assert page.text.count("Submissions with troubles") == 1
    assert not re.search(r"\b(ann|bob|cyd|torn)\b", page.text)
    assert main(["report", str(tmp_path / "nowhere"), "--assignment", MINE, "--out", str(out)]) == 1


def test_marks_that_there_are_need_not_be_marked_again() -> None:
    """From marks themselves, with the titles of the assignment."""
    titled = ASSIGNMENT.questions[0]
    page = lessons.class_report(Gradebook([row("ann", titled.name), row("bob", titled.name, 0)], []), ASSIGNMENT)
    assert page.statistics.students == ("bob", "ann")
    assert f"1 · {titled.title}" in harmless(page.html).text


def test_the_page_stands_in_a_notebook_by_itself() -> None:
    """In a frame in which nothing runs, with a title."""
    shown = Read(Report(CLASS)._repr_html_())
    assert [tag for tag, _ in shown.tags] == ["iframe"]
    assert shown.tags[0][1]["sandbox"] is None
    assert harmless(shown.tags[0][1]["srcdoc"] or "").text.startswith("How the class stands")


def test_what_is_no_class_is_refused() -> None:
    """Whatever else is given in place of a folder."""
    for folder in (7, None, [], b"x"):
        with pytest.raises(DurakError, match="a class is reported from its folder"):
            lessons.class_report(folder, ASSIGNMENT)
