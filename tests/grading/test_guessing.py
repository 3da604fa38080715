"""Many files of one student are no many guesses, and what somebody else hands in under a name says nothing to whoever bears it."""

from __future__ import annotations

import os

from durak_widget import lessons
from durak_widget.grading.student_feedback import build_feedback_page
from durak_widget.homework.assignment import Assignment, Question
from durak_widget.homework.roster import Roster, RosterRow
from durak_widget.paper_exams.sheet_codes import SheetCode, build_code_prefix
from support.classroom_handing import FEW, SMALL, answers, begins, notebook, receipt, write
from support.classroom_kinds import ASSIGNMENT, coins

ANN = answers("Ann", assignment=SMALL)
RIGHT = int(ANN["few"]["answer"])
CODED = Assignment(
    "coded", "Coded", [SMALL.questions[0], Question("strategy", 4, "A strategy", lambda lots: lessons.Strategy(coins(lots)), "strategy")]
)


def guess(number):
    """A receipt that answers one question."""
    return receipt("Ann", {"few": {"answer": str(number), "attempts": 1}}, SMALL)


def marked(folder, **told):
    """The marks of the small assignment."""
    return lessons.mark(folder, SMALL, jobs=0, **told)


def test_many_files_are_not_many_guesses(tmp_path):
    """Of forty receipts with another number each nothing counts until somebody says which is hers: one line names them; of three the best does."""
    names = [f"e{place:02}.json" for place in range(40)]
    write(tmp_path, **{name.replace(".", "_"): guess(RIGHT - 5 + place) for place, name in enumerate(names)})
    marks = marked(tmp_path)
    assert [(row.points, row.is_held) for row in marks.rows] == [(0, False), (0, True), (0, False)]
    assert marks.rows[1].explanation.startswith("Not marked yet")
    (told,) = marks.problems
    assert told.sentence.startswith("Ann: 40 files (e00.json, e01.json, ")
    assert "hold different answers to the same; not marked yet are the questions: 2." in told.sentence
    assert [row.split(",")[2:5] for row in marks.to_csv().splitlines()[1:]] == [["0", "1", "0"], ["", "1", ""], ["0", "1", "0"]]
    assert marks.totals_to_csv().splitlines()[1] == "Ann,0,,0,,3"
    assert str(marks).splitlines()[1].split() == ["Ann", "0", "?", "0", "0", "+", "?", "of", "3"]
    shown = build_feedback_page(marks, "Ann").html
    assert "Not marked yet" in shown
    assert "? of 1" in shown
    assert "e01.json" not in shown  # how a file is called is no way to speak to her
    for name in names[:4] + names[7:]:
        (tmp_path / name).unlink()
    assert marked(tmp_path).sum_points("Ann") == 1


def test_a_right_answer_among_many_files_with_one_other_is_no_guess_that_counts(tmp_path):
    """Of forty receipts one is right and all others say the same: as with forty different answers, nothing counts until somebody says which is hers."""
    write(tmp_path, **{f"e{place:02}_json": guess(RIGHT if place == 17 else RIGHT + 1) for place in range(40)})
    marks = marked(tmp_path)
    assert [(row.points, row.is_held) for row in marks.rows] == [(0, False), (0, True), (0, False)]
    assert [told.sentence[:17] for told in marks.problems] == ["Ann: 40 files (e0"]
    for place in range(12):
        (tmp_path / f"e{place + 20}.json").unlink()
        (tmp_path / f"e{place:02}.json").unlink()
    for place in (12, 13, 14, 15):  # a notebook and its receipt, a few times, are as many as these
        (tmp_path / f"e{place}.json").unlink()
    assert marked(tmp_path).sum_points("Ann") == 1


