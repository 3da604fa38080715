"""Test submissions: a notebook and its receipt belong together, in any folder layout."""

from __future__ import annotations

import json

import pytest
from test_marking import CODED

from durak_widget import lessons
from durak_widget.homework.assignment import Assignment, Question
from support.classroom_handing import SMALL, answers, first_cell, notebook, receipt, write_files
from support.spoken import english, english_text

ANN = answers("Ann", assignment=SMALL)
WRONG = answers("Ann", lambda _: False, SMALL)


def mark_folder(folder, assignment=SMALL):
    """Return points and messages of a folder."""
    marks = lessons.mark(folder, assignment, jobs=0)
    return {name: marks.sum_points(name) for name in marks.students}, [(problem.file, problem.sentence) for problem in marks.problems]


def answer_cells(kept):
    """Return cells that give these answers."""
    return [f"homework.answer({name!r}, {answer['answer']!r})" for name, answer in kept.items()]


@pytest.mark.parametrize("where", ["", "Ann_123_assignsubmission_file__", "submitted__ann__small__"])
@pytest.mark.parametrize("answered", [0, 1, 2, 3])
def test_a_notebook_and_its_receipt_are_one_submission(tmp_path, where, answered):
    """Test unrun, partly and fully run ones, several folder layouts and letter cases: full marks, no message."""
    first = notebook(first_cell("ann ", "small"), *answer_cells(dict(list(ANN.items())[:answered])))
    for place, answer_records in enumerate([ANN, dict(list(ANN.items())[answered:])]):
        files = {f"{where}work_ipynb": first, f"{where}receipt_json": receipt("Ann", answer_records, SMALL)}
        points, problems = mark_folder(write_files(tmp_path / str(place), **files))
        assert (list(points.values()), problems) == ([3], [])


def test_a_class_in_one_folder_is_sorted_by_student(tmp_path):
    """Thirty unfinished notebooks, each with its receipt, have arbitrary names."""
    files = {}
    for place in range(30):
        name = f"Student {place}"
        answer_records = answers(name, lambda question, place=place: question != place % 4, SMALL)
        files |= {
            f"{place * 7 % 30} problem-set_ipynb": notebook(
                first_cell(name, "small"), receipt(name, dict([*answer_records.items()][: place % 3]), SMALL)
            )
        }
        files |= {f"small-student-{place}.receipt_json": receipt(name, answer_records, SMALL)}
    points, problems = mark_folder(write_files(tmp_path, **files))
    alone = lessons.mark(
        write_files(tmp_path / "alone", **{name: stored_text for name, stored_text in files.items() if "receipt" in name}), SMALL, jobs=0
    )
    assert problems == []
    assert points == {name: alone.sum_points(name) for name in alone.students}
    assert len(points) == 30


def test_equivalent_answers_of_cell_and_receipt_agree(tmp_path):
    """Test a sum and its value, cards in texts and lists, a function and its program."""
    folder = tmp_path / "in"
    folder.mkdir()
    homework = lessons.homework(SMALL, student="Ann", folder=folder)
    solved = {name: SMALL.create_exercise(name, "Ann").solution for name in ANN}
    few = int(solved["few"][0])
    typed = {**solved, "picked": " ".join(map(str, reversed(solved["picked"]))), "few": few}
    for name, answer in typed.items():
        homework.answer(name, answer)
    sources = [f"homework.answer({name!r}, {f'{few - 1} + 1' if name == 'few' else json.dumps(answer)})" for name, answer in typed.items()]
    assert mark_folder(write_files(folder, work_ipynb=notebook(first_cell("Ann", "small"), *sources))) == ({"Ann": 3}, [])
    function = "def mine(view):\n    return {'heads': '1/2', 'tails': '1/2'}"
    answer_records = {"strategy": {"answer": {"code": function}, "attempts": 3}}
    written = notebook(first_cell("Ann", "coded"), f"import math\n{function}", "homework.answer(1, mine)")
    alone = mark_folder(write_files(tmp_path / "alone", b_json=receipt("Ann", answer_records, CODED)), CODED)
    assert mark_folder(write_files(tmp_path / "code", a_ipynb=written, b_json=receipt("Ann", answer_records, CODED)), CODED) == alone


