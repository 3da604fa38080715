"""Test homework on paper: questions, sheet codes, typed answers and their marks."""

from __future__ import annotations

import csv
import io
from base64 import b64decode
from fractions import Fraction
from html import unescape
from itertools import pairwise

import pytest

from durak_widget import lessons
from durak_widget.errors import DurakError
from durak_widget.exercises.paper_form import convert_paper_answer, require_paper_question
from durak_widget.grading.command_line import main
from durak_widget.grading.student_feedback import write_feedback
from durak_widget.homework.assignment import Assignment, Question
from durak_widget.homework.csv_tables import BOM
from durak_widget.paper_exams.exam_sheets import PrintedExam, write_exam_sheets
from durak_widget.paper_exams.sheet_codes import CODE_ALPHABET, SheetCode, build_code_prefix
from durak_widget.translated_errors import RefusedError
from support.classroom_kinds import ASSIGNMENT, wrong
from support.spoken import english

CLASS = ("Ann Lee", "Ben Moss", "Žydrė Petraitė")
PRINTABLE = ASSIGNMENT.select_questions([question.name for question in ASSIGNMENT.questions if question.kind != "position"])


def typed_table(papers: PrintedExam, right: dict[str, object]) -> list[list[str]]:
    """Return a class's table filled in from the key, for these students or questions."""
    rows = list(csv.reader(io.StringIO(papers.build_answer_csv().removeprefix(BOM))))
    for row in rows[1:]:
        wanted = right.get(row[1], ())
        for number, (question, parts) in enumerate(zip(papers.assignment.questions, papers._solutions[row[1]], strict=True), 1):
            for label, text in parts if wanted == "all" or question.name in wanted else ():
                row[rows[0].index(f"{number}{label} {question.name}")] = text
    return rows


def write_table(path, rows):
    """Write a table to a file."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def put_cell(rows, student, heading, text):
    """Type text into a cell."""
    row = next(row for row in rows if row[1] == student)
    row[rows[0].index(heading)] = text


def test_answers_from_the_key_earn_full_marks() -> None:
    """Test every kind, as typed and in capitals."""
    for question in PRINTABLE.questions:
        for student in CLASS:
            task = PRINTABLE.create_exercise(question.name, student)
            written = require_paper_question(task).write_solution()
            for texts in (written, {label: f" {text.upper()} " for label, text in written.items()}):
                again = PRINTABLE.create_exercise(question.name, student)
                assert again.answer(convert_paper_answer(again, {"by_hand": texts})), (student, texts)


def test_empty_blanks_are_no_answer() -> None:
    """A letter that is on no sheet is reported."""
    for question in PRINTABLE.questions:
        task = PRINTABLE.create_exercise(question.name, "Ann Lee")
        assert convert_paper_answer(task, {"by_hand": dict.fromkeys(require_paper_question(task).write_solution(), " ' ")}) is None
        with pytest.raises(RefusedError, match=english("lesson.hand.no_blank", label="zz")):
            convert_paper_answer(task, {"by_hand": {"zz": "1"}})


def test_questions_that_need_a_screen_are_refused() -> None:
    """A position can't be played on paper, and no file is written."""
    with pytest.raises(RefusedError, match=english("lesson.hand.screen", number="13")):
        PrintedExam(ASSIGNMENT, CLASS)


