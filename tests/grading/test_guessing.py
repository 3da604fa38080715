"""Test guessing by many files, and files that others hand in under a student's name."""

from __future__ import annotations

import os
from html import unescape

from durak_widget import lessons
from durak_widget.grading.student_feedback import build_feedback_page
from durak_widget.homework.assignment import Assignment, Question
from durak_widget.homework.roster import Roster, RosterRow
from durak_widget.i18n import Translator
from durak_widget.paper_exams.sheet_codes import SheetCode, build_code_prefix
from support.classroom_handing import FEW, SMALL, answers, first_cell, notebook, receipt, write_files
from support.classroom_kinds import ASSIGNMENT, coins
from support.spoken import english, english_text

ANN = answers("Ann", assignment=SMALL)
RIGHT = int(ANN["few"]["answer"])
CODED = Assignment(
    "coded", "Coded", [SMALL.questions[0], Question("strategy", 4, "A strategy", lambda lots: lessons.Strategy(coins(lots)), "strategy")]
)


def guess_receipt(number):
    """Return a receipt that answers one question."""
    return receipt("Ann", {"few": {"answer": str(number), "attempts": 1}}, SMALL)


def mark_folder(folder, **options):
    """Return the marks of the small assignment."""
    return lessons.mark(folder, SMALL, jobs=0, **options)


def test_many_different_answers_count_for_nothing_until_one_is_chosen(tmp_path):
    """Forty receipts with different numbers are listed in one line. Of three, the best counts."""
    names = [f"e{place:02}.json" for place in range(40)]
    write_files(tmp_path, **{name.replace(".", "_"): guess_receipt(RIGHT - 5 + place) for place, name in enumerate(names)})
    marks = mark_folder(tmp_path)
    assert [(row.points, row.is_held) for row in marks.rows] == [(0, False), (0, True), (0, False)]
    assert english("class.mark.held").match(marks.rows[1].explanation)
    (problem,) = marks.problems
    assert "e00.json, e01.json, " in problem.sentence
    assert english("class.file.held", questions="2").search(problem.sentence)
    assert [row.split(",")[2:5] for row in marks.to_csv().splitlines()[1:]] == [["0", "1", "0"], ["", "1", ""], ["0", "1", "0"]]
    assert marks.totals_to_csv().splitlines()[1] == "Ann,0,,0,,3"
    assert str(marks).splitlines()[1].split() == ["Ann", "0", "?", "0", "0", "+", "?", "of", "3"]
    feedback = build_feedback_page(marks, "Ann").html
    assert english("class.mark.held").search(feedback)
    assert "? of 1" in feedback
    assert "e01.json" not in feedback  # a file name must not carry text to her
    for name in names[:4] + names[7:]:
        (tmp_path / name).unlink()
    assert mark_folder(tmp_path).sum_points("Ann") == 1


def test_one_right_answer_among_many_equal_wrong_ones_does_not_count(tmp_path):
    """Forty receipts are treated as many guesses until somebody chooses."""
    write_files(tmp_path, **{f"e{place:02}_json": guess_receipt(RIGHT if place == 17 else RIGHT + 1) for place in range(40)})
    marks = mark_folder(tmp_path)
    assert [(row.points, row.is_held) for row in marks.rows] == [(0, False), (0, True), (0, False)]
    assert [english("class.file.held", student="Ann", count="40").match(problem.sentence) is not None for problem in marks.problems] == [
        True
    ]
    for place in range(12):
        (tmp_path / f"e{place + 20}.json").unlink()
        (tmp_path / f"e{place:02}.json").unlink()
    for place in (12, 13, 14, 15):  # a few notebooks with receipts are this many files
        (tmp_path / f"e{place}.json").unlink()
    assert mark_folder(tmp_path).sum_points("Ann") == 1


