"""What a student hands in is one submission: a notebook and the receipt beside it, however they lie among those of a class."""

from __future__ import annotations

import json

import pytest
from test_marking import CODED

from durak_widget import lessons
from durak_widget.homework.assignment import Assignment, Question
from support.classroom_handing import SMALL, answers, begins, notebook, receipt, write

ANN = answers("Ann", assignment=SMALL)
WRONG = answers("Ann", lambda _: False, SMALL)


def marked(folder, assignment=SMALL):
    """Points and troubles of a folder."""
    marks = lessons.mark(folder, assignment, jobs=0)
    return {name: marks.sum_points(name) for name in marks.students}, [(one.file, one.sentence) for one in marks.problems]


def cells(kept):
    """The cells that give such answers."""
    return [f"homework.answer({name!r}, {one['answer']!r})" for name, one in kept.items()]


@pytest.mark.parametrize("where", ["", "Ann_123_assignsubmission_file__", "submitted__ann__small__"])
@pytest.mark.parametrize("answered", [0, 1, 2, 3])
def test_a_notebook_and_its_receipt_are_one(tmp_path, where, answered):
    """Untouched, partly run or whole, in a row, a folder for each or by nbgrader, a name in other case: full points and not a word, also where each has what the other lacks."""
    first = notebook(begins("ann ", "small"), *cells(dict(list(ANN.items())[:answered])))
    for place, kept in enumerate([ANN, dict(list(ANN.items())[answered:])]):
        files = {f"{where}work_ipynb": first, f"{where}receipt_json": receipt("Ann", kept, SMALL)}
        points, said = marked(write(tmp_path / str(place), **files))
        assert (list(points.values()), said) == ([3], [])


def test_a_class_in_one_row(tmp_path):
    """Thirty notebooks that nobody ran to the end, each with its receipt, under any names: everybody has what is theirs, and nothing is said."""
    files = {}
    for place in range(30):
        name = f"Student {place}"
        kept = answers(name, lambda one, place=place: one != place % 4, SMALL)
        files |= {
            f"{place * 7 % 30} problem-set_ipynb": notebook(begins(name, "small"), receipt(name, dict([*kept.items()][: place % 3]), SMALL))
        }
        files |= {f"small-student-{place}.receipt_json": receipt(name, kept, SMALL)}
    points, said = marked(write(tmp_path, **files))
    alone = lessons.mark(write(tmp_path / "alone", **{name: one for name, one in files.items() if "receipt" in name}), SMALL, jobs=0)
    assert said == []
    assert points == {name: alone.sum_points(name) for name in alone.students}
    assert len(points) == 30


def test_the_same_answer_in_other_words_is_no_other(tmp_path):
    """What a cell says and what its receipt has kept differ in form: a sum and its value, cards in a text and in a list, a function and its program."""
    folder = tmp_path / "in"
    folder.mkdir()
    homework = lessons.homework(SMALL, student="Ann", folder=folder)
    solved = {name: SMALL.create_exercise(name, "Ann").solution for name in ANN}
    few = int(solved["few"][0])
    typed = {**solved, "picked": " ".join(map(str, reversed(solved["picked"]))), "few": few}
    for name, one in typed.items():
        homework.answer(name, one)
    said = [f"homework.answer({name!r}, {f'{few - 1} + 1' if name == 'few' else json.dumps(one)})" for name, one in typed.items()]
    assert marked(write(folder, work_ipynb=notebook(begins("Ann", "small"), *said))) == ({"Ann": 3}, [])
    function = "def mine(view):\n    return {'heads': '1/2', 'tails': '1/2'}"
    kept = {"strategy": {"answer": {"code": function}, "attempts": 3}}
    written = notebook(begins("Ann", "coded"), f"import math\n{function}", "homework.answer(1, mine)")
    alone = marked(write(tmp_path / "alone", b_json=receipt("Ann", kept, CODED)), CODED)
    assert marked(write(tmp_path / "code", a_ipynb=written, b_json=receipt("Ann", kept, CODED)), CODED) == alone


def test_a_receipt_beside_its_notebook_is_no_other_work(tmp_path):
    """The cell says 36 and the receipt "36", or the cell cannot be read: nobody is named as having handed in twice; with another answer they are."""
    right = SMALL.create_exercise("few", "Ann").solution[0]
    shown = receipt("Ann", {"few": {"answer": right, "attempts": 1}}, SMALL)
    cells = {f"homework.answer('few', {right})": 0, f"homework.answer('few', len('a' * {right}))": 0, "homework.answer('few', -7)": 1}
    for place, (cell, others) in enumerate(cells.items()):
        folder = write(tmp_path / str(place), a_json=shown, a_ipynb=notebook(begins("Ann", SMALL.name), cell))
        said = [one.sentence for one in lessons.mark(folder, SMALL, jobs=0).problems]
        assert len([one for one in said if "here several times" in one]) == others, said


def test_where_they_contradict_each_other_it_is_said(tmp_path):
    """A wrong receipt under somebody's name does them no harm, however many tries it claims, and is named; question by question the better counts."""
    forged = {name: {**one, "attempts": 99} for name, one in WRONG.items()}
    folder = write(
        tmp_path / "1", a_ipynb=notebook(begins("Ann", "small"), receipt("Ann", ANN, SMALL)), b_json=receipt("ANN", forged, SMALL)
    )
    points, said = marked(folder)
    assert points == {"Ann": 3}
    assert said == [("b.json", "Ann is here several times: a.ipynb earns the most and counts, and this file does not.")]
    assert [row.attempt_count for row in lessons.mark(folder, SMALL, jobs=0).rows] == [one["attempts"] for one in ANN.values()]
    half = {**ANN, "few": WRONG["few"]}
    other = {"few": ANN["few"], "path": WRONG["path"]}
    points, said = marked(
        write(tmp_path / "2", a_ipynb=notebook(begins("Ann", "small"), *cells(other)), b_json=receipt("Ann", half, SMALL))
    )
    assert points == {"Ann": 3}
    assert said == [("a.ipynb", "Ann is here several times, with different answers: of each question the one that earns the most counts.")]