def test_a_paper_earns_the_same_as_a_notebook(tmp_path) -> None:
    """Right, wrong and missing answers have the same points and reasons."""
    papers = PrintedExam(PRINTABLE, ["Ann Lee"])
    rows = typed_table(papers, {"Ann Lee": ["picked", "values", "fill", "best"]})
    for heading, text in (("1 picked", "a"), ("6b values", "7"), ("9a fill", "7"), ("11a best", "a1 b2")):
        put_cell(rows, "Ann Lee", heading, text)
    paper = lessons.mark(write_table(tmp_path / "typed.csv", rows), PRINTABLE, jobs=0, anew=True)
    home = tmp_path / "home"
    homework = lessons.homework(PRINTABLE, student="Ann Lee", folder=home)
    for name in ("picked", "values", "fill", "best"):
        number = PRINTABLE.find_question_index(name) + 1
        cells = {
            head.split()[0].removeprefix(str(number)): text for head, text in zip(rows[0], rows[1], strict=True) if head.endswith(name)
        }
        task = PRINTABLE.create_exercise(name, "Ann Lee")
        homework.answer(name, convert_paper_answer(task, {"by_hand": cells}))
    notebook = lessons.mark(home, PRINTABLE, jobs=0, anew=True)
    assert [(row.question, row.points, row.explanation, row.mistake_name) for row in paper.rows] == [
        (row.question, row.points, row.explanation, row.mistake_name) for row in notebook.rows
    ]
    assert len({row.credit for row in paper.rows}) > 3  # right, partly right and wrong answers
    write_feedback(paper, tmp_path / "back")
    [feedback] = [path.read_text(encoding="utf-8") for path in (tmp_path / "back").glob("*.html")]
    assert "by_hand" not in feedback
    assert "a1 b2" not in feedback  # the letters of a sheet; reasons use words
    assert feedback.count("<td>") > 5


def test_a_partly_written_strategy_is_completed() -> None:
    """One of two shares is enough, a cross is probability 1, and other text is reported."""
    task = PRINTABLE.create_exercise("strategy", "Ann Lee")
    read = require_paper_question(task).parse_texts
    assert read({"a": "1/4", "b": ""}) == {0: {"heads": "1/4", "tails": "3/4"}}
    assert read({"a": "", "b": "x"}) == {0: {"tails": "1"}}
    with pytest.raises(RefusedError, match=english("lesson.hand.share", text="often")):
        read({"a": "often", "b": ""})


def test_a_mistyped_code_is_never_valid() -> None:
    """Test one wrong character, two exchanged, and another page. Spaces do not matter."""
    for page in (1, 12):
        code = SheetCode("K7QM4", page)
        plain = code.text.replace("-", "")
        slips = {plain[:at] + sign + plain[at + 1 :] for at in range(len(plain)) for sign in f"{CODE_ALPHABET}01"} - {plain}
        slips |= {
            plain[:at] + other + character + plain[at + 2 :] for at, (character, other) in enumerate(pairwise(plain)) if character != other
        }
        assert not [slip for slip in slips if SheetCode.parse(slip)]
        assert SheetCode.parse(f" {code.text.lower().replace('-', ' – ')}") == SheetCode.parse("К" + plain[1:]) == code


def test_codes_belong_to_one_paper() -> None:
    """Another student, edition or set of questions has other codes; spelling variants of a name do not."""
    some = PRINTABLE.select_questions([1, 2])
    codes = [build_code_prefix(paper, "Ann Lee") for paper in (PRINTABLE, PRINTABLE.with_edition("2027"), some)] + [
        build_code_prefix(some, "Ben Moss")
    ]
    assert len(set(codes)) == 4
    assert build_code_prefix(some, "ann  LEE") == codes[2]


