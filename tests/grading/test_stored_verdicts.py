"""Test stored verdicts: only new answers are judged, marks are the same, and nothing writable by students is trusted."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path

import pytest

from durak_widget import lessons
from durak_widget.grading import folder_grading, grading_cache
from durak_widget.grading.answer_grading import GradedAnswer, GradingSettings, SubmittedAnswer, grade_answer, is_deterministic_program
from durak_widget.grading.submissions import CountedAnswer
from durak_widget.homework.assignment import Assignment, Question, get_assignment
from durak_widget.sandbox.code_runner import Limits
from support.classroom_handing import receipt, write_files

ECON = get_assignment("econ431")
ASKED = ("what-beats-what", "how-likely", "backward-induction")
HOW = GradingSettings("econ431", "", "en", runs_code=True, limits=Limits())


def write_submissions(folder: Path, students: str = "Ann Bob", **other: object) -> Path:
    """Write the answers of these students, right ones except as given."""
    for student in students.split():
        tasks = {name: ECON.create_exercise(name, student) for name in ASKED}
        for name, task in tasks.items():
            task.answer(other.get(f"{student}_{name.partition('-')[0]}", task.solution))
        given = {name: {"answer": json.loads(json.dumps(task.last_answer)), "attempts": 1} for name, task in tasks.items()}
        write_files(folder, **{f"{student}_json": receipt(student, given, ECON)})
    return folder


@pytest.fixture
def judged_count(monkeypatch):
    """Count the answers judged since the last call."""
    seen = []

    def counted(how: GradingSettings, answered: SubmittedAnswer) -> object:
        seen.append(answered)
        return grade_answer(how, answered)

    monkeypatch.setattr(folder_grading, "grade_answer", counted)

    def since() -> int:
        found = len(seen)
        seen.clear()
        return found

    return since


def store_file() -> Path:
    """Return the one file of stored verdicts."""
    [file] = Path(os.environ["XDG_CACHE_HOME"]).glob("**/*.json")
    return file


def test_only_new_answers_are_judged(tmp_path, judged_count):
    """Test no change, one more student, one other answer, and `anew`. Marks and reasons are the same each time."""
    folder = write_submissions(tmp_path / "in")
    first = lessons.mark(folder, jobs=0)
    assert judged_count() == 6
    assert first.sum_points("Ann") == sum(question.points for question in ECON.questions if question.name in ASKED)
    assert lessons.mark(folder, jobs=0).to_csv() == first.to_csv()
    assert judged_count() == 0
    write_submissions(folder, "Ann Cyd", Ann_how="1/7")
    late = lessons.mark(folder, jobs=0)
    assert judged_count() == 4
    assert late.sum_points("Ann") < first.sum_points("Ann")
    assert lessons.mark(folder, jobs=0, anew=True).to_csv() == late.to_csv()
    assert judged_count() == 9
    assert lessons.mark(folder, jobs=0, language="lt").sum_points("Ann") == late.sum_points("Ann")
    assert judged_count() == 9  # its reasons have other sentences


def test_files_that_others_could_write_are_not_trusted(tmp_path, judged_count, monkeypatch):
    """A store among the homework, or writable by others, is ignored; so are malformed ones."""
    folder = write_submissions(tmp_path / "in", "Ann", Ann_how="1/7")
    honest = lessons.mark(folder, jobs=0)
    file = store_file()
    text = file.read_text()
    judged_count()
    found = json.loads(text)
    damaged = [
        "",
        "[",
        "[]",
        "null",
        '{"form": 1}',
        '{"format": "durak_widget.grades/2", "grades": []}',
        "[" * 10**5,
        text.replace("grades/2", "grades/1"),
    ]
    odd = [
        ["2", "", "", []],
        ["-1", "", "", []],
        ["1/0", "", "", []],
        ["1", 5, "", []],
        ["1", "", "", ["none"]],
        [["1"], "", "", []],
        7,
        None,
        ["1"],
    ]
    damaged += [json.dumps({**found, "grades": dict.fromkeys(found["grades"], value)}) for value in odd]
    for damaged_text in damaged:
        file.write_text(damaged_text)
        assert lessons.mark(folder, jobs=0).to_csv() == honest.to_csv()
        assert judged_count() == 3
    forged = json.dumps({**found, "grades": {name: ["1", "", "Right.", []] for name in found["grades"]}})
    file.write_text(forged)
    assert lessons.mark(folder, jobs=0).sum_points("Ann") > honest.sum_points("Ann")  # so that the next check can fail
    judged_count()
    if hasattr(os, "getuid"):
        file.chmod(0o666)
        assert lessons.mark(folder, jobs=0).to_csv() == honest.to_csv()
        assert judged_count() == 3
    among = folder / "sub" / "durak_widget" / "grading_cache" / file.name
    among.parent.mkdir(parents=True, mode=0o700)
    among.write_text(forged)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "sub"))
    assert lessons.mark(folder, jobs=0).sum_points("Ann") == honest.sum_points("Ann")
    assert judged_count() == 3


def test_a_nondeterministic_program_is_judged_again():
    """Chance, clocks and its own sets matter; the random generator that a bot gets does not."""
    for code, alike in (
        ("def choose(view):\n    return view.legal_moves()[0]", True),
        ("from fractions import Fraction\nimport math\ndef choose(view, rng):\n    return rng.choice(view.legal_moves())", True),
        ("import random\ndef choose(view):\n    return random.choice(view.legal_moves())", False),
        ("def choose(view):\n    from time import time\n    return view.legal_moves()[int(time()) % 2]", False),
        ("import durak_widget.bots as b\ndef choose(view):\n    return b", False),
        ("def choose(view):\n    return list({str(move) for move in view.legal_moves()})[0]", False),
        ("def choose(view):\n    return list(set(map(str, view.legal_moves())))[0]", False),
        ("from . import x", False),
        ("def choose(", False),
    ):
        assert is_deterministic_program(code) is alike
        how = HOW._replace(assignment=Assignment("short", "Short", [Question("bot", 1, "A bot", lambda _: lessons.Bot(1, pairs=1), "bot")]))
        if alike:
            found = [grade_answer(how, SubmittedAnswer("Ann", 0, CountedAnswer({"code": code}, 1))) for _ in range(2)]
            assert found[0] == found[1]
            assert found[0].is_reproducible


def test_a_failed_program_is_judged_again():
    """The machine may have been busy or short of memory."""
    for code in ("def choose(view):\n    return 1 / 0", "def choose(view):\n    while True: pass", "choose = 5"):
        how = HOW._replace(
            assignment=Assignment("short", "Short", [Question("bot", 1, "A bot", lambda _: lessons.Bot(1, pairs=1), "bot")]),
            limits=Limits(0.3),
        )
        assert not grade_answer(how, SubmittedAnswer("Ann", 0, CountedAnswer({"code": code}, 1))).is_reproducible


def test_the_store_is_bounded_and_depends_on_the_package(tmp_path, monkeypatch):
    """It keeps the newest answers and classes, no custom assignments, and every change of the package judges again."""
    monkeypatch.setattr(grading_cache, "_MAX_ANSWERS", 4)
    monkeypatch.setattr(grading_cache, "_MAX_FILES", 2)
    folder = write_submissions(tmp_path)
    lessons.mark(folder, jobs=0)
    assert len(json.loads(store_file().read_text())["grades"]) == 4
    hows = [HOW, HOW._replace(edition="2027"), HOW._replace(language="ru"), HOW._replace(runs_code=False), HOW._replace(limits=Limits(5))]
    files = {grading_cache._find_cache_file(how, folder) for how in hows}
    monkeypatch.setattr(grading_cache, "_hash_package", lambda: "another")
    files |= {grading_cache._find_cache_file(HOW, folder)}
    assert len(files - {None}) == 6
    assert grading_cache._find_cache_file(HOW._replace(assignment="support.classroom_small:ASSIGNMENT"), folder) is None
    assert grading_cache._find_cache_file(HOW._replace(assignment=ECON), folder) is None
    for edition in ("1", "2", "3"):
        grading_cache.GradingCache(HOW._replace(edition=edition), folder).store(
            {"an answer": GradedAnswer(Fraction(1), "", "Right.", is_reproducible=True)}
        )
    assert len(list(Path(os.environ["XDG_CACHE_HOME"]).glob("**/*.json"))) == 2