def test_nobody_lowers_the_marks_of_another_by_files(tmp_path):
    """Bob hands in what is right; whatever others lay beside it under his name, of whatever date, what is marked is what he earned, and what is not is held and named."""
    for alike in (True, False):
        write(tmp_path, bob_json=receipt("Ann", ANN, SMALL))
        for place in range(6):
            wrong = {name: {**one, "answer": [str(place)]} for name, one in ANN.items()}
            kept = answers("Ann", lambda _: False, SMALL) if alike else wrong
            write(tmp_path, **{f"z{place}_json": receipt("Ann", kept, SMALL)})
            for day, name in enumerate(("bob.json", f"z{place}.json")):
                os.utime(tmp_path / name, (86400 * day, 86400 * day))
            marks = marked(tmp_path)
            assert [row.points for row in marks.rows if not row.is_held] == ([] if place > 1 and not alike else [1, 1, 1])
        held = [one.sentence for one in marks.problems if "not marked yet are the questions: 1, 2, 3." in one.sentence]
        assert len(held) == (not alike)
        for place in range(6):
            (tmp_path / f"z{place}.json").unlink()
        assert marked(tmp_path).sum_points("Ann") == 3


def test_a_held_question_is_decided_by_the_table_of_changes(tmp_path):
    """Points that a teacher has set are the marks, and nothing more is asked."""
    folder = write(tmp_path / "in", **{f"e{place}_json": guess(RIGHT + place) for place in range(4)})
    changes = tmp_path / "changes.csv"
    changes.write_text("student,question,points,why\nAnn,few,1,e0 is hers\n", encoding="utf-8")
    marks = marked(folder, changes=changes)
    assert (marks.sum_points("Ann"), marks.problems, any(row.is_held for row in marks.rows)) == (1, (), False)


def test_the_same_answer_in_many_files_is_one(tmp_path):
    """A number and its text, cards in a list and in a text: five files, one answer, nothing held."""
    cards = ANN["picked"]["answer"]
    for place, one in enumerate([cards, " ".join(cards), cards, cards, cards]):
        kept = {"picked": {"answer": one, "attempts": 1}, "few": {"answer": RIGHT if place % 2 else str(RIGHT), "attempts": 1}}
        write(tmp_path, **{f"e{place}_json": receipt("Ann", kept, SMALL)})
    assert marked(tmp_path).sum_points("Ann") == 2


def test_code_that_counts_for_nothing_is_not_run(tmp_path):
    """Of many files with another program each none is judged: nobody keeps whoever marks for as long as they like."""
    for place in range(5):
        program = f"def choose(view):\n    return 'heads'  # {place}"
        write(tmp_path, **{f"e{place}_json": receipt("Eve", {"strategy": {"answer": {"code": program}, "attempts": 1}}, CODED)})
    judged = []
    made = CODED.questions[1].make
    counted = Assignment(
        "coded", "Coded", [CODED.questions[0], CODED.questions[1]._replace(make=lambda lots: judged.append(1) or made(lots))]
    )
    lessons.mark(tmp_path, counted, jobs=0, run_code=False)
    assert judged == []


def test_a_receipt_that_grows_from_week_to_week_is_one_work(tmp_path):
    """Five files that do not contradict each other: all that is answered counts, and nothing is said."""
    kept: dict[str, object] = {}
    for place, (name, one) in enumerate(ANN.items()):
        kept[name] = one
        write(
            tmp_path,
            **{
                f"w{place}_json": receipt("Ann", kept, SMALL),
                f"w{place}_ipynb": notebook(begins("Ann", "small"), receipt("Ann", kept, SMALL)),
            },
        )
    marks = marked(tmp_path)
    assert (marks.sum_points("Ann"), marks.problems) == (3, ())


