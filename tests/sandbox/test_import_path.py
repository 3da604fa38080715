"""Test that commands import no module from folders of homework, and that importing the package changes nothing."""

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
from support.classroom_handing import FEW, SMALL, receipt, write_files

ROOT = Path(__file__).resolve().parents[2]
ALL = {*sys.stdlib_module_names, "IPython", "anywidget", "dask", "ipywidgets", "numpy", "scipy", "traitlets"}
"""Modules that could be imported: the standard library and the installed packages."""
PYTHONPATHS = (":{other}", ".", "{here}")
"""Values of `PYTHONPATH` that include the current folder."""
MARKS = "import sys\nfrom durak_widget.console_scripts import run_marks\nsys.exit(run_marks())\n"
ARENA = "import sys\nfrom durak_widget.console_scripts import run_arena\nsys.exit(run_arena())\n"
"""The script that pip writes for an entry of `[project.scripts]`."""
CHANGES = """
import sys
before = [list(sys.path), list(map(repr, sys.meta_path)), list(map(repr, sys.path_hooks)), set(sys.modules)]
import durak_widget
after = [list(sys.path), list(map(repr, sys.meta_path)), list(map(repr, sys.path_hooks)), set(sys.modules)]
print([before[:3] == after[:3], sorted(after[3] - before[3])])
"""


def modules_loaded_first(way):
    """Return the modules that docs/sandbox.md lists for Python's start and for a way to start a command."""
    text = (
        (ROOT / "docs" / "sandbox.md")
        .read_text(encoding="utf-8")
        .partition("## Start commands outside the folder")[2]
        .partition("\n## ")[0]
    )
    rows = dict(re.findall(r"^\| ([^|]+) \| (.+) \|$", text, re.MULTILINE))
    named = {who: set(re.findall(r"`(\w+)`", modules)) for who, modules in rows.items()}
    return set().union(*(modules for who, modules in named.items() if "every start" in who or way in who))


def run_python(arguments, where, **environment):
    """Return what a Python started there prints."""
    known = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run([sys.executable, *arguments], cwd=where, capture_output=True, text=True, check=False, env=known)


@pytest.fixture
def homework_folder(tmp_path):
    """Return Ann's work beside files named like Python modules, each of which would leave a trace."""
    folder = write_files(tmp_path / "collected", ann_json=receipt("Ann", assignment=SMALL))
    write_fake_modules(folder, tmp_path / "ran", ALL - modules_loaded_first("script"))
    return folder


def test_the_docs_list_every_module_python_loads_first(tmp_path):
    """Python itself lists what it loads from the path before our first line."""
    for way, started in (("python -m", ["-m", "durak_widget.nothing"]), ("script", ["-c", "import re"])):
        output = run_python(["-v", *started], tmp_path, PYTHONPATH=f"{ROOT}").stderr
        loaded = re.findall(r"^import '(\w+)[\w.]*' # <_frozen_importlib_external", output, re.MULTILINE)
        assert "encodings" in loaded
        assert set(loaded) <= modules_loaded_first(way) | (modules_loaded_first("python -c") if "-c" in started else set())


def write_fake_modules(folder, trace, names):
    """Write files named like modules, each of which leaves a trace when it runs."""
    for name in names:
        (folder / f"{name}.py").write_text(f"open({str(trace)!r}, 'a').write('{name} ')\nraise ImportError('{name}')\n")


def test_python_m_imports_nothing_from_the_folder(homework_folder):
    """`python -m` puts the current folder first on the path; the command removes it before any import."""
    for module in ("durak_widget.lessons", "durak_widget.arena"):
        arguments = ["mark", ".", "--edition", "2027"] if module.endswith("lessons") else ["careful", "random", "--games", "2"]
        for name in modules_loaded_first("python -m"):
            (homework_folder / f"{name}.py").unlink(missing_ok=True)
        write_fake_modules(
            homework_folder, homework_folder.parent / "ran", modules_loaded_first("script") - modules_loaded_first("python -m")
        )
        done = run_python(["-m", module, *arguments], homework_folder, PYTHONPATH=str(ROOT))
        assert not (homework_folder.parent / "ran").exists(), done.stderr
        if module.endswith("lessons"):
            assert done.returncode == 1
            assert "Python" in done.stderr
            assert "durak-marks collected" in done.stderr