def test_a_receipt_beside_its_notebook_is_not_a_second_submission(tmp_path):
    """36 equals "36", and the cell may be unreadable. Only another answer is reported."""
    right = SMALL.create_exercise("few", "Ann").solution[0]
    stored = receipt("Ann", {"few": {"answer": right, "attempts": 1}}, SMALL)
    problem_counts = {
        f"homework.answer('few', {right})": 0,
        f"homework.answer('few', len('a' * {right}))": 0,
        "homework.answer('few', -7)": 1,
    }
    for place, (cell, others) in enumerate(problem_counts.items()):
        folder = write_files(tmp_path / str(place), a_json=stored, a_ipynb=notebook(first_cell("Ann", SMALL.name), cell))
        sentences = [problem.sentence for problem in lessons.mark(folder, SMALL, jobs=0).problems]
        assert len([sentence for sentence in sentences if english("class.file.again").search(sentence)]) == others, sentences


def test_contradicting_files_are_reported_and_the_better_answer_counts(tmp_path):
    """A wrong receipt under another's name does no harm, whatever tries it claims."""
    forged = {name: {**record, "attempts": 99} for name, record in WRONG.items()}
    folder = write_files(
        tmp_path / "1", a_ipynb=notebook(first_cell("Ann", "small"), receipt("Ann", ANN, SMALL)), b_json=receipt("ANN", forged, SMALL)
    )
    points, problems = mark_folder(folder)
    assert points == {"Ann": 3}
    assert problems == [("b.json", english_text("class.file.again", student="Ann", file="a.ipynb"))]
    assert [row.attempt_count for row in lessons.mark(folder, SMALL, jobs=0).rows] == [answer["attempts"] for answer in ANN.values()]
    half = {**ANN, "few": WRONG["few"]}
    other = {"few": ANN["few"], "path": WRONG["path"]}
    points, problems = mark_folder(
        write_files(tmp_path / "2", a_ipynb=notebook(first_cell("Ann", "small"), *answer_cells(other)), b_json=receipt("Ann", half, SMALL))
    )
    assert points == {"Ann": 3}
    assert problems == [("a.ipynb", english_text("class.file.partly", student="Ann"))]


def test_files_of_others_take_no_points_away(tmp_path):
    """What Ann's notebook and receipt have between them counts, and others' files are reported."""
    first, rest = {"picked": ANN["picked"]}, {name: ANN[name] for name in ("few", "path")}
    own = {"ann_ipynb": notebook(first_cell("Ann", "small"), *answer_cells(first)), "ann_json": receipt("Ann", rest, SMALL)}
    better = {**WRONG, "few": ANN["few"], "path": ANN["path"]}
    points, problems = mark_folder(
        write_files(
            tmp_path, **own, x_json=receipt("ann", WRONG, SMALL), y_ipynb=notebook(first_cell("Ann", "small"), *answer_cells(better))
        )
    )
    assert points == {"Ann": 3}
    assert {"x.json", "y.ipynb"} <= {name for name, _ in problems} | {row.file for row in lessons.mark(tmp_path, SMALL, jobs=0).rows}
    assert "x.json" in dict(problems)


def test_similar_names_are_different_students(tmp_path):
    """Ann Lee and Ann Leé share nothing; each one's empty notebook and receipt are reported."""
    folder = write_files(
        tmp_path, a_ipynb=notebook(first_cell("Ann Leé", "small")), b_json=receipt("Ann Lee", answers("Ann Lee", assignment=SMALL), SMALL)
    )
    points, problems = mark_folder(folder)
    assert points == {"Ann Lee": 3, "Ann Leé": 0}
    assert [(file, english("class.file.nothing").fullmatch(sentence) is not None) for file, sentence in problems] == [("a.ipynb", True)]


