"""What is read of a folder: whose each file is and what is answered in it, without running, following or believing anything."""

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
from support.classroom_handing import FEW, SMALL, answers, begins, mutated, notebook, receipt, write
from support.spoken import english

ANN = answers("Ann", assignment=SMALL)
BOB = answers("Bob", assignment=SMALL)


def small(student, kept):
    """A receipt of the small assignment."""
    return receipt(student, kept, SMALL)


def marked(folder, **more):
    """The marks of a folder, with the troubles by file."""
    marks = lessons.mark(folder, SMALL, jobs=0, **more)
    said = {}
    for trouble in marks.problems:
        said.setdefault(trouble.file, []).append(trouble.sentence)
    return {name: marks.sum_points(name) for name in marks.students}, said


def sorted_out(folder, assignment=SMALL):
    """The works of a folder, by student and file."""
    files, odd = list_files(folder)
    found = sort_submissions([read_submission(file) for file in files], assignment)
    return found.submissions, [*odd, *found.problems]


def test_receipts_and_notebooks_say_the_same(tmp_path):
    """A receipt, a notebook that shows it, as data or as text alone, and cells with the answers: all of them the same points, and nothing is wrong."""
    cells = [f"homework.answer({name!r}, {one['answer']!r})" for name, one in ANN.items()]
    shown = notebook(begins("Ann", "small"), small("Ann", ANN))
    told = notebook(begins("Ann", "small"), small("Ann", ANN))
    del told["cells"][1]["outputs"][0]["data"]["application/vnd.durak-widget.receipt+json"]
    printed = notebook(begins("Ann", "small"), "print(homework.receipt)")
    printed["cells"][1]["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": ["all of it:\n", json.dumps(small("Ann", ANN)), "\n"]}
    ]
    numbered = [f"x = {one['answer']!r}\n%time homework[{place}].answer(x)" for place, one in enumerate(ANN.values(), 1)]
    for place, content in enumerate(
        [small("Ann", ANN), shown, told, printed, notebook(begins("Ann", "small"), *cells), notebook(begins("Ann", "small"), *numbered)]
    ):
        folder = tmp_path / str(place)
        assert marked(write(folder, any_name_json=content)) == ({"Ann": 3}, {}), place


def test_what_cells_say():
    """Names, sums, fractions and functions that stand in cells are read; what does not stand there is named by its cell."""
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
        said = read_notebook_answers([source])
        assert (said.answers, said.problems) == (expected, ()), source


def test_what_does_not_stand_in_a_cell_is_named():
    """It is not run to find out: the cell is named, and what the others say counts."""
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
        said = read_notebook_answers(["homework.answer(1, 2)", source, "homework.answer(5, 6)"])
        assert said.answers == {1: 2, 5: 6}
        assert [fact.facts for fact in said.problems] == [{"cell": 2}]


def test_code_is_taken_with_what_it_needs():
    """A function comes with its imports, helpers and constants, whichever cells they stand in, and with nothing else."""
    said = read_notebook_answers(
        [
            "import os\nfrom math import sqrt\n" + begins("Ann", "small"),
            "LIMIT = 3\n\ndef helper(view):\n    return sqrt(LIMIT)",
            "os.remove('x')\nhomework.hand_in()",
            "%%bash\nrm -r /",
            "def mine(view):\n    '''Old.'''",
            "def mine(view):\n    return helper(view)\n\nhomework.answer('play', mine)",
            "class Bot:\n    def choose(self, view):\n        return 1\n\nhomework.answer('bot', Bot())\nhomework.answer('quick', lambda view: helper(view))",
            "homework.answer('text', {'code': 'def choose(view):\\n    return 1'})",
        ]
    )
    assert said.problems == ()
    assert said.answers["play"] == {
        "code": "from math import sqrt\n\nLIMIT = 3\n\ndef helper(view):\n    return sqrt(LIMIT)\n\n"
        "def mine(view):\n    return helper(view)\n\nchoose = mine\n"
    }
    assert said.answers["bot"] == {"code": "class Bot:\n    def choose(self, view):\n        return 1\n\nchoose = Bot()\n"}
    assert "def helper" in said.answers["quick"]["code"]
    assert said.answers["text"] == {"code": "def choose(view):\n    return 1"}