def test_files_of_others_never_lower_a_students_marks(tmp_path):
    """Whatever others hand in under Bob's name: what is marked he earned, the rest is held and reported."""
    for alike in (True, False):
        write_files(tmp_path, bob_json=receipt("Ann", ANN, SMALL))
        for place in range(6):
            wrong = {name: {**answer, "answer": [str(place)]} for name, answer in ANN.items()}
            answer_records = answers("Ann", lambda _: False, SMALL) if alike else wrong
            write_files(tmp_path, **{f"z{place}_json": receipt("Ann", answer_records, SMALL)})
            for day, name in enumerate(("bob.json", f"z{place}.json")):
                os.utime(tmp_path / name, (86400 * day, 86400 * day))
            marks = mark_folder(tmp_path)
            assert [row.points for row in marks.rows if not row.is_held] == ([] if place > 1 and not alike else [1, 1, 1])
        held = [problem.sentence for problem in marks.problems if english("class.file.held", questions="1, 2, 3").search(problem.sentence)]
        assert len(held) == (not alike)
        for place in range(6):
            (tmp_path / f"z{place}.json").unlink()
        assert mark_folder(tmp_path).sum_points("Ann") == 3


def test_the_table_of_changes_decides_a_held_question(tmp_path):
    """The teacher's points are final."""
    folder = write_files(tmp_path / "in", **{f"e{place}_json": guess_receipt(RIGHT + place) for place in range(4)})
    changes = tmp_path / "changes.csv"
    changes.write_text("student,question,points,why\nAnn,few,1,e0 is hers\n", encoding="utf-8")
    marks = mark_folder(folder, changes=changes)
    assert (marks.sum_points("Ann"), marks.problems, any(row.is_held for row in marks.rows)) == (1, (), False)


def test_equal_answers_in_many_files_count_as_one(tmp_path):
    """Test numbers and texts, cards in lists and texts: five files, one answer."""
    cards = ANN["picked"]["answer"]
    for place, answer in enumerate([cards, " ".join(cards), cards, cards, cards]):
        answer_records = {"picked": {"answer": answer, "attempts": 1}, "few": {"answer": RIGHT if place % 2 else str(RIGHT), "attempts": 1}}
        write_files(tmp_path, **{f"e{place}_json": receipt("Ann", answer_records, SMALL)})
    assert mark_folder(tmp_path).sum_points("Ann") == 2


def test_code_that_does_not_count_is_not_run(tmp_path):
    """Many files with different programs can't keep the marker waiting."""
    for place in range(5):
        program = f"def choose(view):\n    return 'heads'  # {place}"
        write_files(tmp_path, **{f"e{place}_json": receipt("Eve", {"strategy": {"answer": {"code": program}, "attempts": 1}}, CODED)})
    judged = []
    make_question = CODED.questions[1].make
    counted = Assignment(
        "coded", "Coded", [CODED.questions[0], CODED.questions[1]._replace(make=lambda lots: judged.append(1) or make_question(lots))]
    )
    lessons.mark(tmp_path, counted, jobs=0, run_code=False)
    assert judged == []


def test_a_receipt_that_grows_week_by_week_is_one_work(tmp_path):
    """Five files without contradictions all count, and nothing is reported."""
    answer_records: dict[str, object] = {}
    for place, (name, answer) in enumerate(ANN.items()):
        answer_records[name] = answer
        write_files(
            tmp_path,
            **{
                f"w{place}_json": receipt("Ann", answer_records, SMALL),
                f"w{place}_ipynb": notebook(first_cell("Ann", "small"), receipt("Ann", answer_records, SMALL)),
            },
        )
    marks = mark_folder(tmp_path)
    assert (marks.sum_points("Ann"), marks.problems) == (3, ())


