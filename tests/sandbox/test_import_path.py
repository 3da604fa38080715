"""The commands that read other people's files run no module that lies there, and importing the package changes nothing in the interpreter."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from durak_widget import DurakError, Game, Table, console_scripts, lessons, safe_import_path
from durak_widget.sandbox import code_runner
from support.classroom_handing import FEW, SMALL, receipt, write

ROOT = Path(__file__).resolve().parents[2]
ALL = {*sys.stdlib_module_names, "IPython", "anywidget", "dask", "ipywidgets", "numpy", "scipy", "traitlets"}
"""Modules that the package, or what it imports, could need: all of Python's own, and what is installed for it."""
PYTHONPATHS = (":{other}", ".", "{here}")
"""Each puts the current folder among the places where Python looks."""
MARKS = "import sys\nfrom durak_widget.console_scripts import run_marks\nsys.exit(run_marks())\n"
ARENA = "import sys\nfrom durak_widget.console_scripts import run_arena\nsys.exit(run_arena())\n"
"""What pip makes of an entry of `[project.scripts]`."""
CHANGES = """
import sys
before = [list(sys.path), list(map(repr, sys.meta_path)), list(map(repr, sys.path_hooks)), set(sys.modules)]
import durak_widget
after = [list(sys.path), list(map(repr, sys.meta_path)), list(map(repr, sys.path_hooks)), set(sys.modules)]
print([before[:3] == after[:3], sorted(after[3] - before[3])])
"""


def loaded_before(way):
    """The modules that docs/marking.md names for Python's own start, and for a way to start a command."""
    text = (ROOT / "docs" / "marking.md").read_text(encoding="utf-8").partition("## Where it is started")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| ([^|]+) \| (.+) \|$", text, re.MULTILINE))
    named = {who: set(re.findall(r"`(\w+)`", modules)) for who, modules in rows.items()}
    return set().union(*(modules for who, modules in named.items() if "every start" in who or way in who))


def ran(arguments, where, **environment):
    """What a Python says that is started there."""
    known = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run([sys.executable, *arguments], cwd=where, capture_output=True, text=True, check=False, env=known)


@pytest.fixture
def handed(tmp_path):
    """Ann's work, and files of hers that are called as modules of Python are: each would leave a trace beside the folder."""
    folder = write(tmp_path / "collected", ann_json=receipt("Ann", assignment=SMALL))
    foreign(folder, tmp_path / "ran", ALL - loaded_before("script"))
    return folder


def test_the_docs_name_all_that_python_loads_before_us(tmp_path):
    """Python itself says what it loads from the path, until the first line of ours."""
    for way, started in (("python -m", ["-m", "durak_widget.nothing"]), ("script", ["-c", "import re"])):
        said = ran(["-v", *started], tmp_path, PYTHONPATH=f"{ROOT}").stderr
        loaded = re.findall(r"^import '(\w+)[\w.]*' # <_frozen_importlib_external", said, re.MULTILINE)
        assert "encodings" in loaded
        assert set(loaded) <= loaded_before(way) | (loaded_before("python -c") if "-c" in started else set())


def foreign(folder, trace, names):
    """Files that are called as modules are, each of which leaves a trace when it runs."""
    for name in names:
        (folder / f"{name}.py").write_text(f"open({str(trace)!r}, 'a').write('{name} ')\nraise ImportError('{name}')\n")


def test_python_m_runs_nothing_of_the_folder(handed):
    """`python -m` has the current folder first on its path: the command takes it off before it imports anything."""
    for module in ("durak_widget.lessons", "durak_widget.arena"):
        arguments = ["mark", ".", "--edition", "2027"] if module.endswith("lessons") else ["careful", "random", "--games", "2"]
        for name in loaded_before("python -m"):
            (handed / f"{name}.py").unlink(missing_ok=True)
        foreign(handed, handed.parent / "ran", loaded_before("script") - loaded_before("python -m"))
        done = ran(["-m", module, *arguments], handed, PYTHONPATH=str(ROOT))
        assert not (handed.parent / "ran").exists(), done.stderr
        if module.endswith("lessons"):
            assert done.returncode == 1
            assert "Python looks for its modules in" in done.stderr
            assert "say durak-marks collected" in done.stderr


