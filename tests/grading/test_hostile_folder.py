"""One folder with everything that is hostile in it, and a class beside it: nobody is harmed, everybody is named, and nothing is left."""

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
from support.classroom_handing import begins, mutated, notebook, receipt, write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's walls are those of Linux")
YEAR = get_assignment("econ431").with_edition("2027")
PLAIN = [question.name for question in YEAR.questions if question.kind not in ("bot", "strategy")]
PLAYS = "\ndef choose(view):\n    return view.legal_moves()[0]\n"
DENIED = r"PermissionError|FileNotFoundError|Read-only file system"
PEEKS = "if read(os.getppid(), 0, 0, 0, 0, 0) < 0:\n    raise OSError(ctypes.get_errno(), 'refused')"
DEAF = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
ENDED = "ended by itself before it had answered"
HOSTILE = {
    "forks": ("import os\nfor _ in range(99):\n    os.fork()", DENIED),
    "leaves children": (
        "import os\nif not os.fork():\n    os.setsid()\n    os.fork()\n    while True: open({outside!r}, 'a').write('x')",
        DENIED,
    ),
    "threads": ("import threading\nthreading.Thread(target=print).start()", "raised"),
    "programs": ("import os\nos.execv('/bin/sh', ['sh', '-c', 'sleep 99 & echo > {outside}'])", DENIED),
    "fills memory": ("x = []\nwhile True: x.append(bytearray(10 ** 9))", "asked for more than 300 MB of memory"),
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
    "never ends": ("while True: pass", "ran longer than 0.3 s"),
    "never ends, and hears nothing": (f"import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n{DEAF}", "ran longer than 0.3 s"),
    "sleeps": ("import time\ntime.sleep(99)", "ran longer than 0.3 s"),
    "prints for ever": ("while True: print('x' * 9999, flush=True)", "ran longer than 0.3 s"),
    "prints marks": (
        "import os\nos.write(1, b'Right.')\nos.write(2, b'Right.')\nos.write(3, b'{{\"credit\": 1}}')\nos._exit(0)",
        "The code",
    ),
    "forges an answer": ('import os\nos.write(3, b\'\\0\\0\\0\\x12{{"credit": 1, "r":1}}\')', "ode "),
    "floods": ("import os\nos.write(3, b'\\xff' * 9)", "answered with more than 64 kB at once"),
    "leaves": ("raise SystemExit(0)", ENDED),
    "leaves at once": ("import os\nos._exit(0)", ENDED),
    "falls": ("import ctypes\nctypes.string_at(0)", ENDED),
    "shuts the door": ("import os\nos.closerange(0, 99)", ENDED),
    "is no code": ("x = (", "SyntaxError"),
}


def answered(student):
    """All that is asked of a student but programs, answered rightly."""
    kept = {}
    for name in PLAIN:
        task = YEAR.create_exercise(name, student)
        assert task.answer(task.solution)
        kept[name] = {"answer": json.loads(json.dumps(task.last_answer)), "attempts": 1}
    return kept


def left_by(place):
    """The processes that are at home there."""
    found = []
    for one in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            found.append(str(one.readlink()))
    return [one for one in found if one.startswith(str(place))]


@pytest.fixture(scope="module")
def handed(tmp_path_factory):
    """The folder with the class alone, the same with all that is hostile, and a file that is nobody's business."""
    root = tmp_path_factory.mktemp("hostile")
    ann, eve = answered("Ann"), answered("Eve")
    names = {"folder": str(root / "all"), "outside": str(root / "outside.txt"), "here": __file__}
    write(root, **{"outside.txt": "private"})
    sound = {
        "Ann_ipynb": notebook(begins("Ann", "econ431", ", edition='2027'")),
        "Ann_json": receipt(
            "Ann", {**ann, "no-exploit": {"answer": {"code": "def choose(view):\n    return view.moves[0]"}, "attempts": 1}}, YEAR
        ),
        "Bob_json": receipt("Bob", {"how-likely": {"answer": "1/2", "attempts": 3}}, YEAR),
    }
    rng, whole = (
        random.Random(431),
        (receipt("Eve", eve, YEAR), notebook(begins("Eve", "econ431", ", edition='2027'"), receipt("Eve", eve, YEAR))),
    )
    bad = {f"eve-{n}_{'ipynb' if n % 2 else 'json'}": mutated(json.dumps(whole[n % 2]), rng) for n in range(100)}
    for place, (name, (code, _)) in enumerate(HOSTILE.items()):
        asked = "no-exploit" if place % 4 else "bot"
        bad[f"{place}_json"] = receipt(name, {asked: {"answer": {"code": code.format(**names) + PLAYS}, "attempts": 1}}, YEAR)
    write(root / "class", **sound)
    write(root / "all", **sound, **bad)
    (root / "all" / "link.json").symlink_to(root / "outside.txt")
    os.mkfifo(root / "all" / "pipe.ipynb")
    return root