def test_code_under_another_name_puts_no_text_into_feedback(tmp_path):
    """Bob left the question out; an error raised by that code must not reach him."""
    own = receipt("Bob", {"picked": answers("Bob", assignment=CODED)["picked"]}, CODED)
    rude = {"strategy": {"answer": {"code": "raise ValueError('Bob you are a fool')"}, "attempts": 1}}
    marks = lessons.mark(write_files(tmp_path, bob_json=own, zz_json=receipt("Bob", rude, CODED)), CODED, jobs=0)
    assert [(row.credit, row.explanation) for row in marks.rows][1] == (0, "No answer.")
    assert marks.rows[0].credit == 1
    assert "fool" not in build_feedback_page(marks, "Bob").html + str(marks)
    assert [problem.file for problem in marks.problems if english("class.file.again").search(problem.sentence)] == ["zz.json"]
    alone = lessons.mark(write_files(tmp_path / "alone", zz_json=receipt("Bob", rude, CODED)), CODED, jobs=0)
    assert "fool" in alone.rows[1].explanation  # the author of the code reads why


def test_a_student_may_be_called_nobody(tmp_path):
    """No name means "without a name". Files without a name are recognized anyway."""
    for name in ("nobody 0", "X", "x"):
        folder = write_files(
            tmp_path, n_json=receipt(name, answers(name, assignment=SMALL), SMALL), none_json={**guess_receipt(1), "student": ""}
        )
        marks = lessons.mark(folder, SMALL, jobs=0)
        assert (marks.students, marks.sum_points(name)) == ((name,), 3)
        assert [(problem.file, english("class.file.nobody").match(problem.sentence) is not None) for problem in marks.problems] == [
            ("none.json", True)
        ]


def test_an_unreadable_answer_is_listed_below_the_marks(tmp_path):
    """One line per file lists its questions. Wrong but readable answers are not listed."""
    cells = ["homework.answer('picked', 'no cards at all')", "homework.answer('few', 'xyz')", "homework.answer('path', ['left'])"]
    marks = lessons.mark(write_files(tmp_path, a_ipynb=notebook(first_cell("Ann", "small"), *cells)), SMALL, jobs=0)
    unread = [str(place) for place, row in enumerate(marks.rows, 1) if english("class.mark.unread").match(row.explanation)]
    assert len(unread) > 1
    assert [(problem.file, problem.sentence) for problem in marks.problems] == [
        ("a.ipynb", english_text("class.file.unread", questions=str(", ".join(unread))))
    ]


def test_messages_on_one_student_are_grouped(tmp_path):
    """They follow the table's order, not file names; files of nobody come last."""
    wrong = answers("Ann", lambda _: False, SMALL)
    folder = write_files(
        tmp_path,
        a_json=receipt("Ann", wrong, SMALL),
        b_json=b"{",
        z_json=receipt("Ann", {**ANN, "other": {"answer": "1", "attempts": 1}}, SMALL),
        kim__hw_json=receipt("Kimm", {"few": {"answer": "1", "attempts": 1}, "more": {"answer": "1", "attempts": 1}}, SMALL),
    )
    roster = tmp_path.parent / "class.csv"
    roster.write_text("name\nKim\nAnn\nZoe\n", encoding="utf-8")
    files = [problem.file for problem in lessons.mark(folder, FEW, jobs=0, roster=roster).problems]
    assert files == ["a.json", "z.json", "", "kim/hw.json", "kim/hw.json", "kim/hw.json", "b.json", "b.json"]


def test_a_final_mark_says_not_right_instead_of_not_yet(tmp_path):
    """“Not yet” is only for those who can try again, as at home."""
    for language in ("en", "ru", "lt"):
        sentence = Translator(language).translate("lesson.not_right")
        folder = write_files(tmp_path, a_json=guess_receipt(RIGHT + 1))
        marks = lessons.mark(folder, SMALL, jobs=0, language=language)
        assert marks.rows[1].explanation.startswith(sentence)
        assert sentence in unescape(build_feedback_page(marks, "Ann", language=language).html)
        assert str(SMALL.create_exercise("few", "Ann").answer(str(RIGHT + 1))).startswith(english_text("lesson.not_yet"))