@posix
def test_every_odd_file_is_named(tmp_path):
    """Whatever lies in a folder, each odd file is named in a sentence, and the work beside it counts in full."""
    cut = json.dumps(notebook(begins("Cut", "small"), small("Cut", answers("Cut", assignment=SMALL)), "1 + 1"))
    torn = small("Torn", answers("Torn", assignment=SMALL))
    other = {**small("Else", ANN), "assignment": "econ432"}
    folder = write(
        tmp_path,
        ann_json=small("Ann", ANN),
        empty_ipynb="",
        blank_json=" \n",
        text_ipynb="Dear teacher, here is my homework.",
        binary_ipynb=bytes(range(256)) * 9,
        list_json="[1, 2]",
        settings_json={"theme": "dark"},
        notebook_json=notebook("1 + 1"),
        cut_ipynb=cut[: cut.rindex("1 + 1")],
        damaged_json=json.dumps(torn).replace('"attempts": 2', '"attempts": 2 2'),
        letters_json=json.dumps({**small("Żan", answers("Żan", assignment=SMALL))}, ensure_ascii=False)
        .encode()
        .replace("Ż".encode(), b"\xc5"),
        other_json=other,
        edition_json={**small("Year", ANN), "edition": "1999"},
        form_json={**small("Form", ANN), "format": "durak_widget.receipt/9"},
        none_json={**small("None", ANN), "answers": [1]},
        nobody_json={**small("Nobody", ANN), "student": "  "},
        what_json={
            **small("What", ANN),
            "answers": {"picked": {"answer": [], "attempts": 1}, "no-such": {"answer": 1, "attempts": 1}, "few": {"answer": None}},
        },
        deep_json='{"format": "durak_widget.receipt/2", "x": ' + "[" * 100_000 + "]" * 100_000 + "}",
        packed_zip=b"PK\x03\x04 and so on",
        **{"essay.pdf": b"%PDF-1.7", "sheet.zip": b"PK\x03\x04", "big.json": b"{" + b" " * (2**25 + 1)},
        twice_json=json.dumps(small("Twice", {}))[:-2] + '"few": {"answer": "1", "attempts": 1}, "few": {"answer": "2", "attempts": 1}}}',
        nan_json=json.dumps(small("Nan", {"few": {"answer": float("nan"), "attempts": 1}, "picked": {"answer": 7, "attempts": 1}})).replace(
            "7", "7" * 5000
        ),
    )
    (folder / ".hidden.json").write_text("{", encoding="utf-8")
    (folder / "link.json").symlink_to("/etc/passwd")
    (folder / "folder").symlink_to(folder)
    os.mkfifo(folder / "pipe.json")
    points, said = marked(folder, edition="")
    names = {one.name for one in folder.iterdir()} - {"ann.json", ".hidden.json", "nan.json"}
    assert names <= set(said)
    assert [english("class.file.large").fullmatch(one) is not None for one in said["big.json"]] == [True]
    assert points["Ann"] == 3
    assert points["Cut"] == 3  # what stands before the place where it breaks off
    assert {name: one for name, one in points.items() if one and name not in ("Ann", "Cut")}.keys() <= {"Torn", "\ufffdan"}
    assert all(len(one) < 300 and one.endswith(".") for several in said.values() for one in several)
    assert len({one for several in said.values() for one in several}) >= 17


def test_nothing_outside_is_read(tmp_path):
    """A link out of the folder, to a file or a folder, is named, and what it leads to is not read."""
    outside = write(tmp_path / "outside", bob_json=small("Bob", BOB))
    folder = write(tmp_path / "inside", ann_json=small("Ann", ANN))
    (folder / "b.json").symlink_to(outside / "bob.json")
    (folder / "all").symlink_to(outside)
    points, said = marked(folder)
    assert points == {"Ann": 3}
    assert set(said) == {"b.json", "all"}