def test_nobody_speaks_in_anothers_feedback(tmp_path):
    """Code under Bob's name that raises what somebody wants to tell him, for a question that he left out: he has given no answer there, as before."""
    own = receipt("Bob", {"picked": answers("Bob", assignment=CODED)["picked"]}, CODED)
    rude = {"strategy": {"answer": {"code": "raise ValueError('Bob you are a fool')"}, "attempts": 1}}
    marks = lessons.mark(write(tmp_path, bob_json=own, zz_json=receipt("Bob", rude, CODED)), CODED, jobs=0)
    assert [(row.credit, row.explanation) for row in marks.rows][1] == (0, "No answer.")
    assert marks.rows[0].credit == 1
    assert "fool" not in build_feedback_page(marks, "Bob").html + str(marks)
    assert [one.file for one in marks.problems if "several times" in one.sentence] == ["zz.json"]
    alone = lessons.mark(write(tmp_path / "alone", zz_json=receipt("Bob", rude, CODED)), CODED, jobs=0)
    assert "fool" in alone.rows[1].explanation  # whose code it is hears why


def test_nobody_is_a_name_too(tmp_path):
    """Whatever a student is called, they are not taken for somebody who says no name; who says none is."""
    for name in ("nobody 0", "X", "x"):
        folder = write(tmp_path, n_json=receipt(name, answers(name, assignment=SMALL), SMALL), none_json={**guess(1), "student": ""})
        marks = lessons.mark(folder, SMALL, jobs=0)
        assert (marks.students, marks.sum_points(name)) == ((name,), 3)
        assert [(one.file, one.sentence[:27]) for one in marks.problems] == [("none.json", "It does not say whose it is")]


def test_an_answer_that_cannot_be_read_is_told_below_the_marks(tmp_path):
    """By the numbers of its questions, in one line a file; what is read and wrong is not told there."""
    cells = ["homework.answer('picked', 'no cards at all')", "homework.answer('few', 'xyz')", "homework.answer('path', ['left'])"]
    marks = lessons.mark(write(tmp_path, a_ipynb=notebook(begins("Ann", "small"), *cells)), SMALL, jobs=0)
    unread = [str(place) for place, row in enumerate(marks.rows, 1) if row.explanation.startswith("This answer cannot be read")]
    assert len(unread) > 1
    assert [(one.file, one.sentence) for one in marks.problems] == [
        ("a.ipynb", f"Answers in it that cannot be read, and so earn nothing, to the questions: {', '.join(unread)}.")
    ]


def test_what_is_odd_about_one_student_stands_together(tmp_path):
    """The lines of all files of one student follow each other, as students stand in the table, though those of others stand between them by name; last is what is nobody's."""
    wrong = answers("Ann", lambda _: False, SMALL)
    folder = write(
        tmp_path,
        a_json=receipt("Ann", wrong, SMALL),
        b_json=b"{",
        z_json=receipt("Ann", {**ANN, "other": {"answer": "1", "attempts": 1}}, SMALL),
        kim__hw_json=receipt("Kimm", {"few": {"answer": "1", "attempts": 1}, "more": {"answer": "1", "attempts": 1}}, SMALL),
    )
    roster = tmp_path.parent / "class.csv"
    roster.write_text("name\nKim\nAnn\nZoe\n", encoding="utf-8")
    said = [one.file for one in lessons.mark(folder, FEW, jobs=0, roster=roster).problems]
    assert said == ["a.json", "z.json", "", "kim/hw.json", "kim/hw.json", "kim/hw.json", "b.json", "b.json"]


def test_a_final_mark_says_not_right(tmp_path):
    """“Not yet” is for who may try again; at home the same answer still hears it."""
    for language, said in (("en", "Not right."), ("ru", "Неверно."), ("lt", "Neteisingai.")):
        folder = write(tmp_path, a_json=guess(RIGHT + 1))
        marks = lessons.mark(folder, SMALL, jobs=0, language=language)
        assert marks.rows[1].explanation.startswith(said)
        assert said in build_feedback_page(marks, "Ann", language=language).html
        assert str(SMALL.create_exercise("few", "Ann").answer(str(RIGHT + 1))).startswith("Not yet.")


