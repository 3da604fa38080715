"""Test reading a folder: owners and answers are found without running, following or trusting anything."""

from __future__ import annotations

import json
import os
import random
from fractions import Fraction

import pytest

from durak_widget import DurakError, lessons
from durak_widget.grading.notebook_answers import read_notebook_answers
from durak_widget.grading.submission_files import list_files
from durak_widget.grading.submissions import read_submission, sort_submissions
from support.asked import posix
from support.classroom_handing import FEW, SMALL, answers, first_cell, mutate, notebook, receipt, write_files
from support.spoken import english, english_text

ANN = answers("Ann", assignment=SMALL)
BOB = answers("Bob", assignment=SMALL)


def small_receipt(student, kept):
    """Return a receipt of the small assignment."""
    return receipt(student, kept, SMALL)


def mark_folder(folder, **more):
    """Return the marks of a folder, and messages by file."""
    marks = lessons.mark(folder, SMALL, jobs=0, **more)
    problems = {}
    for trouble in marks.problems:
        problems.setdefault(trouble.file, []).append(trouble.sentence)
    return {name: marks.sum_points(name) for name in marks.students}, problems


def sort_folder(folder, assignment=SMALL):
    """Return the submissions of a folder, by student and file."""
    files, odd = list_files(folder)
    found = sort_submissions([read_submission(file) for file in files], assignment)
    return found.submissions, [*odd, *found.problems]


def test_receipts_and_notebooks_earn_the_same(tmp_path):
    """Test a receipt, its output as data or text, and cells: the same points without messages."""
    cells = [f"homework.answer({name!r}, {record['answer']!r})" for name, record in ANN.items()]
    with_data = notebook(first_cell("Ann", "small"), small_receipt("Ann", ANN))
    with_text = notebook(first_cell("Ann", "small"), small_receipt("Ann", ANN))
    del with_text["cells"][1]["outputs"][0]["data"]["application/vnd.durak-widget.receipt+json"]
    printed = notebook(first_cell("Ann", "small"), "print(homework.receipt)")
    printed["cells"][1]["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": ["all of it:\n", json.dumps(small_receipt("Ann", ANN)), "\n"]}
    ]
    numbered = [f"x = {answer['answer']!r}\n%time homework[{place}].answer(x)" for place, answer in enumerate(ANN.values(), 1)]
    for place, content in enumerate(
        [
            small_receipt("Ann", ANN),
            with_data,
            with_text,
            printed,
            notebook(first_cell("Ann", "small"), *cells),
            notebook(first_cell("Ann", "small"), *numbered),
        ]
    ):
        folder = tmp_path / str(place)
        assert mark_folder(write_files(folder, any_name_json=content)) == ({"Ann": 3}, {}), place


def test_values_in_cells_are_read():
    """Test names, sums, fractions and functions. Missing ones are reported by cell."""
    cases = {
        "homework.answer(3, '5/18')": {3: "5/18"},
        "homework.answer(3, 5 / 18)": {3: "5/18"},
        "homework.answer(3, 1 - 0.25)": {3: "3/4"},
        "from math import comb\np = comb(4, 2) / comb(9, 2)\nq = 1 - p\nhomework.answer('throw', q)": {"throw": "5/6"},
        "from fractions import Fraction as F, Fraction\nhomework.answer(1, Fraction('1/3'))": {1: "1/3"},
        "homework.answer(1, ['9c', 'Ah'])\nhomework.answer(1, {'0': '1/2', 3: -1})": {1: {"0": "1/2", "3": "-1"}},
        "homework.answer(1, {'Ah', '9c'})": {1: ["9c", "Ah"]},
        "hw = lessons.homework('small', student='Ann')\nhw[2].answer(7)": {2: 7},
        "print(homework.answer(2, 7))": {2: 7},
        "v = homework.answer(2, True)": {2: True},
        "homework.answer(question=3, answer=comb(4, 2) * factorial(5) / perm(4, 2))": {3: "60"},
        "homework.answer(3, int(7 / 2))": {3: 3},
        "homework.answer(1, [Card('9c'), Move('take')])": {1: ["9c", "take"]},
        "d = [1]\nprint(d)\nhomework.answer(1, d)": {1: [1]},
        "homework.answer(2, 7) # and then\n!ls\n%matplotlib inline": {2: 7},
    }
    for source, expected in cases.items():
        found = read_notebook_answers([source])
        assert (found.answers, found.problems) == (expected, ()), source


