"""Test marking a hostile folder beside a class's work: no harm, every bad file reported, and nothing left over."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import sys
import tempfile
from pathlib import Path

import pytest

from durak_widget import lessons
from durak_widget.grading.command_line import main
from durak_widget.grading.submission_files import list_files
from durak_widget.grading.submissions import read_submission, sort_submissions
from durak_widget.homework.assignment import get_assignment
from durak_widget.sandbox.code_runner import Limits
from support.classroom_handing import first_cell, mutate, notebook, receipt, write_files
from support.spoken import english, english_text

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's walls are those of Linux")
YEAR = get_assignment("econ431").with_edition("2027")
PLAIN = [question.name for question in YEAR.questions if question.kind not in ("bot", "strategy")]
PLAYS = "\ndef choose(view):\n    return view.legal_moves()[0]\n"
DENIED = r"PermissionError|FileNotFoundError|Read-only file system"
PEEKS = "if read(os.getppid(), 0, 0, 0, 0, 0) < 0:\n    raise OSError(ctypes.get_errno(), 'refused')"
DEAF = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
ENDED = english("class.code.ended")
HOSTILE = {
    "forks": ("import os\nfor _ in range(99):\n    os.fork()", DENIED),
    "leaves children": (
        "import os\nif not os.fork():\n    os.setsid()\n    os.fork()\n    while True: open({outside!r}, 'a').write('x')",
        DENIED,
    ),
    "threads": ("import threading\nthreading.Thread(target=print).start()", "raised"),
    "programs": ("import os\nos.execv('/bin/sh', ['sh', '-c', 'sleep 99 & echo > {outside}'])", DENIED),
    "fills memory": ("x = []\nwhile True: x.append(bytearray(10 ** 9))", english("class.code.memory", megabytes="300")),
    "reads Ann's answers": ("open({folder!r} + '/Ann.json').read()", DENIED),
    "looks who is there": ("import os\nos.listdir({folder!r})", DENIED),
    "reads keys of tests": ("open({here!r}).read()", DENIED),
    "reads its own memory": ("open('/proc/self/mem', 'rb')", DENIED),
    "reads whoever marks": ("import os\nopen('/proc/%d/environ' % os.getppid()).read()", DENIED),
    "reads their memory": (f"import ctypes, os\nread = ctypes.CDLL(None, use_errno=True).process_vm_readv\n{PEEKS}", DENIED),
    "writes outside": ("open({outside!r}, 'a').write('x')", DENIED),
    "writes at home": ("open('x', 'w')", DENIED),
    "changes rights": ("import os\nos.chmod({outside!r}, 0)", DENIED),
    "makes it old": ("import os\nos.utime({outside!r}, (0, 0))", DENIED),
    "links": ("import os\nos.symlink('/', {folder!r} + '/root')", DENIED),
    "calls home": ("import socket\nsocket.create_connection(('127.0.0.1', 9))", DENIED),
    "kills whoever marks": ("import os\nos.kill(os.getppid(), 9)", DENIED),
    "kills all": ("import os\nos.kill(-1, 9)", DENIED),
    "never ends": ("while True: pass", english("class.code.slow", seconds="0.3")),
    "never ends, and hears nothing": (
        f"import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n{DEAF}",
        english("class.code.slow", seconds="0.3"),
    ),
    "sleeps": ("import time\ntime.sleep(99)", english("class.code.slow", seconds="0.3")),
    "prints for ever": ("while True: print('x' * 9999, flush=True)", english("class.code.slow", seconds="0.3")),
    "prints marks": (
        "import os\nos.write(1, b'Right.')\nos.write(2, b'Right.')\nos.write(3, b'{{\"credit\": 1}}')\nos._exit(0)",
        "The code",
    ),
    "forges an answer": ('import os\nos.write(3, b\'\\0\\0\\0\\x12{{"credit": 1, "r":1}}\')', "ode "),
    "floods": ("import os\nos.write(3, b'\\xff' * 9)", english("class.code.flood", most="64")),
    "leaves": ("raise SystemExit(0)", ENDED),
    "leaves at once": ("import os\nos._exit(0)", ENDED),
    "falls": ("import ctypes\nctypes.string_at(0)", ENDED),
    "shuts the door": ("import os\nos.closerange(0, 99)", ENDED),
    "is no code": ("x = (", "SyntaxError"),
}


def right_answers(student):
    """Return right answers to everything except programs."""
    answer_records = {}
    for name in PLAIN:
        task = YEAR.create_exercise(name, student)
        assert task.answer(task.solution)
        answer_records[name] = {"answer": json.loads(json.dumps(task.last_answer)), "attempts": 1}
    return answer_records


def processes_in(place):
    """Return the processes whose home is this folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            found.append(str(path.readlink()))
    return [directory for directory in found if directory.startswith(str(place))]