@pytest.mark.parametrize("script", [MARKS, ARENA], ids=["durak-marks", "durak-arena"])
@pytest.mark.parametrize("path", PYTHONPATHS)
def test_an_empty_part_of_pythonpath_runs_nothing_of_the_folder(handed, script, path):
    """`PYTHONPATH=:/opt/x` puts the current folder on the path of every program; the commands take it off first."""
    (other := handed.parent / "other").mkdir()
    (bin_ := handed.parent / "bin").mkdir()
    (bin_ / "command").write_text(script)
    (bin_ / "root.pth").write_text("")
    path = os.pathsep.join([str(ROOT), path.format(other=other, here=handed).replace(":", os.pathsep)])
    arguments = ["."] if script == MARKS else ["careful", "random", "--games", "2", "--jobs", "1"]
    done = ran([str(bin_ / "command"), *arguments], handed, PYTHONPATH=path)
    assert not (handed.parent / "ran").exists(), done.stderr
    assert done.returncode == (1 if script == MARKS else 0)
    if script == MARKS:
        assert "Python looks for its modules in" in done.stderr


def test_a_folder_that_an_argument_names_is_taken_off_too(handed):
    """`PYTHONPATH=collected durak-marks collected`: no file of that folder runs before the command refuses it."""
    (script := handed.parent / "command").write_text(MARKS)
    done = ran([str(script), "collected"], handed.parent, PYTHONPATH=os.pathsep.join([str(ROOT), str(handed)]))
    assert not (handed.parent / "ran").exists(), done.stderr
    assert "Python looks for its modules in" in done.stderr


def test_a_folder_in_which_a_named_file_lies_is_taken_off_too(handed):
    """`PYTHONPATH=bots durak-arena bots/ann.py`: no file beside it runs as the teacher."""
    (handed / "ann.py").write_text("def choose(view):\n    return view.legal_moves()[0]\n")
    (script := handed.parent / "command").write_text(ARENA)
    path = os.pathsep.join([str(ROOT), str(handed)])
    done = ran([str(script), "collected/ann.py", "careful", "--games", "2", "--jobs", "1"], handed.parent, PYTHONPATH=path)
    assert not (handed.parent / "ran").exists(), done.stderr
    assert done.returncode == 0, done.stderr


def test_the_command_of_its_own_does_not_look_there(handed):
    """`durak-marks .` within the folder marks it, in processes of its own too, and runs no module that lies there."""
    script = handed.parent / "durak-marks"
    script.write_text(MARKS)
    done = ran([str(script), ".", "--assignment", "econ431", "--edition", "2027", "--jobs", "1"], handed, PYTHONPATH=str(ROOT))
    assert (done.returncode, done.stderr) == (1, "")  # nothing of that assignment was handed in
    assert "argparse.py: It is neither a notebook nor a receipt." in done.stdout
    assert not (handed.parent / "ran").exists()