def test_values_not_in_a_cell_are_reported():
    """The cell is not run to find them, and other cells count."""
    for source in (
        "homework.answer(3, x)",
        "homework.answer(x, 3)",
        "homework.answer(3, open('key').read())",
        "homework.answer(3, 10 ** 10 ** 9)",
        "homework.answer(3, comb(10 ** 6, 5 * 10 ** 5))",
        "homework.answer(3, 9 * " + " * ".join(["9999999999"] * 40) + ")",
        "homework.answer(3, '-' * 10 ** 9)",
        "homework.answer(3, 1 / 0)",
        "homework.answer(3, comb(7 / 2, 1))",
        "homework.answer(3, Fraction('1e99999999'))",
        "homework.answer(3, Fraction(1, Fraction('1E-9999999')))",
        "a = [1, 1]\n" + "a = [a, a]\n" * 60 + "homework.answer(3, a)",
        "a = 'x' * 9\nb = '" + "x" * 9000 + "'\nhomework.answer(3, [" + "b, " * 9000 + "])",
        "homework.answer(3, {[]: 1})",
        "homework.answer(3, {1, 'a'})",
        "for x in range(9):\n    homework.answer(x, 1)",
        "if True:\n    homework.answer(1, 1)",
        "x = 1\nfor x in [2]: pass\nhomework.answer(3, x)",
        "d = {}\nd[0] = -1\nhomework.answer(3, d)",
        "d = {1: {}}\nd[1]['take'] = 1\nhomework.answer(3, d)",
        "d = []\nfor x in range(9): d.append(x)\nhomework.answer(3, d)",
        "d = [1, 2]\nshuffle(d)\nhomework.answer(3, d)",
        "homework.answer(3, factorial(10 ** 6))",
        "homework.answer(3, " + "-" * 30000 + "1)",
        "homework.answer(3, " + "(" * 3000 + "1" + ")" * 3000 + ")",
        "homework.answer(3, 1" + " + 1" * 12000 + ")",
        "homework.answer(3, 1)" + " " * 70000,
        "homework.answer(3, 1",
        "homework.answer(3, '\0')",
    ):
        found = read_notebook_answers(["homework.answer(1, 2)", source, "homework.answer(5, 6)"])
        assert found.answers == {1: 2, 5: 6}
        assert [fact.facts for fact in found.problems] == [{"cell": 2}]


def test_code_is_taken_with_its_dependencies():
    """Imports, helpers and constants come from any cell, and nothing else does."""
    found = read_notebook_answers(
        [
            "import os\nfrom math import sqrt\n" + first_cell("Ann", "small"),
            "LIMIT = 3\n\ndef helper(view):\n    return sqrt(LIMIT)",
            "os.remove('x')\nhomework.hand_in()",
            "%%bash\nrm -r /",
            "def mine(view):\n    '''Old.'''",
            "def mine(view):\n    return helper(view)\n\nhomework.answer('play', mine)",
            "class Bot:\n    def choose(self, view):\n        return 1\n\nhomework.answer('bot', Bot())\nhomework.answer('quick', lambda view: helper(view))",
            "homework.answer('text', {'code': 'def choose(view):\\n    return 1'})",
        ]
    )
    assert found.problems == ()
    assert found.answers["play"] == {
        "code": "from math import sqrt\n\nLIMIT = 3\n\ndef helper(view):\n    return sqrt(LIMIT)\n\n"
        "def mine(view):\n    return helper(view)\n\nchoose = mine\n"
    }
    assert found.answers["bot"] == {"code": "class Bot:\n    def choose(self, view):\n        return 1\n\nchoose = Bot()\n"}
    assert "def helper" in found.answers["quick"]["code"]
    assert found.answers["text"] == {"code": "def choose(view):\n    return 1"}