@pytest.fixture(scope="module")
def submissions_folders(tmp_path_factory):
    """Return the class folder alone, the same with all hostile files, and an outside file."""
    root = tmp_path_factory.mktemp("hostile")
    ann, eve = right_answers("Ann"), right_answers("Eve")
    names = {"folder": str(root / "all"), "outside": str(root / "outside.txt"), "here": __file__}
    write_files(root, **{"outside.txt": "private"})
    sound = {
        "Ann_ipynb": notebook(first_cell("Ann", "econ431", ", edition='2027'")),
        "Ann_json": receipt(
            "Ann", {**ann, "no-exploit": {"answer": {"code": "def choose(view):\n    return view.moves[0]"}, "attempts": 1}}, YEAR
        ),
        "Bob_json": receipt("Bob", {"how-likely": {"answer": "1/2", "attempts": 3}}, YEAR),
    }
    rng, whole = (
        random.Random(431),
        (receipt("Eve", eve, YEAR), notebook(first_cell("Eve", "econ431", ", edition='2027'"), receipt("Eve", eve, YEAR))),
    )
    bad = {f"eve-{n}_{'ipynb' if n % 2 else 'json'}": mutate(json.dumps(whole[n % 2]), rng) for n in range(100)}
    for place, (name, (code, _)) in enumerate(HOSTILE.items()):
        asked = "no-exploit" if place % 4 else "bot"
        bad[f"{place}_json"] = receipt(name, {asked: {"answer": {"code": code.format(**names) + PLAYS}, "attempts": 1}}, YEAR)
    write_files(root / "class", **sound)
    write_files(root / "all", **sound, **bad)
    (root / "all" / "link.json").symlink_to(root / "outside.txt")
    os.mkfifo(root / "all" / "pipe.ipynb")
    return root


@pytest.mark.slow
def test_a_hostile_folder_does_no_harm(submissions_folders, tmp_path, monkeypatch):
    """A hundred mutated files and bots that fork, fill, read, write, call, kill, hang or lie are reported."""
    alone = lessons.mark(submissions_folders / "class", edition="2027", jobs=0)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    outside = submissions_folders / "outside.txt"
    before, files = outside.stat(), sorted(path.name for path in (submissions_folders / "all").iterdir())
    marks = lessons.mark(submissions_folders / "all", edition="2027", jobs=1, limits=Limits(0.3, 300))
    assert alone.problems == ()
    assert [row for row in marks.rows if row.student in alone.students] == list(alone.rows)
    assert alone.sum_points("Ann") > 0
    for name, (_, sentence) in HOSTILE.items():
        explanations = [row.explanation for row in marks.get_rows(name) if row.attempt_count]
        assert len(explanations) == 1, name
        assert re.search(sentence, explanations[0]), (name, explanations)
        assert marks.sum_points(name) == 0, name
    named = {trouble.file for trouble in marks.problems} | {row.file for row in marks.rows}
    given = {
        work.file: work.answers
        for several in sort_submissions(map(read_submission, list_files(submissions_folders / "all")[0]), YEAR).submissions.values()
        for work in several
    }
    best = given[max((row.file for row in marks.get_rows("Eve")), key=lambda file: len(given.get(file, ())))]
    for name in set(files) - {path.name for path in (submissions_folders / "class").iterdir()}:
        theirs = given.get(name, best)  # of many files with the same answer one counts, and one line gives the number
        assert name in named or {place: answer.answer for place, answer in theirs.items()} == {
            p: answer.answer for p, answer in best.items()
        }, name
    [held] = [trouble for trouble in marks.problems if trouble.file == ""]  # many files with different answers give one line
    assert english("class.file.held", student="Eve").match(held.sentence)
    many = re.search(r"\b(\d+)\b.*\(eve-0\.json, ", held.sentence)
    assert many, held.sentence
    assert 75 <= int(many[1]) <= 85, held.sentence  # which mutated files are readable depends slightly on the Python version
    assert all(trouble.sentence.endswith(".") for trouble in marks.problems)
    assert outside.read_text(encoding="utf-8") == "private"
    assert (outside.stat().st_mode, outside.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert sorted(path.name for path in (submissions_folders / "all").iterdir()) == files
    assert list(tmp_path.iterdir()) == []
    assert processes_in(tmp_path) == []


def test_the_command_marks_a_hostile_folder(submissions_folders, tmp_path, capsys):
    """`durak-marks` without running code gives the same points, reports all, and writes a table for spreadsheets."""
    assert (
        main(
            ["mark", str(submissions_folders / "all"), "--edition", "2027", "--no-code", "--jobs", "0", "--totals", str(tmp_path / "t.csv")]
        )
        == 0
    )
    printed = capsys.readouterr()
    assert "Traceback" not in printed.out + printed.err
    assert f"link.json: {english_text('class.file.link')}" in printed.out
    totals = [line.split(",") for line in (tmp_path / "t.csv").read_text(encoding="utf-8-sig").splitlines()]
    alone = lessons.mark(submissions_folders / "class", edition="2027", jobs=0, run_code=False)
    assert {line[0]: float(line[-2]) for line in totals[1:] if line[0] in alone.students} == {
        name: pytest.approx(float(alone.sum_points(name)), abs=1e-3) for name in alone.students
    }