@pytest.mark.parametrize("script", [MARKS, ARENA], ids=["durak-marks", "durak-arena"])
@pytest.mark.parametrize("path", PYTHONPATHS)
def test_an_empty_pythonpath_entry_imports_nothing_from_the_folder(homework_folder, script, path):
    """`PYTHONPATH=:/opt/x` adds the current folder; the command removes it first."""
    (other := homework_folder.parent / "other").mkdir()
    (bin_ := homework_folder.parent / "bin").mkdir()
    (bin_ / "command").write_text(script)
    (bin_ / "root.pth").write_text("")
    path = os.pathsep.join([str(ROOT), path.format(other=other, here=homework_folder).replace(":", os.pathsep)])
    arguments = ["."] if script == MARKS else ["careful", "random", "--games", "2", "--jobs", "1"]
    done = run_python([str(bin_ / "command"), *arguments], homework_folder, PYTHONPATH=path)
    assert not (homework_folder.parent / "ran").exists(), done.stderr
    assert done.returncode == (1 if script == MARKS else 0)
    if script == MARKS:
        assert "Python" in done.stderr


def test_an_argument_folder_on_the_path_is_removed(homework_folder):
    """`PYTHONPATH=collected durak-marks collected`: no file of it runs before the refusal."""
    (script := homework_folder.parent / "command").write_text(MARKS)
    done = run_python([str(script), "collected"], homework_folder.parent, PYTHONPATH=os.pathsep.join([str(ROOT), str(homework_folder)]))
    assert not (homework_folder.parent / "ran").exists(), done.stderr
    assert "Python" in done.stderr


def test_the_folder_of_an_argument_file_is_removed_from_the_path(homework_folder):
    """`PYTHONPATH=bots durak-arena bots/ann.py`: no file beside it runs as the teacher."""
    (homework_folder / "ann.py").write_text("def choose(view):\n    return view.legal_moves()[0]\n")
    (script := homework_folder.parent / "command").write_text(ARENA)
    path = os.pathsep.join([str(ROOT), str(homework_folder)])
    done = run_python([str(script), "collected/ann.py", "careful", "--games", "2", "--jobs", "1"], homework_folder.parent, PYTHONPATH=path)
    assert not (homework_folder.parent / "ran").exists(), done.stderr
    assert done.returncode == 0, done.stderr


def test_the_installed_command_imports_nothing_from_the_folder(homework_folder):
    """`durak-marks .` inside the folder marks it, also in other processes."""
    script = homework_folder.parent / "durak-marks"
    script.write_text(MARKS)
    done = run_python(
        [str(script), ".", "--assignment", "econ431", "--edition", "2027", "--jobs", "1"], homework_folder, PYTHONPATH=str(ROOT)
    )
    assert (done.returncode, done.stderr) == (1, "")  # nothing was handed in for that assignment
    assert "argparse.py: " in done.stdout
    assert not (homework_folder.parent / "ran").exists()