def test_empty_notebook_and_receipt_are_both_reported(tmp_path):
    """Neither has an answer."""
    points, problems = mark_folder(write_files(tmp_path, a_ipynb=notebook(first_cell("Ann", "small")), b_json=receipt("Ann", {}, SMALL)))
    assert points == {"Ann": 0}
    assert [name for name, _ in problems] == ["a.ipynb", "b.json"]


def test_many_files_in_ones_own_nbgrader_folder_gain_nothing(tmp_path):
    """Only the student can put files there; the last answer counts, by tries."""
    folder = tmp_path / "submitted" / "ann" / "small"
    right = int(ANN["few"]["answer"])
    for guess in range(right - 2, right + 2):
        answer_records = {"few": {"answer": str(guess), "attempts": 1 + (guess == right + 1)}}
        write_files(folder, **{f"r{guess}_json": receipt("Ann", answer_records, SMALL)})
    assert mark_folder(tmp_path)[0] == {"Ann": 0}


def test_a_forged_nbgrader_folder_belongs_to_its_owner(tmp_path):
    """Eve's folder `submitted/ann` inside her own changes nothing for Ann, and is reported."""
    forged = {name: {**answer, "attempts": 10**6} for name, answer in WRONG.items()}
    write_files(
        tmp_path / "submitted",
        ann__small__a_json=receipt("Ann", ANN, SMALL),
        eve__small__submitted__ann__small__b_json=receipt("Ann", forged, SMALL),
    )
    named = "eve/small/submitted/ann/small/b.json"
    for folder, above in ((tmp_path, "submitted/"), (tmp_path / "submitted", "")):
        assert mark_folder(folder) == ({"Ann": 3}, [(above + named, english_text("class.file.somebody", student="Ann", other="eve"))])


def test_the_same_work_in_two_folders_is_reported(tmp_path):
    """It counts once for the student named in it."""
    write_files(tmp_path / "submitted", s1__small__a_json=receipt("Ann", ANN, SMALL), s2__small__a_json=receipt("Ann", ANN, SMALL))
    points, problems = mark_folder(tmp_path)
    assert points == {"Ann": 3}
    assert problems == [
        (f"submitted/{who}/small/a.json", english_text("class.file.somebody", student="Ann", other=str(who))) for who in ("s1", "s2")
    ]


def test_an_answer_is_judged_once(tmp_path):
    """Notebook and receipt have the same answer."""
    calls = []

    def asked(lots):
        calls.append(1)
        return lessons.Number("How many cards are there?", 7)

    assignment = Assignment("once", "Once", [Question("few", 1, "Few", asked, "number")])
    stored = receipt("Ann", {"few": {"answer": "7", "attempts": 1}}, assignment)
    assert mark_folder(write_files(tmp_path, a_ipynb=notebook(first_cell("Ann", "once"), stored), b_json=stored), assignment) == (
        {"Ann": 1},
        [],
    )
    assert len(calls) == 1


def test_an_empty_receipt_does_not_remove_a_reason(tmp_path):
    """Notebook and receipt still belong together, and the empty file is reported."""
    first = {"picked": WRONG["picked"]}
    rest = {name: ANN[name] for name in ("few", "path")}
    folder = write_files(tmp_path, a_ipynb=notebook(first_cell("Ann", "small"), *answer_cells(first)), b_json=receipt("Ann", rest, SMALL))
    before = [(row.points, row.explanation, row.file) for row in lessons.mark(folder, SMALL, jobs=0).rows]
    assert before[0][1] != "No answer."
    marks = lessons.mark(write_files(folder, z_json=receipt("Ann", {}, SMALL)), SMALL, jobs=0)
    assert [(row.points, row.explanation, row.file) for row in marks.rows] == before
    assert [problem.file for problem in marks.problems] == ["z.json"]