# A table among homework

PAPER = ASSIGNMENT.select_questions([question.name for question in ASSIGNMENT.questions if question.kind in ("number", "choose")])


def table(folder, name, students, *answers, sep=","):
    """A table with a line for each answer: the codes follow from names that everybody knows."""
    numbers = [str(place) for place, _ in enumerate(PAPER.questions, 1)]
    lines = [sep.join(["code", "edition", *numbers])]
    lines += [
        sep.join([SheetCode(build_code_prefix(PAPER, who), 1).text, PAPER.edition, *[said] * len(numbers)])
        for who in students
        for said in answers
    ]
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / name


def test_one_student_s_table_takes_no_marks_from_the_class(tmp_path):
    """It lies among what was handed in, contradicts itself in the name of each classmate, and nobody who marks has named it: it does not count, and is named."""
    for roster in ((), ("Ann", "Bob", "Mallory")):
        for name in ("mallory.csv", "mallory.tsv", "Mallory/notes.csv"):
            for who in ("Ann", "Bob", "Mallory"):
                write(tmp_path, **{f"{who}_json": receipt(who, answers(who, assignment=PAPER), PAPER)})
            told = {"roster": Roster([RosterRow(who, (), ()) for who in roster])} if roster else {}
            before = lessons.mark(tmp_path, PAPER, jobs=0, anew=True, **told)
            table(tmp_path, name, ["Ann", "Bob"], "1", "2", sep="\t" if name.endswith("tsv") else ",")
            after = lessons.mark(tmp_path, PAPER, jobs=0, anew=True, **told)
            assert [after.sum_points(who) for who in ("Ann", "Bob", "Mallory")] == [
                before.sum_points(who) for who in ("Ann", "Bob", "Mallory")
            ]
            assert not any(row.is_held for row in after.rows)
            assert any("--typed" in trouble.sentence for trouble in after.problems if trouble.file == name)


def test_a_named_table_counts_and_never_lowers_what_a_student_handed_in(tmp_path):
    """Named by whoever marks, it counts beside the folder; where its lines contradict each other, a file of the student's own counts, else the question waits."""
    (work := tmp_path / "work").mkdir()
    write(work, Ann_json=receipt("Ann", answers("Ann", assignment=PAPER), PAPER))
    sheet = table(tmp_path, "typed.csv", ["Ann", "Bob"], "1", "2")
    marks = lessons.mark(work, PAPER, jobs=0, anew=True, typed=sheet, roster=Roster([RosterRow("Ann", (), ()), RosterRow("Bob", (), ())]))
    assert marks.sum_points("Ann") == PAPER.points
    bob = marks.get_rows("Bob")
    assert all(row.is_held for row in bob)
    assert all("two lines of the typed table" in row.explanation for row in bob)
    assert not any("more than three files" in row.explanation for row in bob)


def test_of_a_table_without_end_only_the_first_lines_are_read(tmp_path):
    """One sentence says how many; what stands in the first lines counts."""
    (work := tmp_path / "work").mkdir()
    write(work, Ann_json=receipt("Ann", {}, PAPER))
    right = answers("Ann", assignment=PAPER)[PAPER.questions[0].name]["answer"]
    sheet = table(tmp_path, "typed.csv", ["Ann"], str(right))
    sheet.write_text(sheet.read_text(encoding="utf-8") + ",,a\n" * 60_000, encoding="utf-8")
    marks = lessons.mark(work, PAPER, jobs=0, anew=True, typed=sheet, roster=Roster([RosterRow("Ann", (), ())]))
    assert any(row.file == "typed.csv:2" for row in marks.get_rows("Ann"))
    said = [trouble.sentence for trouble in marks.problems if trouble.file == "typed.csv"]
    assert [one for one in said if "Only the first" in one] == ["Only the first 5000 of its 60001 lines were read. Split the table."]
    assert len(said) <= 5_000