def test_nobody_takes_anything_from_anybody(tmp_path):
    """Whatever others hand in under Ann's name, what her notebook and her receipt have between them counts, and every such file is named."""
    first, rest = {"picked": ANN["picked"]}, {name: ANN[name] for name in ("few", "path")}
    own = {"ann_ipynb": notebook(begins("Ann", "small"), *cells(first)), "ann_json": receipt("Ann", rest, SMALL)}
    better = {**WRONG, "few": ANN["few"], "path": ANN["path"]}
    points, said = marked(
        write(tmp_path, **own, x_json=receipt("ann", WRONG, SMALL), y_ipynb=notebook(begins("Ann", "small"), *cells(better)))
    )
    assert points == {"Ann": 3}
    assert {"x.json", "y.ipynb"} <= {name for name, _ in said} | {row.file for row in lessons.mark(tmp_path, SMALL, jobs=0).rows}
    assert "x.json" in dict(said)


def test_names_alike_are_not_the_same(tmp_path):
    """Ann Lee and Ann Leé are two: neither has anything of the other; a notebook and a receipt of both are named as holding nothing."""
    folder = write(
        tmp_path, a_ipynb=notebook(begins("Ann Leé", "small")), b_json=receipt("Ann Lee", answers("Ann Lee", assignment=SMALL), SMALL)
    )
    points, said = marked(folder)
    assert points == {"Ann Lee": 3, "Ann Leé": 0}
    assert [(file, one.partition(";")[0]) for file, one in said] == [("a.ipynb", "It holds no answer to this homework")]


def test_nothing_in_either_is_said_of_both(tmp_path):
    """Where neither holds an answer, each is named."""
    points, said = marked(write(tmp_path, a_ipynb=notebook(begins("Ann", "small")), b_json=receipt("Ann", {}, SMALL)))
    assert points == {"Ann": 0}
    assert [name for name, _ in said] == ["a.ipynb", "b.json"]


def test_in_a_folder_of_ones_own_a_question_is_answered_once(tmp_path):
    """In nbgrader's folder, where only its student puts anything, a file for each possible answer gains nothing: the last answer counts, by tries."""
    folder = tmp_path / "submitted" / "ann" / "small"
    right = int(ANN["few"]["answer"])
    for guess in range(right - 2, right + 2):
        kept = {"few": {"answer": str(guess), "attempts": 1 + (guess == right + 1)}}
        write(folder, **{f"r{guess}_json": receipt("Ann", kept, SMALL)})
    assert marked(tmp_path)[0] == {"Ann": 0}


def test_nobody_lays_a_folder_for_somebody_else(tmp_path):
    """A folder `submitted/ann` that Eve has laid in her own is Eve's: what lies there changes nothing of Ann's, and is named."""
    forged = {name: {**one, "attempts": 10**6} for name, one in WRONG.items()}
    write(
        tmp_path / "submitted",
        ann__small__a_json=receipt("Ann", ANN, SMALL),
        eve__small__submitted__ann__small__b_json=receipt("Ann", forged, SMALL),
    )
    named = "eve/small/submitted/ann/small/b.json"
    for folder, above in ((tmp_path, "submitted/"), (tmp_path / "submitted", "")):
        assert marked(folder) == ({"Ann": 3}, [(above + named, "It is of Ann and lies in the folder of eve.")])


def test_a_work_that_two_have_handed_in_is_named(tmp_path):
    """The same notebook in the folders of two, whose logins say nothing of its name: it counts once, for who is named in it, and both are named."""
    write(tmp_path / "submitted", s1__small__a_json=receipt("Ann", ANN, SMALL), s2__small__a_json=receipt("Ann", ANN, SMALL))
    points, said = marked(tmp_path)
    assert points == {"Ann": 3}
    assert said == [(f"submitted/{who}/small/a.json", f"It is of Ann and lies in the folder of {who}.") for who in ("s1", "s2")]


def test_an_answer_is_judged_once(tmp_path):
    """What a notebook and its receipt both say is made and judged once."""
    made = []

    def asked(lots):
        made.append(1)
        return lessons.Number("How many cards are there?", 7)

    one = Assignment("once", "Once", [Question("few", 1, "Few", asked, "number")])
    kept = receipt("Ann", {"few": {"answer": "7", "attempts": 1}}, one)
    assert marked(write(tmp_path, a_ipynb=notebook(begins("Ann", "once"), kept), b_json=kept), one) == ({"Ann": 1}, [])
    assert len(made) == 1


def test_a_file_without_answers_takes_no_reason_away(tmp_path):
    """Notebook and receipt are still a pair where somebody lays an empty receipt beside them: what is said of a wrong answer stays, and the empty file is named."""
    first = {"picked": WRONG["picked"]}
    rest = {name: ANN[name] for name in ("few", "path")}
    folder = write(tmp_path, a_ipynb=notebook(begins("Ann", "small"), *cells(first)), b_json=receipt("Ann", rest, SMALL))
    before = [(row.points, row.explanation, row.file) for row in lessons.mark(folder, SMALL, jobs=0).rows]
    assert before[0][1] != "No answer."
    marks = lessons.mark(write(folder, z_json=receipt("Ann", {}, SMALL)), SMALL, jobs=0)
    assert [(row.points, row.explanation, row.file) for row in marks.rows] == before
    assert [one.file for one in marks.problems] == ["z.json"]