def test_odd_entries_are_reported_and_all_others_count(tmp_path) -> None:
    """Test mistyped and repeated codes, other names, unknown questions, dates and extra letters."""
    papers = PrintedExam(PRINTABLE, [*CLASS, "Cy Ort"])
    rows = typed_table(papers, dict.fromkeys([*CLASS, "Cy Ort"], "all"))
    code = {row[1]: row[0] for row in rows[1:]}
    rows[0].append("77 songs")
    for row in rows[1:]:
        row.append("la")
    put_cell(rows, "Ann Lee", "code", code["Ann Lee"][:4] + ("2" if code["Ann Lee"][4] != "2" else "3") + code["Ann Lee"][5:])
    put_cell(rows, "Žydrė Petraitė", "4 few", "01-Feb")
    put_cell(rows, "Žydrė Petraitė", "1 picked", "ax")
    put_cell(rows, "Cy Ort", "student", "Ben Moss")
    again = [""] * len(rows[0])
    again[0], again[rows[0].index("4 few")] = SheetCode(code["Ben Moss"][:5], 2).text, "1"
    rows += [again, ["", "Dee", *[""] * (len(rows[0]) - 2)], ["K7QM4-2-Y", *[""] * (len(rows[0]) - 1)]]
    roster = write_table(tmp_path / "class.csv", [["name"], *([name] for name in [*CLASS, "Cy Ort"])])
    marks = lessons.mark(write_table(tmp_path / "typed.csv", rows), PRINTABLE, roster=roster, jobs=0, anew=True)
    problem_text = "\n".join(map(str, marks.problems))
    for sentence in (
        english("class.typed.code.near", line="2", code=rows[1][0], near=f"{code['Ann Lee']} (Ann Lee)"),
        english("class.typed.twice", lines="3, 6", student="Ben Moss", questions="4"),
        english("class.typed.other", line="5", student="Cy Ort", other="Ben Moss"),
        english("class.typed.code.none", line="7"),
        english("class.typed.code.foreign", line="8", code="K7QM4-2-Y"),
        english("class.typed.question", question="77 songs"),
        english("lesson.hand.no_letter", text="x"),
        english("lesson.hand.date", text="01-Feb"),
        english("class.file.missing", student="Ann Lee"),
    ):
        assert sentence.search(problem_text), sentence
    totals = {student: marks.sum_points(student) for student in marks.students}
    assert totals == {
        "Ann Lee": 0,
        "Ben Moss": PRINTABLE.points - PRINTABLE.questions[3].points,
        "Žydrė Petraitė": PRINTABLE.points - PRINTABLE.questions[0].points - PRINTABLE.questions[3].points,
        "Cy Ort": 0,
    }
    assert [row.question for row in marks.rows if row.is_held] == ["few"]
    hidden = lessons.class_report(marks, names="hidden").html
    assert not any(name in hidden for name in [*CLASS, "Cy Ort", *code.values(), rows[1][0], "K7QM4"])


def test_a_table_may_have_one_line_per_answer(tmp_path) -> None:
    """`code,question,answer`: questions by number and letter or name, with semicolons and without names."""
    sheet = require_paper_question(PRINTABLE.create_exercise("values", "Ben Moss")).write_solution()
    code = SheetCode(build_code_prefix(PRINTABLE, "Ben Moss"), 3).text
    lines = ["code;question;answer", *(f"{code.lower()};6{label};{text}" for label, text in sheet.items()), f"{code};few;1", f"{code};99;1"]
    (tmp_path / "typed.csv").write_text("\n".join(lines), encoding="utf-8")
    roster = write_table(tmp_path / "class.csv", [["name"], *([name] for name in CLASS)])
    marks = lessons.mark(tmp_path, PRINTABLE, roster=roster, jobs=0, anew=True, typed=tmp_path / "typed.csv")
    credits_by_question = {row.question: row.credit for row in marks.get_rows("Ben Moss")}
    assert (credits_by_question["values"], credits_by_question["few"], credits_by_question["row"]) == (
        Fraction(1),
        Fraction(0),
        Fraction(0),
    )
    assert any(english("class.typed.question.line", question="99").search(trouble.sentence) for trouble in marks.problems)


def test_codes_without_names_need_the_roster(tmp_path) -> None:
    """A message says so."""
    rows = [["code", "1"], [SheetCode(build_code_prefix(PRINTABLE, "Ann Lee"), 1).text, "a"]]
    marks = lessons.mark(write_table(tmp_path / "typed.csv", rows), PRINTABLE, jobs=0)
    assert any(english("class.typed.roster").search(trouble.sentence) for trouble in marks.problems)


def test_the_typed_table_is_not_overwritten(tmp_path) -> None:
    """`--out` with its own name is refused."""
    table = write_table(tmp_path / "typed.csv", [["code", "1"], ["K7QM4-2-Y", "a"]])
    before = table.read_bytes()
    with pytest.raises(DurakError, match="marked"):
        lessons.mark(table, PRINTABLE, out=table)
    assert table.read_bytes() == before