def test_the_sandbox_runs_nothing_of_the_folder_in_which_it_starts(tmp_path, monkeypatch):
    """It starts in the folder for temporary files, in which everybody may write."""
    foreign(tmp_path, tmp_path / "ran", ALL - loaded_before("script"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code_runner._close_idle_supervisors()  # so that a new process starts there
    try:
        run_code = code_runner.run_code("def choose(view):\n    return view.legal_moves()[0]\n", [Game(seed=7).view(0)])
    finally:
        code_runner._close_idle_supervisors()
    assert not run_code.error
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_a_module_of_the_teachers_own_is_found_beside_the_folder(handed):
    """`module:NAME` in the folder above is found though no command has that folder on its path; one among the homework is not looked for."""
    (handed.parent / "week.py").write_text("from support.classroom_handing import SMALL as ASSIGNMENT\n")
    (handed.parent / "argparse.py").write_text("raise ImportError('taken for Python\\'s own')\n")
    (handed / "week.py").write_text(f"open({str(handed.parent / 'ran')!r}, 'a').write('week')\n")
    script = handed.parent / "bin" / "durak-marks"
    script.parent.mkdir()
    script.write_text(MARKS)
    mark, path = ["--assignment", "week:ASSIGNMENT", "--jobs", "1"], os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    for started in ([str(script)], ["-m", "durak_widget.lessons", "mark"]):
        done = ran([*started, "collected", *mark], handed.parent, PYTHONPATH=path)
        assert re.search(r"^Ann .* 3 of 3$", done.stdout, re.MULTILINE), done.stdout + done.stderr
    done = ran([str(script), ".", *mark], handed, PYTHONPATH=path)
    assert "Python looks for its modules in" in done.stderr
    assert not (handed.parent / "ran").exists()


@pytest.mark.parametrize("how", ["script", "-c", "-m", "notebook"])
def test_importing_the_package_changes_nothing(tmp_path, how):
    """`sys.path`, `sys.meta_path` and `sys.path_hooks` are as before, and nothing but the package itself is loaded, also among foreign files."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "look.py").write_text(CHANGES)
    started = {"script": ["look.py"], "-c": ["-c", CHANGES], "-m": ["-m", "look"], "notebook": ["-m", "IPython", "--no-banner", "look.py"]}
    if how != "notebook":  # IPython imports most of them itself
        foreign(tmp_path / "in", tmp_path / "ran", ALL - loaded_before("python -m") - loaded_before("python -c"))
    done = ran(started[how], tmp_path / "in", PYTHONPATH=str(ROOT), IPYTHONDIR=str(tmp_path / "ipython"))
    same, loaded = ast.literal_eval(done.stdout.splitlines()[-1])
    assert same
    assert loaded == ["durak_widget"]
    assert not (tmp_path / "ran").exists()


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
    assert len(lessons.games(".").games_by_file) == 1
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


def test_what_this_python_needs_stays_on_the_path(tmp_path, monkeypatch):
    """Also where the folder that an argument names holds it: the command then says so, and can."""
    own = tmp_path / "course" / ".venv" / "lib" / "site-packages"
    own.mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(own), str(tmp_path / "course"), str(ROOT)])
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "course" / ".venv"))
    monkeypatch.setattr(safe_import_path, "removed_entries", [])
    monkeypatch.chdir(tmp_path)
    safe_import_path.remove_untrusted_folders(["mark", "course", str(ROOT)])
    assert sys.path == [str(own), str(ROOT)]
    assert safe_import_path.removed_entries == [str(tmp_path / "course")]


def test_processes_of_its_own_look_nowhere_in_the_folder(tmp_path, monkeypatch):
    """Their path has the current folder last, by its whole name, and nothing that lies in the folder that is marked."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path / "in" / "it"), str(ROOT), str(tmp_path / "beside")])
    assert safe_import_path.build_worker_path("in") == [str(ROOT), str(tmp_path / "beside"), str(tmp_path)]
    assert safe_import_path.build_worker_path(".") == [str(ROOT)]


def test_the_command_is_a_script(capsys, monkeypatch, tmp_path):
    """`durak-marks` is the entry that the package installs; without a command it marks, and knows the others."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(safe_import_path, "removed_entries", [])
    entry = re.search(r'^durak-marks = "([\w.]+):(\w+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert entry.groups() == (console_scripts.__name__, console_scripts.run_marks.__name__)
    for told, said in ([], "report"), (["-h"], "durak-marks report"), (["report", "-h"], "--key"), (["mark", "-h"], "--totals"):
        monkeypatch.setattr(sys, "argv", ["durak-marks", *told])
        assert console_scripts.run_marks() == 0
        assert said in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["durak-marks", str(tmp_path), "--assignment", FEW])
    assert console_scripts.run_marks() == 1
    assert "nobody has handed in" in capsys.readouterr().out


def test_a_path_may_hold_anything(tmp_path, monkeypatch):
    """What is no text on the path, and a folder that is gone: neither makes a command fail."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setattr(sys, "path", ["", [], tmp_path, *sys.path])
    gone.rmdir()
    was = list(sys.path)
    safe_import_path.remove_untrusted_folders(["in"])
    safe_import_path.append_current_folder()
    assert sys.path == was
    assert "" not in safe_import_path.build_worker_path(str(tmp_path))
    assert not safe_import_path.find_entry_inside(str(tmp_path / "in"))