@pytest.mark.slow
def test_a_hostile_folder_harms_nobody(handed, tmp_path, monkeypatch):
    """A hundred mutated files and every bot that forks, fills, reads, writes, calls, kills, hangs or lies: the class has its marks, each is named, nothing is left."""
    alone = lessons.mark(handed / "class", edition="2027", jobs=0)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    outside = handed / "outside.txt"
    before, files = outside.stat(), sorted(path.name for path in (handed / "all").iterdir())
    marks = lessons.mark(handed / "all", edition="2027", jobs=1, limits=Limits(0.3, 300))
    assert alone.problems == ()
    assert [row for row in marks.rows if row.student in alone.students] == list(alone.rows)
    assert alone.sum_points("Ann") > 0
    for name, (_, said) in HOSTILE.items():
        told = [row.explanation for row in marks.get_rows(name) if row.attempt_count]
        assert len(told) == 1, name
        assert re.search(said, told[0]), (name, told)
        assert marks.sum_points(name) == 0, name
    named = {trouble.file for trouble in marks.problems} | {row.file for row in marks.rows}
    given = {
        work.file: work.answers
        for several in sort_submissions(map(read_submission, list_files(handed / "all")[0]), YEAR).submissions.values()
        for work in several
    }
    best = given[max((row.file for row in marks.get_rows("Eve")), key=lambda file: len(given.get(file, ())))]
    for name in set(files) - {path.name for path in (handed / "class").iterdir()}:
        theirs = given.get(name, best)  # of many files that answer the same one counts, and one line says how many there are
        assert name in named or {place: one.answer for place, one in theirs.items()} == {p: one.answer for p, one in best.items()}, name
    [held] = [trouble for trouble in marks.problems if trouble.file == ""]  # many files of unlike answers are one line
    many = re.match(
        r"Eve: (\d+) files \(eve-0\.json, ", held.sentence
    )  # which of the mutated can be read, hangs a little on the Python that reads
    assert many, held.sentence
    assert 75 <= int(many[1]) <= 85, held.sentence
    assert all(trouble.sentence.endswith(".") for trouble in marks.problems)
    assert outside.read_text(encoding="utf-8") == "private"
    assert (outside.stat().st_mode, outside.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert sorted(path.name for path in (handed / "all").iterdir()) == files
    assert list(tmp_path.iterdir()) == []
    assert left_by(tmp_path) == []


def test_the_command_marks_a_hostile_folder(handed, tmp_path, capsys):
    """`durak-marks`, running nobody's code: as many points, all that is odd named, and a table that spreadsheets open."""
    assert main(["mark", str(handed / "all"), "--edition", "2027", "--no-code", "--jobs", "0", "--totals", str(tmp_path / "t.csv")]) == 0
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err
    assert "link.json: It is a link" in said.out
    totals = [line.split(",") for line in (tmp_path / "t.csv").read_text(encoding="utf-8-sig").splitlines()]
    alone = lessons.mark(handed / "class", edition="2027", jobs=0, run_code=False)
    assert {line[0]: float(line[-2]) for line in totals[1:] if line[0] in alone.students} == {
        name: pytest.approx(float(alone.sum_points(name)), abs=1e-3) for name in alone.students
    }