@posix
def test_every_unusual_file_is_reported(tmp_path):
    """The submissions beside it count in full."""
    cut = json.dumps(notebook(first_cell("Cut", "small"), small_receipt("Cut", answers("Cut", assignment=SMALL)), "1 + 1"))
    torn = small_receipt("Torn", answers("Torn", assignment=SMALL))
    other = {**small_receipt("Else", ANN), "assignment": "econ432"}
    folder = write_files(
        tmp_path,
        ann_json=small_receipt("Ann", ANN),
        empty_ipynb="",
        blank_json=" \n",
        text_ipynb="Dear teacher, here is my homework.",
        binary_ipynb=bytes(range(256)) * 9,
        list_json="[1, 2]",
        settings_json={"theme": "dark"},
        notebook_json=notebook("1 + 1"),
        cut_ipynb=cut[: cut.rindex("1 + 1")],
        damaged_json=json.dumps(torn).replace('"attempts": 2', '"attempts": 2 2'),
        letters_json=json.dumps({**small_receipt("Żan", answers("Żan", assignment=SMALL))}, ensure_ascii=False)
        .encode()
        .replace("Ż".encode(), b"\xc5"),
        other_json=other,
        edition_json={**small_receipt("Year", ANN), "edition": "1999"},
        form_json={**small_receipt("Form", ANN), "format": "durak_widget.receipt/9"},
        none_json={**small_receipt("None", ANN), "answers": [1]},
        nobody_json={**small_receipt("Nobody", ANN), "student": "  "},
        what_json={
            **small_receipt("What", ANN),
            "answers": {"picked": {"answer": [], "attempts": 1}, "no-such": {"answer": 1, "attempts": 1}, "few": {"answer": None}},
        },
        deep_json='{"format": "durak_widget.receipt/2", "x": ' + "[" * 100_000 + "]" * 100_000 + "}",
        packed_zip=b"PK\x03\x04 and so on",
        **{"essay.pdf": b"%PDF-1.7", "sheet.zip": b"PK\x03\x04", "big.json": b"{" + b" " * (2**25 + 1)},
        twice_json=json.dumps(small_receipt("Twice", {}))[:-2]
        + '"few": {"answer": "1", "attempts": 1}, "few": {"answer": "2", "attempts": 1}}}',
        nan_json=json.dumps(
            small_receipt("Nan", {"few": {"answer": float("nan"), "attempts": 1}, "picked": {"answer": 7, "attempts": 1}})
        ).replace("7", "7" * 5000),
    )
    (folder / ".hidden.json").write_text("{", encoding="utf-8")
    (folder / "link.json").symlink_to("/etc/passwd")
    (folder / "folder").symlink_to(folder)
    os.mkfifo(folder / "pipe.json")
    points, problems = mark_folder(folder, edition="")
    names = {path.name for path in folder.iterdir()} - {"ann.json", ".hidden.json", "nan.json"}
    assert names <= set(problems)
    assert [english("class.file.large").fullmatch(sentence) is not None for sentence in problems["big.json"]] == [True]
    assert points["Ann"] == 3
    assert points["Cut"] == 3  # the text before the cut
    assert {name: sentence for name, sentence in points.items() if sentence and name not in ("Ann", "Cut")}.keys() <= {"Torn", "\ufffdan"}
    assert all(len(sentence) < 300 and sentence.endswith(".") for several in problems.values() for sentence in several)
    assert len({sentence for several in problems.values() for sentence in several}) >= 17


def test_files_outside_the_folder_are_not_read(tmp_path):
    """Links to files and folders outside are reported."""
    outside = write_files(tmp_path / "outside", bob_json=small_receipt("Bob", BOB))
    folder = write_files(tmp_path / "inside", ann_json=small_receipt("Ann", ANN))
    (folder / "b.json").symlink_to(outside / "bob.json")
    (folder / "all").symlink_to(outside)
    points, problems = mark_folder(folder)
    assert points == {"Ann": 3}
    assert set(problems) == {"b.json", "all"}


def test_a_receipt_of_another_student_earns_nothing(tmp_path):
    """Bob's copy is judged by Bob's questions. Ann's receipt in his notebook changes nothing for either."""
    copied = write_files(
        tmp_path,
        ann_json=small_receipt("Ann", ANN),
        bob_ipynb=notebook(first_cell("Bob", "small"), small_receipt("Ann", ANN)),
        eve_json=small_receipt("Eve", ANN),
    )
    points, problems = mark_folder(copied)
    assert points["Ann"] == 3
    assert points["Bob"] == 0
    assert points["Eve"] < 3
    assert problems.pop("eve.json") == [english_text("class.file.unread", questions="1")]  # they belong to Ann's cards
    assert problems == {"bob.ipynb": [english_text("class.file.foreign", student="Ann")]}