def test_the_sandbox_imports_nothing_from_its_start_folder(tmp_path, monkeypatch):
    """It starts in the temporary folder, where everybody can write."""
    write_fake_modules(tmp_path, tmp_path / "ran", ALL - modules_loaded_first("script"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code_runner._close_idle_supervisors()  # so that a new process starts there
    try:
        run_code = code_runner.run_code("def choose(view):\n    return view.legal_moves()[0]\n", [Game(seed=7).view(0)])
    finally:
        code_runner._close_idle_supervisors()
    assert not run_code.error
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_a_teachers_module_is_found_beside_the_folder(homework_folder):
    """`module:NAME` above the folder is found though it is not on the path; modules among the homework are not."""
    (homework_folder.parent / "week.py").write_text("from support.classroom_handing import SMALL as ASSIGNMENT\n")
    (homework_folder.parent / "argparse.py").write_text("raise ImportError('taken for Python\\'s own')\n")
    (homework_folder / "week.py").write_text(f"open({str(homework_folder.parent / 'ran')!r}, 'a').write('week')\n")
    script = homework_folder.parent / "bin" / "durak-marks"
    script.parent.mkdir()
    script.write_text(MARKS)
    mark, path = ["--assignment", "week:ASSIGNMENT", "--jobs", "1"], os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    for started in ([str(script)], ["-m", "durak_widget.lessons", "mark"]):
        done = run_python([*started, "collected", *mark], homework_folder.parent, PYTHONPATH=path)
        assert re.search(r"^Ann .* 3 of 3$", done.stdout, re.MULTILINE), done.stdout + done.stderr
    done = run_python([str(script), ".", *mark], homework_folder, PYTHONPATH=path)
    assert "Python" in done.stderr
    assert not (homework_folder.parent / "ran").exists()


@pytest.mark.parametrize("how", ["script", "-c", "-m", "notebook"])
def test_importing_the_package_changes_no_import_settings(tmp_path, how):
    """`sys.path`, `sys.meta_path` and `sys.path_hooks` stay, and only the package is loaded."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "look.py").write_text(CHANGES)
    started = {"script": ["look.py"], "-c": ["-c", CHANGES], "-m": ["-m", "look"], "notebook": ["-m", "IPython", "--no-banner", "look.py"]}
    if how != "notebook":  # IPython imports most of them itself
        write_fake_modules(tmp_path / "in", tmp_path / "ran", ALL - modules_loaded_first("python -m") - modules_loaded_first("python -c"))
    done = run_python(started[how], tmp_path / "in", PYTHONPATH=str(ROOT), IPYTHONDIR=str(tmp_path / "ipython"))
    same, loaded = ast.literal_eval(done.stdout.splitlines()[-1])
    assert same
    assert loaded == ["durak_widget"]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("place", [".", "ann/code"])
@pytest.mark.parametrize("call", [lessons.mark, lessons.class_report])
def test_a_folder_on_the_path_is_refused(tmp_path, monkeypatch, call, place):
    """This includes folders that contain a path entry, but not folders beside or above it."""
    folder = tmp_path / "collected"
    (folder / place).mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "collected too")
    call(folder)
    monkeypatch.syspath_prepend(folder / place)
    with pytest.raises(DurakError, match="Python"):
        call(folder)


def test_games_can_be_read_from_the_notebooks_folder(tmp_path, monkeypatch):
    """`lessons.games(".")` runs nothing there, so it is not refused."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    table = Table(seats={0: "careful", 1: "random"}, seed=7, keep=".")
    while table.step():
        pass
    assert len(lessons.games(".").games_by_file) == 1
    assert lessons.games(".").troubles == ()


def test_a_folder_with_a_virtual_environment_gets_instructions(tmp_path, monkeypatch):
    """Homework and `.venv` are in one folder: a subfolder for the homework would help, the parent would not."""
    own = tmp_path / "course" / ".venv" / "lib" / "site-packages"
    own.mkdir(parents=True)
    monkeypatch.syspath_prepend(own)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "course" / ".venv"))
    with pytest.raises(DurakError, match="Python") as caught:
        lessons.mark(tmp_path / "course")
    assert "go to a folder above" not in str(caught.value)


def test_folders_that_python_needs_stay_on_the_path(tmp_path, monkeypatch):
    """If the argument's folder contains them, the command says so and works."""
    own = tmp_path / "course" / ".venv" / "lib" / "site-packages"
    own.mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(own), str(tmp_path / "course"), str(ROOT)])
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "course" / ".venv"))
    monkeypatch.setattr(safe_import_path, "removed_entries", [])
    monkeypatch.chdir(tmp_path)
    safe_import_path.remove_untrusted_folders(["mark", "course", str(ROOT)])
    assert sys.path == [str(own), str(ROOT)]
    assert safe_import_path.removed_entries == [str(tmp_path / "course")]


def test_child_processes_import_nothing_from_the_folder(tmp_path, monkeypatch):
    """Their path has the current folder last, by its full name, and nothing of the marked folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path / "in" / "it"), str(ROOT), str(tmp_path / "beside")])
    assert safe_import_path.build_worker_path("in") == [str(ROOT), str(tmp_path / "beside"), str(tmp_path)]
    assert safe_import_path.build_worker_path(".") == [str(ROOT)]


def test_the_command_is_an_installed_script(capsys, monkeypatch, tmp_path):
    """`durak-marks` without a subcommand marks, and knows the others."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(safe_import_path, "removed_entries", [])
    entry = re.search(r'^durak-marks = "([\w.]+):(\w+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert entry.groups() == (console_scripts.__name__, console_scripts.run_marks.__name__)
    for arguments, output in ([], "report"), (["-h"], "durak-marks report"), (["report", "-h"], "--key"), (["mark", "-h"], "--totals"):
        monkeypatch.setattr(sys, "argv", ["durak-marks", *arguments])
        assert console_scripts.run_marks() == 0
        assert output in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["durak-marks", str(tmp_path), "--assignment", FEW])
    assert console_scripts.run_marks() == 1
    assert "handed" in capsys.readouterr().out


def test_a_path_may_have_odd_entries(tmp_path, monkeypatch):
    """Values that are no strings and missing folders break no command."""
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