# A table among homework

PAPER = ASSIGNMENT.select_questions([question.name for question in ASSIGNMENT.questions if question.kind in ("number", "choose")])


def forged_table(folder, name, students, *answers, sep=","):
    """Return a table with a line for each answer; anybody can compute the codes from names."""
    numbers = [str(place) for place, _ in enumerate(PAPER.questions, 1)]
    lines = [sep.join(["code", "edition", *numbers])]
    lines += [
        sep.join([SheetCode(build_code_prefix(PAPER, who), 1).text, PAPER.edition, *[given] * len(numbers)])
        for who in students
        for given in answers
    ]
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / name


def test_a_students_table_cannot_lower_the_marks_of_the_class(tmp_path):
    """It contradicts itself for each classmate; without being named by the marker, it does not count and is reported."""
    for roster in ((), ("Ann", "Bob", "Mallory")):
        for name in ("mallory.csv", "mallory.tsv", "Mallory/notes.csv"):
            for who in ("Ann", "Bob", "Mallory"):
                write_files(tmp_path, **{f"{who}_json": receipt(who, answers(who, assignment=PAPER), PAPER)})
            options = {"roster": Roster([RosterRow(who, (), ()) for who in roster])} if roster else {}
            before = lessons.mark(tmp_path, PAPER, jobs=0, anew=True, **options)
            forged_table(tmp_path, name, ["Ann", "Bob"], "1", "2", sep="\t" if name.endswith("tsv") else ",")
            after = lessons.mark(tmp_path, PAPER, jobs=0, anew=True, **options)
            assert [after.sum_points(who) for who in ("Ann", "Bob", "Mallory")] == [
                before.sum_points(who) for who in ("Ann", "Bob", "Mallory")
            ]
            assert not any(row.is_held for row in after.rows)
            assert any("--typed" in trouble.sentence for trouble in after.problems if trouble.file == name)


def test_a_named_table_counts_and_never_lowers_marks(tmp_path):
    """Where its lines contradict each other, the student's own file counts, or the question waits."""
    (work := tmp_path / "work").mkdir()
    write_files(work, Ann_json=receipt("Ann", answers("Ann", assignment=PAPER), PAPER))
    sheet = forged_table(tmp_path, "typed.csv", ["Ann", "Bob"], "1", "2")
    marks = lessons.mark(work, PAPER, jobs=0, anew=True, typed=sheet, roster=Roster([RosterRow("Ann", (), ()), RosterRow("Bob", (), ())]))
    assert marks.sum_points("Ann") == PAPER.points
    bob = marks.get_rows("Bob")
    assert all(row.is_held for row in bob)
    assert all(english("class.mark.unsure").search(row.explanation) for row in bob)
    assert not any("more than three files" in row.explanation for row in bob)


def test_only_the_first_lines_of_an_endless_table_are_read(tmp_path):
    """One message gives the number, and those lines count."""
    (work := tmp_path / "work").mkdir()
    write_files(work, Ann_json=receipt("Ann", {}, PAPER))
    right = answers("Ann", assignment=PAPER)[PAPER.questions[0].name]["answer"]
    sheet = forged_table(tmp_path, "typed.csv", ["Ann"], str(right))
    sheet.write_text(sheet.read_text(encoding="utf-8") + ",,a\n" * 60_000, encoding="utf-8")
    marks = lessons.mark(work, PAPER, jobs=0, anew=True, typed=sheet, roster=Roster([RosterRow("Ann", (), ())]))
    assert any(row.file == "typed.csv:2" for row in marks.get_rows("Ann"))
    sentences = [trouble.sentence for trouble in marks.problems if trouble.file == "typed.csv"]
    assert [sentence for sentence in sentences if english("class.typed.many").search(sentence)] == [
        english_text("class.typed.many", most="5000", lines="60001")
    ]
    assert len(sentences) <= 5_000