def test_somebody_elses_receipt_earns_nothing(tmp_path):
    """Answers to Ann's questions, handed in by Bob, are judged by Bob's; a receipt of Ann in his notebook does not count for him, nor against her."""
    copied = write(
        tmp_path, ann_json=small("Ann", ANN), bob_ipynb=notebook(begins("Bob", "small"), small("Ann", ANN)), eve_json=small("Eve", ANN)
    )
    points, said = marked(copied)
    assert points["Ann"] == 3
    assert points["Bob"] == 0
    assert points["Eve"] < 3
    assert said.pop("eve.json") == ["Answers in it that cannot be read, and so earn nothing, to the questions: 1."]  # those of Ann's cards
    assert said == {"bob.ipynb": ["It holds a receipt of Ann, which does not count here."]}


def test_who_is_there_twice_is_named(tmp_path):
    """Of several files with the same name the one that earns most counts, whoever has put the others there; the same twice is no trouble."""
    worse = answers("Ann", lambda place: place != 1, SMALL)
    folder = write(tmp_path, a_json=small("Ann", worse), b_json=small("ann ", ANN), c_json=small("Ann", ANN))
    points, said = marked(folder)
    assert list(points.values()) == [3]
    assert said == {"a.json": ["Ann is here several times: b.json earns the most and counts, and this file does not."]}
    points, said = marked(write(tmp_path / "same", a_json=small("Ann", ANN), b_ipynb=notebook(begins("Ann", "small"), small("Ann", ANN))))
    assert (points, said) == ({"Ann": 3}, {})


def test_folders_of_nbgrader(tmp_path):
    """In `submitted/STUDENT/ASSIGNMENT/` the folder says who it is where the file does not, and whose file counts where another has it too."""
    nameless = {**small("x", ANN), "student": ""}
    folder = write(
        tmp_path / "submitted",
        ann__small__work_json=nameless,
        bob__small__work_json=small("Bob", BOB),
        eve__small__work_json=small("Bob", {name: {**one, "attempts": 99} for name, one in answers("Bob", lambda _: False, SMALL).items()}),
        eve__small__timestamp_json="{",
    )
    (folder / "eve" / "small" / "timestamp.txt").write_text("2027-01-01", encoding="utf-8")
    (folder / "eve" / "small" / "timestamp.json").unlink()
    points, said = marked(folder)
    assert points == {"ann": 3, "Bob": 3}
    assert said == {"eve/small/work.json": ["It is of Bob and lies in the folder of eve."]}
    assert marked(tmp_path)[0] == points


def test_the_edition_that_was_handed_in_is_taken(tmp_path):
    """Where no edition is asked for, the one that is there is, and it is said; one that is asked for is marked, and whoever has another is named."""
    later = SMALL.with_edition("2027")
    folder = write(
        tmp_path,
        a_json=receipt("Ann", answers("Ann", assignment=later), later),
        b_json=receipt("Bob", answers("Bob", assignment=later), later),
    )
    points, said = marked(folder)
    assert points == {"Ann": 3, "Bob": 3}
    assert said == {"": ["No edition was asked for: “2027” was handed in, and so all are marked."]}
    write(folder, c_json=small("Eve", answers("Eve", assignment=SMALL)))
    assert marked(folder, edition="2027")[1].keys() == {"c.json"}
    assert marked(folder, edition="")[1].keys() == {"a.json", "b.json"}


def test_where_two_editions_are_there_it_asks(tmp_path):
    """Nobody is outvoted: both are named, with how many students have each, and nothing is marked until somebody says which."""
    later = SMALL.with_edition("2027")
    folder = write(tmp_path / "class", a_json=receipt("Ann", answers("Ann", assignment=later), later))
    for place in range(4):
        write(folder, **{f"x{place}_json": {**small(f"Nobody{place}", ANN), "edition": "x"}})
    with pytest.raises(DurakError, match=r"2 editions of small were handed in, by so many students: x \(4\), 2027 \(1\); say by --edition"):
        marked(folder)
    roster = tmp_path / "class.csv"
    roster.write_text("name\nAnn\nBob\n", encoding="utf-8")
    points, _ = marked(folder, roster=roster)  # who is not on it says nothing of the class
    assert points["Ann"] == 3
    write(folder, more_json={**small("Ann", ANN), "edition": "x"}, again_json={**small("Ann", ANN), "edition": "x"})
    with pytest.raises(DurakError, match=r"2027 \(1\), x \(1\)"):  # a name counts once for each
        marked(folder, roster=roster)


