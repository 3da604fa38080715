"""Marking runs no module of a student's: whoever stands in the folder of homework is refused, and the command of its own does not look there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from classroom_handing import FEW, SMALL, receipt, write
from durak_widget import DurakError, Table, lessons, looking
from durak_widget.lessons import __main__ as commands

ROOT = Path(__file__).resolve().parents[2]
SHADOWS = ("__future__", "argparse", "csv", "fractions", "json", "secrets", "statistics", "typing")
"""Modules of Python's own that marking needs."""
SCRIPT = "import sys\nfrom durak_widget.lessons.__main__ import marks\nsys.exit(marks())\n"
"""What pip makes of an entry of `[project.scripts]`."""
IN_A_NOTEBOOK = "import sys\nfrom durak_widget import lessons\nlessons.{call}"
"""Python was started there, as a kernel is: the current folder is on its path, as ''."""


@pytest.fixture
def handed(tmp_path):
    """Ann's work, and files of hers that are called as modules of Python are: each would leave a trace beside the folder."""
    folder = write(tmp_path / "collected", ann_json=receipt("Ann", assignment=SMALL))
    for name in SHADOWS:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write('{name} ')\nraise ImportError('{name}')\n")
    return folder


def ran(arguments, where):
    """What a Python says that is started there."""
    known = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    return subprocess.run([sys.executable, *arguments], cwd=where, capture_output=True, text=True, check=False, env=known)


@pytest.mark.parametrize(
    "started",
    [
        ["-m", "durak_widget.lessons", "mark", ".", "--edition", "2027"],
        ["-c", IN_A_NOTEBOOK.format(call="mark('.', jobs=2)")],
        ["-c", IN_A_NOTEBOOK.format(call="class_report('.')")],
    ],
    ids=["mark", "lessons.mark", "lessons.class_report"],
)
def test_nothing_that_lies_there_is_run(handed, started):
    """A command or a notebook that is started in the folder of homework is refused in a sentence, and no file in it was taken for a module."""
    done = ran(started, handed)
    assert done.returncode == 1
    said = done.stderr.splitlines()[-1]
    assert "Python looks for its modules in" in said
    assert "say durak-marks collected" in said
    assert not (handed.parent / "ran").exists()


def test_the_command_of_its_own_does_not_look_there(handed):
    """`durak-marks .` within the folder marks it, in processes of its own too, and runs no module that lies there."""
    script = handed.parent / "durak-marks"
    script.write_text(SCRIPT)
    done = ran([str(script), ".", "--assignment", "econ431", "--edition", "2027", "--jobs", "1"], handed)
    assert (done.returncode, done.stderr) == (1, "")  # nothing of that assignment was handed in
    assert "argparse.py: It is neither a notebook nor a receipt." in done.stdout
    assert not (handed.parent / "ran").exists()


def test_a_module_of_the_teachers_own_is_found_beside_the_folder(handed):
    """`module:NAME` in the folder above is found though no command has that folder on its path; one among the homework is not looked for."""
    (handed.parent / "week.py").write_text("from classroom_handing import SMALL as ASSIGNMENT\n")
    (handed.parent / "argparse.py").write_text("raise ImportError('taken for Python\\'s own')\n")
    (handed / "week.py").write_text(f"open({str(handed.parent / 'ran')!r}, 'a').write('week')\n")
    script = handed.parent / "bin" / "durak-marks"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    mark = ["--assignment", "week:ASSIGNMENT", "--jobs", "1"]
    for started in ([str(script)], ["-m", "durak_widget.lessons", "mark"]):
        done = ran([*started, "collected", *mark], handed.parent)
        assert re.search(r"^Ann .* 3 of 3$", done.stdout, re.MULTILINE), done.stdout + done.stderr
    done = ran([str(script), ".", *mark], handed)
    assert "Python looks for its modules in" in done.stderr
    assert not (handed.parent / "ran").exists()


@pytest.mark.parametrize("place", [".", "ann/code"])
@pytest.mark.parametrize("call", [lessons.mark, lessons.class_report])
def test_a_folder_on_the_path_is_refused(tmp_path, monkeypatch, call, place):
    """Also where what is on the path only lies in it; a folder beside or above is nobody's business."""
    folder = tmp_path / "collected"
    (folder / place).mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "collected too")
    call(folder)
    monkeypatch.syspath_prepend(folder / place)
    with pytest.raises(DurakError, match="Python looks for its modules in"):
        call(folder)


def test_games_are_read_where_the_notebook_lies(tmp_path, monkeypatch):
    """`lessons.games(".")` in the folder on the path, as in a notebook beside its games: nothing in it is run, so there is nothing to refuse."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    table = Table(seats={0: "careful", 1: "random"}, seed=7, keep=".")
    while table.step():
        pass
    assert len(lessons.games(".").played) == 1
    assert lessons.games(".").troubles == ()


def test_a_folder_with_the_teachers_own_python_is_told_what_helps(tmp_path, monkeypatch):
    """The homework and `.venv` in one folder: to go above would change nothing; a folder within, for the homework alone, would."""
    own = tmp_path / "course" / ".venv" / "lib" / "site-packages"
    own.mkdir(parents=True)
    monkeypatch.syspath_prepend(own)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "course" / ".venv"))
    with pytest.raises(DurakError, match=r"holds the Python that runs this.*lay what was handed in into a folder of its own") as said:
        lessons.mark(tmp_path / "course")
    assert "go to a folder above" not in str(said.value)


def test_processes_of_its_own_look_nowhere_in_the_folder(tmp_path, monkeypatch):
    """Their path has the current folder last, by its whole name, and nothing that lies in the folder that is marked."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path / "in" / "it"), str(ROOT), str(tmp_path / "beside")])
    assert looking.paths("in") == [str(ROOT), str(tmp_path / "beside"), str(tmp_path)]
    assert looking.paths(".") == [str(ROOT)]


def test_the_command_is_a_script(capsys, monkeypatch, tmp_path):
    """`durak-marks` is the entry that the package installs; without a command it marks, and knows the others."""
    entry = re.search(r'^durak-marks = "([\w.]+):(\w+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert entry.groups() == (commands.__name__, commands.marks.__name__)
    for told, said in ([], "report"), (["-h"], "durak-marks report"), (["report", "-h"], "--key"), (["mark", "-h"], "--totals"):
        monkeypatch.setattr(sys, "argv", ["durak-marks", *told])
        assert commands.marks() == 0
        assert said in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["durak-marks", str(tmp_path), "--assignment", FEW])
    assert commands.marks() == 1
    assert "nobody has handed in" in capsys.readouterr().out


def test_a_path_may_hold_anything(tmp_path, monkeypatch):
    """What is no text on the path, a folder that is gone, and a Python that does not tell how it was started: none of them makes an import fail."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setattr(sys, "path", ["", [], tmp_path, *sys.path])
    monkeypatch.delattr(sys, "orig_argv")
    gone.rmdir()
    was = list(sys.path)
    looking.begin()
    with looking.Elsewhere():
        pass
    looking.also_here()
    assert sys.path == was
    assert "" not in looking.paths(str(tmp_path))
    assert not looking.among(str(tmp_path / "in"))