def test_a_student_with_several_files_is_reported(tmp_path):
    """The best counts, whoever put it there. Equal files are no problem."""
    worse = answers("Ann", lambda place: place != 1, SMALL)
    folder = write_files(tmp_path, a_json=small_receipt("Ann", worse), b_json=small_receipt("ann ", ANN), c_json=small_receipt("Ann", ANN))
    points, problems = mark_folder(folder)
    assert list(points.values()) == [3]
    assert problems == {"a.json": [english_text("class.file.again", student="Ann", file="b.json")]}
    points, problems = mark_folder(
        write_files(
            tmp_path / "same", a_json=small_receipt("Ann", ANN), b_ipynb=notebook(first_cell("Ann", "small"), small_receipt("Ann", ANN))
        )
    )
    assert (points, problems) == ({"Ann": 3}, {})


def test_nbgrader_folders_name_the_student(tmp_path):
    """`submitted/STUDENT/ASSIGNMENT/` is used if the file has no name, and decides between two."""
    nameless = {**small_receipt("x", ANN), "student": ""}
    folder = write_files(
        tmp_path / "submitted",
        ann__small__work_json=nameless,
        bob__small__work_json=small_receipt("Bob", BOB),
        eve__small__work_json=small_receipt(
            "Bob", {name: {**answer, "attempts": 99} for name, answer in answers("Bob", lambda _: False, SMALL).items()}
        ),
        eve__small__timestamp_json="{",
    )
    (folder / "eve" / "small" / "timestamp.txt").write_text("2027-01-01", encoding="utf-8")
    (folder / "eve" / "small" / "timestamp.json").unlink()
    points, problems = mark_folder(folder)
    assert points == {"ann": 3, "Bob": 3}
    assert problems == {"eve/small/work.json": [english_text("class.file.somebody", student="Bob", other="eve")]}
    assert mark_folder(tmp_path)[0] == points


def test_the_edition_handed_in_is_detected(tmp_path):
    """It is reported. With a chosen edition, others are reported."""
    later = SMALL.with_edition("2027")
    folder = write_files(
        tmp_path,
        a_json=receipt("Ann", answers("Ann", assignment=later), later),
        b_json=receipt("Bob", answers("Bob", assignment=later), later),
    )
    points, problems = mark_folder(folder)
    assert points == {"Ann": 3, "Bob": 3}
    assert problems == {"": [english_text("class.file.which", edition="2027")]}
    write_files(folder, c_json=small_receipt("Eve", answers("Eve", assignment=SMALL)))
    assert mark_folder(folder, edition="2027")[1].keys() == {"c.json"}
    assert mark_folder(folder, edition="")[1].keys() == {"a.json", "b.json"}


def test_two_editions_require_a_choice(tmp_path):
    """Both are listed with counts, and nothing is marked until then."""
    later = SMALL.with_edition("2027")
    folder = write_files(tmp_path / "class", a_json=receipt("Ann", answers("Ann", assignment=later), later))
    for place in range(4):
        write_files(folder, **{f"x{place}_json": {**small_receipt(f"Nobody{place}", ANN), "edition": "x"}})
    with pytest.raises(DurakError, match=r"2.*students: x \(4\), 2027 \(1\).*--edition"):
        mark_folder(folder)
    roster = tmp_path / "class.csv"
    roster.write_text("name\nAnn\nBob\n", encoding="utf-8")
    points, _ = mark_folder(folder, roster=roster)  # a student who is not on it does not count for the class
    assert points["Ann"] == 3
    write_files(folder, more_json={**small_receipt("Ann", ANN), "edition": "x"}, again_json={**small_receipt("Ann", ANN), "edition": "x"})
    with pytest.raises(DurakError, match=r"2027 \(1\), x \(1\)"):  # a name counts once per file
        mark_folder(folder, roster=roster)


