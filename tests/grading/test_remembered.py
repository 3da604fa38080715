"""What was judged before: marking again judges only what is new, comes to the same marks, and believes nothing that a student could have written."""

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
from support.classroom_handing import receipt, write

ECON = get_assignment("econ431")
ASKED = ("what-beats-what", "how-likely", "backward-induction")
HOW = GradingSettings("econ431", "", "en", runs_code=True, limits=Limits())


def handed_in(folder: Path, students: str = "Ann Bob", **other: object) -> Path:
    """What these students answer, all of it right but for what is said."""
    for student in students.split():
        tasks = {name: ECON.create_exercise(name, student) for name in ASKED}
        for name, task in tasks.items():
            task.answer(other.get(f"{student}_{name.partition('-')[0]}", task.solution))
        given = {name: {"answer": json.loads(json.dumps(task.last_answer)), "attempts": 1} for name, task in tasks.items()}
        write(folder, **{f"{student}_json": receipt(student, given, ECON)})
    return folder


@pytest.fixture
def count(monkeypatch):
    """How many answers were judged since it was last asked."""
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


def kept() -> Path:
    """The one file of what was judged."""
    [file] = Path(os.environ["XDG_CACHE_HOME"]).glob("**/*.json")
    return file


def test_only_what_is_new_is_judged(tmp_path, count):
    """Again: nothing. One more student, one other answer: those. `anew`: all. The marks are the same every time, reasons and all."""
    folder = handed_in(tmp_path / "in")
    first = lessons.mark(folder, jobs=0)
    assert count() == 6
    assert first.sum_points("Ann") == sum(question.points for question in ECON.questions if question.name in ASKED)
    assert lessons.mark(folder, jobs=0).to_csv() == first.to_csv()
    assert count() == 0
    handed_in(folder, "Ann Cyd", Ann_how="1/7")
    late = lessons.mark(folder, jobs=0)
    assert count() == 4
    assert late.sum_points("Ann") < first.sum_points("Ann")
    assert lessons.mark(folder, jobs=0, anew=True).to_csv() == late.to_csv()
    assert count() == 9
    assert lessons.mark(folder, jobs=0, language="lt").sum_points("Ann") == late.sum_points("Ann")
    assert count() == 9  # its reasons are other sentences


def test_nothing_that_others_could_have_written_is_believed(tmp_path, count, monkeypatch):
    """Where what is kept lies among the homework, or where others may write, all is judged; what has another form is not looked at."""
    folder = handed_in(tmp_path / "in", "Ann", Ann_how="1/7")
    honest = lessons.mark(folder, jobs=0)
    file = kept()
    text = file.read_text()
    count()
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
    damaged += [json.dumps({**found, "grades": dict.fromkeys(found["grades"], one)}) for one in odd]
    for one in damaged:
        file.write_text(one)
        assert lessons.mark(folder, jobs=0).to_csv() == honest.to_csv()
        assert count() == 3
    forged = json.dumps({**found, "grades": {name: ["1", "", "Right.", []] for name in found["grades"]}})
    file.write_text(forged)
    assert lessons.mark(folder, jobs=0).sum_points("Ann") > honest.sum_points("Ann")  # so that what follows shows something
    count()
    if hasattr(os, "getuid"):
        file.chmod(0o666)
        assert lessons.mark(folder, jobs=0).to_csv() == honest.to_csv()
        assert count() == 3
    among = folder / "sub" / "durak_widget" / "grading_cache" / file.name
    among.parent.mkdir(parents=True, mode=0o700)
    among.write_text(forged)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "sub"))
    assert lessons.mark(folder, jobs=0).sum_points("Ann") == honest.sum_points("Ann")
    assert count() == 3


def test_a_program_that_may_choose_otherwise_is_judged_again():
    """Chance, clocks and sets of its own: what comes of them is not kept. The chance that a bot is handed is the same each time."""
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


def test_a_program_that_failed_is_judged_again():
    """A machine that was busy or short of memory may have had a part in it."""
    for code in ("def choose(view):\n    return 1 / 0", "def choose(view):\n    while True: pass", "choose = 5"):
        how = HOW._replace(
            assignment=Assignment("short", "Short", [Question("bot", 1, "A bot", lambda _: lessons.Bot(1, pairs=1), "bot")]),
            limits=Limits(0.3),
        )
        assert not grade_answer(how, SubmittedAnswer("Ann", 0, CountedAnswer({"code": code}, 1))).is_reproducible


def test_it_is_bounded_and_goes_by_everything_that_may_matter(tmp_path, monkeypatch):
    """Of a class the newest answers, and the newest classes; nothing of assignments of one's own; whatever is changed in the package, all is judged anew."""
    monkeypatch.setattr(grading_cache, "_MAX_ANSWERS", 4)
    monkeypatch.setattr(grading_cache, "_MAX_FILES", 2)
    folder = handed_in(tmp_path)
    lessons.mark(folder, jobs=0)
    assert len(json.loads(kept().read_text())["grades"]) == 4
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