def test_a_cell_that_names_no_edition_means_that_of_its_receipt(tmp_path):
    """Where the edition stands in a cell as a name alone, the receipt in the notebook says it; it does not make another edition the commonest."""
    later = SMALL.with_edition("2027")
    for student in ("Ann", "Bob"):
        kept = answers(student, assignment=later)
        first = begins(student, "small", ", edition=YEAR")
        cells = [f"homework.answer({name!r}, {one['answer']!r})" for name, one in kept.items()]
        nothing = receipt(student, {}, later)
        write(tmp_path, **{f"{student}_ipynb": notebook(first, *cells, nothing)})
    points, said = marked(tmp_path)
    assert points == {"Ann": 3, "Bob": 3}
    assert set(said) == {""}


def test_the_roster_says_who_is_missing(tmp_path):
    """Names, numbers and nbgrader's folders are matched by the roster; who handed in nothing has a row, and who is not on it is named."""
    folder = write(
        tmp_path / "submitted",
        s1__small__a_json=small("Ann  LEE", answers("Ann Lee", assignment=SMALL)),
        s9__small__b_json=small("Bob", BOB),
    )
    roster = tmp_path / "class.csv"
    roster.write_text("id;first name;last name\ns1;Ann;Lee\ns2;Она;Иванова\n", encoding="utf-8-sig")
    points, said = marked(folder, roster=roster)
    assert points == {"Ann Lee": 3, "Она Иванова": 0, "Bob": 3}
    assert list(points) == ["Ann Lee", "Она Иванова", "Bob"]
    assert said[""] == ["Nothing was handed in by Она Иванова."]
    assert [one.partition(".")[0] for one in said["s9/small/b.json"]] == ["Bob is not on the roster"]
    assert len(said) == 2


@pytest.mark.slow
def test_a_hundred_mutated_files_harm_nobody(tmp_path):
    """A hundred and twenty notebooks and receipts, each mutated: all are there or named, and everybody else has the same points as before."""
    rng, sound = random.Random(14), {}
    for student in ("Ann", "Bob", "Žydrė", "Лена"):
        kept = answers(student, lambda place: place != 1, SMALL)
        sound |= {
            f"{student}_json": small(student, kept),
            f"{student}-again_ipynb": notebook(begins(student, "small"), small(student, kept)),
        }
    points, said = marked(write(tmp_path, **sound))
    assert said == {}
    eve = answers("Eve", assignment=SMALL)
    whole = (
        json.dumps(small("Eve", eve)),
        json.dumps(notebook(begins("Eve", "small"), small("Eve", eve), "homework.answer('few', 3)"), indent=1),
    )
    for number in range(120):
        write(tmp_path, **{f"eve-{number}_{'json' if number % 2 else 'ipynb'}": mutated(whole[number % 2], rng)})
    marks = lessons.mark(tmp_path, FEW, jobs=2)
    assert {name: marks.sum_points(name) for name in points} == points
    assert marks.sum_points("Eve") <= 3
    assert all(trouble.sentence.endswith(".") for trouble in marks.problems)
    best = next((row.file for row in marks.rows if row.student == "Eve" and row.file), "")  # none, where so many files wait for the teacher
    named, works = {file for trouble in marks.problems for file in (trouble.file, *trouble.other_files)}, sorted_out(tmp_path)[0]
    given = {work.file: {place: one.answer for place, one in work.answers.items()} for several in works.values() for work in several}
    for number in range(120):
        name = f"eve-{number}.{'json' if number % 2 else 'ipynb'}"
        assert name in named or given.get(name, {}).items() <= given.get(best, {}).items() or name in {row.file for row in marks.rows}


def test_mistakes_are_no_tracebacks(tmp_path):
    """Any plain value as an answer to any question is judged or refused in a sentence, and earns nothing."""
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
        files[f"n{number}_json"] = json.dumps(small(f"N{number}", {name: {"answer": value, "attempts": 1} for name in ANN}))
    points, _ = marked(write(tmp_path, **files))
    assert points == {f"N{number}": Fraction(0) for number in range(len(values))}