def test_a_cell_without_an_edition_has_that_of_its_receipt(tmp_path):
    """If the cell uses a variable, the receipt in the notebook decides. It adds no votes to an edition."""
    later = SMALL.with_edition("2027")
    for student in ("Ann", "Bob"):
        answer_records = answers(student, assignment=later)
        first = first_cell(student, "small", ", edition=YEAR")
        cells = [f"homework.answer({name!r}, {answer['answer']!r})" for name, answer in answer_records.items()]
        nothing = receipt(student, {}, later)
        write_files(tmp_path, **{f"{student}_ipynb": notebook(first, *cells, nothing)})
    points, problems = mark_folder(tmp_path)
    assert points == {"Ann": 3, "Bob": 3}
    assert set(problems) == {""}


def test_the_roster_shows_missing_students(tmp_path):
    """Names, numbers and nbgrader folders are matched. Missing ones have a row, unknown ones are reported."""
    folder = write_files(
        tmp_path / "submitted",
        s1__small__a_json=small_receipt("Ann  LEE", answers("Ann Lee", assignment=SMALL)),
        s9__small__b_json=small_receipt("Bob", BOB),
    )
    roster = tmp_path / "class.csv"
    roster.write_text("id;first name;last name\ns1;Ann;Lee\ns2;Она;Иванова\n", encoding="utf-8-sig")
    points, problems = mark_folder(folder, roster=roster)
    assert points == {"Ann Lee": 3, "Она Иванова": 0, "Bob": 3}
    assert list(points) == ["Ann Lee", "Она Иванова", "Bob"]
    assert problems[""] == [english_text("class.file.missing", student="Она Иванова")]
    assert [english("class.file.unlisted", student="Bob").match(sentence) is not None for sentence in problems["s9/small/b.json"]] == [True]
    assert len(problems) == 2


@pytest.mark.slow
def test_a_hundred_mutated_files_do_no_harm(tmp_path):
    """Each of 120 mutated notebooks and receipts is read or reported, and all other points are the same."""
    rng, sound = random.Random(14), {}
    for student in ("Ann", "Bob", "Žydrė", "Лена"):
        answer_records = answers(student, lambda place: place != 1, SMALL)
        sound |= {
            f"{student}_json": small_receipt(student, answer_records),
            f"{student}-again_ipynb": notebook(first_cell(student, "small"), small_receipt(student, answer_records)),
        }
    points, problems = mark_folder(write_files(tmp_path, **sound))
    assert problems == {}
    eve = answers("Eve", assignment=SMALL)
    whole = (
        json.dumps(small_receipt("Eve", eve)),
        json.dumps(notebook(first_cell("Eve", "small"), small_receipt("Eve", eve), "homework.answer('few', 3)"), indent=1),
    )
    for number in range(120):
        write_files(tmp_path, **{f"eve-{number}_{'json' if number % 2 else 'ipynb'}": mutate(whole[number % 2], rng)})
    marks = lessons.mark(tmp_path, FEW, jobs=2)
    assert {name: marks.sum_points(name) for name in points} == points
    assert marks.sum_points("Eve") <= 3
    assert all(trouble.sentence.endswith(".") for trouble in marks.problems)
    best = next(
        (row.file for row in marks.rows if row.student == "Eve" and row.file), ""
    )  # none: so many files wait for the teacher's choice
    named, works = {file for trouble in marks.problems for file in (trouble.file, *trouble.other_files)}, sort_folder(tmp_path)[0]
    given = {work.file: {place: answer.answer for place, answer in work.answers.items()} for several in works.values() for work in several}
    for number in range(120):
        name = f"eve-{number}.{'json' if number % 2 else 'ipynb'}"
        assert name in named or given.get(name, {}).items() <= given.get(best, {}).items() or name in {row.file for row in marks.rows}


def test_invalid_answers_cause_no_traceback(tmp_path):
    """Any plain value is judged or refused for any question, and earns nothing."""
    values = [
        None,
        True,
        -1,
        10**30,
        1.5,
        "",
        "x" * 5000,
        "1/0",
        [],
        [[]],
        [None],
        {},
        {"": ""},
        {"0": {"a": "1/0"}},
        {"code": 1},
        {"code": ""},
        [[0, "x"]],
        "\ud800",
        {"code": "x" * 10**5},
    ]
    files = {}
    for number, value in enumerate(values):
        files[f"n{number}_json"] = json.dumps(small_receipt(f"N{number}", {name: {"answer": value, "attempts": 1} for name in ANN}))
    points, _ = mark_folder(write_files(tmp_path, **files))
    assert points == {f"N{number}": Fraction(0) for number in range(len(values))}