def test_a_paper_of_chosen_questions_is_handed_out_and_marked_by_commands(tmp_path, capsys) -> None:
    """Sheets, key and table are written twice the same, and only the chosen questions are marked."""
    roster = write_table(tmp_path / "class.csv", [["name"], *([name] for name in CLASS)])
    line = [
        "hand-out",
        "econ431",
        "--edition",
        "exam",
        "--students",
        str(roster),
        "--paper",
        "--questions",
        "1,3 12",
        "--out",
        str(tmp_path / "out"),
    ]
    assert main(line) == 0
    assert main(line) == 0  # the same files again
    files = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.*"))
    own = [f"paper/econ431-exam-rev2-{name}.html" for name in ("ann-lee", "ben-moss", "žydrė-petraitė")]
    assert files == sorted(["paper/econ431-exam-rev2.html", *own, "teacher/econ431-exam-rev2-key.html", "teacher/econ431-exam-rev2.csv"])
    papers = PrintedExam(
        lessons.Assignment("econ431", "", _econ().with_edition("exam rev2").questions, "exam rev2").select_questions([1, 3, 12]), CLASS
    )
    sheet = (tmp_path / "out/paper/econ431-exam-rev2.html").read_text(encoding="utf-8")
    key = (tmp_path / "out/teacher/econ431-exam-rev2-key.html").read_text(encoding="utf-8")
    for leaf in papers.student_sheets:
        assert all(code in sheet and code in key for code in leaf.codes)
        right = papers._solutions[leaf.student][2][0][1]
        assert f"<td>{right}</td>" in unescape(key)
    rows = typed_table(papers, {"Ann Lee": "all", "Ben Moss": ["players"]})
    table = write_table(tmp_path / "out/teacher/econ431-exam-rev2.csv", rows)
    before = table.read_bytes()
    assert main([*line, "--force"]) == 1
    assert "--force does not overwrite it" in capsys.readouterr().err
    assert table.read_bytes() == before
    assert main(["mark", str(table), "--roster", str(roster), "--jobs", "0"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split() for line in printed[:4]] == [
        ["student", "1", "2", "3", "points"],
        ["Ann", "Lee", "1", "2", "4", "7", "of", "7"],
        ["Ben", "Moss", "1", "0", "0", "1", "of", "7"],
        ["Žydrė", "Petraitė", "0", "0", "0", "0", "of", "7"],
    ]


def _econ():
    from durak_widget.econ431.problem_set import ASSIGNMENT as ECON  # noqa: PLC0415 - that test alone needs it

    return ECON


def test_a_paper_without_names_is_refused(tmp_path) -> None:
    """Each student has other questions, so a list is needed. No folder is made."""
    with pytest.raises(DurakError, match="--students"):
        write_exam_sheets(PRINTABLE, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_wrong_answer_on_paper_is_wrong() -> None:
    """Test a wrong choice and a wrong row, by their letters."""
    for name in ("row", "chosen"):
        task = PRINTABLE.create_exercise(name, "Ann Lee")
        form, other = require_paper_question(task), wrong(task, name)
        items = list(task._items())
        text = "".join("abcdefghij"[items.index(part)] for part in (other if isinstance(other, list) else [other]))
        assert not task.answer(form.parse_texts({"": text}))


def test_sheets_are_black_on_white_in_dark_mode_too() -> None:
    """No picture uses colours of the dark theme."""
    for name in ("values", "sets", "strategy"):
        [picture] = require_paper_question(PRINTABLE.create_exercise(name, "Ann Lee")).draw_pictures()
        svg = b64decode(picture.html.partition("base64,")[2].partition('"')[0]).decode()
        assert svg.startswith("<svg")
        assert "prefers-color-scheme" not in svg


def test_a_question_longer_than_a_page_is_refused() -> None:
    """Its name is given. Only long text can be the cause."""
    paper = Assignment("long", "Long", [Question("tale", 1, "A tale", lambda _: lessons.Number("And then? " * 1_000, 7))])
    with pytest.raises(DurakError, match=english("class.paper.large", number="1", title="A tale")):
        PrintedExam(paper, ["Ann"])
